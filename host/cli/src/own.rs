//! What this program is to agents that start it, where they keep their configuration, and what is said of it.

use anyhow::anyhow;
use wisp::ErrorCode;
use wisp_install::{Home, InstallError, State};

use crate::Failure;
pub(crate) use crate::invocation::program;

/// Returns the environment of the user whose configuration it is.
pub(crate) fn home() -> Home {
    Home::from_variables(|name| std::env::var_os(name))
}

/// Returns what a configuration has in the place of wisp's entry: a word, which is `ours` if the entry is wisp's, and its command if that is
/// another than was looked for. Which policy wisp's own names is the user's choice.
pub(crate) fn stated(state: &State, ours: &'static str) -> (&'static str, Option<Vec<String>>) {
    match state {
        State::Absent => ("absent", None),
        State::Installed => (ours, None),
        State::Differs { command } => (ours, Some(command.clone())),
        State::Foreign { command } => ("foreign", Some(command.clone())),
        _ => ("unknown", None),
    }
}

/// Returns the failure of a change to a configuration. A conflict is a person's to solve, so it has an exit code of its own; `help` says
/// which options solve it.
pub(crate) fn refused(error: InstallError, help: &str) -> Failure {
    match error.code() {
        ErrorCode::Conflict => Failure { error: anyhow!("{error}{help}"), code: 1 },
        _ => Failure::library(error),
    }
}
