//! `dc`: the calculator in reverse Polish notation.

mod arithmetic;
mod registers;
mod stack;

use super::number::{Number, wrapped};
use crate::options::{Line, Syntax, value};
use crate::text;
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

/// What happens after a command.
struct Done {
    /// Where the next command begins.
    next: usize,
    /// A macro to run first.
    call: Option<Vec<u8>>,
    /// How many macros to leave.
    leave: Option<usize>,
}

impl Done {
    /// Continues at `next`.
    fn upto(next: usize) -> Self {
        Self { next, call: None, leave: None }
    }
}

/// How a program ended.
enum Flow {
    Next,
    /// `q`, `Q`: leave the program.
    Leave,
}

/// Runs `dc`.
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
        // Line by line; a string may span several.
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
        // Earlier output comes first; if it cannot be written, the end of the program reports it.
        let _ = self.flush();
        text::complain("dc", message);
    }

    fn show(&self, value: &Value) -> Vec<u8> {
        match value {
            Value::Number(n) => wrapped(&n.show(self.obase), self.width + 1).into_bytes(),
            Value::Text(t) => t.clone(),
        }
    }

    /// Runs a program. Macros nest on a list of their own, not on the call stack.
    fn run(&mut self, source: Vec<u8>) -> Flow {
        let mut frames: Vec<(std::rc::Rc<Vec<u8>>, usize)> = vec![(std::rc::Rc::new(source), 0)];
        while let Some((source, at)) = frames.last_mut() {
            if *at >= source.len() {
                frames.pop();
                continue;
            }
            let (source, start) = (source.clone(), *at);
            let Done { next, call, leave } = self.step(&source, start);
            *at = next;
            // A call at the end of a macro replaces it.
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

    /// Runs the command at `at`.
    fn step(&mut self, s: &[u8], at: usize) -> Done {
        let c = s[at];
        let next = at + 1;
        match c {
            b'0'..=b'9' | b'A'..=b'F' | b'.' | b'_' => return Done::upto(self.read_number(s, at)),
            b'[' => return Done::upto(self.read_string(s, next)),
            b'#' => return Done::upto(s[at..].iter().position(|b| *b == b'\n').map_or(s.len(), |n| at + n)),
            b' ' | b'\t' | b'\n' | b'\r' => {}
            b'p' | b'n' | b'P' => self.print(c),
            b'f' => self.print_stack(),
            b'+' | b'-' | b'*' | b'/' | b'%' | b'^' | b'~' | b'|' => self.arithmetic(c),
            b'v' => self.square_root(),
            b'c' | b'd' | b'r' | b'R' => self.rearrange(c),
            b'z' | b'Z' | b'X' => self.measure(c),
            b'a' => self.character(),
            b'k' | b'i' | b'o' => self.set(c),
            b'K' => self.push_count(self.scale as i64),
            b'I' => self.push_count(i64::from(self.ibase)),
            b'O' => self.push_count(i64::from(self.obase)),
            b's' | b'l' | b'S' | b'L' | b':' | b';' => {
                if let Some(name) = s.get(next) {
                    self.register(c, *name);
                }
                return Done::upto(next + 1);
            }
            b'<' | b'>' | b'=' | b'!' => return self.conditional(s, at),
            b'x' => return Done { call: self.pop_macro(), ..Done::upto(next) },
            b'?' => return Done { call: self.input_line(), ..Done::upto(next) },
            b'q' => return Done { leave: Some(2), ..Done::upto(next) },
            b'Q' => {
                let levels = self.number().and_then(|n| n.to_i64()).unwrap_or(0);
                // One level is the command itself.
                return Done { leave: usize::try_from(levels).ok().filter(|n| *n > 1), ..Done::upto(next) };
            }
            other => self.unimplemented(other),
        }
        Done::upto(next)
    }

    /// Pushes the number at `at`; returns where it ends.
    fn read_number(&mut self, s: &[u8], at: usize) -> usize {
        let negative = s[at] == b'_';
        let start = at + usize::from(negative);
        let mut end = start;
        let mut point = false;
        while let Some(d) = s.get(end) {
            match d {
                b'0'..=b'9' | b'A'..=b'F' => {}
                b'.' if !point => point = true,
                _ => break,
            }
            end += 1;
        }
        let n = Number::read(&String::from_utf8_lossy(&s[start..end]), self.ibase, false);
        self.stack.push(Value::Number(if negative { n.neg() } else { n }));
        end
    }

    /// Pushes the string whose text starts at `start`; returns where the next command begins.
    fn read_string(&mut self, s: &[u8], start: usize) -> usize {
        let mut depth = 1;
        let mut end = start;
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
        self.stack.push(Value::Text(s[start..end.min(s.len())].to_vec()));
        end + 1
    }

    /// Implements `<r`, `>r`, `=r` and their negations: runs the macro in register `r` if the comparison holds.
    fn conditional(&mut self, s: &[u8], at: usize) -> Done {
        let negate = s[at] == b'!';
        let sign_at = at + usize::from(negate);
        let sign = s.get(sign_at).copied().unwrap_or(b' ');
        if !matches!(sign, b'<' | b'>' | b'=') {
            self.complain("dc runs no commands here: use the shell");
            return Done::upto(s.len());
        }
        let mut call = None;
        if let (Some((a, b)), Some(name)) = (self.pair(), s.get(sign_at + 1).copied()) {
            // The top is compared with what is under it.
            let order = b.compare(&a);
            let holds = match sign {
                b'<' => order == Ordering::Less,
                b'>' => order == Ordering::Greater,
                _ => order == Ordering::Equal,
            };
            if holds != negate {
                call = self.macro_of(name);
            }
        }
        Done { call, ..Done::upto(sign_at + 2) }
    }

    /// Returns, for `x`, the macro on top of the stack; a number stays there.
    fn pop_macro(&mut self) -> Option<Vec<u8>> {
        match self.pop()? {
            Value::Text(text) => Some(text),
            number => {
                self.stack.push(number);
                None
            }
        }
    }

    /// Reads, for `?`, a line of standard input, to be run.
    fn input_line(&mut self) -> Option<Vec<u8>> {
        let mut line = Vec::new();
        let read = self.flush().is_ok() && std::io::stdin().lock().read_until(b'\n', &mut line).is_ok();
        read.then_some(line)
    }

    fn unimplemented(&mut self, command: u8) {
        let shown = if command.is_ascii_graphic() { format!("'{}' (0{command:o})", char::from(command)) } else { format!("0{command:o}") };
        // GNU's dc writes its name to one stream and the rest to the other.
        let _ = self.flush();
        eprint!("dc: ");
        self.out.extend(format!("{shown} unimplemented\n").bytes());
    }

    /// Implements `f`: prints the whole stack, the top first.
    fn print_stack(&mut self) {
        for value in self.stack.iter().rev() {
            let mut text = self.show(value);
            text.push(b'\n');
            self.out.extend(text);
        }
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
