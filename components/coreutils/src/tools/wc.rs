//! `wc`.

use crate::options::{Line, Opt, Syntax, flag, value};
use crate::{operands, sys, text};
use std::ffi::{OsStr, OsString};
use std::io::{Error, ErrorKind, Read, Result, Write};

const OPTIONS: &[Opt] = &[
    flag("c", "bytes", "count bytes"),
    flag("m", "chars", "count characters"),
    flag("l", "lines", "count newlines"),
    flag("L", "max-line-length", "the width of the widest line"),
    flag("w", "words", "count words"),
    value("", "files0-from", "count in the files whose names, ended by NUL, are in VALUE"),
    value("", "total", "when to print a line of totals: auto, always, only, never"),
];

const SYNTAX: Syntax = Syntax {
    usage: "[OPTION]... [FILE]...\n[OPTION]... --files0-from=F",
    about: "Count lines, words and bytes of each FILE, and of all of them when there are several.",
    options: OPTIONS,
    ..Syntax::COMMON
};

const TOTALS: &[&[&str]] = &[&["auto"], &["always"], &["only"], &["never"]];

/// The numbers of a file, in the order they are printed.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Counts {
    lines: u64,
    words: u64,
    chars: u64,
    bytes: u64,
    widest: u64,
}

/// The numbers to print.
#[derive(Debug, Clone, Copy)]
struct Wanted([bool; 5]);

impl Wanted {
    fn of(line: &Line) -> Self {
        let wanted = ["lines", "words", "chars", "bytes", "max-line-length"].map(|key| line.has(key));
        if wanted.contains(&true) { Self(wanted) } else { Self([true, true, false, true, false]) }
    }

    /// Returns whether the text must be examined beyond its newlines.
    fn looks(self) -> bool {
        self.0[1] || self.0[2] || self.0[4]
    }

    fn show(self, counts: Counts, width: usize) -> String {
        let all = [counts.lines, counts.words, counts.chars, counts.bytes, counts.widest];
        let shown: Vec<String> = all.iter().zip(self.0).filter(|(_, wanted)| *wanted).map(|(n, _)| format!("{n:width$}")).collect();
        shown.join(" ")
    }
}

/// Runs `wc`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    SYNTAX.run(&args, run)
}

fn run(args: &[OsString], line: Line) -> u8 {
    let total = line.last_text("total").map_or(Ok("auto"), |when| SYNTAX.word(args, "--total", &when, TOTALS));
    let (total, wanted) = match total {
        Ok(total) => (total, Wanted::of(&line)),
        Err(status) => return status,
    };
    let (mut files, mut status, mut listed) = (line.operands.clone(), 0, None);
    if let Some(list) = line.last("files0-from") {
        files = match operands::files0(&SYNTAX, args, list, &line.operands, "cannot open") {
            Ok(files) => files,
            Err(status) => return status,
        };
        // Empty names have been reported already.
        status = u8::from(files.iter().any(|name| name.is_empty()));
        files.retain(|name| !name.is_empty());
        listed = Some(list != "-" && sys::stat(list.as_ref(), true).is_ok_and(|stat| stat.is_file()));
    }
    let single = listed.is_none() && files.is_empty();
    if single {
        files.push("-".into());
    }
    let one = wanted.0.iter().filter(|wanted| **wanted).count() == 1;
    // The width depends on all files, so it is unknown as long as some are.
    let plain = files.is_empty() || files.len() == 1 && one || total == "only" || listed == Some(false);
    let width = if plain { 1 } else { width(&files) };
    let (mut out, mut sum) = (text::output(), Counts::default());
    for name in &files {
        let (counts, done) = count_file(name, wanted);
        if let Err((error, opened)) = done {
            let _ = out.flush();
            let shown = if single { OsStr::new("standard input") } else { name };
            text::complain("wc", format!("{}: {}", text::quote_if_needed(shown), text::reason(&error)));
            status = 1;
            if !opened {
                continue;
            }
        }
        sum.lines += counts.lines;
        sum.words += counts.words;
        sum.chars += counts.chars;
        sum.bytes += counts.bytes;
        sum.widest = sum.widest.max(counts.widest);
        if total != "only" {
            let shown = match text::show(name) {
                _ if single => String::new(),
                shown if shown.contains('\n') => format!(" {}", text::shown(text::quote_if_needed(name).as_bytes())),
                shown => format!(" {shown}"),
            };
            let _ = out.write_all(&text::written(&format!("{}{shown}\n", wanted.show(counts, width))));
        }
    }
    if total == "always" || total == "only" || total == "auto" && files.len() > 1 {
        let _ = writeln!(out, "{}{}", wanted.show(sum, width), if total == "only" { "" } else { " total" });
    }
    status | text::finish("wc", out.flush())
}

/// Returns the width of numbers: enough for the bytes of all regular files, and for seven digits if another file is among them.
fn width(files: &[OsString]) -> usize {
    let (mut total, mut least) = (0, 1);
    for name in files {
        match if name == "-" { sys::stat_input() } else { sys::stat(name.as_ref(), true) } {
            Ok(stat) if stat.is_file() => total += stat.size,
            Ok(_) => least = 7,
            Err(_) => {}
        }
    }
    total.to_string().len().max(least)
}

