//! Dates in the formats of HTTP, cookies and `-z`; always in UTC.

use wisp_tool::calendar::{Civil, DAY, MONTHS, WEEKDAYS, days};

/// Parses a date as seconds since 1970, in any of the usual forms: `Sun, 06 Nov 1994 08:49:37 GMT`, `06-Nov-94 08:49:37`,
/// `Nov 6 08:49:37 1994`, `1994-11-06T08:49:37Z`, `1994-11-06`.
pub(crate) fn parse(text: &str) -> Option<i64> {
    let (mut year, mut month, mut day, mut clock, mut zone) = (None, None, None, (0, 0, 0), 0);
    let spaced = text.replace(['T', ','], " ");
    for word in
        if text.contains('-') && text.as_bytes().first()?.is_ascii_digit() { spaced } else { text.replace(',', " ") }.split_whitespace()
    {
        let word = word.trim_end_matches('Z');
        if let Some(time) = clock_of(word) {
            clock = time;
        } else if let [a, b, c] = word.split('-').collect::<Vec<_>>()[..] {
            let number = b.parse().ok().or_else(|| month_of(b))?;
            let (first, second) = if a.len() == 4 { (a, c) } else { (c, a) };
            (year, month, day) = (first.parse::<i64>().ok(), Some(number), second.parse().ok());
        } else if let Some(number) = month_of(word) {
            month = Some(number);
        } else if let Ok(number) = word.parse::<i64>() {
            if word.starts_with(['+', '-']) && word.len() == 5 {
                zone = number / 100 * 3600 + number % 100 * 60;
            } else if day.is_none() && number <= 31 {
                day = Some(number);
            } else {
                year = Some(number);
            }
        }
    }
    let year = year.map(|year| {
        if year < 70 {
            year + 2000
        } else if year < 100 {
            year + 1900
        } else {
            year
        }
    })?;
    let (month, day) = (month?, day?);
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) || !(1600..=9999).contains(&year) {
        return None;
    }
    Some(days(year, month, day) * DAY + clock.0 * 3600 + clock.1 * 60 + clock.2 - zone)
}

fn month_of(word: &str) -> Option<i64> {
    let lower = word.to_ascii_lowercase();
    MONTHS.iter().position(|month| lower.starts_with(&month[..3].to_ascii_lowercase())).map(|index| index as i64 + 1)
}

fn clock_of(word: &str) -> Option<(i64, i64, i64)> {
    let parts: Option<Vec<i64>> = word.split(':').map(|part| part.split('.').next()?.parse().ok()).collect();
    match parts?[..] {
        [hour, minute] => Some((hour, minute, 0)),
        [hour, minute, second] => Some((hour, minute, second)),
        _ => None,
    }
}

/// Formats as `Sun, 06 Nov 1994 08:49:37 GMT`.
pub(crate) fn http(seconds: i64) -> String {
    let Civil { year, month, day, hour, minute, second, weekday, .. } = Civil::at(seconds);
    let (weekday, month) = (&WEEKDAYS[weekday as usize][..3], &MONTHS[month as usize - 1][..3]);
    format!("{weekday}, {day:02} {month} {year} {hour:02}:{minute:02}:{second:02} GMT")
}

/// Formats as `2026-01-02 03:04:05`, as at the beginning of wget's lines.
pub(crate) fn plain(seconds: i64) -> String {
    let Civil { year, month, day, hour, minute, second, .. } = Civil::at(seconds);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}")
}

/// Returns the current time.
pub(crate) fn now() -> i64 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |since| since.as_secs() as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_forms_are_one_time() {
        for text in [
            "Sun, 06 Nov 1994 08:49:37 GMT",
            "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun Nov  6 08:49:37 1994",
            "1994-11-06T08:49:37Z",
            "1994-11-06 08:49:37",
            "06 Nov 1994 10:49:37 +0200",
        ] {
            assert_eq!(parse(text), Some(784_111_777), "{text}");
        }
        assert_eq!(parse("2024-02-29"), Some(1_709_164_800));
        assert_eq!(http(784_111_777), "Sun, 06 Nov 1994 08:49:37 GMT");
        assert_eq!(plain(1_709_164_800), "2024-02-29 00:00:00");
        assert_eq!(parse("no date"), None);
    }
}
