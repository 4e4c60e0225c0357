//! Evaluating expressions.

use super::{ArithText, Binary, Expr, Place, Subscript, Unary, parse};
use crate::ast::Part;
use crate::shell::{Flow, Run, Shell};
use crate::sym::Sym;
use crate::vars::{Attrs, Value, parse_int};
use std::borrow::Cow;

/// Why an evaluation ends early.
#[derive(Debug)]
pub enum ArithError {
    /// A message, with the position of its token.
    Message(&'static str, usize),
    /// An expansion was not a plain number: the expression must be read again as text.
    Text,
    /// Something else ended it, and has been reported.
    Flow(Flow),
}

impl From<Flow> for ArithError {
    fn from(flow: Flow) -> Self {
        Self::Flow(flow)
    }
}

type Eval<T = i64> = Result<T, ArithError>;

/// Depth of variables whose values are expressions that name variables. bash's limit is 1,024; ours protects the stack.
const MAX_RECURSION: u32 = 200;

struct Frame<'a> {
    subs: &'a [Vec<u8>],
}

impl Shell {
    /// Run something with arithmetic in it for a command or a parameter: its name precedes error messages, including
    /// those about the values of variables.
    pub(crate) fn for_name<T>(&mut self, name: impl Into<Cow<'static, [u8]>>, run: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.arithmetic.subject, name.into());
        let result = run(self);
        self.arithmetic.subject = outer;
        result
    }

    /// Evaluate; errors are reported and end the line.
    pub fn arith(&mut self, text: &ArithText) -> Run<i64> {
        let compiled = text.compiled().clone();
        let mut subs = Vec::new();
        for part in &compiled.subs {
            subs.push(self.expand_arith_part(part)?);
        }
        if let Some(expr) = &compiled.expr {
            match self.eval(expr, &Frame { subs: &subs }) {
                Ok(value) => return Ok(value),
                Err(ArithError::Flow(flow)) => return Err(flow),
                // Not evaluated again: an assignment before the error is made only once.
                Err(ArithError::Message(message, at)) => {
                    let text = fill(&compiled.text, &subs, 0);
                    let at = fill(&compiled.text[..at.min(compiled.text.len())], &subs, 0).len();
                    return Err(self.arith_error(&text, message, at));
                }
                Err(ArithError::Text) => {}
            }
        }
        let text = fill(&compiled.text, &subs, 0);
        self.eval_text(&text)
    }

    fn expand_arith_part(&mut self, part: &Part) -> Run<Vec<u8>> {
        self.expand_quoted(std::slice::from_ref(part))
    }

    /// Evaluate text that has been expanded.
    pub fn eval_text(&mut self, text: &[u8]) -> Run<i64> {
        if let Some(number) = parse_int(text) {
            return Ok(number);
        }
        let result = parse(text)
            .map_err(|failure| ArithError::Message(failure.message, failure.at))
            .and_then(|expr| self.eval(&expr, &Frame { subs: &[] }));
        match result {
            Ok(value) => Ok(value),
            Err(ArithError::Flow(flow)) => Err(flow),
            Err(ArithError::Message(message, at)) => Err(self.arith_error(text, message, at)),
            Err(ArithError::Text) => Err(self.arith_error(text, "syntax error in expression", 0)),
        }
    }

    fn arith_error(&mut self, text: &[u8], message: &str, at: usize) -> Flow {
        self.arithmetic.failed = true;
        let lead = text.iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
        let mut shown = &text[lead..];
        let at = at.saturating_sub(lead).min(shown.len());
        if super::number::MESSAGES.contains(&message) {
            // What follows a wrong number is not examined.
            let len = shown[at..].iter().take_while(|b| crate::sym::is_name_byte(**b) || matches!(b, b'#' | b'@')).count();
            shown = &shown[..at + len];
        }
        let token = &shown[at..];
        let mut line = Vec::new();
        if !self.arithmetic.subject.is_empty() {
            line.extend_from_slice(&self.arithmetic.subject);
            line.extend_from_slice(b": ");
        }
        line.extend_from_slice(shown);
        line.extend_from_slice(format!(": {message} (error token is \"{}\")", String::from_utf8_lossy(token)).as_bytes());
        self.error(line);
        Flow::Discard(1)
    }

