//! `timeout`: runs a command, and ends it when its time is up.

use crate::options::{Line, Opt, Syntax, flag, value};
use crate::spawn::{Command, FAILED, status};
use crate::sys::{self, Event};
use crate::{signals, text, time};
use std::ffi::OsString;
use std::time::{Duration, Instant};

const OPTIONS: &[Opt] = &[
    flag("", "foreground", "do not put COMMAND into a process group of its own; what it starts gets no signal"),
    value("k", "kill-after", "also send KILL, VALUE after the first signal"),
    flag("p", "preserve-status", "exit with the command's status even when time was up"),
    value("s", "signal", "the signal to send (TERM)"),
    flag("v", "verbose", "say so when a signal is sent"),
];

const SYNTAX: Syntax = Syntax {
    usage: "[OPTION] DURATION COMMAND [ARG]...",
    about: "Run COMMAND and end it if it still runs after DURATION (a number with s, m, h or d; 0 is for ever).\nStatus: 124 when time was up (137 if KILL was sent), 125 when timeout failed, 126 and 127 when COMMAND cannot run or is\nnot found, else COMMAND's.",
    options: OPTIONS,
    stop_at_operand: true,
    failure: FAILED,
    ..Syntax::COMMON
};

/// Runs `timeout`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    SYNTAX.run(&args, run)
}

fn run(args: &[OsString], line: Line) -> u8 {
    let mut operands = line.operands.iter().cloned();
    let (Some(limit), Some(program)) = (operands.next(), operands.next()) else {
        eprintln!("Try 'timeout --help' for more information.");
        return FAILED;
    };
    let read =
        |text: &str| time::duration(text).ok_or_else(|| SYNTAX.misuse(args, &format!("invalid time interval {}", text::quote(text))));
    let grace = match line.last_text("kill-after").map(|t| read(&t)).transpose() {
        Ok(grace) => grace.filter(|grace| *grace > 0),
        Err(status) => return status,
    };
    let name = line.last_text("signal").unwrap_or_else(|| "TERM".into());
    let Some(signal) = signals::number(&name) else {
        return SYNTAX.misuse(args, &format!("{}: invalid signal", text::quote(&name)));
    };
    let limit = match read(limit.to_string_lossy().trim_ascii_start()) {
        Ok(limit) => limit,
        Err(status) => return status,
    };
    // A group of its own, so that what the command starts gets the signal too.
    let mut command = Command::new(std::iter::once(program).chain(operands).collect());
    command.own_group = !line.has("foreground");
    // This comes before the start of the command: signals handled here are not ignored there, even if our parent ignores them.
    sys::handle_signals(PASSED_ON | if (1..=31).contains(&signal) { 1 << (signal - 1) } else { 0 });
    let child = match command.start() {
        Ok(child) => child,
        Err(error) => {
            let (name, reason) = (text::quote(&command.words[0]), text::reason(&error));
            text::complain("timeout", format!("failed to run command {name}: {reason}{}", command.advice(&error)));
            return status(&error);
        }
    };
    let deadline = (limit > 0).then(|| after(limit)).flatten();
    let mut run =
        Run { child, deadline, signal, grace, group: command.own_group, verbose: line.has("verbose"), timed_out: false, killed: false };
    let code = run.wait(&command.words[0]);
    sys::handle_signals(0);
    if run.killed && run.group {
        // The signal went to the whole group, to which GNU's timeout belongs.
        return die(KILL);
    }
    match run.child.signal() {
        Some(signal) if !run.timed_out => die(signal),
        Some(KILL) => 128 + KILL,
        _ if run.timed_out && !line.has("preserve-status") => 124,
        _ => code,
    }
}

const KILL: u8 = 9;
const ALRM: u8 = 14;
const CONT: u8 = 18;

/// HUP, INT, QUIT and TERM are passed on to the command. ALRM means that the time is up.
const PASSED_ON: u64 = 0b110_0000_0000_0111;

/// Ends by the same signal as the command, so that the shell sees it.
fn die(signal: u8) -> u8 {
    sys::ignore_signals(sys::ignored_signals() & !(1 << (signal - 1)));
    // If the signal does not end this process, the status tells the same.
    let _ = sys::kill(sys::pid(), signal);
    128 + signal
}

/// Returns the moment at which this many nanoseconds will have passed; `None` if that is never.
fn after(nanoseconds: u64) -> Option<Instant> {
    Instant::now().checked_add(Duration::from_nanos(nanoseconds))
}

struct Run {
    child: sys::Child,
    deadline: Option<Instant>,
    /// The signal to send when the time is up.
    signal: u8,
    /// The time between the first signal and KILL.
    grace: Option<u64>,
    group: bool,
    verbose: bool,
    timed_out: bool,
    killed: bool,
}

impl Run {
    /// Waits for the command, and sends signals when they are due.
    fn wait(&mut self, command: &OsString) -> u8 {
        loop {
            let left = self.deadline.map(|at| u64::try_from(at.saturating_duration_since(Instant::now()).as_nanos()).unwrap_or(u64::MAX));
            match self.child.wait_event(left) {
                Event::Ended(status) => return status,
                Event::Signals(signals) => {
                    for signal in (1..=31).filter(|n| signals & (1 << (n - 1)) != 0) {
                        self.timed_out |= signal == ALRM;
                        self.send(if signal == ALRM { self.signal } else { signal }, command);
                    }
                }
                Event::Time => {
                    self.timed_out = true;
                    self.deadline = None;
                    self.send(self.signal, command);
                }
            }
        }
    }

    /// Sends a signal. The first one starts the time until KILL. The command may have ended in the meantime; a stopped command is
    /// continued, so that it receives the signal.
    fn send(&mut self, signal: u8, command: &OsString) {
        if let Some(grace) = self.grace.take() {
            self.signal = KILL;
            self.deadline = after(grace);
        }
        if self.verbose {
            text::complain("timeout", format!("sending signal {} to command {}", signals::name(signal), text::quote(command)));
        }
        self.killed |= signal == KILL;
        for signal in [Some(signal), (signal != KILL && signal != CONT).then_some(CONT)].into_iter().flatten() {
            let _ = self.child.kill(signal);
            if self.group {
                let _ = sys::kill_group(self.child.pid(), signal);
            }
        }
    }
}
