//! Running commands in a session.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use tracing::Instrument;

use crate::exec::command::{Command, Input};
use crate::exec::command_run::{EndOnDrop, Running};
use crate::exec::environment::environment;
use crate::exec::error::RunError;
use crate::exec::input::open_input;
use crate::exec::lockstep::Lockstep;
use crate::exec::output::{Channel, Outlet};
use crate::exec::spawn::Spawner;
use crate::exec::terminal;
use crate::outcome::artifact::{Collected, collect, is_empty};
use crate::outcome::document::{LimitDocument, UsageDocument, milliseconds};
use crate::outcome::event::Happening;
use crate::outcome::receipt::text;
use crate::outcome::result::{Outcome, Usage};
use crate::session::handle::Session;
use crate::wasi::Description;
use wisp_policy::layout::{HOME, PATH};
use wisp_process::{Attributes, ExitStatus, Process, Signal, SpawnError, SpawnRequest, pipe};
use wisp_vfs::{FileType, FsError, Stat};

/// How long streamed output is still offered to its reader after a limit or an interrupt ended the command. Without
/// this bound, a reader that hangs would keep the session's task forever, whatever `limits.wall` says.
const LINGER: Duration = Duration::from_secs(2);

impl Session {
    /// Runs a command until it has ended and every process that holds its output has closed it. Processes that remain
    /// then (started with `&`, with other output) are ended. If the first process hits a limit, all processes are ended
    /// immediately.
    ///
    /// Dropping the future ends the command.
    ///
    /// # Errors
    /// If the program does not exist or cannot start. The guest's own errors are in the outcome.
    pub async fn run(&self, command: Command) -> Result<Outcome, RunError> {
        let span = tracing::info_span!("session", id = self.state.id, policy = self.state.shared.policy.name());
        self.run_inner(command).instrument(span).await
    }

