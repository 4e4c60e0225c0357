//! A file of a sandbox that is read piece by piece.

use std::sync::Arc;

use bytes::{Bytes, BytesMut};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tokio::sync::Mutex;
use wisp::fs::FileReader;

use crate::call::{Call, Ended, made, made_by};
use crate::failure::Failure;
use crate::host::is_forked;
use crate::sandbox::Sandbox;

/// Bytes of a piece, if the file has as many.
const PIECE: usize = 1 << 20;

/// An open file. It can be read when its sandbox is closed, too.
#[pyclass(frozen, module = "wisp_sandbox._native")]
pub(crate) struct Reader {
    sandbox: Arc<Sandbox>,
    open: Arc<Open>,
}

struct Open(Mutex<State>);

struct State {
    /// None at the end of the file.
    reader: Option<FileReader>,
    /// What was read of the next piece.
    gathered: BytesMut,
    /// The offset of the last piece, and the piece: a caller who stopped waiting asks for it again.
    start: usize,
    piece: Bytes,
}

impl Drop for Open {
    fn drop(&mut self) {
        // In a forked process, a thread that is not there may have locked what the file is part of.
        if is_forked() {
            std::mem::forget(self.0.get_mut().reader.take());
        }
    }
}

/// Opens the file at `path`.
pub(crate) async fn open(sandbox: Arc<Sandbox>, path: String) -> Ended {
    let reader = sandbox.ready().await?.files()?.read_stream(&path).await?;
    let state = State { reader: Some(reader), gathered: BytesMut::new(), start: 0, piece: Bytes::new() };
    Ok(made(Reader { sandbox, open: Arc::new(Open(Mutex::new(state))) }))
}

#[pymethods]
impl Reader {
    /// Returns the piece at this offset: that after the last one, or the last one again. At the end of the file it is empty.
    fn piece(&self, offset: usize) -> Call {
        let open = self.open.clone();
        Call::new(&self.sandbox.host, async move {
            let piece = open.0.lock().await.at(offset).await?;
            Ok(made_by(move |py| Ok(PyBytes::new(py, &piece).into_any().unbind())))
        })
    }
}

impl State {
    async fn at(&mut self, offset: usize) -> Result<Bytes, Failure> {
        if offset != self.start || self.piece.is_empty() {
            while self.gathered.len() < PIECE
                && let Some(reader) = &mut self.reader
            {
                let read = reader.chunk().await?;
                match read {
                    Some(bytes) => self.gathered.extend_from_slice(&bytes),
                    None => self.reader = None,
                }
            }
            self.start += self.piece.len();
            self.piece = self.gathered.split().freeze();
        }
        Ok(self.piece.clone())
    }
}
