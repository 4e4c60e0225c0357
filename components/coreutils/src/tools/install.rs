//! `install`: copies files and sets their modes.

use super::copy::{Backup, Copier, inside};
use super::mkdir;
use crate::mode::Change;
use crate::options::{Line, Opt, Syntax, flag, maybe, value};
use crate::{names, operands, sys, text};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

const OPTIONS: &[Opt] = &[
    maybe("", "backup", "keep a backup of overwritten files"),
    flag("b", "", "as --backup=simple"),
    flag("c", "", ""),
    flag("C", "compare", "keep a file that is already the same"),
    flag("d", "directory", "make directories"),
    flag("D", "", "make the parents of the destination"),
    value("g", "group", ""),
    value("m", "mode", "set the mode (default 0755)"),
    value("o", "owner", ""),
    flag("p", "preserve-timestamps", "keep times"),
    flag("s", "strip", ""),
    value("", "strip-program", ""),
    value("S", "suffix", "the suffix of backups"),
    value("t", "target-directory", "copy into directory VALUE"),
    flag("T", "no-target-directory", "the destination is a file"),
    flag("v", "verbose", "say what is done"),
];

const SYNTAX: Syntax = Syntax {
    usage: "[OPTION]... [-T] SOURCE DEST\n[OPTION]... SOURCE... DIRECTORY\n[OPTION]... -t DIRECTORY SOURCE...\n[OPTION]... -d DIRECTORY...",
    about: "Copy files and set their modes, or make directories. Owners cannot change in the sandbox.",
    options: OPTIONS,
    ..Syntax::COMMON
};

/// Runs `install`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    SYNTAX.run(&args, |args, line| run(args, &line).unwrap_or_else(|status| status))
}

fn run(args: &[OsString], line: &Line) -> Result<u8, u8> {
    let mode = mode(line)?;
    check_owner(line)?;
    check_options(args, line, mode)?;
    if line.operands.is_empty() {
        return Err(SYNTAX.misuse(args, "missing file operand"));
    }
    if line.has("directory") {
        return Ok(make_directories(line, mode));
    }
    let (sources, dest) = destination(args, line)?;
    let mut copier = Copier::new("install");
    (copier.unlink_first, copier.keep_times, copier.verbose) = (true, line.has("preserve-timestamps"), line.has("verbose"));
    if line.has("b") || line.has("backup") || line.has("suffix") {
        let control = line.last_text("backup").unwrap_or_default();
        copier.backup = Backup::parse(&control, line.last_text("suffix"));
    }
    for from in sources {
        let to = if dest.is_dir { inside(&dest.path, &from) } else { dest.path.clone() };
        install(&mut copier, line, &from, &to, mode);
    }
    Ok(u8::from(copier.failed))
}

fn fail(message: impl std::fmt::Display) -> u8 {
    text::complain("install", message);
    1
}

/// Returns the mode of what is installed.
fn mode(line: &Line) -> Result<u32, u8> {
    let text = line.last_text("mode").unwrap_or_else(|| "755".into());
    let mode = Change::parse(&text).map(|c| c.without_umask().apply(0, line.has("directory")));
    mode.ok_or_else(|| fail(format!("invalid mode {}", text::quote(text))))
}

/// Checks that the names of owners exist: owners cannot change here.
fn check_owner(line: &Line) -> Result<(), u8> {
    for (option, kind, names) in [("owner", "user", names::users()), ("group", "group", names::groups())] {
        let name = line.last_text(option);
        if name.as_ref().is_some_and(|name| names.id(name).is_none()) {
            return Err(fail(format!("invalid {kind} {}", text::quote(name.unwrap_or_default()))));
        }
    }
    Ok(())
}

/// Refuses or warns of options that do not go together, and refuses `-s`.
fn check_options(args: &[OsString], line: &Line, mode: u32) -> Result<(), u8> {
    if line.has("compare") && mode & !0o777 != 0 {
        text::complain("install", "the --compare (-C) option is ignored when you specify a mode with non-permission bits");
    }
    if line.has("compare") && line.has("strip") {
        return Err(SYNTAX.misuse(args, "options --compare (-C) and --strip are mutually exclusive"));
    }
    if line.has("strip-program") && !line.has("strip") {
        text::complain("install", "WARNING: ignoring --strip-program option as -s option was not specified");
    }
    if line.has("strip") {
        return Err(fail("there is no strip program here; leave out -s"));
    }
    Ok(())
}

