//! `cmp`: compare files byte by byte.

use crate::input;
use crate::options::{Line, Syntax, flag, value};
use crate::text;
use std::ffi::{OsStr, OsString};
use std::io::{BufRead, BufReader, Read, Write};

const SYNTAX: Syntax = Syntax {
    usage: "[OPTION]... FILE1 [FILE2 [SKIP1 [SKIP2]]]",
    about: "Compare two files byte by byte.",
    options: &[
        flag("b", "print-bytes", "print differing bytes"),
        value("i", "ignore-initial", "skip the first VALUE bytes of both inputs (SKIP1:SKIP2)"),
        flag("l", "verbose", "output byte numbers and differing byte values"),
        value("n", "bytes", "compare at most VALUE bytes"),
        flag("s", "quiet", "suppress all normal output"),
        flag("", "silent", "the same as --quiet"),
    ],
    failure: 2,
    named_hint: true,
    letters: ("", "v"),
    ..Syntax::COMMON
};

/// Parses a number of bytes: `10`, `1K`, `1kB`.
fn size(text: &str) -> Option<u64> {
    const UNITS: &[(&str, u64)] = &[
        ("kB", 1000),
        ("KB", 1000),
        ("k", 1 << 10),
        ("K", 1 << 10),
        ("KiB", 1 << 10),
        ("MB", 1_000_000),
        ("M", 1 << 20),
        ("MiB", 1 << 20),
        ("GB", 1_000_000_000),
        ("G", 1 << 30),
        ("GiB", 1 << 30),
    ];
    wisp_tool::text::with_unit(text, UNITS)
}

/// Runs `cmp`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    SYNTAX.run(&args, tool)
}

fn tool(args: &[OsString], line: Line) -> u8 {
    let Some(first) = line.operands.first() else {
        return SYNTAX.misuse(args, "missing operand after 'cmp'");
    };
    if line.operands.len() > 4 {
        return SYNTAX.misuse(args, &format!("extra operand '{}'", text::show(&line.operands[4])));
    }
    let second = line.operands.get(1).cloned().unwrap_or_else(|| "-".into());
    let mut skips = [0, 0];
    if let Some(skip) = line.last_text("ignore-initial") {
        let (a, b) = skip.split_once(':').unwrap_or((&skip, &skip));
        match (size(a), size(b)) {
            (Some(a), Some(b)) => skips = [a, b],
            _ => return SYNTAX.misuse(args, &format!("invalid --ignore-initial value '{skip}'")),
        }
    }
    for (n, skip) in line.operands.iter().skip(2).enumerate() {
        match size(&text::show(skip)) {
            Some(skip) => skips[n] = skip,
            None => return SYNTAX.misuse(args, &format!("invalid --ignore-initial value '{}'", text::show(skip))),
        }
    }
    let most = match line.last_text("bytes") {
        None => u64::MAX,
        Some(text) => match size(&text) {
            Some(most) => most,
            None => return SYNTAX.misuse(args, &format!("invalid --bytes value '{text}'")),
        },
    };
    let quiet = line.has("quiet") || line.has("silent");
    if quiet && line.has("verbose") {
        return SYNTAX.misuse(args, "options -l and -s are incompatible");
    }
    let job = Job { names: [first, &second], quiet, verbose: line.has("verbose"), bytes: line.has("print-bytes"), most };
    match job.run(skips) {
        Ok(status) => status,
        Err(_) if quiet => 2,
        Err((name, error)) => {
            text::complain("cmp", format!("{name}: {}", text::reason(&error)));
            2
        }
    }
}

struct Job<'a> {
    names: [&'a OsStr; 2],
    quiet: bool,
    verbose: bool,
    bytes: bool,
    most: u64,
}

/// Returns a byte as `cat -v` shows it.
fn visible(byte: u8) -> String {
    let (meta, low) = if byte >= 0x80 { ("M-", byte - 0x80) } else { ("", byte) };
    match low {
        0..=31 => format!("{meta}^{}", char::from(low + 64)),
        127 => format!("{meta}^?"),
        _ => format!("{meta}{}", char::from(low)),
    }
}

