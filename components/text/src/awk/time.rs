//! `strftime`, `mktime`, `systime`.

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};

/// Returns the time zone of `TZ`; UTC without it.
pub(crate) fn zone() -> TimeZone {
    let name = std::env::var("TZ").unwrap_or_default();
    let name = name.strip_prefix(':').unwrap_or(&name);
    if name.is_empty() {
        return TimeZone::UTC;
    }
    TimeZone::get(name).or_else(|_| TimeZone::posix(name)).unwrap_or(TimeZone::UTC)
}

/// Returns the seconds since 1970.
pub(super) fn now() -> f64 {
    Timestamp::now().as_second() as f64
}

/// Returns a time in a format.
pub(super) fn strftime(format: &str, seconds: f64, utc: bool) -> Option<String> {
    let stamp = Timestamp::from_second(seconds as i64).ok()?;
    let zone = if utc { TimeZone::UTC } else { zone() };
    let time = stamp.to_zoned(zone);
    let mut out = String::new();
    let mut chars = format.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '%' {
            out.push(c);
            continue;
        }
        // `E` and `O` ask for alternative forms, which do not exist here.
        while chars.peek().is_some_and(|c| matches!(c, 'E' | 'O')) {
            chars.next();
        }
        let mut item = String::from("%");
        while let Some(flag) = chars.peek().copied().filter(|c| matches!(c, '-' | '_' | '0' | '^' | '#') || c.is_ascii_digit()) {
            item.push(flag);
            chars.next();
        }
        match chars.next() {
            Some(letter) => {
                item.push(letter);
                out += &if letter == 'Z' && utc { "GMT".to_owned() } else { one(&item, letter, &time) };
            }
            None => out += &item,
        }
    }
    Some(out)
}

fn one(item: &str, letter: char, time: &Zoned) -> String {
    match letter {
        '%' => "%".into(),
        'c' => one_of("%a %b %e %H:%M:%S %Y", time),
        'x' | 'D' => one_of("%m/%d/%y", time),
        'X' | 'T' => one_of("%H:%M:%S", time),
        'r' => one_of("%I:%M:%S %p", time),
        'v' => one_of("%e-%b-%Y", time),
        'h' => one_of("%b", time),
        'n' => "\n".into(),
        't' => "\t".into(),
        // Names of zones: `UTC` for a zone without a name.
        'Z' => time.strftime("%Z").to_string(),
        _ => one_of(item, time),
    }
}

fn one_of(item: &str, time: &Zoned) -> String {
    jiff::fmt::strtime::format(item, time).unwrap_or_else(|_| item.to_owned())
}

/// Returns the seconds since 1970 of `YYYY MM DD HH MM SS [DST]`; parts beyond their range carry over.
pub(super) fn mktime(text: &str, utc: bool) -> Option<f64> {
    let parts: Vec<i64> = text.split_ascii_whitespace().map(str::parse).collect::<Result<_, _>>().ok()?;
    let [year, month, day, hour, minute, second, rest @ ..] = &parts[..] else { return None };
    let months = year.checked_mul(12)?.checked_add(month.checked_sub(1)?)?;
    let (year, month) = (months.div_euclid(12), months.rem_euclid(12) + 1);
    let first = DateTime::new(i16::try_from(year).ok()?, month as i8, 1, 0, 0, 0, 0).ok()?;
    let days = day.checked_sub(1)?;
    let seconds =
        days.checked_mul(86400)?.checked_add(hour.checked_mul(3600)?)?.checked_add(minute.checked_mul(60)?)?.checked_add(*second)?;
    let civil = first.checked_add(jiff::SignedDuration::from_secs(seconds)).ok()?;
    let zone = if utc { TimeZone::UTC } else { zone() };
    let stamp = zone.to_ambiguous_timestamp(civil);
    // Where a local time occurs twice, the last number selects one.
    let stamp = if rest.first() == Some(&0) { stamp.later() } else { stamp.compatible() };
    stamp.ok().map(|s| s.as_second() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        assert_eq!(strftime("%Y-%m-%d %H:%M:%S %j %%", 0.0, true).as_deref(), Some("1970-01-01 00:00:00 001 %"));
        assert_eq!(mktime("1970 01 02 00 00 00", true), Some(86400.0));
        assert_eq!(mktime("2024 14 1 0 0 0", true), mktime("2025 2 1 0 0 0", true));
        assert_eq!(mktime("2024 2 30 0 0 0", true), mktime("2024 3 1 0 0 0", true));
        assert_eq!(mktime("nope", true), None);
    }
}
