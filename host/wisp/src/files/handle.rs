//! The handle on a session's files: runs one operation, and explains why it failed.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use parking_lot::Mutex;

use super::error::{Done, Failed, FilesError, FilesOperation, FilesReason};
use super::path;
use super::view::View;
use crate::meter::{SetOnDrop, run_blocking};
use wisp_api::FilesUsage;
use wisp_policy::Policy;
use wisp_policy::schema::Key;
use wisp_vfs::{Fs, FsError, Refused, Witness};

/// Bytes from which on work on a file in memory moves to another thread: a copy of this much takes about 0.1 ms, several
/// times what handing it over costs.
pub(super) const LARGE: u64 = 1 << 20;

/// The files of a session. Cheap to clone; clones are handles on the same files.
///
/// A path is resolved as for a command of the session: a relative one begins at `/home/user`, symbolic links are
/// followed and never lead out of the sandbox or out of a mount, and the permission bits apply as for the session's
/// user. What is written counts in the session's quota, and mounts keep their access. `/proc` belongs to processes: its
/// files cannot be read here.
///
/// The operations need a tokio runtime. A long one (`walk`, `grep`, `pack`, …) stops with its future
/// ([what dropping does](crate#what-dropping-does)).
#[derive(Clone)]
pub struct Files {
    pub(super) fs: Fs,
    pub(super) policy: Arc<Policy>,
}

impl Files {
    pub(crate) fn new(fs: Fs, policy: Arc<Policy>) -> Self {
        Self { fs, policy }
    }

    /// Returns what the session stores, and how much it may store. Mounts and the files that every session begins with are not in
    /// it.
    pub fn usage(&self) -> FilesUsage {
        self.fs.usage()
    }

    /// Returns a digest of the file at `path`, or of the tree below it: 32 bytes of BLAKE3. Takes constant time if nothing
    /// there has changed since the last call; otherwise, only what has changed is read again, and the directories
    /// above it.
    ///
    /// It covers names, types, permission bits, contents and the targets of symbolic links, not times, owners and
    /// numbers of files. Equal trees have equal digests, in any session. A mount enters by its access only, an overlay
    /// also with what the session changed in it, because the host may change what is below at any time.
    ///
    /// # Errors
    /// If there is no such file, or it is inside a mount of the host (`FsError::Unsupported`).
    pub async fn digest(&self, path: &str) -> Result<[u8; 32], FilesError> {
        let path = path::absolute(path);
        let known = !self.is_host(&path) && self.fs.has_digest(&self.fs.root(), &path);
        self.run(FilesOperation::Digest, path, !known, |view, path| Ok(view.fs.digest(&view.root, path)?)).await
    }

    /// Returns whether an operation on `path` may reach the host.
    pub(super) fn is_host(&self, path: &str) -> bool {
        self.fs.is_host(&self.fs.root(), path)
    }

    /// Returns whether an operation on the contents of `path` belongs on another thread.
    pub(super) fn is_long(&self, path: &str) -> bool {
        self.is_host(path) || self.fs.stat(&self.fs.root(), path, true).is_ok_and(|stat| stat.size > LARGE)
    }

    /// Does `work`, on a thread that may block if it is `long`.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        operation: FilesOperation,
        path: String,
        long: bool,
        work: impl FnOnce(&View, &str) -> Done<T> + Send + 'static,
    ) -> Result<T, FilesError> {
        let seen = Arc::new(Seen::default());
        let fs = self.fs.witnessed(seen.clone());
        let dropped = Arc::new(AtomicBool::new(false));
        let view = View { root: fs.root(), fs, dropped: dropped.clone() };
        let (path, done) = if long {
            let _guard = SetOnDrop(dropped);
            run_blocking(move || {
                let done = work(&view, &path);
                (path, done)
            })
            .await
        } else {
            let done = work(&view, &path);
            (path, done)
        };
        done.map_err(|failed| self.explained(operation, path, failed, &seen))
    }

    /// Returns the error with the rule that refused the operation, if one did.
    fn explained(&self, operation: FilesOperation, asked: String, failed: Failed, seen: &Seen) -> FilesError {
        let Failed { path, reason } = failed;
        let path = path.unwrap_or(asked);
        let source = match (reason, *seen.0.lock()) {
            (FilesReason::Fs(error), Some((mount, why))) if why.error() == error => self.refused_by(mount, why),
            (FilesReason::Fs(FsError::NoSpace), _) if !self.is_host(&path) => self.quota(),
            (reason, _) => reason,
        };
        FilesError { operation, path, source }
    }

    fn refused_by(&self, mount: usize, why: Refused) -> FilesReason {
        // The filesystem numbers its mounts as the policy lists them.
        let row = self.policy.filesystem().mounts.get(mount);
        let advice = match why {
            Refused::ReadOnly => "; `access = \"write\"` or `\"overlay\"` there would allow it",
            _ => "",
        };
        FilesReason::Mount {
            mount: row.map(|row| row.guest.clone()).unwrap_or_default(),
            rule: row.map(|row| row.rule.to_string()).unwrap_or_default(),
            reason: format!("{}{advice}", why.reason()),
            error: why.error(),
        }
    }

    /// Returns which of the two quotas is used up.
    fn quota(&self) -> FilesReason {
        let usage = self.fs.usage();
        let (key, value) = if usage.files >= usage.max_files { (Key::MaxFiles, usage.max_files) } else { (Key::Quota, usage.max_bytes) };
        FilesReason::Quota { limit: key.path(), value, rule: self.policy.rule(key).to_string() }
    }
}

impl fmt::Debug for Files {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Files").finish_non_exhaustive()
    }
}

/// The last refusal by a mount.
#[derive(Default)]
struct Seen(Mutex<Option<(usize, Refused)>>);

impl Witness for Seen {
    fn refused(&self, mount: usize, _path: &str, why: Refused) {
        *self.0.lock() = Some((mount, why));
    }
}
