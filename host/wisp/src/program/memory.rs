//! Memory of a session: one account, debited by every process for its linear memory and for what it makes the host hold.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use wasmtime::ResourceLimiter;

use crate::exec::commands::Commands;
use crate::runtime::CORES_PER_COMPONENT;
use crate::wasi::HostMemory;

/// Elements of a table at the most: 200,000 is twice CPython's with packages, and 1.6 MB of the host's memory.
const MAX_TABLE: usize = 200_000;

/// Bytes of a table's element.
const ELEMENT: usize = 8;

/// What a session's processes hold together.
pub(crate) struct MemoryAccount {
    limit: u64,
    held: AtomicU64,
    peak: AtomicU64,
}

impl MemoryAccount {
    pub(crate) fn new(limit: u64) -> Arc<MemoryAccount> {
        Arc::new(MemoryAccount { limit, held: AtomicU64::new(0), peak: AtomicU64::new(0) })
    }

    /// The most that was held since the last call, in bytes.
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

/// The account as one process sees it: it knows whether the process was refused memory.
pub(crate) struct ProcessAccount {
    account: Arc<MemoryAccount>,
    process: u32,
    commands: Arc<Commands>,
    refused: AtomicBool,
}

impl ProcessAccount {
    pub(crate) fn new(account: Arc<MemoryAccount>, process: u32, commands: Arc<Commands>) -> Arc<ProcessAccount> {
        Arc::new(ProcessAccount { account, process, commands, refused: AtomicBool::new(false) })
    }
}

impl HostMemory for ProcessAccount {
    fn take(&self, bytes: u64) -> bool {
        let granted = self.account.debit(bytes);
        // The first time is said; a program that goes on asking is refused each time.
        if !granted
            && !self.refused.swap(true, Ordering::Relaxed)
            && let Some(running) = self.commands.of(self.process)
        {
            running.starve(self.process);
        }
        granted
    }

    fn owe(&self, bytes: u64) {
        self.account.owe(bytes);
    }

    fn give(&self, bytes: u64) {
        self.account.give(bytes);
    }

    fn left(&self) -> u64 {
        self.account.left()
    }

    fn refused(&self) -> bool {
        self.refused.load(Ordering::Relaxed)
    }

    fn forget(&self) {
        self.refused.store(false, Ordering::Relaxed);
    }
}

/// One process's debit; given back when it is dropped.
pub(crate) struct ProcessMemory {
    account: Arc<dyn HostMemory>,
    held: u64,
    /// What the process is shown to hold.
    shown: Arc<AtomicU64>,
}

impl ProcessMemory {
    pub(crate) fn new(account: Arc<dyn HostMemory>, shown: Arc<AtomicU64>) -> ProcessMemory {
        ProcessMemory { account, held: 0, shown }
    }
}

impl ProcessMemory {
    /// Debit what another held, if the limit grants it.
    pub(crate) fn take_over(&mut self, other: &ProcessMemory) -> bool {
        self.take(other.held)
    }

    /// Debit more memory, if the limit grants it.
    pub(crate) fn take(&mut self, bytes: u64) -> bool {
        let granted = self.account.take(bytes);
        if granted {
            self.held += bytes;
            self.shown.fetch_add(bytes, Ordering::Relaxed);
        }
        granted
    }
}

impl Drop for ProcessMemory {
    fn drop(&mut self) {
        self.account.give(self.held);
        self.shown.fetch_sub(self.held, Ordering::Relaxed);
    }
}

impl ResourceLimiter for ProcessMemory {
    fn memory_growing(&mut self, current: usize, desired: usize, maximum: Option<usize>) -> wasmtime::Result<bool> {
        if maximum.is_some_and(|maximum| desired > maximum) {
            return Ok(false);
        }
        Ok(self.take(desired.saturating_sub(current) as u64))
    }

    fn memory_grow_failed(&mut self, error: wasmtime::Error) -> wasmtime::Result<()> {
        tracing::debug!(%error, "a process's memory did not grow");
        Ok(())
    }

    fn table_growing(&mut self, current: usize, desired: usize, maximum: Option<usize>) -> wasmtime::Result<bool> {
        if desired > MAX_TABLE || maximum.is_some_and(|maximum| desired > maximum) {
            return Ok(false);
        }
        Ok(self.take((desired.saturating_sub(current) * ELEMENT) as u64))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::ProcessTable;

    #[test]
    fn processes_share_the_account_and_give_back_when_they_end() {
        let account = MemoryAccount::new(100);
        let commands = Commands::new(Arc::new(ProcessTable::new()));
        let of = |process| ProcessAccount::new(account.clone(), process, commands.clone());
        let (one, other) = (of(1), of(2));
        let mut first = ProcessMemory::new(one.clone(), Arc::default());
        let mut second = ProcessMemory::new(other.clone(), Arc::default());
        assert!(first.memory_growing(0, 60, None).unwrap());
        assert!(!second.memory_growing(0, 60, None).unwrap());
        assert!(other.refused() && !one.refused());
        drop(first);
        other.forget();
        assert!(second.memory_growing(0, 60, None).unwrap() && !other.refused());
        assert_eq!(account.take_peak(), 60);
    }

    #[test]
    fn the_elements_of_tables_are_charged() {
        let account = MemoryAccount::new(1000);
        let own = ProcessAccount::new(account.clone(), 1, Commands::new(Arc::new(ProcessTable::new())));
        let mut process = ProcessMemory::new(own.clone(), Arc::default());
        assert!(process.table_growing(0, 100, None).unwrap());
        assert!(!process.table_growing(100, 126, None).unwrap(), "8 bytes each");
        assert!(own.refused());
        assert!(process.table_growing(100, 125, None).unwrap());
        drop(process);
        assert!(account.take(1000));
    }
}
