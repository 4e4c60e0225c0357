//! The sessions of a service, by id and by key, each with its owner.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use wisp_api::SessionId;

use crate::builder::ServiceLimits;
use crate::error::ServiceError;
use crate::session::Entry;

/// Who a session belongs to: a text that means something to the surface only, such as a tenant or a connection. A caller finds
/// the sessions of the owner that it names, and no others.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Owner(Arc<str>);

impl Owner {
    /// Returns the owner with this name.
    pub fn new(name: impl AsRef<str>) -> Self {
        Self(name.as_ref().into())
    }

    /// Returns the name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Owner({:?})", self.as_str())
    }
}

/// The sessions that are open.
#[derive(Default)]
pub(crate) struct Registry {
    sessions: HashMap<SessionId, Arc<Entry>>,
    keys: HashMap<(Owner, String), SessionId>,
    /// The sessions that are being opened, by a number: whose each is, and whether it is closed already.
    opening: HashMap<u64, (Owner, bool)>,
    /// The number of the last one.
    last: u64,
}

impl Registry {
    /// Returns the owner's session with this id.
    pub(crate) fn find(&self, owner: &Owner, id: &SessionId) -> Option<&Arc<Entry>> {
        self.sessions.get(id).filter(|entry| entry.owner == *owner)
    }

    /// Returns the owner's session with this key.
    pub(crate) fn by_key(&self, owner: &Owner, key: &str) -> Option<&Arc<Entry>> {
        self.sessions.get(self.keys.get(&(owner.clone(), key.to_owned()))?)
    }

    /// Returns all sessions.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Arc<Entry>> {
        self.sessions.values()
    }

    /// Checks whether the owner may have another session.
    ///
    /// # Errors
    /// If the service or the owner has as many as the limits say.
    pub(crate) fn admit(&self, owner: &Owner, limits: &ServiceLimits) -> Result<(), ServiceError> {
        let own = self.all().filter(|entry| entry.owner == *owner).count();
        if own >= limits.sessions_per_owner {
            return Err(ServiceError::TooMany { kind: "sessions of this owner", limit: limits.sessions_per_owner });
        }
        if self.sessions.len() >= limits.sessions {
            return Err(ServiceError::Full { limit: limits.sessions });
        }
        Ok(())
    }

    /// Notes that a session is being opened. Returns its number.
    pub(crate) fn begin(&mut self, owner: &Owner) -> u64 {
        self.last += 1;
        self.opening.insert(self.last, (owner.clone(), false));
        self.last
    }

    /// Notes that it is open, or never will be.
    pub(crate) fn finish(&mut self, number: u64) {
        self.opening.remove(&number);
    }

    /// Returns whether it was closed before it was open.
    pub(crate) fn is_closed(&self, number: u64) -> bool {
        self.opening.get(&number).is_some_and(|(_, closed)| *closed)
    }

    /// Closes the sessions that are being opened, of this owner or of all.
    pub(crate) fn close_opening(&mut self, owner: Option<&Owner>) {
        let of = self.opening.values_mut().filter(|(of, _)| owner.is_none_or(|owner| of == owner));
        of.for_each(|(_, closed)| *closed = true);
    }

    /// Adds a session. Its id and its key are free.
    pub(crate) fn insert(&mut self, entry: Arc<Entry>) {
        if let Some(key) = &entry.key {
            self.keys.insert((entry.owner.clone(), key.clone()), entry.id.clone());
        }
        self.sessions.insert(entry.id.clone(), entry);
    }

    /// Removes a session. Returns whether it was there.
    pub(crate) fn remove(&mut self, entry: &Entry) -> bool {
        let found = self.sessions.remove(&entry.id).is_some();
        if let (true, Some(key)) = (found, &entry.key) {
            self.keys.remove(&(entry.owner.clone(), key.clone()));
        }
        found
    }
}
