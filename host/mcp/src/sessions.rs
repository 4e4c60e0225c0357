//! The sessions of a server by name: a client names them, or has the one of its connection.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, Weak};

use parking_lot::Mutex;
use rmcp::model::Tool;
use tokio::sync::{MutexGuard, OwnedSemaphorePermit};
use wisp::Policy;
use wisp_api::SessionRequest;
use wisp_service::{Owner, Service, ServiceError, SessionHandle};

use crate::bounds::Bounds;
use crate::call::Call;
use crate::error::CallError;
use crate::server::Options;
use crate::subscriptions::Subscriptions;

/// The name by which each connection finds its own session.
const DEFAULT: &str = "default";

/// Maximum characters of a name.
const NAME: usize = 64;

/// What all connections of a server share.
pub(crate) struct Core {
    pub(crate) service: Service,
    pub(crate) owner: Owner,
    pub(crate) options: Options,
    pub(crate) policy: Policy,
    pub(crate) bounds: Arc<Bounds>,
    pub(crate) tools: OnceLock<Vec<Tool>>,
    places: Mutex<BTreeMap<String, Arc<Place>>>,
    /// How many connections there were, and how many there are.
    connected: AtomicU64,
    connections: Mutex<usize>,
    forks: AtomicU64,
}

/// A session, and what belongs to it here.
pub(crate) struct Place {
    pub(crate) name: String,
    pub(crate) handle: SessionHandle,
    /// One evaluation at a time; others wait for their turn.
    pub(crate) python: tokio::sync::Mutex<()>,
    /// Whether the interpreter was ended: the next evaluation starts another.
    pub(crate) ended: AtomicBool,
    /// One edit at a time: each reads a file and writes it.
    pub(crate) edits: tokio::sync::Mutex<()>,
    /// The artifacts that the client knows: the digest by path.
    pub(crate) shown: Mutex<BTreeMap<String, String>>,
}

/// A session that a call names, and what the client must know about it first.
pub(crate) struct Found {
    pub(crate) place: Arc<Place>,
    pub(crate) note: Option<String>,
}

/// A call's turn in a session.
pub(crate) struct Turn<'p> {
    _running: OwnedSemaphorePermit,
    _python: MutexGuard<'p, ()>,
}

impl Core {
    pub(crate) fn new(service: Service, owner: Owner, options: Options) -> Result<Arc<Self>, ServiceError> {
        let policy = service.policy(options.policy.as_deref())?;
        let bounds = Arc::new(Bounds::new(options.calls));
        Ok(Arc::new(Self {
            service,
            owner,
            options,
            policy,
            bounds,
            tools: OnceLock::new(),
            places: Mutex::default(),
            connected: AtomicU64::new(0),
            connections: Mutex::new(0),
            forks: AtomicU64::new(0),
        }))
    }

    /// The sessions that were named, by name.
    pub(crate) fn places(&self) -> Vec<Arc<Place>> {
        self.places.lock().values().filter(|place| place.handle.info().is_ok()).cloned().collect()
    }

    /// Adds a session.
    pub(crate) fn add(&self, name: &str, handle: SessionHandle) -> Arc<Place> {
        let mut places = self.places.lock();
        if let Some(place) = places.get(name).filter(|place| place.handle.id() == handle.id()) {
            return place.clone();
        }
        // Sessions whose time is over are not looked at again.
        places.retain(|_, place| place.handle.info().is_ok());
        let place = Arc::new(Place {
            name: name.to_owned(),
            handle,
            python: tokio::sync::Mutex::new(()),
            ended: AtomicBool::new(false),
            edits: tokio::sync::Mutex::new(()),
            shown: Mutex::default(),
        });
        places.insert(name.to_owned(), place.clone());
        place
    }

    /// A name for a fork of the session with this name.
    pub(crate) fn fork_name(&self, name: &str) -> String {
        let base: String = name.chars().take(NAME - 16).collect();
        format!("{base}-fork-{}", self.forks.fetch_add(1, Ordering::Relaxed) + 1)
    }

    /// The session with this name, which is opened if there is none.
    async fn session(&self, name: &str, own: bool) -> Result<Found, CallError> {
        let known = self.places.lock().get(name).cloned();
        if let Some(place) = known.as_ref().filter(|place| place.handle.touch().is_ok()) {
            return Ok(Found { place: place.clone(), note: None });
        }
        let there = self.service.session_with_key(&self.owner, name).is_ok();
        let request = SessionRequest { key: Some(name.to_owned()), policy: self.options.policy.clone(), ..SessionRequest::default() };
        let handle = self.service.open(&self.owner, request).await?;
        let note = match (known, there || own) {
            (Some(_), _) => Some(format!("[the session `{name}` was closed, because it was not used for long: this is a new, empty one]")),
            (None, false) => Some(format!("[the session `{name}` is new and empty]")),
            (None, true) => None,
        };
        Ok(Found { place: self.add(name, handle), note })
    }

