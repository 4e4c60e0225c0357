//! Ready instances: made before they are needed, and used by one process each.
//!
//! Making an instance takes as long as a short process runs. If it is known to run none of the component's code, it
//! is made beforehand, when a process of the same program has ended, and the next process only takes it.

use std::future::Future;

use wasmtime::Store;

use super::cpu::Faults;
use super::memory::{LiveMemory, LiveStack, Place};
use super::percpu::PerCpuStack;

/// An instance in which no guest code has run yet.
pub(crate) struct Prewarmed<T: 'static, I> {
    pub store: Store<T>,
    pub instance: I,
    /// Its memory, if it is a slot.
    pub live: Option<LiveMemory>,
    /// The stack of its store, if making it needed one.
    pub stack: Option<LiveStack>,
    /// The page faults of making it, which are added to those of the process that runs it.
    pub faults: Faults,
    /// Counts it as ready until it is taken.
    pub place: Place,
}

/// Prewarmed instances of one program, all alike.
pub(crate) struct PrewarmPool<T: 'static, I> {
    instances: PerCpuStack<Prewarmed<T, I>>,
    most: usize,
}

impl<T, I> PrewarmPool<T, I> {
    /// Creates an empty shelf for at most `most` of them.
    pub(crate) fn new(most: usize) -> Self {
        Self { instances: PerCpuStack::default(), most }
    }

    /// Returns whether there is room for another.
    pub(crate) fn has_room(&self) -> bool {
        self.instances.len() < self.most
    }

    /// Adds one; it is dropped if the shelf is full.
    pub(crate) fn put(&self, instance: Prewarmed<T, I>) {
        self.instances.put_below(self.most, instance);
    }

    /// Takes the one that this processor made last: its caches may still hold it.
    pub(crate) fn take(&self) -> Option<Prewarmed<T, I>> {
        self.instances.take()
    }
}

/// Returns the result of `work` if it completes at once. Work that would have to wait is dropped.
pub(crate) fn without_waiting<F: Future>(work: F) -> Option<F::Output> {
    futures_util::FutureExt::now_or_never(work)
}
