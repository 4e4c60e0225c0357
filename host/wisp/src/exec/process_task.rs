//! The task that is a process, and what is the same for every process that runs.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bytes::Bytes;
use tokio::sync::OwnedSemaphorePermit;
use wasmtime::{Store, Trap, UpdateDeadline};

use crate::exec::command_run::{ProcessMeter, Running};
use crate::exec::lockstep::{Lockstep, TURN};
use crate::exec::session_state::SessionState;
use crate::exec::spawn::{Next, Spawner};
use crate::exec::turns::Turns;
use crate::meter::metered;
use crate::outcome::document::milliseconds;
use crate::outcome::event::Happening;
use crate::outcome::limit::Limit;
use crate::process::{ExitStatus, Process, Row, Signal, Stoppable};
use crate::program::linked::{Begun, Program, Tenancy};
use crate::program::memory::ProcessMemory;
use crate::program::store::ProcessState;
use crate::runtime::{Metered, Metering};
use crate::wasi::{NoMemory, ProcessCtx, ProcessEnd, ProcessReplaced};

/// Epochs that never come.
const NO_EPOCH: u64 = 1 << 60;

/// The task that is a process.
pub(crate) struct Task {
    pub session: Arc<SessionState>,
    pub execution: Execution,
}

/// How a program of a process ended.
enum Ended {
    /// What is left of it is its memory.
    Process(ExitStatus, Tenancy),
    /// The process goes on as another program.
    Program(Box<Next>),
}

impl Task {
    /// Be the process, from start to end.
    pub(crate) async fn run(mut self, row: Row, mut ctx: ProcessCtx, mut spawner: Arc<Spawner>, permit: OwnedSemaphorePermit) {
        let ticking = self.session.shared.ticker.start();
        let (status, rest) = loop {
            // Its clock and its chance go on from program to program.
            let senses = (ctx.clock.clone(), ctx.random.clone());
            match self.program(ctx, &spawner).await {
                Ended::Process(status, rest) => break (status, rest),
                Ended::Program(next) => {
                    next.begin(&self.execution.process);
                    let next = *next;
                    (ctx, spawner, self.execution.program) = (next.ctx, next.spawner, next.program);
                    (ctx.clock, ctx.random) = senses;
                }
            }
        };
        drop((permit, ticking));
        tracing::debug!(code = status.code(), "process ended");
        let process = &self.execution.process;
        let cpu_ms = milliseconds(Duration::from_nanos(process.times().0));
        self.session.receipts.tell(|| Happening::ProcessEnd { process: process.pid(), exit_code: status.code(), cpu_ms });
        row.leave(status);
        if self.execution.lockstep.is_none() {
            // Whoever waited for it goes first.
            tokio::task::yield_now().await;
        }
        // Restoring its memory, and making the next instance ready, is work for the command too.
        metered(&ProcessMeter::of(&self.execution.running, &self.execution.process), || drop(rest));
    }

    /// Run one program of the process.
    async fn program(&self, ctx: ProcessCtx, spawner: &Spawner) -> Ended {
        let Execution { running, process, program, .. } = &self.execution;
        let stderr = ctx.descriptors.get(&2).cloned();
        let account = ctx.memory.clone();
        let memory = ProcessMemory::new(account.clone(), process.memory_count().clone());
        let meter = ProcessMeter::of(running, process);
        let Begun { mut store, made, faults } = metered(&meter, || program.begin(program.image(), ctx, memory));
        let fuel = self.execution.meter(&mut store);

        let work = async {
            let store: &mut Store<ProcessState> = &mut store;
            let made = match made {
                Some(made) => made,
                None => program.instantiate(store, program.image(), faults.clone()).await?,
            };
            program.command(store, &made.instance)?.wasi_cli_run().call_run(store).await
        };
        let work = Turns::new(Stoppable::new(work, process.clone()), fuel.turn(running));
        let work = Metered::new(work, meter, faults.clone());
        let ended = tokio::select! {
            biased;
            status = process.wait_doom() => Err(status),
            ended = work => Ok(ended),
        };
        fuel.settle(running, &store);
        let (status, message) = match ended {
            Err(status) => (status, None),
            Ok(Ok(Ok(()))) => (ExitStatus::Exited(0), None),
            Ok(Ok(Err(()))) => (ExitStatus::Exited(1), None),
            Ok(Err(error)) => {
                if error.is::<ProcessReplaced>()
                    && let Some(next) = spawner.take_next()
                {
                    return Ended::Program(Box::new(next));
                }
                self.execution.explain(&error, account.refused())
            }
        };
        // A process that was doomed may have come to its end, or noticed by an error of its own, first.
        let status = process.doomed().unwrap_or(status);
        let line = message.map(|message| format!("wisp: {}: {message}\n", process.name()));
        let line = line.or_else(|| Some(format!("wisp: {}\n", running.starved()?)));
        if let (Some(line), Some(stderr)) = (line, &stderr) {
            let _ = stderr.try_write(&mut Bytes::from(line));
        }
        store.vacate();
        Ended::Process(status, store)
    }
}

