//! Writing archives: walking the files, headers, data.

use super::header::{BLOCK, Kind, Member, fits, write};
use super::options::{Action, Left};
use super::{Stop, Tar};
use crate::codec::Sink;
use crate::sys::{self, Stat};
use crate::text;
use std::collections::HashMap;
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// How a cache's tag begins.
const CACHE_BEGINS: &[u8; 43] = b"Signature: 8a477f597d28d172789f06886806bc55";

/// What is needed while an archive is written.
struct Writing {
    out: Box<dyn Sink>,
    written: u64,
    /// Names of files that have several links.
    links: HashMap<(u64, u64), Vec<u8>>,
    /// Files with one link are remembered too.
    several: bool,
    /// The archive itself, which is not put into itself.
    own: Option<(u64, u64)>,
    /// Members that are there already, for `-u`.
    present: HashMap<Vec<u8>, i64>,
    done: Vec<PathBuf>,
}

impl Tar {
    /// Implements `-c`.
    pub(crate) fn create(&mut self) -> Result<(), Stop> {
        let out = self.target()?;
        self.write_all(out, HashMap::new())
    }

    /// Implements `-r` and `-u`.
    pub(crate) fn append(&mut self) -> Result<(), Stop> {
        let (out, members) = self.append_target()?;
        let update = self.options.action == Action::Update;
        let mut present = HashMap::new();
        for (name, mtime) in members.into_iter().filter(|_| update) {
            let newest: &mut i64 = present.entry(name).or_insert(mtime);
            *newest = (*newest).max(mtime);
        }
        self.write_all(out, present)
    }

    fn write_all(&mut self, out: Box<dyn Sink>, present: HashMap<Vec<u8>, i64>) -> Result<(), Stop> {
        let own = self.options.file.as_ref().filter(|f| *f != "-").and_then(|f| sys::stat(Path::new(f), true).ok());
        let own = own.map(|stat| (stat.dev, stat.ino));
        let several = self.options.names.len() > 1 || self.options.dereference;
        let mut writing = Writing { out, written: 0, links: HashMap::new(), several, own, present, done: Vec::new() };
        for (folder, name) in std::mem::take(&mut self.options.names) {
            let base = Self::base(&folder);
            if let Some(folder) = &folder
                && let Err(error) = sys::stat(folder, true)
            {
                return Err(self.fatal(&format!("{}: Cannot open: {}", text::escape(sys::bytes(folder)), text::reason(&error))));
            }
            self.add(&mut writing, &base, sys::arg_bytes(&name))?;
        }
        let record = (self.options.blocking * BLOCK) as u64;
        let end = (writing.written + 2 * BLOCK as u64).next_multiple_of(record);
        let padding = vec![0; (end - writing.written) as usize];
        self.put(&mut writing, &padding)?;
        if let Err(error) = writing.out.finish() {
            return Err(self.broken(&error));
        }
        if self.options.totals {
            eprintln!("Total bytes written: {end}");
        }
        if self.options.remove && !self.failed {
            for path in writing.done.iter().rev() {
                let removed = if path.is_dir() && !path.is_symlink() { std::fs::remove_dir(path) } else { std::fs::remove_file(path) };
                if let Err(error) = removed {
                    self.complain(&format!("{}: Cannot unlink: {}", text::escape(sys::bytes(path)), text::reason(&error)));
                }
            }
        }
        Ok(())
    }

    fn broken(&mut self, error: &std::io::Error) -> Stop {
        let name = self.archive_name();
        if error.kind() == std::io::ErrorKind::BrokenPipe {
            return Stop;
        }
        self.fatal(&format!("{name}: Cannot write: {}", text::reason(error)))
    }

    fn put(&mut self, writing: &mut Writing, data: &[u8]) -> Result<(), Stop> {
        writing.written += data.len() as u64;
        writing.out.write_all(data).map_err(|error| self.broken(&error))
    }

    /// Returns the name a file has in the archive.
    fn member_name(&mut self, name: &[u8]) -> Vec<u8> {
        if self.options.absolute {
            return name.to_vec();
        }
        // What leads out of the folder of extraction is cut off: a root, and everything up to the last `..`.
        let mut cut = 0;
        let mut at = 0;
        for part in name.split(|b| *b == b'/') {
            let end = at + part.len();
            if part == b".." {
                cut = (end + 1).min(name.len());
            }
            at = end + 1;
        }
        if cut > 0 {
            let shown = text::escape(&name[..cut]);
            self.note(&format!("Removing leading `{shown}' from member names"));
        }
        let rest = &name[cut..];
        let start = rest.iter().position(|b| *b != b'/').unwrap_or(rest.len());
        if start > 0 && cut == 0 {
            self.note("Removing leading `/' from member names");
        }
        if rest[start..].is_empty() { b"./".to_vec() } else { rest[start..].to_vec() }
    }

