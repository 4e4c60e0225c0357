//! `awk`: POSIX's language with gawk's additions.

mod array;
mod ast;
mod builtin;
mod builtins;
mod compile;
mod compile_expr;
mod csv;
mod expr;
mod format;
mod inplace;
mod input;
mod lexer;
mod machine;
mod math;
mod names;
mod number;
mod ops;
mod output;
mod parser;
mod reader;
mod record;
mod slots;
mod sort;
mod sources;
mod special;
mod statements;
mod streams;
mod strings;
mod time;
mod value;
mod vm;
mod vm_parts;

use crate::{sys, text};

/// Returns a text in lower case.
pub(crate) fn lower(text: &[u8]) -> Vec<u8> {
    strings::map_case(text, false, sys::utf8())
}

pub(crate) use time::zone;

/// Returns a number in a format of `printf`.
pub(crate) fn printf(by: &str, n: f64) -> Vec<u8> {
    let mut out = Vec::new();
    format::number(n, by.as_bytes(), &mut out);
    out
}
use machine::{Machine, Stop};
use std::ffi::OsString;

/// What the command line says.
#[derive(Default)]
struct Line {
    /// The pieces of the program: the file, if the piece is from one, and the text.
    sources: Vec<sources::Piece>,
    libraries: Vec<sources::Piece>,
    separator: Option<Vec<u8>>,
    assignments: Vec<Vec<u8>>,
    operands: Vec<Vec<u8>>,
    sandbox: bool,
    in_place: Option<Vec<u8>>,
    csv: bool,
}

const USAGE: &str = "Usage: awk [-F fs] [-v var=value]... [-f progfile | -e program | 'program'] [file | var=value]...
Run a program on every record of the input.

  -F fs, --field-separator=fs   what separates fields
  -v var=val, --assign=var=val  assign a variable before the program begins
  -f file, --file=file          the program is in this file; may be given several times
  -e text, --source=text        the program's text
  -i file, --include=file       a library; `inplace` edits the files (-v inplace::suffix=.bak keeps the old ones)
  -E file, --exec=file          as -f, and nothing after it is an option
  -S, --sandbox                 no commands, no redirections
  -k, --csv                     the input is comma-separated values: quoted fields may have commas and newlines
  -b, --characters-as-bytes     every byte is a character
  -n, --non-decimal-data        numbers of the input may be 0x1F or 017
  -W word                       the same as --word
  -c, --traditional   -P, --posix   -r, --re-interval   -O, --optimize   -s, --no-optimize   -t, --lint-old
  -M, --bignum   -N, --use-lc-numeric   -L, --lint   -l, --load   -d -D -o -p -g -I
                                accepted; they change nothing here
  -h, --help   -V, --version
";

/// Runs `awk`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    let name = text::name(&args);
    let line = match read(&name, args) {
        Ok(line) => line,
        Err(status) => return status,
    };
    match start(&name, line) {
        Ok(status) | Err(status) => status,
    }
}

