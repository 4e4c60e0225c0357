//! The parts of a command: assignments, conditions and redirections.

use super::Printer;
use crate::ast::*;

impl Printer {
    pub(super) fn assign(&mut self, assign: &Assign) {
        self.text(&assign.name.name());
        if let Some(index) = &assign.index {
            self.text(&[b"[", &index.word.raw[..], b"]"].concat());
        }
        self.text(if assign.append { b"+=" } else { b"=" });
        match &assign.value {
            AssignValue::Scalar(word) => self.text(&word.raw),
            AssignValue::Misplaced => self.text(b"()"),
            AssignValue::Array(elements) => {
                self.text(b"(");
                for (number, element) in elements.iter().enumerate() {
                    if number > 0 {
                        self.text(b" ");
                    }
                    if let Some(index) = &element.index {
                        self.text(&[b"[", &index.word.raw[..], b"]"].concat());
                        self.text(if element.append { b"+=" } else { b"=" });
                    }
                    self.text(&element.value.raw);
                }
                self.text(b")");
            }
        }
    }

    pub(super) fn cond(&mut self, cond: &Cond) {
        match cond {
            Cond::Word(word) => {
                self.text(b"-n ");
                self.text(&word.raw);
            }
            Cond::Unary(op, word) => self.text(&[&op[..], b" ", &word.raw].concat()),
            Cond::Binary(left, op, right) => self.text(&[&left.raw[..], b" ", op, b" ", &right.raw].concat()),
            Cond::Not(inner) => {
                self.text(b"! ");
                self.cond(inner);
            }
            Cond::And(left, right) | Cond::Or(left, right) => {
                self.cond(left);
                self.text(if matches!(cond, Cond::And(..)) { b" && " } else { b" || " });
                self.cond(right);
            }
            Cond::Group(inner) => {
                self.text(b"( ");
                self.cond(inner);
                self.text(b" )");
            }
        }
    }

    pub(super) fn redirects(&mut self, redirects: &[Redirect]) {
        for redirect in redirects {
            self.text(b" ");
            match redirect.fd {
                RedirectFd::Default => match redirect.op {
                    RedirectOp::DupIn => self.text(b"0"),
                    RedirectOp::DupOut => self.text(b"1"),
                    _ => {}
                },
                RedirectFd::Number(number) => {
                    let own = match redirect.op {
                        RedirectOp::In
                        | RedirectOp::HereString
                        | RedirectOp::HereDoc
                        | RedirectOp::HereDocStrip
                        | RedirectOp::ReadWrite => 0,
                        RedirectOp::DupIn | RedirectOp::DupOut => u32::MAX,
                        _ => 1,
                    };
                    if number != own {
                        self.text(number.to_string().as_bytes());
                    }
                }
                RedirectFd::Var(name) => self.text(&[b"{", &name.name()[..], b"}"].concat()),
            }
            let op: &[u8] = match redirect.op {
                RedirectOp::In => b"< ",
                RedirectOp::Out => b"> ",
                RedirectOp::Append => b">> ",
                RedirectOp::Clobber => b">| ",
                RedirectOp::ReadWrite => b"<> ",
                RedirectOp::DupIn => b"<&",
                RedirectOp::DupOut => b">&",
                RedirectOp::Both => b"&> ",
                RedirectOp::BothAppend => b"&>> ",
                RedirectOp::HereDoc => b"<<",
                RedirectOp::HereDocStrip => b"<<-",
                RedirectOp::HereString => b"<<< ",
            };
            self.text(op);
            match &redirect.here {
                Some(here) if here.quoted && self.compact.is_none() => self.text(&crate::quote::plain_single(&here.delimiter)),
                _ => self.text(&redirect.target.raw),
            }
            if let Some(here) = &redirect.here {
                if let Some(body) = here.body.get() {
                    self.pending.extend_from_slice(&body.raw);
                }
                self.pending.extend_from_slice(&here.delimiter);
                self.pending.push(b'\n');
            }
        }
    }
}
