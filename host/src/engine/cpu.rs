//! Processor time and page faults of a task: the thread's clock and counter, read around every poll.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};

use rustix::time::{ClockId, clock_gettime};

use super::memory::thread_faults;

/// Told how much processor time a future used.
pub trait CpuMeter {
    /// `nanoseconds` more were used.
    fn used(&self, nanoseconds: u64);
}

/// Page faults of the threads that ran a process, while they ran it: none means that no page of its memory is new.
#[derive(Debug, Clone, Default)]
pub(crate) struct Faults(Arc<AtomicU64>);

impl Faults {
    /// Whether there was none.
    pub(crate) fn none(&self) -> bool {
        self.0.load(Ordering::Acquire) == 0
    }

    /// Do something, and count the faults it takes.
    pub(crate) fn during<R>(&self, work: impl FnOnce() -> R) -> R {
        let before = thread_faults();
        let result = work();
        self.add(thread_faults().abs_diff(before));
        result
    }

    /// Count some.
    fn add(&self, count: u64) {
        self.0.fetch_add(count, Ordering::Release);
    }
}

/// A future whose processor time and page faults are measured.
pub struct Metered<F, M> {
    future: Pin<Box<F>>,
    meter: M,
    faults: Faults,
}

impl<F: Future, M: CpuMeter> Metered<F, M> {
    /// Measure `future`.
    pub(crate) fn new(future: F, meter: M, faults: Faults) -> Metered<F, M> {
        Metered { future: Box::pin(future), meter, faults }
    }
}

/// This thread's processor time in nanoseconds.
fn thread_time() -> u64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    (time.tv_sec as u64).saturating_mul(1_000_000_000).saturating_add(time.tv_nsec as u64)
}

impl<F: Future, M: CpuMeter + Unpin> Future for Metered<F, M> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let before = thread_time();
        let this = &mut *self;
        let poll = this.faults.during(|| this.future.as_mut().poll(context));
        this.meter.used(thread_time().saturating_sub(before));
        poll
    }
}
