//! Patterns of literal text and stars, the most common kind in scripts: matched by searching.

use super::Flags;

/// Returns the literal pieces between the stars, if there is no other special character.
pub(super) fn pieces(pattern: &[u8], flags: Flags) -> Option<Vec<Vec<u8>>> {
    let mut pieces = vec![Vec::new()];
    let mut at = 0;
    while at < pattern.len() {
        let byte = pattern[at];
        if flags.extglob && matches!(byte, b'?' | b'*' | b'+' | b'@' | b'!') && pattern.get(at + 1) == Some(&b'(') {
            return None;
        }
        match byte {
            b'?' | b'[' => return None,
            b'*' => pieces.push(Vec::new()),
            b'\\' if at + 1 < pattern.len() => {
                at += 1;
                pieces.last_mut()?.push(pattern[at]);
            }
            byte => pieces.last_mut()?.push(byte),
        }
        at += 1;
    }
    Some(pieces)
}

/// Returns whether all of `text` is the pieces in order, with anything between them.
pub(super) fn matches(pieces: &[Vec<u8>], text: &[u8]) -> bool {
    let [first, middle @ .., last] = pieces else { return pieces.first().is_some_and(|only| only == text) };
    if text.len() < first.len() + last.len() || !text.starts_with(first) || !text.ends_with(last) {
        return false;
    }
    let mut rest = &text[first.len()..text.len() - last.len()];
    for piece in middle {
        match find(rest, piece) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    true
}

/// Returns the end of a match of `head*tail` at the start. The outer `None`: this simple search does not apply to the two
/// pieces.
pub(super) fn prefix(head: &[u8], tail: &[u8], text: &[u8], longest: bool) -> Option<Option<usize>> {
    let Some(rest) = text.strip_prefix(head) else { return Some(None) };
    let at = if longest { find_last(rest, tail) } else { find(rest, tail) };
    Some(at.map(|at| head.len() + at + tail.len()))
}

/// Returns the start of a match of `head*tail` at the end.
pub(super) fn suffix(head: &[u8], tail: &[u8], text: &[u8], longest: bool) -> Option<Option<usize>> {
    if head.is_empty() && !tail.is_empty() && !text.is_ascii() && !longest {
        return None;
    }
    let Some(rest) = text.strip_suffix(tail) else { return Some(None) };
    Some(if longest { find(rest, head) } else { find_last(rest, head) })
}

fn find(text: &[u8], piece: &[u8]) -> Option<usize> {
    let Some(first) = piece.first() else { return Some(0) };
    let mut at = 0;
    while at + piece.len() <= text.len() {
        at += text[at..].iter().position(|b| b == first)?;
        if text[at..].starts_with(piece) {
            return Some(at);
        }
        at += 1;
    }
    None
}

fn find_last(text: &[u8], piece: &[u8]) -> Option<usize> {
    if piece.len() > text.len() {
        return None;
    }
    (0..=text.len() - piece.len()).rev().find(|at| text[*at..].starts_with(piece))
}
