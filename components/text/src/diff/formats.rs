//! Formats given on the command line (`--line-format`, `--GTYPE-group-format`, `-D`), and the format of RCS.

use super::hunks::Change;
use super::lines::Text;
use std::io::{Result, Write};

/// What is printed for lines and for groups of lines.
#[derive(Debug, Clone)]
pub(super) struct Formats {
    /// The formats of lines only in the first file, only in the second, in both.
    pub lines: [String; 3],
    /// The formats of groups of such lines, and of changed ones.
    pub groups: [String; 4],
}

/// The names of the groups and lines in options.
pub(super) const KINDS: [&str; 4] = ["old", "new", "unchanged", "changed"];

impl Formats {
    /// Returns the formats of `-D NAME`.
    pub(super) fn conditional(name: &str) -> Self {
        Self {
            lines: ["%l\n", "%l\n", "%L"].map(String::from),
            groups: [
                format!("#ifndef {name}\n%<#endif /* ! {name} */\n"),
                format!("#ifdef {name}\n%>#endif /* {name} */\n"),
                "%=".into(),
                format!("#ifndef {name}\n%<#else /* {name} */\n%>#endif /* {name} */\n"),
            ],
        }
    }

    /// Formats from options; a format that is not given prints the lines.
    pub(super) fn new(lines: [Option<String>; 3], groups: [Option<String>; 4]) -> Self {
        let [old, new, same, changed] = groups;
        // A format for changed groups also applies to groups that are only in one file.
        let old = old.or_else(|| changed.clone()).unwrap_or_else(|| "%<".into());
        let new = new.or_else(|| changed.clone()).unwrap_or_else(|| "%>".into());
        let changed = changed.unwrap_or_else(|| format!("{old}{new}"));
        Self { lines: lines.map(|l| l.unwrap_or_else(|| "%l\n".into())), groups: [old, new, same.unwrap_or_else(|| "%=".into()), changed] }
    }
}

/// A group: lines from and to (excluded) in both files.
struct Group<'a> {
    a: &'a Text,
    b: &'a Text,
    old: (usize, usize),
    new: (usize, usize),
}

impl Group<'_> {
    /// Returns the number that a letter stands for: lower case for the first file, upper case for the second.
    fn number(&self, letter: char) -> Option<usize> {
        let (from, to) = if letter.is_ascii_lowercase() { self.old } else { self.new };
        Some(match letter.to_ascii_lowercase() {
            'f' => from + 1,
            'l' => to,
            'n' => to - from,
            'e' => from,
            'm' => to + 1,
            _ => return None,
        })
    }
}

/// Prints with formats.
pub(super) fn formatted(out: &mut dyn Write, formats: &Formats, a: &Text, b: &Text, changes: &[Change]) -> Result<()> {
    let (mut i, mut j) = (0, 0);
    let end = Change { old: a.lines.len(), deleted: 0, new: b.lines.len(), inserted: 0, ignored: false };
    for change in changes.iter().chain([&end]) {
        if change.old > i {
            group(out, formats, 2, &Group { a, b, old: (i, change.old), new: (j, change.new) })?;
        }
        let kind = match (change.deleted, change.inserted) {
            (0, 0) => break,
            (_, 0) => 0,
            (0, _) => 1,
            _ => 3,
        };
        (i, j) = (change.old + change.deleted, change.new + change.inserted);
        group(out, formats, kind, &Group { a, b, old: (change.old, i), new: (change.new, j) })?;
    }
    Ok(())
}

fn group(out: &mut dyn Write, formats: &Formats, kind: usize, g: &Group<'_>) -> Result<()> {
    expand(out, &formats.groups[kind], formats, g)
}

fn expand(out: &mut dyn Write, format: &str, formats: &Formats, g: &Group<'_>) -> Result<()> {
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        out.write_all(&rest.as_bytes()[..at])?;
        let spec = &rest[at + 1..];
        let used = match spec.chars().next() {
            Some('<') => lines(out, &formats.lines[0], g.a, g.old).map(|()| 1)?,
            Some('>') => lines(out, &formats.lines[1], g.b, g.new).map(|()| 1)?,
            Some('=') => lines(out, &formats.lines[2], g.a, g.old).map(|()| 1)?,
            Some('(') => condition(out, spec, formats, g)?,
            _ => common(out, spec, |letter| g.number(letter))?,
        };
        if used == 0 {
            out.write_all(b"%")?;
        }
        rest = &spec[used..];
    }
    out.write_all(rest.as_bytes())
}

/// Implements `(A=B?THEN:ELSE)`; returns its length.
fn condition(out: &mut dyn Write, spec: &str, formats: &Formats, g: &Group<'_>) -> Result<usize> {
    let parts = || {
        let (test, rest) = spec.strip_prefix('(')?.split_once('?')?;
        let (a, b) = test.split_once('=')?;
        let (then, rest) = rest.split_once(':')?;
        let (or, _) = rest.split_once(')')?;
        let value = |text: &str| text.parse().ok().or_else(|| g.number(text.chars().next()?));
        Some((value(a)? == value(b)?, then, or, 1 + test.len() + 1 + then.len() + 1 + or.len() + 1))
    };
    let Some((equal, then, or, used)) = parts() else { return Ok(0) };
    expand(out, if equal { then } else { or }, formats, g)?;
    Ok(used)
}

