//! What the tools of wisp share: GNU's option parsing ([`options`]), messages ([`text`]), dates ([`calendar`]) and the little
//! of the system that Rust's std does not offer on WASI ([`sys`]).

pub mod calendar;
pub mod options;
pub mod sys;
pub mod text;
