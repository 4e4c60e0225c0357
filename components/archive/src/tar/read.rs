//! Reading an archive member by member.

use super::header::{self, BLOCK, Kind, Member};
use super::sparse::{Lines, Map};
use std::io::{Error, ErrorKind, Read, Result};

/// The longest name or pax header that is taken.
const MAX_EXTRA: u64 = 1 << 20;

/// Reads members; the data of one is read or skipped before the next.
pub(super) struct Reader<R: Read> {
    input: R,
    /// Bytes read so far.
    position: u64,
    /// Data of the current member that is left, and the padding after it.
    left: u64,
    padding: u64,
    /// Where that data lies in the file, if the member is sparse.
    sparse: Option<Map>,
    /// Where the last member ended.
    end: u64,
    /// Continue after blocks of zeros.
    pub ignore_zeros: bool,
    global: Vec<(Vec<u8>, Vec<u8>)>,
}

/// Why an archive cannot be read further.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReadStop {
    /// The file is empty or shorter than a block.
    TooShort,
    /// The first block is not a header.
    NotAnArchive,
    /// A later block is not a header.
    NoHeader,
    /// The archive ends inside a member.
    Cut,
}

impl ReadStop {
    /// Returns the reason that an error of [`Reader`] carries; `None` if reading the file failed.
    pub(super) fn of(error: &Error) -> Option<Self> {
        error.get_ref()?.downcast_ref().copied()
    }
}

impl std::fmt::Display for ReadStop {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(match self {
            Self::TooShort | Self::NotAnArchive => "This does not look like a tar archive",
            Self::NoHeader => "Skipping to next header",
            Self::Cut => "Unexpected EOF in archive",
        })
    }
}

impl std::error::Error for ReadStop {}

impl From<ReadStop> for Error {
    fn from(stop: ReadStop) -> Self {
        Self::new(ErrorKind::InvalidData, stop)
    }
}

impl<R: Read> Reader<R> {
    /// Creates a reader from the start of an archive.
    pub(super) fn new(input: R) -> Self {
        Self { input, position: 0, left: 0, padding: 0, sparse: None, end: 0, ignore_zeros: false, global: Vec::new() }
    }

    /// Returns where the next member would be.
    pub(super) fn end_of_members(&self) -> u64 {
        self.end
    }

