//! The lines being edited, the marks, the yanked lines, and the state before the last change.

use std::rc::Rc;

/// One line, without its newline. Its number identifies it, wherever it is moved.
#[derive(Clone)]
pub(super) struct Line {
    /// Its number, never used again.
    pub id: u64,
    /// Its bytes.
    pub text: Rc<[u8]>,
}

/// The state that `u` restores.
struct Saved {
    lines: Vec<Line>,
    current: usize,
    modified: bool,
    changed: bool,
}

/// The lines, the first at index 0; addresses count from 1, and 0 is before the first.
#[derive(Default)]
pub(super) struct Buffer {
    lines: Vec<Line>,
    /// The current address.
    pub current: usize,
    /// Whether there are changes that were not written.
    pub modified: bool,
    marks: [Option<u64>; 26],
    cut: Vec<Rc<[u8]>>,
    before: Option<Saved>,
    ids: u64,
}

impl Buffer {
    /// Returns the address of the last line; 0 if there is none.
    pub(super) fn last(&self) -> usize {
        self.lines.len()
    }

    /// Returns the lines from one address to another.
    pub(super) fn lines(&self, from: usize, to: usize) -> &[Line] {
        &self.lines[from.max(1) - 1..to.max(from.max(1) - 1)]
    }

    /// Returns the text at an address.
    pub(super) fn text(&self, address: usize) -> Rc<[u8]> {
        self.lines[address - 1].text.clone()
    }

    /// Finds the address of a line, searched for from `near` on; `None` when it was deleted.
    pub(super) fn find(&self, id: u64, near: usize) -> Option<usize> {
        let start = near.min(self.lines.len());
        let behind = self.lines[start..].iter().position(|line| line.id == id).map(|at| start + at + 1);
        behind.or_else(|| self.lines[..start].iter().position(|line| line.id == id).map(|at| at + 1))
    }

    /// Keeps the present state for `u`.
    pub(super) fn keep(&mut self) {
        let (lines, current, modified) = (self.lines.clone(), self.current, self.modified);
        self.before = Some(Saved { lines, current, modified, changed: false });
    }

    /// Swaps the present state with the kept one; returns whether there was a change to undo.
    pub(super) fn undo(&mut self) -> bool {
        let Some(before) = self.before.take_if(|before| before.changed) else { return false };
        let lines = std::mem::replace(&mut self.lines, before.lines);
        let current = std::mem::replace(&mut self.current, before.current);
        let modified = std::mem::replace(&mut self.modified, before.modified);
        self.before = Some(Saved { lines, current, modified, changed: true });
        true
    }

    /// Forgets the changes: nothing can be undone from here on.
    pub(super) fn forget(&mut self) {
        self.before = None;
    }

    fn changed(&mut self) {
        self.modified = true;
        if let Some(before) = &mut self.before {
            before.changed = true;
        }
    }

    fn line(&mut self, text: Rc<[u8]>) -> Line {
        self.ids += 1;
        Line { id: self.ids, text }
    }

    /// Inserts new lines after an address; the last of them becomes current.
    pub(super) fn insert(&mut self, after: usize, texts: Vec<Rc<[u8]>>) {
        self.current = after + texts.len();
        if texts.is_empty() {
            return;
        }
        let new: Vec<Line> = texts.into_iter().map(|text| self.line(text)).collect();
        self.lines.splice(after..after, new);
        self.changed();
    }

    /// Deletes lines and keeps them for `x`; the line before them becomes current.
    pub(super) fn delete(&mut self, from: usize, to: usize) {
        self.yank(from, to);
        self.remove(from, to);
    }

    /// Deletes lines; the line before them becomes current.
    pub(super) fn remove(&mut self, from: usize, to: usize) {
        self.lines.drain(from - 1..to);
        self.current = from - 1;
        self.changed();
    }

    /// Keeps copies of lines for `x`.
    pub(super) fn yank(&mut self, from: usize, to: usize) {
        self.cut = self.lines(from, to).iter().map(|line| line.text.clone()).collect();
    }

    /// Returns the lines that `x` inserts.
    pub(super) fn cut(&self) -> &[Rc<[u8]>] {
        &self.cut
    }

    /// Moves lines after an address outside them. They stay the same lines, so their marks move with them.
    pub(super) fn shift(&mut self, from: usize, to: usize, after: usize) {
        let count = to + 1 - from;
        if after < from {
            self.lines[after..to].rotate_right(count);
            self.current = after + count;
        } else {
            self.lines[from - 1..after].rotate_left(count);
            self.current = after;
        }
        self.changed();
    }

    /// Replaces a line by others; the last of them becomes current. Marks on the line are lost.
    pub(super) fn replace(&mut self, address: usize, texts: Vec<Rc<[u8]>>) {
        let new: Vec<Line> = texts.into_iter().map(|text| self.line(text)).collect();
        self.current = address - 1 + new.len();
        self.lines.splice(address - 1..address, new);
        self.changed();
    }

    /// Marks a line with a lower-case letter.
    pub(super) fn mark(&mut self, letter: u8, address: usize) {
        self.marks[usize::from(letter - b'a')] = Some(self.lines[address - 1].id);
    }

    /// Returns where a mark is.
    pub(super) fn marked(&self, letter: u8) -> Option<usize> {
        self.find(self.marks[usize::from(letter - b'a')]?, 0)
    }

    /// Empties the buffer, without changes to write.
    pub(super) fn clear(&mut self) {
        self.lines.clear();
        self.marks = [None; 26];
        self.before = None;
        (self.current, self.modified) = (0, false);
    }
}

#[cfg(test)]
mod tests {
    use super::Buffer;

    fn buffer(text: &str) -> Buffer {
        let mut buffer = Buffer::default();
        buffer.insert(0, text.chars().map(|c| c.to_string().into_bytes().into()).collect());
        buffer.keep();
        buffer
    }

    fn shown(buffer: &Buffer) -> String {
        buffer.lines(1, buffer.last()).iter().map(|line| String::from_utf8_lossy(&line.text).into_owned()).collect()
    }

    #[test]
    fn lines_move_both_ways_and_marks_with_them() {
        let mut b = buffer("abcdef");
        b.mark(b'x', 2);
        b.shift(2, 3, 5);
        assert_eq!((shown(&b).as_str(), b.current, b.marked(b'x')), ("adebcf", 5, Some(4)));
        b.shift(4, 5, 0);
        assert_eq!((shown(&b).as_str(), b.current, b.marked(b'x')), ("bcadef", 2, Some(1)));
        b.delete(1, 1);
        assert_eq!((b.marked(b'x'), b.current, b.cut().len()), (None, 0, 1));
    }

    #[test]
    fn what_is_undone_can_be_done_again() {
        let mut b = buffer("abc");
        assert!(!b.undo());
        b.replace(2, vec![b"x"[..].into(), b"y"[..].into()]);
        assert_eq!((shown(&b).as_str(), b.current), ("axyc", 3));
        assert!(b.undo());
        assert_eq!(shown(&b), "abc");
        assert!(b.undo());
        assert_eq!(shown(&b), "axyc");
    }
}
