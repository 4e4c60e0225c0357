//! Evaluating: calls into a live interpreter, under the limits of a command.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use wasmtime::Store;

use crate::exec::command_run::CommandRun;
use crate::exec::execution::{Ended, Execution};
use crate::exec::output::Channel;
use crate::exec::spawn::Spawner;
use crate::exec::threads::{self, Done};
use crate::interpreter::code::Code;
use crate::interpreter::error::InterpreterError;
use crate::interpreter::frontend::EvaluationFrontend;
use crate::interpreter::handle::{Alive, Interpreter};
use crate::outcome::receipt::text;
use crate::program::store::ProcessState;
use crate::runtime::memory::noting_stack;
use crate::runtime::{Alarm, Ticker, WasmtimeError};
use crate::wasi::bindings::interpreter::exports::wisp::sandbox::evaluation::{Failure, Guest, Outcome as Answer};
use crate::wasi::{WasiState, check_representations};
use wisp_api::EventKind;
use wisp_api::{Evaluation, Exception, TracebackFrame};
use wisp_process::{ExitStatus, Signal};

/// Maximum bytes of the lines that say what an interpreter lost: a program can have thousands of open files.
const MAX_LOST: usize = 64 << 10;

/// Maximum bytes of an interpreter's last words: the end of a traceback. It may write as much as its output may have.
const MAX_WORDS: usize = 4 << 10;

impl Interpreter {
    /// Evaluates code: text, or [`Code`] with a time limit and functions that receive output and displays while it runs.
    /// The policy's limits apply to each evaluation as they do to a command; hitting one ends the interpreter, and all
    /// its state is lost.
    ///
    /// Dropping the future ends the interpreter too.
    ///
    /// # Errors
    /// If the interpreter has ended, or there is no room for it to run now ([`InterpreterError::Full`],
    /// [`InterpreterError::Wake`]). Errors of the evaluated code are in the [`Evaluation`].
    pub async fn eval(&mut self, code: impl Into<Code>) -> Result<Evaluation, InterpreterError> {
        self.eval_code(code.into()).await
    }

    /// Not generic, so that it is compiled once.
    async fn eval_code(&mut self, code: Code) -> Result<Evaluation, InterpreterError> {
        let Code { source, timeout, grace, on_output, on_display, on_input_request } = code;
        let mut alive = self.wake()?;
        let began = Instant::now();
        let state = self.session.state.clone();
        let limit = state.shared.policy.limits().stdout;
        state.receipts.tell(|| EventKind::Start { command: text(&alive.name()) });
        let running = self.session.begin(Some(&alive.children.0), timeout.map(|timeout| timeout.saturating_add(grace)));
        let frontend = EvaluationFrontend::new(running.clone(), limit, on_display, on_input_request);
        alive.store.data_mut().wasi().ctx.frontend = Some(frontend.clone());
        let on_output = on_output.map(|receive| Arc::new(Mutex::new(receive)));
        alive.stdout.begin(&running, on_output.clone());
        alive.stderr.begin(&running, on_output);
        let setting = alive.setting.take();
        let interruption = timeout.map(|timeout| Interruption::after(timeout, &running, &state.shared.ticker));
        // One that came too late for the evaluation before is not for this one.
        alive.row.process().signals().discard(Signal::Interrupt);
        *self.current.lock() = Arc::downgrade(&running);
        let call = async |guest: &Guest, store: &mut Store<ProcessState>| guest.call_eval(store, &source, setting.as_ref()).await;
        let (execution, ended) = self.call(&mut alive, &running, call).await;
        *self.current.lock() = Weak::new();
        let timed_out = interruption.is_some_and(|interruption| interruption.came());
        alive.store.data_mut().wasi().ctx.frontend = None;
        let process = &execution.process;
        let mut stubborn = false;
        let (status, answer, message) = match ended {
            Ended::Doomed(status) => (status, None, None),
            Ended::Returned(Done { value: answer, left: 0 }) => (status_of(&answer), Some(answer), None),
            Ended::Returned(Done { value: answer, left }) => {
                // Their stacks went with the call, and the store with them.
                stubborn = true;
                let threads = if left == 1 { "a thread".to_owned() } else { format!("{left} threads") };
                (ExitStatus::Signaled(Signal::Kill), Some(answer), Some(format!("ended: {threads} would not end with the evaluation")))
            }
            Ended::Failed(error) => {
                let (status, message) = execution.explain(&error, alive.account.refused());
                (status, None, message)
            }
        };
        // What it returns beside its output counts as output too.
        let answer = answer.filter(|answer| {
            let fits = weight(answer) <= limit;
            if !fits {
                running.hit(Channel::Stdout.limit());
            }
            fits
        });
        // A limit that was hit at the very end of the evaluation also ends the interpreter.
        let status = process.doomed().unwrap_or(status);
        let (stdout, mut stderr) = (alive.stdout.take(), alive.stderr.take());
        if let Some(message) = message {
            stderr.extend_from_slice(format!("wisp: {}: {message}\n", process.name()).as_bytes());
        } else if let Some(starved) = running.starved() {
            stderr.extend_from_slice(format!("wisp: {starved}\n").as_bytes());
        }
        if answer.is_some() && process.doomed().is_none() && !stubborn {
            self.rest(alive);
        } else {
            self.ended = status;
            let Alive { store, row, .. } = *alive;
            drop(store);
            row.leave(status);
        }
        let displays = frontend.take();
        let (number, value, error, exit, not_carried) = match answer {
            Some(answer) => (Some(answer.number), answer.value, answer.error, answer.status, bounded(answer.lost)),
            None => (None, None, None, None, Vec::new()),
        };
        let (value, representations) = match value {
            Some(value) => (Some(value.text), check_representations(value.forms)),
            None => (None, Some(Vec::new())),
        };
        let representations = representations.unwrap_or_else(|| {
            let message = format!("wisp: {}: the forms of the value are left out: one of them is malformed\n", process.name());
            stderr.extend_from_slice(message.as_bytes());
            Vec::new()
        });
        let outcome = state.outcome(&running, status, began, stdout, stderr).await;
        Ok(Evaluation { number, value, representations, displays, error: error.map(uncaught), exit, not_carried, timed_out, outcome })
    }

