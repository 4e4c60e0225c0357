//! What a command makes the host do beside running its processes: feeding its input, passing on its output, delivering what
//! its programs wrote last. All of it belongs to the command, and ends with it.

use std::collections::HashMap;
use std::future::Future;
use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::{AbortHandle, Abortable, BoxFuture};
use parking_lot::Mutex;
use tokio::runtime::Handle;
use tokio::sync::{Notify, oneshot};

/// Runs work among the processes of a deterministic session.
pub(crate) type Among = Box<dyn Fn(BoxFuture<'static, ()>) + Send + Sync>;

/// The tasks of one command. Once they are closed, those that are left end, and no other begins.
pub(crate) struct Tasks {
    state: Mutex<State>,
    /// Told when the last task has gone.
    empty: Notify,
    among: Option<Among>,
}

#[derive(Default)]
struct State {
    /// The number of the last task that began.
    last: u64,
    running: HashMap<u64, AbortHandle>,
    closed: bool,
}

/// One task. Dropping this leaves it running.
pub(crate) struct Task {
    abort: AbortHandle,
    end: oneshot::Receiver<()>,
}

impl Task {
    /// Ends the task.
    pub(crate) fn abort(&self) {
        self.abort.abort();
    }

    /// Waits until the task has ended.
    pub(crate) async fn ended(&mut self) {
        // Its sender is dropped, never used.
        let _ = (&mut self.end).await;
    }
}

/// A task's entry, as long as it lives.
struct Place {
    tasks: Arc<Tasks>,
    number: u64,
}

impl Place {
    /// Enters a task, unless the tasks are closed.
    fn take(tasks: &Arc<Tasks>, abort: AbortHandle) -> Option<Self> {
        let mut state = tasks.state.lock();
        if state.closed {
            return None;
        }
        state.last += 1;
        let number = state.last;
        state.running.insert(number, abort);
        Some(Self { tasks: tasks.clone(), number })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut state = self.tasks.state.lock();
        state.running.remove(&self.number);
        if state.running.is_empty() {
            self.tasks.empty.notify_waiters();
        }
    }
}

impl Tasks {
    /// Makes an empty set; `among` runs what must take turns with the processes.
    pub(crate) fn new(among: Option<Among>) -> Arc<Self> {
        Arc::new(Self { state: Mutex::default(), empty: Notify::new(), among })
    }

    /// Starts a task: in a deterministic session, in turns with the processes. Without a runtime, or after [`Tasks::close`],
    /// the work is dropped.
    pub(crate) fn spawn(self: &Arc<Self>, work: impl Future<Output = ()> + Send + 'static) -> Task {
        self.begin(work, self.among.as_ref())
    }

    /// Works like [`Tasks::spawn`], for work that waits for the host and never takes turns with the processes.
    pub(crate) fn spawn_apart(self: &Arc<Self>, work: impl Future<Output = ()> + Send + 'static) -> Task {
        self.begin(work, None)
    }

    fn begin(self: &Arc<Self>, work: impl Future<Output = ()> + Send + 'static, among: Option<&Among>) -> Task {
        let ((abort, registration), (ended, end)) = (AbortHandle::new_pair(), oneshot::channel());
        let task = Task { abort: abort.clone(), end };
        if Handle::try_current().is_err() {
            return task;
        }
        let Some(place) = Place::take(self, abort) else { return task };
        let work = async move {
            // Dropped in the opposite order: the end is told last.
            let _ended: oneshot::Sender<()> = ended;
            let _place = place;
            let _ = Abortable::new(work, registration).await;
        };
        match among {
            Some(among) => among(work.boxed()),
            #[expect(clippy::disallowed_methods, reason = "the place through which all others go")]
            None => drop(tokio::spawn(work)),
        }
        task
    }

    /// Waits until no task is left.
    pub(crate) async fn settled(&self) {
        loop {
            let empty = self.empty.notified();
            tokio::pin!(empty);
            empty.as_mut().enable();
            if self.state.lock().running.is_empty() {
                return;
            }
            empty.await;
        }
    }

    /// Ends all tasks. None begins after this.
    pub(crate) fn close(&self) {
        let running: Vec<AbortHandle> = {
            let mut state = self.state.lock();
            state.closed = true;
            state.running.values().cloned().collect()
        };
        // Without the lock: a waker may run anything.
        running.iter().for_each(AbortHandle::abort);
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use super::*;

    /// Says when it is dropped.
    struct Held(#[expect(dead_code, reason = "dropped with this")] oneshot::Sender<()>);

    fn held() -> (Held, oneshot::Receiver<()>) {
        let (sender, dropped) = oneshot::channel();
        (Held(sender), dropped)
    }

    #[tokio::test]
    async fn closing_ends_what_runs_and_lets_nothing_begin() {
        let tasks = Tasks::new(None);
        let ((first, first_gone), (late, late_gone)) = (held(), held());
        let mut task = tasks.spawn(async move {
            let _first = first;
            pending::<()>().await;
        });
        assert!(tasks.settled().now_or_never().is_none(), "it is left");
        tasks.close();
        assert!(first_gone.await.is_err());
        task.ended().await;
        tasks.settled().await;
        let mut task = tasks.spawn(async move {
            let _late = late;
            pending::<()>().await;
        });
        task.ended().await;
        assert!(late_gone.await.is_err());
    }

    #[tokio::test]
    async fn what_ends_by_itself_or_is_aborted_is_not_left() {
        let tasks = Tasks::new(None);
        let (told, hears) = oneshot::channel();
        let mut done = tasks.spawn(async move { told.send(()).unwrap() });
        assert!(hears.await.is_ok());
        done.ended().await;
        let mut task = tasks.spawn_apart(pending());
        assert!(tasks.settled().now_or_never().is_none());
        task.abort();
        task.ended().await;
        tasks.settled().await;
    }

    #[test]
    fn without_a_runtime_the_work_is_dropped() {
        let (held, mut gone) = held();
        let tasks = Tasks::new(None);
        drop(tasks.spawn(async move { drop(held) }));
        assert!(gone.try_recv() == Err(oneshot::error::TryRecvError::Closed) && tasks.settled().now_or_never().is_some());
    }

    #[tokio::test]
    async fn in_a_deterministic_session_they_take_turns_with_the_processes() {
        let turns: Arc<Mutex<Vec<BoxFuture<'static, ()>>>> = Arc::default();
        let among = turns.clone();
        let tasks = Tasks::new(Some(Box::new(move |work| among.lock().push(work))));
        drop((tasks.spawn(pending()), tasks.spawn_apart(async {})));
        assert_eq!(turns.lock().len(), 1);
        tasks.close();
        let work = turns.lock().pop().unwrap();
        work.await;
        tasks.settled().await;
    }
}
