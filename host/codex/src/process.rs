//! One process of a client: what it does, and what the client is told of it.

use std::collections::VecDeque;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use parking_lot::Mutex;
use tokio::sync::Notify;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use wisp::{Outcome, Stream};
use wisp_api::{OutputChunk, OutputRequest, Outputs};
use wisp_service::{CommandHandle, ServiceError};

use crate::bounds::{Budget, Held};
use crate::ends::{ended_by_wisp, failure};
use crate::error::RpcError;
use crate::log::{Exit, KEPT, Log};
use crate::outbox::{Outbox, Reply};
use crate::protocol::{ClosedNote, ExitedNote, OutputNote, OutputStream, ReadAsked, WriteAsked, WriteStatus};
use crate::timer::sleep;

/// Bytes of output that one notification tells.
const PIECE: u64 = 64 << 10;

/// How long output is waited for at a time. Nothing happens when it is over.
const LONG: Duration = Duration::from_secs(60 * 60);

/// Maximum bytes of input that a process has not read yet.
const INPUT: usize = 1 << 20;

/// Writes that are remembered, so that one that is sent twice is written once.
const WRITES: usize = 256;

/// Maximum bytes of the text that names a write.
const WRITE: usize = 256;

/// The exit code of a process whose end nobody knows: its session was closed.
const UNKNOWN: i32 = -1;

/// A process of a client.
pub(crate) struct Process {
    pub(crate) id: String,
    terminal: bool,
    /// Whether the client may write to it.
    writable: bool,
    state: Mutex<State>,
    log: Mutex<Log>,
    /// Something was added to the log.
    changed: Notify,
    input: Mutex<Input>,
}

/// What it does.
enum State {
    Starting,
    /// The client ended it before it ran.
    Cancelled,
    Runs(CommandHandle),
    /// All of it is told; its output is not held twice.
    Ended,
}

/// What was written to it at once, with its memory.
pub(crate) type Typed = (Bytes, Held);

/// What is written to it.
struct Input {
    /// `None` once it reads no more.
    to: Option<UnboundedSender<Typed>>,
    /// Bytes that it has not read yet.
    waiting: usize,
    seen: VecDeque<String>,
}

impl Process {
    /// Creates a process that starts, and what will be written to it.
    pub(crate) fn new(id: String, terminal: bool, writable: bool) -> (Arc<Self>, UnboundedReceiver<Typed>) {
        let (to, from) = unbounded_channel();
        let input = Mutex::new(Input { to: writable.then_some(to), waiting: 0, seen: VecDeque::new() });
        let (state, log) = (Mutex::new(State::Starting), Mutex::new(Log::new()));
        (Arc::new(Self { id, terminal, writable, state, log, changed: Notify::new(), input }), from)
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.log.lock().is_closed()
    }

    /// Notes that it runs as this command. Returns whether it is still wanted.
    pub(crate) fn runs(&self, command: &CommandHandle) -> bool {
        let mut state = self.state.lock();
        let wanted = matches!(*state, State::Starting);
        if wanted {
            *state = State::Runs(command.clone());
        }
        wanted
    }

    fn is_starting(&self) -> bool {
        matches!(*self.state.lock(), State::Starting | State::Cancelled)
    }

    /// Handles `process/read`.
    pub(crate) async fn read(&self, asked: &ReadAsked, outbox: &Outbox) -> Result<Reply, RpcError> {
        if self.is_starting() {
            return Err(RpcError::invalid_request(format!("process id {} is starting", wisp_api::shown(&self.id))));
        }
        let after = asked.after_seq.unwrap_or(0);
        let mut over = pin!(sleep(Duration::from_millis(asked.wait_ms.unwrap_or(0))));
        loop {
            let mut changed = pin!(self.changed.notified());
            // What is added from now on is not missed.
            changed.as_mut().enable();
            if asked.wait_ms.is_none_or(|wait| wait == 0) || self.log.lock().has_after(after) {
                break;
            }
            tokio::select! {
                () = changed => {}
                () = &mut over => break,
            }
        }
        let held = outbox.reserve(KEPT as u64).await;
        let result = self.log.lock().read(after, asked.max_bytes);
        Ok(Reply::of(&result)?.holding(held))
    }

    /// Handles `process/write`. It is written when its turn comes, and takes of `memory` until then; the order is that of these calls.
    pub(crate) fn write(&self, asked: WriteAsked, memory: &Budget) -> Result<WriteStatus, RpcError> {
        if asked.write_id.is_empty() || asked.write_id.len() > WRITE {
            return Err(RpcError::invalid_params(format!("a `writeId` has 1 to {WRITE} bytes")));
        }
        if self.is_starting() {
            return Ok(WriteStatus::Starting);
        }
        let mut input = self.input.lock();
        if input.seen.contains(&asked.write_id) {
            return Ok(WriteStatus::Accepted);
        }
        let bytes = asked.chunk.0;
        if input.waiting + bytes.len() > INPUT && input.waiting > 0 {
            let waiting = input.waiting;
            return Err(RpcError::invalid_request(format!("the process reads no input: {waiting} bytes wait already")));
        }
        let Some(to) = input.to.as_ref().filter(|_| self.writable) else { return Ok(WriteStatus::StdinClosed) };
        let length = bytes.len();
        let full = || RpcError::invalid_request("the processes read no input: as much waits already as a client may have");
        let held = memory.try_hold(length).ok_or_else(full)?;
        if to.send((bytes, held)).is_err() {
            return Ok(WriteStatus::StdinClosed);
        }
        input.waiting += length;
        input.seen.push_back(asked.write_id);
        if input.seen.len() > WRITES {
            input.seen.pop_front();
        }
        Ok(WriteStatus::Accepted)
    }

