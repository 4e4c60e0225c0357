//! Expressions, by precedence.

use super::ast::{Arith, ArrayExpr, Cmp, Expr, Lvalue, Origin};
use super::builtin;
use super::lexer::Token;
use super::parser::{Parse, Parser};

impl Parser {
    /// Parses a list of expressions.
    pub(super) fn list(&mut self) -> Parse<Vec<Expr>> {
        let mut all = vec![self.expr()?];
        while self.take(",")? {
            self.newlines()?;
            all.push(self.expr()?);
        }
        Ok(all)
    }

    /// Compiles an expression.
    pub(super) fn expr(&mut self) -> Parse<Expr> {
        self.deeper()?;
        let left = self.or()?;
        let result = self.ternary(left)?;
        self.depth -= 1;
        Ok(result)
    }

    fn ternary(&mut self, test: Expr) -> Parse<Expr> {
        if !self.take("?")? {
            return self.assignment(test);
        }
        self.newlines()?;
        let yes = self.expr()?;
        self.newlines()?;
        self.expect(":")?;
        self.newlines()?;
        let no = self.expr()?;
        Ok(Expr::Cond(Box::new(test), Box::new(yes), Box::new(no)))
    }

    fn assignment(&mut self, left: Expr) -> Parse<Expr> {
        let Token::Sign(sign) = self.token else { return Ok(left) };
        let op = match sign {
            "=" => None,
            "+=" => Some(Arith::Add),
            "-=" => Some(Arith::Sub),
            "*=" => Some(Arith::Mul),
            "/=" => Some(Arith::Div),
            "%=" => Some(Arith::Mod),
            "^=" => Some(Arith::Pow),
            _ => return Ok(left),
        };
        // `a && b = c`: the assignment belongs to the last operand.
        let assign = |target: Lvalue, value: Expr| match op {
            None => Expr::Assign(target, Box::new(value)),
            Some(op) => Expr::Update(op, target, Box::new(value)),
        };
        match split(left) {
            Ok((target, wrap)) => {
                self.advance()?;
                self.newlines()?;
                let value = self.expr()?;
                Ok(wrap(assign(target, value)))
            }
            // `$i++ = 3`: the error shows only here.
            Err(true) => {
                self.advance()?;
                self.expr()?;
                self.fail_at(self.start, "cannot assign a value to the result of a field post-increment expression".into())
            }
            Err(false) => self.fail("syntax error"),
        }
    }

    fn or(&mut self) -> Parse<Expr> {
        let mut left = self.and()?;
        while self.take("||")? {
            self.newlines()?;
            left = Expr::Or(Box::new(left), Box::new(self.and()?));
        }
        Ok(left)
    }

    fn and(&mut self) -> Parse<Expr> {
        let mut left = self.membership()?;
        while self.take("&&")? {
            self.newlines()?;
            left = Expr::And(Box::new(left), Box::new(self.membership()?));
        }
        Ok(left)
    }

    fn membership(&mut self) -> Parse<Expr> {
        let mut left = self.matching()?;
        while self.is_word("in") && !self.no_in {
            self.advance()?;
            let array = self.array()?;
            let keys = match left {
                Expr::List(keys) => keys,
                single => vec![single],
            };
            left = Expr::In(keys, array);
        }
        Ok(left)
    }

    fn matching(&mut self) -> Parse<Expr> {
        let mut left = self.comparison()?;
        while self.is("~") || self.is("!~") {
            let negate = self.is("!~");
            self.advance()?;
            let right = self.comparison()?;
            left = Expr::Match(Box::new(left), Box::new(right), negate);
        }
        Ok(left)
    }

    fn comparison(&mut self) -> Parse<Expr> {
        let left = self.piped()?;
        let Some(cmp) = self.comparison_sign() else { return Ok(left) };
        self.advance()?;
        let right = self.piped()?;
        // `a < b < c` is not an expression.
        if self.comparison_sign().is_some() {
            return self.fail("syntax error");
        }
        Ok(Expr::Compare(cmp, Box::new(left), Box::new(right)))
    }

