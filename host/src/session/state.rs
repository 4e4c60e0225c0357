//! A store's data: one process.

use wasmtime::component::ResourceTable;
use wasmtime_wasi_io::IoView;

use super::memory::ProcessMemory;
use crate::wasi::{ProcessCtx, WasiState, WasiView};

/// One process.
pub(super) struct ProcessState {
    table: ResourceTable,
    ctx: ProcessCtx,
    pub(super) memory: ProcessMemory,
}

impl ProcessState {
    pub(super) fn new(ctx: ProcessCtx, memory: ProcessMemory) -> ProcessState {
        let mut table = ResourceTable::new();
        // Descriptors, streams, pollables and children: several for each open file. A guest that leaks handles traps
        // here before it costs the host more than a few MiB.
        table.set_max_capacity(8 * ctx.facts.open_files as usize + 4096);
        ProcessState { table, ctx, memory }
    }
}

impl WasiState for ProcessState {
    fn wasi(&mut self) -> WasiView<'_> {
        WasiView { table: &mut self.table, ctx: &mut self.ctx }
    }

    fn table(&mut self) -> &mut ResourceTable {
        &mut self.table
    }
}

impl IoView for ProcessState {
    fn table(&mut self) -> &mut ResourceTable {
        &mut self.table
    }
}
