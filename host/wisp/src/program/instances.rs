//! What instances of a program start with, and those that are ready.

use std::sync::Arc;

use wasmtime::component::Instance;

use crate::program::store::ProcessState;
use crate::runtime::PrewarmPool;
use crate::runtime::memory::{LiveMemory, LiveStack, MemoryShape, SlotPool, WASM_PAGE};
use crate::wasi::bindings::interpreter::Interpreter;

/// What instances start with, and those that are ready.
pub(crate) struct Source {
    /// What their memory starts with, if that is a slot and there is an image.
    pub(super) image: Option<(MemoryShape, Arc<SlotPool>)>,
    /// `None` if making one could run code of the component.
    pub(super) ready: Option<PrewarmPool<ProcessState, Entry>>,
    /// Whether an instance may be used again.
    pub(super) reuses: bool,
}

impl Source {
    pub(crate) fn new(image: Option<(MemoryShape, Arc<SlotPool>)>, ready: Option<usize>, reuses: bool) -> Arc<Self> {
        let reuses = reuses && image.is_some();
        Arc::new(Self { image, ready: ready.map(PrewarmPool::new), reuses })
    }

    /// Creates the source of a snapshot of such an instance, whose memory starts with the image of `pool`.
    pub(crate) fn of_snapshot(&self, shape: MemoryShape, pool: Arc<SlotPool>) -> Arc<Self> {
        let ready = self.ready.as_ref().map(|_| pool.space().bounds().ready);
        Self::new(Some((shape, pool)), ready, self.reuses)
    }

    /// Returns what their memory starts with.
    pub(crate) fn image(&self) -> Option<&(MemoryShape, Arc<SlotPool>)> {
        self.image.as_ref()
    }

    /// Returns the instances that are ready, or may be.
    pub(super) fn ready(&self) -> Option<&PrewarmPool<ProcessState, Entry>> {
        self.ready.as_ref()
    }

    /// Returns the number of bytes that a memory has at the start beyond the minimum of its type.
    pub(crate) fn grown(&self) -> u64 {
        self.image.as_ref().map_or(0, |(shape, pool)| (pool.image().size() as u64).saturating_sub(shape.minimum * WASM_PAGE))
    }
}

/// The ways into an instance, and its handle of the root directory.
pub(crate) struct Entry {
    pub instance: Instance,
    /// Its exports as an interpreter, if it is one and they were looked up.
    pub interpreter: Option<Interpreter>,
    /// What its handle of the root directory stands for, if it is a fork that has been told about it.
    pub root: Option<u32>,
    /// Bytes that were debited for making it.
    pub held: u64,
}

/// An instance, and its memory if that is a slot.
pub(crate) struct Made {
    pub entry: Entry,
    pub live: Option<LiveMemory>,
    /// The stack of its store, if making it needed one.
    pub stack: Option<LiveStack>,
}
