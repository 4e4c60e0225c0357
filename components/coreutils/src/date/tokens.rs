//! The numbers, words and marks of a date.

use super::words::{self, Word};

/// A piece of a date.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// A number.
    Number(Number),
    /// A known word.
    Word(Word),
    /// Any other character.
    Mark(char),
}

/// A number as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Number {
    /// `+` or `-`.
    pub sign: Option<char>,
    /// The digits before the point.
    pub digits: String,
    /// The digits after it.
    pub fraction: Option<String>,
    value: i64,
}

impl Number {
    /// Returns whether it has a minus sign.
    pub(super) fn negative(&self) -> bool {
        self.sign == Some('-')
    }

    /// Returns the value without sign and fraction.
    pub(super) fn magnitude(&self) -> i64 {
        self.value
    }

    /// Returns the value with its sign, without the fraction.
    pub(super) fn value(&self) -> Option<i64> {
        if self.negative() { self.value.checked_neg() } else { Some(self.value) }
    }

    /// Returns the value as a year: two digits mean a year of this century or the last.
    pub(super) fn year(&self) -> i64 {
        match self.value {
            year if self.digits.len() > 2 => year,
            year if year < 69 => year + 2000,
            year => year + 1900,
        }
    }

    /// Returns the fraction, in nanoseconds.
    pub(super) fn nanos(&self) -> i64 {
        let digits = self.fraction.as_deref().unwrap_or_default().bytes().chain(std::iter::repeat(b'0'));
        digits.take(9).fold(0, |value, digit| value * 10 + i64::from(digit - b'0'))
    }

    /// Returns the value as seconds, in nanoseconds.
    pub(super) fn nanoseconds(&self) -> i128 {
        let size = i128::from(self.value) * 1_000_000_000 + i128::from(self.nanos());
        if self.negative() { -size } else { size }
    }
}

/// Reads a text. `None` if a word in it is unknown or a number is too large.
pub(super) fn read(text: &str) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let after = &rest[next.len_utf8()..];
        if next.is_ascii_whitespace() || next == '\x0b' {
            rest = after;
        } else if next == '(' {
            rest = comment(rest);
        } else if next == '+' || next == '-' {
            // A sign without a number is skipped: `5-jan-2020`.
            rest = after.trim_ascii_start();
            if rest.starts_with(|c: char| c.is_ascii_digit()) {
                tokens.push(number(&mut rest, Some(next))?);
            } else {
                rest = after;
            }
        } else if next.is_ascii_digit() {
            tokens.push(number(&mut rest, None)?);
        } else if next.is_ascii_alphabetic() {
            let end = rest.find(|c: char| !c.is_ascii_alphabetic() && c != '.').unwrap_or(rest.len());
            tokens.push(Token::Word(words::find(&rest[..end].to_ascii_lowercase())?));
            rest = &rest[end..];
        } else {
            tokens.push(Token::Mark(next));
            rest = after;
        }
    }
    Some(tokens)
}

fn number(rest: &mut &str, sign: Option<char>) -> Option<Token> {
    let digits = |text: &str| text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (whole, after) = rest.split_at(digits(rest));
    *rest = after;
    let part = after.strip_prefix(['.', ',']).map(|part| part.split_at(digits(part))).filter(|(part, _)| !part.is_empty());
    if let Some((_, after)) = part {
        *rest = after;
    }
    let fraction = part.map(|(part, _)| part.to_owned());
    Some(Token::Number(Number { sign, digits: whole.to_owned(), fraction, value: whole.parse().ok()? }))
}

/// Returns the text after a comment. Comments may contain comments and need not be closed.
fn comment(text: &str) -> &str {
    let mut open = 0;
    for (at, c) in text.char_indices() {
        open += i32::from(c == '(') - i32::from(c == ')');
        if open == 0 {
            return &text[at + 1..];
        }
    }
    ""
}
