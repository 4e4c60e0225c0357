//! Why a command could not run.

/// Why a command could not run. Errors of the guest itself are in the outcome instead.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// There is no such program in the session.
    #[error("`{program}`: {reason}; the session has: {tools}")]
    NotFound {
        /// The program that was asked for.
        program: String,
        /// Why it cannot run.
        reason: crate::process::SpawnError,
        /// The session's tools, for the message.
        tools: String,
    },
    /// The program exists but cannot be started.
    #[error("`{program}` cannot be started: {reason}")]
    NotStarted {
        /// The program that was asked for.
        program: String,
        /// Why.
        reason: crate::process::SpawnError,
    },
    /// The working directory does not exist.
    #[error("the working directory `{path}` cannot be entered: {reason}")]
    WorkingDirectory {
        /// The directory.
        path: String,
        /// Why.
        reason: crate::vfs::FsError,
    },
    /// The state of a shell could not be passed on.
    #[error("the state of the shell could not be passed on: {reason} (filesystem.quota and max_files count it while it runs)")]
    State {
        /// The filesystem's error.
        reason: crate::vfs::FsError,
    },
}

impl RunError {
    /// The exit status that a shell gives such a command: 127 for not found, 126 for not executable.
    pub fn exit_code(&self) -> u8 {
        match self {
            RunError::NotFound { .. } => 127,
            RunError::NotStarted { .. } | RunError::WorkingDirectory { .. } | RunError::State { .. } => 126,
        }
    }
}
