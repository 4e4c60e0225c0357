//! Sessions that continue from one `wisp run` to the next. Each has a private folder with its policy, its files, and
//! the state of its shell and interpreter.

mod folder;

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use wisp::policy::HostFiles;
use wisp::policy::{Overrides, Policy};
use wisp::{Interpreter, InterpreterSnapshot, Session, Shell, ShellSnapshot};

use folder::{FILES, Folder, LOCK, POLICY, PYTHON, is_file};

/// Maximum characters of a session's name: it is a file name, and a word in messages.
const NAME: usize = 64;

/// A session's folder, locked by this process.
pub(crate) struct Kept {
    name: String,
    folder: Folder,
    /// The part of its policy that the session keeps, once it is known.
    policy: Option<Policy>,
}

impl Kept {
    /// The session with that name, created if it does not exist.
    pub(crate) fn open(name: &str) -> anyhow::Result<Self> {
        check(name)?;
        let all = folder_of_all()?;
        match Folder::lock(&all, all.join(name))? {
            Some(folder) => Ok(Self { name: name.to_owned(), folder, policy: None }),
            None => bail!("another wisp uses the session `{name}`; wait until its command has ended, or take another name"),
        }
    }

    /// The session with that name, which must exist.
    pub(crate) fn existing(name: &str) -> anyhow::Result<Self> {
        Self::made(name, |folder| is_file(&folder.join(POLICY)))
    }

    /// Removes the session with that name, also one whose first run was killed before it had kept everything.
    pub(crate) fn remove(name: &str) -> anyhow::Result<()> {
        let kept = Self::made(name, Path::is_dir)?;
        let failed = || format!("cannot remove {}", kept.folder.path().display());
        kept.folder.remove().with_context(failed)
    }

    fn made(name: &str, is: impl FnOnce(&Path) -> bool) -> anyhow::Result<Self> {
        check(name)?;
        if !is(&folder_of_all()?.join(name)) {
            bail!("there is no session `{name}`; `wisp session list` lists them");
        }
        Self::open(name)
    }

    /// Its path.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Its policy. A session keeps the policy that it began with; `asked` is `None` if the command line does not name
    /// one.
    pub(crate) fn policy(&mut self, asked: Option<Policy>) -> anyhow::Result<Policy> {
        let file = self.folder().join(POLICY);
        if !self.begun() {
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
        self.folder.begun()
    }

    /// Continues in `session` where the last run ended.
    pub(crate) async fn resume(&self, session: &Session) -> anyhow::Result<Shell> {
        // Not `shell`: a session without `sh` keeps its files too.
        let mut shell = session.shell_from(Vec::new());
        if self.begun() {
            let file = self.folder.file(FILES).with_context(|| self.discard())?;
            let file = file.with_context(|| format!("{}: its files are gone", self.discard()))?;
            let snapshot = ShellSnapshot::from_file(session, file).await.with_context(|| self.discard())?;
            shell.restore(&snapshot);
        }
        Ok(shell)
    }

    /// Its Python interpreter, with the state after the last cell. `shell` has the present files.
    pub(crate) async fn python(&self, session: &Session, shell: &mut Shell) -> anyhow::Result<Interpreter> {
        let mut python = session.python().await?;
        if let Some(file) = self.folder.file(PYTHON).with_context(|| self.discard())? {
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
            let file = self.folder().join(PYTHON);
            if python.ended().is_some() {
                crate::say("the interpreter of the session has ended; the next `python3 -c` starts a new one");
                self.folder.discard(PYTHON).with_context(saving)?;
            } else {
                let snapshot = python.snapshot().await.with_context(saving)?;
                for lost in snapshot.not_carried() {
                    crate::say(&format!("not kept: {lost}"));
                }
                snapshot.to_file(&file).await.with_context(saving)?;
            }
        }
        shell.snapshot().to_file(self.folder().join(FILES)).await.with_context(saving)?;
        if let Some(policy) = self.policy.as_ref().filter(|_| !self.begun()) {
            // Written last: a folder without it is not a session yet.
            self.folder.write(POLICY, policy.canonical().as_bytes()).with_context(saving)?;
        }
        Ok(())
    }

    /// What to do with a session that cannot continue.
    fn discard(&self) -> String {
        format!("the session `{name}` cannot continue (`wisp session rm {name}` discards it)", name = self.name)
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        if !self.begun() {
            // Nothing was saved.
            self.folder.vanish();
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
    /// Whether it can be continued: its first run was not killed before it had kept everything.
    pub(crate) complete: bool,
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
        // Everything counts, also what killed runs left: it takes space and may hold secrets. Before it ends, a first run has
        // only its lock.
        let files = fs::read_dir(&path).into_iter().flatten().flatten().filter(|file| file.file_name() != LOCK);
        let sizes: Vec<u64> = files.filter_map(|file| file.metadata().ok()).map(|facts| facts.len()).collect();
        if sizes.is_empty() || check(&name).is_err() {
            continue;
        }
        let written = fs::symlink_metadata(path.join(FILES)).or_else(|_| fs::symlink_metadata(&path));
        let complete = is_file(&path.join(POLICY));
        let policy = complete.then(|| Policy::load(&HostFiles, &path.join(POLICY).to_string_lossy()).ok()).flatten();
        found.push(Listed {
            policy: policy.map_or_else(|| "?".to_owned(), |policy| policy.name().to_owned()),
            last_used: written.map_or(0, |facts| facts.mtime()),
            size_bytes: sizes.iter().sum(),
            python: is_file(&path.join(PYTHON)),
            complete,
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
