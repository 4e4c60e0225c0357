//! Why a command did not run.

/// Why a command did not run. What a guest does wrong is no error here: it is in the outcome.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// There is no such program in the session.
    #[error("`{program}`: {source}; the session has: {tools}")]
    NotFound {
        /// What was asked for.
        program: String,
        /// Why it does not run.
        source: wisp_process::SpawnError,
        /// The tools it has, for the reader.
        tools: String,
    },
    /// It exists but cannot be started.
    #[error("`{program}` cannot be started: {source}")]
    NotStarted {
        /// What was asked for.
        program: String,
        /// Why.
        source: wisp_process::SpawnError,
    },
    /// The working directory does not exist.
    #[error("the working directory `{path}` cannot be entered: {source}")]
    WorkingDirectory {
        /// Which.
        path: String,
        /// Why.
        source: wisp_vfs::FsError,
    },
    /// The state of a shell could not be handed over.
    #[error("the state of the shell could not be handed over: {source} (filesystem.quota and max_files count it while it runs)")]
    State {
        /// The filesystem's error.
        source: wisp_vfs::FsError,
    },
}

impl RunError {
    /// The exit status a shell gives such a command: 127 not found, 126 not executable.
    pub fn exit_code(&self) -> u8 {
        match self {
            RunError::NotFound { .. } => 127,
            RunError::NotStarted { .. } | RunError::WorkingDirectory { .. } | RunError::State { .. } => 126,
        }
    }
}
