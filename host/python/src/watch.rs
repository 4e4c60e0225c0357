//! A watch on files of a sandbox.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use pyo3::prelude::*;
use tokio::sync::Notify;
use wisp_api::ErrorCode;
use wisp_service::WatchHandle;

use crate::call::{Call, Ended, made, nothing};
use crate::data;
use crate::failure::{Failure, or_raise};
use crate::host::{check_process, is_forked};
use crate::sandbox::Sandbox;

/// A watch on files. It ends when it is closed, with its last object, and with its sandbox.
#[pyclass(frozen, module = "wisp_sandbox._native")]
pub(crate) struct Watch {
    sandbox: Arc<Sandbox>,
    open: Arc<Open>,
}

struct Open {
    /// None once it is closed.
    handle: Mutex<Option<Arc<WatchHandle>>>,
    closing: Notify,
}

impl Drop for Open {
    fn drop(&mut self) {
        // In a forked process, a thread that is not there may have locked what the watch is part of.
        if is_forked() {
            std::mem::forget(self.handle.get_mut().take());
        }
    }
}

/// Watches the file at `path`, or everything below the directory.
pub(crate) async fn watch(sandbox: Arc<Sandbox>, path: String, capacity: usize) -> Ended {
    let handle = sandbox.ready().await?.watch(&path, capacity).await?;
    let open = Open { handle: Mutex::new(Some(Arc::new(handle))), closing: Notify::new() };
    Ok(made(Watch { sandbox, open: Arc::new(open) }))
}

#[pymethods]
impl Watch {
    /// Returns the next change after the one with this number, as JSON; waits for at most this many seconds. None if there was none.
    #[pyo3(signature = (after, time=None))]
    fn next(&self, py: Python<'_>, after: u64, time: Option<f64>) -> PyResult<Call> {
        let time = or_raise(py, time.map(data::seconds).transpose())?;
        Ok(Call::new(&self.sandbox.host, next(self.open.clone(), after, time)))
    }

    /// Ends it, and what waits for its changes.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        or_raise(py, check_process())?;
        let handle = self.open.handle.lock().take();
        drop(handle);
        self.open.closing.notify_waiters();
        Ok(())
    }
}

async fn next(open: Arc<Open>, after: u64, time: Option<Duration>) -> Ended {
    let mut closed = pin!(open.closing.notified());
    // From here on no notice is missed.
    closed.as_mut().enable();
    let ended = || Failure::new(ErrorCode::Ended, "the watch is closed: begin another one with `files.watch`");
    let handle = open.handle.lock().clone().ok_or_else(ended)?;
    let change = tokio::select! {
        biased;
        () = closed => return Err(ended()),
        change = handle.next(after, time) => change?,
    };
    match change {
        Some(change) => Ok(made(data::written(&change)?)),
        None => Ok(nothing()),
    }
}