    /// The right to evaluate in a session, or to copy its interpreter: one call at a time has it, and then it is among those that run.
    ///
    /// # Errors
    /// If the call is cancelled first.
    pub(crate) async fn turn<'p>(&self, call: &Call, place: &'p Place) -> Result<Turn<'p>, CallError> {
        // In this order, so that those that wait for one session do not keep others from running.
        let python = call.or_cancelled(place.python.lock()).await?;
        Ok(Turn { _running: self.bounds.run(call).await?, _python: python })
    }

    /// Closes sessions.
    async fn close(&self, name: Option<&str>) -> Result<(), ServiceError> {
        let closing = match name {
            Some(name) => self.places.lock().remove(name).into_iter().collect(),
            None => std::mem::take(&mut *self.places.lock()).into_values().collect::<Vec<_>>(),
        };
        match name {
            Some(_) => {
                for place in closing {
                    // It may be over already.
                    let _ = place.handle.close().await;
                }
            }
            // Also those that are just being opened.
            None => drop(self.service.close_owner(&self.owner).await?),
        }
        Ok(())
    }
}

/// Refuses a name that is none.
pub(crate) fn check_name(name: &str) -> Result<(), CallError> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    match (1..=NAME).contains(&name.len()) && name.bytes().all(plain) {
        true => Ok(()),
        false => Err(CallError::Arguments(format!("the name of a session has 1 to {NAME} letters, digits, `-`, `_` and `.`"))),
    }
}

/// A client that is connected. When it is closed or dropped, its sessions are closed.
pub(crate) struct Connection {
    core: Arc<Core>,
    /// The name of its own session.
    own: String,
    closed: AtomicBool,
    pub(crate) subscriptions: Subscriptions,
    /// Connections that end with this one.
    children: Mutex<Vec<Weak<Connection>>>,
}

impl Connection {
    pub(crate) fn new(core: Arc<Core>) -> Self {
        let number = core.connected.fetch_add(1, Ordering::Relaxed);
        let own = match number {
            0 => DEFAULT.to_owned(),
            number => format!("{DEFAULT}-{number}"),
        };
        *core.connections.lock() += 1;
        Self { core, own, closed: AtomicBool::new(false), subscriptions: Subscriptions::default(), children: Mutex::default() }
    }

    /// A connection that ends with this one.
    pub(crate) fn child(&self) -> Arc<Self> {
        let child = Arc::new(Self::new(self.core.clone()));
        let mut children = self.children.lock();
        children.retain(|child| child.strong_count() > 0);
        children.push(Arc::downgrade(&child));
        child
    }

    pub(crate) fn core(&self) -> &Arc<Core> {
        &self.core
    }

    /// The session that a call names, or the connection's own. It is opened when it is first named.
    ///
    /// # Errors
    /// If the name is none, or it cannot be opened.
    pub(crate) async fn session(&self, name: Option<&str>) -> Result<Found, CallError> {
        match name {
            None | Some(DEFAULT | "") => self.core.session(&self.own, true).await,
            Some(name) => {
                check_name(name)?;
                self.core.session(name, false).await
            }
        }
    }

    /// The session with this name, if it is open.
    ///
    /// # Errors
    /// If there is none.
    pub(crate) fn known(&self, name: &str) -> Result<Arc<Place>, CallError> {
        let name = if name == DEFAULT { &self.own } else { name };
        let known = self.core.places.lock().get(name).cloned();
        known.ok_or_else(|| CallError::failed(format!("there is no session `{name}`: a call that names it opens it")))
    }

    /// Closes its own session; if it is the last connection, all sessions, unless the options keep those with names.
    pub(crate) async fn close(&self) -> Result<(), ServiceError> {
        self.subscriptions.clear();
        let children = std::mem::take(&mut *self.children.lock());
        for child in children.iter().filter_map(Weak::upgrade) {
            Box::pin(child.close()).await?;
        }
        match self.leave() {
            Some(name) => self.core.close(name).await,
            None => Ok(()),
        }
    }

    /// What is to be closed: `Some(None)` means all sessions. `None` if it was closed already.
    fn leave(&self) -> Option<Option<&str>> {
        if self.closed.swap(true, Ordering::AcqRel) {
            return None;
        }
        let mut connections = self.core.connections.lock();
        *connections -= 1;
        Some((*connections > 0 || self.core.options.keep).then_some(self.own.as_str()))
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        let Some(name) = self.leave().map(|name| name.map(str::to_owned)) else { return };
        let core = self.core.clone();
        let close = async move { core.close(name.as_deref()).await };
        #[expect(clippy::disallowed_methods, reason = "it ends what the connection has started")]
        self.core.service.runtime().handle().spawn(close);
    }
}
