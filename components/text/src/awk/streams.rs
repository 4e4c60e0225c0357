//! Files and commands that a program reads and writes.

use super::ast::Redirect;
use crate::input::{Lines, Stdin};
use crate::sys::{self, Child, Io, Status};
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufWriter, Error, Read, Result, Write};

enum Target {
    File(BufWriter<File>),
    Pipe(Option<BufWriter<sys::Writer>>, Child),
}

struct Output {
    target: Target,
    /// Messages are not buffered.
    prompt: bool,
}

struct Input {
    lines: Lines,
    child: Option<Child>,
    /// Only the writing end is still open.
    closed: bool,
}

/// Everything that is open.
#[derive(Default)]
pub(super) struct Streams {
    /// Buffered output to standard output.
    pub buffer: Vec<u8>,
    /// Standard output is a terminal.
    pub interactive: bool,
    outputs: HashMap<Vec<u8>, Output>,
    inputs: HashMap<Vec<u8>, Input>,
    stdin: Option<Lines>,
    /// The file that the output replaces.
    pub replaced: Option<super::inplace::Replaced>,
}

/// The size of the buffer of standard output.
const HELD: usize = 64 * 1024;

impl Streams {
    /// Creates the streams with nothing open.
    pub(super) fn new(interactive: bool) -> Self {
        Self { interactive, ..Self::default() }
    }

    /// Writes the buffer if it is full, after printing.
    pub(super) fn printed(&mut self) -> Result<()> {
        if self.buffer.len() >= HELD || self.interactive { self.flush_output() } else { Ok(()) }
    }

    /// Writes the buffer of standard output.
    pub(super) fn flush_output(&mut self) -> Result<()> {
        if self.buffer.is_empty() {
            return Ok(());
        }
        let result = match &mut self.replaced {
            Some(file) => file.write(&self.buffer),
            None => sys::descriptor(1).write_all(&self.buffer),
        };
        self.buffer.clear();
        result
    }

    /// Writes all buffers.
    pub(super) fn flush(&mut self) -> Result<()> {
        self.flush_output()?;
        self.outputs.values_mut().try_for_each(Output::flush)
    }

    /// Flushes one stream; returns false if there is none of that name.
    pub(super) fn flush_one(&mut self, name: &[u8]) -> Result<bool> {
        if name == b"/dev/stdout" || name == b"-" {
            return self.flush_output().map(|()| true);
        }
        match self.outputs.get_mut(name) {
            Some(output) => output.flush().map(|()| true),
            None => Ok(false),
        }
    }

    /// Returns whether something of this name is open already.
    pub(super) fn is_open(&self, name: &[u8]) -> bool {
        self.outputs.contains_key(name) || self.inputs.contains_key(name)
    }

    /// Writes to a file or command.
    pub(super) fn write(&mut self, redirect: Redirect, name: &[u8], text: &[u8], env: &[Vec<u8>]) -> Result<()> {
        if matches!(redirect, Redirect::File | Redirect::Append) && matches!(name, b"/dev/stdout" | b"-" | b"/dev/fd/1") {
            self.buffer.extend_from_slice(text);
            return self.printed();
        }
        if !self.outputs.contains_key(name) {
            let output = self.open(redirect, name, env)?;
            self.outputs.insert(name.to_vec(), output);
        }
        match self.outputs.get_mut(name) {
            Some(output) => output.write(text),
            None => Ok(()),
        }
    }

    fn open(&mut self, redirect: Redirect, name: &[u8], env: &[Vec<u8>]) -> Result<Output> {
        match redirect {
            Redirect::File | Redirect::Append => {
                if let Some(number) = sys::device(name) {
                    self.flush_output()?;
                    let file = std::mem::ManuallyDrop::into_inner(sys::descriptor(number));
                    return Ok(Output { target: Target::File(BufWriter::new(file)), prompt: number == 2 });
                }
                let path = sys::os_string(name.to_vec());
                let file =
                    if redirect == Redirect::File { File::create(path)? } else { File::options().append(true).create(true).open(path)? };
                Ok(Output { target: Target::File(BufWriter::with_capacity(HELD, file)), prompt: false })
            }
            Redirect::Pipe | Redirect::Both => {
                self.flush()?;
                let both = redirect == Redirect::Both;
                let mut child = sys::spawn_shell(name, env, Io::Pipe, if both { Io::Pipe } else { Io::Inherit })?;
                if let (true, Some(out)) = (both, child.stdout.take()) {
                    self.inputs.insert(name.to_vec(), Input { lines: Lines::new(Box::new(out)), child: None, closed: false });
                }
                let writer = child.stdin.take().map(|w| BufWriter::with_capacity(HELD, w));
                Ok(Output { target: Target::Pipe(writer, child), prompt: false })
            }
        }
    }

