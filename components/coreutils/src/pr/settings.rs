//! The command line of `pr`.

use crate::operands::number;
use crate::options::{Given, Opt, Syntax, flag, maybe, value};
use crate::text;
use std::ffi::OsString;

/// Columns from one tab stop to the next.
pub(super) const TAB_WIDTH: usize = 8;
/// Lines of header and footer.
const FRAME: usize = 10;
const DIGITS: &str = "0123456789";

const OPTIONS: &[Opt] = &[
    value("", "pages", "print only these pages, FIRST or FIRST:LAST; also +FIRST[:LAST] in place of a file"),
    flag(DIGITS, "", ""),
    value("", "columns", "print in VALUE columns, downwards; also -VALUE"),
    flag("a", "across", "fill columns across instead"),
    flag("c", "show-control-chars", "print control characters as ^G, other bytes that do not print as \\ooo"),
    flag("d", "double-space", "an empty line behind each"),
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
    maybe("S", "sep-string", "separate columns by a text"),
    flag("t", "omit-header", "neither header nor footer"),
    flag("T", "omit-pagination", "nor the input's form feeds"),
    flag("v", "show-nonprinting", "print bytes that do not print as \\ooo"),
    value("w", "width", "VALUE characters a line (72), with several columns"),
    value("W", "page-width", "the same always, and cut lines there"),
    flag("b", "", ""),
];

const SYNTAX: Syntax = Syntax {
    about: "Paginate FILEs or standard input, in columns if wanted.\nA page has 66 lines: 5 of header, 56 of text, 5 of footer.",
    options: OPTIONS,
    ..Syntax::COMMON
};

/// A character that stands for spaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tabs {
    /// The character.
    pub char: u8,
    /// Columns between stops.
    pub width: usize,
}

impl Tabs {
    /// As they are everywhere.
    pub(super) const STANDARD: Tabs = Tabs { char: b'\t', width: TAB_WIDTH };
}

/// What was asked for.
#[derive(Debug, Clone)]
pub(super) struct Settings {
    /// The first page printed, and the last.
    pub first: u64,
    pub last: Option<u64>,
    pub columns: usize,
    pub across: bool,
    pub merge: bool,
    /// `-c`, `-v`.
    pub hats: bool,
    pub octal: bool,
    pub double: bool,
    pub feed: bool,
    pub header: Option<OsString>,
    pub date: String,
    pub input_tabs: Option<Tabs>,
    pub output_tabs: Option<Tabs>,
    /// Columns are neither cut nor aligned.
    pub joined: bool,
    /// Lines of text in a page.
    pub rows: usize,
    pub number: bool,
    pub number_separator: u8,
    pub digits: usize,
    pub start: Option<i64>,
    pub margin: usize,
    pub quiet: bool,
    pub separator: Vec<u8>,
    /// Neither header nor footer.
    pub bare: bool,
    /// No form feeds either.
    pub unbroken: bool,
    pub width: usize,
    /// One column is cut too.
    pub truncate: bool,
}

impl Settings {
    /// Columns that a number and what separates it take.
    pub(super) fn number_width(&self) -> usize {
        self.digits + if self.number_separator == b'\t' { TAB_WIDTH - self.digits % TAB_WIDTH } else { 1 }
    }

    /// Lines that a row takes.
    pub(super) fn lines_per_row(&self) -> usize {
        1 + usize::from(self.double)
    }

    /// How wide each of the columns is; nothing if they do not fit.
    pub(super) fn column_width(&self, columns: usize) -> Option<usize> {
        let numbers = if self.merge && self.number { self.number_width() } else { 0 };
        let separators = self.separator.len().checked_mul(columns.checked_sub(1)?)?;
        let width = self.width.checked_sub(numbers)?.checked_sub(separators)? / columns;
        (width > 0).then_some(width)
    }
}

