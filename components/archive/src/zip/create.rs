//! `zip`: a new archive is written beside the old one and takes its place.

use super::format::{DIR, Directory, Entry, FILE, LINK, data_start, dos_time, read_directory, time_field, write_directory};
use super::options::{Line, parse};
use crate::sys::{self, Kind, Stat};
use crate::text;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use std::ffi::OsString;
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Result, Seek, SeekFrom, Write};
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
    found: Vec<Found>,
    warned: bool,
    own: Option<(u64, u64)>,
}

/// A writer that counts, over a file or a stream.
struct Out<'a> {
    file: Option<BufWriter<File>>,
    stream: Option<Box<dyn Write + 'a>>,
    at: u64,
}

impl Write for Out<'_> {
    fn write(&mut self, data: &[u8]) -> Result<usize> {
        let count = match (&mut self.file, &mut self.stream) {
            (Some(file), _) => file.write(data)?,
            (None, Some(stream)) => stream.write(data)?,
            (None, None) => data.len(),
        };
        self.at += count as u64;
        Ok(count)
    }
    fn flush(&mut self) -> Result<()> {
        match (&mut self.file, &mut self.stream) {
            (Some(file), _) => file.flush(),
            (None, Some(stream)) => stream.flush(),
            (None, None) => Ok(()),
        }
    }
}

