//! Sessions that start from one that is laid out already, in constant time.

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use crate::exec::session_state::{SessionState, Shared};
use crate::outcome::event::EventSink;
use crate::outcome::receipt::{ReceiptKind, ReceiptSink};
use crate::outcome::receipts::Sinks;
use crate::program::error::SessionError;
use crate::session::engine::Engine;
use crate::session::handle::{Session, Start};

/// What sessions start from: a policy that was checked, tools that were loaded, files that were laid out. A start copies
/// none of it, so it takes microseconds, and needs no thread for blocking work as [`SessionBuilder::build`] does.
///
/// [`SessionBuilder::build`]: crate::SessionBuilder::build
#[derive(Clone)]
pub struct SessionTemplate {
    /// Without a handle of its session: that ends by itself.
    state: Arc<SessionState>,
    engine: Engine,
    files: wisp_vfs::Snapshot,
    sinks: Sinks,
}

impl Session {
    /// A template with this session's policy, tools and mounts, and with its files as they are now. What runs in the
    /// session, and the labels of its artifacts, are not part of it.
    pub fn template(&self) -> SessionTemplate {
        let state = self.state.clone();
        SessionTemplate { files: state.fs.snapshot(), sinks: state.receipts.sinks().clone(), state, engine: self.engine.clone() }
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

    /// Starts a session: nothing runs in it, its files are those of the template until it changes them, and its limits
    /// count from zero. It shares nothing that changes with other sessions but the directories of write mounts. Secrets
    /// have placeholders of its own.
    ///
    /// # Errors
    /// If the system provides no randomness for the placeholders of secrets.
    pub fn start(&self) -> Result<Session, SessionError> {
        let state = &self.state;
        let shared = Shared { start: Instant::now(), ..state.shared.clone() };
        let start = Start { shared, fs: &self.files, sinks: self.sinks.clone(), labels: None };
        let session = start.session(&self.engine, state, |net, observer| net.renew(observer));
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
