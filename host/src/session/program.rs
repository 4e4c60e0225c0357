//! A tool's machine code, linked and ready to be instantiated.

use std::sync::Arc;

use wasmtime::Store;
use wasmtime::component::Linker;

use super::state::ProcessState;
use crate::engine::memory::{Image, MemoryShape, Plan, SlotPool, instantiate};
use crate::engine::{Code, Memory, Runtime};
use crate::wasi::bindings::{Command, CommandPre};
use crate::wasi::link;
use crate::world::ComponentWorld;

/// A component whose imports are linked: all that is left is to instantiate it.
pub(super) struct Program {
    pre: CommandPre<ProcessState>,
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
        Ok(Program { pre, runtime: runtime.clone(), image })
    }

    /// Make an instance.
    ///
    /// # Errors
    /// wasmtime's.
    pub(super) async fn instantiate(&self, store: &mut Store<ProcessState>) -> wasmtime::Result<Command> {
        let work = self.pre.instantiate_async(store);
        match self.runtime.memory() {
            Memory::Slots(slots) => {
                let plan = Plan { image: self.image.clone(), zero: slots.zero.clone(), live: None };
                instantiate(plan, work).await.0
            }
            Memory::Pooling => work.await,
        }
    }

    /// The engine it was compiled for.
    pub(super) fn runtime(&self) -> &Runtime {
        &self.runtime
    }
}
