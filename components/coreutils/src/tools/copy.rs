//! Copies files and trees with their modes and times, for `cp`, `mv` and `install`.

pub(crate) use super::backup::Backup;
use super::same::{self, Verdict};
use crate::sys::{self, Kind, Stat};
use crate::text;
use std::collections::{HashMap, HashSet};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// Which symbolic links are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Follow {
    /// None (`-P`).
    Never,
    /// Those given as arguments (`-H`).
    Arguments,
    /// All (`-L`).
    Always,
}

/// What happens to a file that is in the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Existing {
    /// It is overwritten.
    Replace,
    /// It stays (`-n`).
    Keep,
    /// It stays, and that is a failure (`--update=none-fail`).
    Refuse,
    /// The user is asked (`-i`).
    Ask,
}

/// How a file is copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Manner {
    /// Its bytes are copied.
    Bytes,
    /// Another name for it (`cp -l`).
    HardLink,
    /// A symbolic link to it (`cp -s`).
    SymbolicLink,
}

/// The options of a copy, and its state.
#[allow(clippy::struct_excessive_bools)]
pub(crate) struct Copier {
    /// The tool's name, for messages.
    pub name: &'static str,
    /// Copy directories with all their contents.
    pub recursive: bool,
    /// Which symbolic links are followed.
    pub follow: Follow,
    /// What happens to a file that is in the way.
    pub existing: Existing,
    /// How a file is copied.
    pub manner: Manner,
    /// Remove a file that cannot be opened for writing, and retry (`-f`).
    pub force: bool,
    /// Remove a file in the way first (`--remove-destination`).
    pub unlink_first: bool,
    /// Keep the mode.
    pub keep_mode: bool,
    /// New files get the mode of any new file (`--no-preserve=mode`).
    pub plain_mode: bool,
    /// Keep the times.
    pub keep_times: bool,
    /// Keep hard links between the copied files.
    pub keep_links: bool,
    /// Copy only if the source is newer (`-u`).
    pub update: bool,
    /// Report what is copied.
    pub verbose: bool,
    /// Report how each file is copied (`--debug`).
    pub debug: bool,
    /// Whether there are several sources: files made in this run are not overwritten then.
    pub several: bool,
    /// Copy only the attributes (`--attributes-only`).
    pub attributes_only: bool,
    /// Stay on the filesystem of this device.
    pub one_system: Option<u64>,
    /// Make a backup of each overwritten file.
    pub backup: Option<Backup>,
    /// The files copied so far, to keep hard links between them.
    pub copied: HashMap<(u64, u64), PathBuf>,
    /// The files made so far from the sources on the command line.
    pub made: HashSet<(u64, u64)>,
    /// The last backup made.
    kept: Option<PathBuf>,
    /// The sources seen so far, and their destinations.
    pub seen: HashSet<(u64, u64, PathBuf)>,
    /// Whether something went wrong.
    pub failed: bool,
}

impl Copier {
    /// Creates a copier that overwrites and keeps nothing.
    pub(crate) fn new(name: &'static str) -> Self {
        Self {
            name,
            recursive: false,
            follow: Follow::Always,
            existing: Existing::Replace,
            manner: Manner::Bytes,
            force: false,
            unlink_first: false,
            keep_mode: false,
            plain_mode: false,
            keep_times: false,
            keep_links: false,
            update: false,
            verbose: false,
            debug: false,
            several: false,
            attributes_only: false,
            one_system: None,
            backup: None,
            copied: HashMap::new(),
            made: HashSet::new(),
            kept: None,
            seen: HashSet::new(),
            failed: false,
        }
    }

    /// Reports a failure and remembers it.
    pub(crate) fn fail(&mut self, message: impl std::fmt::Display) {
        text::complain(self.name, message);
        self.failed = true;
    }

    fn fail_with(&mut self, what: &str, path: &Path, error: &std::io::Error) {
        self.fail(format!("{what} {}: {}", text::quote(path), text::reason(error)));
    }

    /// Copies `from`, an argument of the command line, to exactly `to`.
    pub(crate) fn copy(&mut self, from: &Path, to: &Path) {
        self.one(from, to, true);
    }

