//! Statements.

use super::ast::Expr::{self, Group};
use super::ast::{ArrayExpr, Kind, Lvalue, Redirect, Stmt};
use super::lexer::Token;
use super::parser::{Failure, Parse, Parser};

impl Parser {
    pub(super) fn statement(&mut self) -> Parse<Stmt> {
        self.deeper()?;
        let line = self.line();
        let kind = self.kind()?;
        self.depth -= 1;
        Ok(Stmt { line, kind })
    }

    /// Parses the body of `if` and loops, which may be empty.
    fn body(&mut self) -> Parse<Box<Stmt>> {
        if self.take(";")? {
            return Ok(Box::new(Stmt { line: self.line(), kind: Kind::Block(Vec::new()) }));
        }
        self.newlines()?;
        self.statement().map(Box::new)
    }

    fn loop_body(&mut self) -> Parse<Box<Stmt>> {
        self.loops += 1;
        let body = self.body();
        self.loops -= 1;
        body
    }

    fn kind(&mut self) -> Parse<Kind> {
        if self.is("{") {
            return self.block().map(Kind::Block);
        }
        if self.take(";")? {
            return Ok(Kind::Block(Vec::new()));
        }
        let Token::Word(word) = self.token else {
            let kind = self.simple()?;
            self.finish()?;
            return Ok(kind);
        };
        match word {
            "if" => {
                self.advance()?;
                self.expect("(")?;
                let test = self.expr()?;
                self.expect(")")?;
                let yes = self.body()?;
                // An `else` may follow ends of lines and one semicolon; without an `else`, they end the statement.
                self.terminators()?;
                let no = if self.is_word("else") {
                    self.advance()?;
                    Some(self.body()?)
                } else {
                    None
                };
                Ok(Kind::If(test, yes, no))
            }
            "while" => {
                self.advance()?;
                self.expect("(")?;
                let test = self.expr()?;
                self.expect(")")?;
                Ok(Kind::While(test, self.loop_body()?))
            }
            "do" => {
                self.advance()?;
                let body = self.loop_body()?;
                self.terminators()?;
                if !self.is_word("while") {
                    return self.fail("syntax error");
                }
                self.advance()?;
                self.expect("(")?;
                let test = self.expr()?;
                self.expect(")")?;
                self.finish()?;
                Ok(Kind::Do(body, test))
            }
            "for" => self.for_loop(),
            "switch" => self.switch(),
            "next" | "nextfile" => {
                if let Some(outside) = self.outside.filter(|w| word == "next" || *w != "BEGINFILE") {
                    return self.fatal(format!("error: `{word}' used in {outside} action"));
                }
                self.advance()?;
                self.finish()?;
                Ok(if word == "next" { Kind::Next } else { Kind::NextFile })
            }
            "break" | "continue" => {
                if self.loops == 0 {
                    return self.fatal(format!(
                        "error: `{word}' is not allowed outside a loop{}",
                        if word == "break" { " or switch" } else { "" }
                    ));
                }
                self.advance()?;
                self.finish()?;
                Ok(if word == "break" { Kind::Break } else { Kind::Continue })
            }
            "exit" | "return" => {
                if word == "return" && !self.in_function {
                    return self.fail_at(self.start, "`return' used outside function context".into());
                }
                self.advance()?;
                let none = matches!(self.token, Token::Newline | Token::End) || self.is(";") || self.is("}");
                let value = if none { None } else { Some(self.expr()?) };
                self.finish()?;
                Ok(if word == "exit" { Kind::Exit(value) } else { Kind::Return(value) })
            }
            _ => {
                let kind = self.simple()?;
                self.finish()?;
                Ok(kind)
            }
        }
    }

    /// Parses a statement that may stand in `for (…)`.
    fn simple(&mut self) -> Parse<Kind> {
        match self.token {
            Token::Word("print") => self.print(false),
            Token::Word("printf") => self.print(true),
            Token::Word("delete") => {
                self.advance()?;
                let grouped = self.take("(")?;
                let Token::Name(name) = self.token.clone() else { return self.fail("syntax error") };
                self.advance()?;
                let mut array = ArrayExpr::Var(self.variable(&name));
                let mut key = Vec::new();
                while self.is("[") {
                    if !key.is_empty() {
                        array = ArrayExpr::Elem(Box::new(array), std::mem::take(&mut key));
                    }
                    key = self.subscripts()?;
                }
                if grouped {
                    self.expect(")")?;
                }
                Ok(Kind::Delete(array, key))
            }
            _ => self.expr().map(Kind::Expr),
        }
    }

