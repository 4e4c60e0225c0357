//! `tee`. For the version of uutils, a closed pipe looks like any other error on WASI.

use crate::options::{Line, Opt, Syntax, flag, maybe};
use crate::{sys, text};
use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{Error, ErrorKind, Read, Result, Write};

const OPTIONS: &[Opt] = &[
    flag("a", "append", "append to the FILEs"),
    flag("i", "ignore-interrupts", "ignore INT"),
    flag("p", "", "as --output-error=warn-nopipe"),
    maybe("", "output-error", "warn, warn-nopipe, exit, exit-nopipe: what to do when a write fails"),
];

const SYNTAX: Syntax = Syntax {
    usage: "[OPTION]... [FILE]...",
    about: "Copy standard input to each FILE, and to standard output.",
    options: OPTIONS,
    ..Syntax::COMMON
};

const MODES: &[&[&str]] = &[&["warn"], &["warn-nopipe"], &["exit"], &["exit-nopipe"]];

/// An output.
struct Output {
    name: String,
    /// `None` is standard output.
    file: Option<File>,
}

impl Output {
    fn put(&mut self, bytes: &[u8]) -> Result<()> {
        match &mut self.file {
            Some(file) => file.write_all(bytes),
            None => sys::write_output(bytes),
        }
    }
}

/// Runs `tee`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    SYNTAX.run(&args, run)
}

fn run(args: &[OsString], line: Line) -> u8 {
    let mut mode = None;
    for given in &line.options {
        match given.key {
            "ignore-interrupts" => sys::ignore_signals(sys::ignored_signals() | 1 << 1),
            "p" => mode = Some("warn-nopipe"),
            "output-error" if given.value.is_none() => mode = Some("warn-nopipe"),
            "output-error" => match SYNTAX.word(args, "--output-error", &given.text(), MODES) {
                Ok(word) => mode = Some(word),
                Err(status) => return status,
            },
            _ => {}
        }
    }
    if mode.is_some() {
        sys::ignore_signals(sys::ignored_signals() | 1 << 12);
    }
    let mut status = 0;
    let mut outputs = vec![Output { name: "standard output".into(), file: None }];
    for name in &line.operands {
        let append = line.has("append");
        match OpenOptions::new().write(true).create(true).append(append).truncate(!append).open(name) {
            Ok(file) => outputs.push(Output { name: name.to_string_lossy().into_owned(), file: Some(file) }),
            Err(error) => {
                text::complain("tee", format!("{}: {}", text::quote_if_needed(name), text::reason(&error)));
                status = 1;
                if mode.is_some_and(|m| m.starts_with("exit")) {
                    return status;
                }
            }
        }
    }
    match copy(&mut outputs, mode) {
        Ok(failed) => status | u8::from(failed),
        Err(error) => {
            let why = if sys::input_is_directory() { "Is a directory".into() } else { text::reason(&error) };
            text::complain("tee", format!("read error: {why}"));
            1
        }
    }
}

/// Copies until the input or the outputs end. Returns whether a write failed that counts.
fn copy(outputs: &mut Vec<Output>, mode: Option<&str>) -> Result<bool> {
    if sys::input_is_directory() {
        return Err(Error::from_raw_os_error(libc::EISDIR));
    }
    let mut failed = false;
    let mut buffer = vec![0; 64 * 1024];
    let mut input = sys::input();
    while !outputs.is_empty() {
        let got = match input.read(&mut buffer) {
            Ok(0) => break,
            Ok(got) => got,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let mut left = Vec::new();
        for mut output in outputs.drain(..) {
            let Err(error) = output.put(&buffer[..got]) else {
                left.push(output);
                continue;
            };
            let pipe = error.raw_os_error() == Some(libc::EPIPE);
            if pipe && mode.is_some_and(|m| m.ends_with("nopipe")) {
                continue;
            }
            text::complain("tee", format!("{}: {}", text::quote_if_needed(&output.name), text::reason(&error)));
            failed = true;
            if mode.is_some_and(|m| m.starts_with("exit")) {
                return Ok(failed);
            }
        }
        *outputs = left;
    }
    Ok(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_cannot_be_written_does_not_stop_the_others() {
        let mut bad = Output { name: "full".into(), file: OpenOptions::new().write(true).open("/dev/full").ok() };
        assert_eq!(bad.put(b"x").unwrap_err().raw_os_error(), Some(libc::ENOSPC));
        let mut good = Output { name: "null".into(), file: OpenOptions::new().write(true).open("/dev/null").ok() };
        assert!(good.put(b"x").is_ok());
    }
}