    fn one(&mut self, from: &Path, to: &Path, argument: bool) {
        let follow = self.follow == Follow::Always || (argument && self.follow == Follow::Arguments);
        let stat = match sys::stat(from, follow) {
            Ok(stat) => stat,
            Err(error) => return self.fail_with("cannot stat", from, &error),
        };
        if self.one_system.is_some_and(|dev| dev != stat.dev) {
            return;
        }
        let checked = argument && self.several && self.backup.is_none();
        if checked && !self.seen.insert((stat.dev, stat.ino, to.to_path_buf())) {
            let kind = if stat.is_dir() { "directory" } else { "file" };
            return text::complain(self.name, format!("warning: source {kind} {} specified more than once", text::quote(from)));
        }
        if stat.is_dir() {
            if !self.recursive {
                return self.fail(format!("-r not specified; omitting directory {}", text::quote(from)));
            }
            return self.directory(from, to, &stat, argument);
        }
        let Some(backup) = self.clear_the_way(from, to, &stat, argument) else { return };
        self.kept = backup;
        let linked = stat.nlink > 1 || self.follow != Follow::Never;
        let known = (self.keep_links && linked).then(|| self.copied.get(&(stat.dev, stat.ino)).cloned()).flatten();
        let done = match (known, self.manner, stat.kind) {
            (Some(first), _, _) => replace(to, || std::fs::hard_link(&first, to)),
            (None, Manner::HardLink, _) => {
                let real = if follow { std::fs::canonicalize(from).unwrap_or_else(|_| from.to_path_buf()) } else { from.to_path_buf() };
                replace(to, || std::fs::hard_link(&real, to))
            }
            (None, Manner::SymbolicLink, _) if from.is_relative() && to.parent().is_some_and(|p| !matches!(p.to_str(), Some("" | "."))) => {
                return self.fail(format!("{}: can make relative symbolic links only in current directory", text::quote(to)));
            }
            (None, Manner::SymbolicLink, _) => replace(to, || sys::symlink(from, to)),
            (None, Manner::Bytes, Kind::Link) => match std::fs::read_link(from) {
                Ok(_) if self.attributes_only && sys::stat(to, false).is_ok() => Err(std::io::Error::from_raw_os_error(libc::EEXIST)),
                Ok(target) => {
                    let there = sys::stat(to, false).is_ok();
                    let done = replace(to, || sys::symlink(&target, to));
                    if there && done.is_ok() {
                        self.say_removed(to);
                    }
                    done
                }
                Err(error) => return self.fail_with("cannot read symbolic link", from, &error),
            },
            // Reading it would take part in the pipe: a copy of a tree has a new one.
            (None, Manner::Bytes, Kind::Fifo) if self.recursive => return self.pipe(from, to, &stat),
            (None, Manner::Bytes, _) => return self.bytes(from, to, &stat),
        };
        match done {
            Ok(()) => {
                self.say(from, to);
                if self.keep_times && stat.is_link() {
                    let _ = sys::set_times(to, stat.atime, stat.mtime, false);
                }
                self.remember(&stat, to);
            }
            Err(error) if self.manner == Manner::Bytes && stat.is_link() => self.fail_with("cannot create symbolic link", to, &error),
            Err(error) => self.cannot_link(from, to, &text::reason(&error)),
        }
    }

    fn cannot_link(&mut self, from: &Path, to: &Path, why: &str) {
        let kind = if self.manner == Manner::SymbolicLink { "symbolic" } else { "hard" };
        self.fail(format!("cannot create {kind} link {} to {}: {why}", text::quote(to), text::quote(from)));
    }

