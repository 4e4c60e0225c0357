//! Traps.

use crate::shell::{Flow, Run, Shell};
use std::rc::Rc;

/// What precedes `line N:` in a syntax error of a trap's commands.
fn title(name: &str) -> &'static str {
    match name {
        "EXIT" => "exit trap: ",
        "ERR" => "error trap: ",
        "DEBUG" => "debug trap: ",
        "RETURN" => "return trap: ",
        _ => "trap: ",
    }
}

/// Traps of signals that interrupt each other: each costs the stack of the commands between.
const MAX_SIGNAL_TRAPS: u32 = 100;

impl Shell {
    /// Run the commands of a trap, if there are any. `$?` is kept.
    pub(crate) fn run_trap(&mut self, name: &'static str, status: i32) -> Run<()> {
        self.trap_status(name, status).map(|_| ())
    }

    /// As `run_trap`; the status of the trap's commands, if there were any.
    pub(crate) fn trap_status(&mut self, name: &'static str, status: i32) -> Run<Option<i32>> {
        // A signal's trap is an ordinary command: it may be interrupted by itself, fail, and be traced.
        let signal = !matches!(name, "EXIT" | "ERR" | "DEBUG" | "RETURN");
        if self.traps.is_empty() || self.in_trap.contains(&name) {
            return Ok(None);
        }
        let Some(text) = self.traps.get(name).filter(|text| !text.is_empty()).cloned() else { return Ok(None) };
        if name == "RETURN" && self.in_trap.contains(&"DEBUG") {
            return Ok(None);
        }
        let (line, guarded, substituted) = (self.line, self.guarded, self.substituted);
        let pipestatus = self.pipestatus.clone();
        if signal {
            self.signal_traps += 1;
            if self.signal_traps > MAX_SIGNAL_TRAPS {
                self.signal_traps = 0;
                self.error(format!("traps of signals are nested more than {MAX_SIGNAL_TRAPS} levels deep: ending the shell"));
                return Err(Flow::Exit(1));
            }
        } else {
            self.in_trap.push(name);
        }
        self.status = status;
        self.trace_level += 1;
        let outer = self.before_trap;
        // `return` in the trap of DEBUG answers for its own commands.
        self.before_trap = (name != "DEBUG").then_some(status);
        // Lines of a signal's trap are its own.
        let parser = self.parser(text, if signal { 1 } else { line });
        let result = self.run_parser(parser, title(name));
        self.before_trap = outer;
        self.trace_level -= 1;
        self.guarded = guarded;
        if signal {
            self.signal_traps = self.signal_traps.saturating_sub(1);
        } else {
            self.in_trap.pop();
        }
        self.line = line;
        self.status = status;
        self.substituted = substituted;
        self.pipestatus = pipestatus;
        match result {
            Ok(status) | Err(Flow::Discard(status)) => Ok(Some(status)),
            Err(Flow::Return(status)) if name == "DEBUG" && self.opts.shopt("extdebug") => Ok(Some(status)),
            Err(flow) => Err(flow),
        }
    }

    /// The `DEBUG` trap before a command; false if `extdebug` makes it skip the command.
    pub(crate) fn debug(&mut self, line: u32, text: impl FnOnce() -> Vec<u8>) -> Run<bool> {
        if self.traps.is_empty() || !self.traps.contains_key("DEBUG") || self.in_trap.contains(&"DEBUG") {
            return Ok(true);
        }
        self.line = line;
        if self.signal_traps == 0 && self.in_trap.is_empty() && !self.leaving {
            self.command_text = Rc::new(text());
        }
        let status = self.status;
        let answer = self.trap_status("DEBUG", status)?;
        self.line = line;
        if !self.opts.shopt("extdebug") {
            return Ok(true);
        }
        match answer {
            Some(2) if self.frames.iter().any(|frame| frame.function) => Err(Flow::Return(status)),
            Some(answer) => Ok(answer == 0),
            None => Ok(true),
        }
    }

    /// What ended the shell takes its way out: the `EXIT` trap runs where that was, while the function's variables and the
    /// command's descriptors are there.
    pub(crate) fn leave(&mut self, result: Run) -> Run {
        match result {
            // Where the stack is used up it has to wait.
            Err(Flow::Exit(status)) if self.depth != 0 && self.traps.contains_key("EXIT") => {
                let (guarded, loops) = (self.guarded, self.loops);
                if self.drops_locals {
                    self.vars.pop_scopes();
                }
                let status = self.last_words(status);
                (self.guarded, self.loops) = (guarded, loops);
                Err(Flow::Exit(status))
            }
            other => other,
        }
    }

    /// Run the `EXIT` trap of a shell that ends with this status; the status it ends with.
    pub(super) fn last_words(&mut self, status: i32) -> i32 {
        // A signal that ends the shell is not a status yet when the trap sees it, and the trap does not change it.
        let before = std::mem::replace(&mut self.status, status);
        match self.dying {
            Some(_) => {
                self.exit_trap(before);
                status
            }
            None => self.exit_trap(status).unwrap_or(status),
        }
    }

    /// Run the `EXIT` trap once; the status if it called `exit`.
    pub(crate) fn exit_trap(&mut self, status: i32) -> Option<i32> {
        // Set again in its own commands it does not run.
        if self.traps.is_empty() || self.leaving {
            return None;
        }
        let text = Rc::make_mut(&mut self.traps).remove("EXIT").filter(|text| !text.is_empty())?;
        self.settle_signals();
        self.status = status;
        self.before_trap = Some(status);
        self.leaving = true;
        self.guarded = 0;
        self.loops = 0;
        let parser = self.parser(text, 1);
        match self.run_parser(parser, title("EXIT")) {
            Err(Flow::Exit(status)) => Some(status),
            Err(Flow::Return(status)) if !self.frames.is_empty() => Some(status),
            _ => None,
        }
    }

    /// `DEBUG` and `RETURN` traps are not inherited by functions, unless they are `traced`, and `ERR` is not but for `set -E`;
    /// what was hidden.
    pub(crate) fn hide_traps(&mut self, traced: bool) -> Option<Vec<(String, Vec<u8>)>> {
        if self.traps.is_empty() {
            return None;
        }
        let mut hidden = Vec::new();
        let keep_err = self.opts.has(b'E');
        for name in ["DEBUG", "RETURN", "ERR"] {
            if (if name == "ERR" { !keep_err } else { !traced })
                && self.traps.contains_key(name)
                && let Some(text) = Rc::make_mut(&mut self.traps).remove(name)
            {
                hidden.push((name.to_owned(), text));
            }
        }
        Some(hidden)
    }

    /// Bring hidden traps back, except those set again meanwhile.
    pub(crate) fn show_traps(&mut self, hidden: Vec<(String, Vec<u8>)>) {
        for (name, text) in hidden {
            if !self.traps.contains_key(&name) {
                Rc::make_mut(&mut self.traps).insert(name, text);
            }
        }
    }

    /// Parse and run text in this shell, command by command.
    pub fn run_text(&mut self, text: Vec<u8>, line: u32) -> Run {
        let parser = self.parser(text, line);
        self.run_parser(parser, "")
    }
}
