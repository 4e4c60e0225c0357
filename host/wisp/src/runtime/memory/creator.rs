//! Slots as wasmtime's linear memories.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use parking_lot::Mutex;
use wasmtime::{LinearMemory, MemoryCreator, MemoryType};

use super::live::{LiveMemory, Used};
use super::plan;
use super::sys::page;
use crate::runtime::cpu::Faults;
use crate::runtime::fault::{FailPoint, HostFault};

/// Makes wasmtime's memories out of slots, according to the plan of the present instantiation.
pub(crate) struct SlotMemories;

/// A memory in use.
struct SlotMemory {
    used: Arc<Used>,
    capacity: usize,
}

// SAFETY: `as_ptr` is the start of a reservation that lives as long as this value and never moves. `byte_size` bytes
// from there can be read and written: the slot starts with `accessible` accessible bytes, and `grow_to` makes more
// accessible before it reports them. The bytes beyond, up to `byte_capacity` and the guard that `new_memory`
// reserved, fault.
unsafe impl LinearMemory for SlotMemory {
    fn byte_size(&self) -> usize {
        self.used.size.load(Ordering::Relaxed)
    }

    fn byte_capacity(&self) -> usize {
        self.capacity
    }

    fn grow_to(&mut self, new_size: usize) -> wasmtime::Result<()> {
        let mut slot = self.used.slot.lock();
        let Some(slot) = slot.as_mut() else { wasmtime::bail!("the memory is gone") };
        if new_size > self.capacity {
            wasmtime::bail!("{new_size} bytes are more than the {} reserved", self.capacity);
        }
        let end = new_size.next_multiple_of(page());
        if end > slot.accessible {
            let fail = self.used.pool.space().fail().check(FailPoint::Growth);
            let allowed = fail.and_then(|()| slot.region.allow(slot.accessible..end, true));
            allowed.map_err(|error| HostFault::memory("the memory of a process cannot grow", error))?;
            slot.accessible = end;
        }
        self.used.size.store(new_size, Ordering::Release);
        Ok(())
    }

    fn as_ptr(&self) -> *mut u8 {
        self.used.region.base()
    }
}

impl Drop for SlotMemory {
    fn drop(&mut self) {
        let slot = self.used.slot.lock().take();
        if let Some(mut slot) = slot {
            slot.quiet = self.used.faults.as_ref().is_some_and(Faults::none);
            self.used.pool.give_back(slot);
        }
    }
}

// SAFETY: a memory has `reserved` bytes of address space, followed by a guard of `guard` bytes that is never made
// accessible (`grow_to` stops at `reserved`), and preceded by one. A page of wasm memory holds the image or zeros.
unsafe impl MemoryCreator for SlotMemories {
    fn new_memory(
        &self,
        ty: MemoryType,
        minimum: usize,
        _maximum: Option<usize>,
        reserved: Option<usize>,
        guard: usize,
    ) -> Result<Box<dyn LinearMemory>, String> {
        let reserved = reserved.ok_or("memories are reserved whole, see engine/config.rs")?;
        let plan::Planned { pool, image, faults } = plan::pool_for(&ty, minimum)?;
        if pool.image().size() < minimum || pool.image().size() > reserved {
            return Err(format!("an image of {} bytes for a memory of {minimum} to {reserved}", pool.image().size()));
        }
        // wasmtime takes only a text from here; the plan keeps the error.
        let slot = pool.take(reserved + guard, guard).map_err(plan::failed)?;
        if slot.region.len() < reserved + guard {
            return Err("a slot of another engine's".to_owned());
        }
        let (region, size) = (slot.region.clone(), AtomicUsize::new(pool.image().size()));
        let used = Arc::new(Used { region, size, pool, faults, slot: Mutex::new(Some(slot)) });
        if image {
            plan::made(LiveMemory(used.clone()));
        }
        Ok(Box::new(SlotMemory { used, capacity: reserved }))
    }
}
