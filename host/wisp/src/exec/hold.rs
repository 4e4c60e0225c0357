//! Time that a command does not have to pay for: the clock of `limits.wall` is stopped while one of its processes waits
//! for machine code.

use std::sync::Arc;

use crate::exec::command_run::CommandRun;

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
