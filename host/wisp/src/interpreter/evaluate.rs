//! Evaluations: how one begins, what it does, and what it returns.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tokio::sync::watch;
use wasmtime::Store;

use crate::exec::command_run::CommandRun;
use crate::exec::output::Channel;
use crate::exec::session_state::SessionState;
use crate::interpreter::alive::Alive;
use crate::interpreter::answer::{Said, Verdict, weight};
use crate::interpreter::call::call;
use crate::interpreter::code::Code;
use crate::interpreter::error::InterpreterError;
use crate::interpreter::evaluating::Evaluating;
use crate::interpreter::frontend::EvaluationFrontend;
use crate::interpreter::hand_over::{Begun, InPlace};
use crate::interpreter::handle::Interpreter;
use crate::interpreter::rest::Away;
use crate::interpreter::running::RunningEvaluation;
use crate::interpreter::shown::Shown;
use crate::outcome::receipt::text;
use crate::program::linked::Program;
use crate::program::store::ProcessState;
use crate::runtime::{Alarm, Ticker};
use crate::wasi::bindings::interpreter::exports::wisp::sandbox::evaluation::Guest;
use wisp_api::{Evaluation, EventKind};
use wisp_process::Signal;

impl Interpreter {
    /// Evaluates code: text, or [`Code`] with a time limit and functions that receive output and displays while it runs.
    /// The policy's limits apply to each evaluation as they do to a command; hitting one ends the interpreter, and all
    /// its state is lost.
    ///
    /// If its future is dropped, the evaluation goes on as a task of the tokio runtime, and [`Interpreter::last`] has its handle
    /// ([what dropping does](crate#what-dropping-does)).
    ///
    /// ```
    /// # #[tokio::main] async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let session = wisp::Engine::new(wisp_built::components())?.session(&wisp::Policy::offline()).build().await?;
    /// # let mut python = session.python().await?;
    /// let done = python.eval("print('hi')\nx = 6\nx * 7").await?;
    /// assert_eq!((done.value.as_deref(), &*done.stdout_text()), (Some("42"), "hi\n"));
    /// // A failure of the code is data, and the interpreter goes on.
    /// let failed = python.eval("1 / 0").await?.error.expect("it fails");
    /// assert_eq!(failed.name, "ZeroDivisionError");
    /// assert_eq!(python.eval("x").await?.value.as_deref(), Some("6"));
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// If the interpreter has ended, its session is closed, it still runs another evaluation ([`InterpreterError::Busy`]), or there
    /// is no room for it to run now ([`InterpreterError::Full`], [`InterpreterError::Wake`]). Errors of the evaluated code are in
    /// the [`Evaluation`].
    pub async fn eval(&mut self, code: impl Into<Code>) -> Result<Evaluation, InterpreterError> {
        let begun = self.begin(code.into())?;
        Ok(InPlace::new(begun).await)
    }

    /// Starts an evaluation, as [`eval`](Self::eval) does, and returns a handle at once. It runs as a task of the tokio runtime from
    /// which this is called, otherwise of the one in which the interpreter was made. Until it ends, other evaluations and snapshots
    /// are refused ([`InterpreterError::Busy`]).
    ///
    /// ```
    /// # #[tokio::main] async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let session = wisp::Engine::new(wisp_built::components())?.session(&wisp::Policy::offline()).build().await?;
    /// # let mut python = session.python().await?;
    /// use wisp::Stream;
    ///
    /// let counting = python.start("for n in range(3): print(n, flush=True)")?;
    /// let mut at = 0;
    /// loop {
    ///     // A reader that was cut off goes on where it was, or reads everything again.
    ///     let chunk = counting.next_output(Stream::Stdout, at, 64 << 10).await;
    ///     print!("{}", String::from_utf8_lossy(&chunk.bytes));
    ///     at = chunk.next_offset();
    ///     if chunk.end {
    ///         break;
    ///     }
    /// }
    /// assert!(counting.wait().await?.success());
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// Those of [`eval`](Self::eval), and [`InterpreterError::NoRuntime`].
    pub fn start(&mut self, code: impl Into<Code>) -> Result<RunningEvaluation, InterpreterError> {
        let runtime = self.seat.runtime().ok_or(InterpreterError::NoRuntime)?;
        Ok(self.begin(code.into())?.go_on(&runtime))
    }

    /// Returns the evaluation that runs: it was [started](Self::start), or its [`eval`](Self::eval) is no longer awaited.
    pub fn running(&self) -> Option<RunningEvaluation> {
        self.seat.evaluating().map(|evaluating| RunningEvaluation::new(&self.seat, evaluating))
    }

    /// Returns the last evaluation of those that [`running`](Self::running) returns, also when it has ended, until another evaluation
    /// begins. So the result of an `eval` that is no longer awaited is never lost.
    pub fn last(&self) -> Option<RunningEvaluation> {
        self.seat.last().map(|evaluating| RunningEvaluation::new(&self.seat, evaluating))
    }

