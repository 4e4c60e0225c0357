//! `less` at a terminal with keys: a file of which any part can be shown.

use super::keys::{Key, Keys};
use std::io::{BufRead, BufReader, Read, Write};
use unicode_width::UnicodeWidthChar;

/// Columns between the stops of a tab.
const TAB: usize = 8;

/// How the file is shown.
#[derive(Debug, Clone, Copy)]
pub(super) struct Look {
    pub(super) rows: usize,
    pub(super) columns: usize,
    /// With the numbers of its lines.
    pub(super) number: bool,
    /// Long lines are truncated.
    pub(super) chop: bool,
}

/// A file, read as far as it was needed.
pub(super) struct Viewer<'a> {
    input: BufReader<Box<dyn Read>>,
    lines: Vec<Vec<u8>>,
    ended: bool,
    /// The line at the top of the screen.
    top: usize,
    look: Look,
    name: &'a str,
    /// The last text that was searched for, and whether backwards.
    search: Option<(String, bool)>,
    /// What is shown instead of the name, once.
    message: Option<String>,
}

impl<'a> Viewer<'a> {
    pub(super) fn new(input: Box<dyn Read>, name: &'a str, look: Look) -> Self {
        let input = BufReader::new(input);
        Self { input, lines: Vec::new(), ended: false, top: 0, look, name, search: None, message: None }
    }

    /// Reads until there are `count` lines. Returns how many there are, at most that.
    fn read(&mut self, count: usize) -> std::io::Result<usize> {
        while !self.ended && self.lines.len() < count {
            let mut line = Vec::new();
            if self.input.read_until(b'\n', &mut line)? == 0 {
                self.ended = true;
            } else {
                self.lines.push(line.strip_suffix(b"\n").map_or_else(|| line.clone(), <[u8]>::to_vec));
            }
        }
        Ok(self.lines.len().min(count))
    }

    /// Returns whether the whole file fits on one screen.
    pub(super) fn is_short(&mut self) -> std::io::Result<bool> {
        let page = self.look.rows - 1;
        self.read(page + 1)?;
        let rows: usize = self.lines.iter().take(page + 1).map(|line| self.look.rows_of(line)).sum();
        Ok(self.ended && rows <= page)
    }

    /// Shows what is there, without keys.
    pub(super) fn print(&self, out: &mut impl Write) -> std::io::Result<()> {
        for (at, line) in self.lines.iter().enumerate() {
            writeln!(out, "{}", self.look.shown(at, line))?;
        }
        Ok(())
    }

    /// Lets a person move through the file. Returns false if they quit, true if they ask for the next file.
    pub(super) fn run(&mut self, keys: &mut Keys, out: &mut impl Write) -> std::io::Result<bool> {
        loop {
            self.draw(out)?;
            let Some(key) = keys.next() else { return Ok(false) };
            let page = self.look.rows - 1;
            match key {
                Key::Char('q' | 'Q') => {
                    self.leave(out)?;
                    return Ok(false);
                }
                Key::Char(' ' | 'f') | Key::Control(b'F' | b'V') | Key::PageDown => self.forward(page)?,
                Key::Char('d') | Key::Control(b'D') => self.forward(page.div_ceil(2))?,
                Key::Char('j' | 'e') | Key::Control(b'J' | b'M' | b'N') | Key::Down => self.forward(1)?,
                Key::Char('b') | Key::Control(b'B') | Key::PageUp => self.backward(page),
                Key::Char('u') | Key::Control(b'U') => self.backward(page.div_ceil(2)),
                Key::Char('k' | 'y') | Key::Control(b'P') | Key::Up => self.backward(1),
                Key::Char('g' | '<') | Key::Home => self.top = 0,
                Key::Char('G' | '>') | Key::End => {
                    self.read(usize::MAX)?;
                    self.top = self.last_top();
                }
                Key::Char(sign @ ('/' | '?')) => {
                    let text = keys.line(sign, out)?;
                    let before = self.search.take().map(|(text, _)| text);
                    let text = if text.is_empty() { before } else { Some(text) };
                    self.search = text.map(|text| (text, sign == '?'));
                    self.find(false)?;
                }
                Key::Char('n') => self.find(false)?,
                Key::Char('N') => self.find(true)?,
                Key::Char('=') | Key::Control(b'G') => {
                    self.message = Some(format!("{} lines {}-{}", self.name, self.top + 1, self.bottom()));
                }
                Key::Char('h') => self.message = Some("Space b: pages; j k: lines; g G: ends; /TEXT n N: search; q: quit".to_owned()),
                Key::Char(':') => {
                    let command = keys.line(':', out)?;
                    if let command @ ("q" | "Q" | "n") = command.trim() {
                        self.leave(out)?;
                        return Ok(command == "n");
                    }
                }
                _ => {}
            }
        }
    }

