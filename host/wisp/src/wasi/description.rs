//! Open-file descriptions: what descriptors refer to, shared by processes.

mod socket;
mod terminal;

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;

use super::random::ProcessRandom;
use super::{Charge, SharedLock, Timeline};
use wisp_process::tty::{self, Keyboard, Tty};
use wisp_process::{FifoEnd, PIPE_CAPACITY, PipeReader, PipeWriter, Reset, Socket, Stream};
use wisp_vfs::{Device, FileType, FsError, MAX_READ, Node, OpenFile, Stat, Whence};

/// A shared handle; the description closes when the last is dropped.
pub type OpenDescription = Arc<Description>;

/// Where a command's output goes on the host.
pub trait OutputSink: Send + Sync {
    /// Takes bytes.
    ///
    /// # Errors
    /// [`IoFailure::Ended`] if the output limit ended the command.
    fn write(&self, bytes: &[u8]) -> Result<(), IoFailure>;
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
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
    /// The peer of a socket closed it before it had read everything.
    #[error("{0}")]
    Reset(#[from] Reset),
    /// A limit ended the command during the write.
    #[error("the command is being ended by a limit")]
    Ended,
}

enum Kind {
    File(OpenFile),
    Reader(PipeReader),
    Writer(PipeWriter),
    /// A named pipe, open for reading, writing or both, and its file, which is not freed in the meantime.
    Fifo(FifoEnd, Node),
    Sink(Arc<dyn OutputSink>),
    Random(ProcessRandom),
    /// A terminal, as its programs have it; and where time passes for VTIME.
    Tty(Tty, Arc<dyn Timeline>),
    /// The other end of a terminal that a guest made.
    Keyboard(Keyboard),
    /// One end of a connection inside the session.
    Stream(Stream),
    /// A bound socket inside the session, and the file that is its name, which is not freed in the meantime.
    Socket(Arc<Socket>, #[expect(dead_code, reason = "its inode keeps its number meanwhile")] Option<Node>),
}

impl From<tty::HungUp> for IoFailure {
    fn from(_: tty::HungUp) -> Self {
        FsError::Io.into()
    }
}

impl From<tty::Background> for IoFailure {
    fn from(_: tty::Background) -> Self {
        FsError::Io.into()
    }
}

/// An open file, pipe end or stream of the host, with its offset and flags.
pub struct Description {
    kind: Kind,
    terminal: bool,
    /// The inode that `stat` shows for a pipe or stream.
    number: u64,
    /// The charge for a pipe's buffer, which lives as long as the reading end, or for a terminal, which lives as long as
    /// either end.
    #[expect(dead_code, reason = "held while the buffer can be filled; released on drop")]
    charge: Option<Arc<Charge>>,
    /// The lock of a file.
    lock: Option<SharedLock>,
}

impl Description {
    /// Returns a file of the filesystem, or one of its devices; `append` sends every write to the end.
    pub fn file(node: Node, append: bool, random: &ProcessRandom) -> OpenDescription {
        Self::file_at(node, 0, append, random, SharedLock::default())
    }

    /// Works like [`Description::file`], at an offset and with a shared lock.
    pub fn file_at(node: Node, offset: u64, append: bool, random: &ProcessRandom, lock: SharedLock) -> OpenDescription {
        let (kind, lock) = match node.device() {
            Some(Device::Random | Device::Urandom) => (Kind::Random(random.clone()), None),
            _ => (Kind::File(OpenFile::at(node, append, offset)), Some(lock)),
        };
        Arc::new(Self { kind, terminal: false, number: 0, charge: None, lock })
    }

    /// Returns the reading end of a pipe that a guest made; both ends have the same `number`.
    pub fn pipe_reader(pipe: PipeReader, number: u64, charge: Charge) -> OpenDescription {
        Arc::new(Self { kind: Kind::Reader(pipe), terminal: false, number, charge: Some(Arc::new(charge)), lock: None })
    }

    /// Returns an end of the named pipe that `node` is.
    pub fn fifo(end: FifoEnd, node: Node) -> OpenDescription {
        Arc::new(Self { kind: Kind::Fifo(end, node), terminal: false, number: 0, charge: None, lock: Some(SharedLock::default()) })
    }

