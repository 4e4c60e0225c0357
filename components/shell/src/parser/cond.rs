//! `[[ … ]]`.

use super::{Parsed, Parser, SyntaxError};
use crate::ast::{Cond, Word};
use crate::lexer::{Mode, Next};

/// Operators between two words.
const BINARY: [&[u8]; 13] = [b"==", b"=", b"!=", b"=~", b"-eq", b"-ne", b"-lt", b"-le", b"-gt", b"-ge", b"-nt", b"-ot", b"-ef"];

/// Operators before a word.
const UNARY: &[u8] = b"abcdefghknoprstuvwxzGLNORS";

impl Parser {
    /// The expression and `]]`; the position is behind `[[`.
    pub(crate) fn cond_command(&mut self) -> Parsed<Cond> {
        let cond = self.cond_or()?;
        self.newlines()?;
        if self.take_keyword("]]") {
            return Ok(cond);
        }
        Err(self.cond_error())
    }

    fn cond_error(&mut self) -> Box<SyntaxError> {
        let mut error = self.unexpected();
        if error.text.is_some() {
            error.message =
                error.message.replace("syntax error near unexpected token", "syntax error in conditional expression: unexpected token");
        }
        error
    }

    fn cond_or(&mut self) -> Parsed<Cond> {
        let mut left = self.cond_and()?;
        loop {
            self.newlines()?;
            if !self.take_op("||") {
                return Ok(left);
            }
            left = Cond::Or(Box::new(left), Box::new(self.cond_and()?));
        }
    }

    fn cond_and(&mut self) -> Parsed<Cond> {
        let mut left = self.cond_term()?;
        loop {
            self.newlines()?;
            if !self.take_op("&&") {
                return Ok(left);
            }
            left = Cond::And(Box::new(left), Box::new(self.cond_term()?));
        }
    }

    fn cond_term(&mut self) -> Parsed<Cond> {
        self.newlines()?;
        if self.take_keyword("!") {
            self.deeper()?;
            let cond = Cond::Not(Box::new(self.cond_term()?));
            self.depth -= 1;
            return Ok(cond);
        }
        if self.take_op("(") {
            self.deeper()?;
            let inner = self.cond_or()?;
            self.newlines()?;
            if !self.take_op(")") {
                return Err(self.cond_error());
            }
            self.depth -= 1;
            return Ok(Cond::Group(Box::new(inner)));
        }
        if self.next() != Next::Word || self.at_keyword("]]") {
            return Err(self.cond_error());
        }
        let first = self.word(Mode::Pattern)?;
        if let [b'-', letter] = &first.raw[..]
            && UNARY.contains(letter)
            && (self.at_keyword("]]") || !self.cond_ends())
            && *letter != b'-'
            && self.cond_binary().is_none()
        {
            if self.next() != Next::Word || self.at_keyword("]]") {
                return Err(self.missing_operand("unary"));
            }
            let operand = self.word(Mode::Pattern)?;
            return Ok(Cond::Unary(first.raw, operand));
        }
        match self.cond_binary() {
            Some(op) => {
                self.src.skip(op.len());
                self.blanks();
                let mode = if op == b"=~" { Mode::Regex } else { Mode::Pattern };
                let next = self.next();
                // A regular expression may begin with an operator's character.
                let begins = next == Next::Word || (op == b"=~" && !matches!(next, Next::End | Next::Newline));
                if !begins || self.at_keyword("]]") {
                    return Err(self.missing_operand("binary"));
                }
                let second: Word = self.word(mode)?;
                Ok(Cond::Binary(first, op.into(), second))
            }
            None if self.cond_ends() => Ok(Cond::Word(first)),
            None => {
                let line = self.src.line;
                let mut error = SyntaxError::new(line, "conditional binary operator expected".into());
                error.forgiven = true;
                Err(error)
            }
        }
    }

    /// `[[ a == ]]`
    fn missing_operand(&mut self, kind: &str) -> Box<SyntaxError> {
        if !self.at_keyword("]]") {
            return self.cond_error();
        }
        let line = self.src.line;
        let mut error = SyntaxError::new(line, format!("unexpected argument `]]' to conditional {kind} operator"));
        error.forgiven = true;
        error
    }

    fn cond_ends(&mut self) -> bool {
        matches!(self.next(), Next::Op("&&" | "||" | ")") | Next::Newline | Next::End) || self.at_keyword("]]")
    }

    fn cond_binary(&mut self) -> Option<&'static [u8]> {
        self.blanks();
        match self.src.peek() {
            Some(b'<') => return Some(b"<"),
            Some(b'>') => return Some(b">"),
            _ => {}
        }
        let word = self.plain_word()?;
        BINARY.iter().find(|op| **op == word).copied()
    }
}
