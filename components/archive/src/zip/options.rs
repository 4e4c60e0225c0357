//! The options of zip and unzip: bundles of letters anywhere, lists of patterns behind `-x` and `-i`.

use crate::sys;
use std::ffi::OsString;

/// What stands on a command line.
#[derive(Default)]
pub struct Line {
    /// Letters, in order, with their values.
    pub letters: Vec<(char, Option<Vec<u8>>)>,
    /// What is no option, in order.
    pub operands: Vec<Vec<u8>>,
    /// Patterns to leave out, and to take.
    pub exclude: Vec<Vec<u8>>,
    pub include: Vec<Vec<u8>>,
    pub long: Vec<String>,
}

/// Read a command line. `valued` letters take a value; `lists` take patterns up to the next option.
pub fn parse(args: &[OsString], valued: &str, lists: &str) -> Line {
    let mut line = Line::default();
    let mut rest = args.iter().skip(1).map(|a| sys::arg_bytes(a).to_vec()).peekable();
    let mut ended = false;
    while let Some(arg) = rest.next() {
        if ended || arg == b"-" || !arg.starts_with(b"-") {
            line.operands.push(arg);
            continue;
        }
        if arg == b"--" {
            ended = true;
            continue;
        }
        if let Some(long) = arg.strip_prefix(b"--") {
            line.long.push(String::from_utf8_lossy(long).into_owned());
            continue;
        }
        let mut at = 1;
        while at < arg.len() {
            let letter = char::from(arg[at]);
            at += 1;
            if lists.contains(letter) && (letter != 'i' || at == arg.len()) {
                let target = if letter == 'x' { &mut line.exclude } else { &mut line.include };
                if at < arg.len() {
                    target.push(arg[at..].to_vec());
                    at = arg.len();
                }
                while let Some(pattern) = rest.next_if(|a| !a.starts_with(b"-")) {
                    if pattern == b"@" {
                        break;
                    }
                    target.push(pattern);
                }
            } else if valued.contains(letter) {
                let value = if at < arg.len() { Some(arg[at..].to_vec()) } else { rest.next() };
                line.letters.push((letter, value));
                break;
            } else {
                line.letters.push((letter, None));
            }
        }
    }
    line
}

impl Line {
    /// How often a letter was given.
    pub fn count(&self, letter: char) -> usize {
        self.letters.iter().filter(|(l, _)| *l == letter).count()
    }
    /// Whether a letter was given.
    pub fn has(&self, letter: char) -> bool {
        self.count(letter) > 0
    }
    /// The value of a letter.
    pub fn value(&self, letter: char) -> Option<&[u8]> {
        self.letters.iter().rev().find(|(l, _)| *l == letter).and_then(|(_, v)| v.as_deref())
    }
}
