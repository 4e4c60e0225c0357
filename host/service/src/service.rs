//! The service: finding, listing and closing sessions.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::task::JoinHandle;
use wisp_api::{SessionId, SessionInfo};

use crate::blocking::BlockingService;
use crate::builder::{Offer, ServiceBuilder, ServiceLimits};
use crate::clock::Clock;
use crate::error::ServiceError;
use crate::receipts::Hub;
use crate::registry::{Owner, Registry};
use crate::runtime::Runtime;
use crate::session::{Entry, SessionHandle};

/// Live sessions, by id or by key, each with its owner. Cheap to clone.
///
/// Its calls can be awaited in any async runtime: what they start runs on the service's own, and goes on if the caller stops
/// waiting. Threads without an async runtime have [`Service::blocking`].
#[derive(Clone)]
pub struct Service(Arc<Inner>);

pub(crate) struct Inner {
    pub(crate) runtime: Arc<Runtime>,
    pub(crate) limits: ServiceLimits,
    pub(crate) clock: Clock,
    pub(crate) policies: BTreeMap<String, Arc<Offer>>,
    pub(crate) default: Option<String>,
    pub(crate) registry: Mutex<Registry>,
    pub(crate) receipts: Arc<Hub>,
}

impl Service {
    /// Returns a builder of a service on this runtime, which several services may share.
    pub fn builder(runtime: impl Into<Arc<Runtime>>) -> ServiceBuilder {
        ServiceBuilder::new(runtime.into())
    }

    pub(crate) fn of(inner: Arc<Inner>) -> Self {
        Self(inner)
    }

    pub(crate) fn inner(&self) -> &Inner {
        &self.0
    }

    /// Returns the engine and the async runtime.
    pub fn runtime(&self) -> &Runtime {
        &self.0.runtime
    }

    /// Returns its limits.
    pub fn limits(&self) -> &ServiceLimits {
        &self.0.limits
    }

    /// Returns the same calls for threads without an async runtime.
    pub fn blocking(&self) -> BlockingService {
        BlockingService::new(self.clone())
    }

    /// Returns the owner's session with this id.
    ///
    /// # Errors
    /// If the owner has none.
    pub fn session(&self, owner: &Owner, id: &SessionId) -> Result<SessionHandle, ServiceError> {
        let found = self.0.registry.lock().find(owner, id).cloned();
        self.usable(found).ok_or_else(|| ServiceError::not_found("session", id))
    }

    /// Returns the owner's session with this key.
    ///
    /// # Errors
    /// If the owner has none.
    pub fn session_with_key(&self, owner: &Owner, key: &str) -> Result<SessionHandle, ServiceError> {
        let found = self.0.registry.lock().by_key(owner, key).cloned();
        self.usable(found).ok_or_else(|| ServiceError::not_found("session", key))
    }

    fn usable(&self, found: Option<Arc<Entry>>) -> Option<SessionHandle> {
        let entry = found.filter(|entry| !self.close_if_over(entry) && entry.touch((self.0.clock)()))?;
        Some(SessionHandle::new(self.clone(), entry))
    }

    /// Returns the owner's sessions, oldest first. Looking at them is no use of them.
    pub fn sessions(&self, owner: &Owner) -> Vec<SessionInfo> {
        let all: Vec<_> = self.0.registry.lock().all().filter(|entry| entry.owner == *owner).cloned().collect();
        let mut all: Vec<SessionInfo> = all.iter().filter(|entry| !self.close_if_over(entry)).map(|entry| entry.info()).collect();
        all.sort_by(|one, other| (one.created_ms, &one.id).cmp(&(other.created_ms, &other.id)));
        all
    }

    /// Closes the owner's session with this id: ends everything in it, and waits until nothing of it is left.
    ///
    /// # Errors
    /// If the owner has none.
    pub async fn close(&self, owner: &Owner, id: &SessionId) -> Result<(), ServiceError> {
        self.session(owner, id)?.close().await
    }

    /// Closes every session of the owner. Returns how many there were. Those that are being opened do not open: who waits for one is
    /// told that there is no such session.
    ///
    /// # Errors
    /// If the service's runtime was shut down.
    pub async fn close_owner(&self, owner: &Owner) -> Result<usize, ServiceError> {
        self.close_of(Some(owner)).await
    }