    fn add(&mut self, writing: &mut Writing, base: &Path, name: &[u8]) -> Result<(), Stop> {
        if self.options.excludes.hit(name) {
            return Ok(());
        }
        let path = sys::join(base, name);
        let stat = match sys::stat(&path, self.options.dereference) {
            Ok(stat) => stat,
            Err(error) => {
                let (shown, reason) = (text::escape(name), text::reason(&error));
                if self.options.lenient {
                    eprintln!("tar: {shown}: Warning: Cannot stat: {reason}");
                } else {
                    self.complain(&format!("{shown}: Cannot stat: {reason}"));
                }
                return Ok(());
            }
        };
        if self.options.newer.is_some_and(|since| stat.seconds() < since && stat.kind != sys::Kind::Dir) {
            return Ok(());
        }
        if writing.own == Some((stat.dev, stat.ino)) {
            eprintln!("tar: {}: file is the archive; not dumped", text::escape(name));
            return Ok(());
        }
        let dir = stat.kind == sys::Kind::Dir;
        let mut given = name.to_vec();
        if dir && !given.ends_with(b"/") {
            given.push(b'/');
        }
        let mut stored = self.member_name(&given);
        stored = self.transformed(stored);
        let older = writing.present.get(&stored).or_else(|| writing.present.get(stored.strip_suffix(b"/").unwrap_or(&stored)));
        let current = older.is_some_and(|mtime| stat.seconds() <= *mtime);
        let current = current || (dir && older.is_some());
        let tag = if dir { self.tag(&path) } else { None };
        let nothing = matches!(tag, Some((_, Left::Nothing)));
        if !nothing && !stored.is_empty() && !current {
            self.member(writing, &path, &stat, &given, stored)?;
        }
        if let Some((name, left)) = tag {
            let (shown, what) = (text::escape(&given), if nothing { "directory" } else { "contents" });
            eprintln!("tar: {shown}: contains a cache directory tag {name}; {what} not dumped");
            return match left {
                Left::Tag => self.add(writing, base, &[&given[..], name.as_bytes()].concat()),
                _ => Ok(()),
            };
        }
        if dir && self.options.recursive {
            let entries = match std::fs::read_dir(&path) {
                Ok(entries) => entries,
                Err(error) => {
                    self.complain(&format!("{}: Cannot open: {}", text::escape(name), text::reason(&error)));
                    return Ok(());
                }
            };
            let mut names: Vec<Vec<u8>> = entries.filter_map(|e| e.ok().map(|e| e.file_name().as_encoded_bytes().to_vec())).collect();
            names.sort();
            for inner in names {
                let mut longer = given.clone();
                longer.extend(inner);
                self.add(writing, base, &longer)?;
            }
        }
        Ok(())
    }

    /// Returns the tag in a folder that leaves it out.
    fn tag(&self, folder: &Path) -> Option<(String, Left)> {
        let found = self.options.tags.iter().find(|tag| {
            let path = folder.join(&tag.name);
            if !tag.cache {
                return sys::stat(&path, false).is_ok();
            }
            let mut start = [0; 43];
            File::open(&path).is_ok_and(|mut file| file.read_exact(&mut start).is_ok() && start == *CACHE_BEGINS)
        });
        found.map(|tag| (tag.name.clone(), tag.left))
    }

    /// Returns a name as `--transform` changes it; the slash after a folder's name stays.
    pub(crate) fn transformed(&self, name: Vec<u8>) -> Vec<u8> {
        if self.options.transforms.is_empty() {
            return name;
        }
        let bare = name.strip_suffix(b"/").unwrap_or(&name).to_vec();
        let slash = bare.len() < name.len();
        let mut changed = self.options.transforms.iter().fold(bare, |name, transform| transform.apply(&name));
        if slash && !changed.is_empty() {
            changed.push(b'/');
        }
        changed
    }

