//! Parsing expressions: precedence climbing over bytes.
//!
//! bash evaluates while it parses, so that what precedes an error takes effect. Here an error becomes a part of the
//! expression, and evaluation stops where it finds it.

use super::{Binary, Expr, Unary};
use crate::sym::is_name_byte;

/// Levels of nesting that an expression may have; protects the stack.
const MAX_DEPTH: usize = 200;

/// A text that is being parsed.
pub(super) struct Parse<'a> {
    pub(super) text: &'a [u8],
    pub(super) pos: usize,
    /// Expansions read so far.
    pub(super) subs: usize,
    pub(super) depth: usize,
    /// Where the last operator began, for messages.
    pub(super) last: usize,
    pub(super) failed: bool,
}

/// Parses an expression; an empty one is 0. False if it contains an error.
pub fn parse(text: &[u8]) -> (Expr, bool) {
    let mut parse = Parse { text, pos: 0, subs: 0, depth: 0, last: 0, failed: false };
    parse.blanks();
    if parse.pos == text.len() {
        return (Expr::Num(0), true);
    }
    let expr = parse.whole();
    (expr, !parse.failed)
}

const TABLE: [(&[u8], Binary, u8); 17] = [
    (b"**", Binary::Pow, 12),
    (b"<<", Binary::Shl, 9),
    (b">>", Binary::Shr, 9),
    (b"<=", Binary::LessEq, 8),
    (b">=", Binary::GreaterEq, 8),
    (b"==", Binary::Eq, 7),
    (b"!=", Binary::NotEq, 7),
    (b"*", Binary::Mul, 11),
    (b"/", Binary::Div, 11),
    (b"%", Binary::Rem, 11),
    (b"+", Binary::Add, 10),
    (b"-", Binary::Sub, 10),
    (b"<", Binary::Less, 8),
    (b">", Binary::Greater, 8),
    (b"&", Binary::And, 6),
    (b"^", Binary::Xor, 5),
    (b"|", Binary::Or, 4),
];

