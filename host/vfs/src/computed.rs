//! Files and links whose contents are computed for each process that reads them. The filesystem knows their names, a
//! [`Viewer`] their contents.
//!
//! The directory `self` of `/proc` shows the process that reads it. Beside it, `/proc` has a directory for each process that
//! the viewer names, by its id: the same files, computed for that process. They have no inodes of their own, so a process that
//! starts or ends costs the filesystem nothing, and no snapshot, archive or digest knows of them.

use bytes::Bytes;

use super::{FsError, Stat};

/// Computes the contents of these files for one process.
pub trait Viewer: Send + Sync {
    /// Returns the present contents of the file that `BaseEntry::Computed` calls `name`. `process` is the process in whose
    /// directory of `/proc` the file was reached; `None` for every other file, and for those of `/proc/self`.
    ///
    /// # Errors
    /// The error with which opening the file then fails.
    fn text(&self, name: &str, process: Option<u32>) -> Result<Bytes, FsError>;

    /// Returns the target of the symbolic link that `BaseEntry::ComputedLink` calls `name`. `process` is as in [`Viewer::text`].
    ///
    /// # Errors
    /// The error with which reading or following the link then fails.
    fn link(&self, name: &str, process: Option<u32>) -> Result<String, FsError>;

    /// Returns the ids of the processes that have a directory in `/proc`.
    fn processes(&self) -> Vec<u32> {
        Vec::new()
    }

    /// Returns whether the process with this id has a directory in `/proc`.
    fn has_process(&self, _id: u32) -> bool {
        false
    }
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
