//! How a host function ends the process that called it.

use wisp_process::{ExitStatus, Process, Signal};

/// The process ends here with this status. Travels as the error of a host call up to whoever runs the instance; it is
/// an end, not a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the process ends with status {}", .0.code())]
pub struct ProcessEnd(pub ExitStatus);

/// The program ends here because the process goes on as another one. Travels as [`ProcessEnd`] does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the process becomes another program")]
pub struct ProcessReplaced;

impl ProcessEnd {
    /// It exits with a code of its own choosing.
    pub fn exit(code: u8) -> ProcessEnd {
        ProcessEnd(ExitStatus::Exited(code))
    }

    /// A process that was ended from outside sees nothing of what came to be since: neither the end of a child nor that of a
    /// file. Who was sent a signal before somebody closed a pipe does not end well because the pipe was closed.
    pub(super) fn if_doomed(process: &Process) -> Result<(), ProcessEnd> {
        process.doomed().map_or(Ok(()), |status| Err(ProcessEnd(status)))
    }

    /// A signal ends it.
    pub fn signal(signal: Signal) -> ProcessEnd {
        ProcessEnd(ExitStatus::Signaled(signal))
    }
}
