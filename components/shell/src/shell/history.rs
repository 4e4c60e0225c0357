//! The commands that were entered: what `history` shows.

/// The commands so far.
#[derive(Debug, Clone, Default)]
pub struct History {
    /// Each with the time in seconds when it was entered.
    pub list: Vec<(Vec<u8>, i64)>,
    /// The number of the first of them, minus one.
    pub dropped: usize,
    /// How many entries of the list are in the file already.
    pub(crate) saved: usize,
    /// How many lines of the file have been read.
    pub(crate) read: usize,
}

impl History {
    /// Returns the number of the running command, which is the last in the list.
    pub fn number(&self) -> usize {
        (self.dropped + self.list.len()).max(1)
    }
}
