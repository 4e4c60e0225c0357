//! `mv`. The version of uutils cannot move symbolic links and directories to another mount on WASI.

use super::copy::{Backup, Copier, Existing, Follow, ask, inside};
use super::same;
use crate::operands::Destination;
use crate::options::{Line, Opt, Syntax, flag, maybe, value};
use crate::{operands, sys, text};
use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

const OPTIONS: &[Opt] = &[
    maybe("", "backup", "keep a backup of overwritten files: simple, numbered"),
    flag("b", "", "as --backup=simple"),
    flag("", "debug", "as -v"),
    flag("", "exchange", "exchange SOURCE and DEST"),
    flag("f", "force", "do not ask before overwriting"),
    flag("i", "interactive", "ask before overwriting"),
    flag("n", "no-clobber", "never overwrite"),
    flag("", "no-copy", "fail if the file would have to be copied"),
    flag("", "strip-trailing-slashes", "take slashes off the ends of the sources"),
    value("S", "suffix", "the suffix of backups"),
    value("t", "target-directory", "move into directory VALUE"),
    flag("T", "no-target-directory", "the destination is a file, not a directory to move into"),
    flag("u", "", "only when newer"),
    maybe("", "update", "only when newer: older, all, none"),
    flag("v", "verbose", "say what is moved"),
    flag("Z", "context", ""),
];

const SYNTAX: Syntax = Syntax {
    usage: "[OPTION]... [-T] SOURCE DEST\n[OPTION]... SOURCE... DIRECTORY\n[OPTION]... -t DIRECTORY SOURCE...",
    about: "Rename SOURCE to DEST, or move SOURCEs into DIRECTORY.",
    options: OPTIONS,
    ..Syntax::COMMON
};

struct Mover {
    existing: Existing,
    update: bool,
    verbose: bool,
    force: bool,
    no_copy: bool,
    exchange: bool,
    debug: bool,
    backup: Option<Backup>,
    /// The files moved in this run if there are several sources; they are not overwritten.
    made: Option<HashSet<(u64, u64)>>,
    /// The files moved to another filesystem, to keep hard links between them.
    copied: HashMap<(u64, u64), PathBuf>,
    status: u8,
}

/// Runs `mv`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    SYNTAX.run(&args, run)
}

fn run(args: &[OsString], line: Line) -> u8 {
    let mut m = Mover {
        existing: Existing::Replace,
        update: false,
        verbose: line.has("verbose") || line.has("debug"),
        no_copy: line.has("no-copy"),
        force: line.has("force"),
        exchange: line.has("exchange"),
        debug: line.has("debug"),
        backup: None,
        made: None,
        copied: HashMap::new(),
        status: 0,
    };
    for given in &line.options {
        match given.key {
            "force" => m.existing = Existing::Replace,
            "interactive" => m.existing = Existing::Ask,
            "no-clobber" => m.existing = Existing::Keep,
            "u" => m.update = true,
            "update" => match given.text().as_str() {
                "none" => m.existing = Existing::Keep,
                "none-fail" => m.existing = Existing::Refuse,
                "all" => (m.update, m.existing) = (false, Existing::Replace),
                "" | "older" => m.update = true,
                other => return SYNTAX.misuse(args, &format!("invalid argument {} for '--update'", text::quote(other))),
            },
            "backup" => m.backup = Backup::parse(&given.text(), line.last_text("suffix")),
            "b" | "suffix" => m.backup = Backup::parse("", line.last_text("suffix")),
            _ => {}
        }
    }
    if m.backup.is_some() && matches!(m.existing, Existing::Keep | Existing::Refuse) {
        return SYNTAX.misuse(args, "cannot combine --backup with -n/--no-clobber or --update=none-fail");
    }
    let Destination { mut sources, path: dest, is_dir } = match operands::destination(&SYNTAX, args, &line, false) {
        Ok(found) => found,
        Err(status) => return status,
    };
    if line.has("strip-trailing-slashes") {
        operands::strip_slashes(&mut sources);
    }
    m.made = (sources.len() > 1).then(HashSet::new);
    for from in sources {
        let to = if is_dir { inside(&dest, &from) } else { dest.clone() };
        m.one(&from, &to);
    }
    m.status
}

impl Mover {
    fn fail(&mut self, message: impl std::fmt::Display) {
        text::complain("mv", message);
        self.status = 1;
    }