/// Returns the counts of a file, as far as it could be read; the error; and whether the file was opened.
fn count_file(name: &OsStr, wanted: Wanted) -> (Counts, std::result::Result<(), (Error, bool)>) {
    let mut counts = Counts::default();
    if name == "-" {
        let done = count(&mut *sys::input(), wanted, &mut counts);
        return (counts, done.map_err(|error| (error, true)));
    }
    let (mut file, stat) = match std::fs::File::open(name).and_then(|file| Ok((file, sys::stat(name.as_ref(), true)?))) {
        Ok(open) => open,
        Err(error) => return (counts, Err((error, false))),
    };
    if stat.is_dir() {
        return (counts, Err((ErrorKind::IsADirectory.into(), true)));
    }
    // To count only bytes, the size is enough. Files whose content is computed have the size 0.
    if stat.is_file() && stat.size > 0 && !wanted.0[0] && !wanted.looks() {
        counts.bytes = stat.size;
        return (counts, Ok(()));
    }
    let done = count(&mut file, wanted, &mut counts);
    (counts, done.map_err(|error| (error, true)))
}

fn count(input: &mut impl Read, wanted: Wanted, counts: &mut Counts) -> Result<()> {
    let mut buffer = text::buffer();
    let mut place = Text::default();
    let mut held = 0;
    loop {
        let got = match input.read(&mut buffer[held..]) {
            Ok(0) => break,
            Ok(got) => got,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        counts.bytes += got as u64;
        if !wanted.looks() {
            if wanted.0[0] {
                counts.lines += memchr::memchr_iter(b'\n', &buffer[..got]).count() as u64;
            }
            text::widen(&mut buffer, got);
            continue;
        }
        let end = held + got;
        let used = place.take(&buffer[..end], false, counts);
        // An incomplete character.
        buffer.copy_within(used..end, 0);
        held = end - used;
        text::widen(&mut buffer, end);
    }
    place.take(&buffer[..held], true, counts);
    place.end(counts);
    Ok(())
}

/// The position in a text.
#[derive(Default)]
struct Text {
    in_word: bool,
    column: u64,
}

impl Text {
    /// Counts a piece of text. Returns the number of bytes consumed: an incomplete character at the end is left, except in
    /// the `last` piece.
    fn take(&mut self, bytes: &[u8], last: bool, counts: &mut Counts) -> usize {
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            match byte {
                b'!'..=b'~' => {
                    self.in_word = true;
                    self.column += 1;
                }
                b' ' | b'\t'..=b'\r' => self.blank(byte, counts),
                0x80.. => {
                    let (found, len) = text::first_char(&bytes[at..]);
                    if let Some(found) = found {
                        counts.chars += 1;
                        self.wide(found, counts);
                    } else if !last && text::unfinished(&bytes[at..]) {
                        return at;
                    }
                    at += len;
                    continue;
                }
                _ => {}
            }
            counts.chars += 1;
            at += 1;
        }
        at
    }

    fn blank(&mut self, byte: u8, counts: &mut Counts) {
        self.separate(counts);
        match byte {
            b' ' => self.column += 1,
            b'\t' => self.column += 8 - self.column % 8,
            b'\x0b' => {}
            _ => {
                counts.lines += u64::from(byte == b'\n');
                counts.widest = counts.widest.max(self.column);
                self.column = 0;
            }
        }
    }

    /// Counts a character beyond ASCII. An unprintable one neither begins a word nor ends it.
    fn wide(&mut self, found: char, counts: &mut Counts) {
        let Some(width) = unicode_width::UnicodeWidthChar::width(found) else { return };
        self.column += width as u64;
        if found.is_whitespace() || found == '\u{2060}' {
            self.separate(counts);
        } else {
            self.in_word = true;
        }
    }

    fn separate(&mut self, counts: &mut Counts) {
        counts.words += u64::from(std::mem::take(&mut self.in_word));
    }

    fn end(&mut self, counts: &mut Counts) {
        self.separate(counts);
        counts.widest = counts.widest.max(self.column);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads this many bytes at a time.
    struct Pieces<'a>(&'a [u8], usize);

    impl Read for Pieces<'_> {
        fn read(&mut self, into: &mut [u8]) -> Result<usize> {
            let (now, rest) = self.0.split_at(self.1.min(self.0.len()).min(into.len()));
            into[..now.len()].copy_from_slice(now);
            self.0 = rest;
            Ok(now.len())
        }
    }

    fn counted(text: &[u8], piece: usize) -> (u64, u64, u64, u64, u64) {
        let mut counts = Counts::default();
        count(&mut Pieces(text, piece), Wanted([true; 5]), &mut counts).unwrap();
        (counts.lines, counts.words, counts.chars, counts.bytes, counts.widest)
    }

    #[test]
    fn texts_are_counted_in_pieces_as_in_one() {
        let cases: &[(&[u8], _)] = &[
            (b"", (0, 0, 0, 0, 0)),
            (b"a b\nc\n", (2, 3, 6, 6, 3)),
            (b"x", (0, 1, 1, 1, 1)),
            (b"a\tb\x0bc\rdd\n", (1, 4, 9, 9, 10)),
            ("é日本\u{a0}x\n".as_bytes(), (1, 2, 6, 12, 7)),
            (b"\xff\xe6\x97 a", (0, 1, 2, 5, 2)),
            (b"\x01 \x02", (0, 0, 3, 3, 1)),
        ];
        for (text, want) in cases {
            for piece in [1, 2, 3, 1000] {
                assert_eq!(counted(text, piece), *want, "{text:?} in pieces of {piece}");
            }
        }
    }

    #[test]
    fn lines_and_bytes_need_no_look_at_the_text() {
        let mut counts = Counts::default();
        count(&mut &b"a\n\xff\nb"[..], Wanted([true, false, false, true, false]), &mut counts).unwrap();
        assert_eq!((counts.lines, counts.bytes, counts.words), (2, 5, 0));
    }
}
