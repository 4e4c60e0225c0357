//! The processes of a session in lockstep, polled one at a time in the order in which they were woken.
//!
//! A general executor polls in batches, and whether something joins or is woken within a batch depends on when the
//! runtime runs it. Here each step is one poll, so only the processes themselves decide which comes next.

use std::collections::{HashMap, HashSet, VecDeque};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};

use parking_lot::{Mutex, MutexGuard};

/// A process of a session.
pub(crate) type Process = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Processes, and which of them are to be polled.
#[derive(Default)]
pub(crate) struct Members {
    ready: Arc<Ready>,
    members: HashMap<u64, (Process, Waker)>,
    /// The number of the process that joined last.
    last: u64,
}

/// The result of one step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// A process was polled; it waits or has ended.
    Done,
    /// A process was polled and yielded to the others: it will be polled again.
    GaveWay,
    /// All processes are waiting.
    Idle,
    /// There are no processes.
    Empty,
}

impl Members {
    /// Adds a process, which comes after all that are ready now.
    pub(crate) fn join(&mut self, process: Process) {
        self.last += 1;
        let waker = Waker::from(Arc::new(Member { number: self.last, ready: self.ready.clone() }));
        self.members.insert(self.last, (process, waker));
        self.ready.push(self.last);
    }

    /// Sets the waker for when a process becomes ready: that of the task that polls them now.
    pub(crate) fn register(&self, waker: &Waker) {
        self.ready.lock().poller = Some(waker.clone());
    }

    /// Polls the next process.
    pub(crate) fn step(&mut self) -> Step {
        if self.members.is_empty() {
            return Step::Empty;
        }
        let Some(number) = self.ready.pop() else { return Step::Idle };
        // A process that has ended may have been woken since.
        let Some((process, waker)) = self.members.get_mut(&number) else { return Step::Done };
        let waker = waker.clone();
        match process.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(()) => {
                self.members.remove(&number);
                Step::Done
            }
            Poll::Pending if self.ready.lock().queued.contains(&number) => Step::GaveWay,
            Poll::Pending => Step::Done,
        }
    }
}

/// The processes to be polled, in order.
#[derive(Default)]
struct Ready(Mutex<Queue>);

#[derive(Default)]
struct Queue {
    order: VecDeque<u64>,
    queued: HashSet<u64>,
    poller: Option<Waker>,
}

impl Ready {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.0.lock()
    }

    fn push(&self, number: u64) {
        let mut queue = self.lock();
        if queue.queued.insert(number) {
            queue.order.push_back(number);
        }
        let poller = queue.poller.take();
        drop(queue);
        poller.into_iter().for_each(Waker::wake);
    }

    fn pop(&self) -> Option<u64> {
        let mut queue = self.lock();
        let number = queue.order.pop_front()?;
        queue.queued.remove(&number);
        Some(number)
    }
}

/// Wakes one process.
struct Member {
    number: u64,
    ready: Arc<Ready>,
}

impl Wake for Member {
    fn wake(self: Arc<Self>) {
        self.ready.push(self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_step_polls_one_in_the_order_of_the_wakes() {
        let (log, mut members) = (Arc::new(Mutex::new(Vec::new())), Members::default());
        let (send, receive) = tokio::sync::oneshot::channel::<()>();
        let told = log.clone();
        members.join(Box::pin(async move {
            let _ = receive.await;
            told.lock().push("woken");
        }));
        let told = log.clone();
        members.join(Box::pin(async move {
            told.lock().push("first turn");
            tokio::task::yield_now().await;
            let _ = send.send(());
            told.lock().push("second turn");
        }));
        assert_eq!((members.step(), members.step()), (Step::Done, Step::GaveWay));
        // A process that joins now comes after the one that yielded.
        let told = log.clone();
        members.join(Box::pin(async move { told.lock().push("joined") }));
        assert_eq!((members.step(), members.step(), members.step()), (Step::Done, Step::Done, Step::Done));
        assert_eq!(members.step(), Step::Empty);
        assert_eq!(*log.lock(), ["first turn", "second turn", "joined", "woken"]);
    }

    #[test]
    fn who_is_woken_from_elsewhere_wakes_what_polls_them() {
        struct Count(Mutex<usize>);
        impl Wake for Count {
            fn wake(self: Arc<Self>) {
                *self.0.lock() += 1;
            }
        }
        let (count, mut members) = (Arc::new(Count(Mutex::new(0))), Members::default());
        let (send, receive) = tokio::sync::oneshot::channel::<()>();
        members.join(Box::pin(async move { drop(receive.await) }));
        assert_eq!((members.step(), members.step()), (Step::Done, Step::Idle));
        members.register(&Waker::from(count.clone()));
        send.send(()).unwrap();
        assert_eq!((*count.0.lock(), members.step()), (1, Step::Done));
    }
}
