//! A file as it is in one of two states: facts about it, and where its contents are.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;

use crate::contents::Contents;
use crate::mount::{HostFile, HostOpen, Mount};
use crate::{FileType, FsError};

/// Bytes that are compared at a time.
const PIECE: usize = 1 << 18;

/// A file as it is in one of two states.
#[derive(Clone)]
#[non_exhaustive]
pub struct Version {
    /// Type of the file.
    pub kind: FileType,
    /// Permission bits.
    pub mode: u32,
    /// Length of a regular file, 0 for others.
    pub size: u64,
    /// The target of a symbolic link, unless the host has one that is no text.
    pub target: Option<String>,
    pub(super) source: Source,
}

/// What receives the pieces of a file ([`Version::pieces`]): the offset of each, and its bytes.
pub type EachPiece<'a> = dyn FnMut(u64, &[u8]) -> Result<(), FsError> + 'a;

impl Version {
    /// Reads the contents of a regular file, if they have at most `limit` bytes. Blocks where the file is the host's.
    ///
    /// # Errors
    /// If the host cannot read it.
    pub fn read(&self, limit: u64) -> Result<Option<Bytes>, FsError> {
        if self.size > limit { Ok(None) } else { self.source.whole(self.size, limit) }
    }

    /// Calls `each` with the pieces of a regular file, in order, each with its offset; between them are zeros. Returns the length
    /// of the whole. Blocks where the file is the host's.
    ///
    /// # Errors
    /// If the host cannot read it, and those of `each`.
    pub fn pieces(&self, each: &mut EachPiece<'_>) -> Result<u64, FsError> {
        self.source.pieces(each)
    }

    /// Returns whether the session stores its contents: they are not those of a file of the host.
    pub fn is_stored(&self) -> bool {
        matches!(self.source, Source::Memory(_))
    }

    /// Returns whether it is a directory.
    pub fn is_dir(&self) -> bool {
        self.kind == FileType::Directory
    }
}

impl fmt::Debug for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Version");
        shown.field("kind", &self.kind).field("mode", &self.mode).field("size", &self.size).field("target", &self.target);
        shown.finish_non_exhaustive()
    }
}

/// Where the contents of a file are.
#[derive(Clone)]
pub(super) enum Source {
    /// It has none that belong to a state.
    None,
    Memory(Contents),
    Host(Arc<dyn Mount>, String),
}

impl Source {
    /// Returns whether both have the same first `size` bytes.
    pub(super) fn is_equal(&self, other: &Self, size: u64) -> Result<bool, FsError> {
        match (self, other) {
            (Self::None, Self::None) => return Ok(true),
            (Self::None, _) | (_, Self::None) => return Ok(false),
            _ => {}
        }
        let (one, other) = (self.open()?, other.open()?);
        let mut at = 0;
        while at < size {
            let most = usize::try_from(size - at).unwrap_or(usize::MAX).min(PIECE);
            let (mine, theirs) = (one.exactly(at, most)?, other.exactly(at, most)?);
            if mine != theirs {
                return Ok(false);
            }
            if mine.is_empty() {
                // Both became shorter since they were looked at.
                break;
            }
            at += mine.len() as u64;
        }
        Ok(true)
    }

    /// Returns all contents, if they have at most `most` bytes; `size` is what is expected.
    pub(super) fn whole(&self, size: u64, most: u64) -> Result<Option<Bytes>, FsError> {
        if matches!(self, Self::None) {
            return Ok(Some(Bytes::new()));
        }
        let reader = self.open()?;
        let mut all = Vec::with_capacity(usize::try_from(size).unwrap_or_default());
        loop {
            let bytes = reader.read(all.len() as u64, PIECE)?;
            if bytes.is_empty() {
                return Ok(Some(all.into()));
            }
            if all.len() as u64 + bytes.len() as u64 > most {
                return Ok(None);
            }
            all.extend_from_slice(&bytes);
        }
    }

    /// Calls `each` with its pieces, without those that have only zeros. Returns the length of all.
    pub(super) fn pieces(&self, each: &mut EachPiece<'_>) -> Result<u64, FsError> {
        if let Self::Memory(contents) = self {
            contents.pieces().iter().try_for_each(|(offset, bytes)| each(*offset, bytes))?;
            return Ok(contents.len());
        }
        let reader = self.open()?;
        let mut at = 0;
        loop {
            let bytes = reader.read(at, PIECE)?;
            if bytes.is_empty() {
                return Ok(at);
            }
            if bytes.iter().any(|byte| *byte != 0) {
                each(at, &bytes)?;
            }
            at += bytes.len() as u64;
        }
    }

    fn open(&self) -> Result<Reader<'_>, FsError> {
        Ok(match self {
            Self::None => Reader::Nothing,
            Self::Memory(contents) => Reader::Memory(contents),
            Self::Host(mount, path) => {
                Reader::Host(mount.open(path, HostOpen { read: true, ..HostOpen::default() }).map_err(FsError::plain)?)
            }
        })
    }
}

/// Contents that are being read.
enum Reader<'s> {
    Nothing,
    Memory(&'s Contents),
    Host(Arc<dyn HostFile>),
}

impl Reader<'_> {
    fn read(&self, offset: u64, len: usize) -> Result<Bytes, FsError> {
        match self {
            Self::Nothing => Ok(Bytes::new()),
            Self::Memory(contents) => Ok(contents.read(offset, len).into_bytes()),
            Self::Host(file) => file.read_at(offset, len).map_err(FsError::plain),
        }
    }

    /// Returns As many bytes as there are, at most `len`.
    fn exactly(&self, offset: u64, len: usize) -> Result<Bytes, FsError> {
        let first = self.read(offset, len)?;
        if first.is_empty() || first.len() == len {
            return Ok(first);
        }
        let mut all = first.to_vec();
        while all.len() < len {
            let more = self.read(offset + all.len() as u64, len - all.len())?;
            if more.is_empty() {
                break;
            }
            all.extend_from_slice(&more);
        }
        Ok(all.into())
    }
}
