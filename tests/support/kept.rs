//! Kept sessions, as a user has them: `wisp run --session s`, with a folder of their own.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::wisp::binary;

/// A folder in which sessions are kept, for one test.
#[derive(Debug)]
pub struct State {
    folder: TempDir,
    options: &'static [&'static str],
}

/// The result of a run.
#[derive(Debug)]
pub struct Ran {
    /// Exit status; `None` when a signal ended it.
    pub code: Option<i32>,
    /// Standard output, damaged characters replaced.
    pub out: String,
    /// Standard error, damaged characters replaced.
    pub err: String,
}

impl State {
    /// A new folder. [`State::run`] gives these options to `wisp run`.
    ///
    /// # Panics
    /// When the folder cannot be made.
    pub fn new(options: &'static [&'static str]) -> Self {
        Self { folder: tempfile::tempdir().expect("a temporary directory"), options }
    }

    /// The folder, in which the commands start.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// `wisp` with these arguments and without input.
    ///
    /// # Panics
    /// When the binary is not built.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(binary().expect("the binary is built"));
        command.args(args.iter().map(OsString::from)).current_dir(self.path()).env("XDG_STATE_HOME", self.path().join("state"));
        command.stdin(Stdio::null());
        command
    }

    /// Runs `wisp` with these arguments.
    ///
    /// # Panics
    /// When it cannot be started.
    pub fn wisp(&self, args: &[&str]) -> Ran {
        let output = self.command(args).output().expect("wisp runs");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Ran { code: output.status.code(), out: text(&output.stdout), err: text(&output.stderr) }
    }

    /// Runs a command in the session `s`; it must succeed. Returns its output.
    ///
    /// # Panics
    /// When it fails.
    pub fn run(&self, command: &[&str]) -> String {
        let ran = self.wisp(&[&["run"], self.options, &["--session", "s", "--"], command].concat());
        assert_eq!(ran.code, Some(0), "{command:?}: {}", ran.err);
        ran.out
    }
}
