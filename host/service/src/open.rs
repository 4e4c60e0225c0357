//! Opening sessions: under a policy that the service offers or one of the program's own, by a key or without one.

use std::sync::Arc;

use wisp::policy::PolicyErrors;
use wisp::{Policy, Session, SessionBuilder, SessionError};
use wisp_api::{SessionId, SessionRequest};

use crate::builder::Offer;
use crate::error::ServiceError;
use crate::registry::Owner;
use crate::service::Service;
use crate::session::{Entry, Lifetime, SessionHandle};

/// Maximum bytes of a name that a caller chooses: the service keeps many of them, which no policy limits.
const NAME: usize = 256;

/// Maximum bytes of a session's labels, all together, for the same reason.
const LABELS: usize = 16 << 10;

impl Service {
    /// Returns the policy that it offers by this name; without one, its default.
    ///
    /// # Errors
    /// If it offers no such policy.
    pub fn policy(&self, name: Option<&str>) -> Result<Policy, ServiceError> {
        Ok(self.offer(name)?.policy.clone())
    }

    /// Opens a session under a policy that the service offers. If the owner has a session with the request's key, returns that.
    ///
    /// # Errors
    /// If the service offers no such policy, the session with that key has another policy, a limit of the service is reached, or
    /// the session cannot be made.
    pub async fn open(&self, owner: &Owner, request: SessionRequest) -> Result<SessionHandle, ServiceError> {
        let offer = self.offer(request.policy.as_deref())?;
        let (engine, hub) = (self.inner().runtime.engine().clone(), self.inner().receipts.clone());
        if request.env.is_empty() {
            let digest = offer.digest.clone();
            return self.open_as(owner, request, digest, async move { offer.start(&engine, &hub).await }).await;
        }
        let policy = with_environment(&offer.policy, &request)?;
        let digest = policy.digest();
        self.open_as(owner, request, digest, async move { Ok(engine.session(&policy).receipts(hub).build().await?) }).await
    }

