//! What a session changed, file by file, and as a unified diff in the format of git: `git apply` and
//! [`Files::apply_patch`] read it.

mod hunks;
mod lines;
mod section;

use bytes::Bytes;

use super::error::{At, Failed};
use super::path::absolute;
use super::{Files, FilesError, FilesOperation};
use wisp_vfs::{Difference, Differences, Snapshot};

/// Maximum bytes of a file that is compared line by line.
const MAX_TEXT: u64 = 4 << 20;

/// What a diff of one file shows of its contents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DiffForm {
    /// The lines that changed, or none: a file that is no longer empty, another mode, another link.
    Lines,
    /// That they differ: a file has bytes that are no text.
    Binary,
    /// That they differ: a file has more than 4 MiB.
    TooLarge,
    /// Nothing, because the format has no way to say it: a directory, a named pipe, a socket. The text is a sentence, which
    /// programs that read diffs skip.
    Sentence,
}

/// The unified diff of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileDiff {
    /// The section of a diff: its head and its hunks.
    pub text: Bytes,
    /// How many lines were added.
    pub added: u64,
    /// How many lines were removed.
    pub removed: u64,
    /// What it shows of the contents.
    pub form: DiffForm,
}

impl Files {
    /// What differs between `base` and now, at `path` and below it, at most `most` files.
    pub(crate) async fn differences(&self, base: Snapshot, path: &str, most: usize) -> Result<Differences, FilesError> {
        let compare = move |view: &super::View, path: &str| {
            let now = view.fs.snapshot();
            now.differences(&base, path, most, &view.dropped).map_err(|(path, error)| Failed { path: Some(path), reason: error.into() })
        };
        self.run(FilesOperation::Compare, lexical(&absolute(path)), true, compare).await
    }

    /// The unified diff of one file that differs, as [`Session::changes`](crate::Session::changes) found it. The names in it
    /// are relative to the directory `base`, with `a/` and `b/` before them. Files of more than 4 MiB, and those that are no
    /// text, are named without their contents.
    ///
    /// # Errors
    /// If a file of the host can no longer be read.
    pub async fn diff(&self, difference: &Difference, base: &str) -> Result<FileDiff, FilesError> {
        let (difference, base) = (difference.clone(), lexical(&absolute(base)));
        let path = difference.path.clone();
        let long = difference.mount.is_some() || [&difference.before, &difference.after].into_iter().flatten().any(is_large);
        let write = move |_: &super::View, path: &str| section::of(&difference, &base).at(path);
        self.run(FilesOperation::Compare, path, long, write).await
    }
}

/// Whether comparing it takes long enough for another thread.
fn is_large(version: &wisp_vfs::Version) -> bool {
    version.size > 1 << 12
}

/// The path without `.`, `..` and double slashes. Symbolic links are not looked at.
fn lexical(path: &str) -> String {
    let mut names: Vec<&str> = Vec::new();
    for name in path.split('/') {
        match name {
            "" | "." => {}
            ".." => {
                names.pop();
            }
            name => names.push(name),
        }
    }
    format!("/{}", names.join("/"))
}
