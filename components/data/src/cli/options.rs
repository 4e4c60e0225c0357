//! jq's options.

use crate::json::{Map, Val, parse_all, parse_one};
use crate::sys;
use std::rc::Rc;

/// What the command line asks for.
#[derive(Default)]
pub(super) struct Options {
    pub program: String,
    pub program_file: Option<String>,
    pub files: Vec<String>,
    pub null_input: bool,
    pub raw_input: bool,
    pub slurp: bool,
    pub sequence: bool,
    pub stream: bool,
    pub stream_errors: bool,
    pub raw: bool,
    pub join: bool,
    pub nul: bool,
    pub ascii: bool,
    pub sorted: bool,
    pub color: Option<bool>,
    pub indent: Option<String>,
    pub unbuffered: bool,
    pub exit_status: bool,
    pub library: Option<Vec<String>>,
    pub named: Map,
    pub positional: Vec<Val>,
}

impl Options {
    /// Returns the variables that the program finds.
    pub(super) fn globals(&self) -> Map {
        let mut map = self.named.clone();
        let named = Val::obj(self.named.clone());
        let args = Val::fields([("positional", Val::arr(self.positional.clone())), ("named", named)]);
        map.insert(Rc::new("ARGS".into()), args);
        let key = Rc::new("JQ_BUILD_CONFIGURATION".to_owned());
        map.entry(key).or_insert_with(|| Val::str("wisp"));
        map
    }
}

const SHORT: &str = "\
Usage:\tjq [OPTIONS] FILTER [FILE...]
\tjq [OPTIONS] --args FILTER [STRING...]
\tjq [OPTIONS] --jsonargs FILTER [JSON...]

jq applies FILTER to every JSON value of its input and prints the results as JSON.
`jq .` prints the input itself. This is wisp's jq; it follows jq 1.7.

Example:

\t$ echo '{\"foo\": 0}' | jq .
\t{
\t  \"foo\": 0
\t}
";

const LONG: &str = "
Command options:
  -n, --null-input          use null as the only input
  -R, --raw-input           every line of the input is a string
  -s, --slurp               all inputs together are one array
  -c, --compact-output      print on one line
  -r, --raw-output          print strings as they are, without quotes
      --raw-output0         the same, with NUL after each output
  -j, --join-output         the same, with nothing after each output
  -a, --ascii-output        escape everything beyond ASCII
  -S, --sort-keys           sort the keys of objects
  -C, --color-output        print in colours
  -M, --monochrome-output   print without colours
      --tab                 indent with tabs
      --indent n            indent with n spaces (at most 7)
      --unbuffered          write each output at once
      --stream              read as events: [path, leaf] and [path]
      --stream-errors       the same, with errors as values
      --seq                 read and write application/json-seq
  -f, --from-file file      read the filter from a file
  -L directory              search modules there
      --arg name value      set $name to a string
      --argjson name value  set $name to a JSON value
      --slurpfile name file set $name to the array of a file's JSON values
      --rawfile name file   set $name to the contents of a file
      --args                the arguments that follow are $ARGS.positional
      --jsonargs            the same, as JSON values
  -e, --exit-status         status 1 if the last output is false or null,
                            4 if there is none
  -V, --version             print the version
  -h, --help                print this help
  --                        ends the options

Named arguments are also in $ARGS.named.
";

/// Returns the help text.
pub(super) fn usage(long: bool) -> String {
    let more = if long { LONG } else { "For listing the command options, use jq --help.\n" };
    format!("{SHORT}{more}")
}

const FLAGS: &[(char, &str)] = &[
    ('s', "slurp"),
    ('r', "raw-output"),
    ('j', "join-output"),
    ('c', "compact-output"),
    ('C', "color-output"),
    ('M', "monochrome-output"),
    ('a', "ascii-output"),
    ('S', "sort-keys"),
    ('R', "raw-input"),
    ('n', "null-input"),
    ('f', "from-file"),
    ('b', "binary"),
    ('e', "exit-status"),
    ('h', "help"),
    ('V', "version"),
    ('\0', "raw-output0"),
    ('\0', "unbuffered"),
    ('\0', "tab"),
    ('\0', "seq"),
    ('\0', "stream"),
    ('\0', "stream-errors"),
    ('\0', "build-configuration"),
];

fn die(message: &str) -> u8 {
    eprintln!(
        "jq: {message}\nUse jq --help for help with command-line options,\nor see the jq manpage, or online docs  at https://jqlang.github.io/jq"
    );
    2
}

/// Reads the command line; the error is the status to end with.
pub(super) fn parse(args: &[String]) -> Result<Options, u8> {
    let mut parser = Parser {
        options: Options { indent: Some("  ".into()), ..Options::default() },
        program: None,
        from_file: false,
        rest: args.get(1..).unwrap_or_default(),
        positional: None,
    };
    parser.run()?;
    let Parser { mut options, program, from_file, .. } = parser;
    let program = match program {
        Some(program) => program,
        None if !sys::is_terminal(1) || !sys::is_terminal(0) => ".".to_owned(),
        None => {
            eprint!("{}", usage(false));
            return Err(2);
        }
    };
    if from_file {
        options.program_file = Some(program);
    } else {
        options.program = program;
    }
    Ok(options)
}

struct Parser<'a> {
    options: Options,
    program: Option<String>,
    from_file: bool,
    rest: &'a [String],
    /// What operands are: files, strings (false) or JSON (true).
    positional: Option<bool>,
}

