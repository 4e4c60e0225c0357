//! Named pipes: the pipes that the open ends of named files share. A file has a pipe while an end of it is open.
//!
//! Opening follows fifo(7): an end for reading waits for a writer, an end for writing waits for a reader, and an end for
//! both waits for nothing. Ownership is the protocol here too: an [`Opening`] counts as an end of its side from the
//! beginning, so that the other side can go on, and dropping it (the process was killed while it waited) takes it back.

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::{Arc, Weak};

use parking_lot::Mutex;

use super::pipe::{PipeReader, PipeWriter, Shared};

/// The device and inode numbers of a named pipe. The caller keeps the file from being freed while an end is open, so that
/// the numbers mean one pipe as long as they are in the table.
pub type FifoFile = (u64, u64);

/// The sides of a named pipe that a process opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// For reading (O_RDONLY).
    Read,
    /// For writing (O_WRONLY).
    Write,
    /// For both (O_RDWR), as on Linux; POSIX leaves it open.
    Both,
}

/// The named pipes of a session's processes. Only files with an open end have an entry.
#[derive(Default)]
pub struct Fifos {
    open: Mutex<BTreeMap<FifoFile, Weak<Fifo>>>,
}

/// The pipe of one file. Its last end drops it, and with it the bytes that were not read.
struct Fifo {
    fifos: Arc<Fifos>,
    file: FifoFile,
    pipe: Arc<Shared>,
    #[expect(dead_code, reason = "what pays for the buffer; released on drop")]
    held: Box<dyn Any + Send + Sync>,
}

impl Drop for Fifo {
    fn drop(&mut self) {
        let this = std::ptr::from_ref::<Self>(self);
        let mut open = self.fifos.open.lock();
        // Another process may have opened the file since the last end was dropped.
        if open.get(&self.file).is_some_and(|entry| std::ptr::eq(entry.as_ptr(), this)) {
            open.remove(&self.file);
        }
    }
}

/// An open end of a named pipe; closed when dropped.
pub struct FifoEnd {
    reader: Option<PipeReader>,
    writer: Option<PipeWriter>,
    /// Dropped after the ends.
    fifo: Arc<Fifo>,
}

impl FifoEnd {
    /// Returns the reading side, if it was opened for reading.
    pub fn reader(&self) -> Option<&PipeReader> {
        self.reader.as_ref()
    }

    /// Returns the writing side, if it was opened for writing.
    pub fn writer(&self) -> Option<&PipeWriter> {
        self.writer.as_ref()
    }

    /// Returns another end of the same pipe, without the reading side.
    pub fn write_only(&self) -> Self {
        let (reader, writer, _) = self.fifo.pipe.open(false, self.writer.is_some());
        Self { reader, writer, fifo: self.fifo.clone() }
    }
}

/// An end that is being opened. The other side sees it already.
#[must_use = "dropping it closes the end"]
pub struct Opening {
    end: FifoEnd,
    /// How many ends of the other side must have been opened for this one to have been joined.
    joined_at: u64,
}

impl Opening {
    /// Waits until the other side is open too, or was opened since the wait began: a writer that came and went releases
    /// the reader, which then reads the end of the file.
    pub async fn joined(self) -> FifoEnd {
        if self.end.reader.is_none() || self.end.writer.is_none() {
            self.end.fifo.pipe.joined(self.end.reader.is_some(), self.joined_at).await;
        }
        self.end
    }
}

impl Fifos {
    /// Begins to open `file`. If no other end is open, `hold` returns what pays for the pipe's buffer
    /// ([`super::PIPE_COST`]); the pipe keeps it. Returns `None` if `hold` does.
    pub fn open<H: Any + Send + Sync>(self: &Arc<Self>, file: FifoFile, side: Side, hold: impl FnOnce() -> Option<H>) -> Option<Opening> {
        let fifo = {
            let mut open = self.open.lock();
            match open.get(&file).and_then(Weak::upgrade) {
                Some(fifo) => fifo,
                None => {
                    let held = Box::new(hold()?);
                    let fifo = Arc::new(Fifo { fifos: self.clone(), file, pipe: Shared::new(true), held });
                    open.insert(file, Arc::downgrade(&fifo));
                    fifo
                }
            }
        };
        let (reader, writer, joined_at) = fifo.pipe.open(side != Side::Write, side != Side::Read);
        Some(Opening { end: FifoEnd { reader, writer, fifo }, joined_at })
    }

    /// Returns the number of files with an open end.
    pub fn count(&self) -> usize {
        self.open.lock().len()
    }
}

#[cfg(test)]
#[path = "fifo_tests.rs"]
mod tests;
