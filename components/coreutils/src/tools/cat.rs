//! `cat`. The version of uutils refuses devices on WASI, and copies in small pieces.

use crate::options::{Line, Opt, Syntax, flag};
use crate::{sys, text};
use std::ffi::OsString;
use std::io::{Read, Result, Write};

const OPTIONS: &[Opt] = &[
    flag("A", "show-all", "as -vET"),
    flag("b", "number-nonblank", "number lines that are not empty"),
    flag("e", "", "as -vE"),
    flag("E", "show-ends", "$ at the end of each line"),
    flag("n", "number", "number all lines"),
    flag("s", "squeeze-blank", "only one of several empty lines"),
    flag("t", "", "as -vT"),
    flag("T", "show-tabs", "^I for tabs"),
    flag("u", "", ""),
    flag("v", "show-nonprinting", "^ and M- for what is not printable"),
];

const SYNTAX: Syntax = Syntax {
    usage: "[OPTION]... [FILE]...",
    about: "Write the FILEs one after another; - is standard input.",
    options: OPTIONS,
    ..Syntax::COMMON
};

/// The marks that lines get, and the state between two pieces of input.
#[allow(clippy::struct_excessive_bools)]
struct Show {
    number: bool,
    number_full: bool,
    squeeze: bool,
    ends: bool,
    tabs: bool,
    marks: bool,
    line: u64,
    at_start: bool,
    empty_lines: u64,
    /// Whether a carriage return is held back, because it may precede the end of a line: `^M$` with -E.
    pending_return: bool,
}

/// Runs `cat`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    SYNTAX.run(&args, tool)
}

fn tool(_: &[OsString], line: Line) -> u8 {
    let any = |keys: &[&str]| keys.iter().any(|k| line.has(k));
    let mut show = Show {
        number: any(&["number"]) && !any(&["number-nonblank"]),
        number_full: any(&["number-nonblank"]),
        squeeze: any(&["squeeze-blank"]),
        ends: any(&["show-ends", "show-all", "e"]),
        tabs: any(&["show-tabs", "show-all", "t"]),
        marks: any(&["show-nonprinting", "show-all", "e", "t"]),
        line: 0,
        at_start: true,
        empty_lines: 0,
        pending_return: false,
    };
    let plain = !(show.number || show.number_full || show.squeeze || show.ends || show.tabs || show.marks);
    let files = if line.operands.is_empty() { vec![OsString::from("-")] } else { line.operands };
    let mut out = text::output();
    let mut status = 0;
    for file in files {
        let done = if file == "-" {
            // A file that is both input and output would grow for ever.
            match sys::stat_input() {
                Ok(stat) if stat.is_file() && stat.size > 0 && sys::is_output_file(&stat) => {
                    Err(std::io::Error::other("input file is output file"))
                }
                _ => copy(&mut std::io::stdin().lock(), plain, &mut show, &mut out),
            }
        } else {
            open(&file).and_then(|mut f| copy(&mut f, plain, &mut show, &mut out))
        };
        if let Err(error) = done {
            let _ = out.flush();
            let why = if error.kind() == std::io::ErrorKind::IsADirectory { "Is a directory".into() } else { text::reason(&error) };
            let why = if error.kind() == std::io::ErrorKind::Other { error.to_string() } else { why };
            text::complain("cat", format!("{}: {why}", text::quote_if_needed(&file)));
            status = 1;
        }
    }
    if show.pending_return {
        let _ = out.write_all(if show.marks { b"^M" } else { b"\r" });
    }
    let _ = out.flush();
    status
}

fn open(file: &OsString) -> Result<std::fs::File> {
    let input = std::fs::File::open(file)?;
    let stat = sys::stat(file.as_ref(), true)?;
    if stat.is_dir() {
        return Err(std::io::ErrorKind::IsADirectory.into());
    }
    if stat.size > 0 && sys::is_output_file(&stat) {
        return Err(std::io::Error::other("input file is output file"));
    }
    Ok(input)
}

fn copy(input: &mut impl Read, plain: bool, show: &mut Show, out: &mut impl Write) -> Result<()> {
    let mut buffer = text::buffer();
    loop {
        let got = match input.read(&mut buffer) {
            Ok(0) => return out.flush(),
            Ok(got) => got,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if plain {
            out.write_all(&buffer[..got])?;
        } else {
            show.write(&buffer[..got], out)?;
        }
        // Input that arrives in small pieces is passed on at once.
        if got < text::CHUNK {
            out.flush()?;
        }
        text::widen(&mut buffer, got);
    }
}

impl Show {
    fn write(&mut self, bytes: &[u8], out: &mut impl Write) -> Result<()> {
        for byte in bytes {
            if std::mem::take(&mut self.pending_return) {
                out.write_all(if self.marks || *byte == b'\n' { b"^M" } else { b"\r" })?;
            }
            if *byte == b'\n' {
                self.newline(out)?;
                continue;
            }
            if self.at_start {
                self.empty_lines = 0;
                self.start_line(self.number || self.number_full, out)?;
            }
            match byte {
                b'\t' if self.tabs => out.write_all(b"^I")?,
                b'\r' if self.ends => self.pending_return = true,
                byte if self.marks => mark(*byte, out)?,
                byte => out.write_all(&[*byte])?,
            }
        }
        Ok(())
    }

    fn start_line(&mut self, numbered: bool, out: &mut impl Write) -> Result<()> {
        self.at_start = false;
        if numbered {
            self.line += 1;
            write!(out, "{:>6}\t", self.line)?;
        }
        Ok(())
    }

    fn newline(&mut self, out: &mut impl Write) -> Result<()> {
        if self.at_start {
            self.empty_lines += 1;
            if self.squeeze && self.empty_lines > 1 {
                return Ok(());
            }
            self.start_line(self.number, out)?;
        }
        self.at_start = true;
        out.write_all(if self.ends { b"$\n" } else { b"\n" })
    }
}

fn mark(byte: u8, out: &mut impl Write) -> Result<()> {
    let (prefix, low) = if byte >= 0x80 { ("M-", byte - 0x80) } else { ("", byte) };
    match low {
        b'\t' if byte == b'\t' => out.write_all(b"\t"),
        0x7f => write!(out, "{prefix}^?"),
        0x20..=0x7e => write!(out, "{prefix}{}", char::from(low)),
        low => write!(out, "{prefix}^{}", char::from(low + 0x40)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(text: &[u8], show: &mut Show) -> String {
        let mut out = Vec::new();
        copy(&mut &text[..], false, show, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn lines_are_shown() {
        let none = || Show {
            number: false,
            number_full: false,
            squeeze: false,
            ends: false,
            tabs: false,
            marks: false,
            line: 0,
            at_start: true,
            empty_lines: 0,
            pending_return: false,
        };
        assert_eq!(run(b"a\n\nb", &mut Show { number: true, ..none() }), "     1\ta\n     2\t\n     3\tb");
        assert_eq!(run(b"a\n\nb", &mut Show { number_full: true, ..none() }), "     1\ta\n\n     2\tb");
        assert_eq!(run(b"\n\n\na", &mut Show { squeeze: true, ..none() }), "\na");
        assert_eq!(run(b"a\tb\x01\xe9\r\n", &mut Show { ends: true, tabs: true, marks: true, ..none() }), "a^Ib^AM-i^M$\n");
    }
}
