//! Compound commands.

use crate::ast::{CaseEnd, CaseItem, Command, Kind, List, Word};
use crate::pattern::Pattern;
use crate::shell::{Flow, Run, Shell};
use crate::sym::Sym;
use crate::vars::{Attrs, Value};
use std::rc::Rc;

/// What a loop does after its body.
pub(super) enum Turn {
    Next,
    Leave,
}

impl Shell {
    /// The variable of a loop is not a valid name: an error when the loop runs, which ends the script in POSIX mode.
    fn no_loop_name(&mut self, name: Sym) -> Option<Run> {
        let text = name.name();
        if crate::sym::is_name(&text) {
            return None;
        }
        self.error([b"`", &text[..], b"': not a valid identifier"].concat());
        Some(if self.opts.long("posix") == Some(true) { Err(Flow::Exit(2)) } else { Ok(1) })
    }

    pub(crate) fn exec_compound(&mut self, command: &Command) -> Run {
        match &command.kind {
            Kind::Simple(simple) => self.exec_simple(command, simple),
            Kind::Brace(list) => self.exec_list(list),
            Kind::Subshell(list) => {
                self.at(command.line);
                if !self.traps.commands.is_empty() && self.traps.running.is_empty() && self.traps.of_signals == 0 {
                    self.current.text = Rc::new(crate::print::command_text(command));
                }
                let (status, died) = self.exec_subshell(list, super::redirect::gives_stdin(&command.redirects));
                if let Some((pid, signal)) = died {
                    self.report_signal(pid, signal, &crate::print::command_text(command));
                }
                self.reap();
                self.at(command.line);
                Ok(status)
            }
            Kind::If(branches, otherwise) => {
                for (condition, body) in branches {
                    if self.guarded(|shell| shell.exec_list(condition))? == 0 {
                        return self.exec_list(body);
                    }
                }
                match otherwise {
                    Some(body) => self.exec_list(body),
                    None => {
                        self.last.status = 0;
                        Ok(0)
                    }
                }
            }
            Kind::For(name, words, body) => {
                self.at(command.line);
                if let Some(status) = self.no_loop_name(*name) {
                    return status;
                }
                self.exec_for(*name, words.as_deref(), body)
            }
            Kind::ForArith(sections, body) => {
                self.at(command.line);
                self.looping(|shell| {
                    let mut status = 0;
                    if let Some(init) = &sections[0]
                        && shell.arith_command(init, true)?.is_none()
                    {
                        return Ok(1);
                    }
                    loop {
                        shell.at(command.line);
                        if let Some(condition) = &sections[1] {
                            match shell.arith_command(condition, true)? {
                                Some(0) => return Ok(status),
                                None => return Ok(1),
                                _ => {}
                            }
                        }
                        if let Turn::Leave = shell.turn(body, &mut status)? {
                            return Ok(status);
                        }
                        if let Some(step) = &sections[2]
                            && shell.arith_command(step, true)?.is_none()
                        {
                            return Ok(1);
                        }
                    }
                })
            }
            Kind::While(until, condition, body) => self.looping(|shell| {
                let mut status = 0;
                loop {
                    let met = match shell.guarded(|shell| shell.exec_list(condition)) {
                        Ok(status) => (status == 0) != *until,
                        Err(flow) => match shell.caught(flow)? {
                            Turn::Next if *until => return Ok(status),
                            Turn::Next => continue,
                            // Left by its condition, a `while` loop has succeeded.
                            Turn::Leave => return Ok(if *until { status } else { 0 }),
                        },
                    };
                    if !met {
                        return Ok(status);
                    }
                    if let Turn::Leave = shell.turn(body, &mut status)? {
                        return Ok(status);
                    }
                }
            }),
            Kind::Case(subject, items) => {
                self.at(command.line);
                self.exec_case(subject, items)
            }
            Kind::Select(name, words, body) => {
                self.at(command.line);
                if let Some(status) = self.no_loop_name(*name) {
                    return status;
                }
                self.exec_select(*name, words.as_deref(), body)
            }
            Kind::Function(function) => {
                self.at(command.line);
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
                Rc::make_mut(&mut self.definitions.functions).insert(function.name.to_vec(), function.clone());
                Ok(0)
            }
            Kind::Cond(cond) => {
                self.at(command.line);
                if !self.debug(self.shifted(command.line), || crate::print::command_text(command))? {
                    return Ok(0);
                }
                // If evaluation fails the result is false; if expansion fails the line ends.
                self.current.bad_regex = false;
                let met = self.cond(cond)?;
                Ok(if met { 0 } else { 1 + i32::from(self.current.bad_regex) })
            }
            Kind::Arith(text) => {
                self.at(command.line);
                if !self.debug(self.shifted(command.line), || crate::print::command_text(command))? {
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

    /// Evaluate an expression of `((…))` or of a loop; errors are reported and return `None`.
    fn arith_command(&mut self, text: &crate::arith::ArithText, section: bool) -> Run<Option<i64>> {
        if section {
            let line = self.position.line;
            if !self.debug(line, || [b"((", text.word.raw.trim_ascii_start(), b"))"].concat())? {
                return Ok(Some(0));
            }
        }
        if self.opts.has(b'x') {
            let shown = [&b"(( "[..], if section { text.word.raw.trim_ascii_start() } else { &text.word.raw[..] }, b" ))"].concat();
            self.trace(&shown)?;
        }
        self.arithmetic.failed = false;
        match self.for_name(&b"(("[..], |shell| shell.arith(text)) {
            Ok(value) => Ok(Some(value)),
            Err(Flow::Discard(_)) if self.arithmetic.failed => Ok(None),
            Err(flow) => Err(flow),
        }
    }

    /// Run a list in a subshell; returns its status, and the signal that ended it with the process that received it.
    fn exec_subshell(&mut self, list: &List, stdin_given: bool) -> (i32, Option<(u32, u8)>) {
        let mut sub = self.clone();
        sub.enter_subshell();
        sub.place.stdin_given = stdin_given;
        sub.traps.status_before = None;
        let result = sub.exec_parentheses(list);
        let status = sub.end(result);
        self.last.status = status;
        (status, sub.signals.dying.map(|signal| (sub.process.own_pid, signal)).or(sub.signals.died))
    }

    pub(super) fn looping(&mut self, run: impl FnOnce(&mut Shell) -> Run) -> Run {
        self.calls.loops += 1;
        let result = run(self);
        self.calls.loops -= 1;
        let status = result?;
        self.last.status = status;
        Ok(status)
    }

    /// Run a loop's body once.
    pub(super) fn turn(&mut self, body: &List, status: &mut i32) -> Run<Turn> {
        match self.exec_list(body) {
            Ok(result) => {
                *status = result;
                Ok(Turn::Next)
            }
            Err(flow) => {
                *status = if matches!(flow, Flow::Break(_) | Flow::Continue(_)) { self.last.status } else { 0 };
                self.caught(flow)
            }
        }
    }

    /// What `break` and `continue` mean to this loop.
    fn caught(&mut self, flow: Flow) -> Run<Turn> {
        match flow {
            Flow::Break(1) => Ok(Turn::Leave),
            Flow::Break(levels) if self.calls.loops > 1 => Err(Flow::Break(levels - 1)),
            Flow::Break(_) => Ok(Turn::Leave),
            Flow::Continue(1) => {
                // No pipeline has completed, after which signals would be handled.
                self.hear()?;
                Ok(Turn::Next)
            }
            Flow::Continue(levels) if self.calls.loops > 1 => Err(Flow::Continue(levels - 1)),
            Flow::Continue(_) => Ok(Turn::Next),
            other => Err(other),
        }
    }

    fn exec_for(&mut self, name: Sym, words: Option<&[Word]>, body: &List) -> Run {
        let values = match words {
            Some(words) => self.expand_words(words)?,
            None => self.calls.params.to_vec(),
        };
        let line = self.position.line;
        self.looping(|shell| {
            let mut status = 0;
            for value in values {
                let head = || {
                    let list = words.map_or_else(Vec::new, |words| {
                        let words: Vec<&[u8]> = words.iter().map(|word| &word.raw[..]).collect();
                        [b" in ", &words.join(&b' ')[..]].concat()
                    });
                    [b"for ", &name.name()[..], &list].concat()
                };
                if !shell.debug(line, head)? {
                    continue;
                }
                if shell.opts.has(b'x') {
                    shell.position.line = line;
                    let list =
                        words.map_or_else(|| b"\"$@\"".to_vec(), |words| words.iter().map(|w| &w.raw[..]).collect::<Vec<_>>().join(&b' '));
                    let shown = [b"for ", &name.name()[..], b" in ", &list].concat();
                    shell.trace(&shown)?;
                }
                match shell.set_loop_variable(name, value) {
                    Err(Flow::Discard(failed)) if !shell.is_strict() => {
                        status = failed;
                        break;
                    }
                    other => other?,
                }
                if let Turn::Leave = shell.turn(body, &mut status)? {
                    break;
                }
            }
            Ok(status)
        })
    }

    /// Give the variable of `for` its next value; a name reference refers to what the value names.
    fn set_loop_variable(&mut self, name: Sym, value: Vec<u8>) -> Run<()> {
        let attrs = self.vars.get(name).map_or(Attrs::default(), |var| var.attrs);
        if !attrs.has(Attrs::NAMEREF) {
            return self.set(name, value);
        }
        if attrs.has(Attrs::READONLY) {
            return Ok(());
        }
        if !crate::builtins::is_reference(&value) {
            self.error(format!("`{}': invalid variable name for name reference", String::from_utf8_lossy(&value)));
            return Err(Flow::Discard(1));
        }
        self.vars.make(name).value = Value::Str(value);
        Ok(())
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
