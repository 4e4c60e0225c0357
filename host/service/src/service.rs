//! The service: opening, finding, listing and closing sessions.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use parking_lot::Mutex;
use wisp::policy::PolicyErrors;
use wisp::{Policy, Session, SessionBuilder, SessionError};
use wisp_api::{SessionId, SessionInfo, SessionRequest};

use crate::blocking::BlockingService;
use crate::builder::{Offer, ServiceBuilder, ServiceLimits};
use crate::clock::Clock;
use crate::error::ServiceError;
use crate::registry::{Owner, Registry};
use crate::runtime::Runtime;
use crate::session::{Entry, Lifetime, SessionHandle};

/// Maximum bytes of a key.
const KEY: usize = 256;

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

    /// Opens a session under a policy that the service offers. If the owner has a session with the request's key, returns that.
    ///
    /// # Errors
    /// If the service offers no such policy, the session with that key has another policy, a limit of the service is reached, or
    /// the session cannot be made.
    pub async fn open(&self, owner: &Owner, request: SessionRequest) -> Result<SessionHandle, ServiceError> {
        let offer = self.offer(request.policy.as_deref())?;
        let policy = with_environment(&offer.policy, &request)?;
        let (plain, digest) = (request.env.is_empty(), policy.digest());
        let engine = self.0.runtime.engine().clone();
        let make = async move {
            match plain {
                true => offer.start(&engine).await,
                false => Ok(engine.session(&policy).build().await?),
            }
        };
        self.open_as(owner, request, digest, make).await
    }

    /// As [`open`](Self::open), under a policy of the caller's, with what `set` changes in the library's builder: secrets,
    /// functions of the host, sinks of receipts. A session that is found by its key is not changed.
    ///
    /// # Errors
    /// Those of `open`.
    pub async fn open_with(
        &self,
        owner: &Owner,
        request: SessionRequest,
        policy: &Policy,
        set: impl FnOnce(SessionBuilder) -> SessionBuilder + Send + 'static,
    ) -> Result<SessionHandle, ServiceError> {
        if request.policy.is_some() {
            return Err(ServiceError::Invalid("the request names a policy, and the call has one: leave out the name"));
        }
        let policy = with_environment(policy, &request)?;
        let (engine, digest) = (self.0.runtime.engine().clone(), policy.digest());
        self.open_as(owner, request, digest, async move { Ok(set(engine.session(&policy)).build().await?) }).await
    }

    async fn open_as(
        &self,
        owner: &Owner,
        request: SessionRequest,
        digest: String,
        make: impl Future<Output = Result<Session, ServiceError>> + Send + 'static,
    ) -> Result<SessionHandle, ServiceError> {
        if let Some(found) = self.existing(owner, &request, &digest)? {
            return Ok(found);
        }
        self.0.registry.lock().admit(owner, &self.0.limits)?;
        let (service, owner) = (self.clone(), owner.clone());
        self.on(async move {
            let session = make.await?;
            service.register(&owner, request, session, digest)
        })
        .await
    }

    /// The owner's session with the request's key, if there is one.
    fn existing(&self, owner: &Owner, request: &SessionRequest, digest: &str) -> Result<Option<SessionHandle>, ServiceError> {
        let Some(key) = request.key.as_deref() else { return Ok(None) };
        check_key(key)?;
        let found = self.0.registry.lock().by_key(owner, key).cloned();
        let Some(entry) = found.filter(|entry| !self.close_if_over(entry)) else { return Ok(None) };
        if entry.policy_digest != digest {
            return Err(ServiceError::OtherPolicy { key: key.to_owned() });
        }
        entry.touch((self.0.clock)());
        Ok(Some(SessionHandle::new(self.clone(), entry)))
    }

    /// Adds a session that was opened. Another call may have opened one with the same key in the meantime: then that is returned.
    fn register(&self, owner: &Owner, request: SessionRequest, session: Session, digest: String) -> Result<SessionHandle, ServiceError> {
        let entry = self.entry(owner, request, session, digest)?;
        match self.insert(&entry)? {
            None => Ok(SessionHandle::new(self.clone(), entry)),
            Some(first) if first.policy_digest == entry.policy_digest => Ok(SessionHandle::new(self.clone(), first)),
            Some(_) => Err(ServiceError::OtherPolicy { key: entry.key.clone().unwrap_or_default() }),
        }
    }

    /// An entry that is not found yet.
    pub(crate) fn entry(
        &self,
        owner: &Owner,
        request: SessionRequest,
        session: Session,
        digest: String,
    ) -> Result<Arc<Entry>, ServiceError> {
        let lifetime = Lifetime::new((self.0.clock)(), &self.0.limits, &request);
        Ok(Arc::new(Entry::new(SessionId::of(random()?), owner.clone(), request, session, digest, lifetime)))
    }

    /// Makes an entry one that is found. If its owner has a session with its key, that is returned instead.
    ///
    /// # Errors
    /// If there are too many sessions.
    pub(crate) fn insert(&self, entry: &Arc<Entry>) -> Result<Option<Arc<Entry>>, ServiceError> {
        let mut registry = self.0.registry.lock();
        if let Some(first) = entry.key.as_ref().and_then(|key| registry.by_key(&entry.owner, key)) {
            return Ok(Some(first.clone()));
        }
        registry.admit(&entry.owner, &self.0.limits)?;
        registry.insert(entry.clone());
        Ok(None)
    }

    fn offer(&self, name: Option<&str>) -> Result<Arc<Offer>, ServiceError> {
        let name = name.or(self.0.default.as_deref()).unwrap_or_default();
        let offered = || self.0.policies.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
        self.0.policies.get(name).cloned().ok_or_else(|| ServiceError::NoPolicy { name: name.to_owned(), offered: offered() })
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
        let entry = found.filter(|entry| !self.close_if_over(entry))?;
        entry.touch((self.0.clock)());
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

    /// Closes every session of the owner. Returns how many there were.
    ///
    /// # Errors
    /// If the service's runtime was shut down.
    pub async fn close_owner(&self, owner: &Owner) -> Result<usize, ServiceError> {
        self.close_where(|entry| entry.owner == *owner).await
    }

    /// Closes every session. Returns how many there were.
    ///
    /// # Errors
    /// If the service's runtime was shut down.
    pub async fn close_all(&self) -> Result<usize, ServiceError> {
        self.close_where(|_| true).await
    }

    async fn close_where(&self, which: impl Fn(&Entry) -> bool) -> Result<usize, ServiceError> {
        let all: Vec<_> = self.0.registry.lock().all().filter(|entry| which(entry)).cloned().collect();
        // All of them begin to end before the first is waited for.
        let closing: Vec<_> = all.iter().filter_map(|entry| self.remove(entry)).collect();
        let count = closing.len();
        for closing in closing {
            self.on(finished(closing)).await?;
        }
        Ok(count)
    }

    /// Closes the sessions whose time is over. Returns their ids. A task of the service does it every second, unless the service has a
    /// [clock](ServiceBuilder::clock) of its own: then the program does it.
    pub fn sweep(&self) -> Vec<SessionId> {
        let all: Vec<_> = self.0.registry.lock().all().cloned().collect();
        all.iter().filter(|entry| self.close_if_over(entry)).map(|entry| entry.id.clone()).collect()
    }

    /// Closes a session if its time is over, without waiting for it. Returns whether it is closed.
    pub(crate) fn close_if_over(&self, entry: &Arc<Entry>) -> bool {
        if entry.is_closed() {
            return true;
        }
        let over = entry.is_over((self.0.clock)());
        if over && let Some(closing) = self.remove(entry) {
            #[expect(clippy::disallowed_methods, reason = "it waits for the end of a session that is being closed")]
            self.0.runtime.handle().spawn(closing);
        }
        over
    }

    /// Takes a session out, and begins to end what runs in it. Returns what is left to wait for; `None` if another call does it.
    pub(crate) fn remove(&self, entry: &Arc<Entry>) -> Option<impl Future<Output = ()> + Send + 'static + use<>> {
        let removed = self.0.registry.lock().remove(entry);
        removed.then(|| Entry::end(entry.clone()))
    }

    /// Runs `work` on the service's runtime. It goes on if the caller stops waiting.
    pub(crate) async fn on<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, ServiceError>> + Send + 'static,
    ) -> Result<T, ServiceError> {
        #[expect(clippy::disallowed_methods, reason = "the caller waits for it, and what it starts ends with its session")]
        let task = self.0.runtime.handle().spawn(work);
        match task.await {
            Ok(result) => result,
            Err(failed) if failed.is_panic() => std::panic::resume_unwind(failed.into_panic()),
            Err(_) => Err(ServiceError::Abandoned),
        }
    }
}

/// Waits for the end of a session.
pub(crate) async fn finished(closing: impl Future<Output = ()>) -> Result<(), ServiceError> {
    closing.await;
    Ok(())
}

/// Bytes of an id that nobody can guess.
pub(crate) fn random() -> Result<u128, ServiceError> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(ServiceError::Random)?;
    Ok(u128::from_ne_bytes(bytes))
}

/// Refuses a key that is none.
pub(crate) fn check_key(key: &str) -> Result<(), ServiceError> {
    match key.len() {
        1..=KEY => Ok(()),
        _ => Err(ServiceError::Invalid("a key has 1 to 256 bytes")),
    }
}

/// The policy with the request's variables.
fn with_environment(policy: &Policy, request: &SessionRequest) -> Result<Policy, ServiceError> {
    let with = |policy: Policy, (name, value): (&String, &String)| policy.with_env(name, value);
    request.env.iter().try_fold(policy.clone(), with).map_err(|error: PolicyErrors| SessionError::from(error).into())
}

impl fmt::Debug for Service {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Service").field("limits", &self.0.limits).field("policies", &self.0.policies.keys()).finish_non_exhaustive()
    }
}
