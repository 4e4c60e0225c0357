//! What `pr` reads: lines, and the form feeds that break pages.

use std::cell::RefCell;
use std::io::{BufRead, BufReader, Error, Read};
use std::rc::Rc;

/// The source of a file. Several operands may share standard input.
pub(super) type Input = Rc<RefCell<BufReader<Box<dyn Read>>>>;

/// Returns an input.
pub(super) fn input(from: Box<dyn Read>) -> Input {
    Rc::new(RefCell::new(BufReader::with_capacity(64 * 1024, from)))
}

/// A directory: it cannot be read.
pub(crate) struct Directory;

impl Read for Directory {
    fn read(&mut self, _: &mut [u8]) -> Result<usize, Error> {
        Err(Error::from_raw_os_error(libc::EISDIR))
    }
}

/// One thing read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// A line, and whether it ended with a newline (not with a form feed or the end of the file).
    Line(Vec<u8>, bool),
    /// A form feed.
    Break,
    /// The end of the file.
    End,
}

/// A file that could not be read to its end.
#[derive(Debug)]
pub(super) struct Stopped {
    /// Its index among the files that are printed together.
    pub file: usize,
    /// The reason.
    pub error: Error,
}

/// A file read piece by piece.
pub(super) struct Reader {
    input: Input,
    /// Whether a form feed ended the last line and comes next.
    broken: bool,
    /// Whether a newline belongs to the form feed before it.
    skip: bool,
}

impl Reader {
    /// Creates a reader of `input`.
    pub(super) fn new(input: Input) -> Self {
        Self { input, broken: false, skip: false }
    }

    /// Returns the next piece.
    pub(super) fn next(&mut self) -> Result<Piece, Error> {
        if std::mem::take(&mut self.broken) {
            self.skip = true;
            return Ok(Piece::Break);
        }
        let mut line = Vec::new();
        let mut input = self.input.borrow_mut();
        loop {
            let buffer = input.fill_buf()?;
            if buffer.is_empty() {
                return Ok(if line.is_empty() { Piece::End } else { Piece::Line(line, false) });
            }
            if std::mem::take(&mut self.skip) && buffer[0] == b'\n' {
                input.consume(1);
                continue;
            }
            let Some(at) = memchr::memchr2(b'\n', b'\x0c', buffer) else {
                line.extend_from_slice(buffer);
                let all = buffer.len();
                input.consume(all);
                continue;
            };
            line.extend_from_slice(&buffer[..at]);
            let feed = buffer[at] == b'\x0c';
            input.consume(at + 1);
            if feed && line.is_empty() {
                self.skip = true;
                return Ok(Piece::Break);
            }
            self.broken = feed;
            return Ok(Piece::Line(line, !feed));
        }
    }

    /// Skips a form feed if it comes next. Returns whether it ended the last line.
    pub(super) fn skip_break(&mut self) -> Result<bool, Error> {
        let broken = self.broken;
        if broken || !self.skip && self.input.borrow_mut().fill_buf()?.first() == Some(&b'\x0c') {
            self.next()?;
        }
        Ok(broken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(text: &'static str) -> Vec<Piece> {
        let mut reader = Reader::new(input(Box::new(text.as_bytes())));
        std::iter::from_fn(|| Some(reader.next().unwrap()).filter(|p| *p != Piece::End)).collect()
    }

    #[test]
    fn form_feeds_break() {
        let line = |text: &str, ended| Piece::Line(text.into(), ended);
        assert_eq!(pieces("a\n\x0cb"), [line("a", true), Piece::Break, line("b", false)]);
        assert_eq!(pieces("a\x0c\nb\n"), [line("a", false), Piece::Break, line("b", true)]);
        assert_eq!(pieces("\x0c\x0c\n\n"), [Piece::Break, Piece::Break, line("", true)]);
    }
}
