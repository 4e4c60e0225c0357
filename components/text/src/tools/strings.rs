//! `strings`: the printable texts in a file.

use crate::options::{Line, Syntax, flag, value};
use crate::text;
use std::ffi::OsString;
use std::io::Write;

const SYNTAX: Syntax = Syntax {
    usage: "[option(s)] [file(s)]",
    about: "Display printable strings in [file(s)] (stdin by default).",
    options: &[
        flag("ad", "all", "scan the entire file"),
        flag("f", "print-file-name", "print the name of the file before each string"),
        value("n", "bytes", "locate sequences of at least VALUE characters (4)"),
        flag("o", "", "as --radix=o"),
        value("t", "radix", "print the position of each string in octal (o), decimal (d) or hexadecimal (x)"),
        flag("w", "include-all-whitespace", "include all whitespace"),
        value("e", "encoding", "characters are s: 7 bits, S: 8 bits, b: 16 bits big-endian, l: little-endian, B and L: 32 bits"),
        value("s", "output-separator", "the separator of strings"),
        value("T", "target", "accepted: files are read byte by byte"),
        value("U", "unicode", "accepted; changes nothing"),
        flag("0123456789", "digits", "the same as -n with this number"),
    ],
    origin: "wisp",
    letters: ("h", "vV"),
    ..Syntax::COMMON
};

/// Runs `strings`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    SYNTAX.run(&args, tool)
}

fn tool(args: &[OsString], line: Line) -> u8 {
    let digits: String = line.options.iter().filter(|o| o.key == "digits").filter_map(|o| o.letter).collect();
    let least = line.last_text("bytes").or((!digits.is_empty()).then_some(digits)).unwrap_or_else(|| "4".into());
    let Ok(least) = least.parse::<usize>() else {
        text::complain("strings", format!("invalid integer argument {least}"));
        return 1;
    };
    if least == 0 {
        text::complain("strings", "invalid minimum string length 0");
        return 1;
    }
    let radix =
        if line.has("o") && line.last_text("radix").is_none() { Some('o') } else { line.last_text("radix").and_then(|r| r.chars().next()) };
    let encoding = line.last_text("encoding").and_then(|e| e.chars().next()).unwrap_or('s');
    if !"sSblBL".contains(encoding) || radix.is_some_and(|r| !"odx".contains(r)) {
        return SYNTAX.misuse(args, "invalid option value");
    }
    let job = Job {
        least,
        radix,
        encoding,
        spaces: line.has("include-all-whitespace"),
        names: line.has("print-file-name"),
        end: line.last_text("output-separator").unwrap_or_else(|| "\n".into()),
    };
    let files = if line.operands.is_empty() { vec!["-".into()] } else { line.operands };
    let mut out = text::output();
    let mut status = 0;
    for name in &files {
        match text::slurp(name) {
            Ok(bytes) => {
                let shown = if name == "-" { "{standard input}".to_owned() } else { text::show(name) };
                if job.run(&bytes, &shown, &mut out).is_err() {
                    return 1;
                }
            }
            Err(error) => {
                let shown = text::show(name);
                match error.kind() {
                    std::io::ErrorKind::NotFound => text::complain("strings", format!("'{shown}': No such file")),
                    _ if error.raw_os_error() == Some(libc::EISDIR) => {
                        text::complain("strings", format!("Warning: '{shown}' is a directory"));
                    }
                    _ => text::complain("strings", format!("{shown}: {}", text::reason(&error))),
                }
                status = 1;
            }
        }
    }
    if out.flush().is_ok() { status } else { 1 }
}

struct Job {
    least: usize,
    radix: Option<char>,
    encoding: char,
    spaces: bool,
    names: bool,
    end: String,
}

impl Job {
    /// Returns the character at `at`, if it is printable, and its length.
    fn character(&self, bytes: &[u8], at: usize) -> (Option<u8>, usize) {
        let wide = |length: usize, order: fn(&[u8]) -> u32| match bytes.get(at..at + length) {
            Some(part) => (u8::try_from(order(part)).ok(), length),
            None => (None, 1),
        };
        let (code, length) = match self.encoding {
            'b' => wide(2, |p| u32::from(p[0]) << 8 | u32::from(p[1])),
            'l' => wide(2, |p| u32::from(p[1]) << 8 | u32::from(p[0])),
            'B' => wide(4, |p| u32::from_be_bytes([p[0], p[1], p[2], p[3]])),
            'L' => wide(4, |p| u32::from_le_bytes([p[0], p[1], p[2], p[3]])),
            _ => (Some(bytes[at]), 1),
        };
        let good = |b: u8| {
            b == b'\t' || (0x20..0x7f).contains(&b) || (self.encoding == 'S' && b >= 0x80) || (self.spaces && b.is_ascii_whitespace())
        };
        (code.filter(|b| good(*b)), length)
    }

    fn run(&self, bytes: &[u8], name: &str, out: &mut dyn Write) -> std::io::Result<()> {
        let mut at = 0;
        while at < bytes.len() {
            let start = at;
            let mut found = Vec::new();
            while at < bytes.len() {
                let (Some(b), length) = self.character(bytes, at) else { break };
                found.push(b);
                at += length;
            }
            if found.len() >= self.least {
                if self.names {
                    out.write_all(&text::written(&format!("{name}: ")))?;
                }
                match self.radix {
                    Some('o') => write!(out, "{start:7o} ")?,
                    Some('x') => write!(out, "{start:7x} ")?,
                    Some(_) => write!(out, "{start:7} ")?,
                    None => {}
                }
                out.write_all(&found)?;
                out.write_all(self.end.as_bytes())?;
            }
            // A wide string may begin at the next byte.
            at = if found.is_empty() || !self.encoding.eq_ignore_ascii_case(&'s') && found.len() < self.least { start + 1 } else { at };
        }
        Ok(())
    }
}
