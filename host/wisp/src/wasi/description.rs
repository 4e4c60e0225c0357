//! Open-file descriptions: what descriptors refer to, shared by processes.

use std::sync::Arc;

use bytes::Bytes;

use super::random::ProcessRandom;
use super::{Charge, SharedLock};
use wisp_process::{PIPE_CAPACITY, PipeReader, PipeWriter};
use wisp_vfs::{Device, FileType, FsError, Node, OpenFile, Stat, Whence};

/// Maximum bytes one read gives (1 MiB): what a guest can make the host hold for one call.
pub(super) const MAX_READ: usize = 1 << 20;

/// A shared handle; the description closes when the last is dropped.
pub type OpenDescription = Arc<Description>;

/// Where a command's output goes on the host.
pub trait OutputSink: Send + Sync {
    /// Take bytes.
    ///
    /// # Errors
    /// [`IoFailure::Ended`] when the output limit ended the command.
    fn write(&self, bytes: &[u8]) -> Result<(), IoFailure>;
}

/// Why reading or writing a description failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum IoFailure {
    /// The filesystem's error.
    #[error("{0}")]
    Fs(#[from] FsError),
    /// A pipe without a reader.
    #[error("broken pipe")]
    BrokenPipe,
    /// A limit ended the command while this was written.
    #[error("the command is being ended by a limit")]
    Ended,
}

enum Kind {
    File(OpenFile),
    Reader(PipeReader),
    Writer(PipeWriter),
    Sink(Arc<dyn OutputSink>),
    Random(ProcessRandom),
}

/// An open file, pipe end or stream of the host, with its offset and flags.
pub struct Description {
    kind: Kind,
    terminal: bool,
    /// What `stat` shows as the inode of a pipe or stream.
    number: u64,
    /// What a pipe's buffer is charged; with the reading end, as the buffer goes with it.
    #[expect(dead_code, reason = "held while the buffer can be filled; given back on drop")]
    charge: Option<Charge>,
    /// What a file may be locked with.
    lock: Option<SharedLock>,
}

impl Description {
    /// A file of the filesystem, or one of its devices; `append` sends every write to the end.
    pub fn file(node: Node, append: bool, random: &ProcessRandom) -> OpenDescription {
        Description::file_with(node, append, random, SharedLock::default())
    }

    /// As [`Description::file`], with a lock that it shares.
    pub fn file_with(node: Node, append: bool, random: &ProcessRandom, lock: SharedLock) -> OpenDescription {
        let (kind, lock) = match node.file_type() {
            FileType::CharDevice(Device::Random | Device::Urandom) => (Kind::Random(random.clone()), None),
            _ => (Kind::File(OpenFile::new(node, append)), Some(lock)),
        };
        Arc::new(Description { kind, terminal: false, number: 0, charge: None, lock })
    }

    /// The reading end of a pipe that a guest made; both ends have the same `number`.
    pub fn pipe_reader(pipe: PipeReader, number: u64, charge: Charge) -> OpenDescription {
        Arc::new(Description { kind: Kind::Reader(pipe), terminal: false, number, charge: Some(charge), lock: None })
    }

    /// The reading end of a pipe that the host feeds. `number` tells it apart from the process's other streams.
    pub fn reader(pipe: PipeReader, number: u64, terminal: bool) -> OpenDescription {
        Arc::new(Description { kind: Kind::Reader(pipe), terminal, number, charge: None, lock: None })
    }

    /// The writing end of a pipe.
    pub fn writer(pipe: PipeWriter, number: u64, terminal: bool) -> OpenDescription {
        Arc::new(Description { kind: Kind::Writer(pipe), terminal, number, charge: None, lock: None })
    }

    /// A stream the host takes.
    pub fn sink(sink: Arc<dyn OutputSink>, number: u64) -> OpenDescription {
        Arc::new(Description { kind: Kind::Sink(sink), terminal: false, number, charge: None, lock: None })
    }

    /// Whether reading and writing may wait for the host's files.
    pub fn is_host(&self) -> bool {
        self.node().is_some_and(Node::is_host)
    }

    /// Whether this is a person's terminal.
    pub fn is_terminal(&self) -> bool {
        self.terminal
    }

