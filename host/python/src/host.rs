//! An engine with its service, and what a process has of them: the one that is made at first use, those that the program makes, and the
//! thread for event loops.

use std::path::PathBuf;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, mpsc};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use parking_lot::{Mutex, MutexGuard};
use pyo3::prelude::*;
use tokio::task::{JoinError, JoinHandle};
use wisp::policy::{NoFiles, SHIPPED_POLICIES};
use wisp::{Components, Engine, Policy};
use wisp_api::ErrorCode;
use wisp_mcp_client::Connector;
use wisp_service::{Owner, Runtime, Service, ServiceError, ServiceLimits};

use crate::delivery::Deliveries;
use crate::exit;
use crate::failure::{Failure, or_raise};
use crate::keyed::Keyed;
use crate::ledger::Ledger;

/// Maximum sandboxes of an engine that are open: more are a sign that they are not closed. The engine limits what runs in them.
const SESSIONS: usize = 10_000;

/// How long the interpreter's exit waits for what still runs in sandboxes.
const CLOSING: Duration = Duration::from_secs(5);

/// An engine, and what belongs to it.
pub(crate) struct Host {
    pub(crate) service: Service,
    pub(crate) owner: Owner,
    pub(crate) ledger: Arc<Ledger>,
    pub(crate) deliveries: Arc<Deliveries>,
    pub(crate) keyed: Keyed,
    /// The servers of policies (`[[host.mcp]]`).
    servers: Connector,
    /// The program has closed it.
    closed: AtomicBool,
}

/// What an engine is made with; what is absent is as on a user's machine.
#[derive(Default)]
pub(crate) struct Settings {
    pub(crate) cache_directory: Option<PathBuf>,
    pub(crate) components: Option<PathBuf>,
    pub(crate) max_processes: Option<u32>,
}

/// The engines of the process.
struct Process {
    /// The one that is made at first use, and again if it was closed.
    first: Option<Arc<Host>>,
    /// All of them. One that nothing uses goes when another is made, so that it ends in this process: one that was forked has not the
    /// threads that it would wait for.
    all: Vec<Arc<Host>>,
    deliveries: Option<Arc<Deliveries>>,
    /// The interpreter exits.
    gone: bool,
}

static STATE: Mutex<Process> = Mutex::new(Process { first: None, all: Vec::new(), deliveries: None, gone: false });

/// The process whose threads the engines have; 0 before there is one. Read without a lock, which a fork may have left locked.
static PROCESS: AtomicU32 = AtomicU32::new(0);

/// Returns whether this process was forked from one that has an engine: its threads are not here.
#[pyfunction]
pub(crate) fn is_forked() -> bool {
    let made = PROCESS.load(Ordering::Relaxed);
    made != 0 && made != std::process::id()
}

/// Refuses calls in a forked process.
pub(crate) fn check_process() -> Result<(), Failure> {
    if !is_forked() {
        return Ok(());
    }
    let message = "this process was forked from one that uses wisp, and threads are not forked: import and use wisp in the new process \
                   only, or start it without a fork (`multiprocessing.get_context(\"spawn\")`)";
    Err(Failure::new(ErrorCode::Unsupported, message))
}

impl Process {
    /// Makes an engine.
    fn make(&mut self, settings: Settings) -> Result<Arc<Host>, Failure> {
        if self.gone {
            return Err(Failure::new(ErrorCode::Ended, "no sandbox can be made any more: the interpreter exits"));
        }
        let deliveries = match &self.deliveries {
            Some(deliveries) => deliveries.clone(),
            None => self.deliveries.insert(Arc::new(Deliveries::new()?)).clone(),
        };
        let host = Arc::new(Host::make(settings, deliveries)?);
        self.all.retain(|other| Arc::strong_count(other) > 1);
        self.all.push(host.clone());
        Ok(host)
    }
}

impl Host {
    /// Returns the process's own, which is made if there is none.
    pub(crate) fn get(py: Python<'_>) -> PyResult<Arc<Self>> {
        // Without the interpreter's lock: another thread may be making it.
        or_raise(py, exit::detached(py, Self::first))
    }

    fn first() -> Result<Arc<Self>, Failure> {
        let mut state = Self::state()?;
        if let Some(first) = &state.first
            && !first.is_closed()
        {
            return Ok(first.clone());
        }
        let made = state.make(Settings::default())?;
        Ok(state.first.insert(made).clone())
    }

    /// Makes another one.
    pub(crate) fn another(py: Python<'_>, settings: Settings) -> PyResult<Arc<Self>> {
        or_raise(py, exit::detached(py, || Self::state()?.make(settings)))
    }