    /// Begins an evaluation. It can be interrupted from now on; none of its code runs before it is polled.
    fn begin(&mut self, code: Code) -> Result<Begun, InterpreterError> {
        let Code { source, timeout, grace, on_output, on_display, on_input_request } = code;
        let alive = self.wake()?;
        let began = Instant::now();
        let state = self.session.state.clone();
        let limit = state.shared.policy.limits().stdout;
        state.receipts.tell(|| EventKind::Start { command: text(&alive.name()) });
        let running = self.session.begin(Some(&alive.children.0), timeout.map(|timeout| timeout.saturating_add(grace)));
        let shown = Shown::new();
        let frontend = EvaluationFrontend::new(running.clone(), limit, shown.clone(), on_display, on_input_request);
        let on_output = on_output.map(|receive| Arc::new(Mutex::new(receive)));
        let tapes = [alive.stdout.begin(&running, on_output.clone()), alive.stderr.begin(&running, on_output)];
        // One that came too late for the evaluation before is not for this one.
        alive.row.process().signals().discard(Signal::Interrupt);
        let (result, told) = watch::channel(None);
        let evaluating = Evaluating::new(self.seat.number(), &running, tapes, shown.clone(), told);
        let away = self.seat.begin(&evaluating);
        let timeout = timeout.map(|timeout| Timeout { after: timeout, interrupts: !grace.is_zero() });
        let work = Work { alive, away, state, program: self.program.clone(), running, frontend, shown, source, timeout, began };
        Ok(Begun { work: Box::pin(work.run()), result, evaluating, seat: self.seat.clone() })
    }
}

/// What an evaluation has to itself. It does not hold its session, so it does not keep that from ending.
struct Work {
    alive: Box<Alive>,
    /// Dropped after the interpreter: then that is gone.
    away: Away,
    state: Arc<SessionState>,
    program: Arc<Program>,
    running: Arc<CommandRun>,
    frontend: Arc<EvaluationFrontend>,
    shown: Arc<Shown>,
    source: String,
    timeout: Option<Timeout>,
    began: Instant,
}

/// A time limit of the code itself.
struct Timeout {
    after: Duration,
    /// Whether the code is interrupted before it is ended.
    interrupts: bool,
}

impl Work {
    /// Evaluates, puts the interpreter back, and returns the result.
    async fn run(self) -> Evaluation {
        let Self { away, mut alive, state, program, running, frontend, shown, source, timeout, began } = self;
        let setting = alive.setting.take();
        let interruption = timeout.map(|timeout| Interruption::after(&timeout, &running, &state.shared.ticker));
        let evaluate = async |guest: &Guest, store: &mut Store<ProcessState>| guest.call_eval(store, &source, setting.as_ref()).await;
        let mut attended = alive.attended_by(frontend);
        let (execution, ended) = call(&state, &program, &mut attended, &running, evaluate).await;
        drop(attended);
        let timed_out = interruption.is_some_and(|interruption| interruption.came());
        let process = &execution.process;
        let Verdict { status, answer, message, callable } = Verdict::of(ended, &execution, alive.account.refused());
        // What it returns beside its output counts as output too.
        let answer = answer.filter(|answer| {
            let fits = weight(answer) <= state.shared.policy.limits().stdout;
            if !fits {
                running.hit(Channel::Stdout.limit());
            }
            fits
        });
        // A limit that was hit at the very end of the evaluation also ends the interpreter.
        let doomed = process.doomed();
        let (status, lives) = (doomed.unwrap_or(status), callable && answer.is_some() && doomed.is_none());
        let said = answer.map(Said::of).unwrap_or_default();
        let name = process.name();
        let message = message.map(|message| format!("{name}: {message}")).or_else(|| running.starved());
        let malformed = said.message.map(|message| format!("{name}: {message}"));
        for message in message.into_iter().chain(malformed) {
            alive.stderr.note(&format!("wisp: {message}\n"));
        }
        let kept = away.kept();
        let (stdout, stderr, displays) = (alive.stdout.end(kept), alive.stderr.end(kept), shown.all(kept));
        shown.close();
        let alive = if lives {
            Some(alive)
        } else {
            alive.leave(status);
            None
        };
        let outcome = state.outcome(&running, status, began, stdout, stderr).await;
        match alive {
            Some(alive) => away.rest(alive),
            None => away.end(status),
        }
        let Said { number, value, representations, error, exit, not_carried, message: _ } = said;
        Evaluation { number, value, representations, displays, error, exit, not_carried, timed_out, outcome }
    }
}

/// Interrupts an evaluation when its time is over, unless it is dropped before.
struct Interruption {
    came: Arc<AtomicBool>,
    _alarm: Option<Alarm>,
}

impl Interruption {
    fn after(time: &Timeout, running: &Arc<CommandRun>, ticker: &Ticker) -> Self {
        let (came, interrupts) = (Arc::new(AtomicBool::new(false)), time.interrupts);
        // A time that the clock cannot represent never comes.
        let alarm = Instant::now().checked_add(time.after).map(|at| {
            let (running, came) = (Arc::downgrade(running), came.clone());
            ticker.at(at, move || {
                if let Some(running) = running.upgrade() {
                    came.store(true, Ordering::Relaxed);
                    if interrupts {
                        running.signal_foreground(Signal::Interrupt);
                    }
                }
            })
        });
        Self { came, _alarm: alarm }
    }

    fn came(&self) -> bool {
        self.came.load(Ordering::Relaxed)
    }
}
