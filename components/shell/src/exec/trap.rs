//! Traps.

use crate::shell::{Flow, Run, Shell};
use std::rc::Rc;

/// Returns what precedes `line N:` in a syntax error of a trap's commands.
fn title(name: &str) -> &'static str {
    match name {
        "EXIT" => "exit trap: ",
        "ERR" => "error trap: ",
        "DEBUG" => "debug trap: ",
        "RETURN" => "return trap: ",
        _ => "trap: ",
    }
}

/// Traps of signals that may interrupt each other: each uses the stack of the commands between them.
const MAX_SIGNAL_TRAPS: u32 = 100;

impl Shell {
    /// Runs the commands of a trap, if there are any. `$?` is kept.
    pub(crate) fn run_trap(&mut self, name: &'static str, status: i32) -> Run<()> {
        self.trap_status(name, status).map(|_| ())
    }

    /// Works like `run_trap`; returns the status of the trap's commands, if there were any.
    pub(crate) fn trap_status(&mut self, name: &'static str, status: i32) -> Run<Option<i32>> {
        // A signal's trap is an ordinary command: it may be interrupted by itself, fail, and be traced.
        let signal = !matches!(name, "EXIT" | "ERR" | "DEBUG" | "RETURN");
        if self.traps.commands.is_empty() || self.traps.running.contains(&name) {
            return Ok(None);
        }
        let Some(text) = self.traps.commands.get(name).filter(|text| !text.is_empty()).cloned() else { return Ok(None) };
        if name == "RETURN" && self.traps.running.contains(&"DEBUG") {
            return Ok(None);
        }
        let (line, guarded, substituted) = (self.position.line, self.nesting.guarded, self.last.substituted);
        let pipestatus = self.last.pipeline.clone();
        if signal {
            self.traps.of_signals += 1;
            if self.traps.of_signals > MAX_SIGNAL_TRAPS {
                self.traps.of_signals = 0;
                self.error(format!("traps of signals are nested more than {MAX_SIGNAL_TRAPS} levels deep: ending the shell"));
                return Err(Flow::Exit(1));
            }
        } else {
            self.traps.running.push(name);
        }
        self.last.status = status;
        self.nesting.trace += 1;
        let outer = self.traps.status_before;
        // `return` in the DEBUG trap gives the status of the trap's own commands.
        self.traps.status_before = (name != "DEBUG").then_some(status);
        // A signal's trap counts its own lines.
        let parser = self.parser(text, if signal { 1 } else { line });
        let result = self.run_parser(parser, title(name));
        self.traps.status_before = outer;
        self.nesting.trace -= 1;
        self.nesting.guarded = guarded;
        if signal {
            self.traps.of_signals = self.traps.of_signals.saturating_sub(1);
        } else {
            self.traps.running.pop();
        }
        self.position.line = line;
        self.last.status = status;
        self.last.substituted = substituted;
        self.last.pipeline = pipestatus;
        match result {
            Ok(status) | Err(Flow::Discard(status)) => Ok(Some(status)),
            Err(Flow::Return(status)) if name == "DEBUG" && self.opts.shopt("extdebug") => Ok(Some(status)),
            Err(flow) => Err(flow),
        }
    }

    /// Runs the `DEBUG` trap before a command; false if `extdebug` makes it skip the command.
    pub(crate) fn debug(&mut self, line: u32, text: impl FnOnce() -> Vec<u8>) -> Run<bool> {
        if self.traps.commands.is_empty() || !self.traps.commands.contains_key("DEBUG") || self.traps.running.contains(&"DEBUG") {
            return Ok(true);
        }
        self.position.line = line;
        if self.traps.of_signals == 0 && self.traps.running.is_empty() && !self.traps.leaving {
            self.current.text = Rc::new(text());
        }
        let status = self.last.status;
        let answer = self.trap_status("DEBUG", status)?;
        self.position.line = line;
        if !self.opts.shopt("extdebug") {
            return Ok(true);
        }
        match answer {
            Some(2) if self.calls.frames.iter().any(|frame| frame.function) => Err(Flow::Return(status)),
            Some(answer) => Ok(answer == 0),
            None => Ok(true),
        }
    }