    /// Returns a description for what is left to write when the writing process has closed it, or has ended. A named pipe that
    /// is open for reading too would wait for itself: this has only the writing side.
    pub(super) fn for_rest(self: &Arc<Self>) -> OpenDescription {
        match &self.kind {
            Kind::Fifo(end, node) => Self::fifo(end.write_only(), node.clone()),
            Kind::Stream(stream) => Self::stream(stream.write_only(), self.number),
            _ => self.clone(),
        }
    }

    /// Returns the reading end of a pipe that the host feeds. `number` tells it apart from the process's other streams.
    pub fn reader(pipe: PipeReader, number: u64, terminal: bool) -> OpenDescription {
        Arc::new(Self { kind: Kind::Reader(pipe), terminal, number, charge: None, lock: None })
    }

    /// Returns the writing end of a pipe.
    pub fn writer(pipe: PipeWriter, number: u64, terminal: bool) -> OpenDescription {
        Arc::new(Self { kind: Kind::Writer(pipe), terminal, number, charge: None, lock: None })
    }

    /// Returns a stream that the host receives.
    pub fn sink(sink: Arc<dyn OutputSink>, number: u64) -> OpenDescription {
        Arc::new(Self { kind: Kind::Sink(sink), terminal: false, number, charge: None, lock: None })
    }

    /// Returns whether reading and writing may wait for the host's files.
    pub fn is_host(&self) -> bool {
        self.node().is_some_and(Node::is_host)
    }

    /// Returns whether this is a person's terminal.
    pub fn is_terminal(&self) -> bool {
        self.terminal
    }

    /// Returns the lock, if this is a file.
    pub fn lock(&self) -> Option<&SharedLock> {
        self.lock.as_ref()
    }

    /// Returns the file, if this is one.
    pub fn node(&self) -> Option<&Node> {
        match &self.kind {
            Kind::File(file) => Some(file.node()),
            Kind::Fifo(_, node) => Some(node),
            _ => None,
        }
    }

    /// Returns the inode number that [`Description::stat`] shows. Does not access the host.
    pub(super) fn inode(&self) -> Option<u64> {
        match self.node() {
            Some(node) => node.ident().ok().map(|(_, inode)| inode),
            None => Some(self.number),
        }
    }

    /// Returns the end of a pipe from which this reads.
    fn reading(&self) -> Result<&PipeReader, IoFailure> {
        let pipe = match &self.kind {
            Kind::Reader(pipe) => Some(pipe),
            Kind::Fifo(end, _) => end.reader(),
            Kind::Stream(stream) => stream.reader(),
            _ => None,
        };
        pipe.ok_or(FsError::BadDescriptor.into())
    }

    /// Returns the end of a pipe to which this writes.
    fn writing(&self) -> Result<&PipeWriter, IoFailure> {
        let pipe = match &self.kind {
            Kind::Writer(pipe) => Some(pipe),
            Kind::Fifo(end, _) => end.writer(),
            Kind::Stream(stream) => Some(stream.writer()),
            _ => None,
        };
        pipe.ok_or(FsError::BadDescriptor.into())
    }

    /// Reads up to `len` bytes without waiting; `None` when that cannot be.
    ///
    /// # Errors
    /// Those of the filesystem, or it is not open for reading.
    pub fn try_read(&self, len: usize) -> Result<Option<Bytes>, IoFailure> {
        let len = len.min(MAX_READ);
        match &self.kind {
            Kind::File(file) if file.node().is_host() => Ok(None),
            Kind::File(file) => Ok(Some(file.read(len)?)),
            Kind::Reader(_) | Kind::Writer(_) | Kind::Fifo(..) => Ok(self.reading()?.try_read(len)),
            Kind::Random(random) => Ok(Some(random.bytes(len).into())),
            Kind::Tty(..) | Kind::Keyboard(_) if len == 0 => Ok(Some(Bytes::new())),
            Kind::Tty(tty, _) => Ok(tty.try_read(len)),
            Kind::Keyboard(keyboard) => Ok(keyboard.try_take(len)),
            Kind::Stream(_) => self.reading()?.try_read(len).map(|bytes| self.unless_reset(len, bytes)).transpose(),
            Kind::Sink(_) | Kind::Socket(..) => Err(FsError::BadDescriptor.into()),
        }
    }

