//! A session: what its processes share, and what whoever holds it can ask of it besides running commands.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, OnceLock};

use crate::exec::command_run::Running;
use crate::exec::lockstep::Lockstep;
use crate::net::Net;
use crate::outcome::receipts::Receipts;
use crate::policy::Policy;
use crate::process::{ExitStatus, ProcessTable, Signal};
use crate::program::memory::MemoryAccount;
use crate::program::tool::Tool;
use crate::session::engine::Engine;
use crate::vfs::Fs;
use crate::wasi::{Facts, Labels, ProcessClock, ProcessRandom, Timeline};
use crate::world::ComponentWorld;

/// What all processes of a session share.
pub(crate) struct SessionState {
    pub id: String,
    pub engine: Engine,
    pub policy: Arc<Policy>,
    pub fs: Fs,
    /// What its filesystem began with: what came with wisp, and the mounts.
    pub base: crate::vfs::Snapshot,
    pub processes: Arc<ProcessTable>,
    pub tools: Arc<BTreeMap<String, Arc<Tool>>>,
    pub labels: Arc<Labels>,
    pub facts: Arc<Facts>,
    pub receipts: Arc<Receipts>,
    pub memory: Arc<MemoryAccount>,
    /// How time passes for its processes.
    pub timeline: Arc<dyn Timeline>,
    pub commands: AtomicU64,
    pub world: String,
    /// Its way out, if the policy grants one.
    pub net: Option<Net>,
    pub environment: OnceLock<Vec<Vec<u8>>>,
    /// What runs the processes where the policy is deterministic.
    pub lockstep: Option<Arc<Lockstep>>,
}

impl SessionState {
    pub(crate) fn clock(&self) -> ProcessClock {
        match self.policy.determinism() {
            Some(fixed) => ProcessClock::virtual_from(fixed.clock, self.timeline.clone()),
            None => ProcessClock::host(self.timeline.clone()),
        }
    }

    pub(crate) fn random(&self, pid: u32) -> ProcessRandom {
        match self.policy.determinism() {
            Some(fixed) => ProcessRandom::seeded(fixed.seed, u64::from(pid)),
            None => ProcessRandom::host(),
        }
    }
}

/// The state of a session's filesystem at one time. Cheap: it shares everything with the session until one changes.
#[derive(Clone)]
pub struct Snapshot(crate::vfs::Snapshot);

/// A conversation's sandbox: one filesystem, one policy, and the commands that run in it. Cheap to clone; commands may
/// run at the same time.
#[derive(Clone)]
pub struct Session(pub(crate) Arc<SessionState>);

impl Session {
    /// The session's id, as in its receipts.
    pub fn id(&self) -> &str {
        &self.0.id
    }

    /// The engine that it belongs to.
    pub fn engine(&self) -> &Engine {
        &self.0.engine
    }

    /// The policy, with what the builder changed.
    pub fn policy(&self) -> &Policy {
        &self.0.policy
    }

    /// Its filesystem.
    pub fn fs(&self) -> &Fs {
        &self.0.fs
    }

    /// What every component may import.
    pub fn worlds(&self) -> impl Iterator<Item = &ComponentWorld> {
        self.0.tools.values().map(|tool| &tool.world)
    }

    /// The state of the filesystem now. Constant time.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot(self.0.fs.snapshot())
    }

    /// Put the filesystem back to a snapshot of this session's. Constant time. Mounted directories of the host are as
    /// they are; what an overlay held in memory goes back too.
    pub fn restore(&self, snapshot: &Snapshot) {
        self.0.fs.restore(&snapshot.0);
    }

    /// Prepare every tool where processes run in lockstep, so that no process waits for one in the middle of the others' turns.
    pub(crate) async fn prepare_for_lockstep(&self) {
        if self.0.lockstep.is_some()
            && let Err(error) = self.prepare().await
        {
            // The process that starts that tool sees the error.
            tracing::debug!(%error, "a tool could not be prepared ahead");
        }
    }

    /// The commands that run.
    fn commands(&self) -> Vec<Arc<Running>> {
        self.0.receipts.commands().all()
    }

    /// End every running command of the session as Ctrl-C does: their processes end with 130, what they wrote stays.
    pub fn interrupt(&self) {
        for running in self.commands() {
            running.end_all(ExitStatus::Signaled(Signal::Interrupt));
        }
    }

    /// Send SIGINT to the foreground processes of every running command of the session, as Ctrl-C at a terminal does. Those
    /// that do not handle or ignore it end.
    pub fn interrupt_foreground(&self) {
        for running in self.commands() {
            running.signal_foreground(Signal::Interrupt);
        }
    }

    /// Stop the foreground processes of every running command of the session, as Ctrl-Z at a terminal does. Only where the
    /// command's first process is a shell that takes care of what is stopped; whether that is so.
    pub fn stop_foreground(&self) -> bool {
        let mut cared = false;
        for running in self.commands() {
            if running.processes().first().is_some_and(|first| first.signals().handles(Signal::TerminalStop)) {
                running.signal_foreground(Signal::TerminalStop);
                cared = true;
            }
        }
        cared
    }
}
