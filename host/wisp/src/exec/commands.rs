//! The running commands of a session, and which of them a process belongs to.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};

use parking_lot::{Mutex, MutexGuard};
use tokio::sync::watch;

use crate::exec::closing::Closing;
use crate::exec::command_run::CommandRun;
use crate::exec::started::Started;
use crate::outcome::receipts::CountDenials;
use wisp_process::{ExitStatus, ProcessTable, Signal};

/// The number of detached commands that are kept after their end.
const MAX_ENDED: usize = 64;

/// Maximum bytes that those hold together (64 MiB), beside the last one: a guest can make each hold `limits.stdout` and
/// `limits.stderr` twice, and `output.max_bytes`, which may be gigabytes.
const MAX_ENDED_BYTES: usize = 64 << 20;

/// How what is ended at once ends.
pub(crate) const KILLED: ExitStatus = ExitStatus::Signaled(Signal::Kill);

/// What holds a process while nothing runs in it: an interpreter between two evaluations. No task would notice that the
/// process was ended, so it is told.
pub(crate) trait Resting: Send + Sync {
    /// Ends the process, if it is at rest, and releases its memory, wherever its handle lives. What runs ends by itself.
    fn end(&self);
}

/// The running commands of a session.
pub(crate) struct Commands {
    processes: Arc<ProcessTable>,
    running: Mutex<Vec<Weak<CommandRun>>>,
    /// The interpreters.
    resting: Mutex<Vec<Weak<dyn Resting>>>,
    /// Whether the session is closed: nothing starts in it any more.
    closed: watch::Sender<bool>,
    /// Those with handles, in the order of their numbers.
    started: Mutex<BTreeMap<u64, Arc<Started>>>,
    /// The number that the last command got.
    numbers: AtomicU64,
    /// How many of those with handles have ended.
    ends: AtomicU64,
}

impl Commands {
    pub(crate) fn new(processes: Arc<ProcessTable>) -> Arc<Self> {
        Arc::new(Self {
            processes,
            running: Mutex::default(),
            resting: Mutex::default(),
            closed: watch::Sender::new(false),
            started: Mutex::default(),
            numbers: AtomicU64::new(0),
            ends: AtomicU64::new(0),
        })
    }

    /// Returns the session's processes.
    pub(crate) fn processes(&self) -> &Arc<ProcessTable> {
        &self.processes
    }

