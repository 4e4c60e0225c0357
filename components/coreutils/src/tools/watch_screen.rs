//! Output as it stands on a screen, and what has changed there.

use std::collections::BTreeSet;
use std::rc::Rc;
use unicode_width::UnicodeWidthChar;

/// Columns between the stops of a tab.
const TAB: usize = 8;

/// One character on the screen.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Cell {
    /// The character, and those that are joined to it. Empty for the second column of a wide one.
    text: String,
    /// The sequences that give it its colours.
    style: Rc<str>,
}

/// The size of a screen, and what is done with long lines and colours.
#[derive(Debug, Clone, Copy)]
pub(super) struct Look {
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) wrap: bool,
    pub(super) color: bool,
}

/// The rows of an output, as many as the screen has.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Screen(Vec<Vec<Cell>>);

/// Places that are marked: row and column.
pub(super) type Marks = BTreeSet<(usize, usize)>;

impl Screen {
    /// Lays an output out.
    pub(super) fn new(output: &[u8], look: Look) -> Self {
        let mut screen = Layout { rows: vec![Vec::new()], column: 0, style: Rc::from(""), look };
        let text = String::from_utf8_lossy(output);
        let mut rest = &text[..];
        while let Some(c) = rest.chars().next() {
            if screen.rows.len() > look.rows {
                break;
            }
            if c == '\x1b' {
                let (length, style) = sequence(rest);
                if let Some(parameters) = style.filter(|_| look.color) {
                    screen.set_style(parameters);
                }
                rest = &rest[length..];
                continue;
            }
            screen.put(c);
            rest = &rest[c.len_utf8()..];
        }
        screen.rows.truncate(look.rows);
        Self(screen.rows)
    }

    fn text(&self, row: usize, column: usize) -> &str {
        self.0.get(row).and_then(|row| row.get(column)).map_or(" ", |cell| &cell.text)
    }

    /// Returns the places where this screen differs from the one before.
    pub(super) fn changes(&self, before: &Self) -> Marks {
        let rows = self.0.len().max(before.0.len());
        let width = |screen: &Self, row: usize| screen.0.get(row).map_or(0, Vec::len);
        let places = (0..rows).flat_map(|row| (0..width(self, row).max(width(before, row))).map(move |column| (row, column)));
        places.filter(|(row, column)| self.text(*row, *column) != before.text(*row, *column)).collect()
    }

    /// Returns what shows it at a terminal, from the row where the cursor stands. A newline also returns the cursor there (ONLCR).
    pub(super) fn shown(&self, marks: &Marks) -> String {
        let mut text = String::new();
        let rows = self.0.len().max(marks.last().map_or(0, |(row, _)| row + 1));
        for row in 0..rows {
            let marked = marks.range((row, 0)..(row + 1, 0)).next_back().map_or(0, |(_, column)| column + 1);
            let mut current = String::new();
            for column in 0..self.0.get(row).map_or(0, Vec::len).max(marked) {
                let cell = self.0.get(row).and_then(|row| row.get(column));
                let mut style = cell.map_or_else(String::new, |cell| cell.style.to_string());
                if marks.contains(&(row, column)) {
                    style += "\x1b[7m";
                }
                if style != current {
                    text += "\x1b[0m";
                    text += &style;
                    current = style;
                }
                text += self.text(row, column);
            }
            if !current.is_empty() {
                text += "\x1b[0m";
            }
            text += "\x1b[K";
            if row + 1 < rows {
                text += "\n";
            }
        }
        text
    }
}

struct Layout {
    rows: Vec<Vec<Cell>>,
    /// The column of the next character.
    column: usize,
    style: Rc<str>,
    look: Look,
}

impl Layout {
    fn put(&mut self, c: char) {
        match c {
            '\n' => self.new_row(),
            '\r' => self.column = 0,
            '\x08' => self.column = self.column.saturating_sub(1),
            '\t' => {
                // What stands there stays.
                self.column = (self.column + TAB - self.column % TAB).min(self.look.columns);
                let (column, blank) = (self.column, self.blank());
                if let Some(row) = self.rows.last_mut() {
                    row.resize(row.len().max(column), blank);
                }
            }
            c if c.is_control() => {}
            c => match c.width().unwrap_or(0) {
                0 => {
                    let column = self.column.saturating_sub(1);
                    if let Some(cell) = self.rows.last_mut().and_then(|row| row.get_mut(column)) {
                        cell.text.push(c);
                    }
                }
                width => self.cell(c.to_string(), width),
            },
        }
    }

