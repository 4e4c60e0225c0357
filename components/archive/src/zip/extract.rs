//! `unzip`.

mod locked;

use super::charset::Names;
use super::crypt::Decrypter;
use super::format::{Directory, Entry, data_start, read_directory};
use super::options::{Line, Table, parse};
use super::{several, show};
use crate::codec::Format;
use crate::sys;
use crate::text;
use flate2::read::DeflateDecoder;
use std::ffi::OsString;
use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use wisp_tool::wildcard::{How, matches};

const HELP: &str = "Usage: unzip [-opts] file[.zip] [list] [-x xlist] [-d exdir]
  -l  list files (short format)      -v  list verbosely
  -p  extract files to pipe, no messages
  -c  the same with names            -t  test compressed archive data
  -n  never overwrite existing files -o  overwrite files WITHOUT prompting
  -q  quiet mode (-qq => quieter)    -j  junk paths (do not make directories)
  -x  exclude files that follow      -d  extract files into exdir
  -u  update: newer files, new files -f  freshen existing files, create none
  -C  match names case-insensitively -z  display the archive's comment only
  -Z  list as zipinfo does (-Z1 names only)
  -P PASSWORD  of the traditional encryption
  -O CHARSET  the encoding of names in archives of DOS, Windows and OS/2
  -I CHARSET  the same in archives of Unix and others
  -a -b -D -K -L -M -T -U -V -W -X -: -^ -s   accepted; they change nothing here
";

/// One run.
struct Unzip {
    line: Line,
    archive: PathBuf,
    shift: u64,
    folder: PathBuf,
    status: u8,
    /// The answer to `replace …?` for all files.
    answer: Option<bool>,
    links: Vec<(PathBuf, Vec<u8>)>,
    /// Whether it was said that the archive has backslashes.
    backslashes: bool,
}

pub(super) const TABLE: Table = Table { valued: "dPOI", lists: "x", pairs: &[], long: &[] };

/// Runs `unzip`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    let mut line = parse(&args, &TABLE);
    if line.operands.is_empty() || line.has('h') || line.long.iter().any(|l| l == "help") {
        print!("{HELP}");
        return if args.len() == 1 || line.has('h') || !line.long.is_empty() { 0 } else { 10 };
    }
    if let Some((letter, _)) = line.letters.iter().find(|(l, _)| !"lvptnoqjdCZ1cauLXKUWDMzTfbPVs:^OI".contains(*l)) {
        eprintln!("unzip:  unknown option -- {letter}\n{HELP}");
        return 10;
    }
    let name = line.operands.remove(0);
    let shown = text::shown(&name);
    match several::archives(&name).as_deref() {
        Some([one]) => one_archive(line, one, &text::shown(one)),
        Some(all) => several::run(&args, &name, all),
        None => one_archive(line, &name, &shown),
    }
}

/// Handles one archive.
pub(super) fn one_archive(line: Line, name: &[u8], shown: &str) -> u8 {
    let names = match Names::new(&line) {
        Ok(names) => names,
        Err(value) => {
            eprintln!("unzip:  no encoding is called `{value}`: `-O` and `-I` take names as `iconv` does, for example cp932, GBK or CP437");
            return 10;
        }
    };
    let candidates = ["", ".zip", ".ZIP"].map(|end| (format!("{shown}{end}"), sys::path_from_bytes(&[name, end.as_bytes()].concat())));
    let opened = candidates.into_iter().find_map(
        |(found, path)| {
            if path.is_dir() { None } else { File::open(&path).ok().map(|file| (found, path, file)) }
        },
    );
    let Some((found, archive, mut file)) = opened else {
        eprintln!("unzip:  cannot find or open {shown}, {shown}.zip or {shown}.ZIP.");
        return 9;
    };
    let quiet = line.count('q');
    let heading = !(line.has('p') || (line.has('Z') && line.has('1')) || quiet > 1 || (quiet > 0 && !line.has('v')));
    if heading {
        println!("Archive:  {found}");
    }
    let mut directory = match read_directory(&mut file) {
        Ok(Some(directory)) => directory,
        Ok(None) => {
            if !heading {
                eprintln!("[{found}]");
            }
            eprint!(
                "  End-of-central-directory signature not found.  Either this file is not\n  a zipfile, or it constitutes one disk of a multi-part archive.  In the\n  latter case the central directory and zipfile comment will be found on\n  the last disk(s) of this archive.\n"
            );
            eprintln!(
                "unzip:  cannot find zipfile directory in one of {shown} or\n        {shown}.zip, and cannot find {shown}.ZIP, period."
            );
            return 9;
        }
        Err(error) => {
            eprintln!("error [{found}]:  {}", text::reason(&error));
            return 3;
        }
    };
    for entry in &mut directory.entries {
        entry.name = names.of(entry);
    }
    let folder = line.value('d').map(sys::path_from_bytes).unwrap_or_default();
    let mut unzip = Unzip { line, archive, shift: directory.shift, folder, status: 0, answer: None, links: Vec::new(), backslashes: false };
    unzip.run(&found, &directory)
}

