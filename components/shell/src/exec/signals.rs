//! What the shell does with the signals that arrive, and waiting that they interrupt.

use crate::fds::OpenFile;
use crate::shell::{Flow, Run, Shell};
use crate::signals::{CHLD, HUP, INT, KILL, PIPE, QUIT, TERM, bit, signal_description, signal_name, signal_number};
use crate::sys::{self, Child};
use std::rc::Rc;
use std::time::Instant;

/// Signals that stop a process, and signals that do nothing, by default.
const STOPS: [u8; 4] = [19, 20, 21, 22];
const HARMLESS: [u8; 4] = [CHLD, 18, 23, 28];

/// Signals that end a shell, which first runs its `EXIT` trap.
const ENDS: [u8; 18] = [HUP, INT, 4, 5, 6, 7, 8, 10, 11, 12, PIPE, 14, TERM, 24, 25, 26, 27, 31];

fn set(signals: &[u8]) -> u64 {
    signals.iter().fold(0, |set, signal| set | bit(*signal))
}

fn first(signals: u64) -> Option<u8> {
    (signals != 0).then(|| signals.trailing_zeros() as u8 + 1)
}

impl Shell {
    /// Returns whether this shell is its process's outermost one, which signals are sent to.
    pub(crate) fn is_process(&self) -> bool {
        self.process.own_pid == sys::own_pid()
    }

    /// Returns whether each background job is a process group of its own.
    pub(crate) fn has_job_control(&self) -> bool {
        self.invocation.interactive || self.opts.has(b'm')
    }

    fn trapped(&self, signal: u8) -> Option<&Vec<u8>> {
        self.traps.commands.get(signal_name(signal)?)
    }

    /// Returns the signals that programs started now ignore.
    pub(crate) fn ignored(&self) -> u64 {
        let empty = self.traps.commands.iter().filter(|(_, text)| text.is_empty()).filter_map(|(name, _)| signal_number(name));
        empty.filter(|number| (1..32).contains(number)).fold(self.signals.start_ignored, |set, number| set | bit(number))
    }

    /// Tells the host which signals to keep for us, after a change of the traps.
    pub(crate) fn settle_signals(&mut self) {
        if !self.is_process() {
            return;
        }
        let ignored = self.ignored() | self.signals.async_ignored;
        let full = self.traps.commands.iter().filter(|(_, text)| !text.is_empty()).filter_map(|(name, _)| signal_number(name));
        // The shell counts its children itself.
        let trapped = full.filter(|number| (1..32).contains(number)).fold(0, |set, number| set | bit(number)) & !ignored;
        let mut fatal = 0;
        if self.invocation.interactive {
            fatal = set(&[HUP, INT, QUIT, TERM, 20, 21, 22]);
        }
        if self.traps.commands.get("EXIT").is_some_and(|text| !text.is_empty()) {
            fatal |= set(&ENDS);
        }
        fatal &= !ignored & !trapped;
        let handled = (trapped | fatal) & !bit(CHLD);
        if self.invocation.interactive {
            fatal = if self.traps.commands.get("EXIT").is_some() { fatal & !set(&[INT, QUIT, TERM, 20, 21, 22]) } else { bit(HUP) & fatal };
        }
        self.signals.arrived.fatal.set(fatal);
        if (handled, ignored) != (self.signals.arrived.handled.get(), self.signals.told_ignored) {
            sys::set_signals(handled, self.signals.told_ignored, ignored);
            self.signals.arrived.handled.set(handled);
            self.signals.told_ignored = ignored;
        }
    }

    /// Checks for signals now and then between two commands, and handles them.
    #[inline]
    pub(crate) fn hear(&mut self) -> Run<()> {
        let signals = &self.signals.arrived;
        if signals.handled.get() != 0 {
            match signals.quiet.get() {
                0 => signals.listen(),
                left => signals.quiet.set(left - 1),
            }
        }
        if signals.pending.get() != 0 || self.signals.reaped != 0 { self.answer() } else { Ok(()) }
    }

    /// Handles the signals that arrived before a wait that signals interrupt. They do not interrupt it.
    pub(crate) fn hear_now(&mut self) -> Run<()> {
        self.signals.arrived.quiet.set(0);
        self.hear()
    }

