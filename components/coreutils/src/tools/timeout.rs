//! `timeout`: run a command, end it when its time is up.

use crate::options::{Opt, Syntax, flag, value};
use crate::spawn::{Command, FAILED, status};
use crate::sys::{self, Event};
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
    // A group of its own, so that what the command starts gets the signal too.
    let mut command = Command::new(std::iter::once(program).chain(operands).collect());
    command.own_group = !line.has("foreground");
    let mut run = match command.start() {
        Ok(child) => Run { child, group: command.own_group, verbose: line.has("verbose"), command: &command.words[0] },
        Err(error) => {
            text::complain("timeout", format!("failed to run command {}: {}", text::quote(&command.words[0]), text::reason(&error)));
            return status(&error);
        }
    };
    sys::handle_signals(PASSED_ON);
    if let Some(status) = run.wait((limit > 0).then_some(limit)) {
        return status;
    }
    run.send(signal);
    let mut ended = run.wait(grace);
    let mut killed = signal == 9;
    if ended.is_none() {
        run.send(9);
        killed = true;
        ended = run.wait(None);
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

/// HUP, INT, QUIT and TERM: whoever sends one to `timeout` means the command.
const PASSED_ON: u64 = 0b100_0000_0000_0111;

struct Run<'a> {
    child: sys::Child,
    group: bool,
    verbose: bool,
    command: &'a OsString,
}

impl Run<'_> {
    /// Wait for the command; nothing when the time is up first.
    fn wait(&mut self, limit: Option<u64>) -> Option<u8> {
        let start = std::time::Instant::now();
        loop {
            let spent = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
            match self.child.wait_event(limit.map(|limit| limit.saturating_sub(spent))) {
                Event::Ended(status) => return Some(status),
                Event::Signals(signals) => (1..=31).filter(|n| signals & (1 << (n - 1)) != 0).for_each(|n| self.pass_on(n)),
                Event::Time => return None,
            }
        }
    }

    fn send(&mut self, signal: u8) {
        if self.verbose {
            text::complain("timeout", format!("sending signal {} to command {}", signals::name(signal), text::quote(self.command)));
        }
        self.pass_on(signal);
    }

    /// It may have ended meanwhile. A stopped command has to go on to notice.
    fn pass_on(&mut self, signal: u8) {
        const CONT: u8 = 18;
        let _ = self.child.kill(signal);
        if self.group {
            let _ = sys::kill_group(self.child.pid(), signal);
            if signal != 9 {
                let _ = sys::kill_group(self.child.pid(), CONT);
            }
        }
    }
}
