//! Processes' stores: what they start with, and what becomes of their instances.
//!
//! When a process has ended, its memory is restored and another instance made ready. An interpreter's instance may instead be used
//! again as it is: nothing of it is left but what a new instance has, because
//!
//! - only the shipped `python3` is used again. `wisp-fuse` made it: its memory is its whole state, for no code of it changes tables or
//!   segments, and its one global that changes, the stack pointer, is back at its base, or the call traps
//!   (`runtime/data_image.rs` checks the form of it: one memory, at most one such global);
//! - its last call returned. A trap, an exit or a limit drops the store;
//! - it never had a handle but the one to the root directory that a fork begins with. wasmtime numbers handles by those that were
//!   there before, so the next process could tell. It never called what its policy denies either: that makes handles of its own, and
//!   its arguments lie in the memory of the provider of denials;
//! - it had no thread, and neither its memory nor a table grew: what it is charged for is what a new one is charged for;
//! - its memory holds its image again, and everything of the host's that belonged to the process is dropped before the next takes it.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use wasmtime::Store;
use wasmtime::component::Instance;

use crate::program::linked::Program;
use crate::program::store::ProcessState;
use crate::program::unclaimed;
use crate::runtime::memory::{LiveMemory, LiveStack, MemoryShape, SlotPool, WASM_PAGE};
use crate::runtime::{Faults, Memory, PrewarmPool, Prewarmed};
use crate::wasi::bindings::interpreter::Interpreter;

/// What instances start with, and those that are ready.
pub(crate) struct Source {
    /// What their memory starts with, if that is a slot and there is an image.
    image: Option<(MemoryShape, Arc<SlotPool>)>,
    /// `None` if making one could run code of the component.
    ready: Option<PrewarmPool<ProcessState, Entry>>,
    /// Whether an instance may be used again.
    reuses: bool,
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

/// A process that is being started.
pub(crate) struct Begun {
    pub store: Tenancy,
    /// Its instance, if one was ready.
    pub made: Option<Made>,
    /// Counts the page faults of the code that runs in it.
    pub faults: Faults,
}

/// A process's store. Dropping it restores its memory and prepares another instance.
pub(crate) struct Tenancy {
    /// `None` only while it is being dropped.
    store: Option<Store<ProcessState>>,
    program: Arc<Program>,
    source: Arc<Source>,
}

impl Source {
    pub(crate) fn new(image: Option<(MemoryShape, Arc<SlotPool>)>, ready: Option<usize>, reuses: bool) -> Arc<Self> {
        let reuses = reuses && image.is_some();
        Arc::new(Self { image, ready: ready.map(PrewarmPool::new), reuses })
    }

    /// That of a snapshot of such an instance, whose memory starts with the image of `pool`.
    pub(crate) fn of_snapshot(&self, shape: MemoryShape, pool: Arc<SlotPool>) -> Arc<Self> {
        let ready = self.ready.as_ref().map(|_| pool.space().bounds().ready);
        Self::new(Some((shape, pool)), ready, self.reuses)
    }

    /// What their memory starts with.
    pub(crate) fn image(&self) -> Option<&(MemoryShape, Arc<SlotPool>)> {
        self.image.as_ref()
    }

    /// The instances that are ready, or may be.
    pub(super) fn ready(&self) -> Option<&PrewarmPool<ProcessState, Entry>> {
        self.ready.as_ref()
    }

    /// Bytes that a memory has at the start beyond the minimum of its type.
    pub(crate) fn grown(&self) -> u64 {
        self.image.as_ref().map_or(0, |(shape, pool)| (pool.image().size() as u64).saturating_sub(shape.minimum * WASM_PAGE))
    }
}

impl Tenancy {
    pub(super) fn new(store: Store<ProcessState>, program: Arc<Program>, source: Arc<Source>) -> Self {
        Self { store: Some(store), program, source }
    }

    /// Releases everything that belongs to the process, before its memory is restored. None of its code runs any more.
    pub(crate) fn vacate(&mut self) {
        *self.data_mut() = unclaimed::state();
    }

    /// Ends the process of an interpreter whose last call returned: its instance waits for another process if it is as a new one.
    pub(crate) fn give_back(mut self, made: Made, faults: Faults) {
        let Some(store) = self.store.take() else { return };
        if let Err(store) = self.put_back(store, made, faults) {
            self.store = Some(store);
        }
    }

    /// Returns the store if its instance cannot be used again.
    fn put_back(&self, mut store: Store<ProcessState>, made: Made, faults: Faults) -> Result<(), Store<ProcessState>> {
        let Made { entry, live: Some(live), stack } = made else { return Err(store) };
        let (Memory::Slots(slots), Some((_, pool)), Some(ready)) =
            (self.program.runtime().memory(), self.source.image(), self.source.ready.as_ref().filter(|ready| ready.has_room()))
        else {
            return Err(store);
        };
        let state = store.data();
        let handles = u64::from(entry.root.is_some());
        let held = entry.held + self.source.grown();
        if !self.source.reuses || state.handles_made() != handles || state.had_threads() || state.memory.held() != held {
            return Err(store);
        }
        let Some(place) = slots.space.place(Some(pool)) else { return Err(store) };
        let mut nobody = unclaimed::state();
        // Its account has no limit.
        nobody.memory.take(entry.held);
        *store.data_mut() = nobody;
        // SAFETY: this function has the store, so none of its code runs. Its last call returned and its process is gone, so the
        // next call expects the image.
        match unsafe { live.restore() } {
            Ok(true) => {}
            Ok(false) => return Err(store),
            Err(error) => {
                tracing::warn!(%error, "a memory could not be restored, so its instance is not used again");
                return Err(store);
            }
        }
        slots.space.reused();
        ready.put(Prewarmed { store, instance: entry, live: Some(live), stack, faults, place });
        Ok(())
    }
}

impl Deref for Tenancy {
    type Target = Store<ProcessState>;

    fn deref(&self) -> &Store<ProcessState> {
        // Only `drop` and `give_back` take it.
        self.store.as_ref().expect("a process has its store until it is dropped")
    }
}

impl DerefMut for Tenancy {
    fn deref_mut(&mut self) -> &mut Store<ProcessState> {
        // As above.
        self.store.as_mut().expect("a process has its store until it is dropped")
    }
}

impl Drop for Tenancy {
    fn drop(&mut self) {
        let Some(store) = self.store.take() else { return };
        drop(store);
        // Prepares an instance in the slot that was just restored, while this processor's caches hold it.
        self.program.prewarm(&self.source);
    }
}