/// Tests all data of an archive; the error is the first damage.
pub(crate) fn verify(archive: &Path) -> Result<(), String> {
    let directory = File::open(archive).and_then(|mut file| read_directory(&mut file)).map_err(|e| text::reason(&e))?;
    let directory = directory.ok_or("no central directory")?;
    let (archive, shift) = (archive.to_path_buf(), directory.shift);
    let unzip = Unzip {
        line: Line::default(),
        archive,
        shift,
        folder: PathBuf::new(),
        status: 0,
        answer: None,
        links: Vec::new(),
        backslashes: false,
    };
    for entry in directory.entries.iter().filter(|e| !e.encrypted()) {
        unzip.copy(entry, &mut std::io::sink()).map_err(|error| format!("{}: {error}", text::shown(&entry.name)))?;
    }
    Ok(())
}

impl Unzip {
    fn matches(&self, pattern: &[u8], name: &[u8]) -> bool {
        matches(pattern, name, How { fold: self.line.has('C'), ..How::default() })
    }

    fn run(&mut self, shown: &str, directory: &Directory) -> u8 {
        let wanted = |e: &Entry| {
            (self.line.operands.is_empty() || self.line.operands.iter().any(|p| self.matches(p, &e.name)))
                && !self.line.exclude.iter().any(|p| self.matches(p, &e.name))
        };
        if directory.entries.is_empty() && !self.line.has('z') {
            eprintln!("warning [{shown}]:  zipfile is empty");
            return 1;
        }
        let chosen: Vec<&Entry> = directory.entries.iter().filter(|e| wanted(e)).collect();
        let missed: Vec<Vec<u8>> =
            self.line.operands.iter().filter(|p| !directory.entries.iter().any(|e| self.matches(p, &e.name))).cloned().collect();
        let quiet = self.line.count('q');
        if self.line.has('z') {
            let comment = text::shown(&directory.comment).replace('\r', "");
            print!("{comment}{}", if comment.is_empty() || comment.ends_with('\n') { "" } else { "\n" });
        } else if self.line.has('Z') && !self.line.has('1') {
            let size = sys::stat(&self.archive, true).map_or(0, |s| s.size);
            show::info(&chosen, size, directory.entries.len());
        } else if self.line.has('Z') {
            for entry in &chosen {
                println!("{}", text::shown(&entry.name));
            }
        } else if self.line.has('l') {
            show::short(&chosen, quiet > 1);
        } else if self.line.has('v') && !self.line.has('t') {
            show::long(&chosen, quiet > 1);
        } else {
            // Only the last part of the folder to extract into is made.
            let writes = !(self.line.has('t') || self.line.has('p') || self.line.has('c'));
            let above = self.folder.parent().filter(|above| !above.as_os_str().is_empty());
            if writes && !chosen.is_empty() && !self.folder.exists() && above.is_some_and(|above| !above.exists()) {
                let folder = text::show(&self.folder);
                self.fail(2, &format!("checkdir:  cannot create extraction directory: {folder}\n           No such file or directory"));
                return self.status;
            }
            for entry in chosen.iter().copied() {
                let with_slashes = if writes { self.with_slashes(entry, shown) } else { None };
                self.one(with_slashes.as_ref().unwrap_or(entry));
            }
            self.deferred();
            self.skipped(&chosen, shown);
            if self.line.has('t') && quiet < 2 && self.status == 0 {
                if self.line.operands.is_empty() {
                    println!("No errors detected in compressed data of {shown}.");
                } else {
                    println!(
                        "No errors detected in {shown} for the {} file{} tested.",
                        chosen.len(),
                        if chosen.len() == 1 { "" } else { "s" }
                    );
                }
            } else if self.line.has('t') && self.status != 0 && !chosen.iter().any(|entry| self.locked(entry).is_some()) {
                println!("At least one error was detected in {shown}.");
            }
        }
        let lists = self.line.has('l') || self.line.has('Z') || (self.line.has('v') && !self.line.has('t'));
        for name in missed {
            if lists {
                self.status = self.status.max(11);
                continue;
            }
            eprintln!("caution: filename not matched:  {}", text::shown(&name));
            self.status = self.status.max(11);
        }
        self.status
    }

