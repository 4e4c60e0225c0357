//! The JSON reader: fed bytes as they come, it gives values as they end, and errors with jq's words and positions.

use super::stream::Events;
use super::{Items, MAX_DEPTH, Map, Str, Val, number_from_text};
use std::rc::Rc;

/// A container that is open.
enum Open {
    Array(Vec<Val>),
    Object(Map, Option<Str>),
}

#[derive(PartialEq, Eq, Clone, Copy)]
enum State {
    Normal,
    Text,
    Escape,
    /// Looking for the record separator of a sequence.
    Lost,
}

/// An incremental reader of JSON texts.
pub(crate) struct Parser {
    sequence: bool,
    events: Option<Events>,
    state: State,
    token: Vec<u8>,
    stack: Vec<Open>,
    next: Option<Val>,
    line: usize,
    column: usize,
    after_space: bool,
    mark: usize,
    ended: bool,
    broken: Val,
}

type Step<T> = Result<T, String>;

impl Parser {
    /// Creates a reader of values, or of `--stream` events; `sequence` is RFC 7464.
    pub(crate) fn new(sequence: bool, stream: bool) -> Self {
        Self {
            sequence,
            events: stream.then(Events::default),
            state: if sequence { State::Lost } else { State::Normal },
            token: Vec::new(),
            stack: Vec::new(),
            next: None,
            line: 1,
            column: 0,
            after_space: false,
            mark: 0,
            ended: false,
            broken: Val::Null,
        }
    }

    /// Reads until a value ends or the bytes are used up; what is used is cut from `bytes`.
    pub(crate) fn feed(&mut self, bytes: &mut &[u8]) -> Step<Option<Val>> {
        if let Some(event) = self.pending() {
            return Ok(Some(event));
        }
        while let Some((&byte, rest)) = bytes.split_first() {
            *bytes = rest;
            // A byte order mark at the start of all is skipped.
            if self.mark < 3 {
                if byte == [0xef, 0xbb, 0xbf][self.mark] {
                    self.mark += 1;
                    continue;
                }
                if self.mark > 0 {
                    self.mark = 3;
                    return Err("Malformed BOM".into());
                }
                self.mark = 3;
            }
            match self.scan(byte) {
                Ok(None) => {}
                Ok(value) => return Ok(value),
                Err(message) => {
                    let mut message = format!("{message} at line {}, column {}", self.line, self.column);
                    if self.sequence && byte != 0x1e {
                        message += " (need RS to resync)";
                        self.state = State::Lost;
                    } else {
                        self.state = State::Normal;
                    }
                    self.reset();
                    return Err(message);
                }
            }
            if self.state == State::Text {
                // The bulk of a string needs no look at every byte.
                let plain = bytes.iter().position(|b| *b == b'"' || *b == b'\\' || *b < 0x20).unwrap_or(bytes.len());
                self.token.extend_from_slice(&bytes[..plain]);
                self.column += plain;
                *bytes = &bytes[plain..];
            }
        }
        Ok(None)
    }

    /// Ends the input; returns the value that only ends there, or what is missing. Call until it gives `None`.
    pub(crate) fn finish(&mut self) -> Step<Option<Val>> {
        if let Some(event) = self.pending() {
            return Ok(Some(event));
        }
        if std::mem::replace(&mut self.ended, true) {
            return Ok(None);
        }
        let place = format!("at EOF at line {}, column {}", self.line, self.column);
        if self.state == State::Lost {
            return Err(format!("Unfinished abandoned text {place}"));
        }
        if self.state != State::Normal {
            self.reset();
            return Err(format!("Unfinished string {place}"));
        }
        if let Err(message) = self.literal() {
            self.reset();
            return Err(format!("{message} {place}"));
        }
        if self.depth() > 0 {
            self.reset();
            return Err(format!("Unfinished JSON term {place}"));
        }
        let value = self.next.take();
        if self.sequence && !self.after_space && value.as_ref().is_some_and(|v| v.number().is_some()) {
            return Err(format!("Potentially truncated top-level numeric value {place}"));
        }
        Ok(value.map(|value| if self.events.is_some() { Val::arr(vec![Val::arr(Vec::new()), value]) } else { value }))
    }

    /// Returns where `--stream` was when the last error came: the path of what came next.
    pub(crate) fn place(&self) -> Val {
        self.broken.clone()
    }

    fn depth(&self) -> usize {
        self.events.as_ref().map_or(self.stack.len(), Events::depth)
    }

    fn reset(&mut self) {
        self.token.clear();
        self.stack.clear();
        self.next = None;
        if let Some(events) = &self.events {
            self.broken = events.place();
            self.events = Some(Events::default());
        }
    }

    fn pending(&mut self) -> Option<Val> {
        self.events.as_mut()?.pending()
    }

