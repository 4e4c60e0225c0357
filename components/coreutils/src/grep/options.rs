//! What `grep` was asked for.

use super::colors::Colors;
use super::matcher::{Narrow, Style};
use crate::options::{Given, Opt, Syntax, flag, maybe, value};
use crate::{sys, text};
use std::ffi::OsString;
use std::io::Read;

/// What is printed of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// The lines.
    Lines,
    /// The matching parts (`-o`).
    Parts,
    /// How many lines (`-c`).
    Count,
    /// The file's name if there is a match (`-l`).
    With,
    /// The file's name if there is none (`-L`).
    Without,
}

/// What is done with files that are not text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Binary {
    /// They are searched, their lines are not printed.
    Report,
    /// They are searched as text (`-a`).
    Text,
    /// They never match (`-I`).
    Skip,
}

/// What is done with directories.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Directories {
    /// An error.
    Read,
    /// Nothing.
    Skip,
    /// All below them is searched; links to files are not followed.
    Recurse,
    /// As `Recurse`, links are followed.
    RecurseLinks,
}

/// Options of `grep`, resolved.
#[allow(clippy::struct_excessive_bools)]
pub(super) struct Options {
    /// As they were given: bytes.
    pub patterns: Vec<Vec<u8>>,
    pub style: Style,
    pub narrow: Narrow,
    pub files: Vec<OsString>,
    pub mode: Mode,
    pub invert: bool,
    pub quiet: bool,
    pub silent: bool,
    pub numbers: bool,
    pub offsets: bool,
    pub names: bool,
    pub null_names: bool,
    pub tabs: bool,
    /// How to mark what matches, if at all.
    pub color: Option<Colors>,
    pub line_buffered: bool,
    /// Whether context was asked for, be it of no lines: groups are separated then.
    pub context: bool,
    pub before: usize,
    pub after: usize,
    pub separator: Option<String>,
    pub most: Option<u64>,
    pub binary: Binary,
    pub directories: Directories,
    pub skip_devices: bool,
    /// `--include` (true) and `--exclude` in their order.
    pub names_wanted: Vec<(bool, String)>,
    pub exclude_dir: Vec<String>,
    pub label: String,
}

const OPTIONS: &[Opt] = &[
    flag("E", "extended-regexp", "PATTERNS are extended regular expressions"),
    flag("F", "fixed-strings", "PATTERNS are strings"),
    flag("G", "basic-regexp", "PATTERNS are basic regular expressions (default)"),
    flag("P", "perl-regexp", "PATTERNS are Perl regular expressions"),
    value("e", "regexp", "use VALUE for matching"),
    value("f", "file", "take patterns from file VALUE"),
    flag("iy", "ignore-case", "letters match in either case"),
    flag("", "no-ignore-case", ""),
    flag("w", "word-regexp", "match whole words only"),
    flag("x", "line-regexp", "match whole lines only"),
    flag("z", "null-data", "lines end with NUL, not newline"),
    flag("s", "no-messages", "no messages about files that cannot be read"),
    flag("v", "invert-match", "select lines that do not match"),
    flag("V", "", ""),
    value("m", "max-count", "stop after VALUE selected lines"),
    flag("b", "byte-offset", "print the offset of each line"),
    flag("n", "line-number", "print the number of each line"),
    flag("", "line-buffered", "write every line at once"),
    flag("H", "with-filename", "print the file's name with each line"),
    flag("h", "no-filename", "do not print file names"),
    value("", "label", "the name of standard input"),
    flag("o", "only-matching", "print only the parts that match"),
    flag("q", "quiet", "print nothing, only the status"),
    flag("", "silent", ""),
    value("", "binary-files", "binary, text or without-match"),
    flag("a", "text", "as --binary-files=text"),
    flag("I", "", "as --binary-files=without-match"),
    value("d", "directories", "read, recurse or skip"),
    value("D", "devices", "read or skip"),
    flag("r", "recursive", "search all below directories"),
    flag("R", "dereference-recursive", "as -r, follow symbolic links"),
    value("", "include", "search only files that match VALUE"),
    value("", "exclude", "leave out files that match VALUE"),
    value("", "exclude-from", "leave out files that match a pattern in file VALUE"),
    value("", "exclude-dir", "leave out directories that match VALUE"),
    flag("L", "files-without-match", "print names of files without a match"),
    flag("l", "files-with-matches", "print names of files with a match"),
    flag("c", "count", "print how many lines are selected in each file"),
    flag("T", "initial-tab", "line up with tabs"),
    flag("Z", "null", "NUL after file names"),
    value("B", "before-context", "print VALUE lines before"),
    value("A", "after-context", "print VALUE lines after"),
    value("C", "context", "print VALUE lines before and after"),
    flag("0123456789", "", ""),
    value("", "group-separator", "print VALUE between groups with context"),
    flag("", "no-group-separator", "nothing between groups with context"),
    maybe("", "color", "mark matches: always, auto or never"),
    maybe("", "colour", ""),
    flag("U", "binary", ""),
    flag("u", "unix-byte-offsets", ""),
];

