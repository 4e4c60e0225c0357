//! Functions on strings.

use super::array::{Array, Key};
use super::format::{chars, count};
use super::machine::{Machine, Run, fatal};
use super::ops::Slot;
use super::record::{Splitter, split};
use super::special as sp;
use super::value::{Pattern, Str, Value};
use crate::regex::{Regex, Span};
use crate::sed::fold;
use crate::text::first_char;
use std::rc::Rc;

/// Returns a text in upper or lower case.
pub(super) fn map_case(text: &[u8], upper: bool, utf8: bool) -> Vec<u8> {
    if !utf8 || text.is_ascii() {
        return if upper { text.to_ascii_uppercase() } else { text.to_ascii_lowercase() };
    }
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        let (c, length) = first_char(&text[at..]);
        match c {
            Some(c) => out.extend_from_slice((if upper { fold::upper(c) } else { fold::lower(c) }).encode_utf8(&mut [0; 4]).as_bytes()),
            None => out.push(text[at]),
        }
        at += length;
    }
    out
}

/// Implements `substr`: a start before the text means its start; fractions are dropped.
pub(super) fn substr(text: &[u8], start: f64, length: Option<f64>, utf8: bool) -> Vec<u8> {
    let start = if start.is_nan() { 1.0 } else { start.trunc().max(1.0) };
    let length = length.map_or(f64::INFINITY, f64::trunc);
    if length.is_nan() || length <= 0.0 {
        return Vec::new();
    }
    let plain = !utf8 || text.is_ascii();
    let most = text.len() as f64;
    let (skip, take) = ((start - 1.0).min(most) as usize, length.min(most) as usize);
    let from = chars(text, skip, !plain);
    let rest = &text[from..];
    rest[..chars(rest, take, !plain)].to_vec()
}

/// A part of a replacement.
enum Piece {
    Text(Vec<u8>),
    Group(usize),
}

/// Parses the replacement of `sub` and `gsub`: `&` is the match, `\&` an ampersand; for `gensub`, `\1` is a group.
fn pieces(text: &[u8], groups: bool) -> Vec<Piece> {
    let mut out = Vec::new();
    let mut plain = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let b = text[at];
        let next = text.get(at + 1).copied();
        let mut group = None;
        match (b, next) {
            (b'&', _) => group = Some((0, 1)),
            (b'\\', Some(d @ b'0'..=b'9')) if groups => group = Some((usize::from(d - b'0'), 2)),
            (b'\\', Some(other)) if groups => {
                plain.push(other);
                at += 2;
            }
            (b'\\', _) => {
                // Of four backslashes two stay. Before an ampersand their number is halved; an odd one makes the ampersand ordinary.
                let rest = &text[at..];
                let (kept, length): (&[u8], usize) = match rest {
                    [b'\\', b'\\', b'\\', b'\\', ..] => (b"\\\\", 4),
                    [b'\\', b'\\', b'\\', b'&', ..] => (b"\\&", 4),
                    [b'\\', b'\\', b'&', ..] => (b"\\", 2),
                    [b'\\', b'&', ..] => (b"&", 2),
                    _ => {
                        let run = rest.iter().take_while(|b| **b == b'\\').count();
                        (&rest[..run], run)
                    }
                };
                plain.extend_from_slice(kept);
                at += length;
            }
            _ => {
                plain.push(b);
                at += 1;
            }
        }
        if let Some((number, length)) = group {
            if !plain.is_empty() {
                out.push(Piece::Text(std::mem::take(&mut plain)));
            }
            out.push(Piece::Group(number));
            at += length;
        }
    }
    if !plain.is_empty() {
        out.push(Piece::Text(plain));
    }
    out
}

/// Replaces the `only`-th match, or all of them; returns the count and the new text.
fn replace(text: &[u8], regex: &Regex, pieces: &[Piece], only: Option<usize>, utf8: bool) -> (usize, Vec<u8>) {
    let mut out = Vec::new();
    let mut groups: Vec<Option<Span>> = Vec::new();
    let wants_groups = pieces.iter().any(|p| matches!(p, Piece::Group(n) if *n > 0));
    let (mut from, mut copied, mut seen, mut count) = (0, 0, 0, 0);
    let mut touched = None;
    while from <= text.len() {
        let span =
            if wants_groups { if regex.captures(text, from, &mut groups) { groups[0] } else { None } } else { regex.find(text, from) };
        let Some((start, end)) = span else { break };
        if start < end || touched != Some(start) {
            seen += 1;
            touched = Some(end);
            if only.is_none_or(|n| n == seen) {
                count += 1;
                out.extend_from_slice(&text[copied..start]);
                for piece in pieces {
                    match piece {
                        Piece::Text(plain) => out.extend_from_slice(plain),
                        Piece::Group(0) => out.extend_from_slice(&text[start..end]),
                        Piece::Group(n) => {
                            if let Some(Some((a, b))) = groups.get(*n) {
                                out.extend_from_slice(&text[*a..*b]);
                            }
                        }
                    }
                }
                copied = end;
                if only.is_some() {
                    break;
                }
            }
        }
        from = if start < end { end } else { end + if utf8 { first_char(&text[end..]).1.max(1) } else { 1 } };
    }
    if count > 0 {
        out.extend_from_slice(&text[copied..]);
    }
    (count, out)
}