fn read(name: &str, args: Vec<OsString>) -> Result<Line, u8> {
    let mut line = Line::default();
    let mut rest: std::collections::VecDeque<Vec<u8>> = args.into_iter().skip(1).map(|a| sys::bytes(&a).to_vec()).collect();
    let fail = |message: String| {
        eprintln!("{name}: {message}\n{USAGE}");
        Err(1)
    };
    while let Some(arg) = rest.front().cloned() {
        if arg.len() < 2 || arg[0] != b'-' {
            break;
        }
        rest.pop_front();
        if arg == b"--" {
            break;
        }
        let (letter, mut value) = match arg.strip_prefix(b"--") {
            Some(long) => {
                let (word, value) = match long.iter().position(|b| *b == b'=') {
                    Some(at) => (&long[..at], Some(long[at + 1..].to_vec())),
                    None => (long, None),
                };
                match long_option(word) {
                    Some(letter) => (letter, value),
                    None if !line.sources.is_empty() => {
                        rest.push_front(arg);
                        break;
                    }
                    None => return fail(format!("unrecognized option '--{}'", String::from_utf8_lossy(word))),
                }
            }
            None => {
                let tail = arg[2..].to_vec();
                // Letters without a value may be bundled.
                if !b"FvfeiElLdDopW".contains(&arg[1]) && !tail.is_empty() {
                    rest.push_front([b"-".as_slice(), &tail].concat());
                }
                (arg[1], (!tail.is_empty()).then_some(tail))
            }
        };
        if b"FvfeiElW".contains(&letter) && value.is_none() {
            value = rest.pop_front();
            if value.is_none() {
                return fail(format!("option requires an argument -- '{}'", char::from(letter)));
            }
        }
        let value = value.unwrap_or_default();
        match letter {
            b'F' => line.separator = Some(value),
            b'v' => line.assignments.push(value),
            b'e' => line.sources.push((None, value)),
            b'i' if value == b"inplace" && !std::path::Path::new("inplace").exists() => line.in_place = Some(Vec::new()),
            b'i' => line.libraries.push(sources::load(name, &value)?),
            b'f' | b'E' => {
                line.sources.push(sources::load(name, &value)?);
                if letter == b'E' {
                    break;
                }
            }
            b'S' => line.sandbox = true,
            b'k' => line.csv = true,
            b'n' => number::NON_DECIMAL.store(true, std::sync::atomic::Ordering::Relaxed),
            b'b' => sys::bytes_only(),
            // `-W word` is `--word`.
            b'W' => rest.push_front([b"--".as_slice(), &value].concat()),
            b'h' => {
                print!("{USAGE}");
                return Err(0);
            }
            b'V' => {
                println!("GNU Awk 5.2.1 compatible awk (wisp {})", env!("CARGO_PKG_VERSION"));
                return Err(0);
            }
            b'c' | b'P' | b'r' | b'O' | b's' | b't' | b'M' | b'N' | b'g' | b'I' | b'L' | b'l' | b'd' | b'o' | b'p' => {}
            // After -f, an unknown option and everything after it are operands of the program.
            _ if !line.sources.is_empty() => {
                rest.push_front(arg);
                break;
            }
            other => return fail(format!("invalid option -- '{}'", char::from(other))),
        }
    }
    line.operands = rest.into();
    if line.sources.is_empty() {
        if line.operands.is_empty() {
            eprint!("{USAGE}");
            return Err(1);
        }
        let program = line.operands.remove(0);
        line.sources.push((None, program));
    }
    Ok(line)
}

fn long_option(word: &[u8]) -> Option<u8> {
    const LONG: &[(&str, u8)] = &[
        ("field-separator", b'F'),
        ("assign", b'v'),
        ("file", b'f'),
        ("source", b'e'),
        ("include", b'i'),
        ("exec", b'E'),
        ("sandbox", b'S'),
        ("help", b'h'),
        ("version", b'V'),
        ("characters-as-bytes", b'b'),
        ("csv", b'k'),
        ("traditional", b'c'),
        ("posix", b'P'),
        ("re-interval", b'r'),
        ("non-decimal-data", b'n'),
        ("optimize", b'O'),
        ("no-optimize", b's'),
        ("lint", b'L'),
        ("lint-old", b't'),
        ("bignum", b'M'),
        ("use-lc-numeric", b'N'),
        ("load", b'l'),
    ];
    let word = std::str::from_utf8(word).ok()?;
    let mut found = LONG.iter().filter(|(long, _)| long.starts_with(word));
    let first = found.next()?;
    let exact = LONG.iter().find(|(long, _)| *long == word);
    if exact.is_none() && found.next().is_some() {
        return None;
    }
    Some(exact.unwrap_or(first).1)
}

