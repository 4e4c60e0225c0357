//! What is looked for: one or more patterns, ready to search.

use super::syntax::{Dialect, translate};
use regex_automata::nfa::thompson::pikevm::PikeVM;
use regex_automata::{Anchored, Input, MatchKind};

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
    Literal(Box<memchr::memmem::Finder<'static>>),
    Linear(regex::bytes::Regex),
    Backtracking(Vec<fancy_regex::Regex>),
}

/// Compiled patterns.
pub struct Matcher {
    engine: Engine,
    /// Finds where the longest match ends, when that may not be the first.
    longest: Option<PikeVM>,
    /// Whether it may be run over many lines at once.
    pub spans_lines: bool,
    /// There is no pattern: nothing matches.
    nothing: bool,
    /// Whether backtracking reached its limit somewhere.
    gave_up: std::cell::Cell<bool>,
}

/// The most memory a compiled pattern may take: large lists of words need some, a bomb `(a{999}){999}` must fail.
const SIZE_LIMIT: usize = 64 << 20;

impl Matcher {
    /// Compile patterns; the error is for the user.
    pub fn new(given: &[Vec<u8>], style: Style, narrow: Narrow) -> Result<Matcher, String> {
        // In the C locale each byte is the character of that number.
        let one = |p: &Vec<u8>| match narrow.bytes {
            true => p.iter().map(|b| char::from(*b)).collect(),
            false => String::from_utf8_lossy(p).into_owned(),
        };
        let patterns: Vec<String> = given.iter().map(one).collect();
        let patterns = &patterns[..];
        let dialect = if narrow.bytes { Dialect::Bytes } else { Dialect::Linear };
        let nothing = patterns.is_empty();
        if style == Style::Perl && patterns.len() > 1 {
            return Err("the -P option only supports a single pattern".into());
        }
        let mut parts = Vec::new();
        let (mut backtracking, mut ambiguous) = (style == Style::Perl, patterns.len() > 1);
        for pattern in patterns {
            match style {
                Style::Fixed if narrow.bytes => parts.push(as_bytes(&regex::escape(pattern))),
                Style::Fixed => parts.push(regex::escape(pattern)),
                Style::Perl if narrow.bytes => parts.push(as_bytes(&super::pcre::translate(pattern)?)),
                Style::Perl => parts.push(super::pcre::translate(pattern)?),
                Style::Basic | Style::Extended => {
                    let t = translate(pattern, style == Style::Extended, dialect, narrow.null_data)?;
                    backtracking |= t.back_references;
                    ambiguous |= t.ambiguous;
                    for operator in t.ignored {
                        crate::text::complain("grep", format!("warning: {operator} at start of expression"));
                    }
                    parts.push(t.pattern);
                }
            }
        }
        // A Perl pattern without lookaround runs in linear time too.
        if style == Style::Perl {
            backtracking = parts.iter().any(|p| needs_backtracking(p));
        }
        if backtracking {
            let patterns: Vec<String> = given.iter().map(|p| String::from_utf8_lossy(p).into_owned()).collect();
            return Self::backtracking(&patterns, style, narrow);
        }
        if style == Style::Fixed {
            // The longest of several words that start at one place is the one GNU's finds.
            parts.sort_by_key(|p| std::cmp::Reverse(p.len()));
        }
        let body = parts.iter().map(|p| format!("(?:{p})")).collect::<Vec<_>>().join("|");
        let body = if parts.len() == 1 { parts[0].clone() } else { body };
        let flags = match (flags(style, narrow), narrow.bytes) {
            (flags, true) if flags.is_empty() => "(?-u)".to_owned(),
            (flags, true) => flags.replace(')', "-u)"),
            (flags, false) => flags,
        };
        if let ([pattern], Style::Fixed, false) = (given, style, narrow.ignore_case || narrow.word || narrow.line)
            && !pattern.is_empty()
            && (narrow.bytes || std::str::from_utf8(pattern).is_ok())
        {
            let finder = memchr::memmem::Finder::new(pattern).into_owned();
            let engine = Engine::Literal(Box::new(finder));
            return Ok(Matcher { engine, longest: None, spans_lines: true, nothing, gave_up: std::cell::Cell::new(false) });
        }
        let whole = match (narrow.line, narrow.word) {
            (true, _) if narrow.null_data => format!("{flags}\\A(?:{body})\\z"),
            (true, _) => format!("{flags}^(?:{body})$"),
            (_, true) => format!("{flags}\\b{{start-half}}(?:{body})\\b{{end-half}}"),
            _ => format!("{flags}{body}"),
        };
        let build = |whole: &str| regex::bytes::RegexBuilder::new(whole).size_limit(SIZE_LIMIT).dfa_size_limit(8 << 20).build();
        // Properties and the like are Unicode's in any locale.
        let regex = build(&whole).or_else(|error| match narrow.bytes && style == Style::Perl {
            true => build(&whole.replacen("-u)", "u)", 1)).map_err(|_| error),
            false => Err(error),
        });
        let regex = regex.map_err(|error| describe(&error))?;
        let longest = (ambiguous && style != Style::Perl && style != Style::Fixed).then(|| longest(&whole)).flatten();
        let spans_lines = style != Style::Perl && !narrow.null_data;
        Ok(Matcher { engine: Engine::Linear(regex), longest, spans_lines, nothing, gave_up: std::cell::Cell::new(false) })
    }

