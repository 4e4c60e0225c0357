//! Interpreters that stay alive between evaluations.

use std::sync::{Arc, Weak};

use parking_lot::Mutex;
use tokio::sync::OwnedSemaphorePermit;
use wasmtime::component::Instance;

use crate::exec::command_run::{CommandRun, EndOnDrop};
use crate::exec::execution::{Ended, Execution};
use crate::exec::lockstep::{Lockstep, Presence};
use crate::exec::output::Channel;
use crate::exec::session_state::SessionState;
use crate::exec::spawn::Spawner;
use crate::interpreter::error::InterpreterError;
use crate::interpreter::evaluation::EvaluationOutput;
use crate::interpreter::rest::AtRest;
use crate::program::linked::Program;
use crate::program::memory::ProcessMemory;
use crate::program::tenancy::{Begun, Entry, Made, Source, Tenancy};
use crate::runtime::memory::{LiveMemory, LiveStack};
use crate::runtime::{Faults, WasmtimeError};
use crate::session::handle::Session;
use crate::wasi::bindings::interpreter::Interpreter as Exports;
use crate::wasi::bindings::interpreter::exports::wisp::sandbox::evaluation::Setting;
use crate::wasi::{Description, HostMemory, OutputSink, ProcessCtx, WasiState};
use wisp_api::ReceiptKind;
use wisp_policy::layout::{HOME, PATH};
use wisp_process::{Attributes, ExitStatus, Process, Row, Signal, SignalSet, SpawnRequest, pipe};

/// Bytes of entropy that an interpreter receives for its random generators.
const ENTROPY: usize = 32;

/// An interpreter that stays alive between evaluations: what one defines, the next can use. It is a process of its
/// session.
///
/// Dropping it ends it, and the processes that it started.
pub struct Interpreter {
    pub(crate) session: Session,
    /// The tool that it runs.
    tool: Arc<str>,
    pub(crate) program: Arc<Program>,
    pub(crate) alive: AtRest,
    /// How it ended.
    pub(crate) ended: ExitStatus,
    /// The evaluation that runs; its interrupters share it.
    pub(crate) current: Arc<Mutex<Weak<CommandRun>>>,
}

/// Interrupts what an interpreter evaluates, from another task ([`Interpreter::interrupter`]).
#[derive(Clone)]
pub struct Interrupter(Arc<Mutex<Weak<CommandRun>>>);

impl Interrupter {
    /// Interrupts the evaluation that runs, if one does: Python raises `KeyboardInterrupt` in it, and a program that the
    /// evaluation started and waits for receives SIGINT. The interpreter stays alive.
    pub fn interrupt(&self) {
        let running = self.0.lock().upgrade();
        if let Some(running) = running {
            running.signal_foreground(Signal::Interrupt);
        }
    }
}

/// A live interpreter. The store comes first, so that it releases what it holds before the process leaves its table.
pub(crate) struct Alive {
    pub store: Tenancy,
    pub interpreter: Exports,
    pub instance: Instance,
    pub memory: Option<LiveMemory>,
    /// The stack of its store, once it has one.
    pub stack: Option<LiveStack>,
    /// The setting that the next evaluation sends.
    pub setting: Option<Setting>,
    pub faults: Faults,
    /// What its handle of the root directory stands for, if it began with one.
    pub root: Option<u32>,
    /// Bytes that were debited for making its instance.
    pub held: u64,
    pub account: Arc<dyn HostMemory>,
    pub stdout: Arc<EvaluationOutput>,
    pub stderr: Arc<EvaluationOutput>,
    /// Its command. Ends what its evaluations left when it ends.
    pub children: EndOnDrop,
    pub row: Row,
    /// Under a deterministic policy, pauses the processes that it left running until the next evaluation.
    _present: Option<Presence>,
    /// Its place among the engine's running processes. Between evaluations only where a memory is one of a fixed number.
    pub permit: Option<OwnedSemaphorePermit>,
}

