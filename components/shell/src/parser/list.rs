//! Lists, and-or lists and pipelines.

use super::{Parsed, Parser};
use crate::ast::{AndOr, Command, Kind, List, ListItem, Pipeline, Redirect, RedirectFd, RedirectOp, Simple, Word};
use crate::lexer::Next;

/// Words that end a list.
const CLOSERS: [&[u8]; 8] = [b"then", b"else", b"elif", b"fi", b"do", b"done", b"esac", b"}"];

impl Parser {
    /// Skips newlines, with the here-documents after them.
    pub(crate) fn newlines(&mut self) -> Parsed<()> {
        while self.next() == Next::Newline {
            self.newline()?;
        }
        Ok(())
    }

    /// Parses commands up to a word or operator that closes them.
    pub(crate) fn compound_list(&mut self) -> Parsed<List> {
        let mut list = List::default();
        loop {
            self.newlines()?;
            // An alias may stand for a word that ends the list, or for nothing.
            self.expand_alias();
            self.newlines()?;
            match self.next() {
                Next::End | Next::Op(")" | ";;" | ";&" | ";;&") => break,
                Next::Word if self.plain_word().is_some_and(|word| CLOSERS.contains(&word)) => break,
                _ => {}
            }
            let (item, ended) = self.list_item()?;
            list.items.push(item);
            if !ended && self.next() != Next::Newline {
                break;
            }
        }
        Ok(list)
    }

    /// Parses an and-or list and its terminator; also returns whether that was `;` or `&`.
    pub(crate) fn list_item(&mut self) -> Parsed<(ListItem, bool)> {
        let and_or = self.and_or()?;
        if self.take_op("&") {
            return Ok((ListItem { and_or, background: true, line_end: false }, true));
        }
        let ended = self.take_op(";");
        let line_end = !ended && self.next() == Next::Newline;
        Ok((ListItem { and_or, background: false, line_end }, ended))
    }

    fn and_or(&mut self) -> Parsed<AndOr> {
        let first = self.pipeline()?;
        let mut rest = Vec::new();
        loop {
            let and = match self.next() {
                Next::Op("&&") => true,
                Next::Op("||") => false,
                _ => return Ok(AndOr { first, rest }),
            };
            self.src.skip(2);
            self.newlines()?;
            rest.push((and, self.pipeline()?));
        }
    }

    fn pipeline(&mut self) -> Parsed<Pipeline> {
        let mut negated = false;
        let mut timed = None;
        let mut marked = false;
        let line = self.src.line;
        loop {
            if self.take_keyword("!") {
                negated = !negated;
                marked = true;
            } else if timed.is_none() && self.take_keyword("time") {
                let posix = self.take_keyword("-p");
                timed = Some(self.take_keyword("--") || posix);
            } else {
                break;
            }
        }
        if marked || timed.is_some() {
            // `!` and `time` alone are commands that do nothing.
            if matches!(self.next(), Next::Newline | Next::End | Next::Op(";" | "&" | ")" | "&&" | "||")) {
                let empty = Command { line, kind: Kind::Simple(Simple::default()), redirects: Vec::new() };
                return Ok(Pipeline { negated, timed, commands: vec![empty] });
            }
        }
        let mut commands = vec![self.command()?];
        loop {
            match self.next() {
                Next::Op("|") => self.src.skip(1),
                Next::Op("|&") => {
                    self.src.skip(2);
                    let both = Redirect {
                        fd: RedirectFd::Number(2),
                        op: RedirectOp::DupOut,
                        target: Word { raw: Box::new(*b"1"), parts: vec![crate::ast::Part::Lit(Box::new(*b"1"))], brace: false },
                        here: None,
                    };
                    if let Some(last) = commands.last_mut() {
                        last.redirects.push(both);
                    }
                }
                _ => return Ok(Pipeline { negated, timed, commands }),
            }
            self.newlines()?;
            commands.push(self.command()?);
        }
    }

    /// Parses a list that must not be empty.
    pub(crate) fn some_list(&mut self) -> Parsed<List> {
        let list = self.compound_list()?;
        if list.items.is_empty() { Err(self.unexpected()) } else { Ok(list) }
    }

    /// Takes the reserved word `word`, which must come next.
    pub(crate) fn expect(&mut self, word: &str) -> Parsed<()> {
        if self.take_keyword(word) { Ok(()) } else { Err(self.unexpected()) }
    }
}
