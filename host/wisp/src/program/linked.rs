//! A tool's machine code, linked and ready to be instantiated.

use std::sync::Arc;

use wasmtime::component::{ComponentExportIndex, Instance, InstancePre, Linker, TypedFunc};
use wasmtime::{AsContextMut, Store};

use crate::program::instances::{Entry, Made, Source};
use crate::program::store::ProcessState;
use crate::program::unclaimed;
use crate::runtime::memory::{Image, LiveMemory, Plan, SlotPool, WASM_PAGE, instantiate, noting_stack};
use crate::runtime::{Code, Faults, HostFault, Memory, Metering, Prewarmed, Runtime, without_waiting};
use crate::wasi::bindings::interpreter::{Interpreter, InterpreterIndices};
use crate::wasi::bindings::{Command, CommandIndices};
use crate::wasi::{NoMemory, OwnMemory, WasiState, link, link_denials};
use wisp_policy::capability::Interface;
use wisp_world::ComponentWorld;

/// Maximum bytes that a guest may pass to the host in one call. They are freed when the call returns, or held while a
/// pipe is full; in that case they are a copy of the guest's own memory, which is limited, and each process holds less
/// than this. A larger write traps; our guests write in pieces.
const CALL_BYTES: usize = 64 << 20;

/// Epochs after which preparing an instance is given up: half a second.
const PATIENCE: u64 = 100;

/// Host memory beside its linear memories that an instance may cost without a charge, in bytes; the rest is charged.
/// Attack: custom tools whose instances cost 16 MiB each. Shipped components cost less.
const FREE_COST: u64 = 2 << 20;

/// The interface that a program with threads exports.
const ENTRY: &str = "wisp:sandbox/thread-entry@0.1.0";

/// Whose a component is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Own {
    /// A tool of the policy's.
    No,
    /// One of wisp's own: instances of it may be made ready, though they belong to no account.
    Shipped,
    /// One of wisp's own with a component of the user in front of its imports. No instance of it is made ready or used again, because the
    /// user's part has a cost and a state of its own; and it has no threads, because a second one could enter that part while the first
    /// waits in it.
    Adapted,
    /// The shipped `python3`: it may have threads (`exec/threads.rs`), and its instances are used again (`tenancy.rs`). An image in
    /// its place may neither: it has exceptions, and more than its memory is its state.
    Python,
}

/// A component whose imports are linked, and which only needs to be instantiated.
pub(crate) struct Program {
    pre: InstancePre<ProcessState>,
    command: CommandIndices,
    /// Its export of an interpreter, if it has one.
    interpreter: Option<InterpreterIndices>,
    /// Where its threads begin, if it may have any.
    threads: Option<ComponentExportIndex>,
    /// The words of its memory by which it notices signals, as address and bits.
    signal_words: Arc<[(u32, u32)]>,
    runtime: Runtime,
    /// Maximum bytes that an instance costs the host beside its memories.
    cost: u64,
    /// What its instances start with.
    source: Arc<Source>,
}

impl Program {
    /// Links exactly what the world decided to provide. `own` says whose it is.
    ///
    /// # Errors
    /// If the component imports something that the world does not provide; resolving the world should have found that.
    pub(crate) fn link(runtime: &Runtime, code: Code, world: &ComponentWorld, own: Own) -> wasmtime::Result<Self> {
        let mut linker = Linker::new(runtime.engine());
        for interface in world.host_interfaces() {
            // The import is there in either case, and without threads it says so.
            let may_import_threads = matches!(own, Own::Python | Own::Adapted) && !runtime.has_exceptions();
            if interface == Interface::SandboxThreads && !may_import_threads {
                wasmtime::bail!("{}", wisp_world::NO_THREADS);
            }
            if !link(&mut linker, interface.name())? {
                wasmtime::bail!("the capability table grants `{}`, which the host does not implement", interface.name());
            }
        }
        if let Some(report) = world.report() {
            link_denials(&mut linker, report)?;
        }
        let pre = linker.instantiate_pre(&code.component)?;
        let (command, interpreter) = (CommandIndices::new(&pre)?, InterpreterIndices::new(&pre).ok());
        // Where memory is pooled, the host can set no word of it, so that no thread that computes could be given a turn.
        let component = Some(pre.component()).filter(|_| own == Own::Python && matches!(runtime.memory(), Memory::Slots(_)));
        let threads = component.and_then(|component| component.get_export_index(Some(&component.get_export_index(None, ENTRY)?), "enter"));
        let source = match runtime.memory() {
            Memory::Slots(slots) => {
                let image = match code.image {
                    Some(file) => {
                        let size = usize::try_from(file.shape.minimum * WASM_PAGE)?;
                        let image = Image::of_file(file.file, file.len, size)?;
                        Some((file.shape, SlotPool::new(slots.space.clone(), Arc::new(image))))
                    }
                    None => None,
                };
                // A prewarmed instance is charged to no process until one takes it, so only cheap ones of our own are kept. Where
                // instructions are counted, a prewarmed instance would count differently from a new one.
                let ready = matches!(own, Own::Shipped | Own::Python)
                    && code.inert
                    && code.cost <= FREE_COST
                    && runtime.metering() == Metering::Epochs;
                Source::new(image, ready.then(|| slots.space.bounds().ready), own == Own::Python && code.whole)
            }
            Memory::Pooling { .. } => Source::new(None, None, false),
        };
        let (signal_words, runtime, cost) = (code.signal_words.into(), runtime.clone(), code.cost);
        Ok(Self { pre, command, interpreter, threads, signal_words, runtime, cost, source })
    }

