//! Time that is not a command's fault: while machine code is made that one of its processes waits for, the clock of
//! `limits.wall` stands still.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::exec::command_run::Running;

/// How many processes of a command wait for machine code, and what was left of its time when the first began to.
#[derive(Default)]
pub(crate) struct Held(Mutex<State>);

#[derive(Default)]
struct State {
    waiting: usize,
    left: Option<Duration>,
}

impl Held {
    /// The command waits for a person now, or has all of its limits again: what was left of them counts for nothing.
    pub(crate) fn forget(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).left = None;
    }
}

/// While it lives, the clock stands still.
pub(crate) struct Hold(Arc<Running>);

impl Running {
    /// A process waits for machine code: the clock stands still until the last that does goes on.
    pub(crate) fn hold(self: &Arc<Self>) -> Hold {
        let mut state = self.held.0.lock().unwrap_or_else(PoisonError::into_inner);
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
        let mut state = self.0.held.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.waiting -= 1;
        if state.waiting == 0
            && let Some(left) = state.left.take()
        {
            self.0.restart_clock(left);
        }
    }
}
