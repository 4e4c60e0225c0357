//! Why a call has no result, and why a connection cannot be served.

use rmcp::ErrorData;
use rmcp::model::{CallToolResult, ContentBlock};
use rmcp::service::ServerInitializeError;
use wisp::ErrorCode;
use wisp::fs::FilesError;
use wisp_service::{ListenError, ServiceError};

/// Why a connection cannot be served any more. What a call did wrong is in the answer to that call instead.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The client did not begin as the protocol says.
    #[error("the client does not speak MCP: {source}")]
    Protocol {
        /// What it did.
        source: Box<ServerInitializeError>,
    },
    /// The task that served the connection failed.
    #[error("the connection failed: {message}")]
    Failed {
        /// What the async runtime says.
        message: String,
    },
    /// The sessions of the connection cannot be closed.
    #[error("the sessions of the connection cannot be closed: {source}")]
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
            Self::Protocol { .. } => ErrorCode::InvalidData,
            Self::Failed { .. } => ErrorCode::Internal,
            Self::Close { source } => source.code(),
            Self::Listen(error) => error.code(),
        }
    }
}

wisp_api::wisp_error!(ServeError);

/// Why a call has no result.
#[derive(Debug)]
pub(crate) enum CallError {
    /// The arguments make no sense: an error of the protocol, which the model may not see.
    Arguments(String),
    /// The call failed: a result with `isError`, which the model reads.
    Failed(String),
    /// The client does not want the result any more.
    Cancelled,
}

impl CallError {
    pub(crate) fn failed(text: impl Into<String>) -> Self {
        Self::Failed(text.into())
    }

    /// Returns the answer to the client.
    pub(crate) fn answer(self) -> Result<CallToolResult, ErrorData> {
        match self {
            Self::Arguments(text) => Err(ErrorData::invalid_params(text, None)),
            Self::Failed(text) => Ok(CallToolResult::error(vec![ContentBlock::text(text)])),
            // Nobody receives it.
            Self::Cancelled => Ok(CallToolResult::error(vec![ContentBlock::text("[cancelled]")])),
        }
    }

    /// Returns what it says, for a request that is no call of a tool.
    pub(crate) fn protocol(self) -> ErrorData {
        match self {
            Self::Arguments(text) => ErrorData::invalid_params(text, None),
            Self::Failed(text) => ErrorData::resource_not_found(text, None),
            Self::Cancelled => ErrorData::internal_error("cancelled", None),
        }
    }

    /// Works like [`Self::protocol`], with the address of the resource that was asked for.
    pub(crate) fn of_resource(self, uri: &str) -> ErrorData {
        ErrorData { data: Some(serde_json::json!({ "uri": uri })), ..self.protocol() }
    }
}

impl From<ServiceError> for CallError {
    fn from(error: ServiceError) -> Self {
        Self::Failed(format!("{error} [{}]", error.code()))
    }
}

impl From<FilesError> for CallError {
    fn from(error: FilesError) -> Self {
        Self::Failed(format!("{error} [{}]", error.code()))
    }
}
