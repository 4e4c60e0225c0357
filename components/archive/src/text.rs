//! Names and errors as the tools print them.

use std::io::{Error, ErrorKind};
use std::path::Path;

/// An error in the words of glibc's strerror; an end that comes too early in those of the archivers.
pub fn reason(error: &Error) -> String {
    if error.kind() == ErrorKind::UnexpectedEof { "unexpected end of file".into() } else { wisp_tool::text::reason(error) }
}

/// A path for a message or a listing.
pub fn show(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// Bytes as GNU tar lists names: controls and what is not UTF-8 as escapes.
pub fn escape(name: &[u8]) -> String {
    let mut out = String::new();
    for chunk in name.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\\' => out += "\\\\",
                '\n' => out += "\\n",
                '\t' => out += "\\t",
                '\r' => out += "\\r",
                '\x07' => out += "\\a",
                '\x08' => out += "\\b",
                '\x0c' => out += "\\f",
                '\x0b' => out += "\\v",
                c if (c as u32) < 32 || c as u32 == 127 => out += &format!("\\{:03o}", c as u32),
                c if !c.is_ascii() => {
                    // In the C locale every byte beyond ASCII is escaped.
                    for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                        out += &format!("\\{byte:03o}");
                    }
                }
                c => out.push(c),
            }
        }
        for byte in chunk.invalid() {
            out += &format!("\\{byte:03o}");
        }
    }
    out
}

/// Year, month from 1, day, hour, minute, second of a moment in UTC.
pub fn civil(moment: i64) -> (i64, i64, i64, i64, i64, i64) {
    let (days, rest) = (moment.div_euclid(86400) + 719_468, moment.rem_euclid(86400));
    let era = days.div_euclid(146_097);
    let of_era = days - era * 146_097;
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * of_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year + era * 400 + i64::from(month < 3);
    (year, month, of_year - (153 * shifted + 2) / 5 + 1, rest / 3600, rest / 60 % 60, rest % 60)
}

/// The moment of a date in UTC.
pub fn moment(year: i64, month: i64, day: i64, hour: i64, minute: i64, second: i64) -> i64 {
    let shifted = if month < 3 { year - 1 } else { year };
    let era = shifted.div_euclid(400);
    let of_era = shifted - era * 400;
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
    days * 86400 + hour * 3600 + minute * 60 + second
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_return() {
        assert_eq!(civil(1_709_210_096), (2024, 2, 29, 12, 34, 56));
        for at in (-10_000_000_000..10_000_000_000).step_by(98_765_431) {
            let (year, month, day, hour, minute, second) = civil(at);
            assert_eq!(moment(year, month, day, hour, minute, second), at);
        }
    }

    #[test]
    fn names_are_escaped() {
        assert_eq!(escape(b"a\nb\\c\xff"), "a\\nb\\\\c\\377");
        assert_eq!(escape("é".as_bytes()), "\\303\\251");
    }
}
