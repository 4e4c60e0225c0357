//! A command, while it runs and after it.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use wisp_api::OutputRequest;
use wisp_service::{CommandHandle, ServiceError};

use crate::call::{Call, Ended, made_by, nothing};
use crate::data;
use crate::failure::or_raise;
use crate::held::Held;
use crate::host::check_process;

/// A command of a sandbox.
#[pyclass(frozen, module = "wisp_sandbox._native")]
pub(crate) struct Command(pub(crate) Arc<Held<CommandHandle>>);

impl Command {
    fn act<T>(&self, py: Python<'_>, act: impl FnOnce(&CommandHandle) -> Result<T, ServiceError>) -> PyResult<T> {
        or_raise(py, check_process())?;
        or_raise(py, act(&self.0.handle))
    }

    fn call(&self, work: impl Future<Output = Ended> + Send + 'static) -> Call {
        Call::new(&self.0.sandbox.host, work)
    }
}

#[pymethods]
impl Command {
    /// Returns its number, unique in its sandbox.
    #[getter]
    fn id(&self) -> u64 {
        self.0.handle.id()
    }

    /// Returns what is known about it, as JSON.
    fn info(&self, py: Python<'_>) -> PyResult<String> {
        or_raise(py, check_process())?;
        or_raise(py, data::written(&self.0.handle.info()))
    }

    /// Reads both outputs after these offsets, and waits for a byte or for the end, for at most this many seconds.
    #[pyo3(signature = (stdout, stderr, time=None))]
    fn read(&self, py: Python<'_>, stdout: u64, stderr: u64, time: Option<f64>) -> PyResult<Call> {
        let time = or_raise(py, time.map(data::seconds).transpose())?;
        Ok(Held::read(&self.0, stdout, stderr, time))
    }

    /// Reads one output, as the request says: the offset of the first byte, the bytes, and whether nothing follows.
    fn output(&self, py: Python<'_>, request: &str) -> PyResult<Call> {
        let request: OutputRequest = or_raise(py, data::read(request))?;
        Ok(self.call(output(self.0.clone(), request)))
    }

    /// Waits for its end, for at most this many seconds: both outputs, and the outcome as JSON; None if it still runs then.
    #[pyo3(signature = (time=None))]
    fn outcome(&self, py: Python<'_>, time: Option<f64>) -> PyResult<Call> {
        let time = or_raise(py, time.map(data::seconds).transpose())?;
        let held = self.0.clone();
        Ok(self.call(ended(held, time)))
    }

    /// Writes to its standard input.
    fn write_stdin(&self, data: &[u8]) -> Call {
        let (held, data) = (self.0.clone(), Bytes::copy_from_slice(data));
        self.call(async move {
            held.handle.write_stdin(data).await?;
            Ok(nothing())
        })
    }

    /// Closes its standard input.
    fn close_stdin(&self, py: Python<'_>) -> PyResult<()> {
        self.act(py, CommandHandle::close_stdin)
    }

    /// Sets the size of its terminal, in characters.
    fn resize(&self, py: Python<'_>, rows: u16, columns: u16) -> PyResult<()> {
        self.act(py, |handle| handle.resize(rows, columns))
    }

    /// Sends the signal with this number to its first process.
    fn signal(&self, py: Python<'_>, number: u8) -> PyResult<()> {
        self.act(py, |handle| handle.signal(number))
    }

    /// Sends SIGINT to its foreground processes.
    fn interrupt(&self, py: Python<'_>) -> PyResult<()> {
        self.act(py, CommandHandle::interrupt)
    }

    /// Ends all its processes.
    fn kill(&self, py: Python<'_>) -> PyResult<()> {
        self.act(py, CommandHandle::kill)
    }

    /// Ends it, without waiting, if it was started to be waited for.
    fn end(&self) {
        self.0.end();
    }
}

async fn output(held: Arc<Held<CommandHandle>>, request: OutputRequest) -> Ended {
    let chunk = held.handle.output(request).await?;
    Ok(made_by(move |py| (chunk.offset, PyBytes::new(py, &chunk.bytes), chunk.end).into_py_any(py)))
}

/// Waits for the end of a command, for at most this time: both outputs, and the outcome as JSON; nothing if it still runs then.
pub(crate) async fn ended(held: Arc<Held<CommandHandle>>, time: Option<Duration>) -> Ended {
    let Some(outcome) = held.handle.wait(time).await? else { return Ok(nothing()) };
    held.release();
    let document = data::outcome(&outcome)?;
    Ok(made_by(move |py| (PyBytes::new(py, &outcome.stdout), PyBytes::new(py, &outcome.stderr), document).into_py_any(py)))
}
