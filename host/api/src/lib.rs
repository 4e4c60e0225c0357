//! What every surface of wisp says in the same words: a library in Rust, a server, a package for another language, the command.
//!
//! So far this is [`ErrorCode`]: why a call failed, as a name that a program can compare. The crate is the lowest of wisp's: each
//! crate gives its own errors their codes (`FsError::code`), so that the compiler refuses a new error without one. It knows no
//! protocol; an HTTP server, for example, keeps its own table from codes to statuses.

mod code;
mod fault;

pub use code::{ErrorCode, UnknownErrorCode};
pub use fault::Fault;
