//! Commands that bash runs in its own place: the last simple command of a `-c` string, of a subshell or of a
//! substitution, and the only command of a background list. `SHLVL` counts the program as deep as the shell was. Where
//! the shell is a process of its own, the program replaces it; a subshell within this process cannot be replaced.

use crate::ast::{Command, Kind, List, Pipeline};
use crate::shell::{Nest, Run, Shell, Tail};
use crate::sym;
use crate::sys;

/// When the last command may have redirections while the program still counts as deep as the shell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Redirected {
    Never,
    /// If it is the only command.
    Only,
    Always,
}

/// Returns the last command of a list, if a program there takes the shell's place.
fn last_of(list: &List, redirected: Redirected) -> Option<Tail> {
    let (last, before) = list.items.split_last()?;
    if last.background || before.last().is_some_and(|item| item.background) {
        return None;
    }
    let pipeline = last.and_or.rest.last().map_or(&last.and_or.first, |(_, pipeline)| pipeline);
    let command = only(pipeline)?;
    if !matches!(command.kind, Kind::Simple(_)) {
        return None;
    }
    let level = match redirected {
        Redirected::Always => true,
        Redirected::Only if before.is_empty() && last.and_or.rest.is_empty() => true,
        _ => command.redirects.is_empty(),
    };
    Some(Tail { at: std::ptr::from_ref(command) as usize, level, ..Tail::default() })
}

fn only(pipeline: &Pipeline) -> Option<&Command> {
    match &pipeline.commands[..] {
        [command] if !pipeline.negated && pipeline.timed.is_none() => Some(command),
        _ => None,
    }
}

/// Returns the command of a list that consists of one command.
fn sole(list: &List) -> Option<&Command> {
    match &list.items[..] {
        [item] if !item.background && item.and_or.rest.is_empty() => only(&item.and_or.first),
        _ => None,
    }
}

/// Returns the `( )` that a list consists of.
pub(crate) fn sole_subshell(list: &List) -> Option<&Command> {
    sole(list).filter(|command| matches!(command.kind, Kind::Subshell(_)))
}

/// Returns whether bash forks for this list and for nothing within it: a simple command, or `( )`.
pub(super) fn is_one_process(list: &List) -> bool {
    sole(list).is_some_and(|command| matches!(command.kind, Kind::Simple(_) | Kind::Subshell(_)))
}

impl Shell {
    /// Runs the list that this shell ends with.
    pub(crate) fn exec_tail(&mut self, list: &List, redirected: Redirected) -> Run {
        self.place.tail = last_of(list, redirected).unwrap_or_default();
        let result = self.exec_list(list);
        self.place.tail = Tail::default();
        result
    }

    /// Enters `( )`, whose list is the last work of this shell.
    pub(crate) fn exec_parentheses(&mut self, list: &List) -> Run {
        self.place.nest = Nest { parentheses: true, piped: false };
        // `( (list) )` is one subshell for `ERR`.
        self.place.announced = sole_subshell(list).is_some();
        self.exec_tail(list, Redirected::Only)
    }

    /// Runs a `( )` of which the process consists.
    pub(crate) fn exec_as_subshell(&mut self, command: &Command) -> Run {
        self.at(command.line);
        let Kind::Subshell(list) = &command.kind else { return self.exec_command(command) };
        self.place.stdin_given |= super::redirect::gives_stdin(&command.redirects);
        if !self.redirect_all(&command.redirects)? {
            return Ok(1);
        }
        self.exec_parentheses(list)
    }

    /// Returns whether a program may take the shell's place; traps that run after it prevent that.
    pub(super) fn has_place(&self) -> bool {
        let keeps = |(name, text): (&String, &Vec<u8>)| match name.as_str() {
            "EXIT" | "ERR" => true,
            "DEBUG" | "RETURN" => false,
            _ => !text.is_empty(),
        };
        !self.traps.commands.iter().any(keeps)
    }

    /// Runs the shell's last program, in place of this process if possible.
    pub(crate) fn run_last(&mut self, args: Vec<Vec<u8>>) -> Run {
        if !self.has_place() {
            return self.run_program(args);
        }
        self.lower_children(self.place.tail.level && (self.nesting.subshell > 0 || !self.vars.is_temporary(sym::SHLVL)));
        if self.is_process()
            && self.jobs.list.is_empty()
            && !self.has_job_control()
            && !self.definitions.functions.contains_key(&b"command_not_found_handle"[..])
            && !(self.opts.restricted() && args[0].contains(&b'/'))
            && let Some(path) = self.find_program(&args[0])
            && sys::access(&self.absolute(&path), 1)
        {
            let env = self.child_environment(&path);
            // The usual way of running it reports the error.
            let _ = self.become_program(&path, &args, env);
        }
        let result = self.run_program(args);
        self.lower_children(false);
        result
    }

    /// Returns whether a builtin runs as the shell's last command: a program that it runs may take the shell's place.
    pub(crate) fn is_last(&self) -> bool {
        self.place.tail.reached
    }

    /// Sets whether programs started from now on are as deep as this shell.
    pub(crate) fn lower_children(&mut self, lower: bool) {
        self.place.tail.lowers = lower;
    }

    /// Lowers `SHLVL` for a program that takes the shell's place: a shell that it starts is as deep as this one was.
    pub(super) fn lower_level(&mut self, env: &mut Vec<Vec<u8>>) {
        let level = self.get(sym::SHLVL).and_then(|text| crate::vars::parse_int(&text)).unwrap_or(0);
        env.retain(|entry| !entry.starts_with(b"SHLVL="));
        env.push(format!("SHLVL={}", (level - 1).max(0)).into_bytes());
    }
}
