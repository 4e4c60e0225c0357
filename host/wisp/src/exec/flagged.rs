//! The work of a process, told about pending signals by bits in its own memory, and sent the signal of its timer.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use crate::wasi::{ProcessAlarm, SignalFlags, ThreadTable};
use wisp_process::Process;

/// Work that finds the bits of its [`SignalFlags`] set when it goes on, while a signal that it handles is pending, or while it has
/// more than one thread. A process that computes goes on every few milliseconds. Its timer is looked at then too, and listings of
/// processes learn whether it computes.
pub(crate) struct Flagged<F> {
    work: Pin<Box<F>>,
    process: Arc<Process>,
    flags: Arc<SignalFlags>,
    threads: Arc<ThreadTable>,
    alarm: Arc<ProcessAlarm>,
}

impl<F> Flagged<F> {
    pub(crate) fn new(
        work: F,
        process: Arc<Process>,
        flags: Arc<SignalFlags>,
        threads: Arc<ThreadTable>,
        alarm: Arc<ProcessAlarm>,
    ) -> Self {
        Self { work: Box::pin(work), process, flags, threads, alarm }
    }
}

impl<F: Future> Future for Flagged<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        self.alarm.poll(&self.process, context);
        if self.flags.any() && (self.threads.any() || self.process.signals().has_pending()) {
            // SAFETY: the process's code runs only within the poll below. Its instance exists: the words are attached once it
            // does, and the store that `work` borrows holds it.
            unsafe { self.flags.raise(self.threads.flag()) };
        }
        self.process.shown().begins_turn();
        let polled = self.work.as_mut().poll(context);
        self.process.shown().ends_turn();
        if polled.is_pending() {
            // For a timer that it has set just now: its signal wakes the process.
            self.alarm.poll(&self.process, context);
        }
        polled
    }
}
