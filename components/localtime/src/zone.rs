//! A time zone as a table, and the moments that times on its clocks mean.
//!
//! The table is numbers of 64 bits, little-endian, then names that each end in a NUL:
//!
//! | index | number |
//! |---|---|
//! | 0 | how many changes of the clocks there are |
//! | 1 | how many kinds of time |
//! | 2 | the kind before the first change |
//! | 3, 4 | the kinds of today in winter and in summer |
//! | 5 | 1 if a rule says which of the two applies after the last change, else 0 |
//! | 6 … | the moments of the changes, ascending, in seconds since 1970; then for each the kind that begins |
//! | … | for each kind: seconds ahead of UTC, 1 for summer time, where its name begins among the names |
//! | … | when summer time begins by the rule, and when it ends: five numbers each |
//!
//! The five numbers are a form, three for the day, and the time in seconds after midnight. In form 0 the day is a month, a week and a
//! day of the week (`M3.5.0`), in form 1 a day from 1 in years that have no 29 February (`J60`), in form 2 a day from 0 (`60`).

use core::ffi::CStr;

const DAY: i64 = 86_400;

/// Where the table has what.
const CHANGES: usize = 0;
const KINDS: usize = 1;
const FIRST: usize = 2;
const WINTER: usize = 3;
const SUMMER: usize = 4;
const RULED: usize = 5;
const MOMENTS: usize = 6;

/// Numbers that say when the clocks change by the rule.
const CHANGE: usize = 5;

/// How far from a time the search for one of the other kind goes, and its steps, in seconds: those of glibc.
const FAR: i64 = 228_621_604;
const STEP: i64 = 601_200;

/// Guesses before a time on the clocks counts as one that no moment has.
const GUESSES: usize = 6;

/// What the clocks of a zone show for a while.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kind<'a> {
    /// Seconds ahead of UTC.
    pub ahead: i32,
    /// Whether it is summer time.
    pub summer: bool,
    /// The abbreviation, as `CEST`.
    pub name: &'a CStr,
}

/// UTC.
const UTC: Kind<'static> = Kind { ahead: 0, summer: false, name: c"UTC" };

/// A time zone.
#[derive(Debug, Clone, Copy)]
pub struct Zone<'a> {
    /// The table; empty for UTC.
    table: &'a [u8],
}

impl<'a> Zone<'a> {
    /// Returns the zone of a table; an empty one is UTC.
    pub const fn new(table: &'a [u8]) -> Self {
        Self { table }
    }

    /// Returns the number at an index; 0 behind the end.
    fn number(&self, index: usize) -> i64 {
        let bytes = self.table.get(index * 8..).and_then(|rest| rest.first_chunk::<8>());
        bytes.map_or(0, |bytes| i64::from_le_bytes(*bytes))
    }

    /// Returns the number at an index as one that counts.
    fn count(&self, index: usize) -> usize {
        usize::try_from(self.number(index)).unwrap_or(0)
    }

    /// Returns the index of the first kind.
    fn kinds(&self) -> usize {
        MOMENTS + 2 * self.count(CHANGES)
    }

    /// Returns the index of the rule.
    fn rule(&self) -> usize {
        self.kinds() + 3 * self.count(KINDS)
    }

