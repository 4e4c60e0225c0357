//! The running commands of a session, and which of them a process belongs to.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};

use parking_lot::{Mutex, MutexGuard};

use crate::exec::command_run::CommandRun;
use crate::exec::started::Started;
use crate::outcome::receipts::CountDenials;
use wisp_process::{ExitStatus, ProcessTable, Signal};

/// The number of detached commands that are kept after their end.
const MAX_ENDED: usize = 64;

/// The running commands of a session.
pub(crate) struct Commands {
    processes: Arc<ProcessTable>,
    running: Mutex<Vec<Weak<CommandRun>>>,
    /// Those with handles, in the order of their numbers.
    started: Mutex<BTreeMap<u64, Arc<Started>>>,
    /// The number that the last command got.
    numbers: AtomicU64,
}

impl Commands {
    pub(crate) fn new(processes: Arc<ProcessTable>) -> Arc<Self> {
        Arc::new(Self { processes, running: Mutex::default(), started: Mutex::default(), numbers: AtomicU64::new(0) })
    }

    /// The session's processes.
    pub(crate) fn processes(&self) -> &Arc<ProcessTable> {
        &self.processes
    }

    /// A number for a new command, unique in the session, starting at 1.
    pub(crate) fn number(&self) -> u64 {
        self.numbers.fetch_add(1, Ordering::Relaxed) + 1
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Weak<CommandRun>>> {
        self.running.lock()
    }

    /// Adds a command that begins.
    pub(crate) fn begin(&self, running: &Arc<CommandRun>) {
        let mut commands = self.lock();
        commands.retain(|running| running.strong_count() > 0);
        commands.push(Arc::downgrade(running));
    }

    /// Lists a command that was started, or one that was detached after it had ended.
    pub(crate) fn keep(&self, started: &Arc<Started>) {
        let mut list = self.started.lock();
        list.insert(started.run.command, started.clone());
        trim(&mut list);
    }

    /// A command with handles has ended.
    pub(crate) fn ended(&self) {
        trim(&mut self.started.lock());
    }

    /// Ends everything that still runs. The list, and with it the output that it keeps, is gone.
    pub(crate) fn end(&self) {
        for run in self.all() {
            run.end_all(ExitStatus::Signaled(Signal::Kill));
            run.tasks().close();
        }
        // A command's receipts refer to this list, which must not refer to the command any more.
        drop(std::mem::take(&mut *self.started.lock()));
    }

    /// The commands that were started: those that run, and detached ones that have ended.
    pub(crate) fn started(&self) -> Vec<Arc<Started>> {
        let mut list = self.started.lock();
        trim(&mut list);
        list.values().cloned().collect()
    }

    /// All running commands.
    pub(crate) fn all(&self) -> Vec<Arc<CommandRun>> {
        self.lock().iter().filter_map(Weak::upgrade).collect()
    }

    /// The command that `process` belongs to; for an interpreter, its last evaluation.
    pub(crate) fn of(&self, process: u32) -> Option<Arc<CommandRun>> {
        let command = self.processes.get(process)?.command();
        self.lock().iter().rev().filter_map(Weak::upgrade).find(|running| running.command == command)
    }
}

/// Removes what has ended, but for the last commands that were detached.
fn trim(list: &mut BTreeMap<u64, Arc<Started>>) {
    let has_ended = |started: &Started| started.outcome.borrow().is_some();
    list.retain(|_, started| started.is_detached() || !has_ended(started));
    let ended: Vec<u64> = list.iter().filter(|(_, started)| has_ended(started)).map(|(number, _)| *number).collect();
    for number in &ended[..ended.len().saturating_sub(MAX_ENDED)] {
        list.remove(number);
    }
}

impl CountDenials for Commands {
    fn denied(&self, process: u32) {
        if let Some(running) = self.of(process) {
            running.denied();
        }
    }
}
