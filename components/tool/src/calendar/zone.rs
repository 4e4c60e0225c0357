//! Time zones: `TZ` as a rule (`CET-1CEST,M3.5.0,M10.5.0/3`) or as a name under `/usr/share/zoneinfo`.

use super::{Zone, date, days};

/// Offset from UTC in seconds, and the abbreviation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offset {
    /// Seconds ahead of UTC.
    pub seconds: i64,
    /// The name, as `CET`.
    pub name: String,
}

impl Offset {
    pub(super) fn utc() -> Self {
        Self { seconds: 0, name: "UTC".into() }
    }

    /// Returns the same, borrowed.
    pub fn zone(&self) -> Zone<'_> {
        Zone { seconds: self.seconds, name: &self.name }
    }

    /// Returns what applies at a moment, in the zone that a value of `TZ` names, or without one in that of `/etc/localtime`. An
    /// unknown name is UTC under that name, as in the C library.
    pub fn local(tz: Option<&str>, moment: i64) -> Self {
        let Some(tz) = tz else {
            return std::fs::read("/etc/localtime").ok().and_then(|data| from_file(&data, moment)).unwrap_or_else(Self::utc);
        };
        let name = tz.strip_prefix(':').unwrap_or(tz);
        if name.is_empty() {
            return Self::utc();
        }
        let path = if name.starts_with('/') { name.to_owned() } else { format!("/usr/share/zoneinfo/{name}") };
        let file = std::fs::read(path).ok().and_then(|data| from_file(&data, moment));
        file.or_else(|| from_rule(name, moment)).unwrap_or_else(|| {
            let name = Rule(name).name().map_or_else(|| "UTC".into(), str::to_owned);
            Self { seconds: 0, name }
        })
    }
}

fn number(data: &[u8], at: usize, size: usize) -> Option<i64> {
    let bytes = data.get(at..at + size)?;
    let first = i64::from(*bytes.first()? as i8);
    Some(bytes[1..].iter().fold(first, |n, b| (n << 8) | i64::from(*b)))
}

/// Returns a TZif file (RFC 8536).
pub(super) fn from_file(data: &[u8], moment: i64) -> Option<Offset> {
    if !data.starts_with(b"TZif") {
        return None;
    }
    let counts = |at: usize| -> Option<[usize; 6]> {
        let mut counts = [0; 6];
        for (n, count) in counts.iter_mut().enumerate() {
            *count = usize::try_from(number(data, at + 20 + n * 4, 4)?).ok()?;
        }
        Some(counts)
    };
    // The second part of the file has 64-bit times; the first is skipped.
    let [utc, standard, leaps, times, types, chars] = counts(0)?;
    let (mut at, mut size) = (0, 4);
    if data.get(4)? >= &b'2' {
        at = 44 + times * 5 + types * 6 + chars + leaps * 8 + standard + utc;
        size = 8;
    }
    let [utc, standard, leaps, times, types, chars] = counts(at)?;
    let start = at + 44;
    let kinds = start + times * size;
    let table = kinds + times;
    let names = table + types * 6;
    let mut last = None;
    for n in 0..times {
        if number(data, start + n * size, size)? > moment {
            break;
        }
        last = Some(n);
    }
    if last == times.checked_sub(1) || times == 0 {
        let rule = names + chars + leaps * (size + 4) + standard + utc;
        let rule = data.get(rule + 1..).and_then(|r| r.split(|b| *b == b'\n').next()).and_then(|r| std::str::from_utf8(r).ok());
        if let Some(offset) = rule.filter(|r| !r.is_empty()).and_then(|r| from_rule(r, moment)) {
            return Some(offset);
        }
    }
    let kind = match last {
        Some(n) => usize::from(*data.get(kinds + n)?),
        None => 0,
    };
    let entry = table + kind * 6;
    let name = names + usize::from(*data.get(entry + 5)?);
    let name = data.get(name..)?.split(|b| *b == 0).next()?;
    Some(Offset { seconds: number(data, entry, 4)?, name: String::from_utf8_lossy(name).into_owned() })
}

