//! The running commands of a session, and which of them a process belongs to.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};

use parking_lot::{Mutex, MutexGuard};

use crate::exec::command_run::Running;
use crate::outcome::receipts::CountDenials;
use wisp_process::ProcessTable;

/// The running commands of a session.
pub(crate) struct Commands {
    processes: Arc<ProcessTable>,
    running: Mutex<Vec<Weak<Running>>>,
    /// The number that the last command got.
    numbers: AtomicU64,
}

impl Commands {
    pub(crate) fn new(processes: Arc<ProcessTable>) -> Arc<Self> {
        Arc::new(Self { processes, running: Mutex::default(), numbers: AtomicU64::new(0) })
    }

    /// The session's processes.
    pub(crate) fn processes(&self) -> &Arc<ProcessTable> {
        &self.processes
    }

    /// A number for a new command, unique in the session, starting at 1.
    pub(crate) fn number(&self) -> u64 {
        self.numbers.fetch_add(1, Ordering::Relaxed) + 1
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Weak<Running>>> {
        self.running.lock()
    }

    /// Adds a command that begins.
    pub(crate) fn begin(&self, running: &Arc<Running>) {
        let mut commands = self.lock();
        commands.retain(|running| running.strong_count() > 0);
        commands.push(Arc::downgrade(running));
    }

    /// All running commands.
    pub(crate) fn all(&self) -> Vec<Arc<Running>> {
        self.lock().iter().filter_map(Weak::upgrade).collect()
    }

    /// The command that `process` belongs to; for an interpreter, its last evaluation.
    pub(crate) fn of(&self, process: u32) -> Option<Arc<Running>> {
        let command = self.processes.get(process)?.command();
        self.lock().iter().rev().filter_map(Weak::upgrade).find(|running| running.command == command)
    }
}

impl CountDenials for Commands {
    fn denied(&self, process: u32) {
        if let Some(running) = self.of(process) {
            running.denied();
        }
    }
}
