//! What is looked for: one or more patterns, ready to search.

use regex_automata::util::syntax;
use regex_automata::{Input, meta};
use std::cell::Cell;
use wisp_regex::{Flavor, Options, Regex, Whole};

/// How patterns are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Basic expressions (`-G`).
    Basic,
    /// Extended expressions (`-E`).
    Extended,
    /// Plain text (`-F`).
    Fixed,
    /// Perl's expressions (`-P`).
    Perl,
}

/// What narrows a match.
#[derive(Debug, Clone, Copy, Default)]
pub struct Narrow {
    /// Letters match in either case.
    pub ignore_case: bool,
    /// The match is a whole word.
    pub word: bool,
    /// The match is a whole line.
    pub line: bool,
    /// Lines end with NUL: newlines are characters.
    pub null_data: bool,
    /// Characters are bytes (the C locale).
    pub bytes: bool,
}

enum Engine {
    Posix(Box<Regex>),
    /// A Perl expression without lookaround runs in linear time too.
    Linear(meta::Regex),
    Backtracking(fancy_regex::Regex),
}

/// Compiled patterns.
pub struct Matcher {
    engine: Engine,
    /// Whether it may be run over many lines at once.
    pub spans_lines: bool,
    /// Whether a Perl expression reached the limit of its steps somewhere.
    gave_up: Cell<bool>,
}

/// The most memory a compiled pattern may take: large lists of words need some, a bomb `(a{999}){999}` must fail.
const SIZE_LIMIT: usize = 64 << 20;

impl Matcher {
    /// Compiles patterns; the error is for the user.
    pub fn new(given: &[Vec<u8>], style: Style, narrow: Narrow) -> Result<Self, String> {
        let flavor = match (style, given) {
            (Style::Perl, [one]) => return Self::perl(one, narrow),
            (Style::Perl, [_, _, ..]) => return Err("the -P option only supports a single pattern".into()),
            (Style::Basic, _) => Flavor::Grep,
            (Style::Extended, _) => Flavor::Egrep,
            (Style::Fixed | Style::Perl, _) => Flavor::Fixed,
        };
        let options = Options { flavor, fold: narrow.ignore_case, lines: !narrow.null_data, utf8: !narrow.bytes, posix: false };
        let whole = match (narrow.line, narrow.word) {
            (true, _) => Whole::Line,
            (_, true) => Whole::Word,
            _ => Whole::Part,
        };
        let regex = Regex::any(given, options, whole)?;
        for operator in regex.ignored() {
            crate::text::complain("grep", format!("warning: {operator} at start of expression"));
        }
        let spans_lines = !narrow.null_data && !regex.refers_back();
        Ok(Self { engine: Engine::Posix(Box::new(regex)), spans_lines, gave_up: Cell::new(false) })
    }

    fn perl(given: &[u8], narrow: Narrow) -> Result<Self, String> {
        // In the C locale each byte is the character of that number.
        let body = match narrow.bytes {
            true => as_bytes(&super::pcre::translate(&given.iter().map(|b| char::from(*b)).collect::<String>())?),
            false => super::pcre::translate(&String::from_utf8_lossy(given))?,
        };
        let engine = if needs_backtracking(&body) {
            // It knows characters only, in any locale.
            backtracking(&super::pcre::translate(&String::from_utf8_lossy(given))?, narrow)?
        } else {
            linear(&body, narrow)?
        };
        Ok(Self { engine, spans_lines: false, gave_up: Cell::new(false) })
    }

    /// Returns whether some text could not be decided about: backtracking reached its limit.
    pub fn gave_up(&self) -> bool {
        self.gave_up.get() || matches!(&self.engine, Engine::Posix(regex) if regex.gave_up())
    }

    /// Returns whether there is a match.
    pub fn is_match(&self, text: &[u8]) -> bool {
        match &self.engine {
            Engine::Posix(regex) => regex.is_match(text),
            Engine::Linear(regex) => regex.is_match(text),
            Engine::Backtracking(_) => self.find(text, 0).is_some(),
        }
    }

