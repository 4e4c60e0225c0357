//! Calling functions and sourced files.

use crate::ast::Function;
use crate::shell::{Flow, Frame, Run, Shell};
use crate::sym;
use std::rc::Rc;

/// Function calls within function calls that a guest's stack can hold, with a margin.
pub const MAX_CALLS: usize = 500;

impl Shell {
    /// Calls a function with arguments, the first being its name.
    pub(crate) fn call(&mut self, function: &Rc<Function>, args: Vec<Vec<u8>>) -> Run {
        let limit =
            self.get(sym::FUNCNEST).and_then(|text| crate::vars::parse_int(&text)).filter(|n| *n > 0).map_or(MAX_CALLS, |n| n as usize);
        let limit = limit.min(MAX_CALLS);
        if self.calls.frames.len() >= limit {
            let name = String::from_utf8_lossy(&function.name).into_owned();
            self.error(format!("{name}: maximum function nesting level exceeded ({limit})"));
            return Err(Flow::Discard(1));
        }
        let source = std::mem::replace(&mut self.position.source, function.source.clone());
        let args = Rc::new(args.into_iter().skip(1).collect::<Vec<_>>());
        self.calls.frames.push(Frame {
            name: (&function.name[..]).into(),
            source: function.source.clone(),
            call_line: self.position.line - self.position.base.min(self.position.line),
            function: true,
            args: args.clone(),
        });
        let params = std::mem::replace(&mut self.calls.params, args);
        let base = self.position.base;
        let loops = std::mem::take(&mut self.calls.loops);
        let call_line = self.position.line;
        let shift = std::mem::take(&mut self.position.shift);
        if self.invocation.interactive {
            self.position.base = function.body.line.saturating_sub(1);
        }
        self.vars.push_scope();
        let traced = self.opts.has(b'T') || self.definitions.traced.iter().any(|name| name[..] == function.name[..]);
        let hidden = self.hide_traps(traced);
        let entered = if traced && !self.traps.commands.is_empty() {
            self.position.line = function.body.line;
            let status = self.last.status;
            self.run_trap("DEBUG", status)
        } else {
            Ok(())
        };
        let result = match entered.and_then(|()| self.exec_command(&function.body)) {
            Err(Flow::Return(status)) => Ok(status),
            Ok(status) => {
                // For the `RETURN` trap, a function that did not end with `return` is on the line where it began.
                self.position.line = self.shifted(function.body.line);
                Ok(status)
            }
            other => self.leave(other),
        };
        // In the trap, `$?` is the status before `return`.
        let before = self.last.status;
        let trapped = if result.is_ok() { self.run_trap("RETURN", before) } else { Ok(()) };
        if let Some(hidden) = hidden {
            self.show_traps(hidden);
        }
        self.vars.pop_scope();
        if self.calls.kept_options.last().is_some_and(|(at, _)| *at == self.calls.frames.len())
            && let Some((_, options)) = self.calls.kept_options.pop()
        {
            self.opts = options;
        }
        if self.calls.kept_getopts.last().is_some_and(|(at, _)| *at == self.calls.frames.len())
            && let Some((_, state)) = self.calls.kept_getopts.pop()
        {
            self.builtins.getopts = state;
        }
        self.calls.loops = loops;
        self.calls.params = params;
        self.calls.frames.pop();
        self.position.source = source;
        self.position.line = call_line;
        self.position.shift = shift;
        self.position.base = base;
        let status = result?;
        trapped?;
        self.last.status = status;
        Ok(status)
    }
}
