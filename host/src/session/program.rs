//! A tool's machine code, linked and ready to be instantiated.

use std::future::Future;
use std::sync::Arc;

use wasmtime::Store;
use wasmtime::component::Linker;

use super::state::ProcessState;
use crate::engine::memory::{Image, LiveMemory, MemoryShape, Plan, SlotPool, instantiate};
use crate::engine::{Code, Faults, Memory, Runtime};
use crate::wasi::bindings::interpreter::{Interpreter, InterpreterIndices};
use crate::wasi::bindings::{Command, CommandPre};
use crate::wasi::link;
use crate::world::ComponentWorld;

/// A component whose imports are linked: all that is left is to instantiate it.
pub(super) struct Program {
    pre: CommandPre<ProcessState>,
    /// Its export of an interpreter, if it has one.
    interpreter: Option<InterpreterIndices>,
    runtime: Runtime,
    /// What its memory starts with, where memories are slots and it has an image.
    image: Option<(MemoryShape, Arc<SlotPool>)>,
}

impl Program {
    /// Link exactly what the world decided to provide.
    ///
    /// # Errors
    /// When the component imports what the world does not provide, which resolving it should have found.
    pub(super) fn link(runtime: &Runtime, code: Code, world: &ComponentWorld) -> wasmtime::Result<Program> {
        let mut linker = Linker::new(runtime.engine());
        for interface in world.host_interfaces() {
            if !link(&mut linker, interface.name())? {
                wasmtime::bail!("the capability table grants `{}`, which the host does not implement", interface.name());
            }
        }
        let pre = CommandPre::new(linker.instantiate_pre(&code.component)?)?;
        let image = match (runtime.memory(), code.image) {
            (Memory::Slots(slots), Some(file)) => {
                let size = usize::try_from(file.shape.minimum)? << 16;
                let image = Image::of_file(file.file, file.len, size)?;
                Some((file.shape, SlotPool::new(slots.space.clone(), Arc::new(image))))
            }
            _ => None,
        };
        let interpreter = InterpreterIndices::new(pre.instance_pre()).ok();
        Ok(Program { pre, interpreter, runtime: runtime.clone(), image })
    }

    /// Make an instance. Whatever runs of it, this included, is measured by `faults`.
    ///
    /// # Errors
    /// wasmtime's.
    pub(super) async fn instantiate(&self, store: &mut Store<ProcessState>, faults: Faults) -> wasmtime::Result<Command> {
        self.planned(self.image.as_ref(), faults, self.pre.instantiate_async(store)).await.0
    }

    /// Make an instance of an interpreter whose memory starts with `image`; answers with the memory, where it is a slot.
    /// `None` if the program is no interpreter.
    ///
    /// # Errors
    /// wasmtime's.
    pub(super) async fn instantiate_interpreter(
        &self,
        store: &mut Store<ProcessState>,
        image: Option<&(MemoryShape, Arc<SlotPool>)>,
        faults: Faults,
    ) -> wasmtime::Result<Option<(Interpreter, Option<LiveMemory>)>> {
        let Some(indices) = &self.interpreter else { return Ok(None) };
        let (instance, live) = self.planned(image, faults, self.pre.instance_pre().instantiate_async(&mut *store)).await;
        Ok(Some((indices.load(store, &instance?)?, live)))
    }

    /// Run an instantiation so that its memory starts with `image`.
    async fn planned<F: Future>(
        &self,
        image: Option<&(MemoryShape, Arc<SlotPool>)>,
        faults: Faults,
        work: F,
    ) -> (F::Output, Option<LiveMemory>) {
        match self.runtime.memory() {
            Memory::Slots(slots) => {
                let plan = Plan { image: image.cloned(), zero: slots.zero.clone(), live: None, faults: Some(faults) };
                let (output, plan) = instantiate(plan, work).await;
                (output, plan.and_then(|plan| plan.live))
            }
            Memory::Pooling => (work.await, None),
        }
    }

    /// Have `count` memories that hold its image ready.
    ///
    /// # Errors
    /// The system's.
    pub(super) fn fill(&self, count: usize) -> std::io::Result<()> {
        self.image.as_ref().map_or(Ok(()), |(_, pool)| Memory::fill(pool, count))
    }

    /// Whether it is an interpreter that can stay alive.
    pub(super) fn is_interpreter(&self) -> bool {
        self.interpreter.is_some()
    }

    /// What its memory starts with.
    pub(super) fn image(&self) -> Option<&(MemoryShape, Arc<SlotPool>)> {
        self.image.as_ref()
    }

    /// The engine it was compiled for.
    pub(super) fn runtime(&self) -> &Runtime {
        &self.runtime
    }
}
