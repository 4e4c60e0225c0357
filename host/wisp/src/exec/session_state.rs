//! The state that the processes of a session share.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use tokio::sync::Semaphore;

use crate::exec::commands::Commands;
use crate::exec::lockstep::Lockstep;
use crate::exec::time::HostTime;
use crate::functions::Gate;
use crate::outcome::receipts::Receipts;
use crate::program::memory::MemoryAccount;
use crate::program::tool::Tool;
use crate::program::workshop::Workshop;
use crate::runtime::Ticker;
use crate::tasks::{Among, Tasks};
use crate::wasi::{Facts, Labels, ProcessClock, ProcessRandom, Timeline};
use wisp_net::Net;
use wisp_policy::Policy;
use wisp_process::ProcessTable;
use wisp_vfs::{Fs, Snapshot};

/// What a session shares with its forks. None of it changes.
#[derive(Clone)]
pub(crate) struct Shared {
    pub workshop: Arc<Workshop>,
    pub ticker: Ticker,
    /// Permits for processes, of all sessions together.
    pub room: Arc<Semaphore>,
    /// Permits for threads beside the first of a process, of all sessions together.
    pub threads: Arc<Semaphore>,
    pub policy: Arc<Policy>,
    pub tools: Arc<BTreeMap<String, Arc<Tool>>>,
    pub facts: Arc<Facts>,
    /// The initial filesystem: the shipped files, and the mounts.
    pub base: Snapshot,
    /// The digest of all worlds.
    pub world: String,
    /// When the first of these sessions began: the host's time counts from there.
    pub start: Instant,
}

/// The initial state of a session that it shares with no other.
pub(crate) struct Own<'l> {
    pub fs: Fs,
    pub commands: Arc<Commands>,
    pub receipts: Arc<Receipts>,
    /// Its network, if the policy grants one.
    pub net: Option<Net>,
    /// Its functions of the host, if the policy grants any.
    pub functions: Option<Arc<Gate>>,
    /// The labels to continue with.
    pub labels: Option<&'l Labels>,
    /// The environment of processes that start in the home directory, if it is known.
    pub environment: Option<Vec<Vec<u8>>>,
}

/// The state that all processes of a session share.
pub(crate) struct SessionState {
    pub shared: Shared,
    pub id: String,
    pub fs: Fs,
    pub processes: Arc<ProcessTable>,
    pub commands: Arc<Commands>,
    pub labels: Arc<Labels>,
    pub receipts: Arc<Receipts>,
    pub memory: Arc<MemoryAccount>,
    /// How time passes for its processes.
    pub timeline: Arc<dyn Timeline>,
    /// Its network, if the policy grants one.
    pub net: Option<Net>,
    /// Its functions of the host, if the policy grants any.
    pub functions: Option<Arc<Gate>>,
    pub environment: OnceLock<Vec<Vec<u8>>>,
    /// Runs the processes if the policy is deterministic.
    pub lockstep: Option<Arc<Lockstep>>,
}

impl SessionState {
    /// Makes a session in which nothing runs.
    pub(crate) fn begin(shared: Shared, own: Own<'_>) -> Self {
        let Own { fs, commands, receipts, net, functions, labels, environment } = own;
        let memory = MemoryAccount::new(shared.policy.limits().memory);
        let labels = match labels {
            Some(labels) => labels.fork(memory.clone()),
            None => {
                let output = shared.policy.output();
                Labels::new(&output.path, usize::try_from(output.max_files).unwrap_or(usize::MAX), memory.clone())
            }
        };
        let lockstep = shared.policy.determinism().map(|_| Lockstep::new(shared.ticker.clone()));
        let timeline: Arc<dyn Timeline> = match &lockstep {
            Some(lockstep) => Arc::new(lockstep.time().clone()),
            None => Arc::new(HostTime { start: shared.start, ticker: shared.ticker.clone() }),
        };
        Self {
            shared,
            id: receipts.session().to_owned(),
            fs,
            processes: commands.processes().clone(),
            commands,
            labels: Arc::new(labels),
            receipts,
            memory,
            timeline,
            net,
            functions,
            environment: environment.map_or_else(OnceLock::new, OnceLock::from),
            lockstep,
        }
    }

    /// Returns the tasks of a new command.
    pub(crate) fn tasks(&self) -> Arc<Tasks> {
        let among = self.lockstep.as_ref().map(|lockstep| {
            // Not a handle: what the lockstep runs may hold the tasks.
            let lockstep = Arc::downgrade(lockstep);
            Box::new(move |work| {
                if let Some(lockstep) = lockstep.upgrade() {
                    lockstep.spawn(work);
                }
            }) as Among
        });
        Tasks::new(among)
    }

    /// Returns how far its time has come, in nanoseconds. No time passes by that.
    pub(crate) fn now(&self) -> u64 {
        self.lockstep.as_ref().map_or_else(|| self.timeline.now(), |lockstep| lockstep.time().elapsed())
    }

    pub(crate) fn clock(&self) -> ProcessClock {
        match self.shared.policy.determinism() {
            Some(fixed) => ProcessClock::virtual_from(fixed.clock, self.timeline.clone()),
            None => ProcessClock::host(self.timeline.clone()),
        }
    }

    pub(crate) fn random(&self, pid: u32) -> ProcessRandom {
        match self.shared.policy.determinism() {
            Some(fixed) => ProcessRandom::seeded(fixed.seed, u64::from(pid)),
            None => ProcessRandom::host(),
        }
    }
}
