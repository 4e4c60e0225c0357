//! Shells whose state persists from call to call.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;

use crate::exec::command::Command;
use crate::exec::error::RunError;
use crate::session::handle::Session;
use crate::session::running::Running;
use crate::wasi::{Description, Labels};
use wisp_api::Outcome;
use wisp_vfs::{FsError, Node};

/// The descriptor from which a shell reads its state; it writes the new state to the next descriptor.
const STATE: u32 = 198;

/// Maximum bytes of a state (64 MiB): variables, functions, aliases.
pub(crate) const MAX_STATE: usize = 64 << 20;

/// A shell whose variables, functions, aliases, options, directory, `umask` and `ulimit` persist from one call to the next. `$?`,
/// traps, jobs and `set -e` belong to one call only.
///
/// Nothing runs between two calls: the state is a few kilobytes, and a snapshot of it costs nothing. A call is a command, which ends
/// with its future ([what dropping does](crate#what-dropping-does)).
#[derive(Clone)]
pub struct Shell {
    session: Session,
    state: Bytes,
}

/// A call of a shell that runs ([`Shell::start`]). Dropping it ends the call, unless its command was [detached](Running::detach).
pub struct ShellCall {
    running: Running,
    /// Receives the shell's state at its end.
    after: Node,
}

impl ShellCall {
    /// Returns the call as a command: its output, its input, and what ends it.
    pub fn running(&self) -> &Running {
        &self.running
    }
}

/// A shell's state and its session's filesystem at one moment.
#[derive(Clone)]
pub struct ShellSnapshot {
    pub(crate) session: Session,
    pub(crate) fs: wisp_vfs::Snapshot,
    pub(crate) labels: Arc<Labels>,
    pub(crate) state: Bytes,
}

impl Session {
    /// Makes a shell whose state persists from call to call: `sh` of this session.
    ///
    /// # Errors
    /// If the session has no `sh`, or it is [closed](Self::close).
    pub async fn shell(&self) -> Result<Shell, RunError> {
        if self.is_closed() {
            return Err(RunError::Closed { session: self.id().to_owned() });
        }
        self.find_program("sh".to_owned()).await?;
        Ok(self.shell_from(Bytes::new()))
    }

    /// Makes a shell from a state that was kept earlier ([`Shell::state`]). If another build of the shell wrote the
    /// state, the next call refuses it with status 2.
    pub fn shell_from(&self, state: impl Into<Bytes>) -> Shell {
        Shell { session: self.clone(), state: state.into() }
    }
}

impl Shell {
    /// Returns the session it runs in.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Returns the shell's state, as data to be kept. Only the same build of the shell can read it.
    pub fn state(&self) -> &Bytes {
        &self.state
    }

    /// Runs commands. A call that a limit ends leaves the shell's state as it was.
    ///
    /// # Errors
    /// If the session has no `sh`, it cannot start, or the session is [closed](Session::close).
    pub async fn eval(&mut self, source: &str) -> Result<Outcome, RunError> {
        self.eval_with(source, |command| command).await
    }

    /// Does what [`Shell::eval`] does, with standard input, streams for the output or a time limit set on the command.
    ///
    /// # Errors
    /// Those of [`Shell::eval`].
    pub async fn eval_with(&mut self, source: &str, set: impl FnOnce(Command) -> Command) -> Result<Outcome, RunError> {
        let (command, after) = self.command(Some(source), set)?;
        let outcome = self.session.run(command).await?;
        self.take(&after)?;
        Ok(outcome)
    }

    /// Does what [`Shell::eval`] does, as a command with a handle: its output can be read while it runs, and its input written.
    /// Returns when the shell runs. [`Shell::finish`] waits for its end, and brings the state back.
    ///
    /// # Errors
    /// Those of [`Shell::eval`].
    pub async fn start(&self, source: &str) -> Result<ShellCall, RunError> {
        self.start_with(source, |command| command).await
    }

    /// Does what [`Shell::start`] does, with standard input, streams for the output or a time limit set on the command.
    ///
    /// # Errors
    /// Those of [`Shell::eval`].
    pub async fn start_with(&self, source: &str, set: impl FnOnce(Command) -> Command) -> Result<ShellCall, RunError> {
        let (command, after) = self.command(Some(source), set)?;
        Ok(ShellCall { running: self.session.start(command).await?, after })
    }

