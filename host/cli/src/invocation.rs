//! How the command was started: as a program of its own, or inside another one.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use anyhow::Context;
use wisp::policy::code_file;

use crate::Failure;

/// How the command was started.
#[derive(Debug, Clone)]
pub struct Invocation {
    words: Vec<OsString>,
    /// The program that is the command again with the words that follow; none for the process's own.
    again: Option<(OsString, Vec<OsString>)>,
}

/// The program of this process, also when its file was replaced.
const OWN: &str = "/proc/self/exe";

/// That of this process.
static INVOCATION: OnceLock<Invocation> = OnceLock::new();

impl Invocation {
    /// Returns that of a process which is the command.
    pub fn of_process() -> Self {
        Self { words: std::env::args_os().collect(), again: None }
    }

    /// Returns that of a process in which the command is a part of another program. `words` are the command's, the first of which is
    /// the path of the program that a user starts; `again` and its arguments start the command once more, if words for it follow.
    pub fn within(words: Vec<OsString>, again: OsString, arguments: Vec<OsString>) -> Self {
        Self { words, again: Some((again, arguments)) }
    }

    /// Makes it that of this process, unless it has one.
    pub(crate) fn set(self) {
        let _ = INVOCATION.set(self);
    }
}

/// Returns the words of the command line.
pub(crate) fn words() -> &'static [OsString] {
    INVOCATION.get().map(|invocation| invocation.words.as_slice()).unwrap_or_default()
}

/// Returns the path of the program that a user starts. It is not resolved: a link to it survives updates.
pub(crate) fn program() -> Result<PathBuf, Failure> {
    let named = words().first().map(PathBuf::from).filter(|path| path.is_absolute() && path.exists());
    let found = || std::env::current_exe().context("where is this program?").map_err(Failure::internal);
    named.map_or_else(found, Ok)
}

/// Returns the command again, without its words.
pub(crate) fn again() -> Command {
    if let Some((program, arguments)) = within() {
        let mut command = Command::new(program);
        command.args(arguments);
        return command;
    }
    let mut command = Command::new(OWN);
    // What `ps` shows.
    command.arg0("wisp");
    command
}

/// Returns the file with the code of this command: that of the program, or of a module of another one.
pub(crate) fn code() -> Option<PathBuf> {
    code_file().or_else(|| std::env::current_exe().ok())
}

/// Returns a path of that file as it was when this process started, if it is the program's: the file may have been replaced.
pub(crate) fn running() -> PathBuf {
    within().and_then(|_| code()).unwrap_or_else(|| OWN.into())
}

/// Returns what a later start executes of the program that this command is a part of: the file that a user starts, and the folder of the
/// module.
pub(crate) fn package() -> Vec<PathBuf> {
    let Some(code) = within().and_then(|_| code()) else { return Vec::new() };
    program().ok().into_iter().chain(code.parent().map(Path::to_owned)).collect()
}

fn within() -> Option<&'static (OsString, Vec<OsString>)> {
    INVOCATION.get()?.again.as_ref()
}