    /// Returns what is complete now.
    fn done(&mut self) -> Option<Val> {
        if self.events.is_some() {
            if self.depth() == 0
                && let Some(value) = self.next.take()
            {
                return Some(Val::arr(vec![Val::arr(Vec::new()), value]));
            }
            return self.pending();
        }
        if self.stack.is_empty() { self.next.take() } else { None }
    }

    fn scan(&mut self, byte: u8) -> Step<Option<Val>> {
        self.column += 1;
        if byte == b'\n' {
            self.line += 1;
            self.column = 0;
        }
        if self.state == State::Lost {
            if byte == 0x1e {
                self.state = State::Normal;
            }
            return Ok(None);
        }
        if self.sequence && byte == 0x1e {
            return self.separator();
        }
        self.after_space = false;
        match self.state {
            State::Text if byte == b'"' => {
                self.state = State::Normal;
                let text = unescape(&self.token)?;
                self.token.clear();
                self.value(Val::str(text))?;
                Ok(self.done())
            }
            State::Text | State::Escape => {
                self.token.push(byte);
                self.state = if byte == b'\\' && self.state == State::Text { State::Escape } else { State::Text };
                Ok(None)
            }
            _ => self.plain(byte),
        }
    }

    fn plain(&mut self, byte: u8) -> Step<Option<Val>> {
        if !matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b'"' | b'[' | b',' | b']' | b'{' | b':' | b'}') {
            self.token.push(byte);
            return Ok(None);
        }
        self.literal()?;
        let mut done = self.done();
        match byte {
            b'"' => self.state = State::Text,
            b' ' | b'\t' | b'\r' | b'\n' => self.after_space = true,
            _ if self.events.is_some() => {
                if let Some(events) = &mut self.events {
                    events.token(byte, &mut self.next)?;
                }
            }
            _ => self.token(byte)?,
        }
        if done.is_none() {
            done = self.done();
        }
        Ok(done)
    }

    fn separator(&mut self) -> Step<Option<Val>> {
        let number = self.next.as_ref().is_some_and(|v| v.number().is_some());
        let cut = match &self.events {
            Some(events) => events.depth() > 0 || matches!(self.next, Some(Val::Num(_) | Val::Lit(_) | Val::Bool(_) | Val::Null)),
            None => !self.after_space && (!self.stack.is_empty() || !self.token.is_empty() || number),
        };
        if cut {
            let top_number = self.literal().is_ok() && self.depth() == 0 && self.next.as_ref().is_some_and(|v| v.number().is_some());
            return Err(if top_number { "Potentially truncated top-level numeric value" } else { "Truncated value" }.into());
        }
        self.literal()?;
        let done = if self.state == State::Normal { self.done() } else { None };
        if done.is_none() {
            self.state = State::Normal;
            self.reset();
        }
        Ok(done)
    }

    /// Ends a scalar.
    fn value(&mut self, value: Val) -> Step<()> {
        if let Some(events) = &mut self.events {
            events.value(self.next.is_some())?;
        } else if self.next.is_some() {
            return Err("Expected separator between values".into());
        }
        self.next = Some(value);
        Ok(())
    }

    fn literal(&mut self) -> Step<()> {
        if self.token.is_empty() {
            return Ok(());
        }
        let token = std::mem::take(&mut self.token);
        let word = |name: &[u8], value: Val| if token == name { Ok(value) } else { Err("Invalid literal".to_owned()) };
        let value = match token[0] {
            b't' => word(b"true", Val::Bool(true)),
            b'f' => word(b"false", Val::Bool(false)),
            b'n' if token.get(1) == Some(&b'u') => word(b"null", Val::Null),
            _ => std::str::from_utf8(&token).ok().and_then(number_from_text).ok_or_else(|| "Invalid numeric literal".to_owned()),
        }?;
        self.value(value)?;
        // The buffer is kept for the next token.
        self.token = token;
        self.token.clear();
        Ok(())
    }

    fn token(&mut self, byte: u8) -> Step<()> {
        match byte {
            b'[' | b'{' => {
                if self.stack.len() >= MAX_DEPTH {
                    return Err("Exceeds depth limit for parsing".into());
                }
                if self.next.is_some() {
                    return Err("Expected separator between values".into());
                }
                self.stack.push(if byte == b'[' { Open::Array(Vec::new()) } else { Open::Object(Map::default(), None) });
            }
            b':' => {
                let Some(next) = self.next.take() else { return Err("Expected string key before ':'".into()) };
                let Some(Open::Object(_, key @ None)) = self.stack.last_mut() else { return Err("':' not as part of an object".into()) };
                let Val::Str(name) = next else { return Err("Object keys must be strings".into()) };
                *key = Some(name);
            }
            b',' => {
                let Some(next) = self.next.take() else { return Err("Expected value before ','".into()) };
                match self.stack.last_mut() {
                    None => return Err("',' not as part of an object or array".into()),
                    Some(Open::Array(items)) => items.push(next),
                    Some(Open::Object(map, key)) => match key.take() {
                        Some(key) => drop(map.insert(key, next)),
                        None => return Err("Objects must consist of key:value pairs".into()),
                    },
                }
            }
            b']' => {
                let Some(Open::Array(items)) = self.stack.last_mut() else { return Err("Unmatched ']'".into()) };
                match self.next.take() {
                    Some(next) => items.push(next),
                    None if !items.is_empty() => return Err("Expected another array element".into()),
                    None => {}
                }
                if let Some(Open::Array(items)) = self.stack.pop() {
                    self.next = Some(Val::Arr(Rc::new(Items(items))));
                }
            }
            _ => {
                let Some(open) = self.stack.last_mut() else { return Err("Unmatched '}'".into()) };
                match (self.next.take(), open) {
                    (Some(next), Open::Object(map, key @ Some(_))) => {
                        if let Some(key) = key.take() {
                            map.insert(key, next);
                        }
                    }
                    (Some(_), _) => return Err("Objects must consist of key:value pairs".into()),
                    (None, Open::Object(map, None)) if map.is_empty() => {}
                    (None, Open::Object(_, None)) => return Err("Expected another key-value pair".into()),
                    (None, _) => return Err("Unmatched '}'".into()),
                }
                if let Some(Open::Object(map, _)) = self.stack.pop() {
                    self.next = Some(Val::obj(map));
                }
            }
        }
        Ok(())
    }
}

