//! What one evaluation by a live interpreter returns.

use std::sync::Arc;

use parking_lot::Mutex;

use crate::exec::command_run::CommandRun;
use crate::exec::output::Channel;
use crate::outcome::result::Outcome;
use crate::wasi::{IoFailure, OutputSink};

/// The result of one evaluation.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Evaluation {
    /// The value of the last expression, as the interpreter shows it; `None` if the source does not end in an
    /// expression with a value. A value longer than `limits.stdout` ends the interpreter by that limit, as output does.
    pub value: Option<String>,
    /// The report of the uncaught exception that ended it, which was also written to standard error.
    pub error: Option<String>,
    /// The status that the source asked to exit with (`sys.exit(3)`); the interpreter stays alive.
    pub exit: Option<u8>,
    /// What could not be restored when the interpreter resumed from a snapshot before this evaluation, a line each.
    pub lost: Vec<String>,
    /// Output, files, limits and usage. The status is 0 for an evaluation that ended normally, 1 for one that failed,
    /// and otherwise the status that the source asked to exit with, or how the interpreter was ended.
    pub outcome: Outcome,
}

impl Evaluation {
    /// Whether it ended normally, without an exception.
    pub fn success(&self) -> bool {
        self.outcome.success()
    }

    /// Its standard output as text.
    pub fn stdout_text(&self) -> std::borrow::Cow<'_, str> {
        self.outcome.stdout_text()
    }
}

/// An output stream of an interpreter, shared with the processes that it starts. Keeps what is written until the
/// evaluation ends.
pub(crate) struct EvaluationOutput {
    channel: Channel,
    limit: u64,
    state: Mutex<State>,
}

/// Output that was taken, and how much of it counts against a limit.
#[derive(Default)]
struct Taken {
    bytes: Vec<u8>,
    count: u64,
}

impl Taken {
    /// Takes what fits into `limit`. Returns the number of bytes taken.
    fn add(&mut self, bytes: &[u8], limit: u64) -> usize {
        let room = usize::try_from(limit.saturating_sub(self.count)).unwrap_or(usize::MAX);
        let part = &bytes[..bytes.len().min(room)];
        self.count += part.len() as u64;
        self.bytes.extend_from_slice(part);
        part.len()
    }
}

struct State {
    taken: Taken,
    /// The evaluation that is charged for it.
    running: Arc<CommandRun>,
}

impl EvaluationOutput {
    pub(crate) fn new(channel: Channel, limit: u64, running: Arc<CommandRun>) -> Arc<Self> {
        Arc::new(Self { channel, limit, state: Mutex::new(State { taken: Taken::default(), running }) })
    }

    /// Begins another evaluation.
    pub(crate) fn begin(&self, running: &Arc<CommandRun>) {
        let mut state = self.state.lock();
        state.taken.count = state.taken.bytes.len() as u64;
        state.running = running.clone();
    }

    /// Takes what was written since the last call.
    pub(crate) fn take(&self) -> Vec<u8> {
        std::mem::take(&mut self.state.lock().taken.bytes)
    }
}

impl OutputSink for EvaluationOutput {
    fn write(&self, bytes: &[u8]) -> Result<(), IoFailure> {
        let mut state = self.state.lock();
        let part = state.taken.add(bytes, self.limit);
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
