//! A server on this machine that speaks HTTP just well enough for tests, and does whatever they say.

use std::sync::Arc;

use parking_lot::Mutex;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use wisp::Policy;
use wisp::policy::NoFiles;

/// A request that came.
pub(super) struct Seen {
    pub(super) method: String,
    head: String,
    pub(super) body: Value,
}

impl Seen {
    /// Returns the value of a header.
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let named = self.head.lines().filter_map(|line| line.split_once(':')).find(|(known, _)| known.eq_ignore_ascii_case(name));
        named.map(|(_, value)| value.trim())
    }

    /// Returns the method of its message, or that of HTTP if it has none.
    pub(super) fn asks(&self) -> &str {
        self.body["method"].as_str().unwrap_or(&self.method)
    }

    /// Returns what the arguments of a call say that the answer shall be.
    pub(super) fn case(&self) -> &str {
        self.body["params"]["arguments"]["case"].as_str().unwrap_or_default()
    }
}

/// What a server does with a request: it sends this, and closes the connection or waits until the client does.
pub(super) enum Does {
    Send(String),
    Hold(String),
}

/// A server, and what it saw.
pub(super) struct Fake {
    pub(super) port: u16,
    pub(super) seen: mpsc::UnboundedReceiver<Seen>,
}

impl Fake {
    /// Creates a server at a port of this machine.
    pub(super) async fn new(does: impl FnMut(&Seen) -> Does + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let (sender, seen) = mpsc::unbounded_channel();
        let does = Arc::new(Mutex::new(does));
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let (does, sender) = (does.clone(), sender.clone());
                tokio::spawn(async move {
                    let Some(seen) = read(&mut stream).await else { return };
                    let does = {
                        let mut does = does.lock();
                        (*does)(&seen)
                    };
                    // Before the client has the answer.
                    let _ = sender.send(seen);
                    let (Does::Send(text) | Does::Hold(text)) = &does;
                    // The client may have what it needs.
                    let _ = stream.write_all(text.as_bytes()).await;
                    if matches!(does, Does::Hold(_)) {
                        let _ = stream.read(&mut [0]).await;
                    }
                });
            }
        });
        Self { port, seen }
    }

    /// Returns a policy that names it, with these lines.
    pub(super) fn policy(&self, lines: &str, tools: &[&str]) -> Policy {
        let at = format!("http://127.0.0.1:{}/mcp?team=1", self.port);
        let text = format!("[[host.mcp]]\nname = \"demo\"\nurl = \"{at}\"\n{lines}\nallow = {tools:?}\n");
        Policy::parse(&NoFiles, "p.toml", &text).unwrap_or_else(|error| panic!("{error}\n{text}"))
    }

    /// Returns the next request that asks for this. Those before are let go.
    pub(super) async fn next(&mut self, asks: &str) -> Seen {
        loop {
            let seen = self.seen.recv().await.expect("the server runs");
            if seen.asks() == asks {
                return seen;
            }
        }
    }

    /// Returns what was asked for until now.
    pub(super) fn asked(&mut self) -> Vec<String> {
        let mut asked = Vec::new();
        while let Ok(seen) = self.seen.try_recv() {
            asked.push(seen.asks().to_owned());
        }
        asked
    }
}

/// Reads a request, if one comes.
async fn read(stream: &mut TcpStream) -> Option<Seen> {
    let mut text = Vec::<u8>::new();
    let (mut head, mut length) = (None, 0);
    loop {
        if head.is_none()
            && let Some(at) = text.windows(4).position(|window| window == b"\r\n\r\n")
        {
            let lines = String::from_utf8_lossy(&text[..at]).into_owned();
            let line = lines.lines().find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length:").map(str::to_owned));
            length = at + 4 + line.map_or(0, |line| line.trim().parse().expect("a length"));
            head = Some((lines, at + 4));
        }
        if let Some((lines, body)) = &head
            && text.len() >= length
        {
            let method = lines.split(' ').next().unwrap_or_default().to_owned();
            assert!(lines.starts_with(&format!("{method} /mcp?team=1 HTTP/1.1\r\n")), "{lines}");
            let body = serde_json::from_slice(&text[*body..length]).unwrap_or_default();
            return Some(Seen { method, head: lines.clone(), body });
        }
        let mut piece = [0; 4096];
        let count = stream.read(&mut piece).await.ok().filter(|count| *count > 0)?;
        text.extend_from_slice(&piece[..count]);
    }
}

/// Returns a response with this status, these headers and this body.
pub(super) fn response(status: &str, headers: &str, body: &str) -> String {
    format!("HTTP/1.1 {status}\r\n{headers}Content-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len())
}

/// Returns a message as the whole of a response.
pub(super) fn message(headers: &str, message: &Value) -> Does {
    Does::Send(response("200 OK", &format!("Content-Type: application/json; charset=utf-8\r\n{headers}"), &message.to_string()))
}

/// Returns the answer to the message of a request.
pub(super) fn result(seen: &Seen, result: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": seen.body["id"], "result": result })
}

/// Returns a stream of these events, which ends with the connection.
pub(super) fn stream(events: &str) -> String {
    format!("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n{events}")
}
