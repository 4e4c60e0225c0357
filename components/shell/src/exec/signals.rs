//! Signals: their names, what the shell does with those that come, and waiting that they interrupt.

use crate::fds::OpenFile;
use crate::shell::{Flow, Run, Shell};
use crate::sys::{self, Child};
use std::cell::Cell;
use std::rc::Rc;
use std::time::Instant;

/// Names by number, and what a shell says of a program that one has ended.
const SIGNALS: [(&str, &str); 32] = [
    ("EXIT", ""),
    ("HUP", "Hangup"),
    ("INT", "Interrupt"),
    ("QUIT", "Quit"),
    ("ILL", "Illegal instruction"),
    ("TRAP", "Trace/breakpoint trap"),
    ("ABRT", "Aborted"),
    ("BUS", "Bus error"),
    ("FPE", "Floating point exception"),
    ("KILL", "Killed"),
    ("USR1", "User defined signal 1"),
    ("SEGV", "Segmentation fault"),
    ("USR2", "User defined signal 2"),
    ("PIPE", "Broken pipe"),
    ("ALRM", "Alarm clock"),
    ("TERM", "Terminated"),
    ("STKFLT", "Stack fault"),
    ("CHLD", "Child exited"),
    ("CONT", "Continued"),
    ("STOP", "Stopped (signal)"),
    ("TSTP", "Stopped"),
    ("TTIN", "Stopped (tty input)"),
    ("TTOU", "Stopped (tty output)"),
    ("URG", "Urgent I/O condition"),
    ("XCPU", "CPU time limit exceeded"),
    ("XFSZ", "File size limit exceeded"),
    ("VTALRM", "Virtual timer expired"),
    ("PROF", "Profiling timer expired"),
    ("WINCH", "Window changed"),
    ("IO", "I/O possible"),
    ("PWR", "Power failure"),
    ("SYS", "Bad system call"),
];

/// Real-time signals have names without a process that gets one: `kill -l` lists them.
const REAL_TIME: [&str; 31] = [
    "RTMIN", "RTMIN+1", "RTMIN+2", "RTMIN+3", "RTMIN+4", "RTMIN+5", "RTMIN+6", "RTMIN+7", "RTMIN+8", "RTMIN+9", "RTMIN+10", "RTMIN+11",
    "RTMIN+12", "RTMIN+13", "RTMIN+14", "RTMIN+15", "RTMAX-14", "RTMAX-13", "RTMAX-12", "RTMAX-11", "RTMAX-10", "RTMAX-9", "RTMAX-8",
    "RTMAX-7", "RTMAX-6", "RTMAX-5", "RTMAX-4", "RTMAX-3", "RTMAX-2", "RTMAX-1", "RTMAX",
];

/// The number of the first real-time signal.
const FIRST_REAL_TIME: u8 = 34;

pub(crate) const HUP: u8 = 1;
pub(crate) const INT: u8 = 2;
pub(crate) const QUIT: u8 = 3;
pub(crate) const KILL: u8 = 9;
pub(crate) const PIPE: u8 = 13;
pub(crate) const TERM: u8 = 15;
pub(crate) const CHLD: u8 = 17;
pub(crate) const CONT: u8 = 18;

/// Signals that stop a process, and those that do nothing, where nobody asks for anything else.
const STOPS: [u8; 4] = [19, 20, 21, 22];
const HARMLESS: [u8; 4] = [CHLD, 18, 23, 28];

/// Those that end a shell, which runs its `EXIT` trap first.
const ENDS: [u8; 18] = [HUP, INT, 4, 5, 6, 7, 8, 10, 11, 12, PIPE, 14, TERM, 24, 25, 26, 27, 31];

/// Commands between two looks for signals, while nothing is waited for: a look is a call to the host.
const COMMANDS: u32 = 32;

/// A signal's number by name, with or without `SIG`, or by number.
pub fn signal_number(text: &str) -> Option<u8> {
    if let Ok(number) = text.parse::<u8>() {
        return (number < 65).then_some(number);
    }
    let upper = text.to_ascii_uppercase();
    let name = upper.strip_prefix("SIG").unwrap_or(&upper);
    let real_time = || REAL_TIME.iter().position(|signal| *signal == name).map(|at| at as u8 + FIRST_REAL_TIME);
    SIGNALS.iter().position(|(signal, _)| *signal == name).map(|at| at as u8).or_else(real_time)
}

