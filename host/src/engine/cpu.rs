//! Processor time of a task: the thread's clock, read around every poll.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use rustix::time::{ClockId, clock_gettime};

/// Told how much processor time a future used.
pub trait CpuMeter {
    /// `nanoseconds` more were used.
    fn used(&self, nanoseconds: u64);
}

/// A future whose processor time is measured.
pub struct Metered<F, M> {
    future: Pin<Box<F>>,
    meter: M,
}

impl<F: Future, M: CpuMeter> Metered<F, M> {
    /// Measure `future`.
    pub fn new(future: F, meter: M) -> Metered<F, M> {
        Metered { future: Box::pin(future), meter }
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
        let poll = self.future.as_mut().poll(context);
        self.meter.used(thread_time().saturating_sub(before));
        poll
    }
}
