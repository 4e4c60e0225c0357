//! `test` and `[`: uutils' version knows no mode bits on WASI.

use crate::sys::{self, Kind, Stat};
use crate::text;
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// `test` and `[`.
pub fn main(args: Vec<OsString>) -> u8 {
    let name = text::name(&args);
    let mut words = &args[1..];
    if name == "[" {
        match words.split_last() {
            Some((last, rest)) if last == "]" => words = rest,
            _ => {
                if words.len() == 1 && (words[0] == "--help" || words[0] == "--version") {
                    println!("Usage: [ EXPRESSION ]\nEvaluate EXPRESSION: see `help test` of the shell.");
                    return 0;
                }
                text::complain("[", "missing ']'");
                return 2;
            }
        }
    }
    match evaluate(words) {
        Ok(true) => 0,
        Ok(false) => 1,
        Err(message) => {
            text::complain(&name, message);
            2
        }
    }
}

/// The value of an expression; POSIX decides by the number of words up to four.
pub fn evaluate(words: &[OsString]) -> Result<bool, String> {
    match words {
        [] => Ok(false),
        [one] => Ok(!one.is_empty()),
        [not, one] if not == "!" => Ok(one.is_empty()),
        [op, operand] => unary(op, operand)?.ok_or_else(|| format!("{}: unary operator expected", text::quote(op))),
        [a, op, b] if is_binary(op) => binary(a, op, b),
        [not, rest @ ..] if not == "!" && words.len() <= 4 && !words[2..].iter().any(|w| w == "-a" || w == "-o") => {
            evaluate(rest).map(|v| !v)
        }
        [open, middle @ .., close] if open == "(" && close == ")" && words.len() <= 4 => evaluate(middle),
        [_, op, _] if op != "-a" && op != "-o" => Err(format!("{}: binary operator expected", text::quote(op))),
        _ => {
            let mut parser = Parser { words, at: 0 };
            let value = parser.or()?;
            match words.get(parser.at) {
                None => Ok(value),
                Some(extra) => Err(format!("extra argument {}", text::quote(extra))),
            }
        }
    }
}

struct Parser<'a> {
    words: &'a [OsString],
    at: usize,
}

impl Parser<'_> {
    fn peek(&self, ahead: usize) -> Option<&OsStr> {
        self.words.get(self.at + ahead).map(OsString::as_os_str)
    }

    fn or(&mut self) -> Result<bool, String> {
        let mut value = self.and()?;
        while self.peek(0).is_some_and(|w| w == "-o") {
            self.at += 1;
            value |= self.and()?;
        }
        Ok(value)
    }

    fn and(&mut self) -> Result<bool, String> {
        let mut value = self.term()?;
        while self.peek(0).is_some_and(|w| w == "-a") {
            self.at += 1;
            value &= self.term()?;
        }
        Ok(value)
    }

    fn term(&mut self) -> Result<bool, String> {
        let Some(word) = self.peek(0).map(OsStr::to_os_string) else {
            let last = self.words.last().map(text::quote).unwrap_or_default();
            return Err(format!("missing argument after {last}"));
        };
        if word == "!" && self.peek(1).is_some() && !self.peek(1).is_some_and(is_binary) {
            self.at += 1;
            return self.term().map(|v| !v);
        }
        if word == "(" && !self.peek(1).is_some_and(is_binary) {
            self.at += 1;
            let value = self.or()?;
            if self.peek(0).is_none_or(|w| w != ")") {
                return Err("')' expected".into());
            }
            self.at += 1;
            return Ok(value);
        }
        if let (Some(op), Some(right)) = (self.peek(1), self.peek(2))
            && is_binary(op)
        {
            let value = binary(&word, op, right)?;
            self.at += 3;
            return Ok(value);
        }
        if let Some(operand) = self.peek(1)
            && let Some(value) = unary(&word, operand)?
        {
            self.at += 2;
            return Ok(value);
        }
        self.at += 1;
        Ok(!word.is_empty())
    }
}

