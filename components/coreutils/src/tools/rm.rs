//! `rm`. The version of uutils sees no modes on WASI, so it never asks about protected files.

use super::copy::ask;
use crate::options::{Line, Opt, Syntax, flag, maybe};
use crate::sys::{self, Kind, Stat};
use crate::text;
use std::ffi::OsString;
use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};

const OPTIONS: &[Opt] = &[
    flag("f", "force", "never ask, and ignore files that do not exist"),
    flag("i", "", "ask before each removal"),
    flag("I", "", "ask once before removing more than three files or a tree"),
    maybe("", "interactive", "ask never, once (-I) or always (-i)"),
    flag("", "one-file-system", "skip directories of other filesystems than their operand's"),
    flag("", "no-preserve-root", "do not treat / specially"),
    maybe("", "preserve-root", "do not remove / (default); all: also refuse operands on other filesystems"),
    flag("rR", "recursive", "remove directories and their contents"),
    flag("d", "dir", "remove empty directories"),
    flag("v", "verbose", "say what is done"),
    // Hidden, as in GNU's help.
    flag("", "-presume-input-tty", ""),
];

const SYNTAX: Syntax = Syntax {
    usage: "[OPTION]... [FILE]...",
    about: "Remove FILEs. A name that begins with - is removed as ./-NAME.",
    options: OPTIONS,
    advice: dash,
    ..Syntax::COMMON
};

/// Returns the hint for a file whose name looks like options.
fn dash(args: &[OsString]) -> Option<String> {
    let is = |a: &&OsString| a.len() > 1 && a.as_encoded_bytes()[0] == b'-' && sys::stat(Path::new(a), false).is_ok();
    let name = args.iter().skip(1).find(is)?;
    Some(format!("Try 'rm ./{}' to remove the file {}.", text::quote_if_needed(name), text::quote(name)))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Asks {
    Sometimes,
    Never,
    Once,
    Always,
}

struct Remover {
    asks: Asks,
    force: bool,
    recursive: bool,
    empty: bool,
    one_system: bool,
    keep_root: bool,
    terminal: bool,
    verbose: bool,
    device: u64,
    status: u8,
}

/// The outcome for one file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// It is removed, or the user kept it; the directory above it can be asked about.
    Gone,
    /// It stays, so the directory above it must stay too.
    Stays,
}

/// Runs `rm`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    SYNTAX.run(&args, run)
}

fn run(args: &[OsString], line: Line) -> u8 {
    let mut r = Remover {
        asks: Asks::Sometimes,
        force: false,
        recursive: line.has("recursive"),
        empty: line.has("dir"),
        one_system: line.has("one-file-system"),
        keep_root: true,
        terminal: sys::is_terminal(0) || line.has("-presume-input-tty"),
        verbose: line.has("verbose"),
        device: 0,
        status: 0,
    };
    for given in &line.options {
        match given.key {
            "force" => (r.asks, r.force) = (Asks::Never, true),
            "i" => (r.asks, r.force) = (Asks::Always, false),
            "I" => (r.asks, r.force) = (Asks::Once, false),
            "interactive" => {
                let words: &[&[&str]] = &[&["never", "no", "none"], &["once"], &["always", "yes"]];
                let word = if given.value.is_none() { Ok("always") } else { SYNTAX.word(args, "--interactive", &given.text(), words) };
                match word {
                    Ok("never") => r.asks = Asks::Never,
                    Ok("once") => (r.asks, r.force) = (Asks::Once, false),
                    Ok(_) => (r.asks, r.force) = (Asks::Always, false),
                    Err(status) => return status,
                }
            }
            "no-preserve-root" => {
                if !args.iter().any(|a| a == "--no-preserve-root") {
                    text::complain("rm", "you may not abbreviate the --no-preserve-root option");
                    return 1;
                }
                r.keep_root = false;
            }
            "preserve-root" => match given.text().as_str() {
                "" | "all" => r.keep_root = true,
                other => {
                    text::complain("rm", format!("unrecognized --preserve-root argument: {}", text::quote(other)));
                    return 1;
                }
            },
            _ => {}
        }
    }
    let count = line.operands.len();
    if count == 0 {
        return if r.force { 0 } else { SYNTAX.misuse(args, "missing operand") };
    }
    if r.asks == Asks::Once && (r.recursive || count > 3) {
        let many = if count == 1 { "argument" } else { "arguments" };
        if !ask(&format!("rm: remove {count} {many}{}? ", if r.recursive { " recursively" } else { "" })) {
            return 0;
        }
    }
    for operand in line.operands {
        r.operand(Path::new(&operand));
    }
    r.status
}

impl Remover {
    fn fail(&mut self, message: impl std::fmt::Display) -> Fate {
        text::complain("rm", message);
        self.status = 1;
        Fate::Stays
    }

