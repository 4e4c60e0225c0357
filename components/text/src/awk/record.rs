//! The current record and its fields, split only as far as a program reads.

use super::number;
use super::value::{Str, Value};
use crate::regex::Regex;
use crate::text::first_char;
use std::rc::Rc;

/// How a record is split.
pub(super) enum Splitter {
    /// By blanks and newlines, the default.
    Blanks,
    /// By one byte, and by newlines if the flag is set.
    Byte(u8, bool),
    /// By a regular expression.
    Regex(Rc<Regex>),
    /// Into characters.
    Chars,
    /// FIELDWIDTHS: how many characters to skip, how many to take.
    Widths(Vec<(usize, usize)>),
    /// FPAT.
    Pattern(Rc<Regex>),
    /// By commas, as in CSV.
    Csv,
}

/// The record.
pub(super) struct Record {
    text: Str,
    ranges: Vec<(u32, u32)>,
    values: Vec<Option<Value>>,
    /// Whether everything is split.
    complete: bool,
    /// Where splitting continues.
    position: usize,
    /// Whether `$0` must be joined from its fields.
    stale: bool,
    /// The value assigned to `$0`, if it was not read.
    assigned: Option<Value>,
    /// Whether there has been a record.
    set: bool,
    splitter: Rc<Splitter>,
    utf8: bool,
}

impl Record {
    /// Creates an empty record.
    pub(super) fn new(utf8: bool) -> Self {
        Self {
            text: Rc::default(),
            ranges: Vec::new(),
            values: Vec::new(),
            complete: false,
            position: 0,
            stale: false,
            assigned: None,
            set: false,
            splitter: Rc::new(Splitter::Blanks),
            utf8,
        }
    }

    /// Sets a new record, and how to split it.
    pub(super) fn set(&mut self, text: Str, splitter: &Rc<Splitter>) {
        self.text = text;
        self.reset(splitter);
    }

    fn reset(&mut self, splitter: &Rc<Splitter>) {
        self.ranges.clear();
        self.values.clear();
        self.complete = false;
        self.position = 0;
        self.stale = false;
        self.assigned = None;
        self.set = true;
        if !Rc::ptr_eq(&self.splitter, splitter) {
            self.splitter = splitter.clone();
        }
    }

    /// Returns the emptied buffer of the record, for the next one; call `refilled` afterwards.
    pub(super) fn buffer(&mut self) -> &mut Vec<u8> {
        if Rc::get_mut(&mut self.text).is_none() {
            self.text = Rc::new(Vec::with_capacity(self.text.len() + 64));
        }
        let buffer = Rc::make_mut(&mut self.text);
        buffer.clear();
        buffer
    }

    /// Notes that the buffer holds a new record.
    pub(super) fn refilled(&mut self, splitter: &Rc<Splitter>) {
        self.reset(splitter);
    }

    /// Returns `$0`.
    pub(super) fn text(&mut self, separator: &[u8], format: &[u8]) -> &Str {
        if self.stale {
            self.rebuild(separator, format);
        }
        &self.text
    }

    fn rebuild(&mut self, separator: &[u8], format: &[u8]) {
        let mut out = Vec::with_capacity(self.text.len() + 16);
        let mut ranges = Vec::with_capacity(self.ranges.len());
        for (at, (from, to)) in self.ranges.iter().enumerate() {
            if at > 0 {
                out.extend_from_slice(separator);
            }
            let start = out.len() as u32;
            match &self.values[at] {
                Some(value) => value.append(format, &mut out),
                None => out.extend_from_slice(&self.text[*from as usize..*to as usize]),
            }
            ranges.push((start, out.len() as u32));
        }
        self.text = Rc::new(out);
        self.ranges = ranges;
        self.stale = false;
        self.assigned = Some(Value::Str(self.text.clone()));
    }

    /// Returns `$0` as a value: a record that was read may look like a number; an assigned value keeps its type.
    pub(super) fn whole(&mut self, separator: &[u8], format: &[u8]) -> Value {
        if self.stale {
            self.rebuild(separator, format);
        }
        self.assigned.clone().unwrap_or_else(|| Value::Input(self.text.clone()))
    }

    /// Returns whether there is a record: one was read or assigned.
    pub(super) fn is_set(&self) -> bool {
        self.set
    }

    /// Returns whether field `n` is there only because a later one was assigned.
    pub(super) fn is_made(&self, n: usize) -> bool {
        n > 0 && self.ranges.get(n - 1) == Some(&(u32::MAX, u32::MAX))
    }

