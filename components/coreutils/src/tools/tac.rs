//! `tac`: prints lines in reverse.

use crate::options::{Line, Opt, Syntax, flag, value};
use crate::text;
use std::ffi::OsString;
use std::io::{Read, Write};

const OPTIONS: &[Opt] = &[
    flag("b", "before", "the separator is before, not after"),
    flag("r", "regex", "the separator is a regular expression"),
    value("s", "separator", "use VALUE as the separator instead of newline"),
];

const SYNTAX: Syntax = Syntax {
    usage: "[OPTION]... [FILE]...",
    about: "Write each FILE to standard output, last line first.",
    options: OPTIONS,
    ..Syntax::COMMON
};

/// Runs `tac`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    SYNTAX.run(&args, run)
}

fn run(_: &[OsString], line: Line) -> u8 {
    let separator = line.last("separator").map_or(b"\n".to_vec(), |s| s.as_encoded_bytes().to_vec());
    let separator = if separator.is_empty() { vec![0] } else { separator };
    let pattern = line.has("regex").then(|| crate::grep::simple(&crate::find::emacs(&String::from_utf8_lossy(&separator))));
    let pattern = match pattern.transpose() {
        Ok(pattern) => pattern,
        Err(message) => {
            text::complain("tac", message);
            return 1;
        }
    };
    let operands = if line.operands.is_empty() { vec![OsString::from("-")] } else { line.operands.clone() };
    let mut out = text::output();
    let mut status = 0;
    for operand in operands {
        let mut data = Vec::new();
        let read = if operand == "-" {
            std::io::stdin().lock().read_to_end(&mut data)
        } else {
            std::fs::File::open(&operand).and_then(|mut f| f.read_to_end(&mut data))
        };
        if let Err(error) = read {
            let _ = out.flush();
            let is_dir = crate::sys::stat(operand.as_ref(), true).is_ok_and(|s| s.is_dir());
            let name = text::quote_if_needed(&operand);
            if is_dir {
                text::complain("tac", format!("{name}: read error: Is a directory"));
            } else {
                text::complain("tac", format!("failed to open {} for reading: {}", text::quote(&operand), text::reason(&error)));
            }
            status = 1;
            continue;
        }
        let marks: Vec<(usize, usize)> = match &pattern {
            Some(pattern) => backwards(&data, |end| last_match(pattern, &data[..end])),
            None => backwards(&data, |end| memchr::memmem::rfind(&data[..end], &separator).map(|at| (at, at + separator.len()))),
        };
        let _ = reverse(&data, &marks, line.has("before"), &mut out);
    }
    let _ = out.flush();
    status
}

/// Returns the separators, found from the end: GNU's `tac` reads so, and overlapping ones differ by it.
fn backwards(data: &[u8], last: impl Fn(usize) -> Option<(usize, usize)>) -> Vec<(usize, usize)> {
    let mut marks = Vec::new();
    let mut end = data.len();
    while let Some((start, stop)) = last(end) {
        marks.push((start, stop));
        end = start;
    }
    marks.reverse();
    marks
}

/// Returns the match that begins last: it may be empty, but not at the end.
fn last_match(pattern: &wisp_regex::Regex, data: &[u8]) -> Option<(usize, usize)> {
    let at = |from: usize| pattern.find(data, from).filter(|found| found.0 < data.len());
    let mut window = 256;
    loop {
        let from = data.len().saturating_sub(window);
        if let Some(mut found) = at(from) {
            while let Some(next) = at(found.0 + 1) {
                found = next;
            }
            return Some(found);
        }
        if from == 0 {
            return None;
        }
        window *= 2;
    }
}

/// Writes the records that `marks` separate, last first.
fn reverse(data: &[u8], marks: &[(usize, usize)], before: bool, out: &mut impl Write) -> std::io::Result<()> {
    let mut end = data.len();
    for (start, stop) in marks.iter().rev() {
        let cut = if before { *start } else { *stop };
        if cut < end || before {
            out.write_all(&data[cut..end])?;
        }
        end = cut;
    }
    out.write_all(&data[..end])
}

#[cfg(test)]
mod tests {
    #[test]
    fn records_are_reversed() {
        let run = |data: &[u8], before| {
            let marks: Vec<_> = memchr::memchr_iter(b'\n', data).map(|at| (at, at + 1)).collect();
            let mut out = Vec::new();
            super::reverse(data, &marks, before, &mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        assert_eq!(run(b"a\nb\nc\n", false), "c\nb\na\n");
        assert_eq!(run(b"a\nb\nc", false), "cb\na\n");
        assert_eq!(run(b"", false), "");
        assert_eq!(run(b"a\nb\n", true), "\n\nba");
    }
}
