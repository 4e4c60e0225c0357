//! A session that is kept: its policy, its files, its shell and its interpreter.

use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use wisp::policy::{HostFiles, ProtectedPath};
use wisp::{Interpreter, InterpreterError, InterpreterSnapshot, Policy, Session, Shell, ShellSnapshot, SnapshotFileError};

use super::StoreError;
use super::folder::{FILES, Folder, POLICY, PROTECTED, PYTHON, is_file};

/// A session of a [`Store`](super::Store). Nobody else has it while this lives. If it has kept nothing when this is dropped, nothing
/// is left of it.
pub struct KeptSession {
    name: String,
    folder: Folder,
    /// The part of its policy that the session keeps, once it is known.
    policy: Option<Policy>,
}

/// What became of the interpreter when a session was kept.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
#[must_use]
pub struct Saved {
    /// What the kept interpreter does not have, in words: open files, threads, child processes. A guest chooses names in them.
    pub not_carried: Vec<String>,
    /// Whether the interpreter had ended, so that none is kept: the session's next one starts from the beginning.
    pub interpreter_ended: bool,
}

impl KeptSession {
    pub(super) fn new(name: &str, folder: Folder) -> Self {
        Self { name: name.to_owned(), folder, policy: None }
    }

    /// Returns its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns its folder. A process that is confined must be able to write in it, and to remove it.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Returns whether it has kept something: it is not new.
    pub fn begun(&self) -> bool {
        self.folder.begun()
    }

    /// Returns its policy: the one that it began with. A new session begins with `asked`, which it keeps with the rest; a session
    /// that has begun needs no `asked`, and refuses another policy than its own.
    ///
    /// # Errors
    /// If the session is new and none is asked for, the session keeps another one, or what it keeps is no valid policy any more.
    pub fn policy(&mut self, asked: Option<Policy>) -> Result<Policy, StoreError> {
        if !self.begun() {
            let asked = asked.ok_or_else(|| StoreError::NoPolicy { name: self.name.clone() })?;
            return Ok(self.policy.insert(asked).clone());
        }
        let file = self.folder().join(POLICY);
        let kept = Policy::load(&HostFiles, &file.to_string_lossy())?;
        match asked {
            Some(asked) if asked.digest() != kept.digest() => {
                Err(StoreError::OtherPolicy { name: self.name.clone(), policy: kept.name().to_owned() })
            }
            _ => Ok(self.policy.insert(kept).clone()),
        }
    }

    /// Returns the files that decided about its first run: the policy that it began with, what that extends and names. What is kept
    /// is a copy of the policy, which does not name them. A session of an earlier wisp does not know them.
    ///
    /// # Errors
    /// If the list cannot be read.
    pub fn protected(&self) -> Result<Vec<ProtectedPath>, StoreError> {
        let Some(file) = self.folder.file(PROTECTED).map_err(|error| self.unreadable(error))? else { return Ok(Vec::new()) };
        let paths = fs::read(&file).map_err(|error| self.unreadable(error))?;
        let paths = paths.split(|byte| *byte == 0).filter(|path| !path.is_empty());
        let protected = |path: &[u8]| ProtectedPath {
            what: "the policy that the session began with, or a file that this names".to_owned(),
            path: PathBuf::from(OsStr::from_bytes(path)),
        };
        Ok(paths.map(protected).collect())
    }

    /// Continues in `session`, which is new and has this session's policy: gives it the files, and returns the shell as it was. For
    /// a session that has kept nothing yet, the shell is new and the files stay as they are.
    ///
    /// # Errors
    /// If what was kept is gone, damaged, or of another version or policy.
    pub async fn resume(&self, session: &Session) -> Result<Shell, StoreError> {
        // Not `shell`: a session without `sh` keeps its files too.
        let mut shell = session.shell_from(Vec::new());
        if self.begun() {
            let file = self.folder.file(FILES).map_err(|error| self.unreadable(error))?;
            let file = file.ok_or_else(|| StoreError::FilesGone { name: self.name.clone() })?;
            let snapshot = ShellSnapshot::from_file(session, file).await.map_err(|error| self.unusable(error))?;
            shell.restore(&snapshot);
        }
        Ok(shell)
    }