    /// Runs the traps of the signals that arrived, or ends.
    pub(crate) fn answer(&mut self) -> Run<()> {
        if !self.is_process() {
            return match first(self.signals.arrived.pending.get() & self.signals.arrived.fatal.get()) {
                Some(signal) => Err(Flow::Exit(128 + i32::from(signal))),
                None if self.invocation.interactive && self.signals.arrived.has(INT) => Err(Flow::Exit(130)),
                None => Ok(()),
            };
        }
        while let Some(signal) = first(self.signals.arrived.pending.get()) {
            self.signals.arrived.take(signal);
            self.obey(signal)?;
        }
        for _ in 0..std::mem::take(&mut self.signals.reaped) {
            if self.trapped(CHLD).is_some() {
                self.signal_trap(CHLD)?;
            }
        }
        Ok(())
    }

    /// Handles a signal that arrived at this shell.
    fn obey(&mut self, signal: u8) -> Run<()> {
        let code = 128 + i32::from(signal);
        match self.trapped(signal) {
            Some(text) if text.is_empty() => Ok(()),
            Some(_) => self.signal_trap(signal),
            None if self.is_deaf_to(signal) => Ok(()),
            None if self.invocation.interactive && STOPS.contains(&signal) => Ok(()),
            None if STOPS.contains(&signal) => {
                // Stopping oneself cannot fail.
                let _ = sys::kill(i64::from(sys::own_pid()), signal);
                Ok(())
            }
            None if self.invocation.interactive && signal == INT => {
                self.last.status = 130;
                self.warn_raw(b"\n");
                Err(Flow::Abort(130))
            }
            None if self.invocation.interactive && signal == TERM => Ok(()),
            None => {
                self.signals.dying = Some(signal);
                Err(Flow::Exit(code))
            }
        }
    }

    /// Returns whether a signal without a trap does nothing to this shell. bash always ignores QUIT.
    fn is_deaf_to(&self, signal: u8) -> bool {
        (self.signals.start_ignored | self.signals.async_ignored) & bit(signal) != 0 || HARMLESS.contains(&signal) || signal == QUIT
    }

    fn signal_trap(&mut self, signal: u8) -> Run<()> {
        let Some(name) = signal_name(signal) else { return Ok(()) };
        let status = self.last.status;
        self.trap_status(name, status).map(|_| ())
    }

    /// Handles `kill` for this shell, or for the shell of which it is a subshell in the same process. Returns false if
    /// the host must send the signal.
    pub(crate) fn signal_self(&mut self, pid: i64, signal: u8) -> Run<bool> {
        let process = pid == i64::from(sys::own_pid());
        if !process && pid != i64::from(self.process.own_pid) || signal == 0 && process {
            return Ok(false);
        }
        if self.is_process() || process {
            if signal == KILL || signal > 31 {
                return Ok(false);
            }
            // Handled after this command, by the outermost shell.
            self.signals.arrived.came(signal);
            return Ok(true);
        }
        // A subshell in this process, by its `$BASHPID`.
        match self.trapped(signal) {
            _ if signal == 0 => {}
            _ if signal == KILL => {
                self.traps.commands = Rc::default();
                self.signals.died = Some((self.process.own_pid, signal));
                return Err(Flow::Exit(137));
            }
            Some(text) if text.is_empty() => {}
            Some(_) => self.signal_trap(signal)?,
            None if self.is_deaf_to(signal) => {}
            None => {
                self.signals.died = Some((self.process.own_pid, signal));
                return Err(Flow::Exit(128 + i32::from(signal)));
            }
        }
        Ok(true)
    }

    /// Records that a child has ended and that its status was taken.
    pub(crate) fn reap(&mut self) {
        if self.traps.commands.contains_key("CHLD") {
            self.signals.reaped += 1;
        }
    }

