//! The engine: what a process sets up once and all its sessions share.

#![expect(clippy::disallowed_methods, reason = "where the cache is, when the host program does not say")]

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::Semaphore;

use crate::program::workshop::{CompileEvent, Listener, Workshop};
use crate::runtime::{CodeCache, Memory, MemoryChoice, Metering, Runtime, RuntimeError, SlotBounds, SlotMetrics, Ticker};
use crate::session::builder::SessionBuilder;
use crate::session::error::EngineError;
use wisp_components::ComponentSource;
use wisp_net::{Resolve, SystemResolver};
use wisp_policy::digest::hex;
use wisp_policy::{Policy, PolicyErrors};

/// Processes of all sessions together at the most: each reserves 4 GiB of address space, of which there are 128 TiB.
const MAX_PROCESSES: u32 = 1_000;

/// The cache that an engine is to have.
enum CacheChoice {
    Directory(PathBuf),
    Open(CodeCache),
}

/// Settings of an [`Engine`].
#[must_use]
pub struct EngineBuilder {
    cache: Option<CacheChoice>,
    shipped: Option<PathBuf>,
    components: Option<ComponentSource>,
    max_processes: u32,
    memory: MemoryChoice,
    slots: SlotBounds,
    listener: Option<Listener>,
    resolver: Arc<dyn Resolve>,
}

impl EngineBuilder {
    /// Keep machine code in this directory instead of the user's cache directory. It must be private to this user.
    pub fn cache_directory(mut self, directory: impl Into<PathBuf>) -> EngineBuilder {
        self.cache = Some(CacheChoice::Directory(directory.into()));
        self
    }

    /// Keep machine code in this cache, which is open already: [`Engine::default_cache`], opened to confine the process.
    pub fn cache(mut self, cache: CodeCache) -> EngineBuilder {
        self.cache = Some(CacheChoice::Open(cache));
        self
    }

    /// Look for machine code in this directory too before anything is compiled: code that came with the program, as
    /// [`CodeCache::ship`] writes it. It is only read, and checked as the cache's files are. Nothing of it is used if it is
    /// not there, or anyone but root, this user and the owner of the program could have written it.
    pub fn shipped_code(mut self, directory: impl Into<PathBuf>) -> EngineBuilder {
        self.shipped = Some(directory.into());
        self
    }

    /// Take components from there instead of from inside the program.
    pub fn components(mut self, components: ComponentSource) -> EngineBuilder {
        self.components = Some(components);
        self
    }

    /// Run at most this many processes at once, all sessions together (1,000 by default).
    pub fn max_processes(mut self, max: u32) -> EngineBuilder {
        self.max_processes = max.max(1);
        self
    }

    /// Make the memory of processes this way; by default whatever is best on this machine.
    pub fn memory(mut self, choice: MemoryChoice) -> EngineBuilder {
        self.memory = choice;
        self
    }

    /// Bound what memories that nobody uses may hold.
    pub fn slots(mut self, bounds: SlotBounds) -> EngineBuilder {
        self.slots = bounds;
        self
    }

    /// Look up the names of hosts there instead of asking the system.
    pub fn resolver(mut self, resolver: Arc<dyn Resolve>) -> EngineBuilder {
        self.resolver = resolver;
        self
    }

    /// Call this when a tool is compiled.
    pub fn on_compile(mut self, listener: impl Fn(CompileEvent) + Send + Sync + 'static) -> EngineBuilder {
        self.listener = Some(Arc::new(listener));
        self
    }

    /// Make the engine.
    ///
    /// # Errors
    /// When wasmtime refuses the machine, the cache directory is not private, or the components are damaged.
    pub fn build(self) -> Result<Engine, EngineError> {
        let cache = match self.cache {
            Some(CacheChoice::Open(cache)) => cache,
            Some(CacheChoice::Directory(directory)) => CodeCache::open(&directory)?,
            None => Engine::default_cache()?,
        };
        let (cache, shipped) = with_shipped(cache, self.shipped.filter(|directory| directory.exists()));
        let components = match self.components {
            Some(components) => components,
            None => ComponentSource::from_environment()?,
        };
        let ticker = Ticker::default();
        let (memory, fallback) = Memory::choose(self.memory, self.slots)?;
        if let Memory::Slots(slots) = &memory {
            ticker.nudge(slots.space.queue());
        }
        let plain = Runtime::new(Metering::Epochs, self.max_processes, memory)?;
        ticker.add(plain.engine());
        ticker.ready().map_err(RuntimeError::no_thread)?;
        let workshop = Workshop::new(plain, self.max_processes, ticker.clone(), cache, components, self.listener);
        Ok(Engine(Arc::new(Inner {
            workshop: Arc::new(workshop),
            fallback,
            shipped,
            ticker,
            room: Arc::new(Semaphore::new(self.max_processes as usize)),
            resolver: self.resolver,
            sessions: AtomicU64::new(0),
        })))
    }
}

/// `$XDG_CACHE_HOME/wisp/code`, or below `~/.cache`.
fn default_cache() -> Option<PathBuf> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = absolute("XDG_CACHE_HOME").or_else(|| absolute("HOME").map(|home| home.join(".cache")))?;
    Some(base.join("wisp").join("code"))
}

