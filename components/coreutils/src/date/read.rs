//! Dates in the forms that GNU's manual describes: `2 days ago`, `next monday`, `@0`, `5 jan 2020 10:00 UTC`.

use super::tokens::{self, Number, Token};
use super::words::{Unit, Word, military};
use wisp_tool::calendar::{Civil, TimeZone, date as civil_date, days};

const SECOND: i128 = 1_000_000_000;

/// What the text says, as far as it has been read.
#[derive(Default)]
struct Said {
    /// Hour, minute, second, nanosecond.
    time: Option<(i64, i64, i64, i64)>,
    times: u32,
    /// Year, month, day. Without a year, the current one.
    date: Option<(Option<i64>, i64, i64)>,
    dates: u32,
    /// Which one is meant (1 for `next`), and the day of the week.
    weekday: Option<(i64, i64)>,
    weekdays: u32,
    zone: Option<i64>,
    zones: u32,
    /// Years, months, days and nanoseconds to add.
    added: (i64, i64, i64, i128),
    adds: bool,
}

/// Returns the moment that a text means if it is `now`, both in nanoseconds since 1970.
pub(crate) fn date(text: &str, now: i128, zone: &TimeZone) -> Option<i128> {
    let text = text.trim_ascii_start();
    if let Some(rest) = text.strip_prefix("TZ=\"") {
        let end = rest.find('"')?;
        return date(&rest[end + 1..], now, &TimeZone::named(&rest[..end]));
    }
    if let Some(rest) = text.strip_prefix('@') {
        return match tokens::read(rest)?.as_slice() {
            [Token::Number(number)] => Some(number.nanoseconds()),
            _ => None,
        };
    }
    let mut parser = Parser { tokens: tokens::read(text)?, at: 0, said: Said::default() };
    while parser.at < parser.tokens.len() {
        parser.item()?;
    }
    parser.said.resolve(now, zone)
}

/// Returns the form of `touch -t`: `[[CC]YY]MMDDhhmm[.ss]`.
pub(crate) fn stamp(text: &str, now: i128, zone: &TimeZone) -> Option<i128> {
    let (digits, seconds) = text.split_once('.').unwrap_or((text, "00"));
    let all = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !all(digits) || !all(seconds) || seconds.len() != 2 || ![8, 10, 12].contains(&digits.len()) {
        return None;
    }
    let (year, rest) = digits.split_at(digits.len() - 8);
    let year = match year.len() {
        0 => None,
        2 => Some(century(year.parse().ok()?)),
        _ => Some(year.parse().ok()?),
    };
    let part = |at: usize| rest[at..at + 2].parse::<i64>().ok();
    // A leap second is the first second of the next minute.
    let (second, late) = if seconds == "60" { (59, SECOND) } else { (seconds.parse().ok()?, 0) };
    let said = Said { date: Some((year, part(0)?, part(2)?)), time: Some((part(4)?, part(6)?, second, 0)), ..Said::default() };
    Some(said.resolve(now, zone)? + late)
}

/// Returns the year that a number of two digits means.
fn century(year: i64) -> i64 {
    year + if year < 69 { 2000 } else { 1900 }
}

struct Parser {
    tokens: Vec<Token>,
    at: usize,
    said: Said,
}

impl Parser {
    fn peek(&self, ahead: usize) -> Option<&Token> {
        self.tokens.get(self.at + ahead)
    }

    /// Returns a number without a sign or a fraction.
    fn plain(&self, ahead: usize) -> Option<&Number> {
        self.number(ahead).filter(|number| number.sign.is_none() && number.fraction.is_none())
    }

    fn signed(&self, ahead: usize) -> Option<&Number> {
        self.number(ahead).filter(|number| number.sign.is_some() && number.fraction.is_none())
    }

    fn number(&self, ahead: usize) -> Option<&Number> {
        if let Some(Token::Number(number)) = self.peek(ahead) { Some(number) } else { None }
    }

    fn word(&self, ahead: usize) -> Option<Word> {
        if let Some(Token::Word(word)) = self.peek(ahead) { Some(*word) } else { None }
    }