const SYNTAX: Syntax = Syntax {
    usage: "[OPTION]... PATTERNS [FILE]...",
    about: "Search for PATTERNS (one a line) in each FILE; - is standard input.\nStatus: 0 if a line is selected, 1 if none, 2 after an error.",
    options: OPTIONS,
    failure: 2,
    ..Syntax::COMMON
};

fn fail(message: impl std::fmt::Display) -> u8 {
    text::complain("grep", message);
    2
}

impl Options {
    /// Returns whether no line of any file can be selected, and so nothing needs to be read.
    pub(super) fn selects_nothing(&self) -> bool {
        let narrow = self.narrow.word || self.narrow.line;
        let none = self.patterns.is_empty() && !self.invert;
        let all_but_all = self.invert && !narrow && !self.patterns.is_empty() && self.patterns.iter().all(Vec::is_empty);
        self.mode != Mode::Without && (self.most == Some(0) || none || all_but_all)
    }

    /// Returns what applies to a command line without options.
    fn usual(name: &str) -> Self {
        Self {
            patterns: Vec::new(),
            style: match name {
                "egrep" => Style::Extended,
                "fgrep" => Style::Fixed,
                _ => Style::Basic,
            },
            narrow: Narrow::default(),
            files: Vec::new(),
            mode: Mode::Lines,
            invert: false,
            quiet: false,
            silent: false,
            numbers: false,
            offsets: false,
            names: false,
            null_names: false,
            tabs: false,
            color: None,
            line_buffered: false,
            context: false,
            before: 0,
            after: 0,
            separator: Some("--".into()),
            most: None,
            binary: Binary::Report,
            directories: if name == "rgrep" { Directories::Recurse } else { Directories::Read },
            skip_devices: false,
            names_wanted: Vec::new(),
            exclude_dir: Vec::new(),
            label: "(standard input)".into(),
        }
    }

    /// Reads the command line; the error is the exit status, after its message.
    pub(super) fn read(args: &[OsString]) -> Result<Self, u8> {
        let line = SYNTAX.parse(args)?;
        let name = text::name(args);
        let mut o = Self::usual(&name);
        let mut asked = Asked::default();
        for option in &line.options {
            asked.option(args, option, &mut o)?;
        }
        if !asked.digits.is_empty() {
            asked.both = Some(number(&asked.digits)?);
        }
        o.context = asked.before.or(asked.after).or(asked.both).is_some();
        o.before = asked.before.or(asked.both).unwrap_or(0);
        o.after = asked.after.or(asked.both).unwrap_or(0);
        if o.mode == Mode::Lines && asked.count {
            o.mode = Mode::Count;
        } else if o.mode == Mode::Lines && asked.parts {
            o.mode = Mode::Parts;
        }
        let mut operands = line.operands.into_iter();
        if !asked.given {
            let Some(pattern) = operands.next() else {
                eprintln!("Usage: {name} [OPTION]... PATTERNS [FILE]...\nTry '{name} --help' for more information.");
                return Err(2);
            };
            o.patterns.extend(pattern.as_encoded_bytes().split(|b| *b == b'\n').map(<[u8]>::to_vec));
        }
        // In the C locale characters are bytes.
        o.narrow.bytes = text::locale_is_c();
        o.files = operands.collect();
        let recursive = matches!(o.directories, Directories::Recurse | Directories::RecurseLinks);
        let implied = o.files.is_empty();
        if implied {
            o.files.push(if recursive { ".".into() } else { "-".into() });
        }
        let one_directory = o.files.len() == 1 && recursive && sys::stat(o.files[0].as_ref(), true).is_ok_and(|s| s.is_dir());
        o.names = asked.names.unwrap_or(o.files.len() > 1 || one_directory);
        if implied && recursive {
            // GNU prints names without `./` when it searches the working directory by default.
            o.files[0] = OsString::new();
        }
        Ok(o)
    }
}

/// What options ask for that is settled only when all of them are read.
#[derive(Default)]
struct Asked {
    /// Patterns were given by options.
    given: bool,
    names: Option<bool>,
    parts: bool,
    count: bool,
    style: Option<&'static str>,
    before: Option<usize>,
    after: Option<usize>,
    both: Option<usize>,
    /// The digits of `-4`.
    digits: String,
}

