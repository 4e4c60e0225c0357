//! Dates in the time zone of `TZ` (UTC without it), and durations.

use wisp_tool::calendar::TimeZone;

/// Formats a moment, in nanoseconds since 1970, as `date` writes it: in a format of `strftime`, with `%N` too. A format with a
/// width that is too large is printed unchanged.
pub(crate) fn format(ns: i128, format: &str) -> String {
    let shown = crate::date::format(format.as_bytes(), ns, TimeZone::local());
    shown.map_or_else(|_| format.to_owned(), |shown| String::from_utf8_lossy(&shown).into_owned())
}

/// Parses a duration such as `10`, `1.5s`, `2m`, `3h`, `1d`, `inf` or `0x1p-3`, in nanoseconds.
pub(crate) fn duration(text: &str) -> Option<u64> {
    match text.strip_prefix('-') {
        // Zero is zero with either sign.
        Some(rest) => duration(rest).filter(|ns| *ns == 0 && !rest.starts_with('-')),
        None => decimal(text).or_else(|| hexadecimal(text)),
    }
}

fn decimal(text: &str) -> Option<u64> {
    let (number, factor) = match text.char_indices().last()? {
        (at, 's') => (&text[..at], 1.0),
        (at, 'm') => (&text[..at], 60.0),
        (at, 'h') => (&text[..at], 3600.0),
        (at, 'd') => (&text[..at], 86400.0),
        _ => (text, 1.0),
    };
    if number.starts_with('-') || number.trim() != number {
        return None;
    }
    let number: f64 = number.parse().ok()?;
    // Rust's casts from float to integer saturate, so infinity becomes the longest duration.
    (number >= 0.0).then_some((number * factor * 1e9) as u64)
}

/// Parses a duration as a hexadecimal number of C: `0x1p-3`, `0x1h`. The letter `d` is a digit in it.
fn hexadecimal(text: &str) -> Option<u64> {
    let rest = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"))?;
    let (digits, factor) = match rest.char_indices().last()? {
        (at, 's') => (&rest[..at], 1.0),
        (at, 'm') => (&rest[..at], 60.0),
        (at, 'h') => (&rest[..at], 3600.0),
        _ => (rest, 1.0),
    };
    Some((wisp_tool::float::hexadecimal(digits)? * factor * 1e9) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read() {
        assert_eq!(duration("1.5"), Some(1_500_000_000));
        assert_eq!(duration("2m"), Some(120_000_000_000));
        assert_eq!(duration("inf"), Some(u64::MAX));
        assert_eq!(duration("x"), None);
        assert_eq!(duration("-1"), None);
        assert_eq!(duration(""), None);
    }

    #[test]
    fn hexadecimal_durations() {
        assert_eq!(hexadecimal("0x1p-3"), Some(125_000_000));
        assert_eq!(hexadecimal("0X1.8"), Some(1_500_000_000));
        assert_eq!([hexadecimal("1"), hexadecimal("0x"), hexadecimal("0xg"), hexadecimal("0x1p")], [None; 4]);
        assert_eq!(
            [duration("0x1h"), duration("0xd"), duration("-0x0"), duration("-0x1"), duration("--0")],
            [Some(3_600_000_000_000), Some(13_000_000_000), Some(0), None, None]
        );
    }
}
