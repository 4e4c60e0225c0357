//! Addresses in front of a command.

use super::input::Text;
use super::{Ed, Result, fail};

const INVALID: &str = "Invalid address";

/// The lines that a command applies to.
#[derive(Clone, Copy)]
pub(crate) struct Range {
    /// How many addresses were given.
    pub count: usize,
    /// The first line.
    pub from: usize,
    /// The last line.
    pub to: usize,
}

impl Range {
    /// Returns the given lines, or these if there is no address.
    pub(crate) fn or(self, from: usize, to: usize) -> Self {
        if self.count == 0 { Self { from, to, ..self } } else { self }
    }

    /// Returns the lines, if they exist and the first is at least `least`.
    pub(crate) fn checked(self, least: usize, last: usize) -> Result<(usize, usize)> {
        if self.from < least || self.from > self.to || self.to > last { fail(INVALID) } else { Ok((self.from, self.to)) }
    }
}

impl Ed {
    /// Reads the addresses before a command: `A,B`, or `A;B`, which makes A current before B is evaluated. An address left out before the
    /// sign is the first line or the current one, and one left out after it is the last line or the first address; `%` is `,`.
    pub(crate) fn range(&mut self, text: &mut Text) -> Result<Range> {
        let current = self.buffer.current;
        let mut range = Range { count: 0, from: current, to: current };
        if let Some(address) = self.address(text)? {
            range = Range { count: 1, from: address, to: address };
        }
        while let sign @ (b',' | b';' | b'%') = text.peek() {
            text.next();
            range = match (range.count, sign) {
                (0, b';') => Range { count: 2, from: self.buffer.current, to: self.buffer.last() },
                (0, _) => Range { count: 2, from: 1, to: self.buffer.last() },
                (_, b';') => {
                    self.buffer.current = range.to;
                    Range { count: 2, from: range.to, ..range }
                }
                _ => Range { count: 2, from: range.to, ..range },
            };
            if let Some(address) = self.address(text)? {
                range.to = address;
            }
        }
        Ok(range)
    }

    /// Reads one address, if there is one.
    pub(crate) fn address(&mut self, text: &mut Text) -> Result<Option<usize>> {
        text.blanks();
        let start = text.at();
        let mut first = true;
        let mut address = self.buffer.current as i64;
        loop {
            let c = text.peek();
            match c {
                b'0'..=b'9' => {
                    let number = number(text)?;
                    address = if first { number } else { address + number };
                }
                b' ' | b'\t' => {
                    text.blanks();
                    continue;
                }
                b'+' | b'-' => {
                    text.next();
                    let step = if text.peek().is_ascii_digit() { number(text)? } else { 1 };
                    address += if c == b'-' { -step } else { step };
                }
                b'.' | b'$' | b'/' | b'?' | b'\'' if !first => return fail(INVALID),
                b'.' | b'$' => {
                    text.next();
                    address = if c == b'.' { self.buffer.current } else { self.buffer.last() } as i64;
                }
                b'/' | b'?' => address = self.search(text)? as i64,
                b'\'' => {
                    text.next();
                    address = self.marked(text)? as i64;
                }
                _ => {
                    if text.at() == start {
                        return Ok(None);
                    }
                    return match usize::try_from(address) {
                        Ok(address) if address <= self.buffer.last() => Ok(Some(address)),
                        _ => fail(INVALID),
                    };
                }
            }
            first = false;
        }
    }

    fn marked(&mut self, text: &mut Text) -> Result<usize> {
        let letter = text.next();
        if !letter.is_ascii_lowercase() {
            return fail("Invalid mark character");
        }
        self.buffer.marked(letter).map_or_else(|| fail(INVALID), Ok)
    }

    /// Finds the next line that matches `/expression/`, or the previous one for `?`; the search wraps around at the ends.
    fn search(&mut self, text: &mut Text) -> Result<usize> {
        let delimiter = text.next();
        let regex = self.pattern(text, delimiter)?;
        if text.peek() == delimiter {
            text.next();
        }
        let (last, current) = (self.buffer.last(), self.buffer.current);
        let order = (1..=last).map(|step| match delimiter {
            b'/' => (current + step - 1) % last + 1,
            _ => (current + 2 * last - step - 1) % last + 1,
        });
        for address in order {
            if regex.is_match(&self.buffer.text(address)) {
                return Ok(address);
            }
        }
        fail("No match")
    }
}

/// Parses a number in the range of addresses.
pub(super) fn number(text: &mut Text) -> Result<i64> {
    let mut value = 0_i64;
    while text.peek().is_ascii_digit() {
        value = value * 10 + i64::from(text.next() - b'0');
        if value > i64::from(i32::MAX) {
            return fail("Number out of range");
        }
    }
    Ok(value)
}
