//! The other side of a server that speaks JSON line by line, and headers of requests, for the tests of several doors.

use std::collections::{BTreeMap, VecDeque};
use std::pin::pin;

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf};

/// What a client writes and has read.
pub(crate) struct Peer {
    write: WriteHalf<DuplexStream>,
    lines: Lines<BufReader<ReadHalf<DuplexStream>>>,
    /// What came while the client wrote: a server that is not listened to does not listen either.
    unread: VecDeque<Value>,
    /// What came for other requests than the one that was waited for.
    answers: BTreeMap<i64, Value>,
    pub(crate) notes: Vec<Value>,
}

impl Peer {
    /// Returns one that has written nothing yet, and the server's side: what it reads, and what it writes to.
    pub(crate) fn new() -> (Self, ReadHalf<DuplexStream>, WriteHalf<DuplexStream>) {
        let (near, far) = tokio::io::duplex(1 << 16);
        let (read, write) = tokio::io::split(near);
        let lines = BufReader::new(read).lines();
        let (theirs, ours) = tokio::io::split(far);
        (Self { write, lines, unread: VecDeque::new(), answers: BTreeMap::new(), notes: Vec::new() }, theirs, ours)
    }

    /// Writes a line, and reads meanwhile.
    pub(crate) async fn line(&mut self, line: &str) {
        let line = format!("{line}\n");
        let mut written = pin!(self.write.write_all(line.as_bytes()));
        loop {
            tokio::select! {
                biased;
                written = &mut written => return written.expect("the server reads"),
                line = self.lines.next_line() => self.unread.push_back(message(line.expect("a line"))),
            }
        }
    }

    pub(crate) async fn write(&mut self, message: &Value) {
        self.line(&message.to_string()).await;
    }

    /// The next message.
    pub(crate) async fn next(&mut self) -> Value {
        match self.unread.pop_front() {
            Some(unread) => unread,
            None => message(self.lines.next_line().await.expect("a line")),
        }
    }

    /// Reads the next message, and puts it where it is looked for.
    pub(crate) async fn take(&mut self) {
        let message = self.next().await;
        match message.get("method") {
            Some(_) => self.notes.push(message),
            None => drop(self.answers.insert(message["id"].as_i64().expect("a number"), message)),
        }
    }

    /// Waits for the answer to a request.
    pub(crate) async fn answer(&mut self, id: i64) -> Value {
        loop {
            if let Some(answer) = self.answers.remove(&id) {
                return answer;
            }
            self.take().await;
        }
    }

    /// Whether the answer to a request has been read.
    pub(crate) fn has_answer(&self, id: i64) -> bool {
        self.answers.contains_key(&id)
    }

    /// Waits for a notification that is `wanted`, and takes it.
    pub(crate) async fn note(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            if let Some(at) = self.notes.iter().position(&wanted) {
                return self.notes.remove(at);
            }
            self.take().await;
        }
    }

    /// Ends its requests, and goes on reading.
    pub(crate) async fn end(&mut self) {
        self.write.shutdown().await.expect("a connection");
    }

    /// Reads what is left, to the end.
    pub(crate) async fn rest(&mut self) -> Vec<Value> {
        let mut rest: Vec<Value> = self.unread.drain(..).collect();
        while let Some(line) = self.lines.next_line().await.expect("lines") {
            rest.push(message(Some(line)));
        }
        rest
    }
}

fn message(line: Option<String>) -> Value {
    serde_json::from_str(&line.expect("the server goes on")).expect("JSON")
}

/// The lines of these headers, of which `other` replaces those of the same name; one without a value is left out.
pub(crate) fn headers(usual: &[(&str, &str)], other: &[(&str, &str)]) -> String {
    let usual = usual.iter().filter(|(name, _)| other.iter().all(|(replaced, _)| replaced != name));
    let all = usual.chain(other.iter().filter(|(_, value)| !value.is_empty()));
    all.map(|(name, value)| format!("{name}: {value}\r\n")).collect()
}
