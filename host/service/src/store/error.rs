//! Why a session cannot be kept, found or continued.

use std::io;
use std::path::PathBuf;

use wisp::policy::PolicyErrors;
use wisp::{InterpreterError, SnapshotFileError};
use wisp_api::{ErrorCode, PolicyFinding, WispError};

use super::LONGEST;

/// Why a session cannot be kept, found or continued.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The environment does not say where the user's sessions are.
    #[error("no place to keep sessions: neither XDG_STATE_HOME nor HOME is set")]
    NoPlace,
    /// A session cannot have this name, which is the name of a folder and a word in messages.
    #[error(
        "a session cannot be called `{}`: use letters, digits, `.`, `_` and `-`, at most {LONGEST}, a letter or digit first",
        name.escape_debug()
    )]
    Name {
        /// The name.
        name: String,
    },
    /// There is no session with this name.
    #[error("there is no session `{name}`")]
    NotFound {
        /// The name.
        name: String,
    },
    /// Another handle has the session, in this process or in another one.
    #[error("the session `{name}` is in use; wait until it is free, or take another name")]
    InUse {
        /// The session.
        name: String,
    },
    /// Other users could read sessions, or replace them.
    #[error("{} must be a directory of yours that others cannot enter: `chmod 700` it, or move it away", path.display())]
    NotPrivate {
        /// The folder of all sessions, or that of one.
        path: PathBuf,
    },
    /// The folder of all sessions, or that of one, cannot be made, read or removed.
    #[error("cannot {operation} {}: {source}", path.display())]
    Folder {
        /// What was asked: `make`, `read` or `remove`.
        operation: &'static str,
        /// The folder.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The lock of a session cannot be opened or locked.
    #[error("cannot lock the session `{name}`: {source}")]
    Lock {
        /// The session.
        name: String,
        /// The system's error, or what is in the lock's place.
        source: io::Error,
    },
    /// A session that is new was asked to go on under the policy that it began with.
    #[error("the session `{name}` has no policy yet")]
    NoPolicy {
        /// The session.
        name: String,
    },
    /// The session keeps another policy than the one that was asked for.
    #[error("the session `{name}` began under another policy (`{policy}`)")]
    OtherPolicy {
        /// The session.
        name: String,
        /// The name of the policy that it keeps.
        policy: String,
    },
    /// The policy that the session keeps cannot be read, or is not valid for this version.
    #[error(transparent)]
    Policy(#[from] PolicyErrors),
    /// The session has a policy, but not its files.
    #[error("the session `{name}` cannot continue: its files are gone")]
    FilesGone {
        /// The session.
        name: String,
    },
    /// Something else is in the place of a file of the session, or the folder cannot be read.
    #[error("the session `{name}` cannot continue: {source}")]
    Unreadable {
        /// The session.
        name: String,
        /// The system's error, or what to remove.
        source: io::Error,
    },
    /// The session's files, or its interpreter, cannot be loaded.
    #[error("the session `{name}` cannot continue: {source}")]
    Unusable {
        /// The session.
        name: String,
        /// What is wrong with which file.
        source: Box<SnapshotFileError>,
    },
    /// The session's interpreter cannot start, or cannot go back to the state that was kept.
    #[error(transparent)]
    Interpreter(Box<InterpreterError>),
    /// The session could not be saved. What was saved earlier may be replaced in part: the interpreter goes first, then the files.
    #[error("the session `{name}` could not be kept: {source}")]
    NotSaved {
        /// The session.
        name: String,
        /// What could not be written.
        source: Box<SnapshotFileError>,
    },
    /// The state of the session's interpreter could not be taken. Nothing was saved.
    #[error("the session `{name}` could not be kept: {source}")]
    NotFrozen {
        /// The session.
        name: String,
        /// Why.
        source: Box<InterpreterError>,
    },
}

impl From<InterpreterError> for StoreError {
    fn from(error: InterpreterError) -> Self {
        Self::Interpreter(Box::new(error))
    }
}

impl StoreError {
    /// Returns the code of this error.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::NoPlace => ErrorCode::Unsupported,
            Self::Name { .. } => ErrorCode::InvalidArgument,
            Self::NotFound { .. } => ErrorCode::NotFound,
            Self::InUse { .. } | Self::NoPolicy { .. } => ErrorCode::Conflict,
            Self::NotPrivate { .. } | Self::Folder { .. } | Self::Lock { .. } | Self::Unreadable { .. } => ErrorCode::IoError,
            Self::OtherPolicy { .. } => ErrorCode::SnapshotMismatch,
            Self::Policy(error) => error.code(),
            Self::FilesGone { .. } => ErrorCode::InvalidData,
            Self::Unusable { source, .. } | Self::NotSaved { source, .. } => source.code(),
            Self::Interpreter(error) | Self::NotFrozen { source: error, .. } => error.code(),
        }
    }
}

impl WispError for StoreError {
    fn code(&self) -> ErrorCode {
        Self::code(self)
    }

    fn policy_findings(&self) -> Vec<PolicyFinding> {
        match self {
            Self::Policy(errors) => errors.policy_findings(),
            Self::Unusable { source, .. } | Self::NotSaved { source, .. } => source.policy_findings(),
            Self::Interpreter(error) | Self::NotFrozen { source: error, .. } => error.policy_findings(),
            _ => Vec::new(),
        }
    }
}
