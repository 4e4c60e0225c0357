//! `wasi:io` streams over descriptions, and over files with offsets of their own.

use std::sync::Arc;

use bytes::Bytes;
use tokio::task::JoinHandle;
use wasmtime_wasi_io::async_trait;
use wasmtime_wasi_io::poll::Pollable;
use wasmtime_wasi_io::streams::{InputStream, OutputStream, StreamError, StreamResult};

use super::description::{IoFailure, OpenDescription};
use super::{Charge, HostMemory, ProcessEnd};
use crate::tasks::Tasks;
use wisp_process::tty::{Admission, Use};
use wisp_process::{PIPE_CAPACITY, Process, Signal};
use wisp_vfs::{FsError, MAX_READ, Node};

/// Converts a failure to the stream's error. A broken pipe ends a process that does not ignore it; without a process it
/// is an error.
pub(super) fn stream_error(failure: IoFailure, process: Option<&Arc<Process>>) -> StreamError {
    match failure {
        IoFailure::BrokenPipe if process.is_none_or(|process| process.signals().broken_pipe()) => StreamError::Closed,
        IoFailure::BrokenPipe => StreamError::Trap(ProcessEnd::signal(Signal::Pipe).into()),
        IoFailure::Ended => StreamError::Trap(ProcessEnd::signal(Signal::Kill).into()),
        IoFailure::Fs(error) => StreamError::LastOperationFailed(error.into()),
        IoFailure::Reset(reset) => StreamError::LastOperationFailed(reset.into()),
    }
}

/// Fails if the process was ended from outside, so that it reads nothing that arrived since.
fn unless_doomed(process: &Process) -> StreamResult<()> {
    ProcessEnd::if_doomed(process).map_err(|end| StreamError::Trap(end.into()))
}

fn end_of_file(bytes: Bytes) -> StreamResult<Bytes> {
    if bytes.is_empty() { Err(StreamError::Closed) } else { Ok(bytes) }
}

/// Reads a description, moving its shared offset.
pub(super) struct SharedInput {
    pub description: OpenDescription,
    pub process: Arc<Process>,
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
        let read = match self.description.admit(&self.process, Use::Read) {
            Admission::Granted => self.description.try_read(size),
            // It stops when it next waits.
            Admission::Stopping => Ok(None),
            Admission::Refused => Err(FsError::Io.into()),
        };
        unless_doomed(&self.process)?;
        match read {
            Ok(Some(bytes)) => end_of_file(bytes),
            // Only a host file is not readable immediately: a program that polls it instead of waiting gets nothing.
            Ok(None) => Ok(Bytes::new()),
            Err(failure) => Err(stream_error(failure, Some(&self.process))),
        }
    }

    async fn blocking_read(&mut self, size: usize) -> StreamResult<Bytes> {
        if size == 0 {
            return Ok(Bytes::new());
        }
        let read = self.description.read_by(&self.process, size).await;
        unless_doomed(&self.process)?;
        match read {
            Ok(bytes) => end_of_file(bytes),
            Err(failure) => Err(stream_error(failure, Some(&self.process))),
        }
    }
}

/// Writes to a description, moving its shared offset.
pub(super) struct SharedOutput {
    description: OpenDescription,
    /// The writing process; `None` if the descriptor is closed.
    process: Option<Arc<Process>>,
    memory: Arc<dyn HostMemory>,
    /// What `write` accepted and has not written yet, because it waits for a blocking thread (host files) or for room,
    /// and its charge.
    pending: Bytes,
    charge: Option<Charge>,
    failed: Option<IoFailure>,
    /// The command's, to which the rest belongs.
    tasks: Arc<Tasks>,
}

impl SharedOutput {
    pub(super) fn new(description: OpenDescription, process: Option<Arc<Process>>, memory: Arc<dyn HostMemory>, tasks: Arc<Tasks>) -> Self {
        Self { description, process, memory, pending: Bytes::new(), charge: None, failed: None, tasks }
    }

    fn fail(&mut self) -> StreamResult<()> {
        match self.failed.take() {
            Some(failure) => Err(stream_error(failure, self.process.as_ref())),
            None => Ok(()),
        }
    }
}