    fn print(&mut self, formatted: bool) -> Parse<Kind> {
        self.advance()?;
        let outer = std::mem::replace(&mut self.no_gt, true);
        let outer_in = std::mem::replace(&mut self.no_in, false);
        let none = matches!(self.token, Token::Newline | Token::End) || [";", "}", ">", ">>", "|", "|&"].iter().any(|s| self.is(s));
        let mut args = if none { Vec::new() } else { self.list()? };
        if let [Expr::List(inner)] = &mut args[..] {
            args = std::mem::take(inner);
        } else if let [Group(_)] = &args[..] {
            args = args.into_iter().map(|e| if let Group(inner) = e { *inner } else { e }).collect();
        }
        self.no_gt = outer;
        let redirect = match self.token {
            Token::Sign(">") => Some(Redirect::File),
            Token::Sign(">>") => Some(Redirect::Append),
            Token::Sign("|") => Some(Redirect::Pipe),
            Token::Sign("|&") => Some(Redirect::Both),
            _ => None,
        };
        let target = match redirect {
            Some(redirect) => {
                self.advance()?;
                self.no_gt = true;
                let target = self.concat()?;
                self.no_gt = outer;
                Some((redirect, target))
            }
            None => None,
        };
        self.no_in = outer_in;
        if formatted && args.is_empty() {
            return self
                .fatal("error: printf: no format given".into())
                .or_else(|e: Failure| if self.token == Token::End { Err(e) } else { self.fail("syntax error") });
        }
        Ok(if formatted { Kind::Printf(args, target) } else { Kind::Print(args, target) })
    }

    fn for_loop(&mut self) -> Parse<Kind> {
        self.advance()?;
        self.expect("(")?;
        let init = if self.is(";") {
            None
        } else {
            let line = self.line();
            let outer = std::mem::replace(&mut self.no_in, true);
            let kind = self.simple()?;
            self.no_in = outer;
            if let (Kind::Expr(Expr::Lvalue(target)), true) = (&kind, self.is_word("in")) {
                let target: Lvalue = target.clone();
                self.advance()?;
                let array = self.array()?;
                self.expect(")")?;
                return Ok(Kind::ForIn(target, array, self.loop_body()?));
            }
            Some(Box::new(Stmt { line, kind }))
        };
        self.expect(";")?;
        self.newlines()?;
        let test = if self.is(";") { None } else { Some(self.expr()?) };
        self.expect(";")?;
        self.newlines()?;
        let step = if self.is(")") { None } else { Some(Box::new(Stmt { line: self.line(), kind: self.simple()? })) };
        self.expect(")")?;
        Ok(Kind::For(init, test, step, self.loop_body()?))
    }

    /// Parses an array: a name, or an element that is one.
    pub(super) fn array(&mut self) -> Parse<ArrayExpr> {
        let Token::Name(name) = self.token.clone() else { return self.fail("syntax error") };
        self.advance()?;
        let mut array = ArrayExpr::Var(self.variable(&name));
        while self.is("[") {
            array = ArrayExpr::Elem(Box::new(array), self.subscripts()?);
        }
        Ok(array)
    }

    fn switch(&mut self) -> Parse<Kind> {
        self.advance()?;
        self.expect("(")?;
        let value = self.expr()?;
        self.expect(")")?;
        self.newlines()?;
        self.expect("{")?;
        self.terminators()?;
        let mut cases: Vec<(Option<Expr>, Vec<Stmt>)> = Vec::new();
        self.loops += 1;
        while !self.is("}") {
            if self.is_word("case") {
                self.advance()?;
                let value = self.unary()?;
                cases.push((Some(value), Vec::new()));
                self.expect(":")?;
            } else if self.is_word("default") {
                self.advance()?;
                cases.push((None, Vec::new()));
                self.expect(":")?;
            } else {
                let statement = self.statement()?;
                match cases.last_mut() {
                    Some((_, body)) => body.push(statement),
                    None => return self.fail("syntax error"),
                }
            }
            self.terminators()?;
        }
        self.loops -= 1;
        self.advance()?;
        Ok(Kind::Switch(value, cases))
    }
}
