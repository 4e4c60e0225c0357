//! `-printf` and `-ls`.

use super::evaluate::{Entry, time_of};
use super::expression::Stamp;
use crate::sys::{Kind, Stat};
use crate::{mode, names, operands, text, time};

/// The flags of a field.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Flags {
    left: bool,
    zero: bool,
    alternate: bool,
    sign: Option<char>,
}

/// A piece of a format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    /// Bytes to print unchanged.
    Text(Vec<u8>),
    /// A field: flags and width, the letter, and the letter of a time format.
    Field { flags: Flags, width: usize, precision: Option<usize>, letter: char, time: Option<char> },
    /// `\c`: the output ends here.
    Stop,
}

/// Reads a format.
pub(super) fn parse(format: &str) -> Result<Vec<Piece>, String> {
    let (mut pieces, mut text) = (Vec::new(), Vec::new());
    let mut chars = format.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('a') => text.push(7),
                Some('b') => text.push(8),
                Some('c') => {
                    pieces.push(Piece::Text(std::mem::take(&mut text)));
                    pieces.push(Piece::Stop);
                    return Ok(pieces);
                }
                Some('f') => text.push(12),
                Some('n') => text.push(b'\n'),
                Some('r') => text.push(b'\r'),
                Some('t') => text.push(b'\t'),
                Some('v') => text.push(11),
                Some('\\') => text.push(b'\\'),
                Some(digit @ '0'..='7') => {
                    let mut value = digit as u32 - '0' as u32;
                    for _ in 0..2 {
                        match chars.next_if(|c| ('0'..='7').contains(c)) {
                            Some(d) => value = value * 8 + (d as u32 - '0' as u32),
                            None => break,
                        }
                    }
                    text.push(value as u8);
                }
                Some(other) => {
                    text::complain("find", format!("warning: unrecognized escape `\\{other}'"));
                    text.extend(format!("\\{other}").bytes());
                }
                None => {
                    text::complain("find", "warning: escape `\\' followed by nothing at all");
                    text.push(b'\\');
                }
            },
            '%' => {
                if chars.next_if_eq(&'%').is_some() {
                    text.push(b'%');
                    continue;
                }
                let mut flags = Flags::default();
                let mut source = String::from("%");
                while let Some(flag) = chars.next_if(|c| "-+ #0".contains(*c)) {
                    source.push(flag);
                    match flag {
                        '-' => flags.left = true,
                        '0' => flags.zero = true,
                        '#' => flags.alternate = true,
                        // A plus sign overrides a space.
                        sign => flags.sign = Some(if flags.sign == Some('+') { '+' } else { sign }),
                    }
                }
                let before: String = chars.clone().collect();
                let (width, precision) = operands::width(&mut chars);
                source.extend(before.chars().take(before.chars().count() - chars.clone().count()));
                let letter = chars.next().ok_or("error: % at end of format string")?;
                source.push(letter);
                if "[({".contains(letter) {
                    return Err(format!("error: the format directive `{source}' is reserved for future use"));
                }
                if letter == '%' {
                    text.extend(source.bytes());
                    continue;
                }
                let time = if "ACTB".contains(letter) { chars.next() } else { None };
                if "ACTB".contains(letter) && time.is_none() {
                    let why = "should be followed by another character";
                    text::complain("find", format!("warning: format directive `{source}' {why}"));
                    text.extend(source.bytes());
                    continue;
                }
                if !"abcdDfFgGhHiklmMnpPsStuUyYZACTB".contains(letter) {
                    text::complain("find", format!("warning: unrecognized format directive `{source}'"));
                    text.extend(source.bytes());
                    continue;
                }
                pieces.push(Piece::Text(std::mem::take(&mut text)));
                pieces.push(Piece::Field { flags, width, precision, letter, time });
            }
            c => text.extend(c.encode_utf8(&mut [0; 4]).bytes()),
        }
    }
    pieces.push(Piece::Text(text));
    Ok(pieces)
}

