//! The command line of `pr`.

use super::settings::{Settings, TAB_WIDTH, Tabs};
use crate::operands::number;
use crate::options::{Given, Line, Opt, Syntax, flag, maybe, value};
use crate::text;
use std::ffi::OsString;

/// Lines of header and footer.
const FRAME: usize = 10;
const DIGITS: &str = "0123456789";

const OPTIONS: &[Opt] = &[
    value("", "pages", "print only these pages, FIRST or FIRST:LAST; also +FIRST[:LAST] in place of a file"),
    flag(DIGITS, "", ""),
    value("", "columns", "print in VALUE columns, downwards; also -VALUE"),
    flag("a", "across", "fill columns across instead"),
    flag("c", "show-control-chars", "print control characters as ^G, other bytes that do not print as \\ooo"),
    flag("d", "double-space", "an empty line after each line"),
    value("D", "date-format", "the header's date, a format of date(1)"),
    maybe("e", "expand-tabs", "spaces for tabs (or CHAR) in the input, every 8 (WIDTH) columns: [CHAR[WIDTH]]"),
    flag("fF", "form-feed", "end pages with a form feed instead of empty lines"),
    value("h", "header", "VALUE in the header instead of the file's name"),
    maybe("i", "output-tabs", "tabs (or CHAR) for spaces in the output: [CHAR[WIDTH]]"),
    flag("J", "join-lines", "columns as long as their lines, neither cut nor aligned"),
    value("l", "length", "VALUE lines a page (66); at most 10 means -t too"),
    flag("m", "merge", "print the files side by side, a column each"),
    maybe("n", "number-lines", "number lines: [SEPARATOR[DIGITS]], tab and 5 by default"),
    value("N", "first-line-number", "the number of the first printed line"),
    value("o", "indent", "VALUE spaces before each line"),
    flag("r", "no-file-warnings", "say nothing about files that cannot be opened"),
    maybe("s", "separator", "separate columns by CHAR (a tab without -w, nothing with it), neither cut nor aligned without -w"),
    maybe("S", "sep-string", "separate columns by VALUE"),
    flag("t", "omit-header", "no header and no footer"),
    flag("T", "omit-pagination", "as -t, and ignore the input's form feeds"),
    flag("v", "show-nonprinting", "print bytes that do not print as \\ooo"),
    value("w", "width", "VALUE characters a line (72), with several columns"),
    value("W", "page-width", "VALUE characters a line in any case; longer lines are cut"),
    flag("b", "", ""),
];

/// The command line.
pub(super) const SYNTAX: Syntax = Syntax {
    about: "Paginate FILEs or standard input, in columns if wanted.\nA page has 66 lines: 5 of header, 56 of text, 5 of footer.",
    options: OPTIONS,
    ..Syntax::COMMON
};

/// The largest number that an option takes.
const INT: i128 = i32::MAX as i128;

/// Reads the settings and the files. Reports a wrong command line itself.
pub(super) fn read(args: &[OsString], line: &Line) -> Result<(Settings, Vec<OsString>), u8> {
    let mut reading =
        Reading { args, settings: Settings::usual(line), length: 66, columns: None, digits: String::new(), narrow: None, paged: false };
    for given in &line.options {
        reading.option(given)?;
    }
    if let Some(text) = &reading.columns {
        let columns = number(text, 1, INT).map_err(|why| fail(format!("invalid number of columns: '{text}'{why}")))?;
        reading.settings.columns = columns as usize;
    }
    let files = reading.files(&line.operands)?;
    Ok((reading.finish(line)?, files))
}

fn fail(message: impl std::fmt::Display) -> u8 {
    text::complain("pr", message);
    1
}

/// The options read so far, and those that are settled when all are read.
struct Reading<'a> {
    args: &'a [OsString],
    settings: Settings,
    /// Lines of a page, with header and footer.
    length: usize,
    /// The number of columns, as given.
    columns: Option<String>,
    /// The digits of `-12` so far: each is an option.
    digits: String,
    /// `-w`, which `-W` overrides.
    narrow: Option<usize>,
    /// An option or an operand names the pages.
    paged: bool,
}

