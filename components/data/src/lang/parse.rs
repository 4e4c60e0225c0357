//! The parser: operators, definitions, modules. Terms are in `terms.rs`.

use super::Mistake;
use super::lex::{Tok, tokens};
use super::tree::{Function, Import, Op, Pattern, Source, Tree};
use crate::json::Val;

/// How deep brackets, definitions and operators may nest.
const MAX_NESTING: usize = 3000;

/// A parser over the tokens of one text.
pub(super) struct Parser {
    list: Vec<(Tok, usize)>,
    pub(super) numbers: Vec<Val>,
    at: usize,
    depth: usize,
    pub(super) text: String,
}

pub(super) type Parsed<T> = Result<T, Mistake>;

/// Parses a file: a program, or a module, which has no main part.
pub(super) fn parse(text: &str) -> Parsed<Source> {
    let tokens = tokens(text)?;
    let mut parser = Parser { list: tokens.list, numbers: tokens.numbers, at: 0, depth: 0, text: text.to_owned() };
    parser.source()
}

/// Returns what binds how: the left side's level, whether two in a row are an error, whether it groups to the right.
fn binding(sign: &Tok) -> Option<(u8, Assoc)> {
    Some(match sign {
        Tok::Sign("|") => (1, Assoc::Right),
        Tok::Sign(",") => (2, Assoc::Left),
        Tok::Sign("//") => (3, Assoc::Right),
        Tok::Sign("=" | "|=" | "+=" | "-=" | "*=" | "/=" | "%=" | "//=") => (4, Assoc::None),
        Tok::Word("or") => (5, Assoc::Left),
        Tok::Word("and") => (6, Assoc::Left),
        Tok::Sign("==" | "!=" | "<" | ">" | "<=" | ">=") => (7, Assoc::None),
        Tok::Sign("+" | "-") => (8, Assoc::Left),
        Tok::Sign("*" | "/" | "%") => (9, Assoc::Left),
        _ => return None,
    })
}

#[derive(PartialEq, Eq, Clone, Copy)]
enum Assoc {
    Left,
    Right,
    None,
}

impl Parser {
    pub(super) fn peek(&self) -> &Tok {
        &self.list[self.at].0
    }

    pub(super) fn place(&self) -> usize {
        self.list[self.at].1
    }

    pub(super) fn next(&mut self) -> Tok {
        let tok = self.list[self.at].0.clone();
        if self.at + 1 < self.list.len() {
            self.at += 1;
        }
        tok
    }

    pub(super) fn accept(&mut self, sign: &str) -> bool {
        let found = matches!(self.peek(), Tok::Sign(s) | Tok::Word(s) if *s == sign);
        if found {
            self.next();
        }
        found
    }

    pub(super) fn expect(&mut self, sign: &str) -> Parsed<()> {
        if self.accept(sign) { Ok(()) } else { Err(self.unexpected(&format!(", expecting '{sign}'"))) }
    }

    pub(super) fn expect_word(&mut self, word: &str) -> Parsed<()> {
        if self.accept(word) { Ok(()) } else { Err(self.unexpected("")) }
    }

    /// Returns the error for the token that comes next.
    pub(super) fn unexpected(&self, expecting: &str) -> Mistake {
        let what = format!("syntax error, unexpected {}{expecting} (Unix shell quoting issues?)", self.peek().name());
        Mistake::new(what, self.place())
    }

