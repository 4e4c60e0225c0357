//! An evaluation, which somebody waits for.

use std::sync::Arc;

use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use wisp_service::{EvaluationHandle, ServiceError};

use crate::call::{Call, Ended, made_by};
use crate::data;
use crate::held::Held;

/// Code that a sandbox evaluates.
#[pyclass(frozen, module = "wisp_sandbox._native")]
pub(crate) struct Evaluation(pub(crate) Arc<Held<EvaluationHandle>>);

#[pymethods]
impl Evaluation {
    /// Reads both outputs after these offsets, and waits for a byte or for the end.
    fn read(&self, stdout: u64, stderr: u64) -> Call {
        Held::read(&self.0, stdout, stderr, None)
    }

    /// Waits for its end: both outputs, and the evaluation as JSON.
    fn outcome(&self) -> Call {
        Call::new(&self.0.sandbox.host, ended(self.0.clone()))
    }

    /// Ends it, without waiting.
    fn end(&self) {
        self.0.end();
    }
}

/// Waits for the end of an evaluation: both outputs, and the evaluation as JSON. If it is dropped, so is what holds the evaluation.
pub(crate) async fn ended(held: Arc<Held<EvaluationHandle>>) -> Ended {
    // Without a time, it always has a result.
    let evaluation = held.handle.wait(None).await?.ok_or(ServiceError::Abandoned)?;
    held.release();
    let document = data::evaluation(&evaluation)?;
    Ok(made_by(move |py| {
        let outcome = &evaluation.outcome;
        (PyBytes::new(py, &outcome.stdout), PyBytes::new(py, &outcome.stderr), document).into_py_any(py)
    }))
}
