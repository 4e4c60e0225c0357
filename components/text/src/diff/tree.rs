//! Files and directories by name.

use super::{Diff, Format};
use crate::sys::{self, Kind};
use crate::text;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use wisp_tool::wildcard::{How, matches};

impl Diff {
    /// Compares the files that two operands name.
    pub(crate) fn files(&mut self, one: &OsStr, other: &OsStr) -> u8 {
        let kind = |name: &OsStr| if name == "-" { Ok(Kind::File) } else { sys::stat(Path::new(name), true).map(|s| s.kind) };
        let (first, second) = (kind(one), kind(other));
        let missing = [first.is_err(), second.is_err()];
        // With -N, one of them may be missing.
        let allowed = (self.new_file && missing != [true, true]) || (self.new_first && missing == [true, false]);
        if !allowed {
            let mut failed = false;
            for (name, kind) in [(one, &first), (other, &second)] {
                if let Err(error) = kind {
                    text::complain("diff", format!("{}: {}", text::show(name), text::reason(error)));
                    failed = true;
                }
            }
            if failed {
                return 2;
            }
        }
        if one == "-" && other == "-" {
            // A file that is compared with itself is not read.
            return 0;
        }
        match (first.ok(), second.ok()) {
            (Some(Kind::Dir), Some(Kind::Dir)) => self.directories(Path::new(one), Path::new(other)),
            (Some(Kind::Dir), None) => self.directories(Path::new(one), Path::new(other)),
            (None, Some(Kind::Dir)) => self.directories(Path::new(one), Path::new(other)),
            // A file and a directory: the file of that name in it.
            (Some(Kind::Dir), Some(_)) => {
                let inside = Path::new(one).join(Path::new(other).file_name().unwrap_or_default());
                self.pair(inside.as_os_str(), other)
            }
            (Some(_), Some(Kind::Dir)) => {
                let inside = Path::new(other).join(Path::new(one).file_name().unwrap_or_default());
                self.pair(one, inside.as_os_str())
            }
            _ => self.contents([one, other], [!missing[0], !missing[1]], None),
        }
    }

    fn pair(&mut self, one: &OsStr, other: &OsStr) -> u8 {
        for name in [one, other] {
            if let Err(error) = sys::stat(Path::new(name), true) {
                text::complain("diff", format!("{}: {}", text::show(name), text::reason(&error)));
                return 2;
            }
        }
        self.contents([one, other], [true, true], None)
    }

    fn names(&self, folder: &Path) -> Result<Vec<OsString>, u8> {
        let entries = match std::fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && (self.new_file || self.new_first) => return Ok(Vec::new()),
            Err(error) => {
                text::complain("diff", format!("{}: {}", text::show(folder), text::reason(&error)));
                return Err(2);
            }
        };
        let names = entries.filter_map(|e| e.ok().map(|e| e.file_name()));
        Ok(names.filter(|n| !self.exclude.iter().any(|p| matches(p, sys::bytes(n), How::default()))).collect())
    }

    fn directories(&mut self, one: &Path, other: &Path) -> u8 {
        let mut all: BTreeMap<OsString, [bool; 2]> = BTreeMap::new();
        for (which, folder) in [one, other].into_iter().enumerate() {
            match self.names(folder) {
                Ok(names) => names.into_iter().for_each(|n| all.entry(n).or_default()[which] = true),
                Err(status) => return status,
            }
        }
        let mut status = 0;
        // -S applies only to the directories of the command line.
        let start = self.start.take();
        for (name, there) in all.into_iter().filter(|(name, _)| start.as_ref().is_none_or(|s| name >= s)) {
            status = status.max(self.entry(one, other, &name, there));
        }
        status
    }

    fn entry(&mut self, one: &Path, other: &Path, name: &OsStr, there: [bool; 2]) -> u8 {
        let paths = [join(one, name), join(other, name)];
        let filled = self.new_file || (self.new_first && !there[0]);
        if there != [true, true] && !filled {
            let folder = if there[0] { one } else { other };
            return self.say(&format!("Only in {}: {}", text::show(folder), text::show(name)), 1);
        }
        let stats = [0, 1].map(|n| there[n].then(|| sys::stat(&paths[n], true)));
        let (mut found, mut files) = ([None, None], [None, None]);
        for (n, stat) in stats.into_iter().enumerate() {
            match stat {
                Some(Ok(stat)) => {
                    found[n] = Some(stat.kind);
                    files[n] = Some((stat.dev, stat.ino));
                }
                Some(Err(error)) => {
                    text::complain("diff", format!("{}: {}", text::show(&paths[n]), text::reason(&error)));
                    return 2;
                }
                None => {}
            }
        }
        let folder = |k: Option<Kind>| k.is_none() || k == Some(Kind::Dir);
        if folder(found[0]) && folder(found[1]) {
            if self.recursive {
                return self.directories(&paths[0], &paths[1]);
            }
            if there == [true, true] {
                return self.say(&format!("Common subdirectories: {} and {}", text::show(&paths[0]), text::show(&paths[1])), 0);
            }
            let folder = if there[0] { one } else { other };
            return self.say(&format!("Only in {}: {}", text::show(folder), text::show(name)), 1);
        }
        if files[0] == files[1] && !self.shows_all() {
            // Two names of one file, of whatever kind, which is not read.
            return self.alike([text::show(&paths[0]), text::show(&paths[1])]);
        }
        // Within directories, only regular files are read: a pipe might wait for ever.
        if let [Some(a), Some(b)] = found
            && [a, b] != [Kind::File; 2]
        {
            let what = |k: Kind| match k {
                Kind::Dir => "directory",
                Kind::File => "regular file",
                Kind::Fifo => "fifo",
                Kind::Char => "character special file",
                _ => "weird file",
            };
            let kind = |n: usize, k: Kind| match sys::stat(&paths[n], true) {
                Ok(s) if k == Kind::File && s.size == 0 => "regular empty file",
                _ => what(k),
            };
            let message =
                format!("File {} is a {} while file {} is a {}", text::show(&paths[0]), kind(0, a), text::show(&paths[1]), kind(1, b));
            return self.say(&message, 1);
        }
        let names = [paths[0].as_os_str(), paths[1].as_os_str()];
        let header = (self.format != Format::Brief).then(|| {
            let options = if self.shown.is_empty() { String::new() } else { format!("{} ", self.shown) };
            let shown = [0, 1].map(|n| self.labels.get(n).cloned().unwrap_or_else(|| super::header_name(names[n])));
            format!("diff {options}{} {}", shown[0], shown[1])
        });
        self.contents(names, there, header.as_deref())
    }
}

fn join(folder: &Path, name: &OsStr) -> PathBuf {
    let mut path = sys::bytes(folder.as_os_str()).to_vec();
    while path.ends_with(b"//") {
        path.pop();
    }
    if path.last() != Some(&b'/') {
        path.push(b'/');
    }
    path.extend_from_slice(sys::bytes(name));
    PathBuf::from(sys::os_string(path))
}