/// The cache, with the code that came with the program; or why it is not used.
fn with_shipped(cache: CodeCache, directory: Option<PathBuf>) -> (CodeCache, Option<String>) {
    let Some(directory) = directory else { return (cache, None) };
    // The owner of the program is trusted by whoever runs it.
    let me = rustix::process::geteuid().as_raw();
    let owner = rustix::fs::stat("/proc/self/exe").map_or(me, |facts| facts.st_uid);
    match cache.clone().with_shipped(&directory, owner) {
        Ok(cache) => (cache, None),
        Err(error) => {
            tracing::debug!(%error, "the machine code that came with the program is not used");
            (cache, Some(error.to_string()))
        }
    }
}

struct Inner {
    /// What all sessions' tools are made with.
    workshop: Arc<Workshop>,
    /// Why memories are not made of slots, if they are not.
    fallback: Option<String>,
    /// Why the code that came with the program is not used, if it is there and is not.
    shipped: Option<String>,
    ticker: Ticker,
    room: Arc<Semaphore>,
    resolver: Arc<dyn Resolve>,
    sessions: AtomicU64,
}

/// What a process sets up once: wasmtime, the cache of machine code, the components. Cheap to clone; usable from any
/// thread.
#[derive(Clone)]
pub struct Engine(Arc<Inner>);

impl Engine {
    /// An engine with the default settings.
    ///
    /// # Errors
    /// See [`EngineBuilder::build`].
    pub fn new() -> Result<Engine, EngineError> {
        Engine::builder().build()
    }

    /// Settings to change.
    pub fn builder() -> EngineBuilder {
        EngineBuilder {
            cache: None,
            shipped: None,
            components: None,
            max_processes: MAX_PROCESSES,
            memory: MemoryChoice::Auto,
            slots: SlotBounds::default(),
            listener: None,
            resolver: Arc::new(SystemResolver),
        }
    }

    /// The cache that machine code is kept in unless another is named. Its directory is made if it is not there; the cache
    /// has none where the environment names none (`XDG_CACHE_HOME`, `HOME`).
    ///
    /// # Errors
    /// When it cannot be made or is not private.
    pub fn default_cache() -> Result<CodeCache, EngineError> {
        Ok(default_cache().map_or_else(|| Ok(CodeCache::none()), |directory| CodeCache::open(&directory))?)
    }

    /// A session under `policy`, to be built.
    pub fn session(&self, policy: &Policy) -> SessionBuilder {
        SessionBuilder::new(self.clone(), policy.clone())
    }

    /// As [`crate::program::check_mounts`], for this engine's cache and components. A session makes this check when it is built.
    ///
    /// # Errors
    /// A finding for each mount and each thing that it holds.
    pub fn check_mounts(&self, policy: &Policy) -> Result<(), PolicyErrors> {
        crate::program::check_mounts(policy, self.cache().directory(), self.components())
    }

    /// Why the memory of processes is not copy on write, if it is not: `None` is the fast way.
    pub fn memory_fallback(&self) -> Option<&str> {
        self.0.fallback.as_deref()
    }

    /// Why the machine code that came with the program is not used, if it is there and is not.
    pub fn shipped_refused(&self) -> Option<&str> {
        self.0.shipped.as_deref()
    }

    /// What the slots that memories are made of did so far; nothing where the pool stands in.
    pub fn slot_metrics(&self) -> Option<SlotMetrics> {
        match self.0.workshop.memory() {
            Memory::Slots(slots) => Some(slots.space.metrics()),
            Memory::Pooling { .. } => None,
        }
    }

    /// The cache of machine code.
    pub fn cache(&self) -> &CodeCache {
        self.0.workshop.cache()
    }

    /// The components that came with wisp.
    pub fn components(&self) -> &ComponentSource {
        self.0.workshop.components()
    }

    /// What its sessions' tools are made with.
    pub(crate) fn workshop(&self) -> &Arc<Workshop> {
        &self.0.workshop
    }

    pub(crate) fn ticker(&self) -> &Ticker {
        &self.0.ticker
    }

    /// Where names are looked up.
    pub(crate) fn resolver(&self) -> &Arc<dyn Resolve> {
        &self.0.resolver
    }

    /// Places for processes.
    pub(crate) fn room(&self) -> &Arc<Semaphore> {
        &self.0.room
    }

    /// An id for a session that begins.
    pub(crate) fn session_id(&self, policy: &Policy) -> String {
        let number = self.0.sessions.fetch_add(1, Ordering::Relaxed);
        match policy.determinism() {
            Some(fixed) => format!("{:016x}", fixed.seed),
            None => {
                let mut random = [0; 6];
                // An id is for reading, not for secrecy: without entropy the number alone still tells sessions apart.
                let _ = getrandom::fill(&mut random);
                format!("{}-{number}", hex(&random))
            }
        }
    }
}

impl fmt::Debug for EngineBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EngineBuilder")
            .field("max_processes", &self.max_processes)
            .field("memory", &self.memory)
            .field("slots", &self.slots)
            .field("shipped", &self.shipped)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine")
            .field("components", &self.components().place())
            .field("cache", &self.cache().directory())
            .field("memory_fallback", &self.memory_fallback())
            .finish_non_exhaustive()
    }
}
