//! Why a call of the service failed.

use wisp::fs::FilesError;
use wisp::{FunctionError, HttpError, InterpreterError, RunError, SessionError, StdinError};
use wisp_api::{ErrorCode, PolicyFinding, WispError};

use crate::store::StoreError;

/// Why a call of the service failed. What the code in the sandbox did wrong is in its outcome instead.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServiceError {
    /// The caller has no such thing. Whether another owner has it makes no difference.
    #[error("there is no {kind} `{name}`")]
    NotFound {
        /// What was looked for: `session`, `command`, `evaluation`, `interpreter`, `checkpoint`.
        kind: &'static str,
        /// Its id, key or name.
        name: String,
    },
    /// The service does not offer such a policy.
    #[error("the service offers no policy `{name}`; it offers: {offered}")]
    NoPolicy {
        /// The name; empty if none was named, and there is no default.
        name: String,
        /// Those that it offers.
        offered: String,
    },
    /// The owner's session with this key has another policy.
    #[error("the session with the key `{key}` has another policy, or another environment: take another key, or close that session first")]
    OtherPolicy {
        /// The key.
        key: String,
    },
    /// The owner has a session with the key that a fork was to have.
    #[error("there is a session with the key `{key}`: take another key, or close that session first")]
    KeyTaken {
        /// The key.
        key: String,
    },
    /// The interpreter runs another tool.
    #[error("the interpreter `{name}` runs {tool}: leave out the tool, or take another name")]
    OtherTool {
        /// Its name.
        name: String,
        /// Its tool.
        tool: String,
    },
    /// The owner has too many of something.
    #[error("there are {limit} {kind} already, which is as many as the service allows here: close or delete one first")]
    TooMany {
        /// `sessions of this owner`, `checkpoints of this session`, `shells of this session`, or bytes of these.
        kind: &'static str,
        /// The maximum.
        limit: usize,
    },
    /// The service has too many sessions of all owners.
    #[error("the service has {limit} sessions, which is as many as it holds: try again later")]
    Full {
        /// The maximum.
        limit: usize,
    },
    /// Something else uses it now.
    #[error("the {kind} `{name}` {doing}: wait until that has ended, interrupt it, or take another one")]
    Busy {
        /// `interpreter`, `shell` or `session`.
        kind: &'static str,
        /// Its name.
        name: String,
        /// What it does now.
        doing: &'static str,
    },
    /// The request makes no sense.
    #[error("{0}")]
    Invalid(&'static str),
    /// The command has no terminal.
    #[error("the command `{id}` has no terminal whose size could be set; ask for one when it starts")]
    NoTerminal {
        /// The command.
        id: u64,
    },
    /// No store keeps the session.
    #[error("the session `{id}` cannot be kept: no store keeps it, because it was not opened as a kept session")]
    NotKept {
        /// The session.
        id: String,
    },
    /// A blocking call was made where it would block async tasks.
    #[error("a blocking call was made on a thread that runs async tasks, which would wait for it: await the call of the same name there")]
    InsideRuntime,
    /// The async runtime was shut down before the call had a result.
    #[error("the call has no result: the service's runtime was shut down")]
    Abandoned,
    /// The system provides no randomness for an id.
    #[error("the system provides no randomness for an id: {0}")]
    Random(getrandom::Error),
    /// The session cannot be made.
    #[error(transparent)]
    Session(Box<SessionError>),
    /// The command cannot be run.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The command's input cannot be written.
    #[error(transparent)]
    Stdin(#[from] StdinError),
    /// The request of the host program has no response.
    #[error(transparent)]
    Http(#[from] HttpError),
    /// The interpreter cannot start or evaluate.
    #[error(transparent)]
    Interpreter(Box<InterpreterError>),
    /// The files cannot be read or written.
    #[error(transparent)]
    Files(Box<FilesError>),
    /// The function of the host has no result.
    #[error(transparent)]
    Function(Box<FunctionError>),
    /// The session cannot be continued from its store, or kept in it.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<SessionError> for ServiceError {
    fn from(error: SessionError) -> Self {
        Self::Session(Box::new(error))
    }
}

impl From<InterpreterError> for ServiceError {
    fn from(error: InterpreterError) -> Self {
        Self::Interpreter(Box::new(error))
    }
}

impl From<FilesError> for ServiceError {
    fn from(error: FilesError) -> Self {
        Self::Files(Box::new(error))
    }
}

impl From<FunctionError> for ServiceError {
    fn from(error: FunctionError) -> Self {
        Self::Function(Box::new(error))
    }
}

impl ServiceError {
    /// Returns the code of this error.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::NotFound { .. } | Self::NoPolicy { .. } => ErrorCode::NotFound,
            Self::OtherPolicy { .. } | Self::KeyTaken { .. } | Self::OtherTool { .. } => ErrorCode::Conflict,
            Self::Busy { .. } | Self::NoTerminal { .. } | Self::NotKept { .. } => ErrorCode::Conflict,
            Self::TooMany { .. } => ErrorCode::ServiceLimit,
            Self::Full { .. } => ErrorCode::NoRoom,
            Self::Invalid(_) => ErrorCode::InvalidArgument,
            Self::InsideRuntime => ErrorCode::Unsupported,
            Self::Abandoned => ErrorCode::Abandoned,
            Self::Random(_) => ErrorCode::Internal,
            Self::Session(error) => error.code(),
            Self::Run(error) => error.code(),
            Self::Stdin(error) => error.code(),
            Self::Http(error) => error.code(),
            Self::Interpreter(error) => error.code(),
            Self::Files(error) => error.code(),
            Self::Function(error) => error.code(),
            Self::Store(error) => error.code(),
        }
    }

    pub(crate) fn not_found(kind: &'static str, name: impl ToString) -> Self {
        Self::NotFound { kind, name: name.to_string() }
    }
}

impl WispError for ServiceError {
    fn code(&self) -> ErrorCode {
        Self::code(self)
    }

    fn policy_findings(&self) -> Vec<PolicyFinding> {
        match self {
            Self::Session(error) => error.policy_findings(),
            Self::Interpreter(error) => error.policy_findings(),
            Self::Store(error) => error.policy_findings(),
            _ => Vec::new(),
        }
    }
}