    /// Notes the value that was assigned to `$0`.
    pub(super) fn assign_whole(&mut self, value: Value) {
        self.assigned = Some(value);
    }

    /// Returns how many fields there are.
    pub(super) fn count(&mut self) -> usize {
        self.split(usize::MAX);
        self.ranges.len()
    }

    /// Returns field `n`, from 1.
    pub(super) fn field(&mut self, n: usize) -> Value {
        if self.ranges.len() < n {
            self.split(n);
        }
        let Some(range) = self.ranges.get(n - 1) else { return Value::Input(Rc::default()) };
        if let Some(value) = &self.values[n - 1] {
            return value.clone();
        }
        let value = Value::input(&self.text[range.0 as usize..range.1 as usize]);
        self.values[n - 1] = Some(value.clone());
        value
    }

    /// Returns field `n` as a number.
    pub(super) fn number(&mut self, n: usize) -> f64 {
        if self.ranges.len() < n {
            self.split(n);
        }
        match (self.ranges.get(n - 1), self.values.get(n - 1)) {
            (_, Some(Some(value))) => value.num(),
            (Some(range), _) => number::parse(&self.text[range.0 as usize..range.1 as usize]),
            _ => 0.0,
        }
    }

    /// Writes field `n` to `out`.
    pub(super) fn emit(&mut self, n: usize, format: &[u8], out: &mut Vec<u8>) {
        if self.ranges.len() < n {
            self.split(n);
        }
        match (self.ranges.get(n - 1), self.values.get(n - 1)) {
            (_, Some(Some(value))) => value.append(format, out),
            (Some(range), _) => out.extend_from_slice(&self.text[range.0 as usize..range.1 as usize]),
            _ => {}
        }
    }

    /// Assigns field `n`.
    pub(super) fn assign(&mut self, n: usize, value: Value) {
        self.split(usize::MAX);
        self.extend(n);
        self.values[n - 1] = Some(value);
        self.stale = true;
        self.set = true;
    }

    /// Assigns NF.
    pub(super) fn resize(&mut self, count: usize) {
        self.split(usize::MAX);
        self.ranges.truncate(count);
        self.values.truncate(count);
        self.extend(count);
        self.stale = true;
    }

    fn extend(&mut self, count: usize) {
        while self.ranges.len() < count {
            self.ranges.push((u32::MAX, u32::MAX));
            self.values.push(Some(Value::Input(Rc::default())));
        }
    }

    fn push(&mut self, from: usize, to: usize) {
        self.ranges.push((from as u32, to as u32));
        self.values.push(None);
    }

    /// Splits until there are `wanted` fields.
    fn split(&mut self, wanted: usize) {
        if self.complete {
            return;
        }
        let text = self.text.clone();
        match &*self.splitter.clone() {
            Splitter::Blanks => self.by_blanks(&text, wanted),
            Splitter::Byte(byte, lines) => self.by_byte(&text, *byte, *lines, wanted),
            Splitter::Csv => {
                for (from, to) in super::csv::fields(&text) {
                    self.push(from, to);
                    if let Some(plain) = super::csv::undoubled(&text, (from, to)) {
                        let at = self.values.len() - 1;
                        self.values[at] = Some(Value::input(plain));
                    }
                }
                self.complete = true;
            }
            other => {
                let mut fields = Vec::new();
                split(&text, other, self.utf8, &mut fields, &mut Vec::new());
                fields.iter().for_each(|(from, to)| self.push(*from, *to));
                self.complete = true;
            }
        }
    }

    fn by_blanks(&mut self, text: &[u8], wanted: usize) {
        let blank = |b: &u8| matches!(b, b' ' | b'\t' | b'\n');
        let mut at = self.position;
        while self.ranges.len() < wanted {
            while text.get(at).is_some_and(blank) {
                at += 1;
            }
            if at >= text.len() {
                self.complete = true;
                break;
            }
            let start = at;
            while at < text.len() && !blank(&text[at]) {
                at += 1;
            }
            self.push(start, at);
        }
        self.position = at;
    }

    fn by_byte(&mut self, text: &[u8], byte: u8, lines: bool, wanted: usize) {
        if text.is_empty() {
            self.complete = true;
            return;
        }
        while self.ranges.len() < wanted {
            let rest = &text[self.position..];
            let found = if lines { memchr::memchr2(byte, b'\n', rest) } else { memchr::memchr(byte, rest) };
            match found {
                Some(length) => {
                    self.push(self.position, self.position + length);
                    self.position += length + 1;
                }
                None => {
                    self.push(self.position, text.len());
                    self.complete = true;
                    break;
                }
            }
        }
    }
}

