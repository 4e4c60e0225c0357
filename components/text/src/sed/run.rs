//! The cycle: read a line, run the script, print.

use super::Options;
use super::exec::{Flow, Machine};
use super::script::Script;
use super::streams::{Input, Output};
use crate::input::Lines;
use crate::{sys, text};
use std::ffi::OsString;
use std::fs::File;
use std::io::{Error, Result};

/// A text to write at the end of a cycle.
pub(super) enum Queued {
    /// The text of `a`.
    Text(Vec<u8>),
    /// The contents of a file.
    File(OsString),
    /// A line of a file, for `R`, and whether it had its end.
    Line(Vec<u8>, bool),
}

/// The outputs of a script.
pub(super) struct Outputs {
    /// `/dev/stdout`, `/dev/stderr`, files.
    pub all: Vec<Output>,
}

/// Runs a script over files.
pub(super) fn run(script: Script, options: Options, files: Vec<OsString>) -> u8 {
    let mut all = Vec::new();
    for (at, name) in script.outputs.iter().enumerate() {
        let output = match at {
            0 => Output::standard(1, options.unbuffered),
            1 => Output::standard(2, true),
            _ => File::create(name).map(|f| Output::new(f, options.unbuffered)),
        };
        match output {
            Ok(output) => all.push(output),
            Err(error) => {
                text::complain("sed", format!("couldn't open file {}: {}", text::show(name), text::reason(&error)));
                return 4;
            }
        }
    }
    let readers = script.readers.iter().map(|name| Lines::open(name).ok()).collect();
    let input = Input::new(options.clone(), files);
    let mut machine = Machine::new(script, options, input, Outputs { all }, readers);
    let result = cycles(&mut machine);
    let status = match result {
        Ok(status) => machine.finish().map(|()| status),
        Err(error) => Err(error),
    };
    match status {
        Ok(0) => machine.input.status,
        Ok(status) => status,
        Err(error) => {
            // Keep the output so far, and report the first error.
            let _ = machine.finish();
            match error.get_ref().map(ToString::to_string) {
                Some(message) if error.kind() == std::io::ErrorKind::Other => {
                    let status = if message.starts_with("-e") { 1 } else { 4 };
                    text::complain("sed", message);
                    status
                }
                _ => {
                    text::complain("sed", format!("couldn't write to output: {}", text::reason(&error)));
                    4
                }
            }
        }
    }
}

/// Returns an error in the script that shows only when it runs.
pub(super) fn script_error(message: &str) -> Error {
    Error::other(message.to_owned())
}

fn cycles(machine: &mut Machine) -> Result<u8> {
    let mut line = Vec::new();
    // `D` starts a cycle without reading.
    let mut keep = false;
    loop {
        if !keep {
            line.clear();
            if !machine.input.read(&mut line)? {
                return Ok(0);
            }
            std::mem::swap(&mut machine.pattern, &mut line);
            machine.replaced = false;
            machine.file_begins();
            if machine.input.number == 1 {
                machine.before_first_line()?;
            }
        }
        keep = false;
        match machine.script()? {
            Flow::Next => machine.end_cycle(true)?,
            Flow::Delete => machine.end_cycle(false)?,
            Flow::Restart => {
                machine.end_cycle(false)?;
                keep = true;
            }
            Flow::Quit(status) => {
                machine.end_cycle(true)?;
                machine.input.quit()?;
                return Ok(status);
            }
            Flow::QuitSilently(status) => {
                machine.input.quit()?;
                return Ok(status);
            }
            Flow::End => {
                machine.end_cycle(!machine.options.posix)?;
                return Ok(0);
            }
        }
    }
}

/// Runs a shell command; returns its output.
pub(super) fn command(text: &[u8]) -> Result<Vec<u8>> {
    let mut child = sys::spawn_shell(text, &sys::environment(), sys::Io::Inherit, sys::Io::Pipe)?;
    let mut out = Vec::new();
    if let Some(mut reader) = child.stdout.take() {
        std::io::Read::read_to_end(&mut reader, &mut out)?;
    }
    child.wait();
    Ok(out)
}
