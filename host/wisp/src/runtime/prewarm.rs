//! Instances that are ready: made before anybody needs them, and nobody's until then.
//!
//! Making an instance costs as much as a short process runs. Where it is known to run none of the component's code, it is
//! made beforehand, when a process of the same program has ended, and the next process only takes it.

use std::future::Future;

use wasmtime::Store;

use super::cpu::Faults;
use super::memory::{LiveMemory, Place};
use super::percpu::Near;

/// An instance that nobody's code has run in yet.
pub(crate) struct Ready<T: 'static, I> {
    pub store: Store<T>,
    pub instance: I,
    /// Its memory, where it is a slot.
    pub live: Option<LiveMemory>,
    /// The page faults that making it took; those of whoever runs it have to be added.
    pub faults: Faults,
    /// Counts it as ready until it is taken.
    pub place: Place,
}

/// Ready instances of one program, all alike.
pub(crate) struct Shelf<T: 'static, I> {
    ready: Near<Ready<T, I>>,
    most: usize,
}

impl<T, I> Shelf<T, I> {
    /// An empty shelf for `most` of them.
    pub(crate) fn new(most: usize) -> Shelf<T, I> {
        Shelf { ready: Near::default(), most }
    }

    /// Whether there is room for another.
    pub(crate) fn has_room(&self) -> bool {
        self.ready.len() < self.most
    }

    /// Put one on it; one too many goes.
    pub(crate) fn put(&self, ready: Ready<T, I>) {
        self.ready.put_below(self.most, ready);
    }

    /// Take the one that this processor made last: its caches may still know it.
    pub(crate) fn take(&self) -> Option<Ready<T, I>> {
        self.ready.take()
    }
}

/// What `work` comes to if it does at once. What would have to wait is given up.
pub(crate) fn at_once<F: Future>(work: F) -> Option<F::Output> {
    futures_util::FutureExt::now_or_never(work)
}
