//! Ending everything at once, because a person or a signal asks for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use wisp::{End, Outcome, Session};

/// The exit code of what a person ended.
pub(crate) const INTERRUPTED: u8 = 130;

/// Ends what runs in a session, and remembers that.
#[derive(Clone)]
pub(crate) struct Stop {
    session: Session,
    asked: Arc<AtomicBool>,
}

impl Stop {
    /// Makes one for `session` that nothing has asked for.
    pub(crate) fn new(session: &Session) -> Self {
        Self { session: session.clone(), asked: Arc::default() }
    }

    /// Ends everything that runs, by force.
    pub(crate) fn now(&self) {
        self.asked.store(true, Ordering::Relaxed);
        self.session.kill_all();
    }

    /// Returns the exit code of wisp for this outcome.
    pub(crate) fn exit_code(&self, outcome: &Outcome) -> u8 {
        let killed = outcome.end == End::Signal { signal: 9 };
        if killed && self.asked.load(Ordering::Relaxed) { INTERRUPTED } else { outcome.exit_code() }
    }
}
