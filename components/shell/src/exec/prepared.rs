//! Commands preceded by assignments and with redirections, which last as long as the command.

use super::simple::{Found, Words};
use crate::ast::{AssignValue, Command, Redirect, Simple};
use crate::builtins::{self, Builtin};
use crate::expand::Place;
use crate::fds::Fd;
use crate::shell::{Flow, Run, Shell};
use crate::sym;
use crate::vars::Before;
use std::rc::Rc;

/// The values of a command's assignments: the outer `None` for a refused one, the inner for a value that is not a
/// single text.
type Values = Vec<Option<Option<Vec<u8>>>>;

impl Shell {
    /// Runs with assignments and redirections that last as long as the command.
    pub(super) fn run_prepared(&mut self, command: &Command, simple: &Simple, found: Found, words: Words<'_>) -> Run {
        let is_exec = matches!(&found, Found::Builtin(_)) && words.list[0] == b"exec";
        let saved = self.fds.clone();
        let kept = self.current.kept_fds.len();
        let special = matches!(&found, Found::Builtin(_)) && self.opts.long("posix") == Some(true) && builtins::is_special(&words.list[0]);
        let scoped = !simple.assigns.is_empty() && !special;
        let mut values = None;
        if scoped && !command.redirects.is_empty() {
            // Expanded before the redirections, which do not see them.
            self.vars.push_temporary(Before::Command);
            let expanded = self.values_before(simple);
            self.vars.pop_scope();
            values = Some(expanded?);
        }
        // bash expands the redirections of a program in the program's process: their assignments are lost.
        let vars = (matches!(found, Found::Program) && command.redirects.iter().any(may_assign)).then(|| self.vars.clone());
        let redirects = self.redirect_all(&command.redirects);
        if scoped {
            self.vars.push_temporary(match &found {
                Found::Function(_) => Before::Call,
                Found::Builtin(Builtin::Declare(_)) => Before::Declaration,
                _ => Before::Command,
            });
        }
        let redirected = self.fds.clone();
        let result = self.run_with(redirects, simple, found, words, (command, scoped, values));
        let result = self.leave(result);
        if scoped {
            self.vars.pop_scope();
        }
        if let Some(vars) = vars {
            self.vars = vars;
        }
        if is_exec
            && self.invocation.from_stdin
            && self.nesting.subshell == 0
            && let (Some(Fd::File(old)), Some(Fd::File(new))) = (saved.get(0), self.fds.get(0))
            && !Rc::ptr_eq(old, new)
        {
            self.invocation.replaced_stdin.set(Some(new.clone()));
        }
        if !is_exec || !matches!(result, Ok(0)) {
            self.restore_fds(saved, &redirected, kept);
        }
        result
    }

    /// Returns the values of the assignments before a command; each sees those before it.
    fn values_before(&mut self, simple: &Simple) -> Run<Values> {
        let mut values = Vec::with_capacity(simple.assigns.len());
        for assign in &simple.assigns {
            let text = match (&assign.value, &assign.index) {
                (AssignValue::Scalar(word), None) => Some(self.expand_for(word, Place::Value)?),
                _ => None,
            };
            values.push(match self.assign_before(assign, text.clone()) {
                Ok(()) => Some(text),
                Err(Flow::Discard(_)) => None,
                Err(flow) => return Err(flow),
            });
        }
        Ok(values)
    }

    fn run_with(
        &mut self,
        redirects: Run<bool>,
        simple: &Simple,
        found: Found,
        words: Words<'_>,
        (command, scoped, values): (&Command, bool, Option<Values>),
    ) -> Run {
        match redirects {
            Ok(true) => {}
            Ok(false) => {
                let special = matches!(found, Found::Builtin(_)) && builtins::is_special(&words.list[0]);
                return if special && self.is_strict() { Err(Flow::Exit(1)) } else { Ok(1) };
            }
            // Only the program's process ends.
            Err(Flow::Exit(_) | Flow::Discard(_)) if matches!(found, Found::Program) => {
                self.traps.drops_locals = false;
                return Ok(1);
            }
            Err(flow) => return Err(flow),
        }
        let hashed = simple.assigns.iter().any(|assign| assign.name == sym::PATH).then(|| self.programs.hash.clone());
        let mut values = values.map(Vec::into_iter);
        for assign in &simple.assigns {
            let text = match values.as_mut().map(|values| values.next().flatten()) {
                Some(Some(text)) => text,
                Some(None) if self.opts.long("posix") == Some(true) => return refused(&found, &words),
                Some(None) => continue,
                // A failed expansion ends the line.
                None => match (&assign.value, &assign.index) {
                    (AssignValue::Scalar(word), None) if scoped => Some(self.expand_for(word, Place::Value)?),
                    _ => None,
                },
            };
            let assigned = if scoped { self.assign_before(assign, text) } else { self.assign(assign) };
            if !scoped {
                // An assignment before a special builtin in POSIX mode, which keeps it.
                self.vars.make(assign.name).attrs.set(crate::vars::Attrs::EXPORT, true);
            }
            match assigned {
                // bash reports a refused assignment and runs the command without it, except in POSIX mode.
                Err(Flow::Discard(_)) if self.opts.long("posix") == Some(true) => return refused(&found, &words),
                Err(Flow::Discard(_)) => {}
                other => other?,
            }
        }
        let result = self.run_found(found, words, command);
        if let Some(hashed) = hashed {
            // A program found on a `PATH` for this command alone is not remembered.
            self.programs.hash = hashed;
            self.vars.path_changed = false;
        }
        result
    }
}

/// Returns the consequence of an assignment refused in POSIX mode.
fn refused(found: &Found, words: &Words<'_>) -> Run {
    if matches!(found, Found::Builtin(_)) && builtins::is_special(&words.list[0]) { Err(Flow::Exit(1)) } else { Ok(1) }
}

/// Returns whether expanding a redirection may assign to a variable, judging by its text.
fn may_assign(redirect: &Redirect) -> bool {
    let body = redirect.here.as_ref().filter(|here| !here.quoted).and_then(|here| here.body.get());
    let text = &body.unwrap_or(&redirect.target).raw;
    text.contains(&b'$') && (text.contains(&b'=') || text.windows(2).any(|two| two == b"++" || two == b"--"))
}
