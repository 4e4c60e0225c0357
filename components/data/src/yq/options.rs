//! yq's options, mikefarah's yq 4 for the most part.

use crate::json::{Map, Val, parse_one};
use std::rc::Rc;

/// A format of documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Yaml,
    Json,
    Toml,
    /// Output only: `a.b = c` lines, rows.
    Props,
    Csv,
    Tsv,
}

impl Format {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "y" | "yaml" | "yml" => Self::Yaml,
            "j" | "json" => Self::Json,
            "t" | "toml" => Self::Toml,
            "p" | "props" => Self::Props,
            "c" | "csv" => Self::Csv,
            "tsv" => Self::Tsv,
            _ => return None,
        })
    }

    /// Returns the format that a file's name tells.
    pub(super) fn of_file(name: &str) -> Self {
        match name.rsplit('.').next() {
            Some("json") => Self::Json,
            Some("toml") => Self::Toml,
            _ => Self::Yaml,
        }
    }
}

/// What the command line asks for.
pub(super) struct Options {
    pub expression: String,
    pub files: Vec<String>,
    pub input: Option<Format>,
    pub output: Option<Format>,
    pub in_place: bool,
    pub raw: Option<bool>,
    pub null_input: bool,
    /// All documents of all files at once.
    pub all: bool,
    pub indent: usize,
    /// Whether the indentation was given.
    pub indented: bool,
    pub compact: bool,
    pub exit_status: bool,
    pub no_separator: bool,
    pub globals: Map,
}

const HELP: &str = "Usage: yq [eval|eval-all] [flags] [expression] [file...]

