//! `zip`: a new archive is written beside the old one and takes its place.

mod put;

use super::command::Command;
use super::format::{Directory, Entry, read_directory, write_directory};
use super::options::Line;
use crate::sys::{self, Kind, Stat};
use crate::text;
use put::{Out, copy_entry, now};
use std::ffi::OsString;
use std::fs::File;
use std::io::{BufWriter, Read, Result, Write};
use std::path::{Path, PathBuf};
use wisp_tool::wildcard::{How, matches};

/// A file that goes into the archive.
struct Found {
    path: PathBuf,
    name: Vec<u8>,
    stat: Stat,
}

/// One run.
struct Zip {
    line: Line,
    archive: PathBuf,
    level: u32,
    /// How files are packed.
    method: u16,
    /// `-t` and `-tt`.
    days: [Option<i64>; 2],
    found: Vec<Found>,
    warned: bool,
    own: Option<(u64, u64)>,
}

/// Runs `zip`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    match super::command::read(&args) {
        Ok(Command { line, archive, level, method, days }) => {
            Zip { line, archive, level, method, days, found: Vec::new(), warned: false, own: None }.run()
        }
        Err(status) => status,
    }
}

impl Zip {
    fn shown(&self) -> String {
        text::show(&self.archive)
    }

    fn error(&self, status: u8, message: &str) -> u8 {
        if self.to_stdout() {
            eprintln!("\nzip error: {message}");
        } else {
            println!("\nzip error: {message}");
        }
        status
    }

    fn to_stdout(&self) -> bool {
        self.archive == Path::new("-")
    }

    fn run(&mut self) -> u8 {
        let old = match self.old() {
            Ok(old) => old,
            Err(status) => return status,
        };
        if let Ok(stat) = sys::stat(&self.archive, true) {
            self.own = Some((stat.dev, stat.ino));
        }
        let deleting = self.line.has('d');
        if !deleting {
            self.collect();
        }
        // -T alone tests what is there.
        if self.line.has('T') && old.is_some() && self.line.operands.is_empty() {
            return self.test();
        }
        if self.line.pair("sf") {
            return self.show();
        }
        let sync = self.line.pair("FS");
        let goes = |e: &Entry| (deleting && self.named(&e.name)) || (sync && !self.found.iter().any(|f| f.name == e.name));
        let keeps: Vec<bool> = old.as_ref().map_or(Vec::new(), |(_, directory)| directory.entries.iter().map(|e| !goes(e)).collect());
        if deleting {
            let operands = std::mem::take(&mut self.line.operands);
            for pattern in &operands {
                let hit = old.iter().flat_map(|(_, d)| &d.entries).any(|e| hits(pattern, &e.name));
                if !hit {
                    println!("\tzip warning: name not matched: {}", text::shown(pattern));
                }
            }
            self.line.operands = operands;
        }
        let nothing = if deleting { keeps.iter().all(|k| *k) } else { self.found.is_empty() };
        if nothing {
            if self.line.has('f') && old.is_some() {
                return 12;
            }
            return self.error(12, &format!("Nothing to do! ({})", self.shown()));
        }
        match self.write(old, &keeps) {
            Ok(false) => 12,
            Ok(true) => {
                if self.line.has('T') && self.test() != 0 {
                    return 8;
                }
                if self.line.has('m') {
                    for found in self.found.iter().rev() {
                        let removed =
                            if found.stat.kind == Kind::Dir { std::fs::remove_dir(&found.path) } else { std::fs::remove_file(&found.path) };
                        // A folder that still holds other files stays.
                        drop(removed);
                    }
                }
                if self.warned && self.found.is_empty() { 12 } else { 0 }
            }
            Err(error) => self.error(15, &format!("Could not create output file ({}): {}", self.shown(), text::reason(&error))),
        }
    }

    /// Returns the archive that is there already.
    fn old(&self) -> std::result::Result<Option<(File, Directory)>, u8> {
        if self.to_stdout() {
            return Ok(None);
        }
        let Ok(mut file) = File::open(&self.archive) else { return Ok(None) };
        match read_directory(&mut file) {
            Ok(Some(directory)) => Ok(Some((file, directory))),
            Ok(None) if sys::stat(&self.archive, true).is_ok_and(|s| s.size == 0) => Ok(None),
            _ => Err(self.error(3, &format!("Zip file structure invalid ({})", self.shown()))),
        }
    }

