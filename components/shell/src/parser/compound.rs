//! Compound commands.

use super::{Parsed, Parser};
use crate::arith::ArithText;
use crate::ast::{CaseEnd, CaseItem, Command, Kind, List, Word};
use crate::lexer::{Mode, Next};
use crate::sym::{Sym, intern};
use std::rc::Rc;

impl Parser {
    /// Parses a command of any kind.
    pub(crate) fn command(&mut self) -> Parsed<Command> {
        self.deeper()?;
        let command = self.command_inner()?;
        self.depth -= 1;
        Ok(command)
    }

    fn command_inner(&mut self) -> Parsed<Command> {
        self.expand_alias();
        let next = self.next();
        let line = self.src.line;
        let kind = match next {
            Next::Op("(") => Some(self.paren()?),
            Next::Word => self.keyword_command()?,
            Next::Redirect => None,
            _ => return Err(self.unexpected()),
        };
        match kind {
            Some(Kind::Function(function)) => Ok(Command { line, kind: Kind::Function(function), redirects: Vec::new() }),
            Some(kind) => {
                let line = if matches!(kind, Kind::Arith(_)) { self.src.line } else { line };
                let redirects = self.redirects()?;
                Ok(Command { line, kind, redirects })
            }
            None => self.simple(line),
        }
    }

    fn paren(&mut self) -> Parsed<Kind> {
        if self.src.looking_at(b"((")
            && let Some(text) = self.try_arith()?
        {
            return Ok(Kind::Arith(text));
        }
        let (line, arith) = (self.src.line, self.src.looking_at(b"(("));
        self.src.skip(1);
        self.deeper()?;
        let list = match self.some_list() {
            Err(_) if arith && self.next() == Next::End => return Err(self.unterminated(b')', line)),
            other => other?,
        };
        self.depth -= 1;
        if !self.take_op(")") {
            if arith && self.next() == Next::End {
                return Err(self.unterminated(b')', line));
            }
            return Err(self.unexpected());
        }
        Ok(Kind::Subshell(Rc::new(list)))
    }

    fn keyword_command(&mut self) -> Parsed<Option<Kind>> {
        let Some(word) = self.plain_word() else { return Ok(None) };
        Ok(Some(match word {
            b"{" => {
                self.src.skip(1);
                let list = self.some_list()?;
                self.expect("}")?;
                Kind::Brace(list)
            }
            b"if" => {
                self.src.skip(2);
                self.if_command()?
            }
            b"while" => self.while_command(false)?,
            b"until" => self.while_command(true)?,
            b"for" => {
                self.src.skip(3);
                self.for_command()?
            }
            b"select" => {
                self.src.skip(6);
                let name = self.loop_name()?;
                let words = self.loop_words()?;
                Kind::Select(name, words, self.do_body()?)
            }
            b"case" => {
                self.src.skip(4);
                self.case_command()?
            }
            b"function" => {
                self.src.skip(8);
                self.function_keyword()?
            }
            b"[[" => {
                self.src.skip(2);
                Kind::Cond(self.cond_command()?)
            }
            b"coproc" => {
                self.src.skip(6);
                self.coproc()?
            }
            b"!" | b"then" | b"else" | b"elif" | b"fi" | b"do" | b"done" | b"esac" | b"}" => {
                return Err(self.unexpected());
            }
            _ => return Ok(None),
        }))
    }

    fn coproc(&mut self) -> Parsed<Kind> {
        let mut name: Box<[u8]> = Box::new(*b"COPROC");
        let (pos, line) = (self.src.pos, self.src.line);
        let word = self.plain_word().map(<[u8]>::to_vec);
        if let Some(word) = word
            && !matches!(&word[..], b"{" | b"[[")
        {
            self.src.skip(word.len());
            let compound = self.at_op("(")
                || [&b"{"[..], b"if", b"while", b"until", b"for", b"case", b"select", b"[["]
                    .iter()
                    .any(|kw| self.plain_word().is_some_and(|found| found == *kw));
            if compound && !matches!(&word[..], b"if" | b"while" | b"until" | b"for" | b"case" | b"select") {
                name = word.into();
            } else {
                self.src.pos = pos;
                self.src.line = line;
            }
        }
        if self.next() == Next::End {
            return Err(self.near("newline"));
        }
        Ok(Kind::Coproc(name, Box::new(self.command()?)))
    }

    fn if_command(&mut self) -> Parsed<Kind> {
        let mut branches = Vec::new();
        loop {
            let condition = self.some_list()?;
            self.expect("then")?;
            let body = self.some_list()?;
            branches.push((condition, body));
            if self.take_keyword("elif") {
                continue;
            }
            let mut otherwise = None;
            if self.take_keyword("else") {
                otherwise = Some(self.some_list()?);
            }
            self.expect("fi")?;
            return Ok(Kind::If(branches, otherwise));
        }
    }

