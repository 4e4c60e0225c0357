//! ripgrep's options.

use crate::options::{OPTIONS, help};
use std::ffi::OsString;

/// What to print.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Mode {
    #[default]
    Lines,
    Count,
    CountMatches,
    With,
    Without,
    Files,
    Types,
    Json,
}

/// How to compare the case of letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Case {
    #[default]
    Exact,
    Ignore,
    Smart,
}

/// The settings from the command line.
#[derive(Debug, Default)]
pub(crate) struct Args {
    pub patterns: Vec<String>,
    pub paths: Vec<OsString>,
    pub mode: Mode,
    pub case: Case,
    pub fixed: bool,
    pub word: bool,
    pub line: bool,
    pub invert: bool,
    /// Whether lines are numbered; `None` if no option decides it.
    pub numbers: Option<bool>,
    pub filename: Option<bool>,
    pub heading: bool,
    pub column: bool,
    pub offset: bool,
    pub vimgrep: bool,
    pub only_matching: bool,
    pub replace: Option<String>,
    pub before: usize,
    pub after: usize,
    pub passthru: bool,
    pub max_count: Option<u64>,
    pub max_columns: Option<u64>,
    pub trim: bool,
    pub quiet: bool,
    pub color: bool,
    pub null: bool,
    pub text: bool,
    pub binary: bool,
    pub multiline: bool,
    pub dot_all: bool,
    pub crlf: bool,
    pub no_unicode: bool,
    pub stats: bool,
    pub include_zero: bool,
    pub separator: Option<Vec<u8>>,
    pub hidden: bool,
    pub no_ignore: bool,
    pub no_vcs: bool,
    pub follow: bool,
    pub max_depth: Option<usize>,
    pub max_size: Option<u64>,
    pub one_system: bool,
    pub globs: Vec<(String, bool)>,
    pub ignore_files: Vec<OsString>,
    pub types: Vec<(String, bool)>,
    pub type_add: Vec<String>,
    pub no_messages: bool,
    pub reverse: bool,
    /// `--sort modified` and similar: sort by this time.
    pub by_time: Option<Time>,
    pub perl: bool,
    pub null_data: bool,
    pub encoding: Option<String>,
    pub preview: bool,
    pub path_separator: Option<u8>,
    pub field_match: Option<Vec<u8>>,
    pub field_context: Option<Vec<u8>>,
    pub fold_globs: bool,
    pub no_parent: bool,
    pub no_dot: bool,
    pub no_exclude: bool,
    pub no_global: bool,
    pub no_git: bool,
    pub type_clear: Vec<String>,
    /// The engine with lookaround and back-references, if patterns need it.
    pub hybrid: bool,
    pub stop: bool,
    pub colors: Vec<String>,
}

/// A time of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Time {
    Modified,
    Accessed,
    Created,
}

fn die(message: &str) -> u8 {
    eprintln!("rg: {message}");
    2
}