/// Settings and files; what is wrong is said here.
pub(super) fn parse(args: &[OsString]) -> Result<(Settings, Vec<OsString>), u8> {
    let line = SYNTAX.parse(args)?;
    let fail = |message: String| {
        text::complain("pr", message);
        1
    };
    let posix = std::env::var_os("POSIXLY_CORRECT").is_some();
    let mut s = Settings {
        first: 1,
        last: None,
        columns: 1,
        across: line.has("across"),
        merge: line.has("merge"),
        hats: line.has("show-control-chars") && !line.has("show-nonprinting"),
        octal: line.has("show-nonprinting"),
        double: line.has("double-space"),
        feed: line.has("form-feed"),
        header: line.last("header").map(OsString::from),
        date: line.last_text("date-format").unwrap_or(if posix { "%b %e %H:%M %Y" } else { "%Y-%m-%d %H:%M" }.into()),
        input_tabs: None,
        output_tabs: None,
        joined: line.has("join-lines"),
        rows: 0,
        number: false,
        number_separator: b'\t',
        digits: 5,
        start: None,
        margin: 0,
        quiet: line.has("no-file-warnings"),
        separator: Vec::new(),
        bare: line.has("omit-header") || line.has("omit-pagination"),
        unbroken: line.has("omit-pagination"),
        width: 72,
        truncate: false,
    };
    let (mut length, mut columns, mut digits, mut narrow, mut paged) = (66, None, String::new(), None, false);
    for given in &line.options {
        let text = given.text();
        if given.key == DIGITS {
            digits.extend(given.letter);
            columns = Some(digits.clone());
            continue;
        }
        digits.clear();
        let number = |what: &str, least: i128, most: i128| number(&text, least, most).map_err(|why| fail(format!("{what}: '{text}'{why}")));
        const INT: i128 = i32::MAX as i128;
        match given.key {
            "pages" => match range(&text, "--pages argument").map_err(fail)? {
                Some((first, last)) => (s.first, s.last, paged) = (first, last, true),
                None => return Err(fail(format!("invalid page range '{text}'"))),
            },
            "columns" => columns = Some(text),
            "length" => length = number("'-l PAGE_LENGTH' invalid number of lines", 1, INT)? as usize,
            "width" => narrow = Some(number("'-w PAGE_WIDTH' invalid number of characters", 1, INT)? as usize),
            "page-width" => {
                s.width = number("'-W PAGE_WIDTH' invalid number of characters", 1, INT)? as usize;
                s.truncate = true;
            }
            "indent" => s.margin = number("'-o MARGIN' invalid line offset", 0, INT)? as usize,
            "first-line-number" => {
                s.start = Some(number("'-N NUMBER' invalid starting line number", i128::from(i32::MIN), INT)? as i64);
            }
            "expand-tabs" => s.input_tabs = Some(tabs(args, given)?),
            "output-tabs" => s.output_tabs = Some(tabs(args, given)?),
            "number-lines" => {
                let Tabs { char, width } = char_and_number(args, given, 5)?;
                (s.number, s.number_separator, s.digits) = (true, char, width);
            }
            _ => {}
        }
    }
    if let Some(text) = columns.as_ref() {
        s.columns = match number(text, 1, i128::from(i32::MAX)) {
            Ok(columns) => columns as usize,
            Err(why) => return Err(fail(format!("invalid number of columns: '{text}'{why}"))),
        };
    }
    let mut files = Vec::new();
    for operand in line.operands.clone() {
        let text = operand.to_string_lossy();
        if let Some(pages) = text.strip_prefix('+').filter(|_| !paged)
            && let Some((first, last)) = range(pages, "+ argument").map_err(fail)?
        {
            (s.first, s.last, paged) = (first, last, true);
        } else {
            files.push(operand);
        }
    }
    if s.merge && columns.is_some() {
        return Err(fail("cannot specify number of columns when printing in parallel".into()));
    }
    if s.merge && s.across {
        return Err(fail("cannot specify both printing across and printing in parallel".into()));
    }
    if let Some(width) = narrow.filter(|_| !s.truncate) {
        s.width = width;
    }
    let set = narrow.is_some() || s.truncate;
    s.truncate = (s.truncate || s.merge && set) && !s.joined;
    let bytes =
        |key: &str| line.options.iter().rev().find(|o| o.key == key).map(|o| o.value.clone().unwrap_or_default().into_encoded_bytes());
    s.separator = match (bytes("sep-string"), bytes("separator")) {
        (Some(text), _) => text,
        (None, Some(char)) => {
            s.joined |= !set;
            if char.is_empty() && !set { b"\t".to_vec() } else { char }
        }
        _ if s.joined => b"\t".to_vec(),
        _ => b" ".to_vec(),
    };
    if length <= FRAME {
        // As -t, and no longer as -T.
        (s.bare, s.unbroken) = (true, false);
    }
    s.rows = if s.bare { length } else { length - FRAME };
    if s.double {
        s.rows = (s.rows / 2).max(1);
    }
    Ok((s, files))
}

/// `FIRST[:LAST]`; nothing if these pages cannot be.
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

/// `[CHAR[NUMBER]]`.
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
