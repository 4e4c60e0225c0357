//! `wasi:io` streams over descriptions and over files at an offset of their own.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bytes::Bytes;
use wasmtime_wasi_io::async_trait;
use wasmtime_wasi_io::poll::Pollable;
use wasmtime_wasi_io::streams::{InputStream, OutputStream, StreamError, StreamResult};

use super::ProcessEnd;
use super::description::{IoFailure, MAX_READ, OpenDescription};
use crate::process::Signal;
use crate::vfs::{FsError, Node};

/// Turn a failure into what the stream answers: a broken pipe ends a process that does not ignore it.
pub(super) fn stream_error(failure: IoFailure, ignore_broken_pipe: &AtomicBool) -> StreamError {
    match failure {
        IoFailure::BrokenPipe if ignore_broken_pipe.load(Ordering::Relaxed) => StreamError::Closed,
        IoFailure::BrokenPipe => StreamError::Trap(ProcessEnd::signal(Signal::Pipe).into()),
        IoFailure::Ended => StreamError::Trap(ProcessEnd::signal(Signal::Kill).into()),
        IoFailure::Fs(error) => StreamError::LastOperationFailed(error.into()),
    }
}

fn end_of_file(bytes: Bytes) -> StreamResult<Bytes> {
    if bytes.is_empty() { Err(StreamError::Closed) } else { Ok(bytes) }
}

/// Reads a description, moving its shared offset.
pub(super) struct SharedInput {
    pub description: OpenDescription,
    pub ignore_broken_pipe: Arc<AtomicBool>,
}

#[async_trait]
impl Pollable for SharedInput {
    async fn ready(&mut self) {
        self.description.readable().await;
    }
}

#[async_trait]
impl InputStream for SharedInput {
    fn read(&mut self, size: usize) -> StreamResult<Bytes> {
        if size == 0 {
            return Ok(Bytes::new());
        }
        match self.description.try_read(size) {
            Ok(Some(bytes)) => end_of_file(bytes),
            // Only a host file is never readable at once: a program that polls it instead of waiting gets nothing.
            Ok(None) => Ok(Bytes::new()),
            Err(failure) => Err(stream_error(failure, &self.ignore_broken_pipe)),
        }
    }

    async fn blocking_read(&mut self, size: usize) -> StreamResult<Bytes> {
        if size == 0 {
            return Ok(Bytes::new());
        }
        match self.description.read(size).await {
            Ok(bytes) => end_of_file(bytes),
            Err(failure) => Err(stream_error(failure, &self.ignore_broken_pipe)),
        }
    }
}

/// Writes to a description, moving its shared offset.
pub(super) struct SharedOutput {
    pub description: OpenDescription,
    pub ignore_broken_pipe: Arc<AtomicBool>,
    /// Taken by `write`, waiting for a blocking thread (host files) or for room.
    pub pending: Bytes,
    pub failed: Option<IoFailure>,
}

impl SharedOutput {
    fn fail(&mut self) -> StreamResult<()> {
        match self.failed.take() {
            Some(failure) => Err(stream_error(failure, &self.ignore_broken_pipe)),
            None => Ok(()),
        }
    }
}

#[async_trait]
impl Pollable for SharedOutput {
    async fn ready(&mut self) {
        if !self.pending.is_empty() {
            let pending = std::mem::take(&mut self.pending);
            self.failed = self.description.write(pending).await.err();
        } else if self.failed.is_none() {
            self.description.writable().await;
        }
    }
}

#[async_trait]
impl OutputStream for SharedOutput {
    fn write(&mut self, mut bytes: Bytes) -> StreamResult<()> {
        self.fail()?;
        if !self.pending.is_empty() {
            return Err(StreamError::trap("a write without the permission of check-write"));
        }
        match self.description.try_write(&mut bytes) {
            Ok(_) => {
                self.pending = bytes;
                Ok(())
            }
            Err(failure) => Err(stream_error(failure, &self.ignore_broken_pipe)),
        }
    }

    fn flush(&mut self) -> StreamResult<()> {
        Ok(())
    }

    fn check_write(&mut self) -> StreamResult<usize> {
        self.fail()?;
        if !self.pending.is_empty() {
            return Ok(0);
        }
        self.description.room().map_err(|failure| stream_error(failure, &self.ignore_broken_pipe))
    }

    async fn blocking_write_and_flush(&mut self, bytes: Bytes) -> StreamResult<()> {
        if !self.pending.is_empty() {
            self.ready().await;
        }
        self.fail()?;
        let written = self.description.write(bytes).await;
        written.map_err(|failure| stream_error(failure, &self.ignore_broken_pipe))
    }
}

impl Drop for SharedOutput {
    fn drop(&mut self) {
        // What `write` took is not lost when the guest drops the stream without flushing.
        if !self.pending.is_empty() {
            let (description, pending) = (self.description.clone(), std::mem::take(&mut self.pending));
            if let Ok(runtime) = tokio::runtime::Handle::try_current() {
                runtime.spawn(async move { description.write(pending).await });
            }
        }
    }
}

