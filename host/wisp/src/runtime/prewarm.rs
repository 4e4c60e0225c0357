//! Prewarmed instances: made before a process needs them.
//!
//! Making an instance costs as much as a short process runs. Where it is known to run none of the component's code, it is
//! made beforehand, when a process of the same program has ended, and the next process only takes it.

use std::future::Future;

use wasmtime::Store;

use super::cpu::Faults;
use super::memory::{LiveMemory, Place};
use super::percpu::PerCpuStack;

/// An instance in which no code has run yet.
pub(crate) struct Prewarmed<T: 'static, I> {
    pub store: Store<T>,
    pub instance: I,
    /// Its memory, where it is a slot.
    pub live: Option<LiveMemory>,
    /// The page faults that making it took; those of whoever runs it have to be added.
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
    /// An empty pool for `most` of them.
    pub(crate) fn new(most: usize) -> PrewarmPool<T, I> {
        PrewarmPool { instances: PerCpuStack::default(), most }
    }

    /// Whether there is room for another.
    pub(crate) fn has_room(&self) -> bool {
        self.instances.len() < self.most
    }

    /// Put one into it; one too many is dropped.
    pub(crate) fn put(&self, instance: Prewarmed<T, I>) {
        self.instances.put_below(self.most, instance);
    }

    /// Take the one that this processor made last: its caches may still know it.
    pub(crate) fn take(&self) -> Option<Prewarmed<T, I>> {
        self.instances.take()
    }
}

/// The output of `work` if that does not have to wait; what would wait is dropped.
pub(crate) fn without_waiting<F: Future>(work: F) -> Option<F::Output> {
    futures_util::FutureExt::now_or_never(work)
}
