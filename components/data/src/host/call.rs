//! The calls themselves, through `wisp:sandbox/host`.

use super::{Failure, Function, Value};
use wisp_guest::host::{self, Answer, Error, Progress};

const NO_FUNCTIONS: &str = "denied by wisp: the policy grants no function of the host; add `[host]` with `allow = [\"NAME\"]` to it";

/// Returns the functions that this process may call. `asked` is what the message is about.
pub(super) fn functions(asked: &str) -> Result<Vec<Function>, Failure> {
    let described = host::functions().map_err(|error| failure(asked, error))?;
    let function = |about: host::Description| Function {
        name: about.name,
        documentation: about.documentation,
        parameters: about.parameters,
        returns: about.returns,
        streams: about.streams,
    };
    Ok(described.into_iter().map(function).collect())
}

/// Calls a function, and does this with its result, or with each item.
pub(super) fn each(name: &str, value: Value, mut item: impl FnMut(Value) -> Result<(), Failure>) -> Result<(), Failure> {
    let sent = match value {
        Value::Json(text) => host::Value::Json(text),
        Value::Bytes(bytes) => host::Value::Bytes(bytes),
    };
    let running = match host::call(name, &sent).map_err(|error| failure(name, error))? {
        Answer::Done(found) => return item(received(found)),
        Answer::Running(running) => running,
    };
    loop {
        match running.next().map_err(|error| failure(name, error))? {
            Progress::Waiting => running.subscribe().block(),
            Progress::Item(found) => item(received(found))?,
            Progress::Ended => return Ok(()),
        }
    }
}

fn received(value: host::Value) -> Value {
    match value {
        host::Value::Json(text) => Value::Json(text),
        host::Value::Bytes(bytes) => Value::Bytes(bytes),
    }
}

/// Returns the message and the status for an error of the host.
fn failure(name: &str, error: Error) -> Failure {
    match error {
        Error::AccessDenied => (format!("{name}: {NO_FUNCTIONS}"), 126),
        Error::Denied(denial) => (format!("{name}: denied by wisp: {} ({}); {}", denial.reason, denial.rule, denial.help), 126),
        Error::NotFound(_) => (format!("{name}: the program that runs this sandbox has no such function"), 127),
        Error::Failed(failure) => (format!("{name}: {}: {}", failure.name, failure.message), 1),
        Error::Limited(excess) => (format!("{name}: stopped by wisp: {} = {} (set by {})", excess.limit, excess.value, excess.rule), 1),
    }
}
