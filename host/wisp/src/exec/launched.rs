//! A command from the start of its first process to its outcome.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use tokio::task::JoinError;

use crate::exec::command::WaitFor;
use crate::exec::command_run::{Clock, CommandRun, EndOnDrop};
use crate::exec::linger::linger;
use crate::exec::lockstep::Presence;
use crate::exec::output::Outlet;
use crate::exec::session_state::SessionState;
use crate::outcome::artifact::{Artifacts, collect};
use crate::tasks::Task;
use wisp_api::{ErrorCode, EventKind, Outcome, Usage};
use wisp_process::tty::Control;
use wisp_process::{ExitStatus, Process, Signal};

/// A command whose first process has started.
pub(crate) struct Launched {
    pub run: Arc<CommandRun>,
    pub first: Arc<Process>,
    pub began: Instant,
    pub stdout: Outlet,
    pub stderr: Outlet,
    /// Feeds standard input.
    pub feeder: Option<Task>,
    pub wait_for: WaitFor,
    /// Its terminal, if it has one.
    pub terminal: Option<Control>,
    pub alive: Alive,
}

/// What lasts as long as processes of the command run. Dropping it ends them.
pub(crate) struct Alive {
    pub clock: Clock,
    pub end: EndOnDrop,
    /// Under lockstep, processes take turns while this lives.
    pub present: Option<Presence>,
}

/// What happens to output that was kept when it is in the outcome.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kept {
    /// It can still be read through a handle.
    Stays,
    /// It is moved into the outcome.
    Taken,
}

impl Launched {
    /// Waits for the end of the command, and puts its outcome together.
    pub(crate) async fn finish(self, session: &SessionState, kept: Kept) -> Outcome {
        let Self { run, first, began, mut stdout, mut stderr, feeder, wait_for, terminal: _, alive } = self;
        let status = match wait_for {
            WaitFor::Output => watch(&run, &first, &mut stdout, &mut stderr).await,
            WaitFor::Direct => first.wait().await,
        };
        // What ended the command as a whole decides its result, even if its first process ended earlier.
        let ended = run.ended();
        let status = ended.unwrap_or(status);
        let take = |outlet: &Outlet| match kept {
            Kept::Stays => outlet.tape().kept(),
            Kept::Taken => outlet.tape().finish(),
        };
        if wait_for == WaitFor::Direct && ended.is_none() && !run.processes().is_empty() {
            // Its own output reaches a stream before the outcome is returned, unless a process left running keeps it full.
            let drained = async {
                stdout.drained().await;
                stderr.drained().await;
            };
            let ticker = session.shared.ticker.clone();
            linger(&ticker, drained).await;
            let outcome = session.outcome(&run, status, began, take(&stdout), take(&stderr)).await;
            let rest = async move {
                while let Some(process) = run.processes().first() {
                    process.wait().await;
                }
                let delivered = async {
                    taken(&mut stdout, &mut stderr, feeder.as_ref()).await;
                    run.tasks().settled().await;
                };
                linger(&ticker, delivered).await;
                drop((alive, stdout, stderr));
            };
            #[expect(clippy::disallowed_methods, reason = "it ends what the command left, when its last process has ended")]
            tokio::spawn(rest);
            return outcome;
        }
        let Alive { clock, end, present } = alive;
        drop(clock);
        run.end_all(ExitStatus::Signaled(Signal::Kill));
        // A process that was starting another one when both were ended leaves one more to wait for.
        while let Some(process) = run.processes().first() {
            process.wait().await;
        }
        // Every descriptor is closed now, so this waits only for the reader of streamed output: without a bound after a
        // command that ended by itself, and for a while after one that was ended.
        let (ticker, taken) = (&session.shared.ticker, taken(&mut stdout, &mut stderr, feeder.as_ref()));
        match ended {
            Some(_) => linger(ticker, taken.then(|()| run.tasks().settled())).await,
            None => {
                taken.await;
                linger(ticker, run.tasks().settled()).await;
            }
        }
        // What has not arrived by now never will. Nothing is left when the outcome is there.
        drop(end);
        run.tasks().settled().await;
        drop(present);
        session.outcome(&run, status, began, take(&stdout), take(&stderr)).await
    }
}

/// Waits for the first process, then for its output to close. If the command is ended as a whole, it waits for the
/// first process only. It also does not wait for background processes of an interactive shell that has ended, nor for
/// processes of a first process that hit a limit: a fork bomb would run until the time is over. An interrupt that ended the
/// first process ends the wait too: processes in the background ignore it, and the caller wants the command to end.
async fn watch(run: &CommandRun, first: &Process, stdout: &mut Outlet, stderr: &mut Outlet) -> ExitStatus {
    let ended = async {
        let status = first.wait().await;
        let stopped = status == ExitStatus::Signaled(Signal::Kill) && run.limit_hit().is_some_and(|hit| hit.ended);
        if !run.attended() && !stopped && !run.ended_by_interrupt(status) {
            stdout.closed().await;
            stderr.closed().await;
        }
        status
    };
    tokio::select! {
        biased;
        status = ended => status,
        () = run.wait_ended() => first.wait().await,
    }
}

/// Waits until a stream has taken the output, and ends what feeds the input.
async fn taken(stdout: &mut Outlet, stderr: &mut Outlet, feeder: Option<&Task>) {
    stdout.closed().await;
    stderr.closed().await;
    if let Some(feeder) = feeder {
        feeder.abort();
    }
}

impl SessionState {
    /// Collects the files of the output directory. Fails only if that panics, or the runtime is shut down.
    pub(crate) async fn artifacts(&self) -> Result<Artifacts, JoinError> {
        let output = self.shared.policy.output();
        let (fs, labels) = (self.fs.clone(), self.labels.clone());
        let (max_files, max_bytes) = (output.max_files, output.max_bytes);
        // Most commands leave nothing, which is quick to see.
        if fs.is_known_empty(labels.directory()) {
            return Ok(Artifacts::default());
        }
        // This may build hundreds of megabytes, or access the host, which must not delay other sessions.
        crate::meter::blocking(move || collect(&fs, &labels, max_files, max_bytes)).await
    }

    /// Puts an outcome together.
    pub(crate) async fn outcome(&self, run: &CommandRun, status: ExitStatus, began: Instant, stdout: Vec<u8>, stderr: Vec<u8>) -> Outcome {
        let collected = self.artifacts().await.unwrap_or_else(|error| {
            run.failed_at_end(ErrorCode::Internal, format!("the files of the output could not be collected: {error}"));
            Artifacts::default()
        });
        let taken = self.receipts.take();
        let (execution_time, limit) = (whole_microseconds(began.elapsed()), run.limit_hit());
        let cpu = whole_microseconds(run.cpu());
        let usage = Usage { cpu, peak_memory: self.memory.take_peak(), processes: run.started() };
        let end = run.end(status);
        self.receipts.tell(|| EventKind::End { end: end.clone(), execution_time, usage, limit: limit.clone() });
        Outcome {
            end,
            stdout,
            stderr,
            files: collected.files,
            files_left_out: collected.left_out,
            files_left_out_reasons: collected.reasons,
            execution_time,
            usage,
            limit,
            receipts: taken.receipts,
            receipts_left_out: taken.left_out,
            world: self.shared.world.clone(),
        }
    }
}

/// Rounds a time to whole microseconds, which JSON keeps as they are.
pub(crate) fn whole_microseconds(time: Duration) -> Duration {
    Duration::from_micros(u64::try_from(time.as_nanos().div_ceil(1_000)).unwrap_or(u64::MAX))
}
