//! Where commands come from: standard input line by line, and the line that is being read.

use std::io::{BufRead, Stdin};

/// A command line, or the lines of a command list; every line ends with a newline.
pub(crate) struct Text {
    bytes: Vec<u8>,
    at: usize,
}

impl Text {
    /// Starts to read a text.
    pub(crate) fn new(bytes: Vec<u8>) -> Self {
        Self { bytes, at: 0 }
    }

    /// Returns the next byte without taking it; after the end there are only newlines.
    pub(crate) fn peek(&self) -> u8 {
        self.bytes.get(self.at).copied().unwrap_or(b'\n')
    }

    /// Takes the next byte.
    pub(crate) fn next(&mut self) -> u8 {
        let byte = self.peek();
        self.at += 1;
        byte
    }

    /// Returns the position of the next byte.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// Returns whether everything is read.
    pub(crate) fn ended(&self) -> bool {
        self.at >= self.bytes.len()
    }

    /// Skips blanks.
    pub(crate) fn blanks(&mut self) {
        while matches!(self.peek(), b' ' | b'\t') {
            self.at += 1;
        }
    }

    /// Takes the rest of the line; its newline is taken, but not returned.
    pub(crate) fn line(&mut self) -> Vec<u8> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let line = rest.split(|byte| *byte == b'\n').next().unwrap_or_default().to_vec();
        self.at += line.len() + 1;
        line
    }

    /// Returns whether no line follows the current one.
    pub(crate) fn rest_is_last(&self) -> bool {
        self.at + self.rest().len() + 1 >= self.bytes.len()
    }

    /// Returns the rest of the line, without taking it.
    pub(crate) fn rest(&self) -> &[u8] {
        self.bytes.get(self.at..).unwrap_or_default().split(|byte| *byte == b'\n').next().unwrap_or_default()
    }

    /// Adds a line at the end.
    pub(crate) fn extend(&mut self, line: &[u8]) {
        self.bytes.extend_from_slice(line);
    }

    /// Returns whether the rest of the line ends in an unescaped backslash, so that the next line belongs to it.
    pub(crate) fn continues(&self) -> bool {
        let line = self.bytes.get(self.at..).unwrap_or_default();
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        line.iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 1
    }
}

/// Standard input.
pub(super) struct Input {
    stdin: Stdin,
    /// Lines read so far.
    pub count: u64,
}

impl Input {
    /// Returns standard input from its current position.
    pub(super) fn new() -> Self {
        Self { stdin: std::io::stdin(), count: 0 }
    }

    /// Reads the next line with its newline; `None` at the end. A last line without a newline does not count.
    pub(super) fn line(&mut self) -> std::io::Result<Option<Vec<u8>>> {
        let mut line = Vec::new();
        self.stdin.lock().read_until(b'\n', &mut line)?;
        self.count += 1;
        Ok((line.last() == Some(&b'\n')).then_some(line))
    }
}
