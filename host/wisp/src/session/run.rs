//! Running commands in a session.

use std::mem;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use tokio::sync::watch;
use tracing::Instrument;

use crate::exec::command::Command;
use crate::exec::command_run::{CommandRun, EndOnDrop};
use crate::exec::environment::environment;
use crate::exec::error::RunError;
use crate::exec::launched::{Alive, Kept, Launched};
use crate::exec::lockstep::Lockstep;
use crate::exec::spawn::Spawner;
use crate::exec::started::{Started, Stdin};
use crate::exec::stdio::Stdio;
use crate::outcome::receipt::text;
use crate::session::handle::Session;
use crate::session::running::Running;
use wisp_api::{EventKind, Outcome};
use wisp_policy::layout::{HOME, SEARCH};
use wisp_process::{Attributes, SpawnError, SpawnRequest};
use wisp_vfs::{FileType, FsError, Stat};

/// The kind of terminal that [`Command::terminal`] is.
const TERM: &str = "xterm-256color";

impl Session {
    /// Runs a command until it has ended and every process that holds its output has closed it. Processes that remain
    /// then (started with `&`, with other output) are ended. If the first process hits a limit, all processes are ended
    /// immediately. [`Command::wait_for`] chooses another end.
    ///
    /// Dropping the future ends the command: it has no handle ([what dropping does](crate#what-dropping-does)).
    ///
    /// ```
    /// # #[tokio::main] async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let session = wisp::Engine::new(wisp_built::components())?.session(&wisp::Policy::offline()).build().await?;
    /// use wisp::Command;
    ///
    /// let outcome = session.run(Command::new("sort").stdin_bytes("pear\nfig\n")).await?;
    /// assert_eq!((outcome.exit_code(), &*outcome.stdout_text()), (0, "fig\npear\n"));
    /// // What a program does wrong is in its outcome; an error means that it could not run.
    /// assert_eq!(session.run(Command::new("cat").arg("nothing")).await?.exit_code(), 1);
    /// assert!(session.run(Command::new("no-such-program")).await.is_err());
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// If the program does not exist or cannot start, or the session is [closed](Self::close). The guest's own errors are in the
    /// outcome.
    pub async fn run(&self, command: Command) -> Result<Outcome, RunError> {
        let run = async {
            let (launched, _) = self.launch(command).await?;
            Ok(launched.finish(&self.state, Kept::Taken).await)
        };
        run.instrument(self.span()).await
    }

    /// Starts a command and returns when its first process runs. It continues while this handle lives, or after
    /// [`Running::detach`] while its session lives ([what dropping does](crate#what-dropping-does)). Needs a tokio runtime.
    ///
    /// Its output can be read while it runs if it is [`Output::Capture`](crate::Output::Capture) or
    /// [`Output::Tail`](crate::Output::Tail), and its input written if it is [`Input::Piped`](crate::Input::Piped).
    ///
    /// ```
    /// # #[tokio::main] async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let session = wisp::Engine::new(wisp_built::components())?.session(&wisp::Policy::offline()).build().await?;
    /// use wisp::{Command, Input, Stream};
    ///
    /// let running = session.start(Command::new("sh").args(["-c", "read -r name; echo hi $name; cat"]).stdin(Input::Piped)).await?;
    /// running.write_stdin("ada\n").await?;
    /// assert_eq!(running.next_output(Stream::Stdout, 0, 1 << 20).await.bytes, "hi ada\n");
    /// running.close_stdin();
    /// assert!(running.wait().await?.success());
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// Those of [`Session::run`].
    pub async fn start(&self, command: Command) -> Result<Running, RunError> {
        let (tag, words) = (command.tag.clone(), words(&command.arguments));
        let (launched, stdin) = self.launch(command).instrument(self.span()).await?;
        let (sender, outcome) = watch::channel(None);
        let started = Arc::new(Started {
            run: launched.run.clone(),
            first: launched.first.clone(),
            words,
            tag,
            stdin,
            terminal: launched.terminal.clone(),
            stdout: launched.stdout.tape().clone(),
            stderr: launched.stderr.tape().clone(),
            detached: AtomicBool::new(false),
            outcome,
            end: OnceLock::new(),
        });
        self.state.commands.keep(&started);
        // Without a handle of the session: that would keep it from ending.
        let state = self.state.clone();
        let finish = async move {
            let outcome = launched.finish(&state, Kept::Stays).await;
            sender.send_replace(Some(Arc::new(outcome)));
            state.commands.ended();
        };
        #[expect(clippy::disallowed_methods, reason = "it waits for the end of the command")]
        tokio::spawn(finish.instrument(self.span()));
        Ok(Running::new(started, self.clone(), true))
    }

    /// Returns the commands that were [started](Self::start) and run, by number, and detached ones that have ended.
    pub fn commands(&self) -> Vec<Running> {
        self.state.commands.started().into_iter().map(|started| Running::new(started, self.clone(), false)).collect()
    }

    /// Returns the command with this number, among [`commands`](Self::commands).
    pub fn command(&self, id: u64) -> Option<Running> {
        self.commands().into_iter().find(|running| running.id() == id)
    }

    fn span(&self) -> tracing::Span {
        tracing::info_span!("session", id = self.state.id, policy = self.state.shared.policy.name())
    }

