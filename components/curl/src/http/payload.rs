//! The body of a request: bytes and files in sequence, read while they are sent, and readable again for the next hop.

use std::fs::File;
use std::io::{Cursor, Read, Result, Seek, SeekFrom};

/// One piece.
#[derive(Clone, Debug)]
pub(crate) enum Part {
    Bytes(Vec<u8>),
    /// A file from an offset on, with the length that it had.
    File {
        path: String,
        offset: u64,
        length: u64,
    },
    /// Standard input: of unknown length, and only once.
    Stdin,
}

/// The pieces in sequence.
#[derive(Clone, Debug, Default)]
pub(crate) struct Payload(pub Vec<Part>);

impl Payload {
    /// Returns how many bytes there will be, if that is known.
    pub(crate) fn length(&self) -> Option<u64> {
        self.0.iter().try_fold(0, |sum, part| match part {
            Part::Bytes(bytes) => Some(sum + bytes.len() as u64),
            Part::File { length, .. } => Some(sum + length),
            Part::Stdin => None,
        })
    }

    /// Returns whether it can be sent again.
    pub(crate) fn is_repeatable(&self) -> bool {
        self.length().is_some()
    }

    /// Adds bytes.
    pub(crate) fn push(&mut self, bytes: impl AsRef<[u8]>) {
        match self.0.last_mut() {
            Some(Part::Bytes(last)) => last.extend_from_slice(bytes.as_ref()),
            _ => self.0.push(Part::Bytes(bytes.as_ref().to_vec())),
        }
    }

    /// Adds a file; one without a length (a pipe, a device) is read now.
    pub(crate) fn push_file(&mut self, path: &str, offset: u64) -> Result<()> {
        let mut file = File::open(path)?;
        let facts = file.metadata()?;
        if facts.is_dir() {
            return Err(std::io::Error::from(std::io::ErrorKind::IsADirectory));
        }
        if facts.is_file() && !path.starts_with("/dev/") {
            self.0.push(Part::File { path: path.to_owned(), offset, length: facts.len().saturating_sub(offset) });
            return Ok(());
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        self.push(bytes.get(offset as usize..).unwrap_or_default());
        Ok(())
    }

    /// Opens a reader over all of it.
    pub(crate) fn open(&self) -> Reader<'_> {
        Reader { parts: self.0.iter(), current: None }
    }
}

/// Reads the pieces one after the other.
pub(crate) struct Reader<'a> {
    parts: std::slice::Iter<'a, Part>,
    current: Option<Box<dyn Read + 'a>>,
}

impl Read for Reader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        loop {
            if let Some(current) = &mut self.current {
                let count = current.read(buffer)?;
                if count > 0 || buffer.is_empty() {
                    return Ok(count);
                }
            }
            self.current = Some(match self.parts.next() {
                None => return Ok(0),
                Some(Part::Bytes(bytes)) => Box::new(Cursor::new(bytes)),
                Some(Part::Stdin) => Box::new(std::io::stdin().lock()),
                Some(Part::File { path, offset, length }) => {
                    let mut file = File::open(path)?;
                    file.seek(SeekFrom::Start(*offset))?;
                    Box::new(file.take(*length))
                }
            });
        }
    }
}
