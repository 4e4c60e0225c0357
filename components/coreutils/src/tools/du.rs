//! `du`: space that files use.

use super::du_settings::{SYNTAX, TIMES, human_of_environment, style_of, unit_of_environment};
use crate::options::Line;
use crate::sys::{self, Stat};
use crate::{glob, operands, text, time};
use std::collections::HashSet;
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};

type Clock = fn(&Stat) -> i128;

struct Du {
    all: bool,
    apparent: bool,
    inodes: bool,
    links: bool,
    follow: bool,
    separate: bool,
    one_system: Option<u64>,
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

/// `du`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    SYNTAX.run(&args, run)
}

fn run(args: &[OsString], line: Line) -> u8 {
    let bad = |what: &str, value: &str| {
        // Digits with something behind them have a wrong suffix.
        let digits = value.trim_start_matches('-');
        let suffix = digits.starts_with(|c: char| c.is_ascii_digit()) && text::size(digits).is_none();
        text::complain("du", format!("invalid {}{what} {}", if suffix { "suffix in " } else { "" }, text::quote(value)));
        1
    };
    let mut du = Du {
        all: line.has("all"),
        apparent: line.has("apparent-size") || line.has("bytes"),
        inodes: line.has("inodes"),
        links: line.has("count-links"),
        follow: line.has("dereference"),
        separate: line.has("separate-dirs"),
        one_system: None,
        depth: if line.has("summarize") { 0 } else { usize::MAX },
        human: None,
        unit: unit_of_environment(),
        threshold: 0,
        time: None,
        style: "%Y-%m-%d %H:%M".into(),
        end: if line.has("null") { "\0" } else { "\n" },
        exclude: line.options.iter().filter(|o| o.key == "exclude").map(crate::options::Given::text).collect(),
        seen: HashSet::new(),
        hash_all: false,
        status: 0,
    };
    if let Some((unit, human)) = human_of_environment() {
        (du.unit, du.human) = (unit, human);
    }
    if let Some(style) =
        std::env::var("TIME_STYLE").ok().filter(|s| !s.is_empty() && s != "locale" && line.has("time") && !line.has("time-style"))
    {
        match style_of(args, style.strip_prefix("posix-").unwrap_or(&style)) {
            Ok(style) => du.style = style,
            Err(status) => return status,
        }
    }
    for given in &line.options {
        let value = given.text();
        match given.key {
            "bytes" => (du.unit, du.human) = (1, None),
            "k" => (du.unit, du.human) = (1024, None),
            "m" => (du.unit, du.human) = (1 << 20, None),
            "human-readable" => du.human = Some(1024),
            "si" => du.human = Some(1000),
            "block-size" => match text::size(&value).filter(|s| *s > 0) {
                Some(unit) => (du.unit, du.human) = (unit, None),
                None => return bad(if given.letter.is_some() { "-B argument" } else { "--block-size argument" }, &value),
            },
            "time" => {
                let word = if value.is_empty() { Ok("mtime") } else { SYNTAX.word(args, "--time", &value, TIMES) };
                du.time = Some(match word {
                    Ok("atime") => |s| s.atime,
                    Ok("ctime") => |s| s.ctime,
                    Ok(_) => |s| s.mtime,
                    Err(status) => return status,
                });
            }
            "time-style" => {
                du.style = match style_of(args, &value) {
                    Ok(style) => style,
                    Err(status) => return status,
                }
            }
            "exclude-from" => match std::fs::read_to_string(&value) {
                Ok(patterns) => du.exclude.extend(patterns.lines().filter(|l| !l.is_empty()).map(str::to_owned)),
                Err(error) => {
                    text::complain("du", format!("{}: {}", text::quote_if_needed(&value), text::reason(&error)));
                    return 1;
                }
            },
            "max-depth" => match value.parse() {
                Ok(depth) => du.depth = depth,
                Err(_) => return SYNTAX.misuse(args, &format!("invalid maximum depth {}", text::quote(&value))),
            },
            "threshold" => match (value.strip_prefix('-'), text::size(value.trim_start_matches('-'))) {
                (Some(_), Some(0)) => return bad(if given.letter.is_some() { "-t argument" } else { "--threshold argument" }, &value),
                (minus, Some(size)) => du.threshold = i128::from(size) * if minus.is_some() { -1 } else { 1 },
                _ => return bad(if given.letter.is_some() { "-t argument" } else { "--threshold argument" }, &value),
            },
            _ => {}
        }
    }
    if du.inodes && du.apparent {
        text::complain("du", "warning: options --apparent-size and -b are ineffective with --inodes");
    }
    if du.all && line.has("summarize") {
        return SYNTAX.misuse(args, "cannot both summarize and show all entries");
    }
    if line.has("summarize") && line.has("max-depth") {
        if du.depth > 0 {
            return SYNTAX.misuse(args, &format!("warning: summarizing conflicts with --max-depth={}", du.depth));
        }
        text::complain("du", "warning: summarizing is the same as using --max-depth=0");
    }
    let operands = if let Some(list) = line.last("files0-from") {
        match operands::files0(&SYNTAX, args, list, &line.operands, "cannot open") {
            Ok(names) => names,
            Err(status) => return status,
        }
    } else if line.operands.is_empty() {
        vec![OsString::from(".")]
    } else {
        line.operands.clone()
    };
    // One operand cannot be there twice; several can, and links to them.
    du.hash_all = operands.len() > 1 || du.follow || line.has("dereference-args") || line.has("H");
    let mut out = text::output();
    let mut total = 0;
    for operand in operands {
        if operand.is_empty() {
            // A list had a name without length, which was said.
            du.status = 1;
            continue;
        }
        let path = PathBuf::from(operand);
        let follow = du.follow || line.has("dereference-args") || line.has("H");
        match sys::stat(&path, follow) {
            Ok(stat) => {
                if line.has("one-file-system") {
                    du.one_system = Some(stat.dev);
                }
                total += du.visit(&path, &stat, 0, &mut out).map_or(0, |(size, _)| size);
            }
            Err(error) => {
                let _ = out.flush();
                text::complain("du", format!("cannot access {}: {}", text::quote(&path), text::reason(&error)));
                du.status = 1;
            }
        }
    }
    if line.has("total") {
        du.print(total, None, Path::new("total"), &mut out);
    }
    let _ = out.flush();
    du.status
}