    /// Starts a command's first process, unless the session is closed before it runs. Returns the writing end of its standard
    /// input, if that is piped.
    async fn launch(&self, command: Command) -> Result<(Launched, Option<Stdin>), RunError> {
        let commands = &self.state.commands;
        let closed = || RunError::Closed { session: self.id().to_owned() };
        tokio::select! {
            biased;
            () = commands.wait_closed() => Err(closed()),
            launched = self.launch_open(command) => launched.map_err(|error| if commands.is_closed() { closed() } else { error }),
        }
    }

    async fn launch_open(&self, mut command: Command) -> Result<(Launched, Option<Stdin>), RunError> {
        let session = &self.state;
        let began = Instant::now();
        let run = self.begin(None, command.timeout);
        // From now on, so that nothing is left of a command that does not start.
        let end = EndOnDrop(run.clone());
        let (program, environment, directory) = self.prepare_start(&mut command).await?;
        session.receipts.tell(|| EventKind::Start { command: words(&command.arguments) });
        let present = session.lockstep.as_ref().map(Lockstep::command);
        self.prepare_for_lockstep().await;
        let (streams, stdio) = Stdio::open(session, &run, &mut command);
        let terminal = stdio.terminal();
        let request = SpawnRequest {
            program,
            arguments: command.arguments,
            environment,
            working_directory: directory,
            descriptors: (0..).zip(streams).chain(command.descriptors).collect(),
            ignore_broken_pipe: false,
            attributes: Attributes { terminal: terminal.as_ref().map(|terminal| terminal.foreground().clone()), ..Attributes::default() },
        };
        let first = Spawner::new(session, &run).start(None, request).await.map_err(|reason| match run.failure() {
            Some((code, message)) => RunError::Host { program: command.program, code: *code, message: message.clone() },
            None => self.not_started(command.program, reason),
        })?;
        // The clock of `limits.wall` starts here: the command does not pay for preparing machine code.
        let alive = Alive { clock: run.clock(), end, present };
        let ([stdout, stderr], (feeder, stdin)) = stdio.begin(session, &run);
        let launched = Launched { run, first, began, stdout, stderr, feeder, wait_for: command.wait_for, terminal, alive };
        Ok((launched, stdin))
    }

    /// Begins a command, or another evaluation of an earlier one. It can be interrupted from now on.
    pub(crate) fn begin(&self, earlier: Option<&CommandRun>, timeout: Option<Duration>) -> Arc<CommandRun> {
        let session = &self.state;
        let (command, tasks) = match earlier {
            Some(earlier) => (earlier.command, earlier.tasks().clone()),
            None => (session.commands.number(), session.tasks()),
        };
        let running = CommandRun::new(
            command,
            session.shared.policy.clone(),
            session.processes.clone(),
            session.receipts.clone(),
            session.shared.ticker.clone(),
            timeout,
            tasks,
        );
        session.commands.begin(&running);
        session.memory.take_peak();
        running
    }

    /// Finds program path, environment and working directory of a command, and checks each.
    async fn prepare_start(&self, command: &mut Command) -> Result<(String, Vec<Vec<u8>>, String), RunError> {
        let mut own = mem::take(&mut command.environment);
        let named = self.state.shared.policy.env().contains_key("TERM") || own.iter().any(|(name, _)| name == "TERM");
        if command.terminal.is_some() && !named {
            own.push(("TERM".to_owned(), TERM.into()));
        }
        let directory = match command.working_directory.take() {
            Some(path) if path.starts_with('/') => path,
            // `.` is the home directory itself.
            Some(path) => path.split('/').filter(|part| !["", "."].contains(part)).fold(HOME.to_owned(), |at, part| at + "/" + part),
            None => HOME.to_owned(),
        };
        let enter = |source| RunError::WorkingDirectory { path: directory.clone(), source };
        if self.stat(directory.clone()).await.map_err(enter)?.kind != FileType::Directory {
            return Err(enter(FsError::NotDirectory));
        }
        let program = self.find_program(command.program.clone()).await?;
        let environment = if own.is_empty() && directory == HOME {
            self.default_environment().to_vec()
        } else {
            environment(&self.state, own, &directory)
        };
        Ok((program, environment, directory))
    }

    /// Finds the path of a program: a name is looked up in PATH.
    pub(crate) async fn find_program(&self, program: String) -> Result<String, RunError> {
        if program.contains('/') {
            return Ok(program);
        }
        for folder in SEARCH.split(':') {
            let path = format!("{folder}/{program}");
            if self.stat(path.clone()).await.is_ok() {
                return Ok(path);
            }
        }
        Err(self.not_started(program, SpawnError::NotFound))
    }

    /// Returns the environment of what starts in the home directory with no variables of its own.
    pub(crate) fn default_environment(&self) -> &[Vec<u8>] {
        self.state.environment.get_or_init(|| environment(&self.state, Vec::new(), HOME))
    }

    /// Returns facts about the file at `path`, read on a blocking thread if the file is the host's.
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
}

/// Returns the program and its arguments, as events and listings show them.
fn words(arguments: &[Vec<u8>]) -> String {
    let words = arguments.iter().map(|word| String::from_utf8_lossy(word)).collect::<Vec<_>>();
    text(&words.join(" "))
}
