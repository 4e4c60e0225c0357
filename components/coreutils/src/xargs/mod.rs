//! `xargs`: builds command lines from standard input.

mod delimiter;
mod items;
mod run;

use crate::options::{Given, Line, Opt, Syntax, flag, maybe, value};
use crate::sys::{self, Input};
use crate::text;
use items::Items;
use run::Xargs;
use std::ffi::OsString;
use std::io::Read;

/// The default size of the arguments of one command in bytes, as in GNU's xargs.
const DEFAULT_SIZE: usize = 128 * 1024;
/// The maximum size of arguments, environment and the margin that POSIX requires.
const SPAWN_SIZE: usize = 2 * 1024 * 1024;
const HEADROOM: usize = 2048;

const OPTIONS: &[Opt] = &[
    flag("0", "null", "items end with NUL; quotes and backslashes are not special"),
    value("a", "arg-file", "read items from file VALUE"),
    value("d", "delimiter", "items end with character VALUE"),
    value("E", "", "stop at item VALUE"),
    maybe("e", "eof", ""),
    value("I", "", "replace VALUE in the command with each line"),
    maybe("i", "replace", "as -I, {} without a value"),
    value("L", "", "at most VALUE lines in a command"),
    maybe("l", "max-lines", ""),
    value("n", "max-args", "at most VALUE items in a command"),
    flag("o", "open-tty", ""),
    flag("p", "interactive", "ask before each command"),
    flag("r", "no-run-if-empty", "no command without items"),
    value("s", "max-chars", "at most VALUE bytes in a command line"),
    flag("t", "verbose", "print each command before it runs"),
    flag("", "show-limits", "print how long a command line can be"),
    flag("x", "exit", "fail when a command line would be too long"),
    value("P", "max-procs", "run VALUE commands at once"),
    value("", "process-slot-var", "set variable VALUE in each command to the number of its slot"),
];

const SYNTAX: Syntax = Syntax {
    usage: "[OPTION]... [COMMAND [ARG]...]",
    about: "Run COMMAND (echo by default) with items of standard input as further arguments.\nStatus: 123 if a command failed with 1-125, 124 if one exited with 255, 125 if one was ended by a signal, 126 and 127 if\none cannot run or is not found.",
    options: OPTIONS,
    stop_at_operand: true,
    ..Syntax::COMMON
};

/// Runs `xargs`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    SYNTAX.run(&args, run)
}

fn run(args: &[OsString], line: Line) -> u8 {
    let mut x = Xargs::new(if line.operands.is_empty() { vec!["echo".into()] } else { line.operands.clone() });
    x.slot_variable = line.last_text("process-slot-var");
    x.verbose = line.has("verbose") || line.has("interactive");
    x.ask = line.has("interactive");
    x.exact = line.has("exit");
    x.input = if line.has("arg-file") { Input::Inherit } else { Input::Null };
    let mut reading = Reading { delimiter: None, end: None };
    for given in &line.options {
        if let Err(status) = option(args, given, &mut x, &mut reading) {
            return status;
        }
    }
    if x.slot_variable.as_ref().is_some_and(|name| name.contains('=')) {
        text::complain("xargs", "option --process-slot-var may not be set to a value which includes `='");
        return 1;
    }
    if reading.delimiter.is_some() && reading.end.take().is_some() {
        text::complain("xargs", "warning: the -E option has no effect if -0 or -d is used.\n");
    }
    let source: Box<dyn Read> = match line.last("arg-file").filter(|f| *f != "-") {
        None => Box::new(std::io::stdin().lock()),
        // As for GNU's xargs, a directory is empty.
        Some(file) if sys::stat(file.as_ref(), true).is_ok_and(|stat| stat.is_dir()) => Box::new(std::io::empty()),
        Some(file) => match std::fs::File::open(file) {
            Ok(file) => Box::new(file),
            Err(error) => {
                text::complain("xargs", format!("Cannot open input file {}: {}", text::quote(file), text::reason(&error)));
                return 1;
            }
        },
    };
    if line.has("show-limits") {
        show_limits(x.most_bytes);
    }
    let mut items = Items::new(source, reading.delimiter, x.replace.is_some(), reading.end);
    x.run(&mut items, line.has("no-run-if-empty"));
    x.status.max(u8::from(items.failed))
}

/// How items end.
struct Reading {
    delimiter: Option<u8>,
    end: Option<Vec<u8>>,
}

