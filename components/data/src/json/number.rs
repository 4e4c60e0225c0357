//! Numbers: decimal literals that keep every digit, and the shortest text of a double.

use super::Val;
use std::cmp::Ordering;
use std::rc::Rc;

/// A number as it was written, in canonical form.
#[derive(Debug)]
pub(crate) struct Literal {
    negative: bool,
    /// The digits without leading zeros; `0` for zero.
    digits: String,
    /// The power of ten of the last digit.
    exponent: i64,
    /// The nearest double.
    pub value: f64,
}

/// The largest exponent that decimal arithmetic knows.
const MAX_EXPONENT: i64 = 999_999_999;

impl Literal {
    fn adjusted(&self) -> i64 {
        self.exponent + self.digits.len() as i64 - 1
    }

    fn is_zero(&self) -> bool {
        self.digits == "0"
    }

    /// Returns the literal as General Decimal Arithmetic writes it.
    pub(crate) fn text(&self) -> String {
        let mut out = String::with_capacity(self.digits.len() + 8);
        if self.negative {
            out.push('-');
        }
        let adjusted = self.adjusted();
        if self.exponent <= 0 && adjusted >= -6 {
            let point = self.digits.len() as i64 + self.exponent;
            if self.exponent == 0 {
                out += &self.digits;
            } else if point > 0 {
                out += &self.digits[..point as usize];
                out.push('.');
                out += &self.digits[point as usize..];
            } else {
                out += "0.";
                out.extend(std::iter::repeat_n('0', -point as usize));
                out += &self.digits;
            }
            return out;
        }
        out += &self.digits[..1];
        if self.digits.len() > 1 {
            out.push('.');
            out += &self.digits[1..];
        }
        out += &format!("E{adjusted:+}");
        out
    }

    /// Compares by value, to the last digit.
    pub(crate) fn compare(&self, other: &Self) -> Ordering {
        let sign = |l: &Self| if l.is_zero() { 0 } else { 1 - 2 * i32::from(l.negative) };
        let (a, b) = (sign(self), sign(other));
        if a != b || a == 0 {
            return a.cmp(&b);
        }
        let magnitude = self.adjusted().cmp(&other.adjusted()).then_with(|| {
            let (x, y) = (self.digits.trim_end_matches('0'), other.digits.trim_end_matches('0'));
            x.cmp(y)
        });
        if a < 0 { magnitude.reverse() } else { magnitude }
    }
}

/// Returns a number from its text: JSON's grammar and a little more (`+1`, `.5`, `1.`, `NaN`, `Infinity`), as jq reads it.
pub(crate) fn number_from_text(text: &str) -> Option<Val> {
    let bytes = text.as_bytes();
    let (negative, rest) = match bytes.first()? {
        b'-' => (true, &bytes[1..]),
        b'+' => (false, &bytes[1..]),
        _ => (false, bytes),
    };
    if rest.first().is_some_and(u8::is_ascii_alphabetic) {
        let name = std::str::from_utf8(rest).ok()?.to_ascii_lowercase();
        let value = match name.as_str() {
            "nan" => f64::NAN,
            "infinity" | "inf" => f64::INFINITY,
            _ => return None,
        };
        return Some(Val::Num(if negative { -value } else { value }));
    }
    let mut at = 0;
    while at < rest.len() && rest[at].is_ascii_digit() {
        at += 1;
    }
    let whole = &rest[..at];
    let mut fraction: &[u8] = &[];
    if rest.get(at) == Some(&b'.') {
        let from = at + 1;
        at = from;
        while at < rest.len() && rest[at].is_ascii_digit() {
            at += 1;
        }
        fraction = &rest[from..at];
    }
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    // The usual case: what a double holds exactly, or the shortest text of one.
    let digits = whole.len() + fraction.len();
    if at == rest.len() && digits <= 15 && (whole.len() == 1 || whole.first() != Some(&b'0')) && !whole.is_empty() {
        let plain = fraction.is_empty() && at == whole.len();
        let short = whole.first() != Some(&b'0') && fraction.last().is_some_and(|d| *d != b'0');
        if plain {
            let n = whole.iter().fold(0u64, |n, d| n * 10 + u64::from(d - b'0'));
            if n != 0 || !negative {
                return Some(Val::Num(if negative { -(n as f64) } else { n as f64 }));
            }
        } else if short {
            return text.parse().ok().map(Val::Num);
        }
    }
    let exponent = exponent(&rest[at..])?;
    literal(negative, whole, fraction, exponent)
}

