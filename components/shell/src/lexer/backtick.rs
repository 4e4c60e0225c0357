//! Command substitution with backticks.

use crate::ast::Part;
use crate::parser::{Parsed, Parser};
use std::rc::Rc;

impl Parser {
    /// Reads `` `…` ``; the position is at the first backtick.
    pub(crate) fn backtick(&mut self, quoted: bool) -> Parsed<Part> {
        let line = self.src.line;
        self.src.bump();
        let mut text = Vec::new();
        loop {
            match self.src.bump() {
                None => return Err(self.unterminated(b'`', line)),
                Some(b'`') => break,
                Some(b'\\') => match self.src.peek() {
                    Some(byte @ (b'`' | b'\\' | b'$')) => {
                        text.push(byte);
                        self.src.bump();
                    }
                    Some(b'"') if quoted => {
                        text.push(b'"');
                        self.src.bump();
                    }
                    Some(b'\n') => {
                        self.src.bump();
                    }
                    _ => text.push(b'\\'),
                },
                Some(byte) => text.push(byte),
            }
        }
        let mut inner = self.inside(text, line)?;
        Ok(match inner.whole() {
            Ok(list) => Part::Command(Rc::new(list)),
            Err(error) => Part::Broken(Rc::new(*error)),
        })
    }
}
