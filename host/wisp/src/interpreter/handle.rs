//! Interpreters that stay alive between evaluations.

use std::sync::Arc;
use std::time::Instant;

use tokio::sync::OwnedSemaphorePermit;
use wasmtime::Store;

use crate::exec::command_run::EndOnDrop;
use crate::exec::execution::{Ended, Execution};
use crate::exec::lockstep::{Lockstep, Presence};
use crate::exec::output::Channel;
use crate::exec::session_state::SessionState;
use crate::exec::spawn::Spawner;
use crate::interpreter::error::InterpreterError;
use crate::interpreter::evaluation::{Evaluation, EvaluationOutput};
use crate::outcome::event::Happening;
use crate::outcome::receipt::{ReceiptKind, text};
use crate::outcome::result::Outcome;
use crate::program::linked::{Begun, Made, Program, Tenancy};
use crate::program::memory::ProcessMemory;
use crate::program::store::ProcessState;
use crate::runtime::memory::LiveMemory;
use crate::runtime::{Faults, WasmtimeError};
use crate::session::handle::Session;
use crate::wasi::bindings::interpreter::Interpreter as Exports;
use crate::wasi::bindings::interpreter::exports::wisp::sandbox::evaluation::{Guest, Outcome as Answer, Setting};
use crate::wasi::{Description, HostMemory, OutputSink, ProcessCtx, WasiState};
use wisp_policy::layout::{HOME, PATH};
use wisp_process::{Attributes, ExitStatus, Process, Row, SpawnRequest, pipe};

/// Bytes of entropy that an interpreter receives for its random generators.
const ENTROPY: usize = 32;

/// An interpreter that stays alive between evaluations: what one defines, the next can use. It is a process of its
/// session.
///
/// Dropping it ends it, and the processes that it started.
pub struct Interpreter {
    pub(crate) session: Session,
    pub(crate) program: Arc<Program>,
    /// `None` once it has ended.
    pub(crate) alive: Option<Box<Alive>>,
    /// How it ended.
    pub(crate) ended: ExitStatus,
}

/// A live interpreter. The store comes first, so that it releases what it holds before the process leaves its table.
pub(crate) struct Alive {
    pub store: Tenancy,
    pub interpreter: Exports,
    pub memory: Option<LiveMemory>,
    /// The setting that the next evaluation sends.
    pub setting: Option<Setting>,
    faults: Faults,
    account: Arc<dyn HostMemory>,
    stdout: Arc<EvaluationOutput>,
    stderr: Arc<EvaluationOutput>,
    command: u64,
    /// Ends the processes that its evaluations started.
    _children: EndOnDrop,
    row: Row,
    /// Under a deterministic policy, pauses the processes that it left running until the next evaluation.
    _present: Option<Presence>,
    _permit: OwnedSemaphorePermit,
}

/// What an interpreter starts from.
pub(crate) struct Origin<'a> {
    pub image: crate::program::linked::Origin<'a>,
    /// Bytes of memory at the start beyond the minimum of its type.
    pub grown: u64,
    pub setting: Setting,
    /// Whether it resumes from a snapshot, and so already has the handle of the root directory.
    pub root: bool,
}

impl Session {
    /// A live Python interpreter: `python3` of this session.
    ///
    /// A fresh one costs a tenth of a millisecond, so one for each call is affordable.
    ///
    /// # Errors
    /// If the policy does not allow `python3`, or it cannot start.
    pub async fn python(&self) -> Result<Interpreter, InterpreterError> {
        self.interpreter("python3").await
    }

    /// The live interpreter `tool`: a tool that exports `wisp:sandbox/evaluation`.
    ///
    /// # Errors
    /// If the policy does not allow it, it is not an interpreter, or it cannot start.
    pub async fn interpreter(&self, tool: &str) -> Result<Interpreter, InterpreterError> {
        let session = &self.state;
        let Some(found) = session.shared.tools.get(tool) else {
            let tools = session.shared.tools.keys().cloned().collect::<Vec<_>>().join(", ");
            return Err(InterpreterError::NotFound { tool: tool.to_owned(), tools });
        };
        self.prepare_for_lockstep().await;
        let program = found.program(&session.shared.workshop).await?;
        if !program.is_interpreter() {
            return Err(InterpreterError::NotInterpreter { tool: tool.to_owned() });
        }
        session.receipts.allowed(0, ReceiptKind::Interpreter, tool, &found.rule);
        let setting = Setting {
            environment: self.default_environment().to_vec(),
            working_directory: None,
            entropy: None,
            handles: Vec::new(),
            resumed: false,
        };
        let origin = Origin { image: program.image(), grown: 0, setting, root: false };
        Interpreter::start(self.clone(), program.clone(), tool, origin, None).await
    }
}

