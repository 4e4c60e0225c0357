//! One client: the session of its own, and what ends with it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};

use parking_lot::Mutex;
use wisp_service::ServiceError;

use crate::error::CallError;
use crate::log::{self, Level, Logs};
use crate::server::Keep;
use crate::sessions::{Core, Found, Place, check_name};
use crate::subscriptions::Subscriptions;
use crate::tools::functions::Late;

/// The name by which each connection finds its own session.
const DEFAULT: &str = "default";

/// A client that is connected. When it is closed or dropped, its sessions are closed.
pub(crate) struct Connection {
    core: Arc<Core>,
    /// The name of its own session.
    own: String,
    closed: AtomicBool,
    pub(crate) subscriptions: Subscriptions,
    /// Tells the client of another list of the tools.
    pub(crate) late: Late,
    /// Which log messages the client wants.
    pub(crate) level: Mutex<Level>,
    pub(crate) logs: Logs,
    /// Connections that end with this one.
    children: Mutex<Vec<Weak<Self>>>,
}

impl Connection {
    pub(crate) fn new(core: Arc<Core>) -> Self {
        let number = core.connected.fetch_add(1, Ordering::Relaxed);
        let own = match number {
            0 => DEFAULT.to_owned(),
            number => format!("{DEFAULT}-{number}"),
        };
        *core.connections.lock() += 1;
        let (closed, level) = (AtomicBool::new(false), Mutex::new(log::DEFAULT));
        let (subscriptions, late) = (Subscriptions::default(), Late::default());
        Self { core, own, closed, subscriptions, late, level, logs: Logs::default(), children: Mutex::default() }
    }

    /// Creates a connection that ends with this one.
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

    /// Returns the session that a call names, or the connection's own. It is opened when it is first named.
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

    /// Returns the session with this name, if it is open.
    ///
    /// # Errors
    /// If there is none.
    pub(crate) fn known(&self, name: &str) -> Result<Arc<Place>, CallError> {
        let name = if name == DEFAULT { &self.own } else { name };
        self.core.known(name).ok_or_else(|| CallError::failed(format!("there is no session `{name}`: a call that names it opens it")))
    }

    /// Closes its own session; if it is the last connection, all sessions, unless the options keep those with names.
    pub(crate) async fn close(&self) -> Result<(), ServiceError> {
        self.subscriptions.clear();
        self.late.clear();
        let children = std::mem::take(&mut *self.children.lock());
        for child in children.iter().filter_map(Weak::upgrade) {
            Box::pin(child.close()).await?;
        }
        match self.leave() {
            Some(name) => self.core.close(name).await,
            None => Ok(()),
        }
    }

    /// Returns what is to be closed: `Some(None)` means all sessions. `None` if it was closed already.
    fn leave(&self) -> Option<Option<&str>> {
        if self.closed.swap(true, Ordering::AcqRel) {
            return None;
        }
        let mut connections = self.core.connections.lock();
        *connections -= 1;
        Some((*connections > 0 || self.core.options.keep == Keep::Open).then_some(self.own.as_str()))
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
