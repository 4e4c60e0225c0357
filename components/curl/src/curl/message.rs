//! Messages for the user about events.

use super::fail::{Fail, fail};
use super::options::{Global, Operation};
use super::output::Output;
use super::session::Session;
use super::stats::Stats;
use crate::http::NOBODY_LISTENS;
use std::io::Error;

/// Returns the name of a failure that may be temporary, if it is one.
pub(super) fn transient(operation: &Operation, stats: &Stats, result: &Result<(), Fail>) -> Option<&'static str> {
    if let Err(failure) = result {
        match failure.code {
            28 => return Some("timeout"),
            6 => return Some("(retrying) name resolving"),
            7 if operation.retry_refused && (!failure.text.contains("denied by wisp") || failure.text.contains(NOBODY_LISTENS)) => {
                return Some("connection refused");
            }
            22 => {}
            // A policy that denies a request now denies it later too.
            7 if failure.text.contains("denied by wisp") && !failure.text.contains(NOBODY_LISTENS) => return None,
            _ if operation.retry_all => return Some("(retrying all errors)"),
            _ => return None,
        }
    }
    match stats.status {
        408 | 429 | 500 | 502 | 503 | 504 => Some("HTTP error"),
        status if operation.retry_all && status >= 400 && result.is_err() => Some("(retrying all errors)"),
        _ => None,
    }
}

/// Returns a head with a mark before each line, as `-v` prints it.
pub(super) fn prefixed(mark: &str, head: &[u8]) -> String {
    String::from_utf8_lossy(head).lines().map(|line| format!("{mark}{line}\n")).collect()
}

/// Returns the failure when the output did not take the data.
pub(super) fn write_error(global: &Global, output: &Output, error: &Error) -> Fail {
    if !global.silent {
        match output.name() {
            Some(name) => eprintln!("Warning: Failed to create or write the file {name}: {}", wisp_tool::text::reason(error)),
            None => eprintln!("Warning: {error}"),
        }
    }
    fail(23, "Failure writing output to destination")
}

/// Returns the same failure at the end.
pub(super) fn not_written(session: &Session, output: &Output, error: &Error) -> Fail {
    write_error(&session.global, output, error)
}
