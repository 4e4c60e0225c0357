//! Letter case.

use crate::pattern::char_at;

fn map(text: &[u8], mut change: impl FnMut(usize, char, &mut Vec<u8>)) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let (mut at, mut number) = (0, 0);
    while at < text.len() {
        let (c, len) = char_at(text, at);
        match char::from_u32(c) {
            Some(c) => change(number, c, &mut out),
            None => out.extend_from_slice(&text[at..at + len]),
        }
        at += len;
        number += 1;
    }
    out
}

fn push(c: char, out: &mut Vec<u8>) {
    out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
}

/// Maps one character to one character, like towupper.
fn simple(c: char, mut mapped: impl Iterator<Item = char>) -> char {
    match (mapped.next(), mapped.next()) {
        (Some(only), None) => only,
        _ => c,
    }
}

/// Returns the text in capitals.
pub fn upper(text: &[u8]) -> Vec<u8> {
    map(text, |_, c, out| push(simple(c, c.to_uppercase()), out))
}

/// Returns the text in small letters.
pub fn lower(text: &[u8]) -> Vec<u8> {
    map(text, |_, c, out| push(simple(c, c.to_lowercase()), out))
}

/// Returns the first letter a capital, the others small.
pub fn capitalize(text: &[u8]) -> Vec<u8> {
    map(text, |n, c, out| push(if n == 0 { simple(c, c.to_uppercase()) } else { simple(c, c.to_lowercase()) }, out))
}

/// Applies `^`, `,` and `~`, doubled for all characters, where `wanted` accepts the character.
pub(super) fn modify(text: &[u8], op: u8, all: bool, wanted: impl Fn(&[u8]) -> bool) -> Vec<u8> {
    map(text, |n, c, out| {
        let mut buf = [0; 4];
        let bytes = c.encode_utf8(&mut buf).as_bytes();
        if (n > 0 && !all) || !wanted(bytes) {
            out.extend_from_slice(bytes);
            return;
        }
        let up = simple(c, c.to_uppercase());
        let down = simple(c, c.to_lowercase());
        push(
            match op {
                b'^' => up,
                b',' => down,
                _ if c == up => down,
                _ => up,
            },
            out,
        );
    })
}
