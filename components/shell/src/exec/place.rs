//! Commands that bash runs in its own place: the last simple command of a `-c` string, of a subshell, of a substitution,
//! and the only one of a background list. There the program is as deep as the shell was (`SHLVL`). Where the shell is a
//! process of its own, the program becomes it; a subshell within this process has none to give.

use crate::ast::{Command, Kind, List, Pipeline};
use crate::shell::{Run, Shell};
use crate::sym;
use crate::sys;

/// The command that may run in a shell's place.
#[derive(Debug, Clone, Copy, Default)]
pub struct Tail {
    /// Where it is in memory: the tree outlives its walk. 0 for none.
    at: usize,
    /// Whether the program is as deep as the shell was.
    level: bool,
    /// It runs now, behind a builtin that may run a program.
    pub(super) reached: bool,
    /// Programs started now are as deep as the shell was.
    pub(super) lowers: bool,
}

impl Tail {
    /// Whether it is this one.
    pub(super) fn is(self, command: &Command) -> bool {
        self.at == std::ptr::from_ref(command) as usize
    }
}

/// What a shell is within, as far as `SHLVL` is concerned.
#[derive(Debug, Clone, Copy, Default)]
pub struct Nest {
    /// In `( )`: `exec` counts there as another level.
    pub parentheses: bool,
    /// In a stage of a pipeline: a substitution there has no place to give.
    pub piped: bool,
}

/// Where the last command may have redirections and the program be as deep as the shell all the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Redirected {
    Never,
    /// When it is the only command.
    Only,
    Always,
}

/// The last command of a list, if a program there takes the shell's place.
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

/// The command of a list that is nothing but one.
fn sole(list: &List) -> Option<&Command> {
    match &list.items[..] {
        [item] if !item.background && item.and_or.rest.is_empty() => only(&item.and_or.first),
        _ => None,
    }
}

/// The `( )` that a list consists of.
pub(crate) fn sole_subshell(list: &List) -> Option<&Command> {
    sole(list).filter(|command| matches!(command.kind, Kind::Subshell(_)))
}

/// Whether bash forks for this list and for nothing within it: a simple command, or `( )`.
pub(super) fn is_one_process(list: &List) -> bool {
    sole(list).is_some_and(|command| matches!(command.kind, Kind::Simple(_) | Kind::Subshell(_)))
}

impl Shell {
    /// Run the list that this shell ends with.
    pub(crate) fn exec_tail(&mut self, list: &List, redirected: Redirected) -> Run {
        self.tail = last_of(list, redirected).unwrap_or_default();
        let result = self.exec_list(list);
        self.tail = Tail::default();
        result
    }

    /// Enter `( )`, whose list ends this shell.
    pub(crate) fn exec_parentheses(&mut self, list: &List) -> Run {
        self.nest = Nest { parentheses: true, piped: false };
        self.exec_tail(list, Redirected::Only)
    }

    /// The process is nothing but this `( )`.
    pub(crate) fn exec_as_subshell(&mut self, command: &Command) -> Run {
        self.at(command.line);
        let Kind::Subshell(list) = &command.kind else { return self.exec_command(command) };
        self.stdin_given |= super::redirect::gives_stdin(&command.redirects);
        if !self.redirect_all(&command.redirects)? {
            return Ok(1);
        }
        self.exec_parentheses(list)
    }

    /// Traps that are to run behind a program keep it from the shell's place.
    pub(super) fn has_place(&self) -> bool {
        let keeps = |(name, text): (&String, &Vec<u8>)| match name.as_str() {
            "EXIT" | "ERR" => true,
            "DEBUG" | "RETURN" => false,
            _ => !text.is_empty(),
        };
        !self.traps.iter().any(keeps)
    }

    /// Run the shell's last program, in this process's place where that can be.
    pub(crate) fn run_last(&mut self, args: Vec<Vec<u8>>) -> Run {
        if !self.has_place() {
            return self.run_program(args);
        }
        self.lower_children(self.tail.level && (self.subshell > 0 || !self.vars.is_temporary(sym::SHLVL)));
        if self.is_process()
            && self.jobs.list.is_empty()
            && !self.has_job_control()
            && !self.functions.contains_key(&b"command_not_found_handle"[..])
            && !(self.opts.restricted() && args[0].contains(&b'/'))
            && let Some(path) = self.find_program(&args[0])
            && sys::access(&self.absolute(&path), 1)
        {
            let env = self.child_environment(&path);
            // What goes wrong is said by the usual way of running it.
            let _ = self.become_program(&path, &args, env);
        }
        let result = self.run_program(args);
        self.lower_children(false);
        result
    }

    /// Whether a builtin runs as the shell's last command: a program behind it may take the shell's place.
    pub(crate) fn is_last(&self) -> bool {
        self.tail.reached
    }

    /// Whether programs started from now on are as deep as this shell.
    pub(crate) fn lower_children(&mut self, lower: bool) {
        self.tail.lowers = lower;
    }

    /// `SHLVL` for a program that takes the shell's place: a shell it starts is as deep as this one was.
    pub(super) fn lower_level(&mut self, env: &mut Vec<Vec<u8>>) {
        let level = self.get(sym::SHLVL).and_then(|text| crate::vars::parse_int(&text)).unwrap_or(0);
        env.retain(|entry| !entry.starts_with(b"SHLVL="));
        env.push(format!("SHLVL={}", (level - 1).max(0)).into_bytes());
    }
}
