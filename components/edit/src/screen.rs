//! How the prompt and the line stand on the screen. A newline also returns the cursor: output processing is on (ONLCR).

use unicode_width::UnicodeWidthChar;

/// Columns between the stops of a tab.
const TAB: usize = 8;

/// A row and a column, counted from the beginning of the prompt's last line.
type Place = (usize, usize);

/// The part of the screen that the line has.
#[derive(Debug)]
pub(crate) struct Screen {
    columns: usize,
    /// Where the cursor stands.
    cursor: Place,
}

/// Returns the columns of a character; a control character is shown in two.
fn width(c: char) -> usize {
    if c.is_control() { 2 } else { c.width().unwrap_or(0) }
}

impl Screen {
    pub(crate) fn new(columns: usize) -> Self {
        Self { columns: columns.max(2), cursor: (0, 0) }
    }

    /// Notes that the terminal has this many columns now.
    pub(crate) fn resize(&mut self, columns: usize) {
        self.columns = columns.max(2);
    }

    /// Returns the place after a character at `place`. The column may be the number of columns: the next character wraps.
    fn after(&self, (row, column): Place, c: char) -> Place {
        let wide = match c {
            '\n' => return (row + 1, 0),
            '\t' => {
                let column = if column >= self.columns { 0 } else { column };
                (TAB - column % TAB).min((self.columns - column).max(1))
            }
            c => width(c),
        };
        if column + wide > self.columns { (row + 1, wide) } else { (row, column + wide) }
    }

    fn after_all(&self, chars: &[char], place: Place) -> Place {
        chars.iter().fold(place, |place, c| self.after(place, *c))
    }

    /// Returns where the cursor stands after text that ends at `place`.
    fn settled(&self, (row, column): Place) -> Place {
        if column >= self.columns { (row + 1, 0) } else { (row, column) }
    }

    /// Returns where the line begins after the last line of a prompt.
    fn start(&self, prompt: &str) -> Place {
        self.after_all(&visible(prompt), (0, 0))
    }

    /// Shows the prompt and the line, over what was shown before, with the cursor before character `at`.
    pub(crate) fn draw(&mut self, prompt: &str, chars: &[char], at: usize, out: &mut Vec<u8>) {
        out.push(b'\r');
        up(self.cursor.0, out);
        out.extend_from_slice(prompt.as_bytes());
        let start = self.start(prompt);
        let mut place = start;
        for c in chars {
            if *c == '\n' {
                // What was shown there before ends too.
                if place.1 < self.columns {
                    out.extend_from_slice(b"\x1b[K");
                }
                out.push(b'\n');
            } else {
                show(*c, self.after(place, *c).1.saturating_sub(place.1), out);
            }
            place = self.after(place, *c);
        }
        if place.1 >= self.columns {
            // The terminal wraps only with the next character.
            out.push(b'\n');
            place = self.settled(place);
        }
        out.extend_from_slice(b"\x1b[J");
        let cursor = self.settled(self.after_all(&chars[..at], start));
        up(place.0.saturating_sub(cursor.0), out);
        out.push(b'\r');
        if cursor.1 > 0 {
            out.extend_from_slice(format!("\x1b[{}C", cursor.1).as_bytes());
        }
        self.cursor = cursor;
    }

    /// Shows a character that was added at the end of the line, if nothing else on the screen changes; else returns
    /// false.
    pub(crate) fn append(&mut self, c: char, out: &mut Vec<u8>) -> bool {
        let place = self.after(self.cursor, c);
        if c.is_control() || width(c) == 0 || place.0 != self.cursor.0 || place.1 >= self.columns {
            return false;
        }
        show(c, 0, out);
        self.cursor = place;
        true
    }

    /// Moves the cursor below the line.
    pub(crate) fn leave(&mut self, chars: &[char], at: usize, out: &mut Vec<u8>) {
        let end = self.settled(self.after_all(&chars[at..], self.cursor));
        for _ in self.cursor.0..end.0 {
            out.push(b'\n');
        }
        out.push(b'\n');
        self.cursor = (0, 0);
    }

    /// Clears the screen: the prompt stands in its first line next.
    pub(crate) fn clear(&mut self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"\x1b[H\x1b[2J");
        self.cursor = (0, 0);
    }

    pub(crate) fn columns(&self) -> usize {
        self.columns
    }
}

fn up(rows: usize, out: &mut Vec<u8>) {
    if rows > 0 {
        out.extend_from_slice(format!("\x1b[{rows}A").as_bytes());
    }
}

/// Shows a character; a tab as `blanks` spaces.
fn show(c: char, blanks: usize, out: &mut Vec<u8>) {
    match c {
        '\t' => out.extend(std::iter::repeat_n(b' ', blanks)),
        c if c.is_ascii_control() => out.extend_from_slice(&[b'^', c as u8 ^ 0x40]),
        c if c.is_control() => out.extend_from_slice(b"^?"),
        c => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
    }
}

/// Returns the characters of a prompt that take room: without colours, titles and other sequences.
fn visible(prompt: &str) -> Vec<char> {
    let mut found = Vec::new();
    let mut chars = prompt.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\x1b' if chars.next_if_eq(&'[').is_some() => {
                // Up to the letter that ends the sequence.
                while chars.next().is_some_and(|c| !('@'..='~').contains(&c)) {}
            }
            '\x1b' if chars.next_if_eq(&']').is_some() => {
                while let Some(c) = chars.next() {
                    if c == '\x07' || (c == '\x1b' && chars.next_if_eq(&'\\').is_some()) {
                        break;
                    }
                }
            }
            '\x1b' => drop(chars.next()),
            c if c.is_control() => {}
            c => found.push(c),
        }
    }
    found
}
