//! Handles of evaluations that run on their own.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use crate::exec::tape::Tape;
use crate::interpreter::error::InterpreterError;
use crate::interpreter::evaluating::Evaluating;
use crate::interpreter::rest::Seat;
use wisp_api::{DisplayChunk, Evaluation, OutputChunk, Stream};
use wisp_process::{ExitStatus, Signal};

/// An evaluation that was started with [`Interpreter::start`](crate::Interpreter::start), or whose
/// [`eval`](crate::Interpreter::eval) is no longer awaited, while it runs and after it. Clones are handles of the same evaluation.
///
/// No handle owns it: the evaluation goes on until it ends, a limit ends it, or its interpreter or session ends
/// ([what dropping does](crate#what-dropping-does)). A handle keeps neither of these alive, but it keeps the output and the result.
///
/// ```no_run
/// # async fn example(mut python: wisp::Interpreter) -> Result<(), Box<dyn std::error::Error>> {
/// use std::time::Duration;
///
/// let endless = python.start("count = 0\nwhile True: count += 1")?;
/// // A second evaluation must wait for this one.
/// assert!(python.eval("count").await.is_err());
/// if endless.wait_timeout(Duration::from_millis(100)).await?.is_none() {
///     endless.interrupt();
/// }
/// let error = endless.wait().await?.error.clone();
/// assert_eq!(error.map(|error| error.name).as_deref(), Some("KeyboardInterrupt"));
/// // The interpreter is alive, and has what the code made.
/// assert!(python.eval("count").await?.value.is_some());
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct RunningEvaluation {
    seat: Arc<Seat>,
    evaluating: Arc<Evaluating>,
}

impl RunningEvaluation {
    /// Returns the first handle of an evaluation, which has not been polled since it was made or handed over.
    pub(crate) fn first(seat: &Arc<Seat>, evaluating: &Arc<Evaluating>) -> Self {
        evaluating.has_handles.store(true, Ordering::Relaxed);
        seat.remember(evaluating);
        Self::new(seat, evaluating.clone())
    }

    pub(crate) fn new(seat: &Arc<Seat>, evaluating: Arc<Evaluating>) -> Self {
        Self { seat: seat.clone(), evaluating }
    }

    /// Returns the evaluation's number among those of its interpreter, from 1, also after a reset. [`Evaluation::number`] is another: it is
    /// the interpreter's own, which a fork continues.
    pub fn id(&self) -> u64 {
        self.evaluating.id
    }

    /// Returns what was written to `stream` from `offset` on, at most `limit` bytes, without waiting. Any offset can be read again, by any
    /// handle, also after the end.
    pub fn output(&self, stream: Stream, offset: u64, limit: usize) -> OutputChunk {
        self.tape(stream).read(offset, limit)
    }

    /// Works like [`output`](Self::output); waits until there is at least one byte, or the end of the evaluation.
    pub async fn next_output(&self, stream: Stream, offset: u64, limit: usize) -> OutputChunk {
        self.tape(stream).read_some(offset, limit).await
    }

    fn tape(&self, stream: Stream) -> &Tape {
        match stream {
            Stream::Stdout => &self.evaluating.stdout,
            Stream::Stderr => &self.evaluating.stderr,
        }
    }

    /// Returns what the code has shown from display `from` on, without waiting; the first is number 0. All can be read again, also after
    /// the end.
    pub fn displays(&self, from: usize) -> DisplayChunk {
        self.evaluating.shown.read(from)
    }

    /// Works like [`displays`](Self::displays); waits until there is at least one, or the end of the evaluation.
    pub async fn next_displays(&self, from: usize) -> DisplayChunk {
        self.evaluating.shown.read_some(from).await
    }

    /// Returns the result; `None` while the evaluation runs.
    pub fn result(&self) -> Option<Arc<Evaluation>> {
        self.evaluating.result.borrow().clone()
    }

    /// Waits for the end of the evaluation. The interpreter can then evaluate again, unless the evaluation ended it
    /// ([`Interpreter::ended`](crate::Interpreter::ended)).
    ///
    /// # Errors
    /// If the runtime that ran the evaluation was shut down ([`InterpreterError::Abandoned`]). Errors of the evaluated code are in the
    /// [`Evaluation`].
    pub async fn wait(&self) -> Result<Arc<Evaluation>, InterpreterError> {
        let mut result = self.evaluating.result.clone();
        let found = result.wait_for(Option::is_some).await;
        found.ok().and_then(|found| found.clone()).ok_or(InterpreterError::Abandoned)
    }

    /// Works like [`wait`](Self::wait), for at most `time`; `None` if the evaluation still runs then, and it goes on.
    ///
    /// # Errors
    /// Those of `wait`.
    pub async fn wait_timeout(&self, time: Duration) -> Result<Option<Arc<Evaluation>>, InterpreterError> {
        // A time that the clock cannot represent never comes.
        let Some(until) = Instant::now().checked_add(time) else { return self.wait().await.map(Some) };
        tokio::select! {
            biased;
            result = self.wait() => result.map(Some),
            () = self.seat.ticker().sleep(until) => Ok(None),
        }
    }

    /// Interrupts the code, as Ctrl-C at a terminal does: Python raises `KeyboardInterrupt` in it, and a program that it started and
    /// waits for receives SIGINT. The interpreter stays alive. Does nothing if the evaluation has ended: another one is not meant.
    pub fn interrupt(&self) {
        self.seat.reach(Some(self.id()), |run| run.signal_foreground(Signal::Interrupt));
    }

    /// Sends a signal to the interpreter and all its processes. One that Python neither handles nor ignores, such as SIGTERM, ends the
    /// interpreter. Does nothing if the evaluation has ended.
    pub fn signal(&self, signal: Signal) {
        self.seat.reach(Some(self.id()), |run| run.signal_all(signal));
    }

    /// Ends the evaluation with its interpreter and all its processes. Does nothing if the evaluation has ended.
    pub fn kill(&self) {
        self.seat.reach(Some(self.id()), |run| run.end_all(ExitStatus::Signaled(Signal::Kill)));
    }
}

impl fmt::Debug for RunningEvaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunningEvaluation").field("id", &self.id()).field("ended", &self.result().is_some()).finish_non_exhaustive()
    }
}
