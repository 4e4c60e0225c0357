//! What surfaces need of every error: its code, and the error as data. The codes themselves stand beside the errors.

use crate::confine::ConfineError;
use crate::exec::{RunError, StdinError};
use crate::files::{FilesError, FilesReason};
use crate::functions::{FunctionError, HostReplayError};
use crate::interpreter::{InterpreterError, SnapshotFileError};
use crate::program::SessionError;
use crate::runtime::{CacheError, RuntimeError};
use crate::session::{ApplyError, EngineError, HttpError};
use wisp_api::{ErrorCode, PolicyFinding, WispError, wisp_error};

wisp_error!(
    ApplyError,
    CacheError,
    ConfineError,
    EngineError,
    FilesError,
    FilesReason,
    FunctionError,
    HostReplayError,
    HttpError,
    RunError,
    RuntimeError,
    StdinError
);

impl WispError for SessionError {
    fn code(&self) -> ErrorCode {
        Self::code(self)
    }

    fn policy_findings(&self) -> Vec<PolicyFinding> {
        if let Self::Policy(errors) = self { errors.to_data() } else { Vec::new() }
    }
}

impl WispError for InterpreterError {
    fn code(&self) -> ErrorCode {
        Self::code(self)
    }

    fn policy_findings(&self) -> Vec<PolicyFinding> {
        if let Self::Session(error) = self { error.policy_findings() } else { Vec::new() }
    }
}

impl WispError for SnapshotFileError {
    fn code(&self) -> ErrorCode {
        Self::code(self)
    }

    fn policy_findings(&self) -> Vec<PolicyFinding> {
        match self {
            Self::Session(error) => error.policy_findings(),
            Self::File { source, .. } => source.policy_findings(),
            _ => Vec::new(),
        }
    }
}
