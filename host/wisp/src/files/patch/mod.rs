//! Unified diffs: all hunks of all files, or nothing.

mod apply;
mod hunks;
mod parse;

use bytes::Bytes;
use wisp_api::ErrorCode;

use super::error::shown;
use super::path::absolute;
use super::{Files, FilesError, FilesOperation};

/// What a diff did to one file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum PatchChange {
    /// It is new.
    Created,
    /// Its contents or its mode changed.
    Modified,
    /// It is gone.
    Deleted,
    /// It had this path before.
    Renamed {
        /// The path, absolute.
        from: String,
    },
    /// It is a copy of the file with this path.
    Copied {
        /// The path, absolute.
        from: String,
    },
}

/// A file that a diff changed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PatchedFile {
    /// Its absolute path.
    pub path: String,
    /// What happened to it.
    pub change: PatchChange,
    /// How many hunks were applied.
    pub hunks: usize,
    /// By how many lines the hunk that is furthest from the place that the diff says is away from it.
    pub offset: u64,
}

/// The files that a diff changed, in its order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Patched {
    /// The files.
    pub files: Vec<PatchedFile>,
}

/// Why a diff was refused. Nothing was changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[error("line {line} of the diff{}: {reason}", place(file, *hunk))]
pub struct PatchReject {
    /// The file that the diff names, if it is known.
    pub file: Option<String>,
    /// The number of the hunk in that file, from 1, if it is in one.
    pub hunk: Option<usize>,
    /// The line of the diff, from 1.
    pub line: usize,
    /// What is wrong.
    pub reason: String,
}

impl PatchReject {
    /// Returns the code of this error: [`ErrorCode::PatchRejected`].
    pub fn code(&self) -> ErrorCode {
        ErrorCode::PatchRejected
    }
}

fn place(file: &Option<String>, hunk: Option<usize>) -> String {
    match (file, hunk) {
        (Some(file), Some(hunk)) => format!(" (hunk {hunk} of `{}`)", shown(file)),
        (Some(file), None) => format!(" (`{}`)", shown(file)),
        (None, _) => String::new(),
    }
}

impl Files {
    /// Applies a unified diff, as `diff -u` and `git diff` write it, to the files in the directory `base`. Either all of it
    /// is applied, or nothing is changed. It may create, delete, rename and copy files, and set whether they are
    /// executable. Names lose the prefixes `a/` and `b/`, if the diff has both.
    ///
    /// A hunk applies where all its old lines are: at the line that it names, or at the nearest other one. Each file is
    /// replaced in one step ([`WriteMode::Atomic`](super::WriteMode::Atomic)), one after the other.
    ///
    /// # Errors
    /// `FilesReason::Patch` with file, hunk and line of the diff if it does not fit, is not a diff, or names a file
    /// outside of `base` or through a symbolic link; those of [`Files::replace`].
    pub async fn apply_patch(&self, base: &str, diff: impl Into<Bytes>) -> Result<Patched, FilesError> {
        self.patch(base, diff.into(), true).await
    }

    /// What [`Files::apply_patch`] would do. Nothing is changed.
    ///
    /// # Errors
    /// Those of [`Files::apply_patch`], as far as they can be known before something is written.
    pub async fn check_patch(&self, base: &str, diff: impl Into<Bytes>) -> Result<Patched, FilesError> {
        self.patch(base, diff.into(), false).await
    }

    async fn patch(&self, base: &str, diff: Bytes, write: bool) -> Result<Patched, FilesError> {
        let patch = move |view: &super::View, base: &str| apply::apply(view, base, &diff, write);
        self.run(FilesOperation::Patch, absolute(base), true, patch).await
    }
}
