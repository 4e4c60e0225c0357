//! Where a command's output goes: into memory or to a stream, counted against its limit.

use std::sync::Arc;

use parking_lot::Mutex;
use tokio::io::AsyncWriteExt;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::exec::command::Output;
use crate::exec::command_run::Running;
use crate::exec::lockstep::Lockstep;
use crate::outcome::event::Stream;
use crate::outcome::limit::Limit;
use crate::wasi::{Description, IoFailure, OpenDescription, OutputSink, outside};
use wisp_process::{PipeReader, PipeWatch, pipe};

/// One of the two outputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Channel {
    Stdout,
    Stderr,
}

impl Channel {
    /// Its descriptor.
    fn number(self) -> u64 {
        match self {
            Self::Stdout => 1,
            Self::Stderr => 2,
        }
    }

    pub(crate) fn stream(self) -> Stream {
        match self {
            Self::Stdout => Stream::Stdout,
            Self::Stderr => Stream::Stderr,
        }
    }

    /// Its limit.
    pub(crate) fn limit(self) -> Limit {
        match self {
            Self::Stdout => Limit::Stdout,
            Self::Stderr => Limit::Stderr,
        }
    }
}

/// Keeps output in memory, or only counts it.
struct Capture {
    running: Arc<Running>,
    channel: Channel,
    limit: u64,
    keep: bool,
    taken: Arc<Mutex<Taken>>,
    /// Dropped with the last descriptor that refers to this output.
    _closed: oneshot::Sender<()>,
}

/// Output that was taken, and how much of it counts against a limit.
#[derive(Default)]
pub(crate) struct Taken {
    pub bytes: Vec<u8>,
    pub count: u64,
}

impl Taken {
    /// Takes what fits into `limit`, and keeps it if `keep`. Returns the number of bytes taken.
    pub(crate) fn add(&mut self, bytes: &[u8], limit: u64, keep: bool) -> usize {
        let room = usize::try_from(limit.saturating_sub(self.count)).unwrap_or(usize::MAX);
        let part = &bytes[..bytes.len().min(room)];
        self.count += part.len() as u64;
        if keep {
            self.bytes.extend_from_slice(part);
        }
        part.len()
    }
}

impl OutputSink for Capture {
    fn write(&self, bytes: &[u8]) -> Result<(), IoFailure> {
        let part = self.taken.lock().add(bytes, self.limit, self.keep);
        self.running.took(self.channel, &bytes[..part]);
        if part < bytes.len() {
            self.running.hit(self.channel.limit());
            return Err(IoFailure::Ended);
        }
        Ok(())
    }
}

/// One output of a running command.
pub(crate) struct Outlet {
    closed: Closed,
    /// Observes when a stream has taken everything.
    watch: Option<PipeWatch>,
    taken: Option<Arc<Mutex<Taken>>>,
}

enum Closed {
    Sender(oneshot::Receiver<()>),
    Pump(JoinHandle<()>),
    /// A pump that runs among the processes, and the handle that stops it.
    Stepped {
        closed: oneshot::Receiver<()>,
        _stop: oneshot::Sender<()>,
    },
    Yes,
}

impl Outlet {
    /// Opens an output of `running`. Returns the description for its first process, and what remains here. Under
    /// lockstep, the pump runs with the processes.
    pub(crate) fn open(
        running: &Arc<Running>,
        channel: Channel,
        limit: u64,
        output: Output,
        lockstep: Option<&Arc<Lockstep>>,
    ) -> (OpenDescription, Self) {
        match output {
            Output::Stream { stream, terminal } => {
                let (reader, writer) = pipe();
                let watch = Some(writer.watch());
                let pump = pump(reader, stream, running.clone(), channel, limit);
                let closed = match lockstep {
                    Some(lockstep) => {
                        let ((ended, closed), (stop, stopped)) = (oneshot::channel(), oneshot::channel());
                        lockstep.spawn(async move {
                            let _ended: oneshot::Sender<()> = ended;
                            tokio::select! {
                                biased;
                                _ = stopped => {}
                                () = pump => {}
                            }
                        });
                        Closed::Stepped { closed, _stop: stop }
                    }
                    None => Closed::Pump(tokio::spawn(pump)),
                };
                (Description::writer(writer, channel.number(), terminal), Self { closed, watch, taken: None })
            }
            Output::Capture | Output::Discard => {
                let (sender, receiver) = oneshot::channel();
                let taken = Arc::new(Mutex::new(Taken::default()));
                let sink = Capture {
                    running: running.clone(),
                    channel,
                    limit,
                    keep: matches!(output, Output::Capture),
                    taken: taken.clone(),
                    _closed: sender,
                };
                let outlet = Self { closed: Closed::Sender(receiver), watch: None, taken: Some(taken) };
                (Description::sink(Arc::new(sink), channel.number()), outlet)
            }
        }
    }

    /// Waits until no process holds this output, and everything written to it has arrived.
    pub(crate) async fn closed(&mut self) {
        match &mut self.closed {
            // An error is the signal: the sender was dropped with the last descriptor.
            Closed::Sender(receiver) => drop(receiver.await),
            Closed::Pump(pump) => drop(pump.await),
            Closed::Stepped { closed, .. } => drop(closed.await),
            Closed::Yes => {}
        }
        self.closed = Closed::Yes;
    }

    /// No output of its own: what is written there goes to another.
    pub(crate) fn shared() -> Self {
        Self { closed: Closed::Yes, watch: None, taken: None }
    }

    /// The observer of whether the stream has taken everything, if this is a stream.
    pub(crate) fn take_watch(&mut self) -> Option<PipeWatch> {
        self.watch.take()
    }

    /// The captured bytes.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.taken.as_ref().map_or_else(Vec::new, |taken| std::mem::take(&mut taken.lock().bytes))
    }
}

impl Drop for Outlet {
    fn drop(&mut self) {
        // The waiter for the command is gone. A stream without a reader would keep its pump forever; a pump among the
        // processes stops when this is dropped.
        if let Closed::Pump(pump) = &self.closed {
            pump.abort();
        }
    }
}

async fn pump(
    reader: PipeReader,
    mut stream: Box<dyn tokio::io::AsyncWrite + Send + Unpin>,
    running: Arc<Running>,
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
