//! Redirections.

use super::{Parsed, Parser};
use crate::ast::{HereDoc, Part, Redirect, RedirectFd, RedirectOp, Word};
use crate::lexer::{Mode, Next};
use crate::sym::intern;
use std::rc::Rc;

const OPERATORS: [(&[u8], RedirectOp); 12] = [
    (b"<<<", RedirectOp::HereString),
    (b"<<-", RedirectOp::HereDocStrip),
    (b"<<", RedirectOp::HereDoc),
    (b"<>", RedirectOp::ReadWrite),
    (b"<&", RedirectOp::DupIn),
    (b"<", RedirectOp::In),
    (b">>", RedirectOp::Append),
    (b">&", RedirectOp::DupOut),
    (b">|", RedirectOp::Clobber),
    (b">", RedirectOp::Out),
    (b"&>>", RedirectOp::BothAppend),
    (b"&>", RedirectOp::Both),
];

impl Parser {
    /// Parses the redirections after a compound command.
    pub(crate) fn redirects(&mut self) -> Parsed<Vec<Redirect>> {
        let mut redirects = Vec::new();
        while self.next() == Next::Redirect {
            redirects.push(self.redirect()?);
        }
        Ok(redirects)
    }

    /// Parses one redirection; the position is at it.
    pub(crate) fn redirect(&mut self) -> Parsed<Redirect> {
        let from = self.src.pos;
        let mut fd = RedirectFd::Default;
        if self.src.peek() == Some(b'{') {
            while self.src.bump().is_some_and(|b| b != b'}') {}
            fd = RedirectFd::Var(intern(&self.src.buf[from + 1..self.src.pos - 1]));
        } else {
            while self.src.peek().is_some_and(|b| b.is_ascii_digit()) {
                self.src.bump();
            }
            if self.src.pos > from {
                let text = String::from_utf8_lossy(&self.src.buf[from..self.src.pos]).into_owned();
                fd = RedirectFd::Number(text.parse().unwrap_or(u32::MAX));
            }
        }
        self.src.join(1);
        self.src.join(2);
        let found = OPERATORS.iter().find(|(text, _)| self.src.looking_at(text)).copied();
        let Some((text, op)) = found else { return Err(self.unexpected()) };
        self.src.skip(text.len());
        if self.next() != Next::Word {
            // A number before another redirection is taken as a word here: `2>& 1>x` does not occur in practice.
            return Err(self.missing_word());
        }
        let target = self.word(if op == RedirectOp::HereString { Mode::Assign } else { Mode::Normal })?;
        let mut here = None;
        if matches!(op, RedirectOp::HereDoc | RedirectOp::HereDocStrip) {
            let mut delimiter = unquote(&target.raw);
            if op == RedirectOp::HereDocStrip {
                // Its own tabs are stripped, like those of the lines.
                delimiter.drain(..delimiter.iter().take_while(|b| **b == b'\t').count());
            }
            let doc = Rc::new(HereDoc {
                delimiter: delimiter.into(),
                quoted: quoted(&target),
                strip: op == RedirectOp::HereDocStrip,
                body: std::cell::OnceCell::new(),
            });
            self.announce(doc.clone());
            here = Some(doc);
        }
        Ok(Redirect { fd, op, target, here })
    }
}

fn quoted(word: &Word) -> bool {
    word.parts.iter().any(|part| matches!(part, Part::Quoted(_) | Part::Double(_)))
}

/// Returns the text of a here-document's delimiter without its quotes.
fn unquote(raw: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut quote = 0;
    let mut bytes = raw.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\'' | b'"' if quote == 0 => quote = byte,
            _ if byte == quote => quote = 0,
            b'\\' if quote == b'"' && !bytes.peek().is_some_and(|next| b"$`\"\\".contains(next)) => out.push(byte),
            b'\\' if quote != b'\'' => out.extend(bytes.next()),
            _ => out.push(byte),
        }
    }
    out
}
