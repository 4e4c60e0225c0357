//! Reading and writing files, and shell commands.

use super::address::Range;
use super::commands::no_address;
use super::input::Text;
use super::{Ed, Result, Stop, fail};
use crate::sys::{self, Io};
use crate::text::{reason, show};
use std::ffi::OsString;
use std::io::{Read, Write};
use std::rc::Rc;

/// Returns the path of a name.
pub(super) fn path(name: &[u8]) -> OsString {
    sys::os_string(name.to_vec())
}

impl Ed {
    /// Checks whether a file of this name may be used.
    pub(crate) fn check_name(&self, name: &[u8]) -> Result<()> {
        if self.restricted && name.starts_with(b"!") {
            return fail("Shell access restricted");
        }
        if self.restricted && (name == b".." || name.contains(&b'/')) {
            return fail("Directory access restricted");
        }
        Ok(())
    }

    /// Runs `e`, `E`, `f`, `r`, `w` and `W`.
    pub(crate) fn file_command(&mut self, letter: u8, range: Range, text: &mut Text) -> Result<()> {
        if matches!(letter, b'e' | b'E' | b'f') {
            no_address(range)?;
        }
        let quit = match text.peek() {
            after @ (b'q' | b'Q') if letter == b'w' => {
                text.next();
                Some(after)
            }
            _ => None,
        };
        if !matches!(text.peek(), b' ' | b'\t' | b'\n') {
            return fail("Unexpected command suffix");
        }
        text.blanks();
        let name = text.line();
        self.check_name(&name)?;
        let is_command = name.starts_with(b"!");
        match letter {
            b'f' => {
                if is_command {
                    return fail("Invalid redirection");
                }
                if !name.is_empty() {
                    self.name = Some(name);
                }
                let name = self.named(Vec::new())?;
                self.put(&[&name[..], b"\n"].concat());
                Ok(())
            }
            b'r' => {
                let last = self.buffer.last();
                let after = if range.count == 0 { last } else { range.to };
                if self.name.is_none() && !is_command {
                    self.name = Some(name.clone()).filter(|name| !name.is_empty());
                }
                let name = self.named(name)?;
                self.keep();
                self.read(&name, after)
            }
            b'e' | b'E' => {
                if letter == b'e' && self.buffer.modified && !self.warned {
                    return Err(Stop::Modified);
                }
                if !is_command && !name.is_empty() {
                    self.name = Some(name.clone());
                }
                let name = self.named(name)?;
                self.buffer.clear();
                (self.binary, self.unended) = (false, false);
                let read = self.read(&name, 0);
                self.buffer.forget();
                self.buffer.modified = false;
                read
            }
            _ => self.write_command(letter, quit, range, name),
        }
    }

    fn write_command(&mut self, letter: u8, quit: Option<u8>, range: Range, name: Vec<u8>) -> Result<()> {
        let (from, to) = self.all_or(range)?;
        if self.name.is_none() && !name.starts_with(b"!") {
            self.name = Some(name.clone()).filter(|name| !name.is_empty());
        }
        let whole = to == self.buffer.last() && from <= 1;
        let is_command = name.starts_with(b"!");
        let name = self.named(name)?;
        let bytes = self.contents(from, to, whole);
        self.write(&name, &bytes, letter == b'W')?;
        self.count(bytes.len());
        if whole && !is_command {
            self.buffer.modified = false;
        }
        match quit {
            Some(b'Q') => Err(Stop::Quit),
            Some(_) if self.buffer.modified && !self.warned => Err(Stop::Modified),
            Some(_) => Err(Stop::Quit),
            None => Ok(()),
        }
    }

    /// Returns the given name, or the current one.
    fn named(&self, name: Vec<u8>) -> Result<Vec<u8>> {
        match (&self.name, name.is_empty()) {
            (_, false) => Ok(name),
            (Some(known), true) => Ok(known.clone()),
            (None, true) => fail("No current filename"),
        }
    }

    fn contents(&self, from: usize, to: usize, whole: bool) -> Vec<u8> {
        let lines = if to == 0 { &[] } else { self.buffer.lines(from, to) };
        let mut bytes: Vec<u8> = lines.iter().flat_map(|line| line.text.iter().copied().chain([b'\n'])).collect();
        if whole && self.binary && self.unended {
            bytes.pop();
        }
        bytes
    }

    fn count(&mut self, bytes: usize) {
        if !self.script {
            self.put(format!("{bytes}\n").as_bytes());
        }
    }

