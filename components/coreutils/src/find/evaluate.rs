//! Walks the tree and evaluates the expression on every file.

use super::expression::{Compare, DAY, Expression, Links, Plan, SECOND, Sink, Stamp, Step};
use super::printf;
use crate::sys::{self, Kind, Stat};
use crate::{glob, names, text};
use std::cell::OnceCell;
use std::io::Write;
use std::path::{Path, PathBuf};

/// One file of the walk.
pub(super) struct Entry<'a> {
    /// Its path, beginning with the starting point.
    pub path: PathBuf,
    /// The length of the starting point's name.
    pub start_len: usize,
    /// Levels below the starting point.
    pub depth: usize,
    follow: bool,
    kind: Option<Kind>,
    stat: OnceCell<Option<Stat>>,
    marker: std::marker::PhantomData<&'a ()>,
}

impl Entry<'_> {
    /// Returns facts about the file, read once.
    pub(super) fn stat(&self) -> Option<&Stat> {
        self.stat
            .get_or_init(|| {
                let first = sys::stat(&self.path, self.follow);
                // A dangling link stands for itself.
                first.or_else(|error| if self.follow { sys::stat(&self.path, false) } else { Err(error) }).ok()
            })
            .as_ref()
    }

    fn kind(&self) -> Option<Kind> {
        self.kind.or_else(|| self.stat().map(|s| s.kind))
    }

    fn name(&self) -> String {
        let text = text::show(&self.path);
        let trimmed = text.trim_end_matches('/');
        if trimmed.is_empty() { "/".into() } else { trimmed.rsplit('/').next().unwrap_or(trimmed).to_owned() }
    }
}

/// The reason for skipping a link in a loop of links.
pub(super) const LINK_LOOP: &str = "Too many levels of symbolic links";

/// Returns one of a file's times.
pub(super) fn time_of(stat: &Stat, stamp: Stamp) -> i128 {
    match stamp {
        Stamp::Access => stat.atime,
        Stamp::Change => stat.ctime,
        Stamp::Modify => stat.mtime,
    }
}

/// A running plan.
pub(super) struct Run<W: Write> {
    plan: Plan,
    out: W,
    /// Whether something went wrong.
    pub failed: bool,
    prune: bool,
    quit: bool,
    /// The directories above: device, number, name.
    above: Vec<(u64, u64, PathBuf)>,
}

impl<W: Write> Run<W> {
    /// Creates a run that has not started.
    pub(super) fn new(plan: Plan, out: W) -> Self {
        Self { plan, out, failed: false, prune: false, quit: false, above: Vec::new() }
    }

    /// Walks all starting points.
    pub(super) fn all(&mut self) {
        for start in std::mem::take(&mut self.plan.starts) {
            if self.quit {
                break;
            }
            let follow = self.plan.links != Links::Never;
            let start_len = start.as_os_str().len();
            let entry =
                Entry { path: start, start_len, depth: 0, follow, kind: None, stat: OnceCell::new(), marker: std::marker::PhantomData };
            if entry.stat().is_none() {
                let error = sys::stat(&entry.path, false).err();
                let why = error.map_or_else(|| "No such file or directory".into(), |e| text::reason(&e));
                self.complain(format!("{}: {why}", text::quote(&entry.path)));
                continue;
            }
            let device = entry.stat().map_or(0, |s| s.dev);
            self.visit(&entry, device);
        }
        for at in 0..self.plan.execs.len() {
            let _ = self.out.flush();
            self.plan.execs[at].flush(&mut self.failed);
        }
        let _ = self.out.flush();
        for file in &mut self.plan.files {
            let _ = file.flush();
        }
    }

    fn complain(&mut self, message: String) {
        let _ = self.out.flush();
        text::complain("find", message);
        self.failed = true;
    }

    fn visit(&mut self, entry: &Entry<'_>, device: u64) {
        let judged = entry.depth >= self.plan.min_depth;
        self.prune = false;
        if entry.follow
            && let Some(message) = self.loops(entry)
        {
            return self.complain(message);
        }
        if judged && !self.plan.contents_first {
            self.judge(entry);
        }
        let descend =
            !self.quit && entry.depth < self.plan.max_depth && (self.plan.contents_first || !self.prune) && entry.kind() == Some(Kind::Dir);
        if descend {
            self.descend(entry, device);
        }
        if judged && self.plan.contents_first && !self.quit {
            self.judge(entry);
        }
    }

