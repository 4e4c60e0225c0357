//! The sandbox of one client: a session of the service, and what the client has in it.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;
use tokio::task::JoinHandle;
use wisp::Policy;
use wisp::fs::{HOME, SCRATCH};
use wisp_api::{DiffRequest, SessionRequest};
use wisp_service::{KeptSession, Owner, Service, ServiceError, SessionHandle};

use crate::error::RpcError;
use crate::handles::OpenFiles;
use crate::http::Streams;
use crate::processes::Processes;
use crate::protocol::{Capabilities, EnvironmentInfo, Shell};
use crate::server::Options;
use crate::uri::FileUri;

/// Names of sessions with nothing in them that are remembered.
const UNUSED: usize = 1_024;

/// What all connections of a server share.
pub(crate) struct Core {
    pub(crate) service: Service,
    pub(crate) owner: Owner,
    pub(crate) options: Options,
    policy: Policy,
    /// Names that clients were told, of sessions in which nothing was changed: a client that comes back to one finds what it left.
    unused: Mutex<VecDeque<String>>,
}

impl Core {
    pub(crate) fn new(service: Service, owner: Owner, options: Options) -> Result<Arc<Self>, ServiceError> {
        let policy = service.policy(options.policy.as_deref())?;
        Ok(Arc::new(Self { service, owner, options, policy, unused: Mutex::default() }))
    }

    fn is_unused(&self, name: &str) -> bool {
        self.unused.lock().iter().any(|unused| unused == name)
    }

    /// Remembers whether there was something in a session that was closed.
    fn closed(&self, name: &str, mattered: bool) {
        let mut unused = self.unused.lock();
        unused.retain(|unused| unused != name);
        if !mattered {
            unused.push_back(name.to_owned());
        }
        if unused.len() > UNUSED {
            unused.pop_front();
        }
    }
}

/// A session, where it is kept, and what closes it.
#[derive(Clone)]
struct Place {
    core: Arc<Core>,
    session: SessionHandle,
    name: String,
    keep: Keep,
}

/// When a session is saved.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keep {
    /// There is no store.
    Never,
    /// It is new, and nobody asked for its name.
    IfChanged,
    Always,
}

/// The sandbox of a client. When it is closed or dropped, its session is.
pub(crate) struct Sandbox {
    place: Place,
    pub(crate) processes: Processes,
    pub(crate) files: OpenFiles,
    pub(crate) streams: Streams,
    closed: AtomicBool,
}

impl Sandbox {
    /// Opens the sandbox of a client that comes back to the session with the name `resume`, or is new.
    ///
    /// # Errors
    /// If there is no such session, another client has it, or it cannot be opened.
    pub(crate) async fn open(core: Arc<Core>, resume: Option<String>) -> Result<Self, RpcError> {
        let resumes = resume.is_some();
        let name = match resume.or_else(|| core.options.session.clone()) {
            Some(name) => name,
            None => new_name()?,
        };
        let (session, keep) = match kept(&core, &name, resumes)? {
            Some(kept) => {
                let asked = resumes || core.options.session.as_ref() == Some(&name);
                let keep = if asked { Keep::Always } else { Keep::IfChanged };
                let request = SessionRequest { key: Some(name.clone()), ..SessionRequest::default() };
                let policy = Some(core.policy.clone());
                (core.service.open_kept(&core.owner, request, kept, policy, |builder| builder).await?, keep)
            }
            None => {
                let request = SessionRequest { policy: core.options.policy.clone(), ..SessionRequest::default() };
                (core.service.open(&core.owner, request).await?, Keep::Never)
            }
        };
        let place = Place { core, session, name, keep };
        let (processes, files, streams) = (Processes::new(), OpenFiles::default(), Streams::default());
        Ok(Self { place, processes, files, streams, closed: AtomicBool::new(false) })
    }

    pub(crate) fn session(&self) -> &SessionHandle {
        &self.place.session
    }

    /// Returns the name by which the client can come back to it.
    pub(crate) fn name(&self) -> &str {
        &self.place.name
    }

    /// Returns the description of this environment that clients receive.
    pub(crate) fn environment(&self) -> EnvironmentInfo {
        EnvironmentInfo {
            shell: Shell { name: "bash", path: "/bin/bash" },
            cwd: FileUri::of(self.place.core.options.project.as_str()),
            user_home_dir: FileUri::of(HOME),
            platform_os: "linux",
            temporary_directories: [FileUri::of(SCRATCH)],
            temp_dir: FileUri::of(SCRATCH),
            capabilities: Capabilities { file_write_streaming: true },
        }
    }

    /// Ends everything that runs in it.
    pub(crate) fn kill(&self) {
        self.place.kill();
    }

    /// Ends everything that runs in it, saves it if it is to be kept, and closes it. Does nothing if that has begun.
    pub(crate) async fn close(&self) -> Result<(), ServiceError> {
        match self.begin_to_close() {
            Some(closing) => closing.await.unwrap_or(Err(ServiceError::Abandoned)),
            None => Ok(()),
        }
    }

    /// Starts closing and returns at once; the work continues even if the handle is dropped. `None` if it was closed before.
    pub(crate) fn begin_to_close(&self) -> Option<JoinHandle<Result<(), ServiceError>>> {
        if self.closed.swap(true, Ordering::AcqRel) {
            return None;
        }
        self.processes.leave();
        let place = self.place.clone();
        #[expect(clippy::disallowed_methods, reason = "it ends what the client has started, also if nobody waits for that")]
        let closing = self.place.core.service.runtime().handle().spawn(async move { place.close().await });
        Some(closing)
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        // It goes on by itself.
        drop(self.begin_to_close());
    }
}

impl Place {
    fn kill(&self) {
        // It may be closed already.
        if let Ok(session) = self.session.library() {
            session.kill_all();
        }
    }

    async fn close(&self) -> Result<(), ServiceError> {
        self.kill();
        let matters = self.keep == Keep::Always || self.is_changed().await;
        let keeps = matters && self.keep != Keep::Never;
        let closed = if keeps { self.session.park().await.map(drop) } else { self.session.close().await };
        match closed {
            Ok(()) => {}
            // Somebody else has closed it.
            Err(ServiceError::NotFound { .. }) => return Ok(()),
            Err(error) => {
                // It cannot be saved: then it ends without that.
                let _ = self.session.close().await;
                return Err(error);
            }
        }
        self.core.closed(&self.name, matters);
        if let Some(tell) = self.core.options.kept.filter(|_| keeps) {
            tell(&self.name);
        }
        Ok(())
    }

    /// Returns whether there is something in it to come back to. If that cannot be told, there is.
    async fn is_changed(&self) -> bool {
        let all = DiffRequest { limit: 1, ..DiffRequest::default() };
        self.session.diff(all).await.map_or(true, |diff| !diff.files.is_empty())
    }
}

/// Returns the place in the store of the session with this name; `None` without a store.
fn kept(core: &Core, name: &str, resumes: bool) -> Result<Option<KeptSession>, RpcError> {
    let known = !resumes || core.is_unused(name);
    match &core.options.store {
        Some(store) => {
            let found = if known { store.open(name) } else { store.existing(name) };
            found.map(Some).map_err(|error| RpcError::of_store(name, &error))
        }
        None if known => Ok(None),
        None => Err(RpcError::unknown_session(name)),
    }
}

/// Returns a name that no session has.
fn new_name() -> Result<String, RpcError> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_err(|error| RpcError::internal(format!("the system provides no randomness: {error}")))?;
    Ok(format!("codex-{:012x}", u64::from_ne_bytes(bytes) >> 16))
}
