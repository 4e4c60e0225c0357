//! `strftime` in the C locale.

use super::dates::{Broken, days};
use super::zone::Offset;

pub const DAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
pub const MONTHS: [&str; 12] =
    ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];

fn named<'a>(names: &[&'a str], at: i64) -> &'a str {
    usize::try_from(at).ok().and_then(|at| names.get(at)).copied().unwrap_or("?")
}

/// Year and number of the week as ISO 8601 counts them.
fn iso_week(time: &Broken) -> (i64, i64) {
    let monday = (time.weekday + 6) % 7;
    let week = (time.yearday - monday + 10).div_euclid(7);
    let length = |year: i64| days(year + 1, 0, 1) - days(year, 0, 1);
    // The weeks of a year: 53 where it begins or ends with a Thursday.
    let weeks = |year: i64| {
        let first = (days(year, 0, 1) + 3).rem_euclid(7);
        52 + i64::from(first == 3 || (first == 2 && length(year) == 366))
    };
    if week < 1 {
        (time.year - 1, weeks(time.year - 1))
    } else if week > weeks(time.year) {
        (time.year + 1, 1)
    } else {
        (time.year, week)
    }
}

/// A time in a format; without a zone it is UTC.
pub fn strftime(format: &str, time: &Broken, zone: Option<&Offset>) -> String {
    let mut out = String::new();
    let mut chars = format.chars();
    while let Some(c) = chars.next() {
        if c != '%' {
            out.push(c);
            continue;
        }
        let mut conversion = chars.next();
        // Padding (`-`, `_`, `0`), case (`^`) and locale (`E`, `O`) flags.
        let (mut pad, mut upper) = (None, false);
        while let Some(flag @ ('-' | '_' | '0' | '^' | 'E' | 'O')) = conversion {
            match flag {
                '^' => upper = true,
                'E' | 'O' => {}
                other => pad = Some(other),
            }
            conversion = chars.next();
        }
        let Some(conversion) = conversion else {
            out.push('%');
            break;
        };
        let text = convert(conversion, time, zone, pad);
        out += &if upper { text.to_uppercase() } else { text };
    }
    out
}

fn padded(number: i64, width: usize, usual: char, pad: Option<char>) -> String {
    match pad.unwrap_or(usual) {
        '-' => number.to_string(),
        '_' | ' ' => format!("{number:width$}"),
        _ if number < 0 => format!("-{:0width$}", -number, width = width.saturating_sub(1)),
        _ => format!("{number:0width$}"),
    }
}

fn convert(conversion: char, time: &Broken, zone: Option<&Offset>, pad: Option<char>) -> String {
    let n = |number: i64, width: usize| padded(number, width, '0', pad);
    let again = |format: &str| strftime(format, time, zone);
    let hour12 = (time.hour + 11) % 12 + 1;
    match conversion {
        'a' => named(&DAYS, time.weekday).chars().take(3).collect(),
        'A' => named(&DAYS, time.weekday).into(),
        'b' | 'h' => named(&MONTHS, time.month).chars().take(3).collect(),
        'B' => named(&MONTHS, time.month).into(),
        'c' => again("%a %b %e %H:%M:%S %Y"),
        'C' => n(time.year.div_euclid(100), 2),
        'd' => n(time.day, 2),
        'D' | 'x' => again("%m/%d/%y"),
        'e' => padded(time.day, 2, '_', pad),
        'F' => again("%Y-%m-%d"),
        'g' => n(iso_week(time).0.rem_euclid(100), 2),
        'G' => iso_week(time).0.to_string(),
        'H' => n(time.hour, 2),
        'I' => n(hour12, 2),
        'j' => n(time.yearday + 1, 3),
        'k' => padded(time.hour, 2, '_', pad),
        'l' => padded(hour12, 2, '_', pad),
        'm' => n(time.month + 1, 2),
        'M' => n(time.minute, 2),
        'n' => "\n".into(),
        'p' => if time.hour < 12 { "AM" } else { "PM" }.into(),
        'P' => if time.hour < 12 { "am" } else { "pm" }.into(),
        'r' => again("%I:%M:%S %p"),
        'R' => again("%H:%M"),
        's' => (time.seconds() - zone.map_or(0, |z| z.seconds)).to_string(),
        'S' => n(time.second.floor() as i64, 2),
        't' => "\t".into(),
        'T' | 'X' => again("%H:%M:%S"),
        'u' => ((time.weekday + 6) % 7 + 1).to_string(),
        'U' => n((time.yearday + 7 - time.weekday) / 7, 2),
        'V' => n(iso_week(time).1, 2),
        'w' => time.weekday.to_string(),
        'W' => n((time.yearday + 7 - (time.weekday + 6) % 7) / 7, 2),
        'y' => n(time.year.rem_euclid(100), 2),
        'Y' => time.year.to_string(),
        'z' => {
            let seconds = zone.map_or(0, |z| z.seconds);
            let (sign, size) = if seconds < 0 { ('-', -seconds) } else { ('+', seconds) };
            format!("{sign}{:02}{:02}", size / 3600, size / 60 % 60)
        }
        'Z' => zone.map_or("UTC", |z| &z.name).into(),
        '%' => "%".into(),
        other => format!("%{other}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_conversion() {
        let time = Broken::at(0.0);
        let text = strftime("%a %A %b %c %d %D %e %F %H %I %j %k %l %m %M %p %R %s %S %T %u %U %V %w %W %y %Y %z %Z %%", &time, None);
        let want = "Thu Thursday Jan Thu Jan  1 00:00:00 1970 01 01/01/70  1 1970-01-01 00 12 001  0 12 01 00 AM 00:00 0 00 00:00:00 4 00 01 4 00 70 1970 +0000 UTC %";
        assert_eq!(text, want);
        assert_eq!(strftime("%-d %_m %^b", &time, None), "1  1 JAN");
        assert_eq!(strftime("%G-%V", &Broken::at(1_609_459_200.0), None), "2020-53");
    }
}
