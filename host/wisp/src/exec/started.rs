//! A command with handles: what they and the session's list of commands share.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use parking_lot::Mutex;
use tokio::sync::watch;

use crate::exec::command_run::CommandRun;
use crate::exec::lockstep;
use crate::exec::tape::Tape;
use wisp_api::{ErrorCode, Outcome, Stream};
use wisp_process::tty::{Control, Keyboard};
use wisp_process::{PipeWriter, Process};

/// A command that was started, while it runs and after it.
pub(crate) struct Started {
    pub run: Arc<CommandRun>,
    pub first: Arc<Process>,
    /// The program and its arguments, as text.
    pub words: String,
    pub tag: Option<String>,
    pub stdin: Option<Stdin>,
    /// Its terminal, if it has one.
    pub terminal: Option<Control>,
    pub stdout: Arc<Tape>,
    pub stderr: Arc<Tape>,
    /// Whether it continues when its first handle is dropped.
    pub detached: AtomicBool,
    /// The outcome, once there is one. Closed without one if the runtime ended before the command.
    pub outcome: watch::Receiver<Option<Arc<Outcome>>>,
    /// Which of the session's commands to end it was, once that was noticed.
    pub end: OnceLock<u64>,
}

impl Started {
    /// Returns what was written to `stream`.
    pub(crate) fn tape(&self, stream: Stream) -> &Arc<Tape> {
        match stream {
            Stream::Stdout => &self.stdout,
            Stream::Stderr => &self.stderr,
        }
    }

    /// Returns whether there is an outcome, or never will be.
    pub(crate) fn has_ended(&self) -> bool {
        self.outcome.borrow().is_some() || self.outcome.has_changed().is_err()
    }

    /// Returns about how many bytes it holds: its output, and its outcome, which has that once more.
    pub(crate) fn held_bytes(&self) -> usize {
        let outcome = self.outcome.borrow().as_ref().map_or(0, |outcome| outcome.held_bytes());
        outcome.saturating_add(self.stdout.held_bytes()).saturating_add(self.stderr.held_bytes())
    }

    /// Returns whether the session still lists it when it has ended.
    pub(crate) fn is_detached(&self) -> bool {
        self.detached.load(Ordering::Relaxed)
    }
}

/// The writing end of a command's standard input.
pub(crate) struct Stdin {
    /// `None` once it is closed.
    feed: Mutex<Option<Arc<Feed>>>,
    /// One write after the other, so that each arrives in one piece.
    turn: tokio::sync::Mutex<()>,
}

/// Where the bytes go, and under lockstep the declaration that more may arrive.
struct Feed {
    end: End,
    _input: Option<lockstep::Input>,
}

enum End {
    Pipe(PipeWriter),
    /// The keyboard of the command's terminal. Closing it hangs up.
    Keyboard(Arc<Keyboard>),
}

/// Why bytes did not reach a command's standard input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StdinError {
    /// The command does not read from its handle.
    #[error("the command's standard input is not written through its handle: start it with `Command::stdin(Input::Piped)`")]
    NotPiped,
    /// The handle has closed it.
    #[error("the command's standard input has been closed")]
    Closed,
    /// The command has ended, or it has closed its standard input.
    #[error("the command reads its standard input no more")]
    Broken,
}

impl StdinError {
    /// Returns the code of this error.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::NotPiped => ErrorCode::Conflict,
            Self::Closed | Self::Broken => ErrorCode::StdinClosed,
        }
    }
}

impl Stdin {
    pub(crate) fn new(writer: PipeWriter, input: Option<lockstep::Input>) -> Self {
        Self::to(End::Pipe(writer), input)
    }

    /// Returns the keyboard of a command's terminal.
    pub(crate) fn typed(keyboard: Arc<Keyboard>, input: Option<lockstep::Input>) -> Self {
        Self::to(End::Keyboard(keyboard), input)
    }

    fn to(end: End, input: Option<lockstep::Input>) -> Self {
        Self { feed: Mutex::new(Some(Arc::new(Feed { end, _input: input }))), turn: tokio::sync::Mutex::default() }
    }

    /// Writes or types all of `bytes`, and waits while there is no room.
    pub(crate) async fn write(&self, bytes: Bytes) -> Result<(), StdinError> {
        let _turn = self.turn.lock().await;
        let feed = self.feed.lock().clone().ok_or(StdinError::Closed)?;
        match &feed.end {
            End::Pipe(writer) => {
                if writer.room().is_err() {
                    return Err(StdinError::Broken);
                }
                writer.write_all(bytes).await.map_err(|_| StdinError::Broken)
            }
            End::Keyboard(keyboard) => keyboard.type_all(bytes).await.map_err(|_| StdinError::Broken),
        }
    }

    /// Makes the command read an end of file, after what is being written; a terminal is hung up at once.
    pub(crate) fn close(&self) {
        let feed = self.feed.lock().take();
        if let Some(End::Keyboard(keyboard)) = feed.as_deref().map(|feed| &feed.end) {
            keyboard.hang_up();
        }
    }
}