    /// Implements `-T`.
    fn test(&self) -> u8 {
        match super::extract::verify(&self.archive) {
            Ok(()) => {
                if !self.line.has('q') {
                    println!("test of {} OK", self.shown());
                }
                0
            }
            Err(message) => {
                println!("test of {} FAILED: {message}", self.shown());
                self.error(8, "Zip file invalid, could not spawn unzip, or wrong unzip (original files unmodified)")
            }
        }
    }

    /// Implements `-sf`.
    fn show(&self) -> u8 {
        println!("Would Add/Update:");
        for found in &self.found {
            println!("  {}", text::shown(&found.name));
        }
        let bytes: u64 = self.found.iter().filter(|f| f.stat.kind != Kind::Dir).map(|f| f.stat.size).sum();
        println!("Total {} entries ({bytes} bytes)", self.found.len());
        0
    }

    fn named(&self, name: &[u8]) -> bool {
        self.line.operands.iter().any(|pattern| hits(pattern, name)) && !self.line.exclude.iter().any(|p| hits(p, name))
    }

    fn collect(&mut self) {
        let mut names = std::mem::take(&mut self.line.operands);
        if self.line.has('@') {
            let mut text = Vec::new();
            // A file that cannot be read counts as missing.
            let _ = std::io::stdin().read_to_end(&mut text);
            names.extend(
                text.split(|b| *b == b'\n').map(|l| l.strip_suffix(b"\r").unwrap_or(l)).filter(|l| !l.is_empty()).map(<[u8]>::to_vec),
            );
        }
        for name in &names {
            if name == b"-" {
                let stat = Stat { mode: 0o600, atime: 0, ..Stat::new(Kind::Fifo, now()) };
                self.found.push(Found { path: "-".into(), name: b"-".to_vec(), stat });
                continue;
            }
            self.find(&sys::path_from_bytes(name), true);
        }
        self.line.operands = names;
    }

    fn find(&mut self, path: &Path, given: bool) {
        let follow = !self.line.has('y');
        let Ok(stat) = sys::stat(path, follow) else {
            self.warned = true;
            if !self.line.has('q') {
                println!("\tzip warning: name not matched: {}", text::show(path));
            }
            return;
        };
        if self.own == Some((stat.dev, stat.ino)) {
            return;
        }
        if stat.kind == Kind::Fifo {
            self.warned = true;
            if !self.line.has('q') {
                println!("\tzip warning: ignoring FIFO (Named Pipe) - use -FI to read: {}", text::show(path));
            }
            return;
        }
        let dir = stat.kind == Kind::Dir;
        let (since, before) = (self.days[0].unwrap_or(i64::MIN), self.days[1].unwrap_or(i64::MAX));
        let in_time = (since..before).contains(&stat.seconds());
        let mut name = sys::bytes(path).to_vec();
        while let Some(rest) = name.strip_prefix(b"./").or_else(|| name.strip_prefix(b"/")) {
            name = rest.to_vec();
        }
        if self.line.has('j') {
            name = name.rsplit(|b| *b == b'/').next().unwrap_or_default().to_vec();
        }
        if dir && !name.ends_with(b"/") {
            name.push(b'/');
        }
        let wanted = (self.line.include.is_empty() || self.line.include.iter().any(|p| hits(p, &name)))
            && !self.line.exclude.iter().any(|p| hits(p, &name));
        let entry = if dir { !self.line.has('D') && !self.line.has('j') && !matches!(name.as_slice(), b"./" | b"/") } else { true };
        if wanted && entry && in_time && (!dir || given || self.line.has('r')) && !self.found.iter().any(|f| f.name == name) {
            self.found.push(Found { path: path.to_path_buf(), name, stat });
        }
        if dir && self.line.has('r') {
            let Ok(entries) = std::fs::read_dir(path) else { return };
            let mut inner: Vec<PathBuf> = entries.filter_map(|e| e.ok().map(|e| e.path())).collect();
            inner.sort();
            for path in inner {
                self.find(&path, false);
            }
        }
    }

