//! `du`: the space that files use.

use super::du_settings::{Clock, SYNTAX, clock_of, human_of_environment, patterns_of, style_of, unit_of_environment};
use crate::options::{Given, Line};
use crate::sys::{self, Stat};
use crate::{glob, operands, text, time};
use std::collections::HashSet;
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};

struct Du {
    all: bool,
    apparent: bool,
    inodes: bool,
    links: bool,
    follow: bool,
    follow_arguments: bool,
    separate: bool,
    /// Stay on the filesystem of each argument.
    one_system: bool,
    /// The filesystem of the argument, with `one_system`.
    system: Option<u64>,
    depth: usize,
    human: Option<u64>,
    unit: u64,
    threshold: i128,
    time: Option<Clock>,
    style: String,
    end: &'static str,
    exclude: Vec<String>,
    seen: HashSet<(u64, u64)>,
    hash_all: bool,
    status: u8,
}

/// What a directory and its contents add up to.
struct Sum {
    /// The directory itself and the files in it.
    files: u64,
    /// Its subdirectories with all they hold.
    directories: u64,
    /// The newest time in it.
    newest: i128,
}

/// Runs `du`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    SYNTAX.run(&args, |args, line| run(args, &line).unwrap_or_else(|status| status))
}

fn run(args: &[OsString], line: &Line) -> Result<u8, u8> {
    let mut du = Du::new(line);
    du.environment(args, line)?;
    for given in &line.options {
        du.option(args, given)?;
    }
    du.check(args, line)?;
    let operands = operands(args, line)?;
    // A single operand cannot occur twice; several can, and so can the targets of links.
    du.hash_all = operands.len() > 1 || du.follow || du.follow_arguments;
    let mut out = text::output();
    let mut total = 0;
    for operand in operands {
        total += du.operand(operand, &mut out);
    }
    if line.has("total") {
        du.print(total, None, Path::new("total"), &mut out);
    }
    let _ = out.flush();
    Ok(du.status)
}

/// Returns the files to measure: those of `--files0-from`, or the operands, or the current directory.
fn operands(args: &[OsString], line: &Line) -> Result<Vec<OsString>, u8> {
    if let Some(list) = line.last("files0-from") {
        operands::files0(&SYNTAX, args, list, &line.operands, "cannot open")
    } else if line.operands.is_empty() {
        Ok(vec![OsString::from(".")])
    } else {
        Ok(line.operands.clone())
    }
}

/// Reports a wrong size. The message names the option as it was given: by `letter` or by its long name.
fn bad_size(given: &Given, letter: &str) -> u8 {
    let value = given.text();
    let option = if given.letter.is_some() { letter.to_owned() } else { format!("--{}", given.key) };
    // Digits that are followed by something else have a wrong suffix.
    let digits = value.trim_start_matches('-');
    let suffix = digits.starts_with(|c: char| c.is_ascii_digit()) && text::size(digits).is_none();
    text::complain("du", format!("invalid {}{option} argument {}", if suffix { "suffix in " } else { "" }, text::quote(value)));
    1
}

impl Du {
    fn new(line: &Line) -> Self {
        Self {
            all: line.has("all"),
            apparent: line.has("apparent-size") || line.has("bytes"),
            inodes: line.has("inodes"),
            links: line.has("count-links"),
            follow: line.has("dereference"),
            follow_arguments: line.has("dereference-args") || line.has("H"),
            separate: line.has("separate-dirs"),
            one_system: line.has("one-file-system"),
            system: None,
            depth: if line.has("summarize") { 0 } else { usize::MAX },
            human: None,
            unit: unit_of_environment(),
            threshold: 0,
            time: None,
            style: "%Y-%m-%d %H:%M".into(),
            end: if line.has("null") { "\0" } else { "\n" },
            exclude: line.options.iter().filter(|o| o.key == "exclude").map(Given::text).collect(),
            seen: HashSet::new(),
            hash_all: false,
            status: 0,
        }
    }

    /// Reads the unit and the style of times that variables name.
    fn environment(&mut self, args: &[OsString], line: &Line) -> Result<(), u8> {
        if let Some((unit, human)) = human_of_environment() {
            (self.unit, self.human) = (unit, human);
        }
        if line.has("time") && !line.has("time-style") {
            let style = std::env::var("TIME_STYLE").ok().filter(|s| !s.is_empty() && s != "locale");
            if let Some(style) = style {
                self.style = style_of(args, style.strip_prefix("posix-").unwrap_or(&style))?;
            }
        }
        Ok(())
    }

    fn option(&mut self, args: &[OsString], given: &Given) -> Result<(), u8> {
        let value = given.text();
        match given.key {
            "bytes" => (self.unit, self.human) = (1, None),
            "k" => (self.unit, self.human) = (1024, None),
            "m" => (self.unit, self.human) = (1 << 20, None),
            "human-readable" => self.human = Some(1024),
            "si" => self.human = Some(1000),
            "block-size" => match text::size(&value).filter(|s| *s > 0) {
                Some(unit) => (self.unit, self.human) = (unit, None),
                None => return Err(bad_size(given, "-B")),
            },
            "time" => self.time = Some(clock_of(args, &value)?),
            "time-style" => self.style = style_of(args, &value)?,
            "exclude-from" => self.exclude.extend(patterns_of(&value)?),
            "max-depth" => match value.parse() {
                Ok(depth) => self.depth = depth,
                Err(_) => return Err(SYNTAX.misuse(args, &format!("invalid maximum depth {}", text::quote(&value)))),
            },
            "threshold" => match (value.strip_prefix('-'), text::size(value.trim_start_matches('-'))) {
                (Some(_), Some(0)) | (_, None) => return Err(bad_size(given, "-t")),
                (minus, Some(size)) => self.threshold = i128::from(size) * if minus.is_some() { -1 } else { 1 },
            },
            _ => {}
        }
        Ok(())
    }