/// A signal's name, without `SIG`.
pub fn signal_name(number: u8) -> Option<&'static str> {
    match number {
        FIRST_REAL_TIME.. => REAL_TIME.get(usize::from(number - FIRST_REAL_TIME)).copied(),
        _ => SIGNALS.get(usize::from(number)).map(|(name, _)| *name),
    }
}

/// What is said of a program that this signal has ended.
pub fn signal_description(number: u8) -> &'static str {
    SIGNALS.get(usize::from(number)).map_or("Unknown signal", |(_, text)| text)
}

/// All signals, in lines of five, as `kill -l` shows them.
pub fn signal_table() -> String {
    let mut out = String::new();
    let numbers = (1..32).chain(FIRST_REAL_TIME..65);
    for (at, number) in numbers.enumerate() {
        let name = signal_name(number).unwrap_or_default();
        out.push_str(&format!("{number:2}) SIG{name}{}", if at % 5 == 4 { "\n" } else { "\t" }));
    }
    out.push('\n');
    out
}

/// A signal's bit in a set.
pub(crate) fn bit(signal: u8) -> u64 {
    1 << (signal.max(1) - 1)
}

fn set(signals: &[u8]) -> u64 {
    signals.iter().fold(0, |set, signal| set | bit(*signal))
}

fn first(signals: u64) -> Option<u8> {
    (signals != 0).then(|| signals.trailing_zeros() as u8 + 1)
}

/// What a process of the shell listens to. Its subshells that live in the same process share it: the signals are the
/// process's, and the outermost shell answers them.
#[derive(Default)]
pub struct Listening {
    /// What the host keeps for us.
    handled: Cell<u64>,
    /// Those of them that end the process, there being no trap for them.
    fatal: Cell<u64>,
    /// What came.
    pending: Cell<u64>,
    /// Commands until the next look.
    quiet: Cell<u32>,
}

impl Listening {
    /// Take what came.
    pub(crate) fn listen(&self) {
        self.quiet.set(COMMANDS);
        if self.handled.get() != 0 {
            self.pending.set(self.pending.get() | sys::take_signals());
        }
    }

    /// Something came, whoever sent it.
    pub(crate) fn came(&self, signal: u8) {
        self.pending.set(self.pending.get() | bit(signal));
    }

    /// Tell the host once more.
    pub(crate) fn tell(&self, ignored: u64) {
        sys::set_signals(self.handled.get(), ignored, ignored);
    }

    /// Whether waiting is interrupted by anything.
    pub(crate) fn listens(&self) -> bool {
        self.handled.get() != 0
    }

    /// Whether this one came.
    pub(crate) fn has(&self, signal: u8) -> bool {
        self.pending.get() & bit(signal) != 0
    }

    /// Ctrl-C was answered otherwise.
    pub(crate) fn forget_interrupt(&self) {
        self.take(INT);
    }

    fn take(&self, signal: u8) {
        self.pending.set(self.pending.get() & !bit(signal));
    }
}

impl Shell {
    /// Whether this shell is its process's outermost one, which signals are sent to.
    pub(crate) fn is_process(&self) -> bool {
        self.own_pid == sys::own_pid()
    }

    /// Whether each background job is a process group of its own.
    pub(crate) fn has_job_control(&self) -> bool {
        self.interactive || self.opts.has(b'm')
    }

    fn trapped(&self, signal: u8) -> Option<&Vec<u8>> {
        self.traps.get(signal_name(signal)?)
    }

    /// The signals that programs started now ignore.
    pub(crate) fn ignored(&self) -> u64 {
        let empty = self.traps.iter().filter(|(_, text)| text.is_empty()).filter_map(|(name, _)| signal_number(name));
        empty.filter(|number| (1..32).contains(number)).fold(self.start_ignored, |set, number| set | bit(number))
    }