    /// Returns how many bytes a read of a terminal, pipe or socket would return without waiting.
    ///
    /// # Errors
    /// `Unsupported` if it is none of these, or not open for reading.
    pub fn available(&self) -> Result<usize, IoFailure> {
        if let Some(terminal) = self.control() {
            return Ok(terminal.available());
        }
        self.reading().map(PipeReader::available).map_err(|_| FsError::Unsupported.into())
    }

    /// Reads up to `len` bytes, waiting for the first. Empty at the end of the file.
    ///
    /// # Errors
    /// Those of the filesystem, or it is not open for reading.
    pub async fn read(self: &Arc<Self>, len: usize) -> Result<Bytes, IoFailure> {
        let len = len.min(MAX_READ);
        match &self.kind {
            Kind::Reader(_) | Kind::Fifo(..) => Ok(self.reading()?.read(len).await),
            Kind::Stream(_) => self.unless_reset(len, self.reading()?.read(len).await),
            Kind::Tty(tty, timeline) if len > 0 => {
                let sleep = |time: Duration| timeline.until(timeline.now().saturating_add(nanoseconds(time)));
                Ok(tty.read(None, len, sleep).await?)
            }
            Kind::Keyboard(keyboard) if len > 0 => Ok(keyboard.take(len).await),
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

    /// Writes what fits without waiting, and leaves the rest in `bytes`. Returns how much it wrote. A file of a host
    /// mount takes nothing this way: use [`Description::write`].
    ///
    /// # Errors
    /// Those of the filesystem, a broken pipe, or an output limit.
    pub fn try_write(&self, bytes: &mut Bytes) -> Result<usize, IoFailure> {
        match &self.kind {
            Kind::File(file) if file.node().is_host() => Ok(0),
            Kind::File(file) => {
                let written = file.write(bytes)?;
                drop(bytes.split_to(written));
                Ok(written)
            }
            Kind::Writer(_) | Kind::Reader(_) | Kind::Fifo(..) | Kind::Stream(_) => {
                self.writing()?.try_write(bytes).map_err(|_| IoFailure::BrokenPipe)
            }
            Kind::Sink(sink) => {
                let all = bytes.split_to(bytes.len());
                sink.write(&all)?;
                Ok(all.len())
            }
            Kind::Random(_) => Ok(bytes.split_to(bytes.len()).len()),
            Kind::Tty(tty, _) => Ok(tty.try_write(bytes)?),
            Kind::Keyboard(keyboard) => Ok(keyboard.try_type(bytes)?),
            Kind::Socket(..) => Err(FsError::BadDescriptor.into()),
        }
    }

    /// Writes all bytes, and waits while a pipe or terminal is full.
    ///
    /// # Errors
    /// Those of [`Description::try_write`].
    pub async fn write(self: &Arc<Self>, mut bytes: Bytes) -> Result<(), IoFailure> {
        match &self.kind {
            Kind::Writer(_) | Kind::Fifo(..) | Kind::Stream(_) => self.writing()?.write_all(bytes).await.map_err(|_| IoFailure::BrokenPipe),
            Kind::Tty(tty, _) => Ok(tty.write_all(bytes).await?),
            Kind::Keyboard(keyboard) => Ok(keyboard.type_all(bytes).await?),
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

    /// Returns the number of bytes that one write may take without waiting: a pipe's free space; for a file of a host mount, where a thread
    /// writes them, the size of a pipe; otherwise 1 MiB.
    ///
    /// # Errors
    /// A broken pipe, or it is not open for writing.
    pub fn room(&self) -> Result<usize, IoFailure> {
        match &self.kind {
            Kind::Writer(_) | Kind::Reader(_) | Kind::Fifo(..) | Kind::Stream(_) => {
                self.writing()?.room().map_err(|_| IoFailure::BrokenPipe)
            }
            Kind::Tty(tty, _) => Ok(tty.room()?),
            Kind::Keyboard(keyboard) => Ok(keyboard.room()?),
            Kind::File(file) if file.node().is_host() => Ok(PIPE_CAPACITY),
            Kind::File(_) | Kind::Sink(_) | Kind::Random(_) => Ok(MAX_READ),
            Kind::Socket(..) => Err(FsError::BadDescriptor.into()),
        }
    }

    /// Returns the maximum number of bytes of one write, even if there was more room when the guest asked.
    pub fn permit(&self) -> usize {
        match &self.kind {
            Kind::Writer(_) | Kind::Fifo(..) | Kind::Stream(_) | Kind::Tty(..) | Kind::Keyboard(_) => PIPE_CAPACITY,
            Kind::File(file) if file.node().is_host() => PIPE_CAPACITY,
            _ => MAX_READ,
        }
    }

    /// Writes all of `bytes`. If the future is dropped early, `bytes` keeps what is left; for a file of a host mount, a
    /// thread finishes the write.
    ///
    /// # Errors
    /// Those of [`Description::try_write`].
    pub async fn drain(self: &Arc<Self>, bytes: &mut Bytes) -> Result<(), IoFailure> {
        if self.writing().is_err() && !matches!(self.kind, Kind::Tty(..) | Kind::Keyboard(_)) {
            return self.write(std::mem::take(bytes)).await;
        }
        while !bytes.is_empty() {
            if self.try_write(bytes)? == 0 {
                self.writable().await;
            }
        }
        Ok(())
    }

    /// Waits until a read would not block.
    pub async fn readable(&self) {
        match &self.kind {
            Kind::Tty(tty, _) => tty.readable().await,
            Kind::Keyboard(keyboard) => keyboard.showing().await,
            Kind::Socket(socket, _) => socket.acceptable().await,
            _ => {
                if let Ok(pipe) = self.reading() {
                    pipe.readable().await;
                }
            }
        }
    }

    /// Waits until a write would take a byte or fail.
    pub async fn writable(&self) {
        match &self.kind {
            Kind::Tty(tty, _) => tty.writable().await,
            Kind::Keyboard(keyboard) => keyboard.typable().await,
            // Nothing is ever written to it.
            Kind::Socket(..) => std::future::pending().await,
            _ => {
                if let Ok(pipe) = self.writing() {
                    pipe.writable().await;
                }
            }
        }
    }

    /// Moves the offset.
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

    /// Returns whether each write goes to the end of the file.
    pub fn appends(&self) -> bool {
        matches!(&self.kind, Kind::File(file) if file.append())
    }

    /// Sets whether each write goes to the end of the file. What is not a file has no offset, and stays as it is.
    pub fn set_appends(&self, appends: bool) {
        if let Kind::File(file) = &self.kind {
            file.set_append(appends);
        }
    }

    /// Truncates or extends the file.
    ///
    /// # Errors
    /// `Invalid` if this is not a file.
    pub async fn set_len(self: &Arc<Self>, len: u64) -> Result<(), IoFailure> {
        match self.node().cloned() {
            Some(node) => self.blocking(move |_| Ok(node.set_len(len)?)).await,
            None => Err(FsError::Invalid.into()),
        }
    }

    /// Returns facts about the file. A pipe is a FIFO; a stream of the host is a character device.
    ///
    /// # Errors
    /// Those of the filesystem.
    pub async fn stat(self: &Arc<Self>) -> Result<Stat, IoFailure> {
        if let Some(node) = self.node().cloned() {
            return self.blocking(move |_| Ok(node.stat()?)).await;
        }
        let kind = match &self.kind {
            Kind::Reader(_) | Kind::Writer(_) if !self.terminal => FileType::Fifo,
            Kind::Random(_) => FileType::CharDevice,
            Kind::Stream(_) | Kind::Socket(..) => FileType::Socket,
            _ if self.terminal => FileType::CharDevice,
            // A captured stream looks like a pipe to the program, as under any other harness.
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

    /// Runs `work` here if it only touches memory, and on a blocking thread if the file is in a host mount.
    async fn blocking<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Self) -> Result<T, IoFailure> + Send + 'static,
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
