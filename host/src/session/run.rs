//! A session, and running commands in it.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::time::{Duration, Instant};

use bytes::Bytes;
use tokio::io::AsyncReadExt;
use tracing::Instrument;

use super::artifact::{Collected, collect, is_empty};
use super::command::{Command, Input};
use super::engine::Engine;
use super::error::RunError;
use super::lockstep::Lockstep;
use super::memory::MemoryAccount;
use super::outcome::{Outcome, Usage};
use super::output::{Channel, Outlet};
use super::receipt::Receipts;
use super::running::Running;
use super::spawn::Spawner;
use super::terminal;
use super::tool::Tool;
use crate::net::Net;
use crate::policy::Policy;
use crate::process::{Attributes, ExitStatus, Process, ProcessTable, Signal, SpawnError, SpawnRequest, pipe};
use crate::vfs::{FileType, Fs, FsError, Stat};
use crate::wasi::{Description, Facts, Labels, OpenDescription, ProcessClock, ProcessRandom};
use crate::world::ComponentWorld;

/// The user's home, and the working directory of commands that name none.
pub(super) const HOME: &str = "/home/user";

/// Where programs are looked up.
const PATH: &str = "/usr/bin";

/// How long the rest of streamed output is offered to its reader after a limit or an interrupt ended the command. Without
/// an end to it, a reader that hangs would keep the session's task for ever, whatever `limits.wall` says.
const LINGER: Duration = Duration::from_secs(2);

/// Bytes read from an input stream at a time.
const CHUNK: usize = 64 << 10;

/// What all processes of a session share.
pub(super) struct SessionState {
    pub id: String,
    pub engine: Engine,
    pub policy: Arc<Policy>,
    pub fs: Fs,
    /// What its filesystem began with: what came with wisp, and the mounts.
    pub base: crate::vfs::Snapshot,
    pub processes: Arc<ProcessTable>,
    pub tools: Arc<BTreeMap<String, Arc<Tool>>>,
    pub labels: Arc<Labels>,
    pub facts: Arc<Facts>,
    pub receipts: Arc<Receipts>,
    pub memory: Arc<MemoryAccount>,
    pub start: Instant,
    pub commands: AtomicU64,
    /// The commands that run now.
    pub running: Mutex<Vec<Weak<Running>>>,
    pub world: String,
    /// Its way out, if the policy grants one.
    pub net: Option<Net>,
    pub environment: OnceLock<Vec<Vec<u8>>>,
    /// What runs the processes where the policy is deterministic.
    pub lockstep: Option<Arc<Lockstep>>,
}

impl SessionState {
    pub(super) fn clock(&self) -> ProcessClock {
        match self.policy.determinism() {
            Some(fixed) => ProcessClock::virtual_from(fixed.clock),
            None => ProcessClock::host(self.start),
        }
    }

    pub(super) fn random(&self, pid: u32) -> ProcessRandom {
        match self.policy.determinism() {
            Some(fixed) => ProcessRandom::seeded(fixed.seed, u64::from(pid)),
            None => ProcessRandom::host(),
        }
    }
}

/// The state of a session's filesystem at one time. Cheap: it shares everything with the session until one changes.
#[derive(Clone)]
pub struct Snapshot(crate::vfs::Snapshot);

/// A conversation's sandbox: one filesystem, one policy, and the commands that run in it. Cheap to clone; commands may
/// run at the same time.
#[derive(Clone)]
pub struct Session(pub(super) Arc<SessionState>);

/// Ends a command's processes when whoever waits for it goes away.
pub(super) struct EndOnDrop(pub Arc<Running>);

impl Drop for EndOnDrop {
    fn drop(&mut self) {
        self.0.end_all(ExitStatus::Signaled(Signal::Kill));
    }
}

impl Session {
    /// The session's id, as in its receipts.
    pub fn id(&self) -> &str {
        &self.0.id
    }

    /// The policy, with what the builder changed.
    pub fn policy(&self) -> &Policy {
        &self.0.policy
    }

    /// Its filesystem.
    pub fn fs(&self) -> &Fs {
        &self.0.fs
    }

    /// What every component may import.
    pub fn worlds(&self) -> impl Iterator<Item = &ComponentWorld> {
        self.0.tools.values().map(|tool| &tool.world)
    }

