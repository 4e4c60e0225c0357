//! What jq reads: the files one after the other, or standard input, as JSON or as lines.

use crate::json::{Parser, Val};
use crate::sys;
use std::collections::VecDeque;
use std::fs::File;
use std::io::Read;

/// How the input is taken.
#[derive(Clone, Copy, Default)]
pub(super) struct Source {
    /// Lines are strings.
    pub raw: bool,
    /// Everything is one value.
    pub slurp: bool,
    /// RFC 7464.
    pub sequence: bool,
    /// Events instead of values.
    pub stream: bool,
}

/// Reads values.
pub(super) struct Reader {
    files: VecDeque<String>,
    open: Option<Box<dyn Read>>,
    name: Option<String>,
    /// Whether anything was read at all.
    started: bool,
    parser: Parser,
    source: Source,
    stream_errors: bool,
    buffer: Vec<u8>,
    at: usize,
    lines: usize,
    /// Where the line that is being read ends; it counts from its first byte on.
    counted: usize,
    text: Vec<u8>,
    done: bool,
    /// A file could not be read.
    pub failed: bool,
}

impl Reader {
    /// Creates a reader of files; none is standard input.
    pub(super) fn new(files: Vec<String>, source: Source, stream_errors: bool) -> Self {
        let files = if files.is_empty() { vec!["-".to_owned()] } else { files };
        Self {
            files: files.into(),
            open: None,
            name: None,
            started: false,
            parser: Parser::new(source.sequence, source.stream),
            source,
            stream_errors,
            buffer: Vec::new(),
            at: 0,
            lines: 0,
            counted: 0,
            text: Vec::new(),
            done: false,
            failed: false,
        }
    }

    /// Returns the file that is being read.
    pub(super) fn file(&self) -> Val {
        self.name.as_ref().map_or(Val::Null, |name| Val::str(name.clone()))
    }

    /// Returns the lines read so far.
    pub(super) fn line(&self) -> usize {
        self.lines
    }

    /// Returns the place for an error message.
    pub(super) fn position(&self) -> String {
        if !self.started {
            return "<unknown>".into();
        }
        format!("{}:{}", self.name.as_deref().unwrap_or("<stdin>"), self.lines)
    }

    /// Reads more bytes, from the next file where one ends.
    fn fill(&mut self) -> bool {
        self.buffer.clear();
        (self.at, self.counted) = (0, 0);
        loop {
            self.started = true;
            if self.open.is_none() {
                let Some(name) = self.files.pop_front() else { return false };
                self.lines = 0;
                if name == "-" {
                    self.open = Some(Box::new(std::io::stdin()));
                    self.name = None;
                } else {
                    match File::open(sys::path_from_bytes(&sys::written(&name))) {
                        Ok(file) => self.open = Some(Box::new(file)),
                        Err(error) => {
                            sys::print_error(format_args!("jq: error: Could not open file {name}: {}\n", sys::reason(&error)));
                            self.failed = true;
                            continue;
                        }
                    }
                    self.name = Some(String::from_utf8_lossy(&sys::written(&name)).into_owned());
                }
            }
            self.buffer.resize(64 * 1024, 0);
            let Some(open) = &mut self.open else { continue };
            match open.read(&mut self.buffer) {
                Ok(0) => self.open = None,
                Ok(count) => {
                    self.buffer.truncate(count);
                    return true;
                }
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => {
                    let name = self.name.as_deref().unwrap_or("<stdin>");
                    eprintln!("jq: error: Could not read {name}: {}", sys::reason(&error));
                    self.failed = true;
                    self.open = None;
                }
            }
            self.buffer.clear();
        }
    }

    /// Counts the lines that have been touched: a line that is begun has been read to its end.
    fn count(&mut self) {
        while self.counted < self.at {
            match self.buffer[self.counted..].iter().position(|b| *b == b'\n') {
                Some(end) => {
                    self.lines += 1;
                    self.counted += end + 1;
                }
                None => self.counted = self.buffer.len(),
            }
        }
    }

    /// Returns the next value.
    pub(super) fn next(&mut self) -> Option<Result<Val, String>> {
        if self.done {
            return None;
        }
        match (self.source.raw, self.source.slurp) {
            (true, true) => {
                while self.fill() {
                    self.at = self.buffer.len();
                    self.count();
                    self.text.extend_from_slice(&self.buffer);
                }
                self.done = true;
                let text = std::mem::take(&mut self.text);
                Some(Ok(Val::str(String::from_utf8_lossy(&text))))
            }
            (true, false) => self.raw_line().map(Ok),
            (false, true) => {
                let mut all = Vec::new();
                while let Some(next) = self.value() {
                    match next {
                        Ok(val) => all.push(val),
                        Err(error) if self.source.sequence => eprintln!("jq: ignoring parse error: {error}"),
                        Err(error) => {
                            self.done = true;
                            return Some(Err(error));
                        }
                    }
                }
                self.done = true;
                Some(Ok(Val::arr(all)))
            }
            (false, false) => self.value(),
        }
    }

    fn raw_line(&mut self) -> Option<Val> {
        loop {
            let rest = &self.buffer[self.at..];
            if let Some(end) = rest.iter().position(|b| *b == b'\n') {
                self.text.extend_from_slice(&rest[..end]);
                self.at += end + 1;
                self.count();
                let line = std::mem::take(&mut self.text);
                return Some(Val::str(String::from_utf8_lossy(&line)));
            }
            self.text.extend_from_slice(rest);
            if !self.fill() {
                self.done = true;
                let line = std::mem::take(&mut self.text);
                return (!line.is_empty()).then(|| Val::str(String::from_utf8_lossy(&line)));
            }
        }
    }

    fn value(&mut self) -> Option<Result<Val, String>> {
        loop {
            let mut rest = &self.buffer[self.at..];
            let before = rest.len();
            let result = self.parser.feed(&mut rest);
            self.at += before - rest.len();
            let used = before > rest.len();
            if used {
                self.count();
            }
            match result {
                Ok(Some(val)) => return Some(Ok(val)),
                Ok(None) => {}
                Err(error) => return Some(self.broken(error)),
            }
            if !self.fill() {
                return match self.parser.finish() {
                    Ok(Some(val)) => Some(Ok(val)),
                    Ok(None) => {
                        self.done = true;
                        None
                    }
                    Err(error) => Some(self.broken(error)),
                };
            }
        }
    }

    /// Ends the input after a text that is not JSON, unless a sequence can continue after it.
    fn broken(&mut self, error: String) -> Result<Val, String> {
        if !self.source.sequence {
            self.done = true;
        }
        if self.stream_errors {
            let path = self.parser.place();
            return Ok(Val::arr(vec![Val::str(error), path]));
        }
        Err(error)
    }
}
