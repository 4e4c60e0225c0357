//! `${…}`.

use super::Mode;
use crate::arith::ArithText;
use crate::ast::{Index, Param, ParamName, ParamOp, Part, ReplaceKind, Subscript};
use crate::parser::{Parsed, Parser};
use crate::sym::{intern, is_name_byte};
use std::rc::Rc;

fn special(byte: u8) -> bool {
    matches!(byte, b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!')
}

impl Parser {
    /// Reads `${…}`; the position is at `$`.
    pub(crate) fn braced(&mut self, quoted: bool) -> Parsed<Part> {
        let start = self.src.pos;
        let line = self.src.line;
        self.deeper()?;
        self.src.skip(2);
        let param = self.param(quoted)?;
        let (name, index, indirect, mut op) = param;
        if self.src.peek() == Some(b'}') {
            self.src.bump();
        } else {
            op = ParamOp::Bad;
            if !self.close_brace() {
                let open = open_quote(&self.src.buf[start..]).unwrap_or(b'}');
                return Err(self.unterminated(open, line));
            }
        }
        self.depth -= 1;
        let raw = self.src.buf[start..self.src.pos].into();
        Ok(Part::Param(Box::new(Param { name, index, indirect, op, raw })))
    }

    fn close_brace(&mut self) -> bool {
        let mut depth = 0;
        while let Some(byte) = self.src.bump() {
            match byte {
                b'{' => depth += 1,
                b'}' if depth == 0 => return true,
                b'}' => depth -= 1,
                b'\\' => {
                    self.src.bump();
                }
                _ => {}
            }
        }
        false
    }

    fn param(&mut self, quoted: bool) -> Parsed<(ParamName, Option<Subscript>, bool, ParamOp)> {
        let bad = (ParamName::Special(b'#'), None, false, ParamOp::Bad);
        let first = self.src.peek();
        let second = self.src.peek_at(1);
        let third = self.src.peek_at(2);
        let mut length = false;
        let mut indirect = false;
        if (first, second) == (Some(b'!'), Some(b'?')) && third != Some(b'}') {
            return Ok(bad);
        }
        match (first, second) {
            (Some(b'#'), Some(b'=' | b'+' | b'%' | b'/' | b'^' | b',')) if third == Some(b'}') => return Ok(bad),
            (Some(b'!'), Some(b'?')) if third == Some(b'}') => indirect = true,
            (Some(b'#'), Some(b)) if is_name_byte(b) => length = true,
            (Some(b'#'), Some(b)) if special(b) && third == Some(b'}') => length = true,
            (Some(b'!'), Some(b)) if is_name_byte(b) || (special(b) && b != b'-' && b != b'?') => indirect = true,
            _ => {}
        }
        if length || indirect {
            self.src.bump();
        }
        let Some(name) = self.param_name() else { return Ok(bad) };
        let mut index = None;
        if matches!(name, ParamName::Var(_)) && self.src.peek() == Some(b'[') {
            self.src.bump();
            index = Some(self.subscript()?);
            if self.src.buf[self.src.pos - 1] == b'[' || self.src.bump() != Some(b']') {
                return Ok(bad);
            }
        }
        if length {
            return Ok((name, index, false, ParamOp::Length));
        }
        if indirect {
            match (&index, self.src.peek(), self.src.peek_at(1)) {
                (None, Some(star @ (b'@' | b'*')), Some(b'}')) => {
                    self.src.bump();
                    let names = matches!(name, ParamName::Var(_));
                    return Ok((name, None, false, if names { ParamOp::Names(star == b'*') } else { ParamOp::Bad }));
                }
                (Some(Subscript::At), Some(b'}'), _) => return Ok((name, None, false, ParamOp::Keys(false))),
                (Some(Subscript::Star), Some(b'}'), _) => return Ok((name, None, false, ParamOp::Keys(true))),
                _ => {}
            }
        }
        let op = self.param_op(quoted, matches!(name, ParamName::Special(b'#')) && !indirect)?;
        Ok((name, index, indirect, op))
    }

    fn param_name(&mut self) -> Option<ParamName> {
        let byte = self.src.peek()?;
        let from = self.src.pos;
        if byte.is_ascii_digit() {
            while self.src.peek().is_some_and(|b| b.is_ascii_digit()) {
                self.src.pos += 1;
            }
            let text = std::str::from_utf8(&self.src.buf[from..self.src.pos]).ok()?;
            return Some(ParamName::Positional(text.parse().unwrap_or(u32::MAX)));
        }
        if is_name_byte(byte) {
            while self.src.peek().is_some_and(is_name_byte) {
                self.src.pos += 1;
            }
            return Some(ParamName::Var(intern(&self.src.buf[from..self.src.pos])));
        }
        if special(byte) {
            self.src.bump();
            return Some(ParamName::Special(byte));
        }
        None
    }

    /// Reads a subscript; the position is after `[`, and at `]` afterwards.
    pub(crate) fn subscript(&mut self) -> Parsed<Subscript> {
        self.src.join(0);
        self.src.join(1);
        match (self.src.peek(), self.src.peek_at(1)) {
            (Some(b'@'), Some(b']')) => {
                self.src.bump();
                Ok(Subscript::At)
            }
            (Some(b'*'), Some(b']')) => {
                self.src.bump();
                Ok(Subscript::Star)
            }
            _ => Ok(Subscript::Index(Rc::new(self.index()?))),
        }
    }

    /// Reads the inside of a subscript up to `]`.
    pub(crate) fn index(&mut self) -> Parsed<Index> {
        let word = self.word(Mode::Subscript)?;
        Ok(Index { arith: ArithText::subscript(word.clone()), word })
    }

    fn param_op(&mut self, quoted: bool, bare_count: bool) -> Parsed<ParamOp> {
        let Some(byte) = self.src.peek() else { return Ok(ParamOp::Bad) };
        let mut doubled = false;
        if bare_count && matches!(byte, b'/' | b'%' | b'=' | b'+') && self.src.peek_at(1) == Some(b'}') {
            self.src.bump();
            return Ok(ParamOp::Bad);
        }
        if !matches!(byte, b'}' | b':') {
            self.src.bump();
            doubled = self.src.peek() == Some(byte);
        }
        Ok(match byte {
            b'}' => ParamOp::None,
            b':' => {
                self.src.bump();
                match self.src.peek() {
                    Some(op @ (b'-' | b'=' | b'?' | b'+')) => {
                        self.src.bump();
                        self.operand(op, true, quoted)?
                    }
                    _ => {
                        if self.src.peek() == Some(b'}') {
                            return Ok(ParamOp::Bad);
                        }
                        let offset = Rc::new(ArithText::new(self.word(Mode::Offset)?));
                        let mut length = None;
                        if self.src.peek() == Some(b':') {
                            self.src.bump();
                            length = Some(Rc::new(ArithText::new(self.word(Mode::SliceLength)?)));
                        }
                        ParamOp::Slice(offset, length)
                    }
                }
            }
            b'-' | b'=' | b'?' | b'+' => self.operand(byte, false, quoted)?,
            b'#' | b'%' => {
                if doubled {
                    self.src.bump();
                }
                let pattern = self.word(Mode::Operand(false))?;
                if byte == b'#' { ParamOp::RemovePrefix(doubled, pattern) } else { ParamOp::RemoveSuffix(doubled, pattern) }
            }
            b'/' => self.replace()?,
            b'^' | b',' | b'~' => {
                if doubled {
                    self.src.bump();
                }
                let pattern = self.word(Mode::Operand(false))?;
                ParamOp::Case(byte, doubled, (!pattern.parts.is_empty()).then_some(pattern))
            }
            b'@' => match self.src.peek() {
                // The operator is checked at expansion, and only if there is a value.
                Some(op) if op != b'}' => {
                    self.src.bump();
                    if self.src.peek().is_some_and(|next| next != b'}') {
                        // No operator is that long.
                        self.word(Mode::Operand(quoted))?;
                        return Ok(ParamOp::Transform(0));
                    }
                    ParamOp::Transform(op)
                }
                _ => ParamOp::Transform(0),
            },
            _ => ParamOp::Bad,
        })
    }

    fn operand(&mut self, op: u8, colon: bool, quoted: bool) -> Parsed<ParamOp> {
        let word = self.word(Mode::Operand(quoted))?;
        Ok(match op {
            b'-' => ParamOp::Default(colon, word),
            b'=' => ParamOp::Assign(colon, word),
            b'?' => ParamOp::Error(colon, word),
            _ => ParamOp::Alternative(colon, word),
        })
    }

    fn replace(&mut self) -> Parsed<ParamOp> {
        let kind = match self.src.peek() {
            Some(b'/') => ReplaceKind::All,
            Some(b'#') => ReplaceKind::Prefix,
            Some(b'%') => ReplaceKind::Suffix,
            _ => ReplaceKind::First,
        };
        if kind != ReplaceKind::First {
            self.src.bump();
        }
        self.no_tilde = matches!(kind, ReplaceKind::Prefix | ReplaceKind::Suffix);
        let mut pattern = self.word(Mode::Search)?;
        // `${x////_}`: a slash directly after the operator belongs to the pattern.
        if pattern.parts.is_empty() && self.src.peek() == Some(b'/') && matches!(kind, ReplaceKind::All) {
            let start = self.src.pos;
            self.src.bump();
            let rest = self.parts(Mode::Search)?;
            let mut parts = vec![Part::Lit(Box::new(*b"/"))];
            parts.extend(rest);
            pattern = self.word_from(start, parts, false);
        }
        let mut with = crate::ast::Word::default();
        if self.src.peek() == Some(b'/') {
            self.src.bump();
            with = self.word(Mode::Replacement(false))?;
        }
        Ok(ParamOp::Replace(kind, pattern, with))
    }
}

/// Returns the quote that is still open at the end of a text: bash reports this one as missing.
fn open_quote(text: &[u8]) -> Option<u8> {
    text.iter().fold(None, |open, byte| match (open, byte) {
        (Some(quote), byte) if quote == *byte => None,
        (None, b'"' | b'\'') => Some(*byte),
        _ => open,
    })
}
