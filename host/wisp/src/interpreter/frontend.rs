//! The front end of one evaluation: keeps what is shown, passes it on, and answers questions.

use std::sync::Arc;

use parking_lot::Mutex;

use crate::exec::command_run::CommandRun;
use crate::exec::output::Channel;
use crate::interpreter::code::{DisplayEvent, OnDisplay, OnInputRequest};
use crate::wasi::{Answer, Frontend, size_of_display};
use wisp_api::{Display, InputRequest};

/// What receives the displays of an evaluation.
pub(crate) struct EvaluationFrontend {
    running: Arc<CommandRun>,
    /// Bytes that may be shown: `limits.stdout`.
    limit: u64,
    shown: Mutex<Shown>,
    on_input_request: Option<OnInputRequest>,
}

struct Shown {
    displays: Vec<Display>,
    bytes: u64,
    on_display: Option<OnDisplay>,
}

/// What a display costs beside its bytes.
const DISPLAY_COST: u64 = 64;

impl EvaluationFrontend {
    pub(crate) fn new(
        running: Arc<CommandRun>,
        limit: u64,
        on_display: Option<OnDisplay>,
        on_input_request: Option<OnInputRequest>,
    ) -> Arc<Self> {
        let shown = Shown { displays: Vec::new(), bytes: 0, on_display };
        Arc::new(Self { running, limit, shown: Mutex::new(shown), on_input_request })
    }

    /// Takes what was shown, in order.
    pub(crate) fn take(&self) -> Vec<Display> {
        std::mem::take(&mut self.shown.lock().displays)
    }
}

impl Frontend for EvaluationFrontend {
    fn show(&self, display: Display) {
        let mut shown = self.shown.lock();
        shown.bytes = shown.bytes.saturating_add(size_of_display(&display) + DISPLAY_COST);
        if shown.bytes > self.limit {
            drop(shown);
            self.running.hit(Channel::Stdout.limit());
            return;
        }
        if let Some(on_display) = &mut shown.on_display {
            on_display(DisplayEvent::Display(&display));
        }
        shown.displays.push(display);
    }

    fn clear(&self, wait: bool) {
        if let Some(on_display) = &mut self.shown.lock().on_display {
            on_display(DisplayEvent::Clear { wait });
        }
    }

    fn ask(&self, question: InputRequest) -> Option<Answer> {
        self.on_input_request.as_ref().map(|answer| answer(question))
    }
}
