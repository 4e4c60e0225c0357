//! Snapshots of live interpreters: taking them, forking them, restoring them.

use std::sync::Arc;

use crate::interpreter::alive::Alive;
use crate::interpreter::error::InterpreterError;
use crate::interpreter::handle::Interpreter;
use crate::interpreter::start::{ClockAndRandom, Origin, setting};
use crate::meter::run_blocking;
use crate::program::instances::Source;
use crate::program::linked::Program;
use crate::runtime::memory::{Image, MemoryShape, SlotPool};
use crate::session::handle::Session;
use crate::wasi::{Labels, WasiState};
use wisp_api::ReceiptKind;

/// A live interpreter and its session's filesystem at one moment. Cheap to clone and to fork: forks share the memory
/// that they do not change.
#[derive(Clone)]
pub struct InterpreterSnapshot(pub(crate) Arc<Frozen>);

pub(crate) struct Frozen {
    pub session: Session,
    pub program: Arc<Program>,
    pub name: String,
    pub fs: wisp_vfs::Snapshot,
    pub labels: Labels,
    pub shape: MemoryShape,
    pub memory: Arc<SlotPool>,
    /// What its forks start with: `memory`.
    pub source: Arc<Source>,
    pub clock_and_random: ClockAndRandom,
    pub not_carried: Vec<String>,
}

impl Interpreter {
    /// Takes a snapshot of the interpreter and its session's filesystem: functions, classes, instances, suspended
    /// generators, open files of the session. [`InterpreterSnapshot::not_carried`] names what a snapshot cannot carry.
    ///
    /// The cost grows with the memory that was written, and is paid once; forks of the snapshot cost next to nothing.
    /// The interpreter stays alive, unless the future is dropped ([what dropping does](crate#what-dropping-does)).
    ///
    /// ```
    /// # #[tokio::main] async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let session = wisp::Engine::new(wisp_built::components())?.session(&wisp::Policy::offline()).build().await?;
    /// # let mut python = session.python().await?;
    /// python.eval("rows = [3, 1, 2]").await?;
    /// let checkpoint = python.snapshot().await?;
    /// python.eval("rows.clear()").await?;
    /// let mut fork = checkpoint.fork().await?;
    /// assert_eq!(fork.eval("sorted(rows)").await?.value.as_deref(), Some("[1, 2, 3]"));
    /// python.restore(&checkpoint).await?;
    /// assert_eq!(python.eval("len(rows)").await?.value.as_deref(), Some("3"));
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// If the interpreter has ended, still evaluates, holds what a copy could not have ([`InterpreterError::Holds`]; it stays alive),
    /// breaks while it gets ready, or this machine has no copy-on-write memory (`wisp doctor`).
    pub async fn snapshot(&mut self) -> Result<InterpreterSnapshot, InterpreterError> {
        if let Some(reason) = self.session.engine.memory_fallback() {
            return Err(InterpreterError::NoSnapshots { reason: reason.to_owned() });
        }
        let mut alive = self.wake()?;
        let not_carried = match self.park(&mut alive).await {
            Ok(not_carried) => not_carried,
            Err(error) => {
                if let InterpreterError::Holds { .. } = error {
                    // It is ready, and goes on as after a snapshot: the next evaluation restores what it released.
                    alive.setting = Some(setting(alive.store.data_mut().wasi().ctx, true));
                    self.seat.rest(alive);
                }
                return Err(error);
            }
        };
        let session = self.session.clone();
        let state = &session.state;
        let (fs, labels) = (state.fs.snapshot(), state.labels.fork(state.memory.clone()));
        let ctx = alive.store.data_mut().wasi().ctx;
        let clock_and_random =
            ClockAndRandom { elapsed: state.lockstep.as_ref().map(|lockstep| lockstep.time().elapsed()), random: ctx.random.fork() };
        let (mut alive, image) = freeze(alive).await?;
        let (shape, _) = self.program.source().image().ok_or_else(no_image)?;
        let (shape, name) = (*shape, (*alive.name()).to_owned());
        let space = alive.memory.as_ref().ok_or_else(no_image)?.space().clone();
        let memory = SlotPool::new(space, Arc::new(image));
        let source = self.program.source().of_snapshot(shape, memory.clone());
        // The next evaluation restores what the guest released.
        alive.setting = Some(setting(alive.store.data_mut().wasi().ctx, true));
        self.seat.rest(alive);
        Ok(InterpreterSnapshot(Arc::new(Frozen {
            session: session.unattached(),
            program: self.program.clone(),
            name,
            fs,
            labels,
            shape,
            memory,
            source,
            clock_and_random,
            not_carried,
        })))
    }

