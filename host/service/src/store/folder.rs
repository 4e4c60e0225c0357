//! The folder of a kept session: private, locked while it is used, and free of what killed programs left.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};

use super::StoreError;

/// The files of a session's folder.
pub(super) const LOCK: &str = "lock";
pub(super) const POLICY: &str = "policy.toml";
pub(super) const FILES: &str = "session";
pub(super) const PYTHON: &str = "python3";
pub(super) const PROTECTED: &str = "protected";

/// Extension of a file that is being written; a program that was killed leaves it.
const SCRATCH: &str = ".tmp";

/// How often a folder that another process removes in the meantime is made once more.
const ATTEMPTS: usize = 100;

/// A session's folder, locked while this lives.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    lock: File,
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A process that another thread is starting has a copy of the descriptor for a moment: closing ours would not end the lock.
        let _ = flock(&self.lock, FlockOperation::Unlock);
    }
}

impl Folder {
    /// Locks the folder of a session in the folder of `all`; both are created if absent. What killed programs left in it is
    /// removed. `None` if another handle has it.
    ///
    /// The lock counts only if its name still leads to it: the process that had it may have removed it with the folder.
    pub(super) fn lock(all: &Path, session: &str) -> Result<Option<Self>, StoreError> {
        let path = all.join(session);
        let failed = |source: io::Error| StoreError::Lock { name: session.to_owned(), source };
        for _ in 0..ATTEMPTS {
            match make(all).and_then(|()| make(&path)) {
                Err(error) if removed(&error, &path) => continue,
                made => made?,
            }
            let name = path.join(LOCK);
            let lock = match open(&name, OpenOptions::new().create(true).append(true)) {
                Ok(lock) => lock,
                // Removed since it was made.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(failed(error)),
            };
            match flock(&lock, FlockOperation::NonBlockingLockExclusive) {
                Ok(()) if same(&lock, &name) => {
                    let folder = Self { path, lock };
                    folder.clear();
                    return Ok(Some(folder));
                }
                Ok(()) => {}
                Err(rustix::io::Errno::WOULDBLOCK) => return Ok(None),
                Err(error) => return Err(failed(error.into())),
            }
        }
        Err(failed(io::Error::other(format!("{} is removed again and again", path.display()))))
    }

    /// Returns its path.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns whether a run has kept something in it.
    pub(super) fn begun(&self) -> bool {
        is_file(&self.path.join(POLICY))
    }

    /// Returns the path of a file in it; `None` if it does not exist.
    ///
    /// # Errors
    /// If something else has its name: a named pipe, a link, a directory.
    pub(super) fn file(&self, name: &str) -> io::Result<Option<PathBuf>> {
        let path = self.path.join(name);
        match fs::symlink_metadata(&path) {
            Ok(found) if found.is_file() => Ok(Some(path)),
            Ok(_) => Err(no_file(&path)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Writes a file beside its place, and renames it when it is complete.
    pub(super) fn write(&self, name: &str, text: &[u8]) -> io::Result<()> {
        // Only the holder of the lock writes here.
        let scratch = self.path.join(format!("{name}{SCRATCH}"));
        let mut file = open(&scratch, OpenOptions::new().create(true).write(true).truncate(true))?;
        let written = file.write_all(text).and_then(|()| file.sync_all()).and_then(|()| fs::rename(&scratch, self.path.join(name)));
        if written.is_err() {
            // The first error is the one to report.
            let _ = fs::remove_file(&scratch);
        }
        written
    }

    /// Removes a file, if it exists.
    pub(super) fn discard(&self, name: &str) -> io::Result<()> {
        match fs::remove_file(self.path.join(name)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Removes it with everything in it. The lock goes last: until then no other process begins in what is being removed.
    pub(super) fn remove(&self) -> io::Result<()> {
        // Without its policy it is no session any more, whatever of the rest is left.
        self.discard(POLICY)?;
        for entry in fs::read_dir(&self.path)? {
            let entry = entry?;
            if entry.file_name() == LOCK {
                continue;
            }
            if entry.file_type()?.is_dir() { fs::remove_dir_all(entry.path())? } else { fs::remove_file(entry.path())? }
        }
        self.vanish();
        Ok(())
    }

    /// Removes the lock and the folder. The folder stays if it has other files, or if another process has already begun a session in
    /// it: a lock that is not this process's own is not touched.
    pub(super) fn vanish(&self) {
        let name = self.path.join(LOCK);
        // While it is locked, no other process removes it.
        if same(&self.lock, &name) {
            let _ = fs::remove_file(name);
            let _ = fs::remove_dir(&self.path);
        }
    }

    /// Removes the unfinished files of programs that were killed. This handle has the lock, so no other writes them.
    fn clear(&self) {
        for entry in fs::read_dir(&self.path).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if name.ends_with(SCRATCH) && [POLICY, FILES, PYTHON, PROTECTED].iter().any(|file| name.starts_with(&format!("{file}."))) {
                // What cannot be removed costs space only.
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

/// Makes a folder that only this user can enter, if it does not exist.
fn make(folder: &Path) -> Result<(), StoreError> {
    let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
    made.map_err(|source| StoreError::Folder { operation: "make", path: folder.to_owned(), source })?;
    private(folder)
}

/// Returns whether a folder could not be made because another process removed it at that moment.
fn removed(error: &StoreError, folder: &Path) -> bool {
    let StoreError::Folder { source, .. } = error else { return false };
    match source.kind() {
        io::ErrorKind::NotFound => true,
        io::ErrorKind::AlreadyExists => fs::symlink_metadata(folder).map_or(true, |found| found.is_dir()),
        _ => false,
    }
}

/// Opens a file that only this user can read, without following a link and without waiting for the other end of a pipe.
fn open(path: &Path, how: &mut OpenOptions) -> io::Result<File> {
    let opened = how.mode(0o600).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK).open(path);
    match opened {
        Ok(file) if file.metadata()?.is_file() => Ok(file),
        Ok(_) => Err(no_file(path)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(error),
        Err(error) => Err(if is_file(path) { error } else { no_file(path) }),
    }
}

fn no_file(path: &Path) -> io::Error {
    io::Error::other(format!("{} is not a regular file: remove it", path.display()))
}

/// Returns whether this is a regular file, and not a link to one.
pub(super) fn is_file(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.is_file())
}

/// Returns whether `path` still leads to this file.
fn same(file: &File, path: &Path) -> bool {
    let identity = |facts: &fs::Metadata| (facts.dev(), facts.ino());
    matches!((file.metadata(), fs::symlink_metadata(path)), (Ok(ours), Ok(named)) if identity(&ours) == identity(&named))
}

/// Checks that other users can neither read a session nor replace one.
fn private(folder: &Path) -> Result<(), StoreError> {
    let found = fs::symlink_metadata(folder);
    let found = found.map_err(|source| StoreError::Folder { operation: "read", path: folder.to_owned(), source })?;
    if !found.is_dir() || found.uid() != rustix::process::geteuid().as_raw() || found.mode() & 0o077 != 0 {
        return Err(StoreError::NotPrivate { path: folder.to_owned() });
    }
    Ok(())
}

#[cfg(test)]
#[path = "folder_tests.rs"]
mod tests;