    /// Works like [`open`](Self::open), under a policy of the caller's, with what `set` changes in the library's builder: secrets,
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
        let (engine, digest) = (self.inner().runtime.engine().clone(), policy.digest());
        let hub = self.inner().receipts.clone();
        self.open_as(owner, request, digest, async move { Ok(set(engine.session(&policy).receipts(hub)).build().await?) }).await
    }

    async fn open_as(
        &self,
        owner: &Owner,
        request: SessionRequest,
        digest: String,
        make: impl Future<Output = Result<Session, ServiceError>> + Send + 'static,
    ) -> Result<SessionHandle, ServiceError> {
        check_request(&request)?;
        if let Some(found) = self.existing(owner, &request, &digest)? {
            return Ok(found);
        }
        let (opening, owner) = (self.opening(owner)?, owner.clone());
        self.on(async move {
            let session = make.await?;
            opening.service.register(&owner, request, session, digest, &opening)
        })
        .await
    }

    /// Begins to open a session.
    ///
    /// # Errors
    /// If there are too many.
    pub(crate) fn opening(&self, owner: &Owner) -> Result<Opening, ServiceError> {
        let mut registry = self.inner().registry.lock();
        registry.admit(owner, &self.inner().limits)?;
        Ok(Opening { number: registry.begin(owner), service: self.clone() })
    }

    /// Returns the owner's session with the request's key, if there is one.
    fn existing(&self, owner: &Owner, request: &SessionRequest, digest: &str) -> Result<Option<SessionHandle>, ServiceError> {
        let Some(key) = request.key.as_deref() else { return Ok(None) };
        let found = self.inner().registry.lock().by_key(owner, key).cloned();
        let Some(entry) = found.filter(|entry| !self.close_if_over(entry)) else { return Ok(None) };
        if entry.policy_digest != digest {
            return Err(ServiceError::OtherPolicy { key: key.to_owned() });
        }
        let open = entry.touch((self.inner().clock)());
        Ok(open.then(|| SessionHandle::new(self.clone(), entry)))
    }

    /// Adds a session that was opened. Another call may have opened one with the same key in the meantime: then that is returned.
    fn register(
        &self,
        owner: &Owner,
        request: SessionRequest,
        session: Session,
        digest: String,
        opening: &Opening,
    ) -> Result<SessionHandle, ServiceError> {
        let entry = self.entry(owner, request, session, digest)?;
        match self.insert(&entry, opening)? {
            None => Ok(SessionHandle::new(self.clone(), entry)),
            Some(first) if first.policy_digest == entry.policy_digest => Ok(SessionHandle::new(self.clone(), first)),
            Some(_) => Err(ServiceError::OtherPolicy { key: entry.key.clone().unwrap_or_default() }),
        }
    }

    /// Returns an entry that is not found yet.
    pub(crate) fn entry(
        &self,
        owner: &Owner,
        request: SessionRequest,
        session: Session,
        digest: String,
    ) -> Result<Arc<Entry>, ServiceError> {
        let lifetime = Lifetime::new((self.inner().clock)(), &self.inner().limits, &request);
        Ok(Arc::new(Entry::new(SessionId::of(random()?), owner.clone(), request, session, digest, lifetime)))
    }

    /// Makes an entry one that is found. If its owner has a session with its key, that is returned instead.
    ///
    /// # Errors
    /// If there are too many sessions, or all of the owner's were closed since this one began to open.
    pub(crate) fn insert(&self, entry: &Arc<Entry>, opening: &Opening) -> Result<Option<Arc<Entry>>, ServiceError> {
        let mut registry = self.inner().registry.lock();
        if registry.is_closed(opening.number) {
            return Err(ServiceError::not_found("session", &entry.id));
        }
        if let Some(first) = entry.key.as_ref().and_then(|key| registry.by_key(&entry.owner, key)) {
            return Ok(Some(first.clone()));
        }
        registry.admit(&entry.owner, &self.inner().limits)?;
        registry.insert(entry.clone());
        Ok(None)
    }

    pub(crate) fn offer(&self, name: Option<&str>) -> Result<Arc<Offer>, ServiceError> {
        let name = name.or(self.inner().default.as_deref()).unwrap_or_default();
        let offered = || self.inner().policies.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
        self.inner().policies.get(name).cloned().ok_or_else(|| ServiceError::NoPolicy { name: name.to_owned(), offered: offered() })
    }
}

/// A session that is being opened.
pub(crate) struct Opening {
    pub(crate) service: Service,
    number: u64,
}

impl Drop for Opening {
    fn drop(&mut self) {
        self.service.inner().registry.lock().finish(self.number);
    }
}

/// Returns the number of bytes of an id that nobody can guess.
pub(crate) fn random() -> Result<u128, ServiceError> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(ServiceError::Random)?;
    Ok(u128::from_ne_bytes(bytes))
}

/// Refuses what a session cannot have.
pub(crate) fn check_request(request: &SessionRequest) -> Result<(), ServiceError> {
    check_name(request.key.as_deref(), "a key has 1 to 256 bytes")?;
    let labels: usize = request.labels.iter().map(|(name, value)| name.len().saturating_add(value.len())).sum();
    if labels > LABELS { Err(ServiceError::Invalid("the labels of a session have at most 16 KiB together")) } else { Ok(()) }
}

/// Refuses a name that is empty or too long.
pub(crate) fn check_name(name: Option<&str>, refused: &'static str) -> Result<(), ServiceError> {
    match name.map(str::len) {
        None | Some(1..=NAME) => Ok(()),
        Some(_) => Err(ServiceError::Invalid(refused)),
    }
}

/// Returns the policy with the request's variables.
fn with_environment(policy: &Policy, request: &SessionRequest) -> Result<Policy, ServiceError> {
    let with = |policy: Policy, (name, value): (&String, &String)| policy.with_env(name, value);
    request.env.iter().try_fold(policy.clone(), with).map_err(|error: PolicyErrors| SessionError::from(error).into())
}
