//! `mv`: uutils' cannot move symbolic links and directories to another mount on WASI.

use super::copy::{Backup, Copier, Existing, Follow, ask, inside};
use crate::operands::Destination;
use crate::options::{Opt, Syntax, flag, maybe, value};
use crate::{operands, sys, text};
use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::Path;

const OPTIONS: &[Opt] = &[
    maybe("", "backup", "keep what is overwritten: simple, numbered"),
    flag("b", "", "as --backup=simple"),
    flag("f", "force", "do not ask before overwriting"),
    flag("i", "interactive", "ask before overwriting"),
    flag("n", "no-clobber", "never overwrite"),
    flag("", "no-copy", "fail if the file would have to be copied"),
    flag("", "strip-trailing-slashes", ""),
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
    no_copy: bool,
    backup: Option<Backup>,
    status: u8,
}

/// `mv`.
pub fn main(args: Vec<OsString>) -> u8 {
    let line = match SYNTAX.parse(&args) {
        Ok(line) => line,
        Err(status) => return status,
    };
    let mut m = Mover {
        existing: Existing::Replace,
        update: false,
        verbose: line.has("verbose"),
        no_copy: line.has("no-copy"),
        backup: None,
        status: 0,
    };
    for given in &line.options {
        match given.key {
            "force" => m.existing = Existing::Replace,
            "interactive" => m.existing = Existing::Ask,
            "no-clobber" => m.existing = Existing::Keep,
            "u" => m.update = true,
            "update" => match given.text().as_str() {
                "none" | "none-fail" => m.existing = Existing::Keep,
                "all" => m.update = false,
                _ => m.update = true,
            },
            "backup" => m.backup = Backup::parse(&given.text(), line.last_text("suffix")),
            "b" | "suffix" => m.backup = Backup::parse("existing", line.last_text("suffix")),
            _ => {}
        }
    }
    let Destination { sources, path: dest, is_dir } = match operands::destination(&SYNTAX, &args, &line, false) {
        Ok(found) => found,
        Err(status) => return status,
    };
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
        if let Ok(old) = sys::stat(to, false) {
            if old.same(&stat) && (stat.is_dir() || stat.nlink < 2 || from == to) {
                return self.fail(format!("{} and {} are the same file", text::quote(from), text::quote(to)));
            }
            if self.existing == Existing::Keep || (self.update && old.mtime >= stat.mtime) {
                return;
            }
            if stat.is_dir() && !old.is_dir() {
                return self.fail(format!("cannot overwrite non-directory {} with directory {}", text::quote(to), text::quote(from)));
            }
            if !stat.is_dir() && old.is_dir() {
                return self.fail(format!("cannot overwrite directory {} with non-directory {}", text::quote(to), text::quote(from)));
            }
            if self.existing == Existing::Ask && !ask(&format!("mv: overwrite {}? ", text::quote(to))) {
                return;
            }
            if let Some(backup) = &self.backup
                && let Err(error) = std::fs::rename(to, backup.place(to))
            {
                return self.fail(format!("cannot backup {}: {}", text::quote(to), text::reason(&error)));
            }
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
            Err(error) => return self.fail(format!("cannot move {} to {}: {}", text::quote(from), text::quote(to), text::reason(&error))),
        }
        if self.verbose {
            println!("renamed {} -> {}", text::quote(from), text::quote(to));
        }
    }

    /// To another filesystem: copy with everything kept, then remove.
    fn across(&mut self, from: &Path, to: &Path, directory: bool) {
        let mut copier = Copier::new("mv");
        (copier.recursive, copier.keep_mode, copier.keep_times, copier.keep_links) = (true, true, true, true);
        (copier.follow, copier.unlink_first) = (Follow::Never, true);
        copier.verbose = self.verbose;
        copier.copy(from, to);
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