impl Machine {
    fn replaced(&mut self, pattern: &Value, replacement: &Value, text: &[u8], global: bool) -> Run<(usize, Vec<u8>)> {
        let regex = self.pattern(pattern)?;
        if !global && !regex.is_match(text) {
            return Ok((0, Vec::new()));
        }
        let replacement = replacement.text(&self.convfmt);
        let pieces = pieces(&replacement, false);
        Ok(replace(text, &regex, &pieces, if global { None } else { Some(1) }, self.utf8))
    }

    /// Implements `sub` and `gsub`.
    pub(super) fn substitute(&mut self, slot: Slot, global: bool) -> Run<()> {
        let operands = match slot {
            Slot::Field => 1,
            Slot::Elem => 2,
            _ => 0,
        };
        let from = self.stack.len() - operands;
        let operands: Vec<Value> = self.stack.drain(from..).collect();
        let (replacement, pattern) = (self.pop(), self.pop());
        let old = self.peek_slot(slot, &operands)?;
        let text = old.text(&self.convfmt);
        let (count, new) = self.replaced(&pattern, &replacement, &text, global)?;
        if count > 0 {
            // `@/…/` stays one.
            let new = match &old {
                Value::Regex(old) if old.strong => {
                    let regex = self.compile(&new)?;
                    Value::Regex(Rc::new(Pattern { source: new, regex, strong: true }))
                }
                _ => Value::str(new),
            };
            self.store_slot(slot, &operands, new)?;
        }
        self.push(Value::Num(count as f64));
        Ok(())
    }

    fn peek_slot(&mut self, slot: Slot, operands: &[Value]) -> Run<Value> {
        match (slot, operands) {
            (Slot::Special(_) | Slot::Global(_) | Slot::Local(_), _) => self.load(slot),
            (Slot::Field, [index]) => {
                let n = index.num();
                if n < 0.0 {
                    return fatal(format!("attempt to access field {}", n.trunc()));
                }
                Ok(self.field(n as usize))
            }
            (Slot::Elem, [Value::Array(array), key]) => {
                let key = Key::value(key, &self.convfmt);
                let value = array.table.borrow_mut().entry(key).clone();
                Ok(value)
            }
            _ => fatal("attempt to use a scalar value as array"),
        }
    }

    fn store_slot(&mut self, slot: Slot, operands: &[Value], value: Value) -> Run<()> {
        match (slot, operands) {
            (Slot::Special(n), _) => self.set_special(n as usize, value)?,
            (Slot::Global(n), _) => self.globals[n as usize] = value,
            (Slot::Local(n), _) => {
                let at = self.base + n as usize;
                self.stack[at] = value;
            }
            (Slot::Field, [index]) => self.assign_field(index.num() as usize, value),
            (Slot::Elem, [Value::Array(array), key]) => {
                let key = Key::value(key, &self.convfmt);
                array.table.borrow_mut().set(key, value);
            }
            _ => {}
        }
        Ok(())
    }

    /// Implements `sub` on a value that cannot be assigned to.
    pub(super) fn substitute_value(&mut self, global: bool) -> Run<()> {
        let text = self.pop().text(&self.convfmt);
        let (replacement, pattern) = (self.pop(), self.pop());
        let (count, _) = self.replaced(&pattern, &replacement, &text, global)?;
        self.push(Value::Num(count as f64));
        Ok(())
    }

    /// Implements `gensub`.
    pub(super) fn gensub(&mut self, args: &[Value]) -> Run<Value> {
        let text = match args.get(3) {
            Some(value) => value.text(&self.convfmt),
            None => self.whole(),
        };
        let how = args[2].text(&self.convfmt);
        let only = if matches!(how.first(), Some(b'g' | b'G')) {
            None
        } else {
            let number = args[2].num();
            if number < 1.0 {
                let shown = String::from_utf8_lossy(&how).into_owned();
                self.warn(&format!("gensub: third argument `{shown}' treated as 1"));
            }
            Some(number.max(1.0) as usize)
        };
        let regex = self.pattern(&args[0])?;
        let replacement = args[1].text(&self.convfmt);
        let (count, new) = replace(&text, &regex, &pieces(&replacement, true), only, self.utf8);
        Ok(if count > 0 { Value::str(new) } else { Value::Str(text) })
    }

