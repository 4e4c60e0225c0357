//! The commands: which letter does what.

use super::address::{Range, number};
use super::input::Text;
use super::{Ed, Result, Stop, fail};
use std::rc::Rc;

const SUFFIX: &str = "Invalid command suffix";

/// How lines are printed after a command.
#[derive(Clone, Copy, Default)]
pub(crate) struct Shown {
    /// `l`: with invisible characters shown.
    list: bool,
    /// `n`: with their numbers.
    number: bool,
    /// `p`.
    print: bool,
}

impl Shown {
    fn any(self) -> bool {
        self.list || self.number || self.print
    }

    /// Toggles `p`.
    pub(crate) fn toggled(self) -> Self {
        Self { print: !self.print, ..self }
    }

    /// Returns the same letters, or `p` if there are none.
    pub(crate) fn or_print(self) -> Self {
        Self { print: self.print || !self.any(), ..self }
    }

    /// Takes one of the letters.
    pub(crate) fn take(&mut self, letter: u8) -> bool {
        match letter {
            b'l' => self.list = true,
            b'n' => self.number = true,
            b'p' => self.print = true,
            _ => return false,
        }
        true
    }
}

impl Ed {
    /// Runs the next command of a line.
    pub(crate) fn command(&mut self, text: &mut Text) -> Result<()> {
        let range = self.range(text)?;
        text.blanks();
        let (current, last) = (self.buffer.current, self.buffer.last());
        let letter = text.next();
        let shown = match letter {
            b'a' | b'i' | b'c' | b'd' | b'j' | b'm' | b't' | b'x' => self.change(letter, range, text)?,
            b'e' | b'E' | b'f' | b'r' | b'w' | b'W' => return self.file_command(letter, range, text),
            b'g' | b'v' | b'G' | b'V' => return self.global_command(letter, range, text),
            b'h' | b'H' | b'P' | b'q' | b'Q' | b'u' => self.plain(letter, range, text)?,
            b'k' => {
                let name = text.next();
                if name == b'\n' {
                    return fail(SUFFIX);
                }
                let shown = self.suffix(text)?;
                let (_, at) = one(range, current).checked(1, last)?;
                if !name.is_ascii_lowercase() {
                    return fail("Invalid mark character");
                }
                self.buffer.mark(name, at);
                shown
            }
            b'l' | b'n' | b'p' => {
                let (from, to) = range.checked(1, last)?;
                let mut shown = self.suffix(text)?;
                shown.take(letter);
                self.print(from, to, shown);
                return Ok(());
            }
            b's' => return self.substitute(range, text),
            b'y' => {
                let (from, to) = range.checked(1, last)?;
                let shown = self.suffix(text)?;
                self.buffer.yank(from, to);
                shown
            }
            b'z' => return self.scroll(range, text),
            b'=' => {
                let shown = self.suffix(text)?;
                let at = if range.count == 0 { last } else { range.to };
                self.put(format!("{at}\n").as_bytes());
                shown
            }
            b'!' if range.count > 0 => return fail("Unexpected address"),
            b'!' => return self.shell_command(text),
            b'\n' => {
                let next = current + usize::from(self.traditional || !self.global);
                let (_, at) = one(range, next).checked(1, last)?;
                self.print(at, at, Shown { print: true, ..Shown::default() });
                return Ok(());
            }
            b'#' => {
                text.line();
                return Ok(());
            }
            _ => return fail("Unknown command"),
        };
        self.show(shown);
        Ok(())
    }

    /// Prints the current line, if letters after the command ask for it.
    pub(crate) fn show(&mut self, shown: Shown) {
        let at = self.buffer.current;
        if shown.any() && at > 0 {
            self.print(at, at, shown);
        }
    }

    /// Reads the letters after a command, and the end of its line.
    pub(crate) fn suffix(&mut self, text: &mut Text) -> Result<Shown> {
        let mut shown = Shown::default();
        while shown.take(text.peek()) {
            text.next();
        }
        if text.next() == b'\n' { Ok(shown) } else { fail(SUFFIX) }
    }

    /// Keeps the state for `u`, before a change.
    pub(crate) fn keep(&mut self) {
        if !self.global {
            self.buffer.keep();
        }
    }

    fn plain(&mut self, letter: u8, range: Range, text: &mut Text) -> Result<Shown> {
        if range.count > 0 {
            return fail("Unexpected address");
        }
        let shown = self.suffix(text)?;
        let message = self.message.clone();
        match letter {
            b'q' if self.buffer.modified && !self.warned => return Err(Stop::Modified),
            b'q' | b'Q' => return Err(Stop::Quit),
            b'P' => self.prompted = !self.prompted,
            b'u' => {
                if !self.buffer.undo() {
                    return fail("Nothing to undo");
                }
            }
            _ => {
                if letter == b'H' {
                    self.verbose = !self.verbose;
                }
                if let Some(message) = message.filter(|_| letter == b'h' || self.verbose) {
                    self.put(format!("{message}\n").as_bytes());
                }
            }
        }
        Ok(shown)
    }

