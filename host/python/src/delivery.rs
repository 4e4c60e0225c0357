//! Results on their way to event loops: one thread hands over what has ended, so that the threads that run guests never wait for the
//! interpreter's lock, and none of them is inside Python when the interpreter exits.

use std::io;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};

use parking_lot::Mutex;
use pyo3::prelude::*;
use wisp_api::ErrorCode;
use wisp_service::ServiceError;

use crate::call::{Ended, finished};
use crate::failure::Failure;

/// How many results are handed over before others get the interpreter's lock.
const TOGETHER: usize = 64;

/// The thread, and the way to it.
pub(crate) struct Deliveries {
    sender: Sender<Message>,
    /// Taken when it is stopped.
    thread: Mutex<Option<JoinHandle<()>>>,
}

enum Message {
    Ended(Delivery),
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

    /// Ends the thread, after what is on its way. The interpreter's lock must be free.
    pub(crate) fn stop(&self) {
        let thread = self.thread.lock().take();
        // Each fails if the thread has ended already.
        let _ = self.sender.send(Message::Stop);
        let _ = thread.map(JoinHandle::join);
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

/// Hands over what has ended, until it is told to stop or the interpreter is gone.
fn deliver(receiver: &Receiver<Message>) {
    while let Ok(Message::Ended(first)) = receiver.recv() {
        let goes_on = Python::try_attach(|py| {
            first.hand_over(py);
            for _ in 1..TOGETHER {
                match receiver.try_recv() {
                    Ok(Message::Ended(next)) => next.hand_over(py),
                    Ok(Message::Stop) => return false,
                    Err(_) => break,
                }
            }
            true
        });
        if goes_on != Some(true) {
            return;
        }
    }
}
