//! The front end of one evaluation: keeps what is shown, passes it on, and answers questions.

use std::sync::Arc;

use parking_lot::Mutex;

use crate::exec::command_run::CommandRun;
use crate::exec::output::Channel;
use crate::interpreter::code::{OnQuestion, OnShow, Show};
use crate::wasi::{Answer, Display, Frontend, Question};

/// What receives the displays of an evaluation.
pub(crate) struct EvaluationFrontend {
    running: Arc<CommandRun>,
    /// Bytes that may be shown: `limits.stdout`.
    limit: u64,
    shown: Mutex<Shown>,
    on_question: Option<OnQuestion>,
}

struct Shown {
    displays: Vec<Display>,
    bytes: u64,
    on_show: Option<OnShow>,
}

/// What a display costs beside its bytes.
const DISPLAY_COST: u64 = 64;

impl EvaluationFrontend {
    pub(crate) fn new(running: Arc<CommandRun>, limit: u64, on_show: Option<OnShow>, on_question: Option<OnQuestion>) -> Arc<Self> {
        let shown = Shown { displays: Vec::new(), bytes: 0, on_show };
        Arc::new(Self { running, limit, shown: Mutex::new(shown), on_question })
    }

    /// Takes what was shown, in order.
    pub(crate) fn take(&self) -> Vec<Display> {
        std::mem::take(&mut self.shown.lock().displays)
    }
}

impl Frontend for EvaluationFrontend {
    fn show(&self, display: Display) {
        let mut shown = self.shown.lock();
        shown.bytes = shown.bytes.saturating_add(display.size() + DISPLAY_COST);
        if shown.bytes > self.limit {
            drop(shown);
            self.running.hit(Channel::Stdout.limit());
            return;
        }
        if let Some(on_show) = &mut shown.on_show {
            on_show(Show::Display(&display));
        }
        shown.displays.push(display);
    }

    fn clear(&self, wait: bool) {
        if let Some(on_show) = &mut self.shown.lock().on_show {
            on_show(Show::Clear { wait });
        }
    }

    fn ask(&self, question: Question) -> Option<Answer> {
        self.on_question.as_ref().map(|answer| answer(question))
    }
}
