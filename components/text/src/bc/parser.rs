//! Parsing words into a tree.

use super::lexer::Token;

/// An expression.
#[derive(Debug, Clone)]
pub(super) enum Expr {
    /// Digits.
    Number(String),
    /// A variable, or `scale`, `ibase`, `obase`, `last`.
    Name(String),
    /// An element.
    Element(String, Box<Self>),
    /// A whole array, as an argument.
    Array(String),
    /// `=` and `+=`: the target, the operator, the value.
    Assign(Box<Self>, &'static str, Box<Self>),
    /// `++`, `--`: by how much, and whether before.
    Step(Box<Self>, i64, bool),
    /// Two operands.
    Binary(&'static str, Box<Self>, Box<Self>),
    /// `-`.
    Neg(Box<Self>),
    /// `!`.
    Not(Box<Self>),
    /// A function.
    Call(String, Vec<Self>),
    /// In parentheses.
    Group(Box<Self>),
}

/// A statement.
#[derive(Debug, Clone)]
pub(super) enum Stmt {
    /// An expression; its value is printed unless it is an assignment.
    Expr(Expr),
    /// A string.
    Text(String),
    /// `print`.
    Print(Vec<Result<Expr, String>>),
    /// `{ }`.
    Block(Vec<Self>),
    /// `if`.
    If(Expr, Box<Self>, Option<Box<Self>>),
    /// `while`.
    While(Expr, Box<Self>),
    /// `for`.
    For(Option<Expr>, Option<Expr>, Option<Expr>, Box<Self>),
    /// `break`.
    Break,
    /// `continue`.
    Continue,
    /// `return`.
    Return(Option<Expr>),
    /// `limits`.
    Limits,
    /// `halt`.
    Halt,
    /// `quit`.
    Quit,
    /// A function.
    Define(String, Function),
}

/// A function.
#[derive(Debug, Clone)]
pub(super) struct Function {
    /// Its parameters; arrays end with `[]`, and arrays passed by reference begin with `*`.
    pub params: Vec<String>,
    /// Its own variables.
    pub autos: Vec<String>,
    /// Whether a call as a statement prints nothing.
    pub void: bool,
    /// What it does.
    pub body: Vec<Stmt>,
}

/// The parser.
pub(super) struct Parser {
    tokens: Vec<(Token, usize)>,
    at: usize,
    depth: usize,
}

type Parse<T> = Result<T, (usize, String)>;

impl Parser {
    /// Creates a parser of these words.
    pub(super) fn new(tokens: Vec<(Token, usize)>) -> Self {
        Self { tokens, at: 0, depth: 0 }
    }
    fn peek(&self) -> &Token {
        &self.tokens[self.at.min(self.tokens.len() - 1)].0
    }
    fn next(&mut self) -> Token {
        let token = self.peek().clone();
        self.at += 1;
        token
    }
    fn fail<T>(&self) -> Parse<T> {
        // An error at the end of a line counts for the next line.
        let (token, line) = &self.tokens[self.at.min(self.tokens.len() - 1)];
        Err((line + usize::from(*token == Token::Newline), "syntax error".into()))
    }
    fn is(&self, sign: &str) -> bool {
        matches!(self.peek(), Token::Sign(s) if *s == sign)
    }
    fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Token::Name(n) if n == word)
    }
    fn take(&mut self, sign: &str) -> bool {
        let found = self.is(sign);
        self.at += usize::from(found);
        found
    }
    fn expect(&mut self, sign: &str) -> Parse<()> {
        if self.take(sign) { Ok(()) } else { self.fail() }
    }
    fn newlines(&mut self) {
        while *self.peek() == Token::Newline {
            self.at += 1;
        }
    }
    /// Continues with the next line after an error.
    pub(super) fn recover(&mut self) {
        while !matches!(self.peek(), Token::Newline | Token::End) {
            self.at += 1;
        }
    }

    /// Parses the next statements, up to the end of a line. `None` at the end.
    pub(super) fn line(&mut self) -> Parse<Option<Vec<Stmt>>> {
        let mut all = Vec::new();
        self.depth = 0;
        loop {
            match self.peek() {
                Token::End => return Ok(if all.is_empty() { None } else { Some(all) }),
                Token::Newline => {
                    self.at += 1;
                    return Ok(Some(all));
                }
                Token::Sign(";") => self.at += 1,
                _ => {
                    all.push(self.statement()?);
                    if !matches!(self.peek(), Token::Newline | Token::End) && !self.is(";") && !matches!(all.last(), Some(Stmt::Define(..)))
                    {
                        return self.fail();
                    }
                }
            }
        }
    }

    fn deeper(&mut self) -> Parse<()> {
        self.depth += 1;
        if self.depth > 200 { self.fail() } else { Ok(()) }
    }

