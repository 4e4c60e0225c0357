//! Percent-encoding.

use std::fmt::Write;

/// Replaces every `%XX` by its byte; a percent sign before anything else is kept.
pub(crate) fn decode(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let (mut out, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while at < bytes.len() {
        let pair = bytes.get(at + 1..at + 3).and_then(|pair| std::str::from_utf8(pair).ok());
        match pair.filter(|pair| bytes[at] == b'%' && pair.bytes().all(|b| b.is_ascii_hexdigit())) {
            Some(pair) => {
                out.push(u8::from_str_radix(pair, 16).unwrap_or_default());
                at += 3;
            }
            None => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    out
}

/// Encodes everything but letters, digits and `-._~`.
pub(crate) fn encode(bytes: &[u8]) -> String {
    encoded(bytes, |b| b.is_ascii_alphanumeric() || b"-._~".contains(&b))
}

/// Encodes only characters that no URL may contain; the others are meant as they are.
pub(crate) fn encode_rest(text: &str) -> String {
    encoded(text.as_bytes(), |b| b.is_ascii_graphic())
}

fn encoded(bytes: &[u8], plain: impl Fn(u8) -> bool) -> String {
    let mut out = String::with_capacity(bytes.len());
    for byte in bytes {
        if plain(*byte) {
            out.push(char::from(*byte));
        } else {
            // Writing to a String cannot fail.
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

/// Returns Base64 with padding, for Basic credentials.
pub(crate) fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let word = chunk.iter().chain([0, 0].iter()).take(3).fold(0u32, |word, byte| word << 8 | u32::from(*byte));
        for place in 0..4 {
            let letter = LETTERS[(word >> (18 - 6 * place) & 63) as usize];
            out.push(if place <= chunk.len() { char::from(letter) } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percent_signs_and_back() {
        assert_eq!(decode("a%20b%zz%4"), b"a b%zz%4");
        assert_eq!(encode("ä b/~".as_bytes()), "%C3%A4%20b%2F~");
        assert_eq!(encode_rest("/ä?x=%20\"y\""), "/%C3%A4?x=%20\"y\"");
    }

    #[test]
    fn base64_of_every_length() {
        let expected = ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE="];
        for (length, expected) in expected.into_iter().enumerate() {
            assert_eq!(base64(&b"fooba"[..length]), expected);
        }
    }
}
