//! `cal`: a calendar.

use crate::options::{Line, Syntax, flag, value};
use crate::text;
use jiff::civil::Date;
use std::ffi::OsString;
use std::io::Write;
use wisp_tool::calendar::MONTHS;

const SYNTAX: Syntax = Syntax {
    usage: "[general options] [[month] year]",
    about: "Display a calendar.",
    options: &[
        flag("1", "one", "show one month"),
        flag("3", "three", "show the month before and after too"),
        flag("y", "year", "show the whole year"),
        flag("j", "julian", "show days of the year"),
        flag("h", "", "do not highlight today"),
        flag("M", "monday", "weeks begin on Monday"),
        flag("S", "sunday", "weeks begin on Sunday"),
        value("m", "", "show this month"),
        value("A", "", "show this many months after"),
        value("B", "", "show this many months before"),
        value("d", "", "use yyyy-mm as the current date"),
        flag("C", "", "accepted; changes nothing"),
        flag("b", "", "accepted; changes nothing"),
    ],
    failure: 64,
    origin: "wisp",
    ..Syntax::COMMON
};

fn month_number(text: &str) -> Option<i32> {
    if let Ok(number) = text.parse::<i32>() {
        return (1..=12).contains(&number).then_some(number);
    }
    let lower = text.to_ascii_lowercase();
    (lower.len() >= 3).then(|| MONTHS.iter().position(|m| m.to_ascii_lowercase().starts_with(&lower)))?.map(|at| at as i32 + 1)
}

/// Returns whether the calendar of that day is Gregorian: since 14 September 1752.
fn gregorian(year: i32, month: i32) -> bool {
    (year, month) > (1752, 9)
}

