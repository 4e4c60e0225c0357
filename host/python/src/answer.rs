//! A call of a function by a guest: the question that Python gets, and the answer that the guest waits for.

use std::sync::{Arc, Weak};

use parking_lot::Mutex;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tokio::sync::Mutex as Turn;
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};
use wisp::{HostFailure, HostValue};

use crate::call::{Call, made};
use crate::delivery::{Deliveries, Notice};
use crate::host::Host;
use crate::room::{Place, Room};

/// A value as Python gives it: a text, which is JSON, or bytes.
#[derive(FromPyObject)]
pub(crate) enum Sent {
    Json(String),
    Bytes(Vec<u8>),
}

impl From<Sent> for HostValue {
    fn from(sent: Sent) -> Self {
        match sent {
            Sent::Json(text) => Self::Json(text),
            Sent::Bytes(bytes) => Self::Bytes(bytes),
        }
    }
}

/// Returns a value as Python gets it, likewise.
pub(crate) fn received(py: Python<'_>, value: HostValue) -> PyResult<Py<PyAny>> {
    match value {
        HostValue::Json(text) => text.into_py_any(py),
        HostValue::Bytes(bytes) => PyBytes::new(py, &bytes).into_py_any(py),
    }
}

/// What a function says to its caller.
enum Said {
    /// Its result, or an item.
    Value(HostValue),
    Failed(HostFailure),
    /// There are no more items.
    End,
}

/// Whether the caller waits.
enum Watch {
    /// What is called if it stops waiting.
    Waits(Option<Notice>),
    /// It has stopped, without an answer.
    Gone,
    /// It has its answer.
    Over,
}

/// A call on its way to Python.
pub(crate) struct Question {
    submit: Arc<Py<PyAny>>,
    answer: Answer,
    arguments: HostValue,
}

impl Question {
    /// Calls `submit(answer, arguments)`, which only hands it on; nothing if the caller is gone.
    pub(crate) fn hand_over(self, py: Python<'_>) {
        let Self { submit, answer, arguments } = self;
        if answer.gone() {
            return;
        }
        let called = received(py, arguments).and_then(|arguments| submit.call1(py, (Py::new(py, answer)?, arguments)));
        if let Err(error) = called {
            error.write_unraisable(py, None);
        }
    }
}

/// The answer that a guest waits for. If it is dropped without one, the call fails.
#[pyclass(frozen, module = "wisp_sandbox._native")]
pub(crate) struct Answer {
    host: Arc<Host>,
    said: UnboundedSender<Said>,
    /// One for each item that the guest asks for.
    asked: Arc<Turn<UnboundedReceiver<()>>>,
    watch: Arc<Mutex<Watch>>,
    sandbox: u64,
    /// Until the function has ended.
    place: Mutex<Option<Place>>,
}

#[pymethods]
impl Answer {
    /// Returns the sandbox whose code calls, or the one of which it is a fork, by its number.
    #[getter]
    fn sandbox(&self) -> u64 {
        self.sandbox
    }

    /// Gives the result, or an item: JSON as text, or bytes.
    fn value(&self, value: Sent) {
        self.say(Said::Value(value.into()));
    }

    /// Says that the function failed.
    fn failure(&self, name: String, message: String) {
        self.say(Said::Failed(HostFailure::new(name, message)));
    }

    /// Says that there are no more items.
    fn end(&self) {
        self.say(Said::End);
    }

    /// Waits until the guest asks for the next item. The result is whether it does: the call may be over.
    fn wanted(&self) -> Call {
        let asked = self.asked.clone();
        Call::new(&self.host, async move { Ok(made(asked.lock().await.recv().await.is_some())) })
    }

    /// Has `post(call)` called when the guest waits no longer, unless it has its answer then.
    fn when_gone(&self, post: Py<PyAny>, call: Py<PyAny>) {
        let notice = Notice { post, call };
        let gone = {
            let mut watch = self.watch.lock();
            match &mut *watch {
                Watch::Waits(slot) => {
                    *slot = Some(notice);
                    return;
                }
                Watch::Gone => true,
                Watch::Over => false,
            }
        };
        if gone {
            self.host.deliveries.notify(notice);
        }
    }

    /// Returns whether the guest waits no longer, and has no answer: then the function need not begin.
    fn gone(&self) -> bool {
        matches!(*self.watch.lock(), Watch::Gone)
    }

    /// Says that the function has ended: another call has its place. If it is never said, it ends with the last object of the call.
    fn done(&self) {
        let place = self.place.lock().take();
        drop(place);
    }
}

impl Answer {
    fn say(&self, said: Said) {
        // It fails if the caller has stopped waiting.
        let _ = self.said.send(said);
    }
}

/// A call that waits for its answer. If it is dropped before that, Python hears it.
pub(crate) struct Waiting {
    said: UnboundedReceiver<Said>,
    asks: UnboundedSender<()>,
    watch: Arc<Mutex<Watch>>,
    deliveries: Arc<Deliveries>,
    /// Everything was said.
    ended: bool,
}

impl Waiting {
    /// Begins a call of a function of Python's, when there is room for it. Python hears nothing of a call that is given up before that.
    ///
    /// # Errors
    /// If its engine is gone.
    pub(crate) async fn begin(
        host: Weak<Host>,
        submit: Arc<Py<PyAny>>,
        room: Arc<Room>,
        arguments: HostValue,
    ) -> Result<Self, HostFailure> {
        let place = room.place().await.ok_or_else(no_answer)?;
        let host = host.upgrade().ok_or_else(no_answer)?;
        let ((says, said), (asks, asked)) = (mpsc::unbounded_channel(), mpsc::unbounded_channel());
        let (watch, deliveries) = (Arc::new(Mutex::new(Watch::Waits(None))), host.deliveries.clone());
        let (asked, place) = (Arc::new(Turn::new(asked)), Mutex::new(Some(place)));
        let answer = Answer { host, said: says, asked, watch: watch.clone(), sandbox: room.sandbox, place };
        deliveries.ask(Question { submit, answer, arguments });
        Ok(Self { said, asks, watch, deliveries, ended: false })
    }

    /// Waits for the result.
    ///
    /// # Errors
    /// If the function fails, or gives no answer.
    pub(crate) async fn result(mut self) -> Result<HostValue, HostFailure> {
        let said = self.said.recv().await;
        self.ended = true;
        match said {
            Some(Said::Value(value)) => Ok(value),
            Some(Said::Failed(failure)) => Err(failure),
            Some(Said::End) | None => Err(no_answer()),
        }
    }

    /// Asks for the next item, and waits for it. A failure is the last.
    pub(crate) async fn next(&mut self) -> Option<Result<HostValue, HostFailure>> {
        if self.ended {
            return None;
        }
        // It fails if the function has ended, which then says nothing more.
        let _ = self.asks.send(());
        let said = self.said.recv().await;
        self.ended = !matches!(said, Some(Said::Value(_)));
        match said {
            Some(Said::Value(value)) => Some(Ok(value)),
            Some(Said::Failed(failure)) => Some(Err(failure)),
            Some(Said::End) => None,
            None => Some(Err(no_answer())),
        }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        let after = if self.ended { Watch::Over } else { Watch::Gone };
        let watch = std::mem::replace(&mut *self.watch.lock(), after);
        // If everything was said, the notice is only dropped: it may hold the answer itself.
        if let Watch::Waits(Some(notice)) = watch
            && !self.ended
        {
            self.deliveries.notify(notice);
        }
    }
}

fn no_answer() -> HostFailure {
    HostFailure::new("Ended", "the function gave no answer: it was stopped, or the program that runs this sandbox is ending")
}