    /// Ends the shell: the `EXIT` trap runs at that point, while the function's variables and the command's
    /// descriptors still exist.
    pub(crate) fn leave(&mut self, result: Run) -> Run {
        match result {
            // Where the stack is used up, the trap has to wait.
            Err(Flow::Exit(status)) if self.nesting.depth != 0 && self.traps.commands.contains_key("EXIT") => {
                let (guarded, loops) = (self.nesting.guarded, self.calls.loops);
                if self.traps.drops_locals {
                    self.vars.pop_scopes();
                }
                let status = self.last_words(status);
                (self.nesting.guarded, self.calls.loops) = (guarded, loops);
                Err(Flow::Exit(status))
            }
            other => other,
        }
    }

    /// Runs the `EXIT` trap of a shell that ends with this status; returns the status that it ends with.
    pub(super) fn last_words(&mut self, status: i32) -> i32 {
        // When the trap runs, a signal that ends the shell is not a status yet, and the trap does not change it.
        let before = std::mem::replace(&mut self.last.status, status);
        match self.signals.dying {
            Some(_) => {
                self.exit_trap(before);
                status
            }
            None => self.exit_trap(status).unwrap_or(status),
        }
    }

    /// Runs the `EXIT` trap once; returns the status if it called `exit`.
    pub(crate) fn exit_trap(&mut self, status: i32) -> Option<i32> {
        // If its own commands set it again, it does not run again.
        if self.traps.commands.is_empty() || self.traps.leaving {
            return None;
        }
        let text = Rc::make_mut(&mut self.traps.commands).remove("EXIT").filter(|text| !text.is_empty())?;
        self.settle_signals();
        self.last.status = status;
        self.traps.status_before = Some(status);
        self.traps.leaving = true;
        self.nesting.guarded = 0;
        self.calls.loops = 0;
        let parser = self.parser(text, 1);
        match self.run_parser(parser, title("EXIT")) {
            Err(Flow::Exit(status)) => Some(status),
            Err(Flow::Return(status)) if !self.calls.frames.is_empty() => Some(status),
            _ => None,
        }
    }

    /// Hides traps from a function: `DEBUG` and `RETURN` unless it is `traced`, and `ERR` without `set -E`. Returns the
    /// hidden traps.
    pub(crate) fn hide_traps(&mut self, traced: bool) -> Option<Vec<(String, Vec<u8>)>> {
        if self.traps.commands.is_empty() {
            return None;
        }
        let mut hidden = Vec::new();
        let keep_err = self.opts.has(b'E');
        for name in ["DEBUG", "RETURN", "ERR"] {
            if if name == "ERR" { !keep_err } else { !traced } {
                hidden.extend(self.hide_trap(name));
            }
        }
        Some(hidden)
    }

    /// Hides a trap, if it is set; returns it.
    pub(crate) fn hide_trap(&mut self, name: &str) -> Option<(String, Vec<u8>)> {
        if !self.traps.commands.contains_key(name) {
            return None;
        }
        Rc::make_mut(&mut self.traps.commands).remove(name).map(|text| (name.to_owned(), text))
    }

    /// Restores hidden traps, except those that were set again in the meantime.
    pub(crate) fn show_traps(&mut self, hidden: Vec<(String, Vec<u8>)>) {
        for (name, text) in hidden {
            if !self.traps.commands.contains_key(&name) {
                Rc::make_mut(&mut self.traps.commands).insert(name, text);
            }
        }
    }

    /// Parses and run text in this shell, command by command.
    pub fn run_text(&mut self, text: Vec<u8>, line: u32) -> Run {
        let parser = self.parser(text, line);
        self.run_parser(parser, "")
    }
}
