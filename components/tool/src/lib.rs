//! Code that the tools of wisp share: GNU's option parsing ([`options`]), messages ([`text`]), dates ([`calendar`]),
//! floating point numbers ([`float`]), patterns of names ([`wildcard`]), keys of a terminal ([`keys`]), users and groups
//! ([`names`]), what to use instead of programs that are not here ([`elsewhere`]), and the few system functions that Rust's
//! std does not offer on WASI ([`sys`]).

pub mod calendar;
pub mod elsewhere;
pub mod float;
pub mod keys;
pub mod names;
pub mod options;
pub mod sys;
pub mod text;
pub mod wildcard;
