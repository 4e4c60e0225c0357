//! A live interpreter: its process, and its instance.

use std::sync::Arc;

use tokio::sync::OwnedSemaphorePermit;
use wasmtime::component::Instance;

use crate::exec::command_run::EndOnDrop;
use crate::exec::lockstep::Presence;
use crate::interpreter::evaluation::EvaluationOutput;
use crate::program::instances::{Entry, Made};
use crate::program::tenancy::Tenancy;
use crate::runtime::Faults;
use crate::runtime::memory::{LiveMemory, LiveStack};
use crate::wasi::HostMemory;
use crate::wasi::bindings::interpreter::Interpreter as Exports;
use crate::wasi::bindings::interpreter::exports::wisp::sandbox::evaluation::Setting;
use wisp_process::{ExitStatus, Row};

/// A live interpreter. The store comes first, so that it releases what it holds before the process leaves its table.
pub(crate) struct Alive {
    pub store: Tenancy,
    pub interpreter: Exports,
    pub instance: Instance,
    pub memory: Option<LiveMemory>,
    /// The stack of its store, once it has one.
    pub stack: Option<LiveStack>,
    /// The setting that the next evaluation sends.
    pub setting: Option<Setting>,
    pub faults: Faults,
    /// What its handle of the root directory stands for, if it began with one.
    pub root: Option<u32>,
    /// Bytes that were debited for making its instance.
    pub held: u64,
    pub account: Arc<dyn HostMemory>,
    pub stdout: Arc<EvaluationOutput>,
    pub stderr: Arc<EvaluationOutput>,
    /// Its command. Ends what its evaluations left when it ends.
    pub children: EndOnDrop,
    pub row: Row,
    /// Under a deterministic policy, pauses the processes that it left running until the next evaluation.
    pub _present: Option<Presence>,
    /// Its place among the engine's running processes. Between evaluations only where a memory is one of a fixed number.
    pub permit: Option<OwnedSemaphorePermit>,
}

impl Alive {
    /// Returns the name it was started by.
    pub(crate) fn name(&self) -> Arc<str> {
        self.row.process().name()
    }

    /// Ends it between two evaluations. Its last call returned, so its instance can be used again. What belongs to the process is
    /// released before the process leaves its table.
    pub(crate) fn give_back(self: Box<Self>) {
        let Self { store, interpreter, instance, memory, stack, setting, faults, root, held, .. } = *self;
        // A handle that its first evaluation was to take is not in it yet.
        if setting.is_none_or(|setting| setting.handles.is_empty()) {
            let entry = Entry { instance, interpreter: Some(interpreter), root, held };
            store.give_back(Made { entry, live: memory, stack }, faults);
        }
    }

    /// Ends it after code of it was cut off, or it ended by itself: as above, and its instance is not used again.
    pub(crate) fn leave(self: Box<Self>, status: ExitStatus) {
        let Self { store, row, .. } = *self;
        drop(store);
        row.leave(status);
    }
}
