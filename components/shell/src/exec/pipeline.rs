//! Pipelines. Programs run concurrently. Of the stages that are the shell's own work, one runs in this process, on a
//! clone of the state, and every other one in a separate shell.

use super::simple::Found;
use crate::ast::{Command, Kind, Pipeline};
use crate::fds::{Capture, Fd, OpenFile};
use crate::shell::{Flow, Run, Shell};
use crate::sys::{self, Child};
use std::rc::Rc;

/// An amount of output that always fits into a pipe, so that a write never waits for a reader.
const PIPE_ROOM: usize = 32 * 1024;

/// A stage that has been started.
enum Stage {
    Started(Child),
    /// Runs in this process, in the state that was prepared for it.
    Here(Box<Shell>),
    Ended(i32),
}

/// Builtins that read nothing and write a bounded amount: they can run before the next stage starts.
const QUICK: [&[u8]; 19] = [
    b"echo", b"printf", b":", b"true", b"false", b"pwd", b"type", b"declare", b"typeset", b"export", b"set", b"alias", b"test", b"[",
    b"let", b"dirs", b"trap", b"shopt", b"jobs",
];

impl Shell {
    /// Runs a pipeline of several stages.
    pub(crate) fn exec_pipes(&mut self, pipeline: &Pipeline) -> Run {
        let count = pipeline.commands.len();
        let here = self.stage_for_this_process(pipeline);
        let mut stages: Vec<Stage> = Vec::with_capacity(count);
        let mut input: Option<Fd> = None;
        let mut pump = None;
        let failed = |shell: &mut Self, error: sys::Errno| {
            shell.error(format!("pipe error: {}", error.message()));
            Flow::Discard(1)
        };
        for (number, command) in pipeline.commands.iter().enumerate() {
            let last = number + 1 == count;
            if matches!(command.kind, Kind::Simple(_)) {
                self.at(command.line);
                // Before the stage becomes a process of its own.
                if !self.debug(self.shifted(command.line), || crate::print::command_text(command))? {
                    input = if last { None } else { Some(prefilled(b"").map_err(|error| failed(self, error))?) };
                    stages.push(Stage::Ended(0));
                    continue;
                }
            }
            let mut sub = self.for_stage(command, input.take());
            if !last && here != Some(number) && self.is_quick(command) {
                let capture = Rc::new(Capture::default());
                // Number 1 is always within the table.
                let _ = sub.fds.set(1, Fd::Capture(capture.clone()));
                let status = sub.run_stage(command, false);
                drop(sub);
                let text = capture.take().map_err(|error| failed(self, error))?;
                input = Some(prefilled(&text).map_err(|error| failed(self, error))?);
                stages.push(Stage::Ended(status));
                continue;
            }
            if last {
                if here.is_none() {
                    pump = sub.pump_begin();
                }
            } else {
                let (read, write) = sys::pipe().map_err(|error| failed(self, error))?;
                let _ = sub.fds.set(1, Fd::File(OpenFile::new(write)));
                input = Some(Fd::File(OpenFile::new(read)));
            }
            stages.push(sub.begin_stage(command, here == Some(number)));
        }
        // Only after every other stage has started, this process may block in a stage of its own.
        if let Some(number) = here
            && let Stage::Here(mut sub) = std::mem::replace(&mut stages[number], Stage::Ended(0))
        {
            let command = &pipeline.commands[number];
            let status = if self.opts.shopt("lastpipe") && number + 1 == count {
                let saved = std::mem::replace(&mut self.fds, sub.fds.clone());
                drop(sub);
                self.place.announced = matches!(command.kind, Kind::Simple(_));
                let result = self.exec_command(command);
                self.place.announced = false;
                self.fds = saved;
                result?
            } else {
                let status = sub.run_stage(command, number + 1 == count);
                drop(sub);
                status
            };
            stages[number] = Stage::Ended(status);
        }
        if let Some((capture, read)) = pump {
            self.pump_end(&capture, &read)?;
        }
        self.finish_stages(stages)
    }

