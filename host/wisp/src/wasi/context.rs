//! What one process can reach, and the view through which host functions see it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use wasmtime::component::{HasData, ResourceTable};

use super::{
    Charge, Facts, Frontend, Handles, HostCalls, HostMemory, HttpCtx, Labels, OpenDescription, ProcessAlarm, ProcessClock, ProcessRandom,
    SignalFlags, ThreadTable,
};
use crate::tasks::Tasks;
use wisp_process::{Process, ProcessTable, Spawn};
use wisp_vfs::Fs;

/// What one process can reach.
pub struct ProcessCtx {
    /// The session's filesystem, as this process sees it.
    pub fs: Fs,
    /// The process's row in the table.
    pub process: Arc<Process>,
    /// All processes of the session.
    pub processes: Arc<ProcessTable>,
    /// The spawner that starts children.
    pub spawner: Arc<dyn Spawn<OpenDescription>>,
    /// The arguments, beginning with the program's name.
    pub arguments: Arc<Vec<Vec<u8>>>,
    /// The environment, as `NAME=value`.
    pub environment: Arc<Vec<Vec<u8>>>,
    /// Whether `wasi:cli/environment` is empty. It is for an interpreter, which receives its environment with its first
    /// evaluation: this saves language runtimes from reading the same environment twice.
    pub hide_environment: bool,
    /// The working directory it started in.
    pub working_directory: String,
    /// The descriptors it started with and has not released.
    pub descriptors: BTreeMap<u32, OpenDescription>,
    /// The descriptor of `wasi:filesystem` whose `stat` was called last, to which `files.adopt` refers.
    pub asked: Option<u32>,
    /// Wall and monotonic clock.
    pub clock: ProcessClock,
    /// Where its randomness comes from.
    pub random: ProcessRandom,
    /// Labels of the output directory's files.
    pub labels: Arc<Labels>,
    /// The session's read-only facts.
    pub facts: Arc<Facts>,
    /// The process's HTTP state.
    pub http: HttpCtx,
    /// The front end of the evaluation that runs in the process, if one does.
    pub frontend: Option<Arc<dyn Frontend>>,
    /// Bits in its memory that tell its program about pending signals.
    pub signal_flags: Arc<SignalFlags>,
    /// Its threads.
    pub threads: Arc<ThreadTable>,
    /// Its timer.
    pub alarm: Arc<ProcessAlarm>,
    /// The functions of the host that it may call; `None` if the policy has no `[host]`.
    pub functions: Option<Arc<dyn HostCalls>>,
    /// Counts open files against the limit.
    pub open_files: Arc<OpenFiles>,
    /// The account for host memory that is held for the process.
    pub memory: Arc<dyn HostMemory>,
    /// What the host does for its command, which ends with the command.
    pub tasks: Arc<Tasks>,
    /// Records its calls of functions that were composed away; `None` for an instance that belongs to no process.
    pub refusals: Option<Arc<dyn Refusals>>,
    /// The charge for its arguments, environment and descriptors.
    #[expect(dead_code, reason = "held until the process has ended")]
    pub start_charge: Option<Charge>,
}

/// Records what a process tries and is refused before any function of the host is called.
pub trait Refusals: Send + Sync {
    /// Records a call of a function that was composed away, by its number in the component that replaces it.
    fn import(&self, function: u32);
}

/// A borrowed view of one process: its resource table and what it can reach.
pub struct WasiView<'a> {
    /// Handles the guest holds.
    pub table: &'a mut Handles,
    /// What the process can reach.
    pub ctx: &'a mut ProcessCtx,
}

/// The data of a store that has a [`WasiView`].
pub trait WasiState: Send + 'static {
    /// Returns the view.
    fn wasi(&mut self) -> WasiView<'_>;
    /// Returns the bare table of handles, for wasmtime's functions of `wasi:io`: see [`Handles::for_io`].
    fn table(&mut self) -> &mut ResourceTable;
}

/// The part of a process that the functions of one interface see.
pub(super) trait Part: HasData {
    /// Returns the part.
    fn of(view: WasiView<'_>) -> Self::Data<'_>;
}

/// Counts a process's open files (descriptors of `wasi:filesystem` and of `wisp:sandbox/files`).
pub struct OpenFiles {
    open: AtomicU32,
    limit: AtomicU32,
}

impl OpenFiles {
    /// Creates a counter that allows `limit` at once.
    pub fn new(limit: u32) -> Arc<Self> {
        Arc::new(Self { open: AtomicU32::new(0), limit: AtomicU32::new(limit) })
    }

    /// Counts one more file, unless the limit is reached. Dropping the ticket removes it from the count.
    pub fn open(self: &Arc<Self>) -> Option<OpenTicket> {
        let before = self.open.fetch_add(1, Ordering::Relaxed);
        let ticket = OpenTicket(self.clone());
        (before < self.limit()).then_some(ticket)
    }

    /// Returns the present limit.
    pub fn limit(&self) -> u32 {
        self.limit.load(Ordering::Relaxed)
    }

    /// Sets the limit. Files that are open stay open.
    pub fn set_limit(&self, limit: u32) {
        self.limit.store(limit, Ordering::Relaxed);
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
        files.set_limit(1);
        assert!(files.open().is_none(), "what is open stays open");
        drop(second);
        assert!(files.open().is_some());
    }
}
