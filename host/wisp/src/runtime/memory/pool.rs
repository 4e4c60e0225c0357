//! Slots: mapped memories that are used again and again. Those of one image make a pool.
//!
//! A slot that was used holds what its last process left. It is restored before anybody else gets it: pages that were
//! written are copied back from the image, up to a bound, and the rest is given back to the kernel. That happens on a
//! thread of its own, or by whoever needs a slot first; never while somebody waits for an answer.

use std::collections::VecDeque;
use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};

use super::image::Image;
use super::metrics::{Counters, Place, SlotBounds, SlotMetrics};
use super::sys::{Pagemap, Region, merges_pages, page, thread_faults};
use crate::meter::thread_time;
use crate::runtime::percpu::PerCpuStack;

/// With fewer slots ready than this the restoring thread is woken at once; otherwise it looks at the next tick.
const LOW: usize = 2;

/// After so many restores in a row that needed no look at the memory, pages that hold what the image does are given back:
/// one process that wrote much would otherwise make every restore of its slot as long as its own.
const LEAN: u32 = 64;

/// What all pools of an engine share.
pub(crate) struct Space {
    pub(super) pagemap: Pagemap,
    bounds: SlotBounds,
    counters: Arc<Counters>,
    queue: Arc<Queue>,
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
    /// Bytes that can be accessed: what its process grew to.
    pub accessible: usize,
    /// The pages that are its own, if they are known.
    own: Option<Vec<Range<usize>>>,
    /// Whether its process made no page its own: it had no page fault.
    pub quiet: bool,
    /// Restores in a row that took its pages as they were known.
    repeated: u32,
    counters: Arc<Counters>,
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.counters.mapped.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Space {
    /// # Errors
    /// When the kernel has no means to find written pages; the message says which.
    pub(crate) fn new(bounds: SlotBounds) -> io::Result<Arc<Space>> {
        let pagemap = Pagemap::open().map_err(|error| said("/proc/self/pagemap cannot be opened", &error))?;
        let space = Arc::new(Space { pagemap, bounds, counters: Arc::default(), queue: Arc::default() });
        space.prove()?;
        let queue = space.queue.clone();
        // Without the thread, whoever needs a slot restores one.
        if let Err(error) = std::thread::Builder::new().name("wisp-restore".to_owned()).spawn(move || queue.serve()) {
            tracing::warn!(%error, "no thread to restore memories with");
        }
        Ok(space)
    }

    /// See the kernel do what restoring depends on.
    fn prove(self: &Arc<Self>) -> io::Result<()> {
        use std::os::unix::fs::FileExt;
        if merges_pages() {
            return Err(io::Error::other(
                "the kernel merges this process's pages (PR_SET_MEMORY_MERGE): which were written is not sure then",
            ));
        }
        let page = page();
        let file = super::image::sealed(|file| file.write_all_at(&vec![7; 2 * page], 0))
            .map_err(|error| said("memfd_create is refused", &error))?;
        let image = Arc::new(Image::of_file(file, 2 * page, 4 * page)?);
        let pool = SlotPool::new(self.clone(), image);
        let mut slot = pool.map(4 * page, 0)?;
        // SAFETY: the slot is this function's alone, and four pages of it can be accessed.
        let bytes = unsafe { slot.region.bytes_mut(0..4 * page) };
        let (untouched, first, second) = (bytes[0], page, 3 * page);
        // Two pages become this memory's own, each by a fault: that restoring may leave out the look at the memory where
        // there was none depends on it.
        for (at, value) in [(first, untouched + 1), (second, 1)] {
            let before = thread_faults();
            *std::hint::black_box(&mut bytes[at]) = value;
            if thread_faults() == before {
                return Err(io::Error::other("a page that was written for the first time is no page fault of the thread's"));
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

    /// The bounds.
    pub(crate) fn bounds(&self) -> SlotBounds {
        self.bounds
    }

    /// What the slots did so far.
    pub(crate) fn metrics(&self) -> SlotMetrics {
        self.counters.show()
    }

    /// Count an instance that is to be ready, its memory from `pool`; `None` when as much lies idle as may, and none of it
    /// is what it would take.
    pub(crate) fn place(&self, pool: Option<&SlotPool>) -> Option<Place> {
        let room = self.counters.waiting() < self.bounds.max_idle as u64;
        (room || pool.is_some_and(|pool| pool.ready.len() > 0)).then(|| Place::new(&self.counters))
    }

    /// A process begins whose instance was, or was not, ready.
    pub(crate) fn began(&self, ready: bool) {
        let counter = if ready { &self.counters.instance_hits } else { &self.counters.instance_misses };
        counter.fetch_add(1, Ordering::Relaxed);
    }

    /// What is to be looked at from time to time.
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
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Wake the restoring thread if something waits for it.
    pub(crate) fn nudge(&self) {
        if self.waiting.load(Ordering::Relaxed) && !self.lock().is_empty() {
            self.wake.notify_one();
        }
    }

    /// Restore slots until the space is gone.
    fn serve(&self) {
        let mut slots = self.lock();
        loop {
            if self.closed.load(Ordering::SeqCst) {
                return;
            }
            // One at a time: what waits can still be taken by whoever needs a memory first, while this thread is not running.
            let Some((pool, mut slot)) = slots.pop_front() else {
                self.waiting.store(true, Ordering::Relaxed);
                slots = self.wake.wait(slots).unwrap_or_else(PoisonError::into_inner);
                self.waiting.store(false, Ordering::Relaxed);
                continue;
            };
            drop(slots);
            // A pool that is gone takes its slots along.
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
    pub(crate) fn new(space: Arc<Space>, image: Arc<Image>) -> Arc<SlotPool> {
        Arc::new(SlotPool { image, space, ready: PerCpuStack::default() })
    }

    /// What its memories start with.
    pub(crate) fn image(&self) -> &Arc<Image> {
        &self.image
    }

    pub(crate) fn space(&self) -> &Arc<Space> {
        &self.space
    }

    /// A slot that holds the image, with `len` bytes reserved and `front` before them.
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

    /// Map slots until `count` are ready, as far as the bounds allow.
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

    /// One of this pool's that waits to be restored.
    fn take_used(self: &Arc<Self>) -> Option<Slot> {
        let mut queue = self.space.queue.lock();
        let at = queue.iter().position(|(pool, _)| pool.as_ptr() == Arc::as_ptr(self))?;
        let (_, slot) = queue.remove(at)?;
        self.space.counters.idle.fetch_sub(1, Ordering::Relaxed);
        Some(slot)
    }

    fn map(&self, len: usize, front: usize) -> io::Result<Slot> {
        let region = Region::guarded(front, len)?;
        region.small_pages();
        // SAFETY: the reservation was made just now, nobody knows its address.
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

    /// Take back a slot that its process has left.
    pub(super) fn give_back(self: &Arc<Self>, mut slot: Slot) {
        let counters = &self.space.counters;
        if counters.waiting() >= self.space.bounds.max_idle as u64 {
            return;
        }
        counters.idle.fetch_add(1, Ordering::Relaxed);
        if slot.quiet && slot.own.is_some() && slot.accessible == self.image.size() {
            // Its pages are known and in this processor's cache: copying them back takes less than telling another thread.
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

    /// The pages of these ranges that differ from the image; the others are given back to the kernel. `None` if they are too
    /// few for that: then all stay.
    ///
    /// # Errors
    /// The system's.
    ///
    /// # Safety
    /// Nobody may access the memory at the same time, and the ranges must be accessible.
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
        // Taking pages back that the next process writes again costs every processor more than copying them does.
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

    /// Make the slot hold the image again, and nothing else.
    ///
    /// # Errors
    /// The system's. The slot must not be used then.
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
            // No page was added: those known are all there are.
            Some(own) if slot.repeated < LEAN => {
                slot.repeated += 1;
                own
            }
            Some(own) => {
                slot.repeated = 0;
                // SAFETY: the slot is in no instance: `Slot` is owned by whoever restores it.
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
                // SAFETY: the slot is in no instance: `Slot` is owned by whoever restores it. The range lies below what can
                // be accessed.
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
