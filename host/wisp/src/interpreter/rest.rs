//! Where an interpreter is: at rest between two evaluations, with the evaluation that runs, or nowhere, because it has ended. And
//! what it gives back at rest, and takes again: its place among the processes that may run, and, with many alive, the memory of its
//! stack.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};

use parking_lot::{MappedMutexGuard, Mutex, MutexGuard};
use tokio::runtime::Handle;
use tokio::sync::Semaphore;

use crate::exec::command_run::CommandRun;
use crate::exec::commands::{Commands, KILLED, Resting};
use crate::exec::launched::Kept;
use crate::interpreter::alive::Alive;
use crate::interpreter::error::InterpreterError;
use crate::interpreter::evaluating::Evaluating;
use crate::runtime::Ticker;
use crate::session::handle::Session;
use wisp_process::ExitStatus;

/// The seat of an interpreter, which it leaves to run. The handles of its evaluations share it.
pub(crate) struct Seat {
    state: Mutex<State>,
    /// The number of the last evaluation.
    number: AtomicU64,
    /// Those of its session, which end it when the session is closed.
    commands: Arc<Commands>,
    /// The engine's places for processes that run.
    room: Arc<Semaphore>,
    /// Whether it needs its place also at rest, because its memory is one of a fixed number.
    keeps_place: bool,
    ticker: Ticker,
    /// The runtime in which it started, if it did in one.
    runtime: Option<Handle>,
}

struct State {
    now: Now,
    /// The last evaluation that was given handles.
    last: Option<Arc<Evaluating>>,
}

enum Now {
    Rests(Box<Alive>),
    Evaluates(Arc<Evaluating>),
    Ended(ExitStatus),
}

impl Seat {
    /// Makes the seat of an interpreter of `session`. Nobody is there yet.
    pub(crate) fn new(session: &Session) -> Arc<Self> {
        let (shared, commands) = (&session.state.shared, &session.state.commands);
        let seat = Arc::new(Self {
            state: Mutex::new(State { now: Now::Ended(ExitStatus::Exited(0)), last: None }),
            number: AtomicU64::new(0),
            commands: commands.clone(),
            room: shared.room.clone(),
            keeps_place: session.engine.memory_fallback().is_some(),
            ticker: shared.ticker.clone(),
            runtime: Handle::try_current().ok(),
        });
        let resting: Weak<Self> = Arc::downgrade(&seat);
        commands.add_resting(resting);
        seat
    }