fn lines(out: &mut dyn Write, format: &str, text: &Text, range: (usize, usize)) -> Result<()> {
    for at in range.0..range.1 {
        let line = &text.lines[at];
        let mut rest = format;
        while let Some(place) = rest.find('%') {
            out.write_all(&rest.as_bytes()[..place])?;
            let spec = &rest[place + 1..];
            let used = match spec.chars().next() {
                Some('l') => out.write_all(line).map(|()| 1)?,
                Some('L') => {
                    out.write_all(line)?;
                    if !(text.unfinished && at + 1 == text.lines.len()) {
                        out.write_all(b"\n")?;
                    }
                    1
                }
                _ => common(out, spec, |letter| (letter == 'n').then_some(at + 1))?,
            };
            if used == 0 {
                out.write_all(b"%")?;
            }
            rest = &spec[used..];
        }
        out.write_all(rest.as_bytes())?;
    }
    Ok(())
}

/// Implements `%`, `c'C'`, and numbers as in printf(3); returns its length, 0 if it is unknown.
fn common(out: &mut dyn Write, spec: &str, number: impl Fn(char) -> Option<usize>) -> Result<usize> {
    if spec.starts_with('%') {
        return out.write_all(b"%").map(|()| 1);
    }
    if let Some(char) = spec.strip_prefix("c'") {
        let Some(end) = char[1.min(char.len())..].find('\'').map(|at| at + 1) else { return Ok(0) };
        let byte = match char[..end].strip_prefix('\\') {
            Some(octal) => u8::from_str_radix(octal, 8).ok(),
            None => char.bytes().next(),
        };
        out.write_all(&[byte.unwrap_or(b'?')])?;
        return Ok(2 + end + 1);
    }
    let flags = spec.len() - spec.trim_start_matches(['-', '\'', '0']).len();
    let digits = |from: usize| spec[from..].bytes().take_while(u8::is_ascii_digit).count();
    let width = digits(flags);
    let mut at = flags + width;
    let mut precision = 0;
    if spec[at..].starts_with('.') {
        let count = digits(at + 1);
        precision = spec[at + 1..at + 1 + count].parse().unwrap_or(0);
        at += 1 + count;
    }
    let mut letters = spec[at..].chars();
    let (Some(base), Some(letter)) = (letters.next(), letters.next()) else { return Ok(0) };
    let Some(value) = number(letter) else { return Ok(0) };
    let text = match base {
        'd' => format!("{value:0precision$}"),
        'o' => format!("{value:0precision$o}"),
        'x' => format!("{value:0precision$x}"),
        'X' => format!("{value:0precision$X}"),
        _ => return Ok(0),
    };
    let width = spec[flags..flags + width].parse().unwrap_or(0usize).min(4096);
    match (spec[..flags].contains('-'), spec[..flags].contains('0')) {
        (true, _) => write!(out, "{text:<width$}")?,
        (false, true) => write!(out, "{text:0>width$}")?,
        (false, false) => write!(out, "{text:>width$}")?,
    }
    Ok(at + base.len_utf8() + letter.len_utf8())
}

/// Prints the format of RCS: the lines to delete and to add.
pub(super) fn rcs(out: &mut dyn Write, b: &Text, changes: &[Change]) -> Result<()> {
    for change in changes.iter().filter(|c| !c.ignored) {
        if change.deleted > 0 {
            writeln!(out, "d{} {}", change.old + 1, change.deleted)?;
        }
        if change.inserted > 0 {
            writeln!(out, "a{} {}", change.old + change.deleted, change.inserted)?;
            lines(out, "%L", b, (change.new, change.new + change.inserted))?;
        }
    }
    Ok(())
}

/// Colors the lines of a normal, unified or context diff.
pub(super) fn color(out: &mut dyn Write, plain: &[u8]) -> Result<()> {
    let unified = plain.starts_with(b"--- ");
    let context = plain.starts_with(b"*** ");
    let mut part = "31";
    for (number, line) in plain.split_inclusive(|b| *b == b'\n').enumerate() {
        let (text, end) = line.strip_suffix(b"\n").map_or((line, &b""[..]), |text| (text, &b"\n"[..]));
        let heading =
            context && ((text.starts_with(b"*** ") && text.ends_with(b" ****")) || (text.starts_with(b"--- ") && text.ends_with(b" ----")));
        let color = match text.first() {
            _ if (unified || context) && number < 2 => Some("1"),
            _ if text.starts_with(b"\\ ") || text == b"***************" => None,
            _ if heading => {
                part = if text[0] == b'*' { "31" } else { "32" };
                Some("36")
            }
            _ if context => Some(part),
            Some(b'@') if unified => Some("36"),
            Some(b'-') if unified => Some("31"),
            Some(b'+') if unified => Some("32"),
            Some(b'<') if !unified => Some("31"),
            Some(b'>') if !unified => Some("32"),
            Some(b'0'..=b'9') if !unified => Some("36"),
            _ => None,
        };
        match color {
            Some(color) => {
                write!(out, "\x1b[{color}m")?;
                out.write_all(text)?;
                out.write_all(b"\x1b[0m")?;
                out.write_all(end)?;
            }
            None => out.write_all(line)?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn numbers_and_characters() {
        let show = |spec: &str| {
            let mut out = Vec::new();
            let used = super::common(&mut out, spec, |letter| (letter == 'n').then_some(7)).unwrap();
            (used, String::from_utf8(out).unwrap())
        };
        assert_eq!(show("3dn x"), (3, "  7".into()));
        assert_eq!(show("-3dn"), (4, "7  ".into()));
        assert_eq!(show(".2dn"), (4, "07".into()));
        assert_eq!(show("c'\\012'z"), (7, "\n".into()));
        assert_eq!(show("c'x'"), (4, "x".into()));
        for bad in ["", "d", "q", "dn".trim_end_matches('n'), "c'", "c'x", "99999999999d"] {
            assert_eq!(show(bad).0, 0, "{bad}");
        }
    }
}
