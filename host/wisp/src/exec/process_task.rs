//! The task that runs a process.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use tokio::sync::OwnedSemaphorePermit;

use crate::exec::command_run::CommandRun;
use crate::exec::execution::{Ended, Execution};
use crate::exec::launched::whole_microseconds;
use crate::exec::process_meter::ProcessMeter;
use crate::exec::session_state::SessionState;
use crate::exec::spawner::{Next, Spawner};
use crate::exec::threads;
use crate::meter::metered;
use crate::program::memory::ProcessMemory;
use crate::program::tenancy::{Begun, Tenancy};
use crate::wasi::{ProcessCtx, ProcessReplaced};
use wisp_api::{ErrorCode, EventKind};
use wisp_process::{ExitStatus, Row};

/// The task that runs a process.
pub(crate) struct Task {
    pub session: Arc<SessionState>,
    pub execution: Execution,
}

/// A process that has not ended. Its task may be dropped: it panicked, or the runtime is being shut down.
struct Unfinished(Option<Arc<CommandRun>>);

impl Unfinished {
    fn finish(mut self) {
        self.0 = None;
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        let Some(running) = self.0.take() else { return };
        match std::thread::panicking() {
            true => running.failed(ErrorCode::Internal, "wisp panicked while it ran a process".to_owned()),
            false => running.failed(ErrorCode::Abandoned, "the async runtime that ran a process was shut down".to_owned()),
        }
    }
}

/// How a program of a process ended.
enum ProgramEnd {
    /// The process ended; its memory remains.
    Process(ExitStatus, Tenancy),
    /// The process becomes another program.
    Program(Box<Next>),
}

impl Task {
    /// Runs the process from start to end.
    pub(crate) async fn run(mut self, row: Row, mut ctx: ProcessCtx, mut spawner: Arc<Spawner>, permit: OwnedSemaphorePermit) {
        let ticking = self.session.shared.ticker.start();
        let unfinished = Unfinished(Some(self.execution.running.clone()));
        let (status, rest) = loop {
            // Its clock, its randomness and its timer continue from program to program.
            let kept = (ctx.clock.clone(), ctx.random.clone(), ctx.alarm.clone());
            match self.program(ctx, &spawner).await {
                ProgramEnd::Process(status, rest) => break (status, rest),
                ProgramEnd::Program(next) => {
                    next.begin(&self.execution.process);
                    let next = *next;
                    (ctx, spawner, self.execution.program) = (next.ctx, next.spawner, next.program);
                    (ctx.clock, ctx.random, ctx.alarm) = kept;
                }
            }
        };
        unfinished.finish();
        drop((permit, ticking));
        tracing::debug!(code = status.code(), "process ended");
        let process = &self.execution.process;
        let cpu = whole_microseconds(Duration::from_nanos(process.times().0));
        self.session.receipts.tell(|| EventKind::ProcessEnd { process: process.pid(), exit_code: status.code(), cpu });
        row.leave(status);
        if self.execution.lockstep.is_none() {
            // Lets the waiter for it run first.
            tokio::task::yield_now().await;
        }
        // Restoring its memory, and preparing the next instance, is charged to the command too.
        metered(&ProcessMeter::of(&self.execution.running, &self.execution.process), || drop(rest));
    }

    /// Runs one program of the process.
    async fn program(&self, ctx: ProcessCtx, spawner: &Spawner) -> ProgramEnd {
        let Execution { running, process, program, .. } = &self.execution;
        let stderr = ctx.descriptors.get(&2).cloned();
        let account = ctx.memory.clone();
        let memory = ProcessMemory::new(account.clone(), process.memory_gauge().clone());
        let begin = || program.begin(program.source(), ctx, memory);
        let Begun { mut store, made, faults } = metered(&ProcessMeter::of(running, process), begin);
        let work = self.execution.drive(&mut store, &faults, async |store| {
            let made = match made {
                Some(made) => made,
                None => program.instantiate(store, program.source(), faults.clone()).await?,
            };
            let command = program.command(store, &made.entry.instance)?;
            let done =
                threads::run(program, made.entry.instance, store, async |store| command.wasi_cli_run().call_run(store).await).await?;
            Ok(done.value)
        });
        let (status, message) = match work.await {
            Ended::Doomed(status) => (status, None),
            Ended::Returned(Ok(())) => (ExitStatus::Exited(0), None),
            Ended::Returned(Err(())) => (ExitStatus::Exited(1), None),
            Ended::Failed(error) => {
                if error.is::<ProcessReplaced>()
                    && let Some(next) = spawner.take_next()
                {
                    return ProgramEnd::Program(Box::new(next));
                }
                self.execution.explain(&error, account.refused())
            }
        };
        // A doomed process may first have completed, or failed with an error of its own.
        let status = process.doomed().unwrap_or(status);
        let line = message.map(|message| format!("wisp: {}: {message}\n", process.name()));
        let line = line.or_else(|| Some(format!("wisp: {}\n", running.starved()?)));
        if let (Some(line), Some(stderr)) = (line, &stderr) {
            let _ = stderr.try_write(&mut Bytes::from(line));
        }
        store.vacate();
        ProgramEnd::Process(status, store)
    }
}
