//! The turns of a process in lockstep: how often it computed until it had to yield.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::ThreadId;

use futures_util::task::AtomicWaker;
use parking_lot::Mutex;

/// Work that reports each full turn: it yielded although it could have continued.
pub(crate) struct Turns<F, T> {
    work: Pin<Box<F>>,
    /// Called after each turn; `None` if turns are not counted.
    turn: Option<T>,
    seen: Arc<Seen>,
}

/// Observes whether work wakes itself while it is polled. Other events wake it later, or from another thread.
#[derive(Default)]
struct Seen {
    /// The thread that polls it.
    polled_by: Mutex<Option<ThreadId>>,
    by_itself: AtomicBool,
    task: AtomicWaker,
}

impl Seen {
    fn poll_from(&self, thread: Option<ThreadId>) {
        *self.polled_by.lock() = thread;
    }
}

impl Wake for Seen {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        let polled_by = *self.polled_by.lock();
        if polled_by == Some(std::thread::current().id()) {
            self.by_itself.store(true, Ordering::SeqCst);
        }
        self.task.wake();
    }
}

impl<F: Future, T: FnMut() + Unpin> Turns<F, T> {
    /// Wraps `work`, and the function to call after each of its turns.
    pub(crate) fn new(work: F, turn: Option<T>) -> Self {
        Self { work: Box::pin(work), turn, seen: Arc::default() }
    }
}

impl<F: Future, T: FnMut() + Unpin> Future for Turns<F, T> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let this = &mut *self;
        let Some(turn) = &mut this.turn else { return this.work.as_mut().poll(context) };
        this.seen.task.register(context.waker());
        this.seen.by_itself.store(false, Ordering::SeqCst);
        this.seen.poll_from(Some(std::thread::current().id()));
        let polled = this.work.as_mut().poll(&mut Context::from_waker(&Waker::from(this.seen.clone())));
        this.seen.poll_from(None);
        if polled.is_pending() && this.seen.by_itself.load(Ordering::SeqCst) {
            turn();
        }
        polled
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use futures_util::FutureExt;

    use super::*;

    #[test]
    fn only_giving_way_is_a_turn() {
        let (mut polls, mut turns) = (0, 0);
        let outer: Arc<Mutex<Option<Waker>>> = Arc::default();
        let kept = outer.clone();
        let work = poll_fn(move |context| {
            polls += 1;
            match polls {
                // It yields.
                1 | 2 => context.waker().wake_by_ref(),
                // It waits, and at this moment another thread wakes it.
                3 => {
                    let waker = context.waker().clone();
                    std::thread::spawn(move || waker.wake()).join().unwrap();
                }
                // It waits.
                4 => *kept.lock() = Some(context.waker().clone()),
                _ => return Poll::Ready(()),
            }
            Poll::Pending
        });
        let mut work = Turns::new(work, Some(|| turns += 1));
        for _ in 0..4 {
            assert!((&mut work).now_or_never().is_none());
        }
        outer.lock().take().unwrap().wake();
        assert!((&mut work).now_or_never().is_some());
        drop(work);
        assert_eq!(turns, 2);
    }
}
