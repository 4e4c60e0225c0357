//! The wasmtime configuration: which proposals exist, how instances are allocated, how they are interrupted.

use wasmtime::{Config, Enabled, InstanceAllocationStrategy, OptLevel, PoolingAllocationConfig, WasmBacktraceDetails};

/// Stack of a process's wasm code: CPython's own recursion limit (deep `json.loads`, `repr`, `re`: 16 MiB was too little,
/// 24 enough) and the shell's must be reached before this is. Only what is touched is memory. Beyond it a process ends
/// with "stack overflow" (139), and only that process.
const WASM_STACK: usize = 32 << 20;

/// Stack of the fiber, for wasm and the host functions it calls: 2 MiB more than [`WASM_STACK`].
const FIBER_STACK: usize = 34 << 20;

/// Memory a single process can address: 4 GiB is wasm32's own bound; policies set far less.
const MAX_MEMORY: usize = 1 << 32;

/// Core instances and tables of one component: a componentize-py component with packages has about 50.
const CORES_PER_COMPONENT: u32 = 200;

/// How a process's work is bounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Metering {
    /// By time: interrupted at epochs. Costs next to nothing.
    Epochs,
    /// By instructions as well: fuel, about 60 % slower. Only where a policy asks for it.
    Fuel,
}

impl Metering {
    fn name(self) -> &'static str {
        match self {
            Metering::Epochs => "epochs",
            Metering::Fuel => "fuel",
        }
    }
}

/// Why wasmtime could not be set up.
#[derive(Debug, thiserror::Error)]
#[error("wasmtime cannot be set up on this machine ({metering}): {reason}")]
pub struct RuntimeError {
    metering: &'static str,
    reason: String,
}

/// A wasmtime engine with the settings every component of wisp is compiled and run under.
#[derive(Clone)]
pub struct Runtime {
    engine: wasmtime::Engine,
    metering: Metering,
}

impl Runtime {
    /// Set up an engine for at most `max_processes` at once.
    ///
    /// # Errors
    /// When the machine lacks what the configuration asks for; the message says what.
    pub fn new(metering: Metering, max_processes: u32) -> Result<Runtime, RuntimeError> {
        let fail = |error: wasmtime::Error| RuntimeError { metering: metering.name(), reason: format!("{error:#}") };
        let engine = wasmtime::Engine::new(&config(metering, max_processes)).map_err(fail)?;
        Ok(Runtime { engine, metering })
    }

    /// The wasmtime engine.
    pub fn engine(&self) -> &wasmtime::Engine {
        &self.engine
    }

    /// How work is bounded in it.
    pub fn metering(&self) -> Metering {
        self.metering
    }
}

fn config(metering: Metering, max_processes: u32) -> Config {
    let mut config = Config::new();
    config.epoch_interruption(true);
    config.consume_fuel(metering == Metering::Fuel);
    config.cranelift_opt_level(OptLevel::Speed);
    config.max_wasm_stack(WASM_STACK);
    config.async_stack_size(FIBER_STACK);
    config.memory_init_cow(true);
    // A trap's backtrace is for whoever runs wisp with logging on; it never reaches a guest.
    config.wasm_backtrace_details(WasmBacktraceDetails::Disable);
    config.generate_address_map(false);
    config.native_unwind_info(false);
    // Only what our guests and ordinary toolchains emit. Each proposal left out is code an attacker does not get;
    // threads, garbage collection and component-model-async are not even compiled in (see Cargo.toml).
    config.wasm_memory64(false);
    config.wasm_relaxed_simd(false);

    let mut pool = PoolingAllocationConfig::new();
    pool.total_component_instances(max_processes)
        .total_core_instances(max_processes.saturating_mul(20))
        .total_memories(max_processes)
        .total_tables(max_processes.saturating_mul(4))
        .total_stacks(max_processes)
        .max_core_instances_per_component(CORES_PER_COMPONENT)
        .max_tables_per_component(CORES_PER_COMPONENT)
        .max_memories_per_component(8)
        .max_memory_size(MAX_MEMORY)
        .table_elements(200_000)
        .max_component_instance_size(4 << 20)
        .max_core_instance_size(4 << 20)
        .max_unused_warm_slots(64)
        // Pages a process touched are copied back instead of given back to the kernel, up to this much of each slot.
        .linear_memory_keep_resident(1 << 20)
        .table_keep_resident(64 << 10)
        .async_stack_keep_resident(64 << 10)
        .pagemap_scan(Enabled::Auto);
    config.allocation_strategy(InstanceAllocationStrategy::Pooling(pool));
    config
}