    fn backtracking(patterns: &[String], style: Style, narrow: Narrow) -> Result<Matcher, String> {
        let mut all = Vec::new();
        for pattern in patterns {
            let body = match style {
                Style::Fixed => regex::escape(pattern),
                Style::Perl => super::pcre::translate(pattern)?,
                _ => translate(pattern, style == Style::Extended, Dialect::Backtracking, narrow.null_data)?.pattern,
            };
            let flags = flags(style, narrow);
            let whole = match (narrow.line, narrow.word) {
                (true, _) => format!("{flags}\\A(?:{body})\\z"),
                (_, true) => format!("{flags}(?<!\\w)(?:{body})(?!\\w)"),
                _ => format!("{flags}{body}"),
            };
            let built = fancy_regex::RegexBuilder::new(&whole).bytes_mode(fancy_regex::BytesMode::UnicodeBytes).build();
            all.push(built.map_err(|error| super::pcre::words(&error.to_string()))?);
        }
        Ok(Matcher {
            engine: Engine::Backtracking(all),
            longest: None,
            spans_lines: false,
            nothing: patterns.is_empty(),
            gave_up: std::cell::Cell::new(false),
        })
    }

    /// Whether some text could not be decided about: backtracking reached its limit.
    pub fn gave_up(&self) -> bool {
        self.gave_up.get()
    }

    /// Whether there is a match.
    pub fn is_match(&self, text: &[u8]) -> bool {
        match &self.engine {
            _ if self.nothing => false,
            Engine::Literal(finder) => finder.find(text).is_some(),
            Engine::Linear(regex) => regex.is_match(text),
            Engine::Backtracking(_) => self.find(text, 0).is_some(),
        }
    }

    /// The first match at or after `from`; where two start together, the longest.
    pub fn find(&self, text: &[u8], from: usize) -> Option<(usize, usize)> {
        if self.nothing {
            return None;
        }
        match &self.engine {
            Engine::Literal(finder) => {
                let at = from + finder.find(&text[from..])?;
                Some((at, at + finder.needle().len()))
            }
            Engine::Linear(regex) => {
                let found = regex.find_at(text, from)?;
                let end = self.longest.as_ref().and_then(|vm| {
                    let mut cache = vm.create_cache();
                    let input = Input::new(text).range(found.start()..).anchored(Anchored::Yes);
                    vm.find(&mut cache, input).map(|m| m.end())
                });
                Some((found.start(), end.unwrap_or(found.end()).max(found.end())))
            }
            Engine::Backtracking(all) => {
                let found = all.iter().filter_map(|r| match r.find_from_pos(text, from) {
                    Ok(found) => found,
                    Err(_) => {
                        self.gave_up.set(true);
                        None
                    }
                });
                let best = found.map(|m| (m.start(), m.end())).min_by_key(|(start, end)| (*start, std::cmp::Reverse(*end)))?;
                Some((best.0.min(text.len()), best.1.min(text.len())))
            }
        }
    }

    /// The plain search over many lines: any match at or after `from`, not the longest.
    pub fn find_any(&self, text: &[u8], from: usize) -> Option<(usize, usize)> {
        match &self.engine {
            Engine::Linear(regex) if !self.nothing => regex.find_at(text, from).map(|m| (m.start(), m.end())),
            _ => self.find(text, from),
        }
    }
}

/// Characters above ASCII as the bytes they stand for.
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
fn flags(style: Style, narrow: Narrow) -> String {
    let mut flags = String::new();
    flags += if narrow.null_data { "" } else { "m" };
    flags += if narrow.ignore_case { "i" } else { "" };
    flags += if narrow.null_data && style != Style::Perl { "s" } else { "" };
    if flags.is_empty() { flags } else { format!("(?{flags})") }
}

fn longest(pattern: &str) -> Option<PikeVM> {
    use regex_automata::nfa::thompson;
    use regex_automata::util::syntax;
    PikeVM::builder()
        .configure(PikeVM::config().match_kind(MatchKind::All))
        .syntax(syntax::Config::new().utf8(false))
        .thompson(thompson::Config::new().utf8(false).nfa_size_limit(Some(SIZE_LIMIT)))
        .build(pattern)
        .ok()
}

fn describe(error: &regex::Error) -> String {
    match error {
        regex::Error::CompiledTooBig(_) => "Regular expression too big".into(),
        other => super::pcre::words(other.to_string().lines().last().unwrap_or_default().trim_start_matches("error: ")),
    }
}

/// Whether a Perl pattern uses what only backtracking can do, or what only `fancy-regex` knows.
fn needs_backtracking(pattern: &str) -> bool {
    if ["(?=", "(?!", "(?<=", "(?<!", "(?>", "(?(", "\\K", "\\G", "\\Z", "\\h", "\\R", "\\e", "++", "*+", "?+", "}+", "(?P=", "\\k", "\\g"]
        .iter()
        .any(|p| pattern.contains(p))
    {
        return true;
    }
    pattern.as_bytes().windows(2).any(|w| w[0] == b'\\' && (b'1'..=b'9').contains(&w[1]))
}
