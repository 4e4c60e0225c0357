//! Slots as wasmtime's linear memories.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use parking_lot::Mutex;
use wasmtime::{LinearMemory, MemoryCreator, MemoryType};

use super::image::Image;
use super::plan;
use super::pool::{Slot, SlotPool};
use super::sys::{Region, page};
use crate::runtime::cpu::Faults;
use crate::runtime::fault::{FailPoint, HostFault};

/// Makes wasmtime's memories out of slots, according to the plan of the present instantiation.
pub(crate) struct SlotMemories;

/// A memory in use.
struct SlotMemory {
    used: Arc<Used>,
    capacity: usize,
}

/// What an instance's memory is.
struct Used {
    region: Arc<Region>,
    size: AtomicUsize,
    pool: Arc<SlotPool>,
    /// Page faults of the code that runs in the instance, if all of it is measured.
    faults: Option<Faults>,
    /// Present until the memory is dropped.
    slot: Mutex<Option<Slot>>,
}

/// Access to the memory of an instance: to take a snapshot of it, to write to it, or to restore it.
#[derive(Clone)]
pub(crate) struct LiveMemory(Arc<Used>);

impl LiveMemory {
    /// Bytes it has grown to.
    pub(crate) fn size(&self) -> usize {
        self.0.size.load(Ordering::Acquire)
    }

    /// Makes it hold its image again, for another process of the same instance. Returns false if that cannot be done at once:
    /// it has grown, which an instance cannot undo, or its pages must be looked for first. It is unchanged then.
    ///
    /// # Errors
    /// The system's. The instance must not be used any more.
    ///
    /// # Safety
    /// None of the instance's code runs, and none expects what the memory held.
    pub(crate) unsafe fn restore(&self) -> std::io::Result<bool> {
        let Used { pool, faults, slot, .. } = &*self.0;
        let mut slot = slot.lock();
        let (Some(faults), Some(known)) = (faults, slot.as_mut()) else { return Ok(false) };
        if self.size() != pool.image().size() || !faults.none() || !known.is_known(pool.image().size()) {
            return Ok(false);
        }
        known.quiet = true;
        if let Err(error) = pool.restore(known) {
            // The region stays mapped, for the instance still exists.
            *slot = None;
            return Err(error);
        }
        Ok(true)
    }

    /// The image of its present contents. The cost is proportional to the bytes written since it started.
    ///
    /// # Errors
    /// The system's.
    ///
    /// # Safety
    /// No code of the instance may run at the same time, and the instance must still exist.
    pub(crate) unsafe fn freeze(&self) -> std::io::Result<Image> {
        self.0.pool.space().fail().check(FailPoint::Snapshot)?;
        // SAFETY: the caller's promise.
        unsafe { self.0.pool.image().derive(&self.0.region, self.size(), &self.0.pool.space().pagemap) }
    }

    /// Sets `bits` in the 32-bit word at `address`. Does nothing if that is outside the memory.
    ///
    /// # Safety
    /// As for `freeze`.
    pub(crate) unsafe fn set_bits(&self, address: usize, bits: u32) {
        if address.checked_add(size_of::<u32>()).is_none_or(|end| end > self.size()) {
            return;
        }
        // SAFETY: the word is within the bytes that the instance has, which are mapped for writing while it exists; and
        // by the caller's promise nothing else accesses them now.
        unsafe {
            let word = self.0.region.base().add(address).cast::<u32>();
            word.write_unaligned((word.read_unaligned().to_le() | bits).to_le());
        }
    }

    /// The settings of its slot.
    pub(crate) fn space(&self) -> &Arc<super::Space> {
        self.0.pool.space()
    }

    /// Bytes of private pages, which it wrote, in memory.
    ///
    /// # Errors
    /// The system's.
    pub(crate) fn private_bytes(&self) -> std::io::Result<usize> {
        let mut bytes = 0;
        self.0.pool.space().pagemap.written(&self.0.region, 0..self.size(), |range| bytes += range.len())?;
        Ok(bytes)
    }
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