    fn one(&mut self, from: &Path, to: &Path) {
        let stat = match sys::stat(from, false) {
            Ok(stat) => stat,
            Err(error) => return self.fail(format!("cannot stat {}: {}", text::quote(from), text::reason(&error))),
        };
        let mut kept = None;
        if let Ok(old) = sys::stat(to, false) {
            // Hard links of one file, or a link and its target, are different files only with a backup.
            let one = old.same(&stat) || (stat.is_link() && sys::stat(from, true).is_ok_and(|s| s.same(&old)));
            if same::place(from) == same::place(to) || (one && (stat.is_dir() || (self.backup.is_none() && !self.exchange))) {
                return self.fail(format!("{} and {} are the same file", text::quote(from), text::quote(to)));
            }
            if self.existing == Existing::Refuse {
                return self.fail(format!("not replacing {}", text::quote(to)));
            }
            if self.existing == Existing::Keep || (self.update && old.mtime >= stat.mtime) {
                if self.debug {
                    println!("skipped {}", text::quote(to));
                }
                return;
            }
            if stat.is_dir() && !old.is_dir() && !self.exchange {
                return self.fail(format!("cannot overwrite non-directory {} with directory {}", text::quote(to), text::quote(from)));
            }
            if !stat.is_dir() && old.is_dir() && !self.exchange {
                return self.fail(format!("cannot overwrite directory {} with non-directory {}", text::quote(to), text::quote(from)));
            }
            if self.made.as_ref().is_some_and(|made| made.contains(&(old.dev, old.ino))) {
                return self.fail(format!("will not overwrite just-created {} with {}", text::quote(to), text::quote(from)));
            }
            let protected = old.mode & 0o222 == 0 && self.existing == Existing::Replace && !self.force && sys::is_terminal(0);
            let question = if protected {
                let letters = crate::mode::letters(old.kind, old.mode);
                Some(format!("mv: replace {}, overriding mode {:04o} ({})? ", text::quote(to), old.mode, &letters[1..]))
            } else {
                (self.existing == Existing::Ask).then(|| format!("mv: overwrite {}? ", text::quote(to)))
            };
            if question.is_some_and(|question| !ask(&question)) {
                return;
            }
            if let Some(backup) = &self.backup {
                if backup.destroys(from, to) {
                    return self.fail(format!("backing up {} might destroy source;  {} not moved", text::quote(to), text::quote(from)));
                }
                let place = backup.place(to);
                if let Err(error) = std::fs::rename(to, &place) {
                    return self.fail(format!("cannot backup {}: {}", text::quote(to), text::reason(&error)));
                }
                kept = Some(place);
            } else if self.exchange {
                return self.swap(from, to);
            }
        } else if self.exchange {
            return self.fail(format!("cannot exchange {} and {}: No such file or directory", text::quote(from), text::quote(to)));
        }
        if stat.is_dir()
            && let (Ok(source), Ok(parent)) = (
                std::fs::canonicalize(from),
                std::fs::canonicalize(to.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."))),
            )
            && parent.starts_with(&source)
        {
            return self.fail(format!("cannot move {} to a subdirectory of itself, {}", text::quote(from), text::quote(to)));
        }
        match std::fs::rename(from, to) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::CrossesDevices && !self.no_copy => return self.across(from, to, stat.is_dir()),
            Err(error) if error.kind() == ErrorKind::DirectoryNotEmpty => {
                return self.fail(format!("cannot overwrite {}: {}", text::quote(to), text::reason(&error)));
            }
            Err(error) => return self.fail(format!("cannot move {} to {}: {}", text::quote(from), text::quote(to), text::reason(&error))),
        }
        if let (Some(made), Ok(new)) = (&mut self.made, sys::stat(to, false)) {
            made.insert((new.dev, new.ino));
        }
        if self.verbose {
            let backup = kept.map(|b| format!(" (backup: {})", text::quote(b))).unwrap_or_default();
            println!("renamed {} -> {}{backup}", text::quote(from), text::quote(to));
        }
    }

    /// Implements `--exchange`: exchanges the files of two names.
    fn swap(&mut self, from: &Path, to: &Path) {
        let mut aside = to.as_os_str().to_owned();
        aside.push(format!(".mv{}", sys::pid()));
        let aside = Path::new(&aside);
        let done = std::fs::rename(to, aside).and_then(|()| std::fs::rename(from, to)).and_then(|()| std::fs::rename(aside, from));
        match done {
            Ok(()) if self.verbose => println!("exchanged {} <-> {}", text::quote(from), text::quote(to)),
            Ok(()) => {}
            Err(error) => self.fail(format!("cannot exchange {} and {}: {}", text::quote(from), text::quote(to), text::reason(&error))),
        }
    }

    /// Moves to another filesystem: copies with all attributes, then removes.
    fn across(&mut self, from: &Path, to: &Path, directory: bool) {
        let mut copier = Copier::new("mv");
        (copier.recursive, copier.keep_mode, copier.keep_times, copier.keep_links) = (true, true, true, true);
        (copier.follow, copier.unlink_first) = (Follow::Never, true);
        copier.verbose = self.verbose;
        copier.copied = std::mem::take(&mut self.copied);
        copier.copy(from, to);
        self.copied = std::mem::take(&mut copier.copied);
        if copier.failed {
            self.status = 1;
            return;
        }
        let removed = if directory { std::fs::remove_dir_all(from) } else { std::fs::remove_file(from) };
        if let Err(error) = removed {
            self.fail(format!("cannot remove {}: {}", text::quote(from), text::reason(&error)));
        }
    }
}
