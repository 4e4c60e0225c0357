//! A bounded pipe. Ownership does the protocol: dropping the last writer is end of file, dropping the last reader is a
//! broken pipe.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::{Bytes, BytesMut};
use tokio::sync::Notify;

/// Bytes a pipe holds before its writer waits: Linux's default (pipe(7)).
pub const PIPE_CAPACITY: usize = 64 * 1024;

/// Host memory a pipe costs at the most, whatever is written to it: its buffer grows by doubling.
pub const PIPE_COST: u64 = 2 * PIPE_CAPACITY as u64;

/// The pipe has no reader any more (EPIPE).
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("broken pipe: nobody reads it any more")]
pub struct BrokenPipe;

#[derive(Default)]
struct State {
    /// What was written and not read. The pipe's own copy: bytes as they come may be a slice of a far larger buffer, which
    /// a pipe that nobody reads would keep alive.
    buffer: BytesMut,
    reader_gone: bool,
    writer_gone: bool,
    /// The next read of an empty pipe is end of file, once: Ctrl-D at a terminal.
    end: bool,
    /// Readers that wait for bytes, and how often one began to.
    waiting: u32,
    waits: u64,
}

struct Shared {
    state: Mutex<State>,
    readable: Notify,
    writable: Notify,
    /// Somebody begins to wait for bytes.
    wanted: Notify,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        // A panic while the lock was held cannot leave the queue inconsistent: every change is one push or pop.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The reading end; closed when dropped.
pub struct PipeReader(Arc<Shared>);

/// The writing end; closed when dropped.
pub struct PipeWriter(Arc<Shared>);

/// Sees when a pipe's reader waits, without being an end of it.
pub struct PipeWatch(Arc<Shared>);

/// While it lives, a reader waits.
struct Wait<'a>(&'a Shared);

impl<'a> Wait<'a> {
    fn begin(shared: &'a Shared) -> Wait<'a> {
        let mut state = shared.lock();
        state.waiting += 1;
        state.waits += 1;
        drop(state);
        shared.wanted.notify_waiters();
        Wait(shared)
    }
}

impl Drop for Wait<'_> {
    fn drop(&mut self) {
        self.0.lock().waiting -= 1;
    }
}

/// A new pipe of [`PIPE_CAPACITY`].
pub fn pipe() -> (PipeReader, PipeWriter) {
    let shared = Arc::new(Shared { state: Mutex::default(), readable: Notify::new(), writable: Notify::new(), wanted: Notify::new() });
    (PipeReader(shared.clone()), PipeWriter(shared))
}

impl PipeReader {
    /// Up to `len` bytes without waiting: `None` when there is nothing yet, empty at end of file.
    pub fn try_read(&self, len: usize) -> Option<Bytes> {
        let mut state = self.0.lock();
        if state.buffer.is_empty() {
            return (std::mem::take(&mut state.end) || state.writer_gone).then(Bytes::new);
        }
        let count = len.min(state.buffer.len());
        let bytes = state.buffer.split_to(count).freeze();
        drop(state);
        self.0.writable.notify_waiters();
        Some(bytes)
    }

    /// Up to `len` bytes; waits for the first. Empty at end of file.
    pub async fn read(&self, len: usize) -> Bytes {
        loop {
            let woken = self.0.readable.notified();
            tokio::pin!(woken);
            woken.as_mut().enable();
            if let Some(bytes) = self.try_read(len) {
                return bytes;
            }
            let _wait = Wait::begin(&self.0);
            woken.await;
        }
    }

    /// Wait until a read would not.
    pub async fn readable(&self) {
        loop {
            let woken = self.0.readable.notified();
            tokio::pin!(woken);
            woken.as_mut().enable();
            {
                let state = self.0.lock();
                if !state.buffer.is_empty() || state.writer_gone || state.end {
                    return;
                }
            }
            let _wait = Wait::begin(&self.0);
            woken.await;
        }
    }
}

impl PipeWriter {
    /// How many bytes a write would take now.
    ///
    /// # Errors
    /// [`BrokenPipe`] when the reader is gone.
    pub fn room(&self) -> Result<usize, BrokenPipe> {
        let state = self.0.lock();
        if state.reader_gone { Err(BrokenPipe) } else { Ok(PIPE_CAPACITY.saturating_sub(state.buffer.len())) }
    }

    /// Write what fits of `bytes`, leaving the rest there; answers how many bytes that was.
    ///
    /// # Errors
    /// [`BrokenPipe`] when the reader is gone.
    pub fn try_write(&self, bytes: &mut Bytes) -> Result<usize, BrokenPipe> {
        let mut state = self.0.lock();
        if state.reader_gone {
            return Err(BrokenPipe);
        }
        let count = bytes.len().min(PIPE_CAPACITY.saturating_sub(state.buffer.len()));
        if count == 0 {
            return Ok(0);
        }
        state.buffer.extend_from_slice(&bytes.split_to(count));
        drop(state);
        self.0.readable.notify_waiters();
        Ok(count)
    }

    /// Write all of `bytes`, waiting while the pipe is full.
    ///
    /// # Errors
    /// [`BrokenPipe`] when the reader is gone before all was taken.
    pub async fn write_all(&self, mut bytes: Bytes) -> Result<(), BrokenPipe> {
        while !bytes.is_empty() {
            if self.try_write(&mut bytes)? == 0 {
                self.writable().await;
            }
        }
        Ok(())
    }

    /// Sees when the reader waits.
    pub fn watch(&self) -> PipeWatch {
        PipeWatch(self.0.clone())
    }

    /// Let the reader see an end of file, once: the pipe stays open.
    pub fn end_once(&self) {
        self.0.lock().end = true;
        self.0.readable.notify_waiters();
    }