    /// Takes a snapshot and forks it `count` times. Each fork runs in a session of its own.
    ///
    /// ```
    /// # #[tokio::main] async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let session = wisp::Engine::new(wisp_built::components())?.session(&wisp::Policy::offline()).build().await?;
    /// # let mut python = session.python().await?;
    /// python.eval("base = 10").await?;
    /// for (number, fork) in python.fork(3).await?.iter_mut().enumerate() {
    ///     let value = fork.eval(format!("base += {number}; base")).await?.value;
    ///     assert_eq!(value, Some((10 + number).to_string()));
    /// }
    /// assert_eq!(python.eval("base").await?.value.as_deref(), Some("10"));
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// Those of [`Interpreter::snapshot`] and [`InterpreterSnapshot::fork`].
    pub async fn fork(&mut self, count: usize) -> Result<Vec<Self>, InterpreterError> {
        let snapshot = self.snapshot().await?;
        let mut children = Vec::with_capacity(count);
        for _ in 0..count {
            children.push(snapshot.fork().await?);
        }
        Ok(children)
    }

    /// Restores a snapshot: the session gets the snapshot's filesystem, and a new interpreter replaces this one, which
    /// may have ended.
    ///
    /// # Errors
    /// If the snapshot is of a session with other tools, the interpreter still evaluates, and those of [`InterpreterSnapshot::fork`].
    pub async fn restore(&mut self, snapshot: &InterpreterSnapshot) -> Result<(), InterpreterError> {
        if self.session.state.shared.world != snapshot.0.session.state.shared.world {
            return Err(InterpreterError::OtherWorld);
        }
        self.session.must_be_open()?;
        if let Some(evaluating) = self.seat.evaluating() {
            return Err(InterpreterError::Busy { evaluation: evaluating.id });
        }
        self.seat.give_up();
        self.session.state.fs.restore(&snapshot.0.fs);
        if let (Some(own), Some(other)) = (&self.session.state.net, &snapshot.0.session.state.net) {
            own.mask_also(other);
        }
        let thawed = snapshot.start_in(self.session.clone()).await?;
        self.become_this(thawed);
        Ok(())
    }

    /// Makes the guest release what a copy cannot have.
    async fn park(&self, alive: &mut Alive) -> Result<Vec<String>, InterpreterError> {
        if alive.setting.is_some() {
            // It must begin, or resume from an earlier snapshot, before it can release anything.
            self.call_begin(alive).await?;
        }
        let lost = self.call_park(alive).await?;
        let (roots, others) = alive.store.data_mut().wasi().handles();
        if roots != 1 || others != 0 {
            // The guest depends on handles that a copy would not have: refusing is better than a snapshot that breaks.
            return Err(InterpreterError::Holds { handles: others + roots.saturating_sub(1), not_carried: lost });
        }
        Ok(lost)
    }
}

fn no_image() -> InterpreterError {
    InterpreterError::NoSnapshots { reason: "its component has no image of memory".to_owned() }
}

/// Makes an image of the interpreter's memory. Takes ownership in the meantime: if the caller stops waiting, the interpreter
/// ends, and none of its code runs while its memory is read.
async fn freeze(alive: Box<Alive>) -> Result<(Box<Alive>, Image), InterpreterError> {
    let work = move || {
        let image = match &alive.memory {
            // SAFETY: this closure owns `alive` and the instance in it, so none of its code runs.
            Some(memory) => unsafe { memory.freeze() }.map_err(|source| InterpreterError::Freeze { source }),
            None => Err(no_image()),
        };
        image.map(|image| (alive, image))
    };
    run_blocking(work).await
}

impl InterpreterSnapshot {
    /// Returns what a fork does not have, a line each: running child processes, pipes, open files that were removed.
    pub fn not_carried(&self) -> &[String] {
        &self.0.not_carried
    }

    /// Returns the number of bytes of memory that a fork starts with.
    pub fn memory(&self) -> u64 {
        self.0.memory.image().size() as u64
    }

    /// Starts an interpreter from this snapshot, in a session and a filesystem of its own. Forks share only what none
    /// of them changes; host directories that are mounted for writing are the same for all of them.
    ///
    /// A fork gets fresh randomness, unless the policy is deterministic.
    ///
    /// # Errors
    /// If there is no room for another process, or its memory is more than the policy allows.
    pub async fn fork(&self) -> Result<Interpreter, InterpreterError> {
        let frozen = &self.0;
        self.start_in(frozen.session.sibling(&frozen.fs, &frozen.labels)).await
    }

    async fn start_in(&self, session: Session) -> Result<Interpreter, InterpreterError> {
        let frozen = &self.0;
        let state = &session.state;
        let origin = Origin { source: &frozen.source, resumed: true };
        let rule = state.shared.tools.get(&frozen.name).map(|tool| tool.rule.as_str()).unwrap_or_default();
        state.receipts.allowed(0, ReceiptKind::Fork, &frozen.name, rule);
        Interpreter::make(session.clone(), frozen.program.clone(), &frozen.name, origin, Some(&frozen.clock_and_random)).await
    }
}

impl std::fmt::Debug for InterpreterSnapshot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("InterpreterSnapshot")
            .field("memory", &self.memory())
            .field("not_carried", &self.not_carried())
            .finish_non_exhaustive()
    }
}
