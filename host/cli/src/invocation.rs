//! How the command was started: as a program of its own, or inside another one.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use anyhow::{Context, anyhow};
use rustix::fs::{Access, access};
use wisp::policy::{ProtectedPath, code_file};

use crate::Failure;

/// How the command was started.
#[derive(Debug, Clone)]
pub struct Invocation {
    words: Vec<OsString>,
    /// The other program, if the process is not the command.
    within: Option<Within>,
    /// Whether the process began without standard output, and without standard error, which the standard library hides.
    missing: [bool; 2],
}

/// A program of which the command is a part.
#[derive(Debug, Clone)]
struct Within {
    /// A program that is the command again, with these arguments and the words that follow.
    again: (OsString, Vec<OsString>),
    /// What a later start executes.
    places: Vec<ProtectedPath>,
}

/// The program of this process, also when its file was replaced.
const OWN: &str = "/proc/self/exe";

/// That of this process.
static INVOCATION: OnceLock<Invocation> = OnceLock::new();

impl Invocation {
    /// Returns that of a process which is the command. `missing` are its outputs, standard output and error, that were closed before the
    /// standard library opened `/dev/null` in their place.
    pub fn of_process(missing: [bool; 2]) -> Self {
        Self { words: std::env::args_os().collect(), within: None, missing }
    }

    /// Returns that of a process in which the command is a part of another program. `words` are the command's, the first of which is
    /// the path of the program that a user starts. `again` is a program with arguments that start the command once more, if words for it
    /// follow. `places` are what a later start executes: no guest may write there.
    pub fn within(words: Vec<OsString>, again: (OsString, Vec<OsString>), places: Vec<ProtectedPath>) -> Self {
        Self { words, within: Some(Within { again, places }), missing: [false; 2] }
    }

    /// Returns whether the process began without standard output, and without standard error.
    pub(crate) fn missing(&self) -> [bool; 2] {
        self.missing
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

/// Returns the options of `wisp run`: the words between the subcommand, before which `--confine` may stand, and `--`.
pub(crate) fn options() -> Vec<String> {
    let options = words().iter().skip(1).skip_while(|word| *word != "run").skip(1).take_while(|word| *word != "--");
    options.map(|word| word.to_string_lossy().into_owned()).collect()
}

/// Returns the path of the program that a user starts. It is not resolved: a link to it survives updates.
pub(crate) fn program() -> Result<PathBuf, Failure> {
    let named = words().first().map(PathBuf::from).filter(|path| path.is_absolute() && path.exists());
    if within().is_none() {
        let found = || std::env::current_exe().context("where is this program?").map_err(Failure::internal);
        return named.map_or_else(found, Ok);
    }
    named.filter(|path| access(path, Access::EXEC_OK).is_ok()).ok_or_else(|| {
        let help = "start the installed program `wisp`, which they can start too, instead of `python -m`";
        Failure::usage(anyhow!("agents cannot start this command by one name: {help}"))
    })
}

/// Returns the command again, without its words.
pub(crate) fn again() -> Command {
    if let Some(Within { again: (program, arguments), .. }) = within() {
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

/// Returns what a later start executes of the program that this command is a part of.
pub(crate) fn places() -> Vec<ProtectedPath> {
    let Some(within) = within() else { return Vec::new() };
    let package = code().and_then(|code| code.parent().map(Path::to_owned));
    let package = package.map(|path| ProtectedPath { what: "the package that runs this session".to_owned(), path });
    package.into_iter().chain(within.places.clone()).collect()
}

fn within() -> Option<&'static Within> {
    INVOCATION.get()?.within.as_ref()
}
