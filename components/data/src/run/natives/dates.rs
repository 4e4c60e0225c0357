//! Dates: "broken down times" are arrays of year, month from 0, day, hours, minutes, seconds, weekday, day of the year.

use super::strptime::strptime;
use super::{Entry, Run, take};
use crate::json::Val;
use crate::run::{Context, Error};
use wisp_tool::calendar::{self, Civil, Offset, Zone, strftime};

pub(super) const TABLE: &[Entry] = &[
    ("now", 0, now),
    ("mktime", 0, make_time),
    ("gmtime", 0, |_, v, _| broken(&v, "gmtime", false)),
    ("localtime", 0, |_, v, _| broken(&v, "localtime", true)),
    ("strftime", 1, |_, v, args| formatted(&v, args, "strftime/1", false)),
    ("strflocaltime", 1, |_, v, args| formatted(&v, args, "strflocaltime/1", true)),
    ("strptime", 1, parsed),
];

/// A time taken apart.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Broken {
    pub year: i64,
    /// From 0.
    pub month: i64,
    pub day: i64,
    pub hour: i64,
    pub minute: i64,
    pub second: f64,
    pub weekday: i64,
    pub yearday: i64,
}

/// Returns the days since 1970 of a date; the month is from 0 and may be beyond the year.
pub(super) fn days(year: i64, month: i64, day: i64) -> i64 {
    calendar::days(year, month.saturating_add(1), day)
}

impl Broken {
    /// Returns a moment in UTC.
    pub(super) fn at(seconds: f64) -> Self {
        let whole = seconds.floor();
        let Civil { year, month, day, hour, minute, second, weekday, yearday } = Civil::at(whole as i64);
        Self { year, month: month - 1, day, hour, minute, second: second as f64 + (seconds - whole), weekday, yearday }
    }

    fn civil(&self) -> Civil {
        let Self { year, month, day, hour, minute, second, weekday, yearday } = *self;
        Civil { year, month: month.saturating_add(1), day, hour, minute, second: second.floor() as i64, weekday, yearday }
    }

    /// Returns the moment, taken as UTC; fields may be out of their ranges.
    pub(super) fn seconds(&self) -> i64 {
        self.civil().seconds()
    }

    fn val(&self) -> Val {
        let whole = |n: i64| Val::Num(n as f64);
        Val::arr(vec![
            whole(self.year),
            whole(self.month),
            whole(self.day),
            whole(self.hour),
            whole(self.minute),
            Val::Num(self.second),
            whole(self.weekday),
            whole(self.yearday),
        ])
    }

    fn from_val(val: &Val, name: &str) -> Result<Self, Error> {
        let Val::Arr(items) = val else { return Err(format!("{name} requires array inputs").into()) };
        let wrong = || Error::from(format!("{name} requires parsed datetime inputs"));
        let numbers: Option<Vec<f64>> = items.0.iter().map(Val::number).collect();
        let numbers = numbers.filter(|n| n.len() >= 6).ok_or_else(wrong)?;
        let whole = |at: usize| numbers.get(at).map_or(0, |n| *n as i64);
        Ok(Self {
            year: whole(0),
            month: whole(1),
            day: whole(2),
            hour: whole(3),
            minute: whole(4),
            second: numbers[5],
            weekday: whole(6),
            yearday: whole(7),
        })
    }
}

fn now(_: &mut Context, _: Val, _: Vec<Val>) -> Run {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    Ok(Val::Num(since.map_or(0.0, |d| d.as_secs_f64())))
}

fn make_time(_: &mut Context, val: Val, _: Vec<Val>) -> Run {
    Ok(Val::Num(Broken::from_val(&val, "mktime")?.seconds() as f64))
}

/// Returns what applies at a moment, in the zone that `TZ` names.
fn local_offset(moment: i64) -> Offset {
    Offset::local(std::env::var("TZ").ok().as_deref(), moment)
}

fn broken(val: &Val, name: &str, local: bool) -> Run {
    let seconds = val.number().ok_or_else(|| Error::from(format!("{name}() requires a number")))?;
    let offset = if local { local_offset(seconds.floor() as i64).seconds } else { 0 };
    Ok(Broken::at(seconds + offset as f64).val())
}

fn formatted(val: &Val, args: Vec<Val>, name: &str, local: bool) -> Run {
    let [format] = take(args)?;
    let (time, offset) = match val.number() {
        Some(seconds) => {
            let offset = local.then(|| local_offset(seconds.floor() as i64));
            (Broken::at(seconds + offset.as_ref().map_or(0.0, |o| o.seconds as f64)), offset)
        }
        None if !matches!(val, Val::Arr(_)) => return Err(format!("{name} requires parsed datetime inputs").into()),
        None => {
            let time = Broken::from_val(val, name)?;
            let offset = local.then(|| local_offset(time.seconds()));
            (time, offset)
        }
    };
    let Some(format) = format.as_str() else { return Err(format!("{name} requires a string format").into()) };
    let zone = offset.as_ref().map_or(Zone::UTC, Offset::zone);
    Ok(Val::str(String::from_utf8_lossy(&strftime(format.as_bytes(), &time.civil(), zone)).into_owned()))
}

const STRPTIME: &str = "strptime/1 requires string inputs and arguments";

fn parsed(_: &mut Context, val: Val, args: Vec<Val>) -> Run {
    let [format] = take(args)?;
    let Some(text) = val.as_str() else { return Err(STRPTIME.to_owned().into()) };
    let Some(format) = format.as_str() else {
        return Err(STRPTIME.to_owned().into());
    };
    let wrong = || Error::from(format!("date \"{text}\" does not match format \"{format}\""));
    let (time, rest) = strptime(text, format).ok_or_else(wrong)?;
    if !rest.is_empty() {
        return Err(wrong());
    }
    Ok(time.val())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_taken_apart() {
        let time = Broken::at(1_425_599_507.5);
        assert_eq!((time.year, time.month, time.day, time.hour, time.weekday, time.yearday), (2015, 2, 5, 23, 4, 63));
        assert_eq!(time.seconds(), 1_425_599_507);
        assert_eq!(Broken::at(-1.0).year, 1969);
    }
}
