//! What an interactive shell does beyond a script's: its start file, its prompt, its history.

use super::Shell;
use crate::signals::{CONT, HUP};
use crate::sym::{self, intern};
use crate::vars::Value;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;
use wisp_tool::sys::terminal::Settings;

/// State shared by the shell and the reader of its commands.
#[derive(Default)]
pub struct Prompting {
    /// The prompt before lines that continue a command.
    pub continued: RefCell<Vec<u8>>,
    /// Whether the next line is the first of a command: its prompt has been shown.
    pub first: Cell<bool>,
    /// The number of the command that was warned about stopped jobs.
    pub warned: Cell<u32>,
    /// Whether Ctrl-C or a hangup interrupted the reading.
    pub interrupted: Cell<bool>,
    /// Lines that were entered and not read yet.
    pub(crate) entered: RefCell<VecDeque<Vec<u8>>>,
    /// Whether the editor met the end of the input.
    pub(crate) ended: Cell<bool>,
    /// Whether the editor read the first line of the command.
    pub(crate) edits: Cell<bool>,
    /// The history, the directory and the home at the last prompt: a line that continues a command is edited with them.
    pub(crate) history: RefCell<Rc<[Vec<u8>]>>,
    pub(crate) places: RefCell<(Vec<u8>, Vec<u8>)>,
    /// What Ctrl-Y puts into the line.
    pub(crate) killed: RefCell<Vec<char>>,
    /// The terminal's settings at the last prompt.
    pub(crate) settings: Cell<Option<Settings>>,
    /// The terminal's lines and columns at the last prompt.
    pub(crate) window: Cell<Option<(u16, u16)>>,
}

impl Shell {
    /// Sets the options and variables of an interactive shell.
    pub(super) fn begin_interactive(&mut self, editing: bool) {
        if editing && self.at_terminal() {
            self.opts.set_long("emacs", true);
        }
        for option in ["history", "histexpand"] {
            self.opts.set_long(option, true);
        }
        self.opts.set_shopt("expand_aliases", true);
        self.settle_signals();
        // At a terminal the prompt shows user, host and directory, as distributions set it.
        let ps1 = if self.at_terminal() { &b"\\u@\\h:\\w\\$ "[..] } else { b"\\s-\\v\\$ " };
        for (name, value) in [(sym::PS1, ps1), (sym::PS2, b"> "), (sym::HISTSIZE, b"500"), (intern(b"HISTFILESIZE"), b"500")] {
            if self.vars.get(name).is_none() {
                self.vars.make(name).value = Value::Str(value.to_vec());
            }
        }
        let home = self.get(sym::HOME).unwrap_or_default();
        let file = intern(b"HISTFILE");
        if self.vars.get(file).is_none() {
            self.vars.make(file).value = Value::Str([&home[..], b"/.bash_history"].concat());
        }
    }

    /// Reads the saved history.
    pub(super) fn recall(&mut self) {
        if let Some(name) = self.get(intern(b"HISTFILE")) {
            // Without a file, the history starts empty.
            self.read_history(&name, 0);
        }
    }

    /// Returns whether a person types the commands.
    pub(crate) fn at_terminal(&self) -> bool {
        let terminal = |number| matches!(self.fds.get(number), Some(crate::fds::Fd::File(file)) if file.handle().is_terminal());
        terminal(0) && terminal(2)
    }

    /// Reports the jobs that have ended since the last report.
    fn tell_jobs(&mut self) {
        self.jobs.poll();
        let text = self.job_lines(|job| job.status.is_some() && !job.waited);
        self.warn_raw(text.as_bytes());
        self.jobs.forget_ended();
    }

    /// Handles Ctrl-C at the prompt: prints a new line, unless there is a trap. A hangup ends the shell.
    pub(crate) fn interrupted_at_prompt(&mut self) -> super::Run<()> {
        if self.signals.arrived.has(HUP) || self.traps.commands.get("INT").is_some_and(|text| !text.is_empty()) {
            return self.answer();
        }
        self.signals.arrived.forget_interrupt();
        self.last.status = 130;
        Ok(())
    }

    /// Runs `PROMPT_COMMAND` and shows the prompt.
    pub(crate) fn before_prompt(&mut self) {
        if !self.entry.prompting.entered.borrow().is_empty() {
            // Several lines were pasted.
            self.entry.prompting.first.set(true);
            return;
        }
        let status = self.last.status;
        self.tell_jobs();
        self.follow_window();
        for command in self.elements(intern(b"PROMPT_COMMAND")) {
            let line = self.position.line;
            // A failing command does not suppress the prompt.
            let _ = self.run_text(command, line);
            self.last.status = status;
        }
        let continued = self.get(sym::PS2).unwrap_or_default();
        *self.entry.prompting.continued.borrow_mut() = self.prompt(&continued).unwrap_or_default();
        self.entry.prompting.first.set(true);
        let prompt = self.get(sym::PS1).unwrap_or_default();
        if let Ok(shown) = self.prompt(&prompt) {
            let edited = self.enter_line(&shown);
            self.entry.prompting.edits.set(edited);
            if !edited {
                self.warn_raw(&shown);
            }
        }
    }

    /// Returns whether `exit` must be repeated, because there are stopped jobs.
    pub(crate) fn stays_for_stopped_jobs(&mut self) -> bool {
        let again = self.entry.prompting.warned.replace(self.entry.number) + 1 == self.entry.number;
        let stays = self.is_process() && !again && self.jobs.list.iter().any(|job| job.stopped().is_some());
        if stays {
            self.warn_raw(b"There are stopped jobs.\n");
        }
        stays
    }

    /// Ends stopped jobs with the shell, because nothing else could continue them.
    pub(crate) fn leave_stopped_jobs(&self) {
        for job in self.jobs.list.iter().filter(|job| job.stopped().is_some()) {
            for signal in [HUP, CONT] {
                // A job that has ended in the meantime needs none.
                let _ = job.kill(signal);
            }
        }
    }

    /// Prints `exit`, and saves the history.
    pub(crate) fn end_interactive(&mut self) {
        self.warn_raw(b"exit\n");
        if let Some(name) = self.get(intern(b"HISTFILE")) {
            let append = self.opts.shopt("histappend");
            // The shell ends even if the file cannot be written.
            self.write_history(&name, append);
            self.cut_history_file();
        }
    }
}