    fn blank(&self) -> Cell {
        Cell { text: " ".to_owned(), style: self.style.clone() }
    }

    fn new_row(&mut self) {
        self.rows.push(Vec::new());
        self.column = 0;
    }

    fn cell(&mut self, text: String, width: usize) {
        if self.column + width > self.look.columns {
            if !self.look.wrap {
                return;
            }
            self.new_row();
        }
        let blank = self.blank();
        let Some(row) = self.rows.last_mut() else { return };
        row.resize(row.len().max(self.column + width), blank);
        row[self.column] = Cell { text, style: self.style.clone() };
        for cell in &mut row[self.column + 1..self.column + width] {
            *cell = Cell { text: String::new(), style: self.style.clone() };
        }
        self.column += width;
    }

    /// Adds colours to those in force, or replaces them if the parameters begin with a reset.
    fn set_style(&mut self, parameters: &str) {
        self.style = match parameters {
            "" | "0" => Rc::from(""),
            _ if parameters.starts_with("0;") => Rc::from(format!("\x1b[{parameters}m")),
            _ if self.style.len() > MAX_STYLE => return,
            _ => Rc::from(format!("{}\x1b[{parameters}m", self.style)),
        };
    }
}

/// Bytes of the sequences of one style: more change nothing.
const MAX_STYLE: usize = 256;

/// Returns the length of the escape sequence at the beginning of `text`, and its parameters if it sets colours.
fn sequence(text: &str) -> (usize, Option<&str>) {
    let rest = &text[1..];
    if let Some(body) = rest.strip_prefix('[') {
        let Some(end) = body.find(|c: char| ('@'..='~').contains(&c)) else { return (text.len(), None) };
        let numbers = body[..end].bytes().all(|byte| matches!(byte, b'0'..=b'9' | b';' | b':'));
        return (2 + end + 1, body[end..].starts_with('m').then_some(&body[..end]).filter(|_| numbers));
    }
    if rest.starts_with(']') {
        let end = rest.find(['\x07', '\x1b']).unwrap_or(rest.len());
        let bell = usize::from(rest[end..].starts_with('\x07'));
        let terminator = if rest[end..].starts_with("\x1b\\") { 2 } else { bell };
        return (1 + end + terminator, None);
    }
    (1 + rest.chars().next().map_or(0, char::len_utf8), None)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOOK: Look = Look { rows: 3, columns: 6, wrap: true, color: false };

    fn rows(output: &str, look: Look) -> Vec<String> {
        let screen = Screen::new(output.as_bytes(), look);
        screen.0.iter().map(|row| row.iter().map(|cell| &cell.text[..]).collect()).collect()
    }

    #[test]
    fn lines_wrap_or_are_cut_and_stop_at_the_last_row() {
        assert_eq!(rows("abcdefgh\nx\ny\nz\n", LOOK), ["abcdef", "gh", "x"]);
        assert_eq!(rows("abcdefgh\nx\n", Look { wrap: false, ..LOOK }), ["abcdef", "x", ""]);
        assert_eq!(rows("a日本日\n", LOOK), ["a日本", "日", ""]);
        assert_eq!(rows("ab\rc\td", Look { columns: 10, ..LOOK }), ["cb      d"]);
        assert_eq!(rows("a\x1b[31mb\x1b]0;t\x07c\x1b(d\x1b[3", LOOK), ["abcd"]);
    }

    #[test]
    fn colours_are_kept_only_if_asked_for() {
        let shown = |color| Screen::new(b"a\x1b[31mb\x1b[0mc", Look { color, ..LOOK }).shown(&Marks::new());
        assert_eq!(shown(false), "abc\x1b[K");
        assert_eq!(shown(true), "a\x1b[0m\x1b[31mb\x1b[0mc\x1b[K");
    }

    #[test]
    fn changes_are_marked_also_where_nothing_is_any_more() {
        let [before, now] = ["one\ntwo", "ons\nt"].map(|text| Screen::new(text.as_bytes(), LOOK));
        let marks = now.changes(&before);
        assert_eq!(marks.iter().copied().collect::<Vec<_>>(), [(0, 2), (1, 1), (1, 2)]);
        assert_eq!(now.shown(&marks), "on\x1b[0m\x1b[7ms\x1b[0m\x1b[K\nt\x1b[0m\x1b[7m  \x1b[0m\x1b[K");
        assert!(now.changes(&now).is_empty());
    }
}
