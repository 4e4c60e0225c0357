//! Processor time and page faults of a task: the thread's clock and counter, read before and after every poll.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use super::memory::thread_faults;
use crate::meter::{CpuMeter, metered};

/// Whether the threads that ran a process had page faults while they ran it. If not, no page of its memory is new.
#[derive(Debug, Clone, Default)]
pub(crate) struct Faults(Arc<AtomicBool>);

impl Faults {
    /// Returns whether there were none.
    pub(crate) fn none(&self) -> bool {
        !self.0.load(Ordering::Acquire)
    }

    /// Runs a function and notes whether it had faults. Once there were some, the system is not asked again.
    pub(crate) fn during<R>(&self, work: impl FnOnce() -> R) -> R {
        if !self.none() {
            return work();
        }
        let before = thread_faults();
        let result = work();
        if thread_faults() != before {
            self.0.store(true, Ordering::Release);
        }
        result
    }
}

/// A future whose processor time and page faults are measured, including what it hands to blocking threads.
pub(crate) struct Metered<F> {
    future: Pin<Box<F>>,
    meter: Arc<dyn CpuMeter>,
    faults: Faults,
}

impl<F: Future> Metered<F> {
    /// Measures `future`.
    pub(crate) fn new(future: F, meter: Arc<dyn CpuMeter>, faults: Faults) -> Self {
        Self { future: Box::pin(future), meter, faults }
    }
}

impl<F: Future> Future for Metered<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let this = &mut *self;
        metered(&this.meter, || this.faults.during(|| this.future.as_mut().poll(context)))
    }
}
