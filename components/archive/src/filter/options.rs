//! The options of the compressors.

use super::{Tool, words};
use crate::codec::Format;
use std::ffi::OsString;

/// The operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    Compress,
    Decompress,
    Test,
    List,
}

/// The settings from the command line.
pub(crate) struct Options {
    pub format: Format,
    pub mode: Mode,
    pub stdout: bool,
    pub keep: bool,
    pub force: bool,
    pub recursive: bool,
    pub verbose: u8,
    pub quiet: bool,
    /// Names and times are stored in the compressed file.
    pub names: bool,
    /// `-N`: unpacked files get their stored names and times.
    pub restore: bool,
    /// `--robot`: lists for programs.
    pub robot: bool,
    pub level: u32,
    pub suffix: OsString,
    pub output: Option<OsString>,
    pub files: Vec<OsString>,
}

const LONG: &[(&str, &str)] = &[
    ("stdout", "c"),
    ("to-stdout", "c"),
    ("decompress", "d"),
    ("uncompress", "d"),
    ("compress", "z"),
    ("force", "f"),
    ("help", "h"),
    ("keep", "k"),
    ("list", "l"),
    ("license", "L"),
    ("no-name", "n"),
    ("name", "N"),
    ("quiet", "q"),
    ("recursive", "r"),
    ("test", "t"),
    ("verbose", "v"),
    ("version", "V"),
    ("fast", "1"),
    ("best", "9"),
    ("small", "s"),
    ("extreme", "e"),
    ("suffix", "S"),
    ("threads", "T"),
    ("format", "F"),
    ("check", "C"),
    ("memlimit", "M"),
    ("memory", "M"),
    ("rm", "R"),
    ("ultra", "u"),
    ("no-progress", "p"),
    ("no-check", "p"),
    ("ascii", "a"),
    ("synchronous", "s"),
    ("rsyncable", "s"),
    ("single-stream", "p"),
    ("no-sparse", "p"),
    ("no-warn", "q"),
    ("block-size", "B"),
    ("long", "p"),
    ("adapt", "p"),
    ("check", "p"),
    ("sparse", "p"),
    ("progress", "p"),
    ("no-dictID", "p"),
    ("robot", "b"),
    ("content-size", "p"),
    ("long-help", "h"),
];

/// Returns letters of each tool; a colon says that a value follows.
fn letters(format: Format) -> &'static str {
    match format {
        Format::Gzip => "acdfhklLnNqrS:tvV123456789",
        Format::Bzip2 => "cdfhkLqstvVz123456789",
        Format::Xz | Format::Lzma => "cdefhHklqQtvVzS:T:F:C:M:0123456789",
        Format::Zstd => "cdfhklqrtvVzo:T:D:M:0123456789",
    }
}

/// Returns the long names that a tool takes.
pub(super) fn long_names(format: Format) -> impl Iterator<Item = &'static str> {
    let known = letters(format);
    let odd = move |letter: &str| match letter {
        "b" | "F" | "C" => matches!(format, Format::Xz | Format::Lzma),
        "R" | "u" | "p" | "B" | "M" => format == Format::Zstd,
        _ => false,
    };
    LONG.iter().filter(move |(_, letter)| known.contains(letter) || odd(letter)).map(|(name, _)| *name)
}

/// Reads the command line; the error is the exit status.
pub(super) fn parse(tool: Tool, args: &[OsString]) -> Result<Options, u8> {
    let options = Options {
        format: tool.format,
        mode: tool.mode,
        stdout: tool.stdout,
        // zstd keeps its inputs unless an option says otherwise.
        keep: tool.format == Format::Zstd,
        force: false,
        recursive: false,
        verbose: 0,
        quiet: false,
        names: true,
        restore: false,
        robot: false,
        level: tool.format.usual_level(),
        suffix: words::suffix(tool.format).into(),
        output: None,
        files: Vec::new(),
    };
    let mut parser = Parser { tool, options, rest: args };
    let mut ended = false;
    while let Some((arg, rest)) = parser.rest.split_first() {
        parser.rest = rest;
        let text = arg.to_string_lossy().into_owned();
        if ended || text == "-" || !text.starts_with('-') {
            parser.options.files.push(arg.clone());
        } else if text == "--" {
            ended = true;
        } else if let Some(long) = text.strip_prefix("--") {
            parser.long(long, &text)?;
        } else {
            parser.short(&text)?;
        }
    }
    Ok(parser.options)
}

