//! The lines of a connection: requests and their answers by number, with bounds on what a server can make wisp hold.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::{mpsc, oneshot};
use tokio::task::AbortHandle;

/// Maximum bytes of a line. A server whose answer is longer is not listened to any more: which call it answered is not known before the
/// line has ended. The default of `host.max_result` is 10 MiB, and JSON in JSON needs more bytes.
pub(crate) const LINE: usize = 32 << 20;

/// Maximum lines that are no messages: some servers print to their standard output when they start.
const STRANGE: usize = 100;

/// Bytes that stay allocated for the next line.
const KEPT: usize = 64 << 10;

/// Lines that wait to be written. One more request waits for its turn.
const AHEAD: usize = 64;

/// An answer to a request.
pub(crate) type Answer = Result<Box<RawValue>, Refusal>;

/// Why a request has no result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The server's error.
    Error { code: i64, message: String },
    /// The connection has ended; why, as the end of a sentence: `has ended`.
    Gone(String),
}

/// A connection. With the last handle, its input is closed.
pub(crate) struct Connection {
    shared: Arc<Shared>,
    lines: mpsc::Sender<String>,
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

/// What is sent.
#[derive(Serialize)]
struct Sent<'a, P> {
    jsonrpc: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<u64>,
    method: &'a str,
    params: P,
}

/// What came.
#[derive(Deserialize)]
struct Received<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    method: Option<String>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    error: Option<RpcError>,
}

#[derive(Deserialize)]
struct RpcError {
    #[serde(default)]
    code: i64,
    #[serde(default)]
    message: String,
}

impl Connection {
    /// The connection of these streams: what the server writes, and what it reads. Call it in an async runtime.
    pub(crate) fn new(read: impl AsyncRead + Send + Unpin + 'static, write: impl AsyncWrite + Send + Unpin + 'static) -> Self {
        let shared = Arc::new(Shared { waiting: Mutex::default() });
        let (lines, to_write) = mpsc::channel(AHEAD);
        let (reading, replies) = (shared.clone(), lines.clone());
        #[expect(clippy::disallowed_methods, reason = "both end with the connection")]
        let tasks = [
            tokio::spawn(async move { reading.end(receive(BufReader::new(read), &reading, &replies).await) }).abort_handle(),
            // What cannot be written is not answered: the end of what the server writes says why.
            tokio::spawn(async move { drop(transmit(write, to_write).await) }).abort_handle(),
        ];
        Self { shared, lines, tasks }
    }

    /// Whether the server may still answer.
    pub(crate) fn is_open(&self) -> bool {
        self.shared.waiting.lock().gone.is_none() && !self.lines.is_closed()
    }

    /// Makes a request and waits for its answer. If it is given up, the server is told so.
    pub(crate) async fn request(&self, method: &str, params: impl Serialize) -> Answer {
        let (answer, receiver) = oneshot::channel();
        let id = self.shared.enter(answer)?;
        let mut pending = Pending { connection: self, id, sent: false };
        let line = line(Some(id), method, params);
        if self.lines.send(line).await.is_err() {
            return Err(self.shared.why());
        }
        pending.sent = true;
        receiver.await.unwrap_or_else(|_| Err(self.shared.why()))
    }

    /// Tells the server something. Waits for its turn to.
    pub(crate) async fn notify(&self, method: &str, params: impl Serialize) {
        // A connection that has ended fails the next request.
        let _ = self.lines.send(line(None, method, params)).await;
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        for task in &self.tasks {
            task.abort();
        }
    }
}

/// A request that waits.
struct Pending<'a> {
    connection: &'a Connection,
    id: u64,
    sent: bool,
}

impl Drop for Pending<'_> {
    fn drop(&mut self) {
        let waits = self.connection.shared.waiting.lock().calls.remove(&self.id).is_some();
        if waits && self.sent {
            #[derive(Serialize)]
            #[serde(rename_all = "camelCase")]
            struct Cancelled {
                request_id: u64,
                reason: &'static str,
            }
            let params = Cancelled { request_id: self.id, reason: "the caller has given it up" };
            // A server that reads nothing is not told.
            let _ = self.connection.lines.try_send(line(None, "notifications/cancelled", params));
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

/// A message as a line. What is serialized here has no line break in it: text of others is in strings, and arguments are made so.
fn line(id: Option<u64>, method: &str, params: impl Serialize) -> String {
    // Strings, numbers and JSON that was read before: this cannot fail.
    let mut line = serde_json::to_string(&Sent { jsonrpc: "2.0", id, method, params }).unwrap_or_default();
    line.push('\n');
    line
}

async fn transmit(mut write: impl AsyncWrite + Unpin, mut lines: mpsc::Receiver<String>) -> io::Result<()> {
    while let Some(line) = lines.recv().await {
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
                return format!("sent a message of more than {} MiB", LINE >> 20);
            }
            Err(error) => return format!("cannot be read: {error}"),
        }
        if text.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        if !handle(&text, shared, replies) {
            strange += 1;
            if strange > STRANGE {
                return "does not speak the Model Context Protocol on its standard output".to_owned();
            }
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
        if line.len() + taken > LINE {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        line.extend_from_slice(&there[..taken]);
        read.consume(taken);
        if end.is_some() {
            return Ok(true);
        }
    }
}

/// Does what a message asks for. Returns whether it is one.
fn handle(text: &[u8], shared: &Shared, replies: &mpsc::Sender<String>) -> bool {
    let Ok(message) = serde_json::from_slice::<Received<'_>>(text) else { return false };
    match (message.method, message.id) {
        (Some(method), Some(id)) => {
            // A server that does not read its replies gets no more.
            let _ = replies.try_send(reply(&method, id));
        }
        // Progress, logs, changed lists: nothing here depends on them.
        (Some(_), None) => {}
        (None, Some(id)) => {
            let Ok(id) = id.get().parse::<u64>() else { return false };
            match (message.error, message.result) {
                (Some(error), _) => shared.answer(id, Err(Refusal::Error { code: error.code, message: error.message })),
                (None, Some(result)) => shared.answer(id, Ok(result.to_owned())),
                (None, None) => return false,
            }
        }
        // An error about a message that the server could not read.
        (None, None) => return message.error.is_some(),
    }
    true
}

/// The reply to a request of the server's: it may ask whether it is heard. Models, people and folders are not for it.
fn reply(method: &str, id: &RawValue) -> String {
    #[derive(Serialize)]
    struct Reply<'a> {
        jsonrpc: &'static str,
        id: &'a RawValue,
        #[serde(skip_serializing_if = "Option::is_none")]
        result: Option<Empty>,
        #[serde(skip_serializing_if = "Option::is_none")]
        error: Option<Error>,
    }
    #[derive(Serialize)]
    struct Empty {}
    #[derive(Serialize)]
    struct Error {
        code: i64,
        message: &'static str,
    }
    let pings = method == "ping";
    let error = (!pings).then_some(Error { code: -32601, message: "this client only calls tools" });
    let reply = Reply { jsonrpc: "2.0", id, result: pings.then_some(Empty {}), error };
    let mut line = serde_json::to_string(&reply).unwrap_or_default();
    line.push('\n');
    line
}