    /// Returns the clone in which a stage runs, with `input` as its standard input.
    fn for_stage(&self, command: &Command, input: Option<Fd>) -> Box<Self> {
        let mut sub = Box::new(self.clone());
        sub.enter_subshell();
        if matches!(command.kind, Kind::Simple(_)) {
            sub.place.announced = true;
            sub.nesting.uncounted += 1;
            // `break` is within a loop there, and ends the stage.
            sub.calls.loops = self.calls.loops;
        }
        sub.nesting.guarded = self.nesting.guarded;
        sub.place.nest = crate::shell::Nest { parentheses: false, piped: true };
        sub.place.stdin_given = input.is_some();
        if let Some(fd) = input {
            // Number 0 is always within the table.
            let _ = sub.fds.set(0, fd);
        }
        sub
    }

    /// Waits for the stages; returns the status of the pipeline.
    fn finish_stages(&mut self, stages: Vec<Stage>) -> Run {
        let mut statuses = Vec::with_capacity(stages.len());
        for stage in stages {
            statuses.push(match stage {
                Stage::Started(child) => {
                    let status = self.wait_child(&child)?;
                    if child.signal().is_some() {
                        self.reclaim_terminal();
                    }
                    self.keep_halted(child);
                    status
                }
                Stage::Ended(status) => status,
                Stage::Here(..) => 0,
            });
        }
        self.check_window();
        let mut status = statuses.last().copied().unwrap_or(0);
        if self.opts.pipefail() {
            status = statuses.iter().rev().copied().find(|status| *status != 0).unwrap_or(0);
        }
        self.last.pipeline = statuses;
        self.last.status = status;
        Ok(status)
    }

    /// Returns the stage that runs in this process: the last one that is not a program.
    fn stage_for_this_process(&self, pipeline: &Pipeline) -> Option<usize> {
        pipeline.commands.iter().enumerate().rposition(|(number, command)| {
            let ours = !matches!(self.looks_like(command), Some(Found::Program));
            ours && (number + 1 == pipeline.commands.len() || !self.is_quick(command))
        })
    }

    /// Returns what a stage runs, as far as this is known before expansion.
    fn looks_like(&self, command: &Command) -> Option<Found> {
        let Kind::Simple(simple) = &command.kind else { return None };
        let crate::ast::Arg::Word(word) = simple.words.first()? else { return None };
        match &word.parts[..] {
            [crate::ast::Part::Lit(text)] => Some(self.find_command(text)),
            [crate::ast::Part::Quoted(text)] => Some(self.find_command(text)),
            // A computed name is assumed to be a program; if it is not, a separate shell runs it.
            _ => Some(Found::Program),
        }
    }

    /// Returns whether a command calls a function.
    pub(super) fn is_call(&self, command: &Command) -> bool {
        matches!(self.looks_like(command), Some(Found::Function(_)))
    }