    fn mark(&self, ahead: usize, mark: char) -> bool {
        self.peek(ahead) == Some(&Token::Mark(mark))
    }

    fn item(&mut self) -> Option<()> {
        match self.peek(0)? {
            Token::Word(word) => self.worded(*word),
            Token::Number(_) => self.numbered(),
            Token::Mark(_) => None,
        }
    }

    fn worded(&mut self, word: Word) -> Option<()> {
        self.at += 1;
        match word {
            Word::Month(month) => return self.after_month(month),
            Word::Weekday(day) => {
                self.weekday(0, day);
                if self.mark(0, ',') {
                    self.at += 1;
                }
            }
            Word::Unit(..) | Word::Shift(_) => {
                self.at -= 1;
                self.relative(1, None)?;
            }
            Word::Ordinal(count) => match self.word(0)? {
                Word::Weekday(day) => {
                    self.at += 1;
                    self.weekday(count, day);
                }
                Word::Unit(..) => self.relative(count, None)?,
                _ => return None,
            },
            Word::T => self.zone(military(b't')?)?,
            Word::Zone(seconds) => self.zone(seconds)?,
            Word::Local => {}
            Word::Ago | Word::Afternoon(_) | Word::Summer => return None,
        }
        Some(())
    }

    fn weekday(&mut self, count: i64, day: i64) {
        self.said.weekday = Some((count, day));
        self.said.weekdays += 1;
    }

    /// Reads `jan 5`, `jan 5, 2020`, `jan-5-2020`.
    fn after_month(&mut self, month: i64) -> Option<()> {
        if let (Some(day), Some(year)) = (self.signed(0), self.signed(1)) {
            let (day, year) = (day.magnitude(), year.year());
            self.at += 2;
            return self.dated(Some(year), month, day);
        }
        let day = self.plain(0)?.magnitude();
        self.at += 1;
        if self.mark(0, ',')
            && let Some(year) = self.plain(1).map(Number::year)
        {
            self.at += 2;
            return self.dated(Some(year), month, day);
        }
        self.dated(None, month, day)
    }

    fn dated(&mut self, year: Option<i64>, month: i64, day: i64) -> Option<()> {
        self.said.date = Some((year, month, day));
        self.said.dates += 1;
        Some(())
    }

    /// Reads a zone and its addition: `UTC+2`, `EST DST`.
    fn zone(&mut self, mut seconds: i64) -> Option<()> {
        if self.word(0) == Some(Word::Summer) {
            self.at += 1;
            seconds += 3600;
        } else if self.signed(0).is_some() && !matches!(self.word(1), Some(Word::Unit(..))) {
            seconds += self.offset()?;
        }
        self.said.zone = Some(seconds);
        self.said.zones += 1;
        Some(())
    }

    /// Reads `+2`, `+0230`, `+02:30` in seconds.
    fn offset(&mut self) -> Option<i64> {
        let number = self.signed(0)?.clone();
        self.at += 1;
        let value = number.magnitude();
        let minutes = if self.mark(0, ':') {
            let minutes = self.plain(1)?.magnitude();
            self.at += 2;
            value.checked_mul(60)?.checked_add(minutes)?
        } else if number.digits.len() <= 2 {
            value * 60
        } else {
            value / 100 * 60 + value % 100
        };
        (minutes <= 24 * 60).then_some(if number.negative() { -minutes * 60 } else { minutes * 60 })
    }

