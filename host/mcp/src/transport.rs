//! The lines of a connection, with bounds on what a client can make the server hold.

use std::future::Future;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rmcp::RoleServer;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::Notify;

/// Maximum bytes of a line. A longer one is skipped: a client that never ends a line must not fill memory. Files that are written by
/// one call are smaller; larger ones are made in the sandbox.
pub(crate) const LINE: usize = 8 << 20;

/// Answers that may wait to be written. A client that asks and does not read is not listened to until it reads.
const ANSWERS: usize = 64;

/// A connection.
pub(crate) struct Lines<R: AsyncRead, W: AsyncWrite> {
    lines: AsyncRwTransport<RoleServer, R, W>,
    answers: Arc<Answers>,
    ended: Arc<Notify>,
}

/// The answers that wait to be written.
#[derive(Default)]
struct Answers {
    count: AtomicUsize,
    fewer: Notify,
}

impl Answers {
    /// Waits until there are fewer than the maximum.
    async fn few(&self) {
        loop {
            let fewer = self.fewer.notified();
            if self.count.load(Ordering::Acquire) < ANSWERS {
                return;
            }
            fewer.await;
        }
    }
}

/// One of them.
struct Answer(Arc<Answers>);

impl Answer {
    fn new(answers: &Arc<Answers>) -> Self {
        answers.count.fetch_add(1, Ordering::AcqRel);
        Self(answers.clone())
    }
}

impl Drop for Answer {
    fn drop(&mut self) {
        self.0.count.fetch_sub(1, Ordering::AcqRel);
        // One waits at most, and what is notified before it waits is not lost.
        self.0.fewer.notify_one();
    }
}

impl<R: AsyncRead + Send + Unpin, W: AsyncWrite + Send + Unpin + 'static> Lines<R, W> {
    /// Creates the connection of these streams, and what tells when the client has closed its side.
    pub(crate) fn new(read: R, write: W) -> (Self, Arc<Notify>) {
        let ended = Arc::new(Notify::new());
        let lines = AsyncRwTransport::new_server(read, write).with_max_line_length(LINE);
        (Self { lines, answers: Arc::default(), ended: ended.clone() }, ended)
    }
}

impl<R: AsyncRead + Send + Unpin, W: AsyncWrite + Send + Unpin + 'static> Transport<RoleServer> for Lines<R, W> {
    type Error = io::Error;

    fn send(&mut self, item: TxJsonRpcMessage<RoleServer>) -> impl Future<Output = Result<(), io::Error>> + Send + 'static {
        let (answer, send) = (Answer::new(&self.answers), self.lines.send(item));
        async move {
            let _answer = answer;
            send.await
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        self.answers.few().await;
        let message = self.lines.receive().await;
        if message.is_none() {
            self.ended.notify_one();
        }
        message
    }

    async fn close(&mut self) -> Result<(), io::Error> {
        self.lines.close().await
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    use rmcp::model::{EmptyResult, RequestId, ServerResult};
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    use super::*;

    const PING: &[u8] = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";

    fn ready<T>(future: impl Future<Output = T>) -> Option<T> {
        match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(value) => Some(value),
            Poll::Pending => None,
        }
    }

    fn answer() -> TxJsonRpcMessage<RoleServer> {
        TxJsonRpcMessage::<RoleServer>::response(ServerResult::EmptyResult(EmptyResult {}), RequestId::Number(1))
    }

    #[tokio::test]
    async fn a_client_that_does_not_read_is_not_listened_to() {
        let ((mut asks, read), (write, mut answers)) = (duplex(1 << 16), duplex(1));
        let (mut lines, _) = Lines::new(read, write);
        asks.write_all(&PING.repeat(2)).await.expect("room");
        let sends: Vec<_> = (0..ANSWERS).map(|_| tokio::spawn(lines.send(answer()))).collect();
        assert!(ready(lines.receive()).is_none(), "all answers wait");
        // As soon as one has been read, the next request is.
        let reads = tokio::spawn(async move { answers.read_to_end(&mut Vec::new()).await });
        assert!(matches!(lines.receive().await, Some(RxJsonRpcMessage::<RoleServer>::Request(_))));
        for send in sends {
            send.await.expect("no panic").expect("a reader");
        }
        assert!(lines.receive().await.is_some());
        lines.close().await.expect("a connection");
        drop(lines);
        reads.await.expect("no panic").expect("the end");
    }

    #[tokio::test]
    async fn a_line_that_is_too_long_is_skipped_and_the_end_is_told() {
        let ((mut asks, read), (write, _answers)) = (duplex(1 << 16), duplex(1 << 16));
        let (mut lines, ended) = Lines::new(read, write);
        let writes = tokio::spawn(async move {
            let piece = vec![b'x'; 1 << 16];
            for _ in 0..=LINE / piece.len() {
                asks.write_all(&piece).await.expect("a reader");
            }
            asks.write_all(b"\n").await.expect("a reader");
            asks.write_all(PING).await.expect("a reader");
        });
        assert!(lines.receive().await.is_some(), "the line after it");
        assert!(lines.receive().await.is_none());
        ended.notified().await;
        writes.await.expect("no panic");
    }
}
