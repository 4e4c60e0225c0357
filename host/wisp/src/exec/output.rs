//! Where a command's output goes: into memory or to a stream, counted against its limit.

use std::sync::Arc;

use parking_lot::Mutex;
use tokio::io::AsyncWriteExt;

use crate::exec::command::{Callback, Output};
use crate::exec::command_run::CommandRun;
use crate::exec::tape::Tape;
use crate::tasks::Task;
use crate::wasi::{Description, IoFailure, OpenDescription, OutputSink, outside};
use wisp_process::{PipeReader, PipeWatch, pipe};

pub(crate) use crate::exec::channel::Channel;

/// Receives what processes write: keeps it, passes it on, or only counts it.
struct Receiver {
    running: Arc<CommandRun>,
    channel: Channel,
    limit: u64,
    tape: Arc<Tape>,
    callback: Option<Mutex<Callback>>,
}

impl OutputSink for Receiver {
    fn write(&self, bytes: &[u8]) -> Result<(), IoFailure> {
        let part = &bytes[..self.tape.add(bytes, self.limit)];
        self.running.took(self.channel, part);
        if let Some(callback) = self.callback.as_ref().filter(|_| !part.is_empty()) {
            (callback.lock())(part);
        }
        if part.len() < bytes.len() {
            self.running.hit(self.channel.limit());
            return Err(IoFailure::Ended);
        }
        Ok(())
    }
}

/// Dropped with the last descriptor that refers to this output.
impl Drop for Receiver {
    fn drop(&mut self) {
        self.tape.close();
    }
}

/// One output of a running command.
pub(crate) struct Outlet {
    closed: Closed,
    /// Observes when a stream has taken everything.
    watch: Option<PipeWatch>,
    /// What was written; empty if it goes to a stream.
    tape: Arc<Tape>,
}

enum Closed {
    Tape,
    Pump(Task),
    Yes,
}

impl Outlet {
    /// Opens an output of `running`. Returns the description for its first process, and what remains here.
    pub(crate) fn open(running: &Arc<CommandRun>, channel: Channel, limit: u64, output: Output) -> (OpenDescription, Self) {
        match output {
            Output::Stream { stream, terminal } => {
                let (reader, writer) = pipe();
                let watch = Some(writer.watch());
                let pump = pump(reader, stream, running.clone(), channel, limit);
                let closed = Closed::Pump(running.tasks().spawn(pump));
                (Description::writer(writer, channel.number(), terminal), Self { closed, watch, tape: Tape::closed() })
            }
            Output::Capture => Self::receive(running, channel, limit, usize::MAX, None),
            Output::Tail { bytes } => Self::receive(running, channel, limit, bytes, None),
            Output::Callback(callback) => Self::receive(running, channel, limit, 0, Some(callback)),
            Output::Discard => Self::receive(running, channel, limit, 0, None),
        }
    }

    fn receive(
        running: &Arc<CommandRun>,
        channel: Channel,
        limit: u64,
        most: usize,
        callback: Option<Callback>,
    ) -> (OpenDescription, Self) {
        let tape = Tape::new(most);
        let callback = callback.map(Mutex::new);
        let receiver = Receiver { running: running.clone(), channel, limit, tape: tape.clone(), callback };
        (Description::sink(Arc::new(receiver), channel.number()), Self { closed: Closed::Tape, watch: None, tape })
    }

    /// Waits until no process holds this output, and everything written to it has arrived.
    pub(crate) async fn closed(&mut self) {
        match &mut self.closed {
            Closed::Tape => self.tape.wait_closed().await,
            Closed::Pump(pump) => pump.ended().await,
            Closed::Yes => {}
        }
        self.closed = Closed::Yes;
    }

    /// Creates a tape without an output of its own: what is written there goes to another.
    pub(crate) fn shared() -> Self {
        Self { closed: Closed::Yes, watch: None, tape: Tape::closed() }
    }

    /// Waits until a stream has taken what was written so far. What is kept is there at once.
    pub(crate) async fn drained(&self) {
        if let Some(watch) = &self.watch {
            watch.wanted().await;
        }
    }

    /// Returns what was written.
    pub(crate) fn tape(&self) -> &Arc<Tape> {
        &self.tape
    }
}

impl Drop for Outlet {
    fn drop(&mut self) {
        // The waiter for the command is gone. A stream without a reader would keep its pump as long as the command.
        if let Closed::Pump(pump) = &self.closed {
            pump.abort();
        }
    }
}

async fn pump(
    reader: PipeReader,
    mut stream: Box<dyn tokio::io::AsyncWrite + Send + Unpin>,
    running: Arc<CommandRun>,
    channel: Channel,
    limit: u64,
) {
    let (mut left, mut lines) = (limit, 0);
    loop {
        let bytes = reader.read(usize::MAX).await;
        // Each line that a person types has the full limit.
        let now = running.lines();
        if now != lines {
            (left, lines) = (limit, now);
        }
        if bytes.is_empty() {
            let _ = stream.flush().await;
            return;
        }
        let part = &bytes[..bytes.len().min(usize::try_from(left).unwrap_or(usize::MAX))];
        left -= part.len() as u64;
        running.took(channel, part);
        // If the reader of the output is gone, this end closes, and the program notices it as with any pipe.
        let delivered = async { stream.write_all(part).await.is_ok() && stream.flush().await.is_ok() };
        if !outside(delivered).await {
            return;
        }
        if part.len() < bytes.len() {
            running.hit(channel.limit());
            return;
        }
    }
}
