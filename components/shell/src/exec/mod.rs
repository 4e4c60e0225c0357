//! Running commands: walks the tree.

mod assign;
mod compound;
mod cond;
mod fork;
mod function;
mod jobs;
mod loops;
mod pipeline;
mod place;
mod prepared;
mod program;
mod redirect;
mod select;
mod signals;
mod simple;
mod timed;
mod trace;
mod trap;
mod waits;

pub use fork::STATE_VARIABLE;
pub use function::MAX_CALLS;
pub(crate) use jobs::Waited;
pub(crate) use place::{Redirected, sole_subshell};
pub(crate) use redirect::own_descriptor;
pub(crate) use simple::Declared;

use crate::ast::{AndOr, Command, Kind, List, Pipeline};
use crate::shell::{Flow, Run, Shell};

/// Levels of commands within commands (functions that call functions, loops in loops) before the shell gives up. A
/// guest's stack holds this many, with a margin.
pub const MAX_DEPTH: u32 = 1600;

/// Returns whether a failure of this command itself counts for `set -e` and the `ERR` trap.
fn counts(command: &Command) -> bool {
    matches!(command.kind, Kind::Simple(_) | Kind::Subshell(_) | Kind::Cond(_) | Kind::Arith(_))
}

impl Shell {
    /// Runs a list; returns its status.
    pub fn exec_list(&mut self, list: &List) -> Run {
        let mut status = 0;
        for item in &list.items {
            status = if item.background { self.background(&item.and_or)? } else { self.exec_and_or(&item.and_or)? };
        }
        Ok(status)
    }

    fn exec_and_or(&mut self, and_or: &AndOr) -> Run {
        if and_or.rest.is_empty() {
            return self.exec_pipeline(&and_or.first);
        }
        let mut status = self.guarded(|shell| shell.exec_pipeline(&and_or.first))?;
        let last = and_or.rest.len() - 1;
        for (number, (and, pipeline)) in and_or.rest.iter().enumerate() {
            if *and == (status == 0) {
                status = if number == last { self.exec_pipeline(pipeline)? } else { self.guarded(|shell| shell.exec_pipeline(pipeline))? };
            }
        }
        Ok(status)
    }

    /// Runs something as a condition: a failure in it does not end the shell.
    pub(crate) fn guarded<T>(&mut self, run: impl FnOnce(&mut Self) -> Run<T>) -> Run<T> {
        self.nesting.guarded += 1;
        let result = run(self);
        self.nesting.guarded -= 1;
        result
    }

    fn exec_pipeline(&mut self, pipeline: &Pipeline) -> Run {
        let status = self.exec_whole(pipeline)?;
        if !self.programs.halted.is_empty() {
            self.add_halted(&crate::print::pipeline_text(pipeline));
        }
        self.hear()?;
        Ok(status)
    }

    /// Runs a pipeline with what is before it: `time`, `!`.
    pub(super) fn exec_whole(&mut self, pipeline: &Pipeline) -> Run {
        if pipeline.timed.is_some() {
            return self.exec_timed(pipeline);
        }
        if pipeline.negated {
            // `!` guards only against a `set -e` that is on already.
            let guards = u32::from(self.opts.has(b'e'));
            self.nesting.guarded += guards;
            let result = self.exec_stages(pipeline);
            self.nesting.guarded -= guards;
            let status = result?;
            self.last.status = i32::from(status == 0);
            return Ok(self.last.status);
        }
        let trapped = !self.traps.commands.is_empty() && self.traps.commands.contains_key("ERR");
        let announced = self.place.announced;
        let status = self.exec_stages(pipeline)?;
        self.place.announced = false;
        if announced {
            return Ok(status);
        }
        if status != 0 {
            let counts = match &pipeline.commands[..] {
                [command] => counts(command),
                _ => true,
            };
            if counts {
                if trapped {
                    self.name_failed(&pipeline.commands);
                }
                self.failed_with(status, trapped)?;
            }
        }
        Ok(status)
    }

    fn exec_stages(&mut self, pipeline: &Pipeline) -> Run {
        match &pipeline.commands[..] {
            [command] => {
                let status = self.exec_command(command)?;
                self.last.status = status;
                if !matches!(command.kind, Kind::Simple(_) | Kind::Subshell(_) | Kind::Arith(_) | Kind::Cond(_)) {
                    // The commands inside have set the statuses.
                    return Ok(status);
                }
                if self.last.pipeline.len() == 1 {
                    self.last.pipeline[0] = status;
                } else {
                    self.last.pipeline = vec![status];
                }
                Ok(status)
            }
            _ => self.exec_pipes(pipeline),
        }
    }

