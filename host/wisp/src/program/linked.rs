//! A tool's machine code, linked and ready to be instantiated, and its prewarmed instances.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use wasmtime::component::{ComponentExportIndex, Instance, InstancePre, Linker, TypedFunc};
use wasmtime::{AsContextMut, Store};

use crate::program::memory::ProcessMemory;
use crate::program::store::ProcessState;
use crate::program::unclaimed;
use crate::runtime::memory::{Image, LiveMemory, LiveStack, MemoryShape, Plan, SlotPool, instantiate, noting_stack};
use crate::runtime::{Code, Faults, Memory, Metering, PrewarmPool, Prewarmed, Runtime, without_waiting};
use crate::wasi::bindings::interpreter::{Interpreter, InterpreterIndices};
use crate::wasi::bindings::{Command, CommandIndices};
use crate::wasi::{NoMemory, OwnMemory, ProcessCtx, WasiState, link, link_denials};
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
    /// The image that its memory starts with, if memories are slots and it has an image.
    image: Option<(MemoryShape, Arc<SlotPool>)>,
    /// Prewarmed instances; `None` if making one could run code of the component.
    prewarmed: Option<PrewarmPool<ProcessState, Instance>>,
}

/// The image that a memory starts with.
pub(crate) type Origin<'a> = Option<&'a (MemoryShape, Arc<SlotPool>)>;

/// An instance, and its memory if that is a slot.
pub(crate) struct Made {
    pub instance: Instance,
    pub live: Option<LiveMemory>,
    /// The stack of its store, if making it needed one.
    pub stack: Option<LiveStack>,
}

/// A process that is being started.
pub(crate) struct Begun {
    pub store: Tenancy,
    /// Its instance, if one was ready.
    pub made: Option<Made>,
    /// Counts the page faults of the code that runs in it.
    pub faults: Faults,
}

/// A process's store. Dropping it restores its memory and prepares another instance.
pub(crate) struct Tenancy {
    /// `None` only while it is being dropped.
    store: Option<Store<ProcessState>>,
    program: Arc<Program>,
}