    fn is_quick(&self, command: &Command) -> bool {
        match &command.kind {
            Kind::Simple(simple) => match (self.looks_like(command), simple.words.first()) {
                (Some(Found::Builtin(_)), Some(crate::ast::Arg::Word(word))) => {
                    QUICK.contains(&&word.raw[..]) && !self.may_wait(&command.redirects)
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// Starts a stage for which this clone was prepared; the clone is consumed unless the stage runs here.
    fn begin_stage(mut self: Box<Self>, command: &Command, here: bool) -> Stage {
        let Kind::Simple(simple) = &command.kind else {
            if here {
                return Stage::Here(self);
            }
            return self.start_shell(command);
        };
        if here {
            return Stage::Here(self);
        }
        if self.may_wait(&command.redirects) {
            return self.start_shell(command);
        }
        self.at(command.line);
        let result = self.expand_simple(simple).map(|words| words.list);
        let words = match result {
            Ok(words) => words,
            Err(flow) => return Stage::Ended(self.end(Err(flow))),
        };
        if words.is_empty() || !simple.assigns.is_empty() && !matches!(self.find_command(&words[0]), Found::Program) {
            return Stage::Ended(self.run_stage(command, false));
        }
        match self.find_command(&words[0]) {
            Found::Program => {}
            _ => {
                let text: Vec<Vec<u8>> = words.iter().map(|word| crate::quote::single(word)).collect();
                return self.start_text(&text.join(&b' '), command);
            }
        }
        if self.definitions.functions.contains_key(&b"command_not_found_handle"[..]) && self.find_program(&words[0]).is_none() {
            return self.start_shell(command);
        }
        if self.opts.has(b'x') {
            let list: Vec<Vec<u8>> = words.iter().map(|word| crate::quote::traced(word)).collect();
            if let Err(flow) = self.trace(&list.join(&b' ')) {
                return Stage::Ended(self.end(Err(flow)));
            }
        }
        match self.redirect_all(&command.redirects) {
            Ok(true) => {}
            Ok(false) => return Stage::Ended(1),
            Err(flow) => return Stage::Ended(self.end(Err(flow))),
        }
        for assign in &simple.assigns {
            match self.assign(assign) {
                Ok(()) => {}
                // The error has been reported; the program runs all the same.
                Err(Flow::Discard(_)) if self.vars.get(assign.name).is_some_and(|var| var.attrs.has(crate::vars::Attrs::READONLY)) => {
                    continue;
                }
                Err(flow) => return Stage::Ended(self.end(Err(flow))),
            }
            self.vars.make(assign.name).attrs.set(crate::vars::Attrs::EXPORT, true);
        }
        match self.start_program(&words) {
            Ok(child) => Stage::Started(child),
            Err((message, status)) => {
                self.error(message);
                Stage::Ended(status)
            }
        }
    }

    fn start_shell(mut self: Box<Self>, command: &Command) -> Stage {
        let line = command.line;
        let text = crate::print::command_script(command, line);
        self.place.execs_last = matches!(command.kind, Kind::Subshell(_));
        self.started(text, line)
    }

    fn start_text(mut self: Box<Self>, text: &[u8], command: &Command) -> Stage {
        let redirects = crate::print::redirects_text(&command.redirects);
        self.place.execs_last = false;
        self.started([text, b" ", &redirects].concat(), command.line)
    }

    fn started(&mut self, text: Vec<u8>, line: u32) -> Stage {
        match self.spawn_text(text, line) {
            Ok(child) => Stage::Started(child),
            Err(error) => {
                self.error(format!("cannot start a shell: {}", error.message()));
                Stage::Ended(126)
            }
        }
    }

    /// Runs a stage in this process, in the clone made for it; returns its status.
    fn run_stage(&mut self, command: &Command, last: bool) -> i32 {
        // `( … )` as a stage is the subshell that this clone already is.
        let result = match (&command.kind, command.redirects.is_empty()) {
            (Kind::Subshell(list), true) => self.exec_parentheses(list).and_then(|status| {
                if status != 0 && last {
                    // The trap belongs to the enclosing stage; in bash, only the last one has it.
                    self.nesting.subshell -= 1;
                    self.failed(status)?;
                }
                Ok(status)
            }),
            _ => self.exec_command(command).and_then(|status| {
                if status != 0 && matches!(command.kind, Kind::Subshell(_) | Kind::Cond(_) | Kind::Arith(_)) {
                    self.name_failed(std::slice::from_ref(command));
                    self.failed(status)?;
                }
                Ok(status)
            }),
        };
        self.end(result)
    }
}

/// Returns something to read `text` from: a pipe that holds it, or a file if it is too long.
fn prefilled(text: &[u8]) -> sys::Result<Fd> {
    if text.len() <= PIPE_ROOM {
        let (read, write) = sys::pipe()?;
        if !text.is_empty() {
            write.write(text)?;
        }
        return Ok(Fd::File(OpenFile::new(read)));
    }
    let file = sys::anonymous()?;
    file.write(text)?;
    file.seek(sys::Whence::Start, 0)?;
    Ok(Fd::File(OpenFile::new(file)))
}
