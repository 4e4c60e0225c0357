//! Why an engine cannot be made.

use wisp_api::ErrorCode;

use crate::runtime::{CacheError, RuntimeError};

/// Why an engine cannot be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// wasmtime refused the machine or the configuration.
    #[error(transparent)]
    Runtime(#[from] RuntimeError),
    /// The cache of machine code cannot be used.
    #[error(transparent)]
    Cache(#[from] CacheError),
    /// The components are missing or damaged.
    #[error(transparent)]
    Components(#[from] wisp_components::ComponentError),
}

impl EngineError {
    /// Returns the code of this error.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Runtime(error) => error.code(),
            Self::Cache(error) => error.code(),
            Self::Components(error) => error.code(),
        }
    }
}