    /// The state of the filesystem now. Constant time.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot(self.0.fs.snapshot())
    }

    /// Put the filesystem back to a snapshot of this session's. Constant time. Mounted directories of the host are as
    /// they are; what an overlay held in memory goes back too.
    pub fn restore(&self, snapshot: &Snapshot) {
        self.0.fs.restore(&snapshot.0);
    }

    /// Compile or map every tool's machine code now, so that no command waits for it.
    ///
    /// # Errors
    /// When a component cannot be compiled.
    pub async fn prepare(&self) -> Result<(), super::SessionError> {
        for tool in self.0.tools.values() {
            tool.program(&self.0.engine).await?;
        }
        Ok(())
    }

    /// Have memories and instances ready for every tool.
    pub(super) async fn fill(&self, count: usize) -> Result<(), super::SessionError> {
        for tool in self.0.tools.values() {
            let program = tool.program(&self.0.engine).await?;
            // Not having them costs the first processes time, nothing else.
            if let Err(error) = program.fill(count) {
                tracing::warn!(tool = tool.name, %error, "no memories could be made ready");
            }
            if program.is_interpreter() {
                self.first_cells(&tool.name, count).await;
            }
            for _ in 0..count {
                program.make_ready();
            }
        }
        Ok(())
    }

    /// Evaluate a first cell in each of `count` interpreters: it touches what every cell does.
    async fn first_cells(&self, tool: &str, count: usize) {
        let mut kernels = Vec::new();
        for _ in 0..count {
            kernels.extend(self.kernel(tool).await);
        }
        for kernel in &mut kernels {
            // What goes wrong here, the caller's own first cell will say.
            let _ = kernel.eval("None").await;
        }
    }

    /// The tools, and whether the machine code of each is at hand.
    pub fn compiled(&self) -> Vec<(String, bool)> {
        let engine = &self.0.engine;
        let state = |tool: &Arc<Tool>| (tool.name.clone(), tool.is_compiled(engine).unwrap_or(false));
        self.0.tools.values().map(state).collect()
    }

    /// Compile every tool that has no machine code in the cache yet; what has is mapped when it is first needed.
    ///
    /// # Errors
    /// When a component cannot be compiled.
    pub async fn compile(&self) -> Result<(), super::SessionError> {
        for tool in self.0.tools.values() {
            if !tool.is_compiled(&self.0.engine)? {
                tool.program(&self.0.engine).await?;
            }
        }
        Ok(())
    }

    /// The commands that run.
    fn commands(&self) -> Vec<Arc<Running>> {
        let running = self.0.running.lock().unwrap_or_else(PoisonError::into_inner);
        running.iter().filter_map(Weak::upgrade).collect()
    }

    /// End every running command of the session as Ctrl-C does: their processes end with 130, what they wrote stays.
    pub fn interrupt(&self) {
        for running in self.commands() {
            running.end_all(ExitStatus::Signaled(Signal::Interrupt));
        }
    }

    /// Send SIGINT to the foreground processes of every running command of the session, as Ctrl-C at a terminal does. Those
    /// that do not handle or ignore it end.
    pub fn interrupt_foreground(&self) {
        for running in self.commands() {
            running.signal_foreground(Signal::Interrupt);
        }
    }

    /// Stop the foreground processes of every running command of the session, as Ctrl-Z at a terminal does. Only where the
    /// command's first process is a shell that takes care of what is stopped; whether that is so.
    pub fn stop_foreground(&self) -> bool {
        let mut cared = false;
        for running in self.commands() {
            if running.processes().first().is_some_and(|first| first.signals().handles(Signal::TerminalStop)) {
                running.signal_foreground(Signal::TerminalStop);
                cared = true;
            }
        }
        cared
    }

    /// Run a command until it has ended, and its output is closed by every process that holds it. Processes that are
    /// left then (started with `&`, their output elsewhere) are ended; all of them as soon as the first process has hit a limit.
    ///
    /// Dropping the future ends the command.
    ///
    /// # Errors
    /// When the program does not exist or cannot start. What the guest itself does wrong is in the outcome.
    pub async fn run(&self, command: Command) -> Result<Outcome, RunError> {
        let span = tracing::info_span!("session", id = self.0.id, policy = self.0.policy.name());
        self.run_inner(command).instrument(span).await
    }

    async fn run_inner(&self, command: Command) -> Result<Outcome, RunError> {
        let session = &self.0;
        let began = Instant::now();
        let limits = *session.policy.limits();
        let running = self.begin(None, command.timeout);
        let (program, environment, directory) =
            self.prepare_start(command.program.clone(), command.environment, command.working_directory).await?;
        let _present = session.lockstep.as_ref().map(Lockstep::command);
        let (stdout, mut out) = Outlet::open(&running, Channel::Stdout, limits.stdout, command.stdout);
        let (stderr, mut err) = match command.stdin {
            // A terminal is one place: what is written there arrives in the order it was written.
            Input::Terminal(_) => (stdout.clone(), Outlet::shared()),
            _ => Outlet::open(&running, Channel::Stderr, limits.stderr, command.stderr),
        };
        let (stdin, pump) = match command.stdin {
            Input::Terminal(terminal) => {
                let told = Arc::downgrade(&stderr);
                running.attend(move |text| {
                    // Who has closed the descriptor is not told.
                    told.upgrade().map(|stderr| stderr.try_write(&mut Bytes::copy_from_slice(text.as_bytes())));
                });
                let (reader, writer) = pipe();
                let pump = tokio::spawn(terminal::feed(terminal, writer, out.take_watch(), running.clone()));
                (Description::reader(reader, 0, true), Some(pump))
            }
            input => open_input(input, session.lockstep.as_ref()),
        };
        let mut descriptors = vec![(0, stdin), (1, stdout), (2, stderr)];
        descriptors.extend(command.descriptors);
        let request = SpawnRequest {
            program: program.clone(),
            arguments: command.arguments,
            environment,
            working_directory: directory,
            descriptors,
            ignore_broken_pipe: false,
            attributes: Attributes::default(),
        };
        let spawner = Spawner::new(session, &running);
        let first = spawner.start(0, request).await.map_err(|reason| self.not_started(command.program, reason))?;
        // From here on the clock of `limits.wall` runs: preparing machine code is not the command's fault.
        running.start_clock();
        let guard = EndOnDrop(running.clone());
        let status = watch(&running, &first, &mut out, &mut err).await;
        // What ended the command as a whole is what it came to, though its first process may have ended before.
        let ended = running.ended();
        let status = ended.unwrap_or(status);
        drop(guard);
        // A process that was starting another one while both were ended leaves one more to wait for.
        while let Some(process) = running.processes().first() {
            process.wait().await;
        }
        // Every descriptor is closed now, so this waits for nothing but a reader of streamed output: as long as it likes
        // after a command that ended by itself, not after one whose time is over.
        let taken = async {
            out.closed().await;
            err.closed().await;
        };
        match ended {
            Some(_) => drop(tokio::time::timeout(LINGER, taken).await),
            None => taken.await,
        }
        if let Some(pump) = pump {
            pump.abort();
        }
        Ok(self.outcome(&running, status, began, out.bytes(), err.bytes()).await)
    }

    /// A command, or a cell of the group of an earlier one, begins: from now on it can be interrupted.
    pub(super) fn begin(&self, group: Option<u64>, timeout: Option<Duration>) -> Arc<Running> {
        let session = &self.0;
        let group = group.unwrap_or_else(|| session.commands.fetch_add(1, Ordering::Relaxed) + 1);
        let running = Running::new(group, session.policy.clone(), session.processes.clone(), session.receipts.clone(), timeout);
        let mut commands = session.running.lock().unwrap_or_else(PoisonError::into_inner);
        commands.retain(|running| running.strong_count() > 0);
        commands.push(Arc::downgrade(&running));
        drop(commands);
        session.memory.take_peak();
        running
    }

    /// Program path, environment and working directory, each checked.
    async fn prepare_start(
        &self,
        program: String,
        own: Vec<(String, Vec<u8>)>,
        directory: Option<String>,
    ) -> Result<(String, Vec<Vec<u8>>, String), RunError> {
        let directory = directory.unwrap_or_else(|| HOME.to_owned());
        let enter = |reason| RunError::WorkingDirectory { path: directory.clone(), reason };
        if self.stat(directory.clone()).await.map_err(enter)?.kind != FileType::Directory {
            return Err(enter(FsError::NotDirectory));
        }
        let program = if program.contains('/') {
            program
        } else {
            let path = format!("{PATH}/{program}");
            if self.stat(path.clone()).await.is_err() {
                return Err(self.not_started(program, SpawnError::NotFound));
            }
            path
        };
        let environment =
            if own.is_empty() && directory == HOME { self.default_environment().to_vec() } else { environment(&self.0, own, &directory) };
        Ok((program, environment, directory))
    }

    /// The environment of what starts in the home directory with no variables of its own.
    pub(super) fn default_environment(&self) -> &[Vec<u8>] {
        self.0.environment.get_or_init(|| environment(&self.0, Vec::new(), HOME))
    }

    /// Facts about the file at `path`, from a blocking thread if it is the host's.
    async fn stat(&self, path: String) -> Result<Stat, FsError> {
        let (fs, root) = (self.0.fs.clone(), self.0.fs.root());
        let host = fs.is_host(&root, &path);
        let stat = move || fs.stat(&root, &path, true);
        if host { tokio::task::spawn_blocking(stat).await.unwrap_or(Err(FsError::Io)) } else { stat() }
    }

    fn not_started(&self, program: String, reason: SpawnError) -> RunError {
        match reason {
            SpawnError::NotFound => {
                let tools = self.0.tools.keys().cloned().collect::<Vec<_>>().join(", ");
                RunError::NotFound { program, reason, tools }
            }
            _ => RunError::NotStarted { program, reason },
        }
    }

    /// What it came to.
    pub(super) async fn outcome(&self, running: &Running, status: ExitStatus, began: Instant, stdout: Vec<u8>, stderr: Vec<u8>) -> Outcome {
        let session = &self.0;
        let output = session.policy.output();
        let (fs, labels) = (session.fs.clone(), session.labels.clone());
        let (max_files, max_bytes) = (output.max_files, output.max_bytes);
        // Hundreds of megabytes are put together here, which no other session shall wait for; most commands leave nothing.
        let host = fs.is_host(&fs.root(), labels.directory());
        let collected = if host || !is_empty(&fs, &labels) {
            let collecting = move || collect(&fs, &labels, max_files, max_bytes);
            tokio::task::spawn_blocking(collecting).await.unwrap_or_default()
        } else {
            Collected::default()
        };
        Outcome {
            status,
            stdout,
            stderr,
            files: collected.files,
            files_left_out: collected.left_out,
            execution_time: began.elapsed(),
            usage: Usage { cpu: running.cpu(), peak_memory: session.memory.take_peak(), processes: running.started() },
            limit: running.limit_hit(),
            receipts: session.receipts.take(),
            world: session.world.clone(),
        }
    }
}

