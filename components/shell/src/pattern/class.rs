//! Bracket expressions.

use super::char_at;

/// A set of characters.
#[derive(Debug, Clone, Default)]
pub(super) struct Class {
    ranges: Vec<(u32, u32)>,
    named: Vec<Named>,
    negated: bool,
    nocase: bool,
}

/// The set that contains no character.
const NONE: u32 = u32::MAX;

type Named = fn(char) -> bool;

fn named(name: &[u8]) -> Option<Named> {
    Some(match name {
        b"punct" => |c| c.is_ascii_punctuation() || (!c.is_ascii() && !c.is_alphanumeric() && !c.is_whitespace() && !c.is_control()),
        b"ascii" => |c| c.is_ascii(),
        b"word" => |c| c.is_alphanumeric() || c == '_',
        _ => return wisp_tool::wildcard::class(name),
    })
}

impl Class {
    /// Parses a bracket expression at `[`; returns the position after it. `escapes`: a backslash quotes inside.
    pub(super) fn parse(text: &[u8], open: usize, escapes: bool, nocase: bool) -> Option<(Self, usize)> {
        let mut class = Self { nocase, ..Self::default() };
        let mut at = open + 1;
        if matches!(text.get(at), Some(b'!' | b'^')) {
            class.negated = true;
            at += 1;
        }
        let first = at;
        loop {
            let byte = *text.get(at)?;
            if byte == b']' && at > first {
                return Some((class, at + 1));
            }
            if byte == b'[' && matches!(text.get(at + 1), Some(b':' | b'=')) {
                let kind = text[at + 1];
                let end = (at + 2..text.len().saturating_sub(1)).find(|i| text[*i] == kind && text[i + 1] == b']');
                if let Some(end) = end {
                    let name = &text[at + 2..end];
                    if kind == b':' {
                        match named(name) {
                            Some(test) => class.named.push(test),
                            // An unknown class matches nothing in a pattern, and makes a regular expression invalid.
                            None if !escapes => return None,
                            None => {}
                        }
                    } else if !name.is_empty() {
                        let c = char_at(name, 0).0;
                        class.ranges.push((c, c));
                    }
                    at = end + 2;
                    continue;
                }
            }
            let (low, next) = class_char(text, at, escapes)?;
            at = next;
            if text.get(at) == Some(&b'-') && text.get(at + 1).is_some_and(|b| *b != b']') {
                let (high, next) = class_char(text, at + 1, escapes)?;
                at = next;
                class.ranges.extend((high != NONE).then_some((low, high)));
            } else {
                class.ranges.push((low, low));
            }
        }
    }

    /// Returns whether it holds a character.
    pub(super) fn has(&self, c: u32) -> bool {
        let one = |c: u32| {
            self.ranges.iter().any(|(low, high)| (*low..=*high).contains(&c))
                || char::from_u32(c).is_some_and(|c| self.named.iter().any(|test| test(c)))
        };
        let found = one(c) || (self.nocase && (one(fold(c)) || one(unfold(c))));
        found != self.negated
    }
}

fn class_char(text: &[u8], at: usize, escapes: bool) -> Option<(u32, usize)> {
    // `[.x.]` means the character, also at either end of a range; `[.name.]` means a character that has a name.
    if text[at.min(text.len())..].starts_with(b"[.")
        && let Some(len) = text[at + 2..].windows(2).position(|pair| pair == b".]")
        && len > 0
    {
        let name = &text[at + 2..at + 2 + len];
        let c = match name {
            b"hyphen" | b"hyphen-minus" => u32::from(b'-'),
            b"tab" => u32::from(b'\t'),
            b"newline" => u32::from(b'\n'),
            b"space" => u32::from(b' '),
            b"slash" => u32::from(b'/'),
            b"period" | b"full-stop" => u32::from(b'.'),
            b"left-square-bracket" => u32::from(b'['),
            b"right-square-bracket" => u32::from(b']'),
            _ => match char_at(name, 0) {
                (c, whole) if whole == name.len() => c,
                // An unknown name matches no character.
                _ if escapes => NONE,
                _ => return None,
            },
        };
        return Some((c, at + len + 4));
    }
    let at = if escapes && text.get(at) == Some(&b'\\') && at + 1 < text.len() { at + 1 } else { at };
    if at >= text.len() {
        return None;
    }
    let (c, len) = char_at(text, at);
    Some((c, at + len))
}

/// Returns a character in lower case.
pub(super) fn fold(c: u32) -> u32 {
    char::from_u32(c).map_or(c, |c| c.to_lowercase().next().unwrap_or(c) as u32)
}

/// Returns a character in upper case.
pub(super) fn unfold(c: u32) -> u32 {
    char::from_u32(c).map_or(c, |c| c.to_uppercase().next().unwrap_or(c) as u32)
}
