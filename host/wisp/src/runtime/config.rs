//! The wasmtime configuration: enabled proposals, allocation of instances, interruption.

use std::sync::Arc;

use super::fault::FailPoints;
use super::memory::{SlotBounds, SlotMemories, SlotPool, Space, Stacks, ZeroPools, can_make_files};
use wasmtime::{Config, Enabled, InstanceAllocationStrategy, OptLevel, PoolingAllocationConfig, WasmBacktraceDetails};
use wisp_api::ErrorCode;

/// Stack of a process's wasm code. CPython's own recursion limit (deep `json.loads`, `repr`, `re`: 16 MiB was too
/// little, 24 was enough) and the shell's must be reached first. Only touched pages become memory. A process that
/// exceeds it ends with "stack overflow" (139); other processes are not affected.
const WASM_STACK: usize = 32 << 20;

/// Stack of the fiber, for wasm and the host functions it calls: 2 MiB more than [`WASM_STACK`].
pub(crate) const FIBER_STACK: usize = 34 << 20;

/// Threads of all processes of an engine, beside the first of each. The stack of each is two of the 65,530 maps that Linux allows a
/// program (`vm.max_map_count`).
pub(crate) const ENGINE_THREADS: u32 = 4096;

/// Memory that a single process can address: 4 GiB is wasm32's own bound; policies set far less.
const MAX_MEMORY: usize = 1 << 32;

/// Inaccessible space before and after a memory: accesses at a constant offset then need no check of their own.
const GUARD: usize = 32 << 20;

/// Core instances and tables of one component: a componentize-py component with packages has about 50.
pub(crate) const CORES_PER_COMPONENT: u32 = 200;

/// Features of processors newer than x86-64-v3 (AVX2, BMI, FMA: since 2013) that Cranelift could use. Guests gain
/// nothing measurable from them, and code without them can be moved to other machines: in an image, or beside the
/// program.
#[cfg(target_arch = "x86_64")]
const NEWER: [&str; 7] =
    ["has_avx512bitalg", "has_avx512dq", "has_avx512f", "has_avx512vbmi", "has_avx512vl", "has_avx512vnni", "has_avx_vnni"];

/// How the work of a process is limited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Metering {
    /// By time: interrupted at epochs. Costs almost nothing.
    Epochs,
    /// Also by instructions: fuel, about 60 % slower. Used only if a policy asks for it.
    Fuel,
}

impl Metering {
    fn name(self) -> &'static str {
        match self {
            Self::Epochs => "epochs",
            Self::Fuel => "fuel",
        }
    }
}

/// How the memory of processes is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum MemoryChoice {
    /// Slots if the kernel has what they need, otherwise the pool.
    #[default]
    Auto,
    /// Slots over images, copy on write, restored by copying what was written; an error if the kernel lacks the
    /// means.
    Slots,
    /// wasmtime's pooling allocator: works everywhere, but starts are slower and forks are impossible.
    Pooling,
}

/// How the memory of an engine's processes is made.
#[derive(Clone)]
pub(crate) enum Memory {
    /// By slots.
    Slots(Slots),
    /// By wasmtime's pooling allocator.
    Pooling {
        /// Whether memories start from mapped images. Images without a file need `memfd_create`; where a filter of
        /// system calls refuses that, every instance would fail, so data is copied instead.
        images: bool,
    },
}

/// The settings of slots.
#[derive(Clone)]
pub(crate) struct Slots {
    pub space: Arc<Space>,
    pub zero: Arc<ZeroPools>,
}

impl Memory {
    /// Returns the result of `choice` on this machine, and the reason if it fell back.
    ///
    /// # Errors
    /// When slots were requested and are not available.
    pub(crate) fn choose(choice: MemoryChoice, bounds: SlotBounds, fail: FailPoints) -> Result<(Self, Option<String>), RuntimeError> {
        if choice == MemoryChoice::Pooling {
            return Ok((Self::pooling(), Some("it was requested".to_owned())));
        }
        match Space::new(bounds, fail) {
            Ok(space) => Ok((Self::Slots(Slots { zero: Arc::new(ZeroPools::new(space.clone())), space }), None)),
            Err(error) if choice == MemoryChoice::Auto => Ok((Self::pooling(), Some(error.to_string()))),
            Err(error) => Err(RuntimeError { metering: "slots", reason: error.to_string() }),
        }
    }

    fn pooling() -> Self {
        Self::Pooling { images: can_make_files() }
    }

    /// Makes `count` slots of the pool ready, as far as the bounds allow.
    ///
    /// # Errors
    /// The system's.
    pub(crate) fn fill(pool: &Arc<SlotPool>, count: usize) -> std::io::Result<()> {
        pool.fill(count, MAX_MEMORY + GUARD, GUARD)
    }

    /// Distinguishes machine code for the two.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Slots(_) => "slots",
            Self::Pooling { .. } => "pooling",
        }
    }
}

/// Why wasmtime could not be set up.
#[derive(Debug, thiserror::Error)]
#[error("wasmtime cannot be set up on this machine ({metering}): {reason}")]
#[non_exhaustive]
pub struct RuntimeError {
    metering: &'static str,
    reason: String,
}