impl Asked {
    fn option(&mut self, args: &[OsString], option: &Given, o: &mut Options) -> Result<(), u8> {
        let value = option.text();
        match option.key {
            "extended-regexp" | "fixed-strings" | "basic-regexp" | "perl-regexp" => {
                if self.style.is_some_and(|style| style != option.key) {
                    return Err(fail("conflicting matchers specified"));
                }
                self.style = Some(option.key);
                o.style = match option.key {
                    "extended-regexp" => Style::Extended,
                    "fixed-strings" => Style::Fixed,
                    "basic-regexp" => Style::Basic,
                    _ => Style::Perl,
                };
            }
            "regexp" => {
                self.given = true;
                let bytes = option.value.as_ref().map(|v| v.as_encoded_bytes().to_vec()).unwrap_or_default();
                o.patterns.extend(bytes.split(|b| *b == b'\n').map(<[u8]>::to_vec));
            }
            "file" => {
                self.given = true;
                o.patterns.extend(patterns_of(&value)?);
            }
            "ignore-case" => o.narrow.ignore_case = true,
            "no-ignore-case" => o.narrow.ignore_case = false,
            "word-regexp" => o.narrow.word = true,
            "line-regexp" => o.narrow.line = true,
            "null-data" => o.narrow.null_data = true,
            "no-messages" => o.silent = true,
            "invert-match" => o.invert = true,
            "V" => {
                println!("grep (wisp coreutils) {}", env!("CARGO_PKG_VERSION"));
                return Err(0);
            }
            "max-count" => match value.parse::<i64>() {
                Ok(most) => o.most = u64::try_from(most).ok(),
                Err(_) => return Err(fail("invalid max count")),
            },
            "byte-offset" => o.offsets = true,
            "line-number" => o.numbers = true,
            "line-buffered" => o.line_buffered = true,
            "with-filename" => self.names = Some(true),
            "no-filename" => self.names = Some(false),
            "label" => o.label = value,
            "only-matching" => self.parts = true,
            "quiet" | "silent" => o.quiet = true,
            "text" => o.binary = Binary::Text,
            "I" => o.binary = Binary::Skip,
            "binary-files" => {
                o.binary = match value.as_str() {
                    "binary" => Binary::Report,
                    "text" => Binary::Text,
                    "without-match" => Binary::Skip,
                    _ => return Err(fail("unknown binary-files type")),
                }
            }
            "directories" => {
                o.directories = match SYNTAX.word(args, "--directories", &value, &[&["read"], &["recurse"], &["skip"]])? {
                    "read" => Directories::Read,
                    "recurse" => Directories::Recurse,
                    _ => Directories::Skip,
                }
            }
            "devices" => match value.as_str() {
                "read" | "skip" => o.skip_devices = value == "skip",
                _ => return Err(fail("unknown devices method")),
            },
            "recursive" => o.directories = Directories::Recurse,
            "dereference-recursive" => o.directories = Directories::RecurseLinks,
            "include" | "exclude" => o.names_wanted.push((option.key == "include", value)),
            "exclude-from" => {
                let text = |p: Vec<u8>| (false, String::from_utf8_lossy(&p).into_owned());
                o.names_wanted.extend(patterns_of(&value)?.into_iter().map(text));
            }
            "exclude-dir" => o.exclude_dir.push(value.trim_end_matches('/').to_owned()),
            "files-without-match" => o.mode = Mode::Without,
            "files-with-matches" => o.mode = Mode::With,
            "count" => self.count = true,
            "initial-tab" => o.tabs = true,
            "null" => o.null_names = true,
            "before-context" => self.before = Some(number(&value)?),
            "after-context" => self.after = Some(number(&value)?),
            "context" => self.both = Some(number(&value)?),
            "0123456789" => self.digits.extend(option.letter),
            "group-separator" => o.separator = Some(value),
            "no-group-separator" => o.separator = None,
            "color" | "colour" => {
                let wanted = match value.as_str() {
                    "always" | "yes" | "force" => true,
                    "never" | "no" | "none" => false,
                    _ => sys::is_terminal(1) && std::env::var("TERM").is_ok_and(|t| t != "dumb"),
                };
                o.color = wanted.then(Colors::read);
            }
            _ => {}
        }
        Ok(())
    }
}

/// Parses a number of lines of context.
fn number(text: &str) -> Result<usize, u8> {
    match text.parse() {
        Ok(number) => Ok(number),
        // More lines than there can be.
        Err(_) if !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) => Ok(usize::MAX),
        Err(_) => Err(fail(format!("{text}: invalid context length argument"))),
    }
}

fn patterns_of(file: &str) -> Result<Vec<Vec<u8>>, u8> {
    let mut bytes = Vec::new();
    let read = if file == "-" {
        std::io::stdin().lock().read_to_end(&mut bytes)
    } else {
        std::fs::File::open(file).and_then(|mut f| f.read_to_end(&mut bytes))
    };
    read.map_err(|error| fail(format!("{file}: {}", text::reason(&error))))?;
    let text = bytes.strip_suffix(b"\n").unwrap_or(&bytes);
    Ok(if bytes.is_empty() { Vec::new() } else { text.split(|b| *b == b'\n').map(<[u8]>::to_vec).collect() })
}