    fn change(&mut self, letter: u8, range: Range, text: &mut Text) -> Result<Shown> {
        let (current, last) = (self.buffer.current, self.buffer.last());
        match letter {
            b'a' | b'i' => {
                let shown = self.suffix(text)?;
                let (_, at) = one(range, current).checked(0, last)?;
                self.keep();
                self.append(at.saturating_sub(usize::from(letter == b'i')), text)?;
                Ok(shown)
            }
            b'c' => {
                let (from, to) = range.checked(1, last)?;
                let shown = self.suffix(text)?;
                self.keep();
                self.buffer.delete(from, to);
                self.append(from - 1, text)?;
                if self.buffer.current == from - 1 {
                    self.buffer.current = from.min(self.buffer.last());
                }
                Ok(shown)
            }
            b'd' => {
                let (from, to) = range.checked(1, last)?;
                let shown = self.suffix(text)?;
                self.keep();
                self.buffer.delete(from, to);
                self.buffer.current = from.min(self.buffer.last());
                Ok(shown)
            }
            b'j' => {
                let (from, to) = range.or(current, current + 1).checked(1, last)?;
                let shown = self.suffix(text)?;
                self.keep();
                if from < to {
                    let lines = self.buffer.lines(from, to);
                    let joined: Vec<u8> = lines.iter().flat_map(|line| line.text.iter().copied()).collect();
                    self.buffer.remove(from, to);
                    self.buffer.insert(from - 1, vec![joined.into()]);
                }
                Ok(shown)
            }
            b'x' => {
                let (_, at) = one(range, current).checked(0, last)?;
                let shown = self.suffix(text)?;
                if self.buffer.cut().is_empty() {
                    return fail("Nothing to put");
                }
                self.keep();
                let lines = self.buffer.cut().to_vec();
                self.buffer.insert(at, lines);
                Ok(shown)
            }
            _ => self.carry(letter, range, text),
        }
    }

    /// Runs `m` and `t`.
    fn carry(&mut self, letter: u8, range: Range, text: &mut Text) -> Result<Shown> {
        let last = self.buffer.last();
        let (from, to) = range.checked(1, last)?;
        let after = self.range(text)?.to;
        let shown = self.suffix(text)?;
        if letter == b't' {
            self.keep();
            let lines = self.buffer.lines(from, to).iter().map(|line| line.text.clone()).collect();
            self.buffer.insert(after, lines);
            return Ok(shown);
        }
        if (from..to).contains(&after) {
            return fail("Invalid destination");
        }
        self.keep();
        if after == to || after + 1 == from {
            // They stay where they are.
            self.buffer.current = to;
            self.buffer.modified = true;
        } else {
            self.buffer.shift(from, to, after);
        }
        Ok(shown)
    }

    /// Reads lines up to a dot and inserts them after an address: from the command list, or from standard input.
    fn append(&mut self, after: usize, text: &mut Text) -> Result<()> {
        let mut lines: Vec<Rc<[u8]>> = Vec::new();
        loop {
            let line = if self.global {
                if text.ended() {
                    break;
                }
                text.line()
            } else {
                let read = self.input.line().or_else(|error| fail(crate::text::reason(&error)))?;
                let Some(mut line) = read else { break };
                line.pop();
                line
            };
            if line == b"." {
                break;
            }
            lines.push(line.into());
        }
        self.buffer.insert(after, lines);
        Ok(())
    }

    fn scroll(&mut self, range: Range, text: &mut Text) -> Result<()> {
        let last = self.buffer.last();
        let next = self.buffer.current + usize::from(self.traditional || !self.global);
        let (_, from) = one(range, next).checked(1, last)?;
        if text.peek().is_ascii_digit() {
            let lines = number(text)?;
            if lines == 0 {
                return fail(SUFFIX);
            }
            self.screen = usize::try_from(lines).unwrap_or(usize::MAX);
        }
        let mut shown = self.suffix(text)?;
        if !shown.any() {
            shown.print = true;
        }
        self.print(from, last.min(from.saturating_add(self.screen - 1)), shown);
        Ok(())
    }

    /// Prints lines; the last becomes current.
    fn print(&mut self, from: usize, to: usize, shown: Shown) {
        if from == 0 {
            return;
        }
        for at in from..=to {
            let line = self.buffer.text(at);
            if shown.number {
                self.put(format!("{at}\t").as_bytes());
            }
            if shown.list {
                let listed = listed(&line, if shown.number { 8 } else { 0 });
                self.put(&listed);
            } else {
                self.put(&line);
            }
            self.put(b"\n");
        }
        self.buffer.current = to;
    }

    /// Returns the lines of a command, by default the whole buffer; no lines if the buffer is empty.
    pub(crate) fn all_or(&self, range: Range) -> Result<(usize, usize)> {
        let last = self.buffer.last();
        if range.count == 0 && last == 0 { Ok((0, 0)) } else { range.or(1, last).checked(1, last) }
    }
}

/// Returns the address of a command that takes one: the last of those given.
pub(super) fn one(range: Range, default: usize) -> Range {
    let range = range.or(default, default);
    Range { from: range.to, ..range }
}

/// Refuses the address of a command that takes none.
pub(super) fn no_address(range: Range) -> Result<()> {
    if range.count > 0 { fail("Unexpected address") } else { Ok(()) }
}

/// Returns a line as `l` prints it: invisible characters as escapes, lines of 72 columns, a `$` at the end.
fn listed(line: &[u8], start: usize) -> Vec<u8> {
    const WIDTH: usize = 72;
    let mut out = Vec::new();
    let mut column = start;
    for byte in line {
        let word = match byte {
            b'\x07' => "\\a".to_owned(),
            b'\x08' => "\\b".to_owned(),
            b'\x0c' => "\\f".to_owned(),
            b'\n' => "\\n".to_owned(),
            b'\r' => "\\r".to_owned(),
            b'\t' => "\\t".to_owned(),
            b'\x0b' => "\\v".to_owned(),
            b'\\' => "\\\\".to_owned(),
            b'$' => "\\$".to_owned(),
            32..=126 => char::from(*byte).to_string(),
            _ => format!("\\{byte:03o}"),
        };
        if column + word.len() > WIDTH {
            out.extend_from_slice(b"\\\n");
            column = 0;
        }
        column += word.len();
        out.extend_from_slice(word.as_bytes());
    }
    out.push(b'$');
    out
}
