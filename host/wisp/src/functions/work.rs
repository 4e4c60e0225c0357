//! One call, from its turn to its last item.

use std::mem::take;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Instant;

use futures_util::future::BoxFuture;
use futures_util::stream::{self, BoxStream, Stream};
use futures_util::{FutureExt, StreamExt};
use tokio::sync::{OwnedSemaphorePermit, mpsc};
use tokio::task::AbortHandle;

use super::function::Body;
use super::gate::Gate;
use super::record::Entry;
use crate::wasi::{CallError, Charge, HostAnswer, HostFailure, HostItem, HostItems, HostMemory, HostValue};
use wisp_api::ErrorCode;
use wisp_policy::schema::Key;

/// Items of a running call that wait for the guest. Each is charged.
const AHEAD: usize = 4;

/// A call that the gate has let through.
pub(super) struct Work {
    pub gate: Arc<Gate>,
    /// The process that called, for receipts.
    pub process: u32,
    pub name: String,
    pub memory: Arc<dyn HostMemory>,
    /// For its arguments.
    #[expect(dead_code, reason = "held while the call runs")]
    pub charge: Charge,
    /// For the call itself, until the guest has its end.
    pub own: Option<Charge>,
    /// When its time is over; `None` for a time that the clock cannot represent.
    pub deadline: Option<Instant>,
    /// Bytes that its result may still have.
    pub left: u64,
    pub step: Step,
    /// One of the session's turns, once it has one.
    pub turn: Option<OwnedSemaphorePermit>,
    /// What is kept of it, if the session records.
    pub entry: Option<Entry>,
}

