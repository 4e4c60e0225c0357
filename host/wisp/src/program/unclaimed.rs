//! What a prewarmed instance can reach before a process takes it: nothing.
//!
//! None of its code needs to run before that. If some did, it would find an empty filesystem, no descriptors, no
//! environment, no network, clocks at zero, and no way to start a process. All of that is dropped when a process takes
//! the instance.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use futures_util::future::BoxFuture;
use tokio::sync::Semaphore;

use crate::program::memory::{MemoryAccount, ProcessMemory};
use crate::program::store::ProcessState;
use crate::tasks::Tasks;
use crate::wasi::{Facts, HttpCtx, Labels, OpenDescription, OpenFiles, ProcessClock, ProcessCtx, ProcessRandom, ThreadTable, Timeline};
use wisp_policy::layout::HOME;
use wisp_process::{Process, ProcessTable, Row, Spawn, SpawnError, SpawnRequest};
use wisp_vfs::{Clock, Fs, Quota};

/// What all prewarmed instances share. None of it changes.
struct Unclaimed {
    fs: Fs,
    processes: Arc<ProcessTable>,
    row: Row,
    labels: Arc<Labels>,
    facts: Arc<Facts>,
    open_files: Arc<OpenFiles>,
    /// The number of prewarmed instances is bounded, so this account is not.
    memory: Arc<MemoryAccount>,
    spawner: Arc<NoSpawner>,
    time: Arc<NoTime>,
    threads: Arc<ThreadTable>,
    /// Closed: it may cause nothing.
    tasks: Arc<Tasks>,
}

/// A spawner that starts nothing.
struct NoSpawner;

#[async_trait::async_trait]
impl Spawn<OpenDescription> for NoSpawner {
    async fn spawn(&self, _: &Process, _: SpawnRequest<OpenDescription>) -> Result<Arc<Process>, SpawnError> {
        Err(SpawnError::NoRoom)
    }

    async fn replace(&self, _: &Arc<Process>, _: SpawnRequest<OpenDescription>) -> Result<(), SpawnError> {
        Err(SpawnError::NoRoom)
    }
}

/// A timeline on which no time passes, and no wait ends.
struct NoTime;

impl Timeline for NoTime {
    fn now(&self) -> u64 {
        0
    }

    fn until(&self, _: u64) -> BoxFuture<'static, ()> {
        Box::pin(std::future::ready(()))
    }
}

/// A clock for its files that does not advance.
struct NoClock;

impl Clock for NoClock {
    fn now(&self) -> u64 {
        0
    }
}

static UNCLAIMED: LazyLock<Unclaimed> = LazyLock::new(|| {
    let processes = Arc::new(ProcessTable::new());
    let memory = MemoryAccount::new(u64::MAX);
    let tasks = Tasks::new(None);
    tasks.close();
    Unclaimed {
        fs: Fs::new(Quota { max_bytes: 0, max_files: 0 }, Arc::new(NoClock)),
        // The table is new and has room for one process.
        row: processes.enter(0, 0, "", 1).expect("an empty table has room"),
        processes,
        labels: Arc::new(Labels::new("/", 0, memory.clone())),
        facts: Arc::default(),
        open_files: OpenFiles::new(0),
        memory,
        spawner: Arc::new(NoSpawner),
        time: Arc::new(NoTime),
        threads: Arc::new(ThreadTable::new(Arc::new(Semaphore::new(0)))),
        tasks,
    }
});

/// Returns the state of an instance that belongs to no process.
pub(crate) fn state() -> ProcessState {
    let shared = &*UNCLAIMED;
    let ctx = ProcessCtx {
        fs: shared.fs.clone(),
        process: shared.row.process().clone(),
        asked: None,
        processes: shared.processes.clone(),
        spawner: shared.spawner.clone(),
        arguments: Arc::default(),
        environment: Arc::default(),
        hide_environment: true,
        working_directory: HOME.to_owned(),
        descriptors: BTreeMap::new(),
        clock: ProcessClock::virtual_from(0, shared.time.clone()),
        random: ProcessRandom::seeded(0, 0),
        labels: shared.labels.clone(),
        http: HttpCtx::default(),
        frontend: None,
        signal_flags: Arc::default(),
        threads: shared.threads.clone(),
        alarm: Arc::default(),
        functions: None,
        facts: shared.facts.clone(),
        open_files: shared.open_files.clone(),
        memory: shared.memory.clone(),
        tasks: shared.tasks.clone(),
        refusals: None,
        start_charge: None,
    };
    ProcessState::new(ctx, ProcessMemory::new(shared.memory.clone(), Arc::default()))
}
