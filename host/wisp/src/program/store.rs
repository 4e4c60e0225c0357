//! A store's data: one process.

use wasmtime::component::ResourceTable;

use crate::program::memory::ProcessMemory;
use crate::wasi::{Handles, ProcessCtx, WasiState, WasiView};

/// One process.
pub(crate) struct ProcessState {
    table: Handles,
    ctx: ProcessCtx,
    pub(crate) memory: ProcessMemory,
}

/// Returns the maximum number of handles of a process: descriptors, streams, pollables and children, several for each open file. A guest
/// that leaks handles ends here, if its memory does not end it before.
fn most_handles(open_files: u32) -> usize {
    8 * open_files as usize + 4096
}

impl ProcessState {
    pub(crate) fn new(ctx: ProcessCtx, memory: ProcessMemory) -> Self {
        let table = Handles::new(ctx.memory.clone(), most_handles(ctx.facts.open_files));
        Self { table, ctx, memory }
    }

    /// Returns an upper bound of the handles that it ever had.
    pub(crate) fn handles_made(&self) -> u64 {
        self.table.made()
    }

    /// Returns how many host functions its code called.
    #[cfg(test)]
    pub(crate) fn host_calls(&self) -> u64 {
        self.table.calls()
    }

    /// Returns whether it ever had a thread beside its first.
    pub(crate) fn had_threads(&self) -> bool {
        self.ctx.threads.were_any()
    }

    /// Returns the maximum number of handles of the process.
    pub(crate) fn most_handles(&self) -> usize {
        most_handles(self.ctx.facts.open_files)
    }
}

impl WasiState for ProcessState {
    fn wasi(&mut self) -> WasiView<'_> {
        WasiView { table: self.table.for_call(), ctx: &mut self.ctx }
    }

    fn table(&mut self) -> &mut ResourceTable {
        self.table.for_io()
    }
}
