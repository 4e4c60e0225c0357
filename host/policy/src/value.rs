//! Parses and prints sizes, times and moments. Each error says what to write instead.

use toml::value::{Datetime, Offset};

pub(super) const SIZE_UNITS: &[(&str, u64)] = &[("TiB", 1 << 40), ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10), ("B", 1)];
pub(super) const DECIMAL_UNITS: &[(&str, u64)] = &[("TB", 1_000_000_000_000), ("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1_000)];
pub(super) const TIME_UNITS: &[(&str, u64)] = &[("h", 3_600_000_000_000), ("m", 60_000_000_000), ("s", 1_000_000_000), ("ms", 1_000_000)];

const SIZE_HELP: &str = "write a whole number and `B`, `KiB`, `MiB`, `GiB` or `TiB`, such as `256MiB`";
const TIME_HELP: &str = "write a whole number and `ms`, `s`, `m` or `h`, such as `30s`";
const MOMENT_HELP: &str = "write date, time and offset as in `2026-01-01T00:00:00Z`";

/// Why a text is not a value, and what to write instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ValueError {
    pub(super) message: String,
    pub(super) help: String,
}

impl ValueError {
    fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { message: message.into(), help: help.into() }
    }
}

/// Parses `256MiB` as bytes.
pub(super) fn parse_size(text: &str) -> Result<u64, ValueError> {
    let (number, unit) = split(text, "a size", SIZE_HELP)?;
    let factor = SIZE_UNITS.iter().chain(DECIMAL_UNITS).find(|(name, _)| *name == unit).map(|&(_, factor)| factor);
    let factor = match factor {
        Some(factor) => factor,
        None if unit.is_empty() => return Err(ValueError::new("a size has a unit", SIZE_HELP)),
        None => {
            let meant = SIZE_UNITS.iter().find(|(name, _)| {
                name.eq_ignore_ascii_case(unit) || name[..1].eq_ignore_ascii_case(unit) || name.replace('i', "").eq_ignore_ascii_case(unit)
            });
            let help = match meant {
                Some((name, _)) => format!("did you mean `{number}{name}`?"),
                None => SIZE_HELP.to_owned(),
            };
            return Err(ValueError::new(format!("the unit {} is unknown", super::finding::quote(unit)), help));
        }
    };
    number.checked_mul(factor).ok_or_else(|| ValueError::new("this does not fit into 64 bits", SIZE_HELP))
}

/// Parses `30s` as nanoseconds.
pub(super) fn parse_duration(text: &str) -> Result<u64, ValueError> {
    let (number, unit) = split(text, "a time", TIME_HELP)?;
    let factor = TIME_UNITS.iter().find(|(name, _)| *name == unit).map(|&(_, factor)| factor);
    let factor = match factor {
        Some(factor) => factor,
        None if unit.is_empty() => {
            return Err(ValueError::new("a time has a unit", format!("for seconds write `{number}s`")));
        }
        None => {
            let meant = match unit.to_ascii_lowercase().as_str() {
                "sec" | "secs" | "second" | "seconds" => Some("s"),
                "min" | "mins" | "minute" | "minutes" => Some("m"),
                "hour" | "hours" | "hr" | "hrs" => Some("h"),
                "msec" | "msecs" | "millis" | "milliseconds" => Some("ms"),
                _ => None,
            };
            let help = meant.map_or_else(|| TIME_HELP.to_owned(), |name| format!("did you mean `{number}{name}`?"));
            return Err(ValueError::new(format!("the unit {} is unknown", super::finding::quote(unit)), help));
        }
    };
    number.checked_mul(factor).ok_or_else(|| ValueError::new("this does not fit into 64 bits", TIME_HELP))
}

/// Splits off the digits before a text.
fn split<'a>(text: &'a str, what: &str, help: &str) -> Result<(u64, &'a str), ValueError> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    if digits == 0 {
        let message = if text.is_empty() { format!("{what} is not empty") } else { format!("{what} begins with a whole number") };
        return Err(ValueError::new(message, help));
    }
    let number = text[..digits].parse().map_err(|_| ValueError::new("this does not fit into 64 bits", help))?;
    let unit = &text[digits..];
    if unit.starts_with(['.', ',']) {
        return Err(ValueError::new(format!("{what} is a whole number of its unit"), format!("{help}, or take a smaller unit")));
    }
    // `30 s` is as clear as `30s`; more than one space is an error.
    Ok((number, unit.strip_prefix(' ').unwrap_or(unit)))
}

/// Parses `2026-01-01T00:00:00Z` as nanoseconds since 1970.
pub(super) fn parse_moment(text: &str) -> Result<u64, ValueError> {
    let moment: Datetime = text.parse().map_err(|_| ValueError::new("this is not an RFC 3339 time", MOMENT_HELP))?;
    moment_nanoseconds(&moment)
}

/// Converts a TOML date and time to nanoseconds since 1970.
pub(super) fn moment_nanoseconds(moment: &Datetime) -> Result<u64, ValueError> {
    let (Some(date), Some(time), Some(offset)) = (moment.date, moment.time, moment.offset) else {
        return Err(ValueError::new("this time is not complete", MOMENT_HELP));
    };
    let second = time.second.unwrap_or(0);
    if second > 59 {
        return Err(ValueError::new("leap seconds are not supported", "write the second before or after it"));
    }
    let minutes = match offset {
        Offset::Z => 0,
        Offset::Custom { minutes } => i64::from(minutes),
    };
    let days = days_since_1970(i64::from(date.year), i64::from(date.month), i64::from(date.day));
    let seconds = days * 86_400 + i64::from(time.hour) * 3_600 + (i64::from(time.minute) - minutes) * 60 + i64::from(second);
    let range = || ValueError::new("this time cannot be counted in nanoseconds since 1970", "write a year from 1970 to 2553");
    let seconds = u64::try_from(seconds).map_err(|_| range())?;
    let nanoseconds = seconds.checked_mul(1_000_000_000).and_then(|n| n.checked_add(u64::from(time.nanosecond.unwrap_or(0))));
    nanoseconds.ok_or_else(range)
}

