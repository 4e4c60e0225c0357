//! Sessions that are kept in a folder, from one program to the next.

#![expect(clippy::disallowed_methods, reason = "sessions are kept in a folder of the user, which the environment may name")]

mod error;
mod folder;
mod kept;
pub(crate) mod live;

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use wisp::Policy;
use wisp::policy::HostFiles;
use wisp_api::KeptSessionInfo;

pub use error::StoreError;
use folder::{FILES, Folder, LOCK, POLICY, PYTHON, is_file};
pub use kept::{KeptSession, Saved};

/// Maximum characters of a session's name: it is a file name, and a word in messages.
const LONGEST: usize = 64;

/// A folder in which sessions are kept: each in a folder of its own, with its policy, its files, and the state of its shell and its
/// interpreter. Nothing is made before a session is opened. Several programs may use the same folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Store {
    folder: PathBuf,
}

impl Store {
    /// Returns the sessions of the user: in `$XDG_STATE_HOME/wisp/sessions`, or below `~/.local/state`.
    ///
    /// # Errors
    /// If neither `XDG_STATE_HOME` nor `HOME` is an absolute path.
    pub fn of_user() -> Result<Self, StoreError> {
        let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let base = absolute("XDG_STATE_HOME").or_else(|| absolute("HOME").map(|home| home.join(".local/state")));
        base.map(|base| Self::at(base.join("wisp").join("sessions"))).ok_or(StoreError::NoPlace)
    }

    /// Returns the sessions in this folder. It is made with the first session, so that only this user can enter it.
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    /// Returns the folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the folder of the session with this name, whether or not there is one.
    ///
    /// # Errors
    /// If no session can have that name.
    pub fn folder_of(&self, name: &str) -> Result<PathBuf, StoreError> {
        check(name)?;
        Ok(self.folder.join(name))
    }

    /// Opens the session with this name, which is new if there is none: until it has kept something, its folder goes with the
    /// handle. What killed programs left in the folder is removed.
    ///
    /// # Errors
    /// If no session can have that name, another handle has the session, or its folder cannot be made or is open to others.
    pub fn open(&self, name: &str) -> Result<KeptSession, StoreError> {
        check(name)?;
        let folder = Folder::lock(&self.folder, name)?;
        folder.map(|folder| KeptSession::new(name, folder)).ok_or_else(|| StoreError::InUse { name: name.to_owned() })
    }

    /// Opens the session with this name, which must exist and have kept everything.
    ///
    /// # Errors
    /// If there is none, or those of [`Store::open`].
    pub fn existing(&self, name: &str) -> Result<KeptSession, StoreError> {
        self.made(name, |folder| is_file(&folder.join(POLICY)))
    }

    /// Removes the session with this name, also one whose first use was killed before it had kept everything.
    ///
    /// # Errors
    /// If there is none, something of it cannot be removed, or those of [`Store::open`].
    pub fn remove(&self, name: &str) -> Result<(), StoreError> {
        self.made(name, Path::is_dir)?.remove()
    }

    fn made(&self, name: &str, is: impl FnOnce(&Path) -> bool) -> Result<KeptSession, StoreError> {
        check(name)?;
        if is(&self.folder.join(name)) { self.open(name) } else { Err(StoreError::NotFound { name: name.to_owned() }) }
    }

    /// Lists the sessions, sorted by name. None is opened, so those in use are among them.
    ///
    /// # Errors
    /// If the folder cannot be read. One that does not exist has no sessions.
    pub fn list(&self) -> Result<Vec<KeptSessionInfo>, StoreError> {
        let failed = |source| StoreError::Folder { operation: "read", path: self.folder.clone(), source };
        let entries = match fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(failed(error)),
        };
        let mut found = Vec::new();
        for entry in entries {
            let entry = entry.map_err(failed)?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            found.extend(summary(&entry.path(), name));
        }
        found.sort_by(|one: &KeptSessionInfo, other| one.name.cmp(&other.name));
        Ok(found)
    }
}

/// Returns what is known about the session in this folder; `None` if there is no session in it.
fn summary(path: &Path, name: String) -> Option<KeptSessionInfo> {
    // Everything counts, also what killed programs left: it takes space and may hold secrets. Before it ends, a first use has only
    // its lock.
    let files = fs::read_dir(path).into_iter().flatten().flatten().filter(|file| file.file_name() != LOCK);
    let sizes: Vec<u64> = files.filter_map(|file| file.metadata().ok()).map(|facts| facts.len()).collect();
    if sizes.is_empty() || check(&name).is_err() {
        return None;
    }
    let written = fs::symlink_metadata(path.join(FILES)).or_else(|_| fs::symlink_metadata(path));
    let complete = is_file(&path.join(POLICY));
    let policy = complete.then(|| Policy::load(&HostFiles, &path.join(POLICY).to_string_lossy()).ok()).flatten();
    Some(KeptSessionInfo {
        policy: policy.map_or_else(|| "?".to_owned(), |policy| policy.name().to_owned()),
        last_used: written.map_or(0, |facts| facts.mtime()),
        size_bytes: sizes.iter().sum(),
        python: is_file(&path.join(PYTHON)),
        complete,
        name,
    })
}

/// Checks that a session can have this name.
fn check(name: &str) -> Result<(), StoreError> {
    let of = |char: char| char.is_ascii_alphanumeric() || "._-".contains(char);
    if name.is_empty() || name.len() > LONGEST || !name.chars().all(of) || !name.starts_with(|char: char| char.is_ascii_alphanumeric()) {
        return Err(StoreError::Name { name: name.to_owned() });
    }
    Ok(())
}

#[cfg(test)]
mod tests;
