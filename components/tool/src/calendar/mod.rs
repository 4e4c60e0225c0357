//! The Gregorian calendar, extended in both directions as in ISO 8601; times are in UTC, without leap seconds.

mod strftime;
mod timezone;
mod zone;

pub use strftime::{Zone, strftime};
pub use timezone::{TimeZone, now, seconds};
pub use zone::Offset;

/// The months in English and in the C locale; the first three letters are the short names.
pub const MONTHS: [&str; 12] =
    ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];
/// The days of the week, from Sunday.
pub const WEEKDAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/// Seconds in a day.
pub const DAY: i64 = 86_400;
/// The calendar repeats after this many years and days.
const CYCLE: (i64, i64) = (400, 146_097);
/// From March 1 of year 0, where a cycle begins, to 1970-01-01. Years that begin in March have their leap day at the end.
const TO_1970: i64 = 719_468;

/// Returns the days since 1970-01-01 of a date. Months count from 1; month and day may exceed their year and month. A result
/// outside the range of `i64` becomes the nearest value in it.
pub fn days(year: i64, month: i64, day: i64) -> i64 {
    // Counted from March, as 0.
    let month = month.saturating_sub(3);
    let year = year.saturating_add(month.div_euclid(12));
    let of_year = (153 * month.rem_euclid(12) + 2) / 5;
    let (cycle, of_cycle) = (year.div_euclid(CYCLE.0), year.rem_euclid(CYCLE.0));
    let within = of_cycle * 365 + of_cycle / 4 - of_cycle / 100 + of_year - TO_1970 - 1;
    nearest(i128::from(cycle) * i128::from(CYCLE.1) + i128::from(within) + i128::from(day))
}

/// Returns the year, month (from 1) and day of a number of days since 1970-01-01.
pub fn date(days: i64) -> (i64, i64, i64) {
    // Both parts of the sum are within a cycle, so nothing here overflows an `i64`.
    let shifted = days.rem_euclid(CYCLE.1) + TO_1970 % CYCLE.1;
    let cycle = days.div_euclid(CYCLE.1) + TO_1970 / CYCLE.1 + shifted / CYCLE.1;
    let of_cycle = shifted % CYCLE.1;
    let year = (of_cycle - of_cycle / 1_460 + of_cycle / 36_524 - of_cycle / 146_096) / 365;
    let of_year = of_cycle - (365 * year + year / 4 - year / 100);
    let from_march = (5 * of_year + 2) / 153;
    let month = (from_march + 2) % 12 + 1;
    (cycle * CYCLE.0 + year + i64::from(month < 3), month, of_year - (153 * from_march + 2) / 5 + 1)
}

fn nearest(wide: i128) -> i64 {
    i64::try_from(wide).unwrap_or(if wide < 0 { i64::MIN } else { i64::MAX })
}

/// The parts of a moment.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Civil {
    /// The year; 0 is the year before the year 1.
    pub year: i64,
    /// The month, from 1.
    pub month: i64,
    /// The day of the month, from 1.
    pub day: i64,
    /// The hour, from 0.
    pub hour: i64,
    /// The minute, from 0.
    pub minute: i64,
    /// The second, from 0.
    pub second: i64,
    /// The day of the week, from Sunday, 0.
    pub weekday: i64,
    /// The day of the year, from 0.
    pub yearday: i64,
}

impl Civil {
    /// Returns a moment, in seconds since 1970.
    pub fn at(seconds: i64) -> Self {
        let (days_passed, rest) = (seconds.div_euclid(DAY), seconds.rem_euclid(DAY));
        let (year, month, day) = date(days_passed);
        Self {
            year,
            month,
            day,
            hour: rest / 3600,
            minute: rest / 60 % 60,
            second: rest % 60,
            weekday: (days_passed.rem_euclid(7) + 4) % 7,
            yearday: days_passed - days(year, 1, 1),
        }
    }

    /// Returns the seconds since 1970. Every part may be out of its range; the days of the week and of the year are ignored. A
    /// result outside the range of `i64` becomes the nearest value in it.
    pub fn seconds(&self) -> i64 {
        let [hour, minute, second] = [self.hour, self.minute, self.second].map(i128::from);
        nearest(i128::from(days(self.year, self.month, self.day)) * i128::from(DAY) + hour * 3600 + minute * 60 + second)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_dates_return() {
        for day in (-800_000..800_000).step_by(97).chain(-800..800) {
            let (year, month, date) = date(day);
            assert_eq!(days(year, month, date), day);
        }
        assert_eq!((days(1970, 1, 1), date(0)), (0, (1970, 1, 1)));
        assert_eq!(date(19_782), (2024, 2, 29));
    }

    #[test]
    fn leap_days_follow_the_centuries() {
        for (year, leap) in [(2000, true), (1900, false), (2100, false), (2024, true), (2023, false), (0, true), (-4, true), (-100, false)]
        {
            assert_eq!(days(year, 3, 1) - days(year, 2, 28), if leap { 2 } else { 1 }, "{year}");
            assert_eq!(days(year + 1, 1, 1) - days(year, 1, 1), if leap { 366 } else { 365 }, "{year}");
        }
        assert_eq!(date(days(1900, 2, 29)), (1900, 3, 1));
    }

    #[test]
    fn years_before_the_first_count_on() {
        assert_eq!(date(days(1, 1, 1) - 1), (0, 12, 31));
        assert_eq!(date(days(0, 1, 1) - 1), (-1, 12, 31));
        assert_eq!(days(-400, 3, 1), -719_468 - 146_097);
        let before = Civil::at(-62_167_219_201);
        assert_eq!((before.year, before.month, before.day, before.hour, before.second), (-1, 12, 31, 23, 59));
        assert_eq!((before.weekday, before.yearday), (5, 364));
    }

    #[test]
    fn months_and_days_may_be_beyond() {
        assert_eq!(days(2023, 14, 1), days(2024, 2, 1));
        assert_eq!(days(2024, 0, 31), days(2023, 12, 31));
        assert_eq!(days(2024, -11, 1), days(2023, 1, 1));
        assert_eq!(days(2024, 2, 30), days(2024, 3, 1));
    }

    #[test]
    fn the_ends_do_not_overflow() {
        for day in [i64::MIN, i64::MIN + 1, i64::MIN + 800_000, i64::MAX - 800_000, i64::MAX - 1, i64::MAX] {
            let (year, month, date) = date(day);
            assert_eq!(days(year, month, date), day);
        }
        for second in [i64::MIN, i64::MIN + 86_399, i64::MAX - 86_399, i64::MAX] {
            assert_eq!(Civil::at(second).seconds(), second);
        }
        assert_eq!(days(i64::MAX, i64::MAX, i64::MAX), i64::MAX);
        assert_eq!(days(i64::MIN, i64::MIN, i64::MIN), i64::MIN);
        assert_eq!(Civil { year: i64::MIN, ..Civil::at(0) }.seconds(), i64::MIN);
        assert_eq!(Civil { hour: i64::MAX, minute: i64::MAX, ..Civil::at(0) }.seconds(), i64::MAX);
    }

    #[test]
    fn moments_are_taken_apart() {
        let leap = Civil::at(1_709_210_096);
        assert_eq!((leap.year, leap.month, leap.day, leap.hour, leap.minute, leap.second), (2024, 2, 29, 12, 34, 56));
        assert_eq!((WEEKDAYS[leap.weekday as usize], leap.yearday), ("Thursday", 59));
        for at in (-10_000_000_000..10_000_000_000).step_by(98_765_431) {
            assert_eq!(Civil::at(at).seconds(), at);
        }
    }
}
