//! What the tools of wisp share: GNU's option parsing ([`options`]), messages ([`text`]) and the little of the system that
//! Rust's std does not offer on WASI ([`sys`]).

pub mod options;
pub mod sys;
pub mod text;
