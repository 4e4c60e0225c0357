//! `sort`. The version of uutils needs threads for `-c`, `-m` and large inputs, and WASI has none.

mod debug;
mod key;
mod options;

use crate::options::Line;
use crate::{operands, text};
use key::Key;
use options::{Check, SYNTAX, limits, obsolete};
use std::cmp::Ordering;
use std::ffi::OsString;
use std::io::{Read, Write};

struct Sort {
    keys: Vec<Key>,
    separator: Option<u8>,
    stable: bool,
    reverse: bool,
    unique: bool,
    end: u8,
    debug: bool,
    /// Random bytes that `-R` mixes into the hashes.
    chance: Vec<u8>,
}

fn fail(message: impl std::fmt::Display) -> u8 {
    text::complain("sort", message);
    2
}

/// Runs `sort`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    let args = obsolete(args);
    SYNTAX.run(&args, |args, line| run(args, &line).unwrap_or_else(|status| status))
}

fn run(args: &[OsString], line: &Line) -> Result<u8, u8> {
    let mut sort = Sort::read(args, line)?;
    limits(line).map_err(fail)?;
    let files = files(line)?;
    let check = Check::read(args, line, &files)?;
    if let Some(source) = line.last("random-source").filter(|_| sort.random()) {
        sort.chance = salt(source).map_err(fail)?;
    }
    find_all(&files)?;
    let (data, ends) = sort.read_all(&files)?;
    let body = data.strip_suffix(&[sort.end]).unwrap_or(&data);
    let mut lines: Vec<&[u8]> = if data.is_empty() { Vec::new() } else { split(body, sort.end) };
    if let Some(check) = check {
        return Ok(sort.check(&lines, &files[0], check));
    }
    if line.has("debug") {
        text::complain("sort", "text ordering performed using simple byte comparison");
    }
    if line.has("merge") {
        lines = sort.merge(&data, &ends);
    } else {
        sort.sort(&mut lines);
    }
    if sort.unique {
        lines.dedup_by(|b, a| sort.compare_keys(a, b).is_eq());
    }
    sort.write(&lines, line.last("output")).map(|()| 0)
}

/// Reports the first file that does not exist, before any is read.
fn find_all(files: &[OsString]) -> Result<(), u8> {
    for file in files.iter().filter(|f| *f != "-") {
        crate::sys::stat(file.as_ref(), true)
            .map_err(|error| fail(format!("cannot read: {}: {}", text::quote_if_needed(file), text::reason(&error))))?;
    }
    Ok(())
}

/// Returns the bytes that `-R` takes from `--random-source`.
fn salt(source: &std::ffi::OsStr) -> Result<Vec<u8>, String> {
    let mut salt = vec![0; 16];
    let opened = std::fs::File::open(source);
    let mut file = opened.map_err(|error| format!("open failed: {}: {}", text::quote_if_needed(source), text::reason(&error)))?;
    match file.read_exact(&mut salt) {
        Ok(()) => Ok(salt),
        Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => Err(format!("{}: end of file", text::quote(source))),
        Err(error) => Err(format!("read failed: {}: {}", text::quote_if_needed(source), text::reason(&error))),
    }
}

fn files(line: &Line) -> Result<Vec<OsString>, u8> {
    let Some(list) = line.last("files0-from") else {
        return Ok(if line.operands.is_empty() { vec!["-".into()] } else { line.operands.clone() });
    };
    operands::files0(&SYNTAX, &["sort".into()], list, &line.operands, "open failed").map_err(|_| 2)
}

fn read(file: &OsString, data: &mut Vec<u8>, end: u8) -> std::io::Result<()> {
    if file == "-" {
        std::io::stdin().lock().read_to_end(data)?;
    } else {
        std::fs::File::open(file)?.read_to_end(data)?;
    }
    // The last line of a file may be incomplete.
    if data.last().is_some_and(|last| *last != end) {
        data.push(end);
    }
    Ok(())
}

fn split(body: &[u8], end: u8) -> Vec<&[u8]> {
    let mut lines = Vec::new();
    let mut at = 0;
    for hit in memchr::memchr_iter(end, body) {
        lines.push(&body[at..hit]);
        at = hit + 1;
    }
    lines.push(&body[at..]);
    lines
}