    /// Calls into the interpreter, as `running`. Returns what ran, and how it ended. No thread outlives the call: if one is left, the
    /// interpreter must not be called again.
    ///
    /// Takes `&mut self` so that its future is `Send`: a store may move between threads but not be shared by them.
    async fn call<T>(
        &mut self,
        alive: &mut Alive,
        running: &Arc<CommandRun>,
        call: impl AsyncFnOnce(&Guest, &mut Store<ProcessState>) -> wasmtime::Result<T>,
    ) -> (Execution, Ended<Done<T>>) {
        let state = &self.session.state;
        let process = alive.row.process().clone();
        alive.account.forget();
        alive.store.data_mut().wasi().ctx.spawner = Spawner::new(state, running);
        let (program, lockstep) = (self.program.clone(), state.lockstep.clone());
        let execution = Execution { running: running.clone(), process, program: program.clone(), lockstep };
        let (_ticking, _clock) = (state.shared.ticker.start(), running.clock());
        let Alive { store, interpreter, instance, faults, .. } = alive;
        let mut made = None;
        let work = execution.drive(store, faults, async |store| {
            let work = threads::run(&program, *instance, store, async |store| call(interpreter.wisp_sandbox_evaluation(), store).await);
            let (answer, stack) = noting_stack(work).await;
            made = stack;
            answer
        });
        let ended = match &state.lockstep {
            Some(lockstep) => lockstep.cell(work).await,
            None => work.await,
        };
        alive.stack = made.or(alive.stack.take());
        (execution, ended)
    }

    /// As `call`, for work of ours between evaluations.
    async fn call_between<T>(
        &mut self,
        alive: &mut Alive,
        call: impl AsyncFnOnce(&Guest, &mut Store<ProcessState>) -> wasmtime::Result<T>,
    ) -> Result<T, InterpreterError> {
        let running = self.session.begin(Some(&alive.children.0), None);
        alive.stdout.begin(&running, None);
        alive.stderr.begin(&running, None);
        match self.call(alive, &running, call).await.1 {
            Ended::Returned(Done { value, left: 0 }) => Ok(value),
            Ended::Returned(_) => Err(broken(alive, wasmtime::Error::msg("it has threads between its evaluations"))),
            Ended::Failed(error) => Err(broken(alive, error)),
            Ended::Doomed(status) => Err(InterpreterError::Ended { status }),
        }
    }

    /// Sends the interpreter its setting, with an empty evaluation.
    ///
    /// # Errors
    /// If this breaks the interpreter.
    pub(crate) async fn call_begin(&mut self, alive: &mut Alive) -> Result<(), InterpreterError> {
        let setting = alive.setting.take();
        self.call_between(alive, async |guest, store| guest.call_eval(store, "", setting.as_ref()).await).await.map(drop)
    }

    /// Asks the interpreter to get ready for a snapshot. Returns what a copy will not have, as far as there is room for the names.
    ///
    /// # Errors
    /// If this breaks the interpreter.
    pub(crate) async fn call_park(&mut self, alive: &mut Alive) -> Result<Vec<String>, InterpreterError> {
        self.call_between(alive, async |guest, store| guest.call_park(store).await).await.map(bounded)
    }
}

/// Interrupts an evaluation when its time is over, unless it is dropped before.
struct Interruption {
    came: Arc<AtomicBool>,
    _alarm: Option<Alarm>,
}

impl Interruption {
    fn after(time: Duration, running: &Arc<CommandRun>, ticker: &Ticker) -> Self {
        let came = Arc::new(AtomicBool::new(false));
        // A time that the clock cannot represent never comes.
        let alarm = Instant::now().checked_add(time).map(|at| {
            let (running, came) = (Arc::downgrade(running), came.clone());
            ticker.at(at, move || {
                if let Some(running) = running.upgrade() {
                    came.store(true, Ordering::Relaxed);
                    running.signal_foreground(Signal::Interrupt);
                }
            })
        });
        Self { came, _alarm: alarm }
    }

