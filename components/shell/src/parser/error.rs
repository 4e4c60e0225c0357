//! Syntax errors, in bash's words.

use super::Parser;
use crate::lexer::{Next, is_meta};

/// A syntax error in a script.
#[derive(Debug, Clone)]
pub struct SyntaxError {
    /// The line it was found in.
    pub line: u32,
    /// What is wrong.
    pub message: String,
    /// The line's text, when it is shown.
    pub text: Option<Vec<u8>>,
    /// A second message, and its line.
    pub more: Option<(u32, String)>,
    /// The status with which a script ends: 0 after errors in `[[`, as in bash.
    pub status: i32,
    /// Only the line with the error is skipped, and the script continues: for errors in the parentheses of an array.
    pub skips: bool,
}

/// The result of parsing.
pub type Parsed<T> = Result<T, Box<SyntaxError>>;

impl SyntaxError {
    /// Creates an error without the line's text.
    pub fn new(line: u32, message: String) -> Box<Self> {
        Box::new(Self { line, message, text: None, more: None, status: 2, skips: false })
    }
}

impl Parser {
    /// Returns the error for a token that is not allowed at its position.
    pub(crate) fn unexpected(&mut self) -> Box<SyntaxError> {
        let next = self.next();
        let line = self.src.line;
        let token = match next {
            Next::End => {
                let last = self.src.buf.last().is_none_or(|b| *b == b'\n');
                return SyntaxError::new(if last { line } else { line + 1 }, "syntax error: unexpected end of file".into());
            }
            Next::Newline => "newline".to_owned(),
            Next::Op(op) => op.to_owned(),
            Next::Redirect => {
                let mut len = 0;
                while self.src.peek_at(len).is_some_and(|b| b.is_ascii_digit()) {
                    len += 1;
                }
                if len == 0 {
                    while self.src.peek_at(len).is_some_and(|b| matches!(b, b'<' | b'>' | b'&' | b'|')) && len < 3 {
                        len += 1;
                    }
                }
                self.text_ahead(len)
            }
            Next::Word => {
                let mut len = 0;
                while self.src.peek_at(len).is_some_and(|b| !is_meta(b)) {
                    len += 1;
                }
                self.text_ahead(len)
            }
        };
        self.near(&token)
    }

    fn text_ahead(&self, len: usize) -> String {
        String::from_utf8_lossy(&self.src.buf[self.src.pos..self.src.pos + len]).into_owned()
    }

    /// Returns an error at the position that names `token`.
    pub(crate) fn near(&mut self, token: &str) -> Box<SyntaxError> {
        let line = self.src.line;
        let token = String::from_utf8_lossy(&crate::quote::shown(token.as_bytes())).into_owned();
        let mut error = SyntaxError::new(line, format!("syntax error near unexpected token `{token}'"));
        error.text = Some(self.src.current_line(self.src.pos).to_vec());
        error
    }

    /// Returns the error for a word that is required next, but is missing. At the end of the script, the error names a newline.
    pub(crate) fn missing_word(&mut self) -> Box<SyntaxError> {
        if self.next() == Next::End { self.near("newline") } else { self.unexpected() }
    }

    /// Returns the line of the end of the script, as bash counts it.
    pub(crate) fn last_line(&self) -> u32 {
        self.src.line + u32::from(self.src.buf.last().is_some_and(|b| *b != b'\n'))
    }

    /// Returns the error for a quote or bracket that was opened in `line` and is not closed.
    pub(crate) fn unterminated(&mut self, close: u8, line: u32) -> Box<SyntaxError> {
        SyntaxError::new(line, format!("unexpected EOF while looking for matching `{}'", close as char))
    }
}