    /// Returns the reason for skipping an entry: it leads back to a directory above it.
    fn loops(&self, entry: &Entry<'_>) -> Option<String> {
        let quoted = || text::quote(&entry.path);
        match entry.kind()? {
            Kind::Link => {
                let why = sys::stat(&entry.path, true).err().map(|error| text::reason(&error))?;
                (why == LINK_LOOP).then(|| format!("{}: {why}", quoted()))
            }
            Kind::Dir => {
                let stat = entry.stat()?;
                let (.., above) = self.above.iter().find(|(dev, ino, _)| (*dev, *ino) == (stat.dev, stat.ino))?;
                Some(format!("File system loop detected; {} is part of the same file system loop as {}.", quoted(), text::quote(above)))
            }
            _ => None,
        }
    }

    fn descend(&mut self, entry: &Entry<'_>, device: u64) {
        let follow = self.plan.links == Links::Always;
        if follow || self.plan.one_system {
            let Some(stat) = entry.stat() else { return };
            if self.plan.one_system && stat.dev != device {
                return;
            }
            self.above.push((stat.dev, stat.ino, entry.path.clone()));
        }
        match std::fs::read_dir(&entry.path) {
            Ok(list) => {
                for item in list {
                    if self.quit {
                        break;
                    }
                    let Ok(item) = item else { continue };
                    let kind = item.file_type().ok().and_then(|t| {
                        // Only the types that a directory entry tells for certain; `stat` decides the rest.
                        if t.is_dir() {
                            Some(Kind::Dir)
                        } else if t.is_symlink() {
                            (!follow).then_some(Kind::Link)
                        } else if t.is_file() {
                            Some(Kind::File)
                        } else {
                            None
                        }
                    });
                    let child = Entry {
                        path: child_path(&entry.path, &item.file_name()),
                        start_len: entry.start_len,
                        depth: entry.depth + 1,
                        follow,
                        kind,
                        stat: OnceCell::new(),
                        marker: std::marker::PhantomData,
                    };
                    self.visit(&child, device);
                }
            }
            Err(error) => self.complain(format!("{}: {}", text::quote(&entry.path), text::reason(&error))),
        }
        if follow || self.plan.one_system {
            self.above.pop();
        }
    }

    fn judge(&mut self, entry: &Entry<'_>) {
        // Moved out for the call, because the steps need the rest of the plan.
        let expression = std::mem::replace(&mut self.plan.expression, Expression::And(Vec::new()));
        self.evaluate(&expression, entry);
        self.plan.expression = expression;
    }

    fn evaluate(&mut self, expression: &Expression, entry: &Entry<'_>) -> bool {
        if self.quit {
            return false;
        }
        match expression {
            Expression::Step(step) => self.step(step, entry),
            Expression::Not(inner) => !self.evaluate(inner, entry),
            Expression::And(all) => all.iter().all(|e| self.evaluate(e, entry)),
            Expression::Or(all) => all.iter().any(|e| self.evaluate(e, entry)),
            Expression::List(all) => all.iter().fold(true, |_, e| self.evaluate(e, entry)),
        }
    }

    fn write(&mut self, sink: Sink, bytes: &[u8]) {
        let result = match sink {
            None => self.out.write_all(bytes),
            Some(at) => self.plan.files[at].write_all(bytes),
        };
        if let Err(error) = result {
            self.complain(format!("write error: {}", text::reason(&error)));
            self.quit = true;
        }
    }

