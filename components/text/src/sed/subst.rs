//! Reading `s` and `y`, and building replacements.

use super::delimited;
use super::parse::Parser;
use super::script::{Action, Case, Part, STDOUT, Subst};
use crate::regex::{Flavor, Span, escapes};
use crate::text::first_char;

impl Parser {
    fn delimiter(&mut self, name: &str) -> Result<u8, String> {
        match self.source.next() {
            Some(b) if b != b'\n' && b != b'\\' => Ok(b),
            _ => self.fail(&format!("unterminated `{name}' command")),
        }
    }

    /// Reads the `s` command.
    pub(super) fn subst(&mut self) -> Result<Action, String> {
        let delimiter = self.delimiter("s")?;
        let regex = delimited::regex(&mut self.source, delimiter);
        let Some(regex) = regex else { return self.fail("unterminated `s' command") };
        let Some(replacement) = replacement(self, delimiter) else {
            return self.fail("unterminated `s' command");
        };
        self.no_recursion(&replacement)?;
        let parts = parts(&replacement, self.settings.posix);
        let mut s = Subst { pattern: None, parts, number: 0, global: false, print: false, execute: false, print_first: false, write: None };
        let (mut fold, mut lines) = (false, false);
        while let Some(b) = self.source.peek() {
            match b {
                b'i' | b'I' | b'm' | b'M' | b'e' if self.settings.posix => return self.flag_error("unknown option to `s'"),
                b'i' | b'I' => fold = true,
                b'm' | b'M' => lines = true,
                b'e' if self.settings.sandbox => return self.flag_error("e/r/w commands disabled in sandbox mode"),
                b'e' => s.execute = true,
                b'g' if s.global => return self.flag_error("multiple `g' options to `s' command"),
                b'g' => s.global = true,
                b'p' if s.print => return self.flag_error("multiple `p' options to `s' command"),
                b'p' => {
                    s.print = true;
                    s.print_first = !s.execute;
                }
                b'0'..=b'9' => {
                    if s.number > 0 {
                        return self.flag_error("multiple number options to `s' command");
                    }
                    s.number = self.source.number().unwrap_or(0);
                    if s.number == 0 {
                        return self.fail("number option to `s' command may not be zero");
                    }
                    continue;
                }
                b'w' if self.settings.sandbox => return self.flag_error("e/r/w commands disabled in sandbox mode"),
                b'w' => {
                    self.source.next();
                    let name = self.file_name()?;
                    s.write = Some(self.output(name));
                    break;
                }
                b'}' | b'#' | b'\n' | b';' => break,
                b' ' | b'\t' => {}
                b'\r' if matches!(self.source.rest().get(1), None | Some(b'\n')) => {}
                _ => return self.flag_error("unknown option to `s'"),
            }
            self.source.next();
        }
        s.pattern = self.pattern(&regex, fold, lines)?;
        if let Some(pattern) = &s.pattern {
            let wrong = s.parts.iter().find_map(|p| if let Part::Group(n) = p { (*n > pattern.groups()).then_some(*n) } else { None });
            if let Some(number) = wrong.filter(|_| !self.settings.posix) {
                return self.fail(&format!("invalid reference \\{number} on `s' command's RHS"));
            }
        }
        if s.write == Some(STDOUT) && s.print {
            s.print_first = false;
        }
        Ok(Action::Subst(Box::new(s)))
    }

    /// Refuses a `\c` that takes more than one character; a backslash must be doubled.
    fn no_recursion(&self, text: &[u8]) -> Result<(), String> {
        let mut at = 0;
        while at < text.len() {
            if text[at..].starts_with(b"\\c\\") && text.get(at + 3).is_some_and(|b| *b != b'\\') {
                return self.fail("recursive escaping after \\c not allowed");
            }
            at += if text[at] == b'\\' { 2 } else { 1 };
        }
        Ok(())
    }

    fn flag_error<T>(&mut self, message: &str) -> Result<T, String> {
        self.source.next();
        self.fail(message)
    }

    /// Reads the `y` command.
    pub(super) fn translate(&mut self) -> Result<Action, String> {
        let delimiter = self.delimiter("y")?;
        let mut sides = Vec::new();
        for _ in 0..2 {
            match delimited::plain(&mut self.source, delimiter, b"") {
                Some(text) => {
                    self.no_recursion(&text)?;
                    sides.push(self.characters(&text)?);
                }
                None => return self.fail("unterminated `y' command"),
            }
        }
        let (from, to) = (&sides[0], &sides[1]);
        if from.len() != to.len() {
            return self.fail("strings for `y' command are different lengths");
        }
        if from.iter().chain(to).all(|c| c.len() == 1) {
            let mut table = Box::new([0_u8; 256]);
            table.iter_mut().zip(0..=255).for_each(|(entry, b)| *entry = b);
            let mut set = [false; 256];
            for (a, b) in from.iter().zip(to) {
                let at = usize::from(a[0]);
                if !std::mem::replace(&mut set[at], true) {
                    table[at] = b[0];
                }
            }
            return Ok(Action::Bytes(table));
        }
        let pairs = from.iter().zip(to).filter_map(|(a, b)| Some((first_char(a).0?, b.clone())));
        Ok(Action::Chars(pairs.collect()))
    }

