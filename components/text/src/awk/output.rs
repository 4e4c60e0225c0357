//! `print`, `printf`, `getline`, commands.

use super::array::Key;
use super::ast::Redirect;
use super::machine::{Machine, Run, Stop, fatal};
use super::reader;
use super::special as sp;
use super::value::Value;
use crate::sys::Status;
use crate::text;
use std::io::Error;
use std::rc::Rc;

impl Machine {
    /// Returns a failure to write.
    pub(super) fn broken(&mut self, error: &Error) -> Stop {
        Stop::Fatal(format!("write failure ({})", text::reason(error)))
    }

    /// Prints the record and ORS.
    pub(super) fn print_record(&mut self) -> Run<()> {
        let text = self.record.text(&self.ofs, &self.convfmt);
        self.streams.buffer.extend_from_slice(text);
        self.print_end()
    }

    /// Prints ORS.
    pub(super) fn print_end(&mut self) -> Run<()> {
        self.streams.buffer.extend_from_slice(&self.ors);
        match self.streams.printed() {
            Ok(()) => Ok(()),
            Err(error) => Err(self.broken(&error)),
        }
    }

    /// Implements `print`.
    pub(super) fn print(&mut self, count: usize, target: Option<Redirect>) -> Run<()> {
        let name = target.map(|_| self.pop());
        let from = self.stack.len() - count;
        let mut out = Vec::new();
        for (at, value) in self.stack.drain(from..).enumerate() {
            if at > 0 {
                out.extend_from_slice(&self.ofs);
            }
            value.append(&self.ofmt, &mut out);
        }
        out.extend_from_slice(&self.ors);
        self.put(&out, target, name)
    }

    /// Implements `printf`.
    pub(super) fn printf(&mut self, count: usize, target: Option<Redirect>) -> Run<()> {
        let name = target.map(|_| self.pop());
        let from = self.stack.len() - count;
        let values: Vec<Value> = self.stack.drain(from..).collect();
        let out = self.formatted(&values)?;
        self.put(&out, target, name)
    }

    /// Implements `sprintf`.
    pub(super) fn formatted(&mut self, values: &[Value]) -> Run<Vec<u8>> {
        let mut out = Vec::new();
        let format = values[0].text(&self.convfmt);
        match super::format::format(&format, &values[1..], &self.convfmt, self.utf8, &mut out) {
            Ok(()) => Ok(out),
            Err(message) => fatal(message),
        }
    }

    fn put(&mut self, text: &[u8], target: Option<Redirect>, name: Option<Value>) -> Run<()> {
        let (Some(redirect), Some(name)) = (target, name) else {
            self.streams.buffer.extend_from_slice(text);
            return match self.streams.printed() {
                Ok(()) => Ok(()),
                Err(error) => Err(self.broken(&error)),
            };
        };
        if self.sandbox {
            return fatal("redirection not allowed in sandbox mode");
        }
        let name = name.text(&self.convfmt);
        if name.is_empty() {
            let sign = match redirect {
                Redirect::File => ">",
                Redirect::Append => ">>",
                Redirect::Pipe => "|",
                Redirect::Both => "|&",
            };
            return fatal(format!("expression for `{sign}' redirection has null string value"));
        }
        let pipe = matches!(redirect, Redirect::Pipe | Redirect::Both);
        if pipe && self.streams.half_closed(&name, true) {
            return fatal("print: attempt to write to closed write end of two-way pipe");
        }
        let env = if pipe && !self.streams.is_open(&name) { self.variables() } else { Vec::new() };
        match self.streams.write(redirect, &name, text, &env) {
            Ok(()) => Ok(()),
            Err(error) if self.forgiven(&name) => {
                self.set_errno(&error);
                Ok(())
            }
            Err(error) => {
                let what = if matches!(redirect, Redirect::Pipe | Redirect::Both) { "cannot open pipe" } else { "cannot redirect to" };
                fatal(format!("{what} `{}': {}", text::shown(&name), text::reason(&error)))
            }
        }
    }

    /// Sets ERRNO and PROCINFO["errno"].
    pub(super) fn set_errno(&mut self, error: &Error) {
        self.globals[sp::ERRNO] = Value::str(text::reason(error));
        self.set_info("errno", Value::Num(f64::from(errno(error))));
    }

    fn set_info(&mut self, name: &str, value: Value) {
        if let Value::Array(info) = &self.globals[sp::PROCINFO] {
            info.table.borrow_mut().set(Key::Str(Rc::new(name.as_bytes().to_vec())), value);
        }
    }

    /// Returns whether errors of output to `name` are not fatal: `PROCINFO["NONFATAL"]`, `PROCINFO[name, "NONFATAL"]`.
    fn forgiven(&self, name: &[u8]) -> bool {
        let Value::Array(info) = &self.globals[sp::PROCINFO] else { return false };
        let key = [name, &self.subsep, b"NONFATAL"].concat();
        let info = info.table.borrow();
        [key, b"NONFATAL".to_vec()].into_iter().any(|key| info.contains(&Key::Str(Rc::new(key))))
    }

