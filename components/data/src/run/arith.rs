//! Operators.

use super::Error;
use crate::json::{MAX_DEPTH, Val, compare, equal, merge, type_error, type_error2, without};
use crate::lang::Op;
use std::rc::Rc;

/// The longest string that repetition may make.
const MAX_TEXT: f64 = 2_147_483_647.0;

/// Implements `left op right`.
pub(super) fn binary(op: Op, left: Val, right: Val) -> Result<Val, Error> {
    match op {
        Op::Add => add(left, right),
        Op::Sub => subtract(&left, &right),
        Op::Mul => multiply(left, right),
        Op::Div => divide(&left, &right),
        Op::Rem => remainder(&left, &right),
        Op::Eq => Ok(Val::Bool(equal(&left, &right)?)),
        Op::Ne => Ok(Val::Bool(!equal(&left, &right)?)),
        Op::Lt => Ok(Val::Bool(compare(&left, &right)?.is_lt())),
        Op::Gt => Ok(Val::Bool(compare(&left, &right)?.is_gt())),
        Op::Le => Ok(Val::Bool(compare(&left, &right)?.is_le())),
        Op::Ge => Ok(Val::Bool(compare(&left, &right)?.is_ge())),
    }
}

/// Implements `+`, in place if the left side is not shared.
pub(super) fn add(left: Val, right: Val) -> Result<Val, Error> {
    match (left, right) {
        (Val::Null, other) | (other, Val::Null) => Ok(other),
        (Val::Str(mut a), Val::Str(b)) => {
            Rc::make_mut(&mut a).push_str(&b);
            Ok(Val::Str(a))
        }
        (Val::Arr(mut a), Val::Arr(b)) => {
            Rc::make_mut(&mut a).0.extend_from_slice(&b.0);
            Ok(Val::Arr(a))
        }
        (Val::Obj(mut a), Val::Obj(b)) => {
            let map = &mut Rc::make_mut(&mut a).0;
            for (key, value) in &b.0 {
                map.insert(key.clone(), value.clone());
            }
            Ok(Val::Obj(a))
        }
        (left, right) => match (left.number(), right.number()) {
            (Some(a), Some(b)) => Ok(Val::Num(a + b)),
            _ => Err(type_error2(&left, &right, "cannot be added").into()),
        },
    }
}

fn subtract(left: &Val, right: &Val) -> Result<Val, Error> {
    if let (Val::Arr(a), Val::Arr(b)) = (left, right) {
        return Ok(Val::arr(without(&a.0, &b.0)?));
    }
    match (left.number(), right.number()) {
        (Some(a), Some(b)) => Ok(Val::Num(a - b)),
        _ => Err(type_error2(left, right, "cannot be subtracted").into()),
    }
}

fn multiply(left: Val, right: Val) -> Result<Val, Error> {
    match (left, right) {
        (Val::Obj(a), Val::Obj(b)) => Ok(Val::Obj(merge(a, &b, 0)?)),
        (Val::Str(text), count @ (Val::Num(_) | Val::Lit(_))) | (count @ (Val::Num(_) | Val::Lit(_)), Val::Str(text)) => {
            let count = count.number().unwrap_or(0.0);
            if count.is_nan() || count < 0.0 {
                return Ok(Val::Null);
            }
            let count = count.floor();
            if text.len() as f64 * count > MAX_TEXT {
                return Err("Repeat string result too long".into());
            }
            Ok(Val::str(text.repeat(count as usize)))
        }
        (left, right) => match (left.number(), right.number()) {
            (Some(a), Some(b)) => Ok(Val::Num(a * b)),
            _ => Err(type_error2(&left, &right, "cannot be multiplied").into()),
        },
    }
}

fn divide(left: &Val, right: &Val) -> Result<Val, Error> {
    if let (Val::Str(text), Val::Str(separator)) = (left, right) {
        return Ok(split(text, separator));
    }
    match (left.number(), right.number()) {
        (Some(_), Some(0.0)) => Err(type_error2(left, right, "cannot be divided because the divisor is zero").into()),
        (Some(a), Some(b)) => Ok(Val::Num(a / b)),
        _ => Err(type_error2(left, right, "cannot be divided").into()),
    }
}

fn remainder(left: &Val, right: &Val) -> Result<Val, Error> {
    let (Some(a), Some(b)) = (left.number(), right.number()) else {
        return Err(type_error2(left, right, "cannot be divided").into());
    };
    if a.is_nan() || b.is_nan() {
        return Ok(Val::Num(f64::NAN));
    }
    // Casts saturate, as they must here.
    let (a, b) = (a as i64, b as i64);
    if b == 0 {
        return Err(type_error2(left, right, "cannot be divided (remainder) because the divisor is zero").into());
    }
    let size = b.unsigned_abs().min(i64::MAX as u64) as i64;
    Ok(Val::Num(a.checked_rem(size).unwrap_or(0) as f64))
}

/// Implements unary minus.
pub(super) fn negate(val: &Val) -> Result<Val, Error> {
    val.number().map(|n| Val::Num(-n)).ok_or_else(|| type_error(val, "cannot be negated").into())
}

/// Returns a string cut at every separator; an empty separator cuts between characters.
pub(super) fn split(text: &str, separator: &str) -> Val {
    if text.is_empty() {
        return Val::arr(Vec::new());
    }
    if separator.is_empty() {
        return Val::arr(text.chars().map(|c| Val::str(c.to_string())).collect());
    }
    Val::arr(text.split(separator).map(Val::str).collect())
}

/// Collects all elements one after the other, down to a depth.
pub(super) fn flatten(val: &Val, depth: f64, out: &mut Vec<Val>, level: usize) -> Result<(), Error> {
    if level > MAX_DEPTH + 1 {
        return Err("nested too deep to be flattened".into());
    }
    let mut each = |item: &Val| match item {
        Val::Arr(_) if depth != 0.0 => flatten(item, depth - 1.0, out, level + 1),
        other => {
            out.push(other.clone());
            Ok(())
        }
    };
    match val {
        Val::Arr(items) => items.0.iter().try_for_each(&mut each),
        Val::Obj(fields) => fields.0.values().try_for_each(&mut each),
        other => Err(format!("Cannot iterate over {}", type_error(other, "").trim_end()).into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{parse_one, to_text};

    fn run(op: Op, a: &str, b: &str) -> String {
        match binary(op, parse_one(a).unwrap(), parse_one(b).unwrap()) {
            Ok(val) => to_text(&val),
            Err(Error::Value(val)) => val.text().as_str().to_owned(),
            Err(_) => "?".into(),
        }
    }

    #[test]
    fn operators() {
        assert_eq!(run(Op::Rem, "-7", "3"), "-1");
        assert_eq!(run(Op::Rem, "5", "-3"), "2");
        assert_eq!(run(Op::Mul, "\"ab\"", "2.7"), "\"abab\"");
        assert_eq!(run(Op::Mul, "\"ab\"", "-1"), "null");
        assert_eq!(run(Op::Sub, "{}", "1"), "object ({}) and number (1) cannot be subtracted");
        assert_eq!(run(Op::Div, "1", "0"), "number (1) and number (0) cannot be divided because the divisor is zero");
        assert_eq!(run(Op::Mul, r#"{"a":{"b":1}}"#, r#"{"a":{"c":2}}"#), r#"{"a":{"b":1,"c":2}}"#);
    }
}
