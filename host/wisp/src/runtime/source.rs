//! Errors of wasmtime as the `source` of errors of this library.

use std::error::Error;
use std::fmt;

use super::fault::host_fault;
use wisp_api::ErrorCode;

/// An error of wasmtime. Its text is one line with all causes; [`Error::source`] returns the same error with its causes
/// one by one.
#[derive(Debug)]
pub(crate) struct WasmtimeError(wasmtime::Error);

/// Returns the code of an error that is a failure of the host, if that has one of its own.
pub(crate) fn host_code(source: &(dyn Error + 'static)) -> Option<ErrorCode> {
    let error = std::iter::successors(Some(source), |error| (*error).source()).find_map(|error| error.downcast_ref::<WasmtimeError>());
    host_fault(&error?.0).map(|(code, _)| code)
}

impl From<wasmtime::Error> for WasmtimeError {
    fn from(error: wasmtime::Error) -> Self {
        Self(error)
    }
}

impl fmt::Display for WasmtimeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#}", self.0)
    }
}

impl Error for WasmtimeError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(self.0.as_ref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_has_all_causes_and_the_source_has_each() {
        let error = WasmtimeError(wasmtime::Error::msg("the cause").context("what failed"));
        assert_eq!(error.to_string(), "what failed: the cause");
        let first = error.source().expect("the error of wasmtime");
        assert_eq!(first.to_string(), "what failed");
        assert_eq!(first.source().expect("its cause").to_string(), "the cause");
    }
}