/// Returns the text between the quotes of a string.
fn unescape(raw: &[u8]) -> Result<String, String> {
    if let Some(at) = raw.iter().position(|b| *b < 0x20)
        && !raw[..at].contains(&b'\\')
    {
        return Err("Invalid string: control characters from U+0000 through U+001F must be escaped".into());
    }
    if !raw.contains(&b'\\') {
        return Ok(String::from_utf8_lossy(raw).into_owned());
    }
    let mut out: Vec<u8> = Vec::with_capacity(raw.len());
    let mut rest = raw;
    let hex =
        |digits: &[u8]| std::str::from_utf8(digits).ok().filter(|d| !d.starts_with('+')).and_then(|d| u32::from_str_radix(d, 16).ok());
    while let Some((&byte, tail)) = rest.split_first() {
        rest = tail;
        if byte < 0x20 {
            return Err("Invalid string: control characters from U+0000 through U+001F must be escaped".into());
        }
        if byte != b'\\' {
            out.push(byte);
            continue;
        }
        let Some((&escape, tail)) = rest.split_first() else { return Err("Expected escape character at end of string".into()) };
        rest = tail;
        match escape {
            b'\\' | b'"' | b'/' => out.push(escape),
            b'b' => out.push(8),
            b'f' => out.push(12),
            b't' => out.push(9),
            b'n' => out.push(10),
            b'r' => out.push(13),
            b'u' => {
                let digits = rest.get(..4).ok_or("Invalid \\uXXXX escape")?;
                let mut point = hex(digits).ok_or("Invalid characters in \\uXXXX escape")?;
                rest = &rest[4..];
                if (0xd800..0xdc00).contains(&point) {
                    let low = rest.get(..6).filter(|r| r.starts_with(b"\\u")).and_then(|r| hex(&r[2..]));
                    let low = low.filter(|l| (0xdc00..0xe000).contains(l)).ok_or("Invalid \\uXXXX\\uXXXX surrogate pair escape")?;
                    point = 0x10000 + ((point - 0xd800) << 10) + (low - 0xdc00);
                    rest = &rest[6..];
                }
                let c = char::from_u32(point).unwrap_or(char::REPLACEMENT_CHARACTER);
                out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            }
            _ => return Err("Invalid escape".into()),
        }
    }
    Ok(String::from_utf8_lossy(&out).into_owned())
}

/// Parses the one value that a text consists of.
pub(crate) fn parse_one(text: &str) -> Result<Val, String> {
    let run = || {
        let mut values = parse_all(text.as_bytes())?.into_iter();
        let value = values.next().ok_or("Expected JSON value")?;
        if values.next().is_some() { Err("Unexpected extra JSON values".to_owned()) } else { Ok(value) }
    };
    run().map_err(|error| format!("{error} (while parsing '{text}')"))
}

/// Parses all values of a text.
pub(crate) fn parse_all(mut bytes: &[u8]) -> Result<Vec<Val>, String> {
    let mut parser = Parser::new(false, false);
    let mut values = Vec::new();
    while let Some(value) = parser.feed(&mut bytes)? {
        values.push(value);
    }
    values.extend(parser.finish()?);
    Ok(values)
}
