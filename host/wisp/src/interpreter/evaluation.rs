//! Cells: what an interpreter that stays alive is given, and what comes of it.

use std::sync::{Arc, Mutex, PoisonError};

use crate::exec::command_run::Running;
use crate::exec::output::{Channel, Taken};
use crate::outcome::result::Outcome;
use crate::wasi::{IoFailure, OutputSink};

/// What a cell came to.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Evaluation {
    /// The value of its last expression, as the interpreter shows it, if it ends in one that has a value. A value that is
    /// longer than `limits.stdout` is none: that limit ends the interpreter then, as it does for output.
    pub value: Option<String>,
    /// Why it failed: the report of the uncaught exception, which was also written to standard error.
    pub error: Option<String>,
    /// The status it asked to exit with (`sys.exit(3)`); the interpreter lives on.
    pub exit: Option<u8>,
    /// What could not be brought back when the interpreter went on from a snapshot before this cell, a line each.
    pub lost: Vec<String>,
    /// Output, files, limits and what was used. Its status is 0 for a cell that ended by itself, 1 for one that failed,
    /// else what it asked to exit with, or how the interpreter was ended.
    pub outcome: Outcome,
}

impl Evaluation {
    /// Whether it ended by itself.
    pub fn success(&self) -> bool {
        self.outcome.success()
    }

    /// Its standard output as text.
    pub fn stdout_text(&self) -> std::borrow::Cow<'_, str> {
        self.outcome.stdout_text()
    }
}

/// An output of an interpreter, shared with the processes it starts: kept until the cell that wrote it has ended.
pub(crate) struct EvaluationOutput {
    channel: Channel,
    limit: u64,
    state: Mutex<State>,
}

struct State {
    taken: Taken,
    /// The cell that pays for it.
    running: Arc<Running>,
}

impl EvaluationOutput {
    pub(crate) fn new(channel: Channel, limit: u64, running: Arc<Running>) -> Arc<EvaluationOutput> {
        Arc::new(EvaluationOutput { channel, limit, state: Mutex::new(State { taken: Taken::default(), running }) })
    }

    /// Another cell begins.
    pub(crate) fn begin(&self, running: &Arc<Running>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.taken.count = state.taken.bytes.len() as u64;
        state.running = running.clone();
    }

    /// What was written since the last call.
    pub(crate) fn take(&self) -> Vec<u8> {
        std::mem::take(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner).taken.bytes)
    }
}

impl OutputSink for EvaluationOutput {
    fn write(&self, bytes: &[u8]) -> Result<(), IoFailure> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let part = state.taken.add(bytes, self.limit, true);
        let running = state.running.clone();
        drop(state);
        running.took(self.channel, &bytes[..part]);
        if part < bytes.len() {
            running.hit(self.channel.limit());
            return Err(IoFailure::Ended);
        }
        Ok(())
    }
}
