//! Waits for work outside the session: host files, and machine code that is being prepared.
//!
//! How long such a wait takes depends on the host. Where the order of processes must not depend on it, [`Gated`] makes
//! all processes of the session wait together, and then continue as if no time had passed.

use std::cell::RefCell;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Waker};

use parking_lot::Mutex;

thread_local! {
    /// The counter of waits for the process that this thread polls.
    static PRESENT: RefCell<Option<Arc<Outside>>> = const { RefCell::new(None) };
}

/// Counts the processes of a session that wait for work outside.
pub struct Outside {
    count: AtomicUsize,
    /// Processes that became ready in the meantime, in that order.
    behind: Mutex<Vec<Waker>>,
    /// Called when a wait ends.
    ended: Box<dyn Fn() + Send + Sync>,
}

/// Counts one wait as long as it lives.
struct Wait(Option<Arc<Outside>>);

impl Drop for Wait {
    fn drop(&mut self) {
        if let Some(outside) = &self.0 {
            if outside.count.fetch_sub(1, Ordering::SeqCst) == 1 {
                let behind = std::mem::take(&mut *outside.behind.lock());
                behind.into_iter().for_each(Waker::wake);
            }
            (outside.ended)();
        }
    }
}

/// Restores the previous counter when it is dropped.
struct Before(Option<Arc<Outside>>);

impl Drop for Before {
    fn drop(&mut self) {
        PRESENT.set(self.0.take());
    }
}

impl Outside {
    /// Makes a counter without waits. It calls `ended` whenever a wait ends.
    pub fn new(ended: impl Fn() + Send + Sync + 'static) -> Arc<Self> {
        Arc::new(Self { count: AtomicUsize::new(0), behind: Mutex::default(), ended: Box::new(ended) })
    }

    /// Counts the waits that begin in `poll`.
    fn during<R>(self: &Arc<Self>, poll: impl FnOnce() -> R) -> R {
        let _before = Before(PRESENT.replace(Some(self.clone())));
        poll()
    }

    /// Returns whether no process waits.
    pub fn is_idle(&self) -> bool {
        self.count.load(Ordering::SeqCst) == 0
    }
}

/// A process that does not run while another process of its session waits for work outside.
pub struct Gated<F> {
    process: Pin<Box<F>>,
    outside: Arc<Outside>,
    /// Whether it is the process that waits.
    waits: bool,
}

impl<F: Future> Gated<F> {
    /// Wraps `process`; `outside` counts its session's waits.
    pub fn new(process: F, outside: &Arc<Outside>) -> Self {
        Self { process: Box::pin(process), outside: outside.clone(), waits: false }
    }
}

impl<F: Future> Future for Gated<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let this = &mut *self;
        if !this.waits && !this.outside.is_idle() {
            this.outside.behind.lock().push(context.waker().clone());
            if !this.outside.is_idle() {
                return Poll::Pending;
            }
        }
        let polled = this.outside.during(|| this.process.as_mut().poll(context));
        this.waits = !this.outside.is_idle();
        polled
    }
}

/// Waits for `work`, which happens outside the session.
pub async fn outside<T>(work: impl Future<Output = T>) -> T {
    let present = PRESENT.with_borrow(Clone::clone);
    if let Some(outside) = &present {
        outside.count.fetch_add(1, Ordering::SeqCst);
    }
    let _wait = Wait(present);
    work.await
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[tokio::test]
    async fn none_goes_on_while_one_waits_and_then_all_do_in_their_order() {
        for _ in 0..20 {
            let counted = Outside::new(|| {});
            let (log, (sender, receiver)) = (Arc::new(Mutex::new(Vec::new())), tokio::sync::oneshot::channel::<()>());
            let mut all = futures_util::stream::FuturesUnordered::new();
            let waits = log.clone();
            let first = async move {
                waits.lock().push(0);
                let _ = outside(receiver).await;
                waits.lock().push(10);
            };
            all.push(Gated::new(Box::pin(first) as futures_util::future::BoxFuture<'static, ()>, &counted));
            for number in 1..4 {
                let log = log.clone();
                all.push(Gated::new(Box::pin(async move { log.lock().push(number) }), &counted));
            }
            assert!(futures_util::StreamExt::next(&mut all).now_or_never().is_none());
            assert_eq!(*log.lock(), [0]);
            sender.send(()).unwrap();
            while futures_util::StreamExt::next(&mut all).await.is_some() {}
            assert_eq!(*log.lock(), [0, 10, 1, 2, 3]);
        }
    }

    #[test]
    fn a_wait_is_counted_from_its_first_poll_to_its_end() {
        let ended = Arc::new(AtomicUsize::new(0));
        let told = ended.clone();
        let counted = Outside::new(move || {
            told.fetch_add(1, Ordering::SeqCst);
        });
        let (sender, receiver) = tokio::sync::oneshot::channel::<()>();
        let mut work = Box::pin(outside(receiver));
        assert!(counted.is_idle());
        assert!(counted.during(|| work.as_mut().now_or_never()).is_none() && !counted.is_idle());
        sender.send(()).unwrap();
        // It is counted where it began, whatever polls it.
        assert!(work.now_or_never().is_some() && counted.is_idle());
        assert_eq!(ended.load(Ordering::SeqCst), 1);
        // Outside such a process nothing is counted, and a dropped wait counts no more.
        assert!(Box::pin(outside(std::future::pending::<()>())).as_mut().now_or_never().is_none() && counted.is_idle());
        let mut given_up = Box::pin(outside(std::future::pending::<()>()));
        assert!(counted.during(|| given_up.as_mut().now_or_never()).is_none() && !counted.is_idle());
        drop(given_up);
        assert!(counted.is_idle());
    }
}