#[async_trait]
impl Pollable for SharedOutput {
    async fn ready(&mut self) {
        if !self.pending.is_empty() {
            self.failed = self.description.drain(&mut self.pending).await.err();
            self.pending = Bytes::new();
            self.charge = None;
        } else if self.failed.is_none() {
            self.description.writable().await;
        }
    }
}

#[async_trait]
impl OutputStream for SharedOutput {
    fn write(&mut self, mut bytes: Bytes) -> StreamResult<()> {
        self.fail()?;
        if !self.pending.is_empty() || bytes.len() > self.description.permit() {
            return Err(StreamError::trap("a write without the permission of check-write"));
        }
        let written = self.description.try_write(&mut bytes);
        written.map_err(|failure| stream_error(failure, self.process.as_ref()))?;
        if !bytes.is_empty() {
            self.charge = Some(charge(&self.memory, bytes.len())?);
            self.pending = bytes;
        }
        Ok(())
    }

    fn flush(&mut self) -> StreamResult<()> {
        Ok(())
    }

    fn check_write(&mut self) -> StreamResult<usize> {
        self.fail()?;
        if !self.pending.is_empty() {
            return Ok(0);
        }
        self.description.room().map_err(|failure| stream_error(failure, self.process.as_ref()))
    }

    async fn blocking_write_and_flush(&mut self, bytes: Bytes) -> StreamResult<()> {
        if !self.pending.is_empty() {
            self.ready().await;
        }
        self.fail()?;
        let written = match &self.process {
            Some(process) => self.description.write_by(process, bytes).await,
            None => self.description.write(bytes).await,
        };
        written.map_err(|failure| stream_error(failure, self.process.as_ref()))
    }
}

impl Drop for SharedOutput {
    fn drop(&mut self) {
        // What `write` accepted is not lost when the guest drops the stream without flushing: the command delivers it.
        if !self.pending.is_empty() {
            let (description, pending) = (self.description.for_rest(), std::mem::take(&mut self.pending));
            let charge = self.charge.take();
            drop(self.tasks.spawn(async move {
                // If the reader has gone, the bytes are dropped.
                let _ = description.write(pending).await;
                drop(charge);
            }));
        }
    }
}

/// Charges what a stream is going to hold, or fails the guest's call.
fn charge(memory: &Arc<dyn HostMemory>, bytes: usize) -> StreamResult<Charge> {
    Charge::new(memory, bytes as u64).ok_or_else(|| StreamError::LastOperationFailed(FsError::OutOfMemory.into()))
}

/// Reads a file at the stream's own offset.
pub(super) struct FileInput {
    node: Node,
    offset: u64,
    memory: Arc<dyn HostMemory>,
    /// What was read from the host to find out whether it is ready, and its charge.
    ahead: Option<Result<(Bytes, Charge), FsError>>,
}

impl FileInput {
    pub(super) fn new(node: Node, offset: u64, memory: Arc<dyn HostMemory>) -> Self {
        Self { node, offset, memory, ahead: None }
    }

    async fn fetch(&mut self, size: usize) -> Result<Bytes, FsError> {
        let (node, offset) = (self.node.clone(), self.offset);
        super::outside(crate::meter::blocking(move || node.read_at(offset, size))).await.unwrap_or(Err(FsError::Io))
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
            self.ahead = Some(match Charge::new(&self.memory, PIPE_CAPACITY as u64) {
                None => Err(FsError::OutOfMemory),
                Some(charge) => self.fetch(PIPE_CAPACITY).await.map(|bytes| (bytes, charge)),
            });
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
        match self.ahead.take() {
            Some(Ok((mut bytes, charge))) if bytes.len() > size => {
                let part = bytes.split_to(size);
                self.ahead = Some(Ok((bytes, charge)));
                self.advance(Ok(part))
            }
            Some(read) => self.advance(read.map(|(bytes, _)| bytes)),
            None if self.node.is_host() => Ok(Bytes::new()),
            None => {
                let read = self.node.read_at(self.offset, size);
                self.advance(read)
            }
        }
    }

