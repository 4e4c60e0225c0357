//! `flock`: runs a command while a file is locked, or locks a descriptor that the shell holds open, as the manual page of
//! util-linux describes it.

use crate::options::{Line, Opt, Syntax, flag, value};
use crate::spawn::Command;
use crate::sys::{Lock, LockFile};
use crate::text;
use std::ffi::{OsStr, OsString};
use std::io::Error;
use std::time::Instant;

/// The statuses of sysexits.h that util-linux's `flock` uses.
const USAGE: u8 = 64;
const DATA: u8 = 65;
const NO_INPUT: u8 = 66;
const UNAVAILABLE: u8 = 69;
const SYSTEM: u8 = 71;
const CANNOT_CREATE: u8 = 73;

const OPTIONS: &[Opt] = &[
    flag("s", "shared", "take a shared lock"),
    flag("xe", "exclusive", "take an exclusive lock (the default)"),
    flag("u", "unlock", "release the lock"),
    flag("n", "nonblock", "fail instead of waiting"),
    flag("", "nb", ""),
    value("w", "timeout", "wait at most VALUE seconds"),
    value("", "wait", ""),
    value("E", "conflict-exit-code", "exit with this status when the lock is not available (1)"),
    flag("o", "close", "do not pass the locked file to the command"),
    flag("F", "no-fork", "replace this process with the command instead of waiting for it"),
    flag("", "verbose", "say what happens"),
];

const SYNTAX: Syntax = Syntax {
    usage: "[OPTION]... FILE|DIRECTORY COMMAND [ARG]...\n[OPTION]... FILE|DIRECTORY -c COMMAND\n[OPTION]... DESCRIPTOR",
    about: "Lock a file for a command, or for the shell that holds it open as DESCRIPTOR. The lock is released when the last\nprocess that inherited the open file closes it or ends. It affects only processes that request a lock too; for a file on a\nmount, only those of this session.",
    options: OPTIONS,
    stop_at_operand: true,
    failure: USAGE,
    origin: "wisp, compatible with util-linux",
    letters: ("h", "V"),
    ..Syntax::COMMON
};

/// The settings.
struct Wish {
    lock: Lock,
    /// The maximum wait in nanoseconds; `None` waits for ever.
    wait: Option<u64>,
    /// The status if the lock is not available.
    conflict: u8,
    verbose: bool,
}

/// Runs `flock`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    SYNTAX.run(&args, run)
}

fn run(args: &[OsString], line: Line) -> u8 {
    let lock = match line.last_of(&["shared", "exclusive", "unlock"]) {
        Some("shared") => Lock::Shared,
        Some("unlock") => Lock::None,
        _ => Lock::Exclusive,
    };
    let mut wait = match line.last_text("timeout").or_else(|| line.last_text("wait")).map(|text| (nanoseconds(&text), text)) {
        Some((None, text)) => return misuse(&format!("invalid timeout value: {}", text::quote(text))),
        Some((time, _)) => time,
        None => None,
    };
    if line.has("nonblock") || line.has("nb") {
        wait = Some(0);
    }
    let conflict = match line.last_text("conflict-exit-code").map(|text| (text.trim().parse::<i64>().map(u8::try_from), text)) {
        Some((Ok(Ok(status)), _)) => status,
        Some((Ok(Err(_)), _)) => return misuse("exit code out of range (expected 0 to 255)"),
        Some((Err(_), text)) => return misuse(&format!("invalid exit code: {}", text::quote(text))),
        None => 1,
    };
    if line.has("no-fork") && line.has("close") {
        return misuse("the --no-fork and --close options are incompatible");
    }
    let wish = Wish { lock, wait, conflict, verbose: line.has("verbose") };
    match line.operands.as_slice() {
        [] => SYNTAX.misuse(args, "not enough arguments"),
        [number] => match number.to_string_lossy().trim().parse() {
            Ok(number) => wish.descriptor(number),
            Err(_) => misuse(&format!("bad file descriptor: {}: to lock a file, add a command", text::quote(number))),
        },
        [file, option, rest @ ..] if option == "-c" || option == "--command" => match rest {
            [command] => {
                let shell = std::env::var_os("SHELL").filter(|shell| !shell.is_empty()).unwrap_or_else(|| "/bin/sh".into());
                wish.command(file, vec![shell, "-c".into(), command.clone()], &line)
            }
            _ => misuse(&format!("{} requires exactly one command argument", option.to_string_lossy())),
        },
        [file, command @ ..] => wish.command(file, command.to_vec(), &line),
    }
}