/// What a call does next.
#[derive(Default)]
pub(super) enum Step {
    /// It waits for its turn.
    Begin(Source),
    Once(BoxFuture<'static, Result<HostValue, HostFailure>>),
    Items(BoxStream<'static, Result<HostValue, CallError>>),
    #[default]
    Over,
}

/// Where the result comes from.
pub(super) enum Source {
    Function(Body, HostValue),
    /// An earlier run.
    Replay(Vec<Result<HostValue, CallError>>),
}

impl Work {
    /// Returns the next item. An error is the last.
    async fn next(&mut self) -> Option<Result<HostItem, CallError>> {
        let found = self.found().await;
        let kept = found.map(|found| match found {
            Ok(value) => self.keep(value),
            Err(error) => Err(self.told(error)),
        });
        if !matches!(kept, Some(Ok(_))) {
            self.step = Step::Over;
        }
        if let (Some(entry), Some(Err(error))) = (&mut self.entry, &kept) {
            entry.error(error);
        }
        let ended = matches!(self.step, Step::Over);
        if ended
            && let Some(entry) = self.entry.take()
            && let Err(failure) = entry.finish()
        {
            self.memory.failed(ErrorCode::IoError, format!("the answer of the function `{}` cannot be recorded", self.name));
            return Some(Err(CallError::Failed(failure)));
        }
        if ended {
            self.turn = None;
        }
        kept
    }

    /// Returns what the function gives next, if its time suffices.
    async fn found(&mut self) -> Option<Result<HostValue, CallError>> {
        if matches!(self.step, Step::Over) {
            return None;
        }
        let (gate, deadline) = (self.gate.clone(), self.deadline);
        let over = async move {
            match deadline {
                Some(deadline) => gate.ticker().sleep(deadline).await,
                None => std::future::pending().await,
            }
        };
        // The timer is set only if the function has nothing at once.
        let stepped = tokio::select! {
            biased;
            stepped = AssertUnwindSafe(self.advance()).catch_unwind() => Some(stepped),
            () = over => None,
        };
        match stepped {
            Some(Ok(found)) => found,
            Some(Err(panic)) => {
                tracing::error!(function = %self.name, "a function of the host panicked");
                // What is left of it, and the value of the panic, may panic too.
                let rest = (take(&mut self.step), panic);
                let _ = std::panic::catch_unwind(AssertUnwindSafe(move || drop(rest)));
                Some(Err(CallError::Failed(HostFailure::new("Panic", "the function broke; the host's log says more"))))
            }
            None => Some(Err(self.gate.exceeded(self.process, &self.name, Key::CallTimeout))),
        }
    }

    async fn advance(&mut self) -> Option<Result<HostValue, CallError>> {
        if matches!(self.step, Step::Begin(_)) {
            let turns = self.gate.turns().clone();
            // The semaphore is never closed.
            self.turn = turns.acquire_owned().await.ok();
            if let Step::Begin(source) = take(&mut self.step) {
                self.step = match source {
                    Source::Function(Body::Once(function), arguments) => Step::Once(function(arguments)),
                    Source::Function(Body::Items(function), arguments) => {
                        Step::Items(function(arguments).map(|item| item.map_err(CallError::Failed)).boxed())
                    }
                    Source::Replay(items) => Step::Items(stream::iter(items).boxed()),
                };
            }
        }
        match &mut self.step {
            Step::Once(work) => {
                let result = work.await;
                self.step = Step::Over;
                Some(result.map_err(CallError::Failed))
            }
            Step::Items(items) => items.next().await,
            Step::Begin(_) | Step::Over => None,
        }
    }

    /// Charges a value before it is kept or copied, and records it.
    fn keep(&mut self, value: HostValue) -> Result<HostItem, CallError> {
        let size = value.size();
        let Some(left) = self.left.checked_sub(size) else {
            return Err(self.gate.exceeded(self.process, &self.name, Key::MaxResult));
        };
        self.left = left;
        self.gate.transfer(self.process, &self.name, size)?;
        let charge = Charge::new(&self.memory, size).ok_or_else(|| self.gate.no_memory())?;
        // What the guest gets and what is recorded are the same: an item that cannot be kept is not given.
        if self.entry.as_mut().is_some_and(|entry| !entry.item(&value)) {
            return Err(self.gate.no_memory());
        }
        Ok(HostItem { value, charge })
    }

    /// Returns as much of an error as the guest gets, and counts what a failure says.
    fn told(&self, error: CallError) -> CallError {
        let CallError::Failed(failure) = error else { return error };
        let failure = failure.for_guest();
        match self.gate.transfer(self.process, &self.name, failure.size()) {
            Ok(()) => CallError::Failed(failure),
            Err(limited) => limited,
        }
    }

    fn items(self) -> HostItems {
        stream::unfold(self, |mut work| async move { work.next().await.map(|item| (item, work)) }).boxed()
    }

    /// Begins the call. A result that is there at once is returned; otherwise the call continues as a task, which ends
    /// when its items are dropped.
    pub(super) fn begin(mut self, streams: bool) -> Result<HostAnswer, CallError> {
        let own = self.own.take();
        let mut items = self.items();
        if streams {
            return Ok(HostAnswer::Running(apart(items, own)));
        }
        match items.next().now_or_never() {
            Some(result) => only(result),
            None => Ok(HostAnswer::Running(apart(items, own))),
        }
    }

    /// Does the whole call, for a session in lockstep: the order of its processes does not depend on when items come.
    pub(super) async fn complete(mut self, streams: bool) -> Result<HostAnswer, CallError> {
        let own = self.own.take();
        let mut items = self.items();
        if !streams {
            return only(items.next().await);
        }
        let mut all = Vec::new();
        // `max_result` ends this.
        while let Some(item) = items.next().await {
            all.push(item);
        }
        let paid = move |item| {
            let _own = &own;
            item
        };
        Ok(HostAnswer::Running(stream::iter(all).map(paid).boxed()))
    }
}

/// Returns the result of a function that returns one.
fn only(result: Option<Result<HostItem, CallError>>) -> Result<HostAnswer, CallError> {
    match result {
        Some(result) => result.map(HostAnswer::Done),
        // Only an incomplete record has none.
        None => Err(CallError::Failed(HostFailure::new("NotRecorded", "the recorded call has no result"))),
    }
}

/// Lets a call run apart from the process that reads its items. `own` is the charge for the call itself: its task, and then what its
/// failure says, if it failed.
fn apart(mut items: HostItems, own: Option<Charge>) -> HostItems {
    let (sender, receiver) = mpsc::channel(AHEAD);
    #[expect(clippy::disallowed_methods, reason = "it is aborted when the process drops the call")]
    let task = tokio::spawn(async move {
        while let Some(item) = items.next().await {
            if sender.send(item).await.is_err() {
                break;
            }
        }
    });
    Apart { receiver, task: task.abort_handle(), _own: own }.boxed()
}

/// The items of a call that runs apart.
struct Apart {
    receiver: mpsc::Receiver<Result<HostItem, CallError>>,
    task: AbortHandle,
    _own: Option<Charge>,
}

impl Stream for Apart {
    type Item = Result<HostItem, CallError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.receiver.poll_recv(context)
    }
}

impl Drop for Apart {
    fn drop(&mut self) {
        self.task.abort();
    }
}
