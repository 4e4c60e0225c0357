//! `ln`: hard and symbolic links.

use super::backup::Backup;
use super::copy::{ask, inside};
use super::same;
use crate::options::{Line, Opt, Syntax, flag, maybe, value};
use crate::{sys, text};
use std::collections::HashSet;
use std::ffi::OsString;
use std::io::{Error, ErrorKind};
use std::path::{Component, Path, PathBuf};

const OPTIONS: &[Opt] = &[
    maybe("", "backup", "keep a backup of replaced files: simple, numbered"),
    flag("b", "", "as --backup"),
    flag("dF", "directory", ""),
    flag("f", "force", "replace an existing file"),
    flag("i", "interactive", "ask before replacing"),
    flag("L", "logical", "a hard link to the target of a symbolic link"),
    flag("n", "no-dereference", "a symbolic link to a directory is a file, not a directory to link into"),
    flag("P", "physical", "a hard link to the symbolic link itself"),
    flag("r", "relative", "with -s: the relative path from the link to TARGET"),
    flag("s", "symbolic", "symbolic links"),
    value("S", "suffix", "the suffix of backups"),
    value("t", "target-directory", "make the links in directory VALUE"),
    flag("T", "no-target-directory", "LINK_NAME is a file, not a directory to link into"),
    flag("v", "verbose", "say what is linked"),
];

const SYNTAX: Syntax = Syntax {
    usage: "[OPTION]... [-T] TARGET LINK_NAME\n[OPTION]... TARGET\n[OPTION]... TARGET... DIRECTORY\n[OPTION]... -t DIRECTORY TARGET...",
    about: "Make links to TARGETs.",
    options: OPTIONS,
    ..Syntax::COMMON
};

struct Linker {
    symbolic: bool,
    relative: bool,
    logical: bool,
    force: bool,
    interactive: bool,
    verbose: bool,
    backup: Option<Backup>,
    /// The links made in this run.
    made: HashSet<PathBuf>,
}

/// Runs `ln`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    SYNTAX.run(&args, run)
}

fn run(args: &[OsString], line: Line) -> u8 {
    let (backup, control) = match line.options.iter().rev().find(|o| matches!(o.key, "backup" | "b" | "suffix")) {
        None => (None, String::new()),
        Some(_) => {
            let control = line.last_text("backup").unwrap_or_default();
            (Backup::parse(&control, line.last_text("suffix")), control)
        }
    };
    const CONTROLS: &[&[&str]] = &[&["none", "off"], &["simple", "never"], &["existing", "nil"], &["numbered", "t"]];
    if !control.is_empty()
        && let Err(status) = SYNTAX.word(args, "backup type", &control, CONTROLS)
    {
        return status;
    }
    let mut linker = Linker {
        symbolic: line.has("symbolic"),
        relative: line.has("relative"),
        logical: line.last_of(&["logical", "physical"]) == Some("logical"),
        force: line.last_of(&["force", "interactive"]) == Some("force"),
        interactive: line.last_of(&["force", "interactive"]) == Some("interactive"),
        verbose: line.has("verbose"),
        backup,
        made: HashSet::new(),
    };
    if linker.relative && !linker.symbolic {
        text::complain("ln", "cannot do --relative without --symbolic");
        return 1;
    }
    let (sources, folder, name) = match places(args, &line) {
        Ok(found) => found,
        Err(status) => return status,
    };
    let mut status = 0;
    for source in sources {
        let to = match &name {
            Some(name) => name.clone(),
            None => inside(&folder, &source),
        };
        if let Err(message) = linker.link(&source, &to) {
            text::complain("ln", message);
            status = 1;
        }
    }
    status
}

/// Returns the targets, the directory of the links, and the name of a single link that is not in the directory.
fn places(args: &[OsString], line: &Line) -> Result<(Vec<PathBuf>, PathBuf, Option<PathBuf>), u8> {
    let fail = |message: String| {
        text::complain("ln", message);
        1
    };
    let mut sources: Vec<PathBuf> = line.operands.iter().map(PathBuf::from).collect();
    if sources.is_empty() {
        return Err(SYNTAX.misuse(args, "missing file operand"));
    }
    let plain = line.has("no-target-directory");
    if let Some(folder) = line.last("target-directory") {
        if line.options.iter().filter(|o| o.key == "target-directory").count() > 1 {
            return Err(fail("multiple target directories specified".into()));
        }
        if plain {
            return Err(fail("cannot combine --target-directory and --no-target-directory".into()));
        }
        return match sys::stat(folder.as_ref(), true) {
            Ok(stat) if stat.is_dir() => Ok((sources, folder.into(), None)),
            Ok(_) => Err(fail(format!("target {} is not a directory", text::quote(folder)))),
            Err(error) => Err(fail(format!("failed to access {}: {}", text::quote(folder), text::reason(&error)))),
        };
    }
    if plain {
        return match sources.as_slice() {
            [one] => Err(SYNTAX.misuse(args, &format!("missing destination file operand after {}", text::quote(one)))),
            [_, _] => Ok((sources[..1].to_vec(), PathBuf::new(), sources.pop())),
            [_, _, extra, ..] => Err(SYNTAX.misuse(args, &format!("extra operand {}", text::quote(extra)))),
            [] => Err(1),
        };
    }
    if sources.len() == 1 {
        return Ok((sources, PathBuf::from("."), None));
    }
    let last = sources.pop().unwrap_or_default();
    let entered = !line.has("no-dereference") || sys::stat(&last, false).is_ok_and(|stat| !stat.is_link());
    match sys::stat(&last, true) {
        Ok(stat) if stat.is_dir() && entered => Ok((sources, last, None)),
        _ if sources.len() == 1 => Ok((sources, PathBuf::new(), Some(last))),
        Ok(_) => Err(fail(format!("target {}: Not a directory", text::quote(&last)))),
        Err(error) => Err(fail(format!("target {}: {}", text::quote(&last), text::reason(&error)))),
    }
}

