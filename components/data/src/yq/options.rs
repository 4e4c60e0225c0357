//! yq's options, mikefarah's yq 4 for the most part.

use crate::json::{Map, Val, parse_one};
use std::rc::Rc;

/// A format of documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Yaml,
    Json,
    Toml,
    /// Output only: `a.b = c` lines, rows.
    Props,
    Csv,
    Tsv,
}

impl Format {
    fn named(name: &str) -> Option<Format> {
        Some(match name {
            "y" | "yaml" | "yml" => Format::Yaml,
            "j" | "json" => Format::Json,
            "t" | "toml" => Format::Toml,
            "p" | "props" => Format::Props,
            "c" | "csv" => Format::Csv,
            "tsv" => Format::Tsv,
            _ => return None,
        })
    }

    /// The format that a file's name tells.
    pub fn of_file(name: &str) -> Format {
        match name.rsplit('.').next() {
            Some("json") => Format::Json,
            Some("toml") => Format::Toml,
            _ => Format::Yaml,
        }
    }
}

/// What the command line asks for.
pub struct Options {
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
  -i, --inplace           write the first file anew
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

/// Read the command line; the error is the status to end with.
pub fn parse(args: &[String]) -> Result<Options, u8> {
    let mut options = Options {
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
    };
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
        let mut value = || attached.or_else(|| rest.next()).ok_or_else(|| die(&format!("flag needs an argument: {name}")));
        let format =
            |text: &str| Format::named(text).ok_or_else(|| die(&format!("unknown format '{text}': yaml, json, toml, props, csv, tsv")));
        match name {
            "eval" | "e" if command => {}
            "eval-all" | "ea" if command => options.all = true,
            "-p" | "--input-format" => {
                let text = value()?;
                options.input = if matches!(text, "auto" | "a") { None } else { Some(format(text)?) };
            }
            "-o" | "--output-format" => {
                let text = value()?;
                options.output = if matches!(text, "auto" | "a") { None } else { Some(format(text)?) };
            }
            "-i" | "--inplace" | "--in-place" => options.in_place = true,
            "-r" | "--unwrapScalar" | "--raw-output" => options.raw = Some(attached != Some("false")),
            "-n" | "--null-input" => options.null_input = true,
            "-s" | "--slurp" => options.all = true,
            "-I" | "--indent" => {
                options.indent = value()?.parse().map_err(|_| die("the indentation must be a number"))?;
                options.indented = true;
            }
            "-c" | "--compact-output" => options.compact = true,
            "-e" | "--exit-status" => options.exit_status = true,
            "-N" | "--no-doc" => options.no_separator = true,
            "-j" | "--tojson" => options.output = Some(Format::Json),
            "-y" | "--yaml-output" | "-Y" => options.output = Some(Format::Yaml),
            "-P" | "--prettyPrint" | "-M" | "--no-colors" | "-C" | "--colors" | "-v" | "--verbose" => {}
            "--from-file" | "-f" => from_file = Some(value()?.to_owned()),
            "--expression" => options.expression = value()?.to_owned(),
            "--arg" => {
                let name = value()?.to_owned();
                let text = rest.next().ok_or_else(|| die("--arg needs a name and a value"))?;
                options.globals.insert(Rc::new(name), Val::str(text));
            }
            "--argjson" => {
                let name = value()?.to_owned();
                let text = rest.next().ok_or_else(|| die("--argjson needs a name and a value"))?;
                options.globals.insert(Rc::new(name), parse_one(text).map_err(|error| die(&error))?);
            }
            "-h" | "--help" => {
                print!("{HELP}");
                return Err(0);
            }
            "-V" | "--version" => {
                println!("yq (wisp) {}", env!("CARGO_PKG_VERSION"));
                return Err(0);
            }
            _ if arg.len() > 2 && arg.starts_with('-') && !arg.starts_with("--") => {
                // Bundles of flags, and values that follow their letter.
                match &arg[..2] {
                    "-o" => options.output = Some(format(arg[2..].trim_start_matches('='))?),
                    "-p" => options.input = Some(format(arg[2..].trim_start_matches('='))?),
                    "-I" => {
                        options.indent = arg[2..].parse().map_err(|_| die("the indentation must be a number"))?;
                        options.indented = true;
                    }
                    _ => {
                        for letter in arg[1..].chars() {
                            match letter {
                                'i' => options.in_place = true,
                                'r' => options.raw = Some(true),
                                'n' => options.null_input = true,
                                's' => options.all = true,
                                'c' => options.compact = true,
                                'e' => options.exit_status = true,
                                'N' => options.no_separator = true,
                                'j' => options.output = Some(Format::Json),
                                'y' => options.output = Some(Format::Yaml),
                                'P' | 'M' | 'C' | 'v' => {}
                                other => return Err(die(&format!("unknown shorthand flag: '{other}' in {arg}"))),
                            }
                        }
                    }
                }
            }
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
