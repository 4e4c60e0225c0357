//! An evaluation as a future: polled where it is awaited, or as a task of its own.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use futures_util::future::BoxFuture;
use tokio::runtime::Handle;
use tokio::sync::watch;

use crate::interpreter::evaluating::Evaluating;
use crate::interpreter::rest::Seat;
use crate::interpreter::running::RunningEvaluation;
use wisp_api::Evaluation;

/// An evaluation that has begun and is polled by nobody. Dropping it ends the interpreter.
pub(crate) struct Begun {
    pub work: BoxFuture<'static, Evaluation>,
    pub result: watch::Sender<Option<Arc<Evaluation>>>,
    pub evaluating: Arc<Evaluating>,
    pub seat: Arc<Seat>,
}

impl Begun {
    /// Goes on with it as a task of its own. Returns a handle of it.
    pub(crate) fn go_on(self, runtime: &Handle) -> RunningEvaluation {
        let Self { work, result, evaluating, seat } = self;
        let handle = RunningEvaluation::first(&seat, &evaluating);
        let task = async move {
            // Dropped after the work: it is gone when its handles are told.
            let told = result;
            let evaluation = work.await;
            told.send_replace(Some(Arc::new(evaluation)));
        };
        #[expect(clippy::disallowed_methods, reason = "an evaluation, which its interpreter and its limits end")]
        runtime.spawn(task);
        handle
    }
}

/// Polls an evaluation in place. If that stops before the end, the evaluation goes on as a task of its own.
pub(crate) struct InPlace(Option<Begun>);

impl InPlace {
    pub(crate) fn new(begun: Begun) -> Self {
        Self(Some(begun))
    }
}

impl Future for InPlace {
    type Output = Evaluation;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Evaluation> {
        // Nobody polls it again after its end.
        let Some(begun) = &mut self.0 else { return Poll::Pending };
        let evaluation = ready!(begun.work.as_mut().poll(context));
        self.0 = None;
        Poll::Ready(evaluation)
    }
}

impl Drop for InPlace {
    fn drop(&mut self) {
        let Some(begun) = self.0.take() else { return };
        // What has panicked must not be polled again.
        let runtime = if std::thread::panicking() { None } else { begun.seat.runtime() };
        match runtime {
            Some(runtime) => drop(begun.go_on(&runtime)),
            None => drop(begun),
        }
    }
}
