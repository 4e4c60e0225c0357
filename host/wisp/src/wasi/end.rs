//! How a host function ends the process that called it.

use wisp_process::{ExitStatus, Process, Signal};

/// The process ends here with this status. It travels as the error of a host call up to the code that runs the
/// instance; it is an end, not a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the process ends with status {}", .0.code())]
pub struct ProcessEnd(pub ExitStatus);

/// The program ends here because the process becomes another program. It travels as [`ProcessEnd`] does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the process becomes another program")]
pub struct ProcessReplaced;

impl ProcessEnd {
    /// Returns an exit with a code that the process chose.
    pub fn exit(code: u8) -> Self {
        Self(ExitStatus::Exited(code))
    }

    /// Ends a process that was ended from outside, so that it sees nothing that happened since: neither the end of a
    /// child nor that of a file. Otherwise a process that was signalled could exit normally, because another process
    /// closed its pipe afterwards.
    pub(super) fn if_doomed(process: &Process) -> Result<(), Self> {
        process.doomed().map_or(Ok(()), |status| Err(Self(status)))
    }

    /// Returns an end by a signal.
    pub fn signal(signal: Signal) -> Self {
        Self(ExitStatus::Signaled(signal))
    }
}