    fn comparison_sign(&self) -> Option<Cmp> {
        Some(match self.token {
            Token::Sign("<") => Cmp::Lt,
            Token::Sign("<=") => Cmp::Le,
            Token::Sign("==") => Cmp::Eq,
            Token::Sign("!=") => Cmp::Ne,
            Token::Sign(">") if !self.no_gt => Cmp::Gt,
            Token::Sign(">=") => Cmp::Ge,
            _ => return None,
        })
    }

    /// Parses `command | getline`.
    fn piped(&mut self) -> Parse<Expr> {
        let mut left = self.concat()?;
        // After `print`, `|` writes: `print x | getline` writes to a command called `getline`.
        while !self.no_gt && (self.is("|") || self.is("|&")) {
            let both = self.is("|&");
            let (token, at, start, line) = (self.token.clone(), self.lexer.at, self.start, self.lexer.line);
            self.advance()?;
            if !self.is_word("getline") {
                (self.token, self.lexer.at, self.start, self.lexer.line) = (token, at, start, line);
                break;
            }
            self.advance()?;
            let target = self.target()?;
            left = Expr::Getline(target, Origin::Command(Box::new(left), both));
            // `cmd | getline x y` joins two texts; `cmd | getline x + 1` is a sum.
            left = self.term_from(left)?;
            left = self.additive_from(left)?;
            if self.begins_operand() {
                let mut parts = vec![left];
                while self.begins_operand() {
                    parts.push(self.additive()?);
                }
                left = Expr::Concat(parts);
            }
        }
        Ok(left)
    }

    /// Parses texts that follow each other.
    pub(super) fn concat(&mut self) -> Parse<Expr> {
        let first = self.additive()?;
        let mut parts = vec![first];
        while self.begins_operand() {
            parts.push(self.additive()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Expr::Concat(parts) })
    }

    fn begins_operand(&self) -> bool {
        match &self.token {
            Token::Num(_) | Token::Str(_) | Token::Name(_) | Token::Call(_) => true,
            Token::Sign(sign) => matches!(*sign, "$" | "!" | "(" | "-" | "+" | "++" | "--" | "@"),
            _ => false,
        }
    }

    fn additive(&mut self) -> Parse<Expr> {
        let left = self.term()?;
        self.additive_from(left)
    }

    fn additive_from(&mut self, mut left: Expr) -> Parse<Expr> {
        loop {
            let op = match self.token {
                Token::Sign("+") => Arith::Add,
                Token::Sign("-") => Arith::Sub,
                _ => return Ok(left),
            };
            self.advance()?;
            left = Expr::Arith(op, Box::new(left), Box::new(self.term()?));
        }
    }

    fn term(&mut self) -> Parse<Expr> {
        let left = self.unary()?;
        self.term_from(left)
    }

    fn term_from(&mut self, mut left: Expr) -> Parse<Expr> {
        loop {
            let op = match self.token {
                Token::Sign("*") => Arith::Mul,
                Token::Sign("/") => Arith::Div,
                Token::Sign("%") => Arith::Mod,
                _ => return Ok(left),
            };
            self.advance()?;
            left = Expr::Arith(op, Box::new(left), Box::new(self.unary()?));
        }
    }

    /// Parses `!`, `-`, `+` and their operands.
    pub(super) fn unary(&mut self) -> Parse<Expr> {
        let Token::Sign(sign @ ("!" | "-" | "+")) = self.token else { return self.power() };
        self.deeper()?;
        self.advance()?;
        let operand = self.unary()?;
        self.depth -= 1;
        Ok(match sign {
            "!" => Expr::Not(Box::new(operand)),
            "-" => Expr::Neg(Box::new(operand)),
            _ => Expr::Plus(Box::new(operand)),
        })
    }

    fn power(&mut self) -> Parse<Expr> {
        let base = self.postfix()?;
        if !self.take("^")? {
            return Ok(base);
        }
        self.deeper()?;
        // The exponent may have a sign and associates to the right.
        let exponent = self.unary()?;
        self.depth -= 1;
        Ok(Expr::Arith(Arith::Pow, Box::new(base), Box::new(exponent)))
    }