fn exponent(rest: &[u8]) -> Option<i64> {
    let (Some(b'e' | b'E'), digits) = (rest.first(), rest.get(1..).unwrap_or_default()) else {
        return if rest.is_empty() { Some(0) } else { None };
    };
    let (sign, digits) = match digits.first()? {
        b'-' => (-1, &digits[1..]),
        b'+' => (1, &digits[1..]),
        _ => (1, digits),
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let value = digits.iter().fold(0i64, |n, d| (n * 10 + i64::from(d - b'0')).min(1 << 40));
    Some(sign * value)
}

fn literal(negative: bool, whole: &[u8], fraction: &[u8], exponent: i64) -> Option<Val> {
    let all = String::from_utf8([whole, fraction].concat()).ok()?;
    let trimmed = all.trim_start_matches('0');
    let digits = if trimmed.is_empty() { "0" } else { trimmed }.to_owned();
    let mut literal = Literal { negative, digits, exponent: exponent - fraction.len() as i64, value: 0.0 };
    if literal.is_zero() {
        literal.exponent = literal.exponent.clamp(-MAX_EXPONENT, MAX_EXPONENT);
        literal.value = if negative { -0.0 } else { 0.0 };
    } else if literal.adjusted() > MAX_EXPONENT {
        return Some(Val::Num(if negative { f64::NEG_INFINITY } else { f64::INFINITY }));
    } else if literal.adjusted() < -MAX_EXPONENT {
        literal = Literal { negative, digits: "0".into(), exponent: -MAX_EXPONENT, value: 0.0 };
    } else {
        literal.value = format!("{}{}e{}", if negative { "-" } else { "" }, literal.digits, literal.exponent).parse().ok()?;
    }
    if literal.digits.len() <= 15 && literal.value.is_finite() && format_number(literal.value) == literal.text() {
        return Some(Val::Num(literal.value));
    }
    Some(Val::Lit(Rc::new(literal)))
}

/// Formats a double as jq prints it: the shortest digits that read back, plain up to 15 digits beyond them, else with an exponent.
pub(crate) fn format_number(value: f64) -> String {
    if value.is_nan() {
        return "null".into();
    }
    let value = value.clamp(-f64::MAX, f64::MAX);
    if value.fract() == 0.0 && value.abs() < 1e15 && (value != 0.0 || value.is_sign_positive()) {
        return (value as i64).to_string();
    }
    let text = format!("{value:e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (sign, mantissa) = mantissa.strip_prefix('-').map_or(("", mantissa), |m| ("-", m));
    let digits: String = mantissa.chars().filter(|c| *c != '.').collect();
    let point = exponent.parse::<i32>().unwrap_or(0) + 1;
    let count = digits.len() as i32;
    if value == 0.0 {
        return format!("{sign}0");
    }
    if point <= -4 || point > count + 15 {
        let rest = &digits[1..];
        let dot = if rest.is_empty() { "" } else { "." };
        let (mark, size) = if point > 0 { ('+', point - 1) } else { ('-', 1 - point) };
        return format!("{sign}{}{dot}{rest}e{mark}{size:02}", &digits[..1]);
    }
    if point <= 0 {
        return format!("{sign}0.{}{digits}", "0".repeat(-point as usize));
    }
    if point >= count {
        return format!("{sign}{digits}{}", "0".repeat((point - count) as usize));
    }
    format!("{sign}{}.{}", &digits[..point as usize], &digits[point as usize..])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        match number_from_text(text) {
            Some(Val::Num(n)) => format_number(n),
            Some(Val::Lit(l)) => l.text(),
            _ => "-".into(),
        }
    }

    #[test]
    fn literals_keep_their_digits() {
        for (text, want) in [
            ("1.000", "1.000"),
            ("1e2", "1E+2"),
            ("1E-5", "0.00001"),
            ("100000000000000000000", "100000000000000000000"),
            ("00012", "12"),
            ("-0", "-0"),
            ("0.10", "0.10"),
            ("100e-2", "1.00"),
            ("1E1234567890", "1.7976931348623157e+308"),
            ("9999999999E999999990", "9.999999999E+999999999"),
            ("0.1", "0.1"),
            ("1.", "1"),
            (".5", "0.5"),
        ] {
            assert_eq!(shown(text), want, "{text}");
        }
        for text in ["", "-", "1e", "1x", "nan1", "e5", "."] {
            assert!(number_from_text(text).is_none(), "{text}");
        }
    }

    #[test]
    fn doubles_are_short() {
        for (value, want) in [
            (1e17, "1e+17"),
            (1e15, "1000000000000000"),
            (1e-5, "1e-05"),
            (0.0001, "0.0001"),
            (-0.0, "-0"),
            (1.5, "1.5"),
            (123_456_789_012_345_680_000_000_000_000.0, "123456789012345680000000000000"),
            (f64::INFINITY, "1.7976931348623157e+308"),
            (3.0e-10, "3e-10"),
        ] {
            assert_eq!(format_number(value), want);
        }
    }
}
