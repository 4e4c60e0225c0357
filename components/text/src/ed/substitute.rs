//! The `s` command.

use std::rc::Rc;

use super::address::{Range, number};
use super::commands::Shown;
use super::input::Text;
use super::{Ed, Result, expression, fail};
use crate::regex::{Regex, Span};

/// A substitution.
#[derive(Clone)]
pub(super) struct Substitution {
    regex: Rc<Regex>,
    replacement: Rc<[Part]>,
    /// All matches.
    all: bool,
    /// Which match, counted from 1.
    which: usize,
    shown: Shown,
}

/// A piece of a replacement.
enum Part {
    Text(Vec<u8>),
    Group(usize),
}

const SUFFIX: &str = "Invalid command suffix";

impl Ed {
    /// Performs `s/EXPRESSION/REPLACEMENT/FLAGS`, or `s` and flags, which repeats the last substitution.
    pub(crate) fn substitute(&mut self, range: Range, text: &mut Text) -> Result<()> {
        let (from, to) = range.checked(1, self.buffer.last())?;
        let next = text.peek();
        let work = if next == b'\n' || next.is_ascii_digit() || matches!(next, b'g' | b'p' | b'r') {
            self.again(text)?
        } else {
            self.new_substitution(text)?
        };
        self.substitution = Some(work.clone());
        self.keep();
        let (mut at, mut left, mut found) = (from, to + 1 - from, false);
        while left > 0 {
            let replaced = replaced(&work, &self.buffer.text(at));
            at += 1;
            left -= 1;
            if let Some(lines) = replaced {
                let count = lines.len();
                self.buffer.replace(at - 1, lines);
                at += count - 1;
                found = true;
                self.last_changed = at - 1;
            }
        }
        if found {
            self.buffer.current = self.last_changed;
            self.show(work.shown);
            return Ok(());
        }
        if self.global { Ok(()) } else { fail("No match") }
    }

    /// Reads the flags after a bare `s`.
    fn again(&mut self, text: &mut Text) -> Result<Substitution> {
        let Some(mut work) = self.substitution.clone() else { return fail("No previous substitution") };
        let mut again = false;
        loop {
            match text.peek() {
                b'g' => work.all = !work.all,
                b'p' => work.shown = work.shown.toggled(),
                b'r' => again = true,
                b'0'..=b'9' => {
                    work.which = usize::try_from(number(text)?).unwrap_or(usize::MAX);
                    work.all = false;
                    continue;
                }
                b'\n' => break,
                _ => return fail(SUFFIX),
            }
            text.next();
        }
        text.next();
        if again {
            work.regex = self.compile(b"", false)?;
        }
        Ok(work)
    }

    fn new_substitution(&mut self, text: &mut Text) -> Result<Substitution> {
        let delimiter = text.next();
        if matches!(delimiter, b' ' | b'\n') {
            return fail("Invalid pattern delimiter");
        }
        let source = expression(text, delimiter)?;
        if text.peek() != delimiter {
            return fail("Missing pattern delimiter");
        }
        text.next();
        let replacement = self.replacement(text, delimiter)?;
        let mut shown = Shown::default();
        let (mut all, mut which, mut fold, mut counted) = (false, 1, false, false);
        if text.peek() == delimiter {
            text.next();
            loop {
                match text.peek() {
                    b'g' | b'0'..=b'9' if counted => return fail(SUFFIX),
                    b'g' => (all, counted) = (true, true),
                    b'i' | b'I' => fold = true,
                    b'0'..=b'9' => {
                        counted = true;
                        which = usize::try_from(number(text)?).unwrap_or(usize::MAX);
                        if which == 0 {
                            return fail(SUFFIX);
                        }
                        continue;
                    }
                    other if shown.take(other) => {}
                    _ => break,
                }
                text.next();
            }
        } else {
            // Without the delimiter at the end of the line, the result is printed.
            shown.take(b'p');
        }
        if text.next() != b'\n' {
            return fail(SUFFIX);
        }
        let regex = self.compile(&source, fold)?;
        Ok(Substitution { regex, replacement, all, which, shown })
    }

    /// Reads the replacement up to the delimiter; `%` alone is the last one, and a newline after a backslash splits the line.
    fn replacement(&mut self, text: &mut Text, delimiter: u8) -> Result<Rc<[Part]>> {
        if text.peek() == b'%' && text.rest().get(1).is_none_or(|after| *after == delimiter) {
            text.next();
            let last = self.substitution.as_ref().map(|last| last.replacement.clone());
            return last.map_or_else(|| fail("No previous substitution"), Ok);
        }
        let (mut parts, mut plain) = (Vec::new(), Vec::new());
        // In a command list, the backslash before a newline was removed before.
        while text.peek() != delimiter && (text.peek() != b'\n' || self.global && !text.rest_is_last()) {
            let byte = text.next();
            let group = match byte {
                b'&' => Some(0),
                b'\\' if text.peek().is_ascii_digit() && text.peek() != b'0' => Some(usize::from(text.next() - b'0')),
                b'\\' => {
                    let after = text.next();
                    if after == b'\n' && text.ended() {
                        if self.global {
                            return fail("Trailing backslash (\\)");
                        }
                        match self.input.line() {
                            Ok(Some(line)) => text.extend(&line),
                            _ => return fail("Unexpected end-of-file"),
                        }
                    }
                    plain.push(after);
                    None
                }
                other => {
                    plain.push(other);
                    None
                }
            };
            if let Some(group) = group {
                parts.push(Part::Text(std::mem::take(&mut plain)));
                parts.push(Part::Group(group));
            }
        }
        parts.push(Part::Text(plain));
        Ok(parts.into())
    }
}

/// Returns the result of a substitution, which may be several lines; `None` when nothing matched.
fn replaced(work: &Substitution, line: &[u8]) -> Option<Vec<Rc<[u8]>>> {
    let (mut out, mut done, mut from, mut count) = (Vec::new(), 0, 0, 0);
    let mut groups: Vec<Option<Span>> = Vec::new();
    let mut found = false;
    while from <= line.len() && work.regex.captures(line, from, &mut groups) {
        let Some(Some((start, end))) = groups.first().copied() else { break };
        count += 1;
        if work.all && count >= work.which || count == work.which {
            out.extend_from_slice(&line[done..start]);
            for part in work.replacement.iter() {
                match part {
                    Part::Text(plain) => out.extend_from_slice(plain),
                    Part::Group(number) => {
                        if let Some(Some((start, end))) = groups.get(*number) {
                            out.extend_from_slice(&line[*start..*end]);
                        }
                    }
                }
            }
            (done, found) = (end, true);
            if !work.all {
                break;
            }
        }
        from = if end > start { end } else { end + 1 };
    }
    if !found {
        return None;
    }
    out.extend_from_slice(&line[done..]);
    Some(out.split(|byte| *byte == b'\n').map(Into::into).collect())
}
