//! The parts of a command: assignments, conditions and redirections.

use super::Printer;
use crate::ast::*;
use crate::lexer::Mode;
use crate::parser::Parser;

impl Printer {
    pub(super) fn assign(&mut self, assign: &Assign) {
        self.text(&assign.name.name());
        if let Some(index) = &assign.index {
            self.text(&[b"[", &index.word.raw[..], b"]"].concat());
        }
        self.text(if assign.append { b"+=" } else { b"=" });
        match &assign.value {
            AssignValue::Scalar(word) => self.word(word),
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
                    self.word(&element.value);
                }
                self.text(b")");
            }
        }
    }

    pub(super) fn cond(&mut self, cond: &Cond) {
        match cond {
            Cond::Word(word) => {
                self.text(b"-n ");
                self.word(word);
            }
            Cond::Unary(op, word) => {
                self.text(&[&op[..], b" "].concat());
                self.word(word);
            }
            Cond::Binary(left, op, right) => {
                self.word(left);
                self.text(&[b" ", &op[..], b" "].concat());
                self.word(right);
            }
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
                _ => self.word(&redirect.target),
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

/// Returns whether a `$( )` or a process substitution stands anywhere in a text.
fn has_substitution(text: &[u8]) -> bool {
    text.windows(2).any(|pair| matches!(pair, b"$(" | b"<(" | b">("))
}

/// Returns a word's text with the commands of its substitutions as bash shows them.
fn shown(raw: &[u8]) -> Option<Vec<u8>> {
    let found = substitutions(raw, Mode::Normal).or_else(|| substitutions(raw, Mode::List))?;
    let mut out = Vec::with_capacity(raw.len());
    let mut at = 0;
    for (start, end, list) in found {
        out.extend_from_slice(raw.get(at..start + 2)?);
        let text = super::substitution_text(&list);
        if text.starts_with(b"(") {
            out.push(b' ');
        }
        out.extend_from_slice(&text);
        at = end - 1;
    }
    out.extend_from_slice(raw.get(at..)?);
    Some(out)
}

/// Returns the positions of the substitutions in a text, if it is a word in this mode.
fn substitutions(raw: &[u8], mode: Mode) -> Option<Vec<(usize, usize, List)>> {
    let mut parser = Parser::new(raw.to_vec(), 1, std::rc::Rc::from(&b""[..]));
    parser.extglob = true;
    parser.shown = Some(Vec::new());
    parser.word(mode).ok()?;
    // Joined lines are missing from the parser's text, and so are the positions.
    let whole = parser.position() == raw.len() && parser.text_between(0) == raw;
    parser.shown.filter(|_| whole)
}

impl Printer {
    /// Writes a word, as written; for display, the commands within it are laid out too.
    pub(super) fn word(&mut self, word: &Word) {
        match (self.compact.is_none() && has_substitution(&word.raw)).then(|| shown(&word.raw)).flatten() {
            Some(text) => self.text(&text),
            None => self.text(&word.raw),
        }
    }
}
