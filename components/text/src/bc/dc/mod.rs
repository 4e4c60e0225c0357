//! `dc`: the calculator in reverse Polish notation.

mod arithmetic;
mod registers;

use super::number::{Number, wrapped};
use crate::options::{Line, Syntax, value};
use crate::text;
use num_traits::{Signed, ToPrimitive};
use std::cmp::Ordering;
use std::collections::HashMap;
use std::ffi::OsString;
use std::io::{BufRead, Write};

use registers::Register;

const SYNTAX: Syntax = Syntax {
    usage: "[OPTION] [file ...]",
    about: "An arbitrary precision calculator in reverse Polish notation.",
    options: &[value("e", "expression", "evaluate expression"), value("f", "file", "evaluate contents of file")],
    letters: ("h", "V"),
    ..Syntax::COMMON
};

#[derive(Clone)]
enum Value {
    Number(Number),
    Text(Vec<u8>),
}

struct Machine {
    stack: Vec<Value>,
    registers: HashMap<u8, Register>,
    scale: usize,
    ibase: u32,
    obase: u32,
    out: Vec<u8>,
    width: usize,
}

/// What a macro asks of those who called it.
enum Flow {
    Next,
    /// `q`, `Q`: leave the program.
    Leave,
}

/// Run `dc`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    SYNTAX.run(&args, tool)
}

fn tool(_: &[OsString], line: Line) -> u8 {
    let width = std::env::var("DC_LINE_LENGTH").ok().and_then(|w| w.parse().ok()).unwrap_or(70);
    let mut m = Machine { stack: Vec::new(), registers: HashMap::new(), scale: 0, ibase: 10, obase: 10, out: Vec::new(), width };
    let mut sources: Vec<Vec<u8>> = Vec::new();
    let mut read = |name: &std::ffi::OsStr| match text::slurp(name) {
        Ok(bytes) => {
            sources.push(bytes);
            true
        }
        Err(_) => {
            text::complain("dc", format!("Could not open file {}", text::show(name)));
            false
        }
    };
    let mut inline = Vec::new();
    for given in &line.options {
        match (&given.value, given.key) {
            (Some(v), "file") if !read(v) => return 1,
            (Some(_), "file") => {}
            (Some(v), _) => inline.push(crate::sys::bytes(v).to_vec()),
            _ => {}
        }
    }
    for name in &line.operands {
        if !read(name) {
            return 1;
        }
    }
    inline.extend(sources);
    let interactive = inline.is_empty();
    for source in inline {
        if let Flow::Leave = m.run(source) {
            return finish(&mut m);
        }
    }
    if interactive {
        // Line by line; a string may go over several.
        let mut lines = crate::input::Lines::new(Box::new(crate::input::Stdin));
        let mut pending = Vec::new();
        while let Ok(Some(_)) = lines.line(b'\n', &mut pending) {
            pending.push(b'\n');
            let balance = pending.iter().fold(0_i64, |n, b| n + i64::from(*b == b'[') - i64::from(*b == b']'));
            if balance > 0 && !lines.at_end().unwrap_or(true) {
                continue;
            }
            if let Flow::Leave = m.run(std::mem::take(&mut pending)) {
                break;
            }
            if m.flush().is_err() {
                return 1;
            }
        }
    }
    finish(&mut m)
}

fn finish(m: &mut Machine) -> u8 {
    u8::from(m.flush().is_err())
}

impl Machine {
    fn flush(&mut self) -> std::io::Result<()> {
        crate::sys::descriptor(1).write_all(&self.out)?;
        self.out.clear();
        Ok(())
    }

    fn complain(&mut self, message: &str) {
        // What was printed before comes first; if it cannot be written the end of the program says so.
        let _ = self.flush();
        text::complain("dc", message);
    }

    fn pop(&mut self) -> Option<Value> {
        let value = self.stack.pop();
        if value.is_none() {
            self.complain("stack empty");
        }
        value
    }

    fn number(&mut self) -> Option<Number> {
        match self.pop()? {
            Value::Number(n) => Some(n),
            text => {
                self.stack.push(text);
                self.complain("non-numeric value");
                None
            }
        }
    }

    fn pair(&mut self) -> Option<(Number, Number)> {
        if self.stack.len() < 2 {
            self.complain("stack empty");
            return None;
        }
        let b = self.number()?;
        match self.number() {
            Some(a) => Some((a, b)),
            None => {
                self.stack.push(Value::Number(b));
                None
            }
        }
    }

