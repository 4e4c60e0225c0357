//! Operations of a node on the bytes of its file: read, write, truncate.

use bytes::{Bytes, BytesMut};

use super::chunk::zeros;
use super::contents::Contents;
use super::feed::{OnHost, Report};
use super::inode::{Ino, Kind};
use super::node::Now;
use super::{Device, FsError, Node};

impl Node {
    /// Reads at most `len` bytes at `offset`. The result may be shorter than `len`: read again after it; only an empty
    /// result means end of file. Whole, aligned chunks (64 KiB) and base files are returned without a copy.
    pub fn read_at(&self, offset: u64, len: usize) -> Result<Bytes, FsError> {
        if !self.readable() {
            return Err(FsError::BadDescriptor);
        }
        match self.now()? {
            Now::Memory(ino) => {
                let live = self.fs().lock();
                self.check(&live.tree)?;
                match &live.tree.inode(ino)?.kind {
                    Kind::File(contents) => {
                        let found = contents.read(offset, len);
                        drop(live);
                        Ok(found.into_bytes())
                    }
                    Kind::Directory(_) => Err(FsError::IsDirectory),
                    Kind::Device(Device::Null) => Ok(Bytes::new()),
                    Kind::Device(Device::Zero | Device::Full) => Ok(zeros(len)),
                    Kind::Device(_) | Kind::Fifo | Kind::Socket => Err(FsError::Unsupported),
                    // An open computed file has no inode.
                    Kind::Symlink(_) | Kind::Computed(_) | Kind::ComputedLink(_) => Err(FsError::Invalid),
                    // Opened as the copy of an overlay's file, which a restore has removed.
                    Kind::Mounted(_) => Err(FsError::BadDescriptor),
                }
            }
            Now::File(file) => file.read_at(offset, len),
            Now::Directory(..) => Err(FsError::IsDirectory),
            Now::Descriptor(_) => Err(FsError::Unsupported),
            Now::Computed(text) => Ok(text.read(offset, len)),
        }
    }

    /// Reads `len` bytes at `offset`; fewer only at the end of the file.
    pub fn read_range(&self, offset: u64, len: u64) -> Result<Bytes, FsError> {
        let len = usize::try_from(len).unwrap_or(usize::MAX);
        let first = self.read_at(offset, len)?;
        if first.len() >= len || first.is_empty() {
            return Ok(first);
        }
        let mut all = BytesMut::from(&first[..]);
        while all.len() < len {
            let more = self.read_at(offset.saturating_add(all.len() as u64), len - all.len())?;
            if more.is_empty() {
                break;
            }
            all.extend_from_slice(&more);
        }
        Ok(all.freeze())
    }

    /// Writes at `offset`; returns the number of bytes written. It is smaller than the input when the quota runs out;
    /// the next call then fails with `NoSpace`.
    pub fn write_at(&self, offset: u64, bytes: &[u8]) -> Result<usize, FsError> {
        match self.writing()? {
            Now::Memory(ino) => self.change(ino, bytes, |contents, room| contents.write(offset, bytes, room, false)),
            Now::File(file) => self.reported(OnHost::Written, file.write_at(offset, bytes)),
            Now::Directory(..) => Err(FsError::IsDirectory),
            Now::Descriptor(_) => Err(FsError::Unsupported),
            // Never open for writing.
            Now::Computed(_) => Err(FsError::BadDescriptor),
        }
    }

    /// Writes all bytes at `offset`. If that fails, some of them may have been written.
    pub fn write_all_at(&self, mut offset: u64, mut bytes: &[u8]) -> Result<(), FsError> {
        while !bytes.is_empty() {
            let written = self.write_at(offset, bytes)?;
            if written == 0 {
                return Err(FsError::Io);
            }
            offset += written as u64;
            bytes = &bytes[written..];
        }
        Ok(())
    }

    /// Writes all bytes at the end, or none. Returns the new end.
    pub fn append(&self, bytes: &[u8]) -> Result<u64, FsError> {
        self.append_some(bytes, true).map(|(_, end)| end)
    }

    /// Writes at the end; returns the number of bytes written and the new end.
    pub(super) fn append_some(&self, bytes: &[u8], whole: bool) -> Result<(usize, u64), FsError> {
        match self.writing()? {
            _ if bytes.is_empty() => Ok((0, self.stat()?.size)),
            Now::Memory(ino) => {
                let mut end = 0;
                let count = self.change(ino, bytes, |contents, room| {
                    let count = contents.write(contents.len(), bytes, room, whole)?;
                    end = contents.len();
                    Ok(count)
                })?;
                Ok((count, end))
            }
            Now::File(file) => self.reported(OnHost::Written, file.append(bytes)).map(|end| (bytes.len(), end)),
            Now::Directory(..) => Err(FsError::IsDirectory),
            Now::Descriptor(_) => Err(FsError::Unsupported),
            // Never open for writing.
            Now::Computed(_) => Err(FsError::BadDescriptor),
        }
    }

    fn writing(&self) -> Result<Now<'_>, FsError> {
        if !self.writable() {
            return Err(FsError::BadDescriptor);
        }
        self.now()
    }

    /// Writes to a file in memory, or to a device that accepts it.
    fn change(&self, ino: Ino, bytes: &[u8], change: impl FnOnce(&mut Contents, u64) -> Result<usize, FsError>) -> Result<usize, FsError> {
        let now = self.fs().now();
        let mut live = self.fs().lock();
        self.check(&live.tree)?;
        match &live.tree.inode(ino)?.kind {
            Kind::Device(Device::Null | Device::Zero) => Ok(bytes.len()),
            Kind::Device(Device::Full) => Err(FsError::NoSpace),
            Kind::Device(_) | Kind::Fifo | Kind::Socket => Err(FsError::Unsupported),
            Kind::Mounted(_) => Err(FsError::BadDescriptor),
            Kind::File(_) if bytes.is_empty() => Ok(0),
            _ => {
                let count = live.tree.change(ino, now, change)?;
                live.report(|| Report::Written(ino));
                Ok(count)
            }
        }
    }

    /// Truncates the file to `len` bytes, or extends it with a hole.
    pub fn set_len(&self, len: u64) -> Result<(), FsError> {
        match self.writing()? {
            Now::Memory(ino) => {
                let now = self.fs().now();
                let mut live = self.fs().lock();
                self.check(&live.tree)?;
                live.tree.change(ino, now, |contents, room| contents.set_len(len, room))?;
                live.report(|| Report::Written(ino));
                Ok(())
            }
            Now::File(file) => self.reported(OnHost::Written, file.set_len(len)),
            Now::Directory(..) => Err(FsError::IsDirectory),
            Now::Descriptor(_) => Err(FsError::Invalid),
            Now::Computed(_) => Err(FsError::BadDescriptor),
        }
    }
}
