//! `xxd -r`: bytes from a dump.

use super::xxd::Options;
use crate::text;
use std::ffi::OsString;
use std::io::Write;

/// Turns a dump into bytes, written to standard output or into a file.
pub(super) fn run(options: &Options, input: &[u8], file: Option<&OsString>) -> Result<(), (u8, String)> {
    let pieces = if options.plain { vec![(0, plain(input))] } else { lines(input, options.columns.filter(|c| *c > 0).unwrap_or(16)) };
    let failed = |e: std::io::Error| (3, text::reason(&e));
    match file.filter(|f| *f != "-") {
        Some(name) => {
            use std::io::{Seek, SeekFrom};
            let mut out = std::fs::File::options().write(true).create(true).truncate(false).open(name).map_err(failed)?;
            for (at, bytes) in pieces {
                let place = (at as i64 + options.seek).max(0) as u64;
                out.seek(SeekFrom::Start(place)).and_then(|_| out.write_all(&bytes)).map_err(failed)?;
            }
            Ok(())
        }
        None => {
            let mut out = text::output();
            let mut position = 0_i64;
            for (at, bytes) in pieces {
                let place = at as i64 + options.seek;
                if place < position {
                    return Err((5, "Sorry, cannot seek backwards.".into()));
                }
                if place > position {
                    std::io::copy(&mut std::io::Read::take(std::io::repeat(0), (place - position) as u64), &mut out).map_err(failed)?;
                }
                out.write_all(&bytes).map_err(failed)?;
                position = place + bytes.len() as i64;
            }
            out.flush().map_err(failed)
        }
    }
}

fn digit(b: u8) -> Option<u8> {
    char::from(b).to_digit(16).map(|d| d as u8)
}

/// Reads a plain dump: only digits count; everything else is skipped.
fn plain(input: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut high = None;
    for b in input {
        match (digit(*b), high) {
            (Some(d), None) => high = Some(d),
            (Some(d), Some(h)) => {
                out.push(h << 4 | d);
                high = None;
            }
            (None, _) if b.is_ascii_whitespace() => {}
            (None, _) => high = None,
        }
    }
    out
}

/// Reads `0000: 4142 43  ABC`: position, at most `columns` bytes, and two blanks before the readable column.
fn lines(input: &[u8], columns: usize) -> Vec<(u64, Vec<u8>)> {
    let mut all = Vec::new();
    for line in input.split(|b| *b == b'\n') {
        let line = line.trim_ascii_start();
        let digits = line.iter().take_while(|b| digit(**b).is_some()).count();
        let Some(position) = std::str::from_utf8(&line[..digits]).ok().and_then(|t| u64::from_str_radix(t, 16).ok()) else { continue };
        let mut rest = &line[digits..];
        if rest.first() == Some(&b':') {
            rest = &rest[1..];
        }
        let mut bytes = Vec::new();
        let mut at = rest.iter().take_while(|b| **b == b' ').count();
        while at + 1 < rest.len() && bytes.len() < columns {
            match (digit(rest[at]), digit(rest[at + 1])) {
                (Some(h), Some(d)) => {
                    bytes.push(h << 4 | d);
                    at += 2;
                }
                _ if rest[at] == b' ' && rest[at + 1] != b' ' => at += 1,
                _ => break,
            }
        }
        all.push((position, bytes));
    }
    all
}

#[cfg(test)]
mod tests {
    #[test]
    fn dumps_are_read() {
        assert_eq!(super::lines(b"00000010: 4142 43                                  ABC\n", 16), [(16, b"ABC".to_vec())]);
        assert_eq!(super::plain(b"48 65\n6c6c6f"), b"Hello");
    }
}
