//! What an interpreter gives back between two evaluations, and takes again: its place among the processes that may run, and,
//! with many alive, the memory of its stack.

use crate::interpreter::error::InterpreterError;
use crate::interpreter::handle::{Alive, Interpreter};
use wisp_process::{ExitStatus, Signal};

impl Interpreter {
    /// Takes it to run its code. Until `rest` puts it back, it counts as killed: a caller that stops waiting ends it.
    ///
    /// # Errors
    /// If it has ended, or there is no room for it to run; it stays alive then.
    pub(crate) fn wake(&mut self) -> Result<Box<Alive>, InterpreterError> {
        let mut alive = self.alive.take().ok_or(InterpreterError::Ended { status: self.ended })?;
        let room = &self.session.state.shared.room;
        let woken = match &alive.permit {
            Some(_) => Ok(()),
            None => room.clone().try_acquire_owned().map(|permit| alive.permit = Some(permit)).map_err(|_| InterpreterError::Full),
        };
        let woken = woken.and_then(|()| match &alive.stack {
            Some(stack) => stack.wake().map_err(|source| InterpreterError::Wake { source }),
            None => Ok(()),
        });
        if let Err(error) = woken {
            self.rest(alive);
            return Err(error);
        }
        self.ended = ExitStatus::Signaled(Signal::Kill);
        Ok(alive)
    }

    /// Puts it back after it has run, without what only a running interpreter needs.
    pub(crate) fn rest(&mut self, mut alive: Box<Alive>) {
        if self.session.engine.memory_fallback().is_none() {
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
        self.alive = Some(alive);
    }
}
