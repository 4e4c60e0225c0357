//! Interrupting and ending the command that runs in a session, from another task than the one that runs it.

use parking_lot::Mutex;
use wisp::{Running, RunningEvaluation, Signal};

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

#[derive(Clone, Copy)]
enum Asked {
    Interrupt,
    Signal(Signal),
    Kill,
}

impl Asked {
    /// Returns how much it asks for.
    fn weight(self) -> u8 {
        match self {
            Self::Interrupt => 0,
            Self::Signal(_) => 1,
            Self::Kill => 2,
        }
    }
}

impl Runs {
    fn obey(&self, asked: Asked) {
        match (self, asked) {
            (Self::Command(running), Asked::Interrupt) => running.interrupt(),
            (Self::Command(running), Asked::Signal(signal)) => running.signal_all(signal),
            (Self::Command(running), Asked::Kill) => running.kill(),
            (Self::Evaluation(running), Asked::Interrupt) => running.interrupt(),
            (Self::Evaluation(running), Asked::Signal(signal)) => running.signal(signal),
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

    /// Sends a signal to every process of the command.
    pub(super) fn signal(&self, signal: Signal) {
        self.ask(Asked::Signal(signal));
    }

    /// Ends the command by force.
    pub(super) fn kill(&self) {
        self.ask(Asked::Kill);
    }

    fn ask(&self, asked: Asked) {
        let mut state = self.0.lock();
        match &state.runs {
            Some(runs) => runs.obey(asked),
            None => {
                let more = state.asked.is_none_or(|before| before.weight() <= asked.weight());
                if more {
                    state.asked = Some(asked);
                }
            }
        }
    }
}