    /// Writes the new archive; whether anything changed.
    fn write(&mut self, old: Option<(File, Directory)>, keeps: &[bool]) -> Result<bool> {
        let temporary = self.archive.with_extension("zip.new");
        let mut out = if self.to_stdout() {
            Out { file: None, stream: Some(Box::new(std::io::stdout())), at: 0 }
        } else {
            Out {
                file: Some(BufWriter::new(File::options().read(true).write(true).create(true).truncate(true).open(&temporary)?)),
                stream: None,
                at: 0,
            }
        };
        let mut entries = Vec::new();
        let mut changed = false;
        let mut comment = Vec::new();
        if let Some((mut file, directory)) = old {
            comment = directory.comment;
            for (entry, keep) in directory.entries.into_iter().zip(keeps) {
                if !keep {
                    changed = true;
                    self.say(&format!("deleting: {}", text::shown(&entry.name)));
                    continue;
                }
                let at = self.found.iter().position(|f| f.name == entry.name);
                let newer = at.is_some_and(|at| {
                    self.found[at].stat.seconds() > entry.mtime || !(self.line.has('u') || self.line.has('f') || self.line.pair("FS"))
                });
                match at {
                    Some(at) if newer => {
                        let found = self.found.remove(at);
                        let verb = if self.line.has('f') { "freshening" } else { "updating" };
                        entries.push(self.add(&mut out, &found, verb)?);
                        changed = true;
                        self.found.insert(at.min(self.found.len()), found);
                        self.found[at].name.push(0);
                    }
                    _ => {
                        if let Some(at) = at {
                            self.found[at].name.push(0);
                        }
                        entries.push(copy_entry(&mut file, entry, directory.shift, &mut out)?);
                    }
                }
            }
        }
        let found = std::mem::take(&mut self.found);
        for found in &found {
            // A NUL marks what has been dealt with.
            if !found.name.ends_with(&[0]) && !self.line.has('f') {
                entries.push(self.add(&mut out, found, "  adding")?);
                changed = true;
            }
        }
        self.found = found;
        let start = out.at;
        if self.line.has('z') {
            println!("enter new zip file comment (end with .):");
            let text = std::io::read_to_string(std::io::stdin())?;
            comment = text.lines().take_while(|l| *l != ".").collect::<Vec<_>>().join("\r\n").into_bytes();
        }
        if self.line.has('v') && changed {
            let (size, packed) = entries.iter().fold((0, 0), |(s, p), e| (s + e.size, p + e.packed));
            self.say(&format!("total bytes={size}, compressed={packed} -> {}% savings", percent(size, packed)));
        }
        write_directory(&mut out, &entries, start, &comment)?;
        out.flush()?;
        if let Some(file) = out.file {
            let file = file.into_inner().map_err(std::io::IntoInnerError::into_error)?;
            file.set_len(out.at)?;
            drop(file);
            let mode = sys::stat(&self.archive, true).map_or(0o644, |s| s.mode);
            if !changed {
                std::fs::remove_file(&temporary)?;
            } else if entries.is_empty() {
                println!("\tzip warning: zip file empty");
                std::fs::remove_file(&temporary)?;
                std::fs::remove_file(&self.archive)?;
            } else {
                std::fs::rename(&temporary, &self.archive)?;
                sys::set_mode(&self.archive, mode)?;
            }
        }
        Ok(changed)
    }

    fn say(&self, message: &str) {
        if self.line.has('q') {
            return;
        }
        if self.to_stdout() { eprintln!("{message}") } else { println!("{message}") }
    }
}

fn hits(pattern: &[u8], name: &[u8]) -> bool {
    matches(pattern, name, How::default())
}

/// Returns how much smaller something got, rounded.
pub(crate) fn percent(size: u64, packed: u64) -> u64 {
    if size > packed { (200 * (size - packed) / size).div_ceil(2) } else { 0 }
}
