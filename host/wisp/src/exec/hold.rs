//! Time that a command does not have to pay for: the clock of `limits.wall` is stopped while one of its processes waits
//! for machine code.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;

use crate::exec::command_run::CommandRun;

/// How many processes of a command wait for machine code, and the time that was left when the first began to wait.
#[derive(Default)]
pub(crate) struct Held(Mutex<State>);

#[derive(Default)]
struct State {
    waiting: usize,
    left: Option<Duration>,
}

impl Held {
    /// Forgets the time that was left, because the command now waits for a person or has its full limits again.
    pub(crate) fn forget(&self) {
        self.0.lock().left = None;
    }
}

/// Stops the clock while it lives.
pub(crate) struct Hold(Arc<CommandRun>);

impl CommandRun {
    /// Stops the clock while a process waits for machine code, until the last such process continues.
    pub(crate) fn hold(self: &Arc<Self>) -> Hold {
        let mut state = self.held.0.lock();
        if state.waiting == 0 {
            state.left = self.stop_clock();
        }
        state.waiting += 1;
        drop(state);
        Hold(self.clone())
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        let mut state = self.0.held.0.lock();
        state.waiting -= 1;
        if state.waiting == 0
            && let Some(left) = state.left.take()
        {
            self.0.restart_clock(left);
        }
    }
}
