//! What tools are made with: the components, what they import, their machine code, and the programs that sessions share.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use crate::program::error::SessionError;
use crate::program::rootfs::Templates;
use crate::program::tool::{ProgramSlot, ShippedImports};
use crate::runtime::{CodeCache, Memory, Metering, Runtime, RuntimeError, Ticker};
use wisp_components::{Component, ComponentSource};
use wisp_world::Imports;

/// Progress in what commands wait for.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum CompileEvent {
    /// A tool is being compiled to machine code, here or by another program; which takes seconds, and is then kept.
    Started {
        /// The tool.
        tool: String,
    },
    /// It is compiled, or could not be.
    Finished {
        /// The tool.
        tool: String,
    },
}

pub(crate) type Listener = Arc<dyn Fn(CompileEvent) + Send + Sync>;

/// What the tools of all sessions of an engine are made with.
pub(crate) struct Workshop {
    plain: Runtime,
    /// The runtime that counts instructions, once a policy asks for that.
    fueled: OnceLock<Runtime>,
    max_processes: u32,
    ticker: Ticker,
    cache: CodeCache,
    components: ComponentSource,
    listener: Option<Listener>,
    programs: Mutex<Programs>,
    templates: Templates,
    imports: ShippedImports,
    /// How often machine code is waited for.
    waits: AtomicUsize,
}

/// The programs that sessions share.
#[derive(Default)]
struct Programs {
    shared: HashMap<(String, Metering), Weak<ProgramSlot>>,
    pinned: Vec<Arc<ProgramSlot>>,
}

impl Workshop {
    /// A workshop with this runtime for what is metered by epochs. `ticker` moves the epochs of the other runtime.
    pub(crate) fn new(
        plain: Runtime,
        max_processes: u32,
        ticker: Ticker,
        cache: CodeCache,
        components: ComponentSource,
        listener: Option<Listener>,
    ) -> Workshop {
        Workshop {
            plain,
            fueled: OnceLock::new(),
            max_processes,
            ticker,
            cache,
            components,
            listener,
            programs: Mutex::default(),
            templates: Templates::default(),
            imports: ShippedImports::default(),
            waits: AtomicUsize::new(0),
        }
    }

    /// The cache of machine code.
    pub(crate) fn cache(&self) -> &CodeCache {
        &self.cache
    }

    /// The components that came with wisp.
    pub(crate) fn components(&self) -> &ComponentSource {
        &self.components
    }

    /// How the memory of processes is made.
    pub(crate) fn memory(&self) -> &Memory {
        self.plain.memory()
    }

    /// The wasmtime engine for this metering; the one with fuel is made when it is first asked for.
    pub(crate) fn runtime(&self, metering: Metering) -> Result<Runtime, RuntimeError> {
        if metering == Metering::Epochs {
            return Ok(self.plain.clone());
        }
        if let Some(runtime) = self.fueled.get() {
            return Ok(runtime.clone());
        }
        let runtime = Runtime::new(metering, self.max_processes, self.plain.memory().clone())?;
        Ok(self
            .fueled
            .get_or_init(|| {
                self.ticker.add(runtime.engine());
                runtime
            })
            .clone())
    }

    /// What sessions start from.
    pub(crate) fn templates(&self) -> &Templates {
        &self.templates
    }

    /// What this shipped component imports.
    pub(crate) fn imports(&self, component: &Component) -> Result<Arc<Imports>, SessionError> {
        self.imports.of(component, &self.cache)
    }

    /// Count who waits for machine code, and report it to the listener.
    pub(crate) fn tell(&self, event: CompileEvent) {
        match event {
            CompileEvent::Started { .. } => self.waits.fetch_add(1, Ordering::Relaxed),
            CompileEvent::Finished { .. } => self.waits.fetch_sub(1, Ordering::Relaxed),
        };
        if let Some(listener) = &self.listener {
            listener(event);
        }
    }

    /// Whether a process waits for machine code: that takes all processors.
    pub(crate) fn is_waited_for(&self) -> bool {
        self.waits.load(Ordering::Relaxed) > 0
    }

    /// The place of a program's machine code, shared with other sessions. Those of shipped components stay; those of
    /// custom tools go with the last session that has them.
    pub(crate) fn program_slot(&self, composition: String, metering: Metering, shipped: bool) -> Arc<ProgramSlot> {
        let mut programs = self.programs.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (composition, metering);
        if let Some(slot) = programs.shared.get(&key).and_then(Weak::upgrade) {
            return slot;
        }
        programs.shared.retain(|_, slot| slot.strong_count() > 0);
        let slot = Arc::new(ProgramSlot::default());
        programs.shared.insert(key, Arc::downgrade(&slot));
        if shipped {
            programs.pinned.push(slot.clone());
        }
        slot
    }
}
