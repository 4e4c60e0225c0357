//! wisp's shell: bash's language on the host's descriptors and processes. All text is bytes: text that is not UTF-8
//! passes unchanged.
//!
//! `lexer` and `parser` make the tree of `ast`; `exec` walks it, `expand` and `arith` compute the values of words;
//! `shell` and `vars` are the state, which `serialize` writes and reads; `sys` is the platform.

#![deny(missing_docs)]

pub mod arith;
pub mod ast;
pub mod builtins;
mod cell;
mod edit;
pub mod exec;
pub mod expand;
pub mod fds;
pub mod invoke;
pub mod lexer;
pub mod parser;
pub mod pattern;
pub mod print;
pub mod quote;
mod serialize;
pub mod shell;
pub mod signals;
pub mod sym;
pub mod sys;
pub mod time;
pub mod vars;