    /// Prints a message about a file, to standard error.
    fn complain(&mut self, message: &str) {
        let _ = self.out.flush();
        if !self.quiet {
            eprintln!("{message}");
        }
    }

    /// Inserts the lines of a file, or the output of a shell command, after an address.
    pub(crate) fn read(&mut self, name: &[u8], after: usize) -> Result<()> {
        let read = match name.strip_prefix(b"!") {
            Some(command) => self.command_output(command),
            None => crate::text::slurp(&path(name)),
        };
        let bytes = match read {
            Ok(bytes) => bytes,
            Err(error) => {
                self.complain(&format!("{}: {}", show(path(name)), reason(&error)));
                return fail("Cannot open input file");
            }
        };
        let ended = bytes.is_empty() || bytes.ends_with(b"\n");
        let body = bytes.strip_suffix(b"\n").unwrap_or(&bytes);
        let strip = |line: &[u8]| -> Rc<[u8]> { line.strip_suffix(b"\r").filter(|_| self.strip).unwrap_or(line).into() };
        let lines: Vec<Rc<[u8]>> = if bytes.is_empty() { Vec::new() } else { body.split(|byte| *byte == b'\n').map(strip).collect() };
        let size = lines.iter().map(|line| line.len() + 1).sum::<usize>();
        self.binary |= bytes.contains(&0);
        self.unended = !ended && after == self.buffer.last();
        let kept = self.binary && self.unended;
        if !ended && !kept {
            self.put(b"Newline appended\n");
        }
        self.buffer.insert(after, lines);
        self.count(size - usize::from(kept));
        Ok(())
    }

    fn write(&mut self, name: &[u8], bytes: &[u8], append: bool) -> Result<()> {
        let written = match name.strip_prefix(b"!") {
            Some(command) => self.feed(command, bytes),
            None if append => {
                std::fs::OpenOptions::new().append(true).create(true).open(path(name)).and_then(|mut file| file.write_all(bytes))
            }
            None => std::fs::write(path(name), bytes),
        };
        written.or_else(|error| {
            self.complain(&format!("{}: {}", show(path(name)), reason(&error)));
            fail("Cannot open output file")
        })
    }

    fn command_output(&mut self, command: &[u8]) -> std::io::Result<Vec<u8>> {
        let _ = self.out.flush();
        let mut child = sys::spawn_shell(command, &sys::environment(), Io::Inherit, Io::Pipe)?;
        let mut bytes = Vec::new();
        if let Some(mut output) = child.stdout.take() {
            output.read_to_end(&mut bytes)?;
        }
        child.wait();
        Ok(bytes)
    }

    fn feed(&mut self, command: &[u8], bytes: &[u8]) -> std::io::Result<()> {
        let _ = self.out.flush();
        // A command that reads only a part of it is not an error.
        sys::ignore_broken_pipe(true);
        let mut child = sys::spawn_shell(command, &sys::environment(), Io::Pipe, Io::Inherit)?;
        if let Some(mut input) = child.stdin.take() {
            let _ = input.write_all(bytes);
        }
        sys::ignore_broken_pipe(false);
        child.wait();
        Ok(())
    }

    /// Implements `!`: `%` is the name of the file, a `!` at the start the last command.
    pub(crate) fn shell_command(&mut self, text: &mut Text) -> Result<()> {
        if self.restricted {
            return fail("Shell access restricted");
        }
        let line = text.line();
        let mut command = Vec::new();
        let mut replaced = false;
        let mut rest = &line[..];
        if let Some(more) = rest.strip_prefix(b"!") {
            let Some(last) = &self.shell else { return fail("No previous command") };
            command.extend_from_slice(last);
            (replaced, rest) = (true, more);
        }
        while let Some((byte, more)) = rest.split_first() {
            rest = more;
            match byte {
                b'\\' if more.first() == Some(&b'%') => {
                    command.push(b'%');
                    rest = &more[1..];
                }
                b'%' => {
                    let Some(name) = &self.name else { return fail("No current filename") };
                    command.extend_from_slice(name);
                    replaced = true;
                }
                other => command.push(*other),
            }
        }
        self.shell = Some(command.clone());
        if replaced {
            self.put(&[&command[..], b"\n"].concat());
        }
        let _ = self.out.flush();
        let child = sys::spawn_shell(&command, &sys::environment(), Io::Inherit, Io::Inherit);
        match child {
            Ok(mut child) => child.wait(),
            Err(error) => return fail(reason(&error)),
        };
        if !self.script {
            self.put(b"!\n");
        }
        Ok(())
    }
}
