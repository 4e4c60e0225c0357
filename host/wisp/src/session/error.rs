//! What can go wrong outside the guest.

use std::path::PathBuf;

use crate::policy::PolicyErrors;
use crate::runtime::{CacheError, RuntimeError};
use crate::world::WorldError;

/// Why no engine could be made.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// wasmtime refused the machine or the configuration.
    #[error(transparent)]
    Runtime(#[from] RuntimeError),
    /// The cache of machine code cannot be used.
    #[error(transparent)]
    Cache(#[from] CacheError),
    /// The components are not there or are not what they should be.
    #[error(transparent)]
    Components(#[from] crate::components::ComponentError),
}

/// Why a session does not start. Nothing has run.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The policy, as changed by the builder, is not valid.
    #[error(transparent)]
    Policy(#[from] PolicyErrors),
    /// A component may not run in this world.
    #[error(transparent)]
    World(#[from] WorldError),
    /// A component is not there or is not what it should be.
    #[error(transparent)]
    Components(#[from] crate::components::ComponentError),
    /// A custom tool's file cannot be read.
    #[error("the tool `{tool}`: cannot read `{}`: {error} ({rule})", path.display())]
    ToolFile {
        /// The tool.
        tool: String,
        /// Its file.
        path: PathBuf,
        /// The system's error.
        error: std::io::Error,
        /// What named it.
        rule: String,
    },
    /// A custom tool's file is not the one the policy pins.
    #[error("the tool `{tool}`: `{}` has the SHA-256 {found}, but {rule} says {expected}", path.display())]
    ToolDigest {
        /// The tool.
        tool: String,
        /// Its file.
        path: PathBuf,
        /// What the file has.
        found: String,
        /// What the policy says.
        expected: String,
        /// Where it says so.
        rule: String,
    },
    /// A directory or file to mount cannot be opened.
    #[error("the mount `{guest}`: cannot open `{}`: {error} ({rule})", host.display())]
    Mount {
        /// Where it was to be mounted.
        guest: String,
        /// The host's directory.
        host: PathBuf,
        /// What is wrong.
        error: String,
        /// What asked for it.
        rule: String,
    },
    /// A component could not be compiled.
    #[error("the tool `{tool}` cannot be compiled: {reason}")]
    Compile {
        /// The tool.
        tool: String,
        /// wasmtime's reason.
        reason: String,
    },
    /// wasmtime refused the machine or the configuration.
    #[error(transparent)]
    Runtime(#[from] RuntimeError),
    /// The files that come with a component are damaged.
    #[error("the files of `{tool}` are damaged: {reason}")]
    Archive {
        /// The tool.
        tool: String,
        /// What is wrong.
        reason: String,
    },
    /// The files every session starts with could not be laid out.
    #[error("the base filesystem cannot be laid out: `{path}`: {error}")]
    Base {
        /// Which.
        path: String,
        /// Why.
        error: crate::vfs::FsError,
    },
}

/// Why a command did not run. What a guest does wrong is no error here: it is in the outcome.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// There is no such program in the session.
    #[error("`{program}`: {reason}; the session has: {tools}")]
    NotFound {
        /// What was asked for.
        program: String,
        /// Why it does not run.
        reason: crate::process::SpawnError,
        /// The tools it has, for the reader.
        tools: String,
    },
    /// It exists but cannot be started.
    #[error("`{program}` cannot be started: {reason}")]
    NotStarted {
        /// What was asked for.
        program: String,
        /// Why.
        reason: crate::process::SpawnError,
    },
    /// The working directory does not exist.
    #[error("the working directory `{path}` cannot be entered: {reason}")]
    WorkingDirectory {
        /// Which.
        path: String,
        /// Why.
        reason: crate::vfs::FsError,
    },
    /// The state of a shell could not be handed over.
    #[error("the state of the shell could not be handed over: {reason} (filesystem.quota and max_files count it while it runs)")]
    State {
        /// The filesystem's error.
        reason: crate::vfs::FsError,
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

/// Why an interpreter does not start, or evaluates no more.
#[derive(Debug, thiserror::Error)]
pub enum KernelError {
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
    #[error("the interpreter cannot start: {reason}")]
    NotStarted {
        /// Why.
        reason: crate::process::SpawnError,
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
        status: crate::process::ExitStatus,
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
    #[error("no snapshot: its memory could not be copied: {error}")]
    Freeze {
        /// The system's error.
        error: std::io::Error,
    },
    /// The snapshot belongs to other tools.
    #[error("the snapshot is of a session with other tools or grants; fork it instead, or restore it in a session of the same policy")]
    OtherWorld,
}
