//! Unified diffs: all hunks of all files, or nothing.

mod apply;
mod hunks;
mod sections;

use bytes::Bytes;
use wisp_api::Patched;

use super::path::absolute;
use super::view::View;
use super::{Files, FilesError, FilesOperation};

impl Files {
    /// Applies a unified diff, as `diff -u` and `git diff` write it, to the files in the directory `base`. Either all of it
    /// is applied, or nothing is changed. It may create, delete, rename and copy files, and set whether they are
    /// executable. Names lose the prefixes `a/` and `b/`, if the diff has both.
    ///
    /// A hunk applies where all its old lines are: at the line that it names, or at the nearest other one, the later of two. Each file is
    /// replaced in one step ([`WriteMode::Atomic`](super::WriteMode::Atomic)), one after the other.
    ///
    /// # Errors
    /// `FilesReason::Patch` with file, hunk and line of the diff if it does not fit, is not a diff, or names a file
    /// outside of `base` or through a symbolic link; those of [`Files::replace`].
    pub async fn apply_patch(&self, base: &str, diff: impl Into<Bytes>) -> Result<Patched, FilesError> {
        self.patch(base, diff.into(), true).await
    }

    /// Returns what [`Files::apply_patch`] would do. Nothing is changed.
    ///
    /// # Errors
    /// Those of [`Files::apply_patch`], as far as they can be known before something is written.
    pub async fn check_patch(&self, base: &str, diff: impl Into<Bytes>) -> Result<Patched, FilesError> {
        self.patch(base, diff.into(), false).await
    }

    async fn patch(&self, base: &str, diff: Bytes, write: bool) -> Result<Patched, FilesError> {
        let patch = move |view: &View, base: &str| apply::apply(view, base, &diff, write);
        self.run(FilesOperation::Patch, absolute(base), true, patch).await
    }
}
