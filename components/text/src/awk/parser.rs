//! Programs: rules, functions, statements. Expressions are in `expr`.

use super::ast::{Function, Program, Rule, Stmt, Var, When};
use super::lexer::{Lexer, Token};
use super::special;
use std::collections::HashMap;

/// A message and its line.
pub(super) struct Failure {
    /// The line.
    pub line: usize,
    /// The line's text and the column, for errors of syntax.
    pub place: Option<(String, usize)>,
    /// What is wrong.
    pub message: String,
}

/// The result of most functions here.
pub(super) type Parse<T> = Result<T, Failure>;

/// Deeper nesting is refused, because the tree is walked recursively.
const DEEPEST: usize = 250;

/// The parser.
pub(super) struct Parser {
    /// The words.
    pub lexer: Lexer,
    /// The current word.
    pub token: Token,
    /// Where the current word ends.
    pub start: usize,
    names: HashMap<String, usize>,
    /// Where names were used as variables.
    used: HashMap<String, Vec<usize>>,
    /// Where names were called, and whether they are parameters.
    called: Vec<(usize, String, bool)>,
    /// The program so far.
    pub program: Program,
    locals: Vec<String>,
    /// The nesting.
    pub depth: usize,
    /// Whether `in` is not an operator here: `for (x in a)`.
    pub no_in: bool,
    /// Whether `>` is not an operator here: `print x > y`.
    pub no_gt: bool,
    pub(super) loops: usize,
    pub(super) in_function: bool,
    /// The rule without a record that this is in, such as `BEGIN`.
    pub(super) outside: Option<&'static str>,
}

/// Warnings and their lines.
pub(super) type Warnings = Vec<(usize, String)>;

/// Parses a program.
pub(super) fn parse(source: Vec<u8>) -> Result<(Program, Warnings), Vec<Failure>> {
    let mut parser = Parser {
        lexer: Lexer::new(source),
        token: Token::Newline,
        start: 0,
        names: HashMap::new(),
        used: HashMap::new(),
        called: Vec::new(),
        program: Program::default(),
        locals: Vec::new(),
        depth: 0,
        no_in: false,
        no_gt: false,
        loops: 0,
        in_function: false,
        outside: None,
    };
    for name in special::NAMES {
        parser.global(name);
    }
    let result = parser.advance().and_then(|()| parser.program());
    result.map_err(|failure| vec![failure])?;
    let wrong = parser.misused();
    if !wrong.is_empty() {
        return Err(wrong);
    }
    Ok((parser.program, parser.lexer.warnings))
}

