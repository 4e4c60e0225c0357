//! Running programs: the machine, its environments, the filters that are written in Rust.

mod arith;
mod env;
mod frame;
mod give;
mod machine;
pub(crate) mod natives;
mod retreat;
mod simple;
mod step;

pub(crate) use machine::Machine;

use crate::json::{Style, Val};
use crate::lang::Library;
use std::collections::HashMap;
use std::rc::Rc;

/// How a run can stop before its end.
#[derive(Debug, Clone)]
pub(crate) enum Error {
    /// An error that `try` can catch.
    Value(Val),
    /// `break`, on its way to its label.
    Break(u64),
    /// `halt` and `halt_error`: the status, what to print.
    Halt(i32, Option<Val>),
}

impl From<String> for Error {
    fn from(message: String) -> Self {
        Self::Value(Val::str(message))
    }
}

impl From<&str> for Error {
    fn from(message: &str) -> Self {
        Self::Value(Val::str(message))
    }
}

/// A filter in Rust: its input, the values of its arguments.
pub(crate) type Native = fn(&mut Context, Val, Vec<Val>) -> Result<Val, Error>;

/// Where `input` reads.
pub(crate) trait Inputs {
    /// Returns the next value; an error where the text is not JSON.
    fn next(&mut self) -> Option<Result<Val, String>>;
    /// Returns the name of the file that is being read.
    fn file(&self) -> Val;
    /// Returns how many lines have been read of it.
    fn line(&self) -> usize;
}

/// What a program can reach beside its input.
pub(crate) struct Context {
    /// What follows on the input.
    pub inputs: Box<dyn Inputs>,
    /// Where modules are.
    pub library: Rc<Library>,
    /// How `debug` prints.
    pub style: Style,
    /// Regular expressions that were used before.
    pub(crate) regexes: HashMap<(String, String), Rc<natives::Regex>>,
}

impl Context {
    /// Creates a context with nothing used yet.
    pub(crate) fn new(inputs: Box<dyn Inputs>, library: Rc<Library>, style: Style) -> Self {
        Self { inputs, library, style, regexes: HashMap::new() }
    }
}
