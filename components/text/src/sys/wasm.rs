//! The system inside wisp.

use super::{Io, Status};
use std::io::{self, Result};
use std::path::Path;
use wisp_guest::{files, process};
use wisp_tool::sys::{error, full};

/// The end of a pipe from which a child's output is read.
pub(crate) struct Reader(files::OpenFile);

impl io::Read for Reader {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let part = self.0.read(buffer.len().min(1 << 20) as u32).map_err(error)?;
        buffer[..part.len()].copy_from_slice(&part);
        Ok(part.len())
    }
}

/// The end of a pipe to which a child's input is written.
pub(crate) struct Writer(files::OpenFile);

impl io::Write for Writer {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        let part = &bytes[..bytes.len().min(1 << 20)];
        self.0.write(part).map_err(error)?;
        Ok(part.len())
    }
    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

/// Sets whether INT is kept for [`read_key`] instead of ending this process.
pub(crate) fn hear_interrupts(hear: bool) {
    process::handle_signals(if hear { 1 << (INT - 1) } else { 0 });
}

const INT: u8 = 2;

/// Reads the next byte of standard input; `None` at its end. Fails as interrupted if INT comes first.
pub(crate) fn read_key() -> Result<Option<u8>> {
    let input = process::inherited(0).map_err(error)?;
    let (readable, signals) = (input.subscribe_read(), process::signals_pollable());
    if wisp_guest::poll(&[&signals, &readable]).contains(&0) {
        process::take_signals();
        return Err(io::ErrorKind::Interrupted.into());
    }
    Ok(input.read(1).map_err(error)?.first().copied())
}

/// A started command.
pub(crate) struct Child {
    child: process::Child,
    /// Its standard input, if that is a pipe.
    pub stdin: Option<Writer>,
    /// Its standard output, if that is a pipe.
    pub stdout: Option<Reader>,
}

impl Child {
    /// Waits until it ends.
    pub(crate) fn wait(&mut self) -> Status {
        let status = self.child.wait();
        Status { code: status.code, signal: status.signal }
    }
}

/// Starts `sh -c COMMAND` with an environment; it inherits what is not a pipe.
pub(crate) fn spawn_shell(command: &[u8], env: &[Vec<u8>], stdin: Io, stdout: Io) -> Result<Child> {
    let mut open = Vec::new();
    for number in process::descriptors() {
        if (number == 0 && stdin == Io::Pipe) || (number == 1 && stdout == Io::Pipe) {
            continue;
        }
        if let Ok(file) = process::inherited(number) {
            open.push((number, file));
        }
    }
    let (mut ours_in, mut ours_out) = (None, None);
    if stdin == Io::Pipe {
        let (read, write) = process::pipe().map_err(error)?;
        open.push((0, read));
        ours_in = Some(Writer(write));
    }
    if stdout == Io::Pipe {
        let (read, write) = process::pipe().map_err(error)?;
        open.push((1, write));
        ours_out = Some(Reader(read));
    }
    let descriptors = open.iter().map(|(number, file)| process::Descriptor { number: *number, file }).collect();
    let child = process::spawn(&process::Command {
        program: "/usr/bin/sh".to_owned(),
        arguments: vec![b"sh".to_vec(), b"-c".to_vec(), command.to_vec()],
        environment: env.to_vec(),
        working_directory: full(Path::new(".")),
        descriptors,
        ignore_broken_pipe: false,
    })
    .map_err(error)?;
    Ok(Child { child, stdin: ours_in, stdout: ours_out })
}

/// Returns whether standard input is a file that has a name; a here-document has none.
pub(crate) fn input_is_file() -> bool {
    let facts = process::inherited(0).and_then(|input| input.stat());
    facts.is_ok_and(|facts| facts.kind == files::FileType::Regular && facts.links > 0)
}
