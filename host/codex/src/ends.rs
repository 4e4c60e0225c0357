//! What is said of the end of a process besides its exit code.

use wisp::{End, Outcome};

/// Returns what the model must know of an end that is not the program's own.
pub(crate) fn ended_by_wisp(outcome: &Outcome) -> Option<String> {
    match &outcome.end {
        End::Limit(hit) => Some(format!("wisp: ended by {} = {} (set by {})\n", hit.limit, hit.value, hit.rule)),
        End::Denied { subject, rule } => Some(format!("wisp: ended because it called {subject}, which is denied ({rule})\n")),
        _ => None,
    }
}

/// Returns what is to be said of an end that says nothing about the program.
pub(crate) fn failure(outcome: &Outcome) -> Option<String> {
    match &outcome.end {
        End::Infra { code, message } => Some(format!("wisp itself failed: {message} [{code}]")),
        _ => None,
    }
}
