//! Values: numbers, strings, text from outside that may look like a number.

use super::array::ArrayRef;
use super::number;
use crate::regex::Regex;
use std::rc::Rc;

/// A string.
pub(super) type Str = Rc<Vec<u8>>;

/// A value.
#[derive(Clone)]
pub(super) enum Value {
    /// Never assigned: empty and zero.
    Unset,
    /// A number.
    Num(f64),
    /// A string.
    Str(Str),
    /// Text from outside: compares as a number if it looks like one.
    Input(Str),
    /// `@/regex/`, and regular expressions handed to builtins.
    Regex(Rc<Pattern>),
    /// An array; of a variable, a parameter or an element.
    Array(ArrayRef),
}

/// A regular expression as a value.
pub(super) struct Pattern {
    /// Its text.
    pub source: Vec<u8>,
    /// Compiled.
    pub regex: Rc<Regex>,
    /// Whether it was written as `@/…/`.
    pub strong: bool,
}

impl Value {
    /// Returns a string.
    pub(super) fn str(text: impl Into<Vec<u8>>) -> Self {
        Self::Str(Rc::new(text.into()))
    }
    /// Creates the value of a text from outside.
    pub(super) fn input(text: impl Into<Vec<u8>>) -> Self {
        Self::Input(Rc::new(text.into()))
    }
    /// Returns a truth value.
    pub(super) fn bool(truth: bool) -> Self {
        Self::Num(f64::from(u8::from(truth)))
    }
    /// Returns the value as a number.
    pub(super) fn num(&self) -> f64 {
        match self {
            Self::Num(n) => *n,
            Self::Str(s) | Self::Input(s) => number::parse(s),
            Self::Regex(p) => number::parse(&p.source),
            Self::Unset | Self::Array(_) => 0.0,
        }
    }
    /// Returns the value as a string, with numbers that are not integers in this format.
    pub(super) fn text(&self, format: &[u8]) -> Str {
        match self {
            Self::Str(s) | Self::Input(s) => s.clone(),
            Self::Num(n) => {
                let mut out = Vec::new();
                number::write(*n, format, &mut out);
                Rc::new(out)
            }
            Self::Regex(p) => Rc::new(p.source.clone()),
            Self::Unset | Self::Array(_) => Rc::new(Vec::new()),
        }
    }
    /// Appends as a string.
    pub(super) fn append(&self, format: &[u8], out: &mut Vec<u8>) {
        match self {
            Self::Str(s) | Self::Input(s) => out.extend_from_slice(s),
            Self::Num(n) => number::write(*n, format, out),
            Self::Regex(p) => out.extend_from_slice(&p.source),
            Self::Unset | Self::Array(_) => {}
        }
    }
    /// Returns the value as a truth value.
    pub(super) fn truth(&self) -> bool {
        match self {
            Self::Num(n) => *n != 0.0,
            Self::Str(s) => !s.is_empty(),
            Self::Input(s) => match number::looks(s) {
                Some(n) => n != 0.0,
                None => !s.is_empty(),
            },
            Self::Regex(p) => !p.source.is_empty(),
            Self::Unset | Self::Array(_) => false,
        }
    }
    /// Returns the number that it is or looks like; `None` for strings.
    pub(super) fn numeric(&self) -> Option<f64> {
        match self {
            Self::Num(n) => Some(*n),
            Self::Unset => Some(0.0),
            Self::Input(s) => number::looks(s),
            Self::Array(array) if !array.real.get() => Some(0.0),
            _ => None,
        }
    }
}

/// Compares as awk does: as numbers if both are, else as strings.
pub(super) fn compare(a: &Value, b: &Value, format: &[u8]) -> Option<std::cmp::Ordering> {
    match (a, b) {
        (Value::Str(x), Value::Str(y) | Value::Input(y)) | (Value::Input(x), Value::Str(y)) => return Some(x.cmp(y)),
        _ => {}
    }
    match (a.numeric(), b.numeric()) {
        (Some(x), Some(y)) => x.partial_cmp(&y),
        _ => Some(a.text(format).cmp(&b.text(format))),
    }
}

/// Compares for equality, and makes strings only where that is necessary.
pub(super) fn equal(a: &Value, b: &Value, format: &[u8]) -> bool {
    compare(a, b, format) == Some(std::cmp::Ordering::Equal)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cmp::Ordering;

    #[test]
    fn text_from_outside_compares_as_it_looks() {
        let cmp = |a: Value, b: Value| compare(&a, &b, b"%.6g");
        assert_eq!(cmp(Value::input("10"), Value::input("9")), Some(Ordering::Greater));
        assert_eq!(cmp(Value::str("10"), Value::input("9")), Some(Ordering::Less));
        assert_eq!(cmp(Value::input("abc"), Value::Num(1.0)), Some(Ordering::Greater));
        assert_eq!(cmp(Value::Unset, Value::str("")), Some(Ordering::Equal));
        assert_eq!(cmp(Value::Unset, Value::input(" 0 ")), Some(Ordering::Equal));
        assert_eq!(cmp(Value::Num(f64::NAN), Value::Num(1.0)), None);
    }
}