    /// Closes every session, as [`close_owner`](Self::close_owner) does. Returns how many there were.
    ///
    /// # Errors
    /// If the service's runtime was shut down.
    pub async fn close_all(&self) -> Result<usize, ServiceError> {
        self.close_of(None).await
    }

    async fn close_of(&self, owner: Option<&Owner>) -> Result<usize, ServiceError> {
        let all: Vec<_> = {
            let mut registry = self.0.registry.lock();
            registry.close_opening(owner);
            registry.all().filter(|entry| owner.is_none_or(|owner| entry.owner == *owner)).cloned().collect()
        };
        // All of them begin to end before the first is waited for.
        let closing: Vec<_> = all.iter().filter_map(|entry| self.remove(entry)).collect();
        let count = closing.len();
        // All of them go on if the caller stops waiting, also those that it does not wait for yet.
        let tasks: Vec<_> = closing.into_iter().map(|closing| self.spawn(finished(closing))).collect();
        for task in tasks {
            joined(task).await?;
        }
        Ok(count)
    }

    /// Closes the sessions whose time is over. Returns their ids. A task of the service does it every second, unless the service has a
    /// [clock](ServiceBuilder::clock) of its own: then the program does it.
    pub fn sweep(&self) -> Vec<SessionId> {
        let all: Vec<_> = self.0.registry.lock().all().cloned().collect();
        all.iter().for_each(|entry| entry.note_work((self.0.clock)()));
        all.iter().filter(|entry| self.close_if_over(entry)).map(|entry| entry.id.clone()).collect()
    }

    /// Closes a session if its time is over, without waiting for it. Returns whether it is closed.
    pub(crate) fn close_if_over(&self, entry: &Arc<Entry>) -> bool {
        if entry.is_closed() {
            return true;
        }
        let now = (self.0.clock)();
        if !entry.is_over(now) {
            return false;
        }
        let removed = {
            let mut registry = self.0.registry.lock();
            // A call may have begun, and ended, in the meantime.
            if !entry.close_if_over(now) {
                return false;
            }
            registry.remove(entry)
        };
        if removed {
            #[expect(clippy::disallowed_methods, reason = "it waits for the end of a session that is being closed")]
            self.0.runtime.handle().spawn(Entry::retire(entry.clone()));
        }
        true
    }

    /// Takes a session out, and begins to end what runs in it. Returns what is left to wait for; `None` if another call does it.
    pub(crate) fn remove(&self, entry: &Arc<Entry>) -> Option<impl Future<Output = ()> + Send + 'static + use<>> {
        let removed = {
            let mut registry = self.0.registry.lock();
            let removed = registry.remove(entry);
            if removed {
                entry.close();
            }
            removed
        };
        removed.then(|| Entry::end(entry.clone()))
    }

    /// Runs `work` on the service's runtime. It goes on if the caller stops waiting.
    pub(crate) async fn on<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, ServiceError>> + Send + 'static,
    ) -> Result<T, ServiceError> {
        joined(self.spawn(work)).await
    }

    fn spawn<T: Send + 'static>(&self, work: impl Future<Output = T> + Send + 'static) -> JoinHandle<T> {
        #[expect(clippy::disallowed_methods, reason = "a caller waits for it, and what it starts ends with its session")]
        self.0.runtime.handle().spawn(work)
    }
}

/// Returns what a task returned.
async fn joined<T>(task: JoinHandle<Result<T, ServiceError>>) -> Result<T, ServiceError> {
    match task.await {
        Ok(result) => result,
        Err(failed) if failed.is_panic() => std::panic::resume_unwind(failed.into_panic()),
        Err(_) => Err(ServiceError::Abandoned),
    }
}

/// Waits for the end of a session.
pub(crate) async fn finished(closing: impl Future<Output = ()>) -> Result<(), ServiceError> {
    closing.await;
    Ok(())
}

impl fmt::Debug for Service {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Service").field("limits", &self.0.limits).field("policies", &self.0.policies.keys()).finish_non_exhaustive()
    }
}