/// Wait for the first process, then for its output to close; when its time is over the command ends. A person who has left
/// a shell does not wait for what runs in its background, and nobody for what a first process that hit a limit has started: a
/// fork bomb would go on until the time is over.
async fn watch(running: &Running, first: &Process, out: &mut Outlet, err: &mut Outlet) -> ExitStatus {
    let ended = async {
        let status = first.wait().await;
        let stopped = status == ExitStatus::Signaled(Signal::Kill) && running.limit_hit().is_some();
        if !running.attended() && !stopped {
            out.closed().await;
            err.closed().await;
        }
        status
    };
    tokio::pin!(ended);
    while running.ended().is_none() {
        tokio::select! {
            biased;
            status = &mut ended => return status,
            () = running.time_over() => running.hit_time("limits.wall"),
        }
    }
    first.wait().await
}

/// The variables of a command: ours, the policy's over them, its own over these.
fn environment(session: &SessionState, own: Vec<(String, Vec<u8>)>, directory: &str) -> Vec<Vec<u8>> {
    let mut variables: BTreeMap<String, Vec<u8>> = [
        ("HOME", HOME),
        ("LANG", "C.UTF-8"),
        ("LOGNAME", "user"),
        ("PATH", PATH),
        ("SHELL", "/usr/bin/sh"),
        ("TERM", "dumb"),
        ("TMPDIR", "/tmp"),
        ("USER", "user"),
    ]
    .map(|(name, value)| (name.to_owned(), value.as_bytes().to_vec()))
    .into();
    let placeholders = session.net.iter().flat_map(Net::placeholders);
    variables.extend(placeholders.map(|(name, value)| (name.to_owned(), value.as_bytes().to_vec())));
    variables.extend(session.policy.env().iter().map(|(name, value)| (name.clone(), value.clone().into_bytes())));
    variables.extend(own);
    variables.insert("PWD".to_owned(), directory.as_bytes().to_vec());
    variables.into_iter().map(|(name, value)| [name.as_bytes(), b"=", value.as_slice()].concat()).collect()
}