impl Parse<'_> {
    /// Returns an error at the position.
    pub(super) fn fail(&mut self, message: &'static str) -> Expr {
        self.fail_at(message, self.pos)
    }
    /// Returns an error; nothing is read after it.
    pub(super) fn fail_at(&mut self, message: &'static str, at: usize) -> Expr {
        self.failed = true;
        self.pos = self.text.len();
        Expr::Fail(message, at.min(self.text.len()))
    }
    /// Returns an error after `expr`, which is evaluated first.
    pub(super) fn then_fail(&mut self, expr: Expr, message: &'static str, at: usize) -> Expr {
        Expr::Comma(Box::new(expr), Box::new(self.fail_at(message, at)))
    }
    pub(super) fn blanks(&mut self) {
        while self.text.get(self.pos).is_some_and(u8::is_ascii_whitespace) {
            self.pos += 1;
        }
    }
    pub(super) fn peek(&mut self) -> u8 {
        self.blanks();
        self.text.get(self.pos).copied().unwrap_or(b'\n')
    }
    pub(super) fn ahead(&self, text: &[u8]) -> bool {
        self.text[self.pos..].starts_with(text)
    }

    /// Returns an expression that takes up the whole text.
    pub(super) fn whole(&mut self) -> Expr {
        let expr = self.comma();
        if self.peek() == b'\n' && self.pos >= self.text.len() {
            return expr;
        }
        let message = if self.peek() == b'=' { "attempted assignment to non-variable" } else { "syntax error in expression" };
        self.then_fail(expr, message, self.pos)
    }

    pub(super) fn comma(&mut self) -> Expr {
        let mut left = self.assign();
        while self.peek() == b',' {
            self.last = self.pos;
            self.pos += 1;
            left = Expr::Comma(Box::new(left), Box::new(self.assign()));
        }
        left
    }

    fn assign(&mut self) -> Expr {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.fail("expression recursion level exceeded");
        }
        let grouped = self.peek() == b'(';
        let left = self.ternary();
        self.blanks();
        let found = [
            (&b"="[..], None),
            (b"+=", Some(Binary::Add)),
            (b"-=", Some(Binary::Sub)),
            (b"*=", Some(Binary::Mul)),
            (b"/=", Some(Binary::Div)),
            (b"%=", Some(Binary::Rem)),
            (b"<<=", Some(Binary::Shl)),
            (b">>=", Some(Binary::Shr)),
            (b"&=", Some(Binary::And)),
            (b"^=", Some(Binary::Xor)),
            (b"|=", Some(Binary::Or)),
        ]
        .into_iter()
        .find(|(op, _)| self.ahead(op) && !(op.len() == 1 && self.ahead(b"==")));
        let result = match (found, left) {
            (None, left) => left,
            (Some((op, binary)), Expr::Get(place)) if !grouped => {
                self.last = self.pos;
                self.pos += op.len();
                self.blanks();
                let at = self.pos as u32;
                Expr::Assign(place, binary, Box::new(self.assign()), at)
            }
            (Some(_), left) => self.then_fail(left, "attempted assignment to non-variable", self.pos),
        };
        self.depth -= 1;
        result
    }

    fn ternary(&mut self) -> Expr {
        let cond = self.or();
        if self.peek() != b'?' {
            return cond;
        }
        self.last = self.pos;
        self.pos += 1;
        if self.peek() == b':' || self.pos >= self.text.len() {
            let at = if self.pos >= self.text.len() { self.last } else { self.pos };
            return self.then_fail(cond, "expression expected", at);
        }
        let then = self.comma();
        if self.failed || self.peek() != b':' {
            let then = if self.failed {
                then
            } else {
                let at = self.last_seen();
                self.then_fail(then, "`:' expected for conditional expression", at)
            };
            return Expr::Cond(Box::new(cond), Box::new(then), Box::new(Expr::Num(0)));
        }
        self.last = self.pos;
        self.pos += 1;
        let otherwise = if self.peek() == b'\n' && self.pos >= self.text.len() {
            self.fail_at("expression expected", self.last)
        } else {
            // What follows `:` is no assignment: `a ? b : c = 3` assigns to the whole expression, which is an error.
            self.ternary()
        };
        Expr::Cond(Box::new(cond), Box::new(then), Box::new(otherwise))
    }

    /// Returns the position or, at the end of the text, where the last token begins.
    pub(super) fn last_seen(&self) -> usize {
        if self.pos >= self.text.len() { self.last_token() as usize } else { self.pos }
    }

    fn or(&mut self) -> Expr {
        let mut left = self.and();
        self.blanks();
        while self.ahead(b"||") {
            self.last = self.pos;
            self.pos += 2;
            left = Expr::LogicalOr(Box::new(left), Box::new(self.and()));
            self.blanks();
        }
        left
    }

    fn and(&mut self) -> Expr {
        let mut left = self.binary(4);
        self.blanks();
        while self.ahead(b"&&") {
            self.last = self.pos;
            self.pos += 2;
            left = Expr::LogicalAnd(Box::new(left), Box::new(self.binary(4)));
            self.blanks();
        }
        left
    }

    fn operator(&mut self) -> Option<(&'static [u8], Binary, u8)> {
        self.blanks();
        if self.ahead(b"&&") || self.ahead(b"||") {
            return None;
        }
        if (self.ahead(b"++") || self.ahead(b"--")) && begins_name(self.text[self.pos + 2..].trim_ascii_start()) {
            // A sign that belongs to the name after it: no operator is between the operands.
            return None;
        }
        let (op, binary, level) = TABLE.iter().find(|(op, _, _)| self.ahead(op)).copied()?;
        // An assignment operator does not belong here.
        let compares = matches!(op, b"<=" | b">=" | b"==" | b"!=");
        if !compares
            && op != b"**"
            && self.text.get(self.pos + op.len()) == Some(&b'=')
            && self.text.get(self.pos + op.len() + 1) != Some(&b'=')
        {
            return None;
        }
        Some((op, binary, level))
    }

    fn binary(&mut self, min: u8) -> Expr {
        let mut left = self.unary();
        while let Some((op, binary, level)) = self.operator() {
            if level < min {
                break;
            }
            self.last = self.pos;
            self.pos += op.len();
            self.blanks();
            let at = self.pos as u32;
            // `**` groups from the right.
            let right = self.binary(if binary == Binary::Pow { level } else { level + 1 });
            // A negative exponent is reported after its last token, where bash is at that time.
            let at = if binary == Binary::Pow { self.last_token() } else { at };
            left = Expr::Binary(binary, Box::new(left), Box::new(right), at);
        }
        left
    }

    /// Returns where the last token before the current position begins.
    fn last_token(&self) -> u32 {
        let text = self.text[..self.pos.min(self.text.len())].trim_ascii_end();
        let word = text.iter().rev().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'#' | b'@')).count();
        (text.len() - word.max(1).min(text.len())) as u32
    }

    fn unary(&mut self) -> Expr {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.fail("expression recursion level exceeded");
        }
        let expr = self.unary_inner();
        self.depth -= 1;
        expr
    }

    fn unary_inner(&mut self) -> Expr {
        let byte = self.peek();
        let before = self.pos;
        if self.ahead(b"++") || self.ahead(b"--") {
            let step = if byte == b'+' { 1 } else { -1 };
            self.pos += 2;
            self.blanks();
            if begins_name(&self.text[self.pos..]) {
                self.last = before;
                return match self.place() {
                    Ok(place) => self.operand(Expr::Step(place, step, false)),
                    Err(failure) => failure,
                };
            }
            self.pos = before;
        }
        let op = match byte {
            b'-' => Unary::Minus,
            b'+' => Unary::Plus,
            b'!' => Unary::Not,
            b'~' => Unary::Complement,
            _ => return self.primary(),
        };
        self.last = self.pos;
        self.pos += 1;
        Expr::Unary(op, Box::new(self.unary()))
    }
}

fn begins_name(text: &[u8]) -> bool {
    text.first().is_some_and(|b| is_name_byte(*b) && !b.is_ascii_digit())
}