impl Interpreter {
    /// Makes the process and its instance. No guest code runs before the first evaluation. Clock and randomness
    /// continue from `from` if it is given.
    pub(crate) async fn start(
        session: Session,
        program: Arc<Program>,
        name: &str,
        mut origin: Origin<'_>,
        from: Option<&ClockAndRandom>,
    ) -> Result<Self, InterpreterError> {
        let state = &session.state;
        let limits = *state.shared.policy.limits();
        let running = session.begin(None, None);
        let row = state
            .processes
            .enter(0, running.command, name, limits.processes)
            .ok_or(InterpreterError::NoRoom { limit: limits.processes })?;
        let permit = state.shared.room.clone().try_acquire_owned().map_err(|_| InterpreterError::Full)?;
        let (stdout, stderr) = (
            EvaluationOutput::new(Channel::Stdout, limits.stdout, running.clone()),
            EvaluationOutput::new(Channel::Stderr, limits.stderr, running.clone()),
        );
        let process = row.process().clone();
        let ctx = context(state, &Spawner::new(state, &running), &process, name, [&stdout, &stderr], &mut origin.setting, from)?;
        let account = ctx.memory.clone();
        let mut memory = ProcessMemory::new(account.clone(), process.memory_gauge().clone());
        if !memory.take(origin.grown) {
            return Err(InterpreterError::Memory { limit: limits.memory });
        }
        let Begun { mut store, made, faults } = program.begin(origin.image, ctx, memory);
        let children = EndOnDrop(running.clone());
        let made = match made {
            Some(made) => Ok(made),
            None => {
                // A start function is the component's code and may do anything, so the limits of a command apply. It
                // takes no virtual time: a fork starts at the time of its parent.
                let execution = Execution { running: running.clone(), process, program: program.clone(), lockstep: None };
                let (_ticking, _clock) = (state.shared.ticker.start(), running.clock());
                let image = origin.image;
                let making = execution.drive(&mut store, &faults, async |store| program.instantiate(store, image, faults.clone()).await);
                match making.await {
                    Ended::Returned(made) => Ok(made),
                    Ended::Failed(error) => Err(error),
                    Ended::Doomed(status) => {
                        return Err(running.limit_hit().map_or(InterpreterError::Ended { status }, |hit| InterpreterError::Limit { hit }));
                    }
                }
            }
        };
        let broken = |error: wasmtime::Error| match account.refused() {
            true => InterpreterError::Memory { limit: limits.memory },
            false => InterpreterError::Broken { source: Box::new(WasmtimeError::from(error)) },
        };
        let Made { instance, live } = made.map_err(broken)?;
        let interpreter = program.interpreter(&mut store, &instance).map_err(broken)?;
        let interpreter = interpreter.ok_or_else(|| InterpreterError::NotInterpreter { tool: name.to_owned() })?;
        if origin.root {
            let root = store.data_mut().wasi().preopen();
            let root = root.map_err(|error| InterpreterError::Broken { source: Box::new(WasmtimeError::from(error)) })?;
            origin.setting.handles.push(root);
        }
        let alive = Alive {
            store,
            interpreter,
            memory: live,
            setting: Some(origin.setting),
            faults,
            account,
            stdout,
            stderr,
            command: running.command,
            _children: children,
            row,
            _present: state.lockstep.as_ref().map(Lockstep::interpreter),
            _permit: permit,
        };
        Ok(Self { session, program, alive: Some(Box::new(alive)), ended: ExitStatus::Exited(0) })
    }

    /// The session that it belongs to.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Bytes of memory that are its own and not shared with an image: pages that it wrote, or that an earlier process
    /// wrote in the same slot. `None` if it has ended, or memory is not copy on write.
    pub fn private_memory(&self) -> Option<u64> {
        let bytes = self.alive.as_ref()?.memory.as_ref()?.private_bytes().ok()?;
        Some(bytes as u64)
    }

    /// How it ended, if it did: it hit a limit, or the code it ran broke it.
    pub fn ended(&self) -> Option<ExitStatus> {
        self.alive.is_none().then_some(self.ended)
    }