    /// Tell the host what to keep for us, after a change of the traps.
    pub(crate) fn settle_signals(&mut self) {
        if !self.is_process() {
            return;
        }
        let ignored = self.ignored() | self.async_ignored;
        let full = self.traps.iter().filter(|(_, text)| !text.is_empty()).filter_map(|(name, _)| signal_number(name));
        // The shell counts its children itself.
        let trapped = full.filter(|number| (1..32).contains(number)).fold(0, |set, number| set | bit(number)) & !ignored;
        let mut fatal = 0;
        if self.interactive {
            fatal = set(&[HUP, INT, QUIT, TERM, 20, 21, 22]);
        }
        if self.traps.get("EXIT").is_some_and(|text| !text.is_empty()) {
            fatal |= set(&ENDS);
        }
        fatal &= !ignored & !trapped;
        let handled = (trapped | fatal) & !bit(CHLD);
        if self.interactive {
            fatal = if self.traps.get("EXIT").is_some() { fatal & !set(&[INT, QUIT, TERM, 20, 21, 22]) } else { bit(HUP) & fatal };
        }
        self.signals.fatal.set(fatal);
        if (handled, ignored) != (self.signals.handled.get(), self.told_ignored) {
            sys::set_signals(handled, self.told_ignored, ignored);
            self.signals.handled.set(handled);
            self.told_ignored = ignored;
        }
    }

    /// Between two commands: look for signals now and then, and answer them.
    #[inline]
    pub(crate) fn hear(&mut self) -> Run<()> {
        let signals = &self.signals;
        if signals.handled.get() != 0 {
            match signals.quiet.get() {
                0 => signals.listen(),
                left => signals.quiet.set(left - 1),
            }
        }
        if signals.pending.get() != 0 || self.reaped != 0 { self.answer() } else { Ok(()) }
    }

    /// Run the traps of what came, or end.
    pub(crate) fn answer(&mut self) -> Run<()> {
        if !self.is_process() {
            return match first(self.signals.pending.get() & self.signals.fatal.get()) {
                Some(signal) => Err(Flow::Exit(128 + i32::from(signal))),
                None if self.interactive && self.signals.has(INT) => Err(Flow::Exit(130)),
                None => Ok(()),
            };
        }
        while let Some(signal) = first(self.signals.pending.get()) {
            self.signals.take(signal);
            self.obey(signal)?;
        }
        for _ in 0..std::mem::take(&mut self.reaped) {
            if self.trapped(CHLD).is_some() {
                self.signal_trap(CHLD)?;
            }
        }
        Ok(())
    }

    /// A signal came to this shell.
    fn obey(&mut self, signal: u8) -> Run<()> {
        let code = 128 + i32::from(signal);
        match self.trapped(signal) {
            Some(text) if text.is_empty() => Ok(()),
            Some(_) => self.signal_trap(signal),
            None if self.is_deaf_to(signal) => Ok(()),
            None if self.interactive && STOPS.contains(&signal) => Ok(()),
            None if STOPS.contains(&signal) => {
                // Stopping oneself cannot fail.
                let _ = sys::kill(i64::from(sys::own_pid()), signal);
                Ok(())
            }
            None if self.interactive && signal == INT => {
                self.status = 130;
                self.warn_raw(b"\n");
                Err(Flow::Abort(130))
            }
            None if self.interactive && signal == TERM => Ok(()),
            None => {
                self.dying = Some(signal);
                Err(Flow::Exit(code))
            }
        }
    }

    /// Whether a signal without a trap does nothing to this shell. bash ignores QUIT always.
    fn is_deaf_to(&self, signal: u8) -> bool {
        (self.start_ignored | self.async_ignored) & bit(signal) != 0 || HARMLESS.contains(&signal) || signal == QUIT
    }

    fn signal_trap(&mut self, signal: u8) -> Run<()> {
        let Some(name) = signal_name(signal) else { return Ok(()) };
        let status = self.status;
        self.trap_status(name, status).map(|_| ())
    }

    /// `kill` was told to send a signal to this shell, or to the one that it is a subshell of in the same process. False if
    /// it is for the host to send.
    pub(crate) fn signal_self(&mut self, pid: i64, signal: u8) -> Run<bool> {
        let process = pid == i64::from(sys::own_pid());
        if !process && pid != i64::from(self.own_pid) || signal == 0 && process {
            return Ok(false);
        }
        if self.is_process() || process {
            if signal == KILL || signal > 31 {
                return Ok(false);
            }
            // Answered behind this command: by the outermost shell.
            self.signals.came(signal);
            return Ok(true);
        }
        // A subshell in this process, by the id that it has for `$BASHPID`.
        match self.trapped(signal) {
            _ if signal == 0 => {}
            _ if signal == KILL => {
                self.traps = Rc::default();
                self.died = Some((self.own_pid, signal));
                return Err(Flow::Exit(137));
            }
            Some(text) if text.is_empty() => {}
            Some(_) => self.signal_trap(signal)?,
            None if self.is_deaf_to(signal) => {}
            None => {
                self.died = Some((self.own_pid, signal));
                return Err(Flow::Exit(128 + i32::from(signal)));
            }
        }
        Ok(true)
    }