struct Rule<'a>(&'a str);

impl<'a> Rule<'a> {
    fn name(&mut self) -> Option<&'a str> {
        let (name, rest) = if let Some(quoted) = self.0.strip_prefix('<') {
            quoted.split_once('>')?
        } else {
            self.0.split_at(self.0.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(self.0.len()))
        };
        self.0 = rest;
        (name.len() >= 3).then_some(name)
    }

    fn digits(&mut self) -> Option<i64> {
        let end = self.0.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.0.len());
        let (digits, rest) = self.0.split_at(end);
        self.0 = rest;
        digits.parse().ok()
    }

    fn accept(&mut self, c: char) -> bool {
        let rest = self.0.strip_prefix(c);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    /// Parses `[+-]h[:m[:s]]`, in seconds.
    fn time(&mut self) -> Option<i64> {
        let sign = if self.accept('-') { -1 } else { 1 };
        self.accept('+');
        let mut seconds = self.digits()? * 3600;
        for unit in [60, 1] {
            if self.accept(':') {
                seconds += self.digits()? * unit;
            }
        }
        Some(sign * seconds)
    }

    /// Parses a day of the year and the time of the change, as seconds since the year began.
    fn change(&mut self, year: i64) -> Option<i64> {
        self.accept(',');
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let first = days(year, 1, 1);
        let day = if self.accept('M') {
            let month = self.digits()?;
            self.accept('.');
            let week = self.digits()?;
            self.accept('.');
            let weekday = self.digits()?;
            let start = days(year, month, 1);
            let end = days(year, month + 1, 1);
            let mut day = start + (weekday - (start + 4)).rem_euclid(7) + (week - 1) * 7;
            while day >= end {
                day -= 7;
            }
            day - first
        } else if self.accept('J') {
            let day = self.digits()?;
            day - 1 + i64::from(leap && day >= 60)
        } else {
            self.digits()?
        };
        let time = if self.accept('/') { self.time()? } else { 7200 };
        Some(day * 86400 + time)
    }
}

/// Returns a POSIX rule.
pub(super) fn from_rule(text: &str, moment: i64) -> Option<Offset> {
    let mut rule = Rule(text);
    let name = rule.name()?.to_owned();
    let seconds = -rule.time()?;
    let standard = Offset { seconds, name };
    if rule.0.is_empty() {
        return Some(standard);
    }
    let summer_name = rule.name()?.to_owned();
    let ahead = if rule.0.is_empty() || rule.0.starts_with(',') { seconds + 3600 } else { -rule.time()? };
    if rule.0.is_empty() {
        rule = Rule(",M3.2.0,M11.1.0");
    }
    let local = moment + seconds;
    let year = date(local.div_euclid(86400)).0;
    let start = days(year, 1, 1) * 86400;
    let (begin, end) = (rule.change(year)?, rule.change(year)?);
    let (begin, end) = (start + begin - seconds, start + end - ahead);
    let summer = if begin < end { moment >= begin && moment < end } else { moment >= begin || moment < end };
    Some(if summer { Offset { seconds: ahead, name: summer_name } } else { standard })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_know_summer() {
        let zone = "CET-1CEST,M3.5.0,M10.5.0/3";
        assert_eq!(from_rule(zone, 1_700_000_000).unwrap().seconds, 3600);
        let summer = from_rule(zone, 1_720_000_000).unwrap();
        assert_eq!((summer.seconds, summer.name.as_str()), (7200, "CEST"));
        assert_eq!(from_rule("EST5", 0).unwrap().seconds, -18000);
        assert!(from_rule("x", 0).is_none());
    }

    #[test]
    fn unknown_names_are_utc() {
        let name = |tz| Offset::local(Some(tz), 0).name;
        assert_eq!([name(""), name("NoSuch/Zone"), name("EST5"), name("X"), name("<+03>-3")], ["UTC", "NoSuch", "EST", "UTC", "+03"]);
        assert_eq!(Offset::local(Some("EST5"), 0).zone().seconds, -18_000);
    }
}
