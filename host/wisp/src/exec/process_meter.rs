//! What the host does for a process is charged to the process and its command.

use std::sync::Arc;

use crate::exec::command_run::CommandRun;
use crate::runtime::CpuMeter;
use wisp_api::ErrorCode;
use wisp_process::Process;

/// Counts a process's time, and ends the command when it has used too much.
pub(crate) struct ProcessMeter {
    running: Arc<CommandRun>,
    process: Arc<Process>,
}

impl ProcessMeter {
    /// Makes the meter of a command's process.
    pub(crate) fn of(running: &Arc<CommandRun>, process: &Arc<Process>) -> Arc<dyn CpuMeter> {
        Arc::new(Self { running: running.clone(), process: process.clone() })
    }
}

impl CpuMeter for ProcessMeter {
    fn used(&self, nanoseconds: u64) {
        self.process.add_cpu(nanoseconds);
        self.running.charge(nanoseconds);
    }

    fn panicked(&self) {
        self.running.failed(ErrorCode::Internal, format!("wisp panicked while it worked for {}", self.process.name()));
    }
}