    /// Returns the file of this name to read from.
    pub(super) fn file(&mut self, name: &[u8]) -> Result<&mut Lines> {
        if matches!(name, b"-" | b"/dev/stdin") {
            return Ok(self.stdin());
        }
        if !self.inputs.contains_key(name) {
            // Flush first, so that everything written to it can be read.
            if let Some(output) = self.outputs.get_mut(name) {
                output.flush()?;
            }
            let lines = Lines::open(&sys::os_string(name.to_vec()))?;
            self.inputs.insert(name.to_vec(), Input { lines, child: None, closed: false });
        }
        self.inputs.get_mut(name).map(|i| &mut i.lines).ok_or_else(|| Error::from_raw_os_error(libc::EBADF))
    }

    /// Returns the output of a command; `both` if it is also written to.
    pub(super) fn command(&mut self, name: &[u8], both: bool, env: &[Vec<u8>]) -> Result<&mut Lines> {
        if both && !self.outputs.contains_key(name) && !self.inputs.contains_key(name) {
            let output = self.open(Redirect::Both, name, env)?;
            self.outputs.insert(name.to_vec(), output);
        }
        if let Some(output) = self.outputs.get_mut(name).filter(|_| both) {
            output.flush()?;
        }
        if !self.inputs.contains_key(name) {
            self.flush()?;
            let mut child = sys::spawn_shell(name, env, Io::Inherit, Io::Pipe)?;
            let out: Box<dyn Read> = match child.stdout.take() {
                Some(out) => Box::new(out),
                None => Box::new(std::io::empty()),
            };
            self.inputs.insert(name.to_vec(), Input { lines: Lines::new(out), child: Some(child), closed: false });
        }
        let open = self.inputs.get_mut(name).filter(|i| !i.closed);
        open.map(|i| &mut i.lines).ok_or_else(|| Error::from_raw_os_error(libc::EBADF))
    }

    /// Returns whether this end of `|&` was closed: the writing end, or the reading end.
    pub(super) fn half_closed(&self, name: &[u8], written: bool) -> bool {
        if written {
            matches!(self.outputs.get(name), Some(Output { target: Target::Pipe(None, _), .. }))
        } else {
            self.inputs.get(name).is_some_and(|i| i.closed)
        }
    }

    /// Returns standard input, shared by all its readers.
    pub(super) fn stdin(&mut self) -> &mut Lines {
        self.stdin.get_or_insert_with(|| Lines::new(Box::new(Stdin)))
    }

    /// Closes a stream; of `|&` only the writing end (`to`), or the reading end. Returns the status of a command, 0 for a file.
    pub(super) fn close(&mut self, name: &[u8], to: Option<bool>) -> Result<Option<Option<Status>>> {
        let both = matches!(self.outputs.get(name), Some(Output { target: Target::Pipe(_, _), .. })) && self.inputs.contains_key(name);
        if to == Some(true) && both {
            if let Some(Output { target: Target::Pipe(writer, _), .. }) = self.outputs.get_mut(name)
                && let Some(mut writer) = writer.take()
            {
                writer.flush()?;
            }
            return Ok(Some(None));
        }
        if to == Some(false) && both {
            if let Some(input) = self.inputs.get_mut(name) {
                (input.lines, input.closed) = (Lines::new(Box::new(std::io::empty())), true);
            }
            return Ok(Some(None));
        }
        self.flush_output()?;
        let mut answer = None;
        // The pipe is not read any more: drop the reading end before waiting.
        if let Some(input) = self.inputs.remove(name) {
            drop(input.lines);
            answer = Some(input.child.map(|mut child| child.wait()));
        }
        if let Some(output) = self.outputs.remove(name) {
            answer = Some(output.close()?);
        }
        Ok(answer)
    }

    /// Closes everything.
    pub(super) fn finish(&mut self) -> Result<()> {
        let mut result = self.flush();
        for (_, input) in self.inputs.drain() {
            drop(input.lines);
            if let Some(mut child) = input.child {
                child.wait();
            }
        }
        for (_, output) in self.outputs.drain() {
            let closed = output.close().map(|_| ());
            result = result.and(closed);
        }
        result
    }

    /// Runs a command to its end.
    pub(super) fn system(&mut self, command: &[u8], env: &[Vec<u8>]) -> Result<Status> {
        self.flush()?;
        Ok(sys::spawn_shell(command, env, Io::Inherit, Io::Inherit)?.wait())
    }
}

impl Output {
    fn write(&mut self, text: &[u8]) -> Result<()> {
        match &mut self.target {
            Target::File(file) => file.write_all(text)?,
            Target::Pipe(Some(writer), _) => writer.write_all(text)?,
            Target::Pipe(None, _) => return Err(Error::from_raw_os_error(libc::EBADF)),
        }
        if self.prompt { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<()> {
        match &mut self.target {
            Target::File(file) => file.flush(),
            Target::Pipe(Some(writer), _) => writer.flush(),
            Target::Pipe(None, _) => Ok(()),
        }
    }

    fn close(self) -> Result<Option<Status>> {
        match self.target {
            Target::File(file) => {
                let file = file.into_inner().map_err(std::io::IntoInnerError::into_error)?;
                if self.prompt {
                    // Standard error stays open.
                    std::mem::forget(file);
                }
                Ok(None)
            }
            Target::Pipe(writer, mut child) => {
                if let Some(mut writer) = writer {
                    writer.flush()?;
                }
                Ok(Some(child.wait()))
            }
        }
    }
}
