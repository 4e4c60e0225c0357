//! Simple commands: expand, look up, run.

use crate::ast::{Arg, Assign, AssignValue, Command, Simple};
use crate::builtins::{self, Builtin};
use crate::expand::Place;
use crate::shell::{Run, Shell};
use crate::sym::{self, Sym};
use crate::vars::{Attrs, Value, Var};
use std::rc::Rc;

/// The words of a command after expansion, and which of them are assignments for a declaration builtin.
#[derive(Default)]
pub(crate) struct Words<'a> {
    pub list: Vec<Vec<u8>>,
    pub declared: Vec<Declared<'a>>,
}

/// An assignment among the words: its index, the assignment, and its value if that is one text. All values are expanded
/// before any of them is assigned.
pub(crate) type Declared<'a> = (usize, &'a Assign, Option<Vec<u8>>);

/// What a command's name refers to.
pub(crate) enum Found {
    Function(Rc<crate::ast::Function>),
    Builtin(Builtin),
    Program,
}

impl Shell {
    pub(crate) fn exec_simple(&mut self, command: &Command, simple: &Simple) -> Run {
        self.at(command.line);
        let wanted = crate::shell::COMMAND_TEXT_WANTED.get() || !self.traps.commands.is_empty();
        if wanted && self.traps.running.is_empty() && self.traps.of_signals == 0 && !self.traps.leaving {
            self.current.text = Rc::new(crate::print::command_text(command));
        }
        let announced = std::mem::take(&mut self.place.announced);
        if !announced && !self.debug(self.shifted(command.line), || crate::print::command_text(command))? {
            return Ok(0);
        }
        self.last.substituted = None;
        if self.vars.locale_changed {
            self.settle_locale();
        }
        if self.opts.has(b'k')
            && let Some(moved) = self.keyword_assigns(simple)
        {
            let words = self.expand_simple(&moved)?;
            return if words.list.is_empty() { self.only_assigns(command, &moved) } else { self.run_words(command, &moved, words) };
        }
        let words = self.expand_simple(simple)?;
        if words.list.is_empty() {
            return self.only_assigns(command, simple);
        }
        self.run_words(command, simple, words)
    }

    /// Settles whether characters are bytes: in the locales `C` and `POSIX` if they are set, but not if no locale is set.
    fn settle_locale(&mut self) {
        self.vars.locale_changed = false;
        let named = [sym::LC_ALL, sym::LC_CTYPE, sym::LANG].into_iter().find_map(|name| self.get(name).filter(|text| !text.is_empty()));
        crate::pattern::characters_are_bytes(named.is_some_and(|name| name == b"C" || name == b"POSIX"));
    }

    /// Returns the command with every word that is an assignment before it, as `set -k` requires.
    fn keyword_assigns(&mut self, simple: &Simple) -> Option<Simple> {
        let mut moved = Simple { assigns: simple.assigns.clone(), words: Vec::new() };
        for arg in &simple.words {
            if let Arg::Word(word) = arg
                && let Ok(Some(assign)) = self.parser(word.raw.to_vec(), self.position.line).assignment()
            {
                moved.assigns.push(assign);
            } else {
                moved.words.push(arg.clone());
            }
        }
        (moved.words.len() < simple.words.len()).then_some(moved)
    }

