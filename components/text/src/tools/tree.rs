//! `tree`: a directory and everything below it.

use super::tree_ignore::Rules;
use super::tree_output as output;
use crate::options::{Line, Syntax, flag, value};
use crate::sys::{self, Kind, Stat};
use crate::text;
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use wisp_tool::wildcard::{self, How};

const SYNTAX: Syntax = Syntax {
    usage: "[OPTION]... [DIRECTORY]...",
    about: "List the contents of directories as a tree.",
    options: &[
        flag("a", "", "all files are listed"),
        flag("d", "", "list directories only"),
        flag("l", "", "follow symbolic links like directories"),
        flag("f", "", "print the full path prefix for each file"),
        value("L", "level", "descend only VALUE directories deep"),
        value("P", "", "list only those files that match the pattern"),
        value("I", "", "do not list files that match the pattern"),
        flag("", "gitignore", "leave out the entries that .gitignore files name"),
        flag("", "ignore-case", "ignore case when pattern matching"),
        flag("", "matchdirs", "include directory names in -P pattern matching"),
        flag("", "noreport", "turn off the count at the end"),
        value("", "charset", "use this charset for lines"),
        value("", "filelimit", "do not descend directories with more than VALUE entries"),
        value("o", "", "output to a file instead of stdout"),
        flag("q", "", "print non-printable characters as '?'"),
        flag("N", "", "print non-printable characters as is"),
        flag("Q", "", "quote names with double quotes"),
        flag("p", "", "print the protections"),
        flag("u", "", "display the owner"),
        flag("g", "", "display the group"),
        flag("s", "", "print the size in bytes"),
        flag("h", "", "print the size in a more human readable way"),
        flag("", "si", "like -h, in powers of 1000"),
        flag("", "du", "compute the size of directories by their contents"),
        flag("D", "", "print the date of the last modification"),
        value("", "timefmt", "print times in this format"),
        flag("F", "", "append one of */=@| to names, as ls -F does"),
        flag("v", "", "sort by version"),
        flag("t", "", "sort by modification time"),
        flag("c", "", "sort by last change"),
        flag("U", "", "leave files unsorted"),
        flag("r", "", "reverse the order"),
        flag("", "dirsfirst", "list directories before files"),
        flag("", "filesfirst", "list files before directories"),
        value("", "sort", "sort by name, version, size, mtime"),
        flag("i", "", "don't print indentation lines"),
        flag("A", "", "print ANSI lines"),
        flag("S", "", "print CP437 lines"),
        flag("n", "", "no color"),
        flag("C", "", "color always"),
        flag("X", "", "print XML"),
        flag("J", "", "print JSON"),
        flag("", "fromfile", "read the paths from files, . for standard input"),
        flag("", "info", "accepted; changes nothing"),
        flag("", "metafirst", "accepted; changes nothing"),
        flag("", "prune", "remove empty directories from the output"),
        flag("x", "", "stay on the current filesystem"),
    ],
    origin: "wisp",
    ..Syntax::COMMON
};

/// An entry.
#[derive(Default)]
pub(crate) struct Entry {
    /// Its name.
    pub name: OsString,
    /// Its path.
    pub path: PathBuf,
    /// Its own metadata, not that of a link's target.
    pub stat: Option<Stat>,
    /// The target of a link.
    pub target: Option<OsString>,
    /// Whether it is a directory, or a link to one.
    pub folder: bool,
    /// Its entries; `None` if it was not read.
    pub inside: Option<Vec<Self>>,
    /// With --fromfile: its kind in the list.
    pub listed: Option<Kind>,
    /// Why it was not read.
    pub note: Option<String>,
    /// With --du: the size, with everything below it.
    pub size: u64,
}

/// The counts of the report.
#[derive(Default)]
pub(crate) struct Counts {
    /// Directories.
    pub folders: usize,
    /// Everything else.
    pub files: usize,
}

const SORTS: [&str; 5] = ["name", "version", "size", "mtime", "ctime"];

/// Runs `tree`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    SYNTAX.run(&args, run)
}

