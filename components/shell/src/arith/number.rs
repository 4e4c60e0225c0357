//! Number constants.

/// What can be wrong with the digits of a number.
pub(super) const MESSAGES: [&str; 4] =
    ["invalid number", "invalid arithmetic base", "invalid integer constant", "value too great for base"];

/// Parses a constant: decimal, `0x`, octal with a leading 0, `base#digits`. The error is a message without its token.
pub fn parse_number(text: &[u8]) -> Result<i64, &'static str> {
    let (base, digits): (u32, &[u8]) = if let Some(at) = text.iter().position(|b| *b == b'#') {
        if text[0] == b'0' {
            return Err("invalid number");
        }
        let base = std::str::from_utf8(&text[..at]).ok().and_then(|base| base.parse().ok()).unwrap_or(0u32);
        if !(2..=64).contains(&base) {
            return Err("invalid arithmetic base");
        }
        if at + 1 == text.len() {
            return Err("invalid integer constant");
        }
        (base, &text[at + 1..])
    } else if text.len() >= 2 && text[0] == b'0' && (text[1] | 32) == b'x' {
        (16, &text[2..])
    } else if text.len() > 1 && text[0] == b'0' {
        (8, &text[1..])
    } else {
        (10, text)
    };
    let mut value = 0i64;
    for byte in digits {
        let digit = match byte {
            b'0'..=b'9' => u32::from(byte - b'0'),
            b'a'..=b'z' => u32::from(byte - b'a') + 10,
            b'A'..=b'Z' if base <= 36 => u32::from(byte - b'A') + 10,
            b'A'..=b'Z' => u32::from(byte - b'A') + 36,
            b'@' => 62,
            b'_' => 63,
            _ => return Err("syntax error: invalid arithmetic operator"),
        };
        if digit >= base {
            return Err("value too great for base");
        }
        value = value.wrapping_mul(i64::from(base)).wrapping_add(i64::from(digit));
    }
    Ok(value)
}