    /// Implements `process/signal`. One that does not run is not interrupted.
    pub(crate) fn interrupt(&self) {
        if self.log.lock().has_exited() {
            return;
        }
        if let State::Runs(command) = &*self.state.lock() {
            // It fails only if the session is closed.
            let _ = command.interrupt();
        }
    }

    /// Handles `process/terminate`. Returns whether it ran or was about to.
    pub(crate) fn terminate(&self) -> bool {
        if self.log.lock().has_exited() {
            return false;
        }
        let mut state = self.state.lock();
        match &*state {
            State::Runs(command) => {
                // As above.
                let _ = command.kill();
                true
            }
            State::Starting => {
                *state = State::Cancelled;
                true
            }
            State::Cancelled | State::Ended => false,
        }
    }

    /// Writes what the client writes, piece by piece, until it reads no more.
    pub(crate) async fn feed(self: Arc<Self>, command: CommandHandle, mut from: UnboundedReceiver<Typed>) {
        while let Some((bytes, held)) = from.recv().await {
            let length = bytes.len();
            let written = command.write_stdin(bytes).await;
            drop(held);
            let mut input = self.input.lock();
            input.waiting -= length;
            if written.is_err() {
                input.to = None;
                return;
            }
        }
    }

    /// Tells the client what it writes and becomes, to its end.
    pub(crate) async fn follow(self: Arc<Self>, command: CommandHandle, outbox: Outbox) {
        let (mut offsets, mut open, mut exited) = ([0, 0], true, false);
        let mut end = pin!(command.wait(None));
        while open || !exited {
            tokio::select! {
                outputs = command.outputs(offsets[0], offsets[1], PIECE, LONG), if open => {
                    open = match outputs {
                        Ok(outputs) => self.tell(outputs, &mut offsets, &outbox).await,
                        // The session is closed: so the end says.
                        Err(_) => false,
                    };
                }
                outcome = &mut end, if !exited => {
                    exited = true;
                    // What it wrote before its exit is told before it.
                    while open && behind(&command, offsets).await {
                        open = match command.outputs(offsets[0], offsets[1], PIECE, Duration::ZERO).await {
                            Ok(outputs) => self.tell(outputs, &mut offsets, &outbox).await,
                            Err(_) => false,
                        };
                    }
                    self.exit(&command, outcome, &outbox).await;
                }
            }
        }
        *self.state.lock() = State::Ended;
        let seq = self.log.lock().close();
        self.changed.notify_waiters();
        outbox.note("process/closed", &ClosedNote { process_id: &self.id, seq }).await;
    }

    /// Tells of output, and moves the offsets behind it. Returns whether more may come.
    async fn tell(&self, outputs: Outputs, offsets: &mut [u64; 2], outbox: &Outbox) -> bool {
        let Outputs { stdout, stderr } = outputs;
        *offsets = [stdout.next_offset(), stderr.next_offset()];
        let open = !(stdout.end && stderr.end);
        let first = if self.terminal { OutputStream::Pty } else { OutputStream::Stdout };
        for (stream, OutputChunk { bytes, .. }) in [(first, stdout), (OutputStream::Stderr, stderr)] {
            self.output(stream, bytes, outbox).await;
        }
        open
    }

    async fn output(&self, stream: OutputStream, bytes: Bytes, outbox: &Outbox) {
        if bytes.is_empty() {
            return;
        }
        let chunk = self.log.lock().output(stream, bytes);
        self.changed.notify_waiters();
        outbox.note("process/output", &OutputNote { process_id: &self.id, chunk }).await;
    }

    /// Tells of the exit.
    async fn exit(&self, command: &CommandHandle, outcome: Result<Option<Arc<Outcome>>, ServiceError>, outbox: &Outbox) {
        self.input.lock().to = None;
        let (code, failure) = match outcome {
            Ok(Some(outcome)) => {
                if let Some(text) = ended_by_wisp(&outcome) {
                    let stream = if self.terminal { OutputStream::Pty } else { OutputStream::Stderr };
                    self.output(stream, text.into(), outbox).await;
                }
                (i32::from(outcome.exit_code()), failure(&outcome))
            }
            Ok(None) => (UNKNOWN, Some("its end is not known".to_owned())),
            Err(error) => (UNKNOWN, Some(error.to_string())),
        };
        // Codex asks a person about a process that failed because the sandbox denied something. One that got on without it did not fail.
        let denied = code != 0 && command.denials() > 0;
        let seq = self.log.lock().exit(Exit { code, denied }, failure);
        self.changed.notify_waiters();
        let note = ExitedNote { process_id: &self.id, seq, exit_code: code, sandbox_denied: denied };
        outbox.note("process/exited", &note).await;
    }
}

/// Returns whether there is output after these offsets.
async fn behind(command: &CommandHandle, offsets: [u64; 2]) -> bool {
    for (stream, offset) in [Stream::Stdout, Stream::Stderr].into_iter().zip(offsets) {
        let end = OutputRequest { limit: 0, ..OutputRequest::new(stream, u64::MAX) };
        // An offset beyond the end is answered with the end.
        if command.output(end).await.is_ok_and(|end| end.offset > offset) {
            return true;
        }
    }
    false
}
