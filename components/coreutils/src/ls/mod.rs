//! `ls`, `dir`, `vdir`. The versions of uutils cannot see mode bits, owners and links on WASI.

mod colors;
mod format;
mod options;
mod quoting;
mod read;
mod syntax;

use crate::sys::{self, Kind, Stat};
use crate::{glob, text, version};
use format::{Out, Printer, shown_time};
use options::{Layout, Options, Sort};
use std::cmp::Ordering;
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use syntax::SYNTAX;
use wisp_tool::options::Line;

/// One file to list.
pub(crate) struct Entry {
    name: String,
    path: PathBuf,
    stat: Option<Stat>,
    kind: Option<Kind>,
    target: Option<Box<Self>>,
}

impl Entry {
    fn kind(&self) -> Option<Kind> {
        self.stat.as_ref().map(|s| s.kind).or(self.kind)
    }
    fn kind_is(&self, kind: Kind) -> bool {
        self.kind() == Some(kind)
    }
}

/// Returns a name between quotation marks, with C's escapes.
pub(crate) fn quoted(name: &str, mark: char) -> String {
    let inner = quoting::escaped(name, &[mark]);
    if mark == ' ' { inner } else { format!("{mark}{inner}{mark}") }
}

struct Ls<'a> {
    options: &'a Options,
    name: String,
    status: u8,
}

/// Runs `ls`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    SYNTAX.run(&args, run)
}

fn run(args: &[OsString], line: Line) -> u8 {
    let options = match read::read(args, &line) {
        Ok(options) => options,
        Err(status) => return status,
    };
    let mut ls = Ls { options: &options, name: text::name(args), status: 0 };
    let operands = if line.operands.is_empty() { vec![OsString::from(".")] } else { line.operands };
    let mut out = Out::new(text::output());
    let _ = ls.list(&operands, &mut out);
    let _ = out.flush();
    ls.status
}

