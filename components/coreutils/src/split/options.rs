//! The command line of `split`.

use super::names::{Alphabet, Suffixes};
use super::output::Parts;
use super::ways::Way;
use crate::operands::number;
use crate::options::{Given, Opt, Syntax, flag, maybe, value};
use crate::text;
use std::ffi::OsString;

const DIGITS: &str = "0123456789";
const OPTIONS: &[Opt] = &[
    value("a", "suffix-length", "suffixes of VALUE characters (2, more when they run out)"),
    value("", "additional-suffix", "append VALUE to the names"),
    value("b", "bytes", "VALUE bytes in each"),
    flag("d", "", "digits in place of letters"),
    maybe("", "numeric-suffixes", "the same, beginning with VALUE"),
    flag("x", "", "hexadecimal digits in place of letters"),
    maybe("", "hex-suffixes", "the same, beginning with VALUE"),
    flag("e", "elide-empty-files", "no empty files with -n"),
    value("", "filter", "give each to the shell command VALUE; its name is in $FILE"),
    value("l", "lines", "VALUE lines in each (1000)"),
    value("C", "line-bytes", "whole lines of at most VALUE bytes together in each"),
    value("n", "number", "VALUE files: N by size, l/N between lines, r/N lines in turn; K/N, l/K/N, r/K/N print the Kth of them"),
    value("t", "separator", "what ends a line; '\\0' is NUL"),
    flag("u", "unbuffered", "write r/K/N at once"),
    flag("", "verbose", "say which files are made"),
    flag(DIGITS, "", ""),
    // Hidden, as GNU's is.
    value("", "-io-blksize", ""),
];

const SYNTAX: Syntax = Syntax {
    usage: "[OPTION]... [FILE [PREFIX]]",
    about: "Write FILE (standard input without one) into PREFIXaa, PREFIXab, ... (PREFIX is x).",
    options: OPTIONS,
    ..Syntax::COMMON
};

/// What the options say.
pub(super) struct Settings {
    /// How to split.
    pub way: Way,
    /// What ends a line.
    pub separator: u8,
    /// No empty parts.
    pub elide: bool,
    /// What the parts are called.
    pub parts: Parts,
}

/// Settings and the file; what is wrong is said here.
pub(super) fn parse(args: &[OsString]) -> Result<(Settings, OsString), u8> {
    let line = SYNTAX.parse(args)?;
    let fail = |message: String| {
        text::complain("split", message);
        1
    };
    let (mut way, mut digits, mut separator) = (None, String::new(), None);
    let (mut alphabet, mut start, mut length) = (Alphabet::Letters, None, 0);
    for given in &line.options {
        let text = given.text();
        let mut found = None;
        match (given.key, given.letter) {
            ("suffix-length", _) => {
                length = number(&text, 0, i128::from(i32::MAX))
                    .ok()
                    .filter(|_| !text.starts_with('-'))
                    .ok_or_else(|| fail(format!("invalid suffix length: {}", text::quote(&text))))? as usize;
            }
            ("d", _) => alphabet = Alphabet::Digits,
            ("x", _) => alphabet = Alphabet::Hex,
            ("numeric-suffixes" | "hex-suffixes", _) => {
                let (kind, base, word) =
                    if given.key == "hex-suffixes" { (Alphabet::Hex, 16, "hexadecimal") } else { (Alphabet::Digits, 10, "numerical") };
                alphabet = kind;
                if given.value.is_some() {
                    let valid = text.chars().all(|c| c.is_digit(base) && !c.is_ascii_uppercase());
                    let number = u64::from_str_radix(&text, base).ok().filter(|_| valid);
                    let wrong = || SYNTAX.misuse(args, &format!("{}: invalid start value for {word} suffix", text::quote(&text)));
                    start = Some((number.ok_or_else(wrong)?, text.trim_start_matches('0').len()));
                }
            }
            ("lines", _) => found = Some(Way::Lines(size(given, "lines", digits_only).map_err(fail)?)),
            ("bytes", _) => found = Some(Way::Bytes(size(given, "bytes", text::size).map_err(fail)?)),
            ("line-bytes", _) => found = Some(Way::LineBytes(size(given, "bytes", text::size).map_err(fail)?)),
            ("number", _) => found = Some(chunks(&text).map_err(fail)?),
            ("separator", _) => {
                let bytes = given.value.clone().unwrap_or_default().into_encoded_bytes();
                let byte = match bytes.as_slice() {
                    b"" => return Err(fail("empty record separator".into())),
                    b"\\0" => 0,
                    [byte] => *byte,
                    _ => return Err(fail(format!("multi-character separator {}", text::quote(&text)))),
                };
                if separator.is_some_and(|other| other != byte) {
                    return Err(fail("multiple separator characters specified".into()));
                }
                separator = Some(byte);
            }
            (DIGITS, Some(digit)) => digits.push(digit),
            _ => {}
        }
        if found.is_some() {
            if way.is_some() {
                return Err(SYNTAX.misuse(args, "cannot split in more than one way"));
            }
            way = found;
        }
    }
    if !digits.is_empty() {
        // Of several such arguments the last counts.
        let bare = |word: &OsString| {
            let letters = word.to_str()?.strip_prefix('-')?;
            let digits: String = letters.chars().filter(char::is_ascii_digit).collect();
            (!digits.is_empty() && letters.chars().all(|c| "dxeu0123456789".contains(c))).then_some(digits)
        };
        digits = args.iter().rev().find_map(bare).unwrap_or(digits);
        if way.is_some() {
            return Err(SYNTAX.misuse(args, "cannot split in more than one way"));
        }
        match digits.parse() {
            Ok(0) => return Err(SYNTAX.misuse(args, &format!("invalid number of lines: {}", text::quote(&digits)))),
            count => way = Some(Way::Lines(count.unwrap_or(u64::MAX))),
        }
    }
    let way = way.unwrap_or(Way::Lines(1000));
    let count = match way {
        Way::Chunks(count, None) | Way::LineChunks(count, None) | Way::RoundRobin(count, None) => Some(count),
        Way::Chunks(..) | Way::LineChunks(..) | Way::RoundRobin(..) if line.has("filter") => {
            return Err(SYNTAX.misuse(args, "--filter does not process a chunk extracted to stdout"));
        }
        _ => None,
    };
    let additional = line.last("additional-suffix").unwrap_or_default().to_owned();
    if additional.as_encoded_bytes().contains(&b'/') {
        return Err(SYNTAX.misuse(args, &format!("invalid suffix {}, contains directory separator", text::quote(&additional))));
    }
    let grows = length == 0 && count.is_none() && start.is_none();
    if let Some(count) = count {
        let from = start.map_or(0, |(start, _)| start);
        let needed = alphabet.length(if from < count { count.saturating_add(from) } else { count });
        if length > 0 && length < needed {
            return Err(fail(format!("the suffix length needs to be at least {needed}")));
        }
        length = if length > 0 { length } else { needed.max(2) };
    }
    length = if length > 0 { length } else { 2 };
    if start.is_some_and(|(_, digits)| digits > length) {
        return Err(SYNTAX.misuse(args, "numerical suffix start value is too large for the suffix length"));
    }
    if let Some(extra) = line.operands.get(2) {
        return Err(SYNTAX.misuse(args, &format!("extra operand {}", text::quote(extra))));
    }
    let parts = Parts {
        prefix: line.operands.get(1).cloned().unwrap_or_else(|| "x".into()),
        suffixes: Suffixes::new(alphabet, start.map_or(0, |(start, _)| start), length, grows),
        additional,
        verbose: line.has("verbose"),
        filter: line.last("filter").map(OsString::from),
        input: None,
    };
    let settings = Settings { way, separator: separator.unwrap_or(b'\n'), elide: line.has("elide-empty-files"), parts };
    Ok((settings, line.operands.first().cloned().unwrap_or_else(|| "-".into())))
}

