//! Why a component is not fused: what is wrong, why it matters, what to do about it.

use std::fmt;

/// A refusal or a broken input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    what: String,
    why: String,
    remedy: String,
}

impl Error {
    pub(crate) fn new(what: impl Into<String>, why: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { what: what.into(), why: why.into(), remedy: remedy.into() }
    }

    /// The component contradicts itself in a way that validation should have found.
    pub(crate) fn broken(what: impl Into<String>) -> Self {
        Self::new(what, "the component contradicts itself", "build the component again; if it stays, this is a bug of wisp-fuse")
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}; {}", self.what, self.why, self.remedy)
    }
}

impl std::error::Error for Error {}

impl From<wasmparser::Error> for Error {
    fn from(error: wasmparser::Error) -> Self {
        Self::new("not a component that can be read", error.to_string(), "give a component of the WebAssembly component model")
    }
}

impl From<wasm_encoder::reencode::Error<Self>> for Error {
    fn from(error: wasm_encoder::reencode::Error<Self>) -> Self {
        match error {
            wasm_encoder::reencode::Error::UserError(error) => error,
            wasm_encoder::reencode::Error::ParseError(error) => error.into(),
            other => Self::broken(other.to_string()),
        }
    }
}
