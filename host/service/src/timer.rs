//! Waiting not at all or for at most a time, and the task that closes sessions in time.

use std::pin::pin;
use std::sync::Weak;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use crate::runtime::Runtime;
use crate::service::{Inner, Service};

/// How often sessions are looked at. One may live this much longer than its limits say, but it is not found after them.
const SWEEP: Duration = Duration::from_secs(1);

/// Returns what a future has now, if it is ready.
pub(crate) fn now<F: Future>(future: F) -> Option<F::Output> {
    // The task that asks may have used up its share of calls; it asks only once.
    let future = pin!(tokio::task::unconstrained(future));
    match future.poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => Some(value),
        Poll::Pending => None,
    }
}

/// Waits for `ready`, for at most `time`. The timer is the service's runtime's, so the caller needs none.
pub(crate) async fn at_most<T>(runtime: &Runtime, time: Duration, ready: impl Future<Output = T>) -> Option<T> {
    let sleep = {
        let _entered = runtime.handle().enter();
        tokio::time::sleep(time)
    };
    tokio::select! {
        biased;
        ready = ready => Some(ready),
        () = sleep => None,
    }
}

/// Waits for this time, by the timer of the runtime that polls it.
pub(crate) async fn pause(time: Duration) {
    tokio::time::sleep(time).await;
}

/// Closes sessions whose time is over, until the service is dropped.
pub(crate) fn sweep(runtime: &Runtime, service: Weak<Inner>) {
    let sweep = async move {
        loop {
            tokio::time::sleep(SWEEP).await;
            let Some(service) = service.upgrade() else { return };
            Service::of(service).sweep();
        }
    };
    #[expect(clippy::disallowed_methods, reason = "it ends with the service, or with the runtime")]
    runtime.handle().spawn(sweep);
}