    fn postfix(&mut self) -> Parse<Expr> {
        let operand = self.primary()?;
        let step = match self.token {
            Token::Sign("++") => 1.0,
            Token::Sign("--") => -1.0,
            _ => return Ok(operand),
        };
        match operand {
            Expr::Lvalue(target) => {
                self.advance()?;
                Ok(Expr::Step(target, step, false))
            }
            other => Ok(other),
        }
    }

    fn primary(&mut self) -> Parse<Expr> {
        match self.token.clone() {
            Token::Num(n) => {
                self.advance()?;
                Ok(Expr::Num(n))
            }
            Token::Str(text) => {
                self.advance()?;
                Ok(Expr::Str(text))
            }
            Token::Sign("/" | "/=") => self.regex().map(Expr::Regex),
            Token::Sign("(") => self.group(),
            Token::Sign("$") => self.field(),
            Token::Sign(sign @ ("++" | "--")) => self.prefix(sign),
            Token::Sign("@") => self.indirect(),
            Token::Word("getline") => {
                self.advance()?;
                let target = self.target()?;
                if self.is("<") {
                    self.advance()?;
                    let file = self.postfix()?;
                    return Ok(Expr::Getline(target, Origin::File(Box::new(file))));
                }
                Ok(Expr::Getline(target, Origin::Main))
            }
            Token::Name(name) => {
                self.advance()?;
                if let Some(builtin) = builtin::find(&name) {
                    return self.builtin(builtin);
                }
                self.named(&name)
            }
            Token::Call(name) => {
                self.note_call(&name);
                self.advance()?;
                let args = self.arguments()?;
                Ok(Expr::Call(name, args))
            }
            _ => self.fail("syntax error"),
        }
    }

    fn field(&mut self) -> Parse<Expr> {
        self.advance()?;
        self.deeper()?;
        let index = match self.token {
            Token::Sign(sign @ ("++" | "--")) => self.prefix(sign)?,
            Token::Sign("-" | "+" | "!") => self.unary()?,
            // `$$i++` is `$($i++)`.
            Token::Sign("$") => self.postfix()?,
            _ => self.primary()?,
        };
        self.depth -= 1;
        Ok(Expr::Lvalue(Lvalue::Field(Box::new(index))))
    }

    fn prefix(&mut self, sign: &str) -> Parse<Expr> {
        self.advance()?;
        match self.primary()? {
            Expr::Lvalue(target) => Ok(Expr::Step(target, if sign == "++" { 1.0 } else { -1.0 }, true)),
            _ => self.fail("syntax error"),
        }
    }

    fn regex(&mut self) -> Parse<Vec<u8>> {
        let mut text = if self.is("/=") { vec![b'='] } else { Vec::new() };
        let begin = self.lexer.at - text.len();
        match self.lexer.regex() {
            Ok(rest) => text.extend(rest),
            Err(message) => return self.fail_at(begin, message),
        }
        self.advance()?;
        Ok(text)
    }

    fn group(&mut self) -> Parse<Expr> {
        self.deeper()?;
        self.advance()?;
        let (no_in, no_gt) = (std::mem::replace(&mut self.no_in, false), std::mem::replace(&mut self.no_gt, false));
        self.newlines()?;
        let mut all = self.list()?;
        self.newlines()?;
        self.expect(")")?;
        (self.no_in, self.no_gt) = (no_in, no_gt);
        self.depth -= 1;
        Ok(if all.len() == 1 { Expr::Group(Box::new(all.remove(0))) } else { Expr::List(all) })
    }

    fn named(&mut self, name: &str) -> Parse<Expr> {
        let variable = self.variable(name);
        let mut target = Lvalue::Var(variable);
        while self.is("[") {
            let keys = self.subscripts()?;
            let array = match target {
                Lvalue::Elem(array, keys) => ArrayExpr::Elem(array, keys),
                _ => ArrayExpr::Var(variable),
            };
            target = Lvalue::Elem(Box::new(array), keys);
        }
        Ok(Expr::Lvalue(target))
    }