impl Sort {
    /// Reads the contents of all files, and where each of them ends.
    fn read_all(&self, files: &[OsString]) -> Result<(Vec<u8>, Vec<usize>), u8> {
        let (mut data, mut ends) = (Vec::new(), Vec::new());
        for file in files {
            read(file, &mut data, self.end).map_err(|error| {
                let what = if error.kind() == std::io::ErrorKind::IsADirectory { "read failed" } else { "cannot read" };
                fail(format!("{what}: {}: {}", text::quote_if_needed(file), text::reason(&error)))
            })?;
            ends.push(data.len());
        }
        Ok((data, ends))
    }

    /// Returns whether a key sorts at random.
    fn random(&self) -> bool {
        self.keys.iter().any(|key| key.manner.by == key::By::Chance)
    }

    /// Compares lines by their keys alone.
    fn compare_keys(&self, a: &[u8], b: &[u8]) -> Ordering {
        if self.keys.is_empty() {
            let order = a.cmp(b);
            return if self.reverse { order.reverse() } else { order };
        }
        for key in &self.keys {
            let order = key.manner.compare(key.part(a, self.separator), key.part(b, self.separator), &self.chance);
            if order.is_ne() {
                return order;
            }
        }
        Ordering::Equal
    }

    /// Compares lines by their keys and then, unless the sort is stable, as a whole.
    fn compare(&self, a: &[u8], b: &[u8]) -> Ordering {
        let order = self.compare_keys(a, b);
        if order.is_ne() || self.stable || self.unique || self.keys.is_empty() {
            return order;
        }
        let order = a.cmp(b);
        if self.reverse { order.reverse() } else { order }
    }

    fn sort(&self, lines: &mut [&[u8]]) {
        if self.keys.is_empty() && !self.reverse {
            // Equal lines look the same, so their order does not matter.
            return lines.sort_unstable();
        }
        lines.sort_by(|a, b| self.compare(a, b));
    }

    /// Merges sorted files: takes the first of their next lines each time. The lines of one file stay in order.
    fn merge<'d>(&self, data: &'d [u8], ends: &[usize]) -> Vec<&'d [u8]> {
        let mut starts = 0;
        let mut files: Vec<_> = Vec::new();
        for end in ends {
            let part = &data[std::mem::replace(&mut starts, *end)..*end];
            if let Some(body) = part.strip_suffix(&[self.end]) {
                files.push(split(body, self.end).into_iter().peekable());
            }
        }
        let mut lines = Vec::new();
        while !files.is_empty() {
            let (mut first, mut at) = (files[0].peek().copied(), 0);
            for (other, file) in files.iter_mut().enumerate().skip(1) {
                let line = file.peek().copied();
                if let (Some(a), Some(b)) = (first, line)
                    && self.compare(b, a).is_lt()
                {
                    (first, at) = (line, other);
                }
            }
            lines.extend(files[at].next());
            if files[at].peek().is_none() {
                drop(files.remove(at));
            }
        }
        lines
    }

    /// Checks the order; returns the status: 1 if a line is out of order.
    fn check(&self, lines: &[&[u8]], file: &OsString, check: Check) -> u8 {
        for (at, pair) in lines.windows(2).enumerate() {
            let order = self.compare(pair[0], pair[1]);
            if order.is_gt() || (self.unique && order.is_eq()) {
                if check == Check::Loud {
                    text::complain(
                        "sort",
                        format!("{}:{}: disorder: {}", file.to_string_lossy(), at + 2, String::from_utf8_lossy(pair[1])),
                    );
                }
                return 1;
            }
        }
        0
    }

    fn write(&self, lines: &[&[u8]], output: Option<&std::ffi::OsStr>) -> Result<(), u8> {
        let put = |out: &mut dyn Write| -> std::io::Result<()> {
            for line in lines {
                if self.debug {
                    debug::show(self, line, out)?;
                    continue;
                }
                out.write_all(line)?;
                out.write_all(&[self.end])?;
            }
            out.flush()
        };
        match output {
            None => put(&mut text::output()).map_err(|error| fail(format!("write failed: 'standard output': {}", text::reason(&error)))),
            Some(file) => std::fs::File::create(file)
                .and_then(|f| put(&mut std::io::BufWriter::with_capacity(64 * 1024, f)))
                .map_err(|error| fail(format!("open failed: {}: {}", text::quote_if_needed(file), text::reason(&error)))),
        }
    }
}
