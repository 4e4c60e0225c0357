//! Errors as data.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{ErrorCode, Fault, PatchReject, PolicyFinding, UnknownErrorCode};

/// Maximum characters of a name in a message. Attack: a name that writes to a log or terminal.
const MAX_SHOWN: usize = 300;

/// Returns a name for a message: its beginning, without control characters.
pub fn shown(name: &str) -> String {
    name.chars().take(MAX_SHOWN).map(|char| if char.is_control() { '\u{fffd}' } else { char }).collect()
}

/// Implements [`WispError`] for errors that have a method `code`.
#[macro_export]
macro_rules! wisp_error {
    ($($error:ty),+ $(,)?) => {
        $(impl $crate::WispError for $error {
            fn code(&self) -> $crate::ErrorCode {
                // The error's own method, not this one.
                <$error>::code(self)
            }
        })+
    };
}

wisp_error!(PatchReject, UnknownErrorCode);

/// An error of wisp, whichever it is. Every public error that ends a call implements it, so that a surface can pass on an error
/// without knowing its type.
pub trait WispError: std::error::Error {
    /// Returns the code.
    fn code(&self) -> ErrorCode;

    /// Returns what is wrong with the policy, if that is the error.
    fn policy_findings(&self) -> Vec<PolicyFinding> {
        Vec::new()
    }

    /// Returns the error as data.
    fn document(&self) -> ErrorDocument {
        let code = self.code();
        ErrorDocument {
            code,
            fault: code.fault(),
            retryable: code.retryable(),
            message: self.to_string(),
            findings: self.policy_findings(),
        }
    }
}

/// An error, as data. `fault` and `retryable` follow from `code`, for readers in other languages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "wisp error")]
pub struct ErrorDocument {
    /// Why the call failed, for programs.
    pub code: ErrorCode,
    /// Who can do something about it.
    pub fault: Fault,
    /// Whether the same call can succeed later without any change to it or to the host.
    pub retryable: bool,
    /// What was asked, what refused it, and what to change, for people.
    pub message: String,
    /// What is wrong with the policy, if that is the error.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<PolicyFinding>,
}
