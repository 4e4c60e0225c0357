//! Starting interpreters.

use std::sync::Arc;

use crate::exec::command_run::EndOnDrop;
use crate::exec::execution::{Ended, Execution};
use crate::exec::lockstep::Lockstep;
use crate::exec::output::Channel;
use crate::exec::session_state::SessionState;
use crate::exec::spawn::Spawner;
use crate::interpreter::alive::Alive;
use crate::interpreter::error::InterpreterError;
use crate::interpreter::evaluation::EvaluationOutput;
use crate::interpreter::handle::Interpreter;
use crate::interpreter::rest::Seat;
use crate::program::instances::{Entry, Made, Source};
use crate::program::linked::Program;
use crate::program::memory::ProcessMemory;
use crate::program::tenancy::Begun;
use crate::runtime::WasmtimeError;
use crate::session::handle::Session;
use crate::wasi::bindings::interpreter::exports::wisp::sandbox::evaluation::Setting;
use crate::wasi::{Description, OutputSink, ProcessCtx, ProcessRandom, WasiState};
use wisp_api::ReceiptKind;
use wisp_policy::layout::{HOME, PATH};
use wisp_process::{Attributes, Process, Signal, SignalSet, SpawnRequest, pipe};

/// Bytes of entropy that an interpreter receives for its random generators.
const ENTROPY: usize = 32;

/// What an interpreter starts from.
pub(crate) struct Origin<'a> {
    pub source: &'a Arc<Source>,
    /// Whether it resumes from a snapshot, and so has the number of a handle of the root directory.
    pub resumed: bool,
}

/// How far virtual time and a process's random stream had come at one moment.
pub(crate) struct ClockAndRandom {
    /// Nanoseconds; `None` where time is the host's.
    pub elapsed: Option<u64>,
    pub random: ProcessRandom,
}

impl Session {
    /// Makes a live Python interpreter: `python3` of this session.
    ///
    /// A fresh one costs a tenth of a millisecond, so one for each call is affordable.
    ///
    /// ```
    /// # #[tokio::main] async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let session = wisp::Engine::new(wisp_built::components())?.session(&wisp::Policy::offline()).build().await?;
    /// let mut python = session.python().await?;
    /// python.eval("import math; radius = 2").await?;
    /// let area = python.eval("round(math.pi * radius ** 2, 2)").await?;
    /// assert_eq!(area.value.as_deref(), Some("12.57"));
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// If the policy does not allow `python3`, it cannot start, or the session is closed.
    pub async fn python(&self) -> Result<Interpreter, InterpreterError> {
        self.interpreter("python3").await
    }

    /// Returns the live interpreter `tool`: a tool that exports `wisp:sandbox/evaluation`.
    ///
    /// # Errors
    /// If the policy does not allow it, it is not an interpreter, it cannot start, or the session is closed.
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
        Interpreter::make(self.clone(), program.clone(), tool, origin, None).await
    }

    /// Refuses what interpreters do in a closed session.
    ///
    /// # Errors
    /// If it is closed.
    pub(crate) fn must_be_open(&self) -> Result<(), InterpreterError> {
        if self.is_closed() { Err(InterpreterError::Closed { session: self.id().to_owned() }) } else { Ok(()) }
    }
}

impl Interpreter {
    /// Makes the process and its instance. No guest code runs before the first evaluation. Clock and randomness
    /// continue from `from` if it is given.
    pub(crate) async fn make(
        session: Session,
        program: Arc<Program>,
        name: &str,
        origin: Origin<'_>,
        from: Option<&ClockAndRandom>,
    ) -> Result<Self, InterpreterError> {
        session.must_be_open()?;
        let made = Self::make_open(session.clone(), program, name, origin, from).await;
        // Closed in the meantime, it has ended.
        session.must_be_open().and(made)
    }

    async fn make_open(
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
        // After the row: who closes the session either sees the row, or is seen here.
        session.must_be_open()?;
        let permit = state.shared.room.clone().try_acquire_owned().map_err(|_| InterpreterError::Full)?;
        let (stdout, stderr) = (
            EvaluationOutput::new(Channel::Stdout, limits.stdout, running.clone()),
            EvaluationOutput::new(Channel::Stderr, limits.stderr, running.clone()),
        );
        let process = row.process().clone();
        process.shown().began_at(state.now());
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
        let seat = Seat::new(&session);
        seat.rest(Box::new(alive));
        Ok(Self { session, tool: name.into(), program, seat, command: running })
    }
}

/// Returns what an interpreter must know when it starts or resumes, without new entropy and handles.
pub(crate) fn setting(ctx: &ProcessCtx, resumed: bool) -> Setting {
    let mut environment = Vec::new();
    for variable in ctx.environment.iter() {
        environment.extend_from_slice(variable);
        environment.push(0);
    }
    let signal_flags = ctx.signal_flags.any();
    Setting { environment, working_directory: None, entropy: None, handles: Vec::new(), resumed, signal_flags }
}

/// Adds what the interpreter's process can reach.
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
    process.shown().runs(name, &ctx.arguments);
    if let Some(from) = from {
        ctx.random = from.random.fork();
        if let Some((lockstep, elapsed)) = state.lockstep.as_ref().zip(from.elapsed) {
            lockstep.time().reach(elapsed);
        }
    }
    Ok(ctx)
}