    /// Finds the first match at or after `from`; where two start together, the longest.
    pub fn find(&self, text: &[u8], from: usize) -> Option<(usize, usize)> {
        match &self.engine {
            Engine::Posix(regex) => regex.find(text, from),
            Engine::Linear(regex) => regex.find(Input::new(text).range(from..)).map(|found| (found.start(), found.end())),
            Engine::Backtracking(regex) => match regex.find_from_pos(text, from) {
                Ok(found) => found.map(|m| (m.start().min(text.len()), m.end().min(text.len()))),
                Err(_) => {
                    self.gave_up.set(true);
                    None
                }
            },
        }
    }

    /// Searches many lines at once: returns where some match at or after `from` ends.
    pub(super) fn any_end(&self, text: &[u8], from: usize) -> Option<usize> {
        match &self.engine {
            Engine::Posix(regex) => regex.any_end(text, from),
            _ => self.find(text, from).map(|found| found.1),
        }
    }
}

/// Returns a Perl expression that an automaton can match.
fn linear(body: &str, narrow: Narrow) -> Result<Engine, String> {
    let whole = |flags: &str| match (narrow.line, narrow.word) {
        (true, _) if narrow.null_data => format!("{flags}\\A(?:{body})\\z"),
        (true, _) => format!("{flags}^(?:{body})$"),
        (_, true) => format!("{flags}\\b{{start-half}}(?:{body})\\b{{end-half}}"),
        _ => format!("{flags}{body}"),
    };
    let config = meta::Config::new().utf8_empty(false).nfa_size_limit(Some(SIZE_LIMIT)).hybrid_cache_capacity(8 << 20);
    let build = |whole: &str| {
        meta::Builder::new()
            .configure(config.clone())
            .syntax(syntax::Config::new().utf8(false))
            .build(whole)
            .map_err(|error| describe(&error))
    };
    let regex = match narrow.bytes {
        // Properties and the like are Unicode's in any locale.
        true => build(&whole(&flags(narrow, "-u"))).or_else(|error| build(&whole(&flags(narrow, ""))).map_err(|_| error)),
        false => build(&whole(&flags(narrow, ""))),
    };
    regex.map(Engine::Linear)
}

/// Returns a Perl expression that only backtracking can match.
fn backtracking(body: &str, narrow: Narrow) -> Result<Engine, String> {
    let flags = flags(narrow, "");
    let whole = match (narrow.line, narrow.word) {
        (true, _) => format!("{flags}\\A(?:{body})\\z"),
        (_, true) => format!("{flags}(?<!\\w)(?:{body})(?!\\w)"),
        _ => format!("{flags}{body}"),
    };
    let built = fancy_regex::RegexBuilder::new(&whole).bytes_mode(fancy_regex::BytesMode::UnicodeBytes).build();
    built.map(Engine::Backtracking).map_err(|error| super::pcre::words(&error.to_string()))
}

/// Returns a text with characters above ASCII as the bytes they stand for.
fn as_bytes(pattern: &str) -> String {
    pattern.chars().fold(String::new(), |mut out, c| {
        match u32::from(c) {
            code @ 0x80..=0xff => out += &format!("\\x{code:02x}"),
            _ => out.push(c),
        }
        out
    })
}

/// Records that end with NUL are one line with newlines in it, which Perl's `.` does not match.
fn flags(narrow: Narrow, more: &str) -> String {
    let lines = if narrow.null_data { "" } else { "m" };
    let case = if narrow.ignore_case { "i" } else { "" };
    let flags = format!("{lines}{case}{more}");
    if flags.is_empty() { flags } else { format!("(?{flags})") }
}

fn describe(error: &meta::BuildError) -> String {
    if error.size_limit().is_some() {
        return "Regular expression too big".into();
    }
    let message = error.syntax_error().map_or_else(|| error.to_string(), ToString::to_string);
    super::pcre::words(message.lines().last().unwrap_or_default().trim_start_matches("error: "))
}

/// Returns whether a Perl pattern uses what only backtracking can do, or what only `fancy-regex` knows.
fn needs_backtracking(pattern: &str) -> bool {
    if ["(?=", "(?!", "(?<=", "(?<!", "(?>", "(?(", "\\K", "\\G", "\\Z", "\\h", "\\R", "\\e", "++", "*+", "?+", "}+", "(?P=", "\\k", "\\g"]
        .iter()
        .any(|p| pattern.contains(p))
    {
        return true;
    }
    pattern.as_bytes().windows(2).any(|w| w[0] == b'\\' && (b'1'..=b'9').contains(&w[1]))
}
