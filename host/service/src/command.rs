//! Commands of a session: starting them, and finding them again by their numbers.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use wisp::{Command, Input, Output, Running, Signal, Stream, TerminalSize, WaitFor};
use wisp_api::{CommandEnd, CommandInfo, CommandRequest, Outcome, OutputChunk, OutputRequest, Outputs};

use crate::error::ServiceError;
use crate::open::check_name;
use crate::output::{self, Source};
use crate::session::SessionHandle;

impl SessionHandle {
    /// Starts a command, and returns when its first process runs. It goes on until it ends by itself, is ended, or its session is
    /// closed. The session keeps the output and the outcome of the 64 commands that ended last, as far as they take 64 MiB together,
    /// and of the very last. One that left processes which still run stays.
    ///
    /// # Errors
    /// If the request makes no sense, the named shell runs something, or the program does not exist or cannot start.
    pub async fn start(&self, request: CommandRequest) -> Result<CommandHandle, ServiceError> {
        self.start_with(request, |command| command).await
    }

    /// Works like [`start`](Self::start), with what `set` changes in the library's command: streams of the program for input and output.
    ///
    /// # Errors
    /// Those of `start`.
    pub async fn start_with(
        &self,
        request: CommandRequest,
        set: impl FnOnce(Command) -> Command + Send + 'static,
    ) -> Result<CommandHandle, ServiceError> {
        check(&request)?;
        let call = self.call()?;
        let running = match (request.shell.clone(), request.script.clone()) {
            (Some(shell), Some(script)) => self.start_in_shell(call, shell, script, move |command| set(applied(command, request))).await?,
            (_, script) => {
                let command = match script {
                    Some(script) => Command::new("sh").arg("-c").arg(script),
                    None => Command::new(request.argv[0].as_str()).args(&request.argv[1..]),
                };
                let command = set(applied(command, request));
                self.service
                    .on(async move {
                        let first = call.session().start(command).await?;
                        let running = first.clone();
                        first.detach();
                        Ok(running)
                    })
                    .await?
            }
        };
        Ok(CommandHandle { session: self.clone(), running })
    }

    /// Runs a command to its end. It goes on if the caller stops waiting.
    ///
    /// # Errors
    /// Those of [`start`](Self::start).
    pub async fn run(&self, request: CommandRequest) -> Result<Arc<Outcome>, ServiceError> {
        let command = self.start(request).await?;
        Ok(command.running.wait().await?)
    }

    /// Returns the command with this number.
    ///
    /// # Errors
    /// If there is none, or it ended and is not kept any more.
    pub fn command(&self, id: u64) -> Result<CommandHandle, ServiceError> {
        let running = self.call()?.session().command(id).ok_or_else(|| ServiceError::not_found("command", id))?;
        Ok(CommandHandle { session: self.clone(), running })
    }

    /// Returns the newest command with this tag.
    ///
    /// # Errors
    /// As [`command`](Self::command).
    pub fn command_with_tag(&self, tag: &str) -> Result<CommandHandle, ServiceError> {
        let found = self.call()?.session().commands().into_iter().rfind(|running| running.tag() == Some(tag));
        Ok(CommandHandle { session: self.clone(), running: found.ok_or_else(|| ServiceError::not_found("command", tag))? })
    }

    /// Returns the commands that run, and those that have ended and are kept, oldest first.
    ///
    /// # Errors
    /// If the session is closed.
    pub fn commands(&self) -> Result<Vec<CommandInfo>, ServiceError> {
        Ok(self.call()?.session().commands().iter().map(info).collect())
    }
}

/// Refuses what no command can be.
fn check(request: &CommandRequest) -> Result<(), ServiceError> {
    check_name(request.shell.as_deref(), "the name of a shell has 1 to 256 bytes")?;
    check_name(request.tag.as_deref(), "a tag has 1 to 256 bytes")?;
    let refused = match (&request.script, request.argv.first()) {
        (None, None) => "a command needs `argv`, a program and its arguments, or a `script`",
        (Some(_), Some(_)) => "`argv` and `script` exclude each other",
        (None, Some(_)) if request.shell.is_some() => "a named `shell` runs a `script`, not `argv`",
        (Some(_), _) if request.shell.is_some() && request.working_directory.is_some() => {
            "a named `shell` has a directory of its own: use `cd` in the script instead of `working_directory`"
        }
        _ if request.stdin.is_some() && request.pipe_stdin => "`stdin` and `pipe_stdin` exclude each other",
        _ => return Ok(()),
    };
    Err(ServiceError::Invalid(refused))
}

/// Returns the command with everything that the request says beside what runs.
fn applied(mut command: Command, request: CommandRequest) -> Command {
    for (name, value) in request.env {
        command = command.env(name, value);
    }
    if let Some(directory) = request.working_directory {
        command = command.working_directory(directory);
    }
    command = match request.stdin {
        Some(stdin) => command.stdin_bytes(stdin.data),
        None if request.pipe_stdin => command.stdin(Input::Piped),
        None => command,
    };
    if let Some(size) = request.terminal {
        command = command.terminal(TerminalSize::new(size.rows, size.columns));
    }
    if request.merge_stderr {
        command = command.merge_stderr();
    }
    if let Some(tail) = request.tail {
        let tail = || Output::Tail { bytes: usize::try_from(tail).unwrap_or(usize::MAX) };
        command = command.stdout(tail()).stderr(tail());
    }
    if request.end == CommandEnd::FirstProcess {
        command = command.wait_for(WaitFor::Direct);
    }
    if let Some(timeout) = request.timeout {
        command = command.timeout(timeout);
    }
    match request.tag {
        Some(tag) => command.tag(tag),
        None => command,
    }
}

