//! The processes of a command that wait for machine code.

use std::time::Duration;

use parking_lot::Mutex;

/// How many processes of a command wait for machine code, and the time that was left when the first began to wait.
#[derive(Default)]
pub(crate) struct Held(pub(super) Mutex<State>);

#[derive(Default)]
pub(super) struct State {
    pub(super) waiting: usize,
    pub(super) left: Option<Duration>,
}

impl Held {
    /// Forgets the time that was left, because the command now waits for a person or has its full limits again.
    pub(crate) fn forget(&self) {
        self.0.lock().left = None;
    }
}