    /// Implements `match`.
    pub(super) fn match_text(&mut self, args: &[Value]) -> Run<Value> {
        let text = args[0].text(&self.convfmt);
        let regex = self.pattern(&args[1])?;
        let mut groups = Vec::new();
        let found = regex.captures(&text, 0, &mut groups);
        let utf8 = self.utf8;
        let position = |at: usize| if utf8 { count(&text[..at]) } else { at };
        if let Some(Value::Array(array)) = args.get(2) {
            let mut table = array.table.borrow_mut();
            table.clear();
            for (n, span) in groups.iter().enumerate() {
                let Some((from, to)) = span.filter(|_| found) else { continue };
                let start = position(from);
                table.set(Key::Int(n as i64), Value::input(&text[from..to]));
                for (what, number) in [("start", start + 1), ("length", position(to) - start)] {
                    let key = [n.to_string().as_bytes(), &self.subsep, what.as_bytes()].concat();
                    table.set(Key::Str(Rc::new(key)), Value::Num(number as f64));
                }
            }
        }
        let (start, length) = match groups.first() {
            Some(Some((from, to))) if found => (position(*from) + 1, (position(*to) - position(*from)) as f64),
            _ => (0, -1.0),
        };
        self.globals[sp::RSTART] = Value::Num(start as f64);
        self.globals[sp::RLENGTH] = Value::Num(length);
        Ok(Value::Num(start as f64))
    }

    /// Implements `split` and `patsplit`.
    pub(super) fn split(&mut self, args: &[Value], by_content: bool) -> Run<Value> {
        let text = args[0].text(&self.convfmt);
        let Some(Value::Array(array)) = args.get(1) else { return fatal("split: second argument is not an array") };
        let how = match (args.get(2), by_content) {
            (Some(pattern), true) => Splitter::Pattern(self.pattern(pattern)?),
            (None, true) => {
                let pattern = self.globals[sp::FPAT].clone();
                Splitter::Pattern(self.pattern(&pattern)?)
            }
            (Some(separator), false) => self.splitter(separator, false)?,
            (None, false) if self.csv => Splitter::Csv,
            (None, false) => {
                let separator = self.globals[sp::FS].clone();
                self.splitter(&separator, false)?
            }
        };
        let (mut fields, mut between) = (Vec::new(), Vec::new());
        split(&text, &how, self.utf8, &mut fields, &mut between);
        let fill = |array: &Array, spans: &[(usize, usize)], first: i64| {
            let mut table = array.table.borrow_mut();
            table.clear();
            for (n, (from, to)) in spans.iter().enumerate() {
                table.set(Key::Int(n as i64 + first), Value::input(&text[*from..*to]));
            }
        };
        fill(array, &fields, 1);
        if matches!(how, Splitter::Csv) {
            let mut table = array.table.borrow_mut();
            for (n, span) in fields.iter().enumerate() {
                if let Some(plain) = super::csv::undoubled(&text, *span) {
                    table.set(Key::Int(n as i64 + 1), Value::input(plain));
                }
            }
        }
        if let Some(Value::Array(separators)) = args.get(3).filter(|_| text.is_empty()) {
            separators.table.borrow_mut().clear();
        } else if let Some(Value::Array(separators)) = args.get(3) {
            // With blanks as separators, number 0 is the text before the first field.
            let blanks = matches!(how, Splitter::Blanks | Splitter::Pattern(_));
            fill(separators, &between, i64::from(!blanks));
            if matches!(how, Splitter::Blanks) && between.first().is_some_and(|(from, to)| from == to) {
                separators.table.borrow_mut().remove(&Key::Int(0));
            }
        }
        Ok(Value::Num(fields.len() as f64))
    }

    /// Implements `index`.
    pub(super) fn index(&self, text: &Str, what: &Str) -> f64 {
        let found = if self.fold {
            let (text, what) = (map_case(text, false, self.utf8), map_case(what, false, self.utf8));
            memchr::memmem::find(&text, &what)
        } else {
            memchr::memmem::find(text, what)
        };
        found.map_or(0.0, |at| (if self.utf8 { count(&text[..at]) } else { at }) as f64 + 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn substr_cuts() {
        let s = |start, length| String::from_utf8(substr("hello".as_bytes(), start, length, true)).unwrap();
        assert_eq!(s(0.0, None), "hello");
        assert_eq!(s(-1.0, Some(3.0)), "hel");
        assert_eq!(s(2.0, Some(100.0)), "ello");
        assert_eq!(s(1.5, Some(1.9)), "h");
        assert_eq!(s(3.0, Some(-1.0)), "");
        assert_eq!(substr("aéb".as_bytes(), 2.0, Some(1.0), true), "é".as_bytes());
    }
}
