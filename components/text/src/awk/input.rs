//! The main input: the files in ARGV, with assignments among them.

use super::array::Key;
use super::machine::{Machine, Run, Stop, fatal};
use super::reader;
use super::special as sp;
use super::value::Value;
use crate::input::Lines;
use crate::text;
use std::rc::Rc;

/// The main input.
#[derive(Default)]
pub(super) struct Main {
    /// The open file; the streams keep standard input.
    current: Option<Lines>,
    on_stdin: bool,
    /// The next element of ARGV.
    next: i64,
    /// Whether a file was read.
    any: bool,
    /// Whether everything is read.
    over: bool,
    /// The origin of the program's lines, for messages.
    pub places: super::sources::Places,
}

impl Machine {
    /// Reads the next record of the main input into `$0`, or into `into`. Returns false at the end.
    pub(super) fn next_record(&mut self, into: Option<&mut Vec<u8>>) -> Run<bool> {
        let mut into = into;
        loop {
            if !(self.main.current.is_some() || self.main.on_stdin || self.open_next()?) {
                return Ok(false);
            }
            let lines = if self.main.on_stdin {
                self.streams.stdin()
            } else {
                self.main.current.get_or_insert_with(|| Lines::new(Box::new(std::io::empty())))
            };
            let read = match &mut into {
                Some(buffer) => {
                    buffer.clear();
                    reader::read(lines, &self.ending, buffer, &mut self.end)
                }
                // The last record stays, for END.
                None => match lines.at_end() {
                    Ok(true) => Ok(false),
                    Ok(false) if matches!(self.ending, reader::Ending::Paragraph) => {
                        let mut text = Vec::new();
                        let read = reader::read(lines, &self.ending, &mut text, &mut self.end);
                        if matches!(read, Ok(true)) {
                            *self.record.buffer() = text;
                        }
                        read
                    }
                    Ok(false) => reader::read(lines, &self.ending, self.record.buffer(), &mut self.end),
                    Err(error) => Err(error),
                },
            };
            match read {
                Ok(true) => {
                    self.counts.0 += 1.0;
                    self.counts.1 += 1.0;
                    if into.is_none() {
                        self.record.refilled(&self.splitter);
                    }
                    return Ok(true);
                }
                Ok(false) => {}
                Err(error) => {
                    let name = text::shown(&self.globals[sp::FILENAME].text(b""));
                    eprintln!("{}: error reading input file `{name}': {}", self.name, text::reason(&error));
                    self.status = 2;
                }
            }
            self.end_file()?;
        }
    }

    /// Ends the current file.
    fn end_file(&mut self) -> Run<()> {
        (self.main.current, self.main.on_stdin) = (None, false);
        self.end_replacing()?;
        for at in self.code.end_file.clone() {
            match self.run(at as usize) {
                Ok(()) => {}
                Err(stop) => return Err(stop.within("ENDFILE")),
            }
        }
        Ok(())
    }

    /// Implements `nextfile`.
    pub(super) fn skip_file(&mut self) -> Run<()> {
        if self.main.current.is_some() || self.main.on_stdin { self.end_file() } else { Ok(()) }
    }

    fn open_next(&mut self) -> Run<bool> {
        if self.main.over {
            return Ok(false);
        }
        loop {
            self.main.next += 1;
            let argc = self.globals[sp::ARGC].num() as i64;
            if self.main.next >= argc {
                self.main.over = true;
                if self.main.any {
                    return Ok(false);
                }
                self.main.any = true;
                if self.begin_file(b"", b"-")? {
                    return Ok(true);
                }
                return Ok(false);
            }
            let argument = match &self.globals[sp::ARGV] {
                Value::Array(array) => array.table.borrow().get(&Key::Int(self.main.next)).map(|v| v.text(b"%.6g")),
                _ => None,
            };
            let Some(argument) = argument.filter(|a| !a.is_empty()) else { continue };
            if let Some((name, value)) = assignment(&argument) {
                self.assign_by_name(name, value)?;
                continue;
            }
            self.main.any = true;
            self.globals[sp::ARGIND] = Value::Num(self.main.next as f64);
            if self.begin_file(&argument, &argument)? {
                return Ok(true);
            }
        }
    }

    /// Opens a file of the main input; returns false if it is skipped.
    fn begin_file(&mut self, shown: &[u8], name: &[u8]) -> Run<bool> {
        self.counts.1 = 0.0;
        self.globals[sp::FILENAME] = Value::input(shown);
        if shown.is_empty() {
            self.globals[sp::FILENAME] = Value::input("-");
        }
        let mut problem = None;
        if name == b"-" || name == b"/dev/stdin" {
            self.main.on_stdin = true;
        } else {
            match Lines::open(&crate::sys::os_string(name.to_vec())) {
                Ok(lines) => {
                    self.main.current = Some(lines);
                    if !crate::sys::stat(std::path::Path::new(&crate::sys::os_string(name.to_vec())), true)
                        .is_ok_and(|s| s.kind != crate::sys::Kind::File)
                    {
                        self.begin_replacing(name)?;
                    }
                }
                Err(error) => problem = Some(error),
            }
        }
        let reason = problem.as_ref().map(text::reason).unwrap_or_default();
        self.globals[sp::ERRNO] = Value::str(reason.clone());
        for at in self.code.begin_file.clone() {
            match self.run(at as usize) {
                Err(Stop::NextFile) => {
                    (self.main.current, self.main.on_stdin) = (None, false);
                    return Ok(false);
                }
                Err(stop @ Stop::Next) => return Err(stop.within("BEGINFILE")),
                other => other?,
            }
        }
        let Some(error) = problem else { return Ok(true) };
        let shown = text::shown(name);
        // Earlier output comes before the message.
        let _ = self.streams.flush_output();
        if error.raw_os_error() == Some(libc::EISDIR) {
            eprintln!("{}: warning: command line argument `{shown}' is a directory: skipped", self.name);
        } else {
            return Err(Stop::Unopened(format!("cannot open file `{shown}' for reading: {reason}")));
        }
        Ok(false)
    }

    /// Performs `name=value` from the command line.
    pub(super) fn assign_by_name(&mut self, name: &str, value: &[u8]) -> Run<()> {
        let value = Value::Input(Rc::new(super::lexer::unescape_all(value)));
        if self.code.functions.iter().any(|f| f.name == name) {
            return fatal(format!("cannot use function `{name}' as variable name"));
        }
        match self.code.globals.iter().position(|g| g == name) {
            Some(number) if number < sp::HOOKED => self.set_special(number, value),
            Some(number) => match &self.globals[number] {
                Value::Array(array) if array.real.get() => fatal(format!("cannot use array `{name}' as a scalar")),
                _ => {
                    self.globals[number] = value;
                    Ok(())
                }
            },
            // Its value is not used.
            None => Ok(()),
        }
    }
}

/// Returns an argument that is an assignment.
pub(super) fn assignment(argument: &[u8]) -> Option<(&str, &[u8])> {
    let at = argument.iter().position(|b| *b == b'=')?;
    let name = std::str::from_utf8(&argument[..at]).ok()?;
    let plain = name.strip_prefix("awk::").unwrap_or(name);
    let first = plain.bytes().next()?;
    let good = (first.is_ascii_alphabetic() || first == b'_') && plain.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    good.then(|| (plain, &argument[at + 1..]))
}
