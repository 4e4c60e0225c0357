//! One session of a service: whose it is, how long it lives, and what it has.

use std::collections::BTreeMap;
use std::fmt;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::{Notify, RwLock, RwLockReadGuard};
use wisp::fs::Files;
use wisp::{Artifacts, Policy, Session};
use wisp_api::{CheckpointId, SessionId, SessionInfo, SessionRequest};

use crate::builder::ServiceLimits;
use crate::checkpoint::Checkpoint;
use crate::clock::milliseconds;
use crate::error::ServiceError;
use crate::evaluation::Evaluated;
use crate::interpreter::Interpreters;
use crate::registry::Owner;
use crate::service::{Service, finished};
use crate::shell::Shells;
use crate::store::{KeptSession, live};

/// When a session was opened, and when it is over.
pub(crate) struct Lifetime {
    created: Duration,
    expires: Option<Duration>,
    idle: Option<Duration>,
}

impl Lifetime {
    /// Creates the lifetime of a session that is opened now. What the request says can only be shorter than what the service allows.
    pub(crate) fn new(now: Duration, limits: &ServiceLimits, request: &SessionRequest) -> Self {
        let least = |one: Option<Duration>, other: Option<Duration>| one.into_iter().chain(other).min();
        let life = least(limits.life, request.life);
        Self { created: now, expires: life.map(|life| now.saturating_add(life)), idle: least(limits.idle, request.idle) }
    }
}

/// A session that is open, or was.
pub(crate) struct Entry {
    pub(crate) id: SessionId,
    pub(crate) owner: Owner,
    pub(crate) key: Option<String>,
    /// Of the policy that was asked for.
    pub(crate) policy_digest: String,
    pub(crate) session: Session,
    labels: BTreeMap<String, String>,
    lifetime: Lifetime,
    /// One lock, so that a session is not found idle while a call begins.
    uses: Mutex<Uses>,
    /// Tells those who wait for it that the session is closed.
    closing: Notify,
    pub(crate) interpreters: Interpreters,
    pub(crate) evaluations: Evaluated,
    pub(crate) shells: Shells,
    pub(crate) checkpoints: Mutex<BTreeMap<CheckpointId, Arc<Checkpoint>>>,
    /// Written while the session is copied, kept or restored: in the meantime no script begins in its shells, and no other interpreter.
    /// Read while such a thing takes its place.
    pub(crate) still: RwLock<()>,
    /// Where it is kept, if a store keeps it; locked while it is saved.
    pub(crate) kept: tokio::sync::Mutex<Option<KeptSession>>,
}

/// How a session is used.
struct Uses {
    /// When it was used last, since 1970.
    last: Duration,
    /// The calls that are being made.
    calls: usize,
    closed: bool,
}

impl Entry {
    pub(crate) fn new(
        id: SessionId,
        owner: Owner,
        request: SessionRequest,
        session: Session,
        policy_digest: String,
        lifetime: Lifetime,
    ) -> Self {
        let uses = Mutex::new(Uses { last: lifetime.created, calls: 0, closed: false });
        Self {
            id,
            owner,
            key: request.key,
            policy_digest,
            session,
            labels: request.labels,
            lifetime,
            uses,
            closing: Notify::new(),
            interpreters: Interpreters::default(),
            evaluations: Evaluated::default(),
            shells: Shells::default(),
            checkpoints: Mutex::default(),
            still: RwLock::default(),
            kept: tokio::sync::Mutex::default(),
        }
    }

    /// Notes that it is used at this time. Returns whether it is open.
    pub(crate) fn touch(&self, now: Duration) -> bool {
        let mut uses = self.uses.lock();
        uses.last = uses.last.max(now);
        !uses.closed
    }

    /// Begins a call, unless the session is closed.
    fn begin(&self, now: Duration) -> bool {
        let mut uses = self.uses.lock();
        if uses.closed {
            return false;
        }
        uses.last = uses.last.max(now);
        uses.calls += 1;
        true
    }

    /// Ends a call.
    fn finish(&self, now: Duration) {
        let mut uses = self.uses.lock();
        uses.last = uses.last.max(now);
        uses.calls -= 1;
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.uses.lock().closed
    }

