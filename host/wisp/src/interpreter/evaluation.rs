//! The output of an interpreter, evaluation by evaluation.

use std::sync::Arc;

use parking_lot::Mutex;

use crate::exec::command_run::CommandRun;
use crate::exec::launched::Kept;
use crate::exec::output::Channel;
use crate::exec::tape::Tape;
use crate::interpreter::code::OnOutput;
use crate::wasi::{IoFailure, OutputSink};

/// An output stream of an interpreter, shared with the processes that it starts. Keeps what is written until the
/// evaluation ends, and then leaves it to the evaluation's handles.
pub(crate) struct EvaluationOutput {
    channel: Channel,
    limit: u64,
    state: Mutex<State>,
}

struct State {
    /// What was written since the last evaluation ended. Its handles have it too.
    tape: Arc<Tape>,
    /// The evaluation that is charged for it.
    running: Arc<CommandRun>,
    on_output: Option<Arc<Mutex<OnOutput>>>,
}

impl EvaluationOutput {
    pub(crate) fn new(channel: Channel, limit: u64, running: Arc<CommandRun>) -> Arc<Self> {
        Arc::new(Self { channel, limit, state: Mutex::new(State { tape: Tape::new(usize::MAX), running, on_output: None }) })
    }

    /// Begins another evaluation. What was written since the last one counts as its output. Returns the tape that has it all.
    pub(crate) fn begin(&self, running: &Arc<CommandRun>, on_output: Option<Arc<Mutex<OnOutput>>>) -> Arc<Tape> {
        let mut state = self.state.lock();
        state.running = running.clone();
        if let Some(on_output) = &on_output {
            let between = state.tape.kept();
            if !between.is_empty() {
                (on_output.lock())(self.channel.stream(), &between);
            }
        }
        state.on_output = on_output;
        state.tape.clone()
    }

    /// Adds what the host says about the evaluation, whatever the limit.
    pub(crate) fn note(&self, text: &str) {
        self.state.lock().tape.add(text.as_bytes(), u64::MAX);
    }

    /// Ends the evaluation. Returns its output.
    pub(crate) fn end(&self, kept: Kept) -> Vec<u8> {
        let mut state = self.state.lock();
        state.on_output = None;
        // What is written from now on is for the next.
        let tape = std::mem::replace(&mut state.tape, Tape::new(usize::MAX));
        drop(state);
        let output = match kept {
            Kept::Stays => tape.kept(),
            Kept::Taken => tape.finish(),
        };
        tape.close();
        output
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
