//! `head`. The version of uutils reads ahead on WASI, so that `{ head -1; cat; } < file` loses lines.

use crate::options::{Line, Opt, Syntax, flag, value};
use crate::{operands, sys, text};
use std::ffi::OsString;
use std::io::{Read, Result, Write};

const OPTIONS: &[Opt] = &[
    value("c", "bytes", "the first VALUE bytes; -VALUE: all but the last VALUE"),
    value("n", "lines", "the first VALUE lines (10); -VALUE: all but the last VALUE"),
    flag("q", "quiet", "no headers"),
    flag("", "silent", ""),
    // Hidden, as in GNU's help.
    flag("", "-presume-input-pipe", ""),
    flag("v", "verbose", "headers always"),
    flag("z", "zero-terminated", "lines end with NUL"),
];

const SYNTAX: Syntax = Syntax {
    usage: "[OPTION]... [FILE]...",
    about: "Print the first 10 lines of each FILE, with a header when there are several.",
    options: OPTIONS,
    ..Syntax::COMMON
};

/// The part that is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Lines(u64),
    Bytes(u64),
    AllButLines(u64),
    AllButBytes(u64),
}

/// Bytes read at a time.
const CHUNK: usize = 64 * 1024;

/// Runs `head`.
pub(crate) fn main(mut args: Vec<OsString>) -> u8 {
    if let Some(first) = args.get(1).and_then(|a| a.to_str()).and_then(obsolete) {
        args.splice(1..2, first);
    }
    SYNTAX.run(&args, tool)
}

fn tool(_: &[OsString], line: Line) -> u8 {
    let mut part = Part::Lines(10);
    match operands::count("head", &line, '-', '+') {
        Ok(Some((true, false, count))) => part = Part::Lines(count),
        Ok(Some((true, true, count))) => part = Part::AllButLines(count),
        Ok(Some((false, false, count))) => part = Part::Bytes(count),
        Ok(Some((false, true, count))) => part = Part::AllButBytes(count),
        Ok(None) => {}
        Err(status) => return status,
    }
    let end = if line.has("zero-terminated") { 0 } else { b'\n' };
    let files = if line.operands.is_empty() { vec![OsString::from("-")] } else { line.operands.clone() };
    let headers = line.last_of(&["verbose", "quiet", "silent"]).map_or(files.len() > 1, |last| last == "verbose");
    let (mut out, mut status, mut first) = (text::output(), 0, true);
    for path in files {
        let name = if path == "-" { "standard input".to_owned() } else { text::show(&path) };
        let mut header = |out: &mut dyn Write| {
            if headers {
                let _ = out.write_all(&text::written(&format!("{}==> {name} <==\n", if first { "" } else { "\n" })));
                first = false;
            }
        };
        let done = if path == "-" {
            header(&mut out);
            print(&mut *sys::input(), part, end, &mut out).map(|over| {
                if over > 0 {
                    sys::unread_input(over);
                }
            })
        } else {
            match std::fs::File::open(&path) {
                Ok(mut file) => {
                    header(&mut out);
                    let nothing = matches!(part, Part::Lines(0) | Part::Bytes(0));
                    if !nothing && sys::stat(path.as_ref(), true).is_ok_and(|s| s.is_dir()) {
                        Err(std::io::Error::from(std::io::ErrorKind::IsADirectory))
                    } else {
                        print(&mut file, part, end, &mut out).map(|_| ())
                    }
                }
                Err(error) => {
                    let _ = out.flush();
                    text::complain("head", format!("cannot open {} for reading: {}", text::quote(&path), text::reason(&error)));
                    status = 1;
                    continue;
                }
            }
        };
        if let Err(error) = done {
            let _ = out.flush();
            let why = if error.kind() == std::io::ErrorKind::IsADirectory { "Is a directory".into() } else { text::reason(&error) };
            text::complain("head", format!("error reading {}: {why}", text::quote(sys::path_from_bytes(&text::written(&name)))));
            status = 1;
        }
    }
    let _ = out.flush();
    status
}

