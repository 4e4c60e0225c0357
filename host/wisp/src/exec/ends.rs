//! How a command ended, and whose doing that was.

use crate::exec::causes::Refusal;
use crate::exec::command_run::CommandRun;
use crate::outcome::receipt::text;
use wisp_api::{End, ErrorCode};
use wisp_process::{ExitStatus, Process, Signal};

impl CommandRun {
    /// Records that the host failed: what comes of the command from now on says nothing about its programs. Only the first failure
    /// counts, and none of a command that is being ended.
    pub(crate) fn failed(&self, code: ErrorCode, message: String) {
        if self.ended().is_none() {
            self.failed_at_end(code, message);
        }
    }

    /// Works like [`Self::failed`], of a command that has ended and whose outcome is put together.
    pub(crate) fn failed_at_end(&self, code: ErrorCode, message: String) {
        // The first failure stays, and is all that is logged: a guest may cause many.
        if self.causes.failure.set((code, message)).is_ok()
            && let Some((code, message)) = self.failure()
        {
            tracing::error!(command = self.command, %code, message, "the host failed a command");
        }
    }

    /// Returns the first failure of the host.
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::exec::command_run::tests::running;
    use wisp_api::Limit;
    use wisp_policy::Policy;
    use wisp_process::ProcessTable;

    const ABORTED: ExitStatus = ExitStatus::Signaled(Signal::Abort);

    #[test]
    fn the_first_failure_of_the_host_decides_whatever_the_program_made_of_it() {
        let run = running(&Policy::offline(), None);
        assert_eq!(run.end(ExitStatus::Exited(126)), End::Exit { code: 126 });
        run.failed(ErrorCode::HostMemory, "no stack".to_owned());
        run.failed(ErrorCode::Internal, "what followed from it".to_owned());
        let end = End::Infra { code: ErrorCode::HostMemory, message: "no stack".to_owned() };
        for status in [ExitStatus::Exited(0), ExitStatus::Exited(126), ABORTED] {
            assert_eq!(run.end(status), end);
        }
    }

    #[test]
    fn what_fails_while_a_command_is_ended_is_not_why_it_ended() {
        let killed = ExitStatus::Signaled(Signal::Kill);
        let (limited, stopped) = (running(&Policy::offline(), None), running(&Policy::offline(), None));
        limited.hit(Limit::Cpu);
        stopped.end_all(killed);
        for run in [&limited, &stopped] {
            run.failed(ErrorCode::NoRoom, "no room".to_owned());
        }
        assert!(matches!(limited.end(killed), End::Limit(hit) if hit.limit == Limit::Cpu));
        assert_eq!(stopped.end(killed), End::Signal { signal: 9 });
        // But without its files the outcome is not whole.
        stopped.failed_at_end(ErrorCode::Internal, "no files".to_owned());
        assert!(matches!(stopped.end(killed), End::Infra { code: ErrorCode::Internal, .. }));
    }

    #[test]
    fn a_refusal_ends_a_command_with_its_first_process_alone() {
        let processes = Arc::new(ProcessTable::new());
        let first = processes.enter(0, 1, "first", 9).expect("an empty table has room");
        let child = processes.enter(first.process().pid(), 1, "child", 9).expect("as above");
        let run = running(&Policy::offline(), None);
        run.called_denied(child.process().pid(), "wasi:sockets/tcp connect", "built in");
        run.ended_by_refusal(first.process());
        assert_eq!(run.end(ABORTED), End::Signal { signal: 6 }, "the child called it");
        run.called_denied(child.process().pid(), "wasi:sockets/tcp connect", "built in");
        run.ended_by_refusal(child.process());
        assert_eq!(run.end(ABORTED), End::Signal { signal: 6 }, "the first process aborted for reasons of its own");
        run.called_denied(first.process().pid(), "wasi:sockets/tcp connect", "built in");
        run.ended_by_refusal(first.process());
        assert_eq!(run.end(ABORTED), End::Denied { subject: "wasi:sockets/tcp connect".to_owned(), rule: "built in".to_owned() });
    }
}
