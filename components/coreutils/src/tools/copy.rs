//! Copying files and trees with their modes and times: what `cp`, `mv` and `install` share.

use crate::sys::{self, Kind, Stat};
use crate::text;
use std::collections::HashMap;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// Which symbolic links are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Follow {
    /// None (`-P`).
    Never,
    /// Those given as arguments (`-H`).
    Arguments,
    /// All (`-L`).
    Always,
}

/// What happens to a file that is in the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Existing {
    /// It is overwritten.
    Replace,
    /// It stays (`-n`).
    Keep,
    /// The user is asked (`-i`).
    Ask,
}

/// How a copy is made of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// Its bytes are copied.
    Bytes,
    /// Another name for it (`cp -l`).
    HardLink,
    /// A symbolic link to it (`cp -s`).
    SymbolicLink,
}

/// A copy's options, and what happened so far.
#[allow(clippy::struct_excessive_bools)]
pub struct Copier {
    /// The tool's name, for messages.
    pub name: &'static str,
    /// Directories with all they hold.
    pub recursive: bool,
    /// Which symbolic links are followed.
    pub follow: Follow,
    /// What happens to a file in the way.
    pub existing: Existing,
    /// How a file is copied.
    pub manner: Manner,
    /// Remove a file that cannot be opened for writing, and try again (`-f`).
    pub force: bool,
    /// Remove a file in the way first (`--remove-destination`).
    pub unlink_first: bool,
    /// Keep the mode.
    pub keep_mode: bool,
    /// Keep the times.
    pub keep_times: bool,
    /// Keep hard links among the copied files.
    pub keep_links: bool,
    /// Only when the source is newer (`-u`).
    pub update: bool,
    /// Say what is copied.
    pub verbose: bool,
    /// Only the attributes (`--attributes-only`).
    pub attributes_only: bool,
    /// Stay on the filesystem of this device.
    pub one_system: Option<u64>,
    /// The suffix for a copy of what is overwritten.
    pub backup: Option<Backup>,
    /// Files copied before, to keep links among them.
    pub copied: HashMap<(u64, u64), PathBuf>,
    /// Whether something went wrong.
    pub failed: bool,
}

/// How what is overwritten is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Backup {
    /// `NAME~`, or another suffix.
    Simple(String),
    /// As `Numbered` where there are numbered ones, else as `Simple`.
    Existing(String),
    /// `NAME.~1~`.
    Numbered,
}

impl Backup {
    /// Read the value of `--backup[=CONTROL]`.
    pub fn parse(control: &str, suffix: Option<String>) -> Option<Backup> {
        let suffix = suffix.or_else(|| std::env::var("SIMPLE_BACKUP_SUFFIX").ok()).unwrap_or_else(|| "~".into());
        match control {
            "none" | "off" => None,
            "numbered" | "t" => Some(Backup::Numbered),
            "simple" | "never" => Some(Backup::Simple(suffix)),
            _ => Some(Backup::Existing(suffix)),
        }
    }

    /// Where `path` is moved out of the way.
    pub fn place(&self, path: &Path) -> PathBuf {
        let with = |suffix: &str| {
            let mut name = path.as_os_str().to_owned();
            name.push(suffix);
            PathBuf::from(name)
        };
        let numbered = || sys::stat(&with(".~1~"), false).is_ok();
        match self {
            Backup::Simple(suffix) => with(suffix),
            Backup::Existing(suffix) if !numbered() => with(suffix),
            _ => (1u64..).map(|n| with(&format!(".~{n}~"))).find(|p| sys::stat(p, false).is_err()).unwrap_or_else(|| with("~")),
        }
    }
}

impl Copier {
    /// A copier that overwrites and keeps nothing.
    pub fn new(name: &'static str) -> Copier {
        Copier {
            name,
            recursive: false,
            follow: Follow::Always,
            existing: Existing::Replace,
            manner: Manner::Bytes,
            force: false,
            unlink_first: false,
            keep_mode: false,
            keep_times: false,
            keep_links: false,
            update: false,
            verbose: false,
            attributes_only: false,
            one_system: None,
            backup: None,
            copied: HashMap::new(),
            failed: false,
        }
    }

    /// Report a failure and remember it.
    pub fn fail(&mut self, message: impl std::fmt::Display) {
        text::complain(self.name, message);
        self.failed = true;
    }

    fn fail_with(&mut self, what: &str, path: &Path, error: &std::io::Error) {
        self.fail(format!("{what} {}: {}", text::quote(path), text::reason(error)));
    }

    /// Copy `from`, an argument of the command line, to exactly `to`.
    pub fn copy(&mut self, from: &Path, to: &Path) {
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
        if stat.is_dir() {
            if !self.recursive {
                return self.fail(format!("-r not specified; omitting directory {}", text::quote(from)));
            }
            return self.directory(from, to, &stat);
        }
        if !self.clear_the_way(from, to, &stat) {
            return;
        }
        let known = (self.keep_links && stat.nlink > 1).then(|| self.copied.get(&(stat.dev, stat.ino)).cloned()).flatten();
        let done = match (known, self.manner, stat.kind) {
            (Some(first), _, _) => replace(to, || std::fs::hard_link(&first, to)),
            (None, Manner::HardLink, _) => replace(to, || std::fs::hard_link(from, to)),
            (None, Manner::SymbolicLink, _) => replace(to, || sys::symlink(from, to)),
            (None, Manner::Bytes, Kind::Link) => match std::fs::read_link(from) {
                Ok(target) => replace(to, || sys::symlink(&target, to)),
                Err(error) => return self.fail_with("cannot read symbolic link", from, &error),
            },
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
            Err(error) if stat.is_link() => self.fail_with("cannot create symbolic link", to, &error),
            Err(error) => self.fail(format!("cannot create link {} to {}: {}", text::quote(to), text::quote(from), text::reason(&error))),
        }
    }

