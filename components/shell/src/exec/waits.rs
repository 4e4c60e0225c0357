//! Redirections that open a named pipe wait until another process opens its other end. Where bash forks first and opens
//! afterwards, this shell must not open in its own process what its child needs: it may have to start the other end next.

use crate::ast::{ParamName, ParamOp, Part, Redirect, RedirectOp, Word};
use crate::shell::Shell;
use crate::sys::{self, Kind};
use crate::vars::Attrs;

impl Shell {
    /// Returns whether opening one of the redirections may wait for another process. This is not known of a name whose expansion
    /// may have effects or finds files: it is expanded once, where it is opened, so it is assumed to wait.
    pub(super) fn may_wait(&self, redirects: &[Redirect]) -> bool {
        redirects.iter().any(|redirect| {
            let opens = match redirect.op {
                RedirectOp::In | RedirectOp::Out | RedirectOp::Append | RedirectOp::Clobber | RedirectOp::Both | RedirectOp::BothAppend => {
                    true
                }
                // `>& file`, but not `>& 2` and `>&-`.
                RedirectOp::DupOut => !redirect.target.raw.first().is_some_and(|byte| byte.is_ascii_digit() || *byte == b'-'),
                // Open for both, a pipe waits for nothing.
                RedirectOp::ReadWrite | RedirectOp::DupIn | RedirectOp::HereDoc | RedirectOp::HereDocStrip | RedirectOp::HereString => {
                    false
                }
            };
            opens && self.may_be_pipe(&redirect.target)
        })
    }

    fn may_be_pipe(&self, target: &Word) -> bool {
        // The shell itself has both ends of `<( … )`.
        if target.parts.iter().any(|part| matches!(part, Part::Process(..))) {
            return false;
        }
        let mut name = Vec::new();
        if target.brace || !self.known_text(&target.parts, &mut name) {
            return true;
        }
        let is_own = super::redirect::own_descriptor(&name).is_some();
        !is_own && sys::stat(&self.absolute(&name), true).is_ok_and(|stat| stat.kind == Kind::Fifo)
    }

    /// Appends what the parts expand to. Returns false if this is not known without expanding them.
    fn known_text(&self, parts: &[Part], text: &mut Vec<u8>) -> bool {
        parts.iter().all(|part| match part {
            Part::Lit(literal) if literal.iter().any(|byte| b"*?[".contains(byte)) => false,
            Part::Lit(literal) | Part::Quoted(literal) => {
                text.extend_from_slice(literal);
                true
            }
            Part::Double(parts) => self.known_text(parts, text),
            Part::Param(param) if !param.indirect && param.index.is_none() && matches!(param.op, ParamOp::None) => {
                let value = self.known_value(param.name);
                text.extend_from_slice(value.as_deref().unwrap_or_default());
                value.is_some()
            }
            _ => false,
        })
    }

    fn known_value(&self, name: ParamName) -> Option<Vec<u8>> {
        match name {
            ParamName::Var(name) => match self.vars.get(name) {
                // Reading `RANDOM` has an effect.
                Some(var) if var.attrs.any(Attrs::DYNAMIC.0 | Attrs::NAMEREF.0) => None,
                Some(var) => var.value.scalar().map(std::borrow::Cow::into_owned),
                None => None,
            },
            ParamName::Positional(number) => self.calls.params.get((number as usize).checked_sub(1)?).cloned(),
            ParamName::Special(b'$') => Some(crate::vars::format_int(i64::from(self.process.pid))),
            ParamName::Special(_) => None,
        }
    }
}
