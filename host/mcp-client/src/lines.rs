//! Messages as lines: a connection to a server by two streams, on which requests and their answers find each other by number.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;

use parking_lot::Mutex;
use serde::Serialize;
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::{mpsc, oneshot};
use tokio::task::AbortHandle;

use crate::wire::{self, AHEAD, Answer, Came, MESSAGE, Refusal};

/// Maximum lines that are no messages: some servers print to their standard output when they start.
const STRANGE: usize = 100;

/// Bytes that stay allocated for the next line.
const KEPT: usize = 64 << 10;

/// A connection. With the last handle, its input is closed. A server that sends a line which is too long is not listened to any more: which
/// call it answered is not known before the line has ended.
pub(crate) struct Lines {
    shared: Arc<Shared>,
    messages: mpsc::Sender<String>,
    tasks: [AbortHandle; 2],
}

struct Shared {
    waiting: Mutex<Waiting>,
}

#[derive(Default)]
struct Waiting {
    last: u64,
    calls: HashMap<u64, oneshot::Sender<Answer>>,
    gone: Option<String>,
}

impl Lines {
    /// Creates the connection of these streams: what the server writes, and what it reads. Call it in an async runtime.
    pub(crate) fn new(read: impl AsyncRead + Send + Unpin + 'static, write: impl AsyncWrite + Send + Unpin + 'static) -> Self {
        let shared = Arc::new(Shared { waiting: Mutex::default() });
        let (messages, to_write) = mpsc::channel(AHEAD);
        let (reading, replies) = (shared.clone(), messages.clone());
        #[expect(clippy::disallowed_methods, reason = "both end with the connection")]
        let tasks = [
            tokio::spawn(async move { reading.end(receive(BufReader::new(read), &reading, &replies).await) }).abort_handle(),
            // What cannot be written is not answered: the end of what the server writes says why.
            tokio::spawn(async move { drop(transmit(write, to_write).await) }).abort_handle(),
        ];
        Self { shared, messages, tasks }
    }

    /// Returns whether the server may still answer.
    pub(crate) fn is_open(&self) -> bool {
        self.shared.waiting.lock().gone.is_none() && !self.messages.is_closed()
    }

    /// Makes a request and waits for its answer. If it is given up, the server is told so.
    pub(crate) async fn request(&self, method: &str, params: impl Serialize) -> Answer {
        let (answer, receiver) = oneshot::channel();
        let id = self.shared.enter(answer)?;
        let mut pending = Pending { lines: self, id, sent: false };
        let message = wire::message(Some(id), method, params);
        if self.messages.send(message).await.is_err() {
            return Err(self.shared.why());
        }
        pending.sent = true;
        receiver.await.unwrap_or_else(|_| Err(self.shared.why()))
    }

    /// Tells the server something. Waits for its turn to.
    pub(crate) async fn notify(&self, method: &str, params: impl Serialize) {
        // A connection that has ended fails the next request.
        let _ = self.messages.send(wire::message(None, method, params)).await;
    }
}

impl Drop for Lines {
    fn drop(&mut self) {
        for task in &self.tasks {
            task.abort();
        }
    }
}

/// A request that waits.
struct Pending<'a> {
    lines: &'a Lines,
    id: u64,
    sent: bool,
}

impl Drop for Pending<'_> {
    fn drop(&mut self) {
        let waits = self.lines.shared.waiting.lock().calls.remove(&self.id).is_some();
        if waits && self.sent {
            // A server that reads nothing is not told.
            let _ = self.lines.messages.try_send(wire::cancelled(self.id));
        }
    }
}

impl Shared {
    /// Takes a number for a request.
    fn enter(&self, answer: oneshot::Sender<Answer>) -> Result<u64, Refusal> {
        let mut waiting = self.waiting.lock();
        if let Some(reason) = &waiting.gone {
            return Err(Refusal::Gone(reason.clone()));
        }
        waiting.last += 1;
        let id = waiting.last;
        waiting.calls.insert(id, answer);
        Ok(id)
    }

    fn answer(&self, id: u64, answer: Answer) {
        // One that nobody waits for any more was given up, or never asked for.
        let asked = self.waiting.lock().calls.remove(&id);
        if let Some(asked) = asked {
            let _ = asked.send(answer);
        }
    }

    /// Ends all that waits, and all that will be asked.
    fn end(&self, reason: String) {
        let calls = {
            let mut waiting = self.waiting.lock();
            waiting.gone.get_or_insert_with(|| reason.clone());
            std::mem::take(&mut waiting.calls)
        };
        for call in calls.into_values() {
            let _ = call.send(Err(Refusal::Gone(reason.clone())));
        }
    }

    fn why(&self) -> Refusal {
        Refusal::Gone(self.waiting.lock().gone.clone().unwrap_or_else(|| "has ended".to_owned()))
    }
}

async fn transmit(mut write: impl AsyncWrite + Unpin, mut messages: mpsc::Receiver<String>) -> io::Result<()> {
    while let Some(mut line) = messages.recv().await {
        line.push('\n');
        write.write_all(line.as_bytes()).await?;
        write.flush().await?;
    }
    Ok(())
}

/// Reads until the server ends or breaks a bound. Returns which.
async fn receive(mut read: impl AsyncBufRead + Unpin, shared: &Shared, replies: &mpsc::Sender<String>) -> String {
    let (mut text, mut strange) = (Vec::<u8>::new(), 0);
    loop {
        text.clear();
        text.shrink_to(KEPT);
        match next_line(&mut read, &mut text).await {
            Ok(true) => {}
            Ok(false) => return "has ended".to_owned(),
            Err(error) if error.kind() == io::ErrorKind::FileTooLarge => {
                return format!("sent a message of more than {} MiB", MESSAGE >> 20);
            }
            Err(error) => return format!("cannot be read: {error}"),
        }
        if text.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        match wire::read(&text) {
            Came::Answer(id, answer) => shared.answer(id, answer),
            // A server that does not read its replies gets no more.
            Came::Asks(reply) => drop(replies.try_send(reply)),
            Came::Notice | Came::Complaint(_) => {}
            Came::Strange => strange += 1,
        }
        if strange > STRANGE {
            return "does not speak the Model Context Protocol on its standard output".to_owned();
        }
    }
}

/// Reads a line; false at the end of the input. What comes after the last line break is no message.
async fn next_line(read: &mut (impl AsyncBufRead + Unpin), line: &mut Vec<u8>) -> io::Result<bool> {
    loop {
        let there = read.fill_buf().await?;
        if there.is_empty() {
            return Ok(false);
        }
        let end = there.iter().position(|byte| *byte == b'\n');
        let taken = end.map_or(there.len(), |at| at + 1);
        if line.len() + taken > MESSAGE {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        line.extend_from_slice(&there[..taken]);
        read.consume(taken);
        if end.is_some() {
            return Ok(true);
        }
    }
}
