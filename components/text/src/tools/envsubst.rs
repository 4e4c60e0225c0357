//! `envsubst`: replaces `$NAME` and `${NAME}` in a text by values of the environment.

use crate::options::{Line, Syntax, flag};
use crate::text;
use std::ffi::OsString;
use std::io::Write;

const SYNTAX: Syntax = Syntax {
    usage: "[OPTION] [SHELL-FORMAT]",
    about: "Copy standard input and replace $NAME and ${NAME} by the values of environment variables; with SHELL-FORMAT, only\nof the variables in it.",
    options: &[flag("v", "variables", "print the names of the variables in SHELL-FORMAT")],
    letters: ("h", "V"),
    ..Syntax::COMMON
};

/// Runs `envsubst`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    SYNTAX.run(&args, run)
}

fn run(_: &[OsString], line: Line) -> u8 {
    let complaint = match line.operands.len() {
        0 if line.has("variables") => "missing arguments",
        0 | 1 => "",
        _ => "too many arguments",
    };
    if !complaint.is_empty() {
        text::complain("envsubst", complaint);
        return 1;
    }
    let named: Option<Vec<Vec<u8>>> = line.operands.first().map(|format| {
        let mut names = Vec::new();
        walk(format.as_encoded_bytes(), |piece| {
            if let Piece::Variable(name, _) = piece {
                names.push(name.to_vec());
            }
        });
        names
    });
    let mut out = text::output();
    if line.has("variables") {
        for name in named.unwrap_or_default() {
            out.extend_line(&name);
        }
        return u8::from(out.flush().is_err());
    }
    let input = match text::slurp("-".as_ref()) {
        Ok(input) => input,
        Err(error) => {
            text::complain("envsubst", format!("error while reading \"standard input\": {}", text::reason(&error)));
            return 1;
        }
    };
    let mut done = Vec::new();
    walk(&input, |piece| match piece {
        Piece::Text(text) => done.extend_from_slice(text),
        Piece::Variable(name, whole) if named.as_ref().is_some_and(|named| !named.iter().any(|n| n == name)) => {
            done.extend_from_slice(whole);
        }
        Piece::Variable(name, _) => {
            let value = std::str::from_utf8(name).ok().and_then(std::env::var_os).unwrap_or_default();
            done.extend_from_slice(value.as_encoded_bytes());
        }
    });
    u8::from(out.write_all(&done).and_then(|()| out.flush()).is_err())
}

trait ExtendLine: Write {
    fn extend_line(&mut self, line: &[u8]) {
        // The flush at the end reports the error.
        let _ = self.write_all(line).and_then(|()| self.write_all(b"\n"));
    }
}

impl<W: Write> ExtendLine for W {}

enum Piece<'a> {
    Text(&'a [u8]),
    /// The name, and how it is written.
    Variable(&'a [u8], &'a [u8]),
}

/// Cuts a text into parts.
fn walk<'a>(text: &'a [u8], mut take: impl FnMut(Piece<'a>)) {
    let mut from = 0;
    let mut at = 0;
    while at < text.len() {
        let Some(length) = (text[at] == b'$').then(|| variable(&text[at..])).flatten() else {
            at += 1;
            continue;
        };
        let whole = &text[at..at + length];
        take(Piece::Text(&text[from..at]));
        take(Piece::Variable(if whole[1] == b'{' { &whole[2..length - 1] } else { &whole[1..] }, whole));
        at += length;
        from = at;
    }
    take(Piece::Text(&text[from..]));
}

/// Returns the length of the `$NAME` or `${NAME}` that a text begins with.
fn variable(text: &[u8]) -> Option<usize> {
    let braced = text.get(1) == Some(&b'{');
    let start = if braced { 2 } else { 1 };
    let name = text[start..].iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
    let end = start + name;
    let whole = name > 0 && !text[start].is_ascii_digit() && (!braced || text.get(end) == Some(&b'}'));
    whole.then_some(end + usize::from(braced))
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_begin_with_a_letter() {
        assert_eq!(super::variable(b"$HOMEx y"), Some(6));
        assert_eq!(super::variable(b"${A}b"), Some(4));
        assert_eq!([super::variable(b"$1"), super::variable(b"${A"), super::variable(b"${A:-x}"), super::variable(b"$")], [None; 4]);
    }
}
