//! What one process can reach, and the view through which host functions see it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use wasmtime::component::{HasData, ResourceTable};

use super::{Charge, Facts, Handles, HostMemory, HttpCtx, Labels, OpenDescription, ProcessClock, ProcessRandom};
use wisp_process::{Process, ProcessTable, Spawn};
use wisp_vfs::Fs;

/// What one process can reach.
pub struct ProcessCtx {
    /// The session's filesystem, as this process sees it.
    pub fs: Fs,
    /// This process's row.
    pub process: Arc<Process>,
    /// All processes of the session.
    pub processes: Arc<ProcessTable>,
    /// Starts children.
    pub spawner: Arc<dyn Spawn<OpenDescription>>,
    /// The arguments, the program's name first.
    pub arguments: Arc<Vec<Vec<u8>>>,
    /// The environment, `NAME=value` each.
    pub environment: Arc<Vec<Vec<u8>>>,
    /// Whether it is an interpreter that is told its environment with its first cell: `wasi:cli/environment` has none then,
    /// which saves language runtimes from reading what they will be told.
    pub told: bool,
    /// The working directory it started in.
    pub working_directory: String,
    /// The descriptors it started with and has not released.
    pub descriptors: BTreeMap<u32, OpenDescription>,
    /// The descriptor of `wasi:filesystem` whose `stat` was called last: the one that `files.adopt` means.
    pub asked: Option<u32>,
    /// Wall and monotonic clock.
    pub clock: ProcessClock,
    /// Where its randomness comes from.
    pub random: ProcessRandom,
    /// Labels of the output directory's files.
    pub labels: Arc<Labels>,
    /// The session's read-only facts.
    pub facts: Arc<Facts>,
    /// What it has of HTTP.
    pub http: HttpCtx,
    /// Counts open files against the limit.
    pub open_files: Arc<OpenFiles>,
    /// Where host memory that it makes the host hold is charged.
    pub memory: Arc<dyn HostMemory>,
    /// Where its attempts at what was composed away are noted; nowhere for an instance that is nobody's.
    pub refusals: Option<Arc<dyn Refusals>>,
    /// What its arguments, environment and descriptors are charged.
    #[expect(dead_code, reason = "held until the process has ended")]
    pub start_charge: Option<Charge>,
}

/// Takes note of what a process tries and is refused, before any function of the host's is asked.
pub trait Refusals: Send + Sync {
    /// It called a function that was composed away, by the number that the component in its place has for it.
    fn import(&self, function: u32);
}

/// A borrowed view of one process: its resource table and what it can reach.
pub struct WasiView<'a> {
    /// Handles the guest holds.
    pub table: &'a mut Handles,
    /// What it can reach.
    pub ctx: &'a mut ProcessCtx,
}

/// A store's data that has a [`WasiView`].
pub trait WasiState: Send + 'static {
    /// The view.
    fn wasi(&mut self) -> WasiView<'_>;
    /// The bare table of handles, for wasmtime's functions of `wasi:io`: see [`Handles::for_io`].
    fn table(&mut self) -> &mut ResourceTable;
}

/// What the functions of an interface see: their part of a process, and nothing else of it.
pub(super) trait Part: HasData {
    /// The part.
    fn of(view: WasiView<'_>) -> Self::Data<'_>;
}

/// Counts a process's open files (descriptors of `wasi:filesystem` and of `wisp:sandbox/files`).
pub struct OpenFiles {
    open: AtomicU32,
    limit: u32,
}

impl OpenFiles {
    /// A counter that allows `limit` at once.
    pub fn new(limit: u32) -> Arc<OpenFiles> {
        Arc::new(OpenFiles { open: AtomicU32::new(0), limit })
    }

    /// Count one more, unless the limit is reached. Dropping the ticket counts it out.
    pub fn open(self: &Arc<Self>) -> Option<OpenTicket> {
        let before = self.open.fetch_add(1, Ordering::Relaxed);
        let ticket = OpenTicket(self.clone());
        (before < self.limit).then_some(ticket)
    }
}

/// One counted open file.
pub struct OpenTicket(Arc<OpenFiles>);

impl Drop for OpenTicket {
    fn drop(&mut self) {
        self.0.open.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::OpenFiles;

    #[test]
    fn the_limit_counts_what_is_open_now() {
        let files = OpenFiles::new(2);
        let first = files.open();
        let second = files.open();
        assert!(first.is_some() && second.is_some());
        assert!(files.open().is_none());
        drop(first);
        assert!(files.open().is_some());
    }
}
