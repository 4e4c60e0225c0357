//! `strptime` in the C locale.

use super::dates::{Broken, days};
use wisp_tool::calendar::{self, MONTHS, WEEKDAYS};

#[derive(Default)]
struct Reader<'a> {
    rest: &'a str,
    time: Broken,
    afternoon: Option<bool>,
    century: Option<i64>,
    /// The day of the month, or of the year, was given.
    date: bool,
    yearday: bool,
}

/// Reads a time; what is left of the text comes with it.
pub(super) fn strptime<'a>(text: &'a str, format: &str) -> Option<(Broken, &'a str)> {
    let time = Broken { year: 1900, ..Broken::default() };
    let mut reader = Reader { rest: text, time, ..Reader::default() };
    reader.read(format)?;
    if let Some(afternoon) = reader.afternoon {
        reader.time.hour = reader.time.hour % 12 + if afternoon { 12 } else { 0 };
    }
    if let Some(century) = reader.century {
        reader.time.year = century * 100 + reader.time.year.rem_euclid(100);
    }
    let time = &mut reader.time;
    if reader.yearday && !reader.date {
        let (_, month, day) = calendar::date(days(time.year, 0, 1) + time.yearday);
        (time.month, time.day) = (month - 1, day);
    }
    // The C library leaves these as they are; jq computes them from the date.
    let day = days(time.year, time.month, time.day);
    time.weekday = (day + 4).rem_euclid(7);
    time.yearday = day - days(time.year, 0, 1);
    if time.day == 0 {
        // No date at all: what the arithmetic of years that begin in March makes of it.
        (time.weekday, time.yearday) = (8, 367);
    }
    Some((reader.time, reader.rest))
}

