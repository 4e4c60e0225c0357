//! Files and links whose contents are computed for the process that asks: the filesystem knows their names, a [`Viewer`] what they say.

use std::sync::Arc;

use bytes::Bytes;

use super::{Fs, FsError, Stat};

/// What the computed files of a filesystem say to one process.
pub trait Viewer: Send + Sync {
    /// The contents of the file that `BaseEntry::Computed` calls `name`, as they are at this moment.
    ///
    /// # Errors
    /// What opening the file then fails with.
    fn text(&self, name: &str) -> Result<Bytes, FsError>;

    /// The target of the symbolic link that `BaseEntry::ComputedLink` calls `name`.
    ///
    /// # Errors
    /// What reading or following the link then fails with.
    fn link(&self, name: &str) -> Result<String, FsError>;
}

/// A computed file that was opened: what it said at that moment, however it is read.
pub(super) struct Text {
    pub(super) bytes: Bytes,
    /// Facts about the file; its size is that of `bytes`.
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
    /// A handle on the same filesystem whose computed files say what `viewer` says. Through a handle that has no viewer they cannot be opened.
    #[must_use]
    pub fn seen_by(&self, viewer: Arc<dyn Viewer>) -> Fs {
        Fs { viewer: Some(viewer), ..self.clone() }
    }

    /// What the computed file `name` says through this handle.
    pub(super) fn computed_text(&self, name: &str) -> Result<Bytes, FsError> {
        self.viewer.as_ref().ok_or(FsError::NotPermitted)?.text(name)
    }

    /// Where the computed link `name` leads through this handle.
    pub(super) fn computed_link(&self, name: &str) -> Result<String, FsError> {
        self.viewer.as_ref().ok_or(FsError::NotPermitted)?.link(name)
    }
}