    async fn run_inner(&self, command: Command) -> Result<Outcome, RunError> {
        let session = &self.state;
        let began = Instant::now();
        let limits = *session.shared.policy.limits();
        let running = self.begin(None, command.timeout);
        let (program, environment, directory) =
            self.prepare_start(command.program.clone(), command.environment, command.working_directory).await?;
        session.receipts.tell(|| {
            let words = command.arguments.iter().map(|word| String::from_utf8_lossy(word)).collect::<Vec<_>>();
            Happening::Start { command: text(&words.join(" ")) }
        });
        let _present = session.lockstep.as_ref().map(Lockstep::command);
        self.prepare_for_lockstep().await;
        let (stdout, mut out) = Outlet::open(&running, Channel::Stdout, limits.stdout, command.stdout, session.lockstep.as_ref());
        let (stderr, mut err) = match command.stdin {
            // A terminal is one place: both streams arrive in the order in which they were written.
            Input::Terminal(_) => (stdout.clone(), Outlet::shared()),
            _ => Outlet::open(&running, Channel::Stderr, limits.stderr, command.stderr, session.lockstep.as_ref()),
        };
        let (stdin, pump) = match command.stdin {
            Input::Terminal(terminal) => {
                let told = Arc::downgrade(&stderr);
                running.attend(move |text| {
                    // Ignored if the descriptor is closed.
                    told.upgrade().map(|stderr| stderr.try_write(&mut Bytes::copy_from_slice(text.as_bytes())));
                });
                let (reader, writer) = pipe();
                let input = session.lockstep.as_ref().map(|lockstep| lockstep.input(writer.watch()));
                let feed = terminal::feed(terminal, writer, out.take_watch(), running.clone());
                let pump = tokio::spawn(async move {
                    let _input = input;
                    feed.await;
                });
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
        let first = spawner.start(None, request).await.map_err(|reason| self.not_started(command.program, reason))?;
        // The clock of `limits.wall` starts here: the command does not pay for preparing machine code.
        let clock = running.clock();
        let guard = EndOnDrop(running.clone());
        let status = watch(&running, &first, &mut out, &mut err).await;
        drop(clock);
        // What ended the command as a whole decides its result, even if its first process ended earlier.
        let ended = running.ended();
        let status = ended.unwrap_or(status);
        drop(guard);
        // A process that was starting another one when both were ended leaves one more to wait for.
        while let Some(process) = running.processes().first() {
            process.wait().await;
        }
        // Every descriptor is closed now, so this waits only for the reader of streamed output: without a bound after a
        // command that ended by itself, and for [`LINGER`] after one that was ended.
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

    /// Begins a command, or another evaluation of an earlier one. It can be interrupted from now on.
    pub(crate) fn begin(&self, command: Option<u64>, timeout: Option<Duration>) -> Arc<Running> {
        let session = &self.state;
        let command = command.unwrap_or_else(|| session.commands.number());
        let running = Running::new(
            command,
            session.shared.policy.clone(),
            session.processes.clone(),
            session.receipts.clone(),
            session.shared.ticker.clone(),
            timeout,
        );
        session.commands.begin(&running);
        session.memory.take_peak();
        running
    }

    /// Finds program path, environment and working directory, and checks each.
    async fn prepare_start(
        &self,
        program: String,
        own: Vec<(String, Vec<u8>)>,
        directory: Option<String>,
    ) -> Result<(String, Vec<Vec<u8>>, String), RunError> {
        let directory = match directory {
            Some(path) if path.starts_with('/') => path,
            // `.` is the home directory itself.
            Some(path) => path.split('/').filter(|part| !["", "."].contains(part)).fold(HOME.to_owned(), |at, part| at + "/" + part),
            None => HOME.to_owned(),
        };
        let enter = |source| RunError::WorkingDirectory { path: directory.clone(), source };
        if self.stat(directory.clone()).await.map_err(enter)?.kind != FileType::Directory {
            return Err(enter(FsError::NotDirectory));
        }
        let program = self.find_program(program).await?;
        let environment = if own.is_empty() && directory == HOME {
            self.default_environment().to_vec()
        } else {
            environment(&self.state, own, &directory)
        };
        Ok((program, environment, directory))
    }

    /// The path of a program: a name is looked up in PATH.
    pub(crate) async fn find_program(&self, program: String) -> Result<String, RunError> {
        if program.contains('/') {
            return Ok(program);
        }
        let path = format!("{PATH}/{program}");
        match self.stat(path.clone()).await {
            Ok(_) => Ok(path),
            Err(_) => Err(self.not_started(program, SpawnError::NotFound)),
        }
    }

    /// The environment of what starts in the home directory with no variables of its own.
    pub(crate) fn default_environment(&self) -> &[Vec<u8>] {
        self.state.environment.get_or_init(|| environment(&self.state, Vec::new(), HOME))
    }

    /// Facts about the file at `path`, read on a blocking thread if the file is the host's.
    async fn stat(&self, path: String) -> Result<Stat, FsError> {
        let (fs, root) = (self.state.fs.clone(), self.state.fs.root());
        let host = fs.is_host(&root, &path);
        let stat = move || fs.stat(&root, &path, true);
        if host { crate::meter::blocking(stat).await.unwrap_or(Err(FsError::Io)) } else { stat() }
    }

    fn not_started(&self, program: String, source: SpawnError) -> RunError {
        match source {
            SpawnError::NotFound => {
                let tools = self.state.shared.tools.keys().cloned().collect::<Vec<_>>().join(", ");
                RunError::NotFound { program, source, tools }
            }
            _ => RunError::NotStarted { program, source },
        }
    }

    /// Puts the outcome together.
    pub(crate) async fn outcome(&self, running: &Running, status: ExitStatus, began: Instant, stdout: Vec<u8>, stderr: Vec<u8>) -> Outcome {
        let session = &self.state;
        let output = session.shared.policy.output();
        let (fs, labels) = (session.fs.clone(), session.labels.clone());
        let (max_files, max_bytes) = (output.max_files, output.max_bytes);
        // This may build hundreds of megabytes, which must not delay other sessions; most commands leave nothing.
        let host = fs.is_host(&fs.root(), labels.directory());
        let collected = if host || !is_empty(&fs, &labels) {
            let collecting = move || collect(&fs, &labels, max_files, max_bytes);
            crate::meter::blocking(collecting).await.unwrap_or_default()
        } else {
            Collected::default()
        };
        let taken = session.receipts.take();
        let (execution_time, limit) = (began.elapsed(), running.limit_hit());
        let usage = Usage { cpu: running.cpu(), peak_memory: session.memory.take_peak(), processes: running.started() };
        session.receipts.tell(|| Happening::End {
            exit_code: status.code(),
            execution_time_ms: milliseconds(execution_time),
            usage: UsageDocument::of(&usage),
            limit: limit.as_ref().map(LimitDocument::of),
        });
        Outcome {
            status,
            stdout,
            stderr,
            files: collected.files,
            files_left_out: collected.left_out,
            execution_time,
            usage,
            limit,
            receipts: taken.receipts,
            receipts_left_out: taken.left_out,
            world: session.shared.world.clone(),
        }
    }
}

/// Waits for the first process, then for its output to close. If the command is ended as a whole, it waits for the
/// first process only. It also does not wait for background processes of an interactive shell that has ended, nor for
/// processes of a first process that hit a limit: a fork bomb would run until the time is over.
async fn watch(running: &Running, first: &Process, out: &mut Outlet, err: &mut Outlet) -> ExitStatus {
    let ended = async {
        let status = first.wait().await;
        let stopped = status == ExitStatus::Signaled(Signal::Kill) && running.limit_hit().is_some_and(|hit| hit.ended);
        if !running.attended() && !stopped {
            out.closed().await;
            err.closed().await;
        }
        status
    };
    tokio::select! {
        biased;
        status = ended => status,
        () = running.wait_ended() => first.wait().await,
    }
}
