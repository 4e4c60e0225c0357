//! Dates as people write them, for `-newermt`.

use crate::time;
use jiff::civil::{Date, DateTime};

const SECOND: i128 = 1_000_000_000;

/// A date as nanoseconds since 1970: `@SECONDS`, `2026-01-02`, `2026-01-02 03:04:05`, RFC 3339, `now`, `today`,
/// `yesterday`, `tomorrow`, `2 days ago`, `-1 hour`.
pub fn parse(text: &str, now: i128) -> Option<i128> {
    let text = text.trim();
    if let Some(seconds) = text.strip_prefix('@') {
        let seconds: f64 = seconds.parse().ok()?;
        return Some((seconds * 1e9) as i128);
    }
    if let Ok(stamp) = text.parse::<jiff::Timestamp>() {
        return Some(stamp.as_nanosecond());
    }
    let local = |d: DateTime| d.to_zoned(time::zone().clone()).ok().map(|z| z.timestamp().as_nanosecond());
    let fixed = text.replacen('T', " ", 1);
    for candidate in [fixed.clone(), format!("{fixed}:00")] {
        if let Ok(date) = candidate.replacen(' ', "T", 1).parse::<DateTime>() {
            return local(date);
        }
    }
    if let Ok(date) = text.parse::<Date>() {
        return local(date.at(0, 0, 0, 0));
    }
    let lower = text.to_lowercase();
    let day = 86_400 * SECOND;
    match lower.as_str() {
        "now" | "today" => return Some(now),
        "yesterday" => return Some(now - day),
        "tomorrow" => return Some(now + day),
        _ => {}
    }
    let ago = lower.ends_with(" ago");
    let words: Vec<&str> = lower.trim_end_matches(" ago").split_whitespace().collect();
    let (count, unit) = match words.as_slice() {
        ["last", unit] => (-1, *unit),
        [count, unit] => (count.parse::<i128>().ok()?, *unit),
        _ => return None,
    };
    let factor = match unit.trim_end_matches('s') {
        "sec" | "second" => SECOND,
        "min" | "minute" => 60 * SECOND,
        "hour" => 3600 * SECOND,
        "day" => day,
        "week" => 7 * day,
        "month" => 30 * day,
        "year" => 365 * day,
        _ => return None,
    };
    Some(now + count * factor * if ago { -1 } else { 1 })
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn dates_are_read() {
        assert_eq!(parse("@10", 0), Some(10_000_000_000));
        assert_eq!(parse("1970-01-02", 0), Some(86_400_000_000_000));
        assert_eq!(parse("1970-01-01 00:01", 0), Some(60_000_000_000));
        assert_eq!(parse("1970-01-01T00:00:02Z", 0), Some(2_000_000_000));
        assert_eq!(parse("2 days ago", 0), Some(-172_800_000_000_000));
        assert_eq!(parse("-1 hour", 0), Some(-3_600_000_000_000));
        assert_eq!(parse("gibberish", 0), None);
    }
}
