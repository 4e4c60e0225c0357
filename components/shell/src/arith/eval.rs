//! Evaluating expressions.

use super::{ArithText, Binary, Compiled, Expr, Place, Unary, parse};
use crate::shell::{Flow, Run, Shell};
use crate::vars::parse_int;
use std::borrow::Cow;

/// Why an evaluation ends early.
#[derive(Debug)]
pub enum ArithError {
    /// A message, with the position of its token.
    Message(&'static str, usize),
    /// Something else ended it, and has been reported.
    Flow(Flow),
}

impl From<Flow> for ArithError {
    fn from(flow: Flow) -> Self {
        Self::Flow(flow)
    }
}

pub(super) type Eval<T = i64> = Result<T, ArithError>;

/// What an expression is evaluated with.
pub(super) struct Frame<'a> {
    /// The values of the expansions.
    pub(super) subs: &'a [Vec<u8>],
    /// Whether subscripts have still to be expanded.
    pub(super) expands: bool,
}

impl Shell {
    /// Runs something with arithmetic in it for a command or a parameter: its name precedes error messages, including
    /// those about the values of variables.
    pub(crate) fn for_name<T>(&mut self, name: impl Into<Cow<'static, [u8]>>, run: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.arithmetic.subject, name.into());
        let result = run(self);
        self.arithmetic.subject = outer;
        result
    }

    /// Evaluates; errors are reported and end the line.
    pub fn arith(&mut self, text: &ArithText) -> Run<i64> {
        let compiled = text.compiled().clone();
        let subs = self.expand_subs(&compiled)?;
        if let Some(expr) = &compiled.expr
            && ready(expr, &subs)
        {
            return match self.eval(expr, &Frame { subs: &subs, expands: false }) {
                Ok(value) => Ok(value),
                Err(ArithError::Flow(flow)) => Err(flow),
                Err(ArithError::Message(message, at)) => {
                    let text = fill(&compiled.text, &subs, 0);
                    let at = fill(&compiled.text[..at.min(compiled.text.len())], &subs, 0).len();
                    Err(self.arith_error(&text, message, at))
                }
            };
        }
        let text = fill(&compiled.text, &subs, 0);
        self.eval_expanded(&text, false)
    }

    /// Returns the text of an expression, expanded but not evaluated.
    pub(crate) fn arith_text(&mut self, text: &ArithText) -> Run<Vec<u8>> {
        let compiled = text.compiled().clone();
        let subs = self.expand_subs(&compiled)?;
        Ok(fill(&compiled.text, &subs, 0))
    }

    fn expand_subs(&mut self, compiled: &Compiled) -> Run<Vec<Vec<u8>>> {
        compiled.subs.iter().map(|part| self.expand_quoted(std::slice::from_ref(part))).collect()
    }

    /// Evaluates text; subscripts in it are expanded.
    pub fn eval_text(&mut self, text: &[u8]) -> Run<i64> {
        self.eval_expanded(text, true)
    }

    /// Evaluates text. `expands`: subscripts in it have not been expanded.
    pub(crate) fn eval_expanded(&mut self, text: &[u8], expands: bool) -> Run<i64> {
        if let Some(number) = parse_int(text) {
            return Ok(number);
        }
        match self.eval(&parse(text).0, &Frame { subs: &[], expands }) {
            Ok(value) => Ok(value),
            Err(ArithError::Flow(flow)) => Err(flow),
            Err(ArithError::Message(message, at)) => Err(self.arith_error(text, message, at)),
        }
    }

    pub(super) fn arith_error(&mut self, text: &[u8], message: &str, at: usize) -> Flow {
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

    pub(super) fn eval(&mut self, expr: &Expr, frame: &Frame<'_>) -> Eval {
        Ok(match expr {
            Expr::Num(number) => *number,
            // `ready` has checked it.
            Expr::Sub(at, _) => frame.subs.get(*at).and_then(|text| parse_int(text)).unwrap_or(0),
            Expr::Fail(message, at) => return Err(ArithError::Message(message, *at)),
            Expr::Get(Place { name, index: None }) => self.load_whole(*name)?,
            Expr::Get(place) => {
                let spot = self.spot(place, frame)?;
                self.load(&spot)?
            }
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
                if self.eval(cond, frame)? != 0 {
                    let value = self.eval(then, frame)?;
                    skipped(otherwise)?;
                    value
                } else {
                    skipped(then)?;
                    self.eval(otherwise, frame)?
                }
            }
            Expr::Assign(place, None, value, _) => {
                let value = self.eval(value, frame)?;
                let spot = self.spot(place, frame)?;
                self.store(spot, place, value)?
            }
            Expr::Assign(place, Some(op), value, at) => {
                let spot = self.spot(place, frame)?;
                let old = self.load(&spot)?;
                let right = self.eval(value, frame)?;
                let value = apply(*op, old, right, *at)?;
                self.store(spot, place, value)?
            }
            Expr::Step(place, step, after) => {
                let spot = self.spot(place, frame)?;
                let old = self.load(&spot)?;
                let new = self.store(spot, place, old.wrapping_add(*step))?;
                if *after { old } else { new }
            }
            Expr::Comma(left, right) => {
                self.eval(left, frame)?;
                self.eval(right, frame)?
            }
        })
    }
}

/// Returns the number that an expansion stands for, if it is one.
fn operand(subs: &[Vec<u8>], at: usize, signed: bool) -> Option<i64> {
    subs.get(at).and_then(|text| parse_int(text)).filter(|number| signed || *number >= 0)
}

/// Returns whether every expansion that is an operand is a plain number. Otherwise the expression has to be read again, with
/// the text of its expansions.
pub(super) fn ready(expr: &Expr, subs: &[Vec<u8>]) -> bool {
    (0..subs.len()).all(|at| operand(subs, at, false).is_some()) || operands_ready(expr, subs)
}

fn operands_ready(expr: &Expr, subs: &[Vec<u8>]) -> bool {
    let ready = |expr: &Expr| operands_ready(expr, subs);
    match expr {
        Expr::Num(_) | Expr::Get(_) | Expr::Step(..) | Expr::Fail(..) => true,
        Expr::Sub(at, signed) => operand(subs, *at, *signed).is_some(),
        Expr::Unary(_, value) | Expr::Assign(_, _, value, _) => ready(value),
        Expr::Binary(_, left, right, _) | Expr::LogicalAnd(left, right) | Expr::LogicalOr(left, right) | Expr::Comma(left, right) => {
            ready(left) && ready(right)
        }
        Expr::Cond(cond, then, otherwise) => ready(cond) && ready(then) && ready(otherwise),
    }
}

/// Returns the text with its expansions filled in, the first of them being number `from`.
pub(super) fn fill(text: &[u8], subs: &[Vec<u8>], from: usize) -> Vec<u8> {
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

/// Returns the error that bash still reports in a branch that is not evaluated, where variables are 0: a negative exponent.
fn skipped(expr: &Expr) -> Eval {
    Ok(match expr {
        Expr::Num(number) => *number,
        Expr::Sub(..) | Expr::Get(_) | Expr::Step(..) => 0,
        Expr::Fail(message, at) => return Err(ArithError::Message(message, *at)),
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