    /// Reads a block; `None` at the end of the input.
    fn block(&mut self) -> Result<Option<[u8; BLOCK]>> {
        let mut block = [0; BLOCK];
        let mut have = 0;
        while have < BLOCK {
            match self.input.read(&mut block[have..]) {
                Ok(0) => break,
                Ok(count) => have += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        self.position += have as u64;
        match have {
            0 => Ok(None),
            BLOCK => Ok(Some(block)),
            _ if self.end == 0 => Err(ReadStop::TooShort.into()),
            _ => Err(ReadStop::Cut.into()),
        }
    }

    /// Skips what is left of the current member.
    fn skip(&mut self) -> Result<()> {
        let rest = self.left + self.padding;
        let skipped = std::io::copy(&mut self.input.by_ref().take(rest), &mut std::io::sink())?;
        self.position += skipped;
        (self.left, self.padding, self.sparse) = (0, 0, None);
        if skipped < rest { Err(ReadStop::Cut.into()) } else { Ok(()) }
    }

    fn extra(&mut self, size: u64) -> Result<Vec<u8>> {
        if size > MAX_EXTRA {
            return Err(Error::new(ErrorKind::InvalidData, "a name or header of more than a megabyte"));
        }
        let whole = size.next_multiple_of(BLOCK as u64);
        let mut data = Vec::new();
        self.input.by_ref().take(whole).read_to_end(&mut data)?;
        self.position += data.len() as u64;
        if (data.len() as u64) < whole {
            return Err(ReadStop::Cut.into());
        }
        data.truncate(size as usize);
        Ok(data)
    }

    /// Returns the next member.
    pub(super) fn next(&mut self) -> Result<Option<Member>> {
        self.skip()?;
        if self.position > 0 {
            self.end = self.position;
        }
        let (mut name, mut link): (Option<Vec<u8>>, Option<Vec<u8>>) = (None, None);
        let mut records: Vec<(Vec<u8>, Vec<u8>)> = self.global.clone();
        let mut zeros = false;
        loop {
            let Some(block) = self.block()? else {
                return if self.position == 0 { Err(ReadStop::TooShort.into()) } else { Ok(None) };
            };
            if block.iter().all(|b| *b == 0) {
                if self.ignore_zeros {
                    continue;
                }
                // The end is two such blocks; a single one is tolerated.
                if zeros {
                    return Ok(None);
                }
                zeros = true;
                continue;
            }
            if zeros {
                return Ok(None);
            }
            if !header::is_header(&block) {
                return Err(Error::from(if self.end == 0 { ReadStop::NotAnArchive } else { ReadStop::NoHeader }));
            }
            let mut member = header::parse(&block);
            match header::letter(&block) {
                b'L' => name = Some(header::text(&self.extra(member.size)?).to_vec()),
                b'K' => link = Some(header::text(&self.extra(member.size)?).to_vec()),
                b'x' | b'X' => records.extend(pax(&self.extra(member.size)?)),
                b'g' => {
                    let data = self.extra(member.size)?;
                    self.global.extend(pax(&data));
                    records.extend(pax(&data));
                }
                _ => {
                    apply(&mut member, &records);
                    member.name = name.unwrap_or(member.name);
                    member.link = link.unwrap_or(member.link);
                    if !matches!(member.kind, Kind::File | Kind::Other(_)) {
                        member.size = 0;
                    }
                    self.left = member.size;
                    self.padding = member.size.next_multiple_of(BLOCK as u64) - member.size;
                    self.end = self.end.max(1);
                    self.sparse = self.map(&block, &mut member, &records)?;
                    return Ok(Some(member));
                }
            }
        }
    }
}

impl<R: Read> Reader<R> {
    /// Reads where the data of a sparse member lies. The size of the member becomes that of the file.
    fn map(&mut self, block: &[u8; BLOCK], member: &mut Member, records: &[(Vec<u8>, Vec<u8>)]) -> Result<Option<Map>> {
        let map = match member.kind {
            Kind::Other(b'S') => {
                let (mut map, mut more) = Map::old(block)?;
                while more {
                    let block = self.block()?.ok_or(ReadStop::Cut)?;
                    more = map.go_on(&block)?;
                }
                member.kind = Kind::File;
                map
            }
            Kind::File => {
                let Some((mut map, in_data)) = Map::of_records(records)? else { return Ok(None) };
                if in_data {
                    map.pairs(&self.map_in_data()?)?;
                }
                map
            }
            _ => return Ok(None),
        };
        map.check(self.left)?;
        member.size = map.size();
        Ok(Some(map))
    }

    /// Reads the numbers of the map before the data of the current member.
    fn map_in_data(&mut self) -> Result<Vec<u64>> {
        let mut lines = Lines::default();
        loop {
            self.left = self.left.checked_sub(BLOCK as u64).ok_or(ReadStop::Cut)?;
            let block = self.block()?.ok_or(ReadStop::Cut)?;
            if let Some(numbers) = lines.take(&block)? {
                return Ok(numbers.to_vec());
            }
        }
    }

    /// Returns whether the current member has holes.
    pub(super) fn is_sparse(&self) -> bool {
        self.sparse.is_some()
    }

    /// Skips the hole that comes next in the current member, if one does. Returns its length.
    pub(super) fn hole(&mut self) -> u64 {
        let Some(map) = &mut self.sparse else { return 0 };
        let (data, count) = map.next();
        if data {
            return 0;
        }
        map.pass(count);
        count
    }
}

impl<R: Read> Read for Reader<R> {
    /// Reads the data of the current member; holes are zeros.
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        let (data, want) = self.sparse.as_mut().map_or((true, self.left), Map::next);
        let want = out.len().min(usize::try_from(want).unwrap_or(usize::MAX));
        if want == 0 {
            return Ok(0);
        }
        let mut count = want;
        if data {
            count = self.input.read(&mut out[..want])?;
            if count == 0 {
                return Err(ReadStop::Cut.into());
            }
            self.left -= count as u64;
            self.position += count as u64;
        } else {
            out[..want].fill(0);
        }
        if let Some(map) = &mut self.sparse {
            map.pass(count as u64);
        }
        Ok(count)
    }
}

/// Returns the records `length key=value` of a pax header.
fn pax(mut data: &[u8]) -> Vec<(Vec<u8>, Vec<u8>)> {
    let mut records = Vec::new();
    while let Some(space) = data.iter().position(|b| *b == b' ') {
        let length = std::str::from_utf8(&data[..space]).ok().and_then(|d| d.parse::<usize>().ok());
        let Some(record) = length.and_then(|length| data.get(space + 1..length)) else { break };
        data = &data[space + 1 + record.len()..];
        let record = record.strip_suffix(b"\n").unwrap_or(record);
        if let Some(at) = record.iter().position(|b| *b == b'=') {
            records.push((record[..at].to_vec(), record[at + 1..].to_vec()));
        }
    }
    records
}

fn apply(member: &mut Member, records: &[(Vec<u8>, Vec<u8>)]) {
    for (key, value) in records {
        let text = String::from_utf8_lossy(value);
        match key.as_slice() {
            b"path" => member.name.clone_from(value),
            b"linkpath" => member.link.clone_from(value),
            b"size" => member.size = text.parse().unwrap_or(member.size),
            b"uid" => member.uid = text.parse().unwrap_or(member.uid),
            b"gid" => member.gid = text.parse().unwrap_or(member.gid),
            b"uname" => member.user.clone_from(value),
            b"gname" => member.group.clone_from(value),
            b"mtime" => {
                let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
                member.mtime = whole.parse().unwrap_or(member.mtime);
                member.nanos = format!("{fraction:0<9}").get(..9).and_then(|f| f.parse().ok()).unwrap_or(0);
            }
            _ => {}
        }
    }
    // The other name of a sparse member is one for programs that know no holes.
    if let Some((_, name)) = records.iter().rfind(|(key, _)| key == b"GNU.sparse.name") {
        member.name.clone_from(name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_cut_by_their_length() {
        let records = pax(b"12 path=a=b\n19 mtime=12.5000000\n");
        assert_eq!(records[0], (b"path".to_vec(), b"a=b".to_vec()));
        assert_eq!(records.len(), 2);
        assert!(pax(b"999 x=y\n").is_empty());
    }

    #[test]
    fn an_error_carries_its_reason() {
        let reason = |archive: &[u8]| ReadStop::of(&Reader::new(archive).next().err().unwrap());
        assert_eq!(reason(b""), Some(ReadStop::TooShort));
        assert_eq!(reason(&[b'x'; 100]), Some(ReadStop::TooShort));
        assert_eq!(reason(&[b'x'; BLOCK]), Some(ReadStop::NotAnArchive));
        assert_eq!(ReadStop::of(&Error::other("This does not look like a tar archive")), None);
    }
}
