//! Processes in lockstep: what a deterministic session runs, it runs one at a time and in an order that depends on nothing
//! but the programs.
//!
//! All processes of a session are polled by one task, in the order in which they were woken; they wake each other while
//! they are polled, so that the order repeats. A process that computes without waiting gives way after a number of
//! instructions, not after a time.

use std::collections::VecDeque;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Poll, Waker};

use futures_util::stream::{FuturesUnordered, StreamExt};

/// Units of fuel after which a process gives way to the others: some milliseconds.
pub(super) const TURN: u64 = 5_000_000;

type Process = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Runs the processes of one session.
#[derive(Default)]
pub(super) struct Lockstep(Mutex<State>);

#[derive(Default)]
struct State {
    /// Started, and not polled yet.
    new: VecDeque<Process>,
    /// Whether a task drives them, and what wakes it.
    driven: bool,
    driver: Option<Waker>,
}

impl Lockstep {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Run a process with the others.
    pub(super) fn spawn(self: &Arc<Self>, process: impl Future<Output = ()> + Send + 'static) {
        let mut state = self.lock();
        state.new.push_back(Box::pin(process));
        if let Some(driver) = state.driver.take() {
            driver.wake();
        }
        if !std::mem::replace(&mut state.driven, true) {
            // Without a budget: that would interrupt the turns at places that depend on the runtime.
            tokio::spawn(tokio::task::unconstrained(drive(self.clone())));
        }
    }
}

/// Poll the processes until none is left.
async fn drive(lockstep: Arc<Lockstep>) {
    let mut running = FuturesUnordered::new();
    poll_fn(|context| {
        loop {
            let mut state = lockstep.lock();
            running.extend(state.new.drain(..));
            if running.is_empty() {
                state.driven = false;
                return Poll::Ready(());
            }
            state.driver = Some(context.waker().clone());
            drop(state);
            match running.poll_next_unpin(context) {
                // One has ended, or all have: those that were started meanwhile join.
                Poll::Ready(_) => {}
                Poll::Pending if lockstep.lock().new.is_empty() => return Poll::Pending,
                Poll::Pending => {}
            }
        }
    })
    .await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn the_order_repeats_whatever_the_threads_do() {
        async fn once() -> Vec<(usize, usize)> {
            let (lockstep, log) = (Arc::new(Lockstep::default()), Arc::new(Mutex::new(Vec::new())));
            let (done, mut all) = tokio::sync::mpsc::unbounded_channel();
            let first = {
                let (lockstep, log, done) = (lockstep.clone(), log.clone(), done.clone());
                async move {
                    for child in 1..6 {
                        let (log, done) = (log.clone(), done.clone());
                        lockstep.spawn(async move {
                            for turn in 0..50 {
                                log.lock().unwrap().push((child, turn));
                                if turn % child == 0 {
                                    tokio::task::yield_now().await;
                                }
                            }
                            let _ = done.send(());
                        });
                    }
                }
            };
            drop(done);
            lockstep.spawn(first);
            while all.recv().await.is_some() {}
            let log = log.lock().unwrap();
            log.clone()
        }
        let expected = once().await;
        assert_eq!(expected.len(), 250);
        for _ in 0..20 {
            assert_eq!(once().await, expected);
        }
    }
}
