//! Decimal numbers of any length, with a fixed number of decimal places each.

use num_bigint::{BigInt, Sign};
use num_traits::{Signed, ToPrimitive, Zero};
use std::cmp::Ordering;

/// `digits / 10^scale`.
#[derive(Debug, Clone)]
pub(super) struct Number {
    /// All digits.
    pub digits: BigInt,
    /// How many of them are after the point.
    pub scale: usize,
}

/// Returns ten to a power.
pub(super) fn ten(power: usize) -> BigInt {
    BigInt::from(10).pow(power as u32)
}

impl Number {
    /// Returns zero.
    pub(super) fn zero() -> Self {
        Self { digits: BigInt::zero(), scale: 0 }
    }
    /// Returns an integer.
    pub(super) fn int(n: i64) -> Self {
        Self { digits: n.into(), scale: 0 }
    }
    /// Reads digits in a base, with a point; letters are digits from ten on. A single digit may exceed the base.
    pub(super) fn parse(text: &str, base: u32) -> Self {
        Self::read(text, base, text.len() > 1)
    }
    /// Returns the same; `clip` reduces digits to the largest of the base.
    pub(super) fn read(text: &str, base: u32, clip: bool) -> Self {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let value = |c: char| {
            let digit = c.to_digit(36).unwrap_or(0);
            if clip { digit.min(base - 1) } else { digit }
        };
        let fold = |digits: &str| digits.chars().fold(BigInt::zero(), |n, c| n * base + value(c));
        let mut number = Self { digits: fold(whole), scale: 0 };
        if !fraction.is_empty() {
            let scale = fraction.len();
            let part = fold(fraction) * ten(scale) / BigInt::from(base).pow(scale as u32);
            number = Self { digits: number.digits * ten(scale) + part, scale };
        }
        number
    }
    /// Returns the number with this many decimal places; more are dropped.
    pub(super) fn with_scale(&self, scale: usize) -> Self {
        let digits = match scale.cmp(&self.scale) {
            Ordering::Equal => self.digits.clone(),
            Ordering::Greater => &self.digits * ten(scale - self.scale),
            Ordering::Less => &self.digits / ten(self.scale - scale),
        };
        Self { digits, scale }
    }
    fn aligned(&self, other: &Self) -> (BigInt, BigInt, usize) {
        let scale = self.scale.max(other.scale);
        (self.with_scale(scale).digits, other.with_scale(scale).digits, scale)
    }
    /// Returns the sum.
    pub(super) fn add(&self, other: &Self) -> Self {
        let (a, b, scale) = self.aligned(other);
        Self { digits: a + b, scale }
    }
    /// Returns the difference.
    pub(super) fn sub(&self, other: &Self) -> Self {
        let (a, b, scale) = self.aligned(other);
        Self { digits: a - b, scale }
    }
    /// Returns the product, with as many places as the factors or `scale` require.
    pub(super) fn mul(&self, other: &Self, scale: usize) -> Self {
        let full = self.scale + other.scale;
        let wanted = full.min(scale.max(self.scale).max(other.scale));
        Self { digits: &self.digits * &other.digits, scale: full }.with_scale(wanted)
    }
    /// Returns the quotient, with `scale` places; `None` for a division by zero.
    pub(super) fn div(&self, other: &Self, scale: usize) -> Option<Self> {
        if other.digits.is_zero() {
            return None;
        }
        // digits/10^s ÷ other/10^t with `scale` places.
        let up = scale + other.scale;
        let numerator = if up >= self.scale { &self.digits * ten(up - self.scale) } else { &self.digits / ten(self.scale - up) };
        Some(Self { digits: numerator / &other.digits, scale })
    }
    /// Returns the remainder of that division; `None` for a division by zero.
    pub(super) fn rem(&self, other: &Self, scale: usize) -> Option<Self> {
        let quotient = self.div(other, scale)?;
        let wanted = self.scale.max(other.scale + scale);
        let full = quotient.scale + other.scale;
        Some(self.sub(&Self { digits: quotient.digits * &other.digits, scale: full }).with_scale(wanted))
    }
    /// Returns a power; the decimal places of the exponent are dropped.
    pub(super) fn pow(&self, exponent: &Self, scale: usize) -> Result<Self, &'static str> {
        let exponent = exponent.with_scale(0).digits.to_i64().ok_or("exponent too large in raise")?;
        if exponent.unsigned_abs() > 50_000_000 && !self.digits.is_zero() {
            return Err("exponent too large in raise");
        }
        let power = Self { digits: self.digits.pow(exponent.unsigned_abs() as u32), scale: self.scale * exponent.unsigned_abs() as usize };
        if exponent < 0 {
            return Self::int(1).div(&power, scale).ok_or("Divide by zero");
        }
        let wanted = power.scale.min(scale.max(self.scale));
        Ok(power.with_scale(wanted))
    }
    /// Returns the square root; `None` for a negative number.
    pub(super) fn sqrt(&self, scale: usize) -> Option<Self> {
        if self.digits.is_negative() {
            return None;
        }
        // GNU's result for these two has no decimal places.
        if self.is_zero() || self.compare(&Self::int(1)) == Ordering::Equal {
            return Some(self.with_scale(0));
        }
        let scale = scale.max(self.scale);
        Some(Self { digits: self.with_scale(scale * 2).digits.sqrt(), scale })
    }
    /// Returns how they compare.
    pub(super) fn compare(&self, other: &Self) -> Ordering {
        let (a, b, _) = self.aligned(other);
        a.cmp(&b)
    }
    /// Returns whether it is zero.
    pub(super) fn is_zero(&self) -> bool {
        self.digits.is_zero()
    }
    /// Returns the opposite.
    pub(super) fn neg(&self) -> Self {
        Self { digits: -&self.digits, scale: self.scale }
    }
    /// Returns the number as an integer, without its decimal places.
    pub(super) fn to_i64(&self) -> Option<i64> {
        self.with_scale(0).digits.to_i64()
    }
    /// Returns how many digits it has.
    pub(super) fn length(&self) -> usize {
        let digits = self.digits.abs().to_str_radix(10);
        if self.digits.is_zero() { self.scale.max(1) } else { digits.len().max(self.scale) }
    }
    /// Returns the number in decimal, without a zero before the point.
    fn decimal(&self) -> String {
        let mut digits = self.digits.abs().to_str_radix(10);
        if self.digits.is_zero() {
            return "0".into();
        }
        if digits.len() < self.scale {
            digits.insert_str(0, &"0".repeat(self.scale - digits.len()));
        }
        let sign = if self.digits.sign() == Sign::Minus { "-" } else { "" };
        let (whole, fraction) = digits.split_at(digits.len() - self.scale);
        let whole = if whole == "0" && !fraction.is_empty() { "" } else { whole };
        if fraction.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{fraction}") }
    }
    /// Returns the number in a base: letters up to base sixteen, above it groups of decimal digits.
    pub(super) fn show(&self, base: u32) -> String {
        if base == 10 || self.is_zero() {
            return self.decimal();
        }
        let sign = if self.digits.is_negative() { "-" } else { "" };
        let whole = self.with_scale(0).digits.abs();
        let mut out = String::from(sign);
        let width = (base - 1).to_string().len();
        let digit = |d: u32| {
            if base <= 16 { char::from_digit(d, 16).unwrap_or('0').to_ascii_uppercase().to_string() } else { format!(" {d:0width$}") }
        };
        if !whole.is_zero() {
            let mut parts = Vec::new();
            let mut rest = whole.clone();
            while !rest.is_zero() {
                parts.push((&rest % base).to_u32().unwrap_or(0));
                rest /= base;
            }
            parts.iter().rev().for_each(|d| out += &digit(*d));
        }
        if self.scale > 0 {
            out.push('.');
            // Print digits until they are as precise as the decimal places.
            let unit = ten(self.scale);
            let mut rest = self.digits.abs() - whole * &unit;
            let mut reach = BigInt::from(1);
            while reach.to_str_radix(10).len() <= self.scale {
                rest *= base;
                let text = digit((&rest / &unit).to_u32().unwrap_or(0));
                out += if base > 16 && out.ends_with('.') { text.trim_start() } else { &text };
                rest %= &unit;
                reach *= base;
            }
        }
        out
    }
}