    fn show(&self, value: &Value) -> Vec<u8> {
        match value {
            Value::Number(n) => wrapped(&n.show(self.obase), self.width + 1).into_bytes(),
            Value::Text(t) => t.clone(),
        }
    }

    /// Run a program. Macros are kept on a list of our own, not on the machine's stack.
    fn run(&mut self, source: Vec<u8>) -> Flow {
        let mut frames: Vec<(std::rc::Rc<Vec<u8>>, usize)> = vec![(std::rc::Rc::new(source), 0)];
        while let Some((source, at)) = frames.last_mut() {
            if *at >= source.len() {
                frames.pop();
                continue;
            }
            let (source, start) = (source.clone(), *at);
            let (used, call, leave) = self.step(&source, start);
            *at = used;
            // The last thing a macro does may replace it.
            if call.is_some() && *at >= source.len() && frames.len() > 1 {
                frames.pop();
            }
            if let Some(text) = call {
                if frames.len() > 100_000 {
                    self.complain("macros nested too deeply");
                    return Flow::Next;
                }
                frames.push((std::rc::Rc::new(text), 0));
            }
            if let Some(levels) = leave {
                if levels >= frames.len() {
                    return Flow::Leave;
                }
                frames.truncate(frames.len() - levels);
            }
        }
        Flow::Next
    }

