//! The open-file description: what duplicated and inherited descriptors share.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bytes::Bytes;
use parking_lot::Mutex;

use super::contents::MAX_SIZE;
use super::{Device, FileType, FsError, Node};

/// Where [`OpenFile::seek`] counts from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whence {
    /// The start of the file.
    Start,
    /// The current offset.
    Current,
    /// The end of the file.
    End,
}

/// A node with an offset and the append flag. Clones are the same description and share both, like descriptors made
/// by `dup`.
#[derive(Clone)]
pub struct OpenFile {
    inner: Arc<Inner>,
}

struct Inner {
    node: Node,
    append: AtomicBool,
    /// Held during a read or write, so that two at once do not use the same offset twice.
    offset: Mutex<u64>,
}

impl OpenFile {
    /// Creates a description at offset 0. With `append`, every write goes to the end of the file.
    pub fn new(node: Node, append: bool) -> Self {
        Self { inner: Arc::new(Inner { node, append: AtomicBool::new(append), offset: Mutex::new(0) }) }
    }

    /// Returns a description at `offset`.
    pub fn at(node: Node, append: bool, offset: u64) -> Self {
        Self { inner: Arc::new(Inner { node, append: AtomicBool::new(append), offset: Mutex::new(offset.min(MAX_SIZE)) }) }
    }

    /// Returns the file.
    pub fn node(&self) -> &Node {
        &self.inner.node
    }

    /// Returns whether writes go to the end of the file.
    pub fn append(&self) -> bool {
        self.inner.append.load(Ordering::Relaxed)
    }

    /// Sets or clears the append flag, as `fcntl(F_SETFL)` does.
    pub fn set_append(&self, append: bool) {
        self.inner.append.store(append, Ordering::Relaxed);
    }

    /// Returns the offset.
    pub fn offset(&self) -> u64 {
        *self.inner.offset.lock()
    }

    /// Reads at most `len` bytes at the offset, which then advances past them. May be short like [`Node::read_at`]; empty
    /// at the end of the file.
    pub fn read(&self, len: usize) -> Result<Bytes, FsError> {
        let mut offset = self.inner.offset.lock();
        let bytes = self.inner.node.read_at(*offset, len)?;
        *offset = offset.saturating_add(bytes.len() as u64);
        Ok(bytes)
    }

    /// Writes at the offset, or at the end with the append flag. Returns the number of bytes written, and advances
    /// the offset past them.
    pub fn write(&self, bytes: &[u8]) -> Result<usize, FsError> {
        let mut offset = self.inner.offset.lock();
        let (count, end) = if self.append() {
            self.inner.node.append_some(bytes, false)?
        } else {
            let count = self.inner.node.write_at(*offset, bytes)?;
            (count, offset.saturating_add(count as u64))
        };
        *offset = end;
        Ok(count)
    }

    /// Moves the offset and returns the new one. An offset beyond the end is allowed: a write there leaves a hole.
    pub fn seek(&self, whence: Whence, by: i64) -> Result<u64, FsError> {
        let node = &self.inner.node;
        match node.file_type() {
            FileType::Regular | FileType::Directory => {}
            _ if matches!(node.device(), Some(Device::Null | Device::Zero | Device::Full)) => return Ok(0),
            _ => return Err(FsError::IllegalSeek),
        }
        let mut offset = self.inner.offset.lock();
        let base = match whence {
            Whence::Start => 0,
            Whence::Current => *offset,
            Whence::End => node.stat()?.size,
        };
        let new = base.checked_add_signed(by).filter(|new| *new <= MAX_SIZE).ok_or(FsError::Invalid)?;
        *offset = new;
        Ok(new)
    }
}
