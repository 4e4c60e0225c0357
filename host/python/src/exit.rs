//! Threads that are left when the interpreter exits.
//!
//! Python before 3.14 ends them when they ask for its lock, by unwinding their stacks, on which no frame of Rust may be. So from the
//! beginning of the exit calls fail, and the exit waits for the threads that are in one to leave it. One that does not waits until the
//! process ends, as it would in Python 3.14.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use pyo3::prelude::*;

/// How often the exit looks whether what it waits for is so.
const LOOK: Duration = Duration::from_millis(1);

/// The thread that exits.
static EXITING: OnceLock<ThreadId> = OnceLock::new();

/// Whether threads that are in calls stay there.
static GONE: AtomicBool = AtomicBool::new(false);

/// Threads that are in calls.
static INSIDE: AtomicUsize = AtomicUsize::new(0);

/// A thread in a call, with the interpreter's lock or without it.
pub(crate) struct Inside(());

impl Inside {
    /// Notes that this thread is in a call until this is dropped.
    pub(crate) fn enter() -> Self {
        INSIDE.fetch_add(1, Ordering::SeqCst);
        Self(())
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        INSIDE.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Does `work` without the interpreter's lock.
pub(crate) fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> T {
    let _inside = Inside::enter();
    py.detach(|| {
        stay();
        let done = work();
        stay();
        done
    })
}

/// Returns whether the interpreter exits, in another thread: calls of this one fail.
pub(crate) fn has_begun() -> bool {
    EXITING.get().is_some_and(|exiting| *exiting != thread::current().id())
}

/// Returns at once, unless the exit waits no longer: then only to the thread that exits. Must be called without the interpreter's lock, and
/// with no other.
pub(crate) fn stay() {
    if GONE.load(Ordering::SeqCst) && has_begun() {
        loop {
            thread::park();
        }
    }
}

/// Begins the exit, in this thread.
pub(crate) fn begin() {
    let _ = EXITING.set(thread::current().id());
}

/// Waits until the other threads have left their calls, for at most this time: then those that have not stay there. The interpreter's lock
/// must be free.
pub(crate) fn settle(time: Duration) {
    wait_until(time, || INSIDE.load(Ordering::SeqCst) == 0);
    GONE.store(true, Ordering::SeqCst);
}

/// Waits until this is so, for at most this time. The interpreter's lock must be free.
pub(crate) fn wait_until(time: Duration, is_so: impl Fn() -> bool) {
    let end = Instant::now() + time;
    while !is_so() && Instant::now() < end {
        thread::park_timeout(LOOK);
    }
}
