//! The values of `find`'s tests.

use super::emacs::emacs;
use super::expression::{Compare, DAY, SECOND, Step};
use super::parse::{Parser, invalid, stamp};
use crate::mode::Change;
use crate::sys::Kind;
use crate::{date, grep, names, text};
use wisp_tool::calendar;

const REGEX_TYPES: [&str; 13] = [
    "findutils-default",
    "ed",
    "emacs",
    "gnu-awk",
    "grep",
    "posix-awk",
    "awk",
    "posix-basic",
    "posix-egrep",
    "egrep",
    "posix-extended",
    "posix-minimal-basic",
    "sed",
];

/// Checks that a `-regextype` exists.
pub(super) fn check_regex_type(given: &str) -> Result<(), String> {
    if REGEX_TYPES.contains(&given) {
        return Ok(());
    }
    let valid = REGEX_TYPES.iter().map(text::quote).collect::<Vec<_>>().join(", ");
    Err(format!("Unknown regular expression type {}; valid types are {valid}.", text::quote(given)))
}

impl Parser {
    pub(super) fn regex(&mut self, word: &str, fold: bool) -> Result<wisp_regex::Regex, String> {
        let source = self.value(word)?;
        let (source, extended) = match self.regex_type.as_str() {
            "emacs" | "findutils-default" => (emacs(&source), false),
            "posix-basic" | "ed" | "sed" | "grep" | "posix-minimal-basic" => (source, false),
            _ => (source, true),
        };
        let brackets = "Unmatched [";
        let why = |error: String| if error.starts_with(brackets) { "Invalid regular expression".into() } else { error };
        grep::whole(&source, extended, fold)
            .map_err(why)
            .map_err(|error| format!("failed to compile regular expression '{source}': {error}"))
    }

    pub(super) fn kinds(&mut self, word: &str) -> Result<Step, String> {
        let value = self.value(word)?;
        let mut kinds = Vec::new();
        if value.is_empty() {
            return Err(format!("Arguments to {word} should contain at least one letter"));
        }
        let mut letters = value.chars();
        while let Some(letter) = letters.next() {
            let kind = match letter {
                'f' => Kind::File,
                'd' => Kind::Dir,
                'l' => Kind::Link,
                'c' => Kind::Char,
                'b' => Kind::Block,
                'p' => Kind::Fifo,
                's' => Kind::Socket,
                _ => return Err(format!("Unknown argument to {word}: {letter}")),
            };
            if kinds.contains(&kind) {
                return Err(format!("Duplicate file type '{letter}' in the argument list to {word}."));
            }
            kinds.push(kind);
            match letters.next() {
                None => {}
                Some(',') if letters.as_str().is_empty() => {
                    return Err(format!("Last file type in list argument to {word} is missing, i.e., list is ending on: ','"));
                }
                Some(',') => {}
                Some(_) => return Err(format!("Must separate multiple arguments to {word} using: ','")),
            }
        }
        Ok(Step::Type { kinds, crossed: word == "-xtype" })
    }

    pub(super) fn size(&mut self, word: &str) -> Result<Step, String> {
        let value = self.value(word)?;
        if value.is_empty() {
            return Err("invalid null argument to -size".into());
        }
        let (digits, unit) = match value.char_indices().last() {
            Some((at, 'c')) => (&value[..at], 1),
            Some((at, 'w')) => (&value[..at], 2),
            Some((at, 'b')) => (&value[..at], 512),
            Some((at, 'k')) => (&value[..at], 1 << 10),
            Some((at, 'M')) => (&value[..at], 1 << 20),
            Some((at, 'G')) => (&value[..at], 1 << 30),
            Some((_, last)) if !last.is_ascii_digit() => return Err(format!("invalid -size type `{last}'")),
            _ => (value.as_str(), 512),
        };
        let compare = Compare::parse(digits).ok_or_else(|| format!("Invalid argument `{value}' to -size"))?;
        Ok(Step::Size { compare, unit })
    }

    pub(super) fn path_pattern(&mut self, word: &str) -> Result<String, String> {
        let pattern = self.pattern(word)?;
        if pattern.ends_with('/') && pattern.len() > 1 {
            text::complain("find", format!("warning: {word} {pattern} will not match anything because it ends with /."));
        }
        Ok(pattern)
    }

