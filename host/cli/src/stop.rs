//! Ending everything, because a person or a signal asks for it, and the exit code that comes of it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use wisp::{End, Outcome, Session, Signal};

/// The exit code of what a person ended.
pub(crate) const INTERRUPTED: u8 = 130;

/// How a command ended by force ends.
const KILLED: End = End::Signal { signal: 9 };

/// What a person or a signal asked of wisp: the exit code that comes of it, or 0.
#[derive(Clone, Default)]
pub(crate) struct Asked(Arc<AtomicU8>);

impl Asked {
    /// Notes that everything is ended by force: a person wants that, unless a signal came before.
    pub(crate) fn by_force(&self) {
        // It fails if there is a code already.
        let _ = self.0.compare_exchange(0, INTERRUPTED, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Notes that a signal asks wisp to end.
    pub(crate) fn by_signal(&self, signal: Signal) {
        self.0.store(code(signal), Ordering::Relaxed);
    }

    /// Returns the exit code of a wisp that does not wait for its command any more.
    pub(crate) fn code(&self) -> u8 {
        match self.0.load(Ordering::Relaxed) {
            0 => INTERRUPTED,
            code => code,
        }
    }

    /// Returns the exit code of wisp for this outcome. After SIGTERM and SIGHUP it is theirs, whatever the command made of them: who
    /// sent one learns that the command did not run to its end. A failure of wisp is still told.
    pub(crate) fn exit_code(&self, outcome: &Outcome) -> u8 {
        match self.0.load(Ordering::Relaxed) {
            0 => outcome.exit_code(),
            INTERRUPTED if outcome.end != KILLED => outcome.exit_code(),
            _ if matches!(outcome.end, End::Infra { .. }) => outcome.exit_code(),
            code => code,
        }
    }
}

/// Returns the exit code of what this signal ends.
pub(crate) fn code(signal: Signal) -> u8 {
    128 + signal.number()
}

/// Ends what runs in a session, and remembers that.
#[derive(Clone)]
pub(crate) struct Stop {
    session: Session,
    asked: Asked,
}

impl Stop {
    /// Makes one for `session` that nothing has asked for.
    pub(crate) fn new(session: &Session) -> Self {
        Self { session: session.clone(), asked: Asked::default() }
    }

    /// Ends everything that runs, by force.
    pub(crate) fn now(&self) {
        self.asked.by_force();
        self.session.kill_all();
    }

    /// Returns what was asked for, which changes with it.
    pub(crate) fn asked(&self) -> &Asked {
        &self.asked
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(end: &str) -> Outcome {
        let document = format!(
            r#"{{{end},"stdout":"","stderr":"","files":[],"execution_time_ms":1.0,"usage":{{"cpu_ms":1.0,"peak_memory_bytes":1,"processes":1}},
                "limit":null,"receipts":[],"receipts_left_out":0,"world":""}}"#
        );
        serde_json::from_str(&document).unwrap_or_else(|error| panic!("{document}: {error}"))
    }

    #[test]
    fn a_signal_decides_the_exit_code_and_a_person_only_what_was_ended_by_force() {
        let exit = |code: u8| outcome(&format!(r#""exit_code":{code},"end":{{"kind":"exit","code":{code}}}"#));
        let killed = outcome(r#""exit_code":137,"end":{"kind":"signal","signal":9}"#);
        let asked = Asked::default();
        assert_eq!((asked.exit_code(&exit(3)), asked.exit_code(&killed)), (3, 137));
        asked.by_force();
        assert_eq!((asked.exit_code(&exit(3)), asked.exit_code(&killed), asked.code()), (3, 130, 130));
        for (signal, code) in [(Signal::Terminate, 143), (Signal::Hangup, 129)] {
            let asked = Asked::default();
            asked.by_signal(signal);
            // The grace time is over.
            asked.by_force();
            assert_eq!((asked.exit_code(&exit(0)), asked.exit_code(&killed), asked.code()), (code, code, code));
        }
    }
}
