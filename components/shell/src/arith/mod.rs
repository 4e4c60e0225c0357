//! Arithmetic. An expression is parsed when it is first evaluated, and kept. `$x` in it is filled in at each
//! evaluation: as a number if its value is a plain number, as it nearly always is, and as text otherwise.

mod ast;
mod eval;
mod number;
mod operand;
mod parse;
mod place;

pub use ast::{Binary, Expr, Place, Subscript, Unary};
pub use eval::ArithError;
pub use number::parse_number;
pub use parse::parse;

use crate::ast::{Part, Word};
use std::cell::OnceCell;
use std::rc::Rc;

/// An expression as written.
#[derive(Debug, Clone)]
pub struct ArithText {
    /// Its text and expansions.
    pub word: Word,
    /// Brackets around it: 1 if it is a subscript.
    within: usize,
    compiled: OnceCell<Rc<Compiled>>,
}

/// An expression made ready.
#[derive(Debug)]
pub struct Compiled {
    /// The text, with a NUL in place of each expansion.
    pub text: Vec<u8>,
    /// The expansions.
    pub subs: Vec<Part>,
    /// The expression, if it could be parsed before expanding; an error is a part of it where nothing is expanded.
    pub expr: Option<Expr>,
}

impl ArithText {
    /// Creates it from a word.
    pub fn new(word: Word) -> Self {
        Self { word, within: 0, compiled: OnceCell::new() }
    }

    /// Creates it from a word that is a subscript.
    pub fn subscript(word: Word) -> Self {
        Self { within: 1, ..Self::new(word) }
    }

    /// Returns the parsed expression; it is parsed once.
    pub fn compiled(&self) -> &Rc<Compiled> {
        self.compiled.get_or_init(|| {
            let mut compiled = Compiled { text: Vec::new(), subs: Vec::new(), expr: None };
            let single = self.word.raw.contains(&b'\'');
            flatten(&self.word.parts, self.within, single, &mut compiled);
            let (expr, whole) = parse(&compiled.text);
            compiled.expr = (whole || compiled.subs.is_empty()).then_some(expr);
            Rc::new(compiled)
        })
    }
}

/// Makes text of parts. `depth`: brackets that are open before it; `single`: the text has single quotes. Within brackets
/// quotes are kept, for the key of an associative array, and because they are errors in other subscripts.
fn flatten(parts: &[Part], mut depth: usize, single: bool, into: &mut Compiled) {
    for part in parts {
        match part {
            Part::Lit(text) => {
                for byte in text.iter().filter(|b| **b != 0) {
                    match byte {
                        b'[' => depth += 1,
                        b']' => depth = depth.saturating_sub(1),
                        _ => {}
                    }
                    into.text.push(*byte);
                }
            }
            Part::Quoted(text) if depth > 0 => {
                if single && !text.contains(&b'\'') {
                    into.text.extend([&b"'"[..], text, b"'"].concat().iter().filter(|b| **b != 0));
                } else {
                    into.text.extend(text.iter().filter(|b| **b != 0).flat_map(|b| [b'\\', *b]));
                }
            }
            Part::Quoted(text) => into.text.extend(text.iter().filter(|b| **b != 0)),
            Part::Double(parts) => flatten(parts, depth, single, into),
            other => {
                into.text.push(0);
                into.subs.push(other.clone());
            }
        }
    }
}

/// Returns the key that a subscript means: its text without quotes.
fn unquoted(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut quote = None;
    let mut bytes = text.iter();
    while let Some(byte) = bytes.next() {
        match (quote, *byte) {
            (None | Some(b'"'), b'\\') => out.extend(bytes.next()),
            (None, b'\'' | b'"') => quote = Some(*byte),
            (Some(open), byte) if open == byte => quote = None,
            (_, byte) => out.push(byte),
        }
    }
    out
}
