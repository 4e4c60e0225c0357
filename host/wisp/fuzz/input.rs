//! Decisions made from bytes.

/// The bytes of one input. When they run out, every decision is 0.
pub(crate) struct Input<'b> {
    bytes: &'b [u8],
}

impl<'b> Input<'b> {
    pub(crate) fn new(bytes: &'b [u8]) -> Self {
        Self { bytes }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    pub(crate) fn byte(&mut self) -> u8 {
        match self.bytes.split_first() {
            Some((first, rest)) => {
                self.bytes = rest;
                *first
            }
            None => 0,
        }
    }

    /// Returns one of these.
    pub(crate) fn pick<T: Copy>(&mut self, among: &[T]) -> T {
        among[usize::from(self.byte()) % among.len()]
    }

    /// Returns true once in `n` times.
    pub(crate) fn once_in(&mut self, n: u8) -> bool {
        self.byte() % n == n - 1
    }

    pub(crate) fn rest(&mut self) -> &'b [u8] {
        std::mem::take(&mut self.bytes)
    }
}
