//! `strftime` of the C locale.

use super::{Civil, MONTHS, WEEKDAYS, days};

/// How far a local time is from UTC, and its name.
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

/// A time, local to `zone`, in a format.
pub fn strftime(format: &[u8], time: &Civil, zone: Zone<'_>) -> Vec<u8> {
    let mut out = Vec::new();
    let mut bytes = format.iter().copied();
    while let Some(byte) = bytes.next() {
        if byte != b'%' {
            out.push(byte);
            continue;
        }
        let mut conversion = bytes.next();
        // Padding (`-`, `_`, `0`), case (`^`) and locale (`E`, `O`) flags.
        let (mut pad, mut upper) = (None, false);
        while let Some(flag @ (b'-' | b'_' | b'0' | b'^' | b'E' | b'O')) = conversion {
            match flag {
                b'^' => upper = true,
                b'E' | b'O' => {}
                other => pad = Some(other),
            }
            conversion = bytes.next();
        }
        let Some(conversion) = conversion else {
            out.push(b'%');
            break;
        };
        let from = out.len();
        convert(conversion, time, zone, pad, &mut out);
        if upper {
            out[from..].make_ascii_uppercase();
        }
    }
    out
}

fn convert(conversion: u8, time: &Civil, zone: Zone<'_>, pad: Option<u8>, out: &mut Vec<u8>) {
    let n = |number: i64, width: usize| padded(number, width, b'0', pad);
    let again = |format: &str| String::from_utf8_lossy(&strftime(format.as_bytes(), time, zone)).into_owned();
    let hour12 = (time.hour.rem_euclid(12) + 11) % 12 + 1;
    let text = match conversion {
        b'a' => named(&WEEKDAYS, time.weekday).chars().take(3).collect(),
        b'A' => named(&WEEKDAYS, time.weekday).into(),
        b'b' | b'h' => named(&MONTHS, time.month - 1).chars().take(3).collect(),
        b'B' => named(&MONTHS, time.month - 1).into(),
        b'c' => again("%a %b %e %H:%M:%S %Y"),
        b'C' => n(time.year.div_euclid(100), 2),
        b'd' => n(time.day, 2),
        b'D' | b'x' => again("%m/%d/%y"),
        b'e' => padded(time.day, 2, b'_', pad),
        b'F' => again("%Y-%m-%d"),
        b'g' => n(iso_week(time).0.rem_euclid(100), 2),
        b'G' => iso_week(time).0.to_string(),
        b'H' => n(time.hour, 2),
        b'I' => n(hour12, 2),
        b'j' => n(time.yearday + 1, 3),
        b'k' => padded(time.hour, 2, b'_', pad),
        b'l' => padded(hour12, 2, b'_', pad),
        b'm' => n(time.month, 2),
        b'M' => n(time.minute, 2),
        b'n' => "\n".into(),
        b'p' => if time.hour < 12 { "AM" } else { "PM" }.into(),
        b'P' => if time.hour < 12 { "am" } else { "pm" }.into(),
        b'r' => again("%I:%M:%S %p"),
        b'R' => again("%H:%M"),
        b's' => time.seconds().saturating_sub(zone.seconds).to_string(),
        b'S' => n(time.second, 2),
        b't' => "\t".into(),
        b'T' | b'X' => again("%H:%M:%S"),
        b'u' => ((time.weekday + 6) % 7 + 1).to_string(),
        b'U' => n((time.yearday + 7 - time.weekday) / 7, 2),
        b'V' => n(iso_week(time).1, 2),
        b'w' => time.weekday.to_string(),
        b'W' => n((time.yearday + 7 - (time.weekday + 6) % 7) / 7, 2),
        b'y' => n(time.year.rem_euclid(100), 2),
        b'Y' => time.year.to_string(),
        b'z' => {
            let (sign, size) = if zone.seconds < 0 { ('-', -zone.seconds) } else { ('+', zone.seconds) };
            format!("{sign}{:02}{:02}", size / 3600, size / 60 % 60)
        }
        b'Z' => zone.name.into(),
        b'%' => "%".into(),
        other => {
            // Not known: as it stands, a byte of a longer character too.
            out.extend_from_slice(&[b'%', other]);
            return;
        }
    };
    out.extend_from_slice(text.as_bytes());
}

fn named<'a>(names: &[&'a str], at: i64) -> &'a str {
    usize::try_from(at).ok().and_then(|at| names.get(at)).copied().unwrap_or("?")
}

fn padded(number: i64, width: usize, usual: u8, pad: Option<u8>) -> String {
    match pad.unwrap_or(usual) {
        b'-' => number.to_string(),
        b'_' => format!("{number:width$}"),
        _ if number < 0 => format!("-{:0width$}", number.unsigned_abs(), width = width.saturating_sub(1)),
        _ => format!("{number:0width$}"),
    }
}

/// Year and number of the week as ISO 8601 counts them.
fn iso_week(time: &Civil) -> (i64, i64) {
    let monday = (time.weekday + 6) % 7;
    let week = (time.yearday - monday + 10).div_euclid(7);
    // The weeks of a year: 53 where it begins or ends with a Thursday.
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
    fn what_is_not_known_stands_as_it_is() {
        assert_eq!(format("%Q é%é %", 0), "%Q é%é %");
        assert_eq!(strftime(b"\xff%\xfe", &Civil::at(0), Zone::UTC), b"\xff%\xfe");
    }

    #[test]
    fn parts_beyond_their_range_do_not_panic() {
        let odd = Civil { year: i64::MAX, month: 99, day: -5, weekday: 8, yearday: 367, ..Civil::at(0) };
        let text = strftime(b"%b %d %A %j %V %s", &odd, Zone { seconds: -5400, name: "X" });
        assert!(text.starts_with(b"? -5 ? 368 "), "{}", String::from_utf8_lossy(&text));
        assert_eq!(strftime(b"%z", &odd, Zone { seconds: -5400, name: "X" }), b"-0130");
    }
}
