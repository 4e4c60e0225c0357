//! A call that was asked for: it waits without the interpreter's lock, or ends on an event loop.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use tokio::task::AbortHandle;
use wisp_api::ErrorCode;
use wisp_service::ServiceError;

use crate::exit;
use crate::failure::{Failure, or_raise};
use crate::host::{self, Host};

/// How often a waiting thread looks whether a signal came. A person who presses Ctrl-C notices no delay.
const LOOK: Duration = Duration::from_millis(50);

/// Makes the Python object of a result, once the interpreter's lock is held.
pub(crate) type Made = Box<dyn FnOnce(Python<'_>) -> PyResult<Py<PyAny>> + Send>;

/// How a call ended.
pub(crate) type Ended = Result<Made, Failure>;

type Work = Pin<Box<dyn Future<Output = Ended> + Send>>;

/// Returns a result that becomes a Python object by itself.
pub(crate) fn made<T>(value: T) -> Made
where
    T: for<'py> IntoPyObject<'py> + Send + 'static,
{
    Box::new(move |py| value.into_py_any(py))
}

/// Returns a result that `make` makes a Python object of.
pub(crate) fn made_by(make: impl FnOnce(Python<'_>) -> PyResult<Py<PyAny>> + Send + 'static) -> Made {
    Box::new(make)
}

/// Returns the result of a call that has none.
pub(crate) fn nothing() -> Made {
    Box::new(|py| Ok(py.None()))
}

/// Returns the object of a call that has ended, or raises why it failed.
pub(crate) fn finished(py: Python<'_>, ended: Ended) -> PyResult<Py<PyAny>> {
    or_raise(py, ended)?(py)
}

/// Something that a sandbox is asked to do. It begins when it is waited for, which is possible once.
#[pyclass(frozen, module = "wisp_sandbox._native")]
pub(crate) struct Call {
    host: Arc<Host>,
    work: Mutex<Option<Work>>,
    /// What runs for an event loop.
    task: Mutex<Option<AbortHandle>>,
}

impl Call {
    /// Returns a call that does `work`. Whoever stops waiting drops it.
    pub(crate) fn new(host: &Arc<Host>, work: impl Future<Output = Ended> + Send + 'static) -> Self {
        let work: Work = Box::pin(work);
        Self { host: host.clone(), work: Mutex::new(Some(work)), task: Mutex::new(None) }
    }

    fn begin(&self, py: Python<'_>) -> PyResult<Work> {
        or_raise(py, host::check_process())?;
        if exit::has_begun() {
            return Err(over().raised(py));
        }
        let work = self.work.lock().take();
        or_raise(py, work.ok_or_else(|| Failure::new(ErrorCode::Conflict, "this call was waited for already")))
    }
}

/// Drives `work` in this thread, without the interpreter's lock: what it waits for runs on the host's threads. It is dropped if a handler
/// of a signal raises.
#[expect(clippy::redundant_closure_for_method_calls, reason = "the method is one for each lifetime, and what is asked for takes any")]
fn driven(host: &Host, mut work: Work) -> PyResult<Ended> {
    exit::stay();
    let _runtime = host.service.runtime().handle().enter();
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut context = Context::from_waker(&waker);
    let mut looked = Instant::now();
    loop {
        let polled = catch_unwind(AssertUnwindSafe(|| work.as_mut().poll(&mut context)));
        exit::stay();
        let polled = polled.unwrap_or_else(|_| Poll::Ready(Err(ServiceError::Abandoned.into())));
        if let Poll::Ready(ended) = polled {
            return Ok(ended);
        }
        thread::park_timeout(LOOK.saturating_sub(looked.elapsed()));
        exit::stay();
        if exit::has_begun() {
            return Ok(Err(over()));
        }
        if looked.elapsed() < LOOK {
            continue;
        }
        looked = Instant::now();
        // Without an interpreter, there are no signals of Python's.
        if let Some(Err(raised)) = Python::try_attach(|py| py.check_signals()) {
            return Err(raised);
        }
    }
}

/// Returns why a call fails when the interpreter exits.
fn over() -> Failure {
    Failure::new(ErrorCode::Ended, "the interpreter exits, and with it the sandbox")
}

/// Wakes the thread that drives a call.
struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

#[pymethods]
impl Call {
    /// Waits for the result. Other threads of Python run in the meantime, and signals are handled: if a handler raises, as that of Ctrl-C
    /// does, the call is dropped.
    fn wait(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let (work, host) = (self.begin(py)?, self.host.clone());
        let _inside = exit::Inside::enter();
        let ended = py.detach(move || driven(&host, work))?;
        finished(py, ended)
    }

    /// Begins it for an event loop. When it has ended, `post(settle, value, error)` is called from another thread; one of the two is
    /// None, or both.
    fn start(&self, py: Python<'_>, post: Py<PyAny>, settle: Py<PyAny>) -> PyResult<()> {
        let (work, promise) = (self.begin(py)?, self.host.deliveries.promise(post, settle));
        let task = self.host.spawn(async move { promise.keep(work.await) });
        *self.task.lock() = Some(task.abort_handle());
        Ok(())
    }

    /// Drops what `start` began.
    fn cancel(&self) {
        if let Some(task) = self.task.lock().take() {
            task.abort();
        }
    }
}
