//! Memory of a session: one account, which every process debits for its linear memory and for what the host holds for
//! it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use wasmtime::ResourceLimiter;

use crate::runtime::{CORES_PER_COMPONENT, HostFault, TABLE_ELEMENT, host_fault};
use crate::wasi::HostMemory;
use wisp_process::MemoryGauge;

/// Maximum elements of a table: 200,000 is twice what CPython with packages has, and 1.6 MB of host memory.
const MAX_TABLE: usize = 200_000;

/// The memory that a session's processes hold together.
pub(crate) struct MemoryAccount {
    limit: u64,
    held: AtomicU64,
    peak: AtomicU64,
}

impl MemoryAccount {
    pub(crate) fn new(limit: u64) -> Arc<Self> {
        Arc::new(Self { limit, held: AtomicU64::new(0), peak: AtomicU64::new(0) })
    }

    /// Returns the peak since the last call, in bytes.
    pub(crate) fn take_peak(&self) -> u64 {
        self.peak.swap(self.held.load(Ordering::Relaxed), Ordering::Relaxed)
    }

    fn debit(&self, bytes: u64) -> bool {
        let taken =
            self.held.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |held| held.checked_add(bytes).filter(|held| *held <= self.limit));
        match taken {
            Ok(before) => {
                self.peak.fetch_max(before + bytes, Ordering::Relaxed);
                true
            }
            Err(_) => false,
        }
    }
}

impl HostMemory for MemoryAccount {
    fn take(&self, bytes: u64) -> bool {
        self.debit(bytes)
    }

    fn owe(&self, bytes: u64) {
        let before = self.held.fetch_add(bytes, Ordering::Relaxed);
        self.peak.fetch_max(before + bytes, Ordering::Relaxed);
    }

    fn give(&self, bytes: u64) {
        self.held.fetch_sub(bytes, Ordering::Relaxed);
    }

    fn left(&self) -> u64 {
        self.limit.saturating_sub(self.held.load(Ordering::Relaxed))
    }
}

/// One process's debit; dropping it returns the memory.
pub(crate) struct ProcessMemory {
    account: Arc<dyn HostMemory>,
    held: u64,
    /// What a memory was last allowed to grow by.
    growth: u64,
    /// The memory that the process reports to hold.
    shown: Arc<MemoryGauge>,
}

impl ProcessMemory {
    pub(crate) fn new(account: Arc<dyn HostMemory>, shown: Arc<MemoryGauge>) -> Self {
        Self { account, held: 0, growth: 0, shown }
    }
}

impl ProcessMemory {
    /// Returns the number of bytes that it has debited.
    pub(crate) fn held(&self) -> u64 {
        self.held
    }

    /// Debits what another process held, if the limit allows it.
    pub(crate) fn take_over(&mut self, other: &Self) -> bool {
        self.take(other.held)
    }

    /// Debits more memory, if the limit allows it.
    pub(crate) fn take(&mut self, bytes: u64) -> bool {
        let granted = self.account.take(bytes);
        if granted {
            self.held += bytes;
            self.shown.add(bytes);
        }
        granted
    }
}

impl Drop for ProcessMemory {
    fn drop(&mut self) {
        self.account.give(self.held);
        self.shown.remove(self.held);
    }
}

impl ResourceLimiter for ProcessMemory {
    fn memory_growing(&mut self, current: usize, desired: usize, maximum: Option<usize>) -> wasmtime::Result<bool> {
        if maximum.is_some_and(|maximum| desired > maximum) {
            return Ok(false);
        }
        let more = desired.saturating_sub(current) as u64;
        // A limit of the process's own (`ulimit -v`) is no limit of the session: nothing reports it. What a program has
        // at its start is not refused, so that every program can say why it ends.
        if current > 0 && !self.shown.allows(more) {
            return Ok(false);
        }
        let granted = self.take(more);
        self.growth = if granted { more } else { 0 };
        Ok(granted)
    }

    fn memory_grow_failed(&mut self, error: wasmtime::Error) -> wasmtime::Result<()> {
        tracing::debug!(%error, "a process's memory did not grow");
        // The program sees that there is no memory, as it does at the limit, which allows it here.
        if let Some((code, message)) = host_fault(&HostFault::of_system("the memory of a process cannot grow", error)) {
            // It was granted just now, and is not there.
            let missing = std::mem::take(&mut self.growth);
            self.held -= missing;
            self.account.give(missing);
            self.shown.remove(missing);
            self.account.failed(code, message);
        }
        Ok(())
    }

    fn table_growing(&mut self, current: usize, desired: usize, maximum: Option<usize>) -> wasmtime::Result<bool> {
        if desired > MAX_TABLE || maximum.is_some_and(|maximum| desired > maximum) {
            return Ok(false);
        }
        Ok(self.take(desired.saturating_sub(current) as u64 * TABLE_ELEMENT))
    }

    fn instances(&self) -> usize {
        CORES_PER_COMPONENT as usize
    }

    fn tables(&self) -> usize {
        CORES_PER_COMPONENT as usize
    }

    fn memories(&self) -> usize {
        16
    }
}