    /// Expands the words of a simple command.
    pub(crate) fn expand_simple<'a>(&mut self, simple: &'a Simple) -> Run<Words<'a>> {
        let mut words = Words { list: Vec::with_capacity(simple.words.len()), declared: Vec::new() };
        for arg in &simple.words {
            match arg {
                Arg::Word(word) => {
                    let from = words.list.len();
                    self.expand_into(word, &mut words.list)?;
                    if from > 0 && words.list[0] == b"unset" && word.is_element() {
                        // `unset m[$k]`: the subscript is not expanded again.
                        words.list[from..].iter_mut().for_each(|text| *text = crate::quote::reference(text));
                    }
                }
                Arg::Assign(assign, raw) => {
                    if let AssignValue::Scalar(word) = &assign.value
                        && word.brace
                        && self.opts.has(b'B')
                        && crate::expand::brace_applies(&word.parts)
                    {
                        self.braced_assigns(word, &raw.raw, &mut words.list)?;
                        continue;
                    }
                    let value = match &assign.value {
                        AssignValue::Scalar(word) => Some(self.expand_for(word, Place::Declared)?),
                        AssignValue::Array(_) | AssignValue::Misplaced => None,
                    };
                    words.declared.push((words.list.len(), assign, value));
                    words.list.push(raw.raw.to_vec());
                }
            }
        }
        Ok(words)
    }

    /// Expands `local t={a,b}` to `local t=a t=b`: ordinary words that only look like assignments.
    fn braced_assigns(&mut self, word: &crate::ast::Word, raw: &[u8], list: &mut Vec<Vec<u8>>) -> Run<()> {
        let head = raw.iter().position(|b| *b == b'=').map_or(raw, |at| &raw[..=at]);
        let mut parts = vec![crate::ast::Part::Lit(head.into())];
        parts.extend(word.parts.iter().cloned());
        self.expand_into(&crate::ast::Word { raw: raw.into(), parts, brace: true }, list)
    }

    /// Runs a command that consists only of assignments and redirections.
    fn only_assigns(&mut self, command: &Command, simple: &Simple) -> Run {
        for assign in &simple.assigns {
            if self.opts.has(b'x') {
                self.traced_assign(assign)?;
            } else {
                self.assign(assign)?;
            }
        }
        self.set_underscore(Vec::new());
        let mut status = self.last.substituted.take().unwrap_or(0);
        if !command.redirects.is_empty() {
            let saved = self.fds.clone();
            let kept = self.current.kept_fds.len();
            let done = self.redirect_all(&command.redirects);
            let redirected = self.fds.clone();
            self.restore_fds(saved, &redirected, kept);
            if !done? {
                status = 1;
            }
        }
        self.last.status = status;
        Ok(status)
    }

    /// Looks up what a name runs.
    pub(crate) fn find_command(&self, name: &[u8]) -> Found {
        if let Some(function) = self.definitions.functions.get(name) {
            return Found::Function(function.clone());
        }
        match builtins::find(name) {
            Some(builtin) if self.builtins.disabled.is_empty() || !self.builtins.disabled.iter().any(|off| off == name) => {
                Found::Builtin(builtin)
            }
            _ => Found::Program,
        }
    }

    /// Runs a command whose words have been expanded.
    pub(crate) fn run_words(&mut self, command: &Command, simple: &Simple, words: Words<'_>) -> Run {
        if self.opts.has(b'x') {
            let mut shown: Vec<Vec<u8>> = Vec::new();
            for assign in &simple.assigns {
                if let AssignValue::Scalar(word) = &assign.value {
                    let value = self.expand_for(word, Place::Value)?;
                    shown.push([&assign.name.name(), &b"="[..], &crate::quote::traced(&value)].concat());
                }
            }
            for text in shown {
                self.trace(&text)?;
            }
            self.trace_words(&words)?;
        }
        // Programs that a builtin or function of a pipeline runs are counted.
        self.nesting.uncounted = 0;
        let found = self.find_command(&words.list[0]);
        let last = match words.declared.last() {
            Some((at, assign, None)) if at + 1 == words.list.len() => assign.name.name().to_vec(),
            Some((at, _, Some(value))) if at + 1 == words.list.len() => {
                let head = words.list[*at].split_inclusive(|b| *b == b'=').next().unwrap_or_default();
                [head, value].concat()
            }
            _ => words.list.last().cloned().unwrap_or_default(),
        };
        let result = if simple.assigns.is_empty() && command.redirects.is_empty() {
            self.run_found(found, words, command)
        } else {
            self.run_prepared(command, simple, found, words)
        };
        self.set_underscore(last);
        if let Ok(status) = result {
            self.last.status = status;
        }
        // A program in a subshell's place is the subshell, whose end the parent reports; the end of a substitution is
        // not reported.
        let ends = self.nesting.subshell > 0 && self.place.tail.is(command);
        let silent = matches!(self.fds.get(1), Some(crate::fds::Fd::Capture(_)));
        if !ends
            && result.is_ok()
            && let Some((pid, signal)) = self.signals.died.take().filter(|_| !silent)
        {
            self.report_signal(pid, signal, &crate::print::command_text(command));
        }
        result
    }

    fn set_underscore(&mut self, text: Vec<u8>) {
        thread_local!(static NAME: Sym = sym::underscore());
        let name = NAME.with(|name| *name);
        let var = self.vars.make(name);
        if !var.attrs.has(Attrs::READONLY) {
            *var = Var { value: Value::Str(text), attrs: Attrs::default() };
        }
    }

    pub(super) fn run_found(&mut self, found: Found, words: Words<'_>, command: &Command) -> Run {
        match found {
            Found::Program if words.list[0].first() == Some(&b'%') && self.has_job_control() && self.is_process() => {
                let mut list = words.list;
                list.insert(0, b"fg".to_vec());
                builtins::fg(self, &list)
            }
            Found::Program if self.place.tail.is(command) => self.run_last(words.list),
            Found::Program => self.run_program(words.list),
            Found::Function(function) => self.call(&function, words.list),
            Found::Builtin(builtin) => {
                let is_last = self.place.tail.is(command);
                let last = std::mem::replace(&mut self.place.tail.reached, is_last);
                let result = self.run_builtin(builtin, words);
                self.place.tail.reached = last;
                result
            }
        }
    }

    pub(crate) fn run_builtin(&mut self, builtin: Builtin, words: Words<'_>) -> Run {
        if let Some(helped) = self.help_wanted(&words.list) {
            return helped;
        }
        match builtin {
            Builtin::Plain(run) => run(self, &words.list),
            Builtin::Declare(run) => run(self, &words.list, &words.declared),
        }
    }

    /// Expands text as inside double quotes.
    pub(crate) fn expand_text(&mut self, text: &[u8]) -> Run<Vec<u8>> {
        if !text.iter().any(|b| matches!(b, b'$' | b'`' | b'\\')) {
            return Ok(text.to_vec());
        }
        match self.parser(text.to_vec(), self.position.line).parts(crate::lexer::Mode::HereDoc) {
            Ok(parts) => self.expand_quoted(&parts),
            Err(_) => Ok(text.to_vec()),
        }
    }
}
