//! `install`: copy and set the mode.

use super::copy::{Backup, Copier, inside};
use super::mkdir;
use crate::mode::Change;
use crate::options::{Line, Opt, Syntax, flag, maybe, value};
use crate::{names, operands, sys, text};
use std::ffi::OsString;
use std::path::PathBuf;

const OPTIONS: &[Opt] = &[
    maybe("", "backup", "keep what is overwritten"),
    flag("b", "", "as --backup=simple"),
    flag("c", "", ""),
    flag("C", "compare", "leave a file alone that is already the same"),
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

/// `install`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    SYNTAX.run(&args, run)
}

fn run(args: &[OsString], line: Line) -> u8 {
    let text = line.last_text("mode").unwrap_or_else(|| "755".into());
    let Some(mode) = Change::parse(&text).map(|c| c.without_umask().apply(0, line.has("directory"))) else {
        text::complain("install", format!("invalid mode {}", text::quote(text)));
        return 1;
    };
    for (option, known) in [
        ("owner", names::users().id(&line.last_text("owner").unwrap_or_else(|| "0".into()))),
        ("group", names::groups().id(&line.last_text("group").unwrap_or_else(|| "0".into()))),
    ] {
        if known.is_none() {
            let kind = if option == "owner" { "user" } else { "group" };
            text::complain("install", format!("invalid {kind} {}", text::quote(line.last_text(option).unwrap_or_default())));
            return 1;
        }
    }
    if line.has("compare") && mode & !0o777 != 0 {
        text::complain("install", "the --compare (-C) option is ignored when you specify a mode with non-permission bits");
    }
    if line.has("compare") && line.has("strip") {
        return SYNTAX.misuse(args, "options --compare (-C) and --strip are mutually exclusive");
    }
    if line.has("strip-program") && !line.has("strip") {
        text::complain("install", "WARNING: ignoring --strip-program option as -s option was not specified");
    }
    if line.has("strip") {
        text::complain("install", "there is no strip program here: leave out -s");
        return 1;
    }
    let verbose = line.has("verbose");
    let mut operands: Vec<PathBuf> = line.operands.iter().map(PathBuf::from).collect();
    if operands.is_empty() {
        return SYNTAX.misuse(args, "missing file operand");
    }
    let mut status = 0;
    if line.has("directory") {
        for dir in operands {
            if let Err((at, error)) = mkdir::make("install", &dir, true, verbose, None) {
                text::complain("install", format!("cannot create directory {}: {}", text::quote(&at), text::reason(&error)));
                status = 1;
            } else {
                let _ = sys::set_mode(&dir, mode);
            }
        }
        return status;
    }
    let target = line.last("target-directory").map(PathBuf::from);
    if target.is_none() && operands.len() == 1 {
        return SYNTAX.misuse(args, &format!("missing destination file operand after {}", text::quote(&operands[0])));
    }
    let plain = line.has("no-target-directory");
    if plain && target.is_some() {
        text::complain("install", "cannot combine --target-directory (-t) and --no-target-directory (-T)");
        return 1;
    }
    if plain && operands.len() > 2 {
        return SYNTAX.misuse(args, &format!("extra operand {}", text::quote(&operands[2])));
    }
    let given = target.is_some();
    let dest = target.unwrap_or_else(|| operands.pop().unwrap_or_default());
    if line.has("D") {
        let parent = if given { Some(dest.as_path()) } else { dest.parent().filter(|p| !p.as_os_str().is_empty()) };
        if let Some(Err((at, error))) = parent.map(|p| mkdir::make("install", p, true, verbose, None)) {
            let file = error.kind() == std::io::ErrorKind::AlreadyExists;
            let doing = if file {
                format!("failed to access {}", text::quote(&dest))
            } else {
                format!("cannot create directory {}", text::quote(&at))
            };
            text::complain("install", format!("{doing}: {}", if file { "Not a directory".into() } else { text::reason(&error) }));
            return 1;
        }
    }
    let is_dir = !plain && sys::stat(&dest, true).is_ok_and(|s| s.is_dir());
    if !is_dir && (given || operands.len() > 1) {
        text::complain("install", operands::not_a_directory(&dest, given));
        return 1;
    }
    let mut copier = Copier::new("install");
    (copier.unlink_first, copier.keep_times, copier.verbose) = (true, line.has("preserve-timestamps"), verbose);
    if line.has("b") || line.has("backup") || line.has("suffix") {
        let control = line.last_text("backup").unwrap_or_default();
        copier.backup = Backup::parse(&control, line.last_text("suffix"));
    }
    for from in operands {
        if sys::stat(&from, true).is_ok_and(|s| s.is_dir()) {
            copier.fail(format!("omitting directory {}", text::quote(&from)));
            continue;
        }
        let to = if is_dir { inside(&dest, &from) } else { dest.clone() };
        let same = || std::fs::read(&from).ok().is_some_and(|a| std::fs::read(&to).is_ok_and(|b| a == b));
        if line.has("compare") && mode & !0o777 == 0 && sys::stat(&to, false).is_ok_and(|s| s.is_file() && s.mode == mode) && same() {
            continue;
        }
        let before = std::mem::take(&mut copier.failed);
        copier.copy(&from, &to);
        if !copier.failed
            && let Err(error) = sys::set_mode(&to, mode)
        {
            copier.fail(format!("cannot change permissions of {}: {}", text::quote(&to), text::reason(&error)));
        }
        copier.failed |= before;
    }
    u8::from(copier.failed)
}
