//! `test` and `[`.

use super::text;
use crate::exec::own_descriptor;
use crate::shell::{Run, Shell};
use crate::sym::{intern, is_name};
use crate::sys::{self, Kind};

/// Compares numbers for `-eq` and similar operators.
pub fn compare(op: &[u8], left: i64, right: i64) -> bool {
    match op {
        b"-eq" => left == right,
        b"-ne" => left != right,
        b"-lt" => left < right,
        b"-le" => left <= right,
        b"-gt" => left > right,
        _ => left >= right,
    }
}

fn is_binary(op: &[u8]) -> bool {
    matches!(
        op,
        b"=" | b"==" | b"!=" | b"<" | b">" | b"-eq" | b"-ne" | b"-lt" | b"-le" | b"-gt" | b"-ge" | b"-nt" | b"-ot" | b"-ef" | b"-a" | b"-o"
    )
}

fn is_unary(op: &[u8]) -> bool {
    matches!(op, [b'-', letter] if b"abcdefghknoprstuvwxzGLNORS".contains(letter))
}

impl Shell {
    /// Evaluates `-f file` and the other tests of one operand.
    pub(crate) fn test_unary(&mut self, op: u8, operand: &[u8]) -> bool {
        match op {
            b'n' => return !operand.is_empty(),
            b'z' => return operand.is_empty(),
            b'v' => return self.is_set(operand),
            b'R' => {
                return is_name(operand)
                    && self.vars.get(intern(operand)).is_some_and(|var| var.attrs.has(crate::vars::Attrs::NAMEREF) && !var.is_bare());
            }
            b'o' => return self.opts.long(&text(operand)) == Some(true),
            b't' => {
                let number = std::str::from_utf8(operand).ok().and_then(|text| text.trim().parse().ok());
                return number
                    .and_then(|number| self.fd(number))
                    .is_some_and(|fd| matches!(fd, crate::fds::Fd::File(file) if file.handle().is_terminal()));
            }
            _ => {}
        }
        if operand.is_empty() {
            return false;
        }
        let path = self.absolute(operand);
        let links = matches!(op, b'h' | b'L');
        let own = own_descriptor(operand).is_some();
        let Some(stat) = (if own { self.test_stat(operand) } else { sys::stat(&path, !links).ok() }) else { return false };
        // The platform knows no path for a descriptor of the shell.
        let access = |want: u32| if own { stat.allows(want) } else { sys::access(&path, want) };
        match op {
            b'a' | b'e' => true,
            b'f' => stat.kind == Kind::Regular,
            b'd' => stat.kind == Kind::Directory,
            b'h' | b'L' => stat.kind == Kind::Symlink,
            b'p' => stat.kind == Kind::Fifo,
            b'c' => stat.kind == Kind::CharDevice,
            b'b' => stat.kind == Kind::BlockDevice,
            b'S' => stat.kind == Kind::Socket,
            b's' => stat.size > 0,
            b'r' => access(4),
            b'w' => access(2),
            b'x' => access(1),
            b'O' | b'G' => stat.uid == sys::uid(),
            b'u' => stat.mode & 0o4000 != 0,
            b'g' => stat.mode & 0o2000 != 0,
            b'k' => stat.mode & 0o1000 != 0,
            b'N' => stat.modified > stat.accessed,
            _ => false,
        }
    }

    /// Returns the file at a path, or the shell's own descriptor that the path names.
    fn test_stat(&mut self, operand: &[u8]) -> Option<sys::Stat> {
        match own_descriptor(operand) {
            Some(number) => self.fd(number)?.file().and_then(|file| file.handle().stat()).ok(),
            None => sys::stat(&self.absolute(operand), true).ok(),
        }
    }

    /// Evaluates `-v name`, with a subscript or without.
    fn is_set(&mut self, what: &[u8]) -> bool {
        if let Some(open) = what.iter().position(|b| *b == b'[')
            && what.ends_with(b"]")
        {
            let name = intern(&what[..open]);
            let index = what[open + 1..what.len() - 1].to_vec();
            let is_assoc = self.vars.get(self.resolve(name).name).is_some_and(|var| matches!(var.value, crate::vars::Value::Assoc(_)));
            if matches!(&index[..], b"@" | b"*") && !is_assoc {
                return !self.elements(name).is_empty();
            }
            return self.element_text(name, &index).is_some();
        }
        if is_name(what) {
            let name = intern(what);
            return self.resolve(name).index.is_none() && self.get(name).is_some();
        }
        std::str::from_utf8(what).ok().and_then(|text| text.parse::<usize>().ok()).is_some_and(|n| n == 0 || n <= self.calls.params.len())
    }

    /// Evaluates `-nt`, `-ot` and `-ef`.
    pub(crate) fn test_files(&mut self, op: &[u8], left: &[u8], right: &[u8]) -> bool {
        let (left, right) = (self.test_stat(left), self.test_stat(right));
        match (op, left, right) {
            (b"-nt", Some(left), Some(right)) => left.modified > right.modified,
            (b"-nt", Some(_), None) => true,
            (b"-ot", Some(left), Some(right)) => left.modified < right.modified,
            (b"-ot", None, Some(_)) => true,
            (b"-ef", Some(left), Some(right)) => left.inode == right.inode && left.device == right.device,
            _ => false,
        }
    }
}

