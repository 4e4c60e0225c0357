//! Function definitions.

use super::{Parsed, Parser};
use crate::ast::{Command, Function, Kind};
use crate::lexer::{Mode, Next};
use std::rc::Rc;

impl Parser {
    /// Parses `function NAME [()] BODY`; the position is after `function`.
    pub(crate) fn function_keyword(&mut self) -> Parsed<Kind> {
        if self.next() != Next::Word {
            return Err(self.missing_word());
        }
        // A name that is quoted or expanded is refused when the definition runs.
        let name = match self.plain_word().map(<[u8]>::to_vec) {
            Some(name) => {
                self.src.skip(name.len());
                name
            }
            None => self.word(Mode::Normal)?.raw.to_vec(),
        };
        if self.take_op("(") && !self.take_op(")") {
            return Err(self.unexpected());
        }
        self.function_body(name)
    }

    /// Parses the body of function `name`.
    pub(crate) fn function_body(&mut self, name: Vec<u8>) -> Parsed<Kind> {
        self.newlines()?;
        let (start, line) = (self.src.pos, self.src.line);
        let body: Command = self.command()?;
        match body.kind {
            Kind::Simple(_) | Kind::Function(_) | Kind::Coproc(..) => {
                // The first word is not allowed there.
                (self.src.pos, self.src.line) = (start, line);
                Err(self.unexpected())
            }
            _ => Ok(Kind::Function(Rc::new(Function { name: name.into(), body, source: self.source.clone() }))),
        }
    }
}