impl Reading<'_> {
    fn option(&mut self, given: &Given) -> Result<(), u8> {
        let text = given.text();
        if given.key == DIGITS {
            self.digits.extend(given.letter);
            self.columns = Some(self.digits.clone());
            return Ok(());
        }
        self.digits.clear();
        let number = |what: &str, least: i128| number(&text, least, INT).map_err(|why| fail(format!("{what}: '{text}'{why}")));
        let s = &mut self.settings;
        match given.key {
            "pages" => match range(&text, "--pages argument").map_err(fail)? {
                Some((first, last)) => (s.first, s.last, self.paged) = (first, last, true),
                None => return Err(fail(format!("invalid page range '{text}'"))),
            },
            "columns" => self.columns = Some(text),
            "length" => self.length = number("'-l PAGE_LENGTH' invalid number of lines", 1)? as usize,
            "width" => self.narrow = Some(number("'-w PAGE_WIDTH' invalid number of characters", 1)? as usize),
            "page-width" => (s.width, s.truncate) = (number("'-W PAGE_WIDTH' invalid number of characters", 1)? as usize, true),
            "indent" => s.margin = number("'-o MARGIN' invalid line offset", 0)? as usize,
            "first-line-number" => s.start = Some(number("'-N NUMBER' invalid starting line number", i128::from(i32::MIN))? as i64),
            "expand-tabs" => s.input_tabs = Some(tabs(self.args, given)?),
            "output-tabs" => s.output_tabs = Some(tabs(self.args, given)?),
            "number-lines" => {
                let Tabs { char, width } = char_and_number(self.args, given, 5)?;
                (s.number, s.number_separator, s.digits) = (true, char, width);
            }
            _ => {}
        }
        Ok(())
    }

    /// Returns the operands that are files. The first `+FIRST[:LAST]` names the pages if no option does.
    fn files(&mut self, operands: &[OsString]) -> Result<Vec<OsString>, u8> {
        let mut files = Vec::new();
        for operand in operands {
            let text = operand.to_string_lossy();
            if let Some(pages) = text.strip_prefix('+').filter(|_| !self.paged)
                && let Some((first, last)) = range(pages, "+ argument").map_err(fail)?
            {
                (self.settings.first, self.settings.last, self.paged) = (first, last, true);
            } else {
                files.push(operand.clone());
            }
        }
        Ok(files)
    }

    /// Settles what depends on several options.
    fn finish(self, line: &Line) -> Result<Settings, u8> {
        let mut s = self.settings;
        if s.merge && self.columns.is_some() {
            return Err(fail("cannot specify number of columns when printing in parallel"));
        }
        if s.merge && s.across {
            return Err(fail("cannot specify both printing across and printing in parallel"));
        }
        if let Some(width) = self.narrow.filter(|_| !s.truncate) {
            s.width = width;
        }
        let set = self.narrow.is_some() || s.truncate;
        s.truncate = (s.truncate || s.merge && set) && !s.joined;
        s.separate(line, set);
        if self.length <= FRAME {
            // As -t, and no longer as -T.
            (s.bare, s.unbroken) = (true, false);
        }
        s.rows = if s.bare { self.length } else { self.length - FRAME };
        if s.double {
            s.rows = (s.rows / 2).max(1);
        }
        Ok(s)
    }
}

/// Reads `FIRST[:LAST]`; `None` if there can be no such pages.
fn range(text: &str, what: &str) -> Result<Option<(u64, Option<u64>)>, String> {
    let page = |part: &str| match part.parse::<u64>() {
        Ok(number) => Ok(number),
        _ if !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()) => Err(format!("{what} '{text}' too large")),
        _ if part.starts_with(|c: char| c.is_ascii_digit()) => Err(format!("invalid suffix in {what} '{text}'")),
        _ => Err(format!("invalid {what} '{text}'")),
    };
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (first, last) = match text.split_at(digits) {
        (first, "") => (page(first)?, None),
        (first, rest) if digits > 0 && !rest.starts_with(':') => return page(first).map(|_| None),
        (first, rest) => (page(first)?, Some(page(rest.get(1..).unwrap_or_default())?)),
    };
    Ok((first > 0 && last.is_none_or(|last| last >= first)).then_some((first, last)))
}

fn tabs(args: &[OsString], given: &Given) -> Result<Tabs, u8> {
    char_and_number(args, given, TAB_WIDTH)
}

/// Reads `[CHAR[NUMBER]]`.
fn char_and_number(args: &[OsString], given: &Given, otherwise: usize) -> Result<Tabs, u8> {
    let text = given.value.clone().unwrap_or_default().into_encoded_bytes();
    if given.value.is_some() && text.is_empty() {
        let letter = OPTIONS.iter().find(|o| o.long == given.key).map_or("", |o| o.short);
        return Err(SYNTAX.misuse(args, &format!("'-{letter}' extra characters or invalid number in the argument: ''")));
    }
    let (char, rest) = match text.split_first() {
        Some((first, rest)) if !first.is_ascii_digit() => (*first, rest),
        _ => (b'\t', text.as_slice()),
    };
    let rest = String::from_utf8_lossy(rest);
    let width = if rest.is_empty() { Ok(otherwise as i128) } else { number(&rest, 1, i128::from(i32::MAX)) };
    width.map(|width| Tabs { char, width: width as usize }).map_err(|why| {
        let letter = OPTIONS.iter().find(|o| o.long == given.key).map_or("", |o| o.short);
        let why = if why.ends_with("range") { "" } else { why };
        SYNTAX.misuse(args, &format!("'-{letter}' extra characters or invalid number in the argument: '{rest}'{why}"))
    })
}