    fn numbered(&mut self) -> Option<()> {
        let number = self.number(0)?.clone();
        match self.word(1) {
            Some(Word::Unit(..)) => {
                self.at += 1;
                return self.relative(number.value()?, Some(&number));
            }
            Some(Word::Weekday(day)) if number.sign.is_none() && number.fraction.is_none() => {
                self.at += 2;
                self.weekday(number.magnitude(), day);
                return Some(());
            }
            Some(Word::Month(month)) if number.sign.is_none() && number.fraction.is_none() => {
                self.at += 2;
                // A time may follow instead of a year.
                let year = self.number(0).filter(|year| year.fraction.is_none() && !self.mark(1, ':')).map(Number::year);
                self.at += usize::from(year.is_some());
                return self.dated(year, month, number.magnitude());
            }
            _ => {}
        }
        // A sign is possible only before a unit or an offset.
        if number.sign.is_some() || number.fraction.is_some() {
            return None;
        }
        if self.mark(1, ':') {
            return self.clock();
        }
        if self.mark(1, '/') {
            return self.slashes();
        }
        if let Some(Word::Afternoon(_)) = self.word(1) {
            self.at += 1;
            return self.timed(number.magnitude(), 0, 0, 0);
        }
        if let (Some(month), Some(day)) = (self.signed(1), self.signed(2))
            && month.negative()
            && day.negative()
        {
            let (month, day) = (month.magnitude(), day.magnitude());
            self.at += 3;
            // `T` before a time of day.
            let time = self.word(0) == Some(Word::T) && self.plain(1).is_some() && self.mark(2, ':');
            self.at += usize::from(time);
            return self.dated(Some(number.year()), month, day);
        }
        // If an offset follows, the number is an hour.
        if self.signed(1).is_some() && number.digits.len() <= 2 && !matches!(self.word(2), Some(Word::Unit(..))) {
            self.at += 1;
            return self.timed(number.magnitude(), 0, 0, 0);
        }
        self.at += 1;
        self.bare(&number)
    }

    /// Reads a number on its own: the year after a date, a date if it has at least five digits, or a time.
    fn bare(&mut self, number: &Number) -> Option<()> {
        let (value, digits) = (number.magnitude(), number.digits.len());
        if let Some((year @ None, ..)) = &mut self.said.date
            && !self.said.adds
            && (self.said.times > 0 || digits > 2)
        {
            *year = Some(number.year());
            return Some(());
        }
        if digits > 4 {
            let year = value / 10_000;
            return self.dated(Some(if digits - 4 <= 2 { century(year) } else { year }), value / 100 % 100, value % 100);
        }
        let (hour, minute) = if digits <= 2 { (value, 0) } else { (value / 100, value % 100) };
        self.said.times += 1;
        self.said.time = Some((hour, minute, 0, 0));
        Some(())
    }

    /// Reads `10:30`, `10:30:15.5`.
    fn clock(&mut self) -> Option<()> {
        let hour = self.plain(0)?.magnitude();
        let minute = self.plain(2)?.magnitude();
        self.at += 3;
        let (mut second, mut nanos) = (0, 0);
        if self.mark(0, ':') {
            let number = self.number(1).filter(|number| number.sign.is_none())?;
            (second, nanos) = (number.magnitude(), number.nanos());
            self.at += 2;
        }
        self.timed(hour, minute, second, nanos)
    }

    /// Reads a time of day; `am`, `pm` or an offset may follow.
    fn timed(&mut self, hour: i64, minute: i64, second: i64, nanos: i64) -> Option<()> {
        let mut hour = hour;
        if let Some(Word::Afternoon(afternoon)) = self.word(0) {
            self.at += 1;
            if !(1..=12).contains(&hour) {
                return None;
            }
            hour = hour % 12 + if afternoon { 12 } else { 0 };
        } else if self.signed(0).is_some() {
            let offset = self.offset()?;
            self.said.zone = Some(offset);
            self.said.zones += 1;
        }
        self.said.time = Some((hour, minute, second, nanos));
        self.said.times += 1;
        Some(())
    }

    /// Reads `1/2`, `1/2/2020`, `2020/1/2`.
    fn slashes(&mut self) -> Option<()> {
        let (first, second) = (self.plain(0)?.clone(), self.plain(2)?.clone());
        self.at += 3;
        if !self.mark(0, '/') {
            return self.dated(None, first.magnitude(), second.magnitude());
        }
        let third = self.plain(1)?.clone();
        self.at += 2;
        if first.digits.len() >= 4 {
            self.dated(Some(first.year()), second.magnitude(), third.magnitude())
        } else {
            self.dated(Some(third.year()), first.magnitude(), second.magnitude())
        }
    }