impl Ls<'_> {
    fn fail(&mut self, what: &str, path: &Path, error: &std::io::Error, status: u8) {
        text::complain(&self.name, format!("cannot {what} {}: {}", text::quote(path), text::reason(error)));
        self.status = self.status.max(status);
    }

    fn list(&mut self, operands: &[OsString], out: &mut Out) -> std::io::Result<()> {
        let o = self.options;
        let mut printer = Printer::new(o);
        let (mut files, mut dirs) = (Vec::new(), Vec::new());
        for operand in operands {
            let path = PathBuf::from(operand);
            // A link to a directory is followed if its contents are listed, not if the link itself is shown.
            let long = o.layout == Layout::Long || o.directory || o.indicator.contains('@');
            let asked = o.follow || o.follow_arguments;
            let to_dir = !long || o.follow_to_dir;
            let led = sys::stat(&path, true);
            let own = |error| sys::stat(&path, false).map_err(|_| error);
            let stat = match led {
                // A link is followed if an option says so, or if it leads to a directory that is listed.
                Ok(stat) if asked || (to_dir && stat.is_dir()) => Ok(stat),
                Ok(stat) => own(std::io::ErrorKind::NotFound.into()).or(Ok(stat)),
                Err(error) if asked => Err(error),
                Err(error) => own(error),
            };
            let stat = match stat {
                Ok(stat) => stat,
                Err(error) => {
                    self.fail("access", &path, &error, 2);
                    continue;
                }
            };
            let entry = self.entry(text::show(operand), path, Some(stat), None);
            if entry.kind_is(Kind::Dir) && !o.directory { dirs.push(entry) } else { files.push(entry) }
        }
        self.sort(&mut files);
        self.sort(&mut dirs);
        printer.print(&files, out)?;
        let many = operands.len() > 1 || o.recursive;
        let mut first = files.is_empty();
        for dir in dirs {
            self.directory(&dir, many, &mut first, &mut printer, out, &mut Vec::new())?;
        }
        printer.finish(out)
    }

    fn directory(
        &mut self,
        dir: &Entry,
        header: bool,
        first: &mut bool,
        printer: &mut Printer<'_>,
        out: &mut Out,
        above: &mut Vec<(u64, u64)>,
    ) -> std::io::Result<()> {
        let o = self.options;
        let list = match std::fs::read_dir(&dir.path) {
            Ok(list) => list,
            Err(error) => {
                self.fail("open directory", &dir.path, &error, if above.is_empty() { 2 } else { 1 });
                return Ok(());
            }
        };
        let mut entries = Vec::new();
        if o.dots {
            entries.push(self.load(".".into(), dir.path.join("."), None));
            entries.push(self.load("..".into(), dir.path.join(".."), None));
        }
        for item in list {
            match item {
                Ok(item) => {
                    let name = text::show(item.file_name());
                    if self.shown(&name) {
                        let kind = item.file_type().ok().map(|t| {
                            if t.is_dir() {
                                Kind::Dir
                            } else if t.is_symlink() {
                                Kind::Link
                            } else {
                                Kind::File
                            }
                        });
                        entries.push(self.load(name, dir.path.join(item.file_name()), kind));
                    }
                }
                Err(error) => self.fail("read directory", &dir.path, &error, 1),
            }
        }
        self.sort(&mut entries);
        if header {
            let gap = if *first { "" } else { "\n" };
            write!(out, "{gap}")?;
            printer.heading(&dir.name, &dir.path, out)?;
        }
        *first = false;
        if o.layout == Layout::Long || o.blocks {
            write!(out, "{}total {}{}", printer.margin(), printer.total(&entries), if o.zero { "\0" } else { "\n" })?;
        }
        printer.print(&entries, out)?;
        if o.recursive {
            let id = dir.stat.as_ref().map_or((0, 0), |s| (s.dev, s.ino));
            above.push(id);
            for entry in entries.iter().filter(|e| e.kind_is(Kind::Dir) && e.name != "." && e.name != "..") {
                let below = Entry {
                    name: text::show(&entry.path),
                    path: entry.path.clone(),
                    stat: entry.stat.clone().or_else(|| sys::stat(&entry.path, o.follow).ok()),
                    kind: Some(Kind::Dir),
                    target: None,
                };
                if below.stat.as_ref().is_some_and(|s| above.contains(&(s.dev, s.ino))) {
                    out.flush()?;
                    text::complain(&self.name, format!("{}: not listing already-listed directory", text::quote_if_needed(&below.path)));
                    self.status = 2;
                    continue;
                }
                self.directory(&below, true, first, printer, out, above)?;
            }
            above.pop();
        }
        Ok(())
    }

    fn shown(&self, name: &str) -> bool {
        let o = self.options;
        if name.starts_with('.') && !o.all {
            return false;
        }
        let matches = |patterns: &[String]| patterns.iter().any(|p| glob::matches(p, name, glob::PERIOD));
        !matches(&o.ignore) && (o.all || !matches(&o.hide))
    }

    fn load(&mut self, name: String, path: PathBuf, kind: Option<Kind>) -> Entry {
        let o = self.options;
        let needed = o.layout == Layout::Long
            || o.inode
            || o.blocks
            || o.colors.is_some()
            || o.follow
            || o.directories_first
            || !o.indicator.is_empty()
            || matches!(o.sort, Sort::Size | Sort::Time)
            || kind.is_none();
        if !needed {
            return Entry { name, path, stat: None, kind, target: None };
        }
        match sys::stat(&path, o.follow) {
            Ok(stat) => self.entry(name, path, Some(stat), kind),
            Err(error) => {
                self.fail("access", &path, &error, 1);
                self.entry(name, path, None, kind)
            }
        }
    }

    fn entry(&mut self, name: String, path: PathBuf, stat: Option<Stat>, kind: Option<Kind>) -> Entry {
        let mut entry = Entry { name, path, stat, kind, target: None };
        let linked = self.options.layout == Layout::Long || self.options.colors.as_ref().is_some_and(colors::Colors::looks_behind);
        if entry.kind_is(Kind::Link) && entry.stat.is_some() && linked {
            match std::fs::read_link(&entry.path) {
                Ok(target) => {
                    let stat = sys::stat(&entry.path, true).ok();
                    let name = text::show(&target);
                    entry.target = Some(Box::new(Entry { name, path: target, stat, kind: None, target: None }));
                }
                Err(error) => self.fail("read symbolic link", &entry.path.clone(), &error, 1),
            }
        }
        entry
    }

    fn sort(&self, entries: &mut [Entry]) {
        let o = self.options;
        let size = |e: &Entry| e.stat.as_ref().map_or(0, |s| s.size);
        let time = |e: &Entry| e.stat.as_ref().map_or(0, |s| shown_time(s, o.time));
        let extension = |e: &Entry| e.name.rfind('.').map_or(String::new(), |at| e.name[at..].to_owned());
        let compare = |a: &Entry, b: &Entry| -> Ordering {
            let key = match o.sort {
                Sort::Name | Sort::None => Ordering::Equal,
                Sort::Size => size(b).cmp(&size(a)),
                Sort::Time => time(b).cmp(&time(a)),
                Sort::Version => version::compare(a.name.as_bytes(), b.name.as_bytes()),
                Sort::Extension => extension(a).cmp(&extension(b)),
                Sort::Width => text::width(&a.name).cmp(&text::width(&b.name)),
            };
            let order = key.then_with(|| text::written(&a.name).cmp(&text::written(&b.name)));
            if o.reverse { order.reverse() } else { order }
        };
        if o.sort != Sort::None {
            entries.sort_by(compare);
        }
        if o.directories_first {
            let is_dir = |e: &Entry| e.kind_is(Kind::Dir) || (e.kind_is(Kind::Link) && sys::stat(&e.path, true).is_ok_and(|s| s.is_dir()));
            entries.sort_by_key(|e| !is_dir(e));
        }
    }
}