    /// Starts a call in which a person types the commands, until `exit` or the end of the input, as [`Shell::start_with`] starts one that runs
    /// a text. `set` gives the command its [terminal](Command::terminal).
    ///
    /// # Errors
    /// Those of [`Shell::eval`].
    pub async fn start_interactive(&self, set: impl FnOnce(Command) -> Command) -> Result<ShellCall, RunError> {
        let (command, after) = self.command(None, set)?;
        Ok(ShellCall { running: self.session.start(command).await?, after })
    }

    /// Waits for the end of a call that was [started](Self::start), and takes its state: of two calls that run at the same time, the
    /// one that is finished last. A call that a limit or a signal ends leaves the shell's state as it was.
    ///
    /// Dropping the future ends the call, as dropping a [`ShellCall`] does, unless its command was [detached](Running::detach).
    ///
    /// # Errors
    /// If the runtime that ran it was shut down, or the state is too large.
    pub async fn finish(&mut self, call: ShellCall) -> Result<Arc<Outcome>, RunError> {
        let outcome = call.running.wait().await?;
        self.take(&call.after)?;
        Ok(outcome)
    }

    /// Returns the command that runs `source`, or without one what a person types, and the file that it writes its state to.
    fn command(&self, source: Option<&str>, set: impl FnOnce(Command) -> Command) -> Result<(Command, Node), RunError> {
        let state = &self.session.state;
        let (before, after) = (state.fs.anonymous().map_err(lost)?, state.fs.anonymous().map_err(lost)?);
        before.write_all_at(0, &self.state).map_err(lost)?;
        let open = |file: &Node| Description::file(file.clone(), false, &state.random(0));
        let command = Command::new("sh").arg(format!("--wisp-cell={STATE}"));
        let command = set(command.args(source.into_iter().flat_map(|source| ["-c", source])));
        let command = command.descriptor(STATE, open(&before)).descriptor(STATE + 1, open(&after));
        Ok((command, after))
    }

    /// Takes the state that a call left. A shell that was ended, or that became another program, left none.
    fn take(&mut self, after: &Node) -> Result<(), RunError> {
        let state = read(after).map_err(lost)?;
        if !state.is_empty() {
            self.state = state;
        }
        Ok(())
    }

    /// Takes a snapshot of the shell and the filesystem, in constant time.
    pub fn snapshot(&self) -> ShellSnapshot {
        let session = &self.session.state;
        let (fs, labels) = (session.fs.snapshot(), Arc::new(session.labels.fork(session.memory.clone())));
        ShellSnapshot { session: self.session.unattached(), fs, labels, state: self.state.clone() }
    }

    /// Makes a shell that starts from this state, in a session and a filesystem of its own.
    pub fn fork(&self, count: usize) -> Vec<Self> {
        let snapshot = self.snapshot();
        (0..count).map(|_| snapshot.fork()).collect()
    }

    /// Restores a snapshot: the shell's state, its session's filesystem, and the labels of its artifacts.
    pub fn restore(&mut self, snapshot: &ShellSnapshot) {
        self.session.state.fs.restore(&snapshot.fs);
        self.session.state.labels.restore(&snapshot.labels);
        self.state = snapshot.state.clone();
    }
}

impl ShellSnapshot {
    /// Makes a shell that starts from this snapshot, in a session of its own.
    pub fn fork(&self) -> Shell {
        Shell { session: self.session.sibling(&self.fs, &self.labels), state: self.state.clone() }
    }
}

impl fmt::Debug for Shell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shell").field("session", &self.session).field("state_bytes", &self.state.len()).finish_non_exhaustive()
    }
}

impl fmt::Debug for ShellSnapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ShellSnapshot").field("session", &self.session).field("state_bytes", &self.state.len()).finish_non_exhaustive()
    }
}

impl fmt::Debug for ShellCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ShellCall").field("running", &self.running).finish_non_exhaustive()
    }
}

fn lost(source: FsError) -> RunError {
    RunError::State { source }
}

/// Reads the whole of a file with a shell's state.
fn read(file: &Node) -> Result<Bytes, FsError> {
    match file.stat()?.size {
        size if size > MAX_STATE as u64 => Err(FsError::FileTooLarge),
        size => file.read_range(0, size),
    }
}
