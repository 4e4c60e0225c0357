//! What a process has once, and makes at its first use: the engine, the service, and the thread for event loops.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use parking_lot::Mutex;
use pyo3::prelude::*;
use tokio::task::JoinHandle;
use wisp::policy::{NoFiles, SHIPPED_POLICIES};
use wisp::{Components, Engine, Policy};
use wisp_api::ErrorCode;
use wisp_service::{Owner, Runtime, Service, ServiceError, ServiceLimits};

use crate::delivery::Deliveries;
use crate::failure::{Failure, or_raise};
use crate::ledger::Ledger;
use crate::sandbox::Keyed;

/// Maximum sandboxes of a process that are open: more are a sign that they are not closed. The engine limits what runs in them.
const SESSIONS: usize = 10_000;

/// How long the interpreter's exit waits for what still runs in sandboxes.
const CLOSING: Duration = Duration::from_secs(5);

/// The engine, and what belongs to it.
pub(crate) struct Host {
    pub(crate) service: Service,
    pub(crate) owner: Owner,
    pub(crate) ledger: Arc<Ledger>,
    pub(crate) deliveries: Deliveries,
    pub(crate) keyed: Keyed,
}

enum State {
    NotYet,
    Made(Arc<Host>),
    /// The interpreter exits.
    Gone,
}

static STATE: Mutex<State> = Mutex::new(State::NotYet);

/// The process whose threads the engine has; 0 before there is one. Read without a lock, which a fork may have left locked.
static PROCESS: AtomicU32 = AtomicU32::new(0);

/// Returns whether this process was forked from one that has an engine: its threads are not here.
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

impl Host {
    /// Returns the process's own, which is made if there is none.
    pub(crate) fn get(py: Python<'_>) -> PyResult<Arc<Self>> {
        // Without the interpreter's lock: another thread may be making it.
        or_raise(py, py.detach(Self::there))
    }

    fn there() -> Result<Arc<Self>, Failure> {
        check_process()?;
        PROCESS.store(std::process::id(), Ordering::Relaxed);
        let mut state = STATE.lock();
        match &*state {
            State::Made(host) => Ok(host.clone()),
            State::Gone => Err(Failure::new(ErrorCode::Ended, "no sandbox can be made any more: the interpreter exits")),
            State::NotYet => {
                let host = Arc::new(Self::make()?);
                *state = State::Made(host.clone());
                Ok(host)
            }
        }
    }

    fn make() -> Result<Self, Failure> {
        let components = Components::from_env()?.map_or_else(wisp_embedded::components, Ok)?;
        let runtime = Runtime::new(Engine::builder(components))?;
        let ledger = Arc::new(Ledger::default());
        // A sandbox lives as long as its object, however long nobody uses it.
        let limits = ServiceLimits { idle: None, sessions: SESSIONS, sessions_per_owner: SESSIONS, ..ServiceLimits::default() };
        let mut builder = Service::builder(runtime).limits(limits).receipts(ledger.clone());
        // Sessions of policies that the service offers start in microseconds.
        for shipped in SHIPPED_POLICIES {
            builder = builder.policy(shipped.name, Policy::load(&NoFiles, shipped.name)?);
        }
        let (service, owner) = (builder.build(), Owner::new("python"));
        Ok(Self { service, owner, ledger, deliveries: Deliveries::new()?, keyed: Keyed::default() })
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

    /// Does all of `work`, also if the caller stops waiting: then what it made is dropped, and ends.
    pub(crate) async fn carried<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, Failure>> + Send + 'static,
    ) -> Result<T, Failure> {
        self.spawn(work).await.unwrap_or_else(|_| Err(ServiceError::Abandoned.into()))
    }
}

/// Returns how many sandboxes this process has open.
#[pyfunction]
pub(crate) fn live_sessions() -> usize {
    if is_forked() {
        return 0;
    }
    match &*STATE.lock() {
        State::Made(host) => host.service.sessions(&host.owner).len(),
        State::NotYet | State::Gone => 0,
    }
}

/// Closes all sandboxes, and makes no more. The package calls it when the interpreter exits: from then on no thread of wisp's enters
/// Python.
#[pyfunction]
pub(crate) fn shut_down(py: Python<'_>) {
    if is_forked() {
        return;
    }
    py.detach(|| {
        let State::Made(host) = std::mem::replace(&mut *STATE.lock(), State::Gone) else { return };
        let (done, closed) = mpsc::channel();
        let service = host.service.clone();
        host.spawn(async move {
            // It fails only without a runtime, and then nothing runs.
            let _ = service.close_all().await;
            let _ = done.send(());
        });
        // What does not end does not keep the interpreter.
        let _ = closed.recv_timeout(CLOSING);
        host.deliveries.stop();
    });
}