    fn while_command(&mut self, until: bool) -> Parsed<Kind> {
        self.src.skip(5);
        let condition = self.some_list()?;
        Ok(Kind::While(until, condition, self.do_body()?))
    }

    /// Parses `do … done`, or `{ … }`, which bash also allows.
    fn do_body(&mut self) -> Parsed<List> {
        if self.take_keyword("{") {
            let body = self.some_list()?;
            self.expect("}")?;
            return Ok(body);
        }
        self.expect("do")?;
        let body = self.some_list()?;
        self.expect("done")?;
        Ok(body)
    }

    fn loop_name(&mut self) -> Parsed<Sym> {
        while self.due_alias() {}
        if self.next() != Next::Word {
            return Err(self.missing_word());
        }
        // An invalid name is an error when the loop runs.
        Ok(intern(&self.word(Mode::Normal)?.raw))
    }

    /// Parses `in WORD…` and its end; `None` without `in`.
    fn loop_words(&mut self) -> Parsed<Option<Vec<Word>>> {
        if self.take_op(";") {
            self.newlines()?;
            return Ok(None);
        }
        self.newlines()?;
        while self.due_alias() {}
        if !self.take_keyword("in") {
            return Ok(None);
        }
        let mut words = Vec::new();
        while self.due_alias() || self.next() == Next::Word {
            if self.next() != Next::Word {
                break;
            }
            words.push(self.word(Mode::Normal)?);
        }
        if !self.take_op(";") && self.next() != Next::Newline {
            return Err(self.unexpected());
        }
        self.newlines()?;
        Ok(Some(words))
    }

    fn for_command(&mut self) -> Parsed<Kind> {
        self.blanks();
        if self.src.looking_at(b"((") {
            let start = self.src.pos;
            self.src.skip(2);
            let mut sections: Vec<Option<ArithText>> = Vec::new();
            loop {
                let word = self.word(Mode::ArithSection)?;
                let blank = word.raw.iter().all(u8::is_ascii_whitespace);
                sections.push((!blank).then(|| ArithText::new(word)));
                match self.src.bump() {
                    Some(b';') if sections.len() < 3 => {}
                    Some(b')') if sections.len() == 3 && self.src.peek() == Some(b')') => {
                        self.src.bump();
                        break;
                    }
                    None => return Err(self.unterminated(b')', self.src.line)),
                    Some(byte) => return Err(self.bad_sections(start, byte)),
                }
            }
            self.take_op(";");
            self.newlines()?;
            let body = self.do_body()?;
            let sections: Box<[Option<ArithText>; 3]> = match sections.try_into() {
                Ok(sections) => Box::new(sections),
                Err(_) => return Err(self.unexpected()),
            };
            return Ok(Kind::ForArith(sections, body));
        }
        let name = self.loop_name()?;
        let words = self.loop_words()?;
        Ok(Kind::For(name, words, self.do_body()?))
    }

    /// Returns the error for a `((…))` of a loop that has more or fewer than three sections.
    fn bad_sections(&mut self, start: usize, last: u8) -> Box<super::SyntaxError> {
        while !self.src.buf[..self.src.pos].ends_with(b"))") && self.src.bump().is_some() {}
        let text = String::from_utf8_lossy(&self.src.buf[start..self.src.pos]).into_owned();
        let what = if last == b';' { "`;' unexpected" } else { "arithmetic expression required" };
        let mut error = super::SyntaxError::new(self.src.line, format!("syntax error: {what}"));
        error.more = Some((error.line, format!("syntax error: `{text}'")));
        error
    }

    fn case_command(&mut self) -> Parsed<Kind> {
        if self.next() != Next::Word {
            return Err(self.missing_word());
        }
        let subject = self.word(Mode::Normal)?;
        self.newlines()?;
        self.expect("in")?;
        let mut items = Vec::new();
        loop {
            self.newlines()?;
            if self.take_keyword("esac") {
                return Ok(Kind::Case(subject, items));
            }
            self.take_op("(");
            let mut patterns = Vec::new();
            loop {
                if self.next() != Next::Word {
                    return Err(self.unexpected());
                }
                patterns.push(self.word(Mode::Normal)?);
                if !self.take_op("|") {
                    break;
                }
            }
            if !self.take_op(")") {
                return Err(self.missing_word());
            }
            let body = self.compound_list()?;
            let end = match self.next() {
                Next::Op(";;") => CaseEnd::Break,
                Next::Op(";&") => CaseEnd::FallThrough,
                Next::Op(";;&") => CaseEnd::Continue,
                _ => {
                    self.expect("esac")?;
                    items.push(CaseItem { patterns, body, end: CaseEnd::Break });
                    return Ok(Kind::Case(subject, items));
                }
            };
            self.src.skip(if end == CaseEnd::Continue { 3 } else { 2 });
            items.push(CaseItem { patterns, body, end });
        }
    }
}
