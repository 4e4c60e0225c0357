//! The settings of `pr`.

use crate::options::Line;
use std::ffi::OsString;

/// Columns from one tab stop to the next.
pub(super) const TAB_WIDTH: usize = 8;

/// A character that stands for spaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tabs {
    /// The character.
    pub char: u8,
    /// Columns between stops.
    pub width: usize,
}

impl Tabs {
    /// The usual tabs.
    pub(super) const STANDARD: Self = Self { char: b'\t', width: TAB_WIDTH };
}

/// The settings.
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
    /// Neither cut nor align columns.
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
    /// Print neither header nor footer.
    pub bare: bool,
    /// Ignore form feeds of the input.
    pub unbroken: bool,
    pub width: usize,
    /// Cut the lines of a single column too.
    pub truncate: bool,
}

impl Settings {
    /// Returns the settings before any option with a value is read.
    pub(super) fn usual(line: &Line) -> Self {
        let posix = std::env::var_os("POSIXLY_CORRECT").is_some();
        Self {
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
        }
    }

    /// Sets what separates columns; `width_given` says whether an option set the page's width.
    pub(super) fn separate(&mut self, line: &Line, width_given: bool) {
        let bytes =
            |key: &str| line.options.iter().rev().find(|o| o.key == key).map(|o| o.value.clone().unwrap_or_default().into_encoded_bytes());
        self.separator = match (bytes("sep-string"), bytes("separator")) {
            (Some(text), _) => text,
            (None, Some(char)) => {
                self.joined |= !width_given;
                if char.is_empty() && !width_given { b"\t".to_vec() } else { char }
            }
            _ if self.joined => b"\t".to_vec(),
            _ => b" ".to_vec(),
        };
    }

    /// Returns the columns that a number and its separator take.
    pub(super) fn number_width(&self) -> usize {
        self.digits + if self.number_separator == b'\t' { TAB_WIDTH - self.digits % TAB_WIDTH } else { 1 }
    }

    /// Returns the lines that a row takes.
    pub(super) fn lines_per_row(&self) -> usize {
        1 + usize::from(self.double)
    }

    /// Returns the width of each column; `None` if they do not fit.
    pub(super) fn column_width(&self, columns: usize) -> Option<usize> {
        let numbers = if self.merge && self.number { self.number_width() } else { 0 };
        let separators = self.separator.len().checked_mul(columns.checked_sub(1)?)?;
        let width = self.width.checked_sub(numbers)?.checked_sub(separators)? / columns;
        (width > 0).then_some(width)
    }
}
