//! A call from outside the sandbox, through the gate that decides on those of guests.

use std::sync::Arc;

use futures_util::TryStreamExt;

use super::error::FunctionError;
use super::gate::Gate;
use crate::wasi::{Asker, HostAnswer, HostMemory, HostValue};

/// The session itself, for receipts: no process of it calls.
const SESSION: u32 = 0;

/// What a function of the host has returned ([`Session::call_function`](crate::Session::call_function)).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FunctionResult {
    /// Its result.
    Value(HostValue),
    /// The items of a [streaming](crate::HostFunction::streaming) function, in order.
    Items(Vec<HostValue>),
}

/// Calls a function for the host program; `memory` pays for what is held in the meantime. Dropping the future ends the call.
///
/// # Errors
/// Those that a guest gets.
pub(crate) async fn call(
    gate: &Arc<Gate>,
    memory: Arc<dyn HostMemory>,
    name: &str,
    arguments: HostValue,
) -> Result<FunctionResult, FunctionError> {
    let asker = Asker { process: SESSION, memory };
    let failed = |error| FunctionError::of(name, error);
    match gate.complete(asker, name.to_owned(), arguments).await.map_err(failed)? {
        HostAnswer::Done(item) => Ok(FunctionResult::Value(item.value)),
        // All of them are there.
        HostAnswer::Running(items) => Ok(FunctionResult::Items(items.map_ok(|item| item.value).try_collect().await.map_err(failed)?)),
    }
}
