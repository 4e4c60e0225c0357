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
        exit_code(outcome, self.asked.load(Ordering::Relaxed))
    }
}

/// Returns the exit code of wisp for this outcome, of a command that a person or a signal has ended if `asked`.
pub(crate) fn exit_code(outcome: &Outcome, asked: bool) -> u8 {
    if asked && outcome.end == (End::Signal { signal: 9 }) { INTERRUPTED } else { outcome.exit_code() }
}

/// Listens, from now on, for signals that would end wisp, and waits for one.
pub(crate) fn signalled() -> impl Future<Output = ()> {
    use tokio::signal::unix::{SignalKind, signal};
    let signals = (signal(SignalKind::interrupt()), signal(SignalKind::terminate()), signal(SignalKind::hangup()));
    async {
        // Without listeners, the default action applies: wisp ends at once.
        let (Ok(mut interrupt), Ok(mut terminate), Ok(mut hangup)) = signals else { return std::future::pending().await };
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
            _ = hangup.recv() => {}
        }
    }
}