/// Breaks long output as bc and dc do: with a backslash before column 70.
pub(super) fn wrapped(text: &str, width: usize) -> String {
    if width < 3 || text.len() <= width - 2 {
        return text.to_owned();
    }
    let pieces: Vec<&str> = text.as_bytes().chunks(width - 2).filter_map(|c| std::str::from_utf8(c).ok()).collect();
    pieces.join("\\\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn n(text: &str) -> Number {
        Number::parse(text, 10)
    }

    #[test]
    fn numbers_keep_their_places() {
        assert_eq!(n("10").div(&n("3"), 2).unwrap().show(10), "3.33");
        assert_eq!(n("1").div(&n("3"), 5).unwrap().show(10), ".33333");
        assert_eq!(n("100.50").mul(&n("1.0825"), 2).show(10), "108.7912");
        assert_eq!(n("2").sqrt(4).unwrap().show(10), "1.4142");
        assert_eq!(n("2").pow(&n("100"), 0).unwrap().show(10), "1267650600228229401496703205376");
        assert_eq!(n("10").rem(&n("3"), 0).unwrap().show(10), "1");
        assert_eq!(n("255").show(16), "FF");
        assert_eq!(Number::parse("FF", 16).show(10), "255");
        assert_eq!(n("0.5").show(2), ".1000");
        assert!(n("1").div(&n("0"), 0).is_none());
    }
}
