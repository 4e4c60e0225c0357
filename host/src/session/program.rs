//! A tool's machine code, linked and ready to be instantiated.

use wasmtime::component::{Component, Linker};

use super::state::ProcessState;
use crate::engine::Runtime;
use crate::wasi::bindings::CommandPre;
use crate::wasi::link;
use crate::world::ComponentWorld;

/// A component whose imports are linked: all that is left is to instantiate it.
pub(super) struct Program {
    pre: CommandPre<ProcessState>,
    runtime: Runtime,
}

impl Program {
    /// Link exactly what the world decided to provide.
    ///
    /// # Errors
    /// When the component imports what the world does not provide, which resolving it should have found.
    pub(super) fn link(runtime: &Runtime, component: &Component, world: &ComponentWorld) -> wasmtime::Result<Program> {
        let mut linker = Linker::new(runtime.engine());
        for interface in world.host_interfaces() {
            if !link(&mut linker, interface.name())? {
                wasmtime::bail!("the capability table grants `{}`, which the host does not implement", interface.name());
            }
        }
        let pre = CommandPre::new(linker.instantiate_pre(component)?)?;
        Ok(Program { pre, runtime: runtime.clone() })
    }

    /// What instantiates it.
    pub(super) fn pre(&self) -> &CommandPre<ProcessState> {
        &self.pre
    }

    /// The engine it was compiled for.
    pub(super) fn runtime(&self) -> &Runtime {
        &self.runtime
    }
}