    fn eval(&mut self, expr: &Expr, frame: &Frame<'_>) -> Eval {
        Ok(match expr {
            Expr::Num(number) => *number,
            Expr::Sub(at) => match frame.subs.get(*at).map(|text| parse_int(text)) {
                Some(Some(number)) if number >= 0 => number,
                _ => return Err(ArithError::Text),
            },
            Expr::Get(place) => self.load(place, frame)?,
            Expr::Unary(op, operand) => {
                let value = self.eval(operand, frame)?;
                unary(*op, value)
            }
            Expr::Binary(op, left, right, at) => {
                let left = self.eval(left, frame)?;
                let right = self.eval(right, frame)?;
                apply(*op, left, right, *at)?
            }
            Expr::LogicalAnd(left, right) | Expr::LogicalOr(left, right) => {
                let left = self.eval(left, frame)? != 0;
                if left == matches!(expr, Expr::LogicalOr(..)) {
                    skipped(right)?;
                    i64::from(left)
                } else {
                    i64::from(self.eval(right, frame)? != 0)
                }
            }
            Expr::Cond(cond, then, otherwise) => {
                let (taken, left_out) = if self.eval(cond, frame)? != 0 { (then, otherwise) } else { (otherwise, then) };
                skipped(left_out)?;
                self.eval(taken, frame)?
            }
            Expr::Assign(place, op, value, at) => {
                let value = match op {
                    None => self.eval(value, frame)?,
                    Some(op) => {
                        let old = self.load(place, frame)?;
                        let right = self.eval(value, frame)?;
                        apply(*op, old, right, *at)?
                    }
                };
                self.store(place, value, frame)?;
                value
            }
            Expr::Step(place, step, after) => {
                let old = self.load(place, frame)?;
                let new = old.wrapping_add(*step);
                self.store(place, new, frame)?;
                if *after { old } else { new }
            }
            Expr::Comma(left, right) => {
                self.eval(left, frame)?;
                self.eval(right, frame)?
            }
        })
    }

    fn load(&mut self, place: &Place, frame: &Frame<'_>) -> Eval {
        if let Some(index) = &place.index {
            if index.1.is_empty() {
                // bash reports this twice and continues with 0.
                self.error(format!("{}[]: bad array subscript", place.name.text()));
                self.error(format!("{}[]: bad array subscript", place.name.text()));
                return Ok(0);
            }
            let text = self.load_element(place.name, index, frame)?;
            return match text {
                Some(text) => self.value_of(&text),
                None => self.unset(place.name),
            };
        }
        match self.vars.get(place.name) {
            None => self.unset(place.name),
            Some(var) if !var.attrs.any(Attrs::DYNAMIC.0 | Attrs::NAMEREF.0) => match &var.value {
                Value::Int(number) => Ok(*number),
                Value::Str(text) => match parse_int(text) {
                    Some(number) => Ok(number),
                    None => {
                        let text = text.clone();
                        self.value_of(&text)
                    }
                },
                Value::Unset => self.unset(place.name),
                other => {
                    let text = other.scalar().map(Cow::into_owned);
                    text.map_or(Ok(0), |text| self.value_of(&text))
                }
            },
            Some(_) => match self.get(place.name) {
                Some(text) => self.value_of(&text),
                None => self.unset(place.name),
            },
        }
    }

    fn unset(&mut self, name: Sym) -> Eval {
        if self.opts.has(b'u') {
            self.error(format!("{}: unbound variable", name.text()));
            return Err(ArithError::Flow(Flow::Exit(1)));
        }
        Ok(0)
    }

    /// The number that a variable's text represents: the text is itself an expression.
    fn value_of(&mut self, text: &[u8]) -> Eval {
        if let Some(number) = parse_int(text) {
            return Ok(number);
        }
        self.arithmetic.depth += 1;
        let result = if self.arithmetic.depth > MAX_RECURSION {
            Err(ArithError::Message("expression recursion level exceeded", 0))
        } else {
            match parse(text) {
                Ok(expr) => self.eval(&expr, &Frame { subs: &[] }),
                Err(failure) => Err(ArithError::Message(failure.message, failure.at)),
            }
        };
        self.arithmetic.depth -= 1;
        match result {
            Err(ArithError::Message(message, at)) => Err(ArithError::Flow(self.arith_error(text, message, at))),
            other => other,
        }
    }

    fn load_element(&mut self, name: Sym, index: &Subscript, frame: &Frame<'_>) -> Eval<Option<Vec<u8>>> {
        let name = self.resolve(name).name;
        if let Some(Value::Assoc(_)) = self.vars.get(name).map(|var| &var.value) {
            let key = fill(&index.1, frame.subs, index.2);
            if let Some(Value::Assoc(array)) = self.vars.get(name).map(|var| &var.value) {
                return Ok(array.get(&key).map(<[u8]>::to_vec));
            }
        }
        let at = self.index(index, frame)?;
        match self.vars.get(name) {
            Some(var) if !var.attrs.has(Attrs::DYNAMIC) => {
                if let Value::Indexed(array) = &var.value {
                    let at = if at < 0 { at + array.end() } else { at };
                    if at < 0 {
                        self.error(format!("{}: bad array subscript", name.text()));
                        return Ok(None);
                    }
                    return Ok(array.get(at).map(<[u8]>::to_vec));
                }
            }
            _ => {}
        }
        let var = self.var(name);
        Ok(var.and_then(|var| self.indexed(&var, at)))
    }