/// A number without a unit.
fn digits_only(text: &str) -> Option<u64> {
    let all = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    all.then(|| text.parse().unwrap_or(u64::MAX))
}

fn size(given: &Given, what: &str, read: impl Fn(&str) -> Option<u64>) -> Result<u64, String> {
    let text = given.text();
    let why = match read(&text) {
        Some(0) => ": Numerical result out of range",
        Some(u64::MAX) => ": Value too large for defined data type",
        Some(size) => return Ok(size),
        None => "",
    };
    Err(format!("invalid number of {what}: {}{why}", text::quote(&text)))
}

/// `N`, `K/N`, and the same behind `l/` and `r/`.
fn chunks(text: &str) -> Result<Way, String> {
    let (kind, rest) = match (text.strip_prefix("l/"), text.strip_prefix("r/")) {
        (Some(rest), _) => ('l', rest),
        (_, Some(rest)) => ('r', rest),
        _ => ('b', text),
    };
    let wrong = |what: &str, text: &str, why: &str| format!("invalid {what}: {}{why}", text::quote(text));
    let natural = |text: &str, most: u64| match number(text, 0, i128::from(most)) {
        _ if text.trim_start().starts_with('-') => Err(""),
        Ok(0) => Err(": Numerical result out of range"),
        Ok(number) => Ok(number as u64),
        Err(why) => Err(why),
    };
    let (chunk, count) = match rest.split_once('/') {
        Some((chunk, count)) => (Some(chunk), count),
        None => (None, rest),
    };
    let count = natural(count, u64::MAX).map_err(|why| wrong("number of chunks", count, why))?;
    let chunk = match chunk {
        Some(text) => {
            let found = natural(text, u64::MAX).and_then(|at| if at > count { Err(": Numerical result out of range") } else { Ok(at) });
            Some(found.map_err(|why| wrong("chunk number", text, why))?)
        }
        None => None,
    };
    Ok(match kind {
        'l' => Way::LineChunks(count, chunk),
        'r' => Way::RoundRobin(count, chunk),
        _ => Way::Chunks(count, chunk),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_chunks() {
        assert_eq!(chunks("3"), Ok(Way::Chunks(3, None)));
        assert_eq!(chunks("l/2/3"), Ok(Way::LineChunks(3, Some(2))));
        assert_eq!(chunks("r/18446744073709551615"), Ok(Way::RoundRobin(u64::MAX, None)));
        assert_eq!(chunks("4/3").unwrap_err(), "invalid chunk number: '4': Numerical result out of range");
        assert_eq!(chunks("1/2/3").unwrap_err(), "invalid number of chunks: '2/3'");
        assert_eq!(chunks("x/3").unwrap_err(), "invalid chunk number: 'x'");
        assert_eq!(chunks("0").unwrap_err(), "invalid number of chunks: '0': Numerical result out of range");
        assert_eq!(chunks("-3").unwrap_err(), "invalid number of chunks: '-3'");
    }
}
