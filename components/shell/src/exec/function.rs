//! Calling functions and sourced files.

use crate::ast::Function;
use crate::shell::{Flow, Frame, Run, Shell};
use crate::sym;
use std::rc::Rc;

/// Function calls within function calls: what the stack of a guest carries, with room to spare.
pub const MAX_CALLS: usize = 500;

impl Shell {
    /// Call a function with arguments, the first being its name.
    pub(crate) fn call(&mut self, function: &Rc<Function>, args: Vec<Vec<u8>>) -> Run {
        let limit =
            self.get(sym::FUNCNEST).and_then(|text| crate::vars::parse_int(&text)).filter(|n| *n > 0).map_or(MAX_CALLS, |n| n as usize);
        let limit = limit.min(MAX_CALLS);
        if self.frames.len() >= limit {
            let name = String::from_utf8_lossy(&function.name).into_owned();
            self.error(format!("{name}: maximum function nesting level exceeded ({limit})"));
            return Err(Flow::Discard(1));
        }
        let source = std::mem::replace(&mut self.source, function.source.clone());
        let args = Rc::new(args.into_iter().skip(1).collect::<Vec<_>>());
        self.frames.push(Frame {
            name: (&function.name[..]).into(),
            source: function.source.clone(),
            call_line: self.line - self.line_base.min(self.line),
            function: true,
            args: args.clone(),
        });
        let params = std::mem::replace(&mut self.params, args);
        let base = self.line_base;
        let loops = std::mem::take(&mut self.loops);
        let call_line = self.line;
        let shift = std::mem::take(&mut self.line_shift);
        if self.interactive {
            self.line_base = function.body.line.saturating_sub(1);
        }
        self.vars.push_scope(true);
        let traced = self.opts.has(b'T') || self.traced_functions.iter().any(|name| name[..] == function.name[..]);
        let hidden = self.hide_traps(traced);
        let entered = if traced && !self.traps.is_empty() {
            self.line = function.body.line;
            let status = self.status;
            self.run_trap("DEBUG", status)
        } else {
            Ok(())
        };
        let result = match entered.and_then(|()| self.exec_command(&function.body)) {
            Err(Flow::Return(status)) => Ok(status),
            Ok(status) => {
                // For the trap of `RETURN` a function that was not left with `return` ends where it began.
                self.line = self.shifted(function.body.line);
                Ok(status)
            }
            other => self.leave(other),
        };
        // `$?` in the trap is what it was before `return`.
        let before = self.status;
        let trapped = if result.is_ok() { self.run_trap("RETURN", before) } else { Ok(()) };
        if let Some(hidden) = hidden {
            self.show_traps(hidden);
        }
        self.vars.pop_scope();
        if self.kept_options.last().is_some_and(|(at, _)| *at == self.frames.len())
            && let Some((_, options)) = self.kept_options.pop()
        {
            self.opts = options;
        }
        if self.kept_getopts.last().is_some_and(|(at, _)| *at == self.frames.len())
            && let Some((_, state)) = self.kept_getopts.pop()
        {
            self.getopts = state;
        }
        self.loops = loops;
        self.params = params;
        self.frames.pop();
        self.source = source;
        self.line = call_line;
        self.line_shift = shift;
        self.line_base = base;
        let status = result?;
        trapped?;
        self.status = status;
        Ok(status)
    }
}
