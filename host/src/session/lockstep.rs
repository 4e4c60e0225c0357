//! Processes in lockstep: what a deterministic session runs, it runs one at a time and in an order that depends on nothing
//! but the programs.
//!
//! All processes of a session are polled by one task, in the order in which they were woken; they wake each other while
//! they are polled, so that the order repeats. A process that computes without waiting gives way after a number of
//! instructions, not after a time. While an interpreter evaluates a cell, whoever waits for the cell polls them, in turns
//! with the cell. Between two cells nobody does: how far they would come depended on when the next cell comes.

use std::collections::VecDeque;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Wake, Waker};

use futures_util::stream::{FuturesUnordered, StreamExt};
use futures_util::task::AtomicWaker;

/// Units of fuel after which a process gives way to the others: some milliseconds.
pub(super) const TURN: u64 = 5_000_000;

type Process = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Runs the processes of one session.
#[derive(Default)]
pub(super) struct Lockstep {
    state: Mutex<State>,
    running: Mutex<FuturesUnordered<Process>>,
}

#[derive(Default)]
struct State {
    /// Started, and not polled yet.
    new: VecDeque<Process>,
    /// Whether a task drives them, and what wakes it.
    driven: bool,
    driver: Option<Waker>,
    /// What wakes whoever evaluates a cell.
    cell: Option<Waker>,
    counts: [usize; 3],
}

/// What decides whether processes run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// A cell is evaluated: its future polls the others.
    Cell,
    /// An interpreter is alive: without a cell nothing runs.
    Kernel,
    /// A command runs, interpreters or not.
    Command,
}

impl State {
    /// Whether the task that drives the processes may.
    fn may_drive(&self) -> bool {
        let count = |part: Part| self.counts[part as usize];
        count(Part::Cell) == 0 && (count(Part::Kernel) == 0 || count(Part::Command) > 0)
    }

    fn wake(&mut self) {
        let (driver, cell) = (self.driver.take(), self.cell.take());
        driver.into_iter().chain(cell).for_each(Waker::wake);
    }
}

/// Counts a part as long as it lives.
pub(super) struct Presence(Arc<Lockstep>, Part);

impl Drop for Presence {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.counts[self.1 as usize] -= 1;
        state.wake();
    }
}

impl Lockstep {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn running(&self) -> MutexGuard<'_, FuturesUnordered<Process>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin(self: &Arc<Self>, part: Part) -> Presence {
        let mut state = self.lock();
        state.counts[part as usize] += 1;
        state.wake();
        Presence(self.clone(), part)
    }

    /// An interpreter is alive: what its cells left running goes on only while a cell or a command runs.
    pub(super) fn kernel(self: &Arc<Self>) -> Presence {
        self.begin(Part::Kernel)
    }

    /// A command runs.
    pub(super) fn command(self: &Arc<Self>) -> Presence {
        self.begin(Part::Command)
    }

    /// Run a process with the others.
    pub(super) fn spawn(self: &Arc<Self>, process: impl Future<Output = ()> + Send + 'static) {
        let mut state = self.lock();
        state.new.push_back(Box::pin(process));
        state.wake();
        if !std::mem::replace(&mut state.driven, true) {
            // Without a budget: that would interrupt the turns at places that depend on the runtime.
            tokio::spawn(tokio::task::unconstrained(drive(Driver(self.clone()))));
        }
    }

    /// Evaluate a cell in turns with the processes. Without a budget, as above.
    pub(super) async fn cell<F: Future>(self: &Arc<Self>, cell: F) -> F::Output {
        let _present = self.begin(Part::Cell);
        let turn = Arc::new(Turn { due: AtomicBool::new(true), task: AtomicWaker::new() });
        let (waker, mut cell) = (Waker::from(turn.clone()), pin!(cell));
        let rounds = poll_fn(move |context| {
            turn.task.register(context.waker());
            if turn.due.swap(false, Ordering::SeqCst)
                && let Poll::Ready(output) = cell.as_mut().poll(&mut Context::from_waker(&waker))
            {
                return Poll::Ready(output);
            }
            let mut running = self.running();
            let mut state = self.lock();
            state.cell = Some(context.waker().clone());
            running.extend(state.new.drain(..));
            drop(state);
            let ended = matches!(running.poll_next_unpin(context), Poll::Ready(Some(())));
            // The runtime has its turn between two rounds: it keeps the clock of the limits.
            if ended || turn.due.load(Ordering::SeqCst) || !self.lock().new.is_empty() {
                context.waker().wake_by_ref();
            }
            Poll::Pending
        });
        tokio::task::unconstrained(rounds).await
    }
}

/// Whether it is a cell's turn.
struct Turn {
    due: AtomicBool,
    task: AtomicWaker,
}

impl Wake for Turn {
    fn wake(self: Arc<Self>) {
        self.due.store(true, Ordering::SeqCst);
        self.task.wake();
    }
}

/// The task that drives the processes. If the runtime ends it, they go with it.
struct Driver(Arc<Lockstep>);

impl Drop for Driver {
    fn drop(&mut self) {
        let new = std::mem::take(&mut self.0.lock().new);
        let running = std::mem::take(&mut *self.0.running());
        drop((new, running));
    }
}

/// Poll the processes until none is left.
async fn drive(driver: Driver) {
    let lockstep = &driver.0;
    poll_fn(|context| {
        loop {
            let mut running = lockstep.running();
            let mut state = lockstep.lock();
            state.driver = Some(context.waker().clone());
            if !state.may_drive() {
                return Poll::Pending;
            }
            running.extend(state.new.drain(..));
            if running.is_empty() {
                state.driven = false;
                return Poll::Ready(());
            }
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