    /// Implements `getline` and `getline x`.
    pub(super) fn getline_main(&mut self, into: bool) -> Run<()> {
        let mut line = Vec::new();
        let read = self.next_record(into.then_some(&mut line))?;
        self.got = f64::from(u8::from(read));
        if into {
            self.push(Value::Input(Rc::new(line)));
        }
        Ok(())
    }

    /// Implements `getline < file`.
    pub(super) fn getline_file(&mut self, into: bool) -> Run<()> {
        let name = self.pop().text(&self.convfmt);
        if name.is_empty() {
            return fatal("expression for `<' redirection has null string value");
        }
        let mut line = Vec::new();
        let ending = self.ending.clone();
        let mut end = std::mem::take(&mut self.end);
        let read = self.streams.file(&name).and_then(|lines| reader::read(lines, &ending, &mut line, &mut end));
        self.end = end;
        self.finish_getline(read, line, into);
        Ok(())
    }

    /// Implements `command | getline`.
    pub(super) fn getline_command(&mut self, into: bool, both: bool) -> Run<()> {
        let name = self.pop().text(&self.convfmt);
        if self.sandbox {
            return fatal("redirection not allowed in sandbox mode");
        }
        if name.is_empty() {
            return fatal("expression for `|' redirection has null string value");
        }
        let env = if self.streams.is_open(&name) { Vec::new() } else { self.variables() };
        if both && self.streams.half_closed(&name, false) {
            return fatal("getline: attempt to read from closed read end of two-way pipe");
        }
        let mut line = Vec::new();
        let ending = self.ending.clone();
        let mut end = std::mem::take(&mut self.end);
        let read = self.streams.command(&name, both, &env).and_then(|lines| reader::read(lines, &ending, &mut line, &mut end));
        self.end = end;
        self.finish_getline(read, line, into);
        Ok(())
    }

    fn finish_getline(&mut self, read: std::io::Result<bool>, line: Vec<u8>, into: bool) {
        self.got = match &read {
            Ok(true) => 1.0,
            Ok(false) => 0.0,
            Err(error) => {
                self.set_errno(error);
                -1.0
            }
        };
        if into {
            self.push(Value::Input(Rc::new(line)));
        } else if self.got > 0.0 {
            self.set_record(Rc::new(line));
        }
    }

    /// Implements `close`.
    pub(super) fn close(&mut self, args: &[Value]) -> Run<Value> {
        let name = args[0].text(&self.convfmt);
        let to = match args.get(1).map(|how| how.text(&self.convfmt)) {
            None => None,
            Some(how) => match &how[..] {
                b"to" => Some(true),
                b"from" => Some(false),
                _ => return fatal("close: second argument must be `to' or `from'"),
            },
        };
        match self.streams.close(&name, to) {
            Ok(None) => {
                self.set_info("errno", Value::Num(0.0));
                self.globals[sp::ERRNO] = Value::str("close of redirection that was never opened");
                Ok(Value::Num(-1.0))
            }
            Ok(Some(status)) => Ok(Value::Num(status.map_or(0.0, number))),
            Err(error) => {
                self.set_errno(&error);
                Ok(Value::Num(-1.0))
            }
        }
    }

    /// Implements `system`.
    pub(super) fn system(&mut self, command: &Value) -> Run<Value> {
        if self.sandbox {
            return fatal("'system' function not allowed in sandbox mode");
        }
        let command = command.text(&self.convfmt);
        let env = self.variables();
        match self.streams.system(&command, &env) {
            Ok(status) => Ok(Value::Num(number(status))),
            Err(error) => fatal(format!("cannot run `{}': {}", String::from_utf8_lossy(&command), text::reason(&error))),
        }
    }

    /// Implements `fflush`.
    pub(super) fn fflush(&mut self, args: &[Value]) -> Run<Value> {
        let name = args.first().map(|n| n.text(&self.convfmt)).filter(|n| !n.is_empty());
        let done = match &name {
            None => self.streams.flush().map(|()| true),
            Some(name) => self.streams.flush_one(name),
        };
        Ok(Value::Num(if matches!(done, Ok(true)) { 0.0 } else { -1.0 }))
    }
}

/// Returns the number of an error on Linux, which differs from WASI's.
fn errno(error: &Error) -> i32 {
    use std::io::ErrorKind as Kind;
    match error.kind() {
        Kind::NotFound => 2,
        Kind::PermissionDenied => 13,
        Kind::AlreadyExists => 17,
        Kind::NotADirectory => 20,
        Kind::IsADirectory => 21,
        Kind::InvalidInput => 22,
        Kind::BrokenPipe => 32,
        _ => error.raw_os_error().unwrap_or(0),
    }
}

/// Returns the status of a command as a number: 256 + the signal if a signal ended it.
fn number(status: Status) -> f64 {
    match status.signal {
        Some(signal) => 256.0 + f64::from(signal),
        None => f64::from(status.code),
    }
}
