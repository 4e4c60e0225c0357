//! A bounded pipe. Ownership is the protocol: dropping the last writer is end of file, dropping the last reader is a
//! broken pipe. A pipe without a name has one end of each side; a named one (`fifo`) has any number, and new ends make it
//! live again.

use std::sync::Arc;

use bytes::{Buf as _, Bytes, BytesMut};
use parking_lot::{Mutex, MutexGuard};
use tokio::sync::Notify;

use super::wait::{Awaited, Wait, until};

/// Bytes that a pipe holds before its writer waits: Linux's default (pipe(7)).
pub const PIPE_CAPACITY: usize = 64 * 1024;

/// Bytes that one write adds as a whole, whatever other processes write to the pipe in the meantime (PIPE_BUF).
pub const PIPE_ATOMIC: usize = 4096;

/// Maximum host memory of a pipe, whatever is written to it: its buffer grows by doubling.
pub const PIPE_COST: u64 = 2 * PIPE_CAPACITY as u64;

/// The pipe no longer has a reader (EPIPE).
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("broken pipe: it no longer has a reader")]
pub struct BrokenPipe;

#[derive(Default)]
struct State {
    /// Bytes that were written and not yet read. This is a copy: the bytes given may be a slice of a far larger
    /// buffer, which an unread pipe would keep alive.
    buffer: BytesMut,
    readers: Ends,
    writers: Ends,
    /// No more bytes will come, though ends are open: shutdown(2).
    shut: bool,
    /// How many readers wait for bytes.
    waiting: u32,
}

impl State {
    /// Returns whether bytes that are written now can never be read.
    fn takes_nothing(&self) -> bool {
        self.readers.is_closed() || self.shut
    }
}

/// The ends of one side of a pipe.
#[derive(Default, Clone, Copy)]
struct Ends {
    /// How many are open.
    open: usize,
    /// How many have ever been opened.
    ever: u64,
}

impl Ends {
    fn add(&mut self) {
        self.open += 1;
        self.ever += 1;
    }

    fn is_closed(self) -> bool {
        self.open == 0
    }
}

pub(super) struct Shared {
    state: Mutex<State>,
    readable: Notify,
    writable: Notify,
    /// A reader begins to wait for bytes.
    wanted: Notify,
    /// An end was opened.
    joined: Notify,
    /// Whether new ends can be opened, so that unread bytes are kept when the last reader closes.
    named: bool,
}

impl Shared {
    /// Creates a pipe without ends.
    pub(super) fn new(named: bool) -> Arc<Self> {
        Arc::new(Self {
            state: Mutex::default(),
            readable: Notify::new(),
            writable: Notify::new(),
            wanted: Notify::new(),
            joined: Notify::new(),
            named,
        })
    }

    /// Opens an end of each side that is asked for, at once. Returns them, and how many ends of the other side must have been
    /// opened for these to have been joined: those so far if one of them is open, because it may be gone before the caller
    /// looks, and otherwise one more.
    pub(super) fn open(self: &Arc<Self>, read: bool, write: bool) -> (Option<PipeReader>, Option<PipeWriter>, u64) {
        let mut state = self.lock();
        let others = if read { state.writers } else { state.readers };
        let joined_at = others.ever + u64::from(others.is_closed());
        if read {
            state.readers.add();
        }
        if write {
            state.writers.add();
        }
        drop(state);
        self.joined.notify_waiters();
        (read.then(|| PipeReader(self.clone())), write.then(|| PipeWriter(self.clone())), joined_at)
    }

    /// Waits until `joined_at` ends of the other side of an end have been opened.
    pub(super) async fn joined(&self, reader: bool, joined_at: u64) {
        let others = || {
            let state = self.lock();
            if reader { state.writers } else { state.readers }
        };
        until(&self.joined, || (others().ever >= joined_at).then_some(())).await;
    }

    /// Refuses bytes from now on.
    fn shut(&self) {
        self.lock().shut = true;
        self.readable.notify_waiters();
        self.writable.notify_waiters();
        self.wanted.notify_waiters();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // A panic under the lock, which does not poison it, cannot leave the queue inconsistent: every change is one push or pop.
        self.state.lock()
    }
}

/// A reading end; closed when dropped.
pub struct PipeReader(Arc<Shared>);

/// A writing end; closed when dropped.
pub struct PipeWriter(Arc<Shared>);

/// Observes when a pipe's reader waits, without being an end of the pipe.
pub struct PipeWatch(Arc<Shared>);

impl Awaited for Shared {
    fn count(&self, change: impl FnOnce(&mut u32)) {
        change(&mut self.lock().waiting);
    }

    fn wanted(&self) -> &Notify {
        &self.wanted
    }
}

/// Creates a new pipe of [`PIPE_CAPACITY`].
pub fn pipe() -> (PipeReader, PipeWriter) {
    let (Some(reader), Some(writer), _) = Shared::new(false).open(true, true) else { unreachable!("both ends were asked for") };
    (reader, writer)
}

impl PipeReader {
    /// Reads up to `len` bytes without waiting: `None` if there is nothing yet, empty at end of file.
    pub fn try_read(&self, len: usize) -> Option<Bytes> {
        let mut state = self.0.lock();
        if state.buffer.is_empty() {
            return (state.writers.is_closed() || state.shut).then(Bytes::new);
        }
        let count = len.min(state.buffer.len());
        let bytes = state.buffer.split_to(count).freeze();
        drop(state);
        self.0.writable.notify_waiters();
        Some(bytes)
    }

    /// Reads up to `len` bytes; waits for the first. Empty at end of file.
    pub async fn read(&self, len: usize) -> Bytes {
        self.wait(|| self.try_read(len)).await
    }

