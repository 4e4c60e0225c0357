//! A session's memory as one of its processes sees it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::exec::commands::Commands;
use crate::program::memory::MemoryAccount;
use crate::wasi::HostMemory;
use wisp_api::ErrorCode;

/// The account as one process sees it: it records whether the process was refused memory.
pub(crate) struct ProcessAccount {
    account: Arc<MemoryAccount>,
    process: u32,
    commands: Arc<Commands>,
    refused: AtomicBool,
}

impl ProcessAccount {
    pub(crate) fn new(account: Arc<MemoryAccount>, process: u32, commands: Arc<Commands>) -> Arc<Self> {
        Arc::new(Self { account, process, commands, refused: AtomicBool::new(false) })
    }
}

impl HostMemory for ProcessAccount {
    fn take(&self, bytes: u64) -> bool {
        let granted = self.account.take(bytes);
        // Only the first refusal is reported; a program that keeps asking is refused each time.
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

    fn failed(&self, code: ErrorCode, message: String) {
        if let Some(running) = self.commands.of(self.process) {
            running.failed(code, message);
        }
    }

    fn forget(&self) {
        self.refused.store(false, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use wasmtime::ResourceLimiter;

    use super::*;
    use crate::program::memory::ProcessMemory;
    use wisp_process::ProcessTable;

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
    fn memory_that_the_machine_does_not_give_is_not_charged() {
        let account = MemoryAccount::new(100);
        let own = ProcessAccount::new(account.clone(), 1, Commands::new(Arc::new(ProcessTable::new())));
        let mut process = ProcessMemory::new(own.clone(), Arc::default());
        assert!(process.memory_growing(0, 40, None).unwrap());
        // Refused by the memory's type, before this was asked.
        process.memory_grow_failed(wasmtime::Error::msg("memory growth exceeds memory type's limits")).unwrap();
        assert_eq!(process.held(), 40);
        assert!(process.memory_growing(40, 100, None).unwrap());
        process.memory_grow_failed(std::io::Error::from(std::io::ErrorKind::OutOfMemory).into()).unwrap();
        assert_eq!((process.held(), account.left(), own.refused()), (40, 60, false));
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
