//! The engine: what a process sets up once for all its sessions.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::Semaphore;

use crate::functions::FunctionSource;
use crate::program::workshop::{CompileEvent, Listener, Workshop};
use crate::runtime::{
    CodeCache, ENGINE_THREADS, FailPoint, FailPoints, Memory, MemoryChoice, Metering, Runtime, RuntimeError, SlotBounds, SlotMetrics,
    Ticker, default_folder,
};
use crate::session::error::EngineError;
use wisp_components::Components;
use wisp_net::{Resolve, SystemResolver};
use wisp_policy::digest::hex;
use wisp_policy::{Policy, PolicyErrors};

/// The cache that an engine will have.
enum CacheChoice {
    Directory(PathBuf),
    Open(CodeCache),
}

/// Settings of an [`Engine`].
#[must_use]
pub struct EngineBuilder {
    cache: Option<CacheChoice>,
    shipped: Option<PathBuf>,
    components: Components,
    images: Option<PathBuf>,
    compile_images: bool,
    max_processes: u32,
    memory: MemoryChoice,
    slots: SlotBounds,
    listener: Option<Listener>,
    resolver: Arc<dyn Resolve>,
    functions: Option<Arc<dyn FunctionSource>>,
    fail: FailPoints,
}

impl EngineBuilder {
    /// Maximum processes of all sessions together, unless [`max_processes`](Self::max_processes) sets it: each reserves 4 GiB of address
    /// space, of which there are 128 TiB.
    pub const MAX_PROCESSES: u32 = 1_000;

    /// Keeps machine code in this directory instead of the user's cache directory. It must be private to this user.
    pub fn cache_directory(mut self, directory: impl Into<PathBuf>) -> Self {
        self.cache = Some(CacheChoice::Directory(directory.into()));
        self
    }

    /// Keeps machine code in this cache, which is already open: see [`Engine::default_cache`], for a process that will
    /// be confined.
    pub fn cache(mut self, cache: CodeCache) -> Self {
        self.cache = Some(CacheChoice::Open(cache));
        self
    }

    /// Looks in this directory, too, for machine code before it compiles: code that was shipped with the program, as
    /// [`CodeCache::ship`] writes it. It is only read, and checked as the cache's files are. It is ignored if it does
    /// not exist, or if anyone but root, this user and the owner of the program could have written it.
    pub fn shipped_code(mut self, directory: impl Into<PathBuf>) -> Self {
        self.shipped = Some(directory.into());
        self
    }

    /// Takes images of interpreters (`tools.python = "data"`) from this folder, which has a folder for each, instead of
    /// `$XDG_CACHE_HOME/wisp/images`.
    pub fn images(mut self, directory: impl Into<PathBuf>) -> Self {
        self.images = Some(directory.into());
        self
    }

    /// Sets whether an image of an interpreter that has no machine code yet is compiled when it is needed, which takes minutes.
    /// By default that is an error, which names the command that compiles it.
    pub fn compile_images(mut self, compile: bool) -> Self {
        self.compile_images = compile;
        self
    }

    /// Sets how many processes may run at once in all sessions together ([`MAX_PROCESSES`](Self::MAX_PROCESSES) by default). An interpreter between two
    /// evaluations does not count, unless memory is not copy on write ([`Engine::memory_fallback`]).
    pub fn max_processes(mut self, max: u32) -> Self {
        self.max_processes = max.max(1);
        self
    }

    /// Sets how the memory of processes is made; by default, the best way on this machine.
    pub fn memory(mut self, choice: MemoryChoice) -> Self {
        self.memory = choice;
        self
    }

    /// Bounds what unused memories may hold.
    pub fn slots(mut self, bounds: SlotBounds) -> Self {
        self.slots = bounds;
        self
    }

    /// Looks up host names with `resolver` instead of asking the system.
    pub fn resolver(mut self, resolver: Arc<dyn Resolve>) -> Self {
        self.resolver = resolver;
        self
    }

    /// Takes the functions that policies have from elsewhere (`[[host.mcp]]`) from this source. Without one they are not there, as
    /// functions are that no program registers.
    pub fn function_source(mut self, source: Arc<dyn FunctionSource>) -> Self {
        self.functions = Some(source);
        self
    }

