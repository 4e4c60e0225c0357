//! What one operation works on.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::error::Done;
use wisp_vfs::{Fs, FsError, Node, OpenHow};

/// What one operation works on.
pub(super) struct View {
    /// Reports refusals to this operation.
    pub(super) fs: Fs,
    pub(super) root: Node,
    /// Whether the operation's future was dropped.
    pub(super) dropped: Arc<AtomicBool>,
}

impl View {
    /// Fails if nothing waits for the result any more.
    pub(super) fn check(&self) -> Done<()> {
        if self.dropped.load(Ordering::Relaxed) { Err(FsError::Io.into()) } else { Ok(()) }
    }

    /// Opens the file at `path` for reading.
    pub(super) fn open(&self, path: &str) -> Result<Node, FsError> {
        self.fs.open(&self.root, path, OpenHow { read: true, ..OpenHow::default() })
    }

    /// Opens the directory at `path`.
    pub(super) fn directory(&self, path: &str) -> Result<Node, FsError> {
        self.fs.open(&self.root, path, OpenHow { directory: true, ..OpenHow::default() })
    }
}