    /// Returns the interpreter, if it is at rest.
    pub(crate) fn at_rest(&self) -> Option<MappedMutexGuard<'_, Alive>> {
        MutexGuard::try_map(self.state.lock(), |state| match &mut state.now {
            Now::Rests(alive) => Some(&mut **alive),
            Now::Evaluates(_) | Now::Ended(_) => None,
        })
        .ok()
    }

    /// Returns how it ended, if it has.
    pub(crate) fn ended(&self) -> Option<ExitStatus> {
        match self.state.lock().now {
            Now::Ended(status) => Some(status),
            Now::Rests(_) | Now::Evaluates(_) => None,
        }
    }

    /// Returns the evaluation that runs.
    pub(crate) fn evaluating(&self) -> Option<Arc<Evaluating>> {
        match &self.state.lock().now {
            Now::Evaluates(evaluating) => Some(evaluating.clone()),
            Now::Rests(_) | Now::Ended(_) => None,
        }
    }

    /// Returns the last evaluation that was given handles, until another begins.
    pub(crate) fn last(&self) -> Option<Arc<Evaluating>> {
        self.state.lock().last.clone()
    }

    /// Remembers an evaluation that is given handles.
    pub(crate) fn remember(&self, evaluating: &Arc<Evaluating>) {
        self.state.lock().last = Some(evaluating.clone());
    }

    pub(crate) fn ticker(&self) -> &Ticker {
        &self.ticker
    }

    /// Returns the runtime for an evaluation that is to run as a task: the caller's, or the one in which the interpreter started.
    pub(crate) fn runtime(&self) -> Option<Handle> {
        Handle::try_current().ok().or_else(|| self.runtime.clone())
    }

    /// Parses a number for another evaluation, from 1.
    pub(crate) fn number(&self) -> u64 {
        self.number.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Takes it as it is. Until it is put back, it counts as killed: a caller that stops waiting ends it.
    ///
    /// # Errors
    /// If it evaluates, or has ended.
    pub(crate) fn take(&self) -> Result<Box<Alive>, InterpreterError> {
        let mut state = self.state.lock();
        let now = std::mem::replace(&mut state.now, Now::Ended(KILLED));
        let error = match now {
            Now::Rests(alive) => return Ok(alive),
            Now::Evaluates(ref evaluating) => InterpreterError::Busy { evaluation: evaluating.id },
            Now::Ended(status) => InterpreterError::Ended { status },
        };
        state.now = now;
        Err(error)
    }

    /// Takes it to run its code.
    ///
    /// # Errors
    /// Those of `take`, and if there is no room for it to run; it stays alive then.
    pub(crate) fn wake(&self) -> Result<Box<Alive>, InterpreterError> {
        let mut alive = self.take()?;
        let woken = match &alive.permit {
            Some(_) => Ok(()),
            None => self.room.clone().try_acquire_owned().map(|permit| alive.permit = Some(permit)).map_err(|_| InterpreterError::Full),
        };
        let woken = woken.and_then(|()| match &alive.stack {
            Some(stack) => stack.wake().map_err(|source| InterpreterError::Wake { source }),
            None => Ok(()),
        });
        match woken {
            Ok(()) => Ok(alive),
            Err(error) => {
                self.rest(alive);
                Err(error)
            }
        }
    }

    /// Puts it back after it has run.
    pub(crate) fn rest(&self, alive: Box<Alive>) {
        self.put(self.relaxed(alive));
    }

    /// Puts back what `take` took.
    pub(crate) fn put(&self, alive: Box<Alive>) {
        self.state.lock().now = Now::Rests(alive);
        self.end_if_doomed();
    }

    /// Ends what has just been put to rest if it was to end: who ended it, or closed its session, has not found it there.
    fn end_if_doomed(&self) {
        let doomed = self.at_rest().is_some_and(|alive| alive.row.process().doomed().is_some());
        if doomed || self.commands.is_closed() {
            Resting::end(self);
        }
    }

    /// Gives back what only a running interpreter needs.
    fn relaxed(&self, mut alive: Box<Alive>) -> Box<Alive> {
        if !self.keeps_place {
            alive.permit = None;
            if let (Some(memory), Some(stack)) = (&alive.memory, &alive.stack)
                && memory.space().is_crowded()
            {
                // SAFETY: `alive` and the store in it belong to this function, so none of its code runs, and `wake` comes
                // before all that will.
                if let Err(error) = unsafe { stack.rest() } {
                    tracing::warn!(%error, "the stack of an interpreter keeps its memory");
                }
            }
        }
        alive
    }

    /// Begins an evaluation, with the interpreter that `wake` took. It can be interrupted from now on.
    pub(crate) fn begin(self: &Arc<Self>, evaluating: &Arc<Evaluating>) -> Away {
        let before = {
            let mut state = self.state.lock();
            state.now = Now::Evaluates(evaluating.clone());
            state.last.take()
        };
        drop(before);
        Away { seat: self.clone(), evaluating: evaluating.clone() }
    }

    /// Does something to the evaluation that runs, if it is the one with this number or any will do. It does not end in the meantime, so
    /// what is meant for one does not reach the next.
    pub(crate) fn reach(&self, id: Option<u64>, reached: impl FnOnce(&CommandRun)) {
        let state = self.state.lock();
        if let Now::Evaluates(evaluating) = &state.now
            && id.is_none_or(|id| id == evaluating.id)
            && let Some(run) = evaluating.run.upgrade()
        {
            reached(&run);
        }
    }

    /// Ends the interpreter. At rest it is gone when this returns, and its place is free. Otherwise returns the evaluation with whose
    /// end it goes.
    pub(crate) fn give_up(&self) -> Option<Arc<Evaluating>> {
        let (now, last) = {
            let mut state = self.state.lock();
            let now = match state.now {
                Now::Ended(status) => Now::Ended(status),
                Now::Rests(_) | Now::Evaluates(_) => std::mem::replace(&mut state.now, Now::Ended(KILLED)),
            };
            (now, state.last.take())
        };
        drop(last);
        match now {
            Now::Rests(alive) => alive.give_back(),
            Now::Evaluates(evaluating) => {
                if let Some(run) = evaluating.run.upgrade() {
                    run.end_all(KILLED);
                }
                return Some(evaluating);
            }
            Now::Ended(_) => {}
        }
        None
    }

    /// Sets the state in which an evaluation leaves the interpreter. Returns it if nobody waits for it any more: it was dropped, or
    /// replaced.
    fn settle(&self, evaluating: &Arc<Evaluating>, now: Now) -> Option<Now> {
        let mut state = self.state.lock();
        let mine = matches!(&state.now, Now::Evaluates(current) if Arc::ptr_eq(current, evaluating));
        if !mine {
            return Some(now);
        }
        state.now = now;
        None
    }
}

impl Resting for Seat {
    fn end(&self) {
        let now = {
            let mut state = self.state.lock();
            match state.now {
                Now::Rests(_) => std::mem::replace(&mut state.now, Now::Ended(KILLED)),
                Now::Evaluates(_) | Now::Ended(_) => return,
            }
        };
        if let Now::Rests(alive) = now {
            alive.give_back();
        }
    }
}

/// An interpreter that is away from its seat, for an evaluation. Dropping this alone means that it was ended on the way.
pub(crate) struct Away {
    seat: Arc<Seat>,
    evaluating: Arc<Evaluating>,
}

impl Away {
    /// Returns what happens to what the evaluation wrote and showed.
    pub(crate) fn kept(&self) -> Kept {
        self.evaluating.kept()
    }

    /// Puts it back after its evaluation, or ends it if nobody waits for it any more.
    pub(crate) fn rest(self, alive: Box<Alive>) {
        let alive = self.seat.relaxed(alive);
        if let Some(Now::Rests(alive)) = self.seat.settle(&self.evaluating, Now::Rests(alive)) {
            alive.give_back();
        }
        self.seat.end_if_doomed();
    }

    /// Notes that it has ended.
    pub(crate) fn end(self, status: ExitStatus) {
        self.seat.settle(&self.evaluating, Now::Ended(status));
    }
}

impl Drop for Away {
    fn drop(&mut self) {
        self.seat.settle(&self.evaluating, Now::Ended(KILLED));
        self.evaluating.close();
    }
}
