//! The contents of a file: its length, and a persistent map of the chunks that are not holes. A copy of a file is
//! free until one of the two changes, and then costs only the changed chunks.

use bytes::Bytes;
use rpds::RedBlackTreeMapSync;

use super::FsError;
use super::chunk::{CHUNK, Chunk, zeros};

/// The largest size of a file: offsets are signed 64-bit numbers in every libc.
pub(super) const MAX_SIZE: u64 = i64::MAX as u64;

/// Maximum bytes that one read returns when they have to be assembled (1 MiB). A guest can name any length, and a sparse file
/// has that many zeros; the host never allocates more than this for one call.
pub const MAX_READ: usize = 1 << 20;

/// Minimum charge of a chunk, from a file's second chunk on. In a sparse file of single bytes each byte needs about
/// 300 bytes of host memory; if each were charged as one byte, the quota would allow 300 times its number. Files
/// without holes are not affected.
const CHUNK_CHARGE: u64 = 4096;

/// The contents of a regular file.
#[derive(Debug, Clone)]
pub(super) struct Contents {
    len: u64,
    store: Store,
}

#[derive(Debug, Clone)]
enum Store {
    /// A base file: one block of bytes that the host owns (a memory-mapped archive, for example). It costs no quota.
    Shared(Bytes),
    /// A hole only.
    Empty,
    /// One chunk: most files.
    One(u64, Chunk),
    /// Any number of chunks, with the sum of the bytes they hold.
    Many { chunks: RedBlackTreeMapSync<u64, Chunk>, held: u64 },
}

/// What a read found. It is assembled after the filesystem's lock has been released.
pub(super) enum Found {
    /// One contiguous piece.
    Whole(Bytes),
    /// `len` bytes with these pieces in them, zero elsewhere.
    Pieces { len: usize, pieces: Vec<(usize, Bytes)> },
}

impl Found {
    pub(super) fn into_bytes(self) -> Bytes {
        match self {
            Self::Whole(bytes) => bytes,
            Self::Pieces { len, pieces } => {
                let mut out = Vec::with_capacity(len);
                for (at, piece) in pieces {
                    out.resize(at, 0);
                    out.extend_from_slice(&piece);
                }
                out.resize(len, 0);
                out.into()
            }
        }
    }
}

/// Splits an offset into the number of its chunk and the offset within it.
fn split(offset: u64) -> (u64, usize) {
    // The remainder is below 65,536.
    (offset / CHUNK as u64, (offset % CHUNK as u64) as usize)
}

impl Contents {
    pub(super) fn empty() -> Self {
        Self { len: 0, store: Store::Empty }
    }

    pub(super) fn shared(bytes: Bytes) -> Self {
        Self { len: bytes.len() as u64, store: Store::Shared(bytes) }
    }

    pub(super) fn len(&self) -> u64 {
        self.len
    }

    /// Returns the number of bytes stored, as `st_blocks` counts them.
    pub(super) fn stored(&self) -> u64 {
        match &self.store {
            Store::Shared(bytes) => bytes.len() as u64,
            Store::Empty => 0,
            Store::One(_, chunk) => chunk.held(),
            Store::Many { held, .. } => *held,
        }
    }

    /// Returns the stored bytes with their offsets, in ascending order; each piece is at most one chunk.
    pub(super) fn pieces(&self) -> Vec<(u64, Bytes)> {
        let piece = |index: u64, chunk: &Chunk| chunk.overlap(0, CHUNK).map(|(at, bytes)| (index * CHUNK as u64 + at as u64, bytes));
        match &self.store {
            Store::Shared(all) => {
                let pieces = (0..all.len()).step_by(CHUNK);
                pieces.map(|from| (from as u64, all.slice(from..all.len().min(from + CHUNK)))).collect()
            }
            Store::Empty => Vec::new(),
            Store::One(index, chunk) => piece(*index, chunk).into_iter().collect(),
            Store::Many { chunks, .. } => chunks.iter().filter_map(|(index, chunk)| piece(*index, chunk)).collect(),
        }
    }

