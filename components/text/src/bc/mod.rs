//! `bc` and `dc`: calculators with arbitrary precision.

pub(crate) mod dc;
mod keys;
mod lexer;
mod math;
mod number;
mod parser;
mod run;

use crate::options::{Line, Syntax, flag, value};
use crate::text;
use parser::{Parser, Stmt};
use run::{Flow, Machine};
use std::ffi::OsString;

const SYNTAX: Syntax = Syntax {
    usage: "[options] [file ...]",
    about: "An arbitrary precision calculator language.",
    options: &[
        flag("l", "mathlib", "use the predefined math routines"),
        flag("q", "quiet", "don't print initial banner"),
        flag("i", "interactive", "force interactive mode"),
        flag("s", "standard", "non-standard bc constructs are errors"),
        flag("w", "warn", "warn about non-standard bc constructs"),
        value("e", "expression", "run VALUE"),
    ],
    letters: ("h", "v"),
    ..Syntax::COMMON
};

/// Runs `bc`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    SYNTAX.run(&args, run)
}

fn run(_: &[OsString], line: Line) -> u8 {
    let mut machine = Machine::new();
    if line.has("mathlib") {
        machine.math = true;
        machine.set_scale(20);
    }
    let mut sources = Vec::new();
    for given in line.options.iter().filter(|o| o.key == "expression") {
        sources.push(("(standard_in)".to_owned(), format!("{}\n", given.text())));
    }
    for name in &line.operands {
        match text::slurp(name) {
            Ok(bytes) => sources.push((text::show(name), String::from_utf8_lossy(&bytes).into_owned())),
            Err(_) => {
                eprintln!("File {} is unavailable.", text::show(name));
                return 1;
            }
        }
    }
    for (name, source) in sources.drain(..) {
        match source_lines(&mut machine, &name, &source) {
            Ok(true) => {}
            Ok(false) => return finish(&mut machine),
            Err(_) => return 1,
        }
    }
    if line.has("expression") {
        return finish(&mut machine);
    }
    // Line by line, so that a result is printed before the next line is read.
    let mut lines = crate::input::Lines::new(Box::new(crate::input::Stdin));
    let mut keys = keys::Keys::new();
    let (mut pending, mut number) = (Vec::new(), 1);
    loop {
        let ended = match &mut keys {
            None => match lines.line(b'\n', &mut pending) {
                Ok(Some(ended)) => ended,
                Ok(None) | Err(_) => break,
            },
            Some(keys) => match keys.line() {
                keys::Line::Text(line) => {
                    pending.extend(line);
                    true
                }
                keys::Line::Interrupted => {
                    pending.clear();
                    println!("(interrupt) use quit to exit.");
                    continue;
                }
                keys::Line::End => break,
            },
        };
        if !ended && !pending.trim_ascii().is_empty() {
            // In POSIX, a statement ends with its line.
            let _ = machine.flush();
            eprintln!("(standard_in) {number}: syntax error");
            break;
        }
        pending.push(b'\n');
        let source = String::from_utf8_lossy(&pending).into_owned();
        if open(&source) && (keys.is_some() || !lines.at_end().unwrap_or(true)) {
            continue;
        }
        let padded = format!("{}{source}", "\n".repeat(number - 1));
        number += source.matches('\n').count();
        pending.clear();
        match source_lines(&mut machine, "(standard_in)", &padded) {
            Ok(true) if machine.flush().is_ok() => {}
            Ok(_) => break,
            Err(_) => return 1,
        }
    }
    finish(&mut machine)
}

fn finish(machine: &mut Machine) -> u8 {
    u8::from(machine.flush().is_err())
}

/// Returns whether a text continues on the next line: open braces, strings, comments, a backslash at its end.
fn open(source: &str) -> bool {
    let (mut braces, mut parens) = (0_i32, 0_i32);
    let mut rest = source;
    while let Some(at) = rest.find(['{', '}', '"', '#', '/', '(', ')']) {
        let after = &rest[at + 1..];
        match rest.as_bytes()[at] {
            b'{' => braces += 1,
            b'}' => braces -= 1,
            b'(' => parens += 1,
            b')' => parens -= 1,
            b'"' => match after.find('"') {
                Some(end) => {
                    rest = &after[end + 1..];
                    continue;
                }
                None => return true,
            },
            b'#' => {
                rest = after.find('\n').map_or("", |end| &after[end..]);
                continue;
            }
            _ => {
                if let Some(comment) = after.strip_prefix('*') {
                    match comment.find("*/") {
                        Some(end) => {
                            rest = &comment[end + 2..];
                            continue;
                        }
                        None => return true,
                    }
                }
            }
        }
        rest = after;
    }
    let ended = source.trim_end_matches('\n');
    // `define f(x)` and `else` alone on a line, or a line before `{`.
    braces > 0
        || (parens > 0 && ended.ends_with(','))
        || ended.ends_with('\\')
        || (ended.trim_start().starts_with("define") && !source.contains('{'))
        || ended.trim_end().ends_with("else")
        || headed(ended.trim_end())
}

/// Returns whether a text ends with the head of `if`, `while` or `for`, whose body may be on the next line.
fn headed(text: &str) -> bool {
    let mut depth = 0_i32;
    for (at, b) in text.bytes().enumerate().rev() {
        match b {
            b')' => depth += 1,
            b'(' => depth -= 1,
            _ => {}
        }
        if depth == 0 && b != b'(' {
            return false;
        }
        if depth == 0 {
            let word = text[..at].trim_end();
            let start = word.rfind(|c: char| !c.is_ascii_alphanumeric()).map_or(0, |i| i + 1);
            return matches!(&word[start..], "if" | "while" | "for");
        }
    }
    false
}

/// Runs a text; returns false after `quit`.
fn source_lines(machine: &mut Machine, name: &str, source: &str) -> std::io::Result<bool> {
    let tokens = match lexer::words(source) {
        Ok(tokens) => tokens,
        Err((line, message)) => {
            machine.flush()?;
            eprintln!("{name} {line}: {message}");
            return Ok(true);
        }
    };
    let mut parser = Parser::new(tokens);
    loop {
        match parser.line() {
            Ok(None) => return Ok(true),
            Ok(Some(body)) => {
                // `quit` ends bc as soon as it is read.
                if body.iter().any(|s| matches!(s, Stmt::Quit)) && !matches!(body.first(), Some(Stmt::Quit)) {
                    let before: Vec<Stmt> = body.iter().take_while(|s| !matches!(s, Stmt::Quit)).cloned().collect();
                    report(machine, &before)?;
                    return Ok(false);
                }
                if !report(machine, &body)? {
                    return Ok(false);
                }
            }
            Err((line, message)) => {
                machine.flush()?;
                eprintln!("{name} {line}: {message}");
                parser.recover();
            }
        }
    }
}

/// Runs statements and reports errors.
fn report(machine: &mut Machine, body: &[Stmt]) -> std::io::Result<bool> {
    match machine.block(body) {
        Ok(Flow::Halt) => Ok(false),
        Ok(_) => Ok(true),
        Err(message) => {
            machine.flush()?;
            let place = machine.place();
            eprintln!("Runtime error (func={place}, adr=0): {message}");
            Ok(true)
        }
    }
}