    fn characters(&self, text: &[u8]) -> Result<Vec<Vec<u8>>, String> {
        let mut all = Vec::new();
        let mut at = 0;
        while at < text.len() {
            if text[at] == b'\\' {
                let after = &text[at + 1..];
                match (after.first(), escapes::decode(after, Flavor::Basic)) {
                    (Some(b'\\'), _) => {
                        all.push(vec![b'\\']);
                        at += 2;
                    }
                    (Some(b'\n'), _) => {
                        all.push(vec![b'\n']);
                        at += 2;
                    }
                    (_, Some((byte, len))) => {
                        all.push(vec![byte]);
                        at += 1 + len;
                    }
                    // Another escape stands for its character; a backslash at the end stands for itself.
                    _ => {
                        if after.is_empty() || after[0] == b'c' {
                            all.push(vec![b'\\']);
                        }
                        at += 1;
                    }
                }
                continue;
            }
            let (_, len) = if self.settings.utf8 { first_char(&text[at..]) } else { (None, 1) };
            all.push(text[at..at + len].to_vec());
            at += len;
        }
        Ok(all)
    }
}

/// Reads the replacement up to the delimiter; a newline in it needs a backslash. `\&` with `&` as delimiter stays `\&`.
fn replacement(parser: &mut Parser, delimiter: u8) -> Option<Vec<u8>> {
    delimited::plain(&mut parser.source, delimiter, b"&")
}

/// Parses a replacement.
fn parts(text: &[u8], posix: bool) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut plain = Vec::new();
    let mut at = 0;
    let flush = |plain: &mut Vec<u8>, parts: &mut Vec<Part>, next: Part| {
        if !plain.is_empty() {
            parts.push(Part::Text(std::mem::take(plain)));
        }
        parts.push(next);
    };
    while at < text.len() {
        let b = text[at];
        at += 1;
        if b == b'&' {
            flush(&mut plain, &mut parts, Part::Group(0));
            continue;
        }
        if b != b'\\' || at >= text.len() {
            plain.push(b);
            continue;
        }
        let after = text[at];
        let case = match after {
            b'U' => Some(Case::Upper),
            b'L' => Some(Case::Lower),
            b'E' => Some(Case::End),
            b'u' => Some(Case::NextUpper),
            b'l' => Some(Case::NextLower),
            _ => None,
        };
        if after.is_ascii_digit() {
            flush(&mut plain, &mut parts, Part::Group(usize::from(after - b'0')));
            at += 1;
        } else if let Some(case) = case.filter(|_| !posix) {
            flush(&mut plain, &mut parts, Part::Case(case));
            at += 1;
        } else if let Some((byte, len)) = escapes::decode(&text[at..], Flavor::Basic).filter(|_| !posix || after == b'n') {
            plain.push(byte);
            at += len;
        } else if after == b'c' && at + 1 == text.len() && !posix {
            plain.push(b'\\');
            at += 1;
        } else {
            plain.push(after);
            at += 1;
        }
    }
    if !plain.is_empty() {
        parts.push(Part::Text(plain));
    }
    parts
}

/// The case of letters while a replacement is built.
#[derive(Default)]
pub(super) struct Casing {
    lasting: Option<Case>,
    next: Option<Case>,
}

impl Casing {
    /// Appends the replacement of one match.
    pub(super) fn replace(&mut self, parts: &[Part], text: &[u8], groups: &[Option<Span>], out: &mut Vec<u8>) {
        for part in parts {
            match part {
                Part::Text(plain) => self.add(plain, out),
                Part::Group(number) => {
                    if let Some(Some((from, to))) = groups.get(*number) {
                        self.add(&text[*from..*to], out);
                    }
                }
                Part::Case(case @ (Case::NextUpper | Case::NextLower)) => self.next = Some(*case),
                Part::Case(Case::End) => (self.lasting, self.next) = (None, None),
                Part::Case(case) => self.lasting = Some(*case),
            }
        }
        (self.lasting, self.next) = (None, None);
    }

    fn add(&mut self, text: &[u8], out: &mut Vec<u8>) {
        if self.lasting.is_none() && self.next.is_none() {
            out.extend_from_slice(text);
            return;
        }
        let mut at = 0;
        while at < text.len() {
            let (c, len) = first_char(&text[at..]);
            let case = self.next.take().or(self.lasting);
            match (c, case) {
                (Some(c), Some(case)) => {
                    let upper = matches!(case, Case::Upper | Case::NextUpper);
                    push(if upper { super::fold::upper(c) } else { super::fold::lower(c) }, out);
                }
                _ => out.extend_from_slice(&text[at..at + len]),
            }
            at += len;
        }
    }
}

fn push(c: char, out: &mut Vec<u8>) {
    out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
}