/// Returns the days of a month, and the weekday (0 is Sunday) of the first.
fn month(year: i32, month: i32) -> (Vec<i32>, i32) {
    let leap = if gregorian(year, month) { (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 } else { year % 4 == 0 };
    let length = match month {
        2 => 28 + i32::from(leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    let days: Vec<i32> = if (year, month) == (1752, 9) { (1..=2).chain(14..=30).collect() } else { (1..=length).collect() };
    // Zeller's formula, for both calendars.
    let (m, y) = if month < 3 { (month + 12, year - 1) } else { (month, year) };
    let century = if gregorian(year, month) { y / 400 - y / 100 } else { -2 };
    let weekday = (1 + (13 * (m + 1)) / 5 + y + y / 4 + century + 6).rem_euclid(7);
    (days, weekday)
}

struct Look {
    monday: bool,
    julian: bool,
    today: Option<(i32, i32, i32)>,
}

impl Look {
    fn width(&self) -> usize {
        if self.julian { 27 } else { 20 }
    }

    /// Returns the eight lines of a month.
    fn lines(&self, year: i32, number: i32, title: &str) -> Vec<String> {
        let (days, first) = month(year, number);
        let cell = if self.julian { 3 } else { 2 };
        let center = |text: &str| {
            let left = (self.width() - text.len()) / 2;
            format!("{:<width$}", format!("{}{text}", " ".repeat(left)), width = self.width())
        };
        let names = ["Su", "Mo", "Tu", "We", "Th", "Fr", "Sa"];
        let shift = usize::from(self.monday);
        let header: Vec<String> = (0..7).map(|n| format!("{:>cell$}", names[(n + shift) % 7])).collect();
        let mut lines = vec![center(title), header.join(" ")];
        let before: i32 = (1..number).map(|m| month(year, m).0.len() as i32).sum();
        let mut cells: Vec<String> = vec![" ".repeat(cell); (first - shift as i32).rem_euclid(7) as usize];
        for (n, day) in days.iter().enumerate() {
            let shown = if self.julian { before + n as i32 + 1 } else { *day };
            let text = format!("{shown:>cell$}");
            let today = self.today == Some((year, number, *day));
            let body = text.trim_start();
            cells.push(if today { format!("{}\u{1b}[7m{body}\u{1b}[0m", " ".repeat(text.len() - body.len())) } else { text });
        }
        while cells.len() < 42 {
            cells.push(" ".repeat(cell));
        }
        lines.extend(cells.chunks(7).map(|week| week.join(" ")));
        lines
    }
}

/// Runs `cal`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    SYNTAX.run(&args, run)
}

fn run(args: &[OsString], line: Line) -> u8 {
    let now: Date = jiff::Timestamp::now().to_zoned(crate::awk::zone()).date();
    let (mut year, mut number) = (i32::from(now.year()), i32::from(now.month()));
    let fail = |message: String| {
        text::complain("cal", message);
        64
    };
    let mut whole_year = line.has("year");
    let year_of = |text: &str| text.parse::<i32>().ok().filter(|y| (1..=9999).contains(y));
    if let Some(date) = line.last_text("d") {
        match date.split_once('-').and_then(|(y, m)| Some((year_of(y)?, month_number(m)?))) {
            Some(found) => (year, number) = found,
            None => return fail(format!("{date} is not a date: use yyyy-mm")),
        }
    }
    let operands: Vec<String> = line.operands.iter().map(text::show).collect();
    match &operands[..] {
        [] => {}
        [one] => match (year_of(one), month_number(one)) {
            (Some(found), _) => {
                year = found;
                whole_year = line.last("m").is_none();
            }
            (None, Some(found)) => number = found,
            _ => return fail(format!("year `{one}' not in range 1..9999")),
        },
        [month, at] => {
            match month_number(month) {
                Some(found) => number = found,
                None => return fail(format!("{month} is neither a month number (1..12) nor a name")),
            }
            match year_of(at) {
                Some(found) => year = found,
                None => return fail(format!("year `{at}' not in range 1..9999")),
            }
        }
        _ => return SYNTAX.misuse(args, "too many operands"),
    }
    if let Some(month) = line.last_text("m") {
        match month_number(&month) {
            Some(found) => number = found,
            None => return fail(format!("{month} is neither a month number (1..12) nor a name")),
        }
    }
    let count = |key: &str| line.last_text(key).and_then(|n| n.parse::<i32>().ok()).unwrap_or(i32::from(line.has("three")));
    let highlight = crate::sys::is_terminal(1) && !line.has("h");
    let look = Look {
        monday: line.has("monday"),
        julian: line.has("julian"),
        today: highlight.then(|| (i32::from(now.year()), i32::from(now.month()), i32::from(now.day()))),
    };
    let mut out = String::new();
    if whole_year {
        let across = if look.julian { 2 } else { 3 };
        let title = year.to_string();
        let total = look.width() * across;
        out += &format!("{}{title}\n", " ".repeat((total - title.len()) / 2));
        for row in (1..=12).collect::<Vec<i32>>().chunks(across) {
            side_by_side(&row.iter().map(|m| look.lines(year, *m, MONTHS[*m as usize - 1])).collect::<Vec<_>>(), &mut out);
            if row.last() != Some(&12) {
                out.push('\n');
            }
        }
    } else {
        let all: Vec<(i32, i32)> = (-count("B")..=count("A"))
            .map(|n| {
                let months = year * 12 + number - 1 + n;
                (months.div_euclid(12), months.rem_euclid(12) + 1)
            })
            .collect();
        for row in all.chunks(3) {
            // Three months look as in the calendar of the year.
            let quarter = row.len() == 3 && row[0].1 % 3 == 1;
            if quarter {
                let title = row[0].0.to_string();
                out += &format!("{}{title}\n", " ".repeat((look.width() * 3 - title.len()) / 2));
            }
            let title = |y: i32, m: i32| {
                let name = MONTHS[m as usize - 1];
                if quarter { name.to_owned() } else { format!("{name} {y}") }
            };
            let blocks: Vec<Vec<String>> = row.iter().map(|(y, m)| look.lines(*y, *m, &title(*y, *m))).collect();
            side_by_side(&blocks, &mut out);
        }
    }
    let mut stdout = text::output();
    u8::from(stdout.write_all(out.as_bytes()).and_then(|()| stdout.flush()).is_err())
}

/// Prints months beside each other.
fn side_by_side(blocks: &[Vec<String>], out: &mut String) {
    for n in 0..8 {
        for block in blocks {
            *out += &block[n];
            *out += "  ";
        }
        out.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::month;

    #[test]
    fn months_begin_on_their_day() {
        assert_eq!((month(2024, 2).0.len(), month(2024, 2).1), (29, 4));
        assert_eq!(month(2000, 1).1, 6);
        assert_eq!((month(1752, 9).0.len(), month(1752, 9).1), (19, 2));
        assert_eq!(month(1900, 2).0.len(), 28);
        assert_eq!(month(1700, 2).0.len(), 29);
    }
}
