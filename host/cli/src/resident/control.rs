//! Interrupting and ending the command that runs in a session, from another task than the one that runs it.

use parking_lot::Mutex;
use tokio::sync::Notify;
use wisp::{Running, RunningEvaluation, Signal};

use crate::stop;

/// What interrupts and ends the command that runs, from another task.
#[derive(Default)]
pub(super) struct Control {
    state: Mutex<State>,
    /// Is told what is asked before the command runs.
    early: Notify,
}

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

    /// Returns the exit code of a command that has not begun because of it.
    fn code(self) -> u8 {
        match self {
            Self::Interrupt => stop::INTERRUPTED,
            Self::Signal(signal) => stop::code(signal),
            Self::Kill => stop::code(Signal::Kill),
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
        let mut state = self.state.lock();
        if let Some(asked) = state.asked.take() {
            runs.obey(asked);
        }
        state.runs = Some(runs);
    }

    /// Notes that the command has ended.
    pub(super) fn ended(&self) {
        self.state.lock().runs = None;
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
        let mut state = self.state.lock();
        match &state.runs {
            Some(runs) => runs.obey(asked),
            None => {
                let more = state.asked.is_none_or(|before| before.weight() <= asked.weight());
                if more {
                    state.asked = Some(asked);
                }
                self.early.notify_one();
            }
        }
    }

    /// Waits until something is asked of a command that does not run yet. Returns the exit code that comes of it.
    pub(super) async fn given_up(&self) -> u8 {
        loop {
            let asked = self.state.lock().asked;
            match asked {
                Some(asked) => return asked.code(),
                None => self.early.notified().await,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_that_has_not_begun_is_given_up() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let now = |control: &Control| {
            runtime.block_on(async {
                tokio::select! {
                    biased;
                    code = control.given_up() => Some(code),
                    () = std::future::ready(()) => None,
                }
            })
        };
        let control = Control::default();
        assert_eq!(now(&control), None);
        control.interrupt();
        assert_eq!(now(&control), Some(130));
        control.signal(Signal::Terminate);
        // It asks for more than a key.
        control.interrupt();
        assert_eq!(now(&control), Some(143));
        control.kill();
        assert_eq!(now(&control), Some(137));
    }
}
