//! What was typed and not yet read: bytes, and where lines end.

use std::collections::VecDeque;

use bytes::{BufMut, Bytes, BytesMut};

/// Maximum number of cells.
pub(super) const CAPACITY: usize = 16 << 10;

/// What ends at a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    /// Nothing: more of the line follows.
    Inside,
    /// The line ends with this byte.
    LineEnd,
    /// The line ends here, and this cell has no byte: Ctrl-D.
    EndOfFile,
}

/// Two bytes, so that the memory does not depend on how many lines there are.
#[derive(Clone, Copy)]
struct Cell {
    byte: u8,
    mark: Mark,
}

const _: () = assert!(size_of::<Cell>() == 2);

/// The input queue.
#[derive(Default)]
pub(super) struct Queue {
    cells: VecDeque<Cell>,
    /// The number of cells whose mark is not `Inside`.
    ends: usize,
    /// The number of cells without a byte.
    without_byte: usize,
}

impl Queue {
    /// Returns how many cells can be added.
    pub(super) fn room(&self) -> usize {
        CAPACITY.saturating_sub(self.cells.len())
    }

    /// Returns the number of bytes.
    pub(super) fn len(&self) -> usize {
        self.cells.len() - self.without_byte
    }

    /// Returns whether a whole line is there, or an end of file.
    pub(super) fn has_line(&self) -> bool {
        self.ends > 0
    }

    /// Adds a cell. The caller has checked `room`.
    pub(super) fn push(&mut self, byte: u8, mark: Mark) {
        self.cells.push_back(Cell { byte, mark });
        self.ends += usize::from(mark != Mark::Inside);
        self.without_byte += usize::from(mark == Mark::EndOfFile);
    }

    fn pop(&mut self) -> Option<Cell> {
        let cell = self.cells.pop_front()?;
        self.ends -= usize::from(cell.mark != Mark::Inside);
        self.without_byte -= usize::from(cell.mark == Mark::EndOfFile);
        Some(cell)
    }

    /// Takes at most `len` bytes of the first line. Empty at an end of file.
    pub(super) fn take_line(&mut self, len: usize) -> Bytes {
        let mut line = BytesMut::new();
        while line.len() < len {
            match self.pop() {
                Some(Cell { byte, mark: Mark::Inside }) => line.put_u8(byte),
                Some(Cell { byte, mark: Mark::LineEnd }) => {
                    line.put_u8(byte);
                    return line.freeze();
                }
                Some(Cell { mark: Mark::EndOfFile, .. }) | None => return line.freeze(),
            }
        }
        // Ctrl-D after the last of these bytes ended the line; it is not an end of file of its own.
        if !line.is_empty() && self.cells.front().is_some_and(|cell| cell.mark == Mark::EndOfFile) {
            self.pop();
        }
        line.freeze()
    }

    /// Takes at most `len` bytes, whatever lines they belong to.
    pub(super) fn take_bytes(&mut self, len: usize) -> Bytes {
        let mut bytes = BytesMut::with_capacity(len.min(self.len()));
        while bytes.len() < len {
            let Some(cell) = self.pop() else { break };
            if cell.mark != Mark::EndOfFile {
                bytes.put_u8(cell.byte);
            }
        }
        bytes.freeze()
    }

    /// Forgets where lines end: from now on, bytes are read as they were typed.
    pub(super) fn forget_lines(&mut self) {
        self.cells.retain(|cell| cell.mark != Mark::EndOfFile);
        self.cells.iter_mut().for_each(|cell| cell.mark = Mark::Inside);
        (self.ends, self.without_byte) = (0, 0);
    }

    /// Makes one line of everything: from now on, lines are read.
    pub(super) fn make_line(&mut self) {
        self.forget_lines();
        if let Some(last) = self.cells.back_mut() {
            last.mark = Mark::LineEnd;
            self.ends = 1;
        }
    }

    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }
}