    /// Opens a reader of an entry's plain bytes, checked at its end.
    fn open(&self, entry: &Entry) -> std::io::Result<Box<dyn Read>> {
        let mut file = File::open(&self.archive)?;
        let start = data_start(&mut file, entry, self.shift)?;
        file.seek(SeekFrom::Start(start))?;
        let mut packed: Box<dyn Read> = Box::new(BufReader::with_capacity(64 * 1024, file.take(entry.packed)));
        if entry.encrypted() {
            packed = Box::new(Decrypter::new(packed, self.line.value('P').unwrap_or_default(), entry.check())?);
        }
        Ok(match entry.method {
            0 => packed,
            8 => Box::new(DeflateDecoder::new(packed)),
            12 => Format::Bzip2.reader(packed),
            93 => Format::Zstd.reader(packed),
            95 => Format::Xz.reader(packed),
            other => return Err(std::io::Error::new(std::io::ErrorKind::Unsupported, format!("unsupported compression method {other}"))),
        })
    }

    /// Copies an entry's bytes and checks them. The error is ready to print.
    fn copy(&self, entry: &Entry, out: &mut dyn Write) -> Result<(), String> {
        let mut reader = self.open(entry).map_err(|e| text::reason(&e))?;
        let mut crc = flate2::Crc::new();
        let mut buffer = vec![0; 64 * 1024];
        loop {
            let count = match reader.read(&mut buffer) {
                Ok(0) => break,
                Ok(count) => count,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(_) => return Err("invalid compressed data to inflate".into()),
            };
            crc.update(&buffer[..count]);
            out.write_all(&buffer[..count]).map_err(|e| format!("write error ({})", text::reason(&e)))?;
        }
        out.flush().map_err(|e| format!("write error ({})", text::reason(&e)))?;
        if crc.sum() != entry.crc {
            return Err(format!("bad CRC {:08x}  (should be {:08x})", crc.sum(), entry.crc));
        }
        Ok(())
    }

    fn fail(&mut self, status: u8, message: &str) {
        // What was said before comes first.
        let _ = std::io::stdout().flush();
        eprintln!("{message}");
        self.status = self.status.max(status);
    }

    fn say(&self, verb: &str, name: &str, end: &str) {
        if !self.line.has('q') && !self.line.has('p') {
            // Padding goes by bytes.
            print!("{verb:>11}: {name}{}  {end}", " ".repeat(22_usize.saturating_sub(text::written(name).len())));
        }
    }