/// Reports a wrong command line.
fn misuse(message: &str) -> u8 {
    text::complain("flock", message);
    USAGE
}

/// Returns the seconds as nanoseconds.
fn nanoseconds(text: &str) -> Option<u64> {
    let seconds = text.trim().parse::<f64>().ok().filter(|seconds| seconds.is_finite() && !seconds.is_sign_negative())?;
    // A time beyond every clock becomes the maximum.
    Some((seconds * 1e9) as u64)
}

impl Wish {
    /// Locks a descriptor that the shell holds open.
    fn descriptor(&self, number: u32) -> u8 {
        let locked = LockFile::inherited(number).and_then(|file| self.take(&file));
        locked.map_or_else(|error| failed(&number.to_string(), &error), |held| if held { 0 } else { self.conflict })
    }

    /// Locks a file, runs a command, and holds the lock until the command has ended.
    fn command(&self, path: &OsStr, words: Vec<OsString>, line: &Line) -> u8 {
        let name = path.to_string_lossy();
        let file = match LockFile::open(path.as_ref()) {
            Ok(file) => file,
            Err(error) => {
                text::complain("flock", format!("cannot open lock file {name}: {}", text::reason(&error)));
                return match error.raw_os_error() {
                    Some(libc::ENOMEM | libc::EMFILE | libc::ENFILE) => SYSTEM,
                    Some(libc::EROFS | libc::ENOSPC) => CANNOT_CREATE,
                    _ => NO_INPUT,
                };
            }
        };
        match self.take(&file) {
            Ok(true) => {}
            Ok(false) => return self.conflict,
            Err(error) => return failed(&name, &error),
        }
        if self.verbose {
            println!("flock: executing {}", words[0].to_string_lossy());
        }
        let mut command = Command::new(words);
        if !line.has("close") {
            command.file = Some(file);
        }
        let error = if line.has("no-fork") {
            command.exec()
        } else {
            match command.start() {
                // The file stays open here until then.
                Ok(mut child) => return child.wait(),
                Err(error) => error,
            }
        };
        text::complain("flock", format!("failed to execute {}: {}", command.words[0].to_string_lossy(), text::reason(&error)));
        UNAVAILABLE
    }

    /// Takes or releases the lock. Returns whether that was possible in time.
    fn take(&self, file: &LockFile) -> Result<bool, Error> {
        let began = Instant::now();
        let held = file.lock(self.lock, self.wait)?;
        if self.verbose && held {
            println!("flock: getting lock took {:.6} seconds", began.elapsed().as_secs_f64());
        } else if self.verbose {
            let why = if self.wait == Some(0) { "failed to get lock" } else { "timeout while waiting to get lock" };
            text::complain("flock", why);
        }
        Ok(held)
    }
}

/// Reports a file that cannot be locked at all.
fn failed(name: &str, error: &Error) -> u8 {
    text::complain("flock", format!("{name}: {}", text::reason(error)));
    if error.raw_os_error() == Some(libc::ENOMEM) { SYSTEM } else { DATA }
}

#[cfg(test)]
mod tests {
    use super::nanoseconds;

    #[test]
    fn seconds_have_fractions_and_no_sign() {
        assert_eq!([nanoseconds("1.5"), nanoseconds("0"), nanoseconds("1e300")], [Some(1_500_000_000), Some(0), Some(u64::MAX)]);
        assert_eq!([nanoseconds("-1"), nanoseconds("nan"), nanoseconds("inf"), nanoseconds("1s"), nanoseconds("")], [None; 5]);
    }
}
