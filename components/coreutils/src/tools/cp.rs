//! `cp`. The version of uutils loses mode bits on WASI, so copied scripts would not run.

use super::copy::{Backup, Copier, Existing, Follow, Manner, inside};
use crate::operands::Destination;
use crate::options::{Given, Line, Opt, Syntax, flag, maybe, value};
use crate::{operands, sys, text};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

const OPTIONS: &[Opt] = &[
    flag("a", "archive", "as -dR --preserve=all"),
    flag("", "attributes-only", "no contents, only attributes"),
    maybe("", "backup", "keep a backup of overwritten files: simple, numbered"),
    flag("b", "", "as --backup=simple"),
    flag("", "copy-contents", ""),
    flag("", "debug", "say how each file is copied; as -v"),
    flag("d", "", "as -P --preserve=links"),
    flag("f", "force", "remove a file that cannot be written, and try again"),
    flag("i", "interactive", "ask before overwriting"),
    flag("H", "", "follow symbolic links given as arguments"),
    flag("l", "link", "hard links instead of copies"),
    flag("L", "dereference", "follow symbolic links"),
    flag("n", "no-clobber", "never overwrite"),
    flag("P", "no-dereference", "copy symbolic links themselves"),
    flag("p", "", "as --preserve=mode,ownership,timestamps"),
    maybe("", "preserve", "keep mode, ownership, timestamps, links, all"),
    value("", "no-preserve", "do not keep these"),
    flag("", "parents", "keep the directories of the source's name"),
    flag("Rr", "recursive", "directories with all their contents"),
    maybe("", "reflink", ""),
    flag("", "remove-destination", "remove a file in the way first"),
    value("", "sparse", ""),
    flag("", "strip-trailing-slashes", "take slashes off the ends of the sources"),
    flag("s", "symbolic-link", "symbolic links instead of copies"),
    value("S", "suffix", "the suffix of backups"),
    value("t", "target-directory", "copy into directory VALUE"),
    flag("T", "no-target-directory", "the destination is a file, not a directory to copy into"),
    flag("u", "", "only when newer"),
    maybe("", "update", "only when newer: older, all, none"),
    flag("v", "verbose", "say what is copied"),
    flag("x", "one-file-system", "do not enter mounts"),
    flag("Z", "context", ""),
];

const SYNTAX: Syntax = Syntax {
    usage: "[OPTION]... [-T] SOURCE DEST\n[OPTION]... SOURCE... DIRECTORY\n[OPTION]... -t DIRECTORY SOURCE...",
    about: "Copy SOURCE to DEST, or SOURCEs into DIRECTORY.",
    options: OPTIONS,
    ..Syntax::COMMON
};

/// Runs `cp`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    SYNTAX.run(&args, |args, line| run(args, &line).unwrap_or_else(|status| status))
}

fn run(args: &[OsString], line: &Line) -> Result<u8, u8> {
    let (mut c, clone) = Reading::copier(args, line)?;
    let Destination { mut sources, path: dest, is_dir } = operands::destination(&SYNTAX, args, line, false)?;
    let parents = line.has("parents");
    if parents && !is_dir {
        return Err(SYNTAX.misuse(args, "with --parents, the destination must be a directory"));
    }
    if line.has("strip-trailing-slashes") {
        operands::strip_slashes(&mut sources);
    }
    c.several = sources.len() > 1;
    if clone {
        text::complain("cp", format!("failed to clone {} from {}: Operation not supported", text::quote(&dest), text::quote(&sources[0])));
        return Err(1);
    }
    for from in sources {
        if line.has("one-file-system") {
            c.one_system = sys::stat(&from, true).ok().map(|s| s.dev);
        }
        match is_dir {
            true if parents => copy_with_parents(&mut c, &from, &dest),
            true => c.copy(&from, &inside(&dest, &from)),
            false if file_as_directory(&from, &dest) => {
                c.fail(format!("cannot create regular file {}: Not a directory", text::quote(&dest)));
            }
            false => c.copy(&from, &dest),
        }
    }
    Ok(u8::from(c.failed))
}

