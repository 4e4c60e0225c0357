//! Hunks and their lines.

use crate::lines::Lines;

/// A hunk. Its lines stay in the diff where they can: a list of them would take 20 times as much memory.
#[derive(Debug, Clone)]
pub struct Hunk<'d> {
    /// The line of the diff where it begins, from 1.
    pub at: usize,
    /// The line of the old file where it begins, from 1, and how many it has there. A hunk without old lines stands after the line
    /// that it names: 0 is the start of the file.
    pub old: (usize, usize),
    /// The same of the new file.
    pub new: (usize, usize),
    /// Its head and its lines, checked.
    text: &'d [u8],
    /// Its lines, if they are not in `text` in this order.
    list: Option<Box<[Line<'d>]>>,
    /// How many empty lines of context the diff has lost at its end.
    lost: u8,
    /// Whether its lines are read as `patch` reads them.
    lenient: bool,
    /// Whether a carriage return at the end of a line is no part of it.
    without_returns: bool,
}

impl<'d> Hunk<'d> {
    /// Makes a hunk of a text that begins with its head, and whose lines are checked.
    pub(crate) fn in_text(at: usize, [old, new]: [(usize, usize); 2], text: &'d [u8], lost: u8, lenient: bool) -> Self {
        Self { at, old, new, text, list: None, lost, lenient, without_returns: false }
    }

    pub(crate) fn of_list(at: usize, [old, new]: [(usize, usize); 2], list: Vec<Line<'d>>) -> Self {
        Self { at, old, new, text: &[], list: Some(list.into()), lost: 0, lenient: true, without_returns: false }
    }

    /// Returns its old lines and new lines.
    pub fn lines(&self) -> HunkLines<'_, 'd> {
        let mut text = Lines { rest: self.text, at: self.at };
        text.next();
        // For GNU's `patch`, such a line may end nothing.
        while text.rest.first() == Some(&b'\\') {
            text.next();
        }
        HunkLines {
            listed: self.list.as_deref().map(<[Line<'d>]>::iter),
            text,
            lost: self.lost,
            lenient: self.lenient,
            without_returns: self.without_returns,
        }
    }

    /// Returns what follows the second `@@` of its head: for `diff -p` and git, the function that it is in.
    pub fn note(&self) -> &'d [u8] {
        let head = Lines { rest: self.text, at: 0 }.peek().unwrap_or_default();
        let start = head.windows(3).position(|part| part == b" @@").map_or(head.len(), |start| start + 3);
        &head[start..]
    }

    /// Takes the carriage returns away that another system has added to the ends of lines.
    pub fn strip_returns(&mut self) {
        self.without_returns = true;
    }

    /// Returns the hunk that makes the old lines of the new ones.
    #[must_use]
    pub fn reversed(&self) -> Self {
        let turned = |line: Line<'d>| Line { kind: line.kind.reversed(), ..line };
        let mut list: Vec<Line<'d>> = self.lines().map(turned).collect();
        // Deletions come before insertions.
        for changes in list.split_mut(|line| line.kind == Kind::Context) {
            changes.sort_by_key(|line| line.kind == Kind::Added);
        }
        Self { old: self.new, new: self.old, list: Some(list.into()), lost: 0, without_returns: false, ..*self }
    }
}

/// The lines of a hunk.
#[derive(Debug, Clone)]
pub struct HunkLines<'h, 'd> {
    listed: Option<std::slice::Iter<'h, Line<'d>>>,
    text: Lines<'d>,
    lost: u8,
    lenient: bool,
    without_returns: bool,
}

impl<'d> HunkLines<'_, 'd> {
    fn read(&mut self) -> Option<Line<'d>> {
        if let Some(listed) = &mut self.listed {
            return listed.next().copied();
        }
        let at = self.text.at;
        let Some(line) = self.text.peek() else {
            self.lost = self.lost.checked_sub(1)?;
            return Some(Line { kind: Kind::Context, text: b"", unended: false, at });
        };
        // For GNU's `patch`, a line that the diff does not end is one that the file does not end.
        let mut unended = self.lenient && line.len() == self.text.rest.len();
        self.text.next();
        let (kind, text) = kind_of(line, self.lenient)?;
        while self.text.rest.first() == Some(&b'\\') {
            unended = true;
            self.text.next();
        }
        Some(Line { kind, text, unended, at })
    }
}

impl<'d> Iterator for HunkLines<'_, 'd> {
    type Item = Line<'d>;

    fn next(&mut self) -> Option<Line<'d>> {
        let line = self.read()?;
        let text = if self.without_returns { line.text.strip_suffix(b"\r").unwrap_or(line.text) } else { line.text };
        Some(Line { text, ..line })
    }
}

/// A line of a hunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line<'d> {
    /// Which files have it.
    pub kind: Kind,
    /// Its text without the line break; a carriage return is part of it.
    pub text: &'d [u8],
    /// Whether the file ends after it, without a line break.
    pub unended: bool,
    /// The line of the diff where it is, from 1.
    pub at: usize,
}

/// Which of the files have a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Both.
    Context,
    /// The old one.
    Removed,
    /// The new one.
    Added,
}

impl Kind {
    /// Returns the byte that a unified diff has before such a line.
    pub fn mark(self) -> u8 {
        match self {
            Self::Context => b' ',
            Self::Removed => b'-',
            Self::Added => b'+',
        }
    }

    fn reversed(self) -> Self {
        match self {
            Self::Context => Self::Context,
            Self::Removed => Self::Added,
            Self::Added => Self::Removed,
        }
    }
}

/// Returns the kind and the text of a line of a hunk; nothing for `\` and what is in no hunk.
pub(crate) fn kind_of(line: &[u8], lenient: bool) -> Option<(Kind, &[u8])> {
    match line.split_first() {
        Some((b' ', text)) => Some((Kind::Context, text)),
        Some((b'-', text)) => Some((Kind::Removed, text)),
        Some((b'+', text)) => Some((Kind::Added, text)),
        // Editors and models take the space of an empty line away.
        None | Some((b'\r', [])) => Some((Kind::Context, line)),
        // For GNU's `patch`, of every line that begins with another blank.
        Some((b'\r' | b'\t', _)) if lenient => Some((Kind::Context, line)),
        Some(_) => None,
    }
}