/// What an interpreter starts from.
pub(crate) struct Origin<'a> {
    pub source: &'a Arc<Source>,
    /// Whether it resumes from a snapshot, and so has the number of a handle of the root directory.
    pub resumed: bool,
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
        let origin = Origin { source: program.source(), resumed: false };
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
        origin: Origin<'_>,
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
        let environment = session.default_environment().to_vec();
        let ctx = context(state, &Spawner::new(state, &running), &process, name, [&stdout, &stderr], environment, from)?;
        // An interpreter does so from its start, without a call: it is part of the contract.
        process.signals().handle(SignalSet::default().with(Signal::Interrupt));
        let fresh = from.is_none() || state.shared.policy.determinism().is_none();
        let entropy = fresh.then(|| ctx.random.bytes(ENTROPY));
        let account = ctx.memory.clone();
        let mut memory = ProcessMemory::new(account.clone(), process.memory_gauge().clone());
        if !memory.take(origin.source.grown()) {
            return Err(InterpreterError::Memory { limit: limits.memory });
        }
        let Begun { mut store, made, faults } = program.begin(origin.source, ctx, memory);
        let children = EndOnDrop(running.clone());
        let made = match made {
            Some(made) => Ok(made),
            None => {
                // A start function is the component's code and may do anything, so the limits of a command apply. It
                // takes no virtual time: a fork starts at the time of its parent.
                let execution = Execution { running: running.clone(), process, program: program.clone(), lockstep: None };
                let (_ticking, _clock) = (state.shared.ticker.start(), running.clock());
                let source = origin.source;
                let making = execution.drive(&mut store, &faults, async |store| program.instantiate(store, source, faults.clone()).await);
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
        let Made { entry, live, stack } = made.map_err(broken)?;
        let Entry { instance, interpreter, root, held } = entry;
        let interpreter = match interpreter {
            Some(interpreter) => Some(interpreter),
            None => program.interpreter(&mut store, &instance).map_err(broken)?,
        };
        let interpreter = interpreter.ok_or_else(|| InterpreterError::NotInterpreter { tool: name.to_owned() })?;
        let (mut handles, mut root) = (Vec::new(), root.filter(|_| origin.resumed));
        if origin.resumed {
            // The memory has the number of a handle of the root directory. An instance that was a fork before holds that handle, and
            // what it stands for is there again; another one receives it with its setting.
            let handle = store.data_mut().wasi().preopen().map_err(broken)?;
            let stands_for = handle.rep();
            match root.replace(stands_for) {
                Some(held) if held == stands_for => {}
                Some(_) => return Err(broken(wasmtime::Error::msg("the root directory is not its first handle"))),
                None => handles.push(handle),
            }
        }
        let setting = Setting { entropy, handles, ..setting(store.data_mut().wasi().ctx, origin.resumed) };
        let alive = Alive {
            store,
            interpreter,
            instance,
            memory: live,
            stack,
            setting: Some(setting),
            faults,
            root,
            held,
            account,
            stdout,
            stderr,
            children,
            row,
            _present: state.lockstep.as_ref().map(Lockstep::interpreter),
            permit: Some(permit),
        };
        let (ended, current) = (ExitStatus::Exited(0), Arc::default());
        let mut interpreter = Self { session, tool: name.into(), program, alive: AtRest::default(), ended, current };
        interpreter.rest(Box::new(alive));
        Ok(interpreter)
    }

    /// The session that it belongs to.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Bytes of memory that are its own and not shared with an image: pages that it wrote, or that an earlier process
    /// wrote in the same slot. `None` if it has ended, or memory is not copy on write.
    pub fn private_memory(&self) -> Option<u64> {
        let bytes = self.alive.get()?.memory.as_ref()?.private_bytes().ok()?;
        Some(bytes as u64)
    }

    /// A handle that interrupts what it evaluates, from another task. It also interrupts the interpreter that replaces
    /// this one after [`reset`](Self::reset) or [`restore`](Self::restore).
    pub fn interrupter(&self) -> Interrupter {
        Interrupter(self.current.clone())
    }

    /// Ends it, and starts a fresh one in its place: nothing that was defined is there any more. The session's files
    /// stay.
    ///
    /// # Errors
    /// Those of [`Session::interpreter`]; the interpreter has ended then.
    pub async fn reset(&mut self) -> Result<(), InterpreterError> {
        self.end();
        let fresh = self.session.interpreter(&self.tool).await?;
        self.become_this(fresh);
        Ok(())
    }

    /// Ends it. Its place is free when this returns.
    pub(crate) fn end(&mut self) {
        self.alive = AtRest::default();
        self.ended = ExitStatus::Signaled(Signal::Kill);
    }

    /// Continues as another interpreter, for the same interrupters.
    pub(crate) fn become_this(&mut self, other: Self) {
        let current = self.current.clone();
        *self = Self { current, ..other };
    }

    /// How it ended, if it did: it hit a limit, or the code it ran broke it.
    pub fn ended(&self) -> Option<ExitStatus> {
        self.alive.get().is_none().then_some(self.ended)
    }
}

/// What an interpreter must know when it starts or resumes, without new entropy and handles.
pub(crate) fn setting(ctx: &ProcessCtx, resumed: bool) -> Setting {
    let mut environment = Vec::new();
    for variable in ctx.environment.iter() {
        environment.extend_from_slice(variable);
        environment.push(0);
    }
    let signal_flags = ctx.signal_flags.any();
    Setting { environment, working_directory: None, entropy: None, handles: Vec::new(), resumed, signal_flags }
}

/// What the interpreter's process can reach.
fn context(
    state: &SessionState,
    spawner: &Arc<Spawner>,
    process: &Arc<Process>,
    name: &str,
    [stdout, stderr]: [&Arc<EvaluationOutput>; 2],
    environment: Vec<Vec<u8>>,
    from: Option<&ClockAndRandom>,
) -> Result<ProcessCtx, InterpreterError> {
    let sink = |output: &Arc<EvaluationOutput>, number| Description::sink(output.clone() as Arc<dyn OutputSink>, number);
    let request = SpawnRequest {
        program: format!("{PATH}/{name}"),
        arguments: vec![name.as_bytes().to_vec()],
        environment,
        working_directory: HOME.to_owned(),
        descriptors: vec![(0, Description::reader(pipe().0, 0, false)), (1, sink(stdout, 1)), (2, sink(stderr, 2))],
        ignore_broken_pipe: true,
        attributes: Attributes::default(),
    };
    let tool = state.shared.tools.get(name).ok_or_else(|| InterpreterError::NotInterpreter { tool: name.to_owned() })?;
    process.narrow(&tool.rights);
    process.signals().set_quiet_pipes(request.ignore_broken_pipe);
    let mut ctx = spawner.context(process, tool, &process.rights(), request).map_err(|source| InterpreterError::NotStarted { source })?;
    ctx.hide_environment = true;
    if let Some(from) = from {
        ctx.random = from.random.fork();
        if let Some((lockstep, elapsed)) = state.lockstep.as_ref().zip(from.elapsed) {
            lockstep.time().reach(elapsed);
        }
    }
    Ok(ctx)
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

impl std::fmt::Debug for Interrupter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Interrupter").finish_non_exhaustive()
    }
}

impl std::fmt::Debug for Interpreter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Interpreter").field("session", &self.session.id()).field("ended", &self.ended()).finish_non_exhaustive()
    }
}
