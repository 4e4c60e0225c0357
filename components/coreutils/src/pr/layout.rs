//! The position of each line: pages of rows of cells.

use super::input::{Piece, Reader, Stopped};
use super::settings::Settings;

/// One line in its column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Cell {
    /// The line as it was read.
    pub text: Vec<u8>,
    /// The number before it.
    pub number: Option<i64>,
}

/// One line of output.
#[derive(Debug, Default)]
pub(super) struct Row {
    /// The cells. The last ones are missing if there is nothing more to print.
    pub cells: Vec<Option<Cell>>,
    /// The number of the whole row (`-m`).
    pub number: Option<i64>,
    /// Whether an empty line follows (`-d`).
    pub spaced: bool,
}

/// One page.
#[derive(Debug, Default)]
pub(super) struct Page {
    /// Its lines.
    pub rows: Vec<Row>,
    /// Whether a form feed ended it.
    pub broken: bool,
    /// Whether the input ended in it.
    pub last: bool,
}

/// The pages of a file, or of several side by side.
pub(super) struct Layout {
    readers: Vec<Reader>,
    columns: usize,
    rows: usize,
    merge: bool,
    across: bool,
    number: Option<i64>,
    start: Option<i64>,
    ended: Vec<bool>,
    printed: bool,
}

impl Layout {
    /// Creates the layout; `None` if the columns do not fit.
    pub(super) fn new(settings: &Settings, readers: Vec<Reader>, columns: usize) -> Option<Self> {
        settings.column_width(columns)?;
        Some(Self {
            ended: vec![false; readers.len()],
            readers,
            printed: false,
            columns,
            rows: settings.rows,
            merge: settings.merge,
            across: settings.across || columns == 1,
            number: settings.number.then_some(1),
            start: settings.start,
        })
    }

    /// Returns the next page; it has no rows if the input has ended. `first` marks the first page that is printed.
    pub(super) fn next(&mut self, first: bool) -> Result<Page, Stopped> {
        if first && self.number.is_some() {
            self.number = self.start.or(self.number);
        }
        self.printed |= first;
        match (self.merge, self.across) {
            (true, _) => self.side_by_side(self.printed),
            (_, true) => self.across(),
            _ => self.down(),
        }
    }

    fn read(&mut self, file: usize) -> Result<Piece, Stopped> {
        self.readers[file].next().map_err(|error| Stopped { file, error })
    }

    /// Returns the number of the next line.
    fn count(&mut self) -> Option<i64> {
        let number = self.number?;
        self.number = Some(number.wrapping_add(1));
        Some(number)
    }

    /// Skips a form feed after a full page, which already ends there, unless the form feed ended the last line.
    fn full(&mut self, file: usize, page: &mut Page) -> Result<(), Stopped> {
        page.broken |= self.readers[file].skip_break().map_err(|error| Stopped { file, error })?;
        Ok(())
    }

    fn across(&mut self) -> Result<Page, Stopped> {
        let mut page = Page::default();
        while page.rows.len() < self.rows {
            let mut row = Row::default();
            while row.cells.len() < self.columns {
                match self.read(0)? {
                    Piece::Line(text, ended) => {
                        row.spaced = ended && row.cells.len() + 1 == self.columns;
                        let number = self.count();
                        row.cells.push(Some(Cell { text, number }));
                    }
                    piece => {
                        (page.broken, page.last) = (piece == Piece::Break, piece == Piece::End);
                        page.rows.extend((!row.cells.is_empty()).then_some(row));
                        return Ok(page);
                    }
                }
            }
            page.rows.push(row);
        }
        self.full(0, &mut page)?;
        Ok(page)
    }

    fn down(&mut self) -> Result<Page, Stopped> {
        let mut page = Page::default();
        let mut cells = Vec::new();
        let mut full = true;
        while cells.len() < self.rows.saturating_mul(self.columns) {
            match self.read(0)? {
                Piece::Line(text, _) => {
                    let number = self.count();
                    cells.push(Some(Cell { text, number }));
                    if cells.len() % self.rows == 0 {
                        self.full(0, &mut page)?;
                    }
                    if page.broken {
                        full = cells.len() == self.rows * self.columns;
                        break;
                    }
                }
                piece => {
                    (page.broken, page.last) = (piece == Piece::Break, piece == Piece::End);
                    full = false;
                    break;
                }
            }
        }
        let rows = cells.len().div_ceil(self.columns);
        page.rows.resize_with(rows, Row::default);
        let (each, more) = (cells.len() / self.columns, cells.len() % self.columns);
        let mut cells = cells.into_iter();
        for column in 0..self.columns {
            for row in page.rows.iter_mut().take(each + usize::from(column < more)) {
                row.cells.extend(cells.next());
            }
        }
        for (at, row) in page.rows.iter_mut().enumerate() {
            row.spaced = full || at + 1 < rows;
        }
        Ok(page)
    }

    fn side_by_side(&mut self, printed: bool) -> Result<Page, Stopped> {
        let mut page = Page::default();
        let mut closed = self.ended.clone();
        while page.rows.len() < self.rows {
            let mut row = Row::default();
            for file in 0..self.readers.len() {
                let piece = if closed[file] { Piece::End } else { self.read(file)? };
                let ended = match piece {
                    Piece::Line(text, ended) => {
                        row.cells.push(Some(Cell { text, number: None }));
                        if ended {
                            continue;
                        }
                        self.read(file)?
                    }
                    piece => {
                        self.ended[file] |= !closed[file] && piece == Piece::End;
                        closed[file] = true;
                        if closed.contains(&false) {
                            row.cells.push(None);
                        }
                        piece
                    }
                };
                page.broken |= ended == Piece::Break;
                self.ended[file] |= !closed[file] && ended == Piece::End;
                closed[file] = true;
            }
            if row.cells.iter().all(Option::is_none) {
                page.last = !self.ended.contains(&false);
                return Ok(page);
            }
            // On pages that are not printed, only the lines of the first column count.
            row.number = if printed || row.cells[0].is_some() { self.count() } else { None };
            row.spaced = closed.contains(&false);
            page.rows.push(row);
        }
        for file in (0..self.readers.len()).filter(|file| !closed[*file]) {
            self.full(file, &mut page)?;
        }
        Ok(page)
    }
}