    /// Parses `[i, j]`.
    pub(super) fn subscripts(&mut self) -> Parse<Vec<Expr>> {
        self.expect("[")?;
        let (no_in, no_gt) = (std::mem::replace(&mut self.no_in, false), std::mem::replace(&mut self.no_gt, false));
        self.newlines()?;
        let keys = self.list()?;
        self.newlines()?;
        self.expect("]")?;
        (self.no_in, self.no_gt) = (no_in, no_gt);
        Ok(keys)
    }

    fn arguments(&mut self) -> Parse<Vec<Expr>> {
        self.deeper()?;
        self.expect("(")?;
        let (no_in, no_gt) = (std::mem::replace(&mut self.no_in, false), std::mem::replace(&mut self.no_gt, false));
        self.newlines()?;
        let args = if self.is(")") { Vec::new() } else { self.list()? };
        self.newlines()?;
        self.expect(")")?;
        (self.no_in, self.no_gt) = (no_in, no_gt);
        self.depth -= 1;
        Ok(args)
    }

    fn builtin(&mut self, builtin: builtin::Builtin) -> Parse<Expr> {
        let (name, least, most) = builtin::facts(builtin);
        if !self.is("(") {
            if builtin == builtin::Builtin::Length {
                return Ok(Expr::Builtin(builtin, Vec::new()));
            }
            return self.fail("syntax error");
        }
        let args = self.arguments()?;
        if args.len() < least || args.len() > most {
            return self.fail_at(self.lexer.closing(self.start), format!("{} is invalid as number of arguments for {name}", args.len()));
        }
        Ok(Expr::Builtin(builtin, args))
    }

    /// Parses `@/re/` or `@name(args)`.
    fn indirect(&mut self) -> Parse<Expr> {
        self.advance()?;
        match self.token.clone() {
            Token::Sign("/" | "/=") => self.regex().map(Expr::Strong),
            Token::Call(name) => {
                self.advance()?;
                let variable = Expr::Lvalue(Lvalue::Var(self.variable(&name)));
                let args = self.arguments()?;
                Ok(Expr::Indirect(Box::new(variable), args))
            }
            _ => self.fail("syntax error"),
        }
    }

    /// Parses the variable after `getline`.
    fn target(&mut self) -> Parse<Option<Lvalue>> {
        match self.token {
            Token::Name(ref name) if builtin::find(name).is_none() => {}
            Token::Sign("$") => {}
            _ => return Ok(None),
        }
        match self.primary()? {
            Expr::Lvalue(target) => Ok(Some(target)),
            _ => self.fail("syntax error"),
        }
    }
}

type Wrap = Box<dyn FnOnce(Expr) -> Expr>;

/// Returns the target at the right end of an expression, and the expression that goes around the assignment to it.
/// The error says whether it is a field with `++` or `--`.
fn split(left: Expr) -> Result<(Lvalue, Wrap), bool> {
    match left {
        Expr::Lvalue(target) => Ok((target, Box::new(|e| e))),
        Expr::Or(a, b) => split(*b).map(|(t, w)| (t, Box::new(|e| Expr::Or(a, Box::new(w(e)))) as Wrap)),
        Expr::And(a, b) => split(*b).map(|(t, w)| (t, Box::new(|e| Expr::And(a, Box::new(w(e)))) as Wrap)),
        Expr::Compare(cmp, a, b) => split(*b).map(|(t, w)| (t, Box::new(move |e| Expr::Compare(cmp, a, Box::new(w(e)))) as Wrap)),
        Expr::Match(a, b, n) => split(*b).map(|(t, w)| (t, Box::new(move |e| Expr::Match(a, Box::new(w(e)), n)) as Wrap)),
        Expr::Step(Lvalue::Field(_), _, false) => Err(true),
        _ => Err(false),
    }
}
