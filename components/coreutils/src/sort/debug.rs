//! `--debug`: each line with its keys underlined.

use super::Sort;
use super::key::{self, By};
use crate::text;
use std::io::{Result, Write};

/// Prints a line, and underlines its keys.
pub(super) fn show(sort: &Sort, line: &[u8], out: &mut dyn Write) -> Result<()> {
    let visible: Vec<u8> = line.iter().map(|b| if *b == b'\t' { b'>' } else { *b }).collect();
    out.write_all(&visible)?;
    out.write_all(b"\n")?;
    for key in &sort.keys {
        let part = key.part(line, sort.separator);
        let begin = key.begin(line, sort.separator);
        let (skip, length) = extent(key.manner.by, part);
        underline(&visible, begin + skip, begin + skip + length, out)?;
    }
    if sort.keys.is_empty() || !(sort.stable || sort.unique) {
        underline(&visible, 0, line.len(), out)?;
    }
    Ok(())
}

fn underline(line: &[u8], start: usize, end: usize, out: &mut dyn Write) -> Result<()> {
    // In the C locale, every byte except NUL takes a column.
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(|name| std::env::var(name).ok().filter(|v| !v.is_empty()));
    let bytewise = locale.is_none_or(|l| l == "C" || l == "POSIX");
    let width =
        |bytes: &[u8]| if bytewise { bytes.iter().filter(|b| **b != 0).count() } else { text::width(&String::from_utf8_lossy(bytes)) };
    let before = " ".repeat(width(&line[..start]));
    if end <= start {
        return writeln!(out, "{before}^ no match for key");
    }
    writeln!(out, "{before}{}", "_".repeat(width(&line[start..end]).max(1)))
}

/// Returns which part of a key is compared: its start and its length.
fn extent(by: By, part: &[u8]) -> (usize, usize) {
    let blanks = key::skip_blanks(part, 0);
    let rest = &part[blanks..];
    match by {
        By::Months => (blanks, if key::month(part) > 0 { 3 } else { 0 }),
        By::Floats => (blanks, key::float(rest).map_or(0, |(_, length)| length)),
        By::Numbers | By::Sizes => {
            let digits = |t: &[u8]| t.iter().take_while(|b| b.is_ascii_digit()).count();
            let sign = usize::from(rest.first() == Some(&b'-'));
            let whole = digits(&rest[sign..]);
            let mut length = sign + whole;
            let mut seen = whole;
            if rest.get(length) == Some(&b'.') {
                seen += digits(&rest[length + 1..]);
                length += 1 + digits(&rest[length + 1..]);
            }
            if seen == 0 {
                return (blanks, 0);
            }
            if by == By::Sizes && rest.get(length).is_some_and(|c| b"kKMGTPEZYRQ".contains(c)) {
                length += 1;
            }
            (blanks, length)
        }
        By::Bytes | By::Versions | By::Chance => (0, part.len()),
    }
}