/// Reads a file from an offset of its own.
pub(super) struct FileInput {
    pub node: Node,
    pub offset: u64,
    pub ahead: Option<Result<Bytes, FsError>>,
}

impl FileInput {
    async fn fetch(&mut self, size: usize) -> Result<Bytes, FsError> {
        let (node, offset) = (self.node.clone(), self.offset);
        tokio::task::spawn_blocking(move || node.read_at(offset, size)).await.unwrap_or(Err(FsError::Io))
    }

    fn advance(&mut self, read: Result<Bytes, FsError>) -> StreamResult<Bytes> {
        let bytes = read.map_err(|error| StreamError::LastOperationFailed(error.into()))?;
        self.offset = self.offset.saturating_add(bytes.len() as u64);
        end_of_file(bytes)
    }
}

#[async_trait]
impl Pollable for FileInput {
    async fn ready(&mut self) {
        if self.node.is_host() && self.ahead.is_none() {
            self.ahead = Some(self.fetch(MAX_READ).await);
        }
    }
}

#[async_trait]
impl InputStream for FileInput {
    fn read(&mut self, size: usize) -> StreamResult<Bytes> {
        let size = size.min(MAX_READ);
        if size == 0 {
            return Ok(Bytes::new());
        }
        if !self.node.is_host() {
            let read = self.node.read_at(self.offset, size);
            return self.advance(read);
        }
        match self.ahead.take() {
            None => Ok(Bytes::new()),
            Some(Ok(mut bytes)) if bytes.len() > size => {
                let part = bytes.split_to(size);
                self.ahead = Some(Ok(bytes));
                self.advance(Ok(part))
            }
            Some(read) => self.advance(read),
        }
    }

    async fn blocking_read(&mut self, size: usize) -> StreamResult<Bytes> {
        let size = size.min(MAX_READ);
        if size > 0 && self.node.is_host() && self.ahead.is_none() {
            let read = self.fetch(size).await;
            return self.advance(read);
        }
        self.read(size)
    }
}

/// Writes a file from an offset of its own, or at its end.
pub(super) struct FileOutput {
    pub node: Node,
    /// The next offset; `None` appends.
    pub offset: Option<u64>,
    pub pending: Bytes,
    pub failed: Option<FsError>,
}

impl FileOutput {
    fn put(node: &Node, offset: &mut Option<u64>, mut bytes: &[u8]) -> Result<(), FsError> {
        while !bytes.is_empty() {
            let written = match offset {
                None => {
                    node.append(bytes)?;
                    bytes.len()
                }
                Some(offset) => {
                    let written = node.write_at(*offset, bytes)?;
                    *offset = offset.saturating_add(written as u64);
                    written
                }
            };
            if written == 0 {
                return Err(FsError::Io);
            }
            bytes = &bytes[written..];
        }
        Ok(())
    }

    async fn store(&mut self, bytes: Bytes) -> Result<(), FsError> {
        let (node, mut offset) = (self.node.clone(), self.offset);
        let work = tokio::task::spawn_blocking(move || (FileOutput::put(&node, &mut offset, &bytes), offset));
        let (result, offset) = work.await.unwrap_or((Err(FsError::Io), self.offset));
        self.offset = offset;
        result
    }

    fn fail(&mut self) -> StreamResult<()> {
        match self.failed.take() {
            Some(error) => Err(StreamError::LastOperationFailed(error.into())),
            None => Ok(()),
        }
    }
}

#[async_trait]
impl Pollable for FileOutput {
    async fn ready(&mut self) {
        if !self.pending.is_empty() {
            let pending = std::mem::take(&mut self.pending);
            self.failed = self.store(pending).await.err();
        }
    }
}

#[async_trait]
impl OutputStream for FileOutput {
    fn write(&mut self, bytes: Bytes) -> StreamResult<()> {
        self.fail()?;
        if self.node.is_host() {
            if !self.pending.is_empty() {
                return Err(StreamError::trap("a write without the permission of check-write"));
            }
            self.pending = bytes;
            return Ok(());
        }
        let done = FileOutput::put(&self.node, &mut self.offset, &bytes);
        done.map_err(|error| StreamError::LastOperationFailed(error.into()))
    }

    fn flush(&mut self) -> StreamResult<()> {
        Ok(())
    }

    fn check_write(&mut self) -> StreamResult<usize> {
        self.fail()?;
        Ok(if self.pending.is_empty() { MAX_READ } else { 0 })
    }

    async fn blocking_write_and_flush(&mut self, bytes: Bytes) -> StreamResult<()> {
        self.ready().await;
        self.fail()?;
        if self.node.is_host() {
            let stored = self.store(bytes).await;
            return stored.map_err(|error| StreamError::LastOperationFailed(error.into()));
        }
        self.write(bytes)
    }
}

impl Drop for FileOutput {
    fn drop(&mut self) {
        if !self.pending.is_empty() {
            let (node, mut offset, pending) = (self.node.clone(), self.offset, std::mem::take(&mut self.pending));
            if let Ok(runtime) = tokio::runtime::Handle::try_current() {
                runtime.spawn_blocking(move || FileOutput::put(&node, &mut offset, &pending));
            }
        }
    }
}
