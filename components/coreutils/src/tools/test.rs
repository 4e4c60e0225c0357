//! `test` and `[`. The version of uutils has no mode bits on WASI.

use crate::sys::{self, Kind, Stat};
use crate::text;
use std::ffi::{OsStr, OsString};
use std::path::Path;

const HELP: &str = "Usage: test EXPRESSION
  or:  [ EXPRESSION ]
Evaluate EXPRESSION: status 0 if it is true, 1 if not, 2 if it is wrong.

Text:     -n T  not empty   -z T  empty   A = B   A == B   A != B   A < B   A > B
Numbers:  A -eq B   A -ne B   A -lt B   A -le B   A -gt B   A -ge B
Files:    -e F  exists   -f F  regular   -d F  directory   -h F, -L F  symbolic link   -p F  pipe
          -c F, -b F  device   -S F  socket   -s F  not empty   -r F, -w F, -x F  may be read, written, run
          -u F, -g F, -k F  special bits   -O F, -G F  ours   -N F  changed since it was read   -t N  terminal
          A -nt B  newer   A -ot B  older   A -ef B  the same file
Others:   ( E )   ! E   A -a B  both   A -o B  one of them
";

/// Runs `test` and `[`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    let name = text::name(&args);
    let mut words = &args[1..];
    if name == "[" {
        match words.split_last() {
            Some((last, rest)) if last == "]" => words = rest,
            _ => {
                if words.len() == 1 && (words[0] == "--help" || words[0] == "--version") {
                    print!("{HELP}");
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

/// Returns the value of an expression.
pub(crate) fn evaluate(words: &[OsString]) -> Result<bool, String> {
    if words.is_empty() {
        return Ok(false);
    }
    let mut parser = Parser { words, at: 0 };
    let value = parser.counted(words.len())?;
    match words.get(parser.at) {
        None => Ok(value),
        Some(extra) => Err(format!("extra argument {}", text::quote(extra))),
    }
}

struct Parser<'a> {
    words: &'a [OsString],
    at: usize,
}

impl<'a> Parser<'a> {
    fn peek(&self, ahead: usize) -> Option<&'a OsStr> {
        self.words.get(self.at + ahead).map(OsString::as_os_str)
    }

    fn is(&self, ahead: usize, word: &str) -> bool {
        self.peek(ahead).is_some_and(|w| w == word)
    }

    fn missing<T>(&self) -> Result<T, String> {
        Err(format!("missing argument after {}", self.words.last().map(text::quote).unwrap_or_default()))
    }

    /// Evaluates the next `count` words. Up to four words, POSIX decides by their number.
    fn counted(&mut self, count: usize) -> Result<bool, String> {
        let close = count > 0 && self.is(count - 1, ")");
        match count {
            0 => self.missing(),
            1 => self.one(),
            2 => self.two(),
            3 => self.three(),
            4 if self.is(0, "!") => {
                self.at += 1;
                self.three().map(|v| !v)
            }
            4 if self.is(0, "(") && close => {
                self.at += 1;
                let value = self.two()?;
                self.at += 1;
                Ok(value)
            }
            _ => self.or(),
        }
    }

    fn one(&mut self) -> Result<bool, String> {
        let value = self.peek(0).is_some_and(|w| !w.is_empty());
        self.at += 1;
        Ok(value)
    }

    fn two(&mut self) -> Result<bool, String> {
        let (Some(op), Some(operand)) = (self.peek(0), self.peek(1)) else { return self.missing() };
        if op == "!" {
            self.at += 1;
            return self.one().map(|v| !v);
        }
        if !looks_unary(op) {
            return self.missing();
        }
        self.at += 2;
        unary(op, operand)?.ok_or_else(|| format!("{}: unary operator expected", text::quote(op)))
    }

    fn three(&mut self) -> Result<bool, String> {
        let (Some(a), Some(op), Some(b)) = (self.peek(0), self.peek(1), self.peek(2)) else { return self.missing() };
        if is_binary(op) {
            self.at += 3;
            return binary(a, op, b);
        }
        if a == "!" {
            self.at += 1;
            return self.two().map(|v| !v);
        }
        if a == "(" && b == ")" {
            self.at += 3;
            return Ok(!op.is_empty());
        }
        if op != "-a" && op != "-o" {
            return Err(format!("{}: binary operator expected", text::quote(op)));
        }
        self.or()
    }

    fn or(&mut self) -> Result<bool, String> {
        let mut value = self.and()?;
        while self.is(0, "-o") {
            self.at += 1;
            value |= self.and()?;
        }
        Ok(value)
    }

    fn and(&mut self) -> Result<bool, String> {
        let mut value = self.term()?;
        while self.is(0, "-a") {
            self.at += 1;
            value &= self.term()?;
        }
        Ok(value)
    }

    fn term(&mut self) -> Result<bool, String> {
        let Some(word) = self.peek(0) else { return self.missing() };
        if word == "!" && self.peek(1).is_some() {
            self.at += 1;
            return self.term().map(|v| !v);
        }
        if word == "(" && self.peek(1).is_some() {
            self.at += 1;
            // The words before the `)` if they are at most four, else all words that follow.
            let rest = self.words.len() - self.at;
            let inner = (0..rest.min(4)).skip(1).find(|ahead| self.is(*ahead, ")")).unwrap_or(if rest > 4 { rest } else { rest.min(4) });
            let value = if inner > 4 { self.or()? } else { self.counted(inner)? };
            if !self.is(0, ")") {
                return Err(self.peek(0).map_or_else(|| "')' expected".into(), |w| format!("')' expected, found {}", text::quote(w))));
            }
            self.at += 1;
            return Ok(value);
        }
        // In place of a number, `-l WORD` is the length of a word.
        let left = if word == "-l" && self.peek(2).is_some_and(is_binary) { 2 } else { 1 };
        if let (Some(op), Some(right)) = (self.peek(left), self.peek(left + 1))
            && is_binary(op)
        {
            let length = |word: &OsStr| OsString::from(word.len().to_string());
            let a = if left == 2 { self.peek(1).map_or_else(OsString::new, length) } else { word.to_os_string() };
            let long = right == "-l" && op.to_string_lossy().starts_with('-') && self.peek(left + 2).is_some();
            let b = if long { self.peek(left + 2).map_or_else(OsString::new, length) } else { right.to_os_string() };
            self.at += left + if long { 3 } else { 2 };
            return binary(&a, op, &b);
        }
        if looks_unary(word) {
            let Some(operand) = self.peek(1) else { return self.missing() };
            self.at += 2;
            return unary(word, operand)?.ok_or_else(|| format!("{}: unary operator expected", text::quote(word)));
        }
        self.one()
    }
}

/// Returns whether a word is a dash and a character.
fn looks_unary(word: &OsStr) -> bool {
    word.len() == 2 && word.as_encoded_bytes()[0] == b'-'
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
        "-e" => file(&|_| true),
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

/// Returns a number of any length: sign and digits without leading zeros.
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
            ("! x -o x", false),
            ("( = = = )", true),
            ("-l abc -eq 3", true),
            ("-f = -f", true),
            ("-d /", true),
            ("( a = b ) -o ( c = c )", true),
            ("! = !", true),
        ] {
            assert_eq!(value(text), Ok(want), "{text}");
        }
        assert_eq!(value("a -eq 1").unwrap_err(), "invalid integer 'a'");
        assert_eq!(value("( foo").unwrap_err(), "missing argument after 'foo'");
        assert_eq!(value("! a v -o b v").unwrap_err(), "extra argument 'v'");
        assert_eq!(value("-q x").unwrap_err(), "'-q': unary operator expected");
    }
}
