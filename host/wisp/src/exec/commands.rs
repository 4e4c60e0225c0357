//! The commands of a session that run now, and which of them a process belongs to.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use crate::exec::command_run::Running;
use crate::process::ProcessTable;

/// The commands of a session that run now.
pub(crate) struct Commands {
    processes: Arc<ProcessTable>,
    running: Mutex<Vec<Weak<Running>>>,
}

impl Commands {
    pub(crate) fn new(processes: Arc<ProcessTable>) -> Arc<Commands> {
        Arc::new(Commands { processes, running: Mutex::default() })
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Weak<Running>>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One begins.
    pub(crate) fn begin(&self, running: &Arc<Running>) {
        let mut commands = self.lock();
        commands.retain(|running| running.strong_count() > 0);
        commands.push(Arc::downgrade(running));
    }

    /// All of them.
    pub(crate) fn all(&self) -> Vec<Arc<Running>> {
        self.lock().iter().filter_map(Weak::upgrade).collect()
    }

    /// The one that `process` belongs to: of an interpreter's cells, the last.
    pub(crate) fn of(&self, process: u32) -> Option<Arc<Running>> {
        let group = self.processes.get(process)?.group();
        self.lock().iter().rev().filter_map(Weak::upgrade).find(|running| running.group == group)
    }
}
