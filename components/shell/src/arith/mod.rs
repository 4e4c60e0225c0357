//! Arithmetic. An expression is parsed when it is first evaluated, and kept. `$x` in it is filled in at each
//! evaluation: as a number if its value is a plain number, as it nearly always is, and as text otherwise.

mod ast;
mod eval;
mod number;
mod parse;

pub use ast::{Binary, Expr, Place, Subscript, Unary};
pub use eval::ArithError;
pub use number::parse_number;
pub use parse::{Failure, parse};

use crate::ast::{Part, Word};
use std::cell::OnceCell;
use std::rc::Rc;

/// An expression as written.
#[derive(Debug, Clone)]
pub struct ArithText {
    /// Its text and expansions.
    pub word: Word,
    compiled: OnceCell<Rc<Compiled>>,
}

/// An expression made ready.
#[derive(Debug)]
pub struct Compiled {
    /// The text, with a NUL in place of each expansion.
    pub text: Vec<u8>,
    /// The expansions.
    pub subs: Vec<Part>,
    /// The expression, if it could be parsed before expanding.
    pub expr: Option<Expr>,
}

impl ArithText {
    /// From a word.
    pub fn new(word: Word) -> Self {
        Self { word, compiled: OnceCell::new() }
    }

    /// The parsed expression; it is parsed once.
    pub fn compiled(&self) -> &Rc<Compiled> {
        self.compiled.get_or_init(|| {
            let mut compiled = Compiled { text: Vec::new(), subs: Vec::new(), expr: None };
            flatten(&self.word.parts, &mut compiled);
            compiled.expr = parse(&compiled.text).ok();
            Rc::new(compiled)
        })
    }
}

fn flatten(parts: &[Part], into: &mut Compiled) {
    for part in parts {
        match part {
            Part::Lit(text) | Part::Quoted(text) => into.text.extend(text.iter().filter(|b| **b != 0)),
            Part::Double(parts) => flatten(parts, into),
            other => {
                into.text.push(0);
                into.subs.push(other.clone());
            }
        }
    }
}