The expression is one of jq's; documents are YAML, JSON or TOML.
  -p, --input-format F    yaml, json, toml (auto: by the file's name)
  -o, --output-format F   yaml, json, toml, props, csv, tsv
  -i, --inplace           write the results back to the first file
  -r, --unwrapScalar      print strings without quotes
  -n, --null-input        no input
  -P, --prettyPrint       block style (always so)
  -I, --indent N          indentation
  -c                      JSON on one line
  -s, --slurp             all documents as one array (eval-all)
  -e, --exit-status       status 1 for null, false or no result
  -N, --no-doc            no --- between documents
  --arg N V, --argjson N V  set $N
";

fn die(message: &str) -> u8 {
    eprintln!("Error: {message}");
    1
}

/// Flags in words, and their letters.
const WORDS: &[(&str, char)] = &[
    ("--inplace", 'i'),
    ("--in-place", 'i'),
    ("--unwrapScalar", 'r'),
    ("--raw-output", 'r'),
    ("--null-input", 'n'),
    ("--slurp", 's'),
    ("--compact-output", 'c'),
    ("--exit-status", 'e'),
    ("--no-doc", 'N'),
    ("--tojson", 'j'),
    ("--yaml-output", 'y'),
    ("--prettyPrint", 'P'),
    ("--no-colors", 'M'),
    ("--colors", 'C'),
    ("--verbose", 'v'),
];

/// Returns the letter of a flag that is given as `-x` or in a word.
fn letter_of(name: &str) -> Option<char> {
    match name.as_bytes() {
        [b'-', letter] => Some(char::from(*letter)),
        _ => WORDS.iter().find(|(word, _)| *word == name).map(|(_, letter)| *letter),
    }
}

fn format(text: &str) -> Result<Format, u8> {
    Format::named(text).ok_or_else(|| die(&format!("unknown format '{text}': yaml, json, toml, props, csv, tsv")))
}

/// Reads a format; `None` is the one that is found by itself.
fn format_or_auto(text: &str) -> Result<Option<Format>, u8> {
    if matches!(text, "auto" | "a") { Ok(None) } else { format(text).map(Some) }
}

impl Options {
    fn new() -> Self {
        Self {
            expression: String::new(),
            files: Vec::new(),
            input: None,
            output: None,
            in_place: false,
            raw: None,
            null_input: false,
            all: false,
            indent: 2,
            indented: false,
            compact: false,
            exit_status: false,
            no_separator: false,
            globals: Map::default(),
        }
    }

    /// Sets the flag of this letter; false where there is none.
    fn set(&mut self, letter: char) -> bool {
        match letter {
            'i' => self.in_place = true,
            'r' => self.raw = Some(true),
            'n' => self.null_input = true,
            's' => self.all = true,
            'c' => self.compact = true,
            'e' => self.exit_status = true,
            'N' => self.no_separator = true,
            'j' => self.output = Some(Format::Json),
            'y' | 'Y' => self.output = Some(Format::Yaml),
            'P' | 'M' | 'C' | 'v' => {}
            _ => return false,
        }
        true
    }

    fn set_indent(&mut self, text: &str) -> Result<(), u8> {
        self.indent = text.parse().map_err(|_| die("the indentation must be a number"))?;
        self.indented = true;
        Ok(())
    }

    /// Sets flags in one word, or a value that follows its letter.
    fn set_bundle(&mut self, arg: &str) -> Result<(), u8> {
        match &arg[..2] {
            "-o" => self.output = Some(format(arg[2..].trim_start_matches('='))?),
            "-p" => self.input = Some(format(arg[2..].trim_start_matches('='))?),
            "-I" => self.set_indent(&arg[2..])?,
            _ => {
                if let Some(other) = arg[1..].chars().find(|letter| !self.set(*letter)) {
                    return Err(die(&format!("unknown shorthand flag: '{other}' in {arg}")));
                }
            }
        }
        Ok(())
    }

    /// Implements `--arg NAME TEXT` and `--argjson NAME JSON`.
    fn set_global(&mut self, flag: &str, name: &str, text: Option<&str>) -> Result<(), u8> {
        let text = text.ok_or_else(|| die(&format!("{flag} needs a name and a value")))?;
        let value = if flag == "--arg" { Val::str(text) } else { parse_one(text).map_err(|error| die(&error))? };
        self.globals.insert(Rc::new(name.to_owned()), value);
        Ok(())
    }
}

/// Reads the command line; the error is the status to end with.
pub(super) fn parse(args: &[String]) -> Result<Options, u8> {
    let mut options = Options::new();
    let mut operands = Vec::new();
    let mut from_file = None;
    let mut rest = args.iter().skip(1).map(String::as_str);
    let mut first = true;
    while let Some(arg) = rest.next() {
        let command = std::mem::take(&mut first);
        let (name, attached) = match arg.split_once('=') {
            Some((name, value)) if arg.starts_with('-') => (name, Some(value)),
            _ => (arg, None),
        };
        if letter_of(name).is_some_and(|letter| options.set(letter)) {
            if letter_of(name) == Some('r') {
                options.raw = Some(attached != Some("false"));
            }
            continue;
        }
        let mut value = || attached.or_else(|| rest.next()).ok_or_else(|| die(&format!("flag needs an argument: {name}")));
        match name {
            "eval" | "e" if command => {}
            "eval-all" | "ea" if command => options.all = true,
            "-p" | "--input-format" => options.input = format_or_auto(value()?)?,
            "-o" | "--output-format" => options.output = format_or_auto(value()?)?,
            "-I" | "--indent" => options.set_indent(value()?)?,
            "-f" | "--from-file" => from_file = Some(value()?.to_owned()),
            "--expression" => options.expression = value()?.to_owned(),
            "--arg" | "--argjson" => {
                let global = value()?;
                options.set_global(name, global, rest.next())?;
            }
            "-h" | "--help" => {
                print!("{HELP}");
                return Err(0);
            }
            "-V" | "--version" => {
                println!("yq (wisp) {}", env!("CARGO_PKG_VERSION"));
                return Err(0);
            }
            _ if arg.len() > 2 && arg.starts_with('-') && !arg.starts_with("--") => options.set_bundle(arg)?,
            _ if arg.starts_with('-') && arg != "-" => return Err(die(&format!("unknown flag: {arg}"))),
            _ => operands.push(arg.to_owned()),
        }
    }
    if let Some(file) = from_file {
        options.expression = std::fs::read_to_string(&file).map_err(|e| die(&format!("open {file}: {}", crate::sys::reason(&e))))?;
    } else if options.expression.is_empty() && !operands.is_empty() {
        // A single operand that is a file is not an expression.
        let file = operands.len() == 1 && std::path::Path::new(&operands[0]).is_file();
        options.expression = if file { ".".into() } else { operands.remove(0) };
    }
    if options.expression.is_empty() {
        options.expression = ".".into();
    }
    options.files = operands;
    Ok(options)
}
