//! The zip format: local headers, the central directory, zip64 for reading.

use super::crypt::HEADER;
use std::io::{Error, ErrorKind, Read, Result, Seek, SeekFrom, Write};
use wisp_tool::calendar::{Civil, TimeZone};

/// One entry of the directory.
#[derive(Debug, Clone, Default)]
pub(super) struct Entry {
    pub name: Vec<u8>,
    pub method: u16,
    pub flags: u16,
    pub crc: u32,
    pub packed: u64,
    pub size: u64,
    /// Where the local header is.
    pub offset: u64,
    pub mtime: i64,
    /// Unix mode with the type of the file, 0 if the archive has none.
    pub mode: u32,
    pub made_by: u16,
    pub text: bool,
    /// The extra fields of the directory.
    pub extra: Vec<u8>,
    /// The times as the format has them.
    pub dos: u32,
}

pub(super) const DIR: u32 = 0o040_000;
pub(super) const LINK: u32 = 0o120_000;
pub(super) const FILE: u32 = 0o100_000;
const TYPE: u32 = 0o170_000;

fn u16_at(data: &[u8], at: usize) -> u16 {
    data.get(at..at + 2).map_or(0, |b| u16::from_le_bytes([b[0], b[1]]))
}

fn u32_at(data: &[u8], at: usize) -> u32 {
    data.get(at..at + 4).map_or(0, |b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
}

fn u64_at(data: &[u8], at: usize) -> u64 {
    u64::from(u32_at(data, at)) | u64::from(u32_at(data, at + 4)) << 32
}

fn invalid(message: &str) -> Error {
    Error::new(ErrorKind::InvalidData, message)
}

/// Returns a moment as the format has it: local time, 1980 at least, in steps of two seconds, to which it is rounded up.
pub(super) fn dos_time(moment: i64) -> u32 {
    to_dos(&TimeZone::local().civil(moment.saturating_add(moment & 1)).0)
}

fn to_dos(shown: &Civil) -> u32 {
    let Civil { year, month, day, hour, minute, second, .. } = *shown;
    if year < 1980 {
        return (1 << 21) | (1 << 16);
    }
    let date = (((year - 1980) << 9) | (month << 5) | day) as u32;
    (date << 16) | ((hour << 11) | (minute << 5) | (second / 2)) as u32
}

/// Returns what the clocks showed, as seconds since they showed 1970.
fn from_dos(dos: u32) -> i64 {
    let part = |shift: u32, mask: u32| i64::from((dos >> shift) & mask);
    let (year, month, day) = (1980 + part(25, 127), part(21, 15).max(1), part(16, 31).max(1));
    Civil { year, month, day, hour: part(11, 31), minute: part(5, 63), second: part(0, 31) * 2, ..Civil::default() }.seconds()
}

impl Entry {
    pub(super) fn is_dir(&self) -> bool {
        self.name.ends_with(b"/") || self.mode & TYPE == DIR
    }
    pub(super) fn is_link(&self) -> bool {
        self.mode & TYPE == LINK
    }
    pub(super) fn encrypted(&self) -> bool {
        self.flags & 1 != 0
    }

    /// Returns the last byte of the header of encryption: of the time if the checksum follows the data, or else of the checksum.
    pub(super) fn check(&self) -> u8 {
        (if self.flags & 8 != 0 { self.dos >> 8 } else { self.crc >> 24 }) as u8
    }

    /// Returns the size of the packed data alone.
    pub(super) fn data(&self) -> u64 {
        if self.encrypted() { self.packed.saturating_sub(HEADER as u64) } else { self.packed }
    }

    /// Returns the extra fields by their numbers.
    fn fields(&self) -> impl Iterator<Item = (u16, &[u8])> {
        let mut rest = &self.extra[..];
        std::iter::from_fn(move || {
            let (id, length) = (u16_at(rest, 0), usize::from(u16_at(rest, 2)));
            let data = rest.get(4..4 + length)?;
            rest = &rest[4 + length..];
            Some((id, data))
        })
    }

    /// Returns the time of the file, in seconds since 1970, if an extra field has it.
    fn stamp(&self) -> Option<i64> {
        let has = |id: u16, data: &[u8]| id == 0x5455 && data.first().is_some_and(|flags| flags & 1 != 0) && data.len() >= 5;
        self.fields().find(|&(id, data)| has(id, data)).map(|(_, data)| i64::from(u32_at(data, 1) as i32))
    }

    /// Returns what a list shows as the time: local time.
    pub(super) fn shown(&self) -> Civil {
        self.stamp().map_or_else(|| Civil::at(from_dos(self.dos)), |moment| TimeZone::local().civil(moment).0)
    }

    fn finish(&mut self) {
        self.mtime = self.stamp().unwrap_or_else(|| TimeZone::local().moment(from_dos(self.dos)));
        let (mut size, mut packed, mut offset) = (self.size, self.packed, self.offset);
        for (_, data) in self.fields().filter(|(id, _)| *id == 1) {
            let mut at = 0;
            for value in [&mut size, &mut packed, &mut offset] {
                if *value == 0xffff_ffff && at + 8 <= data.len() {
                    *value = u64_at(data, at);
                    at += 8;
                }
            }
        }
        (self.size, self.packed, self.offset) = (size, packed, offset);
    }

    /// Returns the local header; sizes are zero when they follow the data.
    pub(super) fn local(&self) -> Vec<u8> {
        let streamed = self.flags & 8 != 0;
        let (crc, packed, size) = if streamed { (0, 0, 0) } else { (self.crc, self.packed, self.size) };
        let mut out = b"PK\x03\x04".to_vec();
        out.extend(if self.method == 0 { 10u16 } else { 20 }.to_le_bytes());
        out.extend(self.flags.to_le_bytes());
        out.extend(self.method.to_le_bytes());
        out.extend(self.dos.to_le_bytes());
        out.extend(crc.to_le_bytes());
        out.extend((packed as u32).to_le_bytes());
        out.extend((size as u32).to_le_bytes());
        out.extend((self.name.len() as u16).to_le_bytes());
        out.extend((self.extra.len() as u16).to_le_bytes());
        out.extend(&self.name);
        out.extend(&self.extra);
        out
    }

    /// Returns what follows data that was streamed.
    pub(super) fn descriptor(&self) -> Vec<u8> {
        let mut out = b"PK\x07\x08".to_vec();
        out.extend(self.crc.to_le_bytes());
        out.extend((self.packed as u32).to_le_bytes());
        out.extend((self.size as u32).to_le_bytes());
        out
    }

    fn central(&self) -> Vec<u8> {
        let mut out = b"PK\x01\x02".to_vec();
        out.extend(self.made_by.to_le_bytes());
        out.extend(if self.method == 0 { 10u16 } else { 20 }.to_le_bytes());
        out.extend(self.flags.to_le_bytes());
        out.extend(self.method.to_le_bytes());
        out.extend(self.dos.to_le_bytes());
        out.extend(self.crc.to_le_bytes());
        out.extend((self.packed as u32).to_le_bytes());
        out.extend((self.size as u32).to_le_bytes());
        out.extend((self.name.len() as u16).to_le_bytes());
        out.extend((self.extra.len() as u16).to_le_bytes());
        out.extend([0; 4]);
        out.extend(u16::from(self.text).to_le_bytes());
        let dos_attributes = if self.is_dir() { 0x10 } else { 0 };
        out.extend((self.mode << 16 | dos_attributes).to_le_bytes());
        out.extend((self.offset as u32).to_le_bytes());
        out.extend(&self.name);
        out.extend(&self.extra);
        out
    }
}

/// Returns the extra field with the time of a file, to the second.
pub(super) fn time_field(mtime: i64) -> Vec<u8> {
    let mut out = vec![0x55, 0x54, 5, 0, 1];
    out.extend((mtime as i32).to_le_bytes());
    out
}

/// Writes the directory that ends an archive.
pub(super) fn write_directory(out: &mut dyn Write, entries: &[Entry], start: u64, comment: &[u8]) -> Result<()> {
    let mut length = 0u64;
    for entry in entries {
        let record = entry.central();
        length += record.len() as u64;
        out.write_all(&record)?;
    }
    if start + length > 0xffff_fffe || entries.len() > 0xfffe {
        return Err(Error::other("an archive of more than 4 GiB or 65534 entries cannot be written here"));
    }
    let mut end = b"PK\x05\x06\0\0\0\0".to_vec();
    end.extend((entries.len() as u16).to_le_bytes());
    end.extend((entries.len() as u16).to_le_bytes());
    end.extend((length as u32).to_le_bytes());
    end.extend((start as u32).to_le_bytes());
    end.extend((comment.len() as u16).to_le_bytes());
    end.extend(comment);
    out.write_all(&end)
}

/// What is at the end of an archive.
pub(super) struct Directory {
    pub entries: Vec<Entry>,
    pub comment: Vec<u8>,
    /// Bytes before the archive, as in a program that unpacks itself.
    pub shift: u64,
}

/// Reads the directory; `None` where there is none.
pub(super) fn read_directory(file: &mut (impl Read + Seek)) -> Result<Option<Directory>> {
    let length = file.seek(SeekFrom::End(0))?;
    let tail = length.min(66_000);
    file.seek(SeekFrom::End(-(tail as i64)))?;
    let mut data = Vec::new();
    file.by_ref().take(tail).read_to_end(&mut data)?;
    let found = (0..data.len().saturating_sub(21)).rev().find(|at| data[*at..].starts_with(b"PK\x05\x06"));
    let Some(at) = found else { return Ok(None) };
    let end = &data[at..];
    let (mut count, mut size, mut start) = (u64::from(u16_at(end, 10)), u64::from(u32_at(end, 12)), u64::from(u32_at(end, 16)));
    let comment = end.get(22..22 + usize::from(u16_at(end, 20))).unwrap_or_default().to_vec();
    let mut place = length - tail + at as u64;
    if (count == 0xffff || start == 0xffff_ffff || size == 0xffff_ffff) && at >= 20 && data[at - 20..].starts_with(b"PK\x06\x07") {
        place = u64_at(&data[at - 20..], 8);
        file.seek(SeekFrom::Start(place))?;
        let mut record = [0; 56];
        file.read_exact(&mut record)?;
        (count, size, start) = (u64_at(&record, 32), u64_at(&record, 40), u64_at(&record, 48));
    }
    let begin = place.checked_sub(size).ok_or_else(|| invalid("the central directory does not fit into the file"))?;
    let shift = begin.checked_sub(start).ok_or_else(|| invalid("the central directory does not fit into the file"))?;
    file.seek(SeekFrom::Start(begin))?;
    let mut reader = std::io::BufReader::new(file.by_ref().take(size));
    let mut entries = Vec::new();
    for _ in 0..count {
        entries.push(read_entry(&mut reader)?);
    }
    Ok(Some(Directory { entries, comment, shift }))
}

fn read_entry(reader: &mut impl Read) -> Result<Entry> {
    let mut head = [0; 46];
    reader.read_exact(&mut head)?;
    if !head.starts_with(b"PK\x01\x02") {
        return Err(invalid("bad central directory"));
    }
    let mut take = |at: usize| -> Result<Vec<u8>> {
        let mut data = vec![0; usize::from(u16_at(&head, at))];
        reader.read_exact(&mut data)?;
        Ok(data)
    };
    let (name, extra, _comment) = (take(28)?, take(30)?, take(32)?);
    let made_by = u16_at(&head, 4);
    let unix = matches!(made_by >> 8, 3 | 19);
    let mut entry = Entry {
        name,
        method: u16_at(&head, 10),
        flags: u16_at(&head, 8),
        crc: u32_at(&head, 16),
        packed: u64::from(u32_at(&head, 20)),
        size: u64::from(u32_at(&head, 24)),
        offset: u64::from(u32_at(&head, 42)),
        mtime: 0,
        mode: if unix { u32_at(&head, 38) >> 16 } else { 0 },
        made_by,
        text: u16_at(&head, 36) & 1 != 0,
        extra,
        dos: u32_at(&head, 12),
    };
    entry.finish();
    Ok(entry)
}

/// Returns where an entry's data begins.
pub(super) fn data_start(file: &mut (impl Read + Seek), entry: &Entry, shift: u64) -> Result<u64> {
    let place = entry.offset + shift;
    file.seek(SeekFrom::Start(place))?;
    let mut head = [0; 30];
    file.read_exact(&mut head)?;
    if !head.starts_with(b"PK\x03\x04") {
        return Err(invalid("bad zipfile offset"));
    }
    Ok(place + 30 + u64::from(u16_at(&head, 26)) + u64::from(u16_at(&head, 28)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_return() {
        for moment in [315_532_800, 1_704_164_646, 2_000_000_000] {
            assert_eq!(from_dos(to_dos(&Civil::at(moment))), moment - moment % 2);
        }
        assert_eq!(from_dos(to_dos(&Civil::at(0))), 315_532_800);
        // Never before the file's own time.
        assert_eq!(dos_time(1_704_164_645), dos_time(1_704_164_646));
    }

    #[test]
    fn directories_return() {
        let entry = Entry {
            name: b"a/b".to_vec(),
            crc: 7,
            packed: 3,
            size: 9,
            method: 8,
            mode: FILE | 0o644,
            made_by: 0x031e,
            dos: dos_time(1_700_000_000),
            extra: time_field(1_700_000_001),
            ..Entry::default()
        };
        let mut data = entry.local();
        let start = data.len() as u64;
        write_directory(&mut data, &[entry], start, b"hi").unwrap();
        let found = read_directory(&mut std::io::Cursor::new(data)).unwrap().unwrap();
        let back = &found.entries[0];
        assert_eq!((back.name.as_slice(), back.size, back.mtime, back.mode), (&b"a/b"[..], 9, 1_700_000_001, FILE | 0o644));
        assert_eq!(found.comment, b"hi");
        assert!(read_directory(&mut std::io::Cursor::new(vec![0; 100])).unwrap().is_none());
    }
}
