//! The text between words: blanks, comments, operators.

use crate::parser::Parser;

/// The next token, which has not been consumed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// The end of the script.
    End,
    /// The end of a line.
    Newline,
    /// A control operator, with its length.
    Op(&'static str),
    /// A redirection operator, including a number or `{name}` before it.
    Redirect,
    /// A word.
    Word,
}

/// Returns whether a byte separates words.
pub fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

/// Returns whether a byte ends a word.
pub fn is_meta(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'|' | b'&' | b';' | b'(' | b')' | b'<' | b'>')
}

/// Control operators, longest first.
const OPERATORS: [&str; 12] = [";;&", "&&", "||", "|&", ";;", ";&", "|", "&", ";", "(", ")", "\n"];

impl Parser {
    /// Skips blanks, joined lines and a comment.
    pub(crate) fn blanks(&mut self) {
        loop {
            match self.src.peek() {
                Some(b) if is_blank(b) => {
                    self.src.pos += 1;
                }
                Some(b'\\') if self.src.peek_at(1) == Some(b'\n') => self.src.skip(2),
                Some(b'#') => {
                    while self.src.peek().is_some_and(|b| b != b'\n') {
                        self.src.pos += 1;
                    }
                }
                _ => return,
            }
        }
    }

    /// Returns what comes next.
    pub(crate) fn next(&mut self) -> Next {
        self.blanks();
        let Some(byte) = self.src.peek() else { return Next::End };
        if matches!(byte, b'<' | b'>' | b'&' | b'|' | b';' | b'(') {
            self.src.join(1);
            if matches!(self.src.peek_at(1), Some(b'<' | b'>' | b'&' | b';')) {
                self.src.join(2);
            }
        }
        match byte {
            b'\n' => Next::Newline,
            b'<' | b'>' => {
                if self.src.peek_at(1) == Some(b'(') {
                    Next::Word
                } else {
                    Next::Redirect
                }
            }
            b'&' if self.src.peek_at(1) == Some(b'>') => Next::Redirect,
            b'|' | b'&' | b';' | b'(' | b')' => {
                for op in OPERATORS {
                    if self.src.looking_at(op.as_bytes()) {
                        return Next::Op(op);
                    }
                }
                Next::Word
            }
            b'0'..=b'9' => {
                let mut at = 1;
                self.src.join(at);
                while self.src.peek_at(at).is_some_and(|b| b.is_ascii_digit()) {
                    at += 1;
                    self.src.join(at);
                }
                let redirect = matches!(self.src.peek_at(at), Some(b'<' | b'>')) && self.src.peek_at(at + 1) != Some(b'(');
                if redirect && at < 10 { Next::Redirect } else { Next::Word }
            }
            b'{' => {
                let mut at = 1;
                while self.src.peek_at(at).is_some_and(crate::sym::is_name_byte) {
                    at += 1;
                }
                if at > 1 && self.src.peek_at(at) == Some(b'[') {
                    while self.src.peek_at(at).is_some_and(|b| !matches!(b, b']' | b'\n' | b' ')) {
                        at += 1;
                    }
                    at += 1;
                }
                let is_redirect = at > 1
                    && !self.src.peek_at(1).is_some_and(|b| b.is_ascii_digit())
                    && self.src.peek_at(at) == Some(b'}')
                    && matches!(self.src.peek_at(at + 1), Some(b'<' | b'>'));
                if is_redirect { Next::Redirect } else { Next::Word }
            }
            _ => Next::Word,
        }
    }

    /// Returns whether the operator `op` comes next.
    pub(crate) fn at_op(&mut self, op: &str) -> bool {
        matches!(self.next(), Next::Op(found) if found == op)
    }

    /// Takes the operator `op` if it comes next.
    pub(crate) fn take_op(&mut self, op: &str) -> bool {
        let found = self.at_op(op);
        if found {
            self.src.skip(op.len());
        }
        found
    }

    /// Returns the bytes of the plain word that comes next: nothing quoted, nothing expanded.
    pub(crate) fn plain_word(&mut self) -> Option<&[u8]> {
        if self.next() != Next::Word {
            return None;
        }
        let mut len = 0;
        while let Some(byte) = self.src.peek_at(len) {
            if is_meta(byte) {
                break;
            }
            if byte == b'\\' && self.src.peek_at(len + 1) == Some(b'\n') {
                self.src.join(len);
                continue;
            }
            if matches!(byte, b'\\' | b'\'' | b'"' | b'$' | b'`') || len > 255 {
                return None;
            }
            len += 1;
        }
        Some(&self.src.buf[self.src.pos..self.src.pos + len])
    }

    /// Returns whether the reserved word `word` comes next.
    pub(crate) fn at_keyword(&mut self, word: &str) -> bool {
        self.plain_word().is_some_and(|found| found == word.as_bytes())
    }

    /// Takes the reserved word `word` if it comes next.
    pub(crate) fn take_keyword(&mut self, word: &str) -> bool {
        let found = self.at_keyword(word);
        if found {
            self.src.skip(word.len());
        }
        found
    }
}