    /// Removes the prompt.
    fn leave(&self, out: &mut impl Write) -> std::io::Result<()> {
        write!(out, "\r\x1b[K")?;
        out.flush()
    }

    /// Returns the line after the last one on the screen.
    fn bottom(&self) -> usize {
        let mut rows = 0;
        let fits = |line: &&Vec<u8>| {
            rows += self.look.rows_of(line);
            rows < self.look.rows
        };
        self.top + self.lines.iter().skip(self.top).take_while(fits).count().max(1).min(self.lines.len().saturating_sub(self.top))
    }

    /// Returns the top of the last screen.
    fn last_top(&self) -> usize {
        let mut rows = 0;
        let fits = |line: &&Vec<u8>| {
            rows += self.look.rows_of(line);
            rows < self.look.rows
        };
        self.lines.len() - self.lines.iter().rev().take_while(fits).count().max(1).min(self.lines.len())
    }

    fn forward(&mut self, lines: usize) -> std::io::Result<()> {
        self.read(self.top + lines + self.look.rows)?;
        self.top += lines;
        if self.ended {
            self.top = self.top.min(self.last_top());
        }
        Ok(())
    }

    fn backward(&mut self, lines: usize) {
        self.top = self.top.saturating_sub(lines);
    }

    /// Goes to the next line with the text, or with `turned` in the other direction.
    fn find(&mut self, turned: bool) -> std::io::Result<()> {
        let Some((text, backwards)) = self.search.clone() else { return Ok(()) };
        let has = |line: &[u8]| String::from_utf8_lossy(line).contains(&text);
        let found = if backwards != turned {
            self.lines[..self.top].iter().rposition(|line| has(line))
        } else {
            let mut at = self.top + 1;
            loop {
                if self.read(at + 1)? <= at {
                    break None;
                }
                if has(&self.lines[at]) {
                    break Some(at);
                }
                at += 1;
            }
        };
        match found {
            Some(at) => self.top = at,
            None => self.message = Some("Pattern not found".to_owned()),
        }
        Ok(())
    }

    fn draw(&mut self, out: &mut impl Write) -> std::io::Result<()> {
        self.read(self.top + self.look.rows)?;
        write!(out, "\x1b[H\x1b[2J")?;
        let bottom = self.bottom();
        for (at, line) in self.lines.iter().enumerate().take(bottom).skip(self.top) {
            writeln!(out, "{}", self.look.shown(at, line))?;
        }
        let prompt = match self.message.take() {
            Some(message) => message,
            None if self.ended && bottom == self.lines.len() => "(END)".to_owned(),
            None if self.top == 0 => self.name.to_owned(),
            None => ":".to_owned(),
        };
        write!(out, "\x1b[7m{prompt}\x1b[0m")?;
        out.flush()
    }
}

impl Look {
    /// Returns the rows that a line takes.
    fn rows_of(&self, line: &[u8]) -> usize {
        if self.chop {
            return 1;
        }
        let shown = self.expanded(0, line);
        visible_width(&shown).div_ceil(self.columns).max(1)
    }

    /// Returns a line as it is shown, without its newline.
    fn shown(&self, at: usize, line: &[u8]) -> String {
        let text = self.expanded(at, line);
        if self.chop { cut(&text, self.columns) } else { text }
    }

    /// Returns a line with its number; tabs become blanks, and control characters visible. Colours stay.
    fn expanded(&self, at: usize, line: &[u8]) -> String {
        let mut text = if self.number { format!("{:>7} ", at + 1) } else { String::new() };
        let begin = text.len();
        let mut column = 0;
        let source = String::from_utf8_lossy(line);
        let mut rest = &source[..];
        while let Some(c) = rest.chars().next() {
            if let Some(len) = colour(rest) {
                text.push_str(&rest[..len]);
                rest = &rest[len..];
                continue;
            }
            rest = &rest[c.len_utf8()..];
            match c {
                '\t' => {
                    let blanks = TAB - column % TAB;
                    text.extend(std::iter::repeat_n(' ', blanks));
                    column += blanks;
                }
                c if c.is_ascii_control() => {
                    text.push('^');
                    text.push(char::from(c as u8 ^ 0x40));
                    column += 2;
                }
                c if c.is_control() => text.push('\u{fffd}'),
                c => {
                    text.push(c);
                    column += c.width().unwrap_or(0);
                }
            }
        }
        if text[begin..].contains('\x1b') {
            text.push_str("\x1b[0m");
        }
        text
    }
}

