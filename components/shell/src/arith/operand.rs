//! Parsing operands: numbers, variables and their subscripts, expansions, parentheses.

use super::parse::Parse;
use super::{Expr, Place, Subscript, parse_number};
use crate::sym::{intern, is_name_byte};

impl Parse<'_> {
    /// Returns where the bracket that is open at `open` closes.
    fn bracket_end(&self, open: usize) -> Option<usize> {
        let mut depth = 0;
        let mut at = open;
        loop {
            match self.text.get(at)? {
                quote @ (b'\'' | b'"' | b'`') => at += 1 + self.text[at + 1..].iter().position(|b| b == quote)?,
                b'\\' => at += 1,
                b'[' => depth += 1,
                b']' if depth == 1 => return Some(at),
                b']' => depth -= 1,
                _ => {}
            }
            at += 1;
        }
    }

    pub(super) fn place(&mut self) -> Result<Place, Expr> {
        self.blanks();
        let start = self.pos;
        self.pos += self.name_len();
        let name = intern(&self.text[start..self.pos]);
        if self.text.get(self.pos) == Some(&0) {
            return Err(self.fail("syntax error in expression"));
        }
        let mut index = None;
        if self.text.get(self.pos) == Some(&b'[') {
            let open = self.pos;
            let Some(end) = self.bracket_end(open) else { return Err(self.fail_at("bad array subscript", start)) };
            let text = &self.text[open + 1..end];
            let mut inner = Parse { text, pos: 0, subs: self.subs, depth: self.depth, last: 0, failed: false };
            let expr = inner.whole();
            let expr = (!inner.failed).then_some(expr);
            let before = self.subs;
            self.subs += text.iter().filter(|b| **b == 0).count();
            self.pos = end + 1;
            index = Some(Box::new(Subscript { expr, text: text.to_vec(), key: super::unquoted(text), before }));
        }
        Ok(Place { name, index })
    }

    /// Returns how many bytes of the text at the position belong to a name.
    fn name_len(&self) -> usize {
        self.text[self.pos..].iter().take_while(|b| is_name_byte(**b)).count()
    }

    /// Returns how many bytes of the text at the position belong to a number.
    fn number_len(&self) -> usize {
        self.text[self.pos..].iter().take_while(|b| is_name_byte(**b) || matches!(b, b'#' | b'@')).count()
    }

    /// Returns an operand. After it, bash reads the next token before it computes: what is wrong with that is reported first.
    pub(super) fn operand(&mut self, expr: Expr) -> Expr {
        self.checked(expr, "syntax error: invalid arithmetic operator")
    }

    /// Returns `expr` or, if no token follows it, the error; `message` is the one about a byte that begins none. After a name,
    /// bash reads another token.
    fn checked(&mut self, expr: Expr, message: &'static str) -> Expr {
        self.blanks();
        let (start, mut message) = (self.pos, message);
        loop {
            self.blanks();
            let at = self.pos;
            let wrong = match self.text.get(at) {
                None | Some(0) => None,
                Some(b'0'..=b'9') => parse_number(&self.text[at..at + self.number_len()]).err(),
                Some(byte) if is_name_byte(*byte) => {
                    self.pos += self.name_len();
                    message = "syntax error: invalid arithmetic operator";
                    match (self.text.get(self.pos) == Some(&b'[')).then(|| self.bracket_end(self.pos)) {
                        Some(None) => {
                            self.pos = at;
                            Some("bad array subscript")
                        }
                        Some(Some(end)) => {
                            self.pos = end + 1;
                            continue;
                        }
                        None => continue,
                    }
                }
                Some(byte) if b"=<>+-*/%&|^~!()?:,".contains(byte) => None,
                Some(_) => Some(message),
            };
            if let Some(wrong) = wrong {
                return self.then_fail(expr, wrong, self.pos);
            }
            self.pos = start;
            return expr;
        }
    }

    pub(super) fn primary(&mut self) -> Expr {
        let byte = self.peek();
        let start = self.pos;
        match byte {
            b'(' => {
                self.last = start;
                self.pos += 1;
                let inner = self.comma();
                if self.failed {
                    return inner;
                }
                if self.peek() != b')' {
                    let at = self.last_seen();
                    return self.then_fail(inner, "missing `)'", at);
                }
                self.pos += 1;
                self.checked(inner, "syntax error: operand expected")
            }
            0 => {
                let signed = !matches!(start.checked_sub(1).map(|at| self.text[at]), Some(b'-' | b'+'));
                self.pos += 1;
                self.subs += 1;
                if self.text.get(self.pos).is_some_and(|b| is_name_byte(*b) || *b == 0 || *b == b'#' || *b == b'[') {
                    return self.fail("syntax error in expression");
                }
                self.operand(Expr::Sub(self.subs - 1, signed))
            }
            b'0'..=b'9' => {
                self.pos += self.number_len();
                if self.text.get(self.pos) == Some(&0) {
                    return self.fail("syntax error in expression");
                }
                match parse_number(&self.text[start..self.pos]) {
                    Ok(number) => self.operand(Expr::Num(number)),
                    Err(message) => self.fail_at(message, start),
                }
            }
            b if is_name_byte(b) => {
                let place = match self.place() {
                    Ok(place) => place,
                    Err(failure) => return failure,
                };
                self.blanks();
                if self.ahead(b"++") || self.ahead(b"--") {
                    let step = if self.text[self.pos] == b'+' { 1 } else { -1 };
                    self.pos += 2;
                    return self.operand(Expr::Step(place, step, true));
                }
                self.operand(Expr::Get(place))
            }
            _ => {
                let at = if self.pos >= self.text.len() { self.last } else { self.pos };
                self.fail_at("syntax error: operand expected", at)
            }
        }
    }
}
