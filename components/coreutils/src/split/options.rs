//! The command line of `split`.

use super::names::{Alphabet, Suffixes};
use super::output::Parts;
use super::ways::Way;
use crate::operands::number;
use crate::options::{Given, Line, Opt, Syntax, flag, maybe, value};
use crate::text;
use std::ffi::OsString;

const DIGITS: &str = "0123456789";
const OPTIONS: &[Opt] = &[
    value("a", "suffix-length", "suffixes of VALUE characters (2, more when they run out)"),
    value("", "additional-suffix", "append VALUE to the names"),
    value("b", "bytes", "VALUE bytes in each"),
    flag("d", "", "digits instead of letters"),
    maybe("", "numeric-suffixes", "the same, beginning with VALUE"),
    flag("x", "", "hexadecimal digits instead of letters"),
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
    // Hidden, as in GNU's help.
    value("", "-io-blksize", ""),
];

/// The command line.
pub(super) const SYNTAX: Syntax = Syntax {
    usage: "[OPTION]... [FILE [PREFIX]]",
    about: "Write FILE (standard input without one) into PREFIXaa, PREFIXab, ... (PREFIX is x).",
    options: OPTIONS,
    ..Syntax::COMMON
};

/// The settings.
pub(super) struct Settings {
    /// How to split.
    pub way: Way,
    /// What ends a line.
    pub separator: u8,
    /// Leave out empty parts.
    pub elide: bool,
    /// The names of the parts, and where they go.
    pub parts: Parts,
}

/// Reads the settings and the file. Reports a wrong command line itself.
pub(super) fn read(args: &[OsString], line: &Line) -> Result<(Settings, OsString), u8> {
    let mut reading =
        Reading { args, way: None, digits: String::new(), separator: None, alphabet: Alphabet::Letters, start: None, length: 0 };
    for given in &line.options {
        reading.option(given)?;
    }
    reading.bare_number()?;
    let way = reading.way.take().unwrap_or(Way::Lines(1000));
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
    let suffixes = reading.suffixes(count)?;
    if let Some(extra) = line.operands.get(2) {
        return Err(SYNTAX.misuse(args, &format!("extra operand {}", text::quote(extra))));
    }
    let parts = Parts {
        prefix: line.operands.get(1).cloned().unwrap_or_else(|| "x".into()),
        suffixes,
        additional,
        verbose: line.has("verbose"),
        filter: line.last("filter").map(OsString::from),
        input: None,
    };
    let separator = reading.separator.unwrap_or(b'\n');
    let settings = Settings { way, separator, elide: line.has("elide-empty-files"), parts };
    Ok((settings, line.operands.first().cloned().unwrap_or_else(|| "-".into())))
}

fn fail(message: impl std::fmt::Display) -> u8 {
    text::complain("split", message);
    1
}

/// The options read so far.
struct Reading<'a> {
    args: &'a [OsString],
    way: Option<Way>,
    /// The digits of `-5`.
    digits: String,
    separator: Option<u8>,
    alphabet: Alphabet,
    /// The number of the first suffix, and how many digits it has.
    start: Option<(u64, usize)>,
    /// The length of suffixes; 0 if no option names it.
    length: usize,
}

