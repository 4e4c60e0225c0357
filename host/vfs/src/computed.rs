//! Files and links whose contents are computed for each process that reads them. The filesystem knows their names, a
//! [`Viewer`] their contents.

use std::sync::Arc;

use bytes::Bytes;

use super::{Fs, FsError, Stat};

/// Computes the contents of these files for one process.
pub trait Viewer: Send + Sync {
    /// The present contents of the file that `BaseEntry::Computed` calls `name`.
    ///
    /// # Errors
    /// The error with which opening the file then fails.
    fn text(&self, name: &str) -> Result<Bytes, FsError>;

    /// The target of the symbolic link that `BaseEntry::ComputedLink` calls `name`.
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
    /// At most `len` bytes at `offset`.
    pub(super) fn read(&self, offset: u64, len: usize) -> Bytes {
        let start = usize::try_from(offset).unwrap_or(usize::MAX).min(self.bytes.len());
        self.bytes.slice(start..start.saturating_add(len).min(self.bytes.len()))
    }
}

impl Fs {
    /// A handle on the same filesystem whose computed files are computed by `viewer`. They cannot be opened through a
    /// handle without a viewer.
    #[must_use]
    pub fn seen_by(&self, viewer: Arc<dyn Viewer>) -> Self {
        Self { viewer: Some(viewer), ..self.clone() }
    }

    /// The contents of the computed file `name` through this handle.
    pub(super) fn computed_text(&self, name: &str) -> Result<Bytes, FsError> {
        self.viewer.as_ref().ok_or(FsError::NotPermitted)?.text(name)
    }

    /// The target of the computed link `name` through this handle.
    pub(super) fn computed_link(&self, name: &str) -> Result<String, FsError> {
        self.viewer.as_ref().ok_or(FsError::NotPermitted)?.link(name)
    }
}
