//! Files and links whose contents are computed for each process that reads them. The filesystem knows their names, a
//! [`Viewer`] their contents.

use bytes::Bytes;

use super::{FsError, Stat};

/// Computes the contents of these files for one process.
pub trait Viewer: Send + Sync {
    /// Returns the present contents of the file that `BaseEntry::Computed` calls `name`.
    ///
    /// # Errors
    /// The error with which opening the file then fails.
    fn text(&self, name: &str) -> Result<Bytes, FsError>;

    /// Returns the target of the symbolic link that `BaseEntry::ComputedLink` calls `name`.
    ///
    /// # Errors
    /// The error with which reading or following the link then fails.
    fn link(&self, name: &str) -> Result<String, FsError>;
}

/// An open computed file: its contents are those of the moment at which it was opened.
pub(super) struct Text {
    pub(super) bytes: Bytes,
    /// Facts about the file. Its size is the length of `bytes`.
    pub(super) stat: Stat,
}

impl Text {
    /// Reads at most `len` bytes at `offset`.
    pub(super) fn read(&self, offset: u64, len: usize) -> Bytes {
        let start = usize::try_from(offset).unwrap_or(usize::MAX).min(self.bytes.len());
        self.bytes.slice(start..start.saturating_add(len).min(self.bytes.len()))
    }
}
