//! What a process holds of one that it started.

use std::sync::Arc;

use super::handle::Process;
use super::status::ExitStatus;
use super::table::ProcessTable;

/// A process's handle to one that it started. A child that has ended is listed as long as its parent runs, has this handle, and has
/// not received the status.
pub struct ChildHandle {
    process: Arc<Process>,
    table: Arc<ProcessTable>,
}

impl ChildHandle {
    /// Creates the handle to a process of this table.
    pub fn new(process: Arc<Process>, table: Arc<ProcessTable>) -> Self {
        Self { process, table }
    }

    /// Returns the child.
    pub fn process(&self) -> &Arc<Process> {
        &self.process
    }

    /// Returns how the child ended, if it has ended.
    pub fn status(&self) -> Option<ExitStatus> {
        self.process.status().inspect(|_| self.table.reap(&self.process))
    }

    /// Waits until the child has ended; returns how.
    pub async fn wait(&self) -> ExitStatus {
        let status = self.process.wait().await;
        self.table.reap(&self.process);
        status
    }
}

impl Drop for ChildHandle {
    fn drop(&mut self) {
        self.table.reap(&self.process);
    }
}
