//! Slots as wasmtime's linear memories.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use wasmtime::{LinearMemory, MemoryCreator, MemoryType};

use super::image::Image;
use super::plan;
use super::pool::{Slot, SlotPool};
use super::sys::{Region, page};
use crate::runtime::cpu::Faults;

/// Makes wasmtime's memories out of slots, according to the plan of the present instantiation.
pub(crate) struct SlotMemories;

/// A memory in use.
struct SlotMemory {
    /// Present until it is dropped.
    slot: Option<Slot>,
    pool: Arc<SlotPool>,
    size: Arc<AtomicUsize>,
    capacity: usize,
    faults: Option<Faults>,
}

/// Access to the memory of an instance, to take a snapshot of it or to write to it.
#[derive(Clone)]
pub(crate) struct LiveMemory {
    region: Arc<Region>,
    size: Arc<AtomicUsize>,
    pool: Arc<SlotPool>,
}

impl LiveMemory {
    /// Bytes it has grown to.
    pub(crate) fn size(&self) -> usize {
        self.size.load(Ordering::Acquire)
    }

    /// The image of its present contents. The cost is proportional to the bytes written since it started.
    ///
    /// # Errors
    /// The system's.
    ///
    /// # Safety
    /// No code of the instance may run at the same time, and the instance must still exist.
    pub(crate) unsafe fn freeze(&self) -> std::io::Result<Image> {
        // SAFETY: the caller's promise.
        unsafe { self.pool.image().derive(&self.region, self.size(), &self.pool.space().pagemap) }
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
            let word = self.region.base().add(address).cast::<u32>();
            word.write_unaligned((word.read_unaligned().to_le() | bits).to_le());
        }
    }

    /// The settings of its slot.
    pub(crate) fn space(&self) -> &Arc<super::Space> {
        self.pool.space()
    }

    /// Bytes of private pages, which it wrote, in memory.
    ///
    /// # Errors
    /// The system's.
    pub(crate) fn private_bytes(&self) -> std::io::Result<usize> {
        let mut bytes = 0;
        self.pool.space().pagemap.written(&self.region, 0..self.size(), |range| bytes += range.len())?;
        Ok(bytes)
    }
}

// SAFETY: `as_ptr` is the start of a reservation that lives as long as this value and never moves. `byte_size` bytes
// from there can be read and written: the slot starts with `accessible` accessible bytes, and `grow_to` makes more
// accessible before it reports them. The bytes beyond, up to `byte_capacity` and the guard that `new_memory`
// reserved, fault.
unsafe impl LinearMemory for SlotMemory {
    fn byte_size(&self) -> usize {
        self.size.load(Ordering::Relaxed)
    }

    fn byte_capacity(&self) -> usize {
        self.capacity
    }

    fn grow_to(&mut self, new_size: usize) -> wasmtime::Result<()> {
        let Some(slot) = self.slot.as_mut() else { wasmtime::bail!("the memory is gone") };
        if new_size > self.capacity {
            wasmtime::bail!("{new_size} bytes are more than the {} reserved", self.capacity);
        }
        let end = new_size.next_multiple_of(page());
        if end > slot.accessible {
            slot.region.allow(slot.accessible..end, true)?;
            slot.accessible = end;
        }
        self.size.store(new_size, Ordering::Release);
        Ok(())
    }

    fn as_ptr(&self) -> *mut u8 {
        self.slot.as_ref().map_or(std::ptr::null_mut(), |slot| slot.region.base())
    }
}

impl Drop for SlotMemory {
    fn drop(&mut self) {
        if let Some(mut slot) = self.slot.take() {
            slot.quiet = self.faults.as_ref().is_some_and(Faults::none);
            self.pool.give_back(slot);
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
        let slot = pool.take(reserved + guard, guard).map_err(|error| format!("no memory for a process: {error}"))?;
        if slot.region.len() < reserved + guard {
            return Err("a slot of another engine's".to_owned());
        }
        let size = Arc::new(AtomicUsize::new(pool.image().size()));
        if image {
            plan::made(LiveMemory { region: slot.region.clone(), size: size.clone(), pool: pool.clone() });
        }
        Ok(Box::new(SlotMemory { slot: Some(slot), pool, size, capacity: reserved, faults }))
    }
}