/// Returns the length of the sequence that sets colours at the beginning of `text`, if there is one.
fn colour(text: &str) -> Option<usize> {
    let rest = text.strip_prefix("\x1b[")?;
    let end = rest.find(|c: char| !(c.is_ascii_digit() || c == ';' || c == ':'))?;
    rest[end..].starts_with('m').then_some(end + 3)
}

/// Returns the columns of a text with colours.
fn visible_width(text: &str) -> usize {
    walk(text).map(|(_, width)| width).sum()
}

/// Returns the beginning of a text that fits into so many columns, with all its colours.
fn cut(text: &str, columns: usize) -> String {
    let mut used = 0;
    let mut kept = String::new();
    for (part, width) in walk(text) {
        used += width;
        if width == 0 || used <= columns {
            kept.push_str(part);
        }
    }
    kept
}

/// Returns the characters and colours of a text, each with its columns.
fn walk(text: &str) -> impl Iterator<Item = (&str, usize)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let c = rest.chars().next()?;
        let (len, width) = match colour(rest) {
            Some(len) => (len, 0),
            None => (c.len_utf8(), c.width().unwrap_or(0)),
        };
        let (part, after) = rest.split_at(len);
        rest = after;
        Some((part, width))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn viewer(text: &str, look: Look) -> Viewer<'static> {
        Viewer::new(Box::new(std::io::Cursor::new(text.as_bytes().to_vec())), "file", look)
    }

    const LOOK: Look = Look { rows: 5, columns: 10, number: false, chop: false };

    fn screen(viewer: &mut Viewer<'_>) -> String {
        let mut out = Vec::new();
        viewer.draw(&mut out).unwrap();
        String::from_utf8(out).unwrap().replace("\x1b[H\x1b[2J", "").replace("\x1b[7m", "<").replace("\x1b[0m", ">")
    }

    #[test]
    fn a_page_is_shown_and_moved() {
        let text: String = (1..=10).map(|n| format!("{n}\n")).collect();
        let mut viewer = viewer(&text, LOOK);
        assert!(!viewer.is_short().unwrap());
        assert_eq!(screen(&mut viewer), "1\n2\n3\n4\n<file>");
        viewer.forward(4).unwrap();
        assert_eq!(screen(&mut viewer), "5\n6\n7\n8\n<:>");
        viewer.forward(4).unwrap();
        assert_eq!(screen(&mut viewer), "7\n8\n9\n10\n<(END)>");
        viewer.backward(1);
        assert_eq!(screen(&mut viewer), "6\n7\n8\n9\n<:>");
        viewer.backward(100);
        assert_eq!(screen(&mut viewer), "1\n2\n3\n4\n<file>");
    }

    #[test]
    fn a_search_goes_both_ways_and_says_when_it_finds_nothing() {
        let mut viewer = viewer("a\nx1\nb\nx2\nc\nd\ne\n", LOOK);
        viewer.search = Some(("x".to_owned(), false));
        for (turned, top) in [(false, 1), (false, 3), (true, 1)] {
            viewer.find(turned).unwrap();
            assert_eq!(viewer.top, top);
        }
        viewer.find(true).unwrap();
        assert_eq!(screen(&mut viewer), "x1\nb\nx2\nc\n<Pattern not found>");
    }

    #[test]
    fn long_lines_take_several_rows_or_are_cut() {
        let text = "0123456789abcdef\n\t1\n\x1b[31mred\x1b[0m\x07\n";
        let mut wrapped = viewer(text, LOOK);
        assert_eq!(screen(&mut wrapped), "0123456789abcdef\n        1\n\u{1b}[31mred>^G>\n<(END)>");
        let mut cut = viewer(text, Look { chop: true, number: true, ..LOOK });
        assert_eq!(screen(&mut cut), "      1 01\n      2   \n\u{20}     3 \u{1b}[31mre>>\n<(END)>");
        assert!(viewer("one\n", LOOK).is_short().unwrap() && !viewer(&"x".repeat(41), LOOK).is_short().unwrap());
    }
}