impl Du {
    fn own(&self, stat: &Stat) -> u64 {
        match (self.inodes, self.apparent) {
            (true, _) => 1,
            (_, true) if stat.is_dir() || stat.is_file() || stat.is_link() => stat.size,
            (_, true) => 0,
            _ => stat.blocks * 512,
        }
    }

    /// The size of a file and all below it, and the newest time; nothing if it was counted before or is left out.
    fn visit(&mut self, path: &Path, stat: &Stat, depth: usize, out: &mut impl Write) -> Option<(u64, i128)> {
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        let shown = path.to_string_lossy();
        if self.exclude.iter().any(|p| glob::matches(p, &name, 0) || glob::matches(p, &shown, 0)) {
            return None;
        }
        if self.one_system.is_some_and(|dev| dev != stat.dev) {
            return None;
        }
        if !self.links && (self.hash_all || stat.is_dir() || stat.nlink > 1) && !self.seen.insert((stat.dev, stat.ino)) {
            return None;
        }
        let (mut size, mut newest) = (self.own(stat), self.time.map_or(0, |clock| clock(stat)));
        let mut below = 0;
        if stat.is_dir() {
            match std::fs::read_dir(path) {
                Ok(list) => {
                    for item in list {
                        let child = match item {
                            Ok(item) => item.path(),
                            Err(error) => {
                                self.fail(out, "cannot access", path, &error);
                                continue;
                            }
                        };
                        match sys::stat(&child, self.follow) {
                            Ok(s) => {
                                if let Some((one, time)) = self.visit(&child, &s, depth + 1, out) {
                                    if s.is_dir() {
                                        below += one;
                                    } else {
                                        size += one;
                                    }
                                    newest = newest.max(time);
                                }
                            }
                            Err(error) => self.fail(out, "cannot access", &child, &error),
                        }
                    }
                }
                Err(error) => self.fail(out, "cannot read directory", path, &error),
            }
        }
        let whole = size + below;
        if depth <= self.depth && (stat.is_dir() || self.all || depth == 0) {
            self.print(if self.separate { size } else { whole }, Some(newest), path, out);
        }
        Some((whole, newest))
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
        let _ = write!(out, "{shown}\t{time}{}{}", path.display(), self.end);
    }
}