    /// Lets no call begin any more. The session is no longer among those that are found.
    pub(crate) fn close(&self) {
        self.uses.lock().closed = true;
        self.closing.notify_waiters();
    }

    /// Waits until no call begins any more.
    pub(crate) async fn closed(&self) {
        let mut notified = pin!(self.closing.notified());
        // From here on no notice is missed.
        notified.as_mut().enable();
        if !self.is_closed() {
            notified.await;
        }
    }

    /// Returns how many commands and evaluations run in it. A script in a shell is a command.
    fn working(&self) -> usize {
        let commands = self.session.commands().into_iter().filter(|command| !command.processes().is_empty()).count();
        commands + self.evaluations.running()
    }

    /// Returns whether its time is over.
    pub(crate) fn is_over(&self, now: Duration) -> bool {
        self.is_over_with(&mut self.uses.lock(), now)
    }

    /// Lets no call begin any more if its time is over. Returns whether it is.
    pub(crate) fn close_if_over(&self, now: Duration) -> bool {
        let mut uses = self.uses.lock();
        let over = self.is_over_with(&mut uses, now);
        uses.closed |= over;
        drop(uses);
        if over {
            self.closing.notify_waiters();
        }
        over
    }

    /// Returns whether its time is over. While something runs in it, it is used. Most calls come long before its time is over, and do not
    /// look for what runs.
    fn is_over_with(&self, uses: &mut Uses, now: Duration) -> bool {
        if self.lifetime.expires.is_some_and(|expires| now >= expires) {
            return true;
        }
        let Some(idle) = self.lifetime.idle else { return false };
        if uses.calls > 0 || now.saturating_sub(uses.last) < idle {
            return false;
        }
        if self.working() > 0 {
            uses.last = uses.last.max(now);
            return false;
        }
        true
    }

    /// Notes that it is used now if something runs in it.
    pub(crate) fn note_work(&self, now: Duration) {
        if self.lifetime.idle.is_some() && self.working() > 0 {
            self.touch(now);
        }
    }

    /// Checks whether a script or an interpreter may take its place now. While it does, nothing begins to copy, keep or restore the
    /// session.
    ///
    /// # Errors
    /// If it is being copied, kept or restored.
    pub(crate) fn may_begin(&self) -> Result<RwLockReadGuard<'_, ()>, ServiceError> {
        self.still.try_read().map_err(|_| ServiceError::Busy {
            kind: "session",
            name: self.id.to_string(),
            doing: "is being copied, kept or restored",
        })
    }

    /// Ends everything in it. Nothing starts in it from now on; the future waits until nothing is left.
    pub(crate) fn end(entry: Arc<Self>) -> impl Future<Output = ()> + Send + 'static + use<> {
        entry.close();
        let closing = entry.session.close();
        async move {
            entry.evaluations.clear();
            entry.interpreters.clear();
            entry.shells.clear();
            // They hold the session, and the memory of interpreters.
            drop(std::mem::take(&mut *entry.checkpoints.lock()));
            closing.await;
            // Another may open it from now on.
            drop(entry.kept.lock().await.take());
        }
    }

    /// Ends a session whose time is over. One that a store keeps is saved first.
    pub(crate) fn retire(entry: Arc<Self>) -> impl Future<Output = ()> + Send + 'static + use<> {
        entry.close();
        // If it is locked, it is being saved.
        let kept = entry.kept.try_lock().map_or(true, |kept| kept.is_some());
        let ending = (!kept).then(|| Self::end(entry.clone()));
        async move {
            if let Some(ending) = ending {
                return ending.await;
            }
            if let Err(error) = live::save(&entry, || {}).await {
                tracing::warn!(session = %entry.id, %error, "a session whose time is over was not kept");
            }
            Self::end(entry).await;
        }
    }

    pub(crate) fn info(&self) -> SessionInfo {
        let (last, calls) = {
            let uses = self.uses.lock();
            (uses.last, uses.calls)
        };
        SessionInfo {
            id: self.id.clone(),
            owner: self.owner.as_str().to_owned(),
            key: self.key.clone(),
            policy: self.session.policy().name().to_owned(),
            receipts_id: self.session.id().to_owned(),
            created_ms: milliseconds(self.lifetime.created),
            used_ms: milliseconds(last),
            expires_ms: self.lifetime.expires.map(milliseconds),
            idle_ms: self.lifetime.idle.map(milliseconds),
            running: (self.working() + calls) as u64,
            interpreters: self.interpreters.infos(&self.evaluations),
            shells: self.shells.names(),
            labels: self.labels.clone(),
        }
    }
}