impl Linker {
    fn link(&mut self, source: &Path, to: &Path) -> Result<(), String> {
        let (from, there) = (text::quote(source), text::quote(to));
        let target = match sys::stat(source, self.logical) {
            Err(error) if !self.symbolic => return Err(format!("failed to access {from}: {}", text::reason(&error))),
            Ok(stat) if !self.symbolic && stat.is_dir() => {
                return Err(format!("{}: hard link not allowed for directory", text::quote_if_needed(source)));
            }
            _ => sys::stat(source, true).ok(),
        };
        let mut kept = None;
        let replaces = self.force || self.interactive || self.backup.is_some();
        let old = if replaces && !to.as_os_str().is_empty() { sys::stat(to, false) } else { Err(ErrorKind::NotFound.into()) };
        match &old {
            Ok(stat) if stat.is_dir() => return Err(format!("{}: cannot overwrite directory", text::quote_if_needed(to))),
            Ok(_) if !self.symbolic && self.made.contains(to) => {
                return Err(format!("will not overwrite just-created {there} with {from}"));
            }
            Ok(stat) => {
                let same = target.as_ref().is_some_and(|target| target.same(stat)) && same::place(source) == same::place(to);
                if same && !(self.symbolic && self.backup.is_some()) {
                    return Err(format!("{from} and {there} are the same file"));
                }
                if self.interactive && !ask(&format!("ln: replace {there}? ")) {
                    return Ok(());
                }
                if let Some(backup) = &self.backup {
                    let place = backup.place(to);
                    std::fs::rename(to, &place).map_err(|error| format!("cannot backup {there}: {}", text::reason(&error)))?;
                    kept = Some(place);
                } else if !self.symbolic && target.as_ref().is_some_and(|target| target.same(stat)) {
                    // It is already the wanted link.
                    self.tell(source, to, None);
                    return Ok(());
                } else {
                    std::fs::remove_file(to).map_err(|error| format!("cannot remove {there}: {}", text::reason(&error)))?;
                }
            }
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(format!("failed to access {there}: {}", text::reason(error)));
            }
            Err(_) => {}
        }
        let written = if self.relative { way(source, to) } else { source.to_path_buf() };
        let result = if to.as_os_str().is_empty() || written.as_os_str().is_empty() {
            Err(Error::from(ErrorKind::NotFound))
        } else if self.symbolic {
            sys::symlink(&written, to)
        } else if self.logical {
            std::fs::canonicalize(source).and_then(|real| std::fs::hard_link(real, to))
        } else {
            std::fs::hard_link(source, to)
        };
        if let Err(error) = result {
            if let Some(place) = kept {
                // Move the backup back. The failure itself is reported.
                let _ = std::fs::rename(place, to);
            }
            let exists = error.kind() == ErrorKind::AlreadyExists;
            let why = if exists { "File exists".into() } else { text::reason(&error) };
            return Err(match self.symbolic {
                true if written.as_os_str().is_empty() => format!("failed to create symbolic link {there} -> '': {why}"),
                true => format!("failed to create symbolic link {there}: {why}"),
                false if exists => format!("failed to create hard link {there}: {why}"),
                false => format!("failed to create hard link {there} => {from}: {why}"),
            });
        }
        self.made.insert(to.to_path_buf());
        self.tell(&written, to, kept.as_deref());
        Ok(())
    }

    fn tell(&self, written: &Path, to: &Path, kept: Option<&Path>) {
        if self.verbose {
            let kept = kept.map(|kept| format!("{} ~ ", text::quote(kept))).unwrap_or_default();
            let arrow = if self.symbolic { "->" } else { "=>" };
            println!("{kept}{} {arrow} {}", text::quote(to), text::quote(written));
        }
    }
}

/// Returns the relative path from the directory of a link to its target.
fn way(source: &Path, link: &Path) -> PathBuf {
    let folder = link.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let (source, folder) = (real(source), real(folder));
    let common = source.components().zip(folder.components()).take_while(|(a, b)| a == b).count();
    let up = folder.components().skip(common).map(|_| Component::ParentDir);
    let way: PathBuf = up.chain(source.components().skip(common)).collect();
    if way.as_os_str().is_empty() { PathBuf::from(".") } else { way }
}

/// Returns the real path; of a file that does not exist, the path as given.
fn real(path: &Path) -> PathBuf {
    if let Ok(real) = std::fs::canonicalize(path) {
        return real;
    }
    let full = sys::absolute(path);
    match (full.parent(), full.components().next_back()) {
        (Some(parent), Some(Component::ParentDir)) => real(parent).parent().map_or_else(|| "/".into(), Path::to_path_buf),
        (Some(parent), Some(last)) => real(parent).join(last),
        _ => full,
    }
}