    /// Evaluates `source`. The policy's limits apply to each evaluation as they do to a command; hitting one ends the
    /// interpreter, and all its state is lost.
    ///
    /// Dropping the future ends the interpreter too.
    ///
    /// # Errors
    /// If the interpreter has ended. Errors of the evaluated code are in the [`Evaluation`].
    pub async fn eval(&mut self, source: &str) -> Result<Evaluation, InterpreterError> {
        let mut alive = self.alive.take().ok_or(InterpreterError::Ended { status: self.ended })?;
        self.ended = ExitStatus::Signaled(wisp_process::Signal::Kill);
        let began = Instant::now();
        self.session.state.receipts.tell(|| Happening::Start { command: text(&alive.name()) });
        let setting = alive.setting.take();
        let (execution, ended) = self.call(&mut alive, async |guest, store| guest.call_eval(store, source, setting.as_ref()).await).await;
        let Execution { running, process, .. } = &execution;
        let (status, answer, message) = match ended {
            Ended::Doomed(status) => (status, None, None),
            Ended::Returned(answer) => (status_of(&answer), Some(answer), None),
            Ended::Failed(error) => {
                let (status, message) = execution.explain(&error, alive.account.refused());
                (status, None, message)
            }
        };
        // What it returns beside its output counts as output too.
        let limit = self.session.state.shared.policy.limits().stdout;
        let answer = answer.map(|answer| {
            if size_of_answer(&answer) <= limit {
                answer
            } else {
                running.hit(Channel::Stdout.limit());
                NO_ANSWER
            }
        });
        // A limit that was hit at the very end of the evaluation also ends the interpreter.
        let status = process.doomed().unwrap_or(status);
        let (stdout, mut stderr) = (alive.stdout.take(), alive.stderr.take());
        if let Some(message) = message {
            stderr.extend_from_slice(format!("wisp: {}: {message}\n", process.name()).as_bytes());
        } else if let Some(starved) = running.starved() {
            stderr.extend_from_slice(format!("wisp: {starved}\n").as_bytes());
        }
        if answer.is_some() && process.doomed().is_none() {
            self.alive = Some(alive);
        } else {
            self.ended = status;
            let Alive { store, row, .. } = *alive;
            drop(store);
            row.leave(status);
        }
        let outcome: Outcome = self.session.state.outcome(running, status, began, stdout, stderr).await;
        let answer = answer.unwrap_or(NO_ANSWER);
        Ok(Evaluation { value: answer.value, error: answer.error, exit: answer.status, lost: answer.lost, outcome })
    }
}

impl Interpreter {
    /// Calls into the interpreter, under the limits of a command. Returns what ran, and how it ended.
    ///
    /// Takes `&mut self` so that its future is `Send`: a store may move between threads but not be shared by them.
    async fn call<T>(
        &mut self,
        alive: &mut Alive,
        call: impl AsyncFnOnce(&Guest, &mut Store<ProcessState>) -> wasmtime::Result<T>,
    ) -> (Execution, Ended<T>) {
        let state = &self.session.state;
        let running = self.session.begin(Some(alive.command), None);
        let process = alive.row.process().clone();
        alive.stdout.begin(&running);
        alive.stderr.begin(&running);
        alive.account.forget();
        alive.store.data_mut().wasi().ctx.spawner = Spawner::new(state, &running);
        let (program, lockstep) = (self.program.clone(), state.lockstep.clone());
        let execution = Execution { running: running.clone(), process, program, lockstep };
        let (_ticking, _clock) = (state.shared.ticker.start(), running.clock());
        let Alive { store, interpreter, faults, .. } = alive;
        let work = execution.drive(store, faults, async |store| call(interpreter.wisp_sandbox_evaluation(), store).await);
        let ended = match &state.lockstep {
            Some(lockstep) => lockstep.cell(work).await,
            None => work.await,
        };
        (execution, ended)
    }

    /// Sends the interpreter its setting, with an empty evaluation.
    ///
    /// # Errors
    /// If this breaks the interpreter.
    pub(crate) async fn call_begin(&mut self, alive: &mut Alive) -> Result<(), InterpreterError> {
        let setting = alive.setting.take();
        match self.call(alive, async |guest, store| guest.call_eval(store, "", setting.as_ref()).await).await {
            (_, Ended::Returned(_)) => Ok(()),
            (_, Ended::Failed(error)) => Err(broken(alive, error)),
            (_, Ended::Doomed(status)) => Err(InterpreterError::Ended { status }),
        }
    }

