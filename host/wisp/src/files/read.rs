//! Contents, out.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::{Buf, Bytes};
use tokio::io::{AsyncRead, ReadBuf};
use tokio::task::JoinHandle;

use super::error::Done;
use super::path::absolute;
use super::view::View;
use super::{Files, FilesError, FilesOperation, FilesReason};
use wisp_vfs::{FileType, FsError, Node, Stat};

/// Maximum bytes that one call returns. Attack: a sparse file of 8 EiB, which costs a guest nothing. The number is the
/// default quota of a session: what it can store can be read.
const MAX_READ: u64 = 256 << 20;

/// Bytes of a stream that are held at a time: a whole chunk of the filesystem, which is passed on without a copy.
pub(super) const PIECE: usize = 64 << 10;

impl Files {
    /// Reads the contents of the file at `path`.
    ///
    /// # Errors
    /// If it cannot be read, or has more than 256 MiB: [`Files::read_stream`] has no bound.
    pub async fn read(&self, path: &str) -> Result<Bytes, FilesError> {
        self.read_at_most(path, MAX_READ).await
    }

    /// Reads the contents of the file at `path`, if they have at most `limit` bytes (256 MiB if `limit` is more).
    ///
    /// # Errors
    /// If it cannot be read, or is larger (`FilesReason::TooLarge`). A larger file is not read.
    pub async fn read_at_most(&self, path: &str, limit: u64) -> Result<Bytes, FilesError> {
        let path = absolute(path);
        let long = self.is_long(&path);
        self.run(FilesOperation::Read, path, long, move |view, path| Ok(whole(&view.open(path)?, limit.min(MAX_READ))?)).await
    }

    /// Reads at most `len` bytes of the file at `path` from `offset` on (256 MiB if `len` is more). Fewer at the end of the
    /// file, none beyond it.
    ///
    /// # Errors
    /// If it cannot be read.
    pub async fn read_range(&self, path: &str, offset: u64, len: u64) -> Result<Bytes, FilesError> {
        let path = absolute(path);
        let long = self.is_long(&path);
        self.run(FilesOperation::Read, path, long, move |view, path| Ok(view.open(path)?.read_range(offset, len.min(MAX_READ))?)).await
    }

    /// Reads the contents of the file at `path`, piece by piece. A file that is replaced or removed in the meantime is read to its
    /// end as it was; one that is written to may show both states.
    ///
    /// # Errors
    /// If it cannot be opened, or is a directory.
    pub async fn read_stream(&self, path: &str) -> Result<FileReader, FilesError> {
        let path = absolute(path);
        let long = self.is_host(&path);
        let open = |view: &View, path: &str| -> Done<FileReader> {
            let node = view.open(path)?;
            if node.file_type() == FileType::Directory {
                return Err(FsError::IsDirectory.into());
            }
            let stat = node.stat()?;
            Ok(FileReader { node, path: path.to_owned(), stat, offset: 0, ready: Bytes::new(), asked: None })
        };
        self.run(FilesOperation::Read, path, long, open).await
    }
}

/// Returns the whole of a file of at most `most` bytes.
pub(super) fn whole(node: &Node, most: u64) -> Result<Bytes, FilesReason> {
    let size = node.stat()?.size;
    if size > most {
        return Err(FilesReason::TooLarge { limit: most });
    }
    if node.file_type() == FileType::Regular {
        return Ok(node.read_range(0, size)?);
    }
    // A device tells no size, and may be endless.
    let bytes = node.read_range(0, most.saturating_add(1))?;
    if bytes.len() as u64 > most { Err(FilesReason::TooLarge { limit: most }) } else { Ok(bytes) }
}

/// An open file of a session, read from its start to its end: piece by piece ([`FileReader::chunk`]), or as an
/// [`AsyncRead`].
pub struct FileReader {
    node: Node,
    path: String,
    stat: Stat,
    offset: u64,
    ready: Bytes,
    /// A read of the host's file, on another thread.
    asked: Option<JoinHandle<Result<Bytes, FsError>>>,
}

impl FileReader {
    /// Returns facts about the file at the moment at which it was opened.
    pub fn stat(&self) -> &Stat {
        &self.stat
    }

    /// Reads the next bytes, at most 64 KiB, mostly without a copy. `None` at the end of the file.
    ///
    /// # Errors
    /// If they cannot be read.
    pub async fn chunk(&mut self) -> Result<Option<Bytes>, FilesError> {
        let bytes = std::future::poll_fn(|cx| self.poll_ready(cx)).await;
        match bytes {
            Ok(()) => Ok(Some(std::mem::take(&mut self.ready)).filter(|bytes| !bytes.is_empty())),
            Err(source) => Err(FilesError { operation: FilesOperation::Read, path: self.path.clone(), source: source.into() }),
        }
    }

    /// Makes bytes ready, unless the file ends.
    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), FsError>> {
        if !self.ready.is_empty() {
            return Poll::Ready(Ok(()));
        }
        let read = match &mut self.asked {
            None if !self.node.is_host() => self.node.read_at(self.offset, PIECE),
            asked => {
                let task = asked.get_or_insert_with(|| {
                    let (node, offset) = (self.node.clone(), self.offset);
                    crate::meter::blocking(move || node.read_at(offset, PIECE))
                });
                let done = ready!(Pin::new(task).poll(cx));
                self.asked = None;
                done.unwrap_or(Err(FsError::Io))
            }
        };
        self.ready = read?;
        self.offset += self.ready.len() as u64;
        Poll::Ready(Ok(()))
    }
}

impl AsyncRead for FileReader {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, to: &mut ReadBuf<'_>) -> Poll<std::io::Result<()>> {
        ready!(self.poll_ready(cx)).map_err(std::io::Error::other)?;
        let count = self.ready.len().min(to.remaining());
        to.put_slice(&self.ready[..count]);
        self.ready.advance(count);
        Poll::Ready(Ok(()))
    }
}

impl fmt::Debug for FileReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileReader").field("path", &self.path).field("offset", &self.offset).finish_non_exhaustive()
    }
}
