//! Errors on their way to Python: a document, of which the package makes an exception.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use wisp::fs::FilesError;
use wisp::policy::{Palette, PolicyErrors, render};
use wisp::{ComponentError, InterpreterError, SessionError};
use wisp_api::{ErrorCode, ErrorDocument, WispError};
use wisp_service::{ServiceError, StartError};

use crate::exit;

/// Where the package makes exceptions.
const ERRORS: &str = "wisp_sandbox._errors";

/// What the library's messages call by its name in Rust, and what it is in Python.
const NAMES: &[(&str, &str)] = &[
    ("read a range of it (`read_range`), or read it as a stream (`read_stream`)", "read it as a stream (`format=\"stream\"`)"),
    ("start it with `Command::stdin(Input::Piped)`", "start it with `pipe_stdin=True`"),
    ("give it more with EngineBuilder::max_processes", "make an `Engine` with more `max_processes`"),
    ("it was closed; start another session", "it was closed; make another sandbox with `create`"),
];

/// Why a call failed.
pub(crate) struct Failure {
    document: Box<ErrorDocument>,
    /// The findings of a policy with their lines and carets.
    drawn: Option<String>,
}

impl Failure {
    /// Returns a failure of this crate's own.
    pub(crate) fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        let (fault, retryable) = (code.fault(), code.retryable());
        let document = ErrorDocument { code, fault, retryable, message: message.into(), findings: Vec::new() };
        Self { document: Box::new(document), drawn: None }
    }

    /// Returns it with more at the end of its text.
    pub(crate) fn noting(mut self, note: &str) -> Self {
        self.document.message.push_str(note);
        self
    }

    /// Returns the failure that this error is.
    fn of(error: &dyn WispError) -> Self {
        let mut document = error.document();
        for (rust, python) in NAMES {
            if document.message.contains(rust) {
                document.message = document.message.replace(rust, python);
            }
        }
        Self { document: Box::new(document), drawn: None }
    }

    /// Returns the failure of an interpreter that has ended.
    pub(crate) fn interpreter_ended() -> Self {
        Self::new(ErrorCode::Ended, "the interpreter has ended, and what it held is lost: `reset` starts a fresh one")
    }

    /// Returns one failure for several errors: the code is that of the first.
    pub(crate) fn all(errors: &[SessionError]) -> Self {
        let messages: Vec<String> = errors.iter().map(ToString::to_string).collect();
        let code = errors.first().map_or(ErrorCode::Internal, SessionError::code);
        Self::new(code, messages.join("\n"))
    }

    /// Returns the exception.
    pub(crate) fn raised(self, py: Python<'_>) -> PyErr {
        let _inside = exit::Inside::enter();
        let (Ok(error) | Err(error)) = self.exception(py);
        error
    }

    fn exception(&self, py: Python<'_>) -> PyResult<PyErr> {
        let document = serde_json::to_string(&self.document).map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        let made = py.import(ERRORS)?.call_method1("from_document", (document, self.drawn.as_deref()))?;
        Ok(PyErr::from_value(made))
    }
}

/// Returns the value, or raises the failure.
pub(crate) fn or_raise<T>(py: Python<'_>, result: Result<T, impl Into<Failure>>) -> PyResult<T> {
    result.map_err(|error| error.into().raised(py))
}

/// Makes failures of errors that are nothing but their documents.
macro_rules! failures {
    ($($error:ty),+ $(,)?) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                Self::of(&error)
            }
        })+
    };
}

failures!(ComponentError, FilesError, StartError);

impl From<PolicyErrors> for Failure {
    fn from(errors: PolicyErrors) -> Self {
        Self { drawn: Some(render(&errors, Palette::Plain)), ..Self::of(&errors) }
    }
}

impl From<ServiceError> for Failure {
    fn from(error: ServiceError) -> Self {
        match &error {
            // Its id is not what the caller knows it by.
            ServiceError::NotFound { kind: "session", .. } => {
                Self::new(ErrorCode::Ended, "the sandbox is closed: make another one with `create`")
            }
            ServiceError::NotFound { kind: "checkpoint", .. } => {
                Self::new(ErrorCode::NotFound, "the sandbox has no such snapshot: one belongs to the sandbox that took it")
            }
            ServiceError::Interpreter(source) if matches!(**source, InterpreterError::Ended { .. }) => Self::interpreter_ended(),
            ServiceError::Session(source) => match &**source {
                SessionError::Policy(errors) => errors.clone().into(),
                _ => Self::of(&error),
            },
            _ => Self::of(&error),
        }
    }
}
