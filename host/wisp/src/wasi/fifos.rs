//! Opening a named pipe, through either door: the session's table of named pipes joins the ends.

use std::sync::Arc;

use super::Charge;
use super::files::FilesView;
use wisp_process::{FifoEnd, Opening, PIPE_COST, Process, Side};
use wisp_vfs::{FsError, Node};

impl FilesView<'_> {
    /// Begins to open the named pipe `node`, which is open for reading, writing or both. A process that is ended while it
    /// waits leaves the pipe when the opening is dropped with its future.
    ///
    /// # Errors
    /// `OutOfMemory` if the session has no room for the pipe's buffer; those of the filesystem.
    pub(super) fn begin_fifo(&self, node: &Node) -> Result<Opening, FsError> {
        let side = match (node.readable(), node.writable()) {
            (true, true) => Side::Both,
            (false, true) => Side::Write,
            (_, false) => Side::Read,
        };
        let charge = || Charge::new(self.memory, PIPE_COST);
        self.fifos.open(node.ident()?, side, charge).ok_or(FsError::OutOfMemory)
    }
}

/// Waits for the other side. Returns `None` if a signal that the process handles is pending before that: open(2) then
/// fails with EINTR.
pub(super) async fn joined_or_signal(opening: Opening, process: Arc<Process>) -> Option<FifoEnd> {
    tokio::select! {
        biased;
        end = opening.joined() => Some(end),
        () = process.signals().waiting() => None,
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use wasmtime_wasi_io::streams::OutputStream;

    use super::super::HostMemory;
    use super::super::charge::tests::Account;
    use super::super::description::{Description, OpenDescription};
    use super::super::streams::SharedOutput;
    use super::*;
    use crate::tasks::Tasks;
    use wisp_process::{Fifos, PIPE_CAPACITY, ProcessTable, Signal, SignalSet};
    use wisp_vfs::{Clock, Fs, OpenHow, Quota};

    struct Still;

    impl Clock for Still {
        fn now(&self) -> u64 {
            0
        }
    }

    /// A named pipe that one description has open for reading and writing.
    async fn both() -> (Fs, Arc<Fifos>, OpenDescription) {
        let (fs, fifos) = (Fs::new(Quota { max_bytes: 0, max_files: 1 }, Arc::new(Still)), Arc::new(Fifos::default()));
        fs.mkfifo(&fs.root(), "/p", 0o600).unwrap();
        let node = fs.open(&fs.root(), "/p", OpenHow { read: true, write: true, ..OpenHow::default() }).unwrap();
        let end = fifos.open(node.ident().unwrap(), Side::Both, || Some(())).unwrap().joined().await;
        (fs, fifos, Description::fifo(end, node))
    }

    #[tokio::test]
    async fn it_is_a_file_with_a_pipe_behind_it() {
        let (fs, _, pipe) = both().await;
        pipe.write(Bytes::from_static(b"text")).await.unwrap();
        assert_eq!(pipe.available().unwrap(), 4);
        assert_eq!(pipe.read(2).await.unwrap(), "te");
        assert_eq!(pipe.try_read(100).unwrap().unwrap(), "xt");
        assert_eq!(pipe.try_read(100).unwrap(), None);
        assert_eq!(pipe.room().unwrap(), PIPE_CAPACITY);
        let stat = pipe.stat().await.unwrap();
        assert_eq!((stat.ino, stat.mode), (fs.stat(&fs.root(), "/p", true).unwrap().ino, 0o600));
        assert!(pipe.seek(wisp_vfs::Whence::Start, 0).await.is_err() && pipe.set_len(0).await.is_err());
    }

    #[tokio::test]
    async fn a_handled_signal_ends_the_wait_and_nothing_else_does() {
        let fifos = Arc::new(Fifos::default());
        let row = Arc::new(ProcessTable::new()).enter(0, 0, "sh", 10).unwrap();
        let process = row.process();
        process.signals().handle(SignalSet::of(1 << 14));
        let open = |side| fifos.open((1, 2), side, || Some(())).unwrap();
        let waiting = tokio::spawn(joined_or_signal(open(Side::Read), process.clone()));
        tokio::task::yield_now().await;
        process.send(Signal::Terminate);
        assert!(waiting.await.unwrap().is_none());
        assert_eq!(fifos.count(), 0, "the end is gone");
        // With both at once, the other side counts: it has been released by this one.
        let _writer = open(Side::Write);
        assert!(joined_or_signal(open(Side::Read), process.clone()).await.is_some());
    }

    /// Otherwise a guest could leave a task behind that waits for its own reading end, for as long as the host runs.
    #[tokio::test]
    async fn a_rest_that_is_written_later_does_not_wait_for_its_own_reader() {
        let (_fs, fifos, pipe) = both().await;
        let (account, memory) = Account::of(1 << 20);
        pipe.write(Bytes::from(vec![0; PIPE_CAPACITY - 1])).await.unwrap();
        let mut output = SharedOutput::new(pipe.clone(), None, memory, Tasks::new(None));
        assert_eq!(output.check_write().unwrap(), 1);
        output.write(Bytes::from(vec![0; 1000])).unwrap();
        assert!(account.left() < 1 << 20, "the rest is held");
        drop((output, pipe));
        for _ in 0..100 {
            tokio::task::yield_now().await;
        }
        assert_eq!((account.left(), fifos.count()), (1 << 20, 0));
    }
}