    async fn blocking_read(&mut self, size: usize) -> StreamResult<Bytes> {
        let size = size.min(MAX_READ);
        if size > 0 && self.ahead.is_none() && self.node.is_host() {
            let read = self.fetch(size).await;
            return self.advance(read);
        }
        self.read(size)
    }
}

/// A write to a file of a host mount on a blocking thread: its result, and the offset after it.
type Storing = JoinHandle<(Result<(), FsError>, Option<u64>)>;

/// Writes a file at the stream's own offset, or at the file's end.
pub(super) struct FileOutput {
    node: Node,
    /// The next offset; `None` appends.
    offset: Option<u64>,
    memory: Arc<dyn HostMemory>,
    /// What `write` accepted for a file of the host, and its charge.
    pending: Bytes,
    charge: Option<Charge>,
    /// The thread that writes it. Kept here, so that a waiter may give up and wait again.
    storing: Option<Storing>,
    failed: Option<FsError>,
    /// The command's, which waits for what is written last.
    tasks: Arc<Tasks>,
}

impl FileOutput {
    pub(super) fn new(node: Node, offset: Option<u64>, memory: Arc<dyn HostMemory>, tasks: Arc<Tasks>) -> Self {
        Self { node, offset, memory, pending: Bytes::new(), charge: None, storing: None, failed: None, tasks }
    }

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

    fn begin(&mut self, bytes: Bytes) {
        let (node, mut offset) = (self.node.clone(), self.offset);
        self.storing = Some(crate::meter::blocking(move || (Self::put(&node, &mut offset, &bytes), offset)));
    }

    /// Waits until the host has stored what was written. A failure is kept for the next call.
    async fn settle(&mut self) {
        if !self.pending.is_empty() {
            let pending = std::mem::take(&mut self.pending);
            self.begin(pending);
        }
        let Some(storing) = &mut self.storing else { return };
        let (result, offset) = super::outside(storing).await.unwrap_or((Err(FsError::Io), self.offset));
        self.storing = None;
        self.charge = None;
        self.offset = offset;
        self.failed = result.err();
    }

    fn busy(&self) -> bool {
        !self.pending.is_empty() || self.storing.is_some()
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
        self.settle().await;
    }
}

#[async_trait]
impl OutputStream for FileOutput {
    fn write(&mut self, bytes: Bytes) -> StreamResult<()> {
        self.fail()?;
        let host = self.node.is_host();
        if self.busy() || bytes.len() > if host { PIPE_CAPACITY } else { MAX_READ } {
            return Err(StreamError::trap("a write without the permission of check-write"));
        }
        if host {
            self.charge = Some(charge(&self.memory, bytes.len())?);
            self.pending = bytes;
            return Ok(());
        }
        let done = Self::put(&self.node, &mut self.offset, &bytes);
        done.map_err(|error| StreamError::LastOperationFailed(error.into()))
    }

    fn flush(&mut self) -> StreamResult<()> {
        Ok(())
    }

    fn check_write(&mut self) -> StreamResult<usize> {
        self.fail()?;
        Ok(match (self.busy(), self.node.is_host()) {
            (true, _) => 0,
            (false, true) => PIPE_CAPACITY,
            (false, false) => MAX_READ,
        })
    }

    async fn blocking_write_and_flush(&mut self, bytes: Bytes) -> StreamResult<()> {
        self.settle().await;
        self.fail()?;
        if self.node.is_host() {
            self.begin(bytes);
            self.settle().await;
            return self.fail();
        }
        self.write(bytes)
    }
}

impl Drop for FileOutput {
    fn drop(&mut self) {
        if !self.pending.is_empty() && tokio::runtime::Handle::try_current().is_ok() {
            let pending = std::mem::take(&mut self.pending);
            self.begin(pending);
        }
        if let Some(storing) = self.storing.take() {
            let charge = self.charge.take();
            // The guest dropped the stream without asking how the write ended. A thread cannot be ended, but writes little.
            drop(self.tasks.spawn_apart(async move {
                let _ = storing.await;
                drop(charge);
            }));
        }
    }
}
