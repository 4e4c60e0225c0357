//! `timeout`: run a command, end it when its time is up.

use crate::options::{Opt, Syntax, flag, value};
use crate::spawn::{Command, FAILED, status};
use crate::{signals, text, time};
use std::ffi::OsString;

const OPTIONS: &[Opt] = &[
    flag("", "foreground", ""),
    value("k", "kill-after", "also send KILL, VALUE after the first signal"),
    flag("p", "preserve-status", "exit with the command's status even when time was up"),
    value("s", "signal", "the signal to send (TERM)"),
    flag("v", "verbose", "say so when a signal is sent"),
];

const SYNTAX: Syntax = Syntax {
    usage: "[OPTION] DURATION COMMAND [ARG]...",
    about: "Run COMMAND and end it if it still runs after DURATION (a number with s, m, h or d; 0 is for ever).\nStatus: 124 when time was up, 125 when timeout failed, 126 and 127 when COMMAND cannot run or is not found.",
    options: OPTIONS,
    stop_at_operand: true,
    failure: FAILED,
    ..Syntax::COMMON
};

/// `timeout`.
pub fn main(args: Vec<OsString>) -> u8 {
    let line = match SYNTAX.parse(&args) {
        Ok(line) => line,
        Err(status) => return status,
    };
    let mut operands = line.operands.iter().cloned();
    let (Some(limit), Some(program)) = (operands.next(), operands.next()) else {
        return SYNTAX.misuse(&args, "missing operand");
    };
    let read =
        |text: &str| time::duration(text).ok_or_else(|| SYNTAX.misuse(&args, &format!("invalid time interval {}", text::quote(text))));
    let limit = match read(&limit.to_string_lossy()) {
        Ok(limit) => limit,
        Err(status) => return status,
    };
    let grace = match line.last_text("kill-after").map(|t| read(&t)).transpose() {
        Ok(grace) => grace,
        Err(status) => return status,
    };
    let name = line.last_text("signal").unwrap_or_else(|| "TERM".into());
    let Some(signal) = signals::number(&name) else {
        return SYNTAX.misuse(&args, &format!("{}: invalid signal", text::quote(&name)));
    };
    let command = Command::new(std::iter::once(program).chain(operands).collect());
    let mut child = match command.start() {
        Ok(child) => child,
        Err(error) => {
            text::complain("timeout", format!("failed to run command {}: {}", text::quote(&command.words[0]), text::reason(&error)));
            return status(&error);
        }
    };
    if limit == 0 {
        return child.wait();
    }
    if let Some(status) = child.wait_for(limit) {
        return status;
    }
    let say = |signal: u8| {
        if line.has("verbose") {
            text::complain("timeout", format!("sending signal {} to command {}", signals::name(signal), text::quote(&command.words[0])));
        }
    };
    say(signal);
    let _ = child.kill(signal);
    let mut ended = match grace {
        Some(grace) => child.wait_for(grace),
        None => Some(child.wait()),
    };
    let mut killed = signal == 9;
    if ended.is_none() {
        say(9);
        let _ = child.kill(9);
        killed = true;
        ended = Some(child.wait());
    }
    let code = ended.unwrap_or(124);
    if line.has("preserve-status") {
        code
    } else if killed {
        137
    } else {
        124
    }
}
