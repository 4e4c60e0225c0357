//! Files that a client has open, by names that it chooses, to read or write them block by block.

use std::collections::BTreeMap;

use parking_lot::Mutex;
use wisp::fs::{FileType, Files, Stat, WriteOptions};

use crate::bounds::BLOCK;
use crate::error::RpcError;
use crate::outbox::{Outbox, Reply};
use crate::protocol::{Base64, BlockRead, BlockResult, BlockWritten, Done, Handle, OpenMode, Opened};

/// Maximum files that a client has open, as in Codex.
const MOST: usize = 128;

/// Maximum bytes of the name of a handle.
const NAME: usize = 128;

/// The open files of a client.
#[derive(Default)]
pub(crate) struct OpenFiles(Mutex<BTreeMap<String, OpenFile>>);

/// An open file. wisp's files have no handles that outlive a call, so each block makes sure that the file is still the same.
#[derive(Clone, PartialEq, Eq)]
struct OpenFile {
    path: String,
    mode: OpenMode,
    /// Its device and number.
    file: (u64, u64),
}

impl OpenFiles {
    /// Handles `fs/open`.
    pub(crate) async fn open(&self, files: &Files, asked: Opened) -> Result<Reply, RpcError> {
        let name = asked.handle_id;
        if name.is_empty() || name.len() > NAME {
            return Err(RpcError::invalid_request(format!("the name of a file handle has 1 to {NAME} bytes")));
        }
        self.check_room(&name)?;
        let path = asked.path.path();
        if asked.mode == OpenMode::Replace {
            files.write_with(path, "", WriteOptions::new().parents(false)).await?;
        }
        // Without links, so that the name stays that of this file.
        let path = files.canonical(path).await?;
        let stat = files.stat(&path).await?;
        if stat.kind != FileType::Regular {
            return Err(RpcError::invalid_request("the path is not a regular file"));
        }
        self.check_room(&name)?;
        self.0.lock().insert(name.clone(), OpenFile { path, mode: asked.mode, file: ident(&stat) });
        Reply::of(&Handle { handle_id: name })
    }

    /// Handles `fs/readBlock`. The file is closed at its end, and if it cannot be read.
    pub(crate) async fn read(&self, files: &Files, asked: BlockRead, outbox: &Outbox) -> Result<Reply, RpcError> {
        let open = self.find(&asked.handle_id, OpenMode::Read)?;
        if asked.len == 0 || asked.len > BLOCK as u64 {
            return Err(RpcError::invalid_request(format!("a block has 1 to {BLOCK} bytes")));
        }
        let held = outbox.reserve(asked.len).await;
        let read = async {
            open.check(files).await?;
            Ok::<_, RpcError>(files.read_range(&open.path, asked.offset, asked.len).await?)
        };
        let read = read.await;
        let eof = read.as_ref().map_or(true, |bytes| (bytes.len() as u64) < asked.len);
        if eof {
            self.forget(&asked.handle_id);
        }
        Ok(Reply::of(&BlockResult { chunk: Base64(read?), eof })?.holding(held))
    }

    /// Handles `fs/writeBlock`.
    pub(crate) async fn write(&self, files: &Files, asked: BlockWritten) -> Result<Reply, RpcError> {
        let open = self.find(&asked.handle_id, OpenMode::Replace)?;
        let bytes = asked.chunk.0;
        if bytes.is_empty() || bytes.len() > BLOCK {
            return Err(RpcError::invalid_request(format!("a block has 1 to {BLOCK} bytes")));
        }
        open.check(files).await?;
        files.write_at(&open.path, asked.offset, bytes).await?;
        Reply::of(&Done {})
    }

    /// Handles `fs/close`.
    pub(crate) fn close(&self, asked: &Handle) -> Result<Reply, RpcError> {
        self.forget(&asked.handle_id);
        Reply::of(&Done {})
    }

    fn find(&self, name: &str, mode: OpenMode) -> Result<OpenFile, RpcError> {
        let found = self.0.lock().get(name).cloned();
        match found.ok_or_else(|| RpcError::not_found(format!("unknown file handle `{}`", wisp_api::shown(name))))? {
            open if open.mode == mode => Ok(open),
            _ => Err(RpcError::invalid_request(format!("the file handle `{}` is open for something else", wisp_api::shown(name)))),
        }
    }

    fn forget(&self, name: &str) {
        self.0.lock().remove(name);
    }

    fn check_room(&self, name: &str) -> Result<(), RpcError> {
        let open = self.0.lock();
        if open.contains_key(name) {
            return Err(RpcError::internal(format!("the file handle `{}` is open already", wisp_api::shown(name))));
        }
        match open.len() >= MOST {
            true => Err(RpcError::invalid_request(format!("{MOST} files are open, which is as many as a client may have"))),
            false => Ok(()),
        }
    }
}

impl OpenFile {
    /// Makes sure that the file is still there under its name.
    async fn check(&self, files: &Files) -> Result<(), RpcError> {
        let stat = files.stat_link(&self.path).await?;
        match ident(&stat) == self.file {
            true => Ok(()),
            false => Err(RpcError::internal("another file has its name now: open it again")),
        }
    }
}

fn ident(stat: &Stat) -> (u64, u64) {
    (stat.dev, stat.ino)
}