/// Reads the command line; the error is the exit status.
pub(crate) fn parse(list: &[OsString]) -> Result<Args, u8> {
    let mut args = Args::default();
    let mut rest = list.iter().skip(1);
    let mut operands: Vec<OsString> = Vec::new();
    let mut explicit = false;
    let mut ended = false;
    let mut level = 0;
    while let Some(arg) = rest.next() {
        let text = arg.to_string_lossy().into_owned();
        if ended || text == "-" || !text.starts_with('-') {
            operands.push(arg.clone());
        } else if text == "--" {
            ended = true;
        } else if let Some(long) = text.strip_prefix("--") {
            let (name, attached) = long.split_once('=').map_or((long, None), |(n, v)| (n, Some(v.to_owned())));
            let Some((name, _, valued)) = OPTIONS.iter().find(|(n, _, _)| *n == name) else {
                return Err(die(&format!("unrecognized flag {text}\n\nTry 'rg --help' for more information.")));
            };
            let value = match (valued, attached) {
                (true, None) => Some(value_of(&mut rest, name)?),
                (_, attached) => attached,
            };
            explicit |= apply(&mut args, name, value.as_deref().unwrap_or_default(), &mut level, &format!("--{name}"))?;
        } else {
            let mut letters = text[1..].chars();
            while let Some(letter) = letters.next() {
                let Some((name, _, valued)) = OPTIONS.iter().find(|(_, l, _)| *l == letter && *l != ' ') else {
                    return Err(die(&format!("unrecognized flag -{letter}\n\nTry 'rg --help' for more information.")));
                };
                if *valued {
                    let attached = letters.as_str().strip_prefix('=').unwrap_or(letters.as_str());
                    let value = if attached.is_empty() { value_of(&mut rest, name)? } else { attached.to_owned() };
                    explicit |= apply(&mut args, name, &value, &mut level, &format!("-{letter}"))?;
                    break;
                }
                explicit |= apply(&mut args, name, "", &mut level, name)?;
            }
        }
    }
    if !explicit && !matches!(args.mode, Mode::Files | Mode::Types) {
        if operands.is_empty() {
            eprintln!("rg: ripgrep requires at least one pattern to execute a search");
            return Err(2);
        }
        args.patterns.push(operands.remove(0).to_string_lossy().into_owned());
    }
    args.paths = operands;
    Ok(args)
}

fn value_of<'a>(rest: &mut impl Iterator<Item = &'a OsString>, name: &str) -> Result<String, u8> {
    rest.next()
        .map(|v| v.to_string_lossy().into_owned())
        .ok_or_else(|| die(&format!("missing value for flag --{name}: missing argument for option")))
}

/// Parses a size such as `10`, `5K`, `2M`, `1G`.
fn size(text: &str) -> Option<u64> {
    wisp_tool::text::with_unit(text, &[("K", 1 << 10), ("M", 1 << 20), ("G", 1 << 30)])
}

/// Applies an option; returns whether it gave a pattern.
fn apply(args: &mut Args, name: &str, value: &str, level: &mut u32, flag: &str) -> Result<bool, u8> {
    match name {
        "regexp" => {
            args.patterns.push(value.to_owned());
            return Ok(true);
        }
        "file" => {
            read_patterns(args, value)?;
            return Ok(true);
        }
        "unrestricted" => {
            *level += 1;
            match level {
                1 => args.no_ignore = true,
                2 => args.hidden = true,
                _ => args.binary = true,
            }
        }
        "help" => {
            print!("{}", help());
            return Err(0);
        }
        "version" => {
            println!("ripgrep (wisp) {}", env!("CARGO_PKG_VERSION"));
            return Err(0);
        }
        "pcre2-version" => {
            println!("PCRE2 is not here: -P is fancy-regex");
            return Err(0);
        }
        "search-zip" => return Err(die("-z is not supported here; decompress in a pipe: zcat FILE | rg PATTERN")),
        "pre" | "pre-glob" => return Err(die(&format!("--{name} is not supported here; convert in a pipe: COMMAND FILE | rg PATTERN"))),
        "follow" if cfg!(target_family = "wasm") => {
            return Err(die("-L is not supported here: `find -L PATH -type f -exec rg PATTERN {} +` follows links"));
        }
        name if OPTIONS.iter().any(|(known, _, valued)| *known == name && *valued) => set_value(args, name, value, flag)?,
        name => set_switch(args, name),
    }
    Ok(false)
}

/// Implements `-f`: adds the lines of a file to the patterns.
fn read_patterns(args: &mut Args, file: &str) -> Result<(), u8> {
    let read = if file == "-" { std::io::read_to_string(std::io::stdin()) } else { std::fs::read_to_string(file) };
    let text = read.map_err(|error| die(&format!("{file}: {error}")))?;
    args.patterns.extend(text.lines().map(str::to_owned));
    Ok(())
}