/// Returns the days from 1970-01-01 to a date of the Gregorian calendar. Years are counted from March, so that the leap day is
/// the last day of its year; 400 years have 146,097 days.
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let (cycle, year_of_cycle) = (year.div_euclid(400), year.rem_euclid(400));
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_cycle = year_of_cycle * 365 + year_of_cycle / 4 - year_of_cycle / 100 + day_of_year;
    cycle * 146_097 + day_of_cycle - 719_468
}

/// Returns the date that is this many days after 1970-01-01.
fn date_of(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (cycle, day_of_cycle) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_cycle = (day_of_cycle - day_of_cycle / 1_460 + day_of_cycle / 36_524 - day_of_cycle / 146_096) / 365;
    let day_of_year = day_of_cycle - (365 * year_of_cycle + year_of_cycle / 4 - year_of_cycle / 100);
    let march_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * march_month + 2) / 5 + 1;
    let month = (march_month + 2) % 12 + 1;
    (cycle * 400 + year_of_cycle + i64::from(month <= 2), month, day)
}

/// Formats bytes, in the largest unit that keeps them whole.
pub fn size_text(bytes: u64) -> String {
    let unit = SIZE_UNITS.iter().find(|(_, factor)| bytes >= *factor && bytes.is_multiple_of(*factor));
    unit.map_or_else(|| format!("{bytes}B"), |(name, factor)| format!("{}{name}", bytes / factor))
}

/// Formats nanoseconds, in the largest unit that keeps them whole; a remainder below a millisecond is dropped.
pub fn duration_text(nanoseconds: u64) -> String {
    let unit = TIME_UNITS.iter().find(|(_, factor)| nanoseconds >= *factor && nanoseconds.is_multiple_of(*factor));
    unit.map_or_else(|| format!("{}ms", nanoseconds / 1_000_000), |(name, factor)| format!("{}{name}", nanoseconds / factor))
}

/// Formats nanoseconds since 1970, as RFC 3339 in UTC.
pub(super) fn moment_text(nanoseconds: u64) -> String {
    let (seconds, fraction) = (nanoseconds / 1_000_000_000, nanoseconds % 1_000_000_000);
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = date_of(i64::try_from(days).unwrap_or(i64::MAX / 2));
    let time = format!("{:02}:{:02}:{:02}", second / 3_600, second / 60 % 60, second % 60);
    let fraction = if fraction == 0 { String::new() } else { format!(".{}", format!("{fraction:09}").trim_end_matches('0')) };
    format!("{year:04}-{month:02}-{day:02}T{time}{fraction}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(parse_size("256MiB"), Ok(256 << 20));
        assert_eq!(parse_size("1 kB"), Ok(1000));
        for (bad, help) in [
            ("256", "write a whole number and `B`"),
            ("256mb", "did you mean `256MiB`?"),
            ("256M", "did you mean `256MiB`?"),
            ("256KB", "did you mean `256KiB`?"),
            ("1.5GiB", "smaller unit"),
            ("", "write a whole number"),
            ("-1B", "write a whole number"),
            ("99999999999999999999B", "write"),
            ("18446744073709551615KiB", "write"),
            ("1é", "write"),
        ] {
            let error = parse_size(bad).unwrap_err();
            assert!(error.help.contains(help), "{bad}: {error:?}");
        }
        for bytes in [1, 1023, 1024, 1 << 20, 3 << 30, u64::MAX] {
            assert_eq!(parse_size(&size_text(bytes)), Ok(bytes));
        }
    }

    #[test]
    fn durations() {
        assert_eq!(parse_duration("500ms"), Ok(500_000_000));
        assert_eq!(parse_duration("2h"), Ok(7_200_000_000_000));
        assert!(parse_duration("30").unwrap_err().help.contains("`30s`"));
        assert!(parse_duration("5 minutes").unwrap_err().help.contains("`5m`"));
        assert_eq!(duration_text(90_000_000_000), "90s");
        assert_eq!(duration_text(120_000_000_000), "2m");
        assert_eq!(duration_text(1), "0ms");
    }

    #[test]
    fn moments() {
        assert_eq!(parse_moment("1970-01-01T00:00:00Z"), Ok(0));
        assert_eq!(parse_moment("2026-01-01T00:00:00Z"), Ok(1_767_225_600_000_000_000));
        assert_eq!(parse_moment("2026-01-01T02:00:00+02:00"), Ok(1_767_225_600_000_000_000));
        assert_eq!(parse_moment("2000-02-29T23:59:59.5Z"), Ok(951_868_799_500_000_000));
        for bad in [
            "2026-01-01",
            "2026-01-01T00:00:00",
            "1969-12-31T23:59:59Z",
            "9999-01-01T00:00:00Z",
            "2023-02-29T00:00:00Z",
            "2026-06-30T23:59:60Z",
            "now",
            "",
        ] {
            assert!(parse_moment(bad).is_err(), "{bad}");
        }
        for moment in [0, 1, 86_399_999_999_999, 951_868_799_500_000_000, 1_767_225_600_000_000_000, u64::MAX] {
            assert_eq!(parse_moment(&moment_text(moment)), Ok(moment), "{}", moment_text(moment));
        }
    }
}
