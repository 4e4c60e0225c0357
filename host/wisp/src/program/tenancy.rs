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

use crate::program::instances::{Made, Source};
use crate::program::linked::Program;
use crate::program::memory::ProcessMemory;
use crate::program::store::ProcessState;
use crate::program::unclaimed;
use crate::runtime::{Faults, Memory, Prewarmed};
use crate::wasi::ProcessCtx;

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

impl Program {
    /// Begins a process whose memory starts as `source` says, in an instance that is ready if there is one and the process's
    /// account has room for it.
    pub(crate) fn begin(self: &Arc<Self>, source: &Arc<Source>, ctx: ProcessCtx, mut memory: ProcessMemory) -> Begun {
        let ready = source.ready().and_then(|pool| {
            let ready = pool.take()?;
            if memory.take_over(&ready.store.data().memory) {
                return Some(ready);
            }
            // Making one for this process will fail in the same way and report it; the prewarmed one is for another
            // process.
            pool.put(ready);
            None
        });
        if let Memory::Slots(slots) = self.runtime().memory() {
            slots.space.began(ready.is_some());
        }
        let state = ProcessState::new(ctx, memory);
        let (mut store, made, faults) = match ready {
            Some(Prewarmed { mut store, instance, live, stack, faults, place }) => {
                *store.data_mut() = state;
                drop(place);
                (store, Some(Made { entry: instance, live, stack }), faults)
            }
            None => (self.store(state), None, Faults::default()),
        };
        // The limit of wasmtime's tables of the guest's handles, which include handles to the component's own
        // resources.
        if let Some(live) = made.as_ref().and_then(|made: &Made| made.live.as_ref()) {
            self.attach(&mut store, live);
        }
        let most = store.data().most_handles();
        store.set_max_component_handles(most);
        Begun { store: Tenancy::new(store, self.clone(), source.clone()), made, faults }
    }
}

impl Tenancy {
    fn new(store: Store<ProcessState>, program: Arc<Program>, source: Arc<Source>) -> Self {
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
