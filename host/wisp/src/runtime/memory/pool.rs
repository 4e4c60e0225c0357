//! Slots: mapped memories that are reused. Those of one image form a pool.
//!
//! A used slot holds what its last process left. It is restored before it is reused: written pages are copied back
//! from the image, up to a bound, and the rest is returned to the kernel. This happens on a separate thread, or on
//! the thread that first needs a slot; never while a caller waits for a result.

use std::collections::VecDeque;
use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};

use parking_lot::{Condvar, Mutex, MutexGuard};

use super::image::Image;
use super::metrics::{Counters, Place, SlotBounds, SlotMetrics};
use super::sys::{Pagemap, Region, merges_pages, page, thread_faults};
use crate::meter::thread_time;
use crate::runtime::fault::{FailPoint, FailPoints};
use crate::runtime::percpu::PerCpuStack;

/// With fewer ready slots than this, the restoring thread is woken at once; otherwise it checks at the next tick.
const LOW: usize = 2;

/// After this many restores in a row without a scan of the memory, pages that equal the image are returned to the
/// kernel. Otherwise, after one process that wrote much, every restore of its slot would take as long as that
/// process's.
const LEAN: u32 = 64;

/// What all pools of an engine share.
pub(crate) struct Space {
    pub(super) pagemap: Pagemap,
    bounds: SlotBounds,
    counters: Arc<Counters>,
    queue: Arc<Queue>,
    fail: FailPoints,
}

/// Slots to be restored.
#[derive(Default)]
pub(crate) struct Queue {
    slots: Mutex<VecDeque<(Weak<SlotPool>, Slot)>>,
    wake: Condvar,
    waiting: AtomicBool,
    closed: AtomicBool,
}

/// A mapped memory.
pub(super) struct Slot {
    pub region: Arc<Region>,
    /// Bytes that are accessible: what its process grew to.
    pub accessible: usize,
    /// Its private pages, if they are known.
    own: Option<Vec<Range<usize>>>,
    /// Whether its process made no page private: it had no page fault.
    pub quiet: bool,
    /// Restores in a row that relied on the known pages.
    repeated: u32,
    counters: Arc<Counters>,
}

