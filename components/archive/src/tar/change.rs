//! Compares archives with files, or changes them in place: `-d`, `-A`, `--delete`.

use super::header::{BLOCK, Kind, Member};
use super::read::Reader;
use super::select::Wanted;
use super::{Stop, Tar};
use crate::sys;
use crate::text;
use std::fs::{File, OpenOptions};
use std::io::{BufReader, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;

/// A member and where it is in the archive.
type Placed = (Vec<u8>, Range<u64>);

/// Returns the members of an archive.
fn members(file: &mut File) -> std::io::Result<Vec<Placed>> {
    file.rewind()?;
    let mut reader = Reader::new(BufReader::new(file));
    let mut all: Vec<Placed> = Vec::new();
    loop {
        let member = reader.next()?;
        // The first member's position is reported as 1.
        let at = reader.end_of_members() & !1;
        if let Some((_, range)) = all.last_mut() {
            range.end = at;
        }
        match member {
            Some(member) => all.push((member.name, at..at)),
            None => return Ok(all),
        }
    }
}

/// Copies a part of a file to the current position of another.
fn copy(from: &mut File, range: &Range<u64>, to: &mut File) -> std::io::Result<()> {
    from.seek(SeekFrom::Start(range.start))?;
    std::io::copy(&mut from.take(range.end - range.start), to).map(drop)
}

impl Tar {
    fn names(&mut self) -> Wanted {
        let names = std::mem::take(&mut self.options.names).into_iter().map(|(_, name)| sys::arg_bytes(&name).to_vec()).collect();
        Wanted::new(names, self.options.wildcards, self.options.slash, self.options.recursive)
    }

    fn open_both_ways(&mut self) -> Result<File, Stop> {
        let name = self.archive_name();
        if self.options.format.is_some() || name == "-" {
            return Err(self.fatal("Cannot update compressed archives"));
        }
        OpenOptions::new().read(true).write(true).open(&name).map_err(|e| self.fatal(&format!("{name}: Cannot open: {}", text::reason(&e))))
    }

    /// Checks whether only blocks of zeros follow the last member.
    fn close(&mut self, mut file: File, end: u64) -> Result<(), Stop> {
        let record = (self.options.blocking * BLOCK) as u64;
        let whole = (end + 2 * BLOCK as u64).next_multiple_of(record);
        let padding = vec![0; (whole - end) as usize];
        let written = file.seek(SeekFrom::Start(end)).and_then(|_| file.write_all(&padding)).and_then(|()| file.set_len(whole));
        written.map_err(|e| self.fatal(&format!("{}: Cannot write: {}", self.archive_name(), text::reason(&e))))
    }

    /// Implements `--delete`.
    pub(crate) fn delete(&mut self) -> Result<(), Stop> {
        let mut file = self.open_both_ways()?;
        let name = self.archive_name();
        let mut wanted = self.names();
        let moved = members(&mut file).and_then(|all| {
            let mut reading = File::open(&name)?;
            let mut end = 0;
            for (member, range) in &all {
                if wanted.hit(member) {
                    continue;
                }
                if range.start > end {
                    file.seek(SeekFrom::Start(end))?;
                    copy(&mut reading, range, &mut file)?;
                }
                end += range.end - range.start;
            }
            Ok(end)
        });
        let end = moved.map_err(|e| self.fatal(&format!("{name}: Cannot read: {}", text::reason(&e))))?;
        self.close(file, end)?;
        let missed: Vec<String> = wanted.missed().map(text::escape).collect();
        missed.iter().for_each(|name| self.complain(&format!("{name}: Not found in archive")));
        Ok(())
    }

    /// Implements `-A`: appends the members of other archives.
    pub(crate) fn concatenate(&mut self) -> Result<(), Stop> {
        let mut file = self.open_both_ways()?;
        let ends = |all: &[Placed]| all.last().map_or(0, |(_, range)| range.end);
        let mut end = match members(&mut file) {
            Ok(all) => ends(&all),
            Err(error) => return Err(self.fatal(&format!("{}: Cannot read: {}", self.archive_name(), text::reason(&error)))),
        };
        for (_, other) in std::mem::take(&mut self.options.names) {
            let copied = File::open(&other).and_then(|mut source| {
                let length = ends(&members(&mut source)?);
                file.seek(SeekFrom::Start(end))?;
                copy(&mut source, &(0..length), &mut file)?;
                Ok(length)
            });
            match copied {
                Ok(length) => end += length,
                Err(error) => self.complain(&format!("{}: Cannot open: {}", text::show(other), text::reason(&error))),
            }
        }
        self.close(file, end)
    }

    /// Implements `-d`: prints what differs between members and files.
    pub(crate) fn compare(&mut self) -> Result<(), Stop> {
        let source = self.source()?;
        let mut reader = Reader::new(source);
        let base = Self::base(&self.options.folder);
        let mut wanted = self.names();
        loop {
            let member = match reader.next() {
                Ok(Some(member)) => member,
                Ok(None) => break,
                Err(error) => return Err(self.fatal(&text::reason(&error))),
            };
            if !wanted.hit(&member.name) || self.options.excludes.hit(&member.name) {
                continue;
            }
            if self.options.verbose > 0 {
                self.say(&member, &member.name.clone(), self.options.verbose > 1, false);
            }
            let start = member.name.iter().position(|b| *b != b'/').unwrap_or(0);
            let path = sys::join(&base, member.name[start..].strip_suffix(b"/").unwrap_or(&member.name[start..]));
            let shown = text::escape(&member.name);
            match differences(&member, &path, &mut reader) {
                Ok(found) => {
                    self.differs |= !found.is_empty();
                    found.iter().for_each(|what| println!("{shown}: {what}"));
                }
                Err(error) => {
                    eprintln!("tar: {shown}: Warning: Cannot stat: {}", text::reason(&error));
                    self.differs = true;
                }
            }
        }
        let missed: Vec<String> = wanted.missed().map(text::escape).collect();
        missed.iter().for_each(|name| self.complain(&format!("{name}: Not found in archive")));
        Ok(())
    }
}

fn differences(member: &Member, path: &Path, data: &mut impl Read) -> std::io::Result<Vec<&'static str>> {
    let stat = sys::stat(path, member.kind == Kind::Hardlink)?;
    let expected = match member.kind {
        Kind::Dir => sys::Kind::Dir,
        Kind::Symlink => sys::Kind::Link,
        Kind::Fifo => sys::Kind::Fifo,
        Kind::File => sys::Kind::File,
        Kind::Hardlink | Kind::Other(_) => return Ok(Vec::new()),
    };
    if stat.kind != expected {
        return Ok(vec!["File type differs"]);
    }
    let mut found = Vec::new();
    if member.kind == Kind::Symlink {
        if sys::bytes(&std::fs::read_link(path)?) != member.link {
            found.push("Symlink differs");
        }
        return Ok(found);
    }
    if stat.mode & 0o7777 != member.mode & 0o7777 {
        found.push("Mode differs");
    }
    if member.kind != Kind::File {
        return Ok(found);
    }
    if stat.seconds() != member.mtime {
        found.push("Mod time differs");
    }
    if stat.size != member.size {
        found.push("Size differs");
    } else if !equal(data, &mut BufReader::new(File::open(path)?))? {
        found.push("Contents differ");
    }
    Ok(found)
}

fn equal(one: &mut impl Read, other: &mut impl Read) -> std::io::Result<bool> {
    let (mut a, mut b) = ([0; 32 * 1024], [0; 32 * 1024]);
    loop {
        let count = one.read(&mut a)?;
        if count == 0 {
            return Ok(other.read(&mut b)? == 0);
        }
        match other.read_exact(&mut b[..count]) {
            Ok(()) if a[..count] == b[..count] => {}
            Ok(()) => return Ok(false),
            Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => return Ok(false),
            Err(error) => return Err(error),
        }
    }
}
