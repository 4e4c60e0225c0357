//! The sandboxes that have keys.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::Mutex as Turn;
use wisp_api::SessionId;

use crate::sandbox::Sandbox;

/// The sandboxes of an engine that have keys. Each lives until it is closed, or its time is over.
#[derive(Default)]
pub(crate) struct Keyed {
    /// One at a time is opened: another of the same key finds it with its files.
    pub(crate) opening: Turn<()>,
    all: Mutex<HashMap<String, Arc<Sandbox>>>,
}

impl Keyed {
    /// Returns the sandbox with this key, if this is its session.
    pub(crate) fn find(&self, key: &str, session: &SessionId) -> Option<Arc<Sandbox>> {
        self.all.lock().get(key).filter(|sandbox| sandbox.has(session)).cloned()
    }

    /// Keeps a sandbox, if it has a key.
    pub(crate) fn keep(&self, sandbox: &Arc<Sandbox>) {
        let Some(key) = sandbox.key.clone() else { return };
        let mut all = self.all.lock();
        let mut over: Vec<Arc<Sandbox>> = all.extract_if(|_, sandbox| sandbox.is_closed()).map(|(_, sandbox)| sandbox).collect();
        over.extend(all.insert(key, sandbox.clone()));
        // They are dropped without the lock.
        drop(all);
    }

    /// Keeps a sandbox no more.
    pub(crate) fn forget(&self, sandbox: &Sandbox) {
        let Some(key) = sandbox.key.as_deref() else { return };
        let mut all = self.all.lock();
        let own = all.get(key).is_some_and(|there| there.id() == sandbox.id());
        let forgotten = if own { all.remove(key) } else { None };
        drop(all);
        drop(forgotten);
    }

    /// Keeps none any more.
    pub(crate) fn clear(&self) {
        let all = std::mem::take(&mut *self.all.lock());
        drop(all);
    }
}