    pub(super) fn store(&self, state: ProcessState) -> Store<ProcessState> {
        let mut store = Store::new(self.runtime.engine(), state);
        store.limiter(|state| &mut state.memory);
        store.set_hostcall_fuel(CALL_BYTES);
        store
    }

    /// Makes an instance whose memory starts as `source` says. `faults` measures all of its code, including this call.
    ///
    /// # Errors
    /// Those of wasmtime, and [`NoMemory`].
    pub(crate) async fn instantiate(&self, store: &mut Store<ProcessState>, source: &Source, faults: Faults) -> wasmtime::Result<Made> {
        let before = store.data().memory.held();
        if !store.data_mut().memory.take(self.cost.saturating_sub(FREE_COST)) {
            return Err(NoMemory.into());
        }
        let work = noting_stack(self.pre.instantiate_async(&mut *store));
        let ((instance, stack), live) = match self.runtime.memory() {
            Memory::Slots(slots) => {
                let (image, zero) = (source.image().cloned(), slots.zero.clone());
                let plan = Plan { image, zero, live: None, failed: None, faults: Some(faults) };
                let ((instance, stack), plan) = instantiate(plan, work).await;
                let (live, failed) = plan.map_or((None, None), |plan| (plan.live, plan.failed));
                // What wasmtime makes of it is a text without its cause.
                ((failed.map_or(instance, |fault| Err(fault.into())), stack), live)
            }
            Memory::Pooling { .. } => (work.await, None),
        };
        if let Some(live) = &live {
            self.attach(store, live);
        }
        let instance = instance.map_err(|error| HostFault::of_system("an instance cannot be made", error))?;
        let held = store.data().memory.held() - before;
        Ok(Made { entry: Entry { instance, interpreter: None, root: None, held }, live, stack })
    }

    /// Returns the instance's exports as a command.
    ///
    /// # Errors
    /// Those of wasmtime.
    pub(crate) fn command(&self, store: &mut Store<ProcessState>, instance: &Instance) -> wasmtime::Result<Command> {
        self.command.load(store, instance)
    }

    /// Returns the instance's exports as an interpreter; `None` if the program is not one.
    ///
    /// # Errors
    /// Those of wasmtime.
    pub(crate) fn interpreter(&self, store: &mut Store<ProcessState>, instance: &Instance) -> wasmtime::Result<Option<Interpreter>> {
        self.interpreter.as_ref().map(|indices| indices.load(store, instance)).transpose()
    }

    /// Returns whether it can have threads.
    pub(crate) fn has_threads(&self) -> bool {
        self.threads.is_some()
    }

    /// Returns where the instance's threads begin.
    ///
    /// # Errors
    /// If it has none, or they begin in another way.
    pub(crate) fn thread_entry(&self, store: impl AsContextMut, instance: &Instance) -> wasmtime::Result<TypedFunc<(u32,), ()>> {
        let Some(entry) = &self.threads else { wasmtime::bail!("the program exports no entry of threads") };
        instance.get_typed_func(store, entry)
    }

    /// Prepares one more instance that starts as `source` says, if there is room for it.
    pub(crate) fn prewarm(&self, source: &Source) {
        let Memory::Slots(slots) = self.runtime.memory() else { return };
        let Some(prewarmed) = source.ready().filter(|prewarmed| prewarmed.has_room()) else { return };
        let Some(place) = slots.space.place(source.image().map(|(_, pool)| &**pool)) else { return };
        let (mut store, faults) = (self.store(unclaimed::state()), Faults::default());
        store.set_epoch_deadline(PATIENCE);
        // None of its code runs, only wasmtime's own for tables and globals, so it never waits.
        let made = faults.during(|| without_waiting(self.instantiate(&mut store, source, faults.clone())));
        let made = made.map(|made| {
            let mut made = made?;
            made.entry.interpreter = self.interpreter(&mut store, &made.entry.instance)?;
            Ok::<_, wasmtime::Error>(made)
        });
        match made {
            Some(Ok(Made { entry, live, stack })) => prewarmed.put(Prewarmed { store, instance: entry, live, stack, faults, place }),
            Some(Err(error)) => tracing::warn!(error = format!("{error:#}"), "no instance could be made ready"),
            None => tracing::warn!("an instance that was to be made ready waits for something"),
        }
    }

    /// Prepares `count` memories that hold its image.
    ///
    /// # Errors
    /// Those of the system.
    pub(crate) fn fill(&self, count: usize) -> std::io::Result<()> {
        self.source.image().map_or(Ok(()), |(_, pool)| Memory::fill(pool, count))
    }

    /// Returns whether it is an interpreter that can stay alive.
    pub(crate) fn is_interpreter(&self) -> bool {
        self.interpreter.is_some()
    }

    /// Returns what its instances start with.
    pub(crate) fn source(&self) -> &Arc<Source> {
        &self.source
    }

    /// Has the host tell the process in `store` about signals, by the words that the component names.
    pub(super) fn attach(&self, store: &mut Store<ProcessState>, live: &LiveMemory) {
        store.data_mut().wasi().ctx.signal_flags.attach(live.clone(), &self.signal_words);
    }

    /// Returns the engine it was compiled for.
    pub(crate) fn runtime(&self) -> &Runtime {
        &self.runtime
    }
}

impl OwnMemory for LiveMemory {
    unsafe fn set_bits(&self, address: usize, bits: u32) {
        // SAFETY: the caller's promise.
        unsafe { Self::set_bits(self, address, bits) };
    }
}
