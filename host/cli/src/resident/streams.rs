//! The streams of a command that a helper runs, on the side of the command line.

use std::io::{self, ErrorKind, Write};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::unix::OwnedWriteHalf;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;
use wisp::CompileEvent;

use super::documents::{Compiling, Finished};
use super::wire::{self, Kind, PIECE};
use super::{GRACE, timer};
use crate::lines;
use crate::progress::Progress;
use crate::run::Stream;
use crate::stop::INTERRUPTED;

/// Maximum bytes of what a helper says at the end of a command: all results may be in it.
const MOST: usize = 4 << 30;

/// A file of lines.
pub(super) type File = Box<dyn Write + Send>;

/// The writing half of the connection: whole frames, one at a time.
type Writer = Arc<tokio::sync::Mutex<OwnedWriteHalf>>;

/// Passes everything on until the command has ended. `outputs` are this process's standard output and error, `files` those of receipts and
/// of events. Sets `killed` when the user has the command ended by force.
///
/// # Errors
/// If the helper ends before the command.
pub(super) async fn follow(
    stream: UnixStream,
    outputs: [Stream; 2],
    files: [Option<File>; 2],
    killed: Arc<AtomicBool>,
) -> io::Result<Finished> {
    stream.set_nonblocking(true)?;
    let (mut reader, writer) = tokio::net::UnixStream::from_std(stream)?.into_split();
    let writer: Writer = Arc::new(tokio::sync::Mutex::new(writer));
    // Not ended: one more signal ends wisp also while it copies results.
    tokio::spawn(signals(writer.clone(), killed));
    let [stdout, stderr] = outputs;
    let ((stdout, stdout_written), (stderr, stderr_written)) = (output(stdout, 0, &writer), output(stderr, 1, &writer));
    let (wanted, wants) = unbounded_channel();
    tokio::spawn(input(wants, writer));
    let (told, tells) = unbounded_channel();
    let told_written = tokio::spawn(write_lines(tells, files));
    let progress = Progress::of_resident();
    let compiling = progress.listener();
    let mut document = Vec::new();
    loop {
        let (kind, bytes) = wire::read(&mut reader).await?;
        // Who writes these may have ended, because nobody reads them.
        match kind {
            Kind::Stdout => drop(stdout.send(bytes)),
            Kind::Stderr => drop(stderr.send(bytes)),
            Kind::Wanted => drop(wanted.send(())),
            Kind::Receipts | Kind::Events => drop(told.send((kind, bytes))),
            Kind::Compiling => {
                let Compiling { tool, done } = wire::read_document(&bytes)?;
                compiling(if done { CompileEvent::Finished { tool } } else { CompileEvent::Started { tool } });
            }
            Kind::Part if document.len().saturating_add(bytes.len()) <= MOST => document.extend(bytes),
            Kind::End => break,
            _ => return Err(io::Error::new(ErrorKind::InvalidData, "the helper said what no helper of this wisp says")),
        }
    }
    drop(progress);
    let finished: Finished = wire::read_document(&document)?;
    drop((stdout, stderr, told));
    let written = async {
        let _ = stdout_written.await;
        let _ = stderr_written.await;
    };
    if finished.is_forced() {
        timer::within(GRACE, written).await;
    } else {
        written.await;
    }
    let _ = told_written.await;
    Ok(finished)
}

/// Writes an output, and tells the helper that the next piece can come, or that nobody reads any more.
fn output(mut to: Stream, number: u8, writer: &Writer) -> (UnboundedSender<Vec<u8>>, JoinHandle<()>) {
    let (sender, mut pieces) = unbounded_channel::<Vec<u8>>();
    let writer = writer.clone();
    let writing = tokio::spawn(async move {
        while let Some(piece) = pieces.recv().await {
            let written = to.write_all(&piece).await.is_ok() && to.flush().await.is_ok();
            let kind = if written { Kind::Taken } else { Kind::Closed };
            // The main loop notices if the helper is gone.
            let _ = wire::write(&mut *writer.lock().await, kind, &[number]).await;
            if !written {
                return;
            }
        }
    });
    (sender, writing)
}

/// Reads standard input, a piece whenever one is wanted, up to its end.
async fn input(mut wants: UnboundedReceiver<()>, writer: Writer) {
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

/// Listens for signals from now on, and passes them on, as they are for a command without a terminal: Ctrl-C interrupts it, a second one
/// and SIGTERM end it, and one more ends wisp.
fn signals(writer: Writer, killed: Arc<AtomicBool>) -> impl Future<Output = ()> + Send {
    use tokio::signal::unix::{SignalKind, signal};
    let listeners = (signal(SignalKind::interrupt()), signal(SignalKind::terminate()));
    async move {
        // Without listeners, the signals' default action applies: wisp ends.
        let (Ok(mut interrupts), Ok(mut terminate)) = listeners else { return };
        let mut asked = false;
        loop {
            let politely = tokio::select! {
                _ = interrupts.recv() => !std::mem::replace(&mut asked, true),
                _ = terminate.recv() => false,
            };
            if killed.load(Ordering::Relaxed) {
                std::process::exit(i32::from(INTERRUPTED));
            }
            if !politely {
                killed.store(true, Ordering::Relaxed);
            }
            let kind = if politely { Kind::Interrupt } else { Kind::Kill };
            let _ = wire::write(&mut *writer.lock().await, kind, &[]).await;
        }
    }
}