fn info(running: &Running) -> CommandInfo {
    CommandInfo {
        id: running.id(),
        tag: running.tag().map(str::to_owned),
        command: running.command().to_owned(),
        exit_code: running.status().map(wisp::ExitStatus::code),
        processes: running.processes(),
    }
}

impl Source for Running {
    fn now(&self, stream: Stream, offset: u64, limit: usize) -> OutputChunk {
        self.output(stream, offset, limit)
    }

    fn next(&self, stream: Stream, offset: u64, limit: usize) -> impl Future<Output = OutputChunk> + Send {
        self.next_output(stream, offset, limit)
    }
}

/// A command of a session, while it runs and after it. Cheap to clone; dropping it ends nothing.
#[derive(Clone)]
pub struct CommandHandle {
    pub(crate) session: SessionHandle,
    running: Running,
}

impl CommandHandle {
    /// Returns its number, unique in its session.
    pub fn id(&self) -> u64 {
        self.running.id()
    }

    /// Returns what is known about it.
    pub fn info(&self) -> CommandInfo {
        info(&self.running)
    }

    /// Returns how many attempts of its processes were refused so far. Each has a receipt.
    pub fn denials(&self) -> u64 {
        self.running.denials()
    }

    /// Reads an output after an offset; with a wait, when there is a byte or the end. Any offset can be read again.
    ///
    /// # Errors
    /// If the session is closed.
    pub async fn output(&self, request: OutputRequest) -> Result<OutputChunk, ServiceError> {
        let call = self.session.call()?;
        Ok(output::read(call.service.runtime(), &self.running, request).await)
    }

    /// Reads both outputs after their offsets, at most `limit` bytes of each. Waits for at most `wait`, until one of them has a byte or
    /// both have ended.
    ///
    /// # Errors
    /// If the session is closed.
    pub async fn outputs(&self, stdout: u64, stderr: u64, limit: u64, wait: Duration) -> Result<Outputs, ServiceError> {
        let call = self.session.call()?;
        Ok(output::read_both(call.service.runtime(), &self.running, [stdout, stderr], limit, wait).await)
    }

    /// Waits for its end, for at most this time; without one, as long as it takes. `None` if it still runs then. To stop waiting
    /// ends nothing.
    ///
    /// # Errors
    /// If the session is closed, or the service's runtime was shut down.
    pub async fn wait(&self, time: Option<Duration>) -> Result<Option<Arc<Outcome>>, ServiceError> {
        let _call = self.session.call()?;
        match time {
            Some(time) => Ok(self.running.wait_timeout(time).await?),
            None => Ok(Some(self.running.wait().await?)),
        }
    }

    /// Writes to its standard input, or types at its terminal. Waits while the command does not read.
    ///
    /// # Errors
    /// If its input is not written through its handle, or has no reader.
    pub async fn write_stdin(&self, bytes: impl Into<Bytes> + Send) -> Result<(), ServiceError> {
        let (_call, bytes) = (self.session.call()?, bytes.into());
        Ok(self.running.write_stdin(bytes).await?)
    }

    /// Closes its standard input, after what is being written. A terminal is hung up.
    ///
    /// # Errors
    /// If the session is closed.
    pub fn close_stdin(&self) -> Result<(), ServiceError> {
        self.with(Running::close_stdin)
    }

    /// Sends the signal with this number on Linux to its first process, as `kill` does. Ignored if that has ended.
    ///
    /// # Errors
    /// If there is no such signal, or the session is closed.
    pub fn signal(&self, number: u8) -> Result<(), ServiceError> {
        let signal = Signal::from_number(number).ok_or(ServiceError::Invalid("a signal has a number from 1 to 31"))?;
        self.with(|running| running.signal(signal))
    }

    /// Sends SIGINT to its foreground processes, as Ctrl-C at a terminal does.
    ///
    /// # Errors
    /// If the session is closed.
    pub fn interrupt(&self) -> Result<(), ServiceError> {
        self.with(Running::interrupt)
    }

    /// Ends all its processes, including those in the background.
    ///
    /// # Errors
    /// If the session is closed.
    pub fn kill(&self) -> Result<(), ServiceError> {
        self.with(Running::kill)
    }

    /// Sets the size of its terminal, in characters.
    ///
    /// # Errors
    /// If it has no terminal, or the session is closed.
    pub fn resize(&self, rows: u16, columns: u16) -> Result<(), ServiceError> {
        match self.with(|running| running.resize(TerminalSize::new(rows, columns)))? {
            true => Ok(()),
            false => Err(ServiceError::NoTerminal { id: self.id() }),
        }
    }

    fn with<T>(&self, act: impl FnOnce(&Running) -> T) -> Result<T, ServiceError> {
        let _call = self.session.call()?;
        Ok(act(&self.running))
    }
}

impl fmt::Debug for CommandHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CommandHandle").field("running", &self.running).finish_non_exhaustive()
    }
}