    fn statement(&mut self) -> Parse<Stmt> {
        self.deeper()?;
        let statement = self.kind()?;
        self.depth -= 1;
        Ok(statement)
    }

    fn block(&mut self) -> Parse<Vec<Stmt>> {
        self.expect("{")?;
        let mut all = Vec::new();
        loop {
            while self.take(";") || *self.peek() == Token::Newline {
                self.newlines();
            }
            if self.take("}") {
                return Ok(all);
            }
            if *self.peek() == Token::End {
                return self.fail();
            }
            all.push(self.statement()?);
            if !self.is(";") && !self.is("}") && *self.peek() != Token::Newline {
                return self.fail();
            }
        }
    }

    fn kind(&mut self) -> Parse<Stmt> {
        if self.is("{") {
            return self.block().map(Stmt::Block);
        }
        if let Token::Text(text) = self.peek().clone() {
            self.at += 1;
            return Ok(Stmt::Text(text));
        }
        let Token::Name(word) = self.peek().clone() else { return self.expr().map(Stmt::Expr) };
        let simple = match word.as_str() {
            "break" => Some(Stmt::Break),
            "continue" => Some(Stmt::Continue),
            "halt" => Some(Stmt::Halt),
            "quit" => Some(Stmt::Quit),
            _ => None,
        };
        if let Some(simple) = simple {
            self.at += 1;
            return Ok(simple);
        }
        match word.as_str() {
            "if" => {
                self.at += 1;
                self.expect("(")?;
                let test = self.expr()?;
                self.expect(")")?;
                self.newlines();
                let yes = Box::new(self.statement()?);
                let back = self.at;
                self.newlines();
                self.take(";");
                self.newlines();
                if self.is_word("else") {
                    self.at += 1;
                    self.newlines();
                    return Ok(Stmt::If(test, yes, Some(Box::new(self.statement()?))));
                }
                self.at = back;
                Ok(Stmt::If(test, yes, None))
            }
            "while" => {
                self.at += 1;
                self.expect("(")?;
                let test = self.expr()?;
                self.expect(")")?;
                self.newlines();
                Ok(Stmt::While(test, Box::new(self.statement()?)))
            }
            "for" => {
                self.at += 1;
                self.expect("(")?;
                let init = if self.is(";") { None } else { Some(self.expr()?) };
                self.expect(";")?;
                let test = if self.is(";") { None } else { Some(self.expr()?) };
                self.expect(";")?;
                let step = if self.is(")") { None } else { Some(self.expr()?) };
                self.expect(")")?;
                self.newlines();
                Ok(Stmt::For(init, test, step, Box::new(self.statement()?)))
            }
            "return" => {
                self.at += 1;
                let none = matches!(self.peek(), Token::Newline | Token::End) || self.is(";") || self.is("}");
                Ok(Stmt::Return(if none { None } else { Some(self.expr()?) }))
            }
            "print" => {
                self.at += 1;
                let mut all = Vec::new();
                loop {
                    all.push(match self.peek().clone() {
                        Token::Text(text) => {
                            self.at += 1;
                            Err(text)
                        }
                        _ => Ok(self.expr()?),
                    });
                    if !self.take(",") {
                        return Ok(Stmt::Print(all));
                    }
                }
            }
            "limits" => {
                self.at += 1;
                Ok(Stmt::Limits)
            }
            "define" => self.define(),
            _ => self.expr().map(Stmt::Expr),
        }
    }

    fn names(&mut self, end: &str) -> Parse<Vec<String>> {
        let mut all = Vec::new();
        while !self.is(end) && *self.peek() != Token::Newline {
            let shared = self.take("*");
            let Token::Name(mut name) = self.next() else { return self.fail() };
            if self.take("[") {
                self.expect("]")?;
                name += "[]";
            }
            if shared {
                name.insert(0, '*');
            }
            all.push(name);
            if !self.take(",") {
                break;
            }
        }
        Ok(all)
    }

    fn define(&mut self) -> Parse<Stmt> {
        self.at += 1;
        let void = self.is_word("void");
        self.at += usize::from(void);
        let Token::Name(name) = self.next() else { return self.fail() };
        self.expect("(")?;
        let params = self.names(")")?;
        self.expect(")")?;
        self.newlines();
        if !self.is("{") {
            return self.fail();
        }
        // `auto` may come first in the body.
        let open = self.at;
        self.at += 1;
        while self.take(";") || *self.peek() == Token::Newline {
            self.newlines();
        }
        let mut autos = Vec::new();
        if self.is_word("auto") {
            self.at += 1;
            autos = self.names(";")?;
            self.at -= 1;
            self.tokens[self.at] = (Token::Sign("{"), 0);
        } else {
            self.at = open;
        }
        Ok(Stmt::Define(name, Function { params, autos, void, body: self.block()? }))
    }

