//! Editing of a line in canonical mode: erasing, killing, reprinting, and what ends a line.

use unicode_width::UnicodeWidthChar;

use super::discipline::Discipline;
use super::post::{after_tab, is_continuation};
use super::queue::Mark;
use super::settings::{at, flag};

/// Maximum bytes of a character in UTF-8.
const LONGEST: usize = 4;

impl Discipline {
    /// Takes a byte in canonical mode. The queue has room for the line and what the byte adds to it.
    pub(super) fn edit(&mut self, byte: u8) {
        let settings = self.settings;
        let is = |place| settings.is(byte, place);
        let extended = settings.local_has(flag::IEXTEN);
        if is(at::VERASE) {
            self.erase();
        } else if extended && is(at::VWERASE) {
            self.erase_word();
        } else if is(at::VKILL) {
            self.kill();
        } else if self.is_literal_next(byte) {
            self.literal = true;
            if settings.local_has(flag::ECHO) && settings.local_has(flag::ECHOCTL) {
                // The next byte is shown over it.
                self.show(b'^');
                self.show(0x08);
            }
        } else if extended && settings.local_has(flag::ECHO) && is(at::VREPRINT) {
            self.reprint();
        } else if byte == b'\n' {
            if settings.local_has(flag::ECHO | flag::ECHONL) {
                self.show(byte);
            }
            self.end_line(byte, Mark::LineEnd);
        } else if is(at::VEOF) {
            self.end_line(byte, Mark::EndOfFile);
        } else if is(at::VEOL) || (extended && is(at::VEOL2)) {
            self.echo(byte);
            self.end_line(byte, Mark::LineEnd);
        } else {
            self.add(byte);
        }
    }

    /// Moves the line to the queue.
    fn end_line(&mut self, byte: u8, mark: Mark) {
        for byte in std::mem::take(&mut self.line) {
            self.queue.push(byte, Mark::Inside);
        }
        self.queue.push(byte, mark);
    }

    /// Removes the last character.
    fn erase(&mut self) {
        let Some(start) = self.last_character(self.line.len()) else { return };
        if self.settings.local_has(flag::ECHOE) {
            self.rub_out(start);
        } else {
            self.line.truncate(start);
            self.echo(self.settings.characters[at::VERASE]);
        }
    }

    /// Removes the last word, and what stands after it.
    fn erase_word(&mut self) {
        let (mut start, mut seen) = (self.line.len(), false);
        while let Some(previous) = self.last_character(start) {
            let in_word = is_in_word(&self.line[previous..start]);
            if seen && !in_word {
                break;
            }
            seen |= in_word;
            start = previous;
        }
        self.rub_out(start);
    }

    /// Removes the whole line.
    fn kill(&mut self) {
        let visibly = [flag::ECHOE, flag::ECHOK, flag::ECHOKE].into_iter().all(|bit| self.settings.local_has(bit));
        if visibly {
            self.rub_out(0);
            return;
        }
        self.line.clear();
        self.echo(self.settings.characters[at::VKILL]);
        if self.settings.local_has(flag::ECHO) && self.settings.local_has(flag::ECHOK) {
            self.show(b'\n');
        }
    }

    /// Shows the line again, on a new line of the screen.
    fn reprint(&mut self) {
        self.echo(self.settings.characters[at::VREPRINT]);
        self.show(b'\n');
        self.line_column = self.cursor.column;
        let line = std::mem::take(&mut self.line);
        line.iter().for_each(|byte| self.show_visibly(*byte));
        self.line = line;
    }

    /// Removes the end of the line from `start` on, also from the screen.
    fn rub_out(&mut self, start: usize) {
        let before = self.column_at(self.line.len());
        let after = self.column_at(start);
        self.line.truncate(start);
        if !self.settings.local_has(flag::ECHO) {
            return;
        }
        for _ in after..before {
            for byte in *b"\x08 \x08" {
                self.show(byte);
            }
        }
    }

    /// Returns where the last character before `end` begins.
    fn last_character(&self, end: usize) -> Option<usize> {
        let mut start = end.checked_sub(1)?;
        if !self.settings.input_has(flag::IUTF8) {
            return Some(start);
        }
        let first = end.saturating_sub(LONGEST);
        while start > first && is_continuation(self.line[start]) {
            start -= 1;
        }
        // What is not UTF-8 is removed byte by byte.
        Some(if std::str::from_utf8(&self.line[start..end]).is_ok() { start } else { end - 1 })
    }

    /// Returns the column after the echo of the line up to `end`.
    fn column_at(&self, end: usize) -> usize {
        let mut column = self.line_column;
        if !self.settings.input_has(flag::IUTF8) {
            return self.line[..end].iter().fold(column, |column, byte| self.after(column, char::from(*byte)));
        }
        for chunk in self.line[..end].utf8_chunks() {
            column = chunk.valid().chars().fold(column, |column, c| self.after(column, c));
            column += chunk.invalid().iter().filter(|byte| !is_continuation(**byte)).count();
        }
        column
    }

    /// Returns the column after the echo of `c` at `column`.
    fn after(&self, column: usize, c: char) -> usize {
        match c {
            '\t' => after_tab(column),
            c if c.is_ascii_control() => column + if self.settings.local_has(flag::ECHOCTL) { 2 } else { 0 },
            c if self.settings.input_has(flag::IUTF8) => column + c.width().unwrap_or(0),
            _ => column + 1,
        }
    }
}

/// Returns whether a character, in UTF-8 or one byte, belongs to a word.
fn is_in_word(character: &[u8]) -> bool {
    match std::str::from_utf8(character) {
        Ok(text) => text.chars().all(|c| c.is_alphanumeric() || c == '_'),
        Err(_) => true,
    }
}
