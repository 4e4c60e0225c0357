//! Sessions that continue from one `wisp run` to the next. Each has a private folder with its policy, its files, and
//! the state of its shell and interpreter.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use rustix::fs::{FlockOperation, flock};
use wisp::policy::HostFiles;
use wisp::policy::{Overrides, Policy};
use wisp::{Interpreter, InterpreterSnapshot, Session, Shell, ShellSnapshot};

/// The files of a session's folder.
const LOCK: &str = "lock";
const POLICY: &str = "policy.toml";
const FILES: &str = "session";
const PYTHON: &str = "python3";

/// Maximum characters of a session's name: it is a file name, and a word in messages.
const NAME: usize = 64;

/// A session's folder, locked by this process.
pub(crate) struct Kept {
    name: String,
    folder: PathBuf,
    /// The part of its policy that the session keeps, once it is known.
    policy: Option<Policy>,
    /// Locked while this lives.
    _lock: File,
}

impl Kept {
    /// The session with that name, created if it does not exist.
    pub(crate) fn open(name: &str) -> anyhow::Result<Self> {
        check(name)?;
        let all = folder_of_all()?;
        let folder = all.join(name);
        for folder in [&all, &folder] {
            DirBuilder::new().recursive(true).mode(0o700).create(folder).with_context(|| format!("cannot make {}", folder.display()))?;
            private(folder)?;
        }
        let lock = OpenOptions::new().create(true).append(true).mode(0o600).open(folder.join(LOCK)).context("cannot lock the session")?;
        match flock(&lock, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => Ok(Self { name: name.to_owned(), folder, policy: None, _lock: lock }),
            Err(rustix::io::Errno::WOULDBLOCK) => {
                bail!("another wisp uses the session `{name}`; wait until its command has ended, or take another name")
            }
            Err(error) => Err(error).context("cannot lock the session"),
        }
    }

    /// The session with that name, which must exist.
    pub(crate) fn existing(name: &str) -> anyhow::Result<Self> {
        check(name)?;
        if !folder_of_all()?.join(name).join(POLICY).is_file() {
            bail!("there is no session `{name}`; `wisp session list` lists them");
        }
        Self::open(name)
    }

    /// Its path.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Its policy. A session keeps the policy that it began with; `asked` is `None` if the command line does not name
    /// one.
    pub(crate) fn policy(&mut self, asked: Option<Policy>) -> anyhow::Result<Policy> {
        let file = self.folder.join(POLICY);
        if !file.is_file() {
            let asked = asked.ok_or_else(|| anyhow!("the session `{}` has no policy yet", self.name))?;
            return Ok(self.policy.insert(asked).clone());
        }
        let kept = Policy::load_with(&HostFiles, &file.to_string_lossy(), &Overrides::command_line())?;
        match asked {
            Some(asked) if asked.digest() != kept.digest() => bail!(
                "the session `{name}` began under another policy (`{}`); leave out --policy and the options that add to it, or begin \
                 another session (`wisp session rm {name}` ends this one)",
                kept.name(),
                name = self.name
            ),
            _ => Ok(self.policy.insert(kept).clone()),
        }
    }

    /// Whether it has files of an earlier run.
    pub(crate) fn begun(&self) -> bool {
        self.folder.join(POLICY).is_file()
    }

    /// Continues in `session` where the last run ended.
    pub(crate) async fn resume(&self, session: &Session) -> anyhow::Result<Shell> {
        // Not `shell`: a session without `sh` keeps its files too.
        let mut shell = session.shell_from(Vec::new());
        if self.begun() {
            let snapshot = ShellSnapshot::from_file(session, self.folder.join(FILES)).await.with_context(|| self.discard())?;
            shell.restore(&snapshot);
        }
        Ok(shell)
    }

    /// Its Python interpreter, with the state after the last cell. `shell` has the present files.
    pub(crate) async fn python(&self, session: &Session, shell: &mut Shell) -> anyhow::Result<Interpreter> {
        let mut python = session.python().await?;
        let file = self.folder.join(PYTHON);
        if file.is_file() {
            let files = shell.snapshot();
            let snapshot = InterpreterSnapshot::from_file(session, &file).await.with_context(|| self.discard())?;
            python.restore(&snapshot).await?;
            // The interpreter's own copy of the files may be older than the last command.
            shell.restore(&files);
        }
        Ok(python)
    }

