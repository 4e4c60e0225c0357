//! A snapshot: a sandbox's files, shell and interpreter at one moment.

use std::sync::Arc;

use pyo3::prelude::*;
use wisp_api::{CheckpointInfo, CodeRequest, SessionRequest};

use crate::data;
use crate::failure::{Failure, or_raise};
use crate::host::is_forked;
use crate::sandbox::Sandbox;

/// A checkpoint of the service, which is deleted with its last object.
pub(crate) struct Kept {
    sandbox: Arc<Sandbox>,
    info: CheckpointInfo,
}

impl Kept {
    /// Takes one.
    pub(crate) async fn take(sandbox: Arc<Sandbox>, label: Option<String>) -> Result<Arc<Self>, Failure> {
        let handle = sandbox.ready().await?;
        check_interpreter(&sandbox)?;
        let info = handle.checkpoint(label).await?;
        Ok(Arc::new(Self { sandbox, info }))
    }

    /// Brings a sandbox back to it.
    pub(crate) async fn restore(&self, sandbox: &Arc<Sandbox>) -> Result<(), Failure> {
        Ok(sandbox.ready().await?.restore(&self.info.id).await?)
    }

    /// Opens sandboxes that start from it; all or none.
    pub(crate) async fn fork(&self, sandbox: &Arc<Sandbox>, count: usize) -> Result<Vec<Arc<Sandbox>>, Failure> {
        let mut forks = Vec::new();
        for _ in 0..count {
            let handle = sandbox.ready().await?.fork(&self.info.id, SessionRequest::default()).await?;
            forks.push(Sandbox::new(&sandbox.host, handle)?);
        }
        Ok(forks)
    }
}

/// Refuses a sandbox whose interpreter has ended: a fork would have a fresh one, and the lost state would be lost unnoticed.
fn check_interpreter(sandbox: &Sandbox) -> Result<(), Failure> {
    let name = CodeRequest::new("").interpreter;
    match sandbox.info()?.interpreters.iter().any(|found| found.name == name && found.ended) {
        true => Err(Failure::interpreter_ended()),
        false => Ok(()),
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        if is_forked() {
            return;
        }
        // It is gone already if the sandbox is closed.
        if let Ok(handle) = self.sandbox.handle() {
            let _ = handle.delete_checkpoint(&self.info.id);
        }
    }
}

/// A snapshot of a sandbox.
#[pyclass(frozen, module = "wisp_sandbox._native")]
pub(crate) struct Snapshot(pub(crate) Arc<Kept>);

#[pymethods]
impl Snapshot {
    /// Returns what is known about it, as JSON.
    fn info(&self, py: Python<'_>) -> PyResult<String> {
        or_raise(py, data::written(&self.0.info))
    }
}
