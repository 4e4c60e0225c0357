//! The work of a process, which its signals stop and continue.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use super::handle::Process;

/// The work of a process, suspended while the process is stopped.
pub struct Stoppable<F> {
    work: Pin<Box<F>>,
    process: Arc<Process>,
}

impl<F> Stoppable<F> {
    /// Creates the future of `work` of `process`.
    pub fn new(work: F, process: Arc<Process>) -> Self {
        Self { work: Box::pin(work), process }
    }
}

impl<F: Future> Future for Stoppable<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        if self.process.signals().poll_running(context).is_pending() {
            return Poll::Pending;
        }
        self.work.as_mut().poll(context)
    }
}
