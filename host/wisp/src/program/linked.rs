//! A tool's machine code, linked and ready to be instantiated, and the instances of it that are ready.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use wasmtime::Store;
use wasmtime::component::{Instance, InstancePre, Linker};

use crate::program::memory::ProcessMemory;
use crate::program::store::ProcessState;
use crate::program::unclaimed;
use crate::runtime::memory::{Image, LiveMemory, MemoryShape, Plan, SlotPool, instantiate};
use crate::runtime::{Code, Faults, Memory, Metering, PrewarmPool, Prewarmed, Runtime, without_waiting};
use crate::wasi::bindings::interpreter::{Interpreter, InterpreterIndices};
use crate::wasi::bindings::{Command, CommandIndices};
use crate::wasi::{NoMemory, ProcessCtx, link, link_denials};
use wisp_world::ComponentWorld;

/// Maximum bytes a guest may hand to the host in one call. What a call takes is freed when it returns, or held while a
/// pipe is full: then it is a copy of the guest's own memory, which is limited, and less than this for each process. A
/// larger write traps; our guests write in pieces.
const CALL_BYTES: usize = 64 << 20;

/// Epochs after which making an instance ready is given up: half a second.
const PATIENCE: u64 = 100;

/// Host memory beside its memories that an instance may cost without a charge, in bytes; what is over it is charged. Attack:
/// custom tools whose instances cost 16 MiB each. Those of shipped components are below.
const FREE_COST: u64 = 2 << 20;

/// A component whose imports are linked: all that is left is to instantiate it.
pub(crate) struct Program {
    pre: InstancePre<ProcessState>,
    command: CommandIndices,
    /// Its export of an interpreter, if it has one.
    interpreter: Option<InterpreterIndices>,
    runtime: Runtime,
    /// What an instance costs the host beside its memories, in bytes at the most.
    cost: u64,
    /// What its memory starts with, where memories are slots and it has an image.
    image: Option<(MemoryShape, Arc<SlotPool>)>,
    /// Instances that are ready; none where making one could run code of the component.
    prewarmed: Option<PrewarmPool<ProcessState, Instance>>,
}

/// What a memory starts with.
pub(crate) type Origin<'a> = Option<&'a (MemoryShape, Arc<SlotPool>)>;

/// An instance, and its memory where that is a slot.
pub(crate) struct Made {
    pub instance: Instance,
    pub live: Option<LiveMemory>,
}

/// A process that begins.
pub(crate) struct Begun {
    pub store: Tenancy,
    /// Its instance, if one was ready.
    pub made: Option<Made>,
    /// Where the page faults of whatever runs in it are counted.
    pub faults: Faults,
}

/// A process's store. When it goes, its memory is restored, and another instance is made ready.
pub(crate) struct Tenancy {
    /// There until it is dropped.
    store: Option<Store<ProcessState>>,
    program: Arc<Program>,
}

