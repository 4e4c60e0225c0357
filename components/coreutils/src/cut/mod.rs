//! `cut`: parts of lines.

mod ranges;

use crate::options::{Line, Opt, Syntax, flag, value};
use crate::text::{self, Broken};
use ranges::{Ranges, Unit};
use std::ffi::OsString;
use std::io::{Result, Write};

const OPTIONS: &[Opt] = &[
    value("b", "bytes", "the bytes of the list VALUE"),
    value("c", "characters", "the characters of the list VALUE"),
    value("d", "delimiter", "fields are separated by VALUE instead of TAB"),
    value("f", "fields", "the fields of the list VALUE, and every line that has no delimiter"),
    flag("n", "", ""),
    flag("", "complement", "everything except the list"),
    flag("s", "only-delimited", "no lines without delimiters"),
    value("", "output-delimiter", "VALUE between the printed parts (the delimiter of the input)"),
    flag("z", "zero-terminated", "lines end with NUL"),
];

const SYNTAX: Syntax = Syntax {
    usage: "OPTION... [FILE]...",
    about: "Print the chosen parts of each line. A list is numbers from 1 and ranges (2-4, -3, 5-), with commas between them.",
    options: OPTIONS,
    ..Syntax::COMMON
};

/// What is cut from a line.
struct Job {
    unit: Unit,
    ranges: Ranges,
    /// Between fields.
    delimiter: Vec<u8>,
    /// Printed between the parts; for bytes and characters only if an option gives it.
    between: Option<Vec<u8>>,
    only_delimited: bool,
    end: u8,
}

/// Runs `cut`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    SYNTAX.run(&args, tool)
}

fn tool(args: &[OsString], line: Line) -> u8 {
    let job = match job(args, &line) {
        Ok(job) => job,
        Err(status) => return status,
    };
    let mut files = line.operands;
    if files.is_empty() {
        files.push("-".into());
    }
    let (mut out, mut status) = (text::output(), 0);
    for file in &files {
        let done = text::open(file).map_err(Broken::Read).and_then(|mut input| job.run(&mut *input, &mut out));
        match done {
            Ok(()) => {}
            Err(Broken::Write(error)) => return text::finish("cut", Err(error)),
            Err(Broken::Read(error)) => {
                let _ = out.flush();
                text::complain("cut", format!("{}: {}", text::quote_if_needed(file), text::reason(&error)));
                status = 1;
            }
        }
    }
    status | text::finish("cut", out.flush())
}

fn job(args: &[OsString], line: &Line) -> std::result::Result<Job, u8> {
    let refuse = |message: &str| Err(SYNTAX.misuse(args, message));
    let lists: Vec<_> = line.options.iter().filter(|given| matches!(given.key, "bytes" | "characters" | "fields")).collect();
    let list = match lists.as_slice() {
        [] => return refuse("you must specify a list of bytes, characters, or fields"),
        [list] => list,
        _ => return refuse("only one list may be specified"),
    };
    let unit = match list.key {
        "bytes" => Unit::Byte,
        "characters" => Unit::Character,
        _ => Unit::Field,
    };
    let delimiter = line.last("delimiter").map(|given| given.as_encoded_bytes().to_vec());
    if let Some(given) = &delimiter {
        let bytes = || std::str::from_utf8(given).map_or(given.len(), |given| given.chars().count());
        let characters = if text::locale_is_c() { given.len() } else { bytes() };
        if characters > 1 {
            return refuse("the delimiter must be a single character");
        }
        if unit != Unit::Field {
            return refuse("an input delimiter may be specified only when operating on fields");
        }
    }
    let only_delimited = line.has("only-delimited");
    if only_delimited && unit != Unit::Field {
        return refuse("suppressing non-delimited lines makes sense\n\tonly when operating on fields");
    }
    let ranges = Ranges::read(&list.text(), unit).map_err(|message| SYNTAX.misuse(args, &message))?;
    let ranges = if line.has("complement") { ranges.complement() } else { ranges };
    // An empty delimiter is NUL.
    let or_nul = |given: Vec<u8>| if given.is_empty() { vec![0] } else { given };
    let delimiter = delimiter.map_or(b"\t".to_vec(), or_nul);
    let between = line.last("output-delimiter").map(|given| or_nul(given.as_encoded_bytes().to_vec()));
    let between = between.or_else(|| (unit == Unit::Field).then(|| delimiter.clone()));
    let end = if line.has("zero-terminated") { 0 } else { b'\n' };
    Ok(Job { unit, ranges, delimiter, between, only_delimited, end })
}

impl Job {
    fn run(&self, input: &mut dyn std::io::Read, out: &mut impl Write) -> std::result::Result<(), Broken> {
        if self.unit == Unit::Field && self.delimiter == [self.end] {
            let mut all = Vec::new();
            input.read_to_end(&mut all).map_err(Broken::Read)?;
            return if all.is_empty() { Ok(()) } else { self.lines(&all, out).map_err(Broken::Write) };
        }
        text::lines(input, self.end, |line| {
            match self.unit {
                Unit::Byte => self.bytes(line, out)?,
                Unit::Character => self.characters(line, out)?,
                Unit::Field if !self.fields(line, out)? => return Ok(()),
                Unit::Field => {}
            }
            out.write_all(&[self.end])
        })
    }

