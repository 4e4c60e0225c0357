//! One call of a helper: the streams of a command, between the session and the client.

use std::io::{self, Cursor};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, DuplexStream, ReadBuf, duplex};
use tokio::net::UnixStream;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender, unbounded_channel};
use wisp::{Input, Output, Signal};

use super::control::Control;
use super::documents::{Answer, Call, Finished, last, split};
use super::live::{Live, Task};
use super::told::{Frames, Told, rename_outcome};
use super::wire::{self, Kind, PIECE};
use super::{GRACE, timer};

/// The writing half of a connection: whole frames, one at a time.
type Writer = Arc<tokio::sync::Mutex<OwnedWriteHalf>>;

/// Runs a command for the client at the other end of `stream`, from the answer that it can to the last frame.
pub(super) async fn serve(live: &mut Live, call: Call, mut stream: UnixStream, told: &Told, control: Arc<Control>) {
    if wire::write_document(&mut stream, Kind::Answer, &Answer::Ready).await.is_err() {
        return;
    }
    // A client that finds a mistake leaves, and nothing has begun.
    let Ok((Kind::Words, words)) = wire::read(&mut stream).await else { return };
    let words = split(&words);
    let (reader, writer) = stream.into_split();
    let writer: Writer = Arc::new(tokio::sync::Mutex::new(writer));
    let (frames, queue) = unbounded_channel();
    let sending = tokio::spawn(send(queue, writer.clone()));
    let (input, typed) = mpsc::channel(1);
    let (mut pumps, mut taken) = (Vec::new(), Vec::new());
    let mut output = |kind, terminal| {
        if call.capture {
            return Output::Capture;
        }
        let (near, far) = duplex(PIECE);
        let (sender, receiver) = unbounded_channel();
        taken.push(sender);
        pumps.push(tokio::spawn(pump(far, kind, writer.clone(), receiver)));
        Output::Stream { stream: Box::new(near), terminal }
    };
    let (stdout, stderr) = (output(Kind::Stdout, call.terminals[1]), output(Kind::Stderr, call.terminals[2]));
    let listening = tokio::spawn(listen(reader, input, taken, control.clone()));
    let asking = Asking { frames: frames.clone(), typed, rest: Cursor::default(), asked: false };
    let stdin = Input::Stream { stream: Box::new(asking), terminal: call.terminals[0] };
    told.attach(&frames, call.receipts, call.events);
    let ahead = tokio::spawn(compile_ahead(live.session().clone()));
    let task = Task { words, workdir: call.workdir, timeout: call.timeout, stdin, stdout, stderr };
    let mut finished = live.run(task, &control).await;
    ahead.abort();
    told.detach(live.session().id());
    // The command has closed its outputs. Who reads them may be slow.
    let delivered = async {
        for pump in &mut pumps {
            let _ = pump.await;
        }
    };
    if finished.is_forced() {
        timer::within(GRACE, delivered).await;
        pumps.iter().for_each(tokio::task::JoinHandle::abort);
    } else {
        delivered.await;
    }
    if let Finished::Ended { outcome, .. } = &mut finished {
        if !call.contents {
            outcome.files.iter_mut().for_each(|file| file.data = None);
        }
        if call.timeout.is_some() {
            rename_outcome(outcome);
        }
    }
    for frame in last(&finished).unwrap_or_else(|_| vec![(Kind::End, Vec::new())]) {
        // A client that is gone hears nothing.
        let _ = frames.send(frame);
    }
    drop(frames);
    // Ends with the last frame, or when the client is gone.
    let _ = sending.await;
    listening.abort();
}

/// Sends frames to the client, up to the last one.
async fn send(mut queue: UnboundedReceiver<(Kind, Vec<u8>)>, writer: Writer) {
    while let Some((kind, bytes)) = queue.recv().await {
        if wire::write(&mut *writer.lock().await, kind, &bytes).await.is_err() || kind == Kind::End {
            return;
        }
    }
}

/// Sends an output to the client, a piece whenever that has taken the one before. Ends when nobody reads the output any more.
async fn pump(mut from: DuplexStream, kind: Kind, writer: Writer, mut taken: UnboundedReceiver<bool>) {
    let mut bytes = vec![0; PIECE];
    while let Ok(count @ 1..) = from.read(&mut bytes).await {
        let sent = wire::write(&mut *writer.lock().await, kind, &bytes[..count]).await;
        if sent.is_err() || taken.recv().await != Some(true) {
            return;
        }
    }
}

/// Does what the client says. One that goes away has its command interrupted, and ended if that does not help.
async fn listen(mut reader: OwnedReadHalf, input: mpsc::Sender<Vec<u8>>, taken: Vec<UnboundedSender<bool>>, control: Arc<Control>) {
    let mut input = Some(input);
    while let Ok((kind, bytes)) = wire::read(&mut reader).await {
        let first = bytes.first().copied();
        match (kind, first) {
            (Kind::Input, None) => input = None,
            (Kind::Input, Some(_)) => {
                if let Some(input) = &input {
                    // A command that has ended reads nothing.
                    let _ = input.send(bytes).await;
                }
            }
            (Kind::Interrupt, _) => control.interrupt(),
            (Kind::Kill, _) => control.kill(),
            (Kind::Signal, Some(number)) => {
                if let Some(signal) = Signal::from_number(number) {
                    control.signal(signal);
                }
            }
            (Kind::Taken | Kind::Closed, Some(number)) => {
                if let Some(output) = taken.get(usize::from(number)) {
                    let _ = output.send(kind == Kind::Taken);
                }
            }
            // No client of this wisp says that.
            _ => break,
        }
    }
    drop((input, taken));
    control.interrupt();
    timer::sleep(GRACE).await;
    control.kill();
}

/// Compiles what no process has needed yet, while a longer command runs.
async fn compile_ahead(session: wisp::Session) {
    timer::sleep(Duration::from_secs(1)).await;
    session.compile_ahead().await;
}

/// Standard input, which the client sends piece by piece as it is read.
struct Asking {
    frames: Frames,
    typed: mpsc::Receiver<Vec<u8>>,
    /// What was sent and not read yet.
    rest: Cursor<Vec<u8>>,
    /// Whether the next piece was asked for.
    asked: bool,
}

impl AsyncRead for Asking {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = &mut *self;
        if this.rest.position() == this.rest.get_ref().len() as u64 {
            if !std::mem::replace(&mut this.asked, true) && this.frames.send((Kind::Wanted, Vec::new())).is_err() {
                return Poll::Ready(Ok(()));
            }
            let Some(piece) = ready!(this.typed.poll_recv(context)) else { return Poll::Ready(Ok(())) };
            this.asked = false;
            this.rest = Cursor::new(piece);
        }
        Pin::new(&mut this.rest).poll_read(context, buffer)
    }
}
