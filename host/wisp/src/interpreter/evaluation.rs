//! The output of an interpreter, evaluation by evaluation.

use std::sync::Arc;

use parking_lot::Mutex;

use crate::exec::command_run::CommandRun;
use crate::exec::output::Channel;
use crate::exec::tape::Tape;
use crate::interpreter::code::OnOutput;
use crate::wasi::{IoFailure, OutputSink};

/// An output stream of an interpreter, shared with the processes that it starts. Keeps what is written until the
/// evaluation ends.
pub(crate) struct EvaluationOutput {
    channel: Channel,
    limit: u64,
    state: Mutex<State>,
}

struct State {
    /// What was written since the last evaluation ended.
    tape: Arc<Tape>,
    /// The evaluation that is charged for it.
    running: Arc<CommandRun>,
    on_output: Option<Arc<Mutex<OnOutput>>>,
}

impl EvaluationOutput {
    pub(crate) fn new(channel: Channel, limit: u64, running: Arc<CommandRun>) -> Arc<Self> {
        Arc::new(Self { channel, limit, state: Mutex::new(State { tape: Tape::new(usize::MAX), running, on_output: None }) })
    }

    /// Begins another evaluation. What was written since the last one counts as its output.
    pub(crate) fn begin(&self, running: &Arc<CommandRun>, on_output: Option<Arc<Mutex<OnOutput>>>) {
        let mut state = self.state.lock();
        state.running = running.clone();
        if let Some(on_output) = &on_output {
            let between = state.tape.kept();
            if !between.is_empty() {
                (on_output.lock())(self.channel.stream(), &between);
            }
        }
        state.on_output = on_output;
    }

    /// Takes what was written since the last call, and ends the evaluation.
    pub(crate) fn take(&self) -> Vec<u8> {
        let mut state = self.state.lock();
        state.on_output = None;
        std::mem::replace(&mut state.tape, Tape::new(usize::MAX)).finish()
    }
}

impl OutputSink for EvaluationOutput {
    fn write(&self, bytes: &[u8]) -> Result<(), IoFailure> {
        let state = self.state.lock();
        let part = &bytes[..state.tape.add(bytes, self.limit)];
        let (running, on_output) = (state.running.clone(), state.on_output.clone());
        drop(state);
        running.took(self.channel, part);
        if let Some(on_output) = on_output.filter(|_| !part.is_empty()) {
            (on_output.lock())(self.channel.stream(), part);
        }
        if part.len() < bytes.len() {
            running.hit(self.channel.limit());
            return Err(IoFailure::Ended);
        }
        Ok(())
    }
}
