//! `strftime` of the C locale.

use super::{Civil, MONTHS, WEEKDAYS, days};

/// The offset of a local time from UTC, and its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Zone<'a> {
    /// Seconds ahead of UTC.
    pub seconds: i64,
    /// The name, as `CET`.
    pub name: &'a str,
}

impl Zone<'_> {
    /// Coordinated universal time.
    pub const UTC: Zone<'static> = Zone { seconds: 0, name: "UTC" };
}

/// The modifiers between `%` and the letter.
#[derive(Default, Clone, Copy)]
struct How {
    /// `-`, `_` or `0`; the last one counts.
    pad: Option<u8>,
    upper: bool,
    swap: bool,
    width: usize,
    /// `E` or `O`, which request a locale's other forms.
    modifier: u8,
}

/// Formats a time that is local to `zone`.
pub fn strftime(format: &[u8], time: &Civil, zone: Zone<'_>) -> Vec<u8> {
    let mut out = Vec::new();
    write(format, time, zone, false, &mut out);
    out
}

fn write(format: &[u8], time: &Civil, zone: Zone<'_>, upper: bool, out: &mut Vec<u8>) {
    let mut at = 0;
    while at < format.len() {
        let start = at;
        at += 1;
        if format[start] != b'%' {
            out.push(format[start]);
            continue;
        }
        let mut how = How { upper, ..How::default() };
        while let Some(flag @ (b'-' | b'_' | b'0' | b'^' | b'#')) = format.get(at).copied() {
            match flag {
                b'^' => how.upper = true,
                b'#' => how.swap = true,
                other => how.pad = Some(other),
            }
            at += 1;
        }
        while let Some(digit) = format.get(at).filter(|b| b.is_ascii_digit()) {
            how.width = (how.width * 10 + usize::from(digit - b'0')).min(WIDEST);
            at += 1;
        }
        while let Some(modifier @ (b'E' | b'O')) = format.get(at).copied() {
            how.modifier = modifier;
            at += 1;
        }
        let known = format.get(at).is_some_and(|letter| convert(*letter, time, zone, how, out));
        if !known {
            // Printed unchanged, like a single `%` at the end.
            let start = if format.get(at) == Some(&b'%') { at } else { start };
            out.extend_from_slice(&format[start..(at + 1).min(format.len())]);
        }
        at += 1;
    }
}

/// The maximum width; larger ones are reduced to it.
const WIDEST: usize = u16::MAX as usize;

/// Returns false if the letter has no meaning.
fn convert(letter: u8, time: &Civil, zone: Zone<'_>, how: How, out: &mut Vec<u8>) -> bool {
    let refused: &[u8] = match how.modifier {
        b'E' => b"aAbBhdDeFgGHIjklmMSUVwW%",
        b'O' => b"aAcDFxXY%",
        _ => b"",
    };
    if refused.contains(&letter) {
        return false;
    }
    let n = |number: i64, digits: usize| how.number(number, digits, b'0');
    let again = |format: &str| {
        let mut text = Vec::new();
        write(format.as_bytes(), time, zone, how.upper, &mut text);
        how.text(&String::from_utf8_lossy(&text))
    };
    let name = |text: String| how.text(&if how.upper || how.swap { text.to_uppercase() } else { text });
    let hour12 = (time.hour.rem_euclid(12) + 11) % 12 + 1;
    let text = match letter {
        b'a' => name(named(&WEEKDAYS, time.weekday).chars().take(3).collect()),
        b'A' => name(named(&WEEKDAYS, time.weekday).into()),
        b'b' | b'h' => name(named(&MONTHS, time.month - 1).chars().take(3).collect()),
        b'B' => name(named(&MONTHS, time.month - 1).into()),
        b'c' => again("%a %b %e %H:%M:%S %Y"),
        b'C' => n(time.year.div_euclid(100), 2),
        b'd' => n(time.day, 2),
        b'D' | b'x' => again("%m/%d/%y"),
        b'e' => how.number(time.day, 2, b'_'),
        b'F' => again("%Y-%m-%d"),
        b'g' => n(iso_week(time).0.rem_euclid(100), 2),
        b'G' => n(iso_week(time).0, 1),
        b'H' => n(time.hour, 2),
        b'I' => n(hour12, 2),
        b'j' => n(time.yearday + 1, 3),
        b'k' => how.number(time.hour, 2, b'_'),
        b'l' => how.number(hour12, 2, b'_'),
        b'm' => n(time.month, 2),
        b'M' => n(time.minute, 2),
        b'n' => how.text("\n"),
        b'p' if how.swap => how.text(if time.hour < 12 { "am" } else { "pm" }),
        b'p' => how.text(if time.hour < 12 { "AM" } else { "PM" }),
        b'P' => how.text(if time.hour < 12 { "am" } else { "pm" }),
        b'r' => again("%I:%M:%S %p"),
        b'R' => again("%H:%M"),
        b's' => n(time.seconds().saturating_sub(zone.seconds), 1),
        b'S' => n(time.second, 2),
        b't' => how.text("\t"),
        b'T' | b'X' => again("%H:%M:%S"),
        b'u' => n((time.weekday + 6) % 7 + 1, 1),
        b'U' => n((time.yearday + 7 - time.weekday) / 7, 2),
        b'V' => n(iso_week(time).1, 2),
        b'w' => n(time.weekday, 1),
        b'W' => n((time.yearday + 7 - (time.weekday + 6) % 7) / 7, 2),
        b'y' => n(time.year.rem_euclid(100), 2),
        b'Y' => n(time.year, 1),
        b'z' => {
            let (sign, size) = if zone.seconds < 0 { ("-", -zone.seconds) } else { ("+", zone.seconds) };
            how.text(sign) + &n(size / 3600 * 100 + size / 60 % 60, 4)
        }
        b'Z' if how.swap => how.text(&zone.name.to_lowercase()),
        b'Z' => how.text(&if how.upper { zone.name.to_uppercase() } else { zone.name.into() }),
        b'%' => how.text("%"),
        _ => return false,
    };
    out.extend_from_slice(text.as_bytes());
    true
}