impl Reading<'_> {
    fn option(&mut self, given: &Given) -> Result<(), u8> {
        match (given.key, given.letter) {
            ("suffix-length", _) => self.length = suffix_length(&given.text()).map_err(fail)?,
            ("d", _) => self.alphabet = Alphabet::Digits,
            ("x", _) => self.alphabet = Alphabet::Hex,
            ("numeric-suffixes", _) => self.start_at(given, Alphabet::Digits, 10, "numerical")?,
            ("hex-suffixes", _) => self.start_at(given, Alphabet::Hex, 16, "hexadecimal")?,
            ("lines", _) => self.way(Way::Lines(size(given, "lines", digits_only).map_err(fail)?))?,
            ("bytes", _) => self.way(Way::Bytes(size(given, "bytes", text::size).map_err(fail)?))?,
            ("line-bytes", _) => self.way(Way::LineBytes(size(given, "bytes", text::size).map_err(fail)?))?,
            ("number", _) => self.way(chunks(&given.text()).map_err(fail)?)?,
            ("separator", _) => self.separator(given)?,
            (DIGITS, Some(digit)) => self.digits.push(digit),
            _ => {}
        }
        Ok(())
    }

    /// Splits in this way; only one may be given.
    fn way(&mut self, way: Way) -> Result<(), u8> {
        match self.way.replace(way) {
            None => Ok(()),
            Some(_) => Err(SYNTAX.misuse(self.args, "cannot split in more than one way")),
        }
    }

    /// Implements `--numeric-suffixes` and `--hex-suffixes`, with the first suffix as an optional value.
    fn start_at(&mut self, given: &Given, alphabet: Alphabet, base: u32, word: &str) -> Result<(), u8> {
        self.alphabet = alphabet;
        if given.value.is_some() {
            let text = given.text();
            let valid = text.chars().all(|c| c.is_digit(base) && !c.is_ascii_uppercase());
            let number = u64::from_str_radix(&text, base).ok().filter(|_| valid);
            let wrong = || SYNTAX.misuse(self.args, &format!("{}: invalid start value for {word} suffix", text::quote(&text)));
            self.start = Some((number.ok_or_else(wrong)?, text.trim_start_matches('0').len()));
        }
        Ok(())
    }

    fn separator(&mut self, given: &Given) -> Result<(), u8> {
        let byte = match given.value.as_ref().map(|v| v.as_encoded_bytes()).unwrap_or_default() {
            b"" => return Err(fail("empty record separator")),
            b"\\0" => 0,
            [byte] => *byte,
            _ => return Err(fail(format!("multi-character separator {}", text::quote(given.text())))),
        };
        if self.separator.is_some_and(|other| other != byte) {
            return Err(fail("multiple separator characters specified"));
        }
        self.separator = Some(byte);
        Ok(())
    }

    /// Implements `-5`, which is `-l 5`. Of several such arguments the last counts.
    fn bare_number(&mut self) -> Result<(), u8> {
        if self.digits.is_empty() {
            return Ok(());
        }
        let bare = |word: &OsString| {
            let letters = word.to_str()?.strip_prefix('-')?;
            let digits: String = letters.chars().filter(char::is_ascii_digit).collect();
            (!digits.is_empty() && letters.chars().all(|c| "dxeu0123456789".contains(c))).then_some(digits)
        };
        let digits = self.args.iter().rev().find_map(bare).unwrap_or_else(|| self.digits.clone());
        if self.way.is_some() {
            return Err(SYNTAX.misuse(self.args, "cannot split in more than one way"));
        }
        match digits.parse() {
            Ok(0) => Err(SYNTAX.misuse(self.args, &format!("invalid number of lines: {}", text::quote(&digits)))),
            count => self.way(Way::Lines(count.unwrap_or(u64::MAX))),
        }
    }

    /// Returns the suffixes of the parts, long enough for `count` of them if their number is known.
    fn suffixes(&self, count: Option<u64>) -> Result<Suffixes, u8> {
        let from = self.start.map_or(0, |(start, _)| start);
        let mut length = self.length;
        if let Some(count) = count {
            let needed = self.alphabet.length(if from < count { count.saturating_add(from) } else { count });
            if length > 0 && length < needed {
                return Err(fail(format!("the suffix length needs to be at least {needed}")));
            }
            length = if length > 0 { length } else { needed.max(2) };
        }
        length = if length > 0 { length } else { 2 };
        if self.start.is_some_and(|(_, digits)| digits > length) {
            return Err(SYNTAX.misuse(self.args, "numerical suffix start value is too large for the suffix length"));
        }
        let grows = self.length == 0 && count.is_none() && self.start.is_none();
        Ok(Suffixes::new(self.alphabet, from, length, grows))
    }
}

/// Returns the value of `--suffix-length`.
fn suffix_length(text: &str) -> Result<usize, String> {
    match number(text, 0, i128::from(i32::MAX)) {
        Ok(length) if !text.starts_with('-') => Ok(length as usize),
        _ => Err(format!("invalid suffix length: {}", text::quote(text))),
    }
}

/// Returns a number without a unit.
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

/// Reads `N`, `K/N`, and the same after `l/` and `r/`.
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
