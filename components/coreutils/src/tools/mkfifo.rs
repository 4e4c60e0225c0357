//! `mkfifo`, `mknod`: named pipes. The sandbox has no other special files to make.

use crate::mode::Change;
use crate::options::{Line, Opt, Syntax, maybe_long, value};
use crate::{sys, text};
use std::ffi::OsString;
use std::path::Path;

const OPTIONS: &[Opt] = &[value("m", "mode", "set the mode, as chmod does"), maybe_long("Z", "context", "")];

const MKFIFO: Syntax = Syntax { usage: "[OPTION]... NAME...", about: "Make named pipes.", options: OPTIONS, ..Syntax::COMMON };

const MKNOD: Syntax = Syntax {
    usage: "[OPTION]... NAME TYPE [MAJOR MINOR]",
    about: "Make a special file. TYPE p is a named pipe; devices (b, c, u, with MAJOR and MINOR) cannot be made here.",
    options: OPTIONS,
    ..Syntax::COMMON
};

/// The bits of a new pipe before the umask.
const ANYONE: u32 = 0o666;

/// Runs `mkfifo`.
pub(crate) fn mkfifo(args: Vec<OsString>) -> u8 {
    MKFIFO.run(&args, run_mkfifo)
}

/// Runs `mknod`.
pub(crate) fn mknod(args: Vec<OsString>) -> u8 {
    MKNOD.run(&args, run_mknod)
}

fn run_mkfifo(args: &[OsString], line: Line) -> u8 {
    if line.operands.is_empty() {
        return MKFIFO.misuse(args, "missing operand");
    }
    let mode = match mode_of(&line) {
        Ok(mode) => mode,
        Err(message) => return failed("mkfifo", message),
    };
    let mut status = 0;
    for operand in &line.operands {
        if let Err(error) = sys::mkfifo(Path::new(operand), mode.unwrap_or(ANYONE)) {
            text::complain("mkfifo", format!("cannot create fifo {}: {}", text::quote(operand), text::reason(&error)));
            status = 1;
        } else if !set_mode("mkfifo", operand, mode) {
            status = 1;
        }
    }
    status
}

fn run_mknod(args: &[OsString], line: Line) -> u8 {
    let mode = match mode_of(&line) {
        Ok(mode) => mode,
        Err(message) => return failed("mknod", message),
    };
    let kind = line.operands.get(1).map(|kind| kind.to_string_lossy().into_owned());
    let pipe = kind.as_ref().is_some_and(|kind| kind.starts_with('p'));
    let expected = if line.operands.is_empty() || pipe { 2 } else { 4 };
    if let Some(extra) = line.operands.get(expected) {
        let why = if pipe && line.operands.len() == 4 { "\nFifos do not have major and minor device numbers." } else { "" };
        return MKNOD.misuse(args, &format!("extra operand {}{why}", text::quote(extra)));
    }
    let (Some(name), Some(kind), true) = (line.operands.first(), kind, line.operands.len() == expected) else {
        let Some(last) = line.operands.last() else { return MKNOD.misuse(args, "missing operand") };
        let why = if line.operands.len() == 2 { "\nSpecial files require major and minor device numbers." } else { "" };
        return MKNOD.misuse(args, &format!("missing operand after {}{why}", text::quote(last)));
    };
    let made = match kind.chars().next() {
        Some('p') => sys::mkfifo(Path::new(name), mode.unwrap_or(ANYONE)),
        // As for everyone but root.
        Some('b' | 'c' | 'u') => Err(std::io::Error::from_raw_os_error(libc::EPERM)),
        _ => return MKNOD.misuse(args, &format!("invalid device type {}", text::quote(&kind))),
    };
    match made {
        Ok(()) => u8::from(!set_mode("mknod", name, mode)),
        Err(error) => failed("mknod", &format!("{}: {}", text::quote_if_needed(name), text::reason(&error))),
    }
}

fn failed(tool: &str, message: &str) -> u8 {
    text::complain(tool, message);
    1
}

/// Returns the mode that was asked for, or the message for a wrong one.
fn mode_of(line: &Line) -> Result<Option<u32>, &'static str> {
    let Some(given) = line.last_text("mode") else { return Ok(None) };
    match Change::parse(&given).map(|change| change.apply(ANYONE, false)) {
        Some(mode) if mode & !0o777 == 0 => Ok(Some(mode)),
        Some(_) => Err("mode must specify only file permission bits"),
        None => Err("invalid mode"),
    }
}

/// Sets the mode that was asked for, whatever the umask is. A failure has been reported.
fn set_mode(tool: &str, name: &OsString, mode: Option<u32>) -> bool {
    let Some(mode) = mode else { return true };
    let done = sys::set_mode(Path::new(name), mode);
    if let Err(error) = &done {
        text::complain(tool, format!("cannot set permissions of {}: {}", text::quote(name), text::reason(error)));
    }
    done.is_ok()
}
