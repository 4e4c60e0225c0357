//! Option parsing as GNU's getopt_long does it: bundled letters, `--long=value`, abbreviations, operands anywhere.

use crate::{sys, text};
use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};

/// Whether an option takes a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// No value.
    Nothing,
    /// A value, in the same argument or the next.
    Value,
    /// A value only if it follows directly (`--color[=WHEN]`, `-i[SUFFIX]`).
    Maybe,
    /// A value only after the long name (`--classify[=WHEN]`); the letter takes none.
    MaybeLong,
}

/// One option: its letters, its long name, whether it takes a value, its line in the help text.
#[derive(Debug, Clone, Copy)]
pub struct Opt {
    /// Letters that all mean this option.
    pub short: &'static str,
    /// The long name; empty if there is none.
    pub long: &'static str,
    /// Whether it takes a value.
    pub takes: Takes,
    /// One line of help; empty hides it.
    pub help: &'static str,
}

/// Returns an option without a value.
pub const fn flag(short: &'static str, long: &'static str, help: &'static str) -> Opt {
    Opt { short, long, takes: Takes::Nothing, help }
}

/// Returns an option with a value.
pub const fn value(short: &'static str, long: &'static str, help: &'static str) -> Opt {
    Opt { short, long, takes: Takes::Value, help }
}

/// Returns an option with an optional value.
pub const fn maybe(short: &'static str, long: &'static str, help: &'static str) -> Opt {
    Opt { short, long, takes: Takes::Maybe, help }
}

/// Returns an option whose long name has an optional value, and whose letter has none.
pub const fn maybe_long(short: &'static str, long: &'static str, help: &'static str) -> Opt {
    Opt { short, long, takes: Takes::MaybeLong, help }
}

/// A tool's command line.
pub struct Syntax {
    /// What follows `Usage: NAME `.
    pub usage: &'static str,
    /// The tool's purpose, in one line or a few.
    pub about: &'static str,
    /// Its options.
    pub options: &'static [Opt],
    /// Whether the first operand ends the options (`env`, `xargs`, `timeout`).
    pub stop_at_operand: bool,
    /// The exit status of a wrong command line.
    pub failure: u8,
    /// Whether the hint at `--help` begins with the tool's name too.
    pub named_hint: bool,
    /// The text after the name in `--version`.
    pub origin: &'static str,
    /// Letters that mean `--help`, and those that mean `--version`.
    pub letters: (&'static str, &'static str),
    /// A line for the hint at `--help` when an option is wrong.
    pub advice: fn(&[OsString]) -> Option<String>,
}

impl Syntax {
    /// The settings of most tools.
    pub const COMMON: Self = Self {
        usage: "[OPTION]... [FILE]...",
        about: "",
        options: &[],
        stop_at_operand: false,
        failure: 1,
        named_hint: false,
        origin: "wisp, compatible with GNU",
        letters: ("", ""),
        advice: |_| None,
    };
}

/// One option as it was given: `key` is the long name, or the letter if it has none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given {
    /// The long name, or the letters.
    pub key: &'static str,
    /// The letter it was given by, if it was.
    pub letter: Option<char>,
    /// Its value.
    pub value: Option<OsString>,
}

impl Given {
    /// Returns the value; empty if there is none.
    pub fn text(&self) -> String {
        self.value.as_ref().map(|v| v.to_string_lossy().into_owned()).unwrap_or_default()
    }
}

/// A parsed command line.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Line {
    /// The options in the order they were given.
    pub options: Vec<Given>,
    /// The operands.
    pub operands: Vec<OsString>,
}