fn start(name: &str, line: Line) -> Result<u8, u8> {
    let mut whole = sources::Assembler::new(name, &line.sources);
    line.libraries.iter().try_for_each(|piece| whole.include(piece, 0))?;
    line.sources.iter().try_for_each(|piece| whole.add(piece, 0))?;
    // The end of the text is not a line of its own.
    whole.text.pop();
    let (source, places) = (whole.text, whole.places);
    let place = |number: usize| format!("{name}: {}:", places.show(number));
    let (program, warnings) = parser::parse(source).map_err(|failures| {
        for failure in failures {
            let place = place(failure.line);
            match failure.place {
                Some((text, column)) => eprintln!("{place} {text}\n{place} {}^ {}", " ".repeat(column), failure.message),
                None => eprintln!("{place} {}", failure.message),
            }
        }
        1_u8
    })?;
    for (number, warning) in warnings {
        eprintln!("{} warning: {warning}", place(number));
    }
    let compiled = compile::compile(&program).map_err(|(number, message)| {
        eprintln!("{} {message}", place(number));
        if message.starts_with("fatal") { 2_u8 } else { 1 }
    })?;
    for source in &compiled.regexes {
        let options =
            crate::regex::Options { flavor: crate::regex::Flavor::Awk, fold: false, lines: false, utf8: sys::utf8(), posix: false };
        if let Err(error) = crate::regex::Regex::check(source, options) {
            eprintln!("{} error: {error}: /{}/", place(1), String::from_utf8_lossy(source));
            return Err(1);
        }
    }
    let mut args = vec![name.as_bytes().to_vec()];
    args.extend(line.operands);
    let mut machine = Machine::new(name.to_owned(), compiled, args);
    machine.main.places = places;
    for source in &machine.code.regexes {
        lexer::odd_escapes(source, &mut machine.warned);
    }
    if line.csv {
        machine.read_csv();
    }
    machine.sandbox = line.sandbox;
    if let Some(separator) = line.separator
        && let Err(stop) = machine.assign_by_name("FS", &separator)
    {
        return Err(machine.report(stop));
    }
    machine.in_place = line.in_place;
    for assignment in &line.assignments {
        let suffix = [b"inplace::suffix=".as_slice(), b"INPLACE_SUFFIX="].iter().find_map(|key| assignment.strip_prefix(*key));
        if let (Some(suffix), Some(kept)) = (suffix, &mut machine.in_place) {
            *kept = suffix.to_vec();
            continue;
        }
        let result = match input::assignment(assignment) {
            Some((name, value)) => machine.assign_by_name(name, value),
            None => {
                let shown = String::from_utf8_lossy(assignment.split(|b| *b == b'=').next().unwrap_or_default()).into_owned();
                text::complain(name, format!("fatal: `{shown}' is not a legal variable name"));
                return Err(2);
            }
        };
        if let Err(stop) = result {
            return Err(machine.report(stop));
        }
    }
    Ok(machine.execute())
}

impl Machine {
    /// Reports a fatal error; returns the status to exit with.
    fn report(&mut self, stop: Stop) -> u8 {
        if let Stop::Unopened(message) = &stop {
            let _ = self.streams.flush_output();
            eprintln!("{}: fatal: {message}", self.name);
            return 2;
        }
        if let Stop::Fatal(message) = stop {
            let _ = self.streams.flush_output();
            eprintln!("{}: {}fatal: {message}", self.name, self.place());
            return 2;
        }
        self.status
    }

    /// Runs the program to its end.
    fn execute(&mut self) -> u8 {
        let mut result = self.pieces(self.code.begin.clone()).map_err(|stop| stop.within("BEGIN"));
        if result.is_ok()
            && let Some(main) = self.code.main
        {
            result = self.records(main as usize);
        }
        if !matches!(result, Err(Stop::Fatal(_) | Stop::Unopened(_))) {
            self.unwind();
            if let Err(stop) = self.end_replacing() {
                return self.report(stop);
            }
            let end = self.pieces(self.code.end.clone()).map_err(|stop| stop.within("END"));
            result = if matches!(result, Err(Stop::Exit)) && end.is_ok() { result } else { end };
        }
        let status = match result {
            Ok(()) | Err(Stop::Exit | Stop::Next | Stop::NextFile) => self.status,
            Err(stop) => self.report(stop),
        };
        match self.streams.finish() {
            Ok(()) => status,
            Err(error) => {
                eprintln!("{}: fatal: write failure ({})", self.name, text::reason(&error));
                2
            }
        }
    }

    fn pieces(&mut self, pieces: Vec<u32>) -> Result<(), Stop> {
        pieces.into_iter().try_for_each(|at| self.run(at as usize))
    }

    fn records(&mut self, main: usize) -> Result<(), Stop> {
        while self.next_record(None)? {
            match self.run(main) {
                Ok(()) => {}
                Err(Stop::Next) => self.unwind(),
                Err(Stop::NextFile) => {
                    self.unwind();
                    self.skip_file()?;
                }
                Err(stop) => return Err(stop),
            }
        }
        Ok(())
    }
}
