//! The memory of an instance while it exists, for those who are not the instance.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use parking_lot::Mutex;

use super::image::Image;
use super::pool::{Slot, SlotPool};
use super::sys::Region;
use crate::runtime::cpu::Faults;
use crate::runtime::fault::FailPoint;

/// What an instance's memory is.
pub(super) struct Used {
    pub(super) region: Arc<Region>,
    pub(super) size: AtomicUsize,
    pub(super) pool: Arc<SlotPool>,
    /// Page faults of the code that runs in the instance, if all of it is measured.
    pub(super) faults: Option<Faults>,
    /// Present until the memory is dropped.
    pub(super) slot: Mutex<Option<Slot>>,
}

/// Access to the memory of an instance: to take a snapshot of it, to write to it, or to restore it.
#[derive(Clone)]
pub(crate) struct LiveMemory(pub(super) Arc<Used>);

impl LiveMemory {
    /// Returns the number of bytes it has grown to.
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

    /// Returns the image of its present contents. The cost is proportional to the bytes written since it started.
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

    /// Returns the settings of its slot.
    pub(crate) fn space(&self) -> &Arc<super::Space> {
        self.0.pool.space()
    }

    /// Returns the number of bytes of private pages, which it wrote, in memory.
    ///
    /// # Errors
    /// The system's.
    pub(crate) fn private_bytes(&self) -> std::io::Result<usize> {
        let mut bytes = 0;
        self.0.pool.space().pagemap.written(&self.0.region, 0..self.size(), |range| bytes += range.len())?;
        Ok(bytes)
    }
}
