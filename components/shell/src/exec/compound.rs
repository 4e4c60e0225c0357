//! Compound commands.

use crate::ast::{CaseEnd, CaseItem, Command, Function, Kind, List, Word};
use crate::pattern::Pattern;
use crate::shell::{Flow, Run, Shell};
use std::rc::Rc;

impl Shell {
    pub(crate) fn exec_compound(&mut self, command: &Command) -> Run {
        match &command.kind {
            Kind::Simple(simple) => self.exec_simple(command, simple),
            Kind::Brace(list) => self.exec_list(list),
            Kind::Subshell(list) => self.exec_subshell(command, list),
            Kind::If(branches, otherwise) => self.exec_if(branches, otherwise.as_ref()),
            Kind::For(name, words, body) => {
                self.at(command.line);
                self.exec_for(*name, words.as_deref(), body)
            }
            Kind::ForArith(sections, body) => self.exec_for_arith(command.line, sections, body),
            Kind::While(until, condition, body) => self.exec_while(*until, condition, body),
            Kind::Case(subject, items) => {
                self.at(command.line);
                self.exec_case(subject, items)
            }
            Kind::Select(name, words, body) => {
                self.at(command.line);
                self.exec_select(*name, words.as_deref(), body)
            }
            Kind::Function(function) => {
                self.at(command.line);
                self.define_function(function)
            }
            Kind::Cond(cond) => {
                if !self.announce(command)? {
                    return Ok(0);
                }
                // If evaluation fails the result is false; if expansion fails the line ends.
                self.current.bad_regex = false;
                let met = self.cond(cond)?;
                Ok(if met { 0 } else { 1 + i32::from(self.current.bad_regex) })
            }
            Kind::Arith(text) => {
                if !self.announce(command)? {
                    return Ok(0);
                }
                Ok(match self.arith_command(text, false)? {
                    Some(value) => i32::from(value == 0),
                    None => 1,
                })
            }
            Kind::Coproc(name, command) => self.coproc(name, command),
        }
    }

    /// Notes the line of `[[…]]` or `((…))` and runs the `DEBUG` trap; false if the command is to be skipped.
    fn announce(&mut self, command: &Command) -> Run<bool> {
        self.at(command.line);
        self.debug(self.shifted(command.line), || crate::print::command_text(command))
    }

    /// Runs `( list )`, with a report of the signal that ended it.
    fn exec_subshell(&mut self, command: &Command, list: &List) -> Run {
        self.at(command.line);
        if !self.traps.commands.is_empty() && self.traps.running.is_empty() && self.traps.of_signals == 0 {
            self.current.text = Rc::new(crate::print::command_text(command));
        }
        let (status, died) = self.run_in_subshell(list, super::redirect::gives_stdin(&command.redirects));
        if let Some((pid, signal)) = died {
            self.report_signal(pid, signal, &crate::print::command_text(command));
        }
        self.reap();
        self.check_window();
        self.at(command.line);
        Ok(status)
    }

    fn exec_if(&mut self, branches: &[(List, List)], otherwise: Option<&List>) -> Run {
        for (condition, body) in branches {
            if self.guarded(|shell| shell.exec_list(condition))? == 0 {
                return self.exec_list(body);
            }
        }
        if let Some(body) = otherwise {
            return self.exec_list(body);
        }
        self.last.status = 0;
        Ok(0)
    }

    fn define_function(&mut self, function: &Rc<Function>) -> Run {
        let posix = self.opts.long("posix") == Some(true);
        let name = &function.name;
        if name.iter().any(|b| matches!(b, b'$' | b'`' | b'"' | b'\'' | b'\\')) || (posix && !crate::sym::is_name(name)) {
            self.error([b"`", &name[..], b"': not a valid identifier"].concat());
            return if posix { Err(Flow::Exit(2)) } else { Ok(1) };
        }
        if posix && crate::builtins::is_special(name) {
            self.error([b"`", &name[..], b"': is a special builtin"].concat());
            return Err(Flow::Exit(2));
        }
        if self.definitions.readonly.contains(&name.to_vec()) {
            self.error([&name[..], b": readonly function"].concat());
            return Ok(1);
        }
        Rc::make_mut(&mut self.definitions.functions).insert(name.to_vec(), function.clone());
        Ok(0)
    }

    /// Evaluates an expression of `((…))` or of a loop; returns `None` after it has reported an error.
    pub(super) fn arith_command(&mut self, text: &crate::arith::ArithText, section: bool) -> Run<Option<i64>> {
        let raw = &text.word.raw[..];
        // Of a section, bash drops the blanks at its start.
        let raw = &raw[if section { raw.iter().take_while(|b| matches!(b, b' ' | b'\t')).count() } else { 0 }..];
        if section {
            let line = self.position.line;
            if !self.debug(line, || [b"((", raw, b"))"].concat())? {
                return Ok(Some(0));
            }
        }
        if self.opts.has(b'x') {
            self.trace(&[b"(( ", raw, b" ))"].concat())?;
        }
        self.arithmetic.failed = false;
        match self.for_name(&b"(("[..], |shell| shell.arith(text)) {
            Ok(value) => Ok(Some(value)),
            Err(Flow::Discard(_)) if self.arithmetic.failed => Ok(None),
            Err(flow) => Err(flow),
        }
    }

    /// Runs a list in a subshell; returns its status, and the signal that ended it with the process that received it.
    fn run_in_subshell(&mut self, list: &List, stdin_given: bool) -> (i32, Option<(u32, u8)>) {
        let mut sub = self.clone();
        sub.enter_subshell();
        sub.place.stdin_given = stdin_given;
        sub.traps.status_before = None;
        let result = sub.exec_parentheses(list);
        let status = sub.end(result);
        self.last.status = status;
        (status, sub.signals.dying.map(|signal| (sub.process.own_pid, signal)).or(sub.signals.died))
    }

    fn exec_case(&mut self, subject: &Word, items: &[CaseItem]) -> Run {
        let line = self.position.line;
        if !self.debug(line, || [b"case ", &subject.raw[..], b" in "].concat())? {
            return Ok(0);
        }
        let text = self.expand_single(subject)?;
        if self.opts.has(b'x') {
            let shown = [b"case ", &subject.raw[..], b" in"].concat();
            self.trace(&shown)?;
        }
        let mut status = 0;
        let mut fall = false;
        for item in items {
            let mut matched = fall;
            if !matched {
                for pattern in &item.patterns {
                    let pattern = self.expand_pattern(pattern)?;
                    if Pattern::new(&pattern, self.pattern_flags(false)).matches(&text) {
                        matched = true;
                        break;
                    }
                }
            }
            if !matched {
                continue;
            }
            status = self.exec_list(&item.body)?;
            match item.end {
                CaseEnd::Break => return Ok(status),
                CaseEnd::FallThrough => fall = true,
                CaseEnd::Continue => fall = false,
            }
        }
        self.last.status = status;
        Ok(status)
    }
}
