//! Function definitions.

use super::{Parsed, Parser, SyntaxError};
use crate::ast::{Command, Function, Kind};
use crate::lexer::Next;
use std::rc::Rc;

impl Parser {
    /// `function NAME [()] BODY`; the position is behind `function`.
    pub(crate) fn function_keyword(&mut self) -> Parsed<Kind> {
        if self.next() != Next::Word {
            return Err(self.missing_word());
        }
        let Some(name) = self.plain_word().map(<[u8]>::to_vec) else {
            return Err(SyntaxError::new(self.src.line, "syntax error: the name of a function must be plain".into()));
        };
        self.src.skip(name.len());
        if self.take_op("(") && !self.take_op(")") {
            return Err(self.unexpected());
        }
        self.function_body(name)
    }

    /// The body of function `name`.
    pub(crate) fn function_body(&mut self, name: Vec<u8>) -> Parsed<Kind> {
        self.newlines()?;
        let (start, line) = (self.src.pos, self.src.line);
        let body: Command = self.command()?;
        match body.kind {
            Kind::Simple(_) | Kind::Function(_) | Kind::Coproc(..) => {
                // The first word is what cannot stand there.
                (self.src.pos, self.src.line) = (start, line);
                Err(self.unexpected())
            }
            _ => Ok(Kind::Function(Rc::new(Function { name: name.into(), body, source: self.source.clone() }))),
        }
    }
}