    /// Parses a number for a new command, unique in the session, starting at 1.
    pub(crate) fn number(&self) -> u64 {
        self.numbers.fetch_add(1, Ordering::Relaxed) + 1
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Weak<CommandRun>>> {
        self.running.lock()
    }

    /// Adds a command that begins. In a closed session it is ended from its beginning.
    pub(crate) fn begin(&self, running: &Arc<CommandRun>) {
        let mut commands = self.lock();
        commands.retain(|running| running.strong_count() > 0);
        commands.push(Arc::downgrade(running));
        drop(commands);
        // In this order: either `close` finds it in the list, or it is found here that the session is closed.
        if self.is_closed() {
            running.end_all(KILLED);
        }
    }

    /// Adds an interpreter. If the session is closed, the caller must notice it after this ([`Self::is_closed`]).
    pub(crate) fn add_resting(&self, resting: Weak<dyn Resting>) {
        let mut list = self.resting.lock();
        list.retain(|resting| resting.strong_count() > 0);
        list.push(resting);
    }

    /// Returns whether the session is closed: nothing may start in it. Who puts an interpreter to rest asks after that, and ends it if so.
    pub(crate) fn is_closed(&self) -> bool {
        *self.closed.borrow()
    }

    /// Waits until the session is closed.
    pub(crate) async fn wait_closed(&self) {
        // This value owns the sender, so waiting cannot fail.
        let _ = self.closed.subscribe().wait_for(|closed| *closed).await;
    }

    /// Lets nothing start any more, and ends everything that runs or rests. Returns what is left to wait for.
    pub(crate) fn close(&self) -> Closing {
        self.closed.send_replace(true);
        self.kill_all();
        Closing::new(self.all(), self.started.lock().values().cloned().collect())
    }

    /// Ends everything that runs or rests.
    pub(crate) fn kill_all(&self) {
        self.all().iter().for_each(|run| run.end_all(KILLED));
        // Without the lock: what they release may be a lot.
        let resting: Vec<_> = self.resting.lock().iter().filter_map(Weak::upgrade).collect();
        resting.iter().for_each(|resting| resting.end());
    }

    /// Lists a command that was started, or one that was detached after it had ended.
    pub(crate) fn keep(&self, started: &Arc<Started>) {
        let mut list = self.started.lock();
        list.insert(started.run.command, started.clone());
        self.trim(&mut list);
    }

    /// Notes that a command with handles has ended.
    pub(crate) fn ended(&self) {
        self.trim(&mut self.started.lock());
    }

    /// Sends SIGINT to the foreground of each command.
    pub(crate) fn interrupt(&self) {
        self.each().values().for_each(|run| run.signal_foreground(Signal::Interrupt));
    }

    /// Sends a signal to all processes of each command.
    pub(crate) fn signal(&self, signal: Signal) {
        self.each().values().for_each(|run| run.signal_all(signal));
    }

    /// Returns each command once: an interpreter and its evaluation are one.
    fn each(&self) -> BTreeMap<u64, Arc<CommandRun>> {
        self.all().into_iter().map(|run| (run.command, run)).collect()
    }

    /// Ends everything that still runs, after the session's last handle is gone. The list, and with it the output that it
    /// keeps, is gone.
    pub(crate) fn end(&self) {
        self.closed.send_replace(true);
        for run in self.all() {
            run.end_all(KILLED);
            run.tasks().close();
        }
        // A command's receipts refer to this list, which must not refer to the command any more.
        drop(std::mem::take(&mut *self.started.lock()));
    }

    /// Returns the commands that were started: those that run, and detached ones that have ended.
    pub(crate) fn started(&self) -> Vec<Arc<Started>> {
        let mut list = self.started.lock();
        self.trim(&mut list);
        list.values().cloned().collect()
    }

    /// Returns all running commands.
    pub(crate) fn all(&self) -> Vec<Arc<CommandRun>> {
        self.lock().iter().filter_map(Weak::upgrade).collect()
    }

    /// Returns the command that `process` belongs to; for an interpreter, its last evaluation.
    pub(crate) fn of(&self, process: u32) -> Option<Arc<CommandRun>> {
        let command = self.processes.get(process)?.command();
        self.lock().iter().rev().filter_map(Weak::upgrade).find(|running| running.command == command)
    }

    /// Removes what has ended, but for the detached commands that ended last, and those of which processes run.
    fn trim(&self, list: &mut BTreeMap<u64, Arc<Started>>) {
        list.retain(|_, started| started.is_detached() || !started.has_ended());
        let order = |started: &Started| *started.end.get_or_init(|| self.ends.fetch_add(1, Ordering::Relaxed));
        let ended = list.iter().filter(|(_, started)| started.has_ended());
        let mut ended: Vec<(u64, u64)> = ended.map(|(number, started)| (order(started), *number)).collect();
        ended.sort_unstable_by_key(|(order, _)| Reverse(*order));
        let mut bytes = 0_usize;
        for (place, (_, number)) in ended.iter().enumerate() {
            bytes = bytes.saturating_add(list.get(number).map_or(0, |started| started.held_bytes()));
            let over = place >= MAX_ENDED || place > 0 && bytes > MAX_ENDED_BYTES;
            if over && list.get(number).is_some_and(|started| started.run.processes().is_empty()) {
                list.remove(number);
            }
        }
    }
}

impl CountDenials for Commands {
    fn denied(&self, process: u32) {
        if let Some(running) = self.of(process) {
            running.denied();
        }
    }
}
