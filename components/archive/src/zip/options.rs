//! The options of zip and unzip: bundles of letters anywhere, lists of patterns after `-x` and `-i`.

use crate::sys;
use std::ffi::OsString;

/// The letter that `-tt` is kept as.
pub(super) const BEFORE: char = '\u{1}';

/// The contents of a command line.
#[derive(Default)]
pub(super) struct Line {
    /// Letters, in order, with their values.
    pub letters: Vec<(char, Option<Vec<u8>>)>,
    /// The operands, in order.
    pub operands: Vec<Vec<u8>>,
    /// Patterns to leave out, and to take.
    pub exclude: Vec<Vec<u8>>,
    pub include: Vec<Vec<u8>>,
    pub long: Vec<String>,
    /// A list without a pattern.
    pub lacking: Option<char>,
}

/// What a tool's options are.
#[derive(Default)]
pub(super) struct Table {
    /// Letters that take a value.
    pub valued: &'static str,
    /// Letters that take patterns up to the next option.
    pub lists: &'static str,
    /// Options of two letters; they are kept among the long ones.
    pub pairs: &'static [&'static str],
    /// Long names and the letter or pair that they are.
    pub long: &'static [(&'static str, &'static str)],
}

/// Reads a command line.
pub(super) fn parse(args: &[OsString], table: &Table) -> Line {
    let Table { valued, lists, .. } = *table;
    let mut line = Line::default();
    let mut rest = args.iter().skip(1).map(|a| sys::arg_bytes(a).to_vec()).peekable();
    let mut ended = false;
    while let Some(mut arg) = rest.next() {
        if ended || arg == b"-" || !arg.starts_with(b"-") {
            line.operands.push(arg);
            continue;
        }
        if arg == b"--" {
            ended = true;
            continue;
        }
        if let Some(long) = arg.strip_prefix(b"--") {
            let text = String::from_utf8_lossy(long).into_owned();
            let (word, value) = text.split_once('=').map_or((text.as_str(), None), |(w, v)| (w, Some(v)));
            match table.long.iter().find(|(long, _)| *long == word) {
                Some((_, short)) => arg = [b"-", short.as_bytes(), value.unwrap_or_default().as_bytes()].concat(),
                None => {
                    line.long.push(text);
                    continue;
                }
            }
        }
        let mut at = 1;
        while at < arg.len() {
            if let Some(pair) = table.pairs.iter().find(|p| arg[at..].starts_with(p.as_bytes())) {
                line.long.push((*pair).to_owned());
                at += 2;
                if *pair == "tt" {
                    line.letters.push((BEFORE, if at < arg.len() { Some(arg[at..].to_vec()) } else { rest.next() }));
                    break;
                }
                continue;
            }
            let letter = char::from(arg[at]);
            at += 1;
            if lists.contains(letter) && (letter != 'i' || at == arg.len()) {
                let target = if letter == 'x' { &mut line.exclude } else { &mut line.include };
                let before = target.len();
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
                if target.len() == before {
                    line.lacking = Some(letter);
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
    /// Returns whether an option of two letters was given.
    pub(super) fn pair(&self, pair: &str) -> bool {
        self.long.iter().any(|l| l == pair)
    }
    /// Returns how often a letter was given.
    pub(super) fn count(&self, letter: char) -> usize {
        self.letters.iter().filter(|(l, _)| *l == letter).count()
    }
    /// Returns whether a letter was given.
    pub(super) fn has(&self, letter: char) -> bool {
        self.count(letter) > 0
    }
    /// Returns the value of a letter.
    pub(super) fn value(&self, letter: char) -> Option<&[u8]> {
        self.letters.iter().rev().find(|(l, _)| *l == letter).and_then(|(_, v)| v.as_deref())
    }
}
