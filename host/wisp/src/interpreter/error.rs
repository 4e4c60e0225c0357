//! Why an interpreter does not start, or evaluates no more.

use crate::program::SessionError;

/// Why an interpreter does not start, or evaluates no more.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InterpreterError {
    /// The session has no such tool.
    #[error("`{tool}` is not a tool of this session, which has: {tools}; add it to `tools.allow` of the policy")]
    NotFound {
        /// The tool.
        tool: String,
        /// What there is.
        tools: String,
    },
    /// It is a program like any other.
    #[error("`{tool}` does not export `wisp:sandbox/kernel`: it cannot stay alive between cells; run it as a command")]
    NotInterpreter {
        /// The tool.
        tool: String,
    },
    /// Its machine code could not be had.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// The session runs as many processes as its policy allows.
    #[error("the session already runs {limit} processes (limits.processes)")]
    NoRoom {
        /// The limit.
        limit: u32,
    },
    /// The engine runs as many processes as it was made for.
    #[error("the engine has no place for another process; give it more with EngineBuilder::max_processes, or drop interpreters")]
    Full,
    /// Its process could not be made.
    #[error("the interpreter cannot start: {source}")]
    NotStarted {
        /// Why.
        source: wisp_process::SpawnError,
    },
    /// Its memory is more than the policy allows.
    #[error("the interpreter needs more memory at its start than limits.memory = {limit} bytes has left")]
    Memory {
        /// The limit.
        limit: u64,
    },
    /// A limit ended it before it had begun.
    #[error("the interpreter did not start: {} = {} ended it (set by {})", hit.limit, hit.value, hit.rule)]
    Limit {
        /// The limit.
        hit: crate::outcome::result::LimitHit,
    },
    /// wasmtime could not make an instance of it.
    #[error("the interpreter cannot start: {reason}")]
    Broken {
        /// wasmtime's reason.
        reason: String,
    },
    /// It has ended.
    #[error("the interpreter has ended ({status:?}); start another, or go back to a snapshot")]
    Ended {
        /// How.
        status: wisp_process::ExitStatus,
    },
    /// This machine or this component offers no snapshots.
    #[error("no snapshots here: memory is not copy on write ({reason}); `wisp doctor` says what is missing")]
    NoSnapshots {
        /// Why.
        reason: String,
    },
    /// It counts on handles that a copy could not have.
    #[error("no snapshot: the interpreter holds {handles} handles that it could not let go of; it was ended")]
    Holds {
        /// How many.
        handles: usize,
        /// What it could let go of.
        lost: Vec<String>,
    },
    /// Its memory could not be copied.
    #[error("no snapshot: its memory could not be copied: {source}")]
    Freeze {
        /// The system's error.
        source: std::io::Error,
    },
    /// The snapshot belongs to other tools.
    #[error("the snapshot is of a session with other tools or grants; fork it instead, or restore it in a session of the same policy")]
    OtherWorld,
}
