//! Listing and extracting. Nothing leaves the folder of extraction: names with `..` are refused, roots are cut off, and
//! symbolic links that point outside are made when everything else is there.

use super::header::{Kind, Member};
use super::options::{Action, Existing, Options};
use super::read::{ReadStop, Reader};
use super::select::Wanted;
use super::{Stop, Tar};
use crate::sys;
use crate::text;
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// What remains to be done at the end.
#[derive(Default)]
struct Later {
    /// Modes and times of folders.
    folders: Vec<(PathBuf, Member)>,
    /// Links that point outside, with the placeholder file of each.
    links: Vec<(PathBuf, Member, u64)>,
}

impl Tar {
    /// Implements `-x` and `-t`.
    pub(crate) fn read(&mut self) -> Result<(), Stop> {
        let source = self.source()?;
        let mut reader = Reader::new(source);
        reader.ignore_zeros = self.options.ignore_zeros;
        let names = self.options.names.iter().map(|(_, name)| sys::arg_bytes(name).to_vec()).collect();
        let Options { wildcards, slash, recursive, .. } = self.options;
        let mut wanted = Wanted::new(names, wildcards, slash, recursive);
        wanted.anywhere = self.options.anywhere;
        // A -C applies to the names after it; after the last name it has no effect.
        let folder = self.options.names.first().map_or(&self.options.folder, |(folder, _)| folder);
        let base = Self::base(folder);
        if !base.as_os_str().is_empty()
            && let Err(error) = sys::stat(&base, true)
        {
            let shown = text::escape(sys::bytes(&base));
            return Err(self.fatal(&format!("{shown}: Cannot open: {}", text::reason(&error))));
        }
        let top = self.options.one_top_level.clone().map(|top| if top.is_empty() { self.top_level() } else { top });
        self.top = top.unwrap_or_default().into_bytes();
        let mut later = Later::default();
        loop {
            let member = match reader.next() {
                Ok(Some(member)) => member,
                Ok(None) => break,
                Err(error) => {
                    self.finish(later);
                    return self.cut(&error);
                }
            };
            if !wanted.hit(&member.name) || self.options.excludes.hit(&member.name) {
                continue;
            }
            if self.options.action == Action::List {
                let long = self.options.verbose > 0;
                let mut name = member.name.clone();
                if self.options.show_transformed {
                    match self.local_name(&name) {
                        Some(local) => name = local,
                        None => continue,
                    }
                }
                self.say(&member, &name, long, false);
                continue;
            }
            if let Err(error) = self.extract(&mut reader, &base, member, &mut later) {
                self.finish(later);
                return self.cut(&error);
            }
        }
        self.finish(later);
        let missed: Vec<String> = wanted.missed().map(text::escape).collect();
        if !self.options.wildcards && missed.iter().any(|name| name.contains(['*', '?', '['])) {
            eprintln!("tar: Pattern matching characters used in file names");
            eprintln!("tar: Use --wildcards to enable pattern matching, or --no-wildcards to suppress this warning");
        }
        for name in missed {
            self.complain(&format!("{name}: Not found in archive"));
        }
        Ok(())
    }