fn run(_: &[OsString], line: Line) -> u8 {
    let level = match line.last_text("level") {
        None => usize::MAX,
        Some(text) => match text.parse() {
            Ok(0) | Err(_) => {
                text::complain("tree", "Invalid level, must be greater than 0.");
                return 1;
            }
            Ok(level) => level,
        },
    };
    let patterns = |key: &str| -> Vec<Vec<u8>> {
        let all = line.options.iter().filter(|o| o.key == key).filter_map(|o| o.value.as_ref());
        all.flat_map(|v| sys::bytes(v).split(|b| *b == b'|').map(<[u8]>::to_vec).collect::<Vec<_>>()).collect()
    };
    if let Some(how) = line.last_text("sort").filter(|how| !SORTS.contains(&how.as_str())) {
        text::complain("tree", format!("Sort type '{how}' not valid, should be one of: "));
        println!("{}", SORTS.join(","));
        return 1;
    }
    let walk = Walk { only: patterns("P"), never: patterns("I"), line: &line, level };
    let mut status = 0;
    let roots = if line.operands.is_empty() { vec![OsString::from(".")] } else { line.operands.clone() };
    let mut trees = Vec::new();
    for root in roots {
        if line.has("fromfile")
            && let Some(entry) = super::tree_list::read(&walk, &root)
        {
            trees.push(entry);
            continue;
        }
        let path = PathBuf::from(&root);
        let stat = sys::stat(&path, true);
        let folder = stat.as_ref().is_ok_and(|s| s.kind == Kind::Dir);
        let mut entry = Entry { name: root, path, stat: stat.ok(), folder, ..Entry::default() };
        if folder {
            walk.fill(&mut entry, 1, &Rules::default(), false);
        } else {
            entry.note = Some("error opening dir".into());
            if entry.stat.is_none() {
                status = 2;
            }
        }
        trees.push(entry);
    }
    let mut out = Vec::new();
    output::print(&line, &trees, &mut out);
    let written = match line.last("o") {
        Some(file) => std::fs::write(file, &out),
        None => {
            let mut stdout = text::output();
            stdout.write_all(&out).and_then(|()| stdout.flush())
        }
    };
    match written {
        Ok(()) => status,
        Err(error) => {
            text::complain("tree", text::reason(&error));
            1
        }
    }
}

/// What to show of a tree.
pub(crate) struct Walk<'a> {
    only: Vec<Vec<u8>>,
    never: Vec<Vec<u8>>,
    line: &'a Line,
    /// How deep.
    pub level: usize,
}