/// Reads `-5`, `-5c`, `-2k`: the form before POSIX.
fn obsolete(text: &str) -> Option<Vec<OsString>> {
    let rest = text.strip_prefix('-')?;
    let digits = rest.trim_end_matches(['b', 'c', 'k', 'l', 'm', 'q', 'v', 'z']);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let letters = &rest[digits.len()..];
    let (mut kind, mut unit) = ("-n", "");
    for letter in letters.chars() {
        (kind, unit) = match letter {
            'c' => ("-c", ""),
            'b' => ("-c", "b"),
            'k' => ("-c", "K"),
            'm' => ("-c", "M"),
            'l' => ("-n", unit),
            _ => (kind, unit),
        };
    }
    let mut words: Vec<OsString> = vec![kind.into(), format!("{digits}{unit}").into()];
    words.extend(letters.chars().filter(|c| "qvz".contains(*c)).map(|c| format!("-{c}").into()));
    Some(words)
}

/// Prints the part. Returns how many bytes too many were read.
fn print(input: &mut impl Read, part: Part, end: u8, out: &mut impl Write) -> Result<u64> {
    let mut buffer = vec![0; CHUNK];
    let mut kept: Vec<u8> = Vec::new();
    let mut left = match part {
        Part::Lines(count) | Part::Bytes(count) => count,
        Part::AllButLines(_) | Part::AllButBytes(_) => u64::MAX,
    };
    while left > 0 {
        let want = if let Part::Bytes(_) = part { left.min(CHUNK as u64) as usize } else { CHUNK };
        let got = input.read(&mut buffer[..want])?;
        if got == 0 {
            break;
        }
        let piece = &buffer[..got];
        match part {
            Part::Bytes(_) => {
                out.write_all(piece)?;
                left -= got as u64;
            }
            Part::Lines(_) => {
                let last = memchr::memchr_iter(end, piece).nth(usize::try_from(left - 1).unwrap_or(usize::MAX));
                match last {
                    Some(at) => {
                        out.write_all(&piece[..=at])?;
                        return Ok((got - at - 1) as u64);
                    }
                    None => {
                        left -= memchr::memchr_iter(end, piece).count() as u64;
                        out.write_all(piece)?;
                    }
                }
            }
            Part::AllButBytes(count) => {
                kept.extend_from_slice(piece);
                let ready = kept.len().saturating_sub(usize::try_from(count).unwrap_or(usize::MAX));
                out.write_all(&kept[..ready])?;
                kept.drain(..ready);
            }
            Part::AllButLines(count) => {
                kept.extend_from_slice(piece);
                // Counting again only after much more input keeps the work linear.
                if kept.len() > 8 * CHUNK {
                    let ready = cut(&kept, count, end);
                    out.write_all(&kept[..ready])?;
                    kept.drain(..ready);
                }
            }
        }
    }
    if let Part::AllButLines(count) = part {
        out.write_all(&kept[..cut(&kept, count, end)])?;
    }
    Ok(0)
}

/// Returns the start of the last `count` lines. An incomplete last line counts.
fn cut(text: &[u8], count: u64, end: u8) -> usize {
    if count == 0 {
        return text.len();
    }
    let mut stop = if text.last() == Some(&end) { text.len() - 1 } else { text.len() };
    let mut left = count;
    while let Some(hit) = memchr::memrchr(end, &text[..stop]) {
        left -= 1;
        if left == 0 {
            return hit + 1;
        }
        stop = hit;
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(text: &str, part: Part) -> (String, u64) {
        let mut out = Vec::new();
        let over = print(&mut text.as_bytes(), part, b'\n', &mut out).unwrap();
        (String::from_utf8(out).unwrap(), over)
    }

    #[test]
    fn starts() {
        assert_eq!(run("a\nb\nc\n", Part::Lines(2)), ("a\nb\n".into(), 2));
        assert_eq!(run("a\nb", Part::Lines(5)), ("a\nb".into(), 0));
        assert_eq!(run("abc", Part::Bytes(2)), ("ab".into(), 0));
        assert_eq!(run("a\nb\nc\n", Part::AllButLines(1)), ("a\nb\n".into(), 0));
        assert_eq!(run("a\nb\nc", Part::AllButLines(1)), ("a\nb\n".into(), 0));
        assert_eq!(run("abc", Part::AllButBytes(1)), ("ab".into(), 0));
        assert_eq!(obsolete("-3c").unwrap(), ["-c", "3"]);
    }
}