impl Reader<'_> {
    fn spaces(&mut self) {
        self.rest = self.rest.trim_start();
    }

    /// Parses a number of at most `width` digits between two bounds.
    fn number(&mut self, width: usize, low: i64, high: i64) -> Option<i64> {
        self.spaces();
        let digits = self.rest.bytes().take(width).take_while(u8::is_ascii_digit).count();
        let (text, rest) = self.rest.split_at(digits);
        let value: i64 = text.parse().ok()?;
        self.rest = rest;
        (low..=high).contains(&value).then_some(value)
    }

    fn name(&mut self, names: &[&str]) -> Option<i64> {
        for (at, name) in names.iter().enumerate() {
            for length in [name.len(), 3] {
                if self.rest.get(..length).is_some_and(|start| start.eq_ignore_ascii_case(&name[..length])) {
                    self.rest = &self.rest[length..];
                    return Some(at as i64);
                }
            }
        }
        None
    }

    fn read(&mut self, format: &str) -> Option<()> {
        let mut chars = format.chars();
        while let Some(c) = chars.next() {
            if c.is_whitespace() {
                self.spaces();
                continue;
            }
            if c != '%' {
                self.rest = self.rest.strip_prefix(c)?;
                continue;
            }
            let mut conversion = chars.next()?;
            while matches!(conversion, '-' | '_' | '0' | '^' | 'E' | 'O') {
                conversion = chars.next()?;
            }
            self.convert(conversion)?;
        }
        Some(())
    }

    fn convert(&mut self, conversion: char) -> Option<()> {
        match conversion {
            'a' | 'A' => self.time.weekday = self.name(&WEEKDAYS)?,
            'b' | 'B' | 'h' => self.time.month = self.name(&MONTHS)?,
            'c' => self.read("%a %b %e %H:%M:%S %Y")?,
            'C' => self.century = Some(self.number(2, 0, 99)?),
            'd' | 'e' => {
                self.time.day = self.number(2, 1, 31)?;
                self.date = true;
            }
            'D' | 'x' => self.read("%m/%d/%y")?,
            'F' => self.read("%Y-%m-%d")?,
            'H' | 'k' => self.time.hour = self.number(2, 0, 23)?,
            'I' | 'l' => self.time.hour = self.number(2, 1, 12)?,
            'j' => {
                self.time.yearday = self.number(3, 1, 366)? - 1;
                self.yearday = true;
            }
            'm' => self.time.month = self.number(2, 1, 12)? - 1,
            'M' => self.time.minute = self.number(2, 0, 59)?,
            'n' | 't' => self.spaces(),
            'p' | 'P' => {
                let half = self.rest.get(..2)?;
                self.afternoon = Some(match () {
                    () if half.eq_ignore_ascii_case("am") => false,
                    () if half.eq_ignore_ascii_case("pm") => true,
                    () => return None,
                });
                self.rest = &self.rest[2..];
            }
            'r' => self.read("%I:%M:%S %p")?,
            'R' => self.read("%H:%M")?,
            's' => {
                let sign = if let Some(rest) = self.rest.strip_prefix('-') {
                    self.rest = rest;
                    -1
                } else {
                    1
                };
                let seconds = self.number(18, 0, i64::MAX)? * sign;
                self.time = Broken::at(seconds as f64);
                self.date = true;
            }
            'S' => self.time.second = self.number(2, 0, 61)? as f64,
            'T' | 'X' => self.read("%H:%M:%S")?,
            'u' => drop(self.number(1, 1, 7)?),
            'w' => drop(self.number(1, 0, 6)?),
            'U' | 'V' | 'W' | 'g' => drop(self.number(2, 0, 99)?),
            'G' => drop(self.number(4, 0, 9999)?),
            'y' => {
                let year = self.number(2, 0, 99)?;
                self.time.year = if year < 69 { 2000 + year } else { 1900 + year };
            }
            'Y' => {
                let negative = self.rest.starts_with('-');
                self.rest = self.rest.strip_prefix('-').unwrap_or(self.rest);
                let year = self.number(4, 0, 9999)?;
                self.time.year = if negative { -year } else { year };
            }
            'z' => self.offset()?,
            'Z' => {
                let end = self.rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(self.rest.len());
                self.rest = &self.rest[end..];
            }
            '%' => self.rest = self.rest.strip_prefix('%')?,
            _ => return None,
        }
        Some(())
    }

    /// Reads `+hh:mm`, `+hhmm`, `+hh` or `Z`; jq takes no notice of it.
    fn offset(&mut self) -> Option<()> {
        self.spaces();
        if let Some(rest) = self.rest.strip_prefix('Z') {
            self.rest = rest;
            return Some(());
        }
        self.rest = self.rest.strip_prefix(['+', '-'])?;
        self.number(2, 0, 99)?;
        self.rest = self.rest.strip_prefix(':').unwrap_or(self.rest);
        if self.rest.starts_with(|c: char| c.is_ascii_digit()) {
            self.number(2, 0, 99)?;
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, format: &str) -> Option<(i64, i64, i64, i64, i64)> {
        let (time, rest) = strptime(text, format)?;
        rest.is_empty().then_some((time.year, time.month, time.day, time.hour, time.weekday))
    }

    #[test]
    fn dates_are_read() {
        assert_eq!(read("2015-03-05T23:51:47Z", "%Y-%m-%dT%H:%M:%SZ"), Some((2015, 2, 5, 23, 4)));
        assert_eq!(read("10 Mar 2020", "%d %b %Y"), Some((2020, 2, 10, 0, 2)));
        assert_eq!(read("Thursday, 05 march 15 11:00 PM", "%A, %d %B %y %I:%M %p"), Some((2015, 2, 5, 23, 4)));
        assert_eq!(read("2024 060", "%Y %j"), Some((2024, 1, 29, 0, 4)));
        assert_eq!(read("1425599507", "%s"), Some((2015, 2, 5, 23, 4)));
        assert_eq!(read("2015-13-05", "%Y-%m-%d"), None);
        assert_eq!(read("2015-03-05x", "%Y-%m-%d"), None);
    }
}
