//! A feed of what changes below a path.

use std::fmt;
use std::task::{Context, Poll, ready};

use super::error::Done;
use super::path::{absolute, within};
use super::view::View;
use super::{Files, FilesError, FilesOperation};
use wisp_api::{Change, Changed};
use wisp_vfs::Watch;

impl Files {
    /// Watches the file at `path`, or everything below the directory, from now on: the changes that commands of the session
    /// make, and those from outside. At most `capacity` changes of the whole filesystem wait to be read (4,096 is a good
    /// number); when there are more, an event says how many were lost.
    ///
    /// A change in a mount is reported only if this session makes it, not if the host or another session does.
    ///
    /// # Errors
    /// If there is no such file.
    pub async fn watch(&self, path: &str, capacity: usize) -> Result<FileWatch, FilesError> {
        let watch = move |view: &View, path: &str| -> Done<FileWatch> {
            let top = view.canonical(path)?;
            Ok(FileWatch { watch: view.fs.watch(capacity), top, number: 0 })
        };
        self.run(FilesOperation::Stat, absolute(path), true, watch).await
    }
}

/// A watch on files of a session, which ends with it ([what dropping does](crate#what-dropping-does)). While there is none, changes
/// cost nothing.
pub struct FileWatch {
    watch: Watch,
    top: String,
    number: u64,
}

impl FileWatch {
    /// Returns the next change; waits for one. Changes come in the order in which they were made.
    pub async fn next(&mut self) -> Change {
        std::future::poll_fn(|cx| self.poll_next(cx)).await
    }

    /// Returns the next change, if there is one already.
    pub fn try_next(&mut self) -> Option<Change> {
        while let Some(change) = self.watch.try_next() {
            if let Some(change) = self.wanted(change) {
                return Some(change);
            }
        }
        None
    }

    /// Returns the next change; if there is none, the task is woken at the next one.
    pub fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Change> {
        loop {
            let change = ready!(self.watch.poll_next(cx));
            if let Some(change) = self.wanted(change) {
                return Poll::Ready(change);
            }
        }
    }

    /// Returns the change with its number in this watch, if it concerns the path.
    fn wanted(&mut self, change: Change) -> Option<Change> {
        let count = match &change.kind {
            Changed::Lost { count } => *count,
            Changed::Restored { lost } => lost + 1,
            Changed::Created { path } | Changed::Written { path } | Changed::Attributes { path } | Changed::Removed { path }
                if !self.is_below(path) =>
            {
                return None;
            }
            Changed::Renamed { from, to } if !self.is_below(from) && !self.is_below(to) => return None,
            _ => 1,
        };
        self.number += count;
        Some(Change { number: self.number, ..change })
    }

    fn is_below(&self, path: &str) -> bool {
        within(path, &self.top)
    }
}

impl fmt::Debug for FileWatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileWatch").field("top", &self.top).field("number", &self.number).finish_non_exhaustive()
    }
}
