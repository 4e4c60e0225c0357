//! Writes pages: margins, columns, tabs in place of spaces, header and footer.

use super::layout::{Cell, Page, Row};
use super::settings::{Settings, TAB_WIDTH, Tabs};
use crate::text;
use std::io::{Result, Write};

/// The output of pages.
pub(super) struct Sheet<W: Write> {
    out: W,
    settings: Settings,
    columns: usize,
    width: usize,
    tabs: Option<Tabs>,
    /// The column of the next character, and the number of spaces before it that are not written yet.
    at: usize,
    spaces: usize,
    failed: Option<std::io::Error>,
}

impl<W: Write> Sheet<W> {
    /// Creates a sheet of one column.
    pub(super) fn new(out: W, settings: &Settings) -> Self {
        Self { out, settings: settings.clone(), columns: 1, width: 0, tabs: None, at: 0, spaces: 0, failed: None }
    }

    /// Sets the columns.
    pub(super) fn shape(&mut self, settings: &Settings, columns: usize) {
        self.columns = columns;
        self.width = settings.column_width(columns).unwrap_or(1);
        self.tabs = settings.output_tabs.or((columns > 1).then_some(Tabs::STANDARD));
    }

    /// Writes everything to the output.
    pub(super) fn flush(&mut self) -> Result<()> {
        self.out.flush()
    }

    /// Writes the rest. Returns the first error.
    pub(super) fn finish(&mut self) -> Result<()> {
        let flushed = self.flush();
        self.failed.take().map_or(flushed, Err)
    }

    /// Writes a page.
    pub(super) fn page(&mut self, page: &Page, number: u64, header: &[u8], date: &str) {
        let framed = !self.settings.bare;
        if framed {
            self.header(number, header, date);
        }
        let mut left = self.settings.rows * self.settings.lines_per_row();
        for row in &page.rows {
            self.row(row);
            left -= 1;
            if row.spaced && self.settings.double {
                self.raw(b"\n");
                left -= 1;
            }
        }
        if framed && self.settings.feed {
            // An incomplete page ends with a row without text.
            let blank = page.rows.is_empty() || self.settings.double && page.rows.len() < self.settings.rows;
            self.raw(if blank { b"\n\x0c" } else { b"\x0c" });
        } else if framed {
            self.raw("\n".repeat(left + 5).as_bytes());
        } else if page.broken && !self.settings.unbroken {
            self.raw(b"\x0c");
        }
    }

    fn header(&mut self, number: u64, header: &[u8], date: &str) {
        self.margin();
        self.settle();
        self.raw(b"\n\n");
        self.blanks(self.settings.margin);
        let page = format!("Page {number}");
        let used = text::width(date) + text::width(&page) + text::width(&String::from_utf8_lossy(header)) + 2;
        let space = self.settings.width.saturating_sub(used);
        self.raw(date.as_bytes());
        self.blanks(space / 2 + 1);
        self.raw(header);
        self.blanks(space - space / 2 + 1);
        self.raw(format!("{page}\n\n\n").as_bytes());
        self.at = 0;
    }

    fn row(&mut self, row: &Row) {
        // If lines are printed as they are read, one whose first character does not fit leaves no trace.
        let direct = self.settings.merge || self.settings.across && self.columns > 1;
        let fits = |cell: &Option<Cell>| cell.as_ref().is_some_and(|cell| !direct || self.begins(cell));
        let Some(last) = row.cells.iter().rposition(fits) else { return };
        let padded = row.cells.last().is_some_and(Option::is_none);
        let cells: Vec<Option<&Cell>> = row.cells.iter().map(|c| c.as_ref().filter(|c| !direct || self.begins(c))).collect();
        let cells = if padded { &cells[..] } else { &cells[..=last] };
        self.margin();
        if self.columns > 1 || row.number.is_some() {
            self.settle();
        }
        let mut start = self.settings.margin;
        let aligned = !self.settings.joined && self.columns > 1;
        if let Some(number) = row.number {
            self.number(number, start, aligned);
            start += if self.columns > 1 { self.settings.number_width() } else { 0 };
        }
        let separator = self.settings.separator.clone();
        for (at, cell) in cells.iter().enumerate() {
            if at > 0 {
                start += self.width;
                if aligned {
                    self.pad(start);
                }
                // In aligned columns a tab counts as a space.
                separator.iter().for_each(|byte| self.put(if aligned && *byte == b'\t' { b' ' } else { *byte }));
                if !aligned {
                    self.settle();
                }
                start += separator.len();
            }
            let dropped = cell.is_none() && row.cells[at].is_some();
            if aligned && at > 0 && !dropped {
                self.pad(start);
                self.settle();
            }
            match cell {
                Some(cell) => self.cell(cell, start, aligned),
                None if aligned => {}
                None => self.spaces = 0,
            }
        }
        self.raw(b"\n");
        (self.at, self.spaces) = (0, 0);
    }

