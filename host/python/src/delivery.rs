//! What is on its way to Python: one thread hands over results to event loops and calls to functions, so that the threads that run guests
//! never wait for the interpreter's lock, and none of them is inside Python when the interpreter exits.

use std::io;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use parking_lot::Mutex;
use pyo3::prelude::*;
use wisp_api::ErrorCode;
use wisp_service::ServiceError;

use crate::answer::Question;
use crate::call::{Ended, finished};
use crate::exit;
use crate::failure::Failure;

/// How long the exit waits for the thread.
const ENDING: Duration = Duration::from_secs(5);

/// How many things are handed over before others get the interpreter's lock.
const TOGETHER: usize = 64;

/// The thread, and the way to it.
pub(crate) struct Deliveries {
    sender: Sender<Message>,
    /// Taken when it is stopped.
    thread: Mutex<Option<JoinHandle<()>>>,
}

enum Message {
    Ended(Delivery),
    /// A guest calls a function.
    Asked(Question),
    /// What a function began for a guest is no longer needed.
    Gone(Notice),
    Stop,
}

/// A call that has ended, and where its result goes.
struct Delivery {
    to: Address,
    ended: Ended,
}

/// A function of an event loop that calls another one there, and that other one.
struct Address {
    post: Py<PyAny>,
    settle: Py<PyAny>,
}

/// A function of an event loop that calls another one there, and that other one, which takes nothing.
pub(crate) struct Notice {
    pub(crate) post: Py<PyAny>,
    pub(crate) call: Py<PyAny>,
}

/// The result that an event loop waits for. If it is dropped, the loop hears that there is none.
pub(crate) struct Promise {
    sender: Sender<Message>,
    /// Taken when it is kept.
    to: Option<Address>,
}

impl Deliveries {
    /// Starts the thread. It ends with [`stop`](Self::stop), or with the interpreter.
    ///
    /// # Errors
    /// If the system gives no thread.
    pub(crate) fn new() -> Result<Self, Failure> {
        let (sender, receiver) = mpsc::channel();
        let thread = thread::Builder::new().name("wisp-python".to_owned()).spawn(move || deliver(&receiver));
        let refused =
            |error: io::Error| Failure::new(ErrorCode::EngineUnavailable, format!("the thread for event loops cannot be made: {error}"));
        Ok(Self { sender, thread: Mutex::new(Some(thread.map_err(refused)?)) })
    }

    /// Returns a promise to call `post(settle, value, error)`.
    pub(crate) fn promise(&self, post: Py<PyAny>, settle: Py<PyAny>) -> Promise {
        Promise { sender: self.sender.clone(), to: Some(Address { post, settle }) }
    }

    /// Asks a function. If the interpreter exits, the question is dropped, which is an answer.
    pub(crate) fn ask(&self, question: Question) {
        let _ = self.sender.send(Message::Asked(question));
    }

    /// Calls `post(call)`, unless the interpreter exits.
    pub(crate) fn notify(&self, notice: Notice) {
        let _ = self.sender.send(Message::Gone(notice));
    }

    /// Ends the thread, after what is on its way. The interpreter's lock must be free.
    pub(crate) fn stop(&self) {
        let thread = self.thread.lock().take();
        // Each fails if the thread has ended already.
        let _ = self.sender.send(Message::Stop);
        // What it runs for Python may wait for the thread that waits here.
        exit::wait_until(ENDING, || thread.as_ref().is_none_or(JoinHandle::is_finished));
    }
}

impl Promise {
    /// Hands over the result.
    pub(crate) fn keep(mut self, ended: Ended) {
        self.send(ended);
    }

    fn send(&mut self, ended: Ended) {
        if let Some(to) = self.to.take() {
            // It fails if the interpreter exits.
            let _ = self.sender.send(Message::Ended(Delivery { to, ended }));
        }
    }
}

impl Drop for Promise {
    fn drop(&mut self) {
        self.send(Err(ServiceError::Abandoned.into()));
    }
}

impl Delivery {
    fn hand_over(self, py: Python<'_>) {
        let (value, error) = match finished(py, self.ended) {
            Ok(value) => (value, py.None()),
            Err(error) => (py.None(), error.into_value(py).into_any()),
        };
        let Address { post, settle } = self.to;
        // It fails if the event loop is closed: then nobody waits.
        let _ = post.call1(py, (settle, value, error));
    }
}

impl Message {
    /// Hands it over. Returns whether the thread goes on.
    fn hand_over(self, py: Python<'_>) -> bool {
        match self {
            Self::Ended(delivery) => delivery.hand_over(py),
            Self::Asked(question) => question.hand_over(py),
            Self::Gone(Notice { post, call }) => {
                // It fails if the event loop is closed: then nothing runs there.
                let _ = post.call1(py, (call,));
            }
            Self::Stop => return false,
        }
        true
    }
}

/// Hands over each message as it comes, until one says to stop or the interpreter is gone.
fn deliver(receiver: &Receiver<Message>) {
    while let Ok(first) = receiver.recv() {
        if matches!(first, Message::Stop) {
            return;
        }
        let goes_on = Python::try_attach(|py| {
            let more = std::iter::from_fn(|| receiver.try_recv().ok());
            std::iter::once(first).chain(more).take(TOGETHER).all(|message| message.hand_over(py))
        });
        if goes_on != Some(true) {
            return;
        }
    }
}