    /// What it may be locked with, if it is a file.
    pub fn lock(&self) -> Option<&SharedLock> {
        self.lock.as_ref()
    }

    /// The file behind it, if it is one.
    pub fn node(&self) -> Option<&Node> {
        match &self.kind {
            Kind::File(file) => Some(file.node()),
            _ => None,
        }
    }

    /// Read up to `len` bytes without waiting; `None` when that cannot be.
    ///
    /// # Errors
    /// The filesystem's, or that it is not open for reading.
    pub fn try_read(&self, len: usize) -> Result<Option<Bytes>, IoFailure> {
        let len = len.min(MAX_READ);
        match &self.kind {
            Kind::File(file) if file.node().is_host() => Ok(None),
            Kind::File(file) => Ok(Some(file.read(len)?)),
            Kind::Reader(pipe) => Ok(pipe.try_read(len)),
            Kind::Random(random) => Ok(Some(random.bytes(len).into())),
            Kind::Writer(_) | Kind::Sink(_) => Err(FsError::BadDescriptor.into()),
        }
    }

    /// Read up to `len` bytes, waiting for the first; empty at end of file.
    ///
    /// # Errors
    /// The filesystem's, or that it is not open for reading.
    pub async fn read(self: &Arc<Self>, len: usize) -> Result<Bytes, IoFailure> {
        let len = len.min(MAX_READ);
        match &self.kind {
            Kind::Reader(pipe) => Ok(pipe.read(len).await),
            Kind::File(file) if file.node().is_host() => {
                self.blocking(move |description| match &description.kind {
                    Kind::File(file) => Ok(file.read(len)?),
                    _ => Err(FsError::BadDescriptor.into()),
                })
                .await
            }
            _ => Ok(self.try_read(len)?.unwrap_or_default()),
        }
    }

    /// Write what fits without waiting, leaving the rest; answers how much that was. Nothing is taken by a file of a
    /// host mount: use [`Description::write`].
    ///
    /// # Errors
    /// The filesystem's, a broken pipe, or an output limit.
    pub fn try_write(&self, bytes: &mut Bytes) -> Result<usize, IoFailure> {
        match &self.kind {
            Kind::File(file) if file.node().is_host() => Ok(0),
            Kind::File(file) => {
                let written = file.write(bytes)?;
                drop(bytes.split_to(written));
                Ok(written)
            }
            Kind::Writer(pipe) => pipe.try_write(bytes).map_err(|_| IoFailure::BrokenPipe),
            Kind::Sink(sink) => {
                let all = bytes.split_to(bytes.len());
                sink.write(&all)?;
                Ok(all.len())
            }
            Kind::Random(_) => Ok(bytes.split_to(bytes.len()).len()),
            Kind::Reader(_) => Err(FsError::BadDescriptor.into()),
        }
    }

    /// Write all bytes, waiting while a pipe is full.
    ///
    /// # Errors
    /// As [`Description::try_write`].
    pub async fn write(self: &Arc<Self>, mut bytes: Bytes) -> Result<(), IoFailure> {
        match &self.kind {
            Kind::Writer(pipe) => pipe.write_all(bytes).await.map_err(|_| IoFailure::BrokenPipe),
            Kind::File(file) if file.node().is_host() => {
                self.blocking(move |description| match &description.kind {
                    Kind::File(file) => {
                        let mut rest = &bytes[..];
                        while !rest.is_empty() {
                            let written = file.write(rest)?;
                            if written == 0 {
                                return Err(FsError::Io.into());
                            }
                            rest = &rest[written..];
                        }
                        Ok(())
                    }
                    _ => Err(FsError::BadDescriptor.into()),
                })
                .await
            }
            _ => {
                while !bytes.is_empty() {
                    if self.try_write(&mut bytes)? == 0 {
                        return Err(FsError::Io.into());
                    }
                }
                Ok(())
            }
        }
    }

    /// Bytes that may be given to one write without waiting: what a pipe has room for; for a file of a host mount, where
    /// they wait for a thread, as much as a pipe holds; else 1 MiB.
    ///
    /// # Errors
    /// A broken pipe, or not open for writing.
    pub fn room(&self) -> Result<usize, IoFailure> {
        match &self.kind {
            Kind::Writer(pipe) => pipe.room().map_err(|_| IoFailure::BrokenPipe),
            Kind::Reader(_) => Err(FsError::BadDescriptor.into()),
            Kind::File(file) if file.node().is_host() => Ok(PIPE_CAPACITY),
            Kind::File(_) | Kind::Sink(_) | Kind::Random(_) => Ok(MAX_READ),
        }
    }

