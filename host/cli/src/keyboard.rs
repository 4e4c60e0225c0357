//! A person's terminal in raw mode: each key goes to the sandbox, whose own terminal edits lines and sends signals.

use std::io::{PipeReader, PipeWriter};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, poll};
use tokio::io::{AsyncRead, ReadBuf};
use tokio::sync::mpsc;
use wisp::{Running, TerminalSize};

use crate::answers::Count;
use crate::left::Remains;
use crate::stop::Stop;
use crate::terminal;

/// Ctrl-]: pressed three times within `WITHIN`, it ends the command, whatever its programs do with keys.
const RESCUE: u8 = 0x1d;
const TIMES: usize = 3;
const WITHIN: Duration = Duration::from_secs(1);

/// Bytes read at a time.
const PART: usize = 16 << 10;

/// Returns the size of the terminal, or a usual one where it does not know it.
pub(crate) fn size() -> TerminalSize {
    let (columns, rows) = terminal::size().unwrap_or((80, 24));
    TerminalSize::new(rows, columns)
}

/// Gives the command's terminal the size of the person's, whenever that changes. Never ends.
pub(crate) async fn follow_size(running: Running) {
    use tokio::signal::unix::{SignalKind, signal};
    // Without a handler, the size stays.
    let Ok(mut changed) = signal(SignalKind::window_change()) else { return std::future::pending().await };
    // It may have changed before the handler was there.
    running.resize(size());
    while changed.recv().await.is_some() {
        running.resize(size());
    }
}

/// What is typed at standard input. A thread reads it, from the first read on, and takes nothing any more once this is dropped: a
/// blocking read that went on would take the terminal's last answers from [`terminal::Settings::restore`].
#[derive(Default)]
pub(crate) struct Typing {
    reader: Option<Reader>,
    /// What was read and not asked for yet.
    rest: std::io::Cursor<Vec<u8>>,
}

struct Reader {
    parts: mpsc::Receiver<Vec<u8>>,
    _stop: PipeWriter,
}

impl Reader {
    fn start() -> std::io::Result<Self> {
        let (stopped, stop) = std::io::pipe()?;
        let (sender, parts) = mpsc::channel(1);
        std::thread::Builder::new().name("keys".to_owned()).spawn(move || {
            while let Some(part) = typed(&stopped) {
                if sender.blocking_send(part).is_err() {
                    return;
                }
            }
        })?;
        Ok(Self { parts, _stop: stop })
    }
}

/// Waits for keys. `None` at their end, or once the other end of `stopped` is closed.
fn typed(stopped: &PipeReader) -> Option<Vec<u8>> {
    let stdin = std::io::stdin();
    let mut bytes = vec![0; PART];
    loop {
        let mut asked = [PollFd::new(stopped, PollFlags::IN), PollFd::new(&stdin, PollFlags::IN)];
        match poll(&mut asked, None) {
            Ok(_) if !asked[0].revents().is_empty() => return None,
            Ok(_) => match rustix::io::read(&stdin, &mut bytes) {
                Ok(0) => return None,
                Ok(count) => {
                    bytes.truncate(count);
                    return Some(bytes);
                }
                Err(rustix::io::Errno::INTR | rustix::io::Errno::AGAIN) => {}
                Err(_) => return None,
            },
            Err(rustix::io::Errno::INTR) => {}
            Err(_) => return None,
        }
    }
}

impl AsyncRead for Typing {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<std::io::Result<()>> {
        let this = &mut *self;
        let reader = match &mut this.reader {
            Some(reader) => reader,
            none => none.insert(Reader::start()?),
        };
        if this.rest.position() == this.rest.get_ref().len() as u64 {
            let Some(part) = ready!(reader.parts.poll_recv(context)) else { return Poll::Ready(Ok(())) };
            this.rest = std::io::Cursor::new(part);
        }
        Pin::new(&mut this.rest).poll_read(context, buffer)
    }
}

/// Keys, and among them the rescue and the terminal's answers.
pub(crate) struct Keys<R> {
    stream: R,
    stop: Stop,
    rescue: Rescue,
    answers: Count,
    /// Told how many answers there were.
    remains: Remains,
}

impl<R> Keys<R> {
    pub(crate) fn new(stream: R, stop: &Stop, remains: &Remains) -> Self {
        let (rescue, answers) = (Rescue::default(), Count::default());
        Self { stream, stop: stop.clone(), rescue, answers, remains: remains.clone() }
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for Keys<R> {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<std::io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
        let keys = &buffer.filled()[before..];
        if self.rescue.is_complete(keys, Instant::now()) {
            self.stop.now();
        }
        let answers = self.answers.push(keys);
        self.remains.answered(answers);
        Poll::Ready(Ok(()))
    }
}

/// When the rescue key was pressed, with no other key since.
#[derive(Default)]
struct Rescue(Vec<Instant>);

impl Rescue {
    /// Returns whether the last of these keys is the third in time.
    fn is_complete(&mut self, keys: &[u8], now: Instant) -> bool {
        for key in keys {
            if *key == RESCUE { self.0.push(now) } else { self.0.clear() }
        }
        self.0.retain(|pressed| now.duration_since(*pressed) <= WITHIN);
        self.0.len() >= TIMES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_times_within_a_second_and_nothing_between() {
        let start = Instant::now();
        let at = |milliseconds: u64| start + Duration::from_millis(milliseconds);
        let pressed = |keys: &[(&[u8], u64)]| {
            let mut rescue = Rescue::default();
            keys.iter().map(|(keys, time)| rescue.is_complete(keys, at(*time))).collect::<Vec<_>>()
        };
        assert_eq!(pressed(&[(b"\x1d", 0), (b"\x1d", 400), (b"\x1d", 800)]), [false, false, true]);
        assert_eq!(pressed(&[(b"a\x1d\x1d\x1d", 0)]), [true]);
        assert_eq!(pressed(&[(b"\x1d", 0), (b"\x1d", 700), (b"\x1d", 1_400), (b"\x1d", 1_500)]), [false, false, false, true]);
        assert_eq!(pressed(&[(b"\x1d\x1d", 0), (b"x\x1d", 1)]), [false, false]);
    }
}
