//! A variable's value and attributes.

use super::{Assoc, Indexed};
use std::borrow::Cow;

/// Attributes, as `declare` sets them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Attrs(pub u16);

impl Attrs {
    /// `-x`
    pub const EXPORT: Self = Self(1);
    /// `-r`
    pub const READONLY: Self = Self(2);
    /// `-i`
    pub const INTEGER: Self = Self(4);
    /// `-u`
    pub const UPPER: Self = Self(8);
    /// `-l`
    pub const LOWER: Self = Self(16);
    /// `-n`
    pub const NAMEREF: Self = Self(32);
    /// `-t`
    pub const TRACE: Self = Self(64);
    /// `-c`
    pub const CAPITALIZE: Self = Self(128);
    /// Computed when it is read: `RANDOM`, `SECONDS`, …
    pub const DYNAMIC: Self = Self(256);
    /// An array that was declared and has no value yet.
    pub const BARE: Self = Self(512);
    /// Assigned before the command that runs: a local of this name begins with its value.
    pub const TEMPORARY: Self = Self(1024);

    /// Returns whether it has all of `other`.
    pub fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
    /// Returns whether it has any of `other`.
    pub fn any(self, other: u16) -> bool {
        self.0 & other != 0
    }
    /// Returns their letters, as `declare -p` shows them.
    pub fn letters(self) -> String {
        const LETTERS: [(Attrs, char); 8] = [
            (Attrs::INTEGER, 'i'),
            (Attrs::NAMEREF, 'n'),
            (Attrs::READONLY, 'r'),
            (Attrs::TRACE, 't'),
            (Attrs::EXPORT, 'x'),
            (Attrs::CAPITALIZE, 'c'),
            (Attrs::LOWER, 'l'),
            (Attrs::UPPER, 'u'),
        ];
        LETTERS.iter().filter(|(attr, _)| self.has(*attr)).map(|(_, letter)| letter).collect()
    }
    /// Sets or clears `other`.
    pub fn set(&mut self, other: Self, on: bool) {
        if on {
            self.0 |= other.0;
        } else {
            self.0 &= !other.0;
        }
    }
}

/// A value.
#[derive(Debug, Clone, Default)]
pub enum Value {
    /// Declared, but without a value.
    #[default]
    Unset,
    /// Text.
    Str(Vec<u8>),
    /// A number, kept as one; its text is its decimal form.
    Int(i64),
    /// An indexed array.
    Indexed(Indexed),
    /// An associative array.
    Assoc(Assoc),
}

/// A variable.
#[derive(Debug, Clone, Default)]
pub struct Var {
    /// Its value.
    pub value: Value,
    /// Its attributes.
    pub attrs: Attrs,
}

impl Var {
    /// Returns whether it is only declared: `declare -p` shows no value.
    pub fn is_bare(&self) -> bool {
        match &self.value {
            Value::Unset => true,
            Value::Indexed(array) => array.is_empty() && self.attrs.has(Attrs::BARE),
            Value::Assoc(array) => array.is_empty() && self.attrs.has(Attrs::BARE),
            _ => false,
        }
    }
    /// Notes that it has been given a value, even if an empty one.
    pub fn given(&mut self) {
        self.attrs.set(Attrs::BARE, false);
    }
}

impl Value {
    /// Returns the text of `$x`: of an array, that of its element 0.
    pub fn scalar(&self) -> Option<Cow<'_, [u8]>> {
        match self {
            Self::Unset => None,
            Self::Str(text) => Some(Cow::Borrowed(text)),
            Self::Int(number) => Some(Cow::Owned(format_int(*number))),
            Self::Indexed(array) => array.get(0).map(Cow::Borrowed),
            Self::Assoc(array) => array.get(b"0").map(Cow::Borrowed),
        }
    }
    /// Returns the text of element 0, or of the value, owned.
    pub fn text(&self) -> Option<Vec<u8>> {
        self.scalar().map(Cow::into_owned)
    }
    /// Returns whether it is an array.
    pub fn is_array(&self) -> bool {
        matches!(self, Self::Indexed(_) | Self::Assoc(_))
    }
}

/// Returns the decimal form of a number.
pub fn format_int(number: i64) -> Vec<u8> {
    let mut buf = [0u8; 20];
    let mut at = buf.len();
    let mut rest = number.unsigned_abs();
    loop {
        at -= 1;
        buf[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if number < 0 {
        at -= 1;
        buf[at] = b'-';
    }
    buf[at..].to_vec()
}

/// Parses a plain decimal number: digits without a leading zero, perhaps a minus sign.
pub fn parse_int(text: &[u8]) -> Option<i64> {
    let (negative, digits) = match text {
        [b'-', rest @ ..] => (true, rest),
        _ => (false, text),
    };
    if digits.is_empty() || digits.len() > 18 || (digits[0] == b'0' && digits.len() > 1) {
        return None;
    }
    let mut value = 0i64;
    for digit in digits {
        if !digit.is_ascii_digit() {
            return None;
        }
        value = value * 10 + i64::from(digit - b'0');
    }
    Some(if negative { -value } else { value })
}
