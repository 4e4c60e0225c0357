//! Sessions that start from one that is laid out already, in constant time.

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use crate::exec::session_state::{SessionState, Shared};
use crate::functions::{Functions, HostFunction, unrepeatable};
use crate::outcome::receipt::EventSink;
use crate::outcome::receipt::ReceiptSink;
use crate::outcome::receipts::Sinks;
use crate::program::error::SessionError;
use crate::session::engine::Engine;
use crate::session::handle::{Session, Start};
use wisp_api::{FunctionInfo, ReceiptKind};

/// What sessions start from: a policy that was checked, tools that were loaded, files that were laid out. A start copies
/// none of it, so it takes microseconds, and needs no thread for blocking work as [`SessionBuilder::build`] does. It keeps nothing
/// running in that session ([what dropping does](crate#what-dropping-does)).
///
/// [`SessionBuilder::build`]: crate::SessionBuilder::build
#[derive(Clone)]
pub struct SessionTemplate {
    /// Without a handle of its session: that ends by itself.
    state: Arc<SessionState>,
    engine: Engine,
    files: wisp_vfs::Snapshot,
    sinks: Sinks,
    functions: Arc<Functions>,
}

impl Session {
    /// Returns a template with this session's policy, tools and mounts, and with its files as they are now. What runs in the
    /// session, and the labels of its artifacts, are not part of it.
    pub fn template(&self) -> SessionTemplate {
        let state = self.state.clone();
        let functions = state.functions.as_ref().map(|gate| gate.functions().clone()).unwrap_or_default();
        SessionTemplate { files: state.fs.snapshot(), sinks: state.receipts.sinks().clone(), state, engine: self.engine.clone(), functions }
    }
}

impl SessionTemplate {
    /// Sends the receipts of sessions that start from now on to `sink`, as they happen.
    #[must_use]
    pub fn receipts(mut self, sink: Arc<dyn ReceiptSink>) -> Self {
        self.sinks.receipts = Some(sink);
        self
    }

    /// Sends the events of sessions that start from now on to `sink`, as they happen.
    #[must_use]
    pub fn events(mut self, sink: Arc<dyn EventSink>) -> Self {
        self.sinks.events = Some(sink);
        self
    }

    /// Registers a function of the host for sessions that start from now on, in place of one with the same name. They may
    /// call it if their policy allows it (`host.allow`).
    #[must_use]
    pub fn function(mut self, function: HostFunction) -> Self {
        Arc::make_mut(&mut self.functions).insert(function.name().to_owned(), function);
        self
    }

    /// Returns the functions of the host that code in sessions may call which start from now on, as [`Session::functions`] lists them.
    pub fn functions(&self) -> Vec<FunctionInfo> {
        self.state.functions.as_ref().map(|gate| gate.infos(&self.functions)).unwrap_or_default()
    }

    /// Starts a session: nothing runs in it, its files are those of the template until it changes them, and its limits
    /// count from zero. It shares nothing that changes with other sessions but the directories of write mounts. Secrets
    /// have placeholders of its own.
    ///
    /// # Errors
    /// If the system provides no randomness for the placeholders of secrets; if the policy is deterministic, and a function
    /// was registered here whose answers are neither recorded nor replayed.
    pub fn start(&self) -> Result<Session, SessionError> {
        let state = &self.state;
        let shared = Shared { start: Instant::now(), ..state.shared.clone() };
        let live = state.functions.as_ref().and_then(|gate| unrepeatable(&shared.policy, &self.functions, gate.answers()));
        if let Some((name, rule)) = live {
            return Err(SessionError::Functions { name, rule });
        }
        let start = Start { shared, fs: &self.files, sinks: self.sinks.clone(), labels: None };
        let session =
            start.session(&self.engine, state, wisp_net::Net::renew, |gate, receipts| gate.renew(self.functions.clone(), receipts));
        let session = session.map_err(|source| SessionError::Secrets { source: source.into() })?;
        for mount in &session.state.shared.policy.filesystem().mounts {
            let subject = format!("{} {}", mount.guest, mount.access);
            session.state.receipts.allowed(0, ReceiptKind::Mount, &subject, &mount.rule.to_string());
        }
        Ok(session)
    }
}

impl fmt::Debug for SessionTemplate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SessionTemplate").field("policy", &self.state.shared.policy.name()).finish_non_exhaustive()
    }
}
