//! A command at a terminal of the sandbox: what is typed reaches its discipline, and what is shown reaches the command's
//! output.

use std::sync::Arc;

use bytes::{Bytes, BytesMut};
use tokio::io::{AsyncRead, AsyncReadExt};

use crate::exec::command::Input;
use crate::exec::command_run::CommandRun;
use crate::exec::input::Feed;
use crate::exec::lockstep::Lockstep;
use crate::exec::session_state::SessionState;
use crate::exec::started::Stdin;
use crate::wasi::{Charge, Description, HostMemory, OpenDescription};
use wisp_process::tty::{Keyboard, Size, TTY_COST, at, pair};

/// Bytes read from an input stream at a time, and of its bytes that wait for room.
const CHUNK: usize = 16 << 10;

/// Bytes taken for the output at a time.
const PART: usize = 64 << 10;

/// The terminal of a command.
pub(crate) struct Screen {
    /// The end of its programs.
    pub programs: OpenDescription,
    pub keyboard: Arc<Keyboard>,
}

impl Screen {
    /// Opens a terminal whose output goes to `out`. The output ends when the last program has closed the terminal.
    pub(crate) fn open(session: &SessionState, run: &CommandRun, size: Size, out: OpenDescription) -> Self {
        let (keyboard, tty) = pair(&session.processes, size);
        let keyboard = Arc::new(keyboard);
        let memory: Arc<dyn HostMemory> = session.memory.clone();
        // It exists before the command's first process, which a limit that is used up ends anyway.
        let charge = Arc::new(Charge::owed(&memory, TTY_COST));
        let programs = Description::tty(tty, session.timeline.clone(), 0, Some(charge));
        drop(run.tasks().spawn(show(keyboard.clone(), out)));
        Self { programs, keyboard }
    }

    /// Types the command's standard input. Returns what does so.
    ///
    /// A stream that is a terminal is a person's.
    pub(crate) fn feed(&self, input: Input, run: &Arc<CommandRun>, lockstep: Option<&Arc<Lockstep>>) -> Feed {
        let keyboard = self.keyboard.clone();
        let streams = || lockstep.map(|lockstep| lockstep.input(self.keyboard.control().watch()));
        match input {
            Input::Piped => (None, Some(Stdin::typed(keyboard, streams()))),
            Input::Stream { stream, terminal } => {
                let (input, person) = (streams(), terminal.then(|| run.clone()));
                if let Some(run) = &person {
                    let told = Arc::downgrade(&self.programs);
                    run.attend(move |text| {
                        // Ignored if all programs have closed it.
                        told.upgrade().map(|screen| screen.try_write(&mut Bytes::copy_from_slice(text.as_bytes())));
                    });
                }
                let typing = async move {
                    let _input = input;
                    type_stream(stream, &keyboard, person).await;
                    keyboard.hang_up();
                };
                (Some(run.tasks().spawn_apart(typing)), None)
            }
            input => {
                let bytes = if let Input::Bytes(bytes) = input { bytes } else { Bytes::new() };
                (Some(run.tasks().spawn(type_bytes(keyboard, bytes))), None)
            }
        }
    }
}

/// Passes what is shown to the command's output.
async fn show(keyboard: Arc<Keyboard>, out: OpenDescription) {
    loop {
        let part = keyboard.take(PART).await;
        if part.is_empty() {
            return;
        }
        if out.write(part).await.is_err() {
            // The reader of the output is gone: the programs notice it as with a terminal that was closed.
            keyboard.hang_up();
            return;
        }
    }
}

/// Types bytes and Ctrl-D.
async fn type_bytes(keyboard: Arc<Keyboard>, bytes: Bytes) {
    // A program may end before it has read everything.
    if keyboard.type_all(bytes).await.is_ok() {
        let end = keyboard.control().settings().characters[at::VEOF];
        let _ = keyboard.type_all(Bytes::copy_from_slice(&[end])).await;
    }
}

/// Types what arrives, until the stream or the terminal ends. With a person, the clock of the command stops while a
/// program waits for a key.
async fn type_stream(mut stream: Box<dyn AsyncRead + Send + Unpin>, keyboard: &Keyboard, person: Option<Arc<CommandRun>>) {
    let watch = keyboard.control().watch();
    // What is typed while the queue is full: an interrupt among it is found there.
    let mut waiting = BytesMut::new();
    let mut buffer = vec![0; CHUNK];
    // Whether the clock is stopped, and the time that was left then.
    let (mut stopped, mut left) = (false, None);
    loop {
        let changed = watch.until(!stopped);
        tokio::select! {
            biased;
            read = stream.read(&mut buffer), if waiting.len() < CHUNK => {
                let Ok(count @ 1..) = read else { return };
                waiting.extend_from_slice(&buffer[..count]);
                if let Some(run) = &person {
                    run.typed();
                    // A program may have begun to wait a moment ago, and the clock not be stopped yet.
                    if stopped || watch.is_wanted() {
                        run.renew();
                        (stopped, left) = (false, None);
                    }
                }
            }
            () = keyboard.typable(), if !waiting.is_empty() => {}
            () = changed, if person.is_some() => {
                stopped = !stopped;
                match (&person, left.take()) {
                    (Some(run), _) if stopped => {
                        left = run.stop_clock();
                        // Whatever else stopped the clock does not start it again.
                        run.pause();
                    }
                    (Some(run), rest) => run.restart_clock(rest.unwrap_or(run.wall)),
                    (None, _) => {}
                }
            }
        }
        let mut bytes = waiting.split().freeze();
        if keyboard.try_type(&mut bytes).is_err() {
            return;
        }
        waiting.extend_from_slice(&bytes);
    }
}