    /// The most that one write may be given at all, however much room there was when it was asked for.
    pub fn permit(&self) -> usize {
        match &self.kind {
            Kind::Writer(_) => PIPE_CAPACITY,
            Kind::File(file) if file.node().is_host() => PIPE_CAPACITY,
            _ => MAX_READ,
        }
    }

    /// Write all of `bytes`, which keeps what is left when this is given up half-way (but for a file of a host mount, where
    /// a thread finishes what was begun).
    ///
    /// # Errors
    /// As [`Description::try_write`].
    pub async fn drain(self: &Arc<Self>, bytes: &mut Bytes) -> Result<(), IoFailure> {
        let Kind::Writer(pipe) = &self.kind else {
            return self.write(std::mem::take(bytes)).await;
        };
        while !bytes.is_empty() {
            if self.try_write(bytes)? == 0 {
                pipe.writable().await;
            }
        }
        Ok(())
    }

    /// Wait until a read would not wait.
    pub async fn readable(&self) {
        if let Kind::Reader(pipe) = &self.kind {
            pipe.readable().await;
        }
    }

    /// Wait until a write would take a byte or fail.
    pub async fn writable(&self) {
        if let Kind::Writer(pipe) = &self.kind {
            pipe.writable().await;
        }
    }

    /// Move the offset.
    ///
    /// # Errors
    /// `IllegalSeek` for a pipe or stream.
    pub async fn seek(self: &Arc<Self>, whence: Whence, offset: i64) -> Result<u64, IoFailure> {
        match &self.kind {
            Kind::File(file) if file.node().is_host() => {
                self.blocking(move |description| match &description.kind {
                    Kind::File(file) => Ok(file.seek(whence, offset)?),
                    _ => Err(FsError::IllegalSeek.into()),
                })
                .await
            }
            Kind::File(file) => Ok(file.seek(whence, offset)?),
            _ => Err(FsError::IllegalSeek.into()),
        }
    }

    /// Cut or extend the file.
    ///
    /// # Errors
    /// `Invalid` for what is not a file.
    pub async fn set_len(self: &Arc<Self>, len: u64) -> Result<(), IoFailure> {
        match self.node().cloned() {
            Some(node) => self.blocking(move |_| Ok(node.set_len(len)?)).await,
            None => Err(FsError::Invalid.into()),
        }
    }

    /// Facts about the file. A pipe is a FIFO, a stream of the host a character device.
    ///
    /// # Errors
    /// The filesystem's.
    pub async fn stat(self: &Arc<Self>) -> Result<Stat, IoFailure> {
        if let Some(node) = self.node().cloned() {
            return self.blocking(move |_| Ok(node.stat()?)).await;
        }
        let kind = match &self.kind {
            Kind::Reader(_) | Kind::Writer(_) if !self.terminal => FileType::Fifo,
            Kind::Random(_) => FileType::CharDevice(Device::Urandom),
            _ if self.terminal => FileType::CharDevice(Device::Tty),
            // A captured stream looks like a pipe to the program, as it does under any other harness.
            _ => FileType::Fifo,
        };
        Ok(Stat {
            dev: 0,
            ino: self.number,
            kind,
            mode: if self.terminal { 0o620 } else { 0o600 },
            nlink: 1,
            uid: 1000,
            gid: 1000,
            size: 0,
            blocks: 0,
            atime: 0,
            mtime: 0,
            ctime: 0,
        })
    }

    /// Run `work` here when it only touches memory, on a blocking thread when a host mount is behind it.
    async fn blocking<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Description) -> Result<T, IoFailure> + Send + 'static,
    ) -> Result<T, IoFailure> {
        if !self.is_host() {
            return work(self);
        }
        let description = self.clone();
        match super::outside(crate::meter::blocking(move || work(&description))).await {
            Ok(result) => result,
            Err(_) => Err(FsError::Io.into()),
        }
    }
}