    /// Waits until a read would not wait.
    pub async fn readable(&self) {
        let readable = || {
            let state = self.0.lock();
            !state.buffer.is_empty() || state.writers.is_closed() || state.shut
        };
        self.wait(|| readable().then_some(())).await;
    }

    /// Returns up to `len` bytes that a read would return, which stay in the pipe. Empty if there are none.
    pub fn peek(&self, len: usize) -> Bytes {
        let state = self.0.lock();
        Bytes::copy_from_slice(&state.buffer[..len.min(state.buffer.len())])
    }

    /// Returns how many bytes a read would return without waiting.
    pub fn available(&self) -> usize {
        self.0.lock().buffer.len()
    }

    /// Ends the pipe: what is in it can still be read, and writing more fails.
    pub fn shut(&self) {
        self.0.shut();
    }

    /// Waits, as a reader, until `found` finds something.
    async fn wait<T>(&self, mut found: impl FnMut() -> Option<T>) -> T {
        let mut wait = None;
        until(&self.0.readable, || {
            wait = None;
            let found = found();
            if found.is_none() {
                wait = Some(Wait::begin(&*self.0));
            }
            found
        })
        .await
    }
}

impl PipeWriter {
    /// Returns how many bytes a write would accept now.
    ///
    /// # Errors
    /// [`BrokenPipe`] when the reader is gone.
    pub fn room(&self) -> Result<usize, BrokenPipe> {
        let state = self.0.lock();
        if state.takes_nothing() { Err(BrokenPipe) } else { Ok(PIPE_CAPACITY.saturating_sub(state.buffer.len())) }
    }

    /// Writes as many of `bytes` as fit and leaves the rest in it; returns the number written.
    ///
    /// # Errors
    /// [`BrokenPipe`] when the reader is gone.
    pub fn try_write(&self, bytes: &mut Bytes) -> Result<usize, BrokenPipe> {
        let count = self.add(bytes, 1)?;
        bytes.advance(count);
        Ok(count)
    }

    /// Adds as many of `bytes` as fit, or none if fewer than `least` (1 or more) fit; returns the number added.
    fn add(&self, bytes: &[u8], least: usize) -> Result<usize, BrokenPipe> {
        let mut state = self.0.lock();
        if state.takes_nothing() {
            return Err(BrokenPipe);
        }
        let count = bytes.len().min(PIPE_CAPACITY.saturating_sub(state.buffer.len()));
        if count < least {
            return Ok(0);
        }
        state.buffer.extend_from_slice(&bytes[..count]);
        drop(state);
        self.0.readable.notify_waiters();
        Ok(count)
    }

    /// Writes all of `bytes`, waiting while the pipe is full. Up to [`PIPE_ATOMIC`] bytes stay together.
    ///
    /// # Errors
    /// [`BrokenPipe`] when the reader is dropped before all bytes were accepted.
    pub async fn write_all(&self, mut bytes: Bytes) -> Result<(), BrokenPipe> {
        if (1..=PIPE_ATOMIC).contains(&bytes.len()) {
            return self.write_whole(&bytes).await;
        }
        while !bytes.is_empty() {
            if self.try_write(&mut bytes)? == 0 {
                self.writable().await;
            }
        }
        Ok(())
    }

    /// Writes `bytes`, of which there are some, when there is room for all of them.
    async fn write_whole(&self, bytes: &[u8]) -> Result<(), BrokenPipe> {
        until(&self.0.writable, || match self.add(bytes, bytes.len()) {
            Ok(0) => None,
            added => Some(added.map(drop)),
        })
        .await
    }

    /// Observes when the reader waits.
    pub fn watch(&self) -> PipeWatch {
        PipeWatch(self.0.clone())
    }

    /// Ends the pipe: what is in it can still be read, and writing more fails.
    pub fn shut(&self) {
        self.0.shut();
    }

    /// Returns another end of the same side.
    pub(super) fn another(&self) -> Self {
        self.0.lock().writers.add();
        Self(self.0.clone())
    }

    /// Waits until a write would accept at least one byte or fail.
    pub async fn writable(&self) {
        until(&self.0.writable, || (!matches!(self.room(), Ok(0))).then_some(())).await;
    }

    /// Waits until the last reader is dropped.
    pub async fn broken(&self) {
        until(&self.0.writable, || self.room().err()).await;
    }
}

impl PipeWatch {
    /// Returns whether a reader waits for bytes and the pipe is empty.
    pub fn is_wanted(&self) -> bool {
        let state = self.0.lock();
        state.waiting > 0 && state.buffer.is_empty() && !state.writers.is_closed()
    }

    /// Waits until a reader waits for bytes and the pipe is empty, or an end of the pipe is dropped.
    pub async fn wanted(&self) {
        loop {
            let (wanted, gone) = (self.0.wanted.notified(), self.0.writable.notified());
            tokio::pin!(wanted, gone);
            wanted.as_mut().enable();
            gone.as_mut().enable();
            if self.is_wanted() || self.is_gone() {
                return;
            }
            tokio::select! {
                () = wanted => {}
                () = gone => {}
            }
        }
    }

    /// Returns whether an end of the pipe was dropped.
    fn is_gone(&self) -> bool {
        let state = self.0.lock();
        state.readers.is_closed() || state.writers.is_closed()
    }
}

impl Drop for PipeReader {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.readers.open -= 1;
        if state.readers.is_closed() && !self.0.named {
            state.buffer = BytesMut::new();
        }
        drop(state);
        self.0.writable.notify_waiters();
    }
}

impl Drop for PipeWriter {
    fn drop(&mut self) {
        self.0.lock().writers.open -= 1;
        self.0.readable.notify_waiters();
        self.0.wanted.notify_waiters();
    }
}

#[cfg(test)]
#[path = "pipe_tests.rs"]
mod tests;