/// A message, reported with the command's name before it.
type Tested = Result<bool, String>;

struct Test<'a> {
    shell: &'a mut Shell,
    args: &'a [Vec<u8>],
    at: usize,
    depth: u32,
}

/// Levels of parentheses in an expression; protects the stack.
const MAX_DEPTH: u32 = 100;

pub(super) fn test(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    let name = text(&args[0]);
    let mut words = &args[1..];
    if args[0] == b"[" {
        match words.split_last() {
            Some((last, rest)) if last == b"]" => words = rest,
            _ => {
                shell.error("[: missing `]'");
                return Ok(2);
            }
        }
    }
    let mut test = Test { shell, args: words, at: 0, depth: 0 };
    let result = test.whole();
    match result {
        Ok(met) => Ok(i32::from(!met)),
        Err(message) => {
            shell.error(format!("{name}: {message}"));
            Ok(2)
        }
    }
}

impl Test<'_> {
    fn whole(&mut self) -> Tested {
        let args = self.args;
        match args {
            [] => Ok(false),
            [only] => Ok(!only.is_empty()),
            [not, only] if not == b"!" => Ok(only.is_empty()),
            [op, operand] if is_unary(op) => Ok(self.shell.test_unary(op[1], operand)),
            [op, _] => Err(format!("{}: unary operator expected", text(op))),
            [left, op, right] if is_binary(op) => self.binary(left, op, right),
            [not, rest @ ..] if not == b"!" && args.len() == 3 => {
                let mut inner = Test { shell: self.shell, args: rest, at: 0, depth: self.depth };
                Ok(!inner.whole()?)
            }
            [open, only, close] if open == b"(" && close == b")" => Ok(!only.is_empty()),
            [_, op, _] => Err(format!("{}: binary operator expected", text(op))),
            [not, rest @ ..] if not == b"!" && args.len() == 4 => {
                let mut inner = Test { shell: self.shell, args: rest, at: 0, depth: self.depth };
                Ok(!inner.whole()?)
            }
            [open, inside @ .., close] if args.len() == 4 && open == b"(" && close == b")" => {
                let mut inner = Test { shell: self.shell, args: inside, at: 0, depth: self.depth };
                inner.whole()
            }
            _ => {
                let met = self.or()?;
                match self.args.get(self.at) {
                    Some(op) if op[..].starts_with(b"-") && (is_binary(op) || is_unary(op)) => {
                        Err(format!("syntax error: `{}' unexpected", text(op)))
                    }
                    Some(_) => Err("too many arguments".into()),
                    None => Ok(met),
                }
            }
        }
    }

    fn peek(&self) -> Option<&[u8]> {
        self.args.get(self.at).map(Vec::as_slice)
    }

    fn or(&mut self) -> Tested {
        let mut met = self.and()?;
        while self.peek() == Some(b"-o") {
            self.at += 1;
            met |= self.and()?;
        }
        Ok(met)
    }

    fn and(&mut self) -> Tested {
        let mut met = self.term()?;
        while self.peek() == Some(b"-a") {
            self.at += 1;
            met &= self.term()?;
        }
        Ok(met)
    }

    fn term(&mut self) -> Tested {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err("too many levels of parentheses".into());
        }
        let result = self.term_inner();
        self.depth -= 1;
        result
    }

    fn term_inner(&mut self) -> Tested {
        let args = self.args;
        let rest = &args[self.at.min(args.len())..];
        match rest {
            [] => Err("argument expected".into()),
            [not, _, ..] if not == b"!" => {
                self.at += 1;
                Ok(!self.term()?)
            }
            [open, ..] if open == b"(" => {
                self.at += 1;
                let met = self.or()?;
                if self.peek() != Some(b")") {
                    let found = self.peek().map(|found| format!(", found {}", text(found))).unwrap_or_default();
                    return Err(format!("`)' expected{found}"));
                }
                self.at += 1;
                Ok(met)
            }
            [left, op, right, ..] if is_binary(op) && !matches!(&op[..], b"-a" | b"-o") => {
                self.at += 3;
                self.binary(left, op, right)
            }
            [op, operand, ..] if is_unary(op) => {
                self.at += 2;
                Ok(self.shell.test_unary(op[1], operand))
            }
            [word, ..] => {
                self.at += 1;
                Ok(!word.is_empty())
            }
        }
    }

    fn binary(&mut self, left: &[u8], op: &[u8], right: &[u8]) -> Tested {
        Ok(match op {
            b"=" | b"==" => left == right,
            b"!=" => left != right,
            b"<" => left < right,
            b">" => left > right,
            b"-a" => !left.is_empty() && !right.is_empty(),
            b"-o" => !left.is_empty() || !right.is_empty(),
            b"-nt" | b"-ot" | b"-ef" => self.shell.test_files(op, left, right),
            _ => compare(op, number(left)?, number(right)?),
        })
    }
}

fn number(bytes: &[u8]) -> Result<i64, String> {
    let shown = text(bytes);
    // Blanks may follow, but not a newline.
    shown.trim_start().trim_end_matches([' ', '\t']).parse().map_err(|_| format!("{shown}: integer expression expected"))
}
