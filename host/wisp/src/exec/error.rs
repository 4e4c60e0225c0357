//! Why a command could not run.

use wisp_api::{ErrorCode, Fault};
use wisp_vfs::FsError;

/// Why a command could not run. Errors of the guest itself are in the outcome instead.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// There is no such program in the session.
    #[error("`{program}`: {source}; the session has: {tools}")]
    NotFound {
        /// The program that was asked for.
        program: String,
        /// Why it cannot run.
        source: wisp_process::SpawnError,
        /// The session's tools, for the message.
        tools: String,
    },
    /// The program exists but cannot be started.
    #[error("`{program}` cannot be started: {source}")]
    NotStarted {
        /// The program that was asked for.
        program: String,
        /// Why.
        source: wisp_process::SpawnError,
    },
    /// The host could not start the program. It may be able to later, or after what the message names.
    #[error("`{program}` cannot be started: {message}")]
    Host {
        /// The program that was asked for.
        program: String,
        /// The code of the failure.
        code: ErrorCode,
        /// What failed.
        message: String,
    },
    /// The working directory does not exist.
    #[error("the working directory `{path}` cannot be entered: {source}")]
    WorkingDirectory {
        /// The directory.
        path: String,
        /// Why.
        source: FsError,
    },
    /// The state of a shell could not be passed on.
    #[error("the state of the shell could not be handed over: {source} (filesystem.quota and max_files count it while it runs)")]
    State {
        /// The filesystem's error.
        source: FsError,
    },
    /// The session was closed.
    #[error("nothing starts in session {session} any more: it was closed; start another session")]
    Closed {
        /// The session's id.
        session: String,
    },
    /// The async runtime was shut down before the command had ended.
    #[error("the command has no outcome: the async runtime that ran it was shut down")]
    Abandoned,
}

impl RunError {
    /// Returns the code of this error.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::NotFound { source, .. } | Self::NotStarted { source, .. } => source.code(),
            Self::Host { code, .. } => *code,
            Self::WorkingDirectory { source, .. } => source.code(),
            // wisp itself writes and reads that file. Only the quota can refuse it.
            Self::State { source: FsError::NoSpace } => ErrorCode::FilesystemLimit,
            Self::State { .. } => ErrorCode::Internal,
            Self::Closed { .. } => ErrorCode::Ended,
            Self::Abandoned => ErrorCode::Abandoned,
        }
    }

    /// Returns the exit status for such a command: 125 if the host is at fault; otherwise the one that a shell gives, 127 for not found and
    /// 126 for not executable.
    pub fn exit_code(&self) -> u8 {
        match self {
            _ if self.code().fault() == Fault::Host => 125,
            Self::NotFound { .. } => 127,
            _ => 126,
        }
    }
}
