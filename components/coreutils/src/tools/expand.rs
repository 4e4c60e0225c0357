//! `expand`: replaces tabs with spaces.

use crate::options::{Line, Opt, Syntax, flag, maybe, value};
use crate::text;
use std::ffi::{OsStr, OsString};
use std::io::{BufRead, BufReader, Read, Write};

const DIGITS: &str = "0123456789";
const OPTIONS: &[Opt] = &[
    flag("i", "initial", "only tabs before the first other character"),
    value("t", "tabs", "tab stops every VALUE columns, or a list of columns; /N or +N at its end: every N after them"),
    maybe(DIGITS, "", ""),
];

const SYNTAX: Syntax = Syntax {
    about: "Print each FILE (standard input without one) with spaces in place of tabs.\n-LIST is the same as -t LIST.",
    options: OPTIONS,
    ..Syntax::COMMON
};

/// The tab stops.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Stops {
    list: Vec<usize>,
    /// After the list: a stop every N columns, counted from the start of the line (`/N`, or a single number).
    every: Option<usize>,
    /// The same, counted from the last stop of the list (`+N`).
    further: Option<usize>,
}

impl Stops {
    fn parse(text: &str) -> Result<Self, String> {
        let mut stops = Self { list: Vec::new(), every: None, further: None };
        for word in text.split([',', ' ', '\t']).filter(|w| !w.is_empty()) {
            let number = word.trim_start_matches(['/', '+']);
            let mark = word[..word.len() - number.len()].chars().last().unwrap_or('\0');
            if number.is_empty() {
                continue;
            }
            let digits = number.len() - number.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            if let Some(mark) = number[digits..].chars().next().filter(|c| "/+".contains(*c)) {
                return Err(format!("'{mark}' specifier not at start of number: {}", text::quote(&number[digits..])));
            }
            if let Some(at) = number.find(|c: char| !c.is_ascii_digit()) {
                return Err(format!("tab size contains invalid character(s): {}", text::quote(&number[at..])));
            }
            let columns: usize = number.parse().map_err(|_| format!("tab stop is too large {}", text::quote(number)))?;
            if stops.every.is_some() || stops.further.is_some() {
                let last = if stops.every.is_some() { '/' } else { '+' };
                return Err(match mark {
                    '/' | '+' if mark != last => "'/' specifier is mutually exclusive with '+'".into(),
                    _ => format!("'{last}' specifier only allowed with the last value"),
                });
            }
            match mark {
                '/' => stops.every = Some(columns).filter(|n| *n > 0),
                '+' => stops.further = Some(columns).filter(|n| *n > 0),
                _ if columns == 0 => return Err("tab size cannot be 0".into()),
                _ if stops.list.last().is_some_and(|last| *last >= columns) => return Err("tab sizes must be ascending".into()),
                _ => stops.list.push(columns),
            }
        }
        if let ([one], None, None) = (stops.list.as_slice(), stops.every, stops.further) {
            return Ok(Self { every: Some(*one), list: Vec::new(), further: None });
        }
        if stops.list.is_empty() && stops.every.is_none() && stops.further.is_none() {
            stops.every = Some(8);
        }
        Ok(stops)
    }

    /// Returns the stop after a column; without one, the next column.
    fn next(&self, column: usize) -> usize {
        let last = self.list.last().copied().unwrap_or(0);
        if let Some(stop) = self.list.iter().find(|stop| **stop > column) {
            return *stop;
        }
        match (self.every, self.further) {
            (Some(every), _) => column + every - column % every,
            (_, Some(further)) => column + further - (column - last) % further,
            _ => column + 1,
        }
    }
}

/// Runs `expand`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    SYNTAX.run(&args, run)
}

fn run(_: &[OsString], line: Line) -> u8 {
    let mut list = String::new();
    for given in &line.options {
        match (given.key, given.letter) {
            ("tabs", _) => list += &format!("{},", given.text()),
            (DIGITS, Some(letter)) => list += &format!("{letter}{},", given.text()),
            _ => {}
        }
    }
    let stops = match Stops::parse(&list) {
        Ok(stops) => stops,
        Err(message) => {
            text::complain("expand", message);
            return 1;
        }
    };
    let files = if line.operands.is_empty() { vec!["-".into()] } else { line.operands.clone() };
    let mut work = Work { stops, initial: line.has("initial"), column: 0, other: false, out: text::output() };
    let mut status = 0;
    for file in &files {
        if let Err(error) = work.file(file) {
            if error.kind() == std::io::ErrorKind::BrokenPipe {
                return 1;
            }
            let _ = work.out.flush();
            text::complain("expand", format!("{}: {}", text::quote_if_needed(file), text::reason(&error)));
            status = 1;
        }
    }
    if work.out.flush().is_err() { 1 } else { status }
}

struct Work<W: Write> {
    stops: Stops,
    initial: bool,
    column: usize,
    /// Whether the line has had characters other than blanks.
    other: bool,
    out: W,
}

impl<W: Write> Work<W> {
    fn file(&mut self, name: &OsStr) -> std::io::Result<()> {
        let input: Box<dyn Read> = if name == "-" {
            Box::new(std::io::stdin().lock())
        } else {
            if crate::sys::stat(name.as_ref(), true)?.is_dir() {
                return Err(std::io::Error::from_raw_os_error(libc::EISDIR));
            }
            Box::new(std::fs::File::open(name)?)
        };
        let mut input = BufReader::with_capacity(64 * 1024, input);
        loop {
            let bytes = input.fill_buf()?;
            if bytes.is_empty() {
                return Ok(());
            }
            let all = bytes.len();
            for byte in bytes {
                match byte {
                    b'\t' if !(self.initial && self.other) => {
                        let stop = self.stops.next(self.column);
                        std::io::copy(&mut std::io::repeat(b' ').take((stop - self.column) as u64), &mut self.out)?;
                        self.column = stop;
                        continue;
                    }
                    b'\n' => (self.column, self.other) = (0, false),
                    b'\x08' => {
                        self.column = self.column.saturating_sub(1);
                        self.other = true;
                    }
                    b => {
                        self.column += 1;
                        self.other |= *b != b' ' && *b != b'\t';
                    }
                }
                self.out.write_all(&[*byte])?;
            }
            input.consume(all);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Stops;

    #[test]
    fn stops_are_read() {
        let walk = |list: &str| {
            let stops = Stops::parse(list).unwrap();
            std::iter::successors(Some(0), |at| Some(stops.next(*at))).skip(1).take(5).collect::<Vec<_>>()
        };
        assert_eq!(walk(""), [8, 16, 24, 32, 40]);
        assert_eq!(walk("3"), [3, 6, 9, 12, 15]);
        assert_eq!(walk("2,5"), [2, 5, 6, 7, 8]);
        assert_eq!(walk("2,5,/3"), [2, 5, 6, 9, 12]);
        assert_eq!(walk("2 5 +3"), [2, 5, 8, 11, 14]);
        assert_eq!(walk("/4"), [4, 8, 12, 16, 20]);
    }

    #[test]
    fn lists_that_are_wrong() {
        let error = |list: &str| Stops::parse(list).unwrap_err();
        assert_eq!(error("0"), "tab size cannot be 0");
        assert_eq!(error("3,2"), "tab sizes must be ascending");
        assert_eq!(error("3x"), "tab size contains invalid character(s): 'x'");
        assert_eq!(error("1,/2,3"), "'/' specifier only allowed with the last value");
        assert_eq!(error("1,/2,+3"), "'/' specifier is mutually exclusive with '+'");
        assert_eq!(error("1+2"), "'+' specifier not at start of number: '+2'");
    }
}
