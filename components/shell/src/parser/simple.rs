//! Simple commands, with alias expansion before them.

use super::{Parsed, Parser};
use crate::ast::{Arg, AssignValue, Command, Kind, Part, Simple, Word};
use crate::lexer::{Mode, Next};

/// Builtins whose arguments may be assignments, arrays included.
const DECLARATIONS: [&[u8]; 5] = [b"declare", b"typeset", b"local", b"export", b"readonly"];

impl Parser {
    /// Parses a simple command, or a function's definition.
    pub(crate) fn simple(&mut self, line: u32) -> Parsed<Command> {
        let mut simple = Simple::default();
        let mut redirects = Vec::new();
        let mut declares = false;
        let mut prefixed = false;
        let mut arrays = true;
        let mut line = line;
        let mut counted = false;
        // Whether a redirection was read last: after an assignment and a redirection, bash expands no alias.
        let mut behind = false;
        loop {
            // A command's line is the line where its second word ends, or begins if that is a redirection: bash reads
            // ahead.
            let (read, ended) = (simple.words.len() + simple.assigns.len() + redirects.len(), self.src.line);
            let next = self.next();
            if matches!(read, 1 | 2) && !counted {
                counted = read == 1 && next == Next::Redirect;
                line = if counted { self.src.line } else { ended };
            }
            match next {
                Next::Redirect => {
                    redirects.push(self.redirect()?);
                    behind = true;
                }
                Next::Word => {
                    if simple.words.is_empty()
                        && let Some(assign) = self.assignment()?
                    {
                        simple.assigns.push(assign);
                        behind = false;
                        continue;
                    }
                    if declares {
                        let start = self.src.pos;
                        if let Some(assign) = self.assignment()? {
                            if !arrays && matches!(assign.value, AssignValue::Array(_)) {
                                self.src.pos = start;
                                while self.src.peek() != Some(b'(') {
                                    self.src.bump();
                                }
                                return Err(self.near("("));
                            }
                            let word = self.word_from(start, Vec::new(), false);
                            simple.words.push(Arg::Assign(Box::new(assign), word));
                            continue;
                        }
                    }
                    if simple.words.is_empty()
                        && (!simple.assigns.is_empty() || !redirects.is_empty())
                        && (!behind || simple.assigns.is_empty())
                    {
                        self.expand_alias();
                        if self.next() != Next::Word {
                            continue;
                        }
                    } else if self.due_alias() {
                        continue;
                    }
                    if let Some(Arg::Word(first)) = simple.words.first()
                        && matches!(&first.raw[..], b"let" | b"eval")
                        && let Some(word) = self.list_as_text()?
                    {
                        simple.words.push(Arg::Word(word));
                        continue;
                    }
                    let word = self.word(Mode::Normal)?;
                    if simple.words.is_empty() {
                        declares = DECLARATIONS.contains(&&word.raw[..]);
                        if redirects.is_empty() && simple.assigns.is_empty() && self.at_op("(") {
                            return self.function_parens(line, &word.raw);
                        }
                    } else if prefixed && DECLARATIONS.contains(&&word.raw[..]) {
                        // After `command` and `builtin`, assignments are expanded as such, but not arrays.
                        declares = true;
                        arrays = false;
                    }
                    prefixed = simple.words.is_empty() && matches!(&word.raw[..], b"command" | b"builtin");
                    simple.words.push(Arg::Word(word));
                }
                Next::Op("(") => {
                    if simple.words.len() == 1 {
                        self.src.skip(1);
                        if self.next() == Next::End {
                            return Err(self.near("newline"));
                        }
                    }
                    return Err(self.unexpected());
                }
                _ => break,
            }
        }
        if simple.words.is_empty() && simple.assigns.is_empty() && redirects.is_empty() {
            return Err(self.unexpected());
        }
        Ok(Command { line, kind: Kind::Simple(simple), redirects })
    }

    /// Parses `name=(…)` after `let` or `eval`: one word, whose parentheses are plain text.
    fn list_as_text(&mut self) -> Parsed<Option<Word>> {
        let rest = &self.src.buf[self.src.pos..];
        let name = rest.iter().take_while(|b| crate::sym::is_name_byte(**b)).count();
        let index = match rest.get(name) {
            Some(b'[') => rest[name..].iter().take_while(|b| **b != b'\n').position(|b| *b == b']').map_or(0, |at| at + 1),
            _ => 0,
        };
        let operator = name + index + usize::from(rest.get(name + index) == Some(&b'+'));
        if name == 0 || rest.get(operator) != Some(&b'=') || rest.get(operator + 1) != Some(&b'(') {
            return Ok(None);
        }
        let (start, line) = (self.src.pos, self.src.line);
        let mut parts = vec![Part::Lit(rest[..operator + 2].into())];
        self.src.skip(operator + 2);
        parts.extend(self.parts(Mode::Arith)?);
        if self.src.bump() != Some(b')') {
            return Err(self.unterminated(b')', line));
        }
        parts.push(Part::Lit(Box::new(*b")")));
        parts.extend(self.parts(Mode::Normal)?);
        Ok(Some(self.word_from(start, vec![Part::Double(parts)], false)))
    }

    fn function_parens(&mut self, line: u32, name: &[u8]) -> Parsed<Command> {
        self.take_op("(");
        if !self.take_op(")") {
            return Err(if self.next() == Next::End { self.near("newline") } else { self.unexpected() });
        }
        let kind = self.function_body(name.to_vec())?;
        Ok(Command { line, kind, redirects: Vec::new() })
    }

    /// Expands the word at the position if it follows an alias whose text ends in a blank; returns whether that was the
    /// case.
    pub(crate) fn due_alias(&mut self) -> bool {
        self.blanks();
        match self.alias_next {
            Some(at) if self.src.pos >= at => {
                self.alias_next = None;
                let before = self.src.buf.len();
                self.expand_alias();
                self.src.buf.len() != before || self.alias_next.is_some()
            }
            _ => false,
        }
    }

    /// Replaces the word at the position by the text of its alias, repeatedly.
    pub(crate) fn expand_alias(&mut self) {
        let Some(aliases) = self.aliases.clone() else { return };
        if aliases.is_empty() {
            return;
        }
        loop {
            let Some(word) = self.plain_word().map(<[u8]>::to_vec) else { return };
            let start = self.src.pos;
            self.alias_until.retain(|(_, end)| *end > start);
            if self.alias_until.iter().any(|(name, _)| *name == word) {
                return;
            }
            let Some(value) = aliases.get(&word) else { return };
            let end = start + word.len();
            self.src.buf.splice(start..end, value.iter().copied());
            for (_, until) in &mut self.alias_until {
                *until = *until + value.len() - word.len();
            }
            if let Some(next) = self.alias_next.filter(|next| *next > start) {
                self.alias_next = Some(next + value.len() - word.len());
            }
            self.alias_until.push((word, start + value.len() + 1));
            if value.last().is_some_and(|b| crate::lexer::is_blank(*b)) {
                self.alias_next = self.alias_next.max(Some(start + value.len()));
            }
        }
    }
}