    fn cell(&mut self, cell: &Cell, start: usize, aligned: bool) {
        let room = self.room();
        let tab_joined = self.settings.joined && self.settings.separator == b"\t";
        let expand = self.settings.input_tabs.or((self.columns > 1 && !tab_joined).then_some(Tabs::STANDARD));
        let mut used = 0usize;
        // The first character is measured as if it had no number before it: if it does not fit, the number is hidden too.
        let mut number = cell.number;
        for byte in &cell.text {
            let mut shown = [0; 4];
            let (text, width) = self.shown(byte, used, expand, &mut shown);
            if used.saturating_add_signed(width) > room {
                if number.is_some() && self.columns > 1 {
                    return;
                }
                break;
            }
            used = used.saturating_add_signed(width);
            if let Some(number) = number.take() {
                self.number(number, start, aligned);
                used += if self.columns > 1 && !self.settings.joined || self.settings.truncate && !self.settings.merge {
                    self.settings.number_width()
                } else {
                    0
                };
            }
            if text.is_empty() || text == b" " {
                (0..width).for_each(|_| self.put(b' '));
                continue;
            }
            self.settle();
            self.raw(text);
            self.at = match text {
                b"\t" => self.at + TAB_WIDTH - self.at % TAB_WIDTH,
                _ => self.at.saturating_add_signed(width),
            };
        }
        if let Some(number) = number {
            self.number(number, start, aligned);
        }
    }

    /// Returns whether a line's first character fits.
    fn begins(&self, cell: &Cell) -> bool {
        let mut shown = [0; 4];
        cell.text.first().is_none_or(|byte| self.shown(byte, 0, Some(Tabs::STANDARD), &mut shown).1 <= self.room() as isize)
    }

    /// Returns the column at which lines are truncated.
    fn room(&self) -> usize {
        match self.columns {
            1 if !self.settings.truncate => isize::MAX as usize,
            1 if self.settings.merge => self.width,
            1 => self.settings.width,
            _ if self.settings.joined => isize::MAX as usize,
            _ => self.width,
        }
    }

    /// Returns the form of a byte after `used` columns of its line, and its width. `None` for a tab that is expanded.
    fn shown<'a>(&self, byte: &'a u8, used: usize, expand: Option<Tabs>, space: &'a mut [u8; 4]) -> (&'a [u8], isize) {
        let stop = |width: usize| (width - used % width) as isize;
        match (*byte, expand) {
            (b, Some(tabs)) if b == tabs.char => (b"", stop(tabs.width)),
            (b'\t', Some(_)) => (b"", stop(TAB_WIDTH)),
            (b'\t', None) => (b"\t", stop(TAB_WIDTH)),
            (b' '..=b'~', _) => (std::slice::from_ref(byte), 1),
            (b, _) if self.settings.hats && (b < 0x20 || b == 0x7f) => {
                space[..2].copy_from_slice(&[b'^', b ^ 0x40]);
                (&space[..2], 2)
            }
            (b, _) if self.settings.hats || self.settings.octal => {
                space.copy_from_slice(&[b'\\', b'0' + (b >> 6), b'0' + (b >> 3 & 7), b'0' + (b & 7)]);
                (space, 4)
            }
            (8, _) => (std::slice::from_ref(byte), if used > 0 { -1 } else { 0 }),
            _ => (std::slice::from_ref(byte), 0),
        }
    }

    /// Writes the number of a line and its separator.
    fn number(&mut self, number: i64, start: usize, aligned: bool) {
        let digits = self.settings.digits;
        let text = number.to_string();
        let text = &text[text.len().saturating_sub(digits)..];
        let blank = digits - text.len();
        if aligned {
            self.pad(start + blank);
        } else {
            (0..blank).for_each(|_| self.put(b' '));
        }
        text.bytes().for_each(|byte| self.put(byte));
        match (self.settings.number_separator, self.columns) {
            (b'\t', 1) => {
                self.settle();
                self.raw(b"\t");
                self.at += TAB_WIDTH - self.at % TAB_WIDTH;
            }
            (b'\t', _) if aligned => self.pad(start + self.settings.number_width()),
            (b'\t', _) => (digits..self.settings.number_width()).for_each(|_| self.put(b' ')),
            (byte, _) => self.put(byte),
        }
    }

    fn margin(&mut self) {
        (0..self.settings.margin).for_each(|_| self.put(b' '));
    }

    /// Writes one visible character, or a space.
    fn put(&mut self, byte: u8) {
        if byte == b' ' && self.tabs.is_some() {
            self.spaces += 1;
            return;
        }
        self.settle();
        self.raw(&[byte]);
        self.at += 1;
    }

    /// Moves forward to a column.
    fn pad(&mut self, goal: usize) {
        self.spaces = goal.saturating_sub(self.at);
    }

    /// Writes the pending spaces, as tabs where they fit.
    fn settle(&mut self) {
        let goal = self.at + std::mem::take(&mut self.spaces);
        if let Some(tabs) = self.tabs {
            while goal - self.at > 1 {
                let stop = self.at + tabs.width - self.at % tabs.width;
                if stop > goal {
                    break;
                }
                self.raw(&[tabs.char]);
                self.at = stop;
            }
        }
        self.blanks(goal - self.at);
        self.at = goal;
    }

    /// Writes spaces in pieces, because there may be more than fit into memory.
    fn blanks(&mut self, mut count: usize) {
        while count > 0 && self.failed.is_none() {
            let some = count.min(4096);
            self.raw(&[b' '; 4096][..some]);
            count -= some;
        }
    }

    fn raw(&mut self, bytes: &[u8]) {
        if self.failed.is_none()
            && let Err(error) = self.out.write_all(bytes)
        {
            self.failed = Some(error);
        }
    }
}
