//! Opening a named pipe, through either door: the session's table of named pipes joins the ends.

use super::Charge;
use super::description::{Description, OpenDescription};
use super::files::FilesView;
use super::signals::end_if_doomed;
use wisp_process::{PIPE_COST, Side};
use wisp_vfs::{FsError, Node};

impl FilesView<'_> {
    /// Opens the named pipe `node`, which is open for reading, writing or both, and waits for the other side. A process
    /// that is ended meanwhile leaves the pipe when the future is dropped. The future does not borrow the view.
    ///
    /// # Errors
    /// `OutOfMemory` if the session has no room for the pipe's buffer; those of the filesystem.
    pub(super) fn open_fifo(&self, node: Node) -> impl Future<Output = wasmtime::Result<Result<OpenDescription, FsError>>> + Send + use<> {
        let side = match (node.readable(), node.writable()) {
            (true, true) => Side::Both,
            (false, true) => Side::Write,
            (_, false) => Side::Read,
        };
        let charge = || Charge::new(self.memory, PIPE_COST);
        let opening = node.ident().and_then(|file| self.fifos.open(file, side, charge).ok_or(FsError::OutOfMemory));
        let process = self.process.clone();
        async move {
            let opening = match opening {
                Ok(opening) => opening,
                Err(error) => return Ok(Err(error)),
            };
            let end = opening.joined().await;
            end_if_doomed(&process)?;
            Ok(Ok(Description::fifo(end, node)))
        }
    }
}