    /// Implements `-atime`, `-mmin` and the like.
    pub(super) fn age(&mut self, word: &str) -> Result<Step, String> {
        let value = self.value(word)?;
        let days = word.ends_with("time");
        let unit = if days { DAY } else { 60 * SECOND };
        let compare = Compare::scaled(&value, unit).ok_or_else(|| invalid(&value, word))?;
        Ok(Step::Age { stamp: stamp(word.as_bytes()[1]), days, compare })
    }

    pub(super) fn used(&mut self, word: &str) -> Result<Step, String> {
        let value = self.value(word)?;
        let compare = Compare::scaled(&value, DAY).ok_or_else(|| format!("Invalid argument {value} to -used"))?;
        Ok(Step::Used(compare))
    }

    /// Implements `-user` and `-group`.
    pub(super) fn owner(&mut self, word: &str) -> Result<Step, String> {
        let value = self.value(word)?;
        let (table, what) = if word == "-user" { (names::users(), "a known user") } else { (names::groups(), "an existing group") };
        let id = table.id(&value).ok_or_else(|| format!("{} is not the name of {what}", text::quote(&value)))?;
        let compare = Compare::Equal(i128::from(id));
        Ok(if word == "-user" { Step::User(compare) } else { Step::Group(compare) })
    }

    pub(super) fn same_file(&mut self, word: &str) -> Result<Step, String> {
        let file = self.file(word)?;
        let stat = self.stat(&file)?;
        Ok(Step::Same { dev: stat.dev, ino: stat.ino })
    }

    /// Implements `-newer`, `-anewer` and `-cnewer`.
    pub(super) fn newer_than_file(&mut self, word: &str) -> Result<Step, String> {
        let file = self.file(word)?;
        let than = self.stat(&file)?.mtime;
        Ok(Step::Newer { stamp: stamp(if word == "-newer" { b'm' } else { word.as_bytes()[1] }), than })
    }

    /// Implements `-newerXY`.
    pub(super) fn newer(&mut self, word: &str) -> Result<Step, String> {
        let letters = word.as_bytes();
        let (what, from) = (letters[6], letters[7]);
        if !b"acm".contains(&what) || !b"acmt".contains(&from) {
            if what == b'B' || from == b'B' {
                text::complain("find", "This system does not provide a way to find the birth time of a file.");
            }
            return Err(format!("invalid predicate `{word}'"));
        }
        let value = self.value(word).map_err(|_| format!("The '{word}' test needs an argument"))?;
        let than = match from {
            b't' => date::read::date(&value, calendar::now(), calendar::TimeZone::local())
                .ok_or_else(|| format!("I cannot figure out how to interpret {} as a date or time", text::quote(&value)))?,
            letter => {
                let stat = self.stat(&value)?;
                super::evaluate::time_of(&stat, stamp(letter))
            }
        };
        Ok(Step::Newer { stamp: stamp(what), than })
    }

    pub(super) fn perm(&mut self, word: &str) -> Result<Step, String> {
        let value = self.value(word)?;
        let (how, text) = match value.as_bytes().first() {
            Some(b'-') => ('-', &value[1..]),
            Some(b'/') => ('/', &value[1..]),
            _ => ('=', value.as_str()),
        };
        // The umask must not apply: `-perm /+w` would not find group-writable files.
        let explicit: Vec<String> =
            text.split(',').map(|c| if c.starts_with(['+', '=', '-']) { format!("a{c}") } else { c.to_owned() }).collect();
        // `-perm +111` is an old form of `/111`.
        let old = value.strip_prefix('+').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        let change = Change::parse(&explicit.join(",")).filter(|_| !old).ok_or_else(|| format!("invalid mode {}", text::quote(&value)))?;
        let bits = change.apply(0, false);
        if how == '/' && bits == 0 {
            text::complain(
                "find",
                format!(
                    "warning: you have specified a mode pattern {value} (which is equivalent to /000). The meaning of -perm /000 has now been changed to be consistent with -perm -000; that is, while it used to match no files, it now matches all files."
                ),
            );
        }
        Ok(Step::Perm { bits, how })
    }
}