/// Fills in a format for one file.
pub(super) fn fill(pieces: &[Piece], entry: &Entry<'_>, out: &mut Vec<u8>) {
    for piece in pieces {
        match piece {
            Piece::Text(text) => out.extend_from_slice(text),
            Piece::Stop => return,
            Piece::Field { flags, width, precision, letter, time } => {
                let mut value = field(*letter, *time, entry);
                // Only these two are formatted as numbers; the others are texts.
                let number = "dm".contains(*letter);
                if *letter == 'm' && flags.alternate && value != b"0" {
                    value.insert(0, b'0');
                }
                if let Some(sign) = flags.sign.filter(|_| *letter == 'd') {
                    value.insert(0, sign as u8);
                }
                match precision {
                    Some(digits) if number => {
                        let missing = digits.saturating_sub(value.len());
                        value.splice(..0, std::iter::repeat_n(b'0', missing));
                    }
                    Some(bytes) => value.truncate(*bytes),
                    None => {}
                }
                let pad = width.saturating_sub(value.len());
                if flags.left {
                    out.extend_from_slice(&value);
                    out.extend(std::iter::repeat_n(b' ', pad));
                } else {
                    let filler = if flags.zero && number { b'0' } else { b' ' };
                    out.extend(std::iter::repeat_n(filler, pad));
                    out.extend_from_slice(&value);
                }
            }
        }
    }
}

fn field(letter: char, format: Option<char>, entry: &Entry<'_>) -> Vec<u8> {
    let path = entry.path.as_os_str().as_encoded_bytes();
    match letter {
        'p' => return path.to_vec(),
        'P' => return path.get(entry.start_len..).map(|r| r.strip_prefix(b"/").unwrap_or(r).to_vec()).unwrap_or_default(),
        'H' => return path[..entry.start_len.min(path.len())].to_vec(),
        'f' => return base(path).to_vec(),
        'h' => {
            return match memchr::memrchr(b'/', path) {
                Some(at) => path[..at].to_vec(),
                None => b".".to_vec(),
            };
        }
        'd' => return entry.depth.to_string().into_bytes(),
        'l' => {
            let is_link = entry.stat().is_some_and(Stat::is_link);
            let target = if is_link { std::fs::read_link(&entry.path).ok() } else { None };
            return target.map(|t| t.into_os_string().into_encoded_bytes()).unwrap_or_default();
        }
        'F' => return b"memory".to_vec(),
        'Z' => return Vec::new(),
        _ => {}
    }
    let Some(s) = entry.stat() else { return Vec::new() };
    match letter {
        's' => s.size.to_string(),
        'k' => s.blocks.div_ceil(2).to_string(),
        'b' => s.blocks.to_string(),
        'S' => {
            if s.size == 0 {
                "1".to_owned()
            } else {
                general(s.blocks as f64 * 512.0 / s.size as f64)
            }
        }
        'm' => format!("{:o}", s.mode),
        'M' => mode::letters(s.kind, s.mode),
        'n' => s.nlink.to_string(),
        'i' => s.ino.to_string(),
        'D' => s.dev.to_string(),
        'u' => names::users().show(s.uid),
        'g' => names::groups().show(s.gid),
        'U' => s.uid.to_string(),
        'G' => s.gid.to_string(),
        'y' => type_letter(s.kind).to_string(),
        'Y' => match crate::sys::stat(&entry.path, true) {
            Ok(target) => type_letter(target.kind).to_string(),
            Err(error) if text::reason(&error) == super::evaluate::LINK_LOOP => "L".into(),
            Err(_) if s.is_link() => "N".into(),
            Err(_) => "?".into(),
        },
        'a' => ctime(s.atime),
        'c' => ctime(s.ctime),
        't' => ctime(s.mtime),
        'A' | 'C' | 'T' => {
            let stamp = match letter {
                'A' => Stamp::Access,
                'C' => Stamp::Change,
                _ => Stamp::Modify,
            };
            strftime(time_of(s, stamp), format.unwrap_or('c'))
        }
        _ => String::new(),
    }
    .into_bytes()
}

/// Returns the last component of a name. GNU keeps one slash at its end.
pub(super) fn base(path: &[u8]) -> &[u8] {
    let end = path.iter().rposition(|b| *b != b'/').map_or(0, |at| at + 1);
    let kept = path.len().min(end + 1);
    match memchr::memrchr(b'/', &path[..end]) {
        Some(at) => &path[at + 1..kept],
        None => &path[..kept],
    }
}

fn type_letter(kind: Kind) -> char {
    match kind {
        Kind::File => 'f',
        other => mode::letter(other),
    }
}

