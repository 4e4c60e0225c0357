//! `xargs -d`: one character, or an escape.

/// Parses the byte that ends items. The error is the message about a wrong text.
pub(super) fn parse(text: &str) -> Result<u8, String> {
    let bytes = text.as_bytes();
    match bytes {
        [one] => Ok(*one),
        [b'\\', rest @ ..] => escape(text, rest),
        _ => Err(format!(
            "Invalid input delimiter specification {text}: the delimiter must be either a single character or an escape sequence starting with \\."
        )),
    }
}

fn escape(text: &str, rest: &[u8]) -> Result<u8, String> {
    let invalid = format!("Invalid escape sequence {text} in input delimiter specification");
    match rest {
        [b'x', digits @ ..] => number(digits, 16, "ff", &invalid),
        [digit, ..] if digit.is_ascii_digit() => number(rest, 8, "377", &invalid),
        [letter] => match letter {
            b'a' => Ok(7),
            b'b' => Ok(8),
            b'f' => Ok(12),
            b'n' => Ok(b'\n'),
            b'r' => Ok(b'\r'),
            b't' => Ok(b'\t'),
            b'v' => Ok(11),
            b'\\' => Ok(b'\\'),
            _ => Err(format!("{invalid}.")),
        },
        _ => Err(format!("{invalid}.")),
    }
}

/// Parses a number as strtoul(3) reads it, after blanks, a sign and (in base 16) `0x`, and the rest of the text. Without digits,
/// the number is 0 and the rest is the whole text.
fn number(bytes: &[u8], base: u32, most: &str, invalid: &str) -> Result<u8, String> {
    let blank = |b: &u8| matches!(b, b' ' | b'\t'..=b'\r');
    let mut rest = &bytes[bytes.iter().position(|b| !blank(b)).unwrap_or(bytes.len())..];
    let negative = rest.first() == Some(&b'-');
    rest = rest.strip_prefix(b"-").or(rest.strip_prefix(b"+")).unwrap_or(rest);
    let digit = |b: &u8| char::from(*b).to_digit(base);
    if base == 16
        && let [b'0', b'x' | b'X', after @ ..] = rest
        && after.first().and_then(digit).is_some()
    {
        rest = after;
    }
    let (mut value, mut any) = (0u64, false);
    while let Some((first, after)) = rest.split_first()
        && let Some(digit) = digit(first)
    {
        value = value.saturating_mul(u64::from(base)).saturating_add(u64::from(digit));
        (rest, any) = (after, true);
    }
    let left = if any { rest } else { bytes };
    let value = if negative { value.wrapping_neg() } else { value };
    match u8::try_from(value) {
        Err(_) => Err(format!("{invalid}; character values must not exceed {most}.")),
        Ok(_) if !left.is_empty() => Err(format!("{invalid}; trailing characters {} not recognised.", String::from_utf8_lossy(left))),
        Ok(byte) => Ok(byte),
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn delimiters_are_read() {
        assert_eq!(parse("\\n"), Ok(b'\n'));
        assert_eq!(parse(","), Ok(b','));
        assert_eq!(parse("\\x41"), Ok(b'A'));
        assert_eq!(parse("\\101"), Ok(b'A'));
        assert_eq!(parse("\\x +0x41").ok(), Some(b'A'));
        assert_eq!(parse("\\x"), Ok(0));
        assert_eq!(parse("\\x-0"), Ok(0));
        for wrong in ["ab", "", "\\q", "\\x100", "\\400", "\\x4g", "\\08", "\\x-1"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
