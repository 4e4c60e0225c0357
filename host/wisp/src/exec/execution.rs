//! What is the same for all that runs as a process: it is metered, stopped, given turns, and ended.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use wasmtime::{Store, Trap, UpdateDeadline};

use crate::exec::command_run::{ProcessMeter, Running};
use crate::exec::lockstep::{Lockstep, TURN};
use crate::exec::turns::Turns;
use crate::outcome::limit::Limit;
use crate::program::linked::Program;
use crate::program::store::ProcessState;
use crate::runtime::{Faults, Metered, Metering};
use crate::wasi::{NoMemory, ProcessEnd};
use wisp_process::{ExitStatus, Process, Signal, Stoppable};

/// Epochs that never come.
const NO_EPOCH: u64 = 1 << 60;

/// A program running as a process of a command.
pub(crate) struct Execution {
    pub running: Arc<Running>,
    pub process: Arc<Process>,
    pub program: Arc<Program>,
    /// Where it runs in turns: it gives way after a number of instructions, not after a time.
    pub lockstep: Option<Arc<Lockstep>>,
}

/// How work that was driven ended.
pub(crate) enum Ended<T> {
    /// It came to its end.
    Returned(T),
    /// wasmtime ended it: a trap, or an error of one of our functions ([`Execution::explain`]).
    Failed(wasmtime::Error),
    /// It was ended from outside.
    Doomed(ExitStatus),
}

/// The fuel a process was granted and has not yet been charged for; nothing where fuel is not counted.
#[must_use]
struct Fuel {
    granted: Option<Arc<AtomicU64>>,
    lockstep: Option<Arc<Lockstep>>,
}

impl Fuel {
    /// Charge what was burned since the last epoch or turn, and let it take time.
    fn charge(&self, running: &Running, store: &Store<ProcessState>) {
        let Some(granted) = &self.granted else { return };
        let left = store.get_fuel().unwrap_or(0);
        let burned = granted.swap(left, Ordering::Relaxed).saturating_sub(left);
        running.burn(burned);
        if let Some(lockstep) = &self.lockstep {
            lockstep.burned(burned);
        }
    }

    /// What a process in lockstep is charged for a turn. At which turn the instructions of its command are used up depends
    /// on nothing but the programs.
    fn turn(&self, running: &Arc<Running>) -> Option<impl FnMut() + Send + Unpin + use<>> {
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
    /// Do `work` in `store` as this process: it is metered, stopped and given turns as any process is, until it comes to its end
    /// or the process is doomed.
    pub(crate) async fn drive<T>(
        &self,
        store: &mut Store<ProcessState>,
        faults: &Faults,
        work: impl AsyncFnOnce(&mut Store<ProcessState>) -> wasmtime::Result<T>,
    ) -> Ended<T> {
        let Execution { running, process, .. } = self;
        let fuel = self.meter(store);
        let work = Turns::new(Stoppable::new(work(&mut *store), process.clone()), fuel.turn(running));
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

    /// Interrupt the process at every epoch, or in lockstep after every turn, so that others run and limits are seen.
    fn meter(&self, store: &mut Store<ProcessState>) -> Fuel {
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
