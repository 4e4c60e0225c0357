//! `[[ … ]]`.

use super::{Parsed, Parser, SyntaxError};
use crate::ast::{Cond, Word};
use crate::lexer::{Mode, Next};

/// Operators between two words.
const BINARY: [&[u8]; 13] = [b"==", b"=", b"!=", b"=~", b"-eq", b"-ne", b"-lt", b"-le", b"-gt", b"-ge", b"-nt", b"-ot", b"-ef"];

/// Operators before a word.
const UNARY: &[u8] = b"abcdefghknoprstuvwxzGLNORS";

impl Parser {
    /// Parses the expression and `]]`; the position is after `[[`.
    pub(crate) fn cond_command(&mut self) -> Parsed<Cond> {
        let cond = self.cond_or()?;
        self.newlines()?;
        if self.take_keyword("]]") {
            return Ok(cond);
        }
        Err(self.cond_error())
    }

    /// Returns an error of `[[`, in bash's words; after it a script ends with status 0.
    fn cond_says(&mut self, message: String) -> Box<SyntaxError> {
        let mut error = SyntaxError::new(self.src.line, message);
        // Nothing is left to run: then it is an ordinary error.
        let rest = self.src.buf.get(self.src.pos..).unwrap_or_default();
        error.status = if rest.iter().all(u8::is_ascii_whitespace) { 2 } else { 0 };
        error
    }

    /// Returns the token at the position: `Err` for a word, which messages do not name.
    fn cond_token(&mut self) -> Result<String, Vec<u8>> {
        match self.next() {
            Next::Word => Err(self.plain_word().map(<[u8]>::to_vec).unwrap_or_default()),
            Next::End | Next::Newline => Ok("newline".to_owned()),
            Next::Op(op) => Ok(op.to_owned()),
            Next::Redirect => Ok(self.src.peek().map_or_else(String::new, |b| (b as char).to_string())),
        }
    }

    /// Returns the error for what follows a whole expression and is not `]]`.
    fn cond_error(&mut self) -> Box<SyntaxError> {
        match self.cond_token() {
            Ok(token) if token != "newline" => {
                self.cond_says(format!("syntax error in conditional expression: unexpected token `{token}'"))
            }
            _ if self.next() == Next::End => {
                let mut error = self.cond_says("unexpected EOF while looking for `]]'".into());
                error.line = self.last_line().saturating_sub(1);
                error
            }
            _ => self.cond_says("syntax error in conditional expression".into()),
        }
    }

    /// Returns the error for a place where no expression begins.
    fn cond_missing(&mut self) -> Box<SyntaxError> {
        if self.next() == Next::End {
            let mut error = self.cond_says("unexpected token `EOF' in conditional command".into());
            error.line = self.last_line();
            return error;
        }
        match self.cond_token() {
            Ok(token) => self.cond_says(format!("unexpected token `{token}' in conditional command")),
            // bash reports nothing for `[[ ]]`.
            Err(_) => self.cond_says(String::new()),
        }
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
        let pattern = self.extglob && self.src.buf.get(self.src.pos..).is_some_and(|rest| rest.starts_with(b"!("));
        if !pattern && self.take_keyword("!") {
            self.deeper()?;
            let cond = Cond::Not(Box::new(self.cond_term()?));
            self.depth -= 1;
            return Ok(cond);
        }
        if self.take_op("(") {
            self.deeper()?;
            let inner = self.cond_or().map_err(|mut error| {
                error.more = Some((error.line, "expected `)'".into()));
                error
            })?;
            self.newlines()?;
            if !self.take_op(")") {
                let token = self.cond_token().unwrap_or_else(|word| String::from_utf8_lossy(&word).into_owned());
                return Err(self.cond_says(format!("unexpected token `{token}', expected `)'")));
            }
            self.depth -= 1;
            return Ok(Cond::Group(Box::new(inner)));
        }
        if self.next() != Next::Word || self.at_keyword("]]") {
            return Err(self.cond_missing());
        }
        let first = self.word(Mode::Pattern)?;
        if let [b'-', letter] = &first.raw[..]
            && UNARY.contains(letter)
        {
            // It takes whatever comes next, operator or not.
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
            None if self.at_keyword("]]") || matches!(self.next(), Next::Op("&&" | "||" | ")")) => Ok(Cond::Word(first)),
            None => match self.cond_token() {
                Ok(token) => Err(self.cond_says(format!("unexpected token `{token}', conditional binary operator expected"))),
                Err(_) => Err(self.cond_says("conditional binary operator expected".into())),
            },
        }
    }

    /// Returns the error for `[[ a == ]]`
    fn missing_operand(&mut self, kind: &str) -> Box<SyntaxError> {
        let token = self.cond_token().unwrap_or_else(|word| String::from_utf8_lossy(&word).into_owned());
        self.cond_says(format!("unexpected argument `{token}' to conditional {kind} operator"))
    }

    fn cond_binary(&mut self) -> Option<&'static [u8]> {
        self.blanks();
        match self.src.peek() {
            Some(b'<' | b'>') if self.src.peek_at(1) == Some(b'(') => return None,
            Some(b'<') => return Some(b"<"),
            Some(b'>') => return Some(b">"),
            _ => {}
        }
        let word = self.plain_word()?;
        BINARY.iter().find(|op| **op == word).copied()
    }
}
