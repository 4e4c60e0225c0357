//! Handles of commands that run on their own.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use bytes::Bytes;

use crate::exec::error::RunError;
use crate::exec::started::{Started, StdinError};
use crate::session::handle::Session;
use wisp_api::{Outcome, OutputChunk, Stream};
use wisp_process::tty::{Control, Size};
use wisp_process::{ExitStatus, Signal};

/// A command that was started with [`Session::start`], while it runs and after it. Clones, and what
/// [`Session::commands`] returns, are handles of the same command; the one that `start` returned owns it
/// ([what dropping does](crate#what-dropping-does)).
pub struct Running {
    started: Arc<Started>,
    session: Session,
    /// Whether this is the handle that `start` returned.
    first: bool,
}

impl Running {
    pub(crate) fn new(started: Arc<Started>, session: Session, first: bool) -> Self {
        Self { started, session, first }
    }

    /// Returns the command's number, unique in its session.
    pub fn id(&self) -> u64 {
        self.started.run.command
    }

    /// Returns the name that [`Command::tag`](crate::Command::tag) gave it.
    pub fn tag(&self) -> Option<&str> {
        self.started.tag.as_deref()
    }

    /// Returns the program and its arguments, separated by spaces. At most 512 bytes.
    pub fn command(&self) -> &str {
        &self.started.words
    }

    /// Returns the session that it runs in.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Lets the command continue when this handle is dropped: until it ends, a limit ends it, or its session ends.
    /// [`Session::command`] finds it by its number, and its output and outcome stay there after its end: those of the
    /// last 64 detached commands that ended, as far as they take 64 MiB together, and of the very last. One of which processes
    /// run stays. Returns the number.
    pub fn detach(self) -> u64 {
        self.started.detached.store(true, Ordering::Relaxed);
        self.session.state.commands.keep(&self.started);
        self.id()
    }

    /// Returns whether the command was detached.
    pub fn is_detached(&self) -> bool {
        self.started.is_detached()
    }

    /// Returns how its first process ended; `None` while that runs.
    pub fn status(&self) -> Option<ExitStatus> {
        self.started.first.status()
    }

    /// Waits until its first process has ended. Processes that it left may still run.
    pub async fn exited(&self) -> ExitStatus {
        self.started.first.wait().await
    }

    /// Returns the ids of its processes that run now; empty when nothing of it is left.
    pub fn processes(&self) -> Vec<u32> {
        self.started.run.processes().iter().map(|process| process.pid()).collect()
    }

    /// Returns how many attempts of its processes were refused so far. Each has a receipt; receipts of repeated ones are merged.
    pub fn denials(&self) -> u64 {
        self.started.run.denials()
    }

    /// Waits for the end of the command ([`WaitFor`](crate::WaitFor)).
    ///
    /// # Errors
    /// If the runtime that ran the command was shut down.
    pub async fn wait(&self) -> Result<Arc<Outcome>, RunError> {
        let mut outcome = self.started.outcome.clone();
        let found = outcome.wait_for(Option::is_some).await;
        found.ok().and_then(|outcome| outcome.clone()).ok_or(RunError::Abandoned)
    }

    /// Works like [`wait`](Self::wait), for at most `time`; `None` if the command still runs then, and it goes on.
    ///
    /// # Errors
    /// Those of `wait`.
    pub async fn wait_timeout(&self, time: Duration) -> Result<Option<Arc<Outcome>>, RunError> {
        // A time that the clock cannot represent never comes.
        let Some(until) = Instant::now().checked_add(time) else { return self.wait().await.map(Some) };
        tokio::select! {
            biased;
            outcome = self.wait() => outcome.map(Some),
            () = self.session.engine.ticker().sleep(until) => Ok(None),
        }
    }

    /// Writes to its standard input, which must be [`Input::Piped`](crate::Input::Piped), or types at its
    /// [terminal](crate::Command::terminal). Waits while 64 KiB are not read yet, at a terminal 16 KiB. Writes arrive one after the other, each in one piece.
    ///
    /// # Errors
    /// If standard input is not piped or is closed, or the command reads it no more.
    pub async fn write_stdin(&self, bytes: impl Into<Bytes>) -> Result<(), StdinError> {
        self.started.stdin.as_ref().ok_or(StdinError::NotPiped)?.write(bytes.into()).await
    }

    /// Returns the size of its [terminal](crate::Command::terminal), if it has one.
    pub fn terminal_size(&self) -> Option<Size> {
        self.started.terminal.as_ref().map(Control::size)
    }

    /// Sets the size of its terminal. If it changes, the foreground processes receive SIGWINCH. Returns whether the command
    /// has a terminal.
    pub fn resize(&self, size: Size) -> bool {
        self.started.terminal.as_ref().map(|terminal| terminal.resize(size)).is_some()
    }

    /// Closes its standard input, after what is being written. A terminal is hung up: its processes receive SIGHUP.
    pub fn close_stdin(&self) {
        if let Some(stdin) = &self.started.stdin {
            stdin.close();
        }
    }

    /// Returns what it has written to `stream` from `offset` on, at most `limit` bytes, without waiting. Any offset can be read
    /// again, by any handle, while the bytes are kept: all of them for [`Output::Capture`](crate::Output::Capture), the
    /// last for [`Output::Tail`](crate::Output::Tail). Output that goes elsewhere has none.
    pub fn output(&self, stream: Stream, offset: u64, limit: usize) -> OutputChunk {
        self.started.tape(stream).read(offset, limit)
    }

    /// Works like [`output`](Self::output); waits until there is at least one byte, or the end of the output.
    pub async fn next_output(&self, stream: Stream, offset: u64, limit: usize) -> OutputChunk {
        self.started.tape(stream).read_some(offset, limit).await
    }

    /// Sends a signal to its first process, as `kill` does. Ignored if that has ended.
    pub fn signal(&self, signal: Signal) {
        if self.started.first.status().is_none() {
            self.started.first.send(signal);
        }
    }

    /// Sends a signal to all its processes, including those in the background and in process groups of their own.
    pub fn signal_all(&self, signal: Signal) {
        self.started.run.signal_all(signal);
    }

    /// Sends SIGINT to its foreground processes, as Ctrl-C at a terminal does. If its first process ends by that, the command does not
    /// wait for processes in the background that hold its output: they ignore it.
    pub fn interrupt(&self) {
        self.started.run.signal_foreground(Signal::Interrupt);
    }

    /// Ends all its processes by SIGKILL, including those in the background and in process groups of their own.
    pub fn kill(&self) {
        self.started.run.end_all(ExitStatus::Signaled(Signal::Kill));
    }
}

impl Clone for Running {
    fn clone(&self) -> Self {
        Self::new(self.started.clone(), self.session.clone(), false)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if self.first && !self.is_detached() {
            self.kill();
        }
    }
}

impl fmt::Debug for Running {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Running")
            .field("id", &self.id())
            .field("tag", &self.tag())
            .field("command", &self.command())
            .field("status", &self.status())
            .finish_non_exhaustive()
    }
}