impl Line {
    /// Returns whether an option was given.
    pub fn has(&self, key: &str) -> bool {
        self.options.iter().any(|o| o.key == key)
    }
    /// Returns the last value of an option.
    pub fn last(&self, key: &str) -> Option<&OsStr> {
        self.options.iter().rev().find(|o| o.key == key).and_then(|o| o.value.as_deref())
    }
    /// Returns the last value of an option as text.
    pub fn last_text(&self, key: &str) -> Option<String> {
        self.last(key).map(|v| v.to_string_lossy().into_owned())
    }
    /// Returns which of several options was given last.
    pub fn last_of(&self, keys: &[&str]) -> Option<&'static str> {
        self.options.iter().rev().find(|o| keys.contains(&o.key)).map(|o| o.key)
    }
}

impl Syntax {
    /// Parses `args` (the name first), runs a tool with them, and returns its exit status. On `--help`, `--version` or an
    /// error, prints the text and does not run the tool.
    pub fn run(&self, args: &[OsString], tool: impl FnOnce(&[OsString], Line) -> u8) -> u8 {
        match self.parse(args) {
            Ok(line) => tool(args, line),
            Err(status) => status,
        }
    }

    /// Parses `args` (the name first). On `--help`, `--version` or an error, prints the text and returns the exit status as
    /// the error.
    pub fn parse(&self, args: &[OsString]) -> Result<Line, u8> {
        let name = text::name(args);
        match self.read(args) {
            Ok(Outcome::Line(line)) => Ok(line),
            Ok(Outcome::Help) => {
                print!("{}", self.help(&name));
                Err(0)
            }
            Ok(Outcome::Version) => {
                println!("{name} ({}) {}", self.origin, env!("CARGO_PKG_VERSION"));
                Err(0)
            }
            Err(message) => match (self.advice)(args) {
                Some(advice) => Err(self.hint(&name, &format!("{message}\n{advice}"))),
                None => Err(self.hint(&name, &message)),
            },
        }
    }

    /// Reports a wrong command line that the options alone do not show.
    pub fn misuse(&self, args: &[OsString], message: &str) -> u8 {
        self.hint(&text::name(args), message)
    }

