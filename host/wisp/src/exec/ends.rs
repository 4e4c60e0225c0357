//! How a command ended, and whose doing that was.

use std::sync::OnceLock;

use parking_lot::Mutex;

use crate::exec::command_run::CommandRun;
use crate::outcome::receipt::text;
use wisp_api::{End, ErrorCode};
use wisp_process::{ExitStatus, Process, Signal};

/// What else than its programs or a limit can end a command.
#[derive(Default)]
pub(crate) struct Causes {
    /// The first failure of the host.
    failure: OnceLock<(ErrorCode, String)>,
    /// The refused call that ended the first process.
    refusal: OnceLock<Refusal>,
    /// The last function that was composed away and called, with the process that called it.
    called: Mutex<Option<(u32, Refusal)>>,
}

/// What was refused, and the rule that refused it, as the receipt has them.
struct Refusal {
    subject: String,
    rule: String,
}

impl CommandRun {
    /// Records that the host failed: what comes of the command from now on says nothing about its programs. Only the first failure
    /// counts, and none of a command that is being ended.
    pub(crate) fn failed(&self, code: ErrorCode, message: String) {
        if self.ended().is_none() {
            self.failed_at_end(code, message);
        }
    }

    /// As [`Self::failed`], of a command that has ended and whose outcome is put together.
    pub(crate) fn failed_at_end(&self, code: ErrorCode, message: String) {
        tracing::error!(command = self.command, %code, message, "the host failed a command");
        // The first failure stays.
        let _ = self.causes.failure.set((code, message));
    }

    /// The first failure of the host.
    pub(crate) fn failure(&self) -> Option<&(ErrorCode, String)> {
        self.causes.failure.get()
    }

    /// Records that `process` called a function that was composed away. Most return an error, and the process continues.
    pub(crate) fn called_denied(&self, process: u32, subject: &str, rule: &str) {
        *self.causes.called.lock() = Some((process, Refusal { subject: text(subject), rule: text(rule) }));
    }

    /// Records that such a call, which has no error to return, has ended `process`.
    pub(crate) fn ended_by_refusal(&self, process: &Process) {
        let called = self.causes.called.lock().take();
        // That of a child is a status, of which its parent makes what it likes.
        if let Some((pid, refusal)) = called
            && pid == process.pid()
            && process.parent() == 0
        {
            // A command has one first process.
            let _ = self.causes.refusal.set(refusal);
        }
    }

    /// Returns how the command ended, whose first process ended with `status`.
    pub(crate) fn end(&self, status: ExitStatus) -> End {
        if let Some((code, message)) = self.failure() {
            return End::Infra { code: *code, message: message.clone() };
        }
        let killed = status == ExitStatus::TimedOut || status == ExitStatus::Signaled(Signal::Kill);
        let refusal = self.causes.refusal.get().filter(|_| status == ExitStatus::Signaled(Signal::Abort));
        match (self.limit_hit(), status) {
            // What ended the whole command from outside is no limit.
            (Some(hit), _) if hit.ended && killed && (self.ended_by_limit() || self.ended().is_none()) => End::Limit(hit),
            (_, ExitStatus::Exited(code)) => End::Exit { code },
            (_, status) => match refusal {
                Some(Refusal { subject, rule }) => End::Denied { subject: subject.clone(), rule: rule.clone() },
                None => End::Signal { signal: status.signal().unwrap_or(Signal::Kill.number()) },
            },
        }
    }
}