/// Implements `-d`: makes all operands directories.
fn make_directories(line: &Line, mode: u32) -> u8 {
    let mut status = 0;
    for dir in line.operands.iter().map(PathBuf::from) {
        if let Err((at, error)) = mkdir::make("install", &dir, true, line.has("verbose"), None) {
            status = fail(format!("cannot create directory {}: {}", text::quote(&at), text::reason(&error)));
        } else {
            let _ = sys::set_mode(&dir, mode);
        }
    }
    status
}

/// Where sources go.
struct Destination {
    path: PathBuf,
    /// Whether they go into it.
    is_dir: bool,
}

/// Returns the sources and their destination; `-D` makes its parents.
fn destination(args: &[OsString], line: &Line) -> Result<(Vec<PathBuf>, Destination), u8> {
    let mut sources: Vec<PathBuf> = line.operands.iter().map(PathBuf::from).collect();
    let target = line.last("target-directory").map(PathBuf::from);
    if target.is_none() && sources.len() == 1 {
        return Err(SYNTAX.misuse(args, &format!("missing destination file operand after {}", text::quote(&sources[0]))));
    }
    let plain = line.has("no-target-directory");
    if plain && target.is_some() {
        return Err(fail("cannot combine --target-directory (-t) and --no-target-directory (-T)"));
    }
    if plain && sources.len() > 2 {
        return Err(SYNTAX.misuse(args, &format!("extra operand {}", text::quote(&sources[2]))));
    }
    let given = target.is_some();
    let path = target.unwrap_or_else(|| sources.pop().unwrap_or_default());
    if line.has("D") {
        let parent = if given { Some(path.as_path()) } else { path.parent().filter(|p| !p.as_os_str().is_empty()) };
        if let Some(parent) = parent {
            make_parents(parent, &path, line.has("verbose"))?;
        }
    }
    let is_dir = !plain && sys::stat(&path, true).is_ok_and(|s| s.is_dir());
    if !is_dir && (given || sources.len() > 1) {
        return Err(fail(operands::not_a_directory(&path, given)));
    }
    Ok((sources, Destination { path, is_dir }))
}

/// Makes the directory `parent` and those above it, for `dest`.
fn make_parents(parent: &Path, dest: &Path, verbose: bool) -> Result<(), u8> {
    mkdir::make("install", parent, true, verbose, None).map_err(|(at, error)| {
        if error.kind() == std::io::ErrorKind::AlreadyExists {
            fail(format!("failed to access {}: Not a directory", text::quote(dest)))
        } else {
            fail(format!("cannot create directory {}: {}", text::quote(&at), text::reason(&error)))
        }
    })
}

/// Copies one file and sets its mode.
fn install(copier: &mut Copier, line: &Line, from: &Path, to: &Path, mode: u32) {
    if sys::stat(from, true).is_ok_and(|s| s.is_dir()) {
        return copier.fail(format!("omitting directory {}", text::quote(from)));
    }
    if line.has("compare") && installed(from, to, mode) {
        return;
    }
    let before = std::mem::take(&mut copier.failed);
    copier.copy(from, to);
    if !copier.failed
        && let Err(error) = sys::set_mode(to, mode)
    {
        copier.fail(format!("cannot change permissions of {}: {}", text::quote(to), text::reason(&error)));
    }
    copier.failed |= before;
}

/// Returns whether `to` has the contents of `from` and the mode already. No file counts as installed with a mode that `-C` ignores.
fn installed(from: &Path, to: &Path, mode: u32) -> bool {
    let same = || std::fs::read(from).ok().is_some_and(|a| std::fs::read(to).is_ok_and(|b| a == b));
    mode & !0o777 == 0 && sys::stat(to, false).is_ok_and(|s| s.is_file() && s.mode == mode) && same()
}