    /// Returns a kind by its number.
    fn kind(&self, number: usize) -> Kind<'a> {
        if self.table.is_empty() {
            return UTC;
        }
        let at = self.kinds() + 3 * number;
        let name = (self.rule() + 2 * CHANGE) * 8 + self.count(at + 2);
        let name = self.table.get(name..).and_then(|names| CStr::from_bytes_until_nul(names).ok());
        Kind { ahead: i32::try_from(self.number(at)).unwrap_or(0), summer: self.number(at + 1) != 0, name: name.unwrap_or(UTC.name) }
    }

    /// Returns what the clocks show in summer or in winter today; in a zone without summer time, what they always show.
    pub fn today(&self, summer: bool) -> Kind<'a> {
        self.kind(self.count(if summer { SUMMER } else { WINTER }))
    }

    /// Returns what the clocks show at a moment, in seconds since 1970.
    pub fn at(&self, moment: i64) -> Kind<'a> {
        let changes = self.count(CHANGES);
        let (mut passed, mut end) = (0, changes);
        while passed < end {
            let middle = usize::midpoint(passed, end);
            if self.number(MOMENTS + middle) <= moment {
                passed = middle + 1;
            } else {
                end = middle;
            }
        }
        if passed == changes && self.number(RULED) != 0 {
            return self.today(self.is_summer(moment));
        }
        self.kind(self.count(if passed == 0 { FIRST } else { MOMENTS + changes + passed - 1 }))
    }

    /// Returns whether it is summer at a moment by the rule.
    fn is_summer(&self, moment: i64) -> bool {
        let (winter, summer) = (i64::from(self.today(false).ahead), i64::from(self.today(true).ahead));
        let year = year_of(moment.saturating_add(winter).div_euclid(DAY));
        let begin = self.change(self.rule(), year).saturating_sub(winter);
        let end = self.change(self.rule() + CHANGE, year).saturating_sub(summer);
        if begin < end { (begin..end).contains(&moment) } else { !(end..begin).contains(&moment) }
    }

    /// Returns when the clocks change in a year by the five numbers at an index, as the clocks show it before.
    fn change(&self, at: usize, year: i64) -> i64 {
        let [form, first, second, third, time] = [0, 1, 2, 3, 4].map(|part| self.number(at + part));
        let leap = days_before(year + 1) - days_before(year) == 366;
        let day = match form {
            0 => {
                let (start, length) = month(first, leap);
                let weekday = (days_before(year) + start + 4).rem_euclid(7);
                let day = (third - weekday).rem_euclid(7) + (second - 1) * 7;
                // The fifth week is the last one.
                start + if day < length { day } else { day - 7 }
            }
            1 => first - 1 + i64::from(leap && first >= 60),
            _ => first,
        };
        days_before(year).saturating_add(day).saturating_mul(DAY).saturating_add(time)
    }

    /// Returns the moment at which the clocks show a time, which is given as seconds since 1970-01-01 00:00 on the same clocks. `summer`
    /// says by which time: 0 in winter's, more than 0 in summer's, less than 0 in that which applies.
    ///
    /// Which moment it is of a time that the clocks show twice or never, or not by that time, is what glibc's `mktime` answers in a
    /// process that has not called it before.
    pub fn moment(&self, shown: i64, summer: i32) -> i64 {
        let (mut before, mut last, mut last_summer) = (shown, shown, false);
        let mut moment = shown;
        for _ in 0..GUESSES {
            let kind = self.at(moment);
            let next = shown.saturating_sub(i64::from(kind.ahead));
            if next == moment {
                break;
            }
            // The clocks skip this time, and the guesses go to and fro.
            let fits = if summer < 0 { last_summer <= kind.summer } else { (summer > 0) != kind.summer };
            if moment == before && moment != last && fits {
                return moment;
            }
            (before, last, last_summer, moment) = (last, moment, kind.summer, next);
        }
        let kind = self.at(moment);
        if summer < 0 || (summer > 0) == kind.summer {
            return moment;
        }
        for distance in (STEP..FAR + STEP).step_by(STEP as usize) {
            for near in [moment.saturating_sub(distance), moment.saturating_add(distance)] {
                let kind = self.at(near);
                if kind.summer == (summer > 0) {
                    return shown.saturating_sub(i64::from(kind.ahead));
                }
            }
        }
        // A zone without summer time: it would be an hour.
        moment.saturating_add(if summer > 0 { -3600 } else { 3600 })
    }
}

/// Returns the days from 1970-01-01 to the first of January of a year.
fn days_before(year: i64) -> i64 {
    let last = year - 1;
    365 * (year - 1970) + last.div_euclid(4) - last.div_euclid(100) + last.div_euclid(400) - 477
}

/// Returns the year of a day, which is given as days since 1970-01-01.
fn year_of(day: i64) -> i64 {
    // 400 years have 146,097 days.
    let (cycles, rest) = (day.div_euclid(146_097), day.rem_euclid(146_097));
    let mut year = 1970 + 400 * cycles + rest / 366;
    while days_before(year + 1) <= day {
        year += 1;
    }
    year
}