impl Program {
    /// Links exactly what the world decided to provide. `threads` says whether the component is the one that may have threads.
    ///
    /// # Errors
    /// If the component imports something that the world does not provide; resolving the world should have found that.
    pub(crate) fn link(runtime: &Runtime, code: Code, world: &ComponentWorld, threads: bool) -> wasmtime::Result<Self> {
        let mut linker = Linker::new(runtime.engine());
        for interface in world.host_interfaces() {
            if interface == Interface::SandboxThreads && (!threads || runtime.has_exceptions()) {
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
        let component = Some(pre.component()).filter(|_| threads && matches!(runtime.memory(), Memory::Slots(_)));
        let threads = component.and_then(|component| component.get_export_index(Some(&component.get_export_index(None, ENTRY)?), "enter"));
        let (image, prewarmed) = match runtime.memory() {
            Memory::Slots(slots) => {
                let image = match code.image {
                    Some(file) => {
                        let size = usize::try_from(file.shape.minimum)? << 16;
                        let image = Image::of_file(file.file, file.len, size)?;
                        Some((file.shape, SlotPool::new(slots.space.clone(), Arc::new(image))))
                    }
                    None => None,
                };
                // A prewarmed instance is charged to no process until one takes it, so only cheap ones are kept. Where
                // instructions are counted, a prewarmed instance would count differently from a new one.
                let ready = code.inert && code.cost <= FREE_COST && runtime.metering() == Metering::Epochs;
                (image, ready.then(|| PrewarmPool::new(slots.space.bounds().ready)))
            }
            Memory::Pooling { .. } => (None, None),
        };
        let (signal_words, runtime, cost) = (code.signal_words.into(), runtime.clone(), code.cost);
        Ok(Self { pre, command, interpreter, threads, signal_words, runtime, cost, image, prewarmed })
    }

    /// Begins a process, in a prewarmed instance if its memory starts with `origin` and the process's account has room
    /// for it.
    pub(crate) fn begin(self: &Arc<Self>, origin: Origin<'_>, ctx: ProcessCtx, mut memory: ProcessMemory) -> Begun {
        let prewarmed = self.prewarmed.as_ref().filter(|_| self.is_own(origin));
        let ready = prewarmed.and_then(|pool| {
            let ready = pool.take()?;
            if memory.take_over(&ready.store.data().memory) {
                return Some(ready);
            }
            // Making one for this process will fail in the same way and report it; the prewarmed one is for another
            // process.
            pool.put(ready);
            None
        });
        if let Memory::Slots(slots) = self.runtime.memory() {
            slots.space.began(ready.is_some());
        }
        let state = ProcessState::new(ctx, memory);
        let (mut store, made, faults) = match ready {
            Some(Prewarmed { mut store, instance, live, stack, faults, place }) => {
                *store.data_mut() = state;
                drop(place);
                (store, Some(Made { instance, live, stack }), faults)
            }
            None => (self.store(state), None, Faults::default()),
        };
        // The limit of wasmtime's tables of the guest's handles, which include handles to the component's own
        // resources.
        if let Some(live) = made.as_ref().and_then(|made: &Made| made.live.as_ref()) {
            self.attach(&mut store, live);
        }
        let most = store.data().most_handles();
        store.set_max_component_handles(most);
        Begun { store: Tenancy { store: Some(store), program: self.clone() }, made, faults }
    }

    fn store(&self, state: ProcessState) -> Store<ProcessState> {
        let mut store = Store::new(self.runtime.engine(), state);
        store.limiter(|state| &mut state.memory);
        store.set_hostcall_fuel(CALL_BYTES);
        store
    }

    /// Makes an instance whose memory starts with `origin`. `faults` measures all of its code, including this call.
    ///
    /// # Errors
    /// Those of wasmtime, and [`NoMemory`].
    pub(crate) async fn instantiate(&self, store: &mut Store<ProcessState>, origin: Origin<'_>, faults: Faults) -> wasmtime::Result<Made> {
        if !store.data_mut().memory.take(self.cost.saturating_sub(FREE_COST)) {
            return Err(NoMemory.into());
        }
        let work = noting_stack(self.pre.instantiate_async(&mut *store));
        let ((instance, stack), live) = match self.runtime.memory() {
            Memory::Slots(slots) => {
                let plan = Plan { image: origin.cloned(), zero: slots.zero.clone(), live: None, faults: Some(faults) };
                let (made, plan) = instantiate(plan, work).await;
                (made, plan.and_then(|plan| plan.live))
            }
            Memory::Pooling { .. } => (work.await, None),
        };
        if let Some(live) = &live {
            self.attach(store, live);
        }
        Ok(Made { instance: instance?, live, stack })
    }

    /// The instance's exports as a command.
    ///
    /// # Errors
    /// Those of wasmtime.
    pub(crate) fn command(&self, store: &mut Store<ProcessState>, instance: &Instance) -> wasmtime::Result<Command> {
        self.command.load(store, instance)
    }

    /// The instance's exports as an interpreter; `None` if the program is not one.
    ///
    /// # Errors
    /// Those of wasmtime.
    pub(crate) fn interpreter(&self, store: &mut Store<ProcessState>, instance: &Instance) -> wasmtime::Result<Option<Interpreter>> {
        self.interpreter.as_ref().map(|indices| indices.load(store, instance)).transpose()
    }

    /// Whether it can have threads.
    pub(crate) fn has_threads(&self) -> bool {
        self.threads.is_some()
    }

    /// Where the instance's threads begin.
    ///
    /// # Errors
    /// If it has none, or they begin in another way.
    pub(crate) fn thread_entry(&self, store: impl AsContextMut, instance: &Instance) -> wasmtime::Result<TypedFunc<(u32,), ()>> {
        let Some(entry) = &self.threads else { wasmtime::bail!("the program exports no entry of threads") };
        instance.get_typed_func(store, entry)
    }

    /// Prepares one more instance, if there is room for it.
    pub(crate) fn prewarm(&self) {
        let Memory::Slots(slots) = self.runtime.memory() else { return };
        let Some(prewarmed) = self.prewarmed.as_ref().filter(|prewarmed| prewarmed.has_room()) else { return };
        let Some(place) = slots.space.place(self.image.as_ref().map(|(_, pool)| &**pool)) else { return };
        let (mut store, faults) = (self.store(unclaimed::state()), Faults::default());
        store.set_epoch_deadline(PATIENCE);
        // None of its code runs, only wasmtime's own for tables and globals, so it never waits.
        let made = faults.during(|| without_waiting(self.instantiate(&mut store, self.image.as_ref(), faults.clone())));
        match made {
            Some(Ok(Made { instance, live, stack })) => prewarmed.put(Prewarmed { store, instance, live, stack, faults, place }),
            Some(Err(error)) => tracing::warn!(error = format!("{error:#}"), "no instance could be made ready"),
            None => tracing::warn!("an instance that was to be made ready waits for something"),
        }
    }

    /// Prepares `count` memories that hold its image.
    ///
    /// # Errors
    /// Those of the system.
    pub(crate) fn fill(&self, count: usize) -> std::io::Result<()> {
        self.image.as_ref().map_or(Ok(()), |(_, pool)| Memory::fill(pool, count))
    }

    /// Whether it is an interpreter that can stay alive.
    pub(crate) fn is_interpreter(&self) -> bool {
        self.interpreter.is_some()
    }

    /// The image that its memory starts with.
    pub(crate) fn image(&self) -> Origin<'_> {
        self.image.as_ref()
    }

    /// Whether a memory that starts with `origin` starts as the program's own do.
    fn is_own(&self, origin: Origin<'_>) -> bool {
        match (origin, &self.image) {
            (Some((_, theirs)), Some((_, own))) => Arc::ptr_eq(theirs, own),
            (None, None) => true,
            _ => false,
        }
    }

    /// Has the host tell the process in `store` about signals, by the words that the component names.
    fn attach(&self, store: &mut Store<ProcessState>, live: &LiveMemory) {
        store.data_mut().wasi().ctx.signal_flags.attach(live.clone(), &self.signal_words);
    }

    /// The engine it was compiled for.
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

impl Tenancy {
    /// Releases everything that belongs to the process, before its memory is restored. None of its code runs any more.
    pub(crate) fn vacate(&mut self) {
        *self.data_mut() = unclaimed::state();
    }
}

impl Deref for Tenancy {
    type Target = Store<ProcessState>;

    fn deref(&self) -> &Store<ProcessState> {
        // Only `drop` takes it.
        self.store.as_ref().expect("a process has its store until it is dropped")
    }
}

impl DerefMut for Tenancy {
    fn deref_mut(&mut self) -> &mut Store<ProcessState> {
        // As above.
        self.store.as_mut().expect("a process has its store until it is dropped")
    }
}

impl Drop for Tenancy {
    fn drop(&mut self) {
        drop(self.store.take());
        // Prepares an instance in the slot that was just restored, while this processor's caches hold it.
        self.program.prewarm();
    }
}