    fn index(&mut self, index: &Subscript, frame: &Frame<'_>) -> Eval {
        if index.1.is_empty() {
            return Err(ArithError::Message("bad array subscript", 0));
        }
        if let Some(expr) = &index.0
            && let Ok(value) = self.eval(expr, frame)
        {
            return Ok(value);
        }
        let text = fill(&index.1, frame.subs, index.2);
        Ok(self.eval_text(&text)?)
    }

    fn store(&mut self, place: &Place, value: i64, frame: &Frame<'_>) -> Eval<()> {
        let Some(index) = &place.index else { return Ok(self.set_int(place.name, value)?) };
        let name = self.resolve(place.name).name;
        let text = crate::vars::format_int(value);
        if let Some(Value::Assoc(_)) = self.vars.get(name).map(|var| &var.value) {
            let key = fill(&index.1, frame.subs, index.2);
            return Ok(self.set_key(name, key, text, false)?);
        }
        let at = self.index(index, frame)?;
        Ok(self.set_index(name, at, &index.1, text, false)?)
    }
}

/// The text with its expansions filled in, the first of them being number `from`.
fn fill(text: &[u8], subs: &[Vec<u8>], from: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut at = from;
    for byte in text {
        if *byte == 0 {
            if let Some(sub) = subs.get(at) {
                out.extend_from_slice(sub);
            }
            at += 1;
        } else {
            out.push(*byte);
        }
    }
    out
}

fn unary(op: Unary, value: i64) -> i64 {
    match op {
        Unary::Minus => value.wrapping_neg(),
        Unary::Plus => value,
        Unary::Not => i64::from(value == 0),
        Unary::Complement => !value,
    }
}

/// The error that bash still reports in a branch that is not evaluated, where variables are 0: a negative exponent.
fn skipped(expr: &Expr) -> Eval {
    Ok(match expr {
        Expr::Num(number) => *number,
        Expr::Sub(_) | Expr::Get(_) | Expr::Step(..) => 0,
        Expr::Unary(op, operand) => unary(*op, skipped(operand)?),
        Expr::Binary(op, left, right, at) => {
            let (left, right) = (skipped(left)?, skipped(right)?);
            match op {
                Binary::Div | Binary::Rem if right == 0 => 0,
                _ => apply(*op, left, right, *at)?,
            }
        }
        Expr::LogicalAnd(left, right) => i64::from(skipped(left)? != 0 && skipped(right)? != 0),
        Expr::LogicalOr(left, right) => i64::from(skipped(left)? != 0 || skipped(right)? != 0),
        Expr::Cond(cond, then, otherwise) => {
            let (then, otherwise) = (skipped(then)?, skipped(otherwise)?);
            if skipped(cond)? != 0 { then } else { otherwise }
        }
        Expr::Assign(_, _, value, _) => skipped(value)?,
        Expr::Comma(left, right) => {
            skipped(left)?;
            skipped(right)?
        }
    })
}

fn apply(op: Binary, left: i64, right: i64, at: u32) -> Eval {
    Ok(match op {
        Binary::Add => left.wrapping_add(right),
        Binary::Sub => left.wrapping_sub(right),
        Binary::Mul => left.wrapping_mul(right),
        Binary::Div | Binary::Rem if right == 0 => return Err(ArithError::Message("division by 0", at as usize)),
        Binary::Div => left.wrapping_div(right),
        Binary::Rem => left.wrapping_rem(right),
        Binary::Pow if right < 0 => return Err(ArithError::Message("exponent less than 0", at as usize)),
        Binary::Pow => {
            let (mut base, mut exponent, mut result) = (left, right, 1i64);
            while exponent > 0 {
                if exponent & 1 == 1 {
                    result = result.wrapping_mul(base);
                }
                base = base.wrapping_mul(base);
                exponent >>= 1;
            }
            result
        }
        Binary::Shl => left.wrapping_shl(right as u32),
        Binary::Shr => left.wrapping_shr(right as u32),
        Binary::Less => i64::from(left < right),
        Binary::LessEq => i64::from(left <= right),
        Binary::Greater => i64::from(left > right),
        Binary::GreaterEq => i64::from(left >= right),
        Binary::Eq => i64::from(left == right),
        Binary::NotEq => i64::from(left != right),
        Binary::And => left & right,
        Binary::Xor => left ^ right,
        Binary::Or => left | right,
    })
}