    fn step(&mut self, step: &Step, entry: &Entry<'_>) -> bool {
        let fact = |check: &dyn Fn(&Stat) -> bool| entry.stat().is_some_and(check);
        let flags = |fold: bool| if fold { glob::FOLD } else { 0 };
        let id = |compare: &Compare, id: u32| compare.holds(i128::from(id));
        match step {
            Step::True => true,
            Step::False => false,
            Step::Name { pattern, fold } => glob::matches(pattern, &entry.name(), flags(*fold)),
            Step::Path { pattern, fold } => glob::matches(pattern, &text::show(&entry.path), flags(*fold)),
            Step::LinkName { pattern, fold } => {
                entry.kind() == Some(Kind::Link)
                    && std::fs::read_link(&entry.path).is_ok_and(|t| glob::matches(pattern, &text::show(&t), flags(*fold)))
            }
            Step::Regex(regex) => regex.is_match(entry.path.as_os_str().as_encoded_bytes()),
            Step::Type { kinds, crossed: false } => entry.kind().is_some_and(|k| kinds.contains(&k)),
            Step::Type { kinds, crossed: true } => {
                let other = sys::stat(&entry.path, !entry.follow).or_else(|_| sys::stat(&entry.path, false));
                other.is_ok_and(|s| kinds.contains(&s.kind))
            }
            Step::Size { compare, unit } => fact(&|s| compare.holds(i128::from(s.size.div_ceil(*unit)))),
            Step::Empty => match entry.kind() {
                Some(Kind::Dir) => std::fs::read_dir(&entry.path).is_ok_and(|mut l| l.next().is_none()),
                Some(Kind::File) => fact(&|s| s.size == 0),
                _ => false,
            },
            Step::Age { stamp, days, compare } => fact(&|s| age(self.plan.now - time_of(s, *stamp), *days, *compare)),
            Step::Used(compare) => fact(&|s| s.atime > s.ctime && age(s.atime - s.ctime, true, *compare)),
            Step::Newer { stamp, than } => fact(&|s| time_of(s, *stamp) > *than),
            Step::Perm { bits, how } => fact(&|s| match how {
                '-' => s.mode & bits == *bits,
                '/' => *bits == 0 || s.mode & bits != 0,
                _ => s.mode == *bits,
            }),
            Step::User(compare) => fact(&|s| id(compare, s.uid)),
            Step::Group(compare) => fact(&|s| id(compare, s.gid)),
            Step::NoUser => fact(&|s| names::users().name(s.uid).is_none()),
            Step::NoGroup => fact(&|s| names::groups().name(s.gid).is_none()),
            Step::Links(compare) => fact(&|s| compare.holds(i128::from(s.nlink))),
            Step::Inode(compare) => fact(&|s| compare.holds(i128::from(s.ino))),
            Step::Same { dev, ino } => fact(&|s| s.dev == *dev && s.ino == *ino),
            Step::Access(want) => sys::stat(&entry.path, true).is_ok_and(|s| s.allows(*want)),
            Step::FsType(kind) => kind == "memory" || kind == "tmpfs",
            Step::Print { sink, end } => {
                let mut line = entry.path.as_os_str().as_encoded_bytes().to_vec();
                line.push(*end);
                self.write(*sink, &line);
                true
            }
            Step::Printf { sink, format } => {
                let mut line = Vec::new();
                printf::fill(format, entry, &mut line);
                self.write(*sink, &line);
                true
            }
            Step::Ls { sink } => {
                let line = printf::ls(entry, self.plan.now);
                self.write(*sink, &line);
                true
            }
            Step::Delete => self.delete(entry),
            Step::Prune => {
                self.prune = true;
                true
            }
            Step::Quit => {
                self.quit = true;
                true
            }
            Step::Exec(at) => {
                let _ = self.out.flush();
                self.plan.execs[*at].file(&entry.path, &mut self.failed)
            }
        }
    }

    fn delete(&mut self, entry: &Entry<'_>) -> bool {
        if entry.path == Path::new(".") {
            return true;
        }
        let is_dir = sys::stat(&entry.path, false).is_ok_and(|s| s.is_dir());
        let done = if is_dir { std::fs::remove_dir(&entry.path) } else { std::fs::remove_file(&entry.path) };
        match done {
            Ok(()) => true,
            Err(error) => {
                self.complain(format!("cannot delete {}: {}", text::quote(&entry.path), text::reason(&error)));
                false
            }
        }
    }
}

/// Returns whether an age compares as wanted. Days are whole: `n` means from `n` up to `n + 1` days, `+n` means `n + 1` days or
/// more. Minutes are exact, except that a plain `n` includes the minute before it.
fn age(ns: i128, days: bool, compare: Compare) -> bool {
    const MINUTE: i128 = 60 * SECOND;
    match compare {
        Compare::More(n) if days => ns >= n + DAY,
        Compare::Equal(n) if days => ns >= n && ns < n + DAY,
        Compare::More(n) => ns > n,
        Compare::Less(n) => ns < n,
        Compare::Equal(n) => ns > n - MINUTE && ns <= n,
    }
}

/// Returns `dir/name`, without a double slash and without removing `./`.
fn child_path(dir: &Path, name: &std::ffi::OsStr) -> PathBuf {
    let mut path = dir.as_os_str().to_owned();
    if !path.as_encoded_bytes().ends_with(b"/") {
        path.push("/");
    }
    path.push(name);
    PathBuf::from(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_compare() {
        let compare = |text: &str, days: bool| Compare::scaled(text, if days { DAY } else { 60 * SECOND }).unwrap();
        let holds = |ns: i128, text: &str, days: bool| age(ns, days, compare(text, days));
        assert!(holds(DAY + 5, "1", true));
        assert!(!holds(DAY + 5, "+1", true));
        assert!(holds(2 * DAY, "+1", true));
        assert!(holds(DAY - 1, "-1", true));
        assert!(holds(DAY / 2 - 1, "-0.5", true) && !holds(DAY / 2, "-.5", true));
        assert!(holds(30 * SECOND, "1", false));
        assert!(holds(61 * SECOND, "+1", false) && !holds(61 * SECOND, "+1.5", false));
        for wrong in ["", ".", "1x", "1.5.5", "+", "x"] {
            assert_eq!(Compare::scaled(wrong, DAY), None, "{wrong}");
        }
    }
}