/// Returns whether a file is to be copied to a name that ends with a slash and does not exist.
fn file_as_directory(from: &Path, dest: &Path) -> bool {
    let slash = dest.as_os_str().as_encoded_bytes().ends_with(b"/");
    slash && sys::stat(dest, true).is_err() && sys::stat(from, true).is_ok_and(|s| !s.is_dir())
}

/// The options read so far, and those that are settled when all are read.
struct Reading {
    copier: Copier,
    follow: Option<Follow>,
    /// `--reflink` or `--reflink=always`: share the blocks or fail.
    clone: bool,
    /// `--sparse` with another word than `auto`.
    sparse: bool,
}

impl Reading {
    /// Returns the copier that the options ask for, and whether it must clone.
    fn copier(args: &[OsString], line: &Line) -> Result<(Copier, bool), u8> {
        let mut reading = Self { copier: Copier::new("cp"), follow: None, clone: false, sparse: false };
        for given in &line.options {
            reading.option(args, line, given)?;
        }
        let Self { copier: mut c, follow, clone, sparse } = reading;
        c.follow = follow.unwrap_or(if c.recursive && c.manner != Manner::HardLink { Follow::Never } else { Follow::Always });
        if c.backup.is_some() && matches!(c.existing, Existing::Keep | Existing::Refuse) {
            let other = if line.has("no-clobber") { "--no-clobber" } else { "--update=none-fail" };
            return Err(SYNTAX.misuse(args, &format!("options --backup and {other} are mutually exclusive")));
        }
        if clone && sparse {
            return Err(SYNTAX.misuse(args, "--reflink can be used only with --sparse=auto"));
        }
        Ok((c, clone))
    }

    fn option(&mut self, args: &[OsString], line: &Line, given: &Given) -> Result<(), u8> {
        let value = given.text();
        let c = &mut self.copier;
        match given.key {
            "archive" => {
                (c.recursive, c.keep_mode, c.keep_times, c.keep_links, c.plain_mode) = (true, true, true, true, false);
                self.follow = Some(Follow::Never);
            }
            "attributes-only" => c.attributes_only = true,
            "backup" => c.backup = Backup::parse(&value, line.last_text("suffix")),
            "b" => c.backup = Backup::parse("", line.last_text("suffix")),
            "suffix" if c.backup.is_none() => c.backup = Backup::parse("", Some(value)),
            "d" => (self.follow, c.keep_links) = (Some(Follow::Never), true),
            "force" => c.force = true,
            "interactive" => c.existing = Existing::Ask,
            "no-clobber" => c.existing = Existing::Keep,
            "H" => self.follow = Some(Follow::Arguments),
            "dereference" => self.follow = Some(Follow::Always),
            "no-dereference" => self.follow = Some(Follow::Never),
            "link" => c.manner = Manner::HardLink,
            "symbolic-link" => c.manner = Manner::SymbolicLink,
            "p" => (c.keep_mode, c.keep_times) = (true, true),
            "preserve" => preserve(c, args, given, true)?,
            "no-preserve" => preserve(c, args, given, false)?,
            "recursive" => c.recursive = true,
            "remove-destination" => c.unlink_first = true,
            "u" => c.update = true,
            "update" => match value.as_str() {
                "" | "older" => c.update = true,
                "all" => (c.update, c.existing) = (false, Existing::Replace),
                "none" => c.existing = Existing::Keep,
                "none-fail" => c.existing = Existing::Refuse,
                _ => return Err(SYNTAX.misuse(args, &format!("invalid argument {} for '--update'", text::quote(value)))),
            },
            "reflink" => match value.as_str() {
                "" | "always" => self.clone = true,
                "auto" | "never" => {}
                _ => return Err(wrong_word(args, given, ["auto", "always", "never"])),
            },
            "sparse" => match value.as_str() {
                "auto" | "always" | "never" => self.sparse = value != "auto",
                _ => return Err(wrong_word(args, given, ["never", "auto", "always"])),
            },
            "debug" => (c.debug, c.verbose) = (true, true),
            "verbose" => c.verbose = true,
            _ => {}
        }
        Ok(())
    }
}