impl Walk<'_> {
    fn matches(&self, patterns: &[Vec<u8>], name: &[u8]) -> bool {
        let how = How { fold: self.line.has("ignore-case"), ..How::default() };
        patterns.iter().any(|p| wildcard::matches(p.strip_suffix(b"/").unwrap_or(p), name, how))
    }

    /// Reads a directory and everything below it.
    fn fill(&self, entry: &mut Entry, depth: usize, above: &Rules, whole: bool) {
        entry.size = entry.stat.as_ref().map_or(0, |s| s.size);
        let Ok(found) = std::fs::read_dir(&entry.path) else {
            entry.note = Some("error opening dir".into());
            return;
        };
        let mut all: Vec<Entry> = found.flatten().map(|e| self.entry(&entry.path, e.file_name())).collect();
        let rules = if self.line.has("gitignore") { above.with(&entry.path) } else { Rules::default() };
        all.retain(|e| self.wanted(e, whole) && !rules.hide(&e.path, e.folder && e.target.is_none()));
        if let Some(limit) = self.line.last_text("filelimit").and_then(|l| l.parse::<usize>().ok())
            && all.len() > limit
        {
            entry.note = Some(format!("{} entries exceeds filelimit, not opening dir", all.len()));
            return;
        }
        for child in &mut all {
            child.size = child.stat.as_ref().map_or(0, |s| s.size);
            let link = child.target.is_some();
            if child.folder && depth < self.level && (!link || self.line.has("l")) {
                self.fill(child, depth + 1, &rules, self.opens(child));
            }
            entry.size += child.size;
        }
        self.finish(&mut all);
        entry.inside = Some(all);
    }

    /// Removes empty directories, with --prune, and sorts.
    pub(crate) fn finish(&self, all: &mut Vec<Entry>) {
        if self.line.has("prune") {
            all.retain(|e| !e.folder || e.target.is_some() || e.inside.as_ref().is_none_or(|i| !i.is_empty()));
        }
        self.sort(all);
    }

    /// Returns whether the name of a directory selects everything in it: -P with --matchdirs.
    pub(crate) fn opens(&self, e: &Entry) -> bool {
        self.line.has("matchdirs") && !self.only.is_empty() && self.matches(&self.only, sys::bytes(&e.name))
    }

    fn entry(&self, folder: &Path, name: OsString) -> Entry {
        let path = folder.join(&name);
        let stat = sys::stat(&path, false).ok();
        let target = match &stat {
            Some(s) if s.kind == Kind::Link => std::fs::read_link(&path).ok().map(PathBuf::into_os_string),
            _ => None,
        };
        let folder = if target.is_some() {
            sys::stat(&path, true).is_ok_and(|s| s.kind == Kind::Dir)
        } else {
            stat.as_ref().is_some_and(|s| s.kind == Kind::Dir)
        };
        Entry { name, path, stat, target, folder, ..Entry::default() }
    }

    /// Returns whether an entry is shown; `whole`: everything in its directory is.
    pub(crate) fn wanted(&self, e: &Entry, whole: bool) -> bool {
        let name = sys::bytes(&e.name);
        if name.starts_with(b".") && name != b"." && !self.line.has("a") {
            return false;
        }
        if self.line.has("d") && !e.folder {
            return false;
        }
        if self.matches(&self.never, name) {
            return false;
        }
        let real_folder = e.folder && e.target.is_none();
        whole || self.only.is_empty() || real_folder || self.matches(&self.only, name)
    }

    fn sort(&self, all: &mut [Entry]) {
        let line = self.line;
        let how = line.last_text("sort");
        let how = how.as_deref().or(line.last_of(&["t", "c", "v"]));
        if !line.has("U") {
            let time = |e: &Entry| e.stat.as_ref().map_or(0, |s| s.mtime);
            all.sort_by(|a, b| {
                let names = || sys::bytes(&a.name).cmp(sys::bytes(&b.name));
                match how {
                    Some("t" | "c" | "mtime" | "ctime") => time(a).cmp(&time(b)).then_with(names),
                    Some("size") => b.size.cmp(&a.size).then_with(names),
                    Some("v" | "version") => version(sys::bytes(&a.name), sys::bytes(&b.name)),
                    _ => names(),
                }
            });
            if line.has("r") {
                all.reverse();
            }
        }
        if line.has("dirsfirst") {
            all.sort_by_key(|e| !e.folder);
        } else if line.has("filesfirst") {
            all.sort_by_key(|e| e.folder);
        }
    }
}

/// Compares names; numbers in them count by their value.
fn version(a: &[u8], b: &[u8]) -> std::cmp::Ordering {
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        if a[i].is_ascii_digit() && b[j].is_ascii_digit() {
            let run = |t: &[u8], at: usize| t[at..].iter().take_while(|c| c.is_ascii_digit()).count();
            let (x, y) = (&a[i..i + run(a, i)], &b[j..j + run(b, j)]);
            let trim = |t: &[u8]| t.iter().position(|c| *c != b'0').map_or(Vec::new(), |n| t[n..].to_vec());
            let (p, q) = (trim(x), trim(y));
            let order = p.len().cmp(&q.len()).then_with(|| p.cmp(&q));
            if order.is_ne() {
                return order;
            }
            i += x.len();
            j += y.len();
        } else {
            if a[i] != b[j] {
                return a[i].cmp(&b[j]);
            }
            i += 1;
            j += 1;
        }
    }
    (a.len() - i).cmp(&(b.len() - j))
}

#[cfg(test)]
mod tests {
    use super::version;

    #[test]
    fn numbers_in_names() {
        assert!(version(b"f9", b"f10").is_lt());
        assert!(version(b"f010", b"f10").is_eq());
        assert!(version(b"a", b"b").is_lt());
    }
}
