//! Reading line by line. The buffer allows looking at bytes before taking them, and giving back bytes that were read too
//! far.

use std::io::{Error, Read, Result};

/// Where bytes come from.
pub(crate) type Source = Box<dyn Read>;

/// A buffered reader.
pub(crate) struct Lines {
    source: Source,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    eof: bool,
}

const BLOCK: usize = 64 * 1024;

impl Lines {
    /// Reads from `source`.
    pub(crate) fn new(source: Source) -> Self {
        Self { source, buffer: Vec::new(), start: 0, end: 0, eof: false }
    }

    /// Opens a file; `-` is standard input.
    pub(crate) fn open(name: &std::ffi::OsStr) -> Result<Self> {
        Ok(Self::new(open(name)?))
    }

    /// Reads more bytes into the buffer; returns false at the end.
    pub(crate) fn fill(&mut self) -> Result<bool> {
        if self.eof {
            return Ok(false);
        }
        if self.start > 1 && (self.start == self.end || self.buffer.len() - self.end < BLOCK / 2) {
            // Keep the last byte that was taken: regular expressions look at the byte before a match.
            let from = self.start - 1;
            self.buffer.copy_within(from..self.end, 0);
            self.end -= from;
            self.start = 1;
        }
        if self.buffer.len() - self.end < BLOCK / 2 {
            let grown = (self.buffer.len() * 2).max(BLOCK);
            self.buffer.resize(grown, 0);
        }
        loop {
            match self.source.read(&mut self.buffer[self.end..]) {
                Ok(0) => {
                    self.eof = true;
                    return Ok(false);
                }
                Ok(n) => {
                    self.end += n;
                    return Ok(true);
                }
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Returns the contents of the buffer.
    pub(crate) fn pending(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// Returns the buffer with the byte that was taken before it, if there was one, and where the new bytes begin.
    pub(crate) fn context(&self) -> (&[u8], usize) {
        let before = self.start.min(1);
        (&self.buffer[self.start - before..self.end], before)
    }

    /// Drops the first bytes of the buffer.
    pub(crate) fn consume(&mut self, count: usize) {
        self.start += count;
    }

    /// Returns whether the input is at its end.
    pub(crate) fn at_end(&mut self) -> Result<bool> {
        Ok(self.start == self.end && !self.fill()?)
    }

    /// Appends the next line to `line` without its end. Returns `None` at the end of input, otherwise whether the line had an end.
    pub(crate) fn line(&mut self, end: u8, line: &mut Vec<u8>) -> Result<Option<bool>> {
        let mut seen = 0;
        loop {
            let pending = &self.buffer[self.start..self.end];
            if let Some(at) = memchr::memchr(end, &pending[seen..]) {
                line.extend_from_slice(&pending[..seen + at]);
                self.start += seen + at + 1;
                return Ok(Some(true));
            }
            seen = pending.len();
            if !self.fill()? {
                if seen == 0 {
                    return Ok(None);
                }
                line.extend_from_slice(&self.buffer[self.start..self.end]);
                self.start = self.end;
                return Ok(Some(false));
            }
        }
    }
}

/// Standard input, never closed.
pub(crate) struct Stdin;

impl Read for Stdin {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        crate::sys::input().read(buffer)
    }
}

/// Opens a file for reading; `-` is standard input, and a directory is an error at once.
pub(crate) fn open(name: &std::ffi::OsStr) -> Result<Source> {
    if name == "-" {
        return Ok(Box::new(Stdin));
    }
    if let Some(number) = crate::sys::device(name.as_encoded_bytes()) {
        struct Device(i32);
        impl Read for Device {
            fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
                crate::sys::descriptor(self.0).read(buffer)
            }
        }
        return Ok(Box::new(Device(number)));
    }
    let file = std::fs::File::open(name)?;
    if std::fs::metadata(name).is_ok_and(|m| m.is_dir()) {
        return Err(Error::from_raw_os_error(libc::EISDIR));
    }
    Ok(Box::new(file))
}

/// Gives back the last bytes read from standard input, if it is a file.
pub(crate) fn unread(count: usize) {
    if count > 0 {
        crate::sys::unread_input(count as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_any_length() {
        let mut text = vec![b'x'; 200_000];
        text.extend(b"\nb\n\nc");
        let mut lines = Lines::new(Box::new(std::io::Cursor::new(text)));
        let mut next = || {
            let mut line = Vec::new();
            let had = lines.line(b'\n', &mut line).unwrap();
            (line.len(), had)
        };
        assert_eq!(next(), (200_000, Some(true)));
        assert_eq!(next(), (1, Some(true)));
        assert_eq!(next(), (0, Some(true)));
        assert_eq!(next(), (1, Some(false)));
        assert_eq!(next(), (0, None));
    }
}