    /// Calls `listener` when a tool is compiled.
    pub fn on_compile(mut self, listener: impl Fn(CompileEvent) + Send + Sync + 'static) -> Self {
        self.listener = Some(Arc::new(listener));
        self
    }

    /// Makes operations of this engine fail, for tests: `inject` is asked at each, and returns the error.
    #[doc(hidden)]
    pub fn fail_points(mut self, inject: impl Fn(FailPoint) -> Option<io::Error> + Send + Sync + 'static) -> Self {
        self.fail = FailPoints::new(Arc::new(inject));
        self
    }

    /// Makes the engine.
    ///
    /// # Errors
    /// If wasmtime refuses the machine, or [`cache_directory`](Self::cache_directory) cannot be made or is not private.
    pub fn build(self) -> Result<Engine, EngineError> {
        let cache = match self.cache {
            Some(CacheChoice::Open(cache)) => cache,
            Some(CacheChoice::Directory(directory)) => CodeCache::open(&directory)?,
            None => {
                let cache = Engine::default_cache();
                if let Some(error) = cache.refused() {
                    tracing::warn!(%error, "there is no cache, and what is compiled is not kept");
                }
                cache
            }
        };
        #[expect(clippy::disallowed_methods, reason = "shipped code is optional, and the host program names where it would be")]
        let shipped = self.shipped.filter(|directory| directory.exists());
        let (cache, shipped) = with_shipped(cache.failing(self.fail.clone()), shipped);
        let ticker = Ticker::default();
        let (memory, fallback) = Memory::choose(self.memory, self.slots, self.fail)?;
        if let Memory::Slots(slots) = &memory {
            ticker.nudge(slots.space.queue());
        }
        let plain = Runtime::new(Metering::Epochs, self.max_processes, memory)?;
        ticker.add(plain.engine());
        ticker.ready().map_err(RuntimeError::no_thread)?;
        let workshop = Workshop::new(plain, self.max_processes, ticker.clone(), cache, self.components, self.listener);
        let workshop = workshop.with_images(self.images.or_else(|| default_folder("images")), self.compile_images);
        Ok(Engine(Arc::new(Inner {
            workshop: Arc::new(workshop),
            fallback,
            shipped,
            ticker,
            room: Arc::new(Semaphore::new(self.max_processes as usize)),
            threads: Arc::new(Semaphore::new(ENGINE_THREADS as usize)),
            resolver: self.resolver,
            functions: self.functions,
            sessions: AtomicU64::new(0),
        })))
    }
}

/// Returns the cache, with the shipped code if there is some; or why that is not used.
fn with_shipped(cache: CodeCache, directory: Option<PathBuf>) -> (CodeCache, Option<String>) {
    let Some(directory) = directory else { return (cache, None) };
    // Running a program means trusting its owner.
    let me = rustix::process::geteuid().as_raw();
    let owner = rustix::fs::stat("/proc/self/exe").map_or(me, |facts| facts.st_uid);
    match cache.clone().with_shipped(&directory, owner) {
        Ok(cache) => (cache, None),
        Err(error) => {
            tracing::debug!(%error, "the machine code that was shipped with the program is not used");
            (cache, Some(error.to_string()))
        }
    }
}

struct Inner {
    /// The workshop that makes the tools of all sessions.
    workshop: Arc<Workshop>,
    /// Why memories are not made of slots, if they are not.
    fallback: Option<String>,
    /// Why the shipped code is not used, if it exists and is not used.
    shipped: Option<String>,
    ticker: Ticker,
    room: Arc<Semaphore>,
    threads: Arc<Semaphore>,
    resolver: Arc<dyn Resolve>,
    functions: Option<Arc<dyn FunctionSource>>,
    sessions: AtomicU64,
}

/// What a process sets up once: wasmtime, the cache of machine code, the components. Cheap to clone, and usable from
/// any thread. Its sessions keep it ([what dropping does](crate#what-dropping-does)).
#[derive(Clone)]
pub struct Engine(Arc<Inner>);

impl Engine {
    /// Makes an engine for these components, with the default settings.
    ///
    /// ```
    /// # #[tokio::main] async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let folder = wisp_built::folder();
    /// use wisp::{Components, Engine};
    ///
    /// // Once in a process: machine code, memories and one thread are shared by all sessions.
    /// let engine = Engine::new(Components::from_folder(folder)?)?;
    /// assert!(engine.components().lookup("python3").is_ok());
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// Those of [`EngineBuilder::build`].
    pub fn new(components: Components) -> Result<Self, EngineError> {
        Self::builder(components).build()
    }

