//! Reading line by line, with a buffer of our own: what comes next can be looked at, what was read ahead can be given
//! back.

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
    /// Read from `source`.
    pub(crate) fn new(source: Source) -> Lines {
        Lines { source, buffer: Vec::new(), start: 0, end: 0, eof: false }
    }

    /// Open a file; `-` is standard input.
    pub(crate) fn open(name: &std::ffi::OsStr) -> Result<Lines> {
        Ok(Lines::new(open(name)?))
    }

    /// Get more bytes behind those that are there; false at the end.
    pub(crate) fn fill(&mut self) -> Result<bool> {
        if self.eof {
            return Ok(false);
        }
        if self.start > 1 && (self.start == self.end || self.buffer.len() - self.end < BLOCK / 2) {
            // The last byte that was taken stays: expressions look at what is before them.
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

    /// What is in the buffer.
    pub(crate) fn pending(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// What is in the buffer with the byte that was taken before it, if one was; where what is new begins.
    pub(crate) fn context(&self) -> (&[u8], usize) {
        let before = self.start.min(1);
        (&self.buffer[self.start - before..self.end], before)
    }

    /// Drop the first bytes of the buffer.
    pub(crate) fn consume(&mut self, count: usize) {
        self.start += count;
    }

    /// Whether nothing more comes.
    pub(crate) fn at_end(&mut self) -> Result<bool> {
        Ok(self.start == self.end && !self.fill()?)
    }

    /// Append the next line to `line` without its end. `None` at the end of input, else whether it had an end.
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

/// Open a file to read; `-` is standard input, a directory is an error at once.
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

/// Give back the last bytes read from standard input, where it is a file.
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
