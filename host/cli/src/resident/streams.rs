//! The streams of a command that a helper runs, on the side of the command line.

use std::io::{self, ErrorKind, Write};
use std::os::unix::net::UnixStream;
use std::sync::Arc;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::unix::OwnedWriteHalf;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::mpsc::{Receiver, Sender, UnboundedReceiver, channel, unbounded_channel};
use tokio::task::JoinHandle;
use wisp::CompileEvent;

use super::documents::{Compiling, Finished};
use super::wire::{self, Kind, PIECE};
use super::{GRACE, timer};
use crate::lines;
use crate::progress::Progress;
use crate::run::Stream;
use crate::signals::{Signals, Step};
use crate::stop::Asked;

/// Maximum bytes of what a helper says at the end of a command: all results may be in it.
const MOST: usize = 4 << 30;

/// Maximum bytes of the lines of a call that wait to be written, and of what is kept for each: two files of 64 MiB.
const MOST_LINES: usize = 256 << 20;
const LINE: usize = 64;

/// A file of lines.
pub(super) type File = Box<dyn Write + Send>;

/// The writing half of the connection: whole frames, one at a time.
type Writer = Arc<tokio::sync::Mutex<OwnedWriteHalf>>;

/// Passes everything on until the command has ended. `outputs` are this process's standard output and error, `files` those of receipts and
/// of events. `asked` is told what signals ask for, and `progress` what is compiled. Who has an output that cannot be written says so.
///
/// # Errors
/// If the helper ends before the command, or says what no helper says. What it had sent before is written.
pub(super) async fn follow(
    stream: UnixStream,
    outputs: [Stream; 2],
    files: [Option<File>; 2],
    asked: &Asked,
    progress: Progress,
) -> io::Result<Finished> {
    stream.set_nonblocking(true)?;
    let (mut reader, writer) = tokio::net::UnixStream::from_std(stream)?.into_split();
    let writer: Writer = Arc::new(tokio::sync::Mutex::new(writer));
    // Not ended: one more signal ends wisp also while it copies results.
    tokio::spawn(pass_signals(writer.clone(), asked));
    let [stdout, stderr] = outputs;
    let ((stdout, stdout_written), (stderr, stderr_written)) = (output(stdout, 0, &writer), output(stderr, 1, &writer));
    let (wanted, wants) = channel(1);
    tokio::spawn(input(wants, writer));
    let (told, tells) = unbounded_channel();
    let told_written = tokio::spawn(write_lines(tells, files));
    let compiling = progress.listener();
    let (mut document, mut lines) = (Vec::new(), 0_usize);
    let heard = async {
        loop {
            let (kind, bytes) = wire::read(&mut reader).await?;
            match kind {
                Kind::Stdout => pass(&stdout, bytes)?,
                Kind::Stderr => pass(&stderr, bytes)?,
                Kind::Wanted => pass(&wanted, ())?,
                Kind::Receipts | Kind::Events => {
                    lines = lines.saturating_add(LINE + bytes.len());
                    if lines > MOST_LINES {
                        return Err(strange());
                    }
                    // Who writes them ends last.
                    let _ = told.send((kind, bytes));
                }
                Kind::Compiling => {
                    let Compiling { tool, done } = wire::read_document(&bytes)?;
                    compiling(if done { CompileEvent::Finished { tool } } else { CompileEvent::Started { tool } });
                }
                Kind::Part if document.len().saturating_add(bytes.len()) <= MOST => document.extend(bytes),
                Kind::End => return Ok::<(), io::Error>(()),
                _ => return Err(strange()),
            }
        }
    };
    let heard = heard.await;
    drop(progress);
    let finished = heard.and_then(|()| wire::read_document::<Finished>(&document));
    drop((stdout, stderr, told));
    let written = async {
        let _ = (stdout_written.await, stderr_written.await);
    };
    if finished.as_ref().is_ok_and(|finished| !finished.is_forced()) {
        written.await;
    } else {
        timer::within(GRACE, written).await;
    }
    if finished.is_ok() {
        let _ = told_written.await;
    } else {
        timer::within(GRACE, told_written).await;
    }
    finished
}

/// Passes on what a helper sends one of at a time. Who takes it may have ended, because nobody reads it.
fn pass<T>(to: &Sender<T>, what: T) -> io::Result<()> {
    match to.try_send(what) {
        Err(TrySendError::Full(_)) => Err(strange()),
        Ok(()) | Err(TrySendError::Closed(_)) => Ok(()),
    }
}

fn strange() -> io::Error {
    io::Error::new(ErrorKind::InvalidData, "the helper said what no helper of this wisp says")
}