    /// Decides what happens to the file at `to`. `None` if the copy must not continue, else the backup, if one was made.
    fn clear_the_way(&mut self, from: &Path, to: &Path, stat: &Stat, argument: bool) -> Option<Option<PathBuf>> {
        let Ok(there) = sys::stat(to, false) else { return Some(None) };
        let old = sys::stat(to, true).unwrap_or_else(|_| there.clone());
        let keep = self.existing == Existing::Keep || (self.update && old.mtime >= stat.mtime);
        if keep || self.existing == Existing::Refuse {
            if self.existing == Existing::Refuse {
                self.fail(format!("not replacing {}", text::quote(to)));
            } else if self.debug {
                println!("skipped {}", text::quote(to));
            }
            return None;
        }
        if there.is_dir() || (old.is_dir() && !stat.is_link()) {
            self.fail(format!("cannot overwrite directory {} with non-directory", text::quote(to)));
            return None;
        }
        if argument && self.several && self.made.contains(&(there.dev, there.ino)) && self.backup != Some(Backup::Numbered) {
            if there.is_link() && !stat.is_link() && self.manner == Manner::Bytes {
                self.fail(format!("will not copy {} through just-created symlink {}", text::quote(from), text::quote(to)));
                return None;
            }
            self.fail(format!("will not overwrite just-created {} with {}", text::quote(to), text::quote(from)));
            return None;
        }
        let verdict = same::verdict(self, from, to, stat, &there);
        if self.existing == Existing::Ask && !matches!(verdict, Verdict::Same) {
            let question = if self.force && old.mode & 0o222 == 0 {
                let letters = crate::mode::letters(old.kind, old.mode);
                format!("{}: replace {}, overriding mode {:04o} ({})? ", self.name, text::quote(to), old.mode, &letters[1..])
            } else {
                format!("{}: overwrite {}? ", self.name, text::quote(to))
            };
            if !ask(&question) {
                return None;
            }
        }
        match verdict {
            Verdict::Go => {}
            Verdict::Done => return None,
            Verdict::Same => {
                self.fail(format!("{} and {} are the same file", text::quote(from), text::quote(to)));
                return None;
            }
            Verdict::Exists => {
                self.cannot_link(from, to, "File exists");
                return None;
            }
            Verdict::CopyToBackup => {
                let place = self.backup.take().map(|b| b.place(to));
                if let Some(place) = place {
                    let manner = std::mem::replace(&mut self.manner, Manner::Bytes);
                    self.bytes(from, &place, stat);
                    self.manner = manner;
                }
                return None;
            }
        }
        if let Some(backup) = &self.backup {
            if backup.destroys(from, to) {
                self.fail(format!("backing up {} might destroy source;  {} not copied", text::quote(to), text::quote(from)));
                return None;
            }
            let place = backup.place(to);
            if let Err(error) = std::fs::rename(to, &place) {
                self.fail_with("cannot backup", to, &error);
                return None;
            }
            return Some(Some(place));
        }
        if self.unlink_first {
            if let Err(error) = std::fs::remove_file(to) {
                self.fail_with("cannot remove", to, &error);
                return None;
            }
            self.say_removed(to);
        }
        Some(None)
    }

    fn say_removed(&self, path: &Path) {
        if self.verbose {
            println!("removed {}", text::quote(path));
        }
    }

    fn bytes(&mut self, from: &Path, to: &Path, stat: &Stat) {
        let mut source = match std::fs::File::open(from) {
            Ok(file) => file,
            Err(error) => return self.fail(format!("cannot open {} for reading: {}", text::quote(from), text::reason(&error))),
        };
        // A link to itself leads nowhere, so -f removes it.
        if self.force && sys::stat(to, true).is_err_and(|e| e.raw_os_error() == Some(libc::ELOOP)) && std::fs::remove_file(to).is_ok() {
            self.say_removed(to);
        }
        let new = sys::stat(to, true).is_err();
        if new && sys::stat(to, false).is_ok() && std::env::var_os("POSIXLY_CORRECT").is_none() {
            return self.fail(format!("not writing through dangling symlink {}", text::quote(to)));
        }
        let create = || std::fs::OpenOptions::new().write(true).create(true).truncate(!self.attributes_only).open(to);
        let opened = create().or_else(|error| {
            if self.force && !new && std::fs::remove_file(to).is_ok() {
                self.say_removed(to);
                return create();
            }
            Err(error)
        });
        let slash = to.as_os_str().as_encoded_bytes().ends_with(b"/");
        let mut target = match opened {
            Ok(file) => file,
            Err(_) if slash && new => return self.fail(format!("cannot create regular file {}: Not a directory", text::quote(to))),
            Err(error) => return self.fail_with("cannot create regular file", to, &error),
        };
        if !self.attributes_only {
            let mut buffer = text::buffer();
            loop {
                let step = match source.read(&mut buffer) {
                    Ok(0) => break,
                    Ok(n) => target.write_all(&buffer[..n]).map(|()| n).map_err(|e| ("error writing", to, e)),
                    Err(e) => Err(("error reading", from, e)),
                };
                match step {
                    Ok(filled) => text::widen(&mut buffer, filled),
                    Err((what, path, error)) => return self.fail_with(what, path, &error),
                }
            }
        }
        drop(target);
        self.say(from, to);
        // A new file gets the source's permissions without the bits of the umask.
        if self.keep_mode {
            self.set_mode(to, stat.mode);
        } else if new {
            let wanted = if self.plain_mode { 0o666 } else { stat.mode & 0o777 };
            self.set_mode(to, wanted & !sys::umask());
        }
        if self.keep_times
            && let Err(error) = sys::set_times(to, stat.atime, stat.mtime, true)
        {
            self.fail_with("preserving times for", to, &error);
        }
        self.remember(stat, to);
    }

