//! The sessions of a server, by name.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use parking_lot::Mutex;
use rmcp::model::Tool;
use tokio::sync::{MutexGuard, OwnedSemaphorePermit};
use wisp::Policy;
use wisp_api::SessionRequest;
use wisp_service::{Owner, Service, ServiceError, SessionHandle};

use crate::bounds::Bounds;
use crate::call::Call;
use crate::error::CallError;
use crate::server::{Keep, Options};
use crate::timer::at_most;
use crate::tools::functions::Functions;

/// Maximum characters of a name.
const NAME: usize = 64;

/// How long an evaluation that was ended by force may take to end.
const ENDS: Duration = Duration::from_secs(1);

/// What all connections of a server share.
pub(crate) struct Core {
    pub(crate) service: Service,
    pub(crate) owner: Owner,
    pub(crate) options: Options,
    pub(crate) policy: Policy,
    pub(crate) bounds: Arc<Bounds>,
    pub(crate) tools: OnceLock<Vec<Tool>>,
    pub(crate) functions: Functions,
    places: Mutex<BTreeMap<String, Arc<Place>>>,
    opening: tokio::sync::Mutex<()>,
    /// How many connections there were, and how many there are.
    pub(crate) connected: AtomicU64,
    pub(crate) connections: Mutex<usize>,
    forks: AtomicU64,
}

/// A session, and what belongs to it here.
pub(crate) struct Place {
    pub(crate) name: String,
    pub(crate) handle: SessionHandle,
    /// One evaluation at a time; others wait for their turn.
    pub(crate) python: tokio::sync::Mutex<()>,
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
            functions: Functions::default(),
            places: Mutex::default(),
            opening: tokio::sync::Mutex::new(()),
            connected: AtomicU64::new(0),
            connections: Mutex::new(0),
            forks: AtomicU64::new(0),
        }))
    }

    /// Returns the sessions that were named, by name. Some may be closed.
    pub(crate) fn places(&self) -> Vec<Arc<Place>> {
        self.places.lock().values().cloned().collect()
    }

    /// Returns the session with this name, if it was named.
    pub(crate) fn known(&self, name: &str) -> Option<Arc<Place>> {
        self.places.lock().get(name).cloned()
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
            edits: tokio::sync::Mutex::new(()),
            shown: Mutex::default(),
        });
        places.insert(name.to_owned(), place.clone());
        place
    }

    /// Returns a name for a fork of the session with this name.
    pub(crate) fn fork_name(&self, name: &str) -> String {
        let base: String = name.chars().take(NAME - 16).collect();
        format!("{base}-fork-{}", self.forks.fetch_add(1, Ordering::Relaxed) + 1)
    }

    /// Returns the session with this name, which is opened if there is none.
    pub(crate) async fn session(&self, name: &str, own: bool) -> Result<Found, CallError> {
        let known = self.known(name);
        if let Some(place) = known.as_ref().filter(|place| place.handle.touch().is_ok()) {
            return Ok(Found { place: place.clone(), note: None });
        }
        let (handle, goes_on) = self.open(name, own).await?;
        let note = match known {
            Some(_) if !goes_on => {
                Some(format!("[the session `{name}` was closed, because it was not used for long: this is a new, empty one]"))
            }
            None if !goes_on && !own => Some(format!("[the session `{name}` is new and empty]")),
            _ => None,
        };
        Ok(Found { place: self.add(name, handle), note })
    }

    /// Opens the session with this name. Returns whether it was there before, in the service or in the store.
    async fn open(&self, name: &str, own: bool) -> Result<(SessionHandle, bool), ServiceError> {
        // One at a time: a store gives a session to one only.
        let _one = self.opening.lock().await;
        if let Ok(there) = self.service.session_with_key(&self.owner, name) {
            return Ok((there, true));
        }
        let request = SessionRequest { key: Some(name.to_owned()), ..SessionRequest::default() };
        match &self.options.keep {
            Keep::Saved(store) if !own => {
                let kept = store.open(name)?;
                let begun = kept.begun();
                let opened = self.service.open_kept(&self.owner, request, kept, Some(self.policy.clone()), |builder| builder).await?;
                Ok((opened, begun))
            }
            _ => {
                let request = SessionRequest { policy: self.options.policy.clone(), ..request };
                Ok((self.service.open(&self.owner, request).await?, false))
            }
        }
    }

    /// Returns the right to evaluate in a session, or to copy its interpreter: one call at a time has it, and then it is among those that
    /// run.
    ///
    /// # Errors
    /// If the call is cancelled first.
    pub(crate) async fn turn<'p>(&self, call: &Call, place: &'p Place) -> Result<Turn<'p>, CallError> {
        // In this order, so that those that wait for one session do not keep others from running.
        let python = call.or_cancelled(place.python.lock()).await?;
        Ok(Turn { _running: self.bounds.run(call).await?, _python: python })
    }

    /// Closes the session with this name; without one, saves those that are to be saved, and closes all.
    pub(crate) async fn close(&self, name: Option<&str>) -> Result<(), ServiceError> {
        let Some(name) = name else {
            let places = std::mem::take(&mut *self.places.lock());
            let mut saved = Ok(());
            for place in places.into_values().filter(|_| matches!(self.options.keep, Keep::Saved(_))) {
                saved = saved.and(self.save(&place).await);
            }
            // Also those that are just being opened.
            self.service.close_owner(&self.owner).await?;
            return saved;
        };
        let place = self.places.lock().remove(name);
        if let Some(place) = place {
            // It may be over already.
            let _ = place.handle.close().await;
        }
        Ok(())
    }

    /// Saves a session if a store keeps it, and closes it.
    async fn save(&self, place: &Place) -> Result<(), ServiceError> {
        // What is evaluated was cancelled, and ends in this time.
        let _turn = at_most(self.options.grace + ENDS, place.python.lock()).await;
        match place.handle.park().await {
            Ok(_) | Err(ServiceError::NotKept { .. } | ServiceError::NotFound { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }
}

/// Refuses a name that is none.
pub(crate) fn check_name(name: &str) -> Result<(), CallError> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    match name.len() <= NAME && name.starts_with(|first: char| first.is_ascii_alphanumeric()) && name.bytes().all(plain) {
        true => Ok(()),
        false => Err(CallError::Arguments(format!(
            "the name of a session has 1 to {NAME} letters, digits, `-`, `_` and `.`, and begins with a letter or a digit"
        ))),
    }
}