/// The description of a command's standard input, and the task that feeds it.
fn open_input(input: Input, lockstep: Option<&Arc<Lockstep>>) -> (OpenDescription, Option<tokio::task::JoinHandle<()>>) {
    let (reader, writer) = pipe();
    match input {
        Input::Empty | Input::Terminal(_) => (Description::reader(reader, 0, false), None),
        Input::Bytes(bytes) => {
            // A reader that leaves early is no error: `head -1` does.
            let pump = async move {
                let _ = writer.write_all(bytes).await;
            };
            let pump = match lockstep {
                // It ends with its reader.
                Some(lockstep) => {
                    lockstep.spawn(pump);
                    None
                }
                None => Some(tokio::spawn(pump)),
            };
            (Description::reader(reader, 0, false), pump)
        }
        Input::Stream { mut stream, terminal } => {
            let pump = tokio::spawn(async move {
                let mut buffer = vec![0; CHUNK];
                loop {
                    let read = tokio::select! {
                        read = stream.read(&mut buffer) => read,
                        () = writer.broken() => return,
                    };
                    match read {
                        Ok(count) if count > 0 => {
                            if writer.write_all(Bytes::copy_from_slice(&buffer[..count])).await.is_err() {
                                return;
                            }
                        }
                        _ => return,
                    }
                }
            });
            (Description::reader(reader, 0, terminal), Some(pump))
        }
    }
}
