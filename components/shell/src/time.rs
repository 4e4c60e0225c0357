//! Dates, for `printf %(…)T`. The sandbox's time zone is UTC.

/// The civil date of a day number since 1970: year, month, day.
fn civil(days: i64) -> (i64, u32, u32) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_index = (5 * day_of_year + 2) / 153;
    let day = (day_of_year - (153 * month_index + 2) / 5 + 1) as u32;
    let month = if month_index < 10 { month_index + 3 } else { month_index - 9 } as u32;
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

const MONTHS: [&str; 12] =
    ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];
const DAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/// A time as strftime(3) writes it.
pub fn format(pattern: &[u8], seconds: i64) -> Vec<u8> {
    let pattern = if pattern.is_empty() { b"%X" } else { pattern };
    let days = seconds.div_euclid(86_400);
    let rest = seconds.rem_euclid(86_400);
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    let (year, month, day) = civil(days);
    let weekday = (days + 4).rem_euclid(7) as usize;
    let month_name = MONTHS[(month as usize - 1).min(11)];
    let first = days_from(year);
    let year_day = days - first;
    let twelve = if hour % 12 == 0 { 12 } else { hour % 12 };
    let mut out = Vec::new();
    let mut bytes = pattern.iter();
    while let Some(byte) = bytes.next() {
        if *byte != b'%' {
            out.push(*byte);
            continue;
        }
        let piece = match bytes.next() {
            Some(b'Y') => year.to_string(),
            Some(b'y') => format!("{:02}", year.rem_euclid(100)),
            Some(b'C') => format!("{:02}", year.div_euclid(100)),
            Some(b'm') => format!("{month:02}"),
            Some(b'd') => format!("{day:02}"),
            Some(b'e') => format!("{day:2}"),
            Some(b'H') => format!("{hour:02}"),
            Some(b'I') => format!("{twelve:02}"),
            Some(b'k') => format!("{hour:2}"),
            Some(b'l') => format!("{twelve:2}"),
            Some(b'M') => format!("{minute:02}"),
            Some(b'S') => format!("{second:02}"),
            Some(b'p') => if hour < 12 { "AM" } else { "PM" }.into(),
            Some(b'P') => if hour < 12 { "am" } else { "pm" }.into(),
            Some(b's') => seconds.to_string(),
            Some(b'j') => format!("{:03}", year_day + 1),
            Some(b'a') => DAYS[weekday][..3].into(),
            Some(b'A') => DAYS[weekday].into(),
            Some(b'b' | b'h') => month_name[..3].into(),
            Some(b'B') => month_name.into(),
            Some(b'u') => (if weekday == 0 { 7 } else { weekday }).to_string(),
            Some(b'w') => weekday.to_string(),
            Some(b'F') => format!("{year}-{month:02}-{day:02}"),
            Some(b'D' | b'x') => format!("{month:02}/{day:02}/{:02}", year.rem_euclid(100)),
            Some(b'T' | b'X') => format!("{hour:02}:{minute:02}:{second:02}"),
            Some(b'R') => format!("{hour:02}:{minute:02}"),
            Some(b'r') => format!("{twelve:02}:{minute:02}:{second:02} {}", if hour < 12 { "AM" } else { "PM" }),
            Some(b'c') => format!("{} {} {day:2} {hour:02}:{minute:02}:{second:02} {year}", &DAYS[weekday][..3], &month_name[..3]),
            Some(b'U') => format!("{:02}", (year_day + 7 - weekday as i64) / 7),
            Some(b'W') => format!("{:02}", (year_day + 7 - (weekday as i64 + 6) % 7) / 7),
            Some(b'z') => "+0000".into(),
            Some(b'Z') => "UTC".into(),
            Some(b'n') => "\n".into(),
            Some(b't') => "\t".into(),
            Some(b'%') => "%".into(),
            Some(other) => format!("%{}", *other as char),
            None => "%".into(),
        };
        out.extend_from_slice(piece.as_bytes());
    }
    out
}

/// The day number of a year's first day.
fn days_from(year: i64) -> i64 {
    let previous = year - 1;
    previous * 365 + previous.div_euclid(4) - previous.div_euclid(100) + previous.div_euclid(400) - 719_162
}
