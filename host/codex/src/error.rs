//! Why a call has no result, and why a connection cannot be served.

use serde::Serialize;
use wisp::ErrorCode;
use wisp::fs::FilesError;
use wisp_service::{ListenError, ServiceError, StoreError};

/// The request is not one, or cannot be made now.
const INVALID_REQUEST: i64 = -32600;

/// There is no such method.
const UNKNOWN_METHOD: i64 = -32601;

/// The parameters are not those of the method.
const INVALID_PARAMS: i64 = -32602;

/// What was asked for failed.
const INTERNAL: i64 = -32603;

/// There is no such file. Codex makes the directory and writes again if a write has this code, and gives up with any other.
const NOT_FOUND: i64 = -32004;

/// Another connection has the session.
const ATTACHED: i64 = -32010;

/// Why a connection cannot be served any more. What a call did wrong is in the answer to that call instead.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The session of the connection cannot be kept or closed.
    #[error("the session of the connection cannot be closed: {source}")]
    Close {
        /// Why not.
        source: ServiceError,
    },
    /// Connections cannot be accepted, or other machines could connect without a token.
    #[error(transparent)]
    Listen(#[from] ListenError),
}

impl ServeError {
    /// Returns the code of this error.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Close { source } => source.code(),
            Self::Listen(error) => error.code(),
        }
    }
}

wisp_api::wisp_error!(ServeError);

/// What a call is answered with that has no result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct RpcError {
    code: i64,
    message: String,
}

impl RpcError {
    pub(crate) fn invalid_request(message: impl Into<String>) -> Self {
        Self { code: INVALID_REQUEST, message: message.into() }
    }

    pub(crate) fn unknown_method(method: &str) -> Self {
        Self { code: UNKNOWN_METHOD, message: format!("wisp does not have the method `{}`", wisp_api::shown(method)) }
    }

    pub(crate) fn invalid_params(message: impl Into<String>) -> Self {
        Self { code: INVALID_PARAMS, message: message.into() }
    }

    pub(crate) fn not_found(message: impl Into<String>) -> Self {
        Self { code: NOT_FOUND, message: message.into() }
    }

    pub(crate) fn internal(message: impl Into<String>) -> Self {
        Self { code: INTERNAL, message: message.into() }
    }

    /// Returns the error of wisp with this code and message. As in Codex, what the caller or a rule did not allow is an invalid request.
    fn of(code: ErrorCode, message: String) -> Self {
        match code {
            ErrorCode::FileNotFound => Self::not_found(message),
            ErrorCode::Conflict
            | ErrorCode::Ended
            | ErrorCode::InvalidArgument
            | ErrorCode::MountRefused
            | ErrorCode::NotFound
            | ErrorCode::PermissionDenied
            | ErrorCode::ServiceLimit
            | ErrorCode::SnapshotMismatch
            | ErrorCode::TooLarge
            | ErrorCode::Unsupported => Self::invalid_request(message),
            _ => Self::internal(message),
        }
    }

    pub(crate) fn unknown_session(name: &str) -> Self {
        Self::invalid_request(format!("unknown session id {}", wisp_api::shown(name)))
    }

    /// Returns why the session with this name cannot be had.
    pub(crate) fn of_store(name: &str, error: &StoreError) -> Self {
        match error {
            StoreError::NotFound { .. } | StoreError::Name { .. } => Self::unknown_session(name),
            StoreError::InUse { .. } => Self { code: ATTACHED, message: error.to_string() },
            error => Self::of(error.code(), error.to_string()),
        }
    }
}

impl From<FilesError> for RpcError {
    fn from(error: FilesError) -> Self {
        Self::of(error.code(), error.to_string())
    }
}

impl From<ServiceError> for RpcError {
    fn from(error: ServiceError) -> Self {
        Self::of(error.code(), error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_those_of_codex() {
        let code = |code| RpcError::of(code, String::new()).code;
        assert_eq!(code(ErrorCode::FileNotFound), -32004);
        assert_eq!((code(ErrorCode::PermissionDenied), code(ErrorCode::MountRefused)), (-32600, -32600));
        assert_eq!(
            (code(ErrorCode::FileExists), code(ErrorCode::WrongFileType), code(ErrorCode::FilesystemLimit)),
            (-32603, -32603, -32603)
        );
        let name = || "s".to_owned();
        let store = |error| RpcError::of_store("s", &error);
        assert_eq!(store(StoreError::NotFound { name: name() }), RpcError::invalid_request("unknown session id s"));
        assert_eq!(store(StoreError::InUse { name: name() }).code, -32010);
        assert_eq!(serde_json::to_string(&RpcError::internal("x")).expect("JSON"), r#"{"code":-32603,"message":"x"}"#);
    }
}