    fn came(&self) -> bool {
        self.came.load(Ordering::Relaxed)
    }
}

/// The error for an interpreter that broke where it must not. Its own last words say more than the trap does.
fn broken(alive: &Alive, error: wasmtime::Error) -> InterpreterError {
    let (words, trap) = (alive.stderr.take(), WasmtimeError::from(error));
    let source = match String::from_utf8_lossy(&words).trim_end() {
        "" => trap.into(),
        words => {
            let start = words.ceil_char_boundary(words.len().saturating_sub(MAX_WORDS));
            LastWords { words: words[start..].to_owned(), source: trap }.into()
        }
    };
    InterpreterError::Broken { source }
}

/// What an interpreter wrote to standard error before the trap that broke it.
#[derive(Debug, thiserror::Error)]
#[error("{words}")]
struct LastWords {
    words: String,
    source: WasmtimeError,
}

/// What an interpreter says that it lost, as a person may read it: its program chooses names in it. What a snapshot keeps of it belongs
/// to no account while it lives.
fn bounded(lost: Vec<String>) -> Vec<String> {
    let (mut kept, mut room) = (Vec::new(), MAX_LOST);
    for line in lost.iter().map(|line| text(line)) {
        let Some(left) = room.checked_sub(lines_weight(std::slice::from_ref(&line))) else { break };
        room = left;
        kept.push(line);
    }
    let more = lost.len() - kept.len();
    if more > 0 {
        kept.push(format!("{more} more, whose names are left out"));
    }
    kept
}

/// The bytes of an answer, which come in addition to the output: its rows as the host holds them, and their texts. A row counts even if
/// its texts are empty.
fn weight(answer: &Answer) -> u64 {
    let value = answer.value.iter().map(|value| {
        let forms = value.forms.iter().map(|(media_type, data)| media_type.len() + data.len());
        size_of_val(&*value.forms) + forms.sum::<usize>() + value.text.len()
    });
    let error = answer.error.iter().map(|error| {
        let frames = error.frames.iter().map(|frame| frame.file.len() + frame.function.len() + frame.text.as_ref().map_or(0, String::len));
        size_of_val(&*error.frames) + frames.sum::<usize>() + error.name.len() + error.message.len() + error.report.len()
    });
    (value.chain(error).sum::<usize>() + lines_weight(&answer.lost)) as u64
}

/// The bytes of lines, as the host holds them.
fn lines_weight(lines: &[String]) -> usize {
    size_of_val(lines) + lines.iter().map(String::len).sum::<usize>()
}

fn status_of(answer: &Answer) -> ExitStatus {
    ExitStatus::Exited(answer.status.unwrap_or(u8::from(answer.error.is_some())))
}

fn uncaught(failure: Failure) -> Exception {
    let frames = failure.frames.into_iter().map(|frame| TracebackFrame {
        file: frame.file,
        line: (frame.line > 0).then_some(frame.line),
        function: frame.function,
        text: frame.text,
    });
    Exception { name: failure.name, message: failure.message, frames: frames.collect(), report: failure.report }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wasi::bindings::interpreter::exports::wisp::sandbox::evaluation::{Frame, Value};

    fn answer() -> Answer {
        Answer { number: 1, value: None, error: None, status: None, lost: Vec::new() }
    }

    #[test]
    fn rows_weigh_something_though_their_texts_are_empty() {
        assert_eq!(weight(&answer()), 0);
        let frame = || Frame { file: String::new(), line: 0, function: String::new(), text: None };
        let failure = |count| Failure {
            name: "E".to_owned(),
            message: String::new(),
            frames: (0..count).map(|_| frame()).collect(),
            report: String::new(),
        };
        let frames = |count| weight(&Answer { error: Some(failure(count)), ..answer() });
        assert_eq!(frames(0), 1);
        assert_eq!(frames(1000), 1 + 1000 * size_of::<Frame>() as u64);
        let lost = |count| weight(&Answer { lost: vec![String::new(); count], ..answer() });
        assert_eq!(lost(1000), 1000 * size_of::<String>() as u64);
        let forms = vec![(String::new(), Vec::new()); 1000];
        let value = weight(&Answer { value: Some(Value { text: "42".to_owned(), forms }), ..answer() });
        assert_eq!(value, 2 + 1000 * size_of::<(String, Vec<u8>)>() as u64);
    }

    #[test]
    fn the_names_that_a_snapshot_keeps_are_bounded() {
        let few = vec!["the open file a".to_owned(), String::new()];
        assert_eq!(bounded(few.clone()), few);
        let cut = bounded(vec![String::new(); 1_000_000]);
        assert!(lines_weight(&cut) <= MAX_LOST + 100 && cut.capacity() < 10_000, "{}", cut.len());
        let left_out = 1_000_001 - cut.len();
        assert_eq!(cut.last().map(String::as_str), Some(&*format!("{left_out} more, whose names are left out")));
        assert!(bounded(vec!["x".repeat(MAX_LOST)])[0].len() <= 512, "a line is cut");
    }
}
