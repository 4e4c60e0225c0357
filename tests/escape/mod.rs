//! Attacks that need more than a file: components made for the attack, many sessions at once, mounts that change
//! while they are walked, callers that go away. `escape/*.toml` has the attacks that a file can express.

mod adapters;
mod anycalls;
mod apply;
mod charges;
mod components;
mod document;
mod files;
mod functions;
mod hostcalls;
mod images;
mod isolation;
pub(crate) mod kit;
mod lifetime;
mod limits;
mod mounts;
mod network;
mod receipts;
mod signals;
mod threads;