    /// Handles the failure of a command where it counts: runs the `ERR` trap, and ends the shell under `set -e`.
    pub(crate) fn failed(&mut self, status: i32) -> Run<()> {
        self.failed_with(status, true)
    }

    /// Returns the number that messages and `LINENO` show for a line: within a substitution, lines are counted from the command
    /// that contains it.
    pub(super) fn shifted(&self, line: u32) -> u32 {
        line.saturating_add_signed(self.position.shift)
    }

    /// Notes the line of the command that runs.
    pub(super) fn at(&mut self, line: u32) {
        self.position.line = self.shifted(line);
    }

    /// Sets `$BASH_COMMAND` for the `ERR` trap: the command that failed or, of a pipeline, the last one that counts.
    pub(super) fn name_failed(&mut self, commands: &[Command]) {
        if self.nesting.guarded == 0
            && !self.traps.leaving
            && self.traps.running.is_empty()
            && let Some(command) = commands.iter().rev().find(|command| counts(command))
            // If a function failed, its own last command has been noted.
            && !(commands.len() == 1 && self.is_call(command))
        {
            self.current.text = std::rc::Rc::new(crate::print::command_text(command));
        }
    }

    /// Works like `failed`; `trapped`: the `ERR` trap was set before the command ran.
    fn failed_with(&mut self, status: i32, trapped: bool) -> Run<()> {
        if self.nesting.guarded > 0 {
            return Ok(());
        }
        if trapped {
            self.run_trap("ERR", status)?;
        }
        if self.opts.has(b'e') {
            self.traps.drops_locals = self.nesting.subshell == 0;
            return Err(Flow::Exit(status));
        }
        Ok(())
    }

    /// Runs a command; returns its status.
    pub fn exec_command(&mut self, command: &Command) -> Run {
        if self.opts.has(b'n') && !self.invocation.interactive {
            return Ok(0);
        }
        self.nesting.depth += 1;
        if self.nesting.depth > MAX_DEPTH {
            self.nesting.depth = 0;
            self.at(command.line);
            self.error(format!("commands are nested more than {MAX_DEPTH} levels deep: ending the shell"));
            return Err(Flow::Exit(1));
        }
        let substituted = self.current.process_fds.len();
        let result = match &command.kind {
            Kind::Simple(simple) => self.exec_simple(command, simple),
            _ if command.redirects.is_empty() => self.exec_compound(command),
            _ => {
                self.at(command.line);
                let saved = self.fds.clone();
                let kept = self.current.kept_fds.len();
                let done = self.redirect_all(&command.redirects);
                let redirected = self.fds.clone();
                let refused = matches!(done, Ok(false));
                let result = match done {
                    Ok(true) => {
                        let outer = self.place.stdin_given;
                        self.place.stdin_given |= redirect::gives_stdin(&command.redirects);
                        let result = self.exec_compound(command);
                        self.place.stdin_given = outer;
                        result
                    }
                    Ok(false) => {
                        self.last.status = 1;
                        Ok(1)
                    }
                    Err(flow) => Err(flow),
                };
                let result = self.leave(result);
                self.restore_fds(saved, &redirected, kept);
                if refused && !counts(command) {
                    // The command itself would not count as a failure.
                    self.failed(1)?;
                }
                result
            }
        };
        if self.current.process_fds.len() > substituted {
            for fd in self.current.process_fds.split_off(substituted) {
                self.fds.remove(fd);
            }
        }
        self.nesting.depth = self.nesting.depth.saturating_sub(1);
        result
    }

    /// Turns what ended a (sub)shell into its status, and runs its `EXIT` trap.
    pub fn end(&mut self, result: Run) -> i32 {
        let mut status = match result {
            Ok(status) | Err(Flow::Exit(status) | Flow::Return(status) | Flow::Discard(status) | Flow::Abort(status)) => status,
            Err(Flow::Break(_) | Flow::Continue(_)) => self.last.status,
        };
        status = self.last_words(status);
        status & 0xff
    }
}
