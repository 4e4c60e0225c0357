//! Patterns of file names and words, and extended regular expressions: both compile to a small program, and the matcher
//! never takes exponential time.

mod class;
mod ere;
mod glob;
mod program;
mod stars;

pub use ere::Regex;

use program::{Found, Program};
use std::cell::OnceCell;

/// How patterns are read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Flags {
    /// `@(…)` and the like are special.
    pub extglob: bool,
    /// Letter case is ignored.
    pub nocase: bool,
    /// A dot at the start is matched only by a dot in the pattern.
    pub period: bool,
}

/// A compiled pattern.
pub struct Pattern {
    text: Vec<u8>,
    flags: Flags,
    program: OnceCell<Program>,
    literal: Option<Vec<u8>>,
    /// The literal pieces between stars, for a pattern that has no other special character.
    pieces: Option<Vec<Vec<u8>>>,
}

impl Pattern {
    /// Compiles `pattern`, in which a backslash quotes.
    pub fn new(pattern: &[u8], flags: Flags) -> Self {
        let literal = if flags.nocase { None } else { glob::literal(pattern, flags) };
        let pieces = if flags.nocase || literal.is_some() { None } else { stars::pieces(pattern, flags) };
        Self { text: pattern.to_vec(), flags, program: OnceCell::new(), literal, pieces }
    }

    fn program(&self) -> &Program {
        self.program.get_or_init(|| glob::compile(&self.text, self.flags))
    }

    /// Returns whether all of `text` matches.
    pub fn matches(&self, text: &[u8]) -> bool {
        match (&self.literal, &self.pieces) {
            (Some(literal), _) => literal == text,
            (_, Some(pieces)) => stars::matches(pieces, text),
            _ => self.program().run(text, 0, text.len(), Found::Whole).is_some(),
        }
    }

    /// Returns the end of the longest (or shortest) match at the start of `text`.
    pub fn prefix(&self, text: &[u8], longest: bool) -> Option<usize> {
        if let Some([head, tail]) = self.pieces.as_deref()
            && let Some(found) = stars::prefix(head, tail, text, longest)
        {
            return found;
        }
        self.at(text, 0, longest)
    }

    /// Returns the start of the longest (or shortest) match at the end of `text`.
    pub fn suffix(&self, text: &[u8], longest: bool) -> Option<usize> {
        if let Some(literal) = &self.literal {
            return text.ends_with(literal).then(|| text.len() - literal.len());
        }
        if let Some([head, tail]) = self.pieces.as_deref()
            && let Some(found) = stars::suffix(head, tail, text, longest)
        {
            return found;
        }
        let program = self.program();
        let whole = |start: &usize| {
            is_boundary(text, *start) && program.may_start(text, *start) && program.run(text, *start, text.len(), Found::Whole).is_some()
        };
        if longest { (0..=text.len()).find(whole) } else { (0..=text.len()).rev().find(whole) }
    }

    /// Returns the end of the longest (or shortest) match at `start`.
    fn at(&self, text: &[u8], start: usize, longest: bool) -> Option<usize> {
        match &self.literal {
            Some(literal) => text[start..].starts_with(literal).then(|| start + literal.len()),
            None => self.program().run(text, start, text.len(), if longest { Found::Longest } else { Found::Shortest }),
        }
    }

    /// Finds the first match at or after `from`, as long as possible.
    pub fn search(&self, text: &[u8], from: usize) -> Option<(usize, usize)> {
        if let Some(literal) = &self.literal {
            if literal.is_empty() {
                return None;
            }
            let first = literal[0];
            let mut at = from;
            while at + literal.len() <= text.len() {
                at += text[at..].iter().position(|b| *b == first)?;
                if text[at..].starts_with(literal) {
                    return Some((at, at + literal.len()));
                }
                at += 1;
            }
            return None;
        }
        (from..=text.len())
            .filter(|start| is_boundary(text, *start) && self.program().may_start(text, *start))
            .find_map(|start| self.at(text, start, true).map(|end| (start, end)))
    }
}

/// Returns whether a character may begin at `at`.
pub fn is_boundary(text: &[u8], at: usize) -> bool {
    at == 0 || at >= text.len() || text[at] & 0xc0 != 0x80
}

/// Returns whether `text` has an unquoted character that is special in patterns.
pub fn has_magic(text: &[u8], extglob: bool) -> bool {
    let mut at = 0;
    while at < text.len() {
        match text[at] {
            b'\\' => at += 1,
            b'*' | b'?' => return true,
            b'[' if text[at + 1..].contains(&b']') => return true,
            b'+' | b'@' | b'!' if extglob && text.get(at + 1) == Some(&b'(') => return true,
            _ => {}
        }
        at += 1;
    }
    false
}

/// Removes the backslashes that quote.
pub fn unescape(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut bytes = text.iter();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' => out.push(bytes.next().copied().unwrap_or(b'\\')),
            other => out.push(*other),
        }
    }
    out
}

thread_local! {
    /// Whether characters are bytes, as in the locale `C`.
    static BYTES: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// Chooses whether characters are bytes.
pub fn characters_are_bytes(on: bool) {
    BYTES.set(on);
}

/// Returns the character at `at` and its length; a byte that is not UTF-8 represents itself, outside of Unicode.
pub fn char_at(text: &[u8], at: usize) -> (u32, usize) {
    let first = text[at];
    if first < 0x80 {
        return (u32::from(first), 1);
    }
    let len = match first {
        _ if BYTES.get() => 1,
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => 1,
    };
    if len > 1
        && let Some(bytes) = text.get(at..at + len)
        && let Ok(text) = std::str::from_utf8(bytes)
        && let Some(c) = text.chars().next()
    {
        return (c as u32, len);
    }
    (0x11_0000 + u32::from(first), 1)
}

/// Returns how many characters `text` has.
pub fn char_count(text: &[u8]) -> usize {
    if text.is_ascii() {
        return text.len();
    }
    let (mut at, mut count) = (0, 0);
    while at < text.len() {
        at += char_at(text, at).1;
        count += 1;
    }
    count
}