impl RuntimeError {
    /// Returns the code of this error: [`ErrorCode::EngineUnavailable`].
    pub fn code(&self) -> ErrorCode {
        ErrorCode::EngineUnavailable
    }

    /// Returns the error that the thread which limits on time need cannot be started.
    pub(crate) fn no_thread(error: std::io::Error) -> Self {
        Self { metering: "epochs", reason: format!("no thread can be started, see `ulimit -u`: {error}") }
    }
}

/// A wasmtime engine with the settings every component of wisp is compiled and run under.
#[derive(Clone)]
pub(crate) struct Runtime {
    engine: wasmtime::Engine,
    metering: Metering,
    memory: Memory,
    exceptions: bool,
}

impl Runtime {
    /// Sets up an engine for at most `max_processes` at once.
    ///
    /// # Errors
    /// When the machine lacks what the configuration asks for; the message says what.
    pub(crate) fn new(metering: Metering, max_processes: u32, memory: Memory) -> Result<Self, RuntimeError> {
        Self::with(metering, max_processes, memory, false)
    }

    /// Returns the same for components whose code throws and catches exceptions of wasm.
    ///
    /// # Errors
    /// Those of [`Runtime::new`].
    pub(crate) fn with_exceptions(metering: Metering, max_processes: u32, memory: Memory) -> Result<Self, RuntimeError> {
        Self::with(metering, max_processes, memory, true)
    }

    fn with(metering: Metering, max_processes: u32, memory: Memory, exceptions: bool) -> Result<Self, RuntimeError> {
        let fail = |error: wasmtime::Error| RuntimeError { metering: metering.name(), reason: format!("{error:#}") };
        let engine = wasmtime::Engine::new(&config(metering, max_processes, &memory, exceptions)).map_err(fail)?;
        Ok(Self { engine, metering, memory, exceptions })
    }

    /// Returns whether its components may throw exceptions of wasm, whose objects wasmtime collects.
    pub(crate) fn has_exceptions(&self) -> bool {
        self.exceptions
    }

    /// Returns how its memories are made.
    pub(crate) fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Returns the wasmtime engine.
    pub(crate) fn engine(&self) -> &wasmtime::Engine {
        &self.engine
    }

    /// Returns how work is limited in it.
    pub(crate) fn metering(&self) -> Metering {
        self.metering
    }
}

fn config(metering: Metering, max_processes: u32, memory: &Memory, exceptions: bool) -> Config {
    let mut config = Config::new();
    config.epoch_interruption(true);
    config.consume_fuel(metering == Metering::Fuel);
    config.cranelift_opt_level(OptLevel::Speed);
    config.max_wasm_stack(WASM_STACK);
    config.async_stack_size(FIBER_STACK);
    // Every memory reserves all of its 4 GiB, and is surrounded by as much inaccessible space as wasmtime requires.
    // Slots can be reused by processes of the same engine only because they are all alike.
    config.memory_reservation(MAX_MEMORY as u64);
    config.memory_guard_size(GUARD as u64);
    // A trap's backtrace is for operators who enable logging; it never reaches a guest.
    config.wasm_backtrace_details(WasmBacktraceDetails::Disable);
    config.generate_address_map(false);
    config.native_unwind_info(false);
    #[cfg(target_arch = "x86_64")]
    for feature in NEWER {
        // SAFETY: code that does not use a feature of the processor also runs on processors that have it.
        unsafe { config.cranelift_flag_set(feature, "false") };
    }
    // Only what our guests and ordinary toolchains emit. Each disabled proposal is code that an attacker cannot
    // reach; threads and component-model-async are not even compiled in (see Cargo.toml).
    config.wasm_memory64(false);
    config.wasm_relaxed_simd(false);
    // The heap of collected objects is there for the exceptions alone: the proposals that let a guest make its own
    // objects in it stay off.
    config.gc_support(exceptions);
    config.wasm_exceptions(exceptions);
    config.wasm_gc(false);
    config.wasm_function_references(false);

    match memory {
        Memory::Slots(slots) => {
            // wisp makes the images itself.
            config.memory_init_cow(false);
            config.with_host_memory(Arc::new(SlotMemories));
            config.with_host_stack(Arc::new(Stacks::new(slots.space.fail().clone())));
            config.allocation_strategy(InstanceAllocationStrategy::OnDemand);
        }
        Memory::Pooling { images } => {
            config.memory_init_cow(*images);
            config.allocation_strategy(InstanceAllocationStrategy::Pooling(pool(max_processes)));
        }
    }
    config
}

fn pool(max_processes: u32) -> PoolingAllocationConfig {
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
        // Pages that a process touched are copied back instead of returned to the kernel, up to this much of each
        // slot.
        .linear_memory_keep_resident(1 << 20)
        .table_keep_resident(64 << 10)
        .async_stack_keep_resident(64 << 10)
        .pagemap_scan(Enabled::Auto);
    pool
}