impl Slot {
    /// Returns whether restoring it needs no scan, if its last process had no page fault: it has not grown beyond `size`, and its
    /// private pages are known.
    pub(super) fn is_known(&self, size: usize) -> bool {
        self.own.is_some() && self.accessible == size
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.counters.mapped.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Space {
    /// Creates a pool of slots within these bounds.
    ///
    /// # Errors
    /// When the kernel has no means to find written pages; the message names it.
    pub(crate) fn new(bounds: SlotBounds, fail: FailPoints) -> io::Result<Arc<Self>> {
        let pagemap = Pagemap::open().map_err(|error| said("/proc/self/pagemap cannot be opened", &error))?;
        let space = Arc::new(Self { pagemap, bounds, counters: Arc::default(), queue: Arc::default(), fail });
        space.prove()?;
        let queue = space.queue.clone();
        // Without the thread, the thread that needs a slot restores one.
        if let Err(error) = std::thread::Builder::new().name("wisp-restore".to_owned()).spawn(move || queue.serve()) {
            tracing::warn!(%error, "no thread to restore memories with");
        }
        Ok(space)
    }

    /// Tests that the kernel does what restoring depends on.
    fn prove(self: &Arc<Self>) -> io::Result<()> {
        use std::os::unix::fs::FileExt;
        if merges_pages() {
            return Err(io::Error::other(
                "the kernel merges this process's pages (PR_SET_MEMORY_MERGE), so written pages cannot be found reliably",
            ));
        }
        let page = page();
        let file = super::image::sealed(|file| file.write_all_at(&vec![7; 2 * page], 0))
            .map_err(|error| said("memfd_create is refused", &error))?;
        let image = Arc::new(Image::of_file(file, 2 * page, 4 * page)?);
        let pool = SlotPool::new(self.clone(), image);
        let mut slot = pool.map(4 * page, 0)?;
        // SAFETY: the slot belongs to this function alone, and four of its pages are accessible.
        let bytes = unsafe { slot.region.bytes_mut(0..4 * page) };
        let (untouched, first, second) = (bytes[0], page, 3 * page);
        // Two pages become private, each by a fault: restoring relies on this when it skips the scan of a memory
        // without faults.
        for (at, value) in [(first, untouched + 1), (second, 1)] {
            let before = thread_faults();
            *std::hint::black_box(&mut bytes[at]) = value;
            if thread_faults() == before {
                return Err(io::Error::other("the first write to a page is not counted as a page fault of the thread"));
            }
        }
        let mut found = Vec::new();
        let scan = self.pagemap.written(&slot.region, 0..4 * page, |range| found.push(range));
        scan.map_err(|error| said("the kernel has no PAGEMAP_SCAN (Linux 6.7)", &error))?;
        if found != [first..first + page, second..second + page] {
            return Err(io::Error::other(format!("PAGEMAP_SCAN found {found:?} where pages 1 and 3 were written")));
        }
        pool.restore(&mut slot)?;
        // SAFETY: as above.
        let bytes = unsafe { slot.region.bytes(0..4 * page) };
        if bytes[first] != 7 || bytes[second] != 0 {
            return Err(io::Error::other("a restored page does not hold what its image does"));
        }
        Ok(())
    }

    /// Returns what a test makes fail.
    pub(crate) fn fail(&self) -> &FailPoints {
        &self.fail
    }

    /// Returns the bounds.
    pub(crate) fn bounds(&self) -> SlotBounds {
        self.bounds
    }

    /// Returns what the slots did so far.
    pub(crate) fn metrics(&self) -> SlotMetrics {
        self.counters.show()
    }

    /// Returns whether more slots are in use than may be without those at rest giving back what they can.
    pub(crate) fn is_crowded(&self) -> bool {
        let mapped = self.counters.mapped.load(Ordering::Relaxed);
        mapped.saturating_sub(self.counters.waiting()) > self.bounds.max_warm as u64
    }

    /// Counts an instance that will be ready, with its memory from `pool`; `None` if the maximum is idle already, and
    /// none of it could be replaced.
    pub(crate) fn place(&self, pool: Option<&SlotPool>) -> Option<Place> {
        let room = self.counters.waiting() < self.bounds.max_idle as u64;
        (room || pool.is_some_and(|pool| pool.ready.len() > 0)).then(|| Place::new(&self.counters))
    }

    /// Counts a process that begins, and whether its instance was ready.
    pub(crate) fn began(&self, ready: bool) {
        let counter = if ready { &self.counters.instance_hits } else { &self.counters.instance_misses };
        counter.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts an instance that its next process uses again.
    pub(crate) fn reused(&self) {
        self.counters.reused.fetch_add(1, Ordering::Relaxed);
    }

    /// Returns what must be checked from time to time.
    pub(crate) fn queue(&self) -> Weak<Queue> {
        Arc::downgrade(&self.queue)
    }
}

impl Drop for Space {
    fn drop(&mut self) {
        self.queue.closed.store(true, Ordering::SeqCst);
        self.queue.lock().clear();
        self.queue.wake.notify_all();
    }
}

fn said(what: &str, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{what}: {error}"))
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, VecDeque<(Weak<SlotPool>, Slot)>> {
        self.slots.lock()
    }

    /// Wakes the restoring thread if something waits for it.
    pub(crate) fn nudge(&self) {
        if self.waiting.load(Ordering::Relaxed) && !self.lock().is_empty() {
            self.wake.notify_one();
        }
    }

    /// Restores slots until the space is gone.
    fn serve(&self) {
        let mut slots = self.lock();
        loop {
            if self.closed.load(Ordering::SeqCst) {
                return;
            }
            // One at a time: while this thread is not running, a thread that needs a memory can still take what
            // waits.
            let Some((pool, mut slot)) = slots.pop_front() else {
                self.waiting.store(true, Ordering::Relaxed);
                self.wake.wait(&mut slots);
                self.waiting.store(false, Ordering::Relaxed);
                continue;
            };
            drop(slots);
            // A dropped pool drops its slots.
            if let Some(pool) = pool.upgrade() {
                match pool.restore(&mut slot) {
                    Ok(()) => pool.ready.put(slot),
                    Err(error) => pool.lose(&error),
                }
            }
            slots = self.lock();
        }
    }
}

/// The slots of one image.
pub(crate) struct SlotPool {
    image: Arc<Image>,
    space: Arc<Space>,
    ready: PerCpuStack<Slot>,
}

impl Drop for SlotPool {
    fn drop(&mut self) {
        let idle = self.ready.len();
        self.space.counters.idle.fetch_sub(idle, Ordering::Relaxed);
    }
}

impl SlotPool {
    pub(crate) fn new(space: Arc<Space>, image: Arc<Image>) -> Arc<Self> {
        Arc::new(Self { image, space, ready: PerCpuStack::default() })
    }

    /// Returns the initial contents of its memories.
    pub(crate) fn image(&self) -> &Arc<Image> {
        &self.image
    }

    pub(crate) fn space(&self) -> &Arc<Space> {
        &self.space
    }

    /// Returns a slot that holds the image, with `len` bytes reserved and `front` before them.
    ///
    /// # Errors
    /// The system's.
    pub(super) fn take(self: &Arc<Self>, len: usize, front: usize) -> io::Result<Slot> {
        let counters = &self.space.counters;
        counters.taken.fetch_add(1, Ordering::Relaxed);
        if let Some(slot) = self.ready.take() {
            counters.idle.fetch_sub(1, Ordering::Relaxed);
            counters.hits.fetch_add(1, Ordering::Relaxed);
            debug_assert!(slot.region.len() >= len);
            return Ok(slot);
        }
        if let Some(mut slot) = self.take_used() {
            match self.restore(&mut slot) {
                Ok(()) => return Ok(slot),
                Err(error) => tracing::warn!(%error, "a memory could not be restored and was unmapped"),
            }
        }
        self.map(len, front)
    }

    /// Maps slots until `count` are ready, as far as the bounds allow.
    ///
    /// # Errors
    /// The system's.
    pub(crate) fn fill(self: &Arc<Self>, count: usize, len: usize, front: usize) -> io::Result<()> {
        while self.ready.len() < count && self.space.counters.idle.load(Ordering::Relaxed) < self.space.bounds.max_idle {
            let slot = self.map(len, front)?;
            self.space.counters.idle.fetch_add(1, Ordering::Relaxed);
            self.ready.put(slot);
        }
        Ok(())
    }

    /// Returns one slot of this pool that waits to be restored.
    fn take_used(self: &Arc<Self>) -> Option<Slot> {
        let mut queue = self.space.queue.lock();
        let at = queue.iter().position(|(pool, _)| pool.as_ptr() == Arc::as_ptr(self))?;
        let (_, slot) = queue.remove(at)?;
        self.space.counters.idle.fetch_sub(1, Ordering::Relaxed);
        Some(slot)
    }

    fn map(&self, len: usize, front: usize) -> io::Result<Slot> {
        self.space.fail.check(FailPoint::Memory)?;
        let region = Region::guarded(front, len)?;
        region.small_pages();
        // SAFETY: the reservation was made just now, and its address is not shared.
        unsafe { self.image.map_into(&region)? };
        self.space.counters.mapped.fetch_add(1, Ordering::Relaxed);
        Ok(Slot {
            region: Arc::new(region),
            accessible: self.image.size(),
            own: None,
            quiet: false,
            repeated: 0,
            counters: self.space.counters.clone(),
        })
    }

    /// Takes back a slot that its process has left.
    pub(super) fn give_back(self: &Arc<Self>, mut slot: Slot) {
        let counters = &self.space.counters;
        if counters.waiting() >= self.space.bounds.max_idle as u64 {
            return;
        }
        counters.idle.fetch_add(1, Ordering::Relaxed);
        if slot.quiet && slot.is_known(self.image.size()) {
            // Its pages are known and in this processor's cache: copying them back takes less time than notifying
            // another thread.
            match self.restore(&mut slot) {
                Ok(()) => self.ready.put(slot),
                Err(error) => self.lose(&error),
            }
            return;
        }
        let queue = &self.space.queue;
        queue.lock().push_back((Arc::downgrade(self), slot));
        if self.ready.len() < LOW && queue.waiting.load(Ordering::Relaxed) {
            queue.wake.notify_one();
        }
    }

    /// Returns the pages of these ranges that differ from the image; the others are returned to the kernel. `None` if there
    /// are too few of them: then all stay.
    ///
    /// # Errors
    /// The system's.
    ///
    /// # Safety
    /// The memory must not be accessed at the same time, and the ranges must be accessible.
    unsafe fn written_last(&self, region: &Region, own: &[Range<usize>]) -> io::Result<Option<Vec<Range<usize>>>> {
        let (mut kept, mut same): (Vec<Range<usize>>, Vec<Range<usize>>) = (Vec::new(), Vec::new());
        for page in own.iter().cloned().flat_map(|range| range.step_by(page()).map(|at| at..at + page())) {
            // SAFETY: the caller's promise.
            let list = if self.image.holds(unsafe { region.bytes(page.clone()) }, page.start) { &mut same } else { &mut kept };
            match list.last_mut() {
                Some(last) if last.end == page.start => last.end = page.end,
                _ => list.push(page),
            }
        }
        // Returning pages that the next process writes again costs every processor more than copying them.
        if same.iter().map(Range::len).sum::<usize>() < kept.iter().map(Range::len).sum() {
            return Ok(None);
        }
        for range in same {
            self.space.counters.discarded.fetch_add(range.len() as u64, Ordering::Relaxed);
            // SAFETY: the caller's promise.
            unsafe { region.discard(range)? };
        }
        Ok(Some(kept))
    }

    fn lose(&self, error: &io::Error) {
        self.space.counters.idle.fetch_sub(1, Ordering::Relaxed);
        tracing::warn!(%error, "a memory could not be restored and was unmapped");
    }

    /// Makes the slot hold exactly the image again.
    ///
    /// # Errors
    /// The system's. The slot must not be used afterwards.
    pub(super) fn restore(&self, slot: &mut Slot) -> io::Result<()> {
        let before = thread_time();
        let restored = self.restore_now(slot);
        self.space.counters.restore_time.fetch_add(thread_time().saturating_sub(before), Ordering::Relaxed);
        restored
    }

    fn restore_now(&self, slot: &mut Slot) -> io::Result<()> {
        let (region, size) = (slot.region.clone(), self.image.size());
        let own = slot.own.take().filter(|_| slot.quiet && slot.accessible == size);
        let own = match own {
            // No page was added: the known pages are all.
            Some(own) if slot.repeated < LEAN => {
                slot.repeated += 1;
                own
            }
            Some(own) => {
                slot.repeated = 0;
                // SAFETY: the slot is in no instance, because the restorer owns the `Slot`.
                unsafe { self.written_last(&region, &own)? }.unwrap_or(own)
            }
            None => {
                slot.repeated = 0;
                self.space.counters.scans.fetch_add(1, Ordering::Relaxed);
                let mut found = Vec::new();
                self.space.pagemap.written(&region, 0..size.min(slot.accessible), |range| found.push(range))?;
                found
            }
        };
        let (mut kept, mut discarded, mut keep) = (0, 0, Vec::with_capacity(own.len()));
        for range in own {
            let len = range.len();
            if kept + len <= self.space.bounds.keep_resident {
                kept += len;
                // SAFETY: the slot is in no instance, because the restorer owns the `Slot`. The range is below the
                // end of the accessible bytes.
                self.image.copy_to(range.clone(), unsafe { region.bytes_mut(range.clone()) });
                keep.push(range);
            } else {
                discarded += len;
                // SAFETY: as above.
                unsafe { region.discard(range)? };
            }
        }
        slot.own = Some(keep);
        slot.quiet = false;
        if slot.accessible > size {
            let grown = size..slot.accessible;
            discarded += grown.len();
            // SAFETY: as above.
            unsafe { region.discard(grown.clone())? };
            region.allow(grown, false)?;
            slot.accessible = size;
        }
        let counters = &self.space.counters;
        counters.restores.fetch_add(1, Ordering::Relaxed);
        counters.copied.fetch_add(kept as u64, Ordering::Relaxed);
        counters.discarded.fetch_add(discarded as u64, Ordering::Relaxed);
        Ok(())
    }
}
