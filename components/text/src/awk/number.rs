//! Numbers from text and as text.

use super::format;
use std::sync::atomic::{AtomicBool, Ordering};

/// `-n`: numbers of the input may be hexadecimal or octal.
pub(super) static NON_DECIMAL: AtomicBool = AtomicBool::new(false);

/// Parses `0x1F` and `017`; returns where they end as well.
fn other_base(text: &[u8], at: usize) -> Option<(f64, usize)> {
    let (base, from) = if matches!(text.get(at + 1), Some(b'x' | b'X')) { (16, at + 2) } else { (8, at + 1) };
    let digits = text[from..].iter().take_while(|b| char::from(**b).is_digit(base)).count();
    let body = std::str::from_utf8(&text[from..from + digits]).ok().filter(|b| !b.is_empty())?;
    // With a point or an 8, the number is decimal.
    let plain = base == 16 || !matches!(text.get(from + digits), Some(b'8' | b'9' | b'.' | b'e' | b'E'));
    let value = body.chars().filter_map(|c| c.to_digit(base)).fold(0.0, |n, d| n * f64::from(base) + f64::from(d));
    plain.then_some((value, from + digits))
}

/// Parses the number at the start of a text; 0 if there is none.
pub(super) fn parse(text: &[u8]) -> f64 {
    prefix(text).map_or(0.0, |(n, _)| n)
}

/// Returns the number that a text is, ignoring blanks around it.
pub(super) fn looks(text: &[u8]) -> Option<f64> {
    // The common case first: the first byte shows that most fields are not numbers.
    let first = text.iter().position(|b| !b.is_ascii_whitespace())?;
    if !matches!(text[first], b'0'..=b'9' | b'+' | b'-' | b'.') {
        return None;
    }
    let (number, length) = prefix(text)?;
    text[length..].iter().all(u8::is_ascii_whitespace).then_some(number)
}

/// Returns the number at the start, and where it ends.
pub(super) fn prefix(text: &[u8]) -> Option<(f64, usize)> {
    let start = text.iter().position(|b| !b.is_ascii_whitespace() && *b != 0x0b)?;
    let mut at = start;
    let sign = matches!(text[at], b'+' | b'-');
    let negative = text[at] == b'-';
    at += usize::from(sign);
    let digits = at;
    if text.get(at) == Some(&b'0')
        && NON_DECIMAL.load(Ordering::Relaxed)
        && let Some((value, end)) = other_base(text, at)
    {
        return Some((if negative { -value } else { value }, end));
    }
    let mut whole: u64 = 0;
    while let Some(b @ b'0'..=b'9') = text.get(at) {
        whole = whole.wrapping_mul(10).wrapping_add(u64::from(b - b'0'));
        at += 1;
    }
    let integer = at - digits;
    let fraction = match text.get(at) {
        Some(b'.') => text[at + 1..].iter().take_while(|b| b.is_ascii_digit()).count(),
        _ => 0,
    };
    if integer == 0 && fraction == 0 {
        return special(text, start, sign, negative);
    }
    let mut end = at;
    if text.get(at) == Some(&b'.') {
        end += 1 + fraction;
    }
    let mut exponent = false;
    if let Some(b'e' | b'E') = text.get(end) {
        let mut look = end + 1;
        look += usize::from(matches!(text.get(look), Some(b'+' | b'-')));
        let count = text[look.min(text.len())..].iter().take_while(|b| b.is_ascii_digit()).count();
        if count > 0 {
            end = look + count;
            exponent = true;
        }
    }
    if fraction == 0 && !exponent && integer <= 15 {
        let value = whole as f64;
        return Some((if negative { -value } else { value }, end));
    }
    let body = std::str::from_utf8(&text[digits..end]).ok()?;
    let value: f64 = body.parse().ok()?;
    Some((if negative { -value } else { value }, end))
}

/// Parses `+inf` and `-nan`: a sign is required.
fn special(text: &[u8], start: usize, sign: bool, negative: bool) -> Option<(f64, usize)> {
    if !sign {
        return None;
    }
    let word = text.get(start + 1..start + 4)?.to_ascii_lowercase();
    let more = text.get(start + 4).is_some_and(u8::is_ascii_alphanumeric);
    let value = match (&word[..], more) {
        (b"inf", false) => f64::INFINITY,
        (b"nan", false) => f64::NAN.abs(),
        _ => return None,
    };
    Some((if negative { -value } else { value }, start + 4))
}

/// Returns whether a number is printed as an integer.
pub(super) fn is_integer(n: f64) -> bool {
    n.is_finite() && n.trunc() == n
}

/// Appends a number: integers as such, others in a format.
pub(super) fn write(n: f64, format: &[u8], out: &mut Vec<u8>) {
    if n.abs() < 1e16 && n.trunc() == n {
        let mut buffer = [0_u8; 20];
        let mut at = buffer.len();
        let mut rest = n.abs() as u64;
        loop {
            at -= 1;
            buffer[at] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        if n < 0.0 {
            at -= 1;
            buffer[at] = b'-';
        }
        out.extend_from_slice(&buffer[at..]);
    } else if is_integer(n) {
        out.extend(format!("{n:.0}").into_bytes());
    } else if !n.is_finite() {
        out.extend_from_slice(not_finite(n).as_bytes());
    } else if format == b"%.6g" {
        format::general(n, 6, false, false, out);
    } else {
        format::number(n, format, out);
    }
}

/// Returns infinity and NaN, always with a sign.
pub(super) fn not_finite(n: f64) -> &'static str {
    match (n.is_nan(), n.is_sign_negative()) {
        (true, true) => "-nan",
        (true, false) => "+nan",
        (false, true) => "-inf",
        (false, false) => "+inf",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(n: f64) -> String {
        let mut out = Vec::new();
        write(n, b"%.6g", &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn numbers_are_read() {
        assert_eq!(prefix(b" -12.5e1x"), Some((-125.0, 8)));
        assert_eq!(prefix(b"1e"), Some((1.0, 1)));
        assert_eq!(prefix(b"."), None);
        assert_eq!(prefix(b".5"), Some((0.5, 2)));
        assert_eq!(prefix(b"5."), Some((5.0, 2)));
        assert_eq!(parse(b"0x1A"), 0.0);
        assert_eq!(looks(b" 12 "), Some(12.0));
        assert_eq!(looks(b"12a"), None);
        assert_eq!(looks(b"inf"), None);
        assert_eq!(looks(b"-inf"), Some(f64::NEG_INFINITY));
        assert_eq!(looks(b"123456789012345678901"), Some(123_456_789_012_345_678_901.0));
    }

    #[test]
    fn numbers_are_written() {
        assert_eq!(shown(-0.0), "0");
        assert_eq!(shown(1e16), "10000000000000000");
        assert_eq!(shown(1e30), "1000000000000000019884624838656");
        assert_eq!(shown(0.1 + 0.2), "0.3");
        assert_eq!(shown(1e-5), "1e-05");
        assert_eq!(shown(123_456_789.123), "1.23457e+08");
        assert_eq!(shown(f64::NEG_INFINITY), "-inf");
    }
}