    /// Wait until a write would take at least one byte or fail.
    pub async fn writable(&self) {
        loop {
            let woken = self.0.writable.notified();
            tokio::pin!(woken);
            woken.as_mut().enable();
            if !matches!(self.room(), Ok(0)) {
                return;
            }
            woken.await;
        }
    }

    /// Wait until the reader is gone.
    pub async fn broken(&self) {
        loop {
            let woken = self.0.writable.notified();
            tokio::pin!(woken);
            woken.as_mut().enable();
            if self.room().is_err() {
                return;
            }
            woken.await;
        }
    }
}

impl PipeWatch {
    /// Wait until a reader waits for bytes that nobody has written; answers how often one began to, or nothing when an end
    /// of the pipe is gone.
    pub async fn wanted(&self) -> Option<u64> {
        self.wanted_after(0).await
    }

    /// As `wanted`, for a reader that began to wait after the first `waits`.
    pub async fn wanted_after(&self, waits: u64) -> Option<u64> {
        loop {
            let (wanted, gone) = (self.0.wanted.notified(), self.0.writable.notified());
            tokio::pin!(wanted, gone);
            wanted.as_mut().enable();
            gone.as_mut().enable();
            {
                let state = self.0.lock();
                if state.reader_gone || state.writer_gone {
                    return None;
                }
                if state.waiting > 0 && state.waits > waits && state.buffer.is_empty() && !state.end {
                    return Some(state.waits);
                }
            }
            tokio::select! {
                () = wanted => {}
                () = gone => {}
            }
        }
    }
}

impl Drop for PipeReader {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.reader_gone = true;
        state.buffer = BytesMut::new();
        drop(state);
        self.0.writable.notify_waiters();
    }
}

impl Drop for PipeWriter {
    fn drop(&mut self) {
        self.0.lock().writer_gone = true;
        self.0.readable.notify_waiters();
        self.0.wanted.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn bytes_arrive_in_order_whatever_their_size() {
        let (reader, writer) = pipe();
        let sent: Vec<u8> = (0..300_000u32).map(|i| (i % 251) as u8).collect();
        let copy = sent.clone();
        let task = tokio::spawn(async move {
            let mut rest = Bytes::from(copy);
            for size in (1..).map(|n| (n * 37) % 5000 + 1) {
                if rest.is_empty() {
                    break;
                }
                let part = rest.split_to(size.min(rest.len()));
                writer.write_all(part).await.unwrap();
            }
        });
        let mut got = Vec::new();
        loop {
            let bytes = reader.read(777).await;
            if bytes.is_empty() {
                break;
            }
            assert!(bytes.len() <= 777);
            got.extend_from_slice(&bytes);
        }
        task.await.unwrap();
        assert!(got == sent);
    }

    #[tokio::test]
    async fn a_full_pipe_takes_no_more_until_read() {
        let (reader, writer) = pipe();
        let mut bytes = Bytes::from(vec![7; PIPE_CAPACITY + 10]);
        assert_eq!(writer.try_write(&mut bytes), Ok(PIPE_CAPACITY));
        assert_eq!(writer.try_write(&mut bytes), Ok(0));
        assert_eq!(reader.try_read(100).unwrap().len(), 100);
        assert_eq!(writer.try_write(&mut bytes), Ok(10));
    }

    #[test]
    fn what_a_pipe_holds_does_not_keep_the_writers_buffer() {
        let (reader, writer) = pipe();
        let mut large = Bytes::from(vec![7; 8 << 20]);
        assert_eq!(writer.try_write(&mut large), Ok(PIPE_CAPACITY));
        assert!(large.is_unique(), "the pipe shares the writer's 8 MiB");
        assert_eq!(reader.try_read(usize::MAX).map(|bytes| bytes.len()), Some(PIPE_CAPACITY));
    }

    #[tokio::test]
    async fn dropping_an_end_is_end_of_file_or_a_broken_pipe() {
        let (reader, writer) = pipe();
        writer.write_all(Bytes::from_static(b"last")).await.unwrap();
        drop(writer);
        assert_eq!(reader.read(100).await, "last");
        assert!(reader.read(100).await.is_empty());

        let (reader, writer) = pipe();
        drop(reader);
        assert_eq!(writer.write_all(Bytes::from_static(b"x")).await, Err(BrokenPipe));
    }

    #[tokio::test]
    async fn whoever_watches_sees_that_the_reader_waits() {
        let (reader, writer) = pipe();
        let watch = writer.watch();
        let task = tokio::spawn(async move { (reader.read(10).await, reader.read(10).await, reader.read(10).await, reader) });
        let first = watch.wanted().await.unwrap();
        writer.write_all(Bytes::from_static(b"one")).await.unwrap();
        let second = watch.wanted_after(first).await.unwrap();
        writer.end_once();
        assert!(watch.wanted_after(second).await.is_some());
        writer.write_all(Bytes::from_static(b"two")).await.unwrap();
        let (one, end, two, reader) = task.await.unwrap();
        assert_eq!((&one[..], &end[..], &two[..]), (&b"one"[..], &b""[..], &b"two"[..]), "an end of file that is none");
        drop(reader);
        assert_eq!(watch.wanted().await, None);
    }

    #[tokio::test]
    async fn a_waiting_writer_learns_that_the_reader_left() {
        let (reader, writer) = pipe();
        writer.write_all(Bytes::from(vec![0; PIPE_CAPACITY])).await.unwrap();
        let task = tokio::spawn(async move { writer.write_all(Bytes::from_static(b"more")).await });
        tokio::task::yield_now().await;
        drop(reader);
        assert_eq!(task.await.unwrap(), Err(BrokenPipe));
    }
}
