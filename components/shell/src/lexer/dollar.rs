//! What a dollar sign begins.

use super::Mode;
use crate::arith::ArithText;
use crate::ast::{Param, ParamName, ParamOp, Part, Word};
use crate::parser::{Parsed, Parser};
use crate::sym::{intern, is_name_byte};
use std::rc::Rc;

impl Parser {
    /// Reads an expansion; the position is at `$`. `None`: the dollar sign is literal (and has not been consumed).
    pub(crate) fn dollar(&mut self, quoted: bool) -> Parsed<Option<Part>> {
        let start = self.src.pos;
        self.src.join(1);
        let Some(byte) = self.src.peek_at(1) else { return Ok(None) };
        let name = match byte {
            b'\'' if !quoted => return self.ansi_quotes().map(Some),
            b'"' if !quoted => {
                self.src.skip(1);
                self.rewrites.push((start, start + 1, Vec::new()));
                return Ok(Some(self.double()?));
            }
            b'{' => {
                let mut ahead = 2;
                self.src.join(ahead);
                while self.src.peek_at(ahead).is_some_and(|b| is_name_byte(b) || b"#!@*?$:-=+%/^,".contains(&b)) {
                    ahead += 1;
                    self.src.join(ahead);
                }
                return self.braced(quoted).map(Some);
            }
            b'(' => {
                self.src.join(2);
                if self.src.peek_at(2) == Some(b'(')
                    && let Some(text) = self.try_arith()?
                {
                    return Ok(Some(Part::Arith(Rc::new(text))));
                }
                let (arith, line) = (self.src.peek_at(2) == Some(b'('), self.src.line);
                let part = self.substitution();
                if part.is_err() && arith && self.is_open(start) {
                    return Err(self.unterminated(b')', line));
                }
                return part.map(Some);
            }
            b'[' => {
                self.src.skip(2);
                let word = self.word(Mode::Bracket)?;
                if self.src.bump() != Some(b']') {
                    return Err(self.unterminated(b']', self.src.line));
                }
                return Ok(Some(Part::Arith(Rc::new(ArithText::new(word)))));
            }
            b'0'..=b'9' => {
                self.src.skip(2);
                ParamName::Positional(u32::from(byte - b'0'))
            }
            b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!' => {
                self.src.skip(2);
                ParamName::Special(byte)
            }
            b if is_name_byte(b) => {
                self.src.skip(1);
                let from = self.src.pos;
                while self.src.peek().is_some_and(is_name_byte) {
                    self.src.pos += 1;
                    self.src.join(0);
                }
                let name = intern(&self.src.buf[from..self.src.pos]);
                if name == crate::sym::BASH_COMMAND {
                    crate::shell::COMMAND_TEXT_WANTED.set(true);
                }
                ParamName::Var(name)
            }
            _ => return Ok(None),
        };
        let raw = self.src.buf[start..self.src.pos].into();
        Ok(Some(Part::Param(Box::new(Param { name, index: None, indirect: false, op: ParamOp::None, raw }))))
    }

    /// Reads `$'…'`; the position is at `$`.
    fn ansi_quotes(&mut self) -> Parsed<Part> {
        let (start, line) = (self.src.pos, self.src.line);
        self.src.skip(2);
        let mut text = Vec::new();
        loop {
            match self.src.bump() {
                None => return Err(self.unterminated(b'\'', line)),
                Some(b'\'') => break,
                Some(b'\\') => {
                    text.push(b'\\');
                    if let Some(next) = self.src.bump() {
                        text.push(next);
                    }
                }
                Some(byte) => text.push(byte),
            }
        }
        let text = super::ansi_c(&text);
        self.rewrites.push((start, self.src.pos, crate::quote::plain_single(&text)));
        Ok(Part::Quoted(text.into()))
    }

    /// Reads `$(…)`; the position is at `$`.
    fn substitution(&mut self) -> Parsed<Part> {
        let start = self.src.pos;
        self.src.skip(2);
        self.substitutions += 1;
        let list = self.until_paren();
        self.substitutions -= 1;
        let list = list?;
        self.note_shown(start, &list);
        Ok(Part::Command(Rc::new(list)))
    }

    /// Returns whether more parentheses are opened after `start` than closed.
    fn is_open(&self, start: usize) -> bool {
        let count = |byte: u8| self.src.buf[start..].iter().filter(|b| **b == byte).count();
        count(b'(') > count(b')')
    }

    /// Reads commands up to and including the parenthesis that closes them.
    pub(crate) fn until_paren(&mut self) -> Parsed<crate::ast::List> {
        self.deeper()?;
        let outer = std::mem::take(&mut self.alias_until);
        let list = match self.compound_list() {
            Err(error) if error.message == "syntax error: unexpected end of file" => {
                return Err(self.unterminated(b')', self.last_line()));
            }
            list => list?,
        };
        self.alias_until = outer;
        if !self.take_op(")") {
            if self.next() == super::Next::End {
                return Err(self.unterminated(b')', self.last_line()));
            }
            return Err(self.unexpected());
        }
        self.depth -= 1;
        Ok(list)
    }

    /// Reads `$((…))` or `((…))`, or nothing if the parentheses do not close together: then it is a command.
    pub(crate) fn try_arith(&mut self) -> Parsed<Option<ArithText>> {
        let (pos, line, depth) = (self.src.pos, self.src.line, self.depth);
        let skip = if self.src.peek() == Some(b'$') { 3 } else { 2 };
        self.src.skip(skip);
        let word = self.word(Mode::Arith);
        self.src.join(1);
        if let Ok(word) = word
            && self.src.looking_at(b"))")
        {
            self.src.skip(2);
            return Ok(Some(ArithText::new(word)));
        }
        self.depth = depth;
        self.src.pos = pos;
        self.src.line = line;
        Ok(None)
    }

    /// Reads `"…"`; the position is at the first quote.
    pub(crate) fn double(&mut self) -> Parsed<Part> {
        self.double_in(Mode::Double)
    }

    /// Works like `double`, in an operand.
    pub(crate) fn double_in(&mut self, mode: Mode) -> Parsed<Part> {
        let line = self.src.line;
        self.src.bump();
        self.deeper()?;
        let parts = self.parts(mode)?;
        self.depth -= 1;
        if self.src.bump().is_none() {
            return Err(self.unterminated(b'"', line));
        }
        Ok(Part::Double(parts))
    }

    /// Returns a word made of `parts`, its text from `start`.
    pub(crate) fn word_from(&self, start: usize, parts: Vec<Part>, brace: bool) -> Word {
        Word { raw: self.raw(start), parts, brace }
    }

    /// Returns the text from `start` to the position, with `$'…'` decoded.
    fn raw(&self, start: usize) -> Box<[u8]> {
        let text = &self.src.buf[start..self.src.pos];
        if self.rewrites.last().is_none_or(|(at, _, _)| *at < start) {
            return text.into();
        }
        let mut out = Vec::with_capacity(text.len());
        let mut at = start;
        for (from, to, with) in &self.rewrites {
            if *from >= at && *to <= self.src.pos {
                out.extend_from_slice(&self.src.buf[at..*from]);
                out.extend_from_slice(with);
                at = *to;
            }
        }
        out.extend_from_slice(&self.src.buf[at..self.src.pos]);
        out.into()
    }
}
