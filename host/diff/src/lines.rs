//! A cursor over the lines of a text.

/// The lines of a text that were not read yet.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lines<'d> {
    pub(crate) rest: &'d [u8],
    /// The number of the next one, from 1.
    pub(crate) at: usize,
}

impl<'d> Lines<'d> {
    /// Returns the next line without its end.
    pub(crate) fn peek(self) -> Option<&'d [u8]> {
        let end = memchr::memchr(b'\n', self.rest).unwrap_or(self.rest.len());
        (!self.rest.is_empty()).then(|| &self.rest[..end])
    }

    /// Returns the next line with its end, if it has one; nothing after the last.
    pub(crate) fn whole(self) -> &'d [u8] {
        let end = memchr::memchr(b'\n', self.rest).map_or(self.rest.len(), |end| end + 1);
        &self.rest[..end]
    }

    /// Takes the next line, without its end.
    pub(crate) fn next(&mut self) -> Option<&'d [u8]> {
        let line = self.peek()?;
        self.rest = self.rest.get(line.len() + 1..).unwrap_or_default();
        self.at += 1;
        Some(line)
    }

    /// Returns whether the line after the next one begins with this.
    pub(crate) fn second_begins(mut self, start: &[u8]) -> bool {
        self.next().is_some() && self.rest.starts_with(start)
    }
}
