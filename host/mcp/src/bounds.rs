//! How much a client can ask for at a time.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rmcp::model::JsonObject;
use serde_json::Value;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::call::Call;
use crate::error::CallError;

/// Maximum calls that wait: a client that sends calls without end must not fill memory with them. Models send a few at a time.
const WAITING: usize = 4_096;

/// Maximum bytes of the arguments of all calls that wait or run: 16 of the largest messages.
const ARGUMENTS: usize = 64 << 20;

/// The calls that run and that wait.
pub(crate) struct Bounds {
    running: Arc<Semaphore>,
    calls: AtomicUsize,
    bytes: AtomicUsize,
}

impl Bounds {
    pub(crate) fn new(calls: usize) -> Self {
        Self {
            running: Arc::new(Semaphore::new(calls.clamp(1, Semaphore::MAX_PERMITS))),
            calls: AtomicUsize::new(0),
            bytes: AtomicUsize::new(0),
        }
    }

    /// Takes note of a call, at once. It counts until the result is dropped.
    ///
    /// # Errors
    /// If too many wait.
    pub(crate) fn admit(self: &Arc<Self>, arguments: Option<&JsonObject>) -> Result<Admitted, CallError> {
        let bytes = arguments.map_or(0, |arguments| arguments.iter().map(|(name, value)| name.len() + size(value)).sum());
        // It gives back what it counted also if it is refused.
        let admitted = Admitted { bounds: self.clone(), bytes };
        let calls = self.calls.fetch_add(1, Ordering::Relaxed) + 1;
        let all = self.bytes.fetch_add(bytes, Ordering::Relaxed) + bytes;
        match calls > WAITING || all > ARGUMENTS && calls > 1 {
            true => Err(CallError::failed(format!(
                "the server has {} calls that wait, with {all} bytes of arguments, which is as many as it takes: send fewer at a time",
                calls - 1
            ))),
            false => Ok(admitted),
        }
    }

    /// Waits until the call may run.
    ///
    /// # Errors
    /// If it was cancelled first.
    pub(crate) async fn run(&self, call: &Call) -> Result<OwnedSemaphorePermit, CallError> {
        let permit = call.or_cancelled(self.running.clone().acquire_owned()).await?;
        // The semaphore is never closed.
        permit.map_err(|_| CallError::Cancelled)
    }
}

/// A call that counts.
pub(crate) struct Admitted {
    bounds: Arc<Bounds>,
    bytes: usize,
}

impl Drop for Admitted {
    fn drop(&mut self) {
        self.bounds.calls.fetch_sub(1, Ordering::Relaxed);
        self.bounds.bytes.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// Returns about the bytes that a value takes.
fn size(value: &Value) -> usize {
    let held = match value {
        Value::String(text) => text.len(),
        Value::Array(all) => all.iter().map(size).sum(),
        Value::Object(all) => all.iter().map(|(name, value)| name.len() + size(value)).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
    };
    held + size_of::<Value>()
}