/// Returns a number as printf's `%g` formats it, with six significant digits.
fn general(value: f64) -> String {
    if value == 0.0 {
        return "0".into();
    }
    let text = format!("{value:.5e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let trim = |text: &str| if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text.to_owned() };
    match exponent.parse::<i32>().unwrap_or(0) {
        exponent @ -4..=5 => trim(&format!("{value:.*}", (5 - exponent) as usize)),
        exponent => format!("{}e{}{:02}", trim(digits), if exponent < 0 { '-' } else { '+' }, exponent.abs()),
    }
}

/// Formats the fraction of a second as `find` does: ten digits, of which the last is always zero.
fn fraction(ns: i128) -> String {
    format!("{:09}0", ns.rem_euclid(1_000_000_000))
}

fn ctime(ns: i128) -> String {
    format!("{}.{} {}", time::format(ns, "%a %b %e %H:%M:%S"), fraction(ns), time::format(ns, "%Y"))
}

fn strftime(ns: i128, letter: char) -> String {
    match letter {
        '@' => format!("{}.{}", ns.div_euclid(1_000_000_000), fraction(ns)),
        '+' => format!("{}.{}", time::format(ns, "%Y-%m-%d+%H:%M:%S"), fraction(ns)),
        'S' => format!("{}.{}", time::format(ns, "%S"), fraction(ns)),
        'T' | 'X' => format!("{}.{}", time::format(ns, "%H:%M:%S"), fraction(ns)),
        'D' | 'x' => time::format(ns, "%m/%d/%y"),
        'r' => time::format(ns, "%I:%M:%S %p"),
        letter if !"aAbBcCdegGhHIjklmMnpRstuUVwWyYzZF".contains(letter) => format!("%{letter}"),
        'c' => time::format(ns, "%a %b %e %H:%M:%S %Y"),
        's' => ns.div_euclid(1_000_000_000).to_string(),
        'Z' => time::format(ns, "%Z"),
        letter => time::format(ns, &format!("%{letter}")),
    }
}

/// Returns the line of `-ls`.
pub(super) fn ls(entry: &Entry<'_>, now: i128) -> Vec<u8> {
    let Some(s) = entry.stat() else { return Vec::new() };
    let recent = s.mtime <= now && now - s.mtime < 15_778_476 * 1_000_000_000;
    let date = time::format(s.mtime, if recent { "%b %e %H:%M" } else { "%b %e  %Y" });
    let mut line = format!(
        "{:>9} {:>6} {} {:>3} {:<8} {:<8} {:>8} {date} ",
        s.ino,
        s.blocks.div_ceil(2),
        mode::letters(s.kind, s.mode),
        s.nlink,
        names::users().show(s.uid),
        names::groups().show(s.gid),
        s.size
    )
    .into_bytes();
    line.extend_from_slice(entry.path.as_os_str().as_encoded_bytes());
    if s.is_link()
        && let Ok(target) = std::fs::read_link(&entry.path)
    {
        line.extend_from_slice(b" -> ");
        line.extend_from_slice(target.as_os_str().as_encoded_bytes());
    }
    line.push(b'\n');
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_read() {
        let pieces = parse("a%-5pb\\n%%%Ty\\101").unwrap();
        assert_eq!(pieces[0], Piece::Text(b"a".to_vec()));
        assert_eq!(
            pieces[1],
            Piece::Field { flags: Flags { left: true, ..Flags::default() }, width: 5, precision: None, letter: 'p', time: None }
        );
        assert_eq!(pieces[2], Piece::Text(b"b\n%".to_vec()));
        assert_eq!(pieces[3], Piece::Field { flags: Flags::default(), width: 0, precision: None, letter: 'T', time: Some('y') });
        assert_eq!(pieces[4], Piece::Text(b"A".to_vec()));
    }

    #[test]
    fn numbers_as_printf_has_them() {
        assert_eq!(general(1_365.333_333), "1365.33");
        assert_eq!(general(1.0), "1");
        assert_eq!(general(0.000_012_5), "1.25e-05");
        assert_eq!(general(1_500_000.0), "1.5e+06");
    }

    #[test]
    fn bases() {
        assert_eq!(base(b"a/b/"), b"b/");
        assert_eq!(base(b"a///"), b"a/");
        assert_eq!(base(b"/"), b"/");
        assert_eq!(base(b"."), b".");
    }
}