    /// Returns the entry with slashes in its name, if it is of DOS or Windows and has only backslashes: there these are the separators.
    fn with_slashes(&mut self, entry: &Entry, archive: &str) -> Option<Entry> {
        if entry.made_by >> 8 != 0 || entry.name.contains(&b'/') || !entry.name.contains(&b'\\') {
            return None;
        }
        if !std::mem::replace(&mut self.backslashes, true) {
            self.fail(1, &format!("warning:  {archive} appears to use backslashes as path separators"));
        }
        let name = entry.name.iter().map(|byte| if *byte == b'\\' { b'/' } else { *byte }).collect();
        Some(Entry { name, ..entry.clone() })
    }

    fn one(&mut self, entry: &Entry) {
        let shown = text::shown(&entry.name);
        if let Some(reason) = self.locked(entry) {
            // What settles the status is `skipped`.
            if reason != locked::WRONG || !(self.line.has('q') || self.line.has('p')) {
                self.fail(0, &format!("   skipping: {shown:<22}  {reason}"));
            }
            return;
        }
        if self.line.has('t') {
            self.say("testing", &shown, "");
            match self.copy(entry, &mut std::io::sink()) {
                Ok(()) if !self.line.has('q') => println!(" OK"),
                Ok(()) => {}
                Err(error) if !self.line.has('q') => {
                    println!(" {error}");
                    self.status = self.status.max(2);
                }
                Err(error) => self.fail(2, &format!("{shown:<22}  {error}")),
            }
            return;
        }
        if self.line.has('p') || self.line.has('c') {
            if entry.is_dir() {
                return;
            }
            if self.line.has('c') {
                self.say(if entry.method == 0 { "extracting" } else { "inflating" }, &shown, "\n");
            }
            let result = self.copy(entry, &mut std::io::stdout());
            if self.line.has('c') {
                println!();
            }
            if let Err(error) = result {
                self.fail(2, &format!("{shown:<22}  {error}"));
            }
            return;
        }
        if let Some((path, name)) = self.place(entry) {
            self.extract(entry, &path, &name);
        }
    }

    /// Returns where an entry goes: never out of the folder of extraction.
    fn place(&mut self, entry: &Entry) -> Option<(PathBuf, String)> {
        let shown = text::shown(&entry.name);
        let mut name = entry.name.clone();
        if name.starts_with(b"/") {
            self.fail(1, &format!("warning:  stripped absolute path spec from {shown}"));
        }
        let dir = entry.is_dir();
        let parts: Vec<&[u8]> = name.split(|b| *b == b'/').filter(|p| !p.is_empty() && *p != b".").collect();
        let mut inside: Vec<&[u8]> = parts.iter().filter(|p| **p != b"..").copied().collect();
        let skipped = inside.len() < parts.len();
        if self.line.has('j') {
            if dir {
                return None;
            }
            inside = inside.last().copied().into_iter().collect();
        }
        let joined = inside.join(&b"/"[..]);
        if skipped {
            if !self.line.has('q') {
                println!("warning:  skipped \"../\" path component(s) in {shown}");
            }
            self.status = self.status.max(1);
        }
        name = joined;
        if name.is_empty() {
            return None;
        }
        let path = sys::join(&self.folder, &name);
        let mut shown = text::show(&path);
        if dir {
            shown.push('/');
        }
        Some((path, shown))
    }