/// Applies an option that takes a value.
fn set_value(args: &mut Args, name: &str, value: &str, flag: &str) -> Result<(), u8> {
    let number = || value.parse::<u64>().map_err(|error| die(&format!("error parsing flag {flag}: value is not a valid number: {error}")));
    match name {
        "replace" => args.replace = Some(value.to_owned()),
        "after-context" => args.after = number()? as usize,
        "before-context" => args.before = number()? as usize,
        "context" => (args.before, args.after) = (number()? as usize, number()? as usize),
        "max-count" => args.max_count = Some(number()?),
        "max-columns" => args.max_columns = Some(number()?).filter(|n| *n > 0),
        "max-depth" | "maxdepth" => args.max_depth = Some(number()? as usize),
        "max-filesize" => args.max_size = Some(size(value).ok_or_else(|| die(&format!("invalid size {value}")))?),
        "glob" => args.globs.push((value.to_owned(), false)),
        "iglob" => args.globs.push((value.to_owned(), true)),
        "type" => args.types.push((value.to_owned(), true)),
        "type-not" => args.types.push((value.to_owned(), false)),
        "type-add" => args.type_add.push(value.to_owned()),
        "type-clear" => args.type_clear.push(value.to_owned()),
        "ignore-file" => args.ignore_files.push(value.into()),
        "color" if !matches!(value, "always" | "ansi" | "never" | "auto") => {
            return Err(die(&format!("error parsing flag {flag}: choice '{value}' is unrecognized")));
        }
        "color" => args.color = matches!(value, "always" | "ansi"),
        "colors" => args.colors.push(value.to_owned()),
        "sort" | "sortr" => {
            args.reverse = name == "sortr";
            args.by_time = sort_time(name, value)?;
        }
        "context-separator" => args.separator = Some(value.replace("\\n", "\n").replace("\\t", "\t").into_bytes()),
        "engine" if !matches!(value, "default" | "pcre2" | "auto") => {
            return Err(die(&format!("error parsing flag {flag}: unrecognized regex engine '{value}'")));
        }
        "engine" => (args.perl, args.hybrid) = (value == "pcre2", value == "auto"),
        "encoding" => args.encoding = Some(value.to_owned()),
        "path-separator" => match value.as_bytes() {
            [one] => args.path_separator = Some(*one),
            _ => return Err(die("error parsing flag --path-separator: A path separator must be exactly one byte")),
        },
        "field-match-separator" => args.field_match = Some(value.replace("\\t", "\t").into_bytes()),
        "field-context-separator" => args.field_context = Some(value.replace("\\t", "\t").into_bytes()),
        _ => {}
    }
    Ok(())
}

/// Returns the time by which `--sort` and `--sortr` sort; `None` for the order of paths.
fn sort_time(name: &str, value: &str) -> Result<Option<Time>, u8> {
    match value {
        "none" | "path" => Ok(None),
        "modified" => Ok(Some(Time::Modified)),
        "accessed" => Ok(Some(Time::Accessed)),
        "created" => Ok(Some(Time::Created)),
        other => Err(die(&format!("error parsing flag --{name}: choice '{other}' is unrecognized"))),
    }
}

