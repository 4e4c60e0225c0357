//! How a name that is not UTF-8 is spelled in a text.
//!
//! A file name of Linux is bytes; a string of WASI, of JSON and of this library is Unicode. So that a file with any name can be listed,
//! opened and written back under its own bytes, each byte that is no part of UTF-8 is spelled as one character: byte `0xNN` as U+F7NN, of
//! the private use area. [`spell`] makes that text, and [`read`] the bytes again.
//!
//! - **Reversible**: `read(spell(name))` is `name`, whatever its bytes are. A name that has one of these characters itself is spelled too:
//!   its three bytes become three characters. So two names never have one spelling.
//! - **One spelling each**: other texts with these characters spell nothing ([`is_spelling`]), and no file has such a name. So two texts
//!   never mean one file.
//! - **Nothing else can be spelled**: the characters stand for the bytes from 0x80 on. A spelling that is read gives no `/`, NUL or `.`
//!   that the text did not have.
//!
//! A text without these characters, which is nearly every name, is its own spelling. The guests do the same where their libc meets
//! WASI (`toolchain/fuse/src/wire_code.rs`), and for Python `components/python/_wisp/spelling.py`.

#![forbid(unsafe_code)]

use std::borrow::Cow;

/// The character of byte 0, if it had one: those from 0x80 on have.
const FIRST: u32 = 0xf700;

/// Bytes of the UTF-8 of one of the characters.
const WIDTH: usize = '\u{f780}'.len_utf8();

/// Returns the maximum bytes of the spelling of a name that has `bytes`.
#[must_use]
pub const fn most(bytes: usize) -> usize {
    bytes * WIDTH
}

/// Returns whether this character spells a byte.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{f780}'..='\u{f7ff}')
}

/// Returns the character of a byte from 0x80 on.
fn mark(byte: u8) -> char {
    // None of them is a surrogate.
    char::from_u32(FIRST | u32::from(byte)).unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// Returns whether a text has one of the characters.
fn has_mark(text: &str) -> bool {
    // The first byte of their UTF-8, which few texts have.
    text.as_bytes().contains(&0xef) && text.chars().any(is_mark)
}

/// Spells a name: the text itself if it is UTF-8 without characters that spell bytes.
#[must_use]
pub fn spell(name: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(name)
        && !has_mark(text)
    {
        return Cow::Borrowed(text);
    }
    let mut text = String::with_capacity(most(name.len()));
    for chunk in name.utf8_chunks() {
        for c in chunk.valid().chars() {
            if is_mark(c) {
                text.extend(c.encode_utf8(&mut [0; 4]).bytes().map(mark));
            } else {
                text.push(c);
            }
        }
        text.extend(chunk.invalid().iter().map(|byte| mark(*byte)));
    }
    Cow::Owned(text)
}

/// Reads the name that a text spells. Of a text that is no spelling ([`is_spelling`]) it gives the name of another text.
#[must_use]
pub fn read(text: &str) -> Cow<'_, [u8]> {
    if !has_mark(text) {
        return Cow::Borrowed(text.as_bytes());
    }
    let mut name = Vec::with_capacity(text.len());
    for c in text.chars() {
        if is_mark(c) {
            // The lower half of the number is the byte.
            name.push((u32::from(c) & 0xff) as u8);
        } else {
            name.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        }
    }
    Cow::Owned(name)
}

/// Returns whether the text is the spelling of a name: whether [`spell`] gives it again for what [`read`] makes of it.
#[must_use]
pub fn is_spelling(text: &str) -> bool {
    !has_mark(text) || spell(&read(text)) == text
}

/// Returns how many bytes the name has that a text spells.
#[must_use]
pub fn len(text: &str) -> usize {
    if text.as_bytes().contains(&0xef) { text.len() - (WIDTH - 1) * text.chars().filter(|c| is_mark(*c)).count() } else { text.len() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn text_is_its_own_spelling() {
        for text in ["", "a", "/a/b", "é", "日本", "\u{f77f}", "\u{f800}", "\u{fffd}", "a\0b"] {
            assert_eq!((&*spell(text.as_bytes()), &*read(text), is_spelling(text), len(text)), (text, text.as_bytes(), true, text.len()));
        }
    }

    #[test]
    fn other_bytes_become_characters() {
        let cases: &[(&[u8], &str)] = &[
            (b"caf\xe9.txt", "caf\u{f7e9}.txt"),
            (b"\xff\xfe", "\u{f7ff}\u{f7fe}"),
            // Overlong, a surrogate, above the last character, and cut off.
            (b"\xc0\xaf", "\u{f7c0}\u{f7af}"),
            (b"\xed\xa0\x80", "\u{f7ed}\u{f7a0}\u{f780}"),
            (b"\xf4\x90\x80\x80", "\u{f7f4}\u{f790}\u{f780}\u{f780}"),
            (b"\xe2\x82A", "\u{f7e2}\u{f782}A"),
            (b"\xc3\xa9\xc3", "é\u{f7c3}"),
            // The characters themselves.
            ("\u{f780}".as_bytes(), "\u{f7ef}\u{f79e}\u{f780}"),
            ("\u{f7e9}".as_bytes(), "\u{f7ef}\u{f79f}\u{f7a9}"),
        ];
        for (name, text) in cases {
            assert_eq!((&*spell(name), &*read(text)), (*text, *name));
            assert!(is_spelling(text));
            assert_eq!(len(text), name.len());
        }
    }

    #[test]
    fn other_texts_spell_nothing() {
        for text in ["\u{f7c3}\u{f7a9}", "\u{f7e2}\u{f782}\u{f7ac}", "a\u{f7ef}\u{f780}\u{f780}"] {
            assert!(!is_spelling(text), "{text:?}");
        }
        // The bytes of a character that spells a byte, which is how the character is spelled.
        assert!(is_spelling("\u{f7ef}\u{f79e}\u{f780}"));
    }

    /// Goes through all names of up to three of these bytes: each has a spelling of its own, which gives it again.
    #[test]
    fn names_are_never_one() {
        const BYTES: &[u8] = b"a/.\0\x80\x9e\x9f\xa0\xa9\xbf\xc0\xc3\xe0\xe9\xed\xef\xf0\xf4\xff";
        let mut names: Vec<Vec<u8>> = vec![Vec::new()];
        let mut from = 0;
        for _ in 0..3 {
            let to = names.len();
            for at in from..to {
                for byte in BYTES {
                    let name = [names[at].as_slice(), &[*byte]].concat();
                    names.push(name);
                }
            }
            from = to;
        }
        let mut spelled = BTreeMap::new();
        for name in &names {
            let text = spell(name).into_owned();
            assert_eq!(*read(&text), **name, "{name:?}");
            assert!(is_spelling(&text) && len(&text) == name.len() && text.len() <= most(name.len()), "{name:?}");
            for plain in ['/', '.', '\0'] {
                let count = name.iter().filter(|byte| u32::from(**byte) == u32::from(plain)).count();
                assert_eq!(text.chars().filter(|c| *c == plain).count(), count, "{name:?}");
            }
            assert_eq!(spelled.insert(text, name.clone()), None, "{name:?}");
        }
        assert_eq!(spelled.len(), names.len());
    }
}