    /// Returns whether both share the same host bytes or both are empty. Does not compare bytes.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        match (&self.store, &other.store) {
            (Store::Shared(one), Store::Shared(other)) => one.as_ptr() == other.as_ptr() && one.len() == other.len(),
            (Store::Empty, Store::Empty) => self.len == other.len,
            _ => false,
        }
    }

    fn count(&self) -> u64 {
        match &self.store {
            Store::Shared(_) | Store::Empty => 0,
            Store::One(..) => 1,
            Store::Many { chunks, .. } => chunks.size() as u64,
        }
    }

    /// Returns the number of bytes that the quota is charged for.
    pub(super) fn charge(&self) -> u64 {
        match &self.store {
            Store::Shared(_) => 0,
            _ => charge(self.stored(), self.count()),
        }
    }

    fn chunk(&self, index: u64) -> Option<&Chunk> {
        match &self.store {
            Store::One(only, chunk) if *only == index => Some(chunk),
            Store::Many { chunks, .. } => chunks.get(&index),
            _ => None,
        }
    }

    /// Reads at most `len` bytes at `offset`. Fewer at the end of the file, or when more than a megabyte would have to be
    /// assembled.
    pub(super) fn read(&self, offset: u64, len: usize) -> Found {
        let left = self.len.saturating_sub(offset);
        let len = usize::try_from(left).unwrap_or(usize::MAX).min(len);
        if len == 0 {
            return Found::Whole(Bytes::new());
        }
        if let Store::Shared(bytes) = &self.store {
            // `offset + len` is within the block, because its length is `self.len`.
            let from = offset as usize;
            return Found::Whole(bytes.slice(from..from + len));
        }
        let (mut index, mut at) = split(offset);
        if at + len <= CHUNK {
            match self.chunk(index) {
                None => return Found::Whole(zeros(len)),
                Some(chunk) => {
                    if let Some(bytes) = chunk.slice(at, len) {
                        return Found::Whole(bytes);
                    }
                }
            }
        }
        let len = len.min(MAX_READ);
        let (mut done, mut pieces) = (0, Vec::with_capacity(len / CHUNK + 2));
        while done < len {
            let part = (CHUNK - at).min(len - done);
            if let Some((skip, bytes)) = self.chunk(index).and_then(|chunk| chunk.overlap(at, part)) {
                pieces.push((done + skip, bytes));
            }
            (done, at, index) = (done + part, 0, index + 1);
        }
        Found::Pieces { len, pieces }
    }

    /// Writes `bytes` at `offset`, as many as fit while the charge grows by at most `room`. With `whole`, writes all
    /// or none.
    pub(super) fn write(&mut self, offset: u64, bytes: &[u8], room: u64, whole: bool) -> Result<usize, FsError> {
        if bytes.is_empty() {
            return Ok(0);
        }
        let limit = MAX_SIZE.saturating_sub(offset);
        if limit == 0 || (whole && limit < bytes.len() as u64) {
            return Err(FsError::FileTooLarge);
        }
        let bytes = &bytes[..usize::try_from(limit).unwrap_or(usize::MAX).min(bytes.len())];
        let allowed = self.charge().saturating_add(room);
        self.own(allowed)?;
        if whole && self.charge_after(offset, bytes.len()) > allowed {
            return Err(FsError::NoSpace);
        }
        let mut done = 0;
        while done < bytes.len() {
            let (index, at) = split(offset + done as u64);
            let part = (CHUNK - at).min(bytes.len() - done);
            let fits = self.fits(index, at, part, allowed);
            if fits > 0 {
                self.put(index, at, &bytes[done..done + fits]);
                done += fits;
            }
            if fits < part {
                break;
            }
        }
        if done == 0 {
            return Err(FsError::NoSpace);
        }
        self.len = self.len.max(offset + done as u64);
        Ok(done)
    }

    /// Returns what `charge` would be after writing `len` bytes at `offset`.
    fn charge_after(&self, offset: u64, len: usize) -> u64 {
        let (mut held, mut count, mut done) = (self.stored(), self.count(), 0);
        while done < len {
            let (index, at) = split(offset + done as u64);
            let part = (CHUNK - at).min(len - done);
            match self.chunk(index) {
                Some(chunk) => held += chunk.growth(at, part),
                None => (held, count) = (held + part as u64, count + 1),
            }
            done += part;
        }
        charge(held, count)
    }

    /// Returns how many of `len` bytes at `at` in chunk `index` can be written before the charge exceeds `allowed`.
    fn fits(&self, index: u64, at: usize, len: usize, allowed: u64) -> usize {
        let chunk = self.chunk(index);
        let count = self.count() + u64::from(chunk.is_none());
        let after = |len: usize| charge(self.stored() + chunk.map_or(len as u64, |chunk| chunk.growth(at, len)), count);
        if after(len) <= allowed {
            return len;
        }
        // `after` grows with its argument: find the largest that is allowed
        let (mut low, mut high) = (0, len);
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if after(middle) <= allowed { low = middle } else { high = middle }
        }
        low
    }

    fn put(&mut self, index: u64, at: usize, bytes: &[u8]) {
        // A file that is written from start to end continues after a whole chunk.
        let more = index > 0 && at == 0 && self.chunk(index - 1).is_some_and(Chunk::is_whole);
        match &mut self.store {
            // `own` has turned a shared block into chunks
            Store::Shared(_) | Store::Empty => self.store = Store::One(index, Chunk::new(at, bytes, more)),
            Store::One(only, chunk) if *only == index => chunk.write(at, bytes),
            Store::One(only, chunk) => {
                let held = chunk.held() + bytes.len() as u64;
                let mut chunks = RedBlackTreeMapSync::new_sync();
                chunks.insert_mut(*only, chunk.clone());
                chunks.insert_mut(index, Chunk::new(at, bytes, more));
                self.store = Store::Many { chunks, held };
            }
            Store::Many { chunks, held } => {
                if let Some(chunk) = chunks.get_mut(&index) {
                    *held += chunk.growth(at, bytes.len());
                    chunk.write(at, bytes);
                } else {
                    *held += bytes.len() as u64;
                    chunks.insert_mut(index, Chunk::new(at, bytes, more));
                }
            }
        }
    }

    /// Turns a shared block into chunks, which the quota counts: the first write to a base file copies it up, even if
    /// the bytes stay shared.
    fn own(&mut self, allowed: u64) -> Result<(), FsError> {
        let Store::Shared(bytes) = &self.store else { return Ok(()) };
        if bytes.len() as u64 > allowed {
            return Err(FsError::NoSpace);
        }
        let mut chunks = RedBlackTreeMapSync::new_sync();
        for (index, from) in (0..bytes.len()).step_by(CHUNK).enumerate() {
            chunks.insert_mut(index as u64, Chunk::share(bytes.slice(from..bytes.len().min(from + CHUNK))));
        }
        self.store = Store::Many { chunks, held: self.len };
        Ok(())
    }

    /// Truncates the file to `len` bytes, or extends it with a hole.
    pub(super) fn set_len(&mut self, len: u64, room: u64) -> Result<(), FsError> {
        if len > MAX_SIZE {
            return Err(FsError::FileTooLarge);
        }
        if len == 0 {
            *self = Self::empty();
            return Ok(());
        }
        if len != self.len {
            self.own(room)?;
        }
        if len < self.len {
            let (index, at) = split(len);
            match &mut self.store {
                Store::Shared(_) | Store::Empty => {}
                Store::One(only, chunk) => {
                    if *only > index || (*only == index && !chunk.truncate(at)) {
                        self.store = Store::Empty;
                    }
                }
                Store::Many { chunks, held } => {
                    let cut: Vec<u64> = chunks.range(index..).map(|(number, _)| *number).collect();
                    for number in cut {
                        let Some(chunk) = chunks.get_mut(&number) else { continue };
                        *held -= chunk.held();
                        if number == index && chunk.truncate(at) {
                            *held += chunk.held();
                        } else {
                            chunks.remove_mut(&number);
                        }
                    }
                }
            }
        }
        self.len = len;
        Ok(())
    }
}

fn charge(held: u64, count: u64) -> u64 {
    held.max(count.saturating_sub(1) * CHUNK_CHARGE)
}