    fn extract(&mut self, entry: &Entry, path: &Path, shown: &str) {
        if entry.is_dir() {
            if sys::stat(path, true).is_ok_and(|s| s.kind == sys::Kind::Dir) {
                return;
            }
            if self.line.has('f') {
                return;
            }
            if !self.line.has('q') {
                println!("   creating: {shown}");
            }
            return match std::fs::create_dir_all(path) {
                Ok(()) => self.finish(entry, path),
                Err(error) => self.fail(2, &format!("checkdir error:  cannot create {shown}\n                 {}", text::reason(&error))),
            };
        }
        let parent = path.parent().filter(|p| !p.as_os_str().is_empty());
        if let Some(parent) = parent
            && let Err(error) = std::fs::create_dir_all(parent)
        {
            return self
                .fail(2, &format!("checkdir error:  cannot create {}\n                 {}", text::show(parent), text::reason(&error)));
        }
        let there = sys::stat(path, false);
        // -f and -u: only what is newer in the archive; -f only files that exist.
        if self.line.has('f') || self.line.has('u') {
            let skip = match &there {
                Ok(stat) => stat.seconds() >= entry.mtime,
                Err(_) => self.line.has('f'),
            };
            if skip {
                return;
            }
        }
        if let Ok(stat) = there {
            if stat.kind == sys::Kind::Link && !self.line.has('o') {
                println!("{shown} exists and is a symbolic link.");
            }
            if !self.may_replace(shown) {
                return;
            }
            if let Err(error) = std::fs::remove_file(path) {
                return self.fail(50, &format!("error:  cannot delete old {shown}\n        {}", text::reason(&error)));
            }
        }
        if entry.is_link() {
            let mut target = Vec::new();
            return match self.copy(entry, &mut target) {
                Ok(()) => {
                    self.say("linking", shown, &format!("-> {} \n", text::shown(&target)));
                    self.links.push((path.to_path_buf(), target));
                }
                Err(error) => self.fail(2, &format!("{shown}:  {error}")),
            };
        }
        self.say(if entry.method == 0 { "extracting" } else { "inflating" }, shown, "");
        let mut file = match File::create(path) {
            Ok(file) => file,
            Err(error) => return self.fail(50, &format!("\nerror:  cannot create {shown}\n        {}", text::reason(&error))),
        };
        match self.copy(entry, &mut file) {
            Ok(()) => {
                if !self.line.has('q') {
                    println!();
                }
            }
            Err(error) => self.fail(2, &format!(" {error}")),
        }
        drop(file);
        self.finish(entry, path);
    }

    fn finish(&mut self, entry: &Entry, path: &Path) {
        let time = i128::from(entry.mtime) * 1_000_000_000;
        if entry.mode & 0o777 != 0 {
            // Modes and times are kept where the filesystem can.
            let _ = sys::set_mode(path, entry.mode & 0o777 & !sys::umask());
        }
        if !entry.is_dir() {
            let _ = sys::set_times(path, time, time, true);
        }
    }

    /// Returns whether a file that exists is replaced; asks unless an option decides it.
    fn may_replace(&mut self, shown: &str) -> bool {
        if self.line.has('n') {
            return false;
        }
        if self.line.has('o') {
            return true;
        }
        if let Some(answer) = self.answer {
            return answer;
        }
        loop {
            eprint!("replace {shown}? [y]es, [n]o, [A]ll, [N]one, [r]ename: ");
            let mut line = String::new();
            match std::io::stdin().read_line(&mut line) {
                Ok(count) if count > 0 => {}
                _ => {
                    eprintln!(" NULL\n(EOF or read error, treating as \"[N]one\" ...)");
                    self.answer = Some(false);
                    self.status = self.status.max(1);
                    return false;
                }
            }
            match line.trim() {
                "y" | "yes" => return true,
                "n" | "no" => return false,
                "A" | "All" => {
                    self.answer = Some(true);
                    return true;
                }
                "N" | "None" => {
                    self.answer = Some(false);
                    return false;
                }
                other => eprintln!("error:  invalid response [{other}]"),
            }
        }
    }

    /// Makes links when all files are there, so that nothing is written through them.
    fn deferred(&mut self) {
        let links = std::mem::take(&mut self.links);
        if !links.is_empty() && !self.line.has('q') {
            println!("finishing deferred symbolic links:");
        }
        for (path, target) in links {
            let shown = text::show(&path);
            match sys::symlink(&sys::path_from_bytes(&target), &path) {
                Ok(()) if !self.line.has('q') => println!("  {shown:<22} -> {}", text::shown(&target)),
                Ok(()) => {}
                Err(error) => self.fail(2, &format!("error:  cannot create symlink {shown}\n        {}", text::reason(&error))),
            }
        }
    }
}