impl Parser {
    /// Returns an error here.
    pub(super) fn fail<T>(&self, message: &str) -> Parse<T> {
        let (text, column) = self.lexer.excerpt(self.start);
        let message =
            if self.token == Token::End || self.token == Token::Newline { "unexpected newline or end of string" } else { message };
        Err(Failure { line: self.line(), place: Some((text, column)), message: message.to_owned() })
    }
    /// Returns an error at a place in the text.
    pub(super) fn fail_at<T>(&self, at: usize, message: String) -> Parse<T> {
        Err(Failure { line: self.line(), place: Some(self.lexer.excerpt(at)), message })
    }
    /// Returns a fatal message without an excerpt.
    pub(super) fn fatal<T>(&self, message: String) -> Parse<T> {
        Err(Failure { line: self.line(), place: None, message })
    }
    pub(super) fn line(&self) -> usize {
        self.lexer.line - usize::from(self.token == Token::Newline && self.lexer.line > 1)
    }
    /// Goes to the next word.
    pub(super) fn advance(&mut self) -> Parse<()> {
        let before = self.lexer.at;
        match self.lexer.next() {
            Ok(token) => {
                self.token = token;
                self.start = match self.token {
                    Token::Newline | Token::End | Token::Str(_) => self.lexer.at.saturating_sub(1).max(before),
                    _ => self.lexer.begin,
                };
                Ok(())
            }
            Err(message) => {
                self.start = self.lexer.at;
                let (text, column) = self.lexer.excerpt(self.start);
                Err(Failure { line: self.lexer.line, place: Some((text, column)), message })
            }
        }
    }
    /// Returns whether the current word is this sign.
    pub(super) fn is(&self, sign: &str) -> bool {
        matches!(self.token, Token::Sign(s) if s == sign)
    }
    /// Returns whether the current word is this word.
    pub(super) fn is_word(&self, word: &str) -> bool {
        matches!(self.token, Token::Word(w) if w == word)
    }
    /// Takes a sign if it is the current word.
    pub(super) fn take(&mut self, sign: &str) -> Parse<bool> {
        let found = self.is(sign);
        if found {
            self.advance()?;
        }
        Ok(found)
    }
    /// Takes a sign that must be the current word.
    pub(super) fn expect(&mut self, sign: &str) -> Parse<()> {
        if self.take(sign)? { Ok(()) } else { self.fail("syntax error") }
    }
    /// Skips ends of lines.
    pub(super) fn newlines(&mut self) -> Parse<()> {
        while self.token == Token::Newline {
            self.advance()?;
        }
        Ok(())
    }
    pub(super) fn terminators(&mut self) -> Parse<()> {
        while self.token == Token::Newline || self.is(";") {
            self.advance()?;
        }
        Ok(())
    }
    /// Counts the nesting.
    pub(super) fn deeper(&mut self) -> Parse<()> {
        self.depth += 1;
        if self.depth > DEEPEST { self.fatal("program nested too deeply: split it into functions".into()) } else { Ok(()) }
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

    /// Returns the variable with a name.
    pub(super) fn variable(&mut self, name: &str) -> Var {
        match self.locals.iter().position(|l| l == name) {
            Some(at) => Var::Local(at),
            None => {
                let line = self.line();
                self.used.entry(name.to_owned()).or_default().push(line);
                Var::Global(self.global(name))
            }
        }
    }

    /// Notes that a name is called; parameters are never functions.
    pub(super) fn note_call(&mut self, name: &str) {
        let (line, local) = (self.line(), self.locals.iter().any(|l| l == name));
        self.called.push((line, name.to_owned(), local));
    }

    /// Returns the errors of functions used as variables, and of variables used as functions.
    fn misused(&self) -> Vec<Failure> {
        let known: Vec<&String> = self.program.functions.iter().map(|f| &f.name).collect();
        let mut all: Vec<(usize, String)> = Vec::new();
        for name in &known {
            for line in self.used.get(*name).into_iter().flatten() {
                all.push((
                    *line,
                    format!("error: function `{name}' called with space between name and `(',\nor used as a variable or an array"),
                ));
            }
        }
        all.sort();
        let wrong = |name: &String, local: bool| local || (self.used.contains_key(name) && !known.contains(&name));
        let calls = self.called.iter().filter(|(_, name, local)| wrong(name, *local));
        all.extend(calls.map(|(line, name, _)| (*line, format!("error: attempt to use non-function `{name}' in function call"))));
        all.into_iter().map(|(line, message)| Failure { line, place: None, message }).collect()
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

    /// Reads `@namespace "x"`, `@load "x"`: accepted, names are global. `@include` was resolved before.
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
        if super::builtin::find(&name).is_some() {
            return self.fail_at(self.lexer.at.saturating_sub(1), format!("`{name}' is a built-in function, it cannot be redefined"));
        }
        if self.program.functions.iter().any(|f| f.name == name) {
            return self.fatal(format!("error: function name `{name}' previously defined"));
        }
        self.advance()?;
        self.expect("(")?;
        let mut params: Vec<String> = Vec::new();
        while !self.is(")") {
            self.newlines()?;
            let (Token::Name(param) | Token::Call(param)) = self.token.clone() else { return self.fail("syntax error") };
            if param == name {
                return self.fatal(format!("error: function `{name}': cannot use function name as parameter name"));
            }
            if special::NAMES.contains(&param.as_str()) {
                return self.fatal(format!("error: function `{name}': cannot use special variable `{param}' as a function parameter"));
            }
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
            if self.is(")") {
                return self.fail("syntax error");
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
                let outside = *word;
                self.advance()?;
                if !self.is("{") {
                    return self.fail("syntax error");
                }
                self.outside = Some(outside);
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
        self.outside = None;
        if action.is_none() && !matches!(self.token, Token::Newline | Token::End) && !self.is(";") {
            return self.fail("syntax error");
        }
        self.program.rules.push(Rule { when, action, line });
        Ok(())
    }

    pub(super) fn block(&mut self) -> Parse<Vec<Stmt>> {
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

    /// Parses the end of a simple statement: `;`, an end of line, or the end of the block.
    pub(super) fn finish(&mut self) -> Parse<()> {
        if self.token == Token::Newline || self.is(";") {
            return self.advance();
        }
        if self.is("}") || self.token == Token::End { Ok(()) } else { self.fail("syntax error") }
    }
}
