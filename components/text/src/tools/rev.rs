//! `rev`: the characters of every line in reverse.

use crate::input::Lines;
use crate::options::{Line, Syntax, flag};
use crate::text::{self, first_char};
use std::ffi::OsString;
use std::io::Write;

const SYNTAX: Syntax = Syntax {
    usage: "[options] [<file> ...]",
    about: "Reverse lines characterwise.",
    options: &[flag("0", "zero", "use the NUL character as line separator")],
    origin: "wisp",
    letters: ("h", "V"),
    ..Syntax::COMMON
};

/// Runs `rev`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    SYNTAX.run(&args, run)
}

fn run(_: &[OsString], line: Line) -> u8 {
    let end = if line.has("zero") { 0 } else { b'\n' };
    let standard = line.operands.is_empty();
    let files = if line.operands.is_empty() { vec!["-".into()] } else { line.operands };
    let mut out = text::output();
    let mut status = 0;
    for name in files {
        // A dash is a name like any other.
        let named = if name == "-" && !standard { "./-".into() } else { name.clone() };
        let result = Lines::open(&named).and_then(|mut lines| {
            let mut line = Vec::new();
            while let Some(ended) = lines.line(end, &mut line)? {
                let mut reversed = reverse(&line);
                reversed.extend(ended.then_some(end));
                out.write_all(&reversed)?;
                line.clear();
            }
            Ok(())
        });
        if let Err(error) = result {
            let _ = out.flush();
            text::complain("rev", format!("cannot open {}: {}", text::show(&name), text::reason(&error)));
            status = 1;
        }
    }
    if out.flush().is_ok() { status } else { 1 }
}

fn reverse(line: &[u8]) -> Vec<u8> {
    let mut out = vec![0; line.len()];
    let (mut at, mut end) = (0, line.len());
    while at < line.len() {
        let length = first_char(&line[at..]).1;
        out[end - length..end].copy_from_slice(&line[at..at + length]);
        (at, end) = (at + length, end - length);
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn characters_stay_whole() {
        assert_eq!(super::reverse("aéb".as_bytes()), "béa".as_bytes());
        assert_eq!(super::reverse(b"a\xffb"), b"b\xffa");
    }
}
