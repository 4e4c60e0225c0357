//! Programs: rules, functions, statements. Expressions are in `expr`.

use super::ast::{ArrayExpr, Function, Kind, Lvalue, Program, Redirect, Rule, Stmt, Var, When};
use super::ast::{Expr, Expr::Group};
use super::lexer::{Lexer, Token};
use super::special;
use std::collections::HashMap;

/// A message and the line it is about.
pub struct Failure {
    /// The line.
    pub line: usize,
    /// The line's text and the column, for errors of syntax.
    pub place: Option<(String, usize)>,
    /// What is wrong.
    pub message: String,
}

/// The answer of most functions here.
pub type Parse<T> = Result<T, Failure>;

/// Deeper nesting is refused: the tree is walked recursively.
const DEEPEST: usize = 250;

/// The parser.
pub struct Parser {
    /// The words.
    pub lexer: Lexer,
    /// The current word.
    pub token: Token,
    /// Where the current word ends.
    pub start: usize,
    names: HashMap<String, usize>,
    /// The program so far.
    pub program: Program,
    locals: Vec<String>,
    /// The nesting.
    pub depth: usize,
    /// Whether `in` is no operator here: `for (x in a)`.
    pub no_in: bool,
    /// Whether `>` is no operator here: `print x > y`.
    pub no_gt: bool,
    loops: usize,
    in_function: bool,
}

/// Parse a program.
pub fn parse(source: Vec<u8>) -> Parse<(Program, Vec<(usize, String)>)> {
    let mut parser = Parser {
        lexer: Lexer::new(source),
        token: Token::Newline,
        start: 0,
        names: HashMap::new(),
        program: Program::default(),
        locals: Vec::new(),
        depth: 0,
        no_in: false,
        no_gt: false,
        loops: 0,
        in_function: false,
    };
    for name in special::NAMES {
        parser.global(name);
    }
    parser.advance()?;
    parser.program()?;
    Ok((parser.program, parser.lexer.warnings))
}

impl Parser {
    /// An error here.
    pub fn fail<T>(&self, message: &str) -> Parse<T> {
        let (text, column) = self.lexer.excerpt(self.start);
        let message =
            if self.token == Token::End || self.token == Token::Newline { "unexpected newline or end of string" } else { message };
        Err(Failure { line: self.line(), place: Some((text, column)), message: message.to_owned() })
    }
    /// A fatal message without an excerpt.
    pub fn fatal<T>(&self, message: String) -> Parse<T> {
        Err(Failure { line: self.line(), place: None, message })
    }
    fn line(&self) -> usize {
        self.lexer.line - usize::from(self.token == Token::Newline && self.lexer.line > 1)
    }
    /// Go on to the next word.
    pub fn advance(&mut self) -> Parse<()> {
        let before = self.lexer.at;
        match self.lexer.next() {
            Ok(token) => {
                self.token = token;
                let length = if let Token::Sign(sign) = self.token { sign.len() } else { 1 };
                self.start = self.lexer.at.saturating_sub(length).max(before);
                Ok(())
            }
            Err(message) => {
                self.start = self.lexer.at;
                let (text, column) = self.lexer.excerpt(self.start);
                Err(Failure { line: self.lexer.line, place: Some((text, column)), message })
            }
        }
    }
    /// Whether the current word is this sign.
    pub fn is(&self, sign: &str) -> bool {
        matches!(self.token, Token::Sign(s) if s == sign)
    }
    /// Whether the current word is this word.
    pub fn is_word(&self, word: &str) -> bool {
        matches!(self.token, Token::Word(w) if w == word)
    }
    /// Take a sign if it is here.
    pub fn take(&mut self, sign: &str) -> Parse<bool> {
        let found = self.is(sign);
        if found {
            self.advance()?;
        }
        Ok(found)
    }
    /// Take a sign that must be here.
    pub fn expect(&mut self, sign: &str) -> Parse<()> {
        if self.take(sign)? { Ok(()) } else { self.fail("syntax error") }
    }
    /// Skip ends of lines.
    pub fn newlines(&mut self) -> Parse<()> {
        while self.token == Token::Newline {
            self.advance()?;
        }
        Ok(())
    }
    fn terminators(&mut self) -> Parse<()> {
        while self.token == Token::Newline || self.is(";") {
            self.advance()?;
        }
        Ok(())
    }
    /// Count nesting.
    pub fn deeper(&mut self) -> Parse<()> {
        self.depth += 1;
        if self.depth > DEEPEST { self.fatal("program nested too deeply: take it apart into functions".into()) } else { Ok(()) }
    }

    fn global(&mut self, name: &str) -> usize {
        if let Some(at) = self.names.get(name) {
            return *at;
        }
        let at = self.program.globals.len();
        self.program.globals.push(name.to_owned());
        self.names.insert(name.to_owned(), at);
        at
    }

