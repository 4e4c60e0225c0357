//! Sparse members: where their data lies in the file, in GNU's formats (old, and 0.0, 0.1 and 1.0 of pax).

use super::header::{self, BLOCK};
use std::io::{Error, ErrorKind, Result};

/// Maximum pieces of a member. Attack: a map without end, which is held in memory. A file of 8 GiB whose every second block is a hole has
/// as many.
const MAX_PIECES: usize = 1 << 20;

/// Bytes of an entry of an old map: two numbers.
const ENTRY: usize = 24;

/// Where the data of a member lies, and how far it has been read.
#[derive(Debug, Default)]
pub(super) struct Map {
    /// Where each piece begins in the file, and its length.
    pieces: Vec<(u64, u64)>,
    /// The size of the file.
    size: u64,
    /// The position in the file, and the piece at it or after it.
    at: u64,
    piece: usize,
}

fn malformed() -> Error {
    Error::new(ErrorKind::InvalidData, "invalid sparse archive member")
}

fn old_number(field: &[u8]) -> Result<u64> {
    u64::try_from(header::read_number(field)).map_err(|_| malformed())
}

impl Map {
    /// Reads the map in a header of GNU's old format, and whether it goes on in the next block.
    pub(super) fn old(block: &[u8; BLOCK]) -> Result<(Self, bool)> {
        let mut map = Self { size: old_number(&block[483..495])?, ..Self::default() };
        map.entries(&block[386..482])?;
        Ok((map, block[482] != 0))
    }

    /// Reads a further block of an old map. Returns whether it goes on.
    pub(super) fn go_on(&mut self, block: &[u8; BLOCK]) -> Result<bool> {
        self.entries(&block[..504])?;
        Ok(block[504] != 0)
    }

    fn entries(&mut self, fields: &[u8]) -> Result<()> {
        for entry in fields.chunks_exact(ENTRY).take_while(|entry| entry[12] != 0) {
            self.push(old_number(&entry[..12])?, old_number(&entry[12..])?)?;
        }
        Ok(())
    }

    fn push(&mut self, start: u64, length: u64) -> Result<()> {
        if self.pieces.len() == MAX_PIECES {
            return Err(malformed());
        }
        self.pieces.push((start, length));
        Ok(())
    }

    /// Reads the map in the records of a pax header, and whether it lies before the data instead; `None` if the member is not sparse.
    pub(super) fn of_records(records: &[(Vec<u8>, Vec<u8>)]) -> Result<Option<(Self, bool)>> {
        let (mut map, mut sparse, mut offset) = (Self::default(), false, None);
        let (mut major, mut minor) = (0, 0);
        for (key, value) in records {
            let Some(key) = key.strip_prefix(b"GNU.sparse.") else { continue };
            let text = std::str::from_utf8(value).map_err(|_| malformed())?;
            let number = |text: &str| text.parse::<u64>().map_err(|_| malformed());
            sparse = true;
            match key {
                b"major" => major = number(text)?,
                b"minor" => minor = number(text)?,
                b"size" | b"realsize" => map.size = number(text)?,
                b"offset" => offset = Some(number(text)?),
                b"numbytes" => map.push(offset.take().ok_or_else(malformed)?, number(text)?)?,
                b"map" => {
                    map.pieces.clear();
                    let numbers: Vec<u64> = text.split(',').filter(|word| !word.is_empty()).map(number).collect::<Result<_>>()?;
                    map.pairs(&numbers)?;
                }
                _ => {}
            }
        }
        match (major, minor) {
            _ if !sparse => Ok(None),
            (0, _) => Ok(Some((map, false))),
            (1, 0) => Ok(Some((map, true))),
            _ => Err(Error::new(ErrorKind::InvalidData, format!("sparse members of format {major}.{minor} are not known here"))),
        }
    }

    /// Takes the pieces as numbers: where each begins, and its length.
    pub(super) fn pairs(&mut self, numbers: &[u64]) -> Result<()> {
        let mut pairs = numbers.chunks_exact(2);
        if !pairs.remainder().is_empty() {
            return Err(malformed());
        }
        pairs.try_for_each(|pair| self.push(pair[0], pair[1]))
    }

    /// Checks that the pieces follow each other inside the file, and that an archive which holds `stored` bytes has the data of all.
    pub(super) fn check(&self, stored: u64) -> Result<()> {
        let (mut end, mut data) = (0_u64, 0_u64);
        for (start, length) in &self.pieces {
            let stop = start.checked_add(*length).filter(|stop| *start >= end && *stop <= self.size).ok_or_else(malformed)?;
            (end, data) = (stop, data + *length);
        }
        if data == stored && i64::try_from(self.size).is_ok() { Ok(()) } else { Err(malformed()) }
    }

