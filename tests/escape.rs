//! Attacks that need more than a file: components made for the attack, many sessions at once, mounts that change
//! while they are walked, callers that go away. `escape/*.toml` has the attacks that a file can express.

#[path = "escape/anycalls/mod.rs"]
mod anycalls;
#[path = "escape/charges.rs"]
mod charges;
#[path = "escape/components.rs"]
mod components;
#[path = "escape/document.rs"]
mod document;
#[path = "escape/files.rs"]
mod files;
#[path = "escape/functions.rs"]
mod functions;
#[path = "escape/hostcalls.rs"]
mod hostcalls;
#[path = "escape/images.rs"]
mod images;
#[path = "escape/isolation.rs"]
mod isolation;
#[path = "escape/kit.rs"]
mod kit;
#[path = "escape/lifetime.rs"]
mod lifetime;
#[path = "escape/limits.rs"]
mod limits;
#[path = "escape/mounts.rs"]
mod mounts;
#[path = "escape/network.rs"]
mod network;
#[path = "escape/receipts.rs"]
mod receipts;
#[path = "escape/signals.rs"]
mod signals;
#[path = "escape/threads.rs"]
mod threads;
