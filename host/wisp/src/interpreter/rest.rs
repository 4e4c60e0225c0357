//! What an interpreter gives back between two evaluations, and takes again: its place among the processes that may run, and,
//! with many alive, the memory of its stack.

use crate::interpreter::error::InterpreterError;
use crate::interpreter::handle::{Alive, Interpreter};
use crate::program::tenancy::{Entry, Made};
use wisp_process::{ExitStatus, Signal};

/// An interpreter between two evaluations, or `None` while it runs and once it has ended. Its last call returned, so dropping
/// it gives its instance back.
#[derive(Default)]
pub(crate) struct AtRest(Option<Box<Alive>>);

impl AtRest {
    pub(crate) fn get(&self) -> Option<&Alive> {
        self.0.as_deref()
    }

    pub(crate) fn get_mut(&mut self) -> Option<&mut Alive> {
        self.0.as_deref_mut()
    }

    /// Takes it out to run it. Dropping it from then on drops its store, and does not give its instance back.
    fn take(&mut self) -> Option<Box<Alive>> {
        self.0.take()
    }
}

impl Drop for AtRest {
    fn drop(&mut self) {
        if let Some(alive) = self.0.take() {
            alive.give_back();
        }
    }
}

impl Alive {
    /// Ends it between two evaluations. What belongs to the process is released before the process leaves its table.
    fn give_back(self: Box<Self>) {
        let Self { store, interpreter, instance, memory, stack, setting, faults, root, held, .. } = *self;
        // A handle that its first evaluation was to take is not in it yet.
        if setting.is_none_or(|setting| setting.handles.is_empty()) {
            let entry = Entry { instance, interpreter: Some(interpreter), root, held };
            store.give_back(Made { entry, live: memory, stack }, faults);
        }
    }
}

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
        self.alive = AtRest(Some(alive));
    }
}