    /// Decide about what is at `to`; whether the copy goes on.
    fn clear_the_way(&mut self, from: &Path, to: &Path, stat: &Stat) -> bool {
        let Ok(old) = sys::stat(to, true).or_else(|_| sys::stat(to, false)) else {
            return true;
        };
        if self.existing == Existing::Keep || (self.update && old.mtime >= stat.mtime) {
            return false;
        }
        if old.is_dir() {
            self.fail(format!("cannot overwrite directory {} with non-directory", text::quote(to)));
            return false;
        }
        if self.manner == Manner::Bytes && old.same(stat) && !(self.keep_links && stat.is_link()) && self.backup.is_none() {
            let both_names = sys::stat(to, false).is_ok_and(|s| s.same(stat)) || !stat.is_link();
            if both_names && !self.unlink_first {
                self.fail(format!("{} and {} are the same file", text::quote(from), text::quote(to)));
                return false;
            }
        }
        if self.existing == Existing::Ask && !ask(&format!("{}: overwrite {}? ", self.name, text::quote(to))) {
            return false;
        }
        if let Some(backup) = &self.backup {
            let place = backup.place(to);
            if let Err(error) = std::fs::rename(to, &place) {
                self.fail_with("cannot backup", to, &error);
                return false;
            }
            return true;
        }
        if self.unlink_first
            && let Err(error) = std::fs::remove_file(to)
        {
            self.fail_with("cannot remove", to, &error);
            return false;
        }
        true
    }

    fn bytes(&mut self, from: &Path, to: &Path, stat: &Stat) {
        let new = sys::stat(to, true).is_err();
        if new && sys::stat(to, false).is_ok() && !self.force {
            return self.fail(format!("not writing through dangling symlink {}", text::quote(to)));
        }
        let mut source = match std::fs::File::open(from) {
            Ok(file) => file,
            Err(error) => return self.fail(format!("cannot open {} for reading: {}", text::quote(from), text::reason(&error))),
        };
        let create = || std::fs::OpenOptions::new().write(true).create(true).truncate(!self.attributes_only).open(to);
        let opened = create().or_else(|error| if self.force && !new && std::fs::remove_file(to).is_ok() { create() } else { Err(error) });
        let mut target = match opened {
            Ok(file) => file,
            Err(error) => return self.fail_with("cannot create regular file", to, &error),
        };
        if !self.attributes_only {
            let mut buffer = vec![0; 128 * 1024];
            loop {
                let step = match source.read(&mut buffer) {
                    Ok(0) => break,
                    Ok(n) => target.write_all(&buffer[..n]).map_err(|e| ("error writing", to, e)),
                    Err(e) => Err(("error reading", from, e)),
                };
                if let Err((what, path, error)) = step {
                    return self.fail_with(what, path, &error);
                }
            }
        }
        drop(target);
        self.say(from, to);
        // A new file has the source's permissions without those the umask takes.
        if self.keep_mode {
            self.set_mode(to, stat.mode);
        } else if new {
            self.set_mode(to, stat.mode & 0o777 & !crate::mode::UMASK);
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
            // Mounted host directories keep the modes they have; a plain copy is not wrong for that.
            if self.keep_mode {
                self.fail_with("preserving permissions for", path, &error);
            }
        }
    }

    fn directory(&mut self, from: &Path, to: &Path, stat: &Stat) {
        let source = std::fs::canonicalize(from);
        let existing = sys::stat(to, true).ok();
        // The copy's place once it exists: inside the source it would never end.
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
            self.set_mode(to, stat.mode & 0o777 & !crate::mode::UMASK);
        }
        if self.keep_times {
            let _ = sys::set_times(to, stat.atime, stat.mtime, true);
        }
    }

    fn remember(&mut self, stat: &Stat, to: &Path) {
        if self.keep_links && stat.nlink > 1 {
            self.copied.insert((stat.dev, stat.ino), to.to_path_buf());
        }
    }

    fn say(&self, from: &Path, to: &Path) {
        if self.verbose {
            println!("{} -> {}", text::quote(from), text::quote(to));
        }
    }
}

/// Make something at `to`, removing what is there if it is in the way.
fn replace(to: &Path, make: impl Fn() -> std::io::Result<()>) -> std::io::Result<()> {
    match make() {
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            std::fs::remove_file(to)?;
            make()
        }
        other => other,
    }
}

/// Ask a question on standard error; whether the answer begins with y.
pub fn ask(question: &str) -> bool {
    eprint!("{question}");
    let mut answer = String::new();
    std::io::stdin().read_line(&mut answer).is_ok() && answer.trim_start().starts_with(['y', 'Y'])
}

/// The file of `path`'s last component inside `dir`.
pub fn inside(dir: &Path, path: &Path) -> PathBuf {
    match path.file_name() {
        Some(name) => dir.join(name),
        None => dir.to_path_buf(),
    }
}
