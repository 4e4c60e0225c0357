//! Assignments.

use super::{Parsed, Parser};
use crate::ast::{Assign, AssignValue, Element, Index, Part};
use crate::lexer::{Mode, Next};
use crate::sym::{intern, is_name_byte};
use std::rc::Rc;

impl Parser {
    /// Parses an assignment if one begins at the position.
    pub(crate) fn assignment(&mut self) -> Parsed<Option<Assign>> {
        let start = self.src.pos;
        let line = self.src.line;
        let mut len = 0;
        self.src.join(0);
        while self.src.peek_at(len).is_some_and(is_name_byte) {
            len += 1;
            self.src.join(len);
        }
        if len == 0 || self.src.peek().is_some_and(|b| b.is_ascii_digit()) {
            return Ok(None);
        }
        let name = self.src.buf[start..start + len].to_vec();
        if self.src.peek_at(len) == Some(b'+') {
            self.src.join(len + 1);
        }
        let head = match self.src.buf.get(start + len) {
            Some(b'=' | b'[') => true,
            Some(b'+') => self.src.peek_at(len + 1) == Some(b'='),
            _ => false,
        };
        if !head {
            return Ok(None);
        }
        let name = intern(&name);
        self.src.pos += len;
        let mut index = None;
        if self.src.peek() == Some(b'[') {
            index = self.try_index();
            if index.is_none() {
                self.src.pos = start;
                self.src.line = line;
                return Ok(None);
            }
        }
        let append = self.src.peek() == Some(b'+') && self.src.peek_at(1) == Some(b'=');
        if append {
            self.src.bump();
        }
        if self.src.peek() != Some(b'=') {
            self.src.pos = start;
            self.src.line = line;
            return Ok(None);
        }
        self.src.bump();
        let value = if self.src.peek() == Some(b'(') && index.is_none() {
            let from = self.src.pos;
            self.src.bump();
            let elements = self.elements()?;
            if self.src.peek().is_some_and(|byte| !crate::lexer::is_meta(byte)) {
                // `x=(4*3)/2` is plain text after all.
                let text = self.src.buf[from..self.src.pos].into();
                let mut parts = vec![Part::Lit(text)];
                parts.extend(self.parts(Mode::Assign)?);
                AssignValue::Scalar(self.word_from(from, parts, false))
            } else {
                AssignValue::Array(elements)
            }
        } else if self.src.peek() == Some(b'(') {
            self.src.bump();
            self.elements()?;
            AssignValue::Misplaced
        } else {
            AssignValue::Scalar(self.word(Mode::Assign)?)
        };
        Ok(Some(Assign { name, index, append, value }))
    }

    /// Parses `[…]` if `=` or `+=` follows; the position is at `[`.
    fn try_index(&mut self) -> Option<Rc<Index>> {
        let (pos, line, depth) = (self.src.pos, self.src.line, self.depth);
        self.src.bump();
        if let Ok(index) = self.index()
            && self.src.peek() == Some(b']')
        {
            self.src.bump();
            if self.src.peek() == Some(b'=') || (self.src.peek() == Some(b'+') && self.src.peek_at(1) == Some(b'=')) {
                return Some(Rc::new(index));
            }
        }
        self.src.pos = pos;
        self.src.line = line;
        self.depth = depth;
        None
    }

    /// Parses the elements of `( … )`; the position is after the parenthesis.
    fn elements(&mut self) -> Parsed<Vec<Element>> {
        let line = self.src.line;
        let mut elements = Vec::new();
        loop {
            self.newlines()?;
            match self.next() {
                Next::Op(")") => {
                    self.src.bump();
                    return Ok(elements);
                }
                Next::End => {
                    let mut error = self.unterminated(b')', line);
                    error.status = 1;
                    return Err(error);
                }
                Next::Word => {}
                Next::Redirect if self.src.peek().is_some_and(|b| b.is_ascii_digit()) => {}
                _ => {
                    let mut error = self.unexpected();
                    error.skips = true;
                    return Err(error);
                }
            }
            if self.src.peek() == Some(b'[')
                && let Some(index) = self.try_index()
            {
                let append = self.src.peek() == Some(b'+');
                if append {
                    self.src.bump();
                }
                self.src.bump();
                let value = self.word(Mode::Assign)?;
                elements.push(Element { index: Some(index), append, value });
                continue;
            }
            self.plain_words = true;
            let value = self.word(Mode::Normal);
            self.plain_words = false;
            let value = value?;
            elements.push(Element { index: None, append: false, value });
        }
    }
}
