//! wisp as a service: what every surface needs that keeps sandboxes for others, and no surface should write again.
//!
//! - [`Runtime`] owns the engine and the async runtime that drives its sessions, set up as they must be. It is the first thing here
//!   that makes threads: a program that confines itself ([`wisp::confine`]) opens what it needs and does so before.
//! - [`Store`] keeps sessions in a folder, from one program to the next: `wisp run --session` and `wisp session` stand on it. The
//!   example `kept` shows it.
//!
//! The crate knows no protocol, no HTTP and no command line. A surface translates between those and what is here; its errors have
//! the codes of the library's ([`wisp::ErrorCode`]), and their texts name no command.

mod runtime;
mod store;

pub use runtime::{Runtime, StartError};
pub use store::{KeptSession, Saved, Store, StoreError};
