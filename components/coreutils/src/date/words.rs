//! The words of dates.

use wisp_tool::calendar::{MONTHS, WEEKDAYS};

/// What a word means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Word {
    /// A month, from 1.
    Month(i64),
    /// A day of the week: Sunday is 0.
    Weekday(i64),
    /// `am` (false) or `pm` (true).
    Afternoon(bool),
    /// A unit and a number of them: `fortnight` is 14 days.
    Unit(Unit, i64),
    /// `tomorrow`, `yesterday`, `today`, `now`: the number of days from now.
    Shift(i64),
    /// `next`, `last`, `this`, `third` and so on.
    Ordinal(i64),
    /// `ago`.
    Ago,
    /// A zone, seconds ahead of UTC.
    Zone(i64),
    /// `J`, the local zone.
    Local,
    /// `T`, which marks a time that follows, or is a zone.
    T,
    /// `dst`, after a zone.
    Summer,
}

/// The units that can be added to a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    /// Years.
    Year,
    /// Months.
    Month,
    /// Days.
    Day,
    /// Hours.
    Hour,
    /// Minutes.
    Minute,
    /// Seconds.
    Second,
}

const UNITS: &[(&str, Unit, i64)] = &[
    ("year", Unit::Year, 1),
    ("month", Unit::Month, 1),
    ("fortnight", Unit::Day, 14),
    ("week", Unit::Day, 7),
    ("day", Unit::Day, 1),
    ("hour", Unit::Hour, 1),
    ("minute", Unit::Minute, 1),
    ("min", Unit::Minute, 1),
    ("second", Unit::Second, 1),
    ("sec", Unit::Second, 1),
];

/// The ordinal numbers. `second` is missing because it is a unit.
const ORDINALS: &[(&str, i64)] = &[
    ("last", -1),
    ("this", 0),
    ("next", 1),
    ("first", 1),
    ("third", 3),
    ("fourth", 4),
    ("fifth", 5),
    ("sixth", 6),
    ("seventh", 7),
    ("eighth", 8),
    ("ninth", 9),
    ("tenth", 10),
    ("eleventh", 11),
    ("twelfth", 12),
];

/// Names of zones that always mean the same offset, in minutes.
const ZONES: &[(&str, i64)] = &[
    ("gmt", 0),
    ("ut", 0),
    ("utc", 0),
    ("wet", 0),
    ("west", 60),
    ("bst", 60),
    ("art", -180),
    ("brt", -180),
    ("brst", -120),
    ("nst", -210),
    ("ndt", -150),
    ("ast", -240),
    ("adt", -180),
    ("clt", -240),
    ("clst", -180),
    ("est", -300),
    ("edt", -240),
    ("cst", -360),
    ("cdt", -300),
    ("mst", -420),
    ("mdt", -360),
    ("pst", -480),
    ("pdt", -420),
    ("akst", -540),
    ("akdt", -480),
    ("hst", -600),
    ("hast", -600),
    ("hadt", -540),
    ("sst", -720),
    ("wat", 60),
    ("cet", 60),
    ("cest", 120),
    ("met", 60),
    ("mez", 60),
    ("mest", 120),
    ("mesz", 120),
    ("eet", 120),
    ("eest", 180),
    ("cat", 120),
    ("sast", 120),
    ("eat", 180),
    ("msk", 180),
    ("msd", 240),
    ("ist", 330),
    ("sgt", 480),
    ("kst", 540),
    ("jst", 540),
    ("gst", 600),
    ("awst", 480),
    ("acst", 570),
    ("acdt", 630),
    ("aest", 600),
    ("aedt", 660),
    ("nzst", 720),
    ("nzdt", 780),
];

/// Finds the meaning of a word in lower case.
pub(super) fn find(word: &str) -> Option<Word> {
    let afternoon = match word {
        "am" | "a.m." => Some(false),
        "pm" | "p.m." => Some(true),
        _ => None,
    };
    if let Some(afternoon) = afternoon {
        return Some(Word::Afternoon(afternoon));
    }
    // Three letters are enough, and a period may follow them.
    let short = word.strip_suffix('.').filter(|rest| rest.len() == 3).unwrap_or(word);
    let named = |names: &[&str], others: &[(&str, i64)]| {
        let other = others.iter().find(|(other, _)| *other == word).map(|(_, at)| *at);
        let at = names.iter().position(|name| name.eq_ignore_ascii_case(word) || name[..3].eq_ignore_ascii_case(short));
        other.or(at.and_then(|at| i64::try_from(at).ok()))
    };
    if let Some(month) = named(&MONTHS, &[("sept", 8)]) {
        return Some(Word::Month(month + 1));
    }
    if let Some(day) = named(&WEEKDAYS, &[("tues", 2), ("wednes", 3), ("thur", 4), ("thurs", 4)]) {
        return Some(Word::Weekday(day));
    }
    let zone = |word: &str| ZONES.iter().find(|(name, _)| *name == word).map(|(_, minutes)| Word::Zone(minutes * 60));
    if let Some(zone) = zone(word) {
        return Some(zone);
    }
    let unit = |word: &str| UNITS.iter().find(|(name, ..)| *name == word).map(|(_, unit, count)| Word::Unit(*unit, *count));
    if let Some(unit) = unit(word).or_else(|| unit(word.strip_suffix('s')?)) {
        return Some(unit);
    }
    if let Some((_, count)) = ORDINALS.iter().find(|(name, _)| *name == word) {
        return Some(Word::Ordinal(*count));
    }
    match word {
        "dst" => Some(Word::Summer),
        "tomorrow" => Some(Word::Shift(1)),
        "yesterday" => Some(Word::Shift(-1)),
        "today" | "now" => Some(Word::Shift(0)),
        "ago" => Some(Word::Ago),
        "t" => Some(Word::T),
        "j" => Some(Word::Local),
        word if word.len() == 1 => military(word.as_bytes()[0]).map(Word::Zone),
        word => zone(&word.replace('.', "")).filter(|_| word.contains('.')),
    }
}

/// Returns the offset that a letter means, in seconds ahead of UTC: A to M without J are east, N to Y are west, Z is UTC.
pub(super) fn military(letter: u8) -> Option<i64> {
    let hours = match letter {
        b'a'..=b'i' => i64::from(letter - b'a') + 1,
        b'k'..=b'm' => i64::from(letter - b'a'),
        b'n'..=b'y' => -i64::from(letter - b'n') - 1,
        b'z' => 0,
        _ => return None,
    };
    Some(hours * 3600)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found() {
        for (word, want) in [
            ("january", Word::Month(1)),
            ("sept", Word::Month(9)),
            ("dec.", Word::Month(12)),
            ("may", Word::Month(5)),
            ("sun", Word::Weekday(0)),
            ("thurs", Word::Weekday(4)),
            ("p.m.", Word::Afternoon(true)),
            ("days", Word::Unit(Unit::Day, 1)),
            ("fortnight", Word::Unit(Unit::Day, 14)),
            ("second", Word::Unit(Unit::Second, 1)),
            ("next", Word::Ordinal(1)),
            ("u.t.c.", Word::Zone(0)),
            ("z", Word::Zone(0)),
            ("y", Word::Zone(-43_200)),
            ("m", Word::Zone(43_200)),
        ] {
            assert_eq!(find(word), Some(want), "{word}");
        }
        for word in ["janu", "noon", "", "dayss", "a.b"] {
            assert_eq!(find(word), None, "{word}");
        }
    }
}
