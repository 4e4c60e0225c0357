//! Runs other programs: `PATH` lookup, environment, spawn, wait.

use crate::sys::{self, Child, Input, LockFile, Start};
use crate::text;
use std::ffi::{OsStr, OsString};
use std::io::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};

/// The status of a tool that failed before it could run the command (`env`, `timeout`, `nohup`, `nice`).
pub(crate) const FAILED: u8 = 125;
/// The command was found but could not be run.
pub(crate) const NOT_EXECUTABLE: u8 = 126;
/// The command was not found.
pub(crate) const NOT_FOUND: u8 = 127;

/// The search path if `PATH` is not set.
const DEFAULT_PATH: &str = "/usr/bin:/bin";

/// A command to run. Everything except its words is initially the same as in this process.
pub(crate) struct Command {
    /// The program's name and its arguments.
    pub words: Vec<OsString>,
    /// The environment, `NAME=value` each.
    pub env: Vec<Vec<u8>>,
    /// The working directory.
    pub cwd: PathBuf,
    /// Standard input.
    pub stdin: Input,
    /// The name by which it is called, if it is not the program's.
    pub argv0: Option<OsString>,
    /// Whether it becomes the leader of a new process group.
    pub own_group: bool,
    /// A file that the command has open too.
    pub file: Option<LockFile>,
}

impl Command {
    /// Creates a command with this process's environment, directory and descriptors.
    pub(crate) fn new(words: Vec<OsString>) -> Self {
        let (env, cwd) = (sys::environment(), sys::cwd().to_path_buf());
        Self { words, env, cwd, stdin: Input::Inherit, argv0: None, own_group: false, file: None }
    }

    /// Returns the value of a variable in the command's environment.
    pub(crate) fn variable(&self, name: &str) -> Option<&[u8]> {
        self.env.iter().find_map(|line| line.strip_prefix(name.as_bytes())?.strip_prefix(b"="))
    }

    /// Finds the program and starts it. `sh` runs a file without `#!` that is not a program, as with execvp(3).
    pub(crate) fn start(&self) -> Result<Child> {
        self.with_program(sys::spawn)
    }

    /// Works like [`Command::start`], in place of this process. Returns only if that fails.
    pub(crate) fn exec(&self) -> Error {
        self.with_program(|start| -> Result<()> { Err(sys::exec(start)) }).err().unwrap_or_else(|| ErrorKind::Other.into())
    }

    /// Finds the program, and lets `run` start it.
    pub(crate) fn with_program<T>(&self, run: impl Fn(&Start<'_>) -> Result<T>) -> Result<T> {
        // The child writes to the same descriptors: buffered output of ours would appear after its output.
        use std::io::Write;
        let _ = std::io::stdout().flush();
        let name = self.words.first().ok_or_else(|| Error::from(ErrorKind::InvalidInput))?;
        let found = find(name, self.variable("PATH"), &self.cwd)?;
        // A script sees the path as it was given.
        let path = if name.as_encoded_bytes().contains(&b'/') { PathBuf::from(name) } else { found };
        let mut args = self.words.clone();
        if let Some(name) = &self.argv0 {
            args[0] = name.clone();
        }
        let Self { env, cwd, stdin, own_group, file, .. } = self;
        let start = Start { program: &path, args: &args, env, cwd, stdin, own_group: *own_group, file: file.as_ref() };
        match run(&start) {
            Err(error) if error.raw_os_error() == Some(libc::ENOEXEC) => {
                let mut args = vec![OsString::from("sh"), path.clone().into_os_string()];
                args.extend(self.words.iter().skip(1).cloned());
                let shell = find(OsStr::new("sh"), Some(DEFAULT_PATH.as_bytes()), &self.cwd)?;
                run(&Start { program: &shell, args: &args, ..start })
            }
            other => other,
        }
    }

    /// Runs the command for the tool `name` and waits. Returns its status, or 126 or 127 after a message.
    pub(crate) fn run(&self, name: &str) -> u8 {
        match self.start() {
            Ok(mut child) => child.wait(),
            Err(error) => self.failed(name, &error),
        }
    }

    /// Runs the command in place of the tool `name`. Returns only if it cannot run: 126 or 127, after a message.
    pub(crate) fn replace(&self, name: &str) -> u8 {
        self.failed(name, &self.exec())
    }

    /// Returns what to use instead of a program that was not found, as a line that follows the message; empty if there is
    /// nothing to say.
    pub(crate) fn advice(&self, error: &Error) -> String {
        let name = self.words.first().filter(|_| status(error) == NOT_FOUND);
        let instead = name.and_then(|name| wisp_tool::elsewhere::instead(name.as_encoded_bytes()));
        instead.map(|instead| format!("\n(here: {instead})")).unwrap_or_default()
    }

    fn failed(&self, name: &str, error: &Error) -> u8 {
        let program = self.words.first().map(text::quote).unwrap_or_default();
        let what = if name == "env" { program } else { format!("failed to run command {program}") };
        text::complain(name, format!("{what}: {}{}", text::reason(error), self.advice(error)));
        status(error)
    }
}

/// Runs a command and waits. Returns its output (standard error included) and its status.
pub(crate) fn output(words: &[OsString]) -> Result<(Vec<u8>, u8)> {
    let name = words.first().ok_or_else(|| Error::from(ErrorKind::InvalidInput))?;
    let env = sys::environment();
    let path = env.iter().find_map(|line| line.strip_prefix(b"PATH="));
    let program = find(name, path, sys::cwd())?;
    let start = Start { program: &program, args: words, env: &env, cwd: sys::cwd(), stdin: &Input::Null, own_group: false, file: None };
    sys::output(&start)
}

/// Returns 127 for a program that does not exist, 126 for one that cannot be run.
pub(crate) fn status(error: &Error) -> u8 {
    if error.kind() == ErrorKind::NotFound { NOT_FOUND } else { NOT_EXECUTABLE }
}

/// Finds a program as execvp(3) does: names with a slash are paths, others are searched for in `path`.
pub(crate) fn find(name: &OsStr, path: Option<&[u8]>, cwd: &Path) -> Result<PathBuf> {
    if name.as_encoded_bytes().contains(&b'/') {
        let full = cwd.join(name);
        let stat = sys::stat(&full, true)?;
        if stat.is_dir() || !stat.allows(1) {
            return Err(Error::from_raw_os_error(libc::EACCES));
        }
        return Ok(full);
    }
    let mut found = Err(Error::from_raw_os_error(libc::ENOENT));
    if name.is_empty() {
        return found;
    }
    for dir in path.unwrap_or(DEFAULT_PATH.as_bytes()).split(|b| *b == b':') {
        let full = cwd.join(sys::path_from_bytes(dir)).join(name);
        match sys::stat(&full, true) {
            Ok(stat) if stat.is_file() && stat.allows(1) => return Ok(full),
            Ok(stat) if stat.is_file() => found = Err(Error::from_raw_os_error(libc::EACCES)),
            _ => {}
        }
    }
    found
}
