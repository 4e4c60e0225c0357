//! The line that is edited: its characters, the cursor, and what was removed.

use unicode_width::UnicodeWidthChar;

/// Changes that can be undone.
const UNDOS: usize = 200;

/// The line and the cursor, which stands before the character at `at`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Text {
    pub(crate) chars: Vec<char>,
    pub(crate) at: usize,
    undos: Vec<(Vec<char>, usize)>,
}

/// Returns whether a character belongs to the one before it.
fn is_joined(c: char) -> bool {
    !c.is_control() && c.width() == Some(0)
}

impl Text {
    pub(crate) fn new(line: &[u8]) -> Self {
        let chars: Vec<char> = String::from_utf8_lossy(line).chars().collect();
        Self { at: chars.len(), chars, undos: Vec::new() }
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.chars.iter().collect::<String>().into_bytes()
    }

    /// Returns the text before the cursor.
    pub(crate) fn before(&self) -> Vec<u8> {
        self.chars[..self.at].iter().collect::<String>().into_bytes()
    }

    /// Remembers the line, to return to it.
    pub(crate) fn remember(&mut self) {
        if self.undos.len() == UNDOS {
            self.undos.remove(0);
        }
        self.undos.push((self.chars.clone(), self.at));
    }

    /// Returns to the line before the last change.
    pub(crate) fn undo(&mut self) -> bool {
        let Some((chars, at)) = self.undos.pop() else { return false };
        (self.chars, self.at) = (chars, at);
        true
    }

    pub(crate) fn insert(&mut self, chars: &[char]) {
        self.chars.splice(self.at..self.at, chars.iter().copied());
        self.at += chars.len();
    }

    /// Removes from `start` to `end`; the cursor stands there afterwards.
    pub(crate) fn remove(&mut self, start: usize, end: usize) -> Vec<char> {
        self.at = start;
        self.chars.drain(start..end).collect()
    }

    /// Returns the place one character to the left, with what is joined to it.
    pub(crate) fn left(&self) -> usize {
        let mut at = self.at.saturating_sub(1);
        while at > 0 && is_joined(self.chars[at]) {
            at -= 1;
        }
        at
    }

    /// Returns the place one character to the right.
    pub(crate) fn right(&self) -> usize {
        let mut at = (self.at + 1).min(self.chars.len());
        while self.chars.get(at).copied().is_some_and(is_joined) {
            at += 1;
        }
        at
    }

    /// Returns where the word to the left begins. `belongs` says which characters words have.
    pub(crate) fn word_left(&self, belongs: impl Fn(char) -> bool) -> usize {
        let mut at = self.at;
        while at > 0 && !belongs(self.chars[at - 1]) {
            at -= 1;
        }
        while at > 0 && belongs(self.chars[at - 1]) {
            at -= 1;
        }
        at
    }

    /// Returns where the word to the right ends.
    pub(crate) fn word_right(&self) -> usize {
        let ends = |from: usize, inside: bool| {
            let rest = &self.chars[from..];
            from + rest.iter().position(|c| c.is_alphanumeric() != inside).unwrap_or(rest.len())
        };
        ends(ends(self.at, false), true)
    }
}