    fn state() -> Result<MutexGuard<'static, Process>, Failure> {
        check_process()?;
        PROCESS.store(std::process::id(), Ordering::Relaxed);
        Ok(STATE.lock())
    }

    fn make(settings: Settings, deliveries: Arc<Deliveries>) -> Result<Self, Failure> {
        let components = match settings.components {
            Some(folder) => Components::from_folder(folder)?,
            None => Components::from_env()?.map_or_else(wisp_embedded::components, Ok)?,
        };
        let servers = Connector::new();
        let mut engine = Engine::builder(components).function_source(Arc::new(servers.clone()));
        if let Some(directory) = settings.cache_directory {
            engine = engine.cache_directory(directory);
        }
        if let Some(max) = settings.max_processes {
            engine = engine.max_processes(max);
        }
        let ledger = Arc::new(Ledger::default());
        // A sandbox lives as long as its object, however long nobody uses it.
        let limits = ServiceLimits { idle: None, sessions: SESSIONS, sessions_per_owner: SESSIONS, ..ServiceLimits::default() };
        let mut builder = Service::builder(Runtime::new(engine)?).limits(limits).receipts(ledger.clone());
        // Sessions of policies that the service offers start in microseconds.
        for shipped in SHIPPED_POLICIES {
            builder = builder.policy(shipped.name, Policy::load(&NoFiles, shipped.name)?);
        }
        let (service, owner) = (builder.build(), Owner::new("python"));
        Ok(Self { service, owner, ledger, deliveries, keyed: Keyed::default(), servers, closed: AtomicBool::new(false) })
    }

    /// Refuses what needs it, if the program has closed it.
    pub(crate) fn check_open(&self) -> Result<(), Failure> {
        if self.is_closed() {
            return Err(Failure::new(ErrorCode::Ended, "the engine is closed: make another one, or leave out `engine`"));
        }
        Ok(())
    }

    fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }

    /// Closes its sandboxes, and lets none be opened any more.
    pub(crate) async fn close(&self) -> Result<(), Failure> {
        self.closed.store(true, Ordering::Relaxed);
        let ended = self.service.close_all().await;
        self.keyed.clear();
        self.servers.close().await;
        ended?;
        Ok(())
    }

    /// Runs `work` on the runtime. It goes on if nobody waits for it.
    pub(crate) fn spawn<F>(&self, work: F) -> JoinHandle<F::Output>
    where
        F: Future + Send + 'static,
        F::Output: Send + 'static,
    {
        #[expect(clippy::disallowed_methods, reason = "it waits for what ends with its session, or ends it")]
        self.service.runtime().handle().spawn(work)
    }

    /// Does `work` on the runtime, whose threads have larger stacks than the caller's may be. It is dropped if the caller stops waiting.
    pub(crate) fn aborting<T, W>(&self, work: W) -> impl Future<Output = Result<T, Failure>> + Send + use<T, W>
    where
        T: Send + 'static,
        W: Future<Output = Result<T, Failure>> + Send + 'static,
    {
        let handle = self.service.runtime().handle().clone();
        let work: Pin<Box<dyn Future<Output = Result<T, Failure>> + Send>> = Box::pin(work);
        async move {
            #[expect(clippy::disallowed_methods, reason = "it is aborted when its caller stops waiting")]
            let task = AbortOnDrop(handle.spawn(work));
            task.await.unwrap_or_else(|_| Err(ServiceError::Abandoned.into()))
        }
    }

    /// Does all of `work`, also if the caller stops waiting: then what it made is dropped, and ends.
    pub(crate) async fn carried<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, Failure>> + Send + 'static,
    ) -> Result<T, Failure> {
        self.spawn(work).await.unwrap_or_else(|_| Err(ServiceError::Abandoned.into()))
    }
}

/// A task that is dropped with this.
struct AbortOnDrop<T>(JoinHandle<T>);

impl<T> Future for AbortOnDrop<T> {
    type Output = Result<T, JoinError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.0).poll(context)
    }
}

impl<T> Drop for AbortOnDrop<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Returns how many sandboxes this process has open.
#[pyfunction]
pub(crate) fn live_sessions() -> usize {
    if is_forked() {
        return 0;
    }
    let all = STATE.lock().all.clone();
    all.iter().map(|host| host.service.sessions(&host.owner).len()).sum()
}

/// Closes all sandboxes, and makes no more. The package calls it when the interpreter exits: from then on no thread of wisp's enters
/// Python.
#[pyfunction]
pub(crate) fn shut_down(py: Python<'_>) {
    if is_forked() {
        return;
    }
    exit::begin();
    py.detach(|| {
        let (all, first, deliveries) = {
            let mut state = STATE.lock();
            state.gone = true;
            (std::mem::take(&mut state.all), state.first.take(), state.deliveries.take())
        };
        let (done, closed) = mpsc::channel();
        for host in &all {
            let (closing, done) = (host.clone(), done.clone());
            host.spawn(async move {
                // It fails only without a runtime, and then nothing runs.
                let _ = closing.close().await;
                let _ = done.send(());
            });
        }
        drop(done);
        // What does not end does not keep the interpreter.
        let end = Instant::now() + CLOSING;
        for _ in &all {
            let _ = closed.recv_timeout(end.saturating_duration_since(Instant::now()));
        }
        if let Some(deliveries) = deliveries {
            deliveries.stop();
        }
        exit::settle(CLOSING);
        drop((all, first));
    });
}