struct Parser<'a> {
    tool: Tool,
    options: Options,
    rest: &'a [OsString],
}

impl Parser<'_> {
    fn value(&mut self, attached: &str) -> Result<String, u8> {
        if !attached.is_empty() {
            return Ok(attached.to_owned());
        }
        let Some((value, rest)) = self.rest.split_first() else {
            eprintln!("{}: option requires an argument", self.tool.name);
            return Err(1);
        };
        self.rest = rest;
        Ok(value.to_string_lossy().into_owned())
    }

    fn long(&mut self, long: &str, whole: &str) -> Result<(), u8> {
        let (name, value) = long.split_once('=').unwrap_or((long, ""));
        let exact = LONG.iter().find(|(n, _)| *n == name);
        let short: Vec<&(&str, &str)> = LONG.iter().filter(|(n, _)| n.starts_with(name)).collect();
        let found = exact.or(if short.len() == 1 { short.first().copied() } else { None });
        let Some((_, letter)) = found else { return Err(words::unknown(self.tool, whole)) };
        let valued = letter.chars().all(|c| letters(self.tool.format).contains(&format!("{c}:")));
        let value = if valued { self.value(value)? } else { value.to_owned() };
        // zstd's --fast=N and gzip's long options without a letter have no effect here.
        if self.tool.format == Format::Zstd && name.starts_with("fast") {
            return Ok(());
        }
        if *letter == "b" && !matches!(self.tool.format, Format::Xz | Format::Lzma) {
            return Err(words::unknown(self.tool, whole));
        }
        self.apply(letter.chars().next().unwrap_or(' '), &value, whole)
    }

    fn short(&mut self, whole: &str) -> Result<(), u8> {
        let mut letters_left = whole[1..].chars();
        while let Some(letter) = letters_left.next() {
            let known = letters(self.tool.format);
            if !known.contains(letter) || letter == ':' {
                return Err(words::unknown(self.tool, whole));
            }
            if known.contains(&format!("{letter}:")) {
                let value = self.value(letters_left.as_str())?;
                return self.apply(letter, &value, whole);
            }
            if letter.is_ascii_digit() && self.tool.format == Format::Zstd {
                // Levels of zstd have up to two digits.
                let digits: String = std::iter::once(letter).chain(letters_left.clone().take_while(char::is_ascii_digit)).collect();
                for _ in 1..digits.len() {
                    letters_left.next();
                }
                self.options.level = digits.parse().unwrap_or(3);
                continue;
            }
            self.apply(letter, "", whole)?;
        }
        Ok(())
    }

    fn apply(&mut self, letter: char, value: &str, whole: &str) -> Result<(), u8> {
        let options = &mut self.options;
        match letter {
            'c' => options.stdout = true,
            'd' => options.mode = Mode::Decompress,
            'z' => options.mode = Mode::Compress,
            't' => options.mode = Mode::Test,
            'l' => options.mode = Mode::List,
            'f' => options.force = true,
            'k' => options.keep = true,
            'R' => options.keep = false,
            'r' => options.recursive = true,
            'v' => options.verbose += 1,
            'q' => options.quiet = true,
            'b' => options.robot = true,
            'n' => options.names = false,
            'N' => (options.names, options.restore) = (true, true),
            'S' => {
                options.suffix =
                    if value.starts_with('.') || self.tool.format != Format::Gzip { value.into() } else { format!(".{value}").into() };
            }
            'o' => options.output = Some(value.into()),
            'F' if value == "lzma" || value == "alone" => {
                (options.format, options.suffix) = (Format::Lzma, words::suffix(Format::Lzma).into());
            }
            'F' | 'T' | 'C' | 'M' | 'B' | 'a' | 's' | 'e' | 'u' | 'p' | 'Q' | 'D' => {}
            '0'..='9' => options.level = u32::from(letter) - u32::from('0'),
            'h' | 'H' => {
                print!("{}", words::help(self.tool));
                return Err(0);
            }
            'V' | 'L' => {
                println!("{} (wisp) {}", self.tool.name, env!("CARGO_PKG_VERSION"));
                return Err(0);
            }
            _ => return Err(words::unknown(self.tool, whole)),
        }
        Ok(())
    }
}
