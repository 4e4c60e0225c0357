//! What a session changed, file by file, and as a unified diff in the format of git: `git apply` and
//! [`Files::apply_patch`] read it.

mod section;

use super::error::{At, Failed};
use super::path::absolute;
use super::view::View;
use super::{Files, FilesError, FilesOperation};
use wisp_api::{FileDiff, FileDifference, FileVersion};
use wisp_vfs::{Difference, Differences, FileType, Snapshot, Version};

impl Files {
    /// Returns what differs between `base` and now, at `path` and below it, at most `most` files.
    pub(crate) async fn differences(&self, base: Snapshot, path: &str, most: usize) -> Result<Differences, FilesError> {
        let compare = move |view: &View, path: &str| {
            let now = view.fs.snapshot();
            now.differences(&base, path, most, &view.dropped).map_err(|(path, error)| Failed { path: Some(path), reason: error.into() })
        };
        self.run(FilesOperation::Compare, lexical(&absolute(path)), true, compare).await
    }

    /// Returns a difference as data: without the files' contents, and with the place of its mount.
    pub fn difference(&self, difference: &Difference) -> FileDifference {
        // The filesystem numbers its mounts as the policy lists them.
        let mount = difference.mount.and_then(|mount| self.policy.filesystem().mounts.get(mount));
        let [before, after] = [&difference.before, &difference.after].map(|side| side.as_ref().map(version));
        let mount = mount.map(|mount| mount.guest.clone());
        FileDifference { path: difference.path.clone(), kind: difference.kind, mount, before, after }
    }

    /// Returns the unified diff of one file that differs, as [`Session::changes`](crate::Session::changes) found it. The names in it
    /// are relative to the directory `base`, with `a/` and `b/` before them. Files of more than 4 MiB, and those that are no
    /// text, are named without their contents.
    ///
    /// # Errors
    /// If a file of the host can no longer be read.
    pub async fn diff(&self, difference: &Difference, base: &str) -> Result<FileDiff, FilesError> {
        let (difference, base) = (difference.clone(), lexical(&absolute(base)));
        let path = difference.path.clone();
        let long = difference.mount.is_some() || [&difference.before, &difference.after].into_iter().flatten().any(is_large);
        let write = move |_: &View, path: &str| section::of(&difference, &base).at(path);
        self.run(FilesOperation::Compare, path, long, write).await
    }
}

fn version(version: &Version) -> FileVersion {
    let size = (version.kind == FileType::Regular).then_some(version.size);
    FileVersion { kind: version.kind, mode: version.mode, size, target: version.target.clone() }
}

/// Returns whether comparing it takes long enough for another thread.
fn is_large(version: &Version) -> bool {
    version.size > 1 << 12
}

/// Returns the absolute path, as [`Files`] resolves it, without `.`, `..` and double slashes. Symbolic links are not looked at.
pub(crate) fn lexical_path(path: &str) -> String {
    lexical(&absolute(path))
}

/// Returns the path without `.`, `..` and double slashes. Symbolic links are not looked at.
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
