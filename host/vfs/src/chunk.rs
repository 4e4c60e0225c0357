//! One chunk of a file: up to 64 KiB, shared until it is written to.

use bytes::{Bytes, BytesMut};

/// Size of a whole chunk. It is large enough that a gigabyte has only 16,384 chunks (a snapshot touches none of them,
/// a truncation each), and small enough that changing one byte of a shared file copies little. It is also the size of
/// a pipe, so that `cat` moves whole chunks.
pub(super) const CHUNK: usize = 64 * 1024;

/// What a hole reads as.
static ZEROS: [u8; CHUNK] = [0; CHUNK];

/// Returns `len` zero bytes, at most one chunk, that take no storage.
pub(super) fn zeros(len: usize) -> Bytes {
    Bytes::from_static(&ZEROS[..len.min(CHUNK)])
}

/// The stored part of one chunk: bytes `start..start + data.len()`; the rest of the chunk is a hole. Because of
/// `start`, a single byte written far into a sparse file costs one byte, not also the zeros before it.
#[derive(Debug, Clone)]
pub(super) struct Chunk {
    start: usize,
    data: Bytes,
}

impl Chunk {
    /// Returns a chunk that shares `data`, which must not be longer than a chunk.
    pub(super) fn share(data: Bytes) -> Self {
        Self { start: 0, data }
    }

    /// Creates a chunk with `bytes` at `at`; both must fit into the chunk. `more` bytes are likely to follow, so their room
    /// is reserved.
    pub(super) fn new(at: usize, bytes: &[u8], more: bool) -> Self {
        let mut data = BytesMut::with_capacity(if more { CHUNK - at } else { bytes.len() });
        data.extend_from_slice(bytes);
        Self { start: at, data: data.freeze() }
    }

    /// Returns whether the chunk is full.
    pub(super) fn is_whole(&self) -> bool {
        self.data.len() == CHUNK
    }

    /// Returns the number of bytes stored.
    pub(super) fn held(&self) -> u64 {
        self.data.len() as u64
    }

    fn end(&self) -> usize {
        self.start + self.data.len()
    }

    /// Returns how many bytes `held` would grow by if `len` bytes were written at `at`.
    pub(super) fn growth(&self, at: usize, len: usize) -> u64 {
        (self.start.saturating_sub(at) + (at + len).saturating_sub(self.end())) as u64
    }

    /// Writes `bytes` at `at`, in place if the data is not shared.
    pub(super) fn write(&mut self, at: usize, bytes: &[u8]) {
        let (start, end) = (self.start.min(at), self.end().max(at + bytes.len()));
        let needed = end - start;
        let old = std::mem::take(&mut self.data);
        let mut data = match old.try_into_mut() {
            Ok(owned) if start == self.start && owned.capacity() >= needed => owned,
            other => {
                let old: Bytes = other.map_or_else(|shared| shared, BytesMut::freeze);
                let mut copy = BytesMut::with_capacity(if needed > old.len() { (needed * 2).min(CHUNK - start) } else { needed });
                copy.resize(self.start - start, 0);
                copy.extend_from_slice(&old);
                copy
            }
        };
        let from = at - start;
        if from >= data.len() {
            data.resize(from, 0);
            data.extend_from_slice(bytes);
        } else {
            let inside = bytes.len().min(data.len() - from);
            data[from..from + inside].copy_from_slice(&bytes[..inside]);
            data.extend_from_slice(&bytes[inside..]);
        }
        self.start = start;
        self.data = data.freeze();
    }

    /// Drops everything from `end` on; returns whether anything is left. The rest moves into a buffer of its own
    /// size. Otherwise thousands of files, each truncated to one byte, would each hold a whole chunk of host memory that
    /// the quota does not count.
    pub(super) fn truncate(&mut self, end: usize) -> bool {
        if end <= self.start {
            return false;
        }
        if end < self.end() {
            self.data = Bytes::copy_from_slice(&self.data[..end - self.start]);
        }
        true
    }

    /// Returns bytes `at..at + len` without a copy, if all of them are stored.
    pub(super) fn slice(&self, at: usize, len: usize) -> Option<Bytes> {
        (at >= self.start && at + len <= self.end()).then(|| self.data.slice(at - self.start..at - self.start + len))
    }

    /// Returns the stored part of `at..at + len`, and its offset in that range.
    pub(super) fn overlap(&self, at: usize, len: usize) -> Option<(usize, Bytes)> {
        let (from, to) = (at.max(self.start), (at + len).min(self.end()));
        (from < to).then(|| (from - at, self.data.slice(from - self.start..to - self.start)))
    }
}
