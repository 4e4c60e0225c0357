//! What one evaluation by a live interpreter returns.

use std::fmt;
use std::sync::Arc;

use parking_lot::Mutex;

use crate::exec::command_run::CommandRun;
use crate::exec::output::Channel;
use crate::exec::tape::Tape;
use crate::interpreter::code::OnOutput;
use crate::outcome::result::Outcome;
use crate::wasi::{Display, Form, IoFailure, OutputSink};

/// The result of one evaluation.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Evaluation {
    /// Its number among the evaluations of the interpreter, from 1: the traceback of number 3 names `<cell 3>`. A fork
    /// counts on. `None` if the interpreter was ended.
    pub number: Option<u64>,
    /// The value of the last expression, as the interpreter shows it; `None` if the source does not end in an
    /// expression with a value. A value longer than `limits.stdout` ends the interpreter by that limit, as output does.
    pub value: Option<String>,
    /// Other forms of that value: an object with `_repr_html_` has `text/html`. Bytes count as those of `value` do.
    pub forms: Vec<Form>,
    /// What the code showed with `display(…)`, in order.
    pub displays: Vec<Display>,
    /// The uncaught exception that ended it. Its report was also written to standard error.
    pub error: Option<Uncaught>,
    /// The status that the source asked to exit with (`sys.exit(3)`); the interpreter stays alive.
    pub exit: Option<u8>,
    /// What could not be restored when the interpreter resumed from a snapshot before this evaluation, a line each; and the threads that
    /// it left running, which ended with it. A thread that would not end has ended the interpreter: standard error says so.
    pub lost: Vec<String>,
    /// Whether it was interrupted because the time of [`Code::timeout`](crate::Code::timeout) was over.
    pub timed_out: bool,
    /// Output, files, limits and usage. The status is 0 for an evaluation that ended normally, 1 for one that failed,
    /// and otherwise the status that the source asked to exit with, or how the interpreter was ended.
    pub outcome: Outcome,
}

/// An exception that the evaluated code did not catch. Displayed, it is the interpreter's report.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Uncaught {
    /// Its type, without the module: `ValueError`.
    pub name: String,
    /// What it says; empty if it says nothing.
    pub message: String,
    /// The calls that led to it, the outermost first.
    pub frames: Vec<TracebackFrame>,
    /// The report as the interpreter wrote it: a traceback, with causes and notes.
    pub report: String,
}

/// One call that led to an exception.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct TracebackFrame {
    /// The file, or the evaluation: `<cell 3>`.
    pub file: String,
    /// The line, from 1, if it is known.
    pub line: Option<u32>,
    /// The function; `<module>` for code outside a function.
    pub function: String,
    /// The text of the line, if it is known.
    pub text: Option<String>,
}

impl fmt::Display for Uncaught {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.report)
    }
}

impl std::error::Error for Uncaught {}

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
