//! The two engines of one `Matcher`: ripgrep's own, and the one with lookaround and back-references (`-P`).

use crate::args::{Args, Case};
use grep_matcher::{ByteSet, Captures, LineMatchKind, LineTerminator, Match, Matcher};
use grep_regex::{RegexCaptures, RegexMatcher, RegexMatcherBuilder};

/// One of the two.
pub(crate) enum Engine {
    /// ripgrep's.
    Plain(RegexMatcher),
    /// `-P`.
    Perl(Box<fancy_regex::Regex>),
}

/// The groups of a match.
pub(crate) enum Groups {
    /// ripgrep's engine's.
    Plain(RegexCaptures),
    /// Those of `-P`.
    Perl(Vec<Option<Match>>),
}

impl Captures for Groups {
    fn len(&self) -> usize {
        match self {
            Self::Plain(groups) => groups.len(),
            Self::Perl(groups) => groups.len(),
        }
    }

    fn get(&self, at: usize) -> Option<Match> {
        match self {
            Self::Plain(groups) => groups.get(at),
            Self::Perl(groups) => groups.get(at).copied().flatten(),
        }
    }
}

fn gave_up(error: &fancy_regex::Error) -> String {
    format!("PCRE2: error matching: {error}")
}

impl Matcher for Engine {
    type Captures = Groups;
    type Error = String;

    fn find_at(&self, text: &[u8], at: usize) -> Result<Option<Match>, String> {
        match self {
            Self::Plain(engine) => engine.find_at(text, at).map_err(|e| e.to_string()),
            Self::Perl(regex) => {
                let found = regex.find_from_pos(text, at).map_err(|e| gave_up(&e))?;
                Ok(found.map(|m| Match::new(m.start(), m.end())))
            }
        }
    }

    fn new_captures(&self) -> Result<Groups, String> {
        match self {
            Self::Plain(engine) => engine.new_captures().map(Groups::Plain).map_err(|e| e.to_string()),
            Self::Perl(regex) => Ok(Groups::Perl(vec![None; regex.captures_len()])),
        }
    }

    fn capture_count(&self) -> usize {
        match self {
            Self::Plain(engine) => engine.capture_count(),
            Self::Perl(regex) => regex.captures_len(),
        }
    }

    fn capture_index(&self, name: &str) -> Option<usize> {
        match self {
            Self::Plain(engine) => engine.capture_index(name),
            Self::Perl(regex) => regex.capture_names().position(|n| n == Some(name)),
        }
    }

    fn captures_at(&self, text: &[u8], at: usize, groups: &mut Groups) -> Result<bool, String> {
        match (self, groups) {
            (Self::Plain(engine), Groups::Plain(groups)) => engine.captures_at(text, at, groups).map_err(|e| e.to_string()),
            (Self::Perl(regex), Groups::Perl(groups)) => {
                let Some(found) = regex.captures_from_pos(text, at).map_err(|e| gave_up(&e))? else { return Ok(false) };
                *groups = (0..regex.captures_len()).map(|n| found.get(n).map(|m| Match::new(m.start(), m.end()))).collect();
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    fn shortest_match_at(&self, text: &[u8], at: usize) -> Result<Option<usize>, String> {
        match self {
            Self::Plain(engine) => engine.shortest_match_at(text, at).map_err(|e| e.to_string()),
            Self::Perl(_) => Ok(self.find_at(text, at)?.map(|m| m.end())),
        }
    }

    fn non_matching_bytes(&self) -> Option<&ByteSet> {
        match self {
            Self::Plain(engine) => engine.non_matching_bytes(),
            Self::Perl(_) => None,
        }
    }

    fn line_terminator(&self) -> Option<LineTerminator> {
        match self {
            Self::Plain(engine) => engine.line_terminator(),
            Self::Perl(_) => None,
        }
    }

    fn find_candidate_line(&self, text: &[u8]) -> Result<Option<LineMatchKind>, String> {
        match self {
            Self::Plain(engine) => engine.find_candidate_line(text).map_err(|e| e.to_string()),
            Self::Perl(_) => Ok(self.find_at(text, 0)?.map(|m| LineMatchKind::Confirmed(m.start()))),
        }
    }
}

/// Returns the engine for these options.
pub(crate) fn build(args: &Args) -> Result<Engine, String> {
    if args.perl {
        return perl(args);
    }
    let built = plain(args).map(Engine::Plain);
    if args.hybrid { built.or_else(|message| perl(args).map_err(|_| message)) } else { built }
}

fn perl(args: &Args) -> Result<Engine, String> {
    let smart = args.case == Case::Smart && !args.patterns.iter().any(|p| p.chars().any(char::is_uppercase));
    let fold = args.case == Case::Ignore || smart;
    let parts: Vec<String> =
        args.patterns.iter().map(|p| if args.fixed { fancy_regex::escape(p).into_owned() } else { p.clone() }).collect();
    let body = if parts.len() == 1 { parts.concat() } else { parts.iter().map(|p| format!("(?:{p})")).collect::<Vec<_>>().join("|") };
    let flags = format!("(?m{}{})", if fold { "i" } else { "" }, if args.dot_all { "s" } else { "" });
    let whole = match (args.line, args.word) {
        (true, _) => format!("{flags}^(?:{body})$"),
        (_, true) => format!("{flags}(?<!\\w)(?:{body})(?!\\w)"),
        _ => format!("{flags}{body}"),
    };
    let built = fancy_regex::RegexBuilder::new(&whole).bytes_mode(fancy_regex::BytesMode::UnicodeBytes).build();
    built.map(|regex| Engine::Perl(Box::new(regex))).map_err(|error| format!("PCRE2: error compiling pattern: {error}"))
}

fn plain(args: &Args) -> Result<RegexMatcher, String> {
    let mut builder = RegexMatcherBuilder::new();
    builder
        .multi_line(true)
        .unicode(!args.no_unicode)
        .octal(false)
        .case_insensitive(args.case == Case::Ignore)
        .case_smart(args.case == Case::Smart)
        .fixed_strings(args.fixed)
        .word(args.word)
        .whole_line(args.line);
    if args.multiline {
        builder.dot_matches_new_line(args.dot_all);
    } else {
        builder.line_terminator(Some(if args.null_data { 0 } else { b'\n' })).dot_matches_new_line(false);
        if args.crlf {
            builder.crlf(true);
        }
    }
    builder.build_many(&args.patterns).map_err(|error| {
        let text = error.to_string();
        // The usual reason, in ripgrep's words.
        if text.contains("\"\\n\" is not allowed") || text.contains("literal '\"\\n\"' is not allowed") {
            return format!("{text}\n\nConsider enabling multiline mode with the --multiline flag (or -U for short).\nWhen multiline mode is enabled, new line characters can be matched.");
        }
        text
    })
}