    /// Returns the size of the file.
    pub(super) fn size(&self) -> u64 {
        self.size
    }

    /// Returns whether data comes next, or else a hole, and how many bytes of it; 0 at the end of the file.
    pub(super) fn next(&mut self) -> (bool, u64) {
        while self.pieces.get(self.piece).is_some_and(|(start, length)| start + length <= self.at) {
            self.piece += 1;
        }
        match self.pieces.get(self.piece) {
            Some((start, length)) if *start <= self.at => (true, start + length - self.at),
            Some((start, _)) => (false, start - self.at),
            None => (false, self.size - self.at),
        }
    }

    /// Moves on by bytes that have been read or skipped.
    pub(super) fn pass(&mut self, count: u64) {
        self.at += count;
    }
}

/// Reads the map before the data of a member of format 1.0, block by block: lines with the number of pieces and the pieces.
#[derive(Debug, Default)]
pub(super) struct Lines {
    current: Option<u64>,
    numbers: Vec<u64>,
}

impl Lines {
    /// Reads a block. Returns the numbers of the pieces when the map is complete; the rest of that block means nothing.
    pub(super) fn take(&mut self, block: &[u8; BLOCK]) -> Result<Option<&[u64]>> {
        for byte in block {
            match byte {
                b'0'..=b'9' => {
                    let longer = self.current.unwrap_or(0).checked_mul(10).and_then(|value| value.checked_add(u64::from(byte - b'0')));
                    self.current = Some(longer.ok_or_else(malformed)?);
                }
                b'\n' => {
                    self.numbers.push(self.current.take().ok_or_else(malformed)?);
                    let pieces = usize::try_from(self.numbers[0]).ok().filter(|pieces| *pieces <= MAX_PIECES).ok_or_else(malformed)?;
                    if self.numbers.len() == 1 + 2 * pieces {
                        return Ok(Some(&self.numbers[1..]));
                    }
                }
                _ => return Err(malformed()),
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_and_holes_take_turns() {
        let mut map = Map { size: 20, ..Map::default() };
        map.pairs(&[5, 3, 8, 2, 12, 0, 20, 0]).unwrap();
        map.check(5).unwrap();
        let mut seen = Vec::new();
        while let (data, count @ 1..) = map.next() {
            seen.push((data, count));
            map.pass(count);
        }
        assert_eq!(seen, [(false, 5), (true, 3), (true, 2), (false, 2), (false, 8)]);
    }

    #[test]
    fn a_map_that_is_wrong_is_refused() {
        for (numbers, stored) in [(&[5, 3][..], 4), (&[5, 3, 7, 1], 4), (&[19, 2], 2), (&[u64::MAX, 2], 2), (&[0, 1, 5], 1)] {
            let mut map = Map { size: 20, ..Map::default() };
            assert!(map.pairs(numbers).and_then(|()| map.check(stored)).is_err(), "{numbers:?}");
        }
        let record = |key: &str, value: &str| (key.as_bytes().to_vec(), value.as_bytes().to_vec());
        assert!(Map::of_records(&[record("path", "a")]).unwrap().is_none());
        assert!(Map::of_records(&[record("GNU.sparse.major", "2")]).is_err());
        assert!(Map::of_records(&[record("GNU.sparse.numbytes", "2")]).is_err());
        let records = [record("GNU.sparse.size", "9"), record("GNU.sparse.offset", "4"), record("GNU.sparse.numbytes", "2")];
        let (map, in_data) = Map::of_records(&records).unwrap().unwrap();
        assert_eq!((map.pieces, map.size, in_data), (vec![(4, 2)], 9, false));
    }

    #[test]
    fn lines_may_cross_blocks() {
        let mut text = b"60\n".to_vec();
        (0..60).for_each(|at| text.extend(format!("{}\n512\n", at * 100_000).bytes()));
        text.resize(text.len().next_multiple_of(BLOCK), 0);
        let mut lines = Lines::default();
        let blocks: Vec<&[u8; BLOCK]> = text.chunks_exact(BLOCK).map(|block| block.try_into().unwrap()).collect();
        let (last, first) = blocks.split_last().unwrap();
        first.iter().for_each(|block| assert!(lines.take(block).unwrap().is_none()));
        assert_eq!(lines.take(last).unwrap().unwrap().len(), 120);
        assert!(Lines::default().take(&[b'x'; BLOCK]).is_err());
    }
}