    fn pipe(&mut self, from: &Path, to: &Path, stat: &Stat) {
        let wanted = if self.plain_mode { 0o666 } else { stat.mode & 0o777 };
        let done = replace(to, || sys::mkfifo(to, wanted));
        if let Err(error) = done {
            return self.fail_with("cannot create fifo", to, &error);
        }
        self.say(from, to);
        if self.keep_mode {
            self.set_mode(to, stat.mode);
        }
        if self.keep_times
            && let Err(error) = sys::set_times(to, stat.atime, stat.mtime, true)
        {
            self.fail_with("preserving times for", to, &error);
        }
        self.remember(stat, to);
    }

    fn set_mode(&mut self, path: &Path, mode: u32) {
        if sys::stat(path, true).is_ok_and(|s| s.mode == mode) {
            return;
        }
        if let Err(error) = sys::set_mode(path, mode) {
            // Mounted host directories keep their own modes. That is no error of a plain copy.
            if self.keep_mode {
                self.fail_with("preserving permissions for", path, &error);
            }
        }
    }

    fn directory(&mut self, from: &Path, to: &Path, stat: &Stat, argument: bool) {
        let source = std::fs::canonicalize(from);
        // Below the argument, a link in the way is not followed, because it may lead out of the tree.
        let existing = sys::stat(to, argument || self.follow == Follow::Always).ok().or_else(|| sys::stat(to, false).ok());
        // The place of the copy: inside its own source, copying would never end.
        let parent = to.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if let (Ok(source), Ok(place)) = (source, std::fs::canonicalize(if existing.is_some() { to } else { parent }))
            && place.starts_with(&source)
        {
            return self.fail(format!("cannot copy a directory, {}, into itself, {}", text::quote(from), text::quote(to)));
        }
        let new = existing.is_none();
        match existing {
            Some(old) if old.is_dir() => {}
            Some(_) => {
                return self.fail(format!("cannot overwrite non-directory {} with directory {}", text::quote(to), text::quote(from)));
            }
            None => {
                if let Err(error) = std::fs::create_dir(to) {
                    return self.fail_with("cannot create directory", to, &error);
                }
                self.say(from, to);
            }
        }
        let mut names: Vec<_> = match std::fs::read_dir(from) {
            Ok(list) => list.flatten().map(|item| item.file_name()).collect(),
            Err(error) => return self.fail_with("cannot access", from, &error),
        };
        names.sort();
        for name in names {
            self.one(&from.join(&name), &to.join(&name), false);
        }
        if self.keep_mode {
            self.set_mode(to, stat.mode);
        } else if new {
            let wanted = if self.plain_mode { 0o777 } else { stat.mode & 0o777 };
            self.set_mode(to, wanted & !sys::umask());
        }
        if self.keep_times {
            let _ = sys::set_times(to, stat.atime, stat.mtime, true);
        }
    }

    fn remember(&mut self, stat: &Stat, to: &Path) {
        if self.several
            && let Ok(new) = sys::stat(to, false)
        {
            self.made.insert((new.dev, new.ino));
        }
        if self.keep_links {
            self.copied.insert((stat.dev, stat.ino), to.to_path_buf());
        }
    }

    fn say(&self, from: &Path, to: &Path) {
        if self.verbose {
            let backup = self.kept.as_ref().map(|b| format!(" (backup: {})", text::quote(b))).unwrap_or_default();
            println!("{} -> {}{backup}", text::quote(from), text::quote(to));
        }
        if self.debug {
            println!("copy offload: unknown, reflink: unsupported, sparse detection: no");
        }
    }
}

/// Makes a file at `to`; removes a file in the way if allowed.
fn replace(to: &Path, make: impl Fn() -> std::io::Result<()>) -> std::io::Result<()> {
    match make() {
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            std::fs::remove_file(to)?;
            make()
        }
        other => other,
    }
}

/// Asks a question on standard error. Returns whether the reply begins with y.
pub(crate) fn ask(question: &str) -> bool {
    eprint!("{question}");
    let mut answer = String::new();
    std::io::stdin().read_line(&mut answer).is_ok() && answer.trim_start().starts_with(['y', 'Y'])
}

/// Returns the last component of `path` inside `dir`.
pub(crate) fn inside(dir: &Path, path: &Path) -> PathBuf {
    let bytes = path.as_os_str().as_encoded_bytes();
    let contents = bytes.ends_with(b"/.") || bytes.ends_with(b"/./");
    match path.file_name() {
        Some(name) if !contents => dir.join(name),
        Some(_) => dir.join("."),
        None => dir.to_path_buf(),
    }
}