    /// The variable of a name.
    pub fn variable(&mut self, name: &str) -> Var {
        match self.locals.iter().position(|l| l == name) {
            Some(at) => Var::Local(at),
            None => Var::Global(self.global(name)),
        }
    }

    fn program(&mut self) -> Parse<()> {
        loop {
            self.terminators()?;
            if self.token == Token::End {
                return Ok(());
            }
            if self.is("@") {
                self.directive()?;
            } else if self.is_word("function") {
                self.function()?;
            } else {
                self.rule()?;
            }
        }
    }

    /// `@namespace "x"`, `@load "x"`: accepted, names are global. `@include` was resolved before.
    fn directive(&mut self) -> Parse<()> {
        self.advance()?;
        match self.token.clone() {
            Token::Name(name) if matches!(name.as_str(), "namespace" | "load") => {
                self.advance()?;
                match self.token {
                    Token::Str(_) => self.advance(),
                    _ => self.fail("syntax error"),
                }
            }
            _ => self.fail("syntax error"),
        }
    }

    fn function(&mut self) -> Parse<()> {
        self.advance()?;
        let (Token::Name(name) | Token::Call(name)) = self.token.clone() else { return self.fail("syntax error") };
        if self.program.functions.iter().any(|f| f.name == name) {
            return self.fatal(format!("error: function name `{name}' previously defined"));
        }
        self.advance()?;
        self.expect("(")?;
        let mut params: Vec<String> = Vec::new();
        while !self.is(")") {
            self.newlines()?;
            let (Token::Name(param) | Token::Call(param)) = self.token.clone() else { return self.fail("syntax error") };
            if params.contains(&param) {
                return self.fatal(format!(
                    "error: function `{name}': parameter #{}, `{param}', duplicates parameter #{}",
                    params.len() + 1,
                    1 + params.iter().position(|p| *p == param).unwrap_or(0)
                ));
            }
            params.push(param);
            self.advance()?;
            self.newlines()?;
            if !self.take(",")? {
                break;
            }
        }
        self.expect(")")?;
        self.newlines()?;
        self.locals.clone_from(&params);
        self.in_function = true;
        let body = self.block()?;
        self.in_function = false;
        self.locals.clear();
        self.program.functions.push(Function { name, params, body });
        Ok(())
    }

    fn rule(&mut self) -> Parse<()> {
        let line = self.line();
        let when = match &self.token {
            Token::Word(word @ ("BEGIN" | "END" | "BEGINFILE" | "ENDFILE")) => {
                let when = match *word {
                    "BEGIN" => When::Begin,
                    "END" => When::End,
                    "BEGINFILE" => When::BeginFile,
                    _ => When::EndFile,
                };
                self.advance()?;
                if !self.is("{") {
                    return self.fail("syntax error");
                }
                when
            }
            Token::Sign("{") => When::Always,
            _ => {
                let from = self.expr()?;
                if self.take(",")? {
                    self.newlines()?;
                    When::Range(from, self.expr()?)
                } else {
                    When::If(from)
                }
            }
        };
        let action = if self.is("{") { Some(self.block()?) } else { None };
        if action.is_none() && !matches!(self.token, Token::Newline | Token::End) && !self.is(";") {
            return self.fail("syntax error");
        }
        self.program.rules.push(Rule { when, action, line });
        Ok(())
    }

    fn block(&mut self) -> Parse<Vec<Stmt>> {
        self.deeper()?;
        self.expect("{")?;
        let mut body = Vec::new();
        self.terminators()?;
        while !self.is("}") {
            if self.token == Token::End {
                return self.fail("syntax error");
            }
            body.push(self.statement()?);
            self.terminators()?;
        }
        self.depth -= 1;
        self.advance()?;
        Ok(body)
    }

    /// After a simple statement: `;`, an end of line, or what closes the block.
    fn finish(&mut self) -> Parse<()> {
        if self.token == Token::Newline || self.is(";") {
            return self.advance();
        }
        if self.is("}") || self.token == Token::End { Ok(()) } else { self.fail("syntax error") }
    }

    fn statement(&mut self) -> Parse<Stmt> {
        self.deeper()?;
        let line = self.line();
        let kind = self.kind()?;
        self.depth -= 1;
        Ok(Stmt { line, kind })
    }

    /// The body of `if` and loops, which may be empty.
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
                // An `else` may follow after ends of lines and one semicolon; otherwise they end the statement anyway.
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
                    return self.fatal("error: `return' used outside function context".into());
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

    /// A statement that may stand in `for (…)`.
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

    /// An array: a name, or an element that is one.
    pub fn array(&mut self) -> Parse<ArrayExpr> {
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
