//! Dates: "broken down times" are arrays of year, month from 0, day, hours, minutes, seconds, weekday, day of the year.

use super::strftime::strftime;
use super::strptime::strptime;
use super::{Entry, Run, take, zone};
use crate::json::{Val, type_error};
use crate::run::{Context, Error};

pub const TABLE: &[Entry] = &[
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
pub struct Broken {
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

/// Days since 1970 of a date; the month is from 0 and may be beyond the year.
pub fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = year + month.div_euclid(12);
    let month = month.rem_euclid(12);
    let shifted = if month < 2 { year - 1 } else { year };
    let era = shifted.div_euclid(400);
    let of_era = shifted - era * 400;
    let of_year = (153 * ((month + 10) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// Year, month from 0 and day of a number of days since 1970.
pub fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days - era * 146_097;
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * of_year + 2) / 153;
    let month = (shifted + 2) % 12;
    let year = year + era * 400 + i64::from(month < 2);
    (year, month, of_year - (153 * shifted + 2) / 5 + 1)
}

impl Broken {
    /// A moment in UTC.
    pub fn at(seconds: f64) -> Broken {
        let whole = seconds.floor();
        let moment = whole as i64;
        let day = moment.div_euclid(86400);
        let rest = moment.rem_euclid(86400);
        let (year, month, date) = civil(day);
        Broken {
            year,
            month,
            day: date,
            hour: rest / 3600,
            minute: rest / 60 % 60,
            second: (rest % 60) as f64 + (seconds - whole),
            weekday: (day + 4).rem_euclid(7),
            yearday: day - days(year, 0, 1),
        }
    }

    /// The moment, taken as UTC; fields may be out of their ranges.
    pub fn seconds(&self) -> i64 {
        days(self.year, self.month, self.day) * 86400 + self.hour * 3600 + self.minute * 60 + self.second.floor() as i64
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

    fn from_val(val: &Val, name: &str) -> Result<Broken, Error> {
        let Val::Arr(items) = val else { return Err(format!("{name} requires array inputs").into()) };
        let wrong = || Error::from(format!("{name} requires parsed datetime inputs"));
        let numbers: Option<Vec<f64>> = items.0.iter().map(Val::number).collect();
        let numbers = numbers.filter(|n| n.len() >= 6).ok_or_else(wrong)?;
        let whole = |at: usize| numbers.get(at).map_or(0, |n| *n as i64);
        Ok(Broken {
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

fn broken(val: &Val, name: &str, local: bool) -> Run {
    let seconds = val.number().ok_or_else(|| Error::from(format!("{name}() requires a number")))?;
    let offset = if local { zone::local(seconds.floor() as i64).seconds } else { 0 };
    Ok(Broken::at(seconds + offset as f64).val())
}

fn formatted(val: &Val, args: Vec<Val>, name: &str, local: bool) -> Run {
    let [format] = take(args)?;
    let (time, offset) = match val.number() {
        Some(seconds) => {
            let offset = local.then(|| zone::local(seconds.floor() as i64));
            (Broken::at(seconds + offset.as_ref().map_or(0.0, |o| o.seconds as f64)), offset)
        }
        None if !matches!(val, Val::Arr(_)) => return Err(format!("{name} requires parsed datetime inputs").into()),
        None => {
            let time = Broken::from_val(val, name)?;
            let offset = local.then(|| zone::local(time.seconds()));
            (time, offset)
        }
    };
    let Some(format) = format.as_str() else { return Err(format!("{name} requires a string format").into()) };
    Ok(Val::str(strftime(format, &time, offset.as_ref())))
}

fn parsed(_: &mut Context, val: Val, args: Vec<Val>) -> Run {
    let [format] = take(args)?;
    let Some(text) = val.as_str() else { return Err(type_error(&val, "strptime/1 requires string inputs and arguments").into()) };
    let Some(format) = format.as_str() else {
        return Err(type_error(&format, "strptime/1 requires string inputs and arguments").into());
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
    fn days_and_dates_return() {
        for day in (-800_000..800_000).step_by(97) {
            let (year, month, date) = civil(day);
            assert_eq!(days(year, month, date), day);
        }
        assert_eq!(days(1970, 0, 1), 0);
        assert_eq!(civil(19_782), (2024, 1, 29));
    }

    #[test]
    fn moments_are_taken_apart() {
        let time = Broken::at(1_425_599_507.5);
        assert_eq!((time.year, time.month, time.day, time.hour, time.weekday, time.yearday), (2015, 2, 5, 23, 4, 63));
        assert_eq!(time.seconds(), 1_425_599_507);
        assert_eq!(Broken::at(-1.0).year, 1969);
    }
}
