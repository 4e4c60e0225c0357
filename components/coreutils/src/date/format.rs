//! The formats of `date`: those of strftime, and nanoseconds, offsets with colons, and quarters.

use wisp_tool::calendar::{Civil, TimeZone, Zone, seconds, strftime};

/// The largest width; larger ones are refused.
const WIDEST: usize = u16::MAX as usize;

/// Returns a moment, in nanoseconds since 1970, as the clocks of a zone show it. The error is the message about a width that is
/// too large.
pub(crate) fn format(format: &[u8], at: i128, zone: &TimeZone) -> Result<Vec<u8>, String> {
    let (civil, offset) = zone.civil(seconds(at));
    Ok(strftime(&ours(format, &civil, at.rem_euclid(1_000_000_000), offset.seconds)?, &civil, offset.zone()))
}

/// Returns the format with the fields filled in that strftime does not have.
fn ours(format: &[u8], civil: &Civil, nanos: i128, ahead: i64) -> Result<Vec<u8>, String> {
    let mut out = Vec::with_capacity(format.len());
    let mut at = 0;
    while let Some(&byte) = format.get(at) {
        if byte != b'%' {
            out.push(byte);
            at += 1;
            continue;
        }
        let rest = &format[at + 1..];
        let flags = rest.iter().take_while(|byte| b"-_0^#+".contains(byte)).count();
        let digits = rest[flags..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let pad = rest[..flags].iter().rev().find(|flag| b"-_0+".contains(flag)).copied();
        let width = rest[flags..flags + digits]
            .iter()
            .fold(0usize, |width, digit| width.saturating_mul(10).saturating_add(usize::from(digit - b'0')));
        if width > WIDEST {
            let (width, letter) = (&rest[flags..flags + digits], &rest[flags + digits..]);
            let letter = letter.first().copied().map(char::from).unwrap_or_default();
            return Err(format!("format modifier width '{}' is too large for specifier '%{letter}'", String::from_utf8_lossy(width)));
        }
        let colons = rest[flags + digits..].iter().take_while(|byte| **byte == b':').count();
        let letter = rest.get(flags + digits + colons).copied();
        let text = match (letter, colons) {
            (Some(b'N'), 0) => Some(fraction(nanos, pad, width)),
            (Some(b'q'), 0) => Some(padded(&((civil.month + 2) / 3).to_string(), pad, width)),
            (Some(b'F'), 0) if civil.year > 9999 && flags + digits == 0 => Some("+%Y-%m-%d".to_owned()),
            (Some(b'z'), 1..=3) => Some(offset(ahead, colons, pad, width)),
            _ => None,
        };
        let used = 1 + flags + digits + colons + usize::from(letter.is_some());
        match text {
            Some(text) => out.extend_from_slice(text.as_bytes()),
            // The next character may be a percent sign too.
            None => {
                let plus = format[at + 1..at + 1 + flags].contains(&b'+') && colons == 0;
                let piece = &format[at..at + used];
                match letter {
                    _ if plus => out.extend(signed(piece, letter, civil, width)),
                    // Without padding, the width has no effect.
                    Some(_) if pad == Some(b'-') && digits > 0 && colons == 0 => {
                        out.extend(piece.iter().filter(|byte| !byte.is_ascii_digit()));
                    }
                    // A width is the minimum number of digits.
                    Some(letter) if (1..usual(letter)).contains(&width) && colons == 0 => {
                        let text = String::from_utf8_lossy(&strftime(&[b'%', b'-', letter], civil, Zone::UTC)).into_owned();
                        out.extend(padded(&text, pad, width).into_bytes());
                    }
                    _ => out.extend_from_slice(piece),
                }
            }
        }
        at += used;
    }
    Ok(out)
}

/// Returns how many digits a number has without a width.
fn usual(letter: u8) -> usize {
    match letter {
        b'j' => 3,
        _ if b"CdegHIklmMSUVWy".contains(&letter) => 2,
        _ => 0,
    }
}

/// Formats `%+4Y`: padded with zeros, and with a sign if the year has more than four digits.
fn signed(piece: &[u8], letter: Option<u8>, civil: &Civil, width: usize) -> Vec<u8> {
    let plain: Vec<u8> = piece.iter().copied().filter(|byte| *byte != b'+').collect();
    let digits = if letter == Some(b'C') { 2 } else { 4 };
    let more = civil.year > 9999 || width > digits && civil.year >= 0;
    if !matches!(letter, Some(b'Y' | b'C' | b'G' | b'F')) || !more {
        return plain;
    }
    let width = if width > 0 { (width - 1).to_string() } else { String::new() };
    [b"+%", width.as_bytes(), &plain[plain.len() - 1..]].concat()
}

/// Formats nanoseconds. The width is the number of digits shown.
fn fraction(nanos: i128, pad: Option<u8>, width: usize) -> String {
    let all = format!("{nanos:09}");
    let shown = &all[..if width == 0 { 9 } else { width.min(9) }];
    match pad {
        Some(b'_') => format!("{:<width$}", shown.trim_end_matches('0'), width = width.max(shown.len())),
        Some(b'-') if width > 0 => shown.trim_end_matches('0').to_owned(),
        _ => format!("{shown:0<width$}"),
    }
}

fn padded(text: &str, pad: Option<u8>, width: usize) -> String {
    if pad == Some(b'_') { format!("{text:>width$}") } else { format!("{text:0>width$}") }
}

/// Formats an offset as `+02:30`, `+02:30:00`, or `+02` if the rest is zero.
fn offset(ahead: i64, colons: usize, pad: Option<u8>, width: usize) -> String {
    let (sign, size) = if ahead < 0 { ('-', -ahead) } else { ('+', ahead) };
    let (hours, minutes, seconds) = (size / 3600, size / 60 % 60, size % 60);
    let rest = match colons {
        1 => format!(":{minutes:02}"),
        2 => format!(":{minutes:02}:{seconds:02}"),
        _ if seconds != 0 => format!(":{minutes:02}:{seconds:02}"),
        _ if minutes != 0 => format!(":{minutes:02}"),
        _ => String::new(),
    };
    match pad {
        Some(b'-') => format!("{sign}{hours}{rest}"),
        Some(b'_') => format!("{:>width$}", format!("{sign}{hours}{rest}"), width = width.max(3 + rest.len())),
        _ => format!("{sign}{hours:0>digits$}{rest}", digits = width.saturating_sub(1 + rest.len()).max(2)),
    }
}

/// Returns whether this operand would set the clock: `MMDDhhmm[[CC]YY][.ss]`.
pub(super) fn setting(text: &str) -> bool {
    let (digits, seconds) = text.split_once('.').unwrap_or((text, "00"));
    let all = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    all(digits) && all(seconds) && seconds.len() == 2 && [8, 10, 12].contains(&digits.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(by: &str) -> String {
        // 2024-02-29 12:34:56.070 in India.
        let zone = TimeZone::named("IST-5:30");
        String::from_utf8(format(by.as_bytes(), 1_709_190_296_070_000_000, &zone).unwrap()).unwrap()
    }

    #[test]
    fn what_strftime_knows_and_what_it_does_not() {
        assert_eq!(shown("%F %T %Z %s %%N"), "2024-02-29 12:34:56 IST 1709190296 %N");
        assert_eq!(shown("%N|%3N|%-N|%-3N|%_3N|%12N"), "070000000|070|070000000|07|07 |070000000000");
        assert_eq!(shown("%z|%:z|%::z|%:::z|%-:z|%_:z|%10:z|%::::z"), "+0530|+05:30|+05:30:00|+05:30|+5:30| +5:30|+000005:30|%::::z");
        assert_eq!(shown("%q|%P|%-d|%^a|%+Y|%+6Y|%"), "1|pm|29|THU|2024|+02024|%");
        assert_eq!(shown("%Q %:q"), "%Q %:q");
        assert_eq!(shown("%-10Y|%-^10B|%-5d|%02j|%1j|%1m|%_1m|%4j|%5d"), "2024|FEBRUARY|29|60|60|2|2|0060|00029");
        let error = format(b"%70000s", 0, &TimeZone::Utc).unwrap_err();
        assert_eq!(error, "format modifier width '70000' is too large for specifier '%s'");
    }

    #[test]
    fn the_clock_is_not_set_by_accident() {
        assert!(setting("01010000") && setting("010100002024.30"));
        assert!(!setting("now") && !setting("0101") && !setting("01010000.x"));
    }
}
