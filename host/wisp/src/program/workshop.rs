//! What makes tools: the components, their imports, their machine code, and the programs that sessions share.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock, Weak};

use parking_lot::Mutex;

use crate::program::error::SessionError;
use crate::program::templates::Templates;
use crate::program::tool_bytes::{ProgramSlot, ShippedImports};
use crate::runtime::{CodeCache, Memory, Metering, Runtime, RuntimeError, Ticker};
use wisp_components::{Component, Components};
use wisp_world::Imports;

/// Progress of what commands wait for.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum CompileEvent {
    /// A tool is being compiled to machine code, by this process or another. It takes seconds, and the result is kept.
    Started {
        /// The tool.
        tool: String,
    },
    /// The tool has been compiled, or could not be.
    Finished {
        /// The tool.
        tool: String,
    },
}

pub(crate) type Listener = Arc<dyn Fn(CompileEvent) + Send + Sync>;

/// What makes the tools of all sessions of an engine.
pub(crate) struct Workshop {
    plain: Runtime,
    /// The runtime that counts instructions, made when a policy first asks for it.
    fueled: OnceLock<Runtime>,
    /// The runtimes with exceptions of wasm, made when a session first has the data image: without instructions counted, and
    /// with.
    exceptions: [OnceLock<Runtime>; 2],
    /// Where images of interpreters are: a folder for each.
    images: Option<PathBuf>,
    /// Whether an image without machine code is compiled.
    compile_images: bool,
    max_processes: u32,
    ticker: Ticker,
    cache: CodeCache,
    components: Components,
    listener: Option<Listener>,
    programs: Mutex<Programs>,
    templates: Templates,
    imports: ShippedImports,
    /// How many processes wait for machine code.
    waits: AtomicUsize,
}

/// The programs that sessions share.
#[derive(Default)]
struct Programs {
    /// By what is compiled, and for which runtime: how it is metered, and whether it has exceptions.
    shared: HashMap<(String, Metering, bool), Weak<ProgramSlot>>,
    pinned: Vec<Arc<ProgramSlot>>,
}

impl Workshop {
    /// Makes a workshop with this runtime for programs that are metered by epochs. `ticker` advances the epochs of the
    /// other runtime.
    pub(crate) fn new(
        plain: Runtime,
        max_processes: u32,
        ticker: Ticker,
        cache: CodeCache,
        components: Components,
        listener: Option<Listener>,
    ) -> Self {
        Self {
            plain,
            fueled: OnceLock::new(),
            exceptions: [OnceLock::new(), OnceLock::new()],
            images: None,
            compile_images: false,
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

    /// Returns the same with the folder of images, and whether they are compiled when they are needed.
    pub(crate) fn with_images(self, images: Option<PathBuf>, compile_images: bool) -> Self {
        Self { images, compile_images, ..self }
    }

    /// Returns whether an image without machine code is compiled when it is needed.
    pub(crate) fn compiles_images(&self) -> bool {
        self.compile_images
    }

    /// Returns the folder of images, if there is one.
    pub(crate) fn images(&self) -> Option<&Path> {
        self.images.as_deref()
    }

    /// Returns the cache of machine code.
    pub(crate) fn cache(&self) -> &CodeCache {
        &self.cache
    }

    /// Returns the components of this build.
    pub(crate) fn components(&self) -> &Components {
        &self.components
    }

    /// Returns how the memory of processes is made.
    pub(crate) fn memory(&self) -> &Memory {
        self.plain.memory()
    }

    /// Returns the wasmtime engine for this metering, with exceptions of wasm or without. All but the engine without fuel and
    /// exceptions are made on first use.
    pub(crate) fn runtime(&self, metering: Metering, exceptions: bool) -> Result<Runtime, RuntimeError> {
        let (place, make): (_, fn(_, _, _) -> _) = match (metering, exceptions) {
            (Metering::Epochs, false) => return Ok(self.plain.clone()),
            (Metering::Fuel, false) => (&self.fueled, Runtime::new),
            (Metering::Epochs, true) => (&self.exceptions[0], Runtime::with_exceptions),
            (Metering::Fuel, true) => (&self.exceptions[1], Runtime::with_exceptions),
        };
        if let Some(runtime) = place.get() {
            return Ok(runtime.clone());
        }
        let runtime = make(metering, self.max_processes, self.plain.memory().clone())?;
        let made = place.get_or_init(|| {
            self.ticker.add(runtime.engine());
            runtime
        });
        Ok(made.clone())
    }

    /// Returns the states that sessions start from.
    pub(crate) fn templates(&self) -> &Templates {
        &self.templates
    }

    /// Returns the imports of this shipped component.
    pub(crate) fn imports(&self, component: &Component) -> Result<Arc<Imports>, SessionError> {
        self.imports.of(component, &self.cache)
    }

    /// Counts the waits for machine code, and reports `event` to the listener.
    pub(crate) fn tell(&self, event: CompileEvent) {
        match event {
            CompileEvent::Started { .. } => self.waits.fetch_add(1, Ordering::Relaxed),
            CompileEvent::Finished { .. } => self.waits.fetch_sub(1, Ordering::Relaxed),
        };
        if let Some(listener) = &self.listener {
            listener(event);
        }
    }

    /// Returns whether a process waits for machine code, which takes all processors.
    pub(crate) fn is_waited_for(&self) -> bool {
        self.waits.load(Ordering::Relaxed) > 0
    }

    /// Returns the place of a program's machine code, shared with other sessions that have it: by its composition, how it is metered, and
    /// whether it has exceptions. Those of `shipped` components alone are kept; those with parts of the user are dropped with the last session that has them.
    pub(crate) fn program_slot(&self, key: (String, Metering, bool), shipped: bool) -> Arc<ProgramSlot> {
        let mut programs = self.programs.lock();
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