/// Writes an output, and tells the helper that the next piece can come, or that nobody reads any more.
fn output(mut to: Stream, number: u8, writer: &Writer) -> (Sender<Vec<u8>>, JoinHandle<io::Result<()>>) {
    let (sender, mut pieces) = channel::<Vec<u8>>(1);
    let writer = writer.clone();
    let writing = tokio::spawn(async move {
        while let Some(piece) = pieces.recv().await {
            let written = match to.write_all(&piece).await {
                Ok(()) => to.flush().await,
                failed => failed,
            };
            let kind = if written.is_ok() { Kind::Taken } else { Kind::Closed };
            // The main loop notices if the helper is gone.
            let _ = wire::write(&mut *writer.lock().await, kind, &[number]).await;
            written?;
        }
        Ok::<(), io::Error>(())
    });
    (sender, writing)
}

/// Reads standard input, a piece whenever one is wanted, up to its end.
async fn input(mut wants: Receiver<()>, writer: Writer) {
    let (mut stdin, mut bytes) = (tokio::io::stdin(), vec![0; PIECE]);
    while wants.recv().await.is_some() {
        // What cannot be read is at its end, as it is without a helper.
        let count = stdin.read(&mut bytes).await.unwrap_or(0);
        let sent = wire::write(&mut *writer.lock().await, Kind::Input, &bytes[..count]).await;
        if count == 0 || sent.is_err() {
            return;
        }
    }
}

/// Writes lines of receipts and of events. A file that is a pipe may have to wait for its reader, which holds up no other stream.
async fn write_lines(mut tells: UnboundedReceiver<(Kind, Vec<u8>)>, [mut receipts, mut events]: [Option<File>; 2]) {
    while let Some((kind, bytes)) = tells.recv().await {
        let file = if kind == Kind::Receipts { &mut receipts } else { &mut events };
        if let Some(file) = file {
            lines::put(&mut **file, &bytes);
        }
    }
}

/// Listens for signals from now on, and passes them on, as they are for a command without a terminal of the sandbox.
fn pass_signals(writer: Writer, asked: &Asked) -> impl Future<Output = ()> + Send + use<> {
    let signals = Signals::listen(false, asked);
    async move {
        // Without listeners, the signals' default action applies: wisp ends.
        let Some(mut signals) = signals else { return };
        loop {
            let (kind, bytes) = match signals.next().await {
                Step::Interrupt => (Kind::Interrupt, Vec::new()),
                Step::Pass(signal) => (Kind::Signal, vec![signal.number()]),
                // There is no terminal to suspend, and no listener.
                Step::Kill | Step::Suspend => (Kind::Kill, Vec::new()),
                Step::Leave(code) => std::process::exit(i32::from(code)),
            };
            let _ = wire::write(&mut *writer.lock().await, kind, &bytes).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::sink;

    use super::*;
    use crate::progress::Reason;

    /// What comes of a call whose helper sends these frames and is gone.
    fn followed(frames: &[(Kind, &[u8])], stdout: Stream) -> io::Result<Finished> {
        let (ours, mut theirs) = UnixStream::pair().unwrap();
        for (kind, bytes) in frames {
            wire::send(&mut theirs, *kind, bytes).unwrap();
        }
        theirs.shutdown(std::net::Shutdown::Write).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let followed = runtime.block_on(follow(
            ours,
            [stdout, Box::new(sink())],
            [None, None],
            &Asked::default(),
            Progress::new(Reason::of_prepare(""), true),
        ));
        // A read of standard input may never end.
        runtime.shutdown_background();
        followed
    }

    const FAILED: &[u8] = br#"{"Failed":{"code":7,"message":"m"}}"#;

    #[test]
    fn a_helper_that_sends_what_nobody_asked_for_is_refused() {
        let strange = "what no helper of this wisp says";
        for kind in [Kind::Stdout, Kind::Stderr, Kind::Wanted] {
            // This process takes one piece at a time: one is being written, and one may wait.
            let flood = vec![(kind, b"x".as_slice()); 20];
            let error = followed(&flood, Box::new(sink())).err().map(|error| error.to_string());
            assert!(error.as_deref().is_some_and(|error| error.contains(strange)), "{kind:?}: {error:?}");
        }
        let error = followed(&[(Kind::Hello, b"")], Box::new(sink())).err().map(|error| error.to_string());
        assert!(error.is_some_and(|error| error.contains(strange)));
        // The twin.
        let told = followed(&[(Kind::Stdout, b"x"), (Kind::Stderr, b"x"), (Kind::Part, FAILED), (Kind::End, b"")], Box::new(sink()));
        assert!(matches!(told, Ok(Finished::Failed { code: 7, .. })), "{told:?}");
    }

    #[test]
    fn what_a_helper_sent_before_it_was_gone_is_written() {
        let (near, mut far) = tokio::io::duplex(PIECE);
        let error = followed(&[(Kind::Stdout, b"first")], Box::new(near)).err().map(|error| error.kind());
        assert_eq!(error, Some(ErrorKind::UnexpectedEof));
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let mut text = String::new();
        runtime.block_on(far.read_to_string(&mut text)).unwrap();
        assert_eq!(text, "first");
    }
}
