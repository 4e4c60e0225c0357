//! Running processes: how one starts, what it reads and writes, which limits apply to it, and how it ends.

pub(crate) mod account;
mod closing;
pub(crate) mod command;
pub(crate) mod command_run;
pub(crate) mod commands;
pub(crate) mod ends;
pub(crate) mod environment;
pub(crate) mod error;
pub(crate) mod execution;
mod flagged;
pub(crate) mod hold;
pub(crate) mod input;
pub(crate) mod launched;
mod linger;
pub(crate) mod lockstep;
pub(crate) mod members;
pub(crate) mod network;
pub(crate) mod output;
pub(crate) mod process_meter;
pub(crate) mod process_task;
pub(crate) mod refusals;
pub(crate) mod session_state;
pub(crate) mod spawn;
pub(crate) mod started;
pub(crate) mod stdio;
pub(crate) mod tape;
pub(crate) mod threads;
pub(crate) mod time;
pub(crate) mod tty;
pub(crate) mod turns;

pub use command::{Callback, Command, Input, Output, WaitFor};
pub use error::RunError;
pub use started::StdinError;
