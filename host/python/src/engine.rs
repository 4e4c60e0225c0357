//! An engine of the program's own, beside the one that is made at first use.

use std::path::PathBuf;
use std::sync::Arc;

use pyo3::prelude::*;
use wisp_service::ServiceError;

use crate::call::{Call, nothing};
use crate::failure::{Failure, or_raise};
use crate::host::{Host, Settings, check_process};
use crate::policy::Policy;

/// An engine. What is made with it keeps it.
#[pyclass(frozen, module = "wisp_sandbox._native")]
pub(crate) struct Engine(pub(crate) Arc<Host>);

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (cache_directory=None, components=None, max_processes=None))]
    fn new(py: Python<'_>, cache_directory: Option<PathBuf>, components: Option<PathBuf>, max_processes: Option<u32>) -> PyResult<Self> {
        Host::another(py, Settings { cache_directory, components, max_processes }).map(Self)
    }

    /// Returns the one that is made at first use.
    #[staticmethod]
    fn default(py: Python<'_>) -> PyResult<Self> {
        Host::get(py).map(Self)
    }

    /// Compiles and prepares what sandboxes with this policy need.
    fn warm(&self, py: Python<'_>, policy: &Policy) -> PyResult<Call> {
        or_raise(py, check_process())?;
        or_raise(py, self.0.check_open())?;
        let policy = or_raise(py, policy.asked(&[], None))?.0;
        let host = self.0.clone();
        let engine = host.service.runtime().engine().clone();
        let warming = async move { engine.warm(&policy).await.map_err(|error| Failure::from(ServiceError::from(error))) };
        Ok(Call::new(&self.0, async move {
            host.carried(warming).await?;
            Ok(nothing())
        }))
    }

    /// Closes its sandboxes, and lets none be opened any more.
    fn close(&self) -> Call {
        let host = self.0.clone();
        Call::new(&self.0, async move {
            let closing = host.clone();
            host.carried(async move { closing.close().await }).await?;
            Ok(nothing())
        })
    }
}