fn option(args: &[OsString], given: &Given, x: &mut Xargs, reading: &mut Reading) -> Result<(), u8> {
    let text = given.text();
    let letter = given.letter.or_else(|| OPTIONS.iter().find(|o| o.long == given.key)?.short.chars().next()).unwrap_or('?');
    // An option that cancels an earlier one causes a warning.
    let exclude = |earlier: &str, this: &str| {
        let why = format!("options {earlier} and {this} are mutually exclusive, ignoring previous {earlier} value");
        text::complain("xargs", format!("warning: {why}"));
    };
    match given.key {
        "null" => reading.delimiter = Some(0),
        "delimiter" => match delimiter::parse(&text) {
            Ok(byte) => reading.delimiter = Some(byte),
            Err(message) => {
                text::complain("xargs", message);
                return Err(1);
            }
        },
        "E" | "eof" => reading.end = (!text.is_empty()).then(|| text.into_bytes()),
        "I" | "replace" => {
            let this = "--replace/-I/-i";
            if x.most_items.take().is_some() {
                exclude("--max-args", this);
            }
            if x.most_lines.take().is_some() {
                exclude("--max-lines", this);
            }
            x.replace = Some(if given.value.is_none() { "{}".into() } else { text });
        }
        "L" | "max-lines" => {
            let number = if given.value.is_none() { 1 } else { number(args, &text, letter, 1)? };
            let this = if given.key == "L" { "-L" } else { "--max-lines/-l" };
            if x.most_items.take().is_some() {
                exclude("--max-args", this);
            }
            if x.replace.take().is_some() {
                exclude("--replace", this);
            }
            x.most_lines = Some(number);
        }
        "max-args" => {
            let number = number(args, &text, letter, 1)?;
            if number == 1 && x.replace.is_some() {
                return Ok(());
            }
            let this = "--max-args/-n";
            if x.most_lines.take().is_some() {
                exclude("--max-lines", this);
            }
            if x.replace.take().is_some() {
                exclude("--replace", this);
            }
            x.most_items = Some(number);
        }
        "max-procs" => {
            let number = number(args, &text, letter, 0)?;
            x.processes = if number == 0 { usize::MAX } else { number };
        }
        "max-chars" => {
            let number = match integer(&text) {
                Some(number) if number < 1 => {
                    text::complain("xargs", format!("value {text} for -{letter} option should be >= 1"));
                    1
                }
                Some(number) => usize::try_from(number).unwrap_or(usize::MAX),
                None => number(args, &text, letter, 1)?,
            };
            let most = SPAWN_SIZE - HEADROOM - environment();
            if number > most {
                text::complain("xargs", format!("value {text} for -{letter} option should be <= {most}"));
            }
            x.most_bytes = number.min(most);
        }
        _ => {}
    }
    Ok(())
}

/// Parses a number as strtol(3) reads it, after blanks and a sign. A larger number becomes the largest possible.
fn integer(text: &str) -> Option<i64> {
    let text = text.trim_start();
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    Some(text.parse().unwrap_or(if text.starts_with('-') { i64::MIN } else { i64::MAX }))
}

fn number(args: &[OsString], text: &str, letter: char, least: i64) -> Result<usize, u8> {
    match integer(text) {
        Some(number) if number >= least => Ok(usize::try_from(number).unwrap_or(usize::MAX)),
        Some(number) => Err(SYNTAX.misuse(args, &format!("value {number} for -{letter} option should be >= {least}"))),
        None => Err(SYNTAX.misuse(args, &format!("invalid number \"{text}\" for -{letter} option"))),
    }
}

/// Returns the size of the environment in bytes.
fn environment() -> usize {
    sys::environment().iter().map(|line| line.len() + 1).sum()
}

fn show_limits(used: usize) {
    let environment = environment();
    let most = SPAWN_SIZE - HEADROOM - environment;
    eprintln!("Your environment variables take up {environment} bytes");
    eprintln!("POSIX upper limit on argument length (this system): {most}");
    eprintln!("POSIX smallest allowable upper limit on argument length (all systems): 4096");
    eprintln!("Maximum length of command we could actually use: {}", most - environment);
    eprintln!("Size of command buffer we are actually using: {used}");
    eprintln!("Maximum parallelism (--max-procs must be no greater): {}", i32::MAX);
}

#[cfg(test)]
mod tests {
    use super::integer;

    #[test]
    fn numbers_are_read_as_strtol_does() {
        assert_eq!(integer(" +2"), Some(2));
        assert_eq!(integer("-1"), Some(-1));
        assert_eq!(integer("99999999999999999999"), Some(i64::MAX));
        assert_eq!(integer("1x"), None);
        assert_eq!(integer(""), None);
    }
}