    /// Reads a unit or a word such as `tomorrow`; `ago` may follow.
    fn relative(&mut self, count: i64, number: Option<&Number>) -> Option<()> {
        let word = self.word(0)?;
        self.at += 1;
        let sign = if self.word(0) == Some(Word::Ago) {
            self.at += 1;
            -1
        } else {
            1
        };
        let (unit, count) = match word {
            Word::Shift(days) => (Unit::Day, days),
            Word::Unit(unit, times) => (unit, count.checked_mul(times)?),
            _ => return None,
        };
        let nanos = number.map_or(0, |number| if number.negative() { -number.nanos() } else { number.nanos() });
        if unit != Unit::Second && number.is_some_and(|number| number.fraction.is_some()) {
            return None;
        }
        let count = count.checked_mul(sign)?;
        let added = &mut self.said.added;
        let time = |seconds: i128| i128::from(count) * seconds * SECOND;
        match unit {
            Unit::Year => added.0 = added.0.checked_add(count)?,
            Unit::Month => added.1 = added.1.checked_add(count)?,
            Unit::Day => added.2 = added.2.checked_add(count)?,
            Unit::Hour => added.3 += time(3600),
            Unit::Minute => added.3 += time(60),
            Unit::Second => added.3 += time(1) + i128::from(nanos * sign),
        }
        self.said.adds = true;
        Some(())
    }
}

impl Said {
    fn resolve(self, now: i128, zone: &TimeZone) -> Option<i128> {
        if [self.times, self.dates, self.weekdays, self.zones].iter().any(|count| *count > 1) {
            return None;
        }
        let (seconds, mut nanos) = (i64::try_from(now.div_euclid(SECOND)).ok()?, now.rem_euclid(SECOND));
        // The day is today in the local zone, even if the time is given in another zone.
        let mut at = Civil::at(seconds.checked_add(zone.at(seconds).seconds)?);
        if let Some((year, month, day)) = self.date {
            at.year = year.unwrap_or(at.year);
            if !(1..=12).contains(&month) || day < 1 || civil_date(days(at.year, month, day)) != (at.year, month, day) {
                return None;
            }
            (at.month, at.day) = (month, day);
        }
        if let Some((hour, minute, second, fraction)) = self.time {
            if hour > 23 || minute > 59 || second > 59 {
                return None;
            }
            ((at.hour, at.minute, at.second), nanos) = ((hour, minute, second), i128::from(fraction));
        } else if !self.adds || self.date.is_some() || self.weekday.is_some() {
            ((at.hour, at.minute, at.second), nanos) = ((0, 0, 0), 0);
        }
        let place = |at: &Civil| match self.zone {
            Some(ahead) => at.seconds().checked_sub(ahead),
            None => zone.moments(at.seconds()).map(|(first, _)| first),
        };
        // A time that the clocks skip does not exist.
        let only_adds = self.adds && self.time.is_none() && self.date.is_none() && self.weekday.is_none() && self.zone.is_none();
        let mut start = if only_adds { seconds } else { place(&at)? };
        if let Some((count, day)) = self.weekday.filter(|_| self.date.is_none()) {
            let today = Civil::at(at.seconds()).weekday;
            let weeks = count - i64::from(count > 0 && today != day);
            at.day = at.day.checked_add((day - today).rem_euclid(7))?.checked_add(weeks.checked_mul(7)?)?;
            start = place(&at)?;
        }
        let (years, months, more, time) = self.added;
        if (years, months, more) != (0, 0, 0) {
            at.year = at.year.checked_add(years)?;
            at.month = at.month.checked_add(months)?;
            at.day = at.day.checked_add(more)?;
            start = place(&at).or_else(|| at.seconds().checked_sub(zone.at(at.seconds().saturating_sub(86_400)).seconds))?;
        }
        i128::from(start).checked_mul(SECOND)?.checked_add(nanos)?.checked_add(time)
    }
}

#[cfg(test)]
mod tests;