    fn refused(&mut self, path: &Path, error: &Error) -> Fate {
        if self.force && matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) {
            return Fate::Gone;
        }
        self.fail(format!("cannot remove {}: {}", text::quote(path), text::reason(error)))
    }

    fn operand(&mut self, path: &Path) {
        if path.as_os_str().is_empty() {
            self.refused(path, &Error::from(ErrorKind::NotFound));
            return;
        }
        let stat = match sys::stat(path, false) {
            Ok(stat) => stat,
            Err(error) => {
                self.refused(path, &error);
                return;
            }
        };
        self.device = stat.dev;
        // With a slash at its end, the name means the directory, not the link.
        let bytes = path.as_os_str().as_encoded_bytes();
        let end = bytes.iter().rposition(|b| *b != b'/').map_or(0, |at| at + 1);
        if stat.is_dir() && (self.recursive || self.empty) {
            let last = bytes[..end].rsplit(|b| *b == b'/').next().unwrap_or_default();
            if matches!(last, b"." | b"..") {
                // The message shows only one slash at the end.
                let told = sys::path_from_bytes(&bytes[..bytes.len().min(end + 1)]);
                self.fail(format!("refusing to remove '.' or '..' directory: skipping {}", text::quote(told)));
                return;
            }
            if self.keep_root && self.recursive && sys::stat(Path::new("/"), false).is_ok_and(|root| root.same(&stat)) {
                let same = if bytes == b"/" { String::new() } else { " (same as '/')".to_owned() };
                self.fail(format!("it is dangerous to operate recursively on {}{same}", text::quote(path)));
                self.fail("use --no-preserve-root to override this failsafe");
                return;
            }
        }
        // One slash at the end is enough.
        let shown = if bytes.len() > end + 1 && end > 0 { sys::path_from_bytes(&bytes[..=end]) } else { path.to_path_buf() };
        self.remove(&shown, &stat);
    }

    fn remove(&mut self, path: &Path, stat: &Stat) -> Fate {
        if !stat.is_dir() {
            return match self.allowed(path, stat, "remove") {
                true => self.excise(path, false),
                false => Fate::Gone,
            };
        }
        if self.one_system && stat.dev != self.device {
            return self.fail(format!("skipping {}, since it's on a different device", text::quote(path)));
        }
        let listed = std::fs::read_dir(path).map(|list| list.filter_map(|e| e.ok().map(|e| e.file_name())).collect::<Vec<OsString>>());
        if !self.recursive {
            return match listed {
                _ if !self.empty => self.fail(format!("cannot remove {}: Is a directory", text::quote(path))),
                Ok(list) if !list.is_empty() => self.fail(format!("cannot remove {}: Directory not empty", text::quote(path))),
                _ => match self.allowed(path, stat, "remove") {
                    true => self.excise(path, true),
                    false => Fate::Stays,
                },
            };
        }
        let list = match listed {
            Ok(list) => list,
            Err(error) => {
                // The directory may still be empty.
                if self.asks == Asks::Always && !ask(&format!("rm: attempt removal of inaccessible directory {}? ", text::quote(path))) {
                    return Fate::Stays;
                }
                return match std::fs::remove_dir(path) {
                    Ok(()) => self.told(path, true),
                    Err(_) => self.refused(path, &error),
                };
            }
        };
        if list.is_empty() {
            if !self.allowed(path, stat, "remove") {
                return Fate::Stays;
            }
            return match std::fs::remove_dir(path) {
                Ok(()) => self.told(path, true),
                // The contents cannot be read.
                Err(error) if text::reason(&error) == "Directory not empty" => {
                    self.fail(format!("cannot remove {}: Permission denied", text::quote(path)))
                }
                Err(error) => self.refused(path, &error),
            };
        }
        if !self.allowed(path, stat, "descend into") {
            return Fate::Stays;
        }
        let mut fate = Fate::Gone;
        for name in list {
            let child = inside(path, &name);
            let one = match sys::stat(&child, false) {
                Ok(stat) => self.remove(&child, &stat),
                Err(error) => self.refused(&child, &error),
            };
            if one == Fate::Stays {
                fate = Fate::Stays;
            }
        }
        match fate {
            Fate::Stays => Fate::Stays,
            Fate::Gone if self.allowed(path, stat, "remove") => self.excise(path, true),
            Fate::Gone => Fate::Gone,
        }
    }

    /// Returns whether a file may be removed; asks the user if necessary.
    fn allowed(&self, path: &Path, stat: &Stat, what: &str) -> bool {
        if self.asks == Asks::Never {
            return true;
        }
        let careful = !self.force && (self.asks == Asks::Always || self.terminal) && stat.kind != Kind::Link;
        let protected = careful && stat.mode & 0o200 == 0;
        if !protected && self.asks != Asks::Always {
            return true;
        }
        let guard = if protected { "write-protected " } else { "" };
        ask(&format!("rm: {what} {guard}{} {}? ", super::stat::type_name(stat), text::quote(path)))
    }

    fn excise(&mut self, path: &Path, directory: bool) -> Fate {
        let done = if directory { std::fs::remove_dir(path) } else { std::fs::remove_file(path) };
        match done {
            Ok(()) => self.told(path, directory),
            Err(error) => self.refused(path, &error),
        }
    }

    fn told(&self, path: &Path, directory: bool) -> Fate {
        if self.verbose {
            println!("removed {}{}", if directory { "directory " } else { "" }, text::quote(path));
        }
        Fate::Gone
    }
}

/// Returns a name in a directory, without a second slash after `a/`.
fn inside(folder: &Path, name: &OsString) -> PathBuf {
    let mut path = folder.as_os_str().to_owned();
    if !path.as_encoded_bytes().ends_with(b"/") {
        path.push("/");
    }
    path.push(name);
    path.into()
}