    fn bytes(&self, line: &[u8], out: &mut impl Write) -> Result<()> {
        for (at, (from, to)) in self.ranges.within(line.len()).enumerate() {
            self.separate(at, out)?;
            out.write_all(&line[from..to])?;
        }
        Ok(())
    }

    fn characters(&self, line: &[u8], out: &mut impl Write) -> Result<()> {
        if line.is_ascii() {
            return self.bytes(line, out);
        }
        let mut starts = vec![0];
        while let Some(last) = starts.last().copied().filter(|last| *last < line.len()) {
            starts.push(last + text::first_char(&line[last..]).1);
        }
        for (at, (from, to)) in self.ranges.within(starts.len() - 1).enumerate() {
            self.separate(at, out)?;
            out.write_all(&line[starts[from]..starts[to]])?;
        }
        Ok(())
    }

    fn separate(&self, at: usize, out: &mut impl Write) -> Result<()> {
        match &self.between {
            Some(between) if at > 0 => out.write_all(between),
            _ => Ok(()),
        }
    }

    /// Prints the fields of a line. Returns whether the end of the line must be printed too.
    fn fields(&self, line: &[u8], out: &mut impl Write) -> Result<bool> {
        let (mut number, mut start, mut printed) = (1, 0, 0);
        loop {
            let hit = self.delimiter_in(&line[start..]);
            if hit.is_none() && number == 1 {
                if !self.only_delimited {
                    out.write_all(line)?;
                }
                return Ok(!self.only_delimited);
            }
            let end = hit.map_or(line.len(), |hit| start + hit);
            if self.ranges.has(number) {
                self.separate(printed, out)?;
                out.write_all(&line[start..end])?;
                printed += 1;
            }
            if hit.is_none() || self.ranges.end_before(number + 1) {
                return Ok(true);
            }
            (number, start) = (number + 1, end + self.delimiter.len());
        }
    }

    fn delimiter_in(&self, text: &[u8]) -> Option<usize> {
        match self.delimiter.as_slice() {
            [byte] => memchr::memchr(*byte, text),
            more => memchr::memmem::find(text, more),
        }
    }

    /// Prints the lines as the fields of one text, for a delimiter that is also the end of a line.
    fn lines(&self, all: &[u8], out: &mut impl Write) -> Result<()> {
        let Some(body) = all.strip_suffix(&[self.end]).or_else(|| all.contains(&self.end).then_some(all)) else {
            return if self.only_delimited { Ok(()) } else { out.write_all(all).and_then(|()| out.write_all(&[self.end])) };
        };
        let fields: Vec<&[u8]> = body.split(|byte| *byte == self.end).collect();
        if fields.len() == 1 && self.only_delimited && !self.ranges.has(1) {
            return Ok(());
        }
        let chosen = fields.iter().enumerate().filter(|(at, _)| self.ranges.has(at + 1));
        for (printed, (_, field)) in chosen.enumerate() {
            self.separate(printed, out)?;
            out.write_all(field)?;
        }
        out.write_all(&[self.end])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(words: &[&str], input: &str) -> String {
        let args: Vec<OsString> = std::iter::once("cut").chain(words.iter().copied()).map(OsString::from).collect();
        let line = SYNTAX.parse(&args).unwrap();
        let mut out = Vec::new();
        job(&args, &line).unwrap().run(&mut input.as_bytes(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn bytes_and_characters() {
        assert_eq!(cut(&["-b", "3,1"], "abc\nd"), "ac\nd\n");
        assert_eq!(cut(&["-c2-"], "éàx\n"), "àx\n");
        assert_eq!(cut(&["-b1-2,3-4", "--output-delimiter=:"], "abcdef\n"), "ab:cd\n");
        assert_eq!(cut(&["-b2", "--complement", "--output-delimiter=X"], "abc\n"), "aXc\n");
        assert_eq!(cut(&["-z", "-b1"], "ab\0cd"), "a\0c\0");
    }

    #[test]
    fn fields() {
        assert_eq!(cut(&["-d:", "-f1,3"], "a:b:c\nno\n:\n"), "a:c\nno\n\n");
        assert_eq!(cut(&["-d:", "-sf2-"], "a:b:c\nno\n"), "b:c\n");
        assert_eq!(cut(&["-d:", "-f5"], "a:b\n"), "\n");
        assert_eq!(cut(&["-dé", "-f2", "--output-delimiter=-"], "aébéc\n"), "b\n");
        assert_eq!(cut(&["-d", "", "-f1,2", "--output-delimiter="], "a\0b\n"), "a\0b\n");
        assert_eq!(cut(&["-d:", "--complement", "-f2"], "a:b:c:d\n"), "a:c:d\n");
    }

    #[test]
    fn lines_can_be_fields() {
        assert_eq!(cut(&["-d\n", "-f1,3"], "a\nb\nc"), "a\nc\n");
        assert_eq!(cut(&["-d\n", "-sf1"], "a\n"), "a\n");
        assert_eq!(cut(&["-d\n", "-sf2"], "a\n"), "");
        assert_eq!(cut(&["-d\n", "-f2"], "a\n"), "\n");
        assert_eq!(cut(&["-d\n", "-f2"], "a"), "a\n");
        assert_eq!(cut(&["-d\n", "-sf1"], "a"), "");
        assert_eq!(cut(&["-d\n", "-f1"], "a\n"), "a\n");
    }
}