/// A program running as a process of a command.
pub(crate) struct Execution {
    pub running: Arc<Running>,
    pub process: Arc<Process>,
    pub program: Arc<Program>,
    /// Where it runs in turns: it gives way after a number of instructions, not after a time.
    pub lockstep: Option<Arc<Lockstep>>,
}

/// The fuel a process was granted and has not yet been charged for; nothing where fuel is not counted.
#[must_use]
pub(crate) struct Fuel {
    granted: Option<Arc<AtomicU64>>,
    lockstep: Option<Arc<Lockstep>>,
}

impl Fuel {
    /// Charge what was burned since the last epoch or turn, and let it take time.
    pub(crate) fn settle(&self, running: &Running, store: &Store<ProcessState>) {
        let burned = self.charge(running, store);
        if let Some(lockstep) = &self.lockstep {
            lockstep.burned(burned);
        }
    }

    /// Charge what was burned since the last epoch or turn; answers how much that was.
    pub(crate) fn charge(&self, running: &Running, store: &Store<ProcessState>) -> u64 {
        let Some(granted) = &self.granted else { return 0 };
        let left = store.get_fuel().unwrap_or(0);
        let burned = granted.swap(left, Ordering::Relaxed).saturating_sub(left);
        running.burn(burned);
        burned
    }

    /// What a process in lockstep is charged for a turn. At which turn the instructions of its command are used up depends
    /// on nothing but the programs.
    pub(crate) fn turn(&self, running: &Arc<Running>) -> Option<impl FnMut() + Send + Unpin + use<>> {
        let (granted, lockstep) = (self.granted.clone()?, self.lockstep.clone()?);
        let running = running.clone();
        Some(move || {
            granted.fetch_sub(TURN, Ordering::Relaxed);
            lockstep.burned(TURN);
            if running.burn(TURN) {
                running.hit(Limit::Instructions);
            }
        })
    }
}

impl Execution {
    /// Interrupt the process at every epoch, or in lockstep after every turn, so that others run and limits are seen.
    pub(crate) fn meter(&self, store: &mut Store<ProcessState>) -> Fuel {
        let lockstep = self.lockstep.clone();
        if self.program.runtime().metering() == Metering::Epochs {
            store.set_epoch_deadline(1);
            store.epoch_deadline_async_yield_and_update(1);
            return Fuel { granted: None, lockstep };
        }
        let granted = Arc::new(AtomicU64::new(self.running.fuel()));
        // The engine counts fuel: it was configured to, so setting it does not fail.
        let _ = store.set_fuel(granted.load(Ordering::Relaxed));
        if lockstep.is_some() {
            // As above. Epochs come when the host likes: nothing may hang on them.
            let _ = store.fuel_async_yield_interval(Some(TURN));
            store.set_epoch_deadline(NO_EPOCH);
            return Fuel { granted: Some(granted), lockstep };
        }
        store.set_epoch_deadline(1);
        let (running, shared) = (self.running.clone(), granted.clone());
        store.epoch_deadline_callback(move |mut store| {
            let left = store.get_fuel()?;
            running.burn(shared.load(Ordering::Relaxed).saturating_sub(left));
            let next = left.min(running.fuel());
            shared.store(next, Ordering::Relaxed);
            store.set_fuel(next)?;
            Ok(UpdateDeadline::Yield(1))
        });
        Fuel { granted: Some(granted), lockstep }
    }

    /// How an error of wasmtime's ended the process, and what to say about it on its standard error.
    pub(crate) fn explain(&self, error: &wasmtime::Error, refused_memory: bool) -> (ExitStatus, Option<String>) {
        if let Some(end) = error.downcast_ref::<ProcessEnd>() {
            return (end.0, None);
        }
        if refused_memory || error.is::<NoMemory>() {
            self.running.hit(Limit::Memory);
            // Said here and now.
            let _ = self.running.starved();
            let limit = self.running.value(Limit::Memory);
            return (ExitStatus::Signaled(Signal::Kill), Some(format!("killed: out of memory (limits.memory = {limit})")));
        }
        tracing::debug!(error = format!("{error:?}"), "a process was ended by a trap");
        match error.downcast_ref::<Trap>() {
            Some(Trap::OutOfFuel) => {
                self.running.hit(Limit::Instructions);
                (ExitStatus::Signaled(Signal::Kill), Some("killed: out of instructions (limits.instructions)".to_owned()))
            }
            Some(Trap::StackOverflow) => (ExitStatus::Signaled(Signal::Segfault), Some("stack overflow: recursion too deep".to_owned())),
            Some(Trap::MemoryOutOfBounds) => {
                (ExitStatus::Signaled(Signal::Segfault), Some("segmentation fault: access outside its memory".to_owned()))
            }
            Some(Trap::UnreachableCodeReached) => (ExitStatus::Signaled(Signal::Abort), Some("aborted".to_owned())),
            Some(trap) => (ExitStatus::Signaled(Signal::Abort), Some(format!("aborted: {trap}"))),
            None => (ExitStatus::Signaled(Signal::Abort), Some(format!("aborted: {}", error.root_cause()))),
        }
    }
}
