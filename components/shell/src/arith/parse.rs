//! Parsing expressions: precedence climbing over bytes.

use super::{Binary, Expr, Place, Unary, parse_number};
use crate::sym::{intern, is_name_byte};

/// Why a text is not an expression: a message, and where its token begins.
#[derive(Debug)]
pub struct Failure {
    /// What is wrong.
    pub message: &'static str,
    /// Where.
    pub at: usize,
}

/// Levels of nesting that an expression may have; protects the stack.
const MAX_DEPTH: usize = 200;

struct Parse<'a> {
    text: &'a [u8],
    pos: usize,
    subs: usize,
    depth: usize,
    last: usize,
}

type Parsed = Result<Expr, Failure>;

/// Parse an expression; an empty one is 0.
pub fn parse(text: &[u8]) -> Parsed {
    let mut parse = Parse { text, pos: 0, subs: 0, depth: 0, last: 0 };
    parse.blanks();
    if parse.pos == text.len() {
        return Ok(Expr::Num(0));
    }
    let expr = parse.comma()?;
    parse.blanks();
    if parse.pos < text.len() {
        let byte = text[parse.pos];
        let message = if byte == b')' || byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'(' | b'!' | b'~' | b':') {
            "syntax error in expression"
        } else if matches!(byte, b'=') {
            "attempted assignment to non-variable"
        } else {
            "syntax error: invalid arithmetic operator"
        };
        return Err(parse.fail(message));
    }
    Ok(expr)
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
    fn fail(&self, message: &'static str) -> Failure {
        Failure { message, at: self.pos.min(self.text.len()) }
    }
    fn blanks(&mut self) {
        while self.text.get(self.pos).is_some_and(u8::is_ascii_whitespace) {
            self.pos += 1;
        }
    }
    fn peek(&mut self) -> u8 {
        self.blanks();
        self.text.get(self.pos).copied().unwrap_or(b'\n')
    }
    fn ahead(&self, text: &[u8]) -> bool {
        self.text[self.pos..].starts_with(text)
    }

    fn comma(&mut self) -> Parsed {
        let mut left = self.assign()?;
        while self.peek() == b',' {
            self.last = self.pos;
            self.pos += 1;
            left = Expr::Comma(Box::new(left), Box::new(self.assign()?));
        }
        Ok(left)
    }

    fn assign(&mut self) -> Parsed {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.fail("expression recursion level exceeded"));
        }
        let left = self.ternary()?;
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
        let result = match found {
            None => left,
            Some((op, binary)) => {
                let Expr::Get(place) = left else {
                    return Err(self.fail("attempted assignment to non-variable"));
                };
                self.last = self.pos;
                self.pos += op.len();
                self.blanks();
                let at = self.pos as u32;
                Expr::Assign(place, binary, Box::new(self.assign()?), at)
            }
        };
        self.depth -= 1;
        Ok(result)
    }

    fn ternary(&mut self) -> Parsed {
        let cond = self.or()?;
        if self.peek() != b'?' {
            return Ok(cond);
        }
        self.last = self.pos;
        self.pos += 1;
        if self.peek() == b':' {
            return Err(self.fail("expression expected"));
        }
        let then = self.comma()?;
        if self.peek() != b':' {
            let at = if self.pos >= self.text.len() { self.last_token() as usize } else { self.pos };
            return Err(Failure { message: "`:' expected for conditional expression", at });
        }
        self.last = self.pos;
        self.pos += 1;
        if self.peek() == b'\n' && self.pos >= self.text.len() {
            return Err(Failure { message: "expression expected", at: self.last });
        }
        // What follows `:` is no assignment: `a ? b : c = 3` assigns to the whole expression, which is an error.
        let otherwise = self.ternary()?;
        Ok(Expr::Cond(Box::new(cond), Box::new(then), Box::new(otherwise)))
    }

    fn or(&mut self) -> Parsed {
        let mut left = self.and()?;
        self.blanks();
        while self.ahead(b"||") {
            self.last = self.pos;
            self.pos += 2;
            left = Expr::LogicalOr(Box::new(left), Box::new(self.and()?));
            self.blanks();
        }
        Ok(left)
    }

    fn and(&mut self) -> Parsed {
        let mut left = self.binary(4)?;
        self.blanks();
        while self.ahead(b"&&") {
            self.last = self.pos;
            self.pos += 2;
            left = Expr::LogicalAnd(Box::new(left), Box::new(self.binary(4)?));
            self.blanks();
        }
        Ok(left)
    }

    fn operator(&mut self) -> Option<(&'static [u8], Binary, u8)> {
        self.blanks();
        if self.ahead(b"&&") || self.ahead(b"||") {
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

    fn binary(&mut self, min: u8) -> Parsed {
        let mut left = self.unary()?;
        while let Some((op, binary, level)) = self.operator() {
            if level < min {
                break;
            }
            self.last = self.pos;
            self.pos += op.len();
            self.blanks();
            let at = self.pos as u32;
            // `**` groups from the right.
            let right = self.binary(if binary == Binary::Pow { level } else { level + 1 })?;
            // A negative exponent is reported after its last token, where bash is at that time.
            let at = if binary == Binary::Pow { self.last_token() } else { at };
            left = Expr::Binary(binary, Box::new(left), Box::new(right), at);
        }
        Ok(left)
    }

    /// Where the last token before the current position begins.
    fn last_token(&self) -> u32 {
        let text = self.text[..self.pos.min(self.text.len())].trim_ascii_end();
        let word = text.iter().rev().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'#' | b'@')).count();
        (text.len() - word.max(1).min(text.len())) as u32
    }

    fn unary(&mut self) -> Parsed {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.fail("expression recursion level exceeded"));
        }
        let expr = self.unary_inner()?;
        self.depth -= 1;
        Ok(expr)
    }

    fn unary_inner(&mut self) -> Parsed {
        let byte = self.peek();
        let before = self.pos;
        if self.ahead(b"++") || self.ahead(b"--") {
            let step = if byte == b'+' { 1 } else { -1 };
            self.pos += 2;
            let next = self.peek();
            if next.is_ascii_alphabetic() || next == b'_' {
                self.last = before;
                let place = self.place()?;
                return Ok(Expr::Step(place, step, false));
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
        let operand = self.unary()?;
        Ok(Expr::Unary(op, Box::new(operand)))
    }

    fn place(&mut self) -> Result<Place, Failure> {
        self.blanks();
        let start = self.pos;
        while self.text.get(self.pos).copied().is_some_and(is_name_byte) {
            self.pos += 1;
        }
        let name = intern(&self.text[start..self.pos]);
        if self.text.get(self.pos) == Some(&0) {
            return Err(self.fail("syntax error in expression"));
        }
        let mut index = None;
        if self.text.get(self.pos) == Some(&b'[') {
            let open = self.pos;
            let mut depth = 0;
            let mut end = open;
            loop {
                match self.text.get(end) {
                    None => return Err(Failure { message: "bad array subscript", at: start }),
                    Some(b'[') => depth += 1,
                    Some(b']') => {
                        depth -= 1;
                        if depth == 0 {
                            break;
                        }
                    }
                    _ => {}
                }
                end += 1;
            }
            let raw = self.text[open + 1..end].to_vec();
            let mut inner = Parse { text: &raw, pos: 0, subs: self.subs, depth: self.depth, last: 0 };
            let expr = match inner.comma() {
                Ok(expr) if inner.peek() == b'\n' && inner.pos >= raw.len() => Some(expr),
                _ => None,
            };
            let before = self.subs;
            self.subs += raw.iter().filter(|b| **b == 0).count();
            self.pos = end + 1;
            index = Some(Box::new((expr, raw, before)));
        }
        Ok(Place { name, index })
    }

    fn primary(&mut self) -> Parsed {
        let byte = self.peek();
        let start = self.pos;
        match byte {
            b'(' => {
                self.last = start;
                self.pos += 1;
                let inner = self.comma()?;
                if self.peek() != b')' {
                    return Err(self.fail("missing `)'"));
                }
                self.pos += 1;
                Ok(inner)
            }
            0 => {
                self.pos += 1;
                self.subs += 1;
                if self.text.get(self.pos).is_some_and(|b| is_name_byte(*b) || *b == 0 || *b == b'#' || *b == b'[') {
                    return Err(self.fail("syntax error in expression"));
                }
                Ok(Expr::Sub(self.subs - 1))
            }
            b'0'..=b'9' => {
                while self.text.get(self.pos).is_some_and(|b| is_name_byte(*b) || *b == b'#' || *b == b'@') {
                    self.pos += 1;
                }
                if self.text.get(self.pos) == Some(&0) {
                    return Err(self.fail("syntax error in expression"));
                }
                let number = parse_number(&self.text[start..self.pos]).map_err(|message| Failure { message, at: start })?;
                Ok(Expr::Num(number))
            }
            b if b.is_ascii_alphabetic() || b == b'_' => {
                let place = self.place()?;
                self.blanks();
                if self.ahead(b"++") || self.ahead(b"--") {
                    let step = if self.text[self.pos] == b'+' { 1 } else { -1 };
                    self.pos += 2;
                    return Ok(Expr::Step(place, step, true));
                }
                Ok(Expr::Get(place))
            }
            _ => {
                let at = if self.pos >= self.text.len() { self.last } else { self.pos };
                Err(Failure { message: "syntax error: operand expected", at })
            }
        }
    }
}