const HELP: &str = "Usage: zip [-options] [-b path] [zipfile list] [-xi list]
  The default action is to add or replace entries of zipfile from list; - stands for standard output.
  -f   freshen: only changed files      -u   update: only changed or new files
  -d   delete entries in zipfile        -m   move into zipfile (delete the files)
  -r   recurse into directories         -j   junk (don't record) directory names
  -0   store only                       -1   compress faster  -9   compress better
  -q   quiet operation                  -v   say more
  -@   read names from stdin            -x   exclude the following names
  -i   include only the following       -D   do not add directory entries
  -y   store symbolic links as links    -X   exclude extra file attributes
  -T   test the new archive             -FS, -e: not supported here
";

/// Run `zip`.
pub fn main(args: Vec<OsString>) -> u8 {
    let mut line = parse(&args, "bntPOsSZ", "xi");
    if line.has('h') || line.long.iter().any(|l| l == "help") || args.len() == 1 {
        print!("{HELP}");
        return 0;
    }
    if line.has('e') || line.has('P') {
        eprintln!("\nzip error: Invalid command arguments (encryption is not supported here)");
        return 16;
    }
    if let Some((letter, _)) = line.letters.iter().find(|(l, _)| !"0123456789rjqvmdfuyDXT@xiknlogcztbSZFJAL!".contains(*l)) {
        eprintln!("\nzip error: Invalid command arguments (short option '{letter}' not supported)");
        return 16;
    }
    if line.operands.is_empty() {
        eprintln!("\nzip error: Nothing to do!");
        return 12;
    }
    let mut name = line.operands.remove(0);
    let last = name.rsplit(|b| *b == b'/').next().unwrap_or_default();
    if name != b"-" && !last.contains(&b'.') {
        name.extend(b".zip");
    }
    let level = line.letters.iter().rev().find_map(|(l, _)| l.to_digit(10)).unwrap_or(6);
    let mut zip = Zip { line, archive: sys::path_from_bytes(&name), level, found: Vec::new(), warned: false, own: None };
    zip.run()
}

impl Zip {
    fn shown(&self) -> String {
        text::show(&self.archive)
    }

    fn error(&self, status: u8, message: &str) -> u8 {
        if self.to_stdout() {
            eprintln!("\nzip error: {message}")
        } else {
            println!("\nzip error: {message}")
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
        let keeps: Vec<bool> = old
            .as_ref()
            .map_or(Vec::new(), |(_, directory)| directory.entries.iter().map(|e| !(deleting && self.named(&e.name))).collect());
        if deleting {
            let operands = std::mem::take(&mut self.line.operands);
            for pattern in &operands {
                let hit = old.iter().flat_map(|(_, d)| &d.entries).any(|e| hits(pattern, &e.name));
                if !hit {
                    println!("\tzip warning: name not matched: {}", String::from_utf8_lossy(pattern));
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
                if self.line.has('T') && !self.line.has('q') {
                    println!("test of {} OK", self.shown());
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

    /// The archive that is there already.
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

    fn named(&self, name: &[u8]) -> bool {
        self.line.operands.iter().any(|pattern| hits(pattern, name)) && !self.line.exclude.iter().any(|p| hits(p, name))
    }

    fn collect(&mut self) {
        let mut names = std::mem::take(&mut self.line.operands);
        if self.line.has('@') {
            let mut text = Vec::new();
            // What cannot be read is as if it were not there.
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
        let stat = match sys::stat(path, follow) {
            Ok(stat) => stat,
            Err(_) => {
                self.warned = true;
                println!("\tzip warning: name not matched: {}", text::show(path));
                return;
            }
        };
        if self.own == Some((stat.dev, stat.ino)) {
            return;
        }
        let dir = stat.kind == Kind::Dir;
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
        if wanted && entry && (!dir || given || self.line.has('r')) && !self.found.iter().any(|f| f.name == name) {
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

    /// Write the new archive; whether anything changed.
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
                    self.say(&format!("deleting: {}", String::from_utf8_lossy(&entry.name)));
                    continue;
                }
                let at = self.found.iter().position(|f| f.name == entry.name);
                let newer = at.is_some_and(|at| self.found[at].stat.seconds() > entry.mtime || !(self.line.has('u') || self.line.has('f')));
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
        if let Some(text) = self.line.has('z').then(|| std::io::read_to_string(std::io::stdin())) {
            comment = text?.trim_end().as_bytes().to_vec();
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

    /// Write one file and say so.
    fn add(&self, out: &mut Out<'_>, found: &Found, verb: &str) -> Result<Entry> {
        let stat = &found.stat;
        let kind = match stat.kind {
            Kind::Dir => DIR,
            Kind::Link => LINK,
            _ => FILE,
        };
        let utf8 = !found.name.is_ascii() && std::str::from_utf8(&found.name).is_ok();
        let mut entry = Entry {
            name: found.name.clone(),
            flags: if utf8 { 0x800 } else { 0 },
            offset: out.at,
            mtime: stat.seconds(),
            mode: kind | stat.mode,
            made_by: 0x031e,
            extra: if self.line.has('X') { Vec::new() } else { time_field(stat.seconds()) },
            dos: dos_time(stat.seconds()),
            ..Entry::default()
        };
        let mut input: Box<dyn Read> = match stat.kind {
            Kind::Dir => Box::new(std::io::empty()),
            Kind::Link => Box::new(std::io::Cursor::new(sys::bytes(&std::fs::read_link(&found.path)?).to_vec())),
            _ if found.path == Path::new("-") => Box::new(std::io::stdin()),
            _ => Box::new(File::open(&found.path)?),
        };
        let store = self.level == 0 || stat.kind != Kind::File && stat.kind != Kind::Fifo;
        let streamed = out.file.is_none();
        if streamed && stat.kind != Kind::Dir {
            entry.flags |= 8;
        }
        entry.method = if store { 0 } else { 8 };
        out.write_all(&entry.local())?;
        let start = out.at;
        self.pack(out, &mut input, &mut entry)?;
        if !store && !streamed && entry.packed >= entry.size && stat.kind == Kind::File {
            // It did not get smaller: store it.
            entry.method = 0;
            rewind(out, start)?;
            self.pack(out, &mut File::open(&found.path)?, &mut entry)?;
        }
        if streamed {
            if entry.flags & 8 != 0 {
                out.write_all(&entry.descriptor())?;
            }
        } else {
            let end = out.at;
            rewind(out, entry.offset)?;
            out.write_all(&entry.local())?;
            rewind(out, end)?;
        }
        let how = match entry.method {
            0 => "stored 0%".to_owned(),
            _ => format!("deflated {}%", percent(entry.size, entry.packed)),
        };
        let sizes = if self.line.has('v') { format!("\t(in={}) (out={})", entry.size, entry.packed) } else { String::new() };
        self.say(&format!("{verb}: {}{sizes} ({how})", String::from_utf8_lossy(&entry.name)));
        Ok(entry)
    }

    fn pack(&self, out: &mut Out<'_>, input: &mut dyn Read, entry: &mut Entry) -> Result<()> {
        let start = out.at;
        let mut counted = Counted { inner: input, crc: flate2::Crc::new(), size: 0 };
        if entry.method == 8 {
            let mut encoder = DeflateEncoder::new(&mut *out, Compression::new(self.level));
            std::io::copy(&mut counted, &mut encoder)?;
            encoder.finish()?;
        } else {
            std::io::copy(&mut counted, out)?;
        }
        (entry.crc, entry.packed) = (counted.crc.sum(), out.at - start);
        entry.size = counted.size;
        Ok(())
    }
}

/// A reader that sums up what it gives.
struct Counted<'a> {
    inner: &'a mut dyn Read,
    crc: flate2::Crc,
    size: u64,
}

impl Read for Counted<'_> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        let count = self.inner.read(out)?;
        self.crc.update(&out[..count]);
        self.size += count as u64;
        Ok(count)
    }
}

fn now() -> i128 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |d| d.as_nanos() as i128)
}

fn rewind(out: &mut Out<'_>, to: u64) -> Result<()> {
    if let Some(file) = &mut out.file {
        file.seek(SeekFrom::Start(to))?;
    }
    out.at = to;
    Ok(())
}

/// Copy an entry as it is.
fn copy_entry(file: &mut File, mut entry: Entry, shift: u64, out: &mut Out<'_>) -> Result<Entry> {
    let start = data_start(file, &entry, shift)?;
    file.seek(SeekFrom::Start(start))?;
    entry.offset = out.at;
    // The sizes are known now, whatever the old local header said.
    entry.flags &= !8;
    out.write_all(&entry.local())?;
    let copied = std::io::copy(&mut BufReader::new(file.take(entry.packed)), out)?;
    if copied < entry.packed {
        return Err(std::io::Error::from(std::io::ErrorKind::UnexpectedEof));
    }
    Ok(entry)
}

fn hits(pattern: &[u8], name: &[u8]) -> bool {
    matches(pattern, name, How::default())
}

/// How much smaller something got, rounded.
pub fn percent(size: u64, packed: u64) -> u64 {
    if size > packed { (200 * (size - packed) / size).div_ceil(2) } else { 0 }
}