    /// Asks the interpreter to get ready for a snapshot. Returns what a copy will not have.
    ///
    /// # Errors
    /// If this breaks the interpreter.
    pub(crate) async fn call_park(&mut self, alive: &mut Alive) -> Result<Vec<String>, InterpreterError> {
        match self.call(alive, async |guest, store| guest.call_park(store).await).await {
            (_, Ended::Returned(lost)) => Ok(lost),
            (_, Ended::Failed(error)) => Err(broken(alive, error)),
            (_, Ended::Doomed(status)) => Err(InterpreterError::Ended { status }),
        }
    }
}

/// What the interpreter's process can reach. Completes the setting that its first evaluation sends.
fn context(
    state: &SessionState,
    spawner: &Arc<Spawner>,
    process: &Arc<Process>,
    name: &str,
    [stdout, stderr]: [&Arc<EvaluationOutput>; 2],
    setting: &mut Setting,
    from: Option<&ClockAndRandom>,
) -> Result<ProcessCtx, InterpreterError> {
    let sink = |output: &Arc<EvaluationOutput>, number| Description::sink(output.clone() as Arc<dyn OutputSink>, number);
    let request = SpawnRequest {
        program: format!("{PATH}/{name}"),
        arguments: vec![name.as_bytes().to_vec()],
        environment: setting.environment.clone(),
        working_directory: HOME.to_owned(),
        descriptors: vec![(0, Description::reader(pipe().0, 0, false)), (1, sink(stdout, 1)), (2, sink(stderr, 2))],
        ignore_broken_pipe: true,
        attributes: Attributes::default(),
    };
    let tool = state.shared.tools.get(name).ok_or_else(|| InterpreterError::NotInterpreter { tool: name.to_owned() })?;
    process.narrow(&tool.rights);
    process.signals().set_quiet_pipes(request.ignore_broken_pipe);
    let mut ctx = spawner.context(process, tool, &process.rights(), request).map_err(|source| InterpreterError::NotStarted { source })?;
    if process.rights().network().is_err() {
        // An earlier attempt may have taken some of it.
        setting.environment.clone_from(&ctx.environment);
    }
    ctx.hide_environment = true;
    if let Some(from) = from {
        ctx.random = from.random.fork();
        if let Some((lockstep, elapsed)) = state.lockstep.as_ref().zip(from.elapsed) {
            lockstep.time().reach(elapsed);
        }
    }
    if setting.entropy.is_none() && (from.is_none() || state.shared.policy.determinism().is_none()) {
        setting.entropy = Some(ctx.random.bytes(ENTROPY));
    }
    Ok(ctx)
}

/// The error for an interpreter that broke where it must not. Its own last words say more than the trap does.
fn broken(alive: &Alive, error: wasmtime::Error) -> InterpreterError {
    let (words, trap) = (alive.stderr.take(), WasmtimeError::from(error));
    let source = match String::from_utf8_lossy(&words).trim_end() {
        "" => trap.into(),
        words => LastWords { words: words.to_owned(), source: trap }.into(),
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

impl Alive {
    /// The name it was started by.
    pub(crate) fn name(&self) -> Arc<str> {
        self.row.process().name()
    }
}

/// How far virtual time and a process's random stream had come at one moment.
pub(crate) struct ClockAndRandom {
    /// Nanoseconds; `None` where time is the host's.
    pub elapsed: Option<u64>,
    pub random: crate::wasi::ProcessRandom,
}

/// The answer for an interpreter that was ended.
const NO_ANSWER: Answer = Answer { value: None, error: None, status: None, lost: Vec::new() };

/// The bytes of an answer, which come in addition to the output.
fn size_of_answer(answer: &Answer) -> u64 {
    let texts = answer.value.iter().chain(&answer.error).chain(&answer.lost);
    texts.map(|text| text.len() as u64).sum()
}

fn status_of(answer: &Answer) -> ExitStatus {
    ExitStatus::Exited(answer.status.unwrap_or(u8::from(answer.error.is_some())))
}

impl std::fmt::Debug for Interpreter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Interpreter").field("session", &self.session.id()).field("ended", &self.ended()).finish_non_exhaustive()
    }
}