    /// Starts the session's Python interpreter, with the state that was kept if there is one. `shell`, which
    /// [`KeptSession::resume`] returned, has the present files.
    ///
    /// # Errors
    /// If the session has no Python, or what was kept is damaged, or of another version or policy.
    pub async fn python(&self, session: &Session, shell: &mut Shell) -> Result<Interpreter, StoreError> {
        let mut python = session.python().await?;
        if let Some(file) = self.folder.file(PYTHON).map_err(|error| self.unreadable(error))? {
            let files = shell.snapshot();
            let snapshot = InterpreterSnapshot::from_file(session, &file).await.map_err(|error| self.unusable(error))?;
            python.restore(&snapshot).await?;
            // The interpreter's own copy of the files may be older than the last command.
            shell.restore(&files);
        }
        Ok(python)
    }

    /// Returns whether it keeps an interpreter.
    pub(crate) fn has_python(&self) -> bool {
        is_file(&self.folder().join(PYTHON))
    }

    /// Removes the interpreter that it keeps.
    pub(super) fn forget_python(&self) -> Result<(), StoreError> {
        self.folder.discard(PYTHON).map_err(|error| self.not_saved(error))
    }

    /// Saves the files and the shell's state, and the interpreter's if there is one; without, the interpreter that was kept earlier
    /// stays. Both go on afterwards, and can be saved again.
    ///
    /// # Errors
    /// If the interpreter holds what cannot be saved, its session is closed, or something cannot be written. Each file is whole: the one before, or the new.
    pub async fn keep(&self, shell: &Shell, python: Option<&mut Interpreter>) -> Result<Saved, StoreError> {
        let mut saved = Saved::default();
        if let Some(python) = python {
            if python.ended().is_some() {
                if python.session().is_closed() {
                    // It ended with its session, not by itself: what was kept of it stays.
                    let source = Box::new(InterpreterError::Closed { session: python.session().id().to_owned() });
                    return Err(StoreError::NotFrozen { name: self.name.clone(), source });
                }
                saved.interpreter_ended = true;
                self.forget_python()?;
            } else {
                let snapshot = python.snapshot().await;
                let snapshot = snapshot.map_err(|source| StoreError::NotFrozen { name: self.name.clone(), source: Box::new(source) })?;
                saved.not_carried = snapshot.not_carried().to_vec();
                snapshot.to_file(self.folder().join(PYTHON)).await.map_err(|error| self.not_saved(error))?;
            }
        }
        shell.snapshot().to_file(self.folder().join(FILES)).await.map_err(|error| self.not_saved(error))?;
        if let Some(policy) = self.policy.as_ref().filter(|_| !self.begun()) {
            // The kept policy is a copy, which does not name the files that it came from.
            let paths: Vec<Vec<u8>> = policy.protected_paths().into_iter().map(|it| it.path.into_os_string().into_vec()).collect();
            self.folder.write(PROTECTED, &paths.join(&0)).map_err(|error| self.not_saved(error))?;
            // Written last: a folder without it is not a session yet.
            self.folder.write(POLICY, policy.canonical().as_bytes()).map_err(|error| self.not_saved(error))?;
        }
        Ok(saved)
    }

    /// Removes the session with everything that it kept.
    ///
    /// # Errors
    /// If something of it cannot be removed. It is no session any more as soon as its policy is removed, which goes first.
    pub fn remove(self) -> Result<(), StoreError> {
        let failed = |source| StoreError::Folder { operation: "remove", path: self.folder().to_owned(), source };
        self.folder.remove().map_err(failed)
    }

    fn unreadable(&self, source: io::Error) -> StoreError {
        StoreError::Unreadable { name: self.name.clone(), source }
    }

    fn unusable(&self, source: SnapshotFileError) -> StoreError {
        StoreError::Unusable { name: self.name.clone(), source: Box::new(source) }
    }

    fn not_saved(&self, source: impl Into<SnapshotFileError>) -> StoreError {
        StoreError::NotSaved { name: self.name.clone(), source: Box::new(source.into()) }
    }
}

impl Drop for KeptSession {
    fn drop(&mut self) {
        if !self.begun() {
            // Nothing was saved.
            self.folder.vanish();
        }
    }
}

impl fmt::Debug for KeptSession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeptSession").field("name", &self.name).field("begun", &self.begun()).finish_non_exhaustive()
    }
}
