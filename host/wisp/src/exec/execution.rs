//! What all running processes have in common: metering, stopping, turns, and the end.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use wasmtime::{Store, Trap, UpdateDeadline, WasmBacktrace};

use crate::exec::command_run::CommandRun;
use crate::exec::flagged::Flagged;
use crate::exec::lockstep::{Lockstep, TURN};
use crate::exec::process_meter::ProcessMeter;
use crate::exec::turns::Turns;
use crate::program::linked::Program;
use crate::program::store::ProcessState;
use crate::runtime::{Faults, Metered, Metering, host_fault};
use crate::wasi::{NoMemory, ProcessEnd, WasiState};
use wisp_api::Limit;
use wisp_process::{ExitStatus, Process, Signal, Stoppable};
use wisp_world::is_denial;

/// An epoch that never comes.
const NO_EPOCH: u64 = 1 << 60;

/// A program that runs as a process of a command.
pub(crate) struct Execution {
    pub running: Arc<CommandRun>,
    pub process: Arc<Process>,
    pub program: Arc<Program>,
    /// Set under lockstep: the process yields after a number of instructions, not after a time.
    pub lockstep: Option<Arc<Lockstep>>,
}

/// How driven work ended.
pub(crate) enum Ended<T> {
    /// The work completed.
    Returned(T),
    /// wasmtime ended it: by a trap, or by an error of one of our functions ([`Execution::explain`]).
    Failed(wasmtime::Error),
    /// The process was ended from outside.
    Doomed(ExitStatus),
}

/// The fuel that a process was granted and has not been charged for; `None` where fuel is not counted.
#[must_use]
struct Fuel {
    granted: Option<Arc<AtomicU64>>,
    lockstep: Option<Arc<Lockstep>>,
}

impl Fuel {
    /// Charges the fuel burned since the last epoch or turn, and advances virtual time by it.
    fn charge(&self, running: &CommandRun, store: &Store<ProcessState>) {
        let Some(granted) = &self.granted else { return };
        let left = store.get_fuel().unwrap_or(0);
        let burned = granted.swap(left, Ordering::Relaxed).saturating_sub(left);
        running.burn(burned);
        if let Some(lockstep) = &self.lockstep {
            lockstep.burned(burned);
        }
    }

    /// Returns a function that charges a process in lockstep for one turn. The turn in which a command runs out of
    /// instructions depends only on the programs.
    fn turn(&self, running: &Arc<CommandRun>) -> Option<impl FnMut() + Send + Unpin + use<>> {
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
    /// Does `work` in `store` as this process: metered, stopped and given turns as any process is, until the work
    /// completes or the process is doomed.
    pub(crate) async fn drive<T>(
        &self,
        store: &mut Store<ProcessState>,
        faults: &Faults,
        work: impl AsyncFnOnce(&mut Store<ProcessState>) -> wasmtime::Result<T>,
    ) -> Ended<T> {
        let Self { running, process, .. } = self;
        let fuel = self.meter(store);
        let ctx = store.data_mut().wasi().ctx;
        let (flags, threads, alarm) = (ctx.signal_flags.clone(), ctx.threads.clone(), ctx.alarm.clone());
        let work = Flagged::new(work(&mut *store), process.clone(), flags, threads, alarm);
        let work = Turns::new(Stoppable::new(work, process.clone()), fuel.turn(running));
        let work = Metered::new(work, ProcessMeter::of(running, process), faults.clone());
        let ended = tokio::select! {
            biased;
            status = process.wait_doom() => Ended::Doomed(status),
            ended = work => match ended {
                Ok(value) => Ended::Returned(value),
                Err(error) => Ended::Failed(error),
            },
        };
        fuel.charge(running, store);
        ended
    }

    /// Interrupts the process at every epoch, or under lockstep after every turn, so that other processes run and
    /// limits are noticed.
    fn meter(&self, store: &mut Store<ProcessState>) -> Fuel {
        let lockstep = self.lockstep.clone();
        if self.program.runtime().metering() == Metering::Epochs {
            store.set_epoch_deadline(1);
            let process = self.process.clone();
            store.epoch_deadline_callback(move |_| {
                process.shown().yields();
                Ok(UpdateDeadline::Yield(1))
            });
            return Fuel { granted: None, lockstep };
        }
        let granted = Arc::new(AtomicU64::new(self.running.fuel()));
        // The engine is configured to count fuel, so setting it cannot fail.
        let _ = store.set_fuel(granted.load(Ordering::Relaxed));
        if lockstep.is_some() {
            // As above. Epochs depend on the host's clock, so nothing deterministic may depend on them.
            let _ = store.fuel_async_yield_interval(Some(TURN));
            store.set_epoch_deadline(NO_EPOCH);
            return Fuel { granted: Some(granted), lockstep };
        }
        store.set_epoch_deadline(1);
        let (running, process, shared) = (self.running.clone(), self.process.clone(), granted.clone());
        store.epoch_deadline_callback(move |mut store| {
            let left = store.get_fuel()?;
            running.burn(shared.load(Ordering::Relaxed).saturating_sub(left));
            let next = left.min(running.fuel());
            shared.store(next, Ordering::Relaxed);
            store.set_fuel(next)?;
            process.shown().yields();
            Ok(UpdateDeadline::Yield(1))
        });
        Fuel { granted: Some(granted), lockstep }
    }

    /// Returns how an error of wasmtime ended the process, and what to write about it to its standard error.
    pub(crate) fn explain(&self, error: &wasmtime::Error, refused_memory: bool) -> (ExitStatus, Option<String>) {
        if let Some(end) = error.downcast_ref::<ProcessEnd>() {
            return (end.0, None);
        }
        if let Some((code, message)) = host_fault(error) {
            self.running.failed(code, message);
            // What failed is for the caller. A guest may read this.
            return (ExitStatus::Signaled(Signal::Abort), Some("aborted: a failure of the host, not of the program".to_owned()));
        }
        if refused_memory || error.is::<NoMemory>() {
            self.running.hit(Limit::Memory);
            // The message below says it already.
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
            Some(Trap::UnreachableCodeReached) => {
                let trapped = error.downcast_ref::<WasmBacktrace>().and_then(|backtrace| backtrace.frames().first()?.func_name());
                let refused = trapped.filter(|function| is_denial(function)).map(|function| {
                    self.running.ended_by_refusal(&self.process);
                    format!("aborted: {function}")
                });
                (ExitStatus::Signaled(Signal::Abort), Some(refused.unwrap_or_else(|| "aborted".to_owned())))
            }
            Some(trap) => (ExitStatus::Signaled(Signal::Abort), Some(format!("aborted: {trap}"))),
            None => (ExitStatus::Signaled(Signal::Abort), Some(format!("aborted: {}", error.root_cause()))),
        }
    }
}