    /// A child has ended and its status was taken.
    pub(crate) fn reap(&mut self) {
        if self.traps.contains_key("CHLD") {
            self.reaped += 1;
        }
    }

    /// Wait for a program in the foreground: it ends before traps run, but not before a signal that ends this shell.
    pub(crate) fn wait_child(&mut self, child: &Child) -> Run {
        let early = self.interactive && self.signals.listens() && {
            self.signals.listen();
            self.signals.has(INT)
        };
        if early {
            // Ctrl-C came while the program was being started, and was meant for it and for the command. One that has ended
            // meanwhile, because a substitution that it read has, needs none.
            let _ = sys::kill(i64::from(child.pid()), INT);
        }
        let stops = self.has_job_control() && self.is_process();
        let status = loop {
            let listens = self.signals.listens();
            if !listens && !stops {
                break child.wait();
            }
            if let Some(status) = if stops { child.wait_change(listens) } else { child.wait_or_signal() } {
                break status;
            }
            if let Some(signal) = child.stopped().filter(|_| stops) {
                return Ok(128 + i32::from(signal));
            }
            self.wait_on()?;
        };
        self.signals.quiet.set(0);
        self.reap();
        if self.interactive && self.signals.listens() {
            self.signals.listen();
            // Ctrl-C was for the program, which has made something of it.
            if !early && self.signals.has(INT) && self.trapped(INT).is_none() && child.signal() != Some(INT) {
                self.signals.take(INT);
            }
        }
        if early {
            // It was for the command too, however the program ended.
            self.answer()?;
        }
        Ok(status)
    }

    /// A signal came while something was waited for: take it, and end if it says so.
    pub(crate) fn wait_on(&mut self) -> Run<()> {
        self.signals.listen();
        match first(self.signals.pending.get() & self.signals.fatal.get()) {
            Some(_) => self.answer(),
            None => Ok(()),
        }
    }

    /// The first signal that came and ends a `wait`.
    pub(crate) fn interrupted(&self) -> Option<u8> {
        let answered = |signal: &u8| self.is_process() && self.trapped(*signal).is_some_and(|text| !text.is_empty());
        let ends = self.signals.fatal.get() | if self.interactive { bit(INT) } else { 0 };
        (1..32u8).filter(|signal| self.signals.has(*signal)).find(|signal| ends & bit(*signal) != 0 || answered(signal))
    }

    /// Wait until a file can be read; traps run meanwhile.
    /// With a time: whether it came to that before.
    pub(crate) fn wait_readable(&mut self, file: &OpenFile, until: Option<Instant>) -> Run<bool> {
        if let Some(until) = until {
            while !file.readable_within(until.saturating_duration_since(Instant::now())) {
                if self.signals.listens() {
                    self.signals.listen();
                    self.answer()?;
                }
                if Instant::now() >= until {
                    return Ok(false);
                }
            }
            return Ok(true);
        }
        while self.signals.listens() && !file.readable_or_signal() {
            self.signals.listen();
            if self.interactive && self.signals.has(INT) && self.trapped(INT).is_none() {
                // The terminal has begun a new line already.
                self.signals.take(INT);
                self.status = 130;
                return Err(Flow::Abort(130));
            }
            self.answer()?;
        }
        Ok(true)
    }

    /// Say how a program in the foreground was ended, as bash does for signals that a person has not sent.
    pub(crate) fn report_signal(&mut self, pid: u32, signal: u8, text: &[u8]) {
        if matches!(signal, INT | PIPE) {
            return;
        }
        let what = signal_description(signal);
        if signal == TERM || self.interactive || self.trapped(signal).is_some() {
            self.warn_raw(format!("{what}\n").as_bytes());
        } else {
            self.error([format!("{pid:5} {what:<24}").as_bytes(), text].concat());
        }
    }
}