    /// One command: where the next begins, a macro to run, how many to leave.
    fn step(&mut self, s: &[u8], at: usize) -> (usize, Option<Vec<u8>>, Option<usize>) {
        let c = s[at];
        let next = at + 1;
        let mut used = next;
        let mut call = None;
        match c {
            b'0'..=b'9' | b'A'..=b'F' | b'.' | b'_' => {
                let mut end = at + usize::from(c == b'_');
                let mut point = false;
                while let Some(d) = s.get(end) {
                    match d {
                        b'0'..=b'9' | b'A'..=b'F' => {}
                        b'.' if !point => point = true,
                        _ => break,
                    }
                    end += 1;
                }
                let digits = String::from_utf8_lossy(&s[at + usize::from(c == b'_')..end]).into_owned();
                let n = Number::read(&digits, self.ibase, false);
                self.stack.push(Value::Number(if c == b'_' { n.neg() } else { n }));
                used = end;
            }
            b'[' => {
                let mut depth = 1;
                let mut end = next;
                while end < s.len() {
                    match s[end] {
                        b'[' => depth += 1,
                        b']' => depth -= 1,
                        _ => {}
                    }
                    if depth == 0 {
                        break;
                    }
                    end += 1;
                }
                self.stack.push(Value::Text(s[next..end.min(s.len())].to_vec()));
                used = end + 1;
            }
            b'#' => used = s[at..].iter().position(|b| *b == b'\n').map_or(s.len(), |n| at + n),
            b' ' | b'\t' | b'\n' | b'\r' => {}
            b'p' | b'n' | b'P' => self.print(c),
            b'f' => {
                for value in self.stack.iter().rev() {
                    let mut text = self.show(value);
                    text.push(b'\n');
                    self.out.extend(text);
                }
            }
            b'+' | b'-' | b'*' | b'/' | b'%' | b'^' | b'~' | b'|' => self.arithmetic(c),
            b'v' => {
                if let Some(n) = self.number() {
                    match n.sqrt(self.scale) {
                        Some(root) => self.stack.push(Value::Number(root)),
                        None => self.complain("square root of negative number"),
                    }
                }
            }
            b'c' => self.stack.clear(),
            b'd' => {
                if let Some(value) = self.pop() {
                    self.stack.extend([value.clone(), value]);
                }
            }
            b'r' => {
                let length = self.stack.len();
                if length < 2 {
                    self.complain("stack empty");
                } else {
                    self.stack.swap(length - 1, length - 2);
                }
            }
            b'R' => {
                if let Some(n) = self.number().and_then(|n| n.to_i64()) {
                    let length = self.stack.len();
                    let count = (n.unsigned_abs() as usize).min(length);
                    if count > 1 {
                        let part = &mut self.stack[length - count..];
                        if n > 0 { part.rotate_left(1) } else { part.rotate_right(1) }
                    }
                }
            }
            b'z' => self.stack.push(Value::Number(Number::int(self.stack.len() as i64))),
            b'Z' | b'X' => {
                if let Some(value) = self.pop() {
                    let n = match (&value, c) {
                        // Digits, without zeros in front.
                        (Value::Number(n), b'Z') => n.digits.abs().to_str_radix(10).len(),
                        (Value::Text(t), b'Z') => t.len(),
                        (Value::Number(n), _) => n.scale,
                        (Value::Text(_), _) => 0,
                    };
                    self.stack.push(Value::Number(Number::int(n as i64)));
                }
            }
            b'k' | b'i' | b'o' => self.set(c),
            b'K' => self.stack.push(Value::Number(Number::int(self.scale as i64))),
            b'I' => self.stack.push(Value::Number(Number::int(i64::from(self.ibase)))),
            b'O' => self.stack.push(Value::Number(Number::int(i64::from(self.obase)))),
            b's' | b'l' | b'S' | b'L' | b':' | b';' => {
                if let Some(name) = s.get(next) {
                    self.register(c, *name);
                }
                used = next + 1;
            }
            b'<' | b'>' | b'=' | b'!' => {
                let negate = c == b'!';
                let sign = if negate { s.get(next).copied().unwrap_or(b' ') } else { c };
                if negate && !matches!(sign, b'<' | b'>' | b'=') {
                    self.complain("commands are not run from here: use the shell");
                    return (s.len(), None, None);
                }
                let name = s.get(next + usize::from(negate)).copied();
                used = next + usize::from(negate) + 1;
                if let (Some((a, b)), Some(name)) = (self.pair(), name) {
                    // The top is compared with what is under it.
                    let order = b.compare(&a);
                    let truth = match sign {
                        b'<' => order == Ordering::Less,
                        b'>' => order == Ordering::Greater,
                        _ => order == Ordering::Equal,
                    };
                    if truth != negate {
                        call = self.macro_of(name);
                    }
                }
            }
            b'x' => match self.pop() {
                Some(Value::Text(text)) => call = Some(text),
                Some(number) => self.stack.push(number),
                None => {}
            },
            b'?' => {
                let mut line = Vec::new();
                if self.flush().is_ok() && std::io::stdin().lock().read_until(b'\n', &mut line).is_ok() {
                    call = Some(line);
                }
            }
            b'a' => {
                if let Some(value) = self.pop() {
                    let text = match value {
                        Value::Number(n) => vec![(n.with_scale(0).digits & num_bigint::BigInt::from(0xff)).to_u8().unwrap_or(0)],
                        Value::Text(t) => t.into_iter().take(1).collect(),
                    };
                    self.stack.push(Value::Text(text));
                }
            }
            b'q' => return (used, None, Some(2)),
            b'Q' => {
                let levels = self.number().and_then(|n| n.to_i64()).unwrap_or(0);
                // One level is the command itself.
                return (used, None, usize::try_from(levels).ok().filter(|n| *n > 1));
            }
            other => {
                let shown = if other.is_ascii_graphic() { format!("'{}' (0{other:o})", char::from(other)) } else { format!("0{other:o}") };
                // GNU's dc says its name on one stream and the rest on the other.
                let _ = self.flush();
                eprint!("dc: ");
                self.out.extend(format!("{shown} unimplemented\n").bytes());
            }
        }
        (used, call, None)
    }

    fn print(&mut self, how: u8) {
        if how == b'p' {
            match self.stack.last() {
                Some(value) => {
                    let mut text = self.show(value);
                    text.push(b'\n');
                    self.out.extend(text);
                }
                None => self.complain("stack empty"),
            }
            return;
        }
        let Some(value) = self.pop() else { return };
        match (value, how) {
            (Value::Number(n), b'P') => self.out.extend(n.with_scale(0).digits.to_bytes_be().1),
            (value, _) => {
                let text = self.show(&value);
                self.out.extend(text);
            }
        }
    }

    fn set(&mut self, what: u8) {
        let Some(value) = self.pop() else { return };
        let n = if let Value::Number(n) = value { n.to_i64().unwrap_or(-1) } else { -1 };
        match what {
            b'k' if n >= 0 => self.scale = n.min(1_000_000) as usize,
            b'k' => self.complain("scale must be a nonnegative number"),
            b'i' if (2..=16).contains(&n) => self.ibase = n as u32,
            b'i' => self.complain("input base must be a number between 2 and 16 (inclusive)"),
            _ if (2..=999_999_999).contains(&n) => self.obase = n as u32,
            _ => self.complain("output base must be a number greater than 1"),
        }
    }
}
