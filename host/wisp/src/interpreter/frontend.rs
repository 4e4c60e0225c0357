//! The front end of one evaluation: keeps what is shown, passes it on, and answers questions.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;

use crate::exec::command_run::CommandRun;
use crate::exec::output::Channel;
use crate::interpreter::alive::Alive;
use crate::interpreter::code::{DisplayEvent, OnDisplay, OnInputRequest};
use crate::interpreter::shown::Shown;
use crate::wasi::{Answer, Frontend, WasiState, size_of_display};
use wisp_api::{Display, InputRequest};

/// What receives the displays of an evaluation.
pub(crate) struct EvaluationFrontend {
    running: Arc<CommandRun>,
    /// Bytes that may be shown: `limits.stdout`.
    limit: u64,
    /// Bytes that were shown.
    bytes: AtomicU64,
    shown: Arc<Shown>,
    /// Called without a lock that a handle of the evaluation takes.
    on_display: Option<Mutex<OnDisplay>>,
    on_input_request: Option<OnInputRequest>,
}

/// What a display costs beside its bytes.
const DISPLAY_COST: u64 = 64;

impl EvaluationFrontend {
    pub(crate) fn new(
        running: Arc<CommandRun>,
        limit: u64,
        shown: Arc<Shown>,
        on_display: Option<OnDisplay>,
        on_input_request: Option<OnInputRequest>,
    ) -> Arc<Self> {
        Arc::new(Self { running, limit, bytes: AtomicU64::new(0), shown, on_display: on_display.map(Mutex::new), on_input_request })
    }

    fn tell(&self, event: DisplayEvent<'_>) {
        if let Some(on_display) = &self.on_display {
            (on_display.lock())(event);
        }
    }
}

impl Frontend for EvaluationFrontend {
    fn show(&self, display: Display) {
        let cost = size_of_display(&display) + DISPLAY_COST;
        let before = self.bytes.fetch_add(cost, Ordering::Relaxed);
        if before.saturating_add(cost) > self.limit {
            self.running.hit(Channel::Stdout.limit());
            return;
        }
        self.tell(DisplayEvent::Display(&display));
        self.shown.add(display);
    }

    fn clear(&self, wait: bool) {
        self.tell(DisplayEvent::Clear { wait });
    }

    fn ask(&self, question: InputRequest) -> Option<Answer> {
        self.on_input_request.as_ref().map(|answer| answer(question))
    }
}

/// An interpreter that has a front end. Dropping this takes it away.
pub(crate) struct Attended<'a>(&'a mut Alive);

impl Alive {
    /// Makes `frontend` receive what the code shows and asks.
    pub(crate) fn attended_by(&mut self, frontend: Arc<EvaluationFrontend>) -> Attended<'_> {
        self.store.data_mut().wasi().ctx.frontend = Some(frontend);
        Attended(self)
    }
}

impl Deref for Attended<'_> {
    type Target = Alive;

    fn deref(&self) -> &Alive {
        self.0
    }
}

impl DerefMut for Attended<'_> {
    fn deref_mut(&mut self) -> &mut Alive {
        self.0
    }
}

impl Drop for Attended<'_> {
    fn drop(&mut self) {
        self.0.store.data_mut().wasi().ctx.frontend = None;
    }
}
