//! A person's terminal in raw mode: each key goes to the sandbox, whose own terminal edits lines and sends signals.

use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use tokio::io::{AsyncRead, ReadBuf};
use wisp::{Running, Session, TerminalSize};

use crate::terminal;

/// Ctrl-]: pressed three times within `WITHIN`, it ends the command, whatever its programs do with keys.
const RESCUE: u8 = 0x1d;
const TIMES: usize = 3;
const WITHIN: Duration = Duration::from_secs(1);

/// The size of the terminal, or a usual one where it does not know it.
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

/// Keys, and the rescue among them.
pub(crate) struct Keys<R> {
    stream: R,
    session: Session,
    rescue: Rescue,
}

impl<R> Keys<R> {
    pub(crate) fn new(stream: R, session: &Session) -> Self {
        Self { stream, session: session.clone(), rescue: Rescue::default() }
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for Keys<R> {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<std::io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
        if self.rescue.is_complete(&buffer.filled()[before..], Instant::now()) {
            self.session.interrupt();
        }
        Poll::Ready(Ok(()))
    }
}

/// When the rescue key was pressed, with no other key since.
#[derive(Default)]
struct Rescue(Vec<Instant>);

impl Rescue {
    /// Whether the last of these keys is the third in time.
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