/// A call that is being made: the session is not idle while it lives.
pub(crate) struct Call {
    pub(crate) service: Service,
    pub(crate) entry: Arc<Entry>,
}

impl Call {
    pub(crate) fn session(&self) -> &Session {
        &self.entry.session
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        self.entry.finish((self.service.inner().clock)());
    }
}

/// A session of a [`Service`]. Cheap to clone; dropping it closes nothing. When the session is closed, by whatever handle or
/// because its time is over, its calls say that there is no such session.
#[derive(Clone)]
pub struct SessionHandle {
    pub(crate) service: Service,
    pub(crate) entry: Arc<Entry>,
}

impl SessionHandle {
    pub(crate) fn new(service: Service, entry: Arc<Entry>) -> Self {
        Self { service, entry }
    }

    /// Begins a call.
    pub(crate) fn call(&self) -> Result<Call, ServiceError> {
        // Between these two, it may be closed.
        if self.service.close_if_over(&self.entry) || !self.entry.begin((self.service.inner().clock)()) {
            return Err(ServiceError::not_found("session", &self.entry.id));
        }
        Ok(Call { service: self.service.clone(), entry: self.entry.clone() })
    }

    /// Returns its id.
    pub fn id(&self) -> &SessionId {
        &self.entry.id
    }

    /// Returns its owner.
    pub fn owner(&self) -> &Owner {
        &self.entry.owner
    }

    /// Returns the service that it belongs to.
    pub fn service(&self) -> &Service {
        &self.service
    }

    /// Returns its policy, with what the request added.
    pub fn policy(&self) -> &Policy {
        self.entry.session.policy()
    }

    /// Returns what is known about it. That is no use of it, and waits for nothing that runs.
    ///
    /// # Errors
    /// If it is closed.
    pub fn info(&self) -> Result<SessionInfo, ServiceError> {
        if self.service.close_if_over(&self.entry) {
            return Err(ServiceError::not_found("session", &self.entry.id));
        }
        Ok(self.entry.info())
    }

    /// Notes that it is used now: it is not idle for another while.
    ///
    /// # Errors
    /// If it is closed.
    pub fn touch(&self) -> Result<(), ServiceError> {
        self.call().map(drop)
    }

    /// Returns its files, from outside. To ask for them is a use of the session; each call on them is not.
    ///
    /// # Errors
    /// If it is closed.
    pub fn files(&self) -> Result<Files, ServiceError> {
        Ok(self.call()?.session().files())
    }

    /// Returns the files of the output directory as they are now, with their contents, types and titles. The policy's bounds apply
    /// ([`Session::artifacts`]).
    ///
    /// # Errors
    /// If it is closed.
    pub async fn artifacts(&self) -> Result<Artifacts, ServiceError> {
        let call = self.call()?;
        self.service.on(async move { Ok(call.session().artifacts().await) }).await
    }

    /// Returns the library's session, for what a program in Rust does beside the service. To ask for it is a use of the session.
    ///
    /// # Errors
    /// If it is closed.
    pub fn library(&self) -> Result<Session, ServiceError> {
        Ok(self.call()?.session().clone())
    }

    /// Sends SIGINT to the foreground processes of everything that runs in it, as Ctrl-C at a terminal does.
    ///
    /// # Errors
    /// If it is closed.
    pub fn interrupt(&self) -> Result<(), ServiceError> {
        self.call()?.session().interrupt();
        Ok(())
    }

    /// Closes it: ends everything in it, and waits until nothing of it is left. Nothing starts in it from the first moment on.
    ///
    /// # Errors
    /// If it is closed already.
    pub async fn close(&self) -> Result<(), ServiceError> {
        let closing = self.service.remove(&self.entry).ok_or_else(|| ServiceError::not_found("session", &self.entry.id))?;
        self.service.on(finished(closing)).await
    }
}

impl fmt::Debug for SessionHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SessionHandle").field("owner", self.owner()).field("key", &self.entry.key).finish_non_exhaustive()
    }
}
