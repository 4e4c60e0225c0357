//! The text of a script, from `-e` and `-f`, character by character, with the place for messages.

/// The origin of a piece of a script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Origin {
    /// `-e`, or the first operand: its number.
    Expression(usize),
    /// `-f`.
    File(String),
}

/// A script in pieces.
pub(super) struct Source {
    pieces: Vec<(Origin, Vec<u8>)>,
    piece: usize,
    at: usize,
}

impl Source {
    /// Creates a script of these pieces.
    pub(super) fn new(pieces: Vec<(Origin, Vec<u8>)>) -> Self {
        Self { pieces, piece: 0, at: 0 }
    }

    /// Returns the next byte without taking it; the end of a piece counts as an end of line, that of the last piece as the end.
    pub(super) fn peek(&self) -> Option<u8> {
        let (_, text) = self.pieces.get(self.piece)?;
        match text.get(self.at) {
            Some(b) => Some(*b),
            None if self.piece + 1 < self.pieces.len() => Some(b'\n'),
            None => None,
        }
    }

    /// Takes the next byte.
    pub(super) fn next(&mut self) -> Option<u8> {
        let b = self.peek()?;
        if self.at < self.pieces[self.piece].1.len() {
            self.at += 1;
        } else {
            self.piece += 1;
            self.at = 0;
        }
        Some(b)
    }

    /// Takes the next byte if the condition holds for it.
    pub(super) fn next_if(&mut self, wanted: impl Fn(u8) -> bool) {
        if self.peek().is_some_and(wanted) {
            self.next();
        }
    }

    /// Returns whether this piece is at its end.
    pub(super) fn ends_piece(&self) -> bool {
        self.pieces.get(self.piece).is_none_or(|(_, text)| self.at >= text.len())
    }

    /// Returns the rest of this piece.
    pub(super) fn rest(&self) -> &[u8] {
        self.pieces.get(self.piece).map_or(b"", |(_, text)| &text[self.at.min(text.len())..])
    }

    /// Skips blanks.
    pub(super) fn blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t')) {
            self.next();
        }
    }

    /// Skips the rest of this piece.
    pub(super) fn skip_piece(&mut self) {
        self.at = self.pieces.get(self.piece).map_or(0, |(_, text)| text.len());
    }

    /// Parses a number, if one is here.
    pub(super) fn number(&mut self) -> Option<u64> {
        let mut value = None;
        while let Some(digit) = self.peek().filter(u8::is_ascii_digit) {
            value = Some(value.unwrap_or(0_u64).saturating_mul(10).saturating_add(u64::from(digit - b'0')));
            self.next();
        }
        value
    }

    /// Returns a message with the place where the script is.
    pub(super) fn error(&self, message: &str) -> String {
        let piece = self.piece.min(self.pieces.len().saturating_sub(1));
        match self.pieces.get(piece) {
            Some((Origin::File(name), text)) => {
                let line = 1 + text[..self.at.min(text.len())].iter().filter(|b| **b == b'\n').count();
                let ended = self.at > 0 && self.at == text.len() && text.ends_with(b"\n");
                format!("file {name} line {}: {message}", line - usize::from(ended))
            }
            Some((Origin::Expression(number), _)) => format!("-e expression #{number}, char {}: {message}", self.at),
            None => message.to_owned(),
        }
    }

    /// Returns a message about the whole script.
    pub(super) fn error_at_start(&self, message: &str) -> String {
        match self.pieces.last() {
            Some((Origin::File(name), _)) => format!("file {name} line 0: {message}"),
            _ => format!("-e expression #{}, char 0: {message}", self.pieces.len().max(1)),
        }
    }
}