    /// Refuses options that contradict each other, and warns of those that have no effect together.
    fn check(&self, args: &[OsString], line: &Line) -> Result<(), u8> {
        if self.inodes && self.apparent {
            text::complain("du", "warning: options --apparent-size and -b are ineffective with --inodes");
        }
        let summarize = line.has("summarize");
        if self.all && summarize {
            return Err(SYNTAX.misuse(args, "cannot both summarize and show all entries"));
        }
        if summarize && line.has("max-depth") {
            if self.depth > 0 {
                return Err(SYNTAX.misuse(args, &format!("warning: summarizing conflicts with --max-depth={}", self.depth)));
            }
            text::complain("du", "warning: summarizing is the same as using --max-depth=0");
        }
        Ok(())
    }

    /// Measures one argument; the result is its size.
    fn operand(&mut self, operand: OsString, out: &mut impl Write) -> u64 {
        if operand.is_empty() {
            // A list held an empty name; the message is already printed.
            self.status = 1;
            return 0;
        }
        let path = PathBuf::from(operand);
        match sys::stat(&path, self.follow || self.follow_arguments) {
            Ok(stat) => {
                self.system = self.one_system.then_some(stat.dev);
                self.visit(&path, &stat, 0, out).map_or(0, |(size, _)| size)
            }
            Err(error) => {
                self.fail(out, "cannot access", &path, &error);
                0
            }
        }
    }

    fn own(&self, stat: &Stat) -> u64 {
        match (self.inodes, self.apparent) {
            (true, _) => 1,
            (_, true) if stat.is_dir() || stat.is_file() || stat.is_link() => stat.size,
            (_, true) => 0,
            _ => stat.blocks * 512,
        }
    }

    /// Measures a file and all below it: the size and the newest time. `None` if it was counted before or is left out.
    fn visit(&mut self, path: &Path, stat: &Stat, depth: usize, out: &mut impl Write) -> Option<(u64, i128)> {
        if self.leaves_out(path, stat) {
            return None;
        }
        let mut sum = Sum { files: self.own(stat), directories: 0, newest: self.time.map_or(0, |clock| clock(stat)) };
        if stat.is_dir() {
            self.contents(path, depth, &mut sum, out);
        }
        let whole = sum.files + sum.directories;
        if depth <= self.depth && (stat.is_dir() || self.all || depth == 0) {
            self.print(if self.separate { sum.files } else { whole }, Some(sum.newest), path, out);
        }
        Some((whole, sum.newest))
    }

    /// Returns whether a file does not count: it is excluded, on another filesystem, or counted before.
    fn leaves_out(&mut self, path: &Path, stat: &Stat) -> bool {
        let name = text::show(path.file_name().unwrap_or(path.as_os_str()));
        let shown = text::show(path);
        if self.exclude.iter().any(|p| glob::matches(p, &name, 0) || glob::matches(p, &shown, 0)) {
            return true;
        }
        if self.system.is_some_and(|dev| dev != stat.dev) {
            return true;
        }
        !self.links && (self.hash_all || stat.is_dir() || stat.nlink > 1) && !self.seen.insert((stat.dev, stat.ino))
    }

    /// Adds what a directory holds to `sum`.
    fn contents(&mut self, path: &Path, depth: usize, sum: &mut Sum, out: &mut impl Write) {
        let list = match std::fs::read_dir(path) {
            Ok(list) => list,
            Err(error) => return self.fail(out, "cannot read directory", path, &error),
        };
        for item in list {
            let child = match item {
                Ok(item) => item.path(),
                Err(error) => {
                    self.fail(out, "cannot access", path, &error);
                    continue;
                }
            };
            match sys::stat(&child, self.follow) {
                Ok(stat) => {
                    if let Some((size, time)) = self.visit(&child, &stat, depth + 1, out) {
                        *(if stat.is_dir() { &mut sum.directories } else { &mut sum.files }) += size;
                        sum.newest = sum.newest.max(time);
                    }
                }
                Err(error) => self.fail(out, "cannot access", &child, &error),
            }
        }
    }

    fn fail(&mut self, out: &mut impl Write, what: &str, path: &Path, error: &std::io::Error) {
        let _ = out.flush();
        text::complain("du", format!("{what} {}: {}", text::quote(path), text::reason(error)));
        self.status = 1;
    }

    fn print(&self, size: u64, newest: Option<i128>, path: &Path, out: &mut impl Write) {
        if (self.threshold > 0 && i128::from(size) < self.threshold) || (self.threshold < 0 && i128::from(size) > -self.threshold) {
            return;
        }
        let shown = match self.human {
            Some(base) => text::human(size, base),
            None if self.inodes => size.to_string(),
            None => size.div_ceil(self.unit).to_string(),
        };
        let time = newest.filter(|_| self.time.is_some()).map_or_else(String::new, |t| time::format(t, &self.style) + "\t");
        let _ = out.write_all(&text::written(&format!("{shown}\t{time}{}{}", text::show(path), self.end)));
    }
}