/// Implements `--preserve`, which turns the attributes in its list on, and `--no-preserve`, which turns them off.
fn preserve(c: &mut Copier, args: &[OsString], given: &Given, on: bool) -> Result<(), u8> {
    let value = given.text();
    let list = if value.is_empty() { "mode,timestamps" } else { value.as_str() };
    for word in list.split(',') {
        let known = ["mode", "timestamps", "ownership", "links", "context", "xattr", "all"];
        match known.into_iter().find(|k| !word.is_empty() && k.starts_with(word)) {
            Some("mode") => (c.keep_mode, c.plain_mode) = (on, !on),
            Some("timestamps") => c.keep_times = on,
            Some("links") => c.keep_links = on,
            Some("all") => (c.keep_mode, c.keep_times, c.keep_links, c.plain_mode) = (on, on, on, !on),
            Some("context") if on => {
                text::complain("cp", "cannot preserve security context without an SELinux-enabled kernel");
                return Err(1);
            }
            Some(_) => {}
            None => return Err(SYNTAX.misuse(args, &format!("invalid argument {} for '--{}'", text::quote(word), given.key))),
        }
    }
    Ok(())
}

/// Reports a word that an option does not take, with those that it takes.
fn wrong_word(args: &[OsString], given: &Given, words: [&str; 3]) -> u8 {
    let list: String = words.iter().map(|w| format!("\n  - '{w}'")).collect();
    let message = format!("invalid argument {} for '--{}'\nValid arguments are:{list}", text::quote(given.text()), given.key);
    SYNTAX.misuse(args, &message)
}

/// Implements `--parents`: copies a source below the directories of its name, and gives these the times of theirs.
fn copy_with_parents(c: &mut Copier, from: &Path, dest: &Path) {
    let mut above = Vec::new();
    let Some(to) = make_parents(c, from, dest, &mut above) else { return };
    c.copy(from, &to);
    if c.keep_times {
        for (made, stat) in above.iter().rev() {
            let _ = sys::set_times(made, stat.atime, stat.mtime, true);
        }
    }
}

/// Makes the directories of the source's name below the target, with their modes. `above` gets them and what they copy.
fn make_parents(c: &mut Copier, from: &Path, dest: &Path, above: &mut Vec<(PathBuf, sys::Stat)>) -> Option<PathBuf> {
    let relative = from.strip_prefix("/").unwrap_or(from);
    let (mut source, mut made) = (PathBuf::from(if from.has_root() { "/" } else { "" }), dest.to_path_buf());
    for part in relative.parent().into_iter().flat_map(Path::iter) {
        source.push(part);
        made.push(part);
        above.extend(sys::stat(&source, true).map(|stat| (made.clone(), stat)));
        if sys::stat(&made, true).is_ok_and(|s| s.is_dir()) {
            continue;
        }
        if let Err(error) = std::fs::create_dir(&made) {
            c.fail(format!("cannot make directory {}: {}", text::quote(&made), text::reason(&error)));
            return None;
        }
        if c.verbose {
            println!("{} -> {}", source.display(), made.display());
        }
        if let Ok(stat) = sys::stat(&source, true) {
            let _ = sys::set_mode(&made, stat.mode);
        }
    }
    if relative.file_name().is_none() && relative.components().next().is_some() {
        // `a/..` below the target is the target itself.
        c.fail(format!("cannot create directory {}: File exists", text::quote(dest.join(relative))));
        return None;
    }
    Some(dest.join(relative))
}
