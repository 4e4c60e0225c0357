//! Interrupting and ending the command that runs in a session, from another task than the one that runs it.

use parking_lot::Mutex;
use wisp::{Running, RunningEvaluation};

/// What interrupts and ends the command that runs, from another task.
#[derive(Default)]
pub(super) struct Control(Mutex<State>);

#[derive(Default)]
struct State {
    runs: Option<Runs>,
    /// What was asked before it ran.
    asked: Option<Asked>,
}

/// What runs.
pub(super) enum Runs {
    Command(Running),
    Evaluation(RunningEvaluation),
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Asked {
    Interrupt,
    Kill,
}

impl Runs {
    fn obey(&self, asked: Asked) {
        match (self, asked) {
            (Self::Command(running), Asked::Interrupt) => running.interrupt(),
            (Self::Command(running), Asked::Kill) => running.kill(),
            (Self::Evaluation(running), Asked::Interrupt) => running.interrupt(),
            (Self::Evaluation(running), Asked::Kill) => running.kill(),
        }
    }
}

impl Control {
    /// Notes that the command runs now.
    pub(super) fn began(&self, runs: Runs) {
        let mut state = self.0.lock();
        if let Some(asked) = state.asked.take() {
            runs.obey(asked);
        }
        state.runs = Some(runs);
    }

    /// Notes that the command has ended.
    pub(super) fn ended(&self) {
        self.0.lock().runs = None;
    }

    /// Interrupts the command, as Ctrl-C does.
    pub(super) fn interrupt(&self) {
        self.ask(Asked::Interrupt);
    }

    /// Ends the command by force.
    pub(super) fn kill(&self) {
        self.ask(Asked::Kill);
    }

    fn ask(&self, asked: Asked) {
        let mut state = self.0.lock();
        match &state.runs {
            Some(runs) => runs.obey(asked),
            None => state.asked = state.asked.max(Some(asked)),
        }
    }
}