impl Program {
    /// Link exactly what the world decided to provide.
    ///
    /// # Errors
    /// When the component imports what the world does not provide, which resolving it should have found.
    pub(crate) fn link(runtime: &Runtime, code: Code, world: &ComponentWorld) -> wasmtime::Result<Program> {
        let mut linker = Linker::new(runtime.engine());
        for interface in world.host_interfaces() {
            if !link(&mut linker, interface.name())? {
                wasmtime::bail!("the capability table grants `{}`, which the host does not implement", interface.name());
            }
        }
        if let Some(report) = world.report() {
            link_denials(&mut linker, report)?;
        }
        let pre = linker.instantiate_pre(&code.component)?;
        let (command, interpreter) = (CommandIndices::new(&pre)?, InterpreterIndices::new(&pre).ok());
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
                // What is ready is charged to nobody until a process takes it: only what costs little is kept. Where instructions
                // are counted, an instance that was ready would count other ones than one that was not.
                let ready = code.inert && code.cost <= FREE_COST && runtime.metering() == Metering::Epochs;
                (image, ready.then(|| PrewarmPool::new(slots.space.bounds().ready)))
            }
            Memory::Pooling { .. } => (None, None),
        };
        Ok(Program { pre, command, interpreter, runtime: runtime.clone(), cost: code.cost, image, prewarmed })
    }

    /// Begin a process: in an instance that is ready, if its memory starts with `origin` and the process's account has room
    /// for it.
    pub(crate) fn begin(self: &Arc<Self>, origin: Origin<'_>, ctx: ProcessCtx, mut memory: ProcessMemory) -> Begun {
        let prewarmed = self.prewarmed.as_ref().filter(|_| self.is_own(origin));
        let ready = prewarmed.and_then(|pool| {
            let ready = pool.take()?;
            if memory.take_over(&ready.store.data().memory) {
                return Some(ready);
            }
            // Making one for the process will fail alike, and say so; this one is for somebody else.
            pool.put(ready);
            None
        });
        if let Memory::Slots(slots) = self.runtime.memory() {
            slots.space.began(ready.is_some());
        }
        let state = ProcessState::new(ctx, memory);
        let (mut store, made, faults) = match ready {
            Some(Prewarmed { mut store, instance, live, faults, place }) => {
                *store.data_mut() = state;
                drop(place);
                (store, Some(Made { instance, live }), faults)
            }
            None => (self.store(state), None, Faults::default()),
        };
        // wasmtime's tables of the guest's handles have rows for no more, handles to resources of the component's own included.
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

    /// Make an instance whose memory starts with `origin`. Whatever runs of it, this included, is measured by `faults`.
    ///
    /// # Errors
    /// wasmtime's, and [`NoMemory`].
    pub(crate) async fn instantiate(&self, store: &mut Store<ProcessState>, origin: Origin<'_>, faults: Faults) -> wasmtime::Result<Made> {
        if !store.data_mut().memory.take(self.cost.saturating_sub(FREE_COST)) {
            return Err(NoMemory.into());
        }
        let work = self.pre.instantiate_async(store);
        let (instance, live) = match self.runtime.memory() {
            Memory::Slots(slots) => {
                let plan = Plan { image: origin.cloned(), zero: slots.zero.clone(), live: None, faults: Some(faults) };
                let (instance, plan) = instantiate(plan, work).await;
                (instance, plan.and_then(|plan| plan.live))
            }
            Memory::Pooling { .. } => (work.await, None),
        };
        Ok(Made { instance: instance?, live })
    }

    /// What an instance exports as a command.
    ///
    /// # Errors
    /// wasmtime's.
    pub(crate) fn command(&self, store: &mut Store<ProcessState>, instance: &Instance) -> wasmtime::Result<Command> {
        self.command.load(store, instance)
    }

    /// What an instance exports as an interpreter; `None` if the program is none.
    ///
    /// # Errors
    /// wasmtime's.
    pub(crate) fn interpreter(&self, store: &mut Store<ProcessState>, instance: &Instance) -> wasmtime::Result<Option<Interpreter>> {
        self.interpreter.as_ref().map(|indices| indices.load(store, instance)).transpose()
    }

    /// Have one more instance ready, if there is room for it.
    pub(crate) fn prewarm(&self) {
        let Memory::Slots(slots) = self.runtime.memory() else { return };
        let Some(prewarmed) = self.prewarmed.as_ref().filter(|prewarmed| prewarmed.has_room()) else { return };
        let Some(place) = slots.space.place(self.image.as_ref().map(|(_, pool)| &**pool)) else { return };
        let (mut store, faults) = (self.store(unclaimed::state()), Faults::default());
        store.set_epoch_deadline(PATIENCE);
        // None of its code runs, only wasmtime's own for tables and globals, so that there is nothing to wait for.
        let made = faults.during(|| without_waiting(self.instantiate(&mut store, self.image.as_ref(), faults.clone())));
        match made {
            Some(Ok(Made { instance, live })) => prewarmed.put(Prewarmed { store, instance, live, faults, place }),
            Some(Err(error)) => tracing::warn!(error = format!("{error:#}"), "no instance could be made ready"),
            None => tracing::warn!("an instance that was to be made ready waits for something"),
        }
    }

    /// Have `count` memories that hold its image ready.
    ///
    /// # Errors
    /// The system's.
    pub(crate) fn fill(&self, count: usize) -> std::io::Result<()> {
        self.image.as_ref().map_or(Ok(()), |(_, pool)| Memory::fill(pool, count))
    }

    /// Whether it is an interpreter that can stay alive.
    pub(crate) fn is_interpreter(&self) -> bool {
        self.interpreter.is_some()
    }

    /// What its memory starts with.
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

    /// The engine it was compiled for.
    pub(crate) fn runtime(&self) -> &Runtime {
        &self.runtime
    }
}

impl Tenancy {
    /// Let go of everything that is the process's, before its memory is restored: nothing of it runs any more.
    pub(crate) fn vacate(&mut self) {
        *self.data_mut() = unclaimed::state();
    }
}

impl Deref for Tenancy {
    type Target = Store<ProcessState>;

    fn deref(&self) -> &Store<ProcessState> {
        // Nothing but `drop` takes it.
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
        // In the slot that was restored just now, while this processor's caches know it.
        self.program.prewarm();
    }
}