    /// Waits for a program in the foreground: traps run after it ends, but a signal that ends this shell does so at
    /// once.
    pub(crate) fn wait_child(&mut self, child: &Child) -> Run {
        let early = self.invocation.interactive && self.signals.arrived.listens() && {
            self.signals.arrived.listen();
            self.signals.arrived.has(INT)
        };
        if early {
            // Ctrl-C came while the program was being started, and was meant for it and for the command. A program that
            // has ended in the meantime, because a substitution that it read has ended, needs no signal.
            let _ = sys::kill(i64::from(child.pid()), INT);
        }
        let stops = self.has_job_control() && self.is_process();
        let status = loop {
            let listens = self.signals.arrived.listens();
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
        self.signals.arrived.quiet.set(0);
        self.reap();
        if self.invocation.interactive && self.signals.arrived.listens() {
            self.signals.arrived.listen();
            // Ctrl-C was meant for the program, which has handled it.
            if !early && self.signals.arrived.has(INT) && self.trapped(INT).is_none() && child.signal() != Some(INT) {
                self.signals.arrived.take(INT);
            }
        }
        if early {
            // It was meant for the command too, however the program ended.
            self.answer()?;
        }
        Ok(status)
    }

    /// Takes a signal that came during a wait, and ends if it requires that.
    pub(crate) fn wait_on(&mut self) -> Run<()> {
        self.signals.arrived.listen();
        match first(self.signals.arrived.pending.get() & self.signals.arrived.fatal.get()) {
            Some(_) => self.answer(),
            None => Ok(()),
        }
    }

    /// Returns the first signal that arrived and that ends a `wait`.
    pub(crate) fn interrupted(&self) -> Option<u8> {
        let answered = |signal: &u8| self.is_process() && self.trapped(*signal).is_some_and(|text| !text.is_empty());
        let ends = self.signals.arrived.fatal.get() | if self.invocation.interactive { bit(INT) } else { 0 };
        (1..32u8).filter(|signal| self.signals.arrived.has(*signal)).find(|signal| ends & bit(*signal) != 0 || answered(signal))
    }

    /// Waits until a file can be read; traps run in the meantime. With a timeout, returns whether the file became readable in
    /// time.
    pub(crate) fn wait_readable(&mut self, file: &OpenFile, until: Option<Instant>) -> Run<bool> {
        if let Some(until) = until {
            while !file.readable_within(until.saturating_duration_since(Instant::now())) {
                if self.signals.arrived.listens() {
                    self.signals.arrived.listen();
                    self.answer()?;
                }
                if Instant::now() >= until {
                    return Ok(false);
                }
            }
            return Ok(true);
        }
        while self.signals.arrived.listens() && !file.readable_or_signal() {
            self.signals.arrived.listen();
            self.give_up()?;
            self.answer()?;
        }
        Ok(true)
    }

    /// Returns whether a signal that arrived ends the command, or the shell. As in bash, the traps of others run when the command
    /// has ended.
    pub(crate) fn ends_opening(&self) -> bool {
        let arrived = &self.signals.arrived;
        let interrupts = self.invocation.interactive && arrived.has(INT) && self.trapped(INT).is_none();
        interrupts || arrived.pending.get() & arrived.fatal.get() != 0
    }

    /// Ends the command or the shell for the signal that `ends_opening` found.
    pub(crate) fn end_opening(&mut self) -> Run<()> {
        self.wait_on()?;
        self.give_up()
    }

    /// Ends for a signal that ended the reading of a line, or runs its trap.
    pub(crate) fn stopped_reading(&mut self) -> Run<()> {
        self.give_up()?;
        self.answer()
    }

    /// Ends the command that waits, on Ctrl-C at the prompt.
    fn give_up(&mut self) -> Run<()> {
        if self.invocation.interactive && self.signals.arrived.has(INT) && self.trapped(INT).is_none() {
            // The terminal is already on a new line.
            self.signals.arrived.take(INT);
            self.last.status = 130;
            return Err(Flow::Abort(130));
        }
        Ok(())
    }

    /// Reports how a foreground program was ended, as bash does for signals that did not come from the keyboard.
    pub(crate) fn report_signal(&mut self, pid: u32, signal: u8, text: &[u8]) {
        if matches!(signal, INT | PIPE) {
            return;
        }
        let what = signal_description(signal);
        if signal == TERM || self.invocation.interactive || self.trapped(signal).is_some() {
            self.warn_raw(format!("{what}\n").as_bytes());
        } else {
            self.error([format!("{pid:5} {what:<24}").as_bytes(), text].concat());
        }
    }
}
