//! Here-documents: their bodies follow the line of their operators.

use super::Mode;
use crate::ast::{HereDoc, Word};
use crate::parser::{Parsed, Parser};
use std::rc::Rc;

impl Parser {
    /// Notes a here-document whose body comes after this line.
    pub(crate) fn announce(&mut self, here: Rc<HereDoc>) {
        self.pending.push((self.src.line, here));
    }

    /// Takes the newline at the position and the bodies that follow it.
    pub(crate) fn newline(&mut self) -> Parsed<()> {
        self.src.bump();
        for (line, here) in std::mem::take(&mut self.pending) {
            let started = self.src.line;
            let text = self.body(&here, started);
            let word = if here.quoted {
                Word { raw: text.clone().into(), parts: vec![crate::ast::Part::Quoted(text.into())], brace: false }
            } else {
                let raw: Box<[u8]> = text.clone().into();
                let mut inner = self.inside(text, line)?;
                // If a substitution is not closed there, the command that reads the text reports the error.
                let parts = match inner.parts(Mode::HereDoc) {
                    Err(error) if error.message.starts_with("unexpected EOF") => vec![crate::ast::Part::Broken(Rc::new(*error))],
                    parts => parts?,
                };
                Word { raw, parts, brace: false }
            };
            // Announced once, so its body is set once.
            let _ = here.body.set(word);
        }
        Ok(())
    }

    fn warn_open(&mut self, here: &HereDoc, started: u32, line: u32) {
        let announced = started.saturating_sub(1).max(1);
        let wanted = String::from_utf8_lossy(&here.delimiter);
        let warning = format!("warning: here-document at line {announced} delimited by end-of-file (wanted `{wanted}')");
        self.warnings.push((line, warning));
    }

    fn body(&mut self, here: &HereDoc, started: u32) -> Vec<u8> {
        let mut text = Vec::new();
        loop {
            let mut line = Vec::new();
            let mut ended = false;
            let (from, at_line) = (self.src.pos, self.src.line);
            if self.src.peek().is_none() {
                self.warn_open(here, started, self.src.line.saturating_sub(1).max(1));
                return text;
            }
            while let Some(byte) = self.src.bump() {
                if byte == b'\n' {
                    ended = true;
                    break;
                }
                if byte == b'\\' && !here.quoted {
                    match self.src.peek() {
                        Some(b'\n') => {
                            self.src.bump();
                            continue;
                        }
                        Some(next) => {
                            self.src.bump();
                            line.extend_from_slice(&[byte, next]);
                            continue;
                        }
                        None => {}
                    }
                }
                line.push(byte);
            }
            let stripped = if here.strip {
                let tabs = line.iter().take_while(|b| **b == b'\t').count();
                &line[tabs..]
            } else {
                &line[..]
            };
            if stripped == &here.delimiter[..] {
                return text;
            }
            if self.substitutions > 0 && stripped.starts_with(&here.delimiter) && stripped[here.delimiter.len()..].contains(&b')') {
                // `$(cat <<EOF … EOF)`: the parenthesis that ends the substitution may be in the delimiter's line.
                let tabs = line.len() - stripped.len();
                self.src.pos = from + tabs + here.delimiter.len();
                self.src.line = at_line;
                self.warn_open(here, started, at_line);
                return text;
            }
            text.extend_from_slice(stripped);
            // The last line of the script may lack its newline; the body does not, and the line counts.
            text.push(b'\n');
            self.src.line += u32::from(!ended);
        }
    }
}
