//! wisp's shell: bash's language over host descriptors and spawn. Bytes throughout: what is not UTF-8 passes unharmed.
//!
//! `lexer` and `parser` make the tree of `ast`; `exec` walks it, `expand` and `arith` give words their values; `shell`
//! and `vars` are the state; `sys` is the platform.

#![deny(missing_docs)]

pub mod arith;
pub mod ast;
pub mod builtins;
mod cell;
pub mod exec;
pub mod expand;
pub mod fds;
pub mod invoke;
pub mod lexer;
pub mod parser;
pub mod pattern;
pub mod print;
pub mod quote;
pub mod shell;
pub mod state;
pub mod sym;
pub mod sys;
pub mod time;
pub mod vars;