    fn expr(&mut self) -> Parse<Expr> {
        self.deeper()?;
        let e = self.or()?;
        self.depth -= 1;
        Ok(e)
    }

    fn or(&mut self) -> Parse<Expr> {
        let mut left = self.and()?;
        while self.take("||") {
            left = Expr::Binary("||", Box::new(left), Box::new(self.and()?));
        }
        Ok(left)
    }

    fn and(&mut self) -> Parse<Expr> {
        let mut left = self.not()?;
        while self.take("&&") {
            left = Expr::Binary("&&", Box::new(left), Box::new(self.not()?));
        }
        Ok(left)
    }

    fn not(&mut self) -> Parse<Expr> {
        if self.take("!") {
            self.deeper()?;
            let e = self.not()?;
            self.depth -= 1;
            return Ok(Expr::Not(Box::new(e)));
        }
        let mut left = self.sum()?;
        loop {
            let Some(sign) = ["==", "<=", ">=", "!=", "<", ">"].into_iter().find(|s| self.is(s)) else { return Ok(left) };
            self.at += 1;
            left = Expr::Binary(sign, Box::new(left), Box::new(self.sum()?));
        }
    }

    /// Parses `name = value`, which may occur wherever a name may.
    fn assignment(&mut self, target: Expr) -> Parse<Expr> {
        let sign = ["=", "+=", "-=", "*=", "/=", "%=", "^="].into_iter().find(|s| self.is(s));
        let Some(sign) = sign.filter(|_| matches!(target, Expr::Name(_) | Expr::Element(..))) else { return Ok(target) };
        self.at += 1;
        self.deeper()?;
        let value = self.sum()?;
        self.depth -= 1;
        Ok(Expr::Assign(Box::new(target), sign, Box::new(value)))
    }

    fn sum(&mut self) -> Parse<Expr> {
        let mut left = self.product()?;
        loop {
            let sign = match self.peek() {
                Token::Sign(s @ ("+" | "-")) => *s,
                _ => return Ok(left),
            };
            self.at += 1;
            left = Expr::Binary(sign, Box::new(left), Box::new(self.product()?));
        }
    }

    fn product(&mut self) -> Parse<Expr> {
        let mut left = self.power()?;
        loop {
            let sign = match self.peek() {
                Token::Sign(s @ ("*" | "/" | "%")) => *s,
                _ => return Ok(left),
            };
            self.at += 1;
            left = Expr::Binary(sign, Box::new(left), Box::new(self.power()?));
        }
    }

    fn power(&mut self) -> Parse<Expr> {
        let base = self.unary()?;
        if self.take("^") {
            self.deeper()?;
            let exponent = self.power()?;
            self.depth -= 1;
            return Ok(Expr::Binary("^", Box::new(base), Box::new(exponent)));
        }
        Ok(base)
    }

    fn unary(&mut self) -> Parse<Expr> {
        // In bc, a minus sign binds more tightly than a power.
        if self.take("-") {
            self.deeper()?;
            let e = self.unary()?;
            self.depth -= 1;
            return Ok(Expr::Neg(Box::new(e)));
        }
        for (sign, by) in [("++", 1), ("--", -1)] {
            if self.take(sign) {
                let target = self.primary()?;
                return Ok(Expr::Step(Box::new(target), by, true));
            }
        }
        let e = self.primary()?;
        for (sign, by) in [("++", 1), ("--", -1)] {
            if matches!(e, Expr::Name(_) | Expr::Element(..)) && self.take(sign) {
                return Ok(Expr::Step(Box::new(e), by, false));
            }
        }
        self.assignment(e)
    }

    fn primary(&mut self) -> Parse<Expr> {
        match self.next() {
            Token::Number(digits) => Ok(Expr::Number(digits)),
            Token::Sign(".") => Ok(Expr::Name("last".into())),
            Token::Sign("(") => {
                let inner = self.expr()?;
                self.expect(")")?;
                Ok(Expr::Group(Box::new(inner)))
            }
            Token::Name(name) => {
                if self.take("(") {
                    let mut args = Vec::new();
                    while !self.is(")") {
                        args.push(self.expr()?);
                        if !self.take(",") {
                            break;
                        }
                    }
                    self.expect(")")?;
                    return Ok(Expr::Call(name, args));
                }
                if self.take("[") {
                    if self.take("]") {
                        return Ok(Expr::Array(name));
                    }
                    let index = self.expr()?;
                    self.expect("]")?;
                    return Ok(Expr::Element(name, Box::new(index)));
                }
                Ok(Expr::Name(name))
            }
            _ => {
                self.at -= 1;
                self.fail()
            }
        }
    }
}