    fn top_level(&self) -> String {
        let name = self.archive_name();
        let name = name.rsplit('/').next().unwrap_or_default();
        let ends = [".tar.gz", ".tar.bz2", ".tar.xz", ".tar.zst", ".tgz", ".tbz2", ".txz", ".tar"];
        ends.iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name).to_owned()
    }

    /// Reports why the archive cannot be read further.
    fn cut(&mut self, error: &std::io::Error) -> Result<(), Stop> {
        let stop = ReadStop::of(error);
        match stop {
            Some(ReadStop::TooShort | ReadStop::NoHeader) => {
                self.complain(&error.to_string());
                return Ok(());
            }
            Some(ReadStop::NotAnArchive) => {
                self.complain(&error.to_string());
                self.complain(&ReadStop::NoHeader.to_string());
                return Ok(());
            }
            Some(ReadStop::Cut) | None => {}
        }
        let ends_early = error.kind() == ErrorKind::UnexpectedEof;
        if self.options.format.is_some() || ends_early {
            eprintln!("\n{}: stdin: {}", super::program(self.options.format), text::reason(error));
        }
        let message = if stop.is_some() || ends_early {
            ReadStop::Cut.to_string()
        } else {
            format!("{}: Cannot read: {}", self.archive_name(), text::reason(error))
        };
        Err(self.fatal(&message))
    }

    /// Returns the name of a member here; `None` if it is skipped.
    fn local_name(&mut self, name: &[u8]) -> Option<Vec<u8>> {
        let mut name = name.to_vec();
        if self.options.strip > 0 {
            let parts: Vec<&[u8]> = name.split(|b| *b == b'/').filter(|p| !p.is_empty()).collect();
            let rest = parts.get(self.options.strip..).filter(|rest| !rest.is_empty())?.join(&b"/"[..]);
            name = if name.ends_with(b"/") { [&rest[..], b"/"].concat() } else { rest };
        }
        let stored = !name.is_empty();
        name = self.transformed(name);
        if stored && name.is_empty() {
            return None;
        }
        if self.options.absolute {
            return Some(name);
        }
        if name.split(|b| *b == b'/').any(|part| part == b"..") {
            self.note("Removing leading `../' from member names");
            self.complain(&format!("{}: Member name contains '..'", text::escape(&name)));
            return None;
        }
        let start = name.iter().position(|b| *b != b'/').unwrap_or(name.len());
        if start > 0 {
            self.note("Removing leading `/' from member names");
        }
        let rest = name[start..].to_vec();
        let rest = if rest.is_empty() { b".".to_vec() } else { rest };
        // `--one-top-level`: what is not in it yet.
        let inside = self.top.is_empty() || (rest.starts_with(&self.top) && rest.get(self.top.len()).is_none_or(|b| *b == b'/'));
        Some(if inside { rest } else { [&self.top[..], b"/", &rest].concat() })
    }

    /// Extracts one member. The error is one of the archive; errors of files are reported and do not end the run.
    fn extract(&mut self, reader: &mut Reader<Box<dyn Read>>, base: &Path, member: Member, later: &mut Later) -> std::io::Result<()> {
        let Some(name) = self.local_name(&member.name) else { return Ok(()) };
        if self.options.verbose > 0 {
            let shown = if self.options.show_transformed { name.clone() } else { member.name.clone() };
            self.say(&member, &shown, self.options.verbose > 1, self.options.to_stdout);
        }
        if self.options.to_stdout {
            if member.kind == Kind::File {
                let mut out = std::io::stdout().lock();
                return copy(reader, &mut out).map_err(|(error, _)| error);
            }
            return Ok(());
        }
        let bare = name.strip_suffix(b"/").filter(|n| !n.is_empty()).unwrap_or(&name);
        let path = sys::join(base, bare);
        let shown = text::escape(bare);
        if member.kind == Kind::Dir {
            self.folder(&path, &shown, member, later);
            return Ok(());
        }
        if let Some(parent) = path.parent().filter(|p| !p.as_os_str().is_empty() && sys::stat(p, true).is_err())
            && let Err(error) = std::fs::create_dir_all(parent)
        {
            self.complain(&format!("{shown}: Cannot open: {}", text::reason(&error)));
            return Ok(());
        }
        // A hard link that is there already stays.
        let target = (member.kind == Kind::Hardlink).then(|| self.local_name(&member.link)).flatten().map(|name| sys::join(base, &name));
        if !self.make_room(&path, &shown, &member, target.as_deref()) {
            return Ok(());
        }
        match member.kind {
            Kind::File => return self.file(reader, &path, &shown, &member),
            Kind::Symlink => self.symlink(&path, &shown, member, later),
            Kind::Hardlink => self.hardlink(base, &path, &shown, &member),
            Kind::Fifo => match sys::mkfifo(&path, member.mode & 0o777) {
                Ok(()) => self.finish_file(&path, &shown, &member),
                Err(error) => self.complain(&format!("{shown}: Cannot mkfifo: {}", text::reason(&error))),
            },
            Kind::Dir | Kind::Other(b'V' | b'M') => {}
            Kind::Other(_) => self.complain(&format!("{shown}: Cannot mknod: Operation not permitted")),
        }
        Ok(())
    }

    /// Handles an existing file. Returns whether to continue.
    fn make_room(&mut self, path: &Path, shown: &str, member: &Member, target: Option<&Path>) -> bool {
        let Ok(there) = sys::stat(path, false) else { return true };
        if let Some(target) = target
            && sys::stat(target, false).is_ok_and(|stat| stat.same(&there))
        {
            return false;
        }
        match self.options.existing {
            Existing::Keep => {
                let what = match member.kind {
                    Kind::Symlink => format!("Cannot create symlink to '{}'", text::escape(&member.link)),
                    Kind::Hardlink => format!("Cannot hard link to '{}'", text::escape(&member.link)),
                    _ => "Cannot open".to_owned(),
                };
                self.complain(&format!("{shown}: {what}: File exists"));
                return false;
            }
            Existing::Skip => return false,
            Existing::KeepNewer if there.seconds() >= member.mtime => {
                eprintln!("tar: Current '{shown}' is newer or same age");
                return false;
            }
            Existing::Overwrite if there.kind == sys::Kind::File && member.kind == Kind::File => return true,
            _ => {}
        }
        if there.kind == sys::Kind::Dir {
            if std::fs::remove_dir(path).is_err() {
                self.complain(&format!("{shown}: Cannot open: Is a directory"));
                return false;
            }
        } else if let Err(error) = std::fs::remove_file(path) {
            self.complain(&format!("{shown}: Cannot unlink: {}", text::reason(&error)));
            return false;
        }
        true
    }

    fn mode(&self, mode: u32) -> u32 {
        if self.options.exact_modes { mode } else { mode & 0o777 & !sys::umask() }
    }

    fn finish_file(&mut self, path: &Path, shown: &str, member: &Member) {
        if let Err(error) = sys::set_mode(path, self.mode(member.mode)) {
            self.complain(&format!("{shown}: Cannot change mode: {}", text::reason(&error)));
        }
        self.set_times(path, shown, member, true);
    }

    fn set_times(&mut self, path: &Path, shown: &str, member: &Member, follow: bool) {
        if self.options.no_mtime {
            return;
        }
        let mtime = i128::from(member.mtime) * 1_000_000_000 + i128::from(member.nanos);
        if let Err(error) = sys::set_times(path, mtime, mtime, follow) {
            self.complain(&format!("{shown}: Cannot utime: {}", text::reason(&error)));
        }
    }

    fn folder(&mut self, path: &Path, shown: &str, member: Member, later: &mut Later) {
        match sys::stat(path, true) {
            Ok(there) if there.kind == sys::Kind::Dir => {}
            Ok(_) if !self.make_room(path, shown, &member, None) => return,
            _ => {
                if let Err(error) = std::fs::create_dir_all(path) {
                    self.complain(&format!("{shown}: Cannot mkdir: {}", text::reason(&error)));
                    return;
                }
            }
        }
        later.folders.push((path.to_path_buf(), member));
    }

    fn file(&mut self, reader: &mut Reader<Box<dyn Read>>, path: &Path, shown: &str, member: &Member) -> std::io::Result<()> {
        let mut file = match OpenOptions::new().write(true).create(true).truncate(true).open(path) {
            Ok(file) => file,
            Err(error) => {
                self.complain(&format!("{shown}: Cannot open: {}", text::reason(&error)));
                return Ok(());
            }
        };
        let copied = if reader.is_sparse() { fill(reader, member.size, &mut file) } else { copy(reader, &mut file) };
        match copied {
            Ok(()) => {}
            Err((error, true)) => self.complain(&format!("{shown}: Cannot write: {}", text::reason(&error))),
            Err((error, false)) => return Err(error),
        }
        drop(file);
        self.finish_file(path, shown, member);
        Ok(())
    }

    fn symlink(&mut self, path: &Path, shown: &str, member: Member, later: &mut Later) {
        let outside = member.link.starts_with(b"/") || member.link.split(|b| *b == b'/').any(|part| part == b"..");
        if outside && !self.options.absolute {
            // An empty file reserves the name, so that nothing can be written through the link.
            let kept = File::create_new(path).and_then(|_| sys::stat(path, false));
            match kept {
                Ok(stat) => later.links.push((path.to_path_buf(), member, stat.ino)),
                Err(error) => self.complain(&format!("{shown}: Cannot open: {}", text::reason(&error))),
            }
            return;
        }
        self.make_link(path, shown, &member);
    }

    fn make_link(&mut self, path: &Path, shown: &str, member: &Member) {
        match sys::symlink(&sys::path_from_bytes(&member.link), path) {
            Ok(()) => self.set_times(path, shown, member, false),
            Err(error) => {
                let target = text::escape(&member.link);
                self.complain(&format!("{shown}: Cannot create symlink to '{target}': {}", text::reason(&error)));
            }
        }
    }

    fn hardlink(&mut self, base: &Path, path: &Path, shown: &str, member: &Member) {
        let mut target = member.link.clone();
        if !self.options.absolute {
            if target.split(|b| *b == b'/').any(|part| part == b"..") {
                return self.complain(&format!("{}: Member name contains '..'", text::escape(&target)));
            }
            if target.starts_with(b"/") {
                self.note("Removing leading `/' from hard link targets");
                target.drain(..target.iter().position(|b| *b != b'/').unwrap_or(target.len()));
            }
        }
        if self.options.strip > 0 {
            match self.local_name(&target) {
                Some(name) => target = name,
                None => return,
            }
        }
        if let Err(error) = std::fs::hard_link(sys::join(base, &target), path) {
            self.complain(&format!("{shown}: Cannot hard link to '{}': {}", text::escape(&target), text::reason(&error)));
        }
    }

    /// Finishes the extraction: makes links that point outside, then sets the modes and times of folders, the inner ones first.
    fn finish(&mut self, later: Later) {
        for (path, member, ino) in later.links {
            let shown = text::escape(sys::bytes(&path));
            if sys::stat(&path, false).is_ok_and(|stat| stat.ino == ino && stat.kind == sys::Kind::File)
                && std::fs::remove_file(&path).is_ok()
            {
                self.make_link(&path, &shown, &member);
            }
        }
        for (path, member) in later.folders.into_iter().rev() {
            let shown = text::escape(sys::bytes(&path));
            self.finish_file(&path, &shown, &member);
        }
    }
}

/// Copies the data of a sparse member to a new file, which gets the same holes; the error says whether it came from writing.
fn fill(reader: &mut Reader<Box<dyn Read>>, size: u64, file: &mut File) -> Result<(), (std::io::Error, bool)> {
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let hole = reader.hole();
        if hole > 0 {
            file.seek(SeekFrom::Current(hole as i64)).map_err(|e| (e, true))?;
        }
        match reader.read(&mut buffer) {
            Ok(0) => return file.set_len(size).map_err(|e| (e, true)),
            Ok(count) => file.write_all(&buffer[..count]).map_err(|e| (e, true))?,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err((error, false)),
        }
    }
}

/// Copies a member's data; the error says whether it came from writing.
fn copy(reader: &mut dyn Read, out: &mut dyn Write) -> Result<(), (std::io::Error, bool)> {
    let mut buffer = vec![0; 64 * 1024];
    loop {
        match reader.read(&mut buffer) {
            Ok(0) => return out.flush().map_err(|e| (e, true)),
            Ok(count) => out.write_all(&buffer[..count]).map_err(|e| (e, true))?,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err((error, false)),
        }
    }
}