    /// Returns a builder of an engine for these components, to change settings.
    pub fn builder(components: Components) -> EngineBuilder {
        EngineBuilder {
            cache: None,
            shipped: None,
            components,
            images: None,
            compile_images: false,
            max_processes: EngineBuilder::MAX_PROCESSES,
            memory: MemoryChoice::Auto,
            slots: SlotBounds::default(),
            listener: None,
            resolver: Arc::new(SystemResolver),
            functions: None,
            fail: FailPoints::default(),
        }
    }

    /// Opens the cache that an engine uses by default, and makes its directory if necessary. Without `XDG_CACHE_HOME`
    /// and `HOME` in the environment, the cache has no directory. If the directory cannot be made or is not private, as in a container
    /// whose files are read-only, the cache keeps nothing, and [`CodeCache::refused`] says why.
    pub fn default_cache() -> CodeCache {
        default_folder("code").map_or_else(CodeCache::none, |directory| CodeCache::open_or_none(&directory))
    }

    /// Returns the folder of images that an engine uses by default. It may not exist; without `XDG_CACHE_HOME` and `HOME` in the
    /// environment there is none.
    pub fn default_images() -> Option<PathBuf> {
        default_folder("images")
    }

    /// Does what [`crate::program::check_mounts`] does, for this engine's cache, images and components. Building a session
    /// includes this check.
    ///
    /// # Errors
    /// One finding for each mount and each thing that it holds.
    pub fn check_mounts(&self, policy: &Policy) -> Result<(), PolicyErrors> {
        crate::program::check_mounts(policy, self.cache().directory(), self.workshop().images(), self.components())
    }

    /// Returns why the memory of processes is not copy on write; `None` if it is, which is the fast way.
    pub fn memory_fallback(&self) -> Option<&str> {
        self.0.fallback.as_deref()
    }

    /// Returns why the shipped machine code is not used, if it exists and is not used.
    pub fn shipped_refused(&self) -> Option<&str> {
        self.0.shipped.as_deref()
    }

    /// Returns counters of the slots that memories are made of; `None` where wasmtime's pool replaces them.
    pub fn slot_metrics(&self) -> Option<SlotMetrics> {
        match self.0.workshop.memory() {
            Memory::Slots(slots) => Some(slots.space.metrics()),
            Memory::Pooling { .. } => None,
        }
    }

    /// Returns the cache of machine code.
    pub fn cache(&self) -> &CodeCache {
        self.0.workshop.cache()
    }

    /// Returns the components that it was made for.
    pub fn components(&self) -> &Components {
        self.0.workshop.components()
    }

    /// Returns the workshop that makes its sessions' tools.
    pub(crate) fn workshop(&self) -> &Arc<Workshop> {
        &self.0.workshop
    }

    pub(crate) fn ticker(&self) -> &Ticker {
        &self.0.ticker
    }

    /// Returns the resolver of host names.
    pub(crate) fn resolver(&self) -> &Arc<dyn Resolve> {
        &self.0.resolver
    }

    /// Returns where the functions come from that policies have from elsewhere.
    pub(crate) fn functions(&self) -> Option<&Arc<dyn FunctionSource>> {
        self.0.functions.as_ref()
    }

    /// Returns the permits for processes.
    pub(crate) fn room(&self) -> &Arc<Semaphore> {
        &self.0.room
    }

    /// Returns the permits for threads beside the first of a process.
    pub(crate) fn threads(&self) -> &Arc<Semaphore> {
        &self.0.threads
    }

    /// Makes an id for a new session.
    pub(crate) fn session_id(&self, policy: &Policy) -> String {
        let number = self.0.sessions.fetch_add(1, Ordering::Relaxed);
        match policy.determinism() {
            Some(fixed) => format!("{:016x}", fixed.seed),
            None => {
                let mut random = [0; 6];
                // An id is for people and need not be secret: without entropy, the number alone still tells sessions
                // apart.
                let _ = getrandom::fill(&mut random);
                format!("{}-{number}", hex(&random))
            }
        }
    }
}

impl fmt::Debug for EngineBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EngineBuilder")
            .field("components", &self.components.place())
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
