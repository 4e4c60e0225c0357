//! Nobody: what an instance can reach while it is ready and no process has taken it, which is nothing.
//!
//! None of its code needs to run before; should some do so all the same, it finds an empty filesystem, no descriptors, no
//! environment, no network, clocks at zero, and nobody to start a process. All of that goes when a process takes the instance.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use futures_util::future::BoxFuture;

use crate::program::memory::{MemoryAccount, ProcessMemory};
use crate::program::store::ProcessState;
use crate::wasi::{Facts, HttpCtx, Labels, OpenDescription, OpenFiles, ProcessClock, ProcessCtx, ProcessRandom, Timeline};
use wisp_policy::layout::HOME;
use wisp_process::{Process, ProcessTable, Row, Spawn, SpawnError, SpawnRequest};
use wisp_vfs::{Clock, Fs, Quota};

/// What all ready instances share. Nothing of it changes.
struct Nobody {
    fs: Fs,
    processes: Arc<ProcessTable>,
    row: Row,
    labels: Arc<Labels>,
    facts: Arc<Facts>,
    open_files: Arc<OpenFiles>,
    /// What is ready is bounded by its number, not here.
    memory: Arc<MemoryAccount>,
    spawner: Arc<NoSpawner>,
    time: Arc<NoTime>,
}

/// Starts nothing.
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

/// No time passes, and none is waited for.
struct NoTime;

impl Timeline for NoTime {
    fn now(&self) -> u64 {
        0
    }

    fn until(&self, _: u64) -> BoxFuture<'static, ()> {
        Box::pin(std::future::ready(()))
    }
}

/// The clock of its files stands still too.
struct NoClock;

impl Clock for NoClock {
    fn now(&self) -> u64 {
        0
    }
}

static NOBODY: LazyLock<Nobody> = LazyLock::new(|| {
    let processes = Arc::new(ProcessTable::new());
    let memory = MemoryAccount::new(u64::MAX);
    Nobody {
        fs: Fs::new(Quota { max_bytes: 0, max_files: 0 }, Arc::new(NoClock)),
        // The table is new, and has room for one.
        row: processes.enter(0, 0, "", 1).expect("an empty table has room"),
        processes,
        labels: Arc::new(Labels::new("/", 0, memory.clone())),
        facts: Arc::default(),
        open_files: OpenFiles::new(0),
        memory,
        spawner: Arc::new(NoSpawner),
        time: Arc::new(NoTime),
    }
});

/// The state of an instance that is nobody's.
pub(crate) fn state() -> ProcessState {
    let nobody = &*NOBODY;
    let ctx = ProcessCtx {
        fs: nobody.fs.clone(),
        process: nobody.row.process().clone(),
        asked: None,
        processes: nobody.processes.clone(),
        spawner: nobody.spawner.clone(),
        arguments: Arc::default(),
        environment: Arc::default(),
        told: true,
        working_directory: HOME.to_owned(),
        descriptors: BTreeMap::new(),
        clock: ProcessClock::virtual_from(0, nobody.time.clone()),
        random: ProcessRandom::seeded(0, 0),
        labels: nobody.labels.clone(),
        http: HttpCtx::default(),
        facts: nobody.facts.clone(),
        open_files: nobody.open_files.clone(),
        memory: nobody.memory.clone(),
        refusals: None,
        start_charge: None,
    };
    ProcessState::new(ctx, ProcessMemory::new(nobody.memory.clone(), Arc::default()))
}