impl Job<'_> {
    fn run(&self, skips: [u64; 2]) -> Result<u8, (String, std::io::Error)> {
        let mut readers = Vec::new();
        for (name, skip) in self.names.iter().zip(skips) {
            let fail = |e| (text::show(name), e);
            let mut reader = BufReader::with_capacity(64 * 1024, input::open(name).map_err(fail)?);
            std::io::copy(&mut reader.by_ref().take(skip), &mut std::io::sink()).map_err(fail)?;
            readers.push(reader);
        }
        let mut out = text::output();
        let (mut at, mut lines, mut status, mut last) = (0_u64, 1_u64, 0, b' ');
        let width = if self.verbose { self.width(skips) } else { 0 };
        while at < self.most {
            let [a, b] = &mut readers[..] else { break };
            let one = a.fill_buf().map_err(|e| (text::show(self.names[0]), e))?;
            let other = b.fill_buf().map_err(|e| (text::show(self.names[1]), e))?;
            if one.is_empty() || other.is_empty() {
                if one.is_empty() && other.is_empty() {
                    break;
                }
                if !self.quiet {
                    let _ = out.flush();
                    let name = text::show(self.names[usize::from(!one.is_empty())]);
                    eprintln!("cmp: EOF on {name}{}", end(at, lines, self.verbose, last));
                }
                return Ok(1);
            }
            let length = one.len().min(other.len()).min((self.most - at).min(usize::MAX as u64) as usize);
            for n in 0..length {
                let (x, y) = (one[n], other[n]);
                if x != y {
                    status = 1;
                    if self.quiet {
                        return Ok(1);
                    }
                    let place = at + n as u64 + 1;
                    let written = if self.verbose {
                        if self.bytes {
                            writeln!(out, "{place:>width$} {x:3o} {:<4} {y:3o} {}", visible(x), visible(y))
                        } else {
                            writeln!(out, "{place:>width$} {x:3o} {y:3o}")
                        }
                    } else {
                        let names = [text::show(self.names[0]), text::show(self.names[1])];
                        let bytes = if self.bytes { format!(" is {x:3o} {} {y:3o} {}", visible(x), visible(y)) } else { String::new() };
                        let message = format!("{} {} differ: byte {place}, line {lines}{bytes}\n", names[0], names[1]);
                        out.write_all(&text::written(&message))
                    };
                    written.map_err(|e| ("standard output".to_owned(), e))?;
                    if !self.verbose {
                        return out.flush().map(|()| 1).map_err(|e| ("standard output".to_owned(), e));
                    }
                }
                lines += u64::from(x == b'\n');
            }
            at += length as u64;
            last = one[length - 1];
            a.consume(length);
            b.consume(length);
        }
        out.flush().map(|()| status).map_err(|e| ("standard output".to_owned(), e))
    }
}

impl Job<'_> {
    /// Returns the width of byte numbers with -l.
    fn width(&self, skips: [u64; 2]) -> usize {
        let size = |n: usize| {
            let stat = crate::sys::stat(std::path::Path::new(self.names[n]), true).ok()?;
            (stat.kind == crate::sys::Kind::File).then(|| stat.size.saturating_sub(skips[n]))
        };
        let most = size(0).zip(size(1)).map_or(u64::MAX, |(a, b)| a.min(b)).min(self.most);
        most.to_string().len()
    }
}

/// Returns the message for a file that ends too early.
fn end(at: u64, lines: u64, verbose: bool, last: u8) -> String {
    match (at, verbose, last) {
        (0, ..) => " which is empty".to_owned(),
        (_, true, _) => format!(" after byte {at}"),
        (_, _, b'\n') => format!(" after byte {at}, line {}", lines - 1),
        _ => format!(" after byte {at}, in line {lines}"),
    }
}
