//! The work of a process, told about pending signals by bits in its own memory.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use crate::wasi::SignalFlags;
use wisp_process::Process;

/// Work that finds the bits of its [`SignalFlags`] set when it goes on, while a signal that it handles is pending. A
/// process that computes goes on every few milliseconds.
pub(crate) struct Flagged<F> {
    work: Pin<Box<F>>,
    process: Arc<Process>,
    flags: Arc<SignalFlags>,
}

impl<F> Flagged<F> {
    pub(crate) fn new(work: F, process: Arc<Process>, flags: Arc<SignalFlags>) -> Self {
        Self { work: Box::pin(work), process, flags }
    }
}

impl<F: Future> Future for Flagged<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        if self.flags.any() && self.process.signals().has_pending() {
            // SAFETY: the process's code runs only within the poll below. Its instance exists: the words were set by a
            // call from it, and the store that `work` borrows holds it.
            unsafe { self.flags.raise() };
        }
        self.work.as_mut().poll(context)
    }
}