    /// Returns the word that `value` equals or abbreviates: the first of its group of words with the same meaning.
    pub fn word(&self, args: &[OsString], option: &str, value: &str, groups: &[&[&'static str]]) -> Result<&'static str, u8> {
        let first = |group: &&[&'static str]| group.first().copied().unwrap_or_default();
        if let Some(group) = groups.iter().find(|g| g.contains(&value)) {
            return Ok(first(group));
        }
        let near: Vec<_> = groups.iter().filter(|g| g.iter().any(|w| !value.is_empty() && w.starts_with(value))).collect();
        if let [group] = near.as_slice() {
            return Ok(first(group));
        }
        let kind = if near.is_empty() { "invalid" } else { "ambiguous" };
        let list = |group: &&[&str]| group.iter().map(|w| format!("'{w}'")).collect::<Vec<_>>().join(", ");
        let valid: String = groups.iter().map(|g| format!("\n  - {}", list(g))).collect();
        Err(self.misuse(args, &format!("{kind} argument '{value}' for '{option}'\nValid arguments are:{valid}")))
    }

    fn hint(&self, name: &str, message: &str) -> u8 {
        let prefix = if self.named_hint { format!("{name}: ") } else { String::new() };
        eprintln!("{name}: {message}\n{prefix}Try '{name} --help' for more information.");
        self.failure
    }

    fn read(&self, args: &[OsString]) -> Result<Outcome, String> {
        let mut line = Line::default();
        let mut rest: VecDeque<OsString> = args.iter().skip(1).cloned().collect();
        let stop = self.stop_at_operand || std::env::var_os("POSIXLY_CORRECT").is_some();
        while let Some(arg) = rest.pop_front() {
            let bytes = arg.as_encoded_bytes();
            if bytes == b"--" {
                line.operands.extend(rest);
                break;
            } else if let Some(long) = bytes.strip_prefix(b"--") {
                match self.long(long, &mut rest)? {
                    Outcome::Line(one) => line.options.extend(one.options),
                    other => return Ok(other),
                }
            } else if bytes.len() > 1 && bytes[0] == b'-' {
                if let Some(other) = self.short(&arg.to_string_lossy(), &arg, &mut rest, &mut line)? {
                    return Ok(other);
                }
            } else {
                line.operands.push(arg);
                if stop {
                    line.operands.extend(rest);
                    break;
                }
            }
        }
        Ok(Outcome::Line(line))
    }

    fn long(&self, arg: &[u8], rest: &mut VecDeque<OsString>) -> Result<Outcome, String> {
        let (name, value) = match arg.iter().position(|b| *b == b'=') {
            Some(at) => (&arg[..at], Some(sys::os_string(arg[at + 1..].to_vec()))),
            None => (arg, None),
        };
        let name = String::from_utf8_lossy(name).into_owned();
        let whole = String::from_utf8_lossy(arg);
        let exact = self.options.iter().find(|o| !o.long.is_empty() && o.long == name);
        let opt = match exact {
            Some(opt) => *opt,
            None if name == "help" => return Ok(Outcome::Help),
            None if name == "version" => return Ok(Outcome::Version),
            None => {
                let special = ["help", "version"].into_iter().filter(|s| !name.is_empty() && s.starts_with(&name));
                let near: Vec<&Opt> = self.options.iter().filter(|o| !o.long.is_empty() && o.long.starts_with(&name)).collect();
                let special: Vec<&str> = special.collect();
                match (near.len(), special.len()) {
                    (1, 0) => *near[0],
                    // Names that share a letter mean the same option.
                    (2.., 0) if !near[0].short.is_empty() && near.iter().all(|o| o.short == near[0].short) => *near[0],
                    (0, 1) if special[0] == "help" => return Ok(Outcome::Help),
                    (0, 1) => return Ok(Outcome::Version),
                    (0, 0) => return Err(format!("unrecognized option '--{whole}'")),
                    _ => {
                        let all: Vec<String> = near.iter().map(|o| o.long).chain(special).map(|l| format!("'--{l}'")).collect();
                        return Err(format!("option '--{whole}' is ambiguous; possibilities: {}", all.join(" ")));
                    }
                }
            }
        };
        let value = match (opt.takes, value) {
            (Takes::Nothing, Some(_)) => return Err(format!("option '--{}' doesn't allow an argument", opt.long)),
            (Takes::Value, None) => Some(rest.pop_front().ok_or_else(|| format!("option '--{}' requires an argument", opt.long))?),
            (_, value) => value,
        };
        let given = Given { key: opt.long, letter: None, value };
        Ok(Outcome::Line(Line { options: vec![given], operands: Vec::new() }))
    }

    fn short(&self, arg: &str, raw: &OsString, rest: &mut VecDeque<OsString>, line: &mut Line) -> Result<Option<Outcome>, String> {
        for (at, letter) in arg.char_indices().skip(1) {
            let opt = match self.options.iter().find(|o| o.short.contains(letter)) {
                Some(opt) => opt,
                None if self.letters.0.contains(letter) => return Ok(Some(Outcome::Help)),
                None if self.letters.1.contains(letter) => return Ok(Some(Outcome::Version)),
                None => return Err(format!("invalid option -- '{letter}'")),
            };
            let key = if opt.long.is_empty() { opt.short } else { opt.long };
            let after = at + letter.len_utf8();
            if matches!(opt.takes, Takes::Nothing | Takes::MaybeLong) {
                line.options.push(Given { key, letter: Some(letter), value: None });
                continue;
            }
            // Bytes that are not UTF-8 can only be in the value, so take it from the original argument.
            let bytes = raw.as_encoded_bytes();
            let tail = sys::os_string(bytes.get(after..).unwrap_or_default().to_vec());
            let value = match (opt.takes, tail.is_empty()) {
                (_, false) => Some(tail),
                (Takes::Maybe, true) => None,
                _ => Some(rest.pop_front().ok_or_else(|| format!("option requires an argument -- '{letter}'"))?),
            };
            line.options.push(Given { key, letter: Some(letter), value });
            break;
        }
        Ok(None)
    }

    fn help(&self, name: &str) -> String {
        let mut text = String::new();
        for (at, usage) in self.usage.lines().enumerate() {
            text += &format!("{} {name} {usage}\n", if at == 0 { "Usage:" } else { "  or: " });
        }
        text += &format!("{}\n\n", self.about);
        for opt in self.options.iter().filter(|o| !o.help.is_empty()) {
            let letters: Vec<String> = opt.short.chars().map(|c| format!("-{c}")).collect();
            let mut left = letters.join(", ");
            if !opt.long.is_empty() {
                left += if left.is_empty() { "    " } else { ", " };
                left += &format!("--{}", opt.long);
            }
            left += match opt.takes {
                Takes::Nothing => "",
                Takes::Value if opt.long.is_empty() => " VALUE",
                Takes::Value => "=VALUE",
                Takes::Maybe | Takes::MaybeLong => "[=VALUE]",
            };
            text += &format!("  {left:<28} {}\n", opt.help);
        }
        let letters = |letters: &str| letters.chars().map(|c| format!("-{c}, ")).collect::<String>();
        for (given, what) in
            [(letters(self.letters.0) + "--help", "print this help"), (letters(self.letters.1) + "--version", "print the version")]
        {
            let left = if given.starts_with("--") { format!("    {given}") } else { given };
            text += &format!("  {left:<28} {what}\n");
        }
        text
    }
}

enum Outcome {
    Line(Line),
    Help,
    Version,
}

#[cfg(test)]
mod tests {
    use super::*;

    const SYNTAX: Syntax = Syntax {
        about: "Test.",
        options: &[
            flag("a", "all", ""),
            value("w", "width", ""),
            maybe("", "color", ""),
            maybe_long("F", "follow", ""),
            flag("", "count", ""),
            flag("rR", "", ""),
        ],
        failure: 2,
        ..Syntax::COMMON
    };

    fn read(args: &[&str]) -> Result<Line, String> {
        let args: Vec<OsString> = std::iter::once("t").chain(args.iter().copied()).map(OsString::from).collect();
        SYNTAX.read(&args).map(|o| match o {
            Outcome::Line(line) => line,
            _ => Line::default(),
        })
    }

    #[test]
    fn letters_bundle_and_take_values() {
        let line = read(&["-aw5", "x", "-w", "6", "--", "-a"]).unwrap();
        assert_eq!(line.last_text("width").as_deref(), Some("6"));
        assert_eq!(line.operands, ["x", "-a"]);
        assert!(line.has("all"));
        assert!(read(&["-R"]).unwrap().has("rR"));
        // The letter of an option whose long name may have a value takes none.
        let line = read(&["-Fw5", "--follow=x"]).unwrap();
        assert_eq!((line.last_text("width").as_deref(), line.last_text("follow").as_deref()), (Some("5"), Some("x")));
    }

    #[test]
    fn words_abbreviate() {
        let groups: &[&[&str]] = &[&["always", "yes"], &["never", "no"], &["none"]];
        let word = |value| SYNTAX.word(&["t".into()], "--when", value, groups);
        assert_eq!(word("y"), Ok("always"));
        assert_eq!(word("no"), Ok("never"));
        assert_eq!(word("n"), Err(2));
        assert_eq!(word(""), Err(2));
    }

    #[test]
    fn long_names_abbreviate() {
        assert_eq!(read(&["--wid=3"]).unwrap().last_text("width").as_deref(), Some("3"));
        assert_eq!(read(&["--co"]).unwrap_err(), "option '--co' is ambiguous; possibilities: '--color' '--count'");
        assert_eq!(read(&["--zz"]).unwrap_err(), "unrecognized option '--zz'");
        assert_eq!(read(&["-w"]).unwrap_err(), "option requires an argument -- 'w'");
        assert_eq!(read(&["--all=1"]).unwrap_err(), "option '--all' doesn't allow an argument");
        assert_eq!(read(&["--color", "x"]).unwrap().operands, ["x"]);
    }
}