/// Applies an option that takes no value.
fn set_switch(args: &mut Args, name: &str) {
    match name {
        "ignore-case" => args.case = Case::Ignore,
        "smart-case" => args.case = Case::Smart,
        "case-sensitive" => args.case = Case::Exact,
        "fixed-strings" => args.fixed = true,
        "word-regexp" => args.word = true,
        "line-regexp" => args.line = true,
        "invert-match" => args.invert = true,
        "line-number" => args.numbers = Some(true),
        "no-line-number" => args.numbers = Some(false),
        "count" => args.mode = Mode::Count,
        "count-matches" => args.mode = Mode::CountMatches,
        "files-with-matches" => args.mode = Mode::With,
        "files-without-match" => args.mode = Mode::Without,
        "files" => args.mode = Mode::Files,
        "type-list" => args.mode = Mode::Types,
        "json" => args.mode = Mode::Json,
        "only-matching" => args.only_matching = true,
        "quiet" => args.quiet = true,
        "hidden" => args.hidden = true,
        "no-hidden" => args.hidden = false,
        "no-ignore" => args.no_ignore = true,
        "no-ignore-vcs" => args.no_vcs = true,
        "follow" => args.follow = true,
        "no-follow" => args.follow = false,
        "text" => args.text = true,
        "binary" => args.binary = true,
        "multiline" => args.multiline = true,
        "multiline-dotall" => args.dot_all = true,
        "with-filename" => args.filename = Some(true),
        "no-filename" => args.filename = Some(false),
        "heading" => args.heading = true,
        "no-heading" => args.heading = false,
        "column" => args.column = true,
        "no-column" => args.column = false,
        "byte-offset" => args.offset = true,
        "vimgrep" => (args.vimgrep, args.column, args.filename) = (true, true, Some(true)),
        "stats" => args.stats = true,
        "stop-on-nonmatch" => args.stop = true,
        "auto-hybrid-regex" => args.hybrid = true,
        "no-auto-hybrid-regex" => args.hybrid = false,
        "no-pcre2" => args.perl = false,
        "unicode" => args.no_unicode = false,
        "no-fixed-strings" => args.fixed = false,
        "no-invert-match" => args.invert = false,
        "no-multiline" => args.multiline = false,
        "no-multiline-dotall" => args.dot_all = false,
        "no-text" => args.text = false,
        "no-binary" => args.binary = false,
        "no-byte-offset" => args.offset = false,
        "no-crlf" => args.crlf = false,
        "no-json" if args.mode == Mode::Json => args.mode = Mode::Lines,
        "no-stats" => args.stats = false,
        "no-trim" => args.trim = false,
        "no-include-zero" => args.include_zero = false,
        "no-encoding" => args.encoding = None,
        "no-one-file-system" => args.one_system = false,
        "no-max-columns-preview" => args.preview = false,
        "no-glob-case-insensitive" => args.fold_globs = false,
        "ignore" => args.no_ignore = false,
        "ignore-vcs" => args.no_vcs = false,
        "ignore-parent" => args.no_parent = false,
        "ignore-dot" => args.no_dot = false,
        "ignore-global" => args.no_global = false,
        "ignore-exclude" => args.no_exclude = false,
        "require-git" => args.no_git = false,
        "messages" => args.no_messages = false,
        "pretty" => (args.color, args.heading, args.numbers) = (true, true, Some(true)),
        "null" => args.null = true,
        "passthru" | "passthrough" => args.passthru = true,
        "trim" => args.trim = true,
        "no-messages" => args.no_messages = true,
        "crlf" => args.crlf = true,
        "no-unicode" => args.no_unicode = true,
        "no-context-separator" => args.separator = Some(Vec::new()),
        "one-file-system" => args.one_system = true,
        "include-zero" => args.include_zero = true,
        "pcre2" => args.perl = true,
        "null-data" => args.null_data = true,
        "max-columns-preview" => args.preview = true,
        "glob-case-insensitive" => args.fold_globs = true,
        "no-ignore-parent" => args.no_parent = true,
        "no-ignore-dot" => args.no_dot = true,
        "no-ignore-exclude" => args.no_exclude = true,
        "no-ignore-global" => args.no_global = true,
        "no-require-git" => args.no_git = true,
        "no-ignore-files" => args.ignore_files.clear(),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(line: &str) -> Args {
        let list: Vec<OsString> = std::iter::once("rg").chain(line.split(' ')).map(Into::into).collect();
        parse(&list).unwrap()
    }

    #[test]
    fn options_are_read() {
        let args = of("-inC2 -tpy foo src -g *.rs --max-count=3");
        assert_eq!((args.patterns[0].as_str(), args.paths.len(), args.before, args.max_count), ("foo", 1, 2, Some(3)));
        assert!(args.numbers == Some(true) && args.case == Case::Ignore);
        assert!(of("-uu x").hidden);
        assert_eq!(of("-e a -e b p").paths.len(), 1);
        assert_eq!(size("2K"), Some(2048));
    }
}