impl Parser<'_> {
    fn run(&mut self) -> Result<(), u8> {
        let mut ended = false;
        while let Some((arg, rest)) = self.rest.split_first() {
            self.rest = rest;
            let optional = arg.starts_with('-') && arg[1..].starts_with(|c: char| c == '-' || c.is_ascii_alphabetic());
            if ended || !optional {
                self.operand(arg)?;
            } else if arg == "--" {
                ended = true;
            } else if let Some(long) = arg.strip_prefix("--") {
                self.long(long, arg)?;
            } else {
                self.short(&arg[1..], arg)?;
            }
        }
        Ok(())
    }

    fn operand(&mut self, arg: &str) -> Result<(), u8> {
        match (&self.program, self.positional) {
            (None, _) => self.program = Some(arg.to_owned()),
            (_, None) => self.options.files.push(arg.to_owned()),
            (_, Some(false)) => self.options.positional.push(Val::str(arg)),
            (_, Some(true)) => match parse_one(arg) {
                Ok(val) => self.options.positional.push(val),
                Err(_) => return Err(die("invalid JSON text passed to --jsonargs")),
            },
        }
        Ok(())
    }

    fn short(&mut self, letters: &str, arg: &str) -> Result<(), u8> {
        if let Some(folder) = letters.strip_prefix('L') {
            let folder = if folder.is_empty() {
                let Some((folder, rest)) = self.rest.split_first() else {
                    return Err(die("-L takes a parameter: (e.g. -L /search/path or -L/search/path)"));
                };
                self.rest = rest;
                folder
            } else {
                folder
            };
            self.options.library.get_or_insert_default().push(folder.to_owned());
            return Ok(());
        }
        for letter in letters.chars() {
            match FLAGS.iter().find(|(l, _)| *l == letter) {
                Some((_, name)) => self.flag(name)?,
                None => return Err(die(&format!("Unknown option {arg}"))),
            }
        }
        Ok(())
    }

    fn long(&mut self, name: &str, arg: &str) -> Result<(), u8> {
        match name {
            "args" => self.positional = Some(false),
            "jsonargs" => self.positional = Some(true),
            "indent" => self.indent()?,
            "arg" | "argjson" | "slurpfile" | "rawfile" => self.named(name)?,
            "library-path" => self.short("L", arg)?,
            _ => match FLAGS.iter().find(|(_, long)| *long == name) {
                Some((_, name)) => self.flag(name)?,
                None => return Err(die(&format!("Unknown option {arg}"))),
            },
        }
        Ok(())
    }

    fn indent(&mut self) -> Result<(), u8> {
        let Some((count, rest)) = self.rest.split_first() else { return Err(die("--indent takes one parameter")) };
        self.rest = rest;
        let count: i64 = count.parse().unwrap_or(0);
        if !(-1..=7).contains(&count) {
            return Err(die("--indent takes a number between -1 and 7"));
        }
        self.options.indent = if count <= 0 { None } else { Some(" ".repeat(count as usize)) };
        Ok(())
    }

    fn named(&mut self, kind: &str) -> Result<(), u8> {
        let [name, value, rest @ ..] = self.rest else {
            let what = if kind.ends_with("file") {
                "varname filename"
            } else if kind == "arg" {
                "varname value"
            } else {
                "varname text"
            };
            return Err(die(&format!("--{kind} takes two parameters (e.g. --{kind} {what})")));
        };
        self.rest = rest;
        if self.options.named.contains_key(name) {
            return Ok(());
        }
        let val = match kind {
            "arg" => Val::str(value.clone()),
            "argjson" => parse_one(value).map_err(|_| die("invalid JSON text passed to --argjson"))?,
            _ => {
                let bad = |reason: String| {
                    eprintln!("jq: Bad JSON in --{kind} {name} {value}: {reason}");
                    2
                };
                let bytes = std::fs::read(value).map_err(|e| bad(format!("Could not open {value}: {}", sys::reason(&e))))?;
                if kind == "rawfile" { Val::str(String::from_utf8_lossy(&bytes)) } else { Val::arr(parse_all(&bytes).map_err(bad)?) }
            }
        };
        self.options.named.insert(Rc::new(name.clone()), val);
        Ok(())
    }

    fn flag(&mut self, name: &str) -> Result<(), u8> {
        let options = &mut self.options;
        match name {
            "slurp" => options.slurp = true,
            "raw-output" => options.raw = true,
            "raw-output0" => (options.raw, options.nul) = (true, true),
            "join-output" => (options.raw, options.join) = (true, true),
            "compact-output" => options.indent = None,
            "color-output" => options.color = Some(true),
            "monochrome-output" => options.color = Some(false),
            "ascii-output" => options.ascii = true,
            "sort-keys" => options.sorted = true,
            "raw-input" => options.raw_input = true,
            "null-input" => options.null_input = true,
            "from-file" => self.from_file = true,
            "exit-status" => options.exit_status = true,
            "unbuffered" => options.unbuffered = true,
            "tab" => options.indent = Some("\t".into()),
            "seq" => options.sequence = true,
            "stream" => options.stream = true,
            "stream-errors" => (options.stream, options.stream_errors) = (true, true),
            "help" => {
                print!("{}", usage(true));
                return Err(0);
            }
            "version" => {
                println!("jq-1.7.1");
                return Err(0);
            }
            "build-configuration" => {
                println!("wisp");
                return Err(0);
            }
            _ => {}
        }
        Ok(())
    }
}
