//! A connection of lines: what a client writes to standard input, and reads from standard output.

use std::io;

use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};

use crate::bounds::MESSAGE;

/// Bytes that are read at a time, and stay allocated for the next line.
const KEPT: usize = 64 << 10;

/// What came.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Frame {
    /// A message.
    Text(String),
    /// Something that is none: why.
    Refused(&'static str),
}

/// The side of a connection that messages come from.
pub(crate) trait Receive: Send {
    /// Waits for the next one; `None` at the end. Nothing is lost if the future is dropped.
    fn receive(&mut self) -> impl Future<Output = Option<Frame>> + Send;
}

/// The side of a connection that messages go to.
pub(crate) trait Transmit: Send {
    /// Writes one.
    fn transmit(&mut self, text: String) -> impl Future<Output = io::Result<()>> + Send;

    /// Says that nothing follows.
    fn finish(&mut self) -> impl Future<Output = io::Result<()>> + Send;
}

/// Lines that are read.
pub(crate) struct Lines<R> {
    reader: BufReader<R>,
    line: Vec<u8>,
    /// Whether the line is too long, and only its end is looked for.
    skips: bool,
}

impl<R: AsyncRead> Lines<R> {
    pub(crate) fn new(reader: R) -> Self {
        Self { reader: BufReader::with_capacity(KEPT, reader), line: Vec::new(), skips: false }
    }

    /// Returns the frame of the line that has ended.
    fn take(&mut self) -> Option<Frame> {
        let line = std::mem::take(&mut self.line);
        if std::mem::take(&mut self.skips) {
            return Some(Frame::Refused("a message has at most 32 MiB"));
        }
        match String::from_utf8(line) {
            // A blank line is nothing.
            Ok(text) if text.trim().is_empty() => None,
            Ok(text) => Some(Frame::Text(text)),
            Err(_) => Some(Frame::Refused("a message is UTF-8")),
        }
    }
}

impl<R: AsyncRead + Send + Unpin> Receive for Lines<R> {
    async fn receive(&mut self) -> Option<Frame> {
        loop {
            // A client that is gone without closing its side has ended too.
            let read = self.reader.fill_buf().await.unwrap_or_default();
            if read.is_empty() {
                return self.take();
            }
            let end = read.iter().position(|byte| *byte == b'\n');
            let piece = &read[..end.unwrap_or(read.len())];
            if self.skips || self.line.len() + piece.len() > MESSAGE {
                self.skips = true;
                self.line = Vec::new();
            } else {
                self.line.extend_from_slice(piece);
            }
            let taken = end.map_or(read.len(), |end| end + 1);
            self.reader.consume(taken);
            if end.is_some()
                && let Some(frame) = self.take()
            {
                return Some(frame);
            }
        }
    }
}

/// Lines that are written.
pub(crate) struct LinesOut<W>(pub(crate) W);

impl<W: AsyncWrite + Send + Unpin> Transmit for LinesOut<W> {
    async fn transmit(&mut self, mut text: String) -> io::Result<()> {
        text.push('\n');
        self.0.write_all(text.as_bytes()).await?;
        self.0.flush().await
    }

    async fn finish(&mut self) -> io::Result<()> {
        self.0.shutdown().await
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::duplex;

    use super::*;

    #[tokio::test]
    async fn each_line_is_a_message() {
        let mut lines = Lines::new(&b"one\n\n  \r\ntwo\r\n\xff\nlast"[..]);
        let mut found = Vec::new();
        while let Some(frame) = lines.receive().await {
            found.push(frame);
        }
        let text = |text: &str| Frame::Text(text.to_owned());
        assert_eq!(found, [text("one"), text("two\r"), Frame::Refused("a message is UTF-8"), text("last")]);
    }

    #[tokio::test]
    async fn a_line_that_is_too_long_is_skipped() {
        let (mut near, far) = duplex(1 << 16);
        let writes = tokio::spawn(async move {
            let piece = vec![b'x'; 1 << 20];
            for _ in 0..=MESSAGE >> 20 {
                near.write_all(&piece).await.expect("a reader");
            }
            near.write_all(b"\nafter\n").await.expect("a reader");
        });
        let mut lines = Lines::new(far);
        assert_eq!(lines.receive().await, Some(Frame::Refused("a message has at most 32 MiB")));
        assert_eq!(lines.receive().await, Some(Frame::Text("after".to_owned())));
        assert_eq!(lines.receive().await, None);
        writes.await.expect("no panic");
    }
}