/// Splits a text into fields and the texts between them.
pub(super) fn split(text: &[u8], how: &Splitter, utf8: bool, fields: &mut Vec<(usize, usize)>, between: &mut Vec<(usize, usize)>) {
    if text.is_empty() {
        return;
    }
    match how {
        Splitter::Blanks => {
            let blank = |b: &u8| matches!(b, b' ' | b'\t' | b'\n');
            let mut at = 0;
            loop {
                let start = at;
                at += text[at..].iter().take_while(|b| blank(b)).count();
                if at >= text.len() {
                    if start < at || fields.is_empty() {
                        between.push((start, at));
                    }
                    return;
                }
                if start < at || fields.is_empty() {
                    between.push((start, at));
                }
                let end = at + text[at..].iter().take_while(|b| !blank(b)).count();
                fields.push((at, end));
                at = end;
            }
        }
        Splitter::Csv => fields.extend(super::csv::fields(text)),
        Splitter::Byte(byte, lines) => {
            let mut start = 0;
            for (at, b) in text.iter().enumerate() {
                if b == byte || (*lines && *b == b'\n') {
                    fields.push((start, at));
                    between.push((at, at + 1));
                    start = at + 1;
                }
            }
            fields.push((start, text.len()));
        }
        Splitter::Regex(regex) => {
            let (mut start, mut from) = (0, 0);
            while let Some((a, b)) = regex.find(text, from).filter(|_| from < text.len()) {
                if a == b {
                    // A separator is never empty.
                    from = a + first_char(&text[a.min(text.len() - 1)..]).1.max(1);
                    if from >= text.len() {
                        break;
                    }
                    continue;
                }
                fields.push((start, a));
                between.push((a, b));
                (start, from) = (b, b);
            }
            fields.push((start, text.len()));
        }
        Splitter::Chars => {
            let mut at = 0;
            while at < text.len() {
                let length = if utf8 { first_char(&text[at..]).1 } else { 1 };
                fields.push((at, at + length));
                at += length;
                if at < text.len() {
                    between.push((at, at));
                }
            }
        }
        Splitter::Widths(widths) => {
            let mut at = 0;
            for (skip, take) in widths {
                at += super::format::chars(&text[at..], *skip, utf8);
                if at >= text.len() {
                    break;
                }
                let length = super::format::chars(&text[at..], *take, utf8);
                fields.push((at, at + length));
                at += length;
            }
        }
        Splitter::Pattern(regex) => {
            let (mut from, mut last) = (0, 0);
            // Whether a field ended here, so that an empty one does not count.
            let mut touched = false;
            while from <= text.len() {
                let Some((a, b)) = regex.find(text, from) else { break };
                if a < b || !(touched && a == last) {
                    between.push((last, a));
                    fields.push((a, b));
                    last = b;
                    touched = a < b;
                    from = b;
                    if a < b {
                        continue;
                    }
                }
                from = a.max(from) + text.get(a..).map_or(1, |t| first_char(t).1.max(1));
            }
            between.push((last, text.len()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(text: &str, how: Splitter) -> Vec<String> {
        let mut record = Record::new(true);
        record.set(Rc::new(text.as_bytes().to_vec()), &Rc::new(how));
        (1..=record.count()).map(|n| String::from_utf8_lossy(&record.field(n).text(b"")).into_owned()).collect()
    }

    #[test]
    fn records_are_split() {
        assert_eq!(fields("  a b\tc ", Splitter::Blanks), ["a", "b", "c"]);
        assert_eq!(fields("a,,b,", Splitter::Byte(b',', false)), ["a", "", "b", ""]);
        assert_eq!(fields("", Splitter::Byte(b',', false)), [""; 0]);
        assert_eq!(fields("aéb", Splitter::Chars), ["a", "é", "b"]);
        assert_eq!(fields("abcdef", Splitter::Widths(vec![(0, 2), (1, 9)])), ["ab", "def"]);
    }

    #[test]
    fn assigning_rebuilds() {
        let mut record = Record::new(true);
        record.set(Rc::new(b"a b".to_vec()), &Rc::new(Splitter::Blanks));
        record.assign(4, Value::Num(1.5));
        assert_eq!(&***record.text(b"-", b"%.6g"), b"a-b--1.5");
        assert_eq!(record.field(2).text(b"").as_slice(), b"b");
        record.resize(1);
        assert_eq!(&***record.text(b"-", b"%.6g"), b"a");
    }
}