fn is_binary(op: &(impl AsRef<OsStr> + ?Sized)) -> bool {
    const BINARY: [&str; 14] = ["=", "==", "!=", "<", ">", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef"];
    BINARY.iter().any(|b| op.as_ref() == *b)
}

fn unary(op: &OsStr, operand: &OsStr) -> Result<Option<bool>, String> {
    let op = op.to_string_lossy();
    let path = Path::new(operand);
    let file = |check: &dyn Fn(&Stat) -> bool| Ok(Some(sys::stat(path, true).is_ok_and(|s| check(&s))));
    match op.as_ref() {
        "-n" => Ok(Some(!operand.is_empty())),
        "-z" => Ok(Some(operand.is_empty())),
        "-e" | "-a" => file(&|_| true),
        "-f" => file(&Stat::is_file),
        "-d" => file(&Stat::is_dir),
        "-s" => file(&|s| s.size > 0),
        "-h" | "-L" => Ok(Some(sys::stat(path, false).is_ok_and(|s| s.is_link()))),
        "-r" => file(&|s| s.allows(4)),
        "-w" => file(&|s| s.allows(2)),
        "-x" => file(&|s| s.allows(1)),
        "-b" => file(&|s| s.kind == Kind::Block),
        "-c" => file(&|s| s.kind == Kind::Char),
        "-p" => file(&|s| s.kind == Kind::Fifo),
        "-S" => file(&|s| s.kind == Kind::Socket),
        "-u" => file(&|s| s.mode & 0o4000 != 0),
        "-g" => file(&|s| s.mode & 0o2000 != 0),
        "-k" => file(&|s| s.mode & 0o1000 != 0),
        "-O" | "-G" => file(&|s| s.uid == sys::uid()),
        "-N" => file(&|s| s.mtime > s.atime),
        "-t" => {
            let number = operand.to_string_lossy();
            let number: u32 = number.trim().parse().map_err(|_| format!("invalid integer {}", text::quote(operand)))?;
            Ok(Some(sys::is_terminal(number)))
        }
        _ => Ok(None),
    }
}

fn binary(a: &OsStr, op: &OsStr, b: &OsStr) -> Result<bool, String> {
    let time = |p: &OsStr| sys::stat(p.as_ref(), true).ok().map(|s| s.mtime);
    Ok(match op.to_string_lossy().as_ref() {
        "=" | "==" => a == b,
        "!=" => a != b,
        "<" => a < b,
        ">" => a > b,
        "-nt" => time(a) > time(b),
        "-ot" => time(a) < time(b),
        "-ef" => match (sys::stat(a.as_ref(), true), sys::stat(b.as_ref(), true)) {
            (Ok(a), Ok(b)) => a.same(&b),
            _ => false,
        },
        op => {
            let order = compare(&number(a)?, &number(b)?);
            match op {
                "-eq" => order.is_eq(),
                "-ne" => order.is_ne(),
                "-lt" => order.is_lt(),
                "-le" => order.is_le(),
                "-gt" => order.is_gt(),
                _ => order.is_ge(),
            }
        }
    })
}

/// A number of any length: sign and digits without leading zeros.
fn number(word: &OsStr) -> Result<(bool, String), String> {
    let text = word.to_string_lossy();
    let trimmed = text.trim();
    let (negative, digits) = match trimmed.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, trimmed.strip_prefix('+').unwrap_or(trimmed)),
    };
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(format!("invalid integer {}", text::quote(word)));
    }
    let digits = digits.trim_start_matches('0').to_owned();
    Ok((negative && !digits.is_empty(), digits))
}

fn compare(a: &(bool, String), b: &(bool, String)) -> std::cmp::Ordering {
    let size = |x: &str, y: &str| x.len().cmp(&y.len()).then_with(|| x.cmp(y));
    match (a.0, b.0) {
        (false, false) => size(&a.1, &b.1),
        (true, true) => size(&b.1, &a.1),
        (true, false) => std::cmp::Ordering::Less,
        (false, true) => std::cmp::Ordering::Greater,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Result<bool, String> {
        let words: Vec<OsString> = text.split(' ').map(|w| if w == "''" { "" } else { w }.into()).collect();
        evaluate(&words)
    }

    #[test]
    fn expressions_have_their_value() {
        for (text, want) in [
            ("x", true),
            ("''", false),
            ("! x", false),
            ("-n x", true),
            ("-z x", false),
            ("a = a", true),
            ("a != a", false),
            ("10 -gt 9", true),
            ("-5 -lt 3", true),
            ("99999999999999999999 -gt 1", true),
            ("! a = a", false),
            ("( x )", true),
            ("x -a ''", false),
            ("x -o ''", true),
            ("a = a -a b = b", true),
            ("a = b -o b = b -a c = d", false),
            ("! x -o x", true),
            ("-f = -f", true),
            ("-d /", true),
            ("( a = b ) -o ( c = c )", true),
            ("! = !", true),
        ] {
            assert_eq!(value(text), Ok(want), "{text}");
        }
        assert_eq!(value("a -eq 1").unwrap_err(), "invalid integer 'a'");
        assert_eq!(value("-q x").unwrap_err(), "'-q': unary operator expected");
    }
}
