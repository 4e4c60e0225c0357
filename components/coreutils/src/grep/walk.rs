//! Which files `grep` reads.

use super::matcher::Matcher;
use super::options::{Directories, Options};
use super::output::Input;
use super::search::Search;
use crate::sys::{self, Kind};
use crate::{glob, text};
use std::ffi::OsStr;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The search through all files.
pub(super) struct Walk<'a> {
    options: &'a Options,
    matcher: &'a Matcher,
    /// Whether a line was selected.
    pub matched: bool,
    /// Whether something could not be read.
    pub failed: bool,
    separate: bool,
    above: Vec<(u64, u64)>,
}

impl<'a> Walk<'a> {
    /// Creates a search that has read nothing yet.
    pub(super) fn new(options: &'a Options, matcher: &'a Matcher) -> Self {
        Walk { options, matcher, matched: false, failed: false, separate: false, above: Vec::new() }
    }

    fn complain(&mut self, out: &mut impl Write, path: &str, error: &std::io::Error) {
        self.failed = true;
        if !self.options.silent {
            let _ = out.flush();
            text::complain_of("grep", path, text::reason(error));
        }
    }

    /// Handles a file of the command line; an empty name is the working directory by default.
    pub(super) fn argument(&mut self, file: &OsStr, out: &mut impl Write) {
        if file == "-" {
            let label = self.options.label.clone();
            if self.endless() && sys::stat_input().is_ok_and(|stat| sys::is_output_file(&stat)) {
                return self.refuse(&label, out);
            }
            let surplus = self.search(std::io::stdin().lock(), &label, None, out);
            // Who reads on reads what comes after the last line that was wanted.
            if surplus > 0 {
                sys::unread_input(surplus);
            }
            return;
        }
        let path = if file.is_empty() { Path::new(".") } else { Path::new(file) };
        let name = text::show(file);
        match sys::stat(path, true) {
            Err(error) => self.complain(out, &name, &error),
            Ok(stat) if stat.is_dir() && !file.is_empty() && self.excluded_dir(&name, path) => {}
            Ok(stat) if stat.is_dir() => match self.options.directories {
                Directories::Skip => {}
                Directories::Read => {
                    if !self.options.silent {
                        let _ = out.flush();
                        text::complain_of("grep", &name, "Is a directory");
                    }
                    self.failed = true;
                    // It counts as a file without lines.
                    let _ = Search::new(self.options, self.matcher, Input { name: &name, width: 1 }, &mut self.separate).finish(out);
                }
                _ => self.directory(path, &name, out),
            },
            Ok(_) if self.left_out(&name, true) => {}
            Ok(_) => self.file(path, &name, out),
        }
    }

    fn excluded_dir(&self, name: &str, path: &Path) -> bool {
        let slash = name.ends_with('/');
        let base = path.file_name().filter(|_| !slash).map(text::show).unwrap_or_default();
        self.options.exclude_dir.iter().any(|p| glob::matches(p, name, 0) || glob::matches(p, &base, 0))
    }

    /// Returns whether `--include` and `--exclude` leave a file out, matched against the base name and, for arguments, against the whole.
    fn left_out(&self, name: &str, argument: bool) -> bool {
        let base = name.rsplit('/').next().unwrap_or(name);
        let hit = |p: &str| glob::matches(p, base, 0) || (argument && glob::matches(p, name, 0));
        let wanted = &self.options.names_wanted;
        // The last one that matches decides; where none does, the first tells what is usual.
        let last = wanted.iter().rev().find(|(_, pattern)| hit(pattern)).map(|(include, _)| *include);
        !last.unwrap_or_else(|| wanted.first().is_none_or(|(include, _)| !include))
    }

    fn directory(&mut self, path: &Path, name: &str, out: &mut impl Write) {
        let list = match std::fs::read_dir(path) {
            Ok(list) => list,
            Err(error) => return self.complain(out, name, &error),
        };
        let follow = self.options.directories == Directories::RecurseLinks;
        if follow && let Ok(stat) = sys::stat(path, true) {
            if self.above.contains(&(stat.dev, stat.ino)) {
                let _ = out.flush();
                text::complain_of("grep", name, "warning: recursive directory loop");
                return;
            }
            self.above.push((stat.dev, stat.ino));
        }
        for item in list.flatten() {
            if self.options.quiet && self.matched {
                break;
            }
            let base = text::show(item.file_name());
            let child: PathBuf = path.join(item.file_name());
            let shown = match name {
                "" => base.clone(),
                name if name.ends_with('/') => format!("{name}{base}"),
                name => format!("{name}/{base}"),
            };
            let Ok(kind) = item.file_type() else { continue };
            if kind.is_symlink() && !follow {
                continue;
            }
            let stat = if kind.is_symlink() || !(kind.is_dir() || kind.is_file()) { sys::stat(&child, follow).ok() } else { None };
            let is_dir = kind.is_dir() || stat.as_ref().is_some_and(sys::Stat::is_dir);
            if is_dir {
                if !self.excluded_dir(&base, &child) {
                    self.directory(&child, &shown, out);
                }
                continue;
            }
            // Devices and pipes found on the way are not read.
            if stat.is_some_and(|s| matches!(s.kind, Kind::Char | Kind::Fifo | Kind::Block | Kind::Socket)) || self.left_out(&base, false) {
                continue;
            }
            self.file(&child, &shown, out);
        }
        if follow {
            self.above.pop();
        }
    }

    /// Returns whether reading what is being written would never end.
    fn endless(&self) -> bool {
        !self.options.quiet && self.options.mode == super::options::Mode::Lines && self.options.most.is_none_or(|most| most > 1)
    }

    fn refuse(&mut self, name: &str, out: &mut impl Write) {
        if !self.options.silent {
            let _ = out.flush();
            text::complain_of("grep", name, "input file is also the output");
        }
        self.failed = true;
    }

    fn file(&mut self, path: &Path, name: &str, out: &mut impl Write) {
        if self.options.skip_devices && sys::stat(path, true).is_ok_and(|s| !s.is_file()) {
            return;
        }
        let file = match File::open(path) {
            Ok(file) => file,
            Err(error) => return self.complain(out, name, &error),
        };
        if self.endless() && sys::is_output(path) {
            return self.refuse(name, out);
        }
        let size = self.options.tabs.then(|| sys::stat(path, true).ok()).flatten().filter(wisp_tool::sys::Stat::is_file).map(|s| s.size);
        self.search(file, name, size, out);
    }

    /// Searches one input; how much too much of it was read.
    fn search(&mut self, input: impl std::io::Read, name: &str, size: Option<u64>, out: &mut impl Write) -> u64 {
        let shown = Input { name, width: size.unwrap_or(i64::MAX as u64).to_string().len() };
        let mut search = Search::new(self.options, self.matcher, shown, &mut self.separate);
        let result = search.run(input, out);
        self.matched |= search.selected > 0;
        let surplus = search.surplus();
        if let Err(error) = result {
            self.complain(out, name, &error);
        }
        surplus
    }
}