/// Returns the days before a month in its year, and its length. Months count from 1.
fn month(number: i64, leap: bool) -> (i64, i64) {
    let mut start = 0;
    for (month, length) in (1..).zip([31, 28 + i64::from(leap), 31, 30, 31, 30, 31, 31, 30, 31, 30]) {
        if month == number {
            return (start, length);
        }
        start += length;
    }
    (start, 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes a table of numbers and names.
    fn table(numbers: &[i64], names: &str) -> Vec<u8> {
        let mut table: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        table.extend(names.as_bytes());
        table
    }

    /// Makes the table of `CET-1CEST,M3.5.0,M10.5.0/3`, after a time that was 40 minutes ahead until 1900.
    fn central_europe() -> Vec<u8> {
        let kinds = [2400, 0, 0, 3600, 0, 4, 7200, 1, 8];
        let rule = [0, 3, 5, 0, 7200, 0, 10, 5, 0, 10_800];
        table(&[&[1, 3, 0, 1, 2, 1, -2_208_988_800, 1], &kinds[..], &rule].concat(), "LMT\0CET\0CEST\0")
    }

    fn shown(zone: &Zone<'_>, moment: i64) -> (i32, bool, String) {
        let kind = zone.at(moment);
        (kind.ahead, kind.summer, kind.name.to_str().unwrap().to_owned())
    }

    #[test]
    fn changes_then_the_rule_decide() {
        let table = central_europe();
        let zone = Zone::new(&table);
        assert_eq!(shown(&zone, -3_000_000_000), (2400, false, "LMT".into()));
        assert_eq!(shown(&zone, 1_704_067_200), (3600, false, "CET".into()));
        assert_eq!(shown(&zone, 1_720_000_000), (7200, true, "CEST".into()));
        // To the second: 2024-03-31 and 2024-10-27, both at 01:00 UTC.
        assert_eq!([1_711_846_799, 1_711_846_800, 1_729_990_799, 1_729_990_800].map(|at| zone.at(at).summer), [false, true, true, false]);
        assert_eq!((zone.today(false).ahead, zone.today(true).ahead), (3600, 7200));
    }

    #[test]
    fn a_rule_may_begin_in_one_year_and_end_in_the_next() {
        let rule = [0, 10, 1, 0, 7200, 0, 4, 1, 0, 10_800];
        let table = table(&[&[0, 2, 0, 0, 1, 1], &[36_000, 0, 0, 39_600, 1, 5][..], &rule].concat(), "AEST\0AEDT\0");
        let zone = Zone::new(&table);
        assert_eq!([1_704_067_200, 1_720_000_000, 1_733_000_000].map(|at| zone.at(at).summer), [true, false, true]);
    }

    #[test]
    fn days_of_rules_have_three_forms() {
        let begin = |form: [i64; 5], year| {
            let table = table(&[&[0, 2, 0, 0, 1, 1], &[0, 0, 0, 3600, 1, 0][..], &form, &[2, 300, 0, 0, 0]].concat(), "A\0");
            Zone::new(&table).change(6 + 6, year)
        };
        // 2024-03-01 is day 60 from 0 and 2023-03-01 day 59; `J60` is 1 March in both.
        assert_eq!(begin([1, 60, 0, 0, 0], 2024), 1_709_251_200);
        assert_eq!(begin([1, 60, 0, 0, 0], 2023), 1_677_628_800);
        assert_eq!(begin([2, 60, 0, 0, 60], 2024), 1_709_251_260);
        // The second Sunday of March, and the last Sunday of February.
        assert_eq!(begin([0, 3, 2, 0, 0], 2024), 1_710_028_800);
        assert_eq!(begin([0, 2, 5, 0, 0], 2024), 1_708_819_200);
    }

    #[test]
    fn times_on_the_clocks_mean_moments() {
        let table = central_europe();
        let zone = Zone::new(&table);
        assert_eq!([-1, 0, 1].map(|summer| zone.moment(1_720_007_200, summer)), [1_720_000_000, 1_720_003_600, 1_720_000_000]);
        // 2024-10-27 02:30 is shown twice, 2024-03-31 02:30 never.
        assert_eq!([-1, 0, 1].map(|summer| zone.moment(1_729_996_200, summer)), [1_729_992_600, 1_729_992_600, 1_729_989_000]);
        assert_eq!([-1, 0, 1].map(|summer| zone.moment(1_711_852_200, summer)), [1_711_848_600, 1_711_848_600, 1_711_845_000]);
        assert_eq!([-1, 0, 1].map(|summer| Zone::new(&[]).moment(7200, summer)), [7200, 7200, 3600]);
    }

    #[test]
    fn years_have_their_days() {
        for year in [-4800, -1, 0, 1, 1600, 1899, 1900, 1969, 1970, 1972, 2000, 2024, 2100, 9999] {
            assert_eq!((year_of(days_before(year)), year_of(days_before(year) - 1)), (year, year - 1), "{year}");
        }
        assert_eq!((days_before(1970), days_before(2024), days_before(1)), (0, 19_723, -719_162));
    }

    #[test]
    fn a_table_that_ends_early_is_harmless() {
        let table = central_europe();
        for length in 0..table.len() {
            let zone = Zone::new(&table[..length]);
            for moment in [i64::MIN, -1, 0, 1_720_000_000, i64::MAX] {
                zone.at(moment);
                zone.moment(moment, 1);
            }
        }
    }
}
