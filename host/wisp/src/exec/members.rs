//! The processes of a session in lockstep, polled one at a time in the order in which they were woken.
//!
//! A general executor polls in batches, and what joins or is woken between two of them depends on when the runtime comes round.
//! Here each step is one poll: nothing but the processes themselves decides which comes next.

use std::collections::{HashMap, HashSet, VecDeque};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Wake, Waker};

/// A process of a session.
pub(crate) type Process = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Processes, and which of them are to be polled.
#[derive(Default)]
pub(crate) struct Members {
    ready: Arc<Ready>,
    members: HashMap<u64, (Process, Waker)>,
    /// The number of the one that joined last.
    last: u64,
}

/// What one step came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// A process was polled, and waits or has ended.
    Done,
    /// A process was polled, and has given way to the others: it is to be polled again.
    GaveWay,
    /// All processes wait.
    Idle,
    /// There is no process.
    Empty,
}

impl Members {
    /// Another process, which comes after all that are to be polled now.
    pub(crate) fn join(&mut self, process: Process) {
        self.last += 1;
        let waker = Waker::from(Arc::new(Member { number: self.last, ready: self.ready.clone() }));
        self.members.insert(self.last, (process, waker));
        self.ready.push(self.last);
    }

    /// Who is woken when a process is to be polled: what polls them now.
    pub(crate) fn register(&self, waker: &Waker) {
        self.ready.lock().poller = Some(waker.clone());
    }

    /// Poll the process whose turn it is.
    pub(crate) fn step(&mut self) -> Step {
        if self.members.is_empty() {
            return Step::Empty;
        }
        let Some(number) = self.ready.pop() else { return Step::Idle };
        // One that has ended may have been woken since.
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

/// Who is to be polled, in order.
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
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
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
            told.lock().unwrap().push("woken");
        }));
        let told = log.clone();
        members.join(Box::pin(async move {
            told.lock().unwrap().push("first turn");
            tokio::task::yield_now().await;
            let _ = send.send(());
            told.lock().unwrap().push("second turn");
        }));
        assert_eq!((members.step(), members.step()), (Step::Done, Step::GaveWay));
        // Joined now, it comes after who gave way.
        let told = log.clone();
        members.join(Box::pin(async move { told.lock().unwrap().push("joined") }));
        assert_eq!((members.step(), members.step(), members.step()), (Step::Done, Step::Done, Step::Done));
        assert_eq!(members.step(), Step::Empty);
        assert_eq!(*log.lock().unwrap(), ["first turn", "second turn", "joined", "woken"]);
    }

    #[test]
    fn who_is_woken_from_elsewhere_wakes_what_polls_them() {
        struct Count(Mutex<usize>);
        impl Wake for Count {
            fn wake(self: Arc<Self>) {
                *self.0.lock().unwrap() += 1;
            }
        }
        let (count, mut members) = (Arc::new(Count(Mutex::new(0))), Members::default());
        let (send, receive) = tokio::sync::oneshot::channel::<()>();
        members.join(Box::pin(async move { drop(receive.await) }));
        assert_eq!((members.step(), members.step()), (Step::Done, Step::Idle));
        members.register(&Waker::from(count.clone()));
        send.send(()).unwrap();
        assert_eq!((*count.0.lock().unwrap(), members.step()), (1, Step::Done));
    }
}
