//! Why an interpreter cannot start or cannot evaluate any more.

use crate::program::SessionError;
use crate::runtime::host_code;
use wisp_api::ErrorCode;

/// Why an interpreter cannot start or cannot evaluate any more.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InterpreterError {
    /// The session has no such tool.
    #[error("`{tool}` is not a tool of this session, which has: {tools}; add it to `tools.allow` of the policy")]
    NotFound {
        /// The tool.
        tool: String,
        /// The tools that it has.
        tools: String,
    },
    /// The tool is an ordinary program, not an interpreter.
    #[error("`{tool}` does not export `wisp:sandbox/evaluation`: it cannot stay alive between evaluations; run it as a command")]
    NotInterpreter {
        /// The tool.
        tool: String,
    },
    /// Its machine code could not be loaded or compiled.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// The session already runs as many processes as its policy allows.
    #[error("the session already runs {limit} processes (limits.processes)")]
    NoRoom {
        /// The limit.
        limit: u32,
    },
    /// The engine already runs as many processes as it has room for. An interpreter that was to evaluate stays alive.
    #[error("the engine has no place for another running process; give it more with EngineBuilder::max_processes, or try again later")]
    Full,
    /// The machine has no room for its stack. It stays alive.
    #[error("the interpreter cannot run now because its stack cannot be mapped: {source}; raise vm.max_map_count, or drop interpreters")]
    Wake {
        /// The system's error.
        source: std::io::Error,
    },
    /// The interpreter's process could not be made.
    #[error("the interpreter cannot start: {source}")]
    NotStarted {
        /// Why.
        source: wisp_process::SpawnError,
    },
    /// The interpreter needs more memory than the policy allows.
    #[error("the interpreter needs more memory at its start than limits.memory = {limit} bytes has left")]
    Memory {
        /// The limit.
        limit: u64,
    },
    /// A limit ended it before it began.
    #[error("the interpreter did not start: {} = {} ended it (set by {})", hit.limit, hit.value, hit.rule)]
    Limit {
        /// The limit.
        hit: wisp_api::LimitHit,
    },
    /// wasmtime could not instantiate it.
    #[error("the interpreter cannot start: {source}")]
    Broken {
        /// wasmtime's error, or what the interpreter wrote before it broke.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The interpreter has ended.
    #[error("the interpreter has ended ({status:?}); start another, or go back to a snapshot")]
    Ended {
        /// How.
        status: wisp_process::ExitStatus,
    },
    /// It still runs another evaluation.
    #[error("the interpreter still runs evaluation {evaluation}; wait for its end, or interrupt it, and try again")]
    Busy {
        /// The number of that evaluation.
        evaluation: u64,
    },
    /// The session was closed.
    #[error("no interpreter runs in session {session} any more: it was closed; start another session")]
    Closed {
        /// The session's id.
        session: String,
    },
    /// There is no runtime for an evaluation that was to run on its own.
    #[error("no async runtime can run the evaluation; start it, or make its interpreter, within a tokio runtime")]
    NoRuntime,
    /// The async runtime was shut down before the evaluation had ended.
    #[error("the evaluation has no result: the async runtime that ran it was shut down")]
    Abandoned,
    /// This machine or this component offers no snapshots.
    #[error("no snapshots here: memory is not copy on write ({reason}); `wisp doctor` says what is missing")]
    NoSnapshots {
        /// Why.
        reason: String,
    },
    /// It depends on handles that a copy could not have. It stays alive.
    #[error("no snapshot: the interpreter holds {handles} handles that it could not release")]
    Holds {
        /// How many.
        handles: usize,
        /// What it could release.
        not_carried: Vec<String>,
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

impl InterpreterError {
    /// Returns the code of this error.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::NotFound { .. } => ErrorCode::ProgramNotFound,
            Self::NotInterpreter { .. } => ErrorCode::Unsupported,
            Self::Session(error) => error.code(),
            Self::NoRoom { .. } => ErrorCode::ProcessLimit,
            Self::Full => ErrorCode::NoRoom,
            Self::Wake { .. } | Self::Freeze { .. } => ErrorCode::HostMemory,
            Self::NotStarted { source } => source.code(),
            Self::Memory { .. } => ErrorCode::MemoryLimit,
            Self::Limit { hit } => hit.limit.code(),
            Self::Broken { source } => host_code(&**source).unwrap_or(ErrorCode::StartFailed),
            Self::Ended { .. } | Self::Closed { .. } => ErrorCode::Ended,
            Self::Busy { .. } => ErrorCode::Conflict,
            Self::NoRuntime => ErrorCode::Unsupported,
            Self::Abandoned => ErrorCode::Abandoned,
            Self::NoSnapshots { .. } => ErrorCode::SnapshotsUnavailable,
            Self::Holds { .. } => ErrorCode::SnapshotRefused,
            Self::OtherWorld => ErrorCode::SnapshotMismatch,
        }
    }
}
