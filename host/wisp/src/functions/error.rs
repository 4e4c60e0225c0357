//! Why a call of a function from outside the sandbox has no result.

use crate::wasi::{CallError, HostFailure};
use wisp_api::ErrorCode;
use wisp_policy::schema::Key;

/// Why a function of the host that was called from outside the sandbox has no result
/// ([`Session::call_function`](crate::Session::call_function)). The texts are those that a guest gets.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FunctionError {
    /// The policy does not allow it.
    #[error("{name}: denied by wisp: {reason} ({rule}); {help}")]
    Denied {
        /// The function.
        name: String,
        /// What refused it.
        reason: String,
        /// The rule.
        rule: String,
        /// The change that would allow it.
        help: String,
    },
    /// The policy allows it, and no program has registered it.
    #[error("{name}: the program that runs this sandbox has no such function")]
    NotFound {
        /// The function.
        name: String,
    },
    /// The function failed.
    #[error("{name}: {source}")]
    Failed {
        /// The function.
        name: String,
        /// What it says.
        source: HostFailure,
    },
    /// A limit of the policy refused the call or ended it.
    #[error("{name}: stopped by wisp: {limit} = {value} (set by {rule})")]
    Limited {
        /// The function.
        name: String,
        /// The policy's key.
        limit: String,
        /// Its value.
        value: String,
        /// The rule that set it.
        rule: String,
    },
    /// The session was closed.
    #[error("{name}: no function is called in session {session} any more: it was closed; start another session")]
    Closed {
        /// The function.
        name: String,
        /// The session's id.
        session: String,
    },
}

impl FunctionError {
    /// Returns the error of a call of the function `name`.
    pub(super) fn of(name: &str, error: CallError) -> Self {
        let name = name.to_owned();
        match error {
            CallError::Denied { name, reason, rule, help } => Self::Denied { name, reason, rule, help },
            CallError::NotFound(name) => Self::NotFound { name },
            CallError::Failed(source) => Self::Failed { name, source },
            CallError::Limited { limit, value, rule } => Self::Limited { name, limit, value, rule },
        }
    }

    /// Returns the code of this error.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Denied { .. } => ErrorCode::FunctionRefused,
            Self::NotFound { .. } => ErrorCode::NotFound,
            Self::Failed { .. } => ErrorCode::FunctionFailed,
            Self::Limited { limit, .. } if limit == Key::Memory.path() => ErrorCode::MemoryLimit,
            Self::Limited { .. } => ErrorCode::FunctionLimit,
            Self::Closed { .. } => ErrorCode::Ended,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wisp_api::Fault;

    #[test]
    fn each_error_says_whose_it_is_in_the_words_that_a_guest_gets() {
        let text = ToOwned::to_owned;
        let limited = |limit: Key| CallError::Limited { limit: text(limit.path()), value: text("1"), rule: text("p.toml:4") };
        let denied = CallError::Denied { name: text("f"), reason: text("no"), rule: text("p.toml:3"), help: text("add it") };
        let failed = CallError::Failed(HostFailure::new("TooFar", "4 is too far"));
        for (error, code, fault, said) in [
            (denied, ErrorCode::FunctionRefused, Fault::Policy, "f: denied by wisp: no (p.toml:3); add it"),
            (
                CallError::NotFound(text("f")),
                ErrorCode::NotFound,
                Fault::Caller,
                "f: the program that runs this sandbox has no such function",
            ),
            (failed, ErrorCode::FunctionFailed, Fault::Caller, "f: TooFar: 4 is too far"),
            (limited(Key::MaxCalls), ErrorCode::FunctionLimit, Fault::Limit, "f: stopped by wisp: host.max_calls = 1 (set by p.toml:4)"),
            (limited(Key::Memory), ErrorCode::MemoryLimit, Fault::Limit, "f: stopped by wisp: limits.memory = 1 (set by p.toml:4)"),
        ] {
            let error = FunctionError::of("f", error);
            assert_eq!((error.code(), error.code().fault(), error.to_string().as_str()), (code, fault, said));
        }
        let closed = FunctionError::Closed { name: text("f"), session: text("s") };
        assert_eq!((closed.code(), closed.code().retryable()), (ErrorCode::Ended, false));
    }
}