    /// Saves the files, the shell's state, and the interpreter if one ran.
    pub(crate) async fn keep(&self, shell: &Shell, python: Option<Interpreter>) -> anyhow::Result<()> {
        let saving = || format!("the session `{}` could not be kept", self.name);
        if let Some(mut python) = python {
            let file = self.folder.join(PYTHON);
            if python.ended().is_some() {
                crate::say("the interpreter of the session has ended; the next `python3 -c` starts a new one");
                remove(&file).with_context(saving)?;
            } else {
                let snapshot = python.snapshot().await.with_context(saving)?;
                for lost in snapshot.lost() {
                    crate::say(&format!("not kept: {lost}"));
                }
                snapshot.to_file(&file).await.with_context(saving)?;
            }
        }
        shell.snapshot().to_file(self.folder.join(FILES)).await.with_context(saving)?;
        let text = self.folder.join(POLICY);
        if let Some(policy) = self.policy.as_ref().filter(|_| !text.is_file()) {
            // Written last: a folder without it is not a session yet.
            fs::write(&text, policy.canonical()).with_context(saving)?;
        }
        Ok(())
    }

    /// Removes it and everything that it kept.
    pub(crate) fn remove(self) -> anyhow::Result<()> {
        fs::remove_dir_all(&self.folder).with_context(|| format!("cannot remove {}", self.folder.display()))
    }

    /// What to do with a session that cannot continue.
    fn discard(&self) -> String {
        format!("the session `{name}` cannot continue (`wisp session rm {name}` discards it)", name = self.name)
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        if !self.folder.join(POLICY).is_file() {
            // Nothing was saved: removes the folder. Other files in it stay, and an error has no effect.
            let _ = fs::remove_file(self.folder.join(LOCK));
            let _ = fs::remove_dir(&self.folder);
        }
    }
}

/// A line of `wisp session list`.
#[derive(Debug, serde::Serialize)]
pub(crate) struct Listed {
    pub(crate) name: String,
    /// The name of its policy.
    pub(crate) policy: String,
    /// When it was last used, in seconds since 1970.
    pub(crate) last_used: i64,
    pub(crate) size_bytes: u64,
    /// Whether it has an interpreter.
    pub(crate) python: bool,
}

/// The sessions, sorted by name.
pub(crate) fn list() -> anyhow::Result<Vec<Listed>> {
    let folder = folder_of_all()?;
    let entries = match fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", folder.display())),
    };
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry.with_context(|| format!("cannot read {}", folder.display()))?;
        let (path, Ok(name)) = (entry.path(), entry.file_name().into_string()) else { continue };
        let Ok(text) = fs::metadata(path.join(FILES)) else { continue };
        let size = |file: &str| fs::metadata(path.join(file)).map_or(0, |metadata| metadata.len());
        let policy = Policy::load(&HostFiles, &path.join(POLICY).to_string_lossy());
        found.push(Listed {
            policy: policy.map_or_else(|_| "?".to_owned(), |policy| policy.name().to_owned()),
            last_used: text.mtime(),
            size_bytes: size(FILES) + size(PYTHON),
            python: path.join(PYTHON).is_file(),
            name,
        });
    }
    found.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(found)
}

/// `$XDG_STATE_HOME/wisp/sessions`, or below `~/.local/state`.
pub(crate) fn folder_of_all() -> anyhow::Result<PathBuf> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = absolute("XDG_STATE_HOME").or_else(|| absolute("HOME").map(|home| home.join(".local/state")));
    let base = base.context("no place to keep sessions: neither XDG_STATE_HOME nor HOME is set")?;
    Ok(base.join("wisp").join("sessions"))
}

fn check(name: &str) -> anyhow::Result<()> {
    let of = |char: char| char.is_ascii_alphanumeric() || "._-".contains(char);
    if name.is_empty() || name.len() > NAME || !name.chars().all(of) || !name.starts_with(|char: char| char.is_ascii_alphanumeric()) {
        bail!(
            "a session cannot be called `{}`: use letters, digits, `.`, `_` and `-`, at most {NAME}, a letter or digit first",
            name.escape_debug()
        );
    }
    Ok(())
}

/// Other users must be able neither to read a session nor to replace one.
fn private(folder: &Path) -> anyhow::Result<()> {
    let found = fs::symlink_metadata(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    if !found.is_dir() || found.uid() != rustix::process::geteuid().as_raw() || found.mode() & 0o077 != 0 {
        bail!("{} must be a directory of yours that others cannot enter: `chmod 700` it, or move it away", folder.display());
    }
    Ok(())
}

fn remove(file: &Path) -> io::Result<()> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
