//! Bounds for idle memories, and counters.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// Bounds for slots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SlotBounds {
    /// Maximum bytes of a used slot that stay in memory and are restored by copying (4 MiB). More is faster for
    /// programs that write more, and costs that much for each idle slot.
    pub keep_resident: usize,
    /// Maximum idle slots that stay mapped, of all images together, and ready instances (64).
    pub max_idle: usize,
    /// For each component, slots that `Engine::warm` makes ready, and instances kept ready once processes of it have
    /// run (4). Each costs from some hundred KiB to 1 MiB.
    pub ready: usize,
    /// Slots in use up to which an interpreter keeps its stack between two evaluations (1,024; most have two slots). With
    /// more, it gives the stack's pages and maps back each time and takes them again, which costs microseconds: a process
    /// has room for 65,530 maps (`vm.max_map_count`).
    pub max_warm: usize,
}

impl Default for SlotBounds {
    fn default() -> Self {
        Self { keep_resident: 4 << 20, max_idle: 64, ready: 4, max_warm: 1024 }
    }
}

/// Counters of the slots since the engine started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct SlotMetrics {
    /// Slots that are mapped now: used, waiting to be restored, or ready.
    pub mapped: u64,
    /// Slots that are idle now.
    pub idle: u64,
    /// Memories taken into use.
    pub taken: u64,
    /// Of these, from a ready slot.
    pub hits: u64,
    /// Slots restored.
    pub restores: u64,
    /// Of these, after a scan of all of the memory: a process without a page fault needs none.
    pub scans: u64,
    /// Processor time of restoring, in nanoseconds, on every thread: that of a process if it restores its memory
    /// itself, that of the engine if the restoring thread does.
    pub restore_time: u64,
    /// Bytes copied back.
    pub copied: u64,
    /// Bytes returned to the kernel: they exceeded what a slot may keep, or were no longer written to.
    pub discarded: u64,
    /// Instances that are ready now; their slots are not counted as idle.
    pub ready: u64,
    /// Processes that started in a prewarmed instance.
    pub instance_hits: u64,
    /// Processes that needed a new instance.
    pub instance_misses: u64,
    /// Instances whose memory was restored in place when their process had ended, to be used again.
    pub reused: u64,
}

#[derive(Debug, Default)]
pub(super) struct Counters {
    pub mapped: AtomicU64,
    pub idle: AtomicUsize,
    pub taken: AtomicU64,
    pub hits: AtomicU64,
    pub restores: AtomicU64,
    pub scans: AtomicU64,
    pub restore_time: AtomicU64,
    pub copied: AtomicU64,
    pub discarded: AtomicU64,
    pub ready: AtomicU64,
    pub instance_hits: AtomicU64,
    pub instance_misses: AtomicU64,
    pub reused: AtomicU64,
}

impl Counters {
    /// Returns the idle slots and instances.
    pub(super) fn waiting(&self) -> u64 {
        self.idle.load(Ordering::Relaxed) as u64 + self.ready.load(Ordering::Relaxed)
    }

    /// Returns the present values.
    pub(super) fn show(&self) -> SlotMetrics {
        let get = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        SlotMetrics {
            mapped: get(&self.mapped),
            idle: self.idle.load(Ordering::Relaxed) as u64,
            taken: get(&self.taken),
            hits: get(&self.hits),
            restores: get(&self.restores),
            scans: get(&self.scans),
            restore_time: get(&self.restore_time),
            copied: get(&self.copied),
            discarded: get(&self.discarded),
            ready: get(&self.ready),
            instance_hits: get(&self.instance_hits),
            instance_misses: get(&self.instance_misses),
            reused: get(&self.reused),
        }
    }
}

/// Counts an instance as ready while it lives.
#[derive(Debug)]
pub(crate) struct Place(Arc<Counters>);

impl Place {
    pub(super) fn new(counters: &Arc<Counters>) -> Self {
        counters.ready.fetch_add(1, Ordering::Relaxed);
        Self(counters.clone())
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.ready.fetch_sub(1, Ordering::Relaxed);
    }
}
