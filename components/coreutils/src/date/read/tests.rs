//! Dates as GNU's `date` 9.1 reads them, beside Sunday, 2026-11-22 14:56:35 in New York.

use super::*;

const NOW: i128 = 1_795_377_395 * SECOND;

fn read(text: &str) -> Option<String> {
    let zone = crate::time::named("EST5EDT,M3.2.0,M11.1.0");
    let at = date(text, NOW, &zone)?;
    let (seconds, nanos) = (at.div_euclid(SECOND) as i64, at.rem_euclid(SECOND));
    let ahead = offset(&zone, seconds);
    let civil = Civil::at(seconds + ahead);
    let zone = wisp_tool::calendar::Zone { seconds: ahead, name: "" };
    let shown = String::from_utf8(wisp_tool::calendar::strftime(b"%F %T", &civil, zone)).unwrap();
    Some(if nanos == 0 { shown } else { format!("{shown}.{nanos:09}") })
}

#[test]
fn dates_and_times_are_read() {
    for (text, want) in [
        ("", "2026-11-22 00:00:00"),
        ("now", "2026-11-22 14:56:35"),
        ("12", "2026-11-22 12:00:00"),
        ("1230", "2026-11-22 12:30:00"),
        ("20240229", "2024-02-29 00:00:00"),
        ("2024-02-29 2023", "2024-02-29 20:23:00"),
        ("3pm", "2026-11-22 15:00:00"),
        ("12am", "2026-11-22 00:00:00"),
        ("12:30:15 p.m.", "2026-11-22 12:30:15"),
        ("jan 5", "2026-01-05 00:00:00"),
        ("5 jan 2020", "2020-01-05 00:00:00"),
        ("jan 5, 2020", "2020-01-05 00:00:00"),
        ("5-jan-2020", "2020-01-05 00:00:00"),
        ("Sat Sep 3 10:00:00 2022", "2022-09-03 10:00:00"),
        ("1/2", "2026-01-02 00:00:00"),
        ("1/2/69", "1969-01-02 00:00:00"),
        ("2020/1/2", "2020-01-02 00:00:00"),
        ("2024-01-01T10:00Z", "2024-01-01 05:00:00"),
        ("2024-01-01 10", "2024-01-01 10:00:00"),
        ("10:00:00.5", "2026-11-22 10:00:00.500000000"),
        ("(x) 10:00", "2026-11-22 10:00:00"),
        ("@-1.5", "1969-12-31 18:59:58.500000000"),
        ("2024-11-03 01:30", "2024-11-03 01:30:00"),
    ] {
        assert_eq!(read(text).as_deref(), Some(want), "{text}");
    }
}

#[test]
fn zones_are_read() {
    for (text, want) in [
        ("10:00 +0530", "2026-11-21 23:30:00"),
        ("10:00 EST", "2026-11-22 10:00:00"),
        ("10:00 EDT", "2026-11-22 09:00:00"),
        ("10:00 UTC+02:30", "2026-11-22 02:30:00"),
        ("UTC+2 10:00", "2026-11-22 03:00:00"),
        ("10:00 -5", "2026-11-22 10:00:00"),
        ("10:00 A", "2026-11-22 04:00:00"),
        ("10h", "2026-11-21 21:00:00"),
        ("TZ=\"JST-9\" 10:00", "2026-11-22 20:00:00"),
        ("mon, 5 feb 2024 10:00 -0800", "2024-02-05 13:00:00"),
    ] {
        assert_eq!(read(text).as_deref(), Some(want), "{text}");
    }
}

#[test]
fn relative_items_are_added() {
    for (text, want) in [
        ("2 days ago", "2026-11-20 14:56:35"),
        ("now + 1 week", "2026-11-29 14:56:35"),
        ("1 month", "2026-12-22 14:56:35"),
        ("-1 month ago", "2026-12-22 14:56:35"),
        ("+2hours", "2026-11-22 16:56:35"),
        ("1.5 sec", "2026-11-22 14:56:36.500000000"),
        ("tomorrow 10am", "2026-11-23 10:00:00"),
        ("next year", "2027-11-22 14:56:35"),
        ("fortnight", "2026-12-06 14:56:35"),
        ("first day", "2026-11-23 14:56:35"),
        ("2024-01-31 + 1 month", "2024-03-02 00:00:00"),
        ("2024-01-01 00:00:00 1 month ago", "2023-12-01 00:00:00"),
        ("next monday", "2026-11-23 00:00:00"),
        ("sunday", "2026-11-22 00:00:00"),
        ("next sunday", "2026-11-29 00:00:00"),
        ("last friday", "2026-11-20 00:00:00"),
        ("third tuesday", "2026-12-08 00:00:00"),
        ("fri 12", "2026-11-27 12:00:00"),
        ("2024-03-01 monday", "2024-03-01 00:00:00"),
    ] {
        assert_eq!(read(text).as_deref(), Some(want), "{text}");
    }
}

#[test]
fn what_is_no_date_is_refused() {
    for text in [
        "nonsense", "noon", "24:00", "0pm", "13pm", "2024-13-01", "2024-02-30", "2024-01-01 10:00:60", "@1.5 1 day", "feb", "1 2 3", "ago",
        "next", "monday tuesday", "12:00 13:00", "2024-060", "+1", "2024-01-01 +1", "10:00,5", "2360", "2024-03-10 02:30",
        "99999999999999999999", "1.5 days", "9223372036854775807 years",
    ] {
        assert_eq!(read(text), None, "{text}");
    }
}

#[test]
fn stamps_of_touch() {
    let utc = TimeZone::UTC;
    let at = |text| stamp(text, 0, &utc).map(|at| at / SECOND);
    assert_eq!(at("200001020304.05"), Some(946_782_245));
    assert_eq!(at("0001020304"), Some(946_782_240));
    assert_eq!(at("6901020304"), Some(-31_438_560));
    assert_eq!(at("01010000"), Some(0));
    assert_eq!(at("197001010000.60"), Some(60));
    assert_eq!([at("0101"), at("13010000"), at("01012400"), at("01010000.5"), at("x1010000")], [None; 5]);
}