    pub(super) fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.depth += 1;
        if self.depth > MAX_NESTING {
            return Err(Mistake::new(format!("nested more than {MAX_NESTING} deep"), self.place()));
        }
        let result = inner(self);
        self.depth -= 1;
        result
    }

    fn source(&mut self) -> Parsed<Source> {
        let mut source = Source::default();
        if self.accept("module") {
            let at = self.place();
            source.module = Some(self.metadata(at)?);
            self.expect(";")?;
        }
        while matches!(self.peek(), Tok::Word("import" | "include")) {
            source.imports.push(self.import()?);
        }
        while *self.peek() == Tok::Word("def") {
            source.functions.push(self.function()?);
        }
        if *self.peek() != Tok::End {
            if !self.begins() {
                return Err(self.unexpected(", expecting end of file"));
            }
            source.main = Some(self.pipe()?);
            if *self.peek() != Tok::End {
                return Err(self.unexpected(", expecting end of file"));
            }
        }
        Ok(source)
    }

    /// Returns whether an expression can begin here.
    fn begins(&self) -> bool {
        match self.peek() {
            Tok::Sign(sign) => matches!(*sign, "." | ".." | "(" | "[" | "{" | "-"),
            Tok::Word(word) => matches!(*word, "if" | "reduce" | "foreach" | "try" | "label" | "def"),
            Tok::Invalid | Tok::Close | Tok::End => false,
            _ => true,
        }
    }

    fn metadata(&mut self, at: usize) -> Parsed<Val> {
        let tree = self.term()?;
        let val = tree.constant().ok_or_else(|| Mistake::new("Module metadata must be constant", at))?;
        if matches!(val, Val::Obj(_)) { Ok(val) } else { Err(Mistake::new("Module metadata must be an object", at)) }
    }

    fn import(&mut self) -> Parsed<Import> {
        let include = self.next() == Tok::Word("include");
        let at = self.place();
        if *self.peek() != Tok::Quote {
            return Err(self.unexpected(""));
        }
        let path = self.string(None)?.constant().and_then(|v| v.as_str().map(str::to_owned));
        let path = path.ok_or_else(|| Mistake::new("Import path must be constant", at))?;
        let (mut name, mut data) = (None, false);
        if !include {
            self.expect_word("as")?;
            match self.next() {
                Tok::Ident(ident) => name = Some(ident),
                Tok::Binding(ident) => (name, data) = (Some(ident), true),
                _ => {
                    self.at -= 1;
                    return Err(self.unexpected(""));
                }
            }
        }
        let at_meta = self.place();
        let meta = if *self.peek() == Tok::Sign(";") { None } else { Some(self.metadata(at_meta)?) };
        self.expect(";")?;
        Ok(Import { path, name, data, meta })
    }

    /// Parses `def name(params): body;`.
    fn function(&mut self) -> Parsed<Function> {
        self.next();
        let name = match self.next() {
            Tok::Ident(name) => name,
            Tok::Word(word) => word.to_owned(),
            _ => {
                self.at -= 1;
                return Err(self.unexpected(", expecting IDENT"));
            }
        };
        let mut params = Vec::new();
        let mut values = Vec::new();
        if self.accept("(") {
            loop {
                match self.next() {
                    Tok::Ident(param) => params.push(param),
                    Tok::Word(word) => params.push(word.to_owned()),
                    Tok::Binding(param) => {
                        values.push(param.clone());
                        params.push(param);
                    }
                    _ => {
                        self.at -= 1;
                        return Err(self.unexpected(""));
                    }
                }
                if self.accept(")") {
                    break;
                }
                self.expect(";")?;
            }
        }
        self.expect(":")?;
        let mut body = self.pipe()?;
        if !self.accept(";") {
            return Err(self.unexpected(""));
        }
        // A parameter `$a` is a filter `a` whose values `$a` takes one after the other.
        for param in values.into_iter().rev() {
            let source = Tree::Call(param.clone(), Vec::new(), 0);
            body = Tree::Bind(Box::new(source), vec![Pattern::Var(param)], Box::new(body));
        }
        Ok(Function { name, params, body })
    }

    /// Parses an expression with everything in it.
    pub(super) fn pipe(&mut self) -> Parsed<Tree> {
        self.nested(|p| p.binary(1, false))
    }

    /// Parses the value of a member that is built: no comma, the pipe is part of it.
    pub(super) fn member_value(&mut self) -> Parsed<Tree> {
        self.nested(|p| p.binary(1, true))
    }

    fn binary(&mut self, least: u8, no_comma: bool) -> Parsed<Tree> {
        let mut left = self.unary(no_comma)?;
        let mut last = None;
        while let Some((level, assoc)) = binding(self.peek()) {
            if level < least || (no_comma && level == 2) {
                break;
            }
            if assoc == Assoc::None && last == Some(level) {
                return Err(self.unexpected(""));
            }
            let sign = self.next();
            let next = if assoc == Assoc::Right { level } else { level + 1 };
            let right = self.nested(|p| p.binary(next, no_comma))?;
            left = combine(&sign, left, right);
            last = Some(level);
        }
        Ok(left)
    }

    fn unary(&mut self, no_comma: bool) -> Parsed<Tree> {
        match self.peek() {
            Tok::Word("def") => {
                let function = self.function()?;
                let rest = self.nested(|p| p.binary(1, no_comma))?;
                Ok(Tree::Define(Box::new(function), Box::new(rest)))
            }
            Tok::Sign("-") => {
                self.next();
                let inner = self.nested(|p| p.binary(9, no_comma))?;
                Ok(match inner {
                    Tree::Const(val) => val.number().map_or(Tree::Negate(Box::new(Tree::Const(val))), |n| Tree::Const(Val::Num(-n))),
                    inner => Tree::Negate(Box::new(inner)),
                })
            }
            Tok::Word("label") => {
                self.next();
                let Tok::Binding(name) = self.next() else {
                    self.at -= 1;
                    return Err(self.unexpected(", expecting BINDING"));
                };
                self.expect("|")?;
                let body = self.nested(|p| p.binary(1, no_comma))?;
                Ok(Tree::Label(name, Box::new(body)))
            }
            Tok::Word("try") => {
                self.next();
                let body = self.nested(|p| p.unary(no_comma))?;
                let handler = if self.accept("catch") { Some(Box::new(self.nested(|p| p.unary(no_comma))?)) } else { None };
                Ok(Tree::Try(Box::new(body), handler))
            }
            _ => {
                let term = self.term()?;
                if !self.accept("as") {
                    return Ok(term);
                }
                let patterns = self.patterns()?;
                self.expect("|")?;
                let body = self.nested(|p| p.binary(1, no_comma))?;
                Ok(Tree::Bind(Box::new(term), patterns, Box::new(body)))
            }
        }
    }
}

fn combine(sign: &Tok, left: Tree, right: Tree) -> Tree {
    let (a, b) = (Box::new(left), Box::new(right));
    let (Tok::Sign(sign) | Tok::Word(sign)) = sign else { return *a };
    let op = |text: &str| match text {
        "+" => Op::Add,
        "-" => Op::Sub,
        "*" => Op::Mul,
        "/" => Op::Div,
        "%" => Op::Rem,
        "==" => Op::Eq,
        "!=" => Op::Ne,
        "<" => Op::Lt,
        ">" => Op::Gt,
        "<=" => Op::Le,
        _ => Op::Ge,
    };
    match *sign {
        "|" => Tree::Pipe(a, b),
        "," => Tree::Comma(a, b),
        "//" => Tree::Alternative(a, b),
        "and" => Tree::And(a, b),
        "or" => Tree::Or(a, b),
        "=" => Tree::Assign(a, b),
        "|=" => Tree::Modify(a, b),
        "//=" => Tree::Update(None, a, b),
        "+=" | "-=" | "*=" | "/=" | "%=" => Tree::Update(Some(op(&sign[..1])), a, b),
        other => Tree::Binary(op(other), a, b),
    }
}