impl How {
    /// Appends a number with at least this many digits.
    fn number(self, number: i64, digits: usize, usual: u8) -> String {
        let pad = self.pad.unwrap_or(usual);
        let digits = digits.max(self.width);
        match pad {
            b'-' => self.text(&number.to_string()),
            b'_' => format!("{number:digits$}"),
            _ if number < 0 => format!("-{:0width$}", number.unsigned_abs(), width = digits.saturating_sub(1)),
            _ => format!("{number:0digits$}"),
        }
    }

    /// Appends a text, padded to the requested width.
    fn text(self, text: &str) -> String {
        let fill = if self.pad == Some(b'0') { "0" } else { " " };
        fill.repeat(self.width.saturating_sub(text.chars().count())) + text
    }
}

fn named<'a>(names: &[&'a str], at: i64) -> &'a str {
    usize::try_from(at).ok().and_then(|at| names.get(at)).copied().unwrap_or("?")
}

/// Returns the year and the number of the week according to ISO 8601.
fn iso_week(time: &Civil) -> (i64, i64) {
    let monday = (time.weekday + 6) % 7;
    let week = (time.yearday - monday + 10).div_euclid(7);
    // The weeks of a year: 53 if it begins or ends with a Thursday.
    let weeks = |year: i64| {
        let first = days(year, 1, 1);
        let (weekday, leap) = ((first.rem_euclid(7) + 3) % 7, days(year, 13, 1) - first == 366);
        52 + i64::from(weekday == 3 || (weekday == 2 && leap))
    };
    if week < 1 {
        (time.year - 1, weeks(time.year - 1))
    } else if week > weeks(time.year) {
        (time.year + 1, 1)
    } else {
        (time.year, week)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn format(format: &str, at: i64) -> String {
        String::from_utf8(strftime(format.as_bytes(), &Civil::at(at), Zone::UTC)).unwrap()
    }

    #[test]
    fn every_conversion() {
        let text = format("%a %A %b %c %d %D %e %F %H %I %j %k %l %m %M %p %R %s %S %T %u %U %V %w %W %y %Y %z %Z %%", 0);
        let want = "Thu Thursday Jan Thu Jan  1 00:00:00 1970 01 01/01/70  1 1970-01-01 00 12 001  0 12 01 00 AM 00:00 0 00 00:00:00 4 00 01 4 00 70 1970 +0000 UTC %";
        assert_eq!(text, want);
        assert_eq!(format("%-d %_m %^b", 0), "1  1 JAN");
        assert_eq!(format("%G-%V", 1_609_459_200), "2020-53");
    }

    #[test]
    fn unknown_conversions_stay_unchanged() {
        assert_eq!(format("%Q é%é %-5Q %", 0), "%Q é%é %-5Q %");
        assert_eq!(strftime(b"\xff%\xfe", &Civil::at(0), Zone::UTC), b"\xff%\xfe");
    }

    #[test]
    fn flags_and_widths() {
        assert_eq!(
            format("%5Y|%_5d|%-5e|%05a|%12T|%012F|%^A|%#a|%#p|%#Z", 0),
            "01970|    1|    1|00Thu|    00:00:00|001970-01-01|THURSDAY|THU|am|utc"
        );
        assert_eq!(format("%Ey|%Od|%Ed|%OY|%E%y|%+4Y|%5%", 0), "70|01|%Ed|%OY|%y|%+4Y|    %");
        let zone = |form: &[u8]| String::from_utf8(strftime(form, &Civil::at(0), Zone { seconds: -12_600, name: "X" })).unwrap();
        assert_eq!(zone(b"%z|%8z|%-z|%_z|%-8z"), "-0330|       -00000330|-330|- 330|       -     330");
    }

    #[test]
    fn parts_beyond_their_range_do_not_panic() {
        let odd = Civil { year: i64::MAX, month: 99, day: -5, weekday: 8, yearday: 367, ..Civil::at(0) };
        let text = strftime(b"%b %d %A %j %V %s", &odd, Zone { seconds: -5400, name: "X" });
        assert!(text.starts_with(b"? -5 ? 368 "), "{}", String::from_utf8_lossy(&text));
        assert_eq!(strftime(b"%z", &odd, Zone { seconds: -5400, name: "X" }), b"-0130");
    }
}
