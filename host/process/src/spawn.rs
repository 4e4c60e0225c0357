//! The one upward call: starting a process.

use std::sync::Arc;

use wisp_api::ErrorCode;

use super::handle::{Foreground, Process};
use super::signals::SignalSet;

/// What to start. `D` is what a descriptor refers to; this module does not inspect it.
#[derive(Debug)]
pub struct SpawnRequest<D> {
    /// The program's absolute path.
    pub program: String,
    /// The arguments, the program's name first.
    pub arguments: Vec<Vec<u8>>,
    /// The environment, `NAME=value` each.
    pub environment: Vec<Vec<u8>>,
    /// The working directory, absolute.
    pub working_directory: String,
    /// Descriptor numbers and what they refer to.
    pub descriptors: Vec<(u32, D)>,
    /// Whether a write to a broken pipe is an error and does not end the process.
    pub ignore_broken_pipe: bool,
    /// The attributes that it does not inherit.
    pub attributes: Attributes,
}

/// Attributes of a new process; it inherits those that are absent from its parent.
#[derive(Debug, Clone, Default)]
pub struct Attributes {
    /// The signals it ignores.
    pub ignored: Option<SignalSet>,
    /// The permission bits that files it creates do not get.
    pub umask: Option<u32>,
    /// The process group that it joins; 0 means a new one of its own.
    pub group: Option<u32>,
    /// The foreground of the terminal that controls it and its children from now on (setsid and TIOCSCTTY). Its process
    /// group is then a new one, unless `group` names another, and is in the foreground.
    pub terminal: Option<Foreground>,
}

/// Why a process was not started.
///
/// Exhaustive on purpose: the table from here to the errors of `wisp:sandbox/process` has a row for each, and the
/// compiler checks that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SpawnError {
    /// There is no such program (ENOENT).
    #[error("no such program")]
    NotFound,
    /// The file has no execute bit, or a directory is in the way (EACCES).
    #[error("not executable: permission denied")]
    Access,
    /// The file is neither a tool of this session nor a script (ENOEXEC).
    #[error("neither a tool of this session nor a script with `#!`")]
    NotExecutable,
    /// A component of the path is not a directory (ENOTDIR).
    #[error("not a directory")]
    NotDirectory,
    /// Too many symbolic links (ELOOP).
    #[error("too many levels of symbolic links")]
    Loop,
    /// Arguments and environment are too long (E2BIG).
    #[error("argument list too long")]
    TooLong,
    /// The engine has no room for another process now (EAGAIN).
    #[error("the host has no room for another process")]
    NoRoom,
    /// The process group does not exist (EPERM).
    #[error("no such process group")]
    NoGroup,
    /// A signal has ended the caller, so it cannot start a process.
    #[error("the caller is being ended")]
    Ending,
    /// This process cannot become another program (ENOTSUP).
    #[error("an interpreter that stays alive cannot become another program")]
    NotReplaceable,
    /// `limits.processes` is reached; the caller ends.
    #[error("the session's process limit is reached")]
    Limit,
    /// `limits.memory` has no room for its arguments and environment (ENOMEM).
    #[error("the session's memory limit leaves no room for its arguments")]
    NoMemory,
    /// The component could not be prepared; the host's log says why (EIO).
    #[error("the program could not be prepared")]
    Broken,
}

impl SpawnError {
    /// Returns the code of this error.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::NotFound => ErrorCode::ProgramNotFound,
            Self::Access | Self::NotExecutable => ErrorCode::NotExecutable,
            Self::NotDirectory => ErrorCode::WrongFileType,
            Self::Loop | Self::NoGroup => ErrorCode::InvalidArgument,
            Self::TooLong => ErrorCode::TooLarge,
            Self::NoRoom => ErrorCode::NoRoom,
            Self::Ending => ErrorCode::Ended,
            Self::NotReplaceable => ErrorCode::Unsupported,
            Self::Limit => ErrorCode::ProcessLimit,
            Self::NoMemory => ErrorCode::MemoryLimit,
            Self::Broken => ErrorCode::StartFailed,
        }
    }
}

wisp_api::wisp_error!(SpawnError);

/// Starts processes; implemented by the session.
#[async_trait::async_trait]
pub trait Spawn<D>: Send + Sync {
    /// Starts a process as a child of `parent`.
    ///
    /// # Errors
    /// See [`SpawnError`].
    async fn spawn(&self, parent: &Process, request: SpawnRequest<D>) -> Result<Arc<Process>, SpawnError>;

    /// Prepares everything for `process` to continue as another program. It continues when its present program exits.
    ///
    /// # Errors
    /// See [`SpawnError`]. After an error nothing has changed.
    async fn replace(&self, process: &Arc<Process>, request: SpawnRequest<D>) -> Result<(), SpawnError>;
}