    fn member(&mut self, writing: &mut Writing, path: &Path, stat: &Stat, given: &[u8], stored: Vec<u8>) -> Result<(), Stop> {
        let shown = text::escape(given);
        let fixed = self.options.mtime.filter(|mtime| !self.options.clamp || stat.seconds() > *mtime);
        let mut member = Member {
            name: stored,
            link: Vec::new(),
            kind: Kind::File,
            mode: stat.mode,
            uid: u64::from(stat.uid),
            gid: u64::from(stat.gid),
            user: sys::user(stat.uid).into_bytes(),
            group: sys::group(stat.gid).into_bytes(),
            size: 0,
            mtime: fixed.unwrap_or(stat.seconds()),
            nanos: if fixed.is_some() { 0 } else { stat.mtime.rem_euclid(1_000_000_000) as u32 },
        };
        self.rewrite(&mut member);
        match stat.kind {
            sys::Kind::Dir => member.kind = Kind::Dir,
            sys::Kind::Link => match std::fs::read_link(path) {
                Ok(target) => (member.kind, member.link) = (Kind::Symlink, sys::bytes(&target).to_vec()),
                Err(error) => {
                    self.complain(&format!("{shown}: Cannot readlink: {}", text::reason(&error)));
                    return Ok(());
                }
            },
            sys::Kind::File => member.size = stat.size,
            sys::Kind::Fifo => member.kind = Kind::Fifo,
            sys::Kind::Char | sys::Kind::Block | sys::Kind::Socket => {
                eprintln!("tar: {shown}: Unknown file type; file ignored");
                return Ok(());
            }
        }
        // Of several names, or through links, any file may come twice.
        if (stat.nlink > 1 || writing.several) && stat.kind != sys::Kind::Dir && !self.options.remove {
            if given.len() > member.name.len() && !self.options.absolute && self.options.transforms.is_empty() {
                let cut = text::escape(&given[..given.len() - member.name.len()]);
                self.note(&format!("Removing leading `{cut}' from hard link targets"));
            }
            match writing.links.get(&(stat.dev, stat.ino)) {
                Some(first) => (member.kind, member.link, member.size) = (Kind::Hardlink, first.clone(), 0),
                None => drop(writing.links.insert((stat.dev, stat.ino), member.name.clone())),
            }
        }
        if !fits(&member, self.options.style) {
            self.complain(&format!("{shown}: file name is too long (cannot be split); not dumped"));
            return Ok(());
        }
        let file = if member.kind == Kind::File {
            match File::open(path) {
                Ok(file) => Some(file),
                Err(error) => {
                    self.complain(&format!("{shown}: Cannot open: {}", text::reason(&error)));
                    return Ok(());
                }
            }
        } else {
            None
        };
        if self.options.verbose > 0 {
            let name = if self.options.show_transformed { member.name.clone() } else { given.to_vec() };
            let to_stderr = self.archive_name() == "-";
            let seen = Member { mtime: stat.seconds(), ..member.clone() };
            self.say(&seen, &name, self.options.verbose > 1, to_stderr);
        }
        let header = write(&member, self.options.style);
        self.put(writing, &header)?;
        if let Some(file) = file {
            self.data(writing, file, member.size, &shown)?;
        }
        writing.done.push(path.to_path_buf());
        Ok(())
    }

    /// Reads the options that change what is stored.
    fn rewrite(&mut self, member: &mut Member) {
        if let Some((name, id)) = &self.options.owner {
            member.user.clone_from(name);
            member.uid = id.unwrap_or(member.uid);
            if name.is_empty() {
                member.user = sys::user(member.uid as u32).into_bytes();
            }
        }
        if let Some((name, id)) = &self.options.group {
            member.group.clone_from(name);
            member.gid = id.unwrap_or(member.gid);
            if name.is_empty() {
                member.group = sys::group(member.gid as u32).into_bytes();
            }
        }
        if self.options.numeric {
            (member.user, member.group) = (Vec::new(), Vec::new());
        }
        if let Some(mode) = &self.options.mode {
            member.mode = change_mode(member.mode, mode);
        }
    }

    /// Writes exactly `size` bytes, whatever the file has become in the meantime.
    fn data(&mut self, writing: &mut Writing, file: File, size: u64, shown: &str) -> Result<(), Stop> {
        let mut input = file.take(size);
        let mut buffer = vec![0; 64 * 1024];
        let mut copied = 0;
        while copied < size {
            match input.read(&mut buffer) {
                Ok(0) => break,
                Ok(count) => {
                    copied += count as u64;
                    self.put(writing, &buffer[..count])?;
                }
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.complain(&format!("{shown}: Read error at byte {copied}: {}", text::reason(&error)));
                    break;
                }
            }
        }
        if copied < size {
            self.complain(&format!("{shown}: File shrank by {} bytes; padding with zeros", size - copied));
        }
        buffer.fill(0);
        let mut left = size.next_multiple_of(BLOCK as u64) - copied;
        while left > 0 {
            let count = left.min(buffer.len() as u64) as usize;
            self.put(writing, &buffer[..count])?;
            left -= count as u64;
        }
        Ok(())
    }
}

/// Implements `--mode`: octal, or chmod's `u+w,go=r`.
fn change_mode(mode: u32, text: &str) -> u32 {
    if let Ok(exact) = u32::from_str_radix(text, 8) {
        return exact & 0o7777;
    }
    let mut mode = mode;
    for clause in text.split(',') {
        let at = clause.find(['+', '-', '=']).unwrap_or(clause.len());
        let (who, action) = clause.split_at(at);
        let mut groups = 0;
        for letter in who.chars() {
            groups |= match letter {
                'u' => 0o700,
                'g' => 0o070,
                'o' => 0o007,
                _ => 0o777,
            };
        }
        if groups == 0 {
            groups = 0o777;
        }
        let mut bits = 0;
        for letter in action.chars().skip(1) {
            bits |= match letter {
                'r' => 0o444,
                'w' => 0o222,
                'x' => 0o111,
                'X' if mode & 0o111 != 0 => 0o111,
                _ => 0,
            };
        }
        mode = match action.chars().next() {
            Some('+') => mode | (bits & groups),
            Some('-') => mode & !(bits & groups),
            Some('=') => (mode & !groups) | (bits & groups),
            _ => mode,
        };
    }
    mode
}

#[cfg(test)]
mod tests {
    use super::change_mode;

    #[test]
    fn modes_change() {
        assert_eq!(change_mode(0o644, "755"), 0o755);
        assert_eq!(change_mode(0o644, "u+x,go-r"), 0o700);
        assert_eq!(change_mode(0o777, "a=rX"), 0o555);
    }
}
