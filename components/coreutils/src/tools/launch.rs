//! `nohup`, `nice`, `setsid`, `stdbuf`: run a command with another setting. The sandbox has no priorities, and no way to
//! change the buffering of a program.

use crate::options::{Opt, Syntax, flag, value};
use crate::spawn::{Command, FAILED};
use crate::{sys, text};
use std::ffi::OsString;

const NOHUP: Syntax = Syntax {
    usage: "COMMAND [ARG]...",
    about: "Run COMMAND so that it ignores HUP and continues without the terminal.",
    options: &[],
    stop_at_operand: true,
    failure: FAILED,
    ..Syntax::COMMON
};

/// Runs `nohup`.
pub(crate) fn nohup(args: Vec<OsString>) -> u8 {
    NOHUP.run(&args, |args, line| {
        if line.operands.is_empty() {
            return missing(&NOHUP, args);
        }
        sys::ignore_signals(sys::ignored_signals() | 1);
        if sys::is_terminal(0) {
            text::complain("nohup", "ignoring input");
        }
        Command::new(line.operands).replace("nohup")
    })
}

const NICE: Syntax = Syntax {
    usage: "[OPTION] [COMMAND [ARG]...]",
    about: "Run COMMAND. The sandbox has no priorities, so the adjustment has no effect.",
    options: &[value("n", "adjustment", "add VALUE to the niceness")],
    stop_at_operand: true,
    failure: FAILED,
    ..Syntax::COMMON
};

/// Runs `nice`.
pub(crate) fn nice(mut args: Vec<OsString>) -> u8 {
    // The old form `nice -5`.
    if let Some(arg) = args.get(1).map(|a| a.to_string_lossy().into_owned()) {
        let digits = arg.strip_prefix('-').map(|a| a.trim_start_matches(['-', '+']));
        if digits.is_some_and(|d| !d.is_empty() && d.bytes().all(|b| b.is_ascii_digit())) {
            args.remove(1);
        }
    }
    if args.len() == 1 {
        println!("0");
        return 0;
    }
    NICE.run(&args, |args, line| {
        if let Some(number) = line.last_text("adjustment").filter(|number| !is_number(number)) {
            text::complain("nice", format!("invalid adjustment {}", text::quote(number)));
            return FAILED;
        }
        match line.operands.is_empty() {
            true if line.has("adjustment") => NICE.misuse(args, "a command must be given with an adjustment"),
            true => missing(&NICE, args),
            false => Command::new(line.operands).replace("nice"),
        }
    })
}

/// Returns whether a word is digits with a sign. A number that is too large becomes the largest possible.
fn is_number(text: &str) -> bool {
    let digits = text.trim_start().strip_prefix(['-', '+']).unwrap_or(text.trim_start());
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}

const SETSID: Syntax = Syntax {
    usage: "[OPTION] COMMAND [ARG]...",
    about: "Run COMMAND and wait for it. The sandbox has no terminal sessions, so nothing else changes.",
    options: &[flag("c", "ctty", ""), flag("f", "fork", ""), flag("w", "wait", "")],
    stop_at_operand: true,
    ..Syntax::COMMON
};

/// Runs `setsid`.
pub(crate) fn setsid(args: Vec<OsString>) -> u8 {
    SETSID.run(&args, |args, line| {
        if line.operands.is_empty() {
            return missing(&SETSID, args);
        }
        sys::lead_group();
        Command::new(line.operands).replace("setsid")
    })
}

const STDBUF_OPTIONS: &[Opt] = &[
    value("i", "input", "buffering of standard input"),
    value("o", "output", "buffering of standard output"),
    value("e", "error", "buffering of standard error"),
];

const STDBUF: Syntax = Syntax {
    usage: "OPTION... COMMAND [ARG]...",
    about: "Run COMMAND. The buffering of a program cannot be changed here, so the options have no effect.",
    options: STDBUF_OPTIONS,
    stop_at_operand: true,
    failure: FAILED,
    ..Syntax::COMMON
};

/// Runs `stdbuf`.
pub(crate) fn stdbuf(args: Vec<OsString>) -> u8 {
    STDBUF.run(&args, |args, line| match line.operands.is_empty() {
        true => missing(&STDBUF, args),
        false => Command::new(line.operands).replace("stdbuf"),
    })
}

/// Replaces this process with the program of this name. A message about a failure contains the name.
pub(crate) fn program(name: &str, args: Vec<OsString>) -> u8 {
    Command::new(args).replace(name)
}

fn missing(syntax: &Syntax, args: &[OsString]) -> u8 {
    syntax.misuse(args, "missing operand")
}
