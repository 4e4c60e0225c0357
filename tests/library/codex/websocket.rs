//! The server over WebSocket: who may connect, and that messages are frames.

use std::net::{SocketAddr, TcpListener};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use wisp_codex::{ServeError, WebSocketOptions};
use wisp_service::{ListenError, Token};

use crate::peer;

use super::kit::{Served, WAITS, script_of, served};

const TOKEN: &str = "the-token-of-a-test";

/// A server that listens.
struct Door {
    served: Served,
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    ended: JoinHandle<Result<(), ServeError>>,
}

fn door(options: WebSocketOptions) -> Door {
    let served = served("");
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    let (stop, stopped) = oneshot::channel::<()>();
    let server = served.server.clone();
    let ended = tokio::spawn(async move { server.serve_websocket(listener, options, async { drop(stopped.await) }).await });
    Door { served, address, stop, ended }
}

fn with_token() -> WebSocketOptions {
    WebSocketOptions { token: Token::new(TOKEN), ..WebSocketOptions::default() }
}

/// A client that is connected. It writes frames by itself.
struct Socket {
    stream: TcpStream,
    last: i64,
    notes: Vec<Value>,
}

impl Door {
    /// Asks for a connection with these headers besides the usual ones, of which each can be replaced. Returns the status.
    async fn ask(&self, headers: &[(&str, &str)]) -> (u16, TcpStream) {
        let (token, host) = (format!("Bearer {TOKEN}"), self.address.to_string());
        let usual = [
            ("host", host.as_str()),
            ("authorization", token.as_str()),
            ("connection", "Upgrade"),
            ("upgrade", "websocket"),
            ("sec-websocket-version", "13"),
            ("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="),
        ];
        let lines = peer::headers(&usual, headers);
        let mut stream = TcpStream::connect(self.address).await.expect("a server");
        stream.write_all(format!("GET / HTTP/1.1\r\n{lines}\r\n").as_bytes()).await.expect("it reads");
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(stream.read_u8().await.expect("it answers"));
        }
        let head = String::from_utf8(head).expect("text");
        (head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status"), stream)
    }

    async fn connect(&self) -> Socket {
        let (status, stream) = self.ask(&[]).await;
        assert_eq!(status, 101);
        Socket { stream, last: 0, notes: Vec::new() }
    }

    /// Stops the server, and waits until it has ended.
    async fn stop(self) -> Served {
        drop(self.stop);
        self.ended.await.expect("no panic").expect("it ends");
        assert!(!self.served.is_open());
        self.served
    }
}

impl Socket {
    /// Writes a frame: a client masks it, here with zeros.
    async fn frame(&mut self, kind: u8, bytes: &[u8]) {
        let mut frame = vec![0x80 | kind];
        match bytes.len() {
            short @ 0..126 => frame.push(0x80 | u8::try_from(short).expect("a byte")),
            long => {
                frame.push(0x80 | 127);
                frame.extend((long as u64).to_be_bytes());
            }
        }
        frame.extend([0; 4]);
        frame.extend(bytes);
        self.stream.write_all(&frame).await.expect("it reads");
    }

    async fn write(&mut self, message: &Value) {
        self.frame(1, message.to_string().as_bytes()).await;
    }

    /// The next frame, of a server: not masked, and here in one piece.
    async fn next(&mut self) -> Option<(u8, Vec<u8>)> {
        let first = self.stream.read_u8().await.ok()?;
        let length = match self.stream.read_u8().await.ok()? {
            126 => u64::from(self.stream.read_u16().await.ok()?),
            127 => self.stream.read_u64().await.ok()?,
            short => u64::from(short),
        };
        let mut bytes = vec![0; usize::try_from(length).expect("a length")];
        self.stream.read_exact(&mut bytes).await.ok()?;
        Some((first & 0x0f, bytes))
    }

    async fn message(&mut self) -> Value {
        let (kind, bytes) = self.next().await.expect("the server goes on");
        assert_eq!(kind, 1);
        serde_json::from_slice(&bytes).expect("JSON")
    }

    async fn call(&mut self, method: &str, params: Value) -> Value {
        self.last += 1;
        self.write(&json!({ "id": self.last, "method": method, "params": params })).await;
        loop {
            let message = self.message().await;
            if message["id"] == self.last {
                return message;
            }
            self.notes.push(message);
        }
    }

    async fn begin(&mut self, resume: Option<&str>) -> String {
        let answer = self.call("initialize", json!({ "clientName": "codex-environment", "resumeSessionId": resume })).await;
        self.write(&json!({ "method": "initialized", "params": {} })).await;
        answer["result"]["sessionId"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
    }

    async fn note(&mut self, method: &str) -> Value {
        loop {
            if let Some(at) = self.notes.iter().position(|note| note["method"] == method) {
                return self.notes.remove(at);
            }
            let message = self.message().await;
            self.notes.push(message);
        }
    }
}

#[tokio::test]
async fn only_who_has_the_token_and_comes_from_no_page_may_connect() {
    let door = door(with_token());
    assert_eq!(door.ask(&[]).await.0, 101);
    for (headers, status) in [
        (&[("authorization", "")][..], 401),
        (&[("authorization", "Bearer another-token-of-a-test")], 401),
        (&[("host", "example.com")], 403),
        (&[("host", "")], 403),
        (&[("origin", "https://example.com")], 403),
        (&[("origin", "http://localhost")], 403),
    ] {
        assert_eq!(door.ask(headers).await.0, status, "{headers:?}");
    }
    assert_eq!(door.ask(&[("host", &format!("localhost:{}", door.address.port()))]).await.0, 101);
    door.stop().await;
}

#[tokio::test]
async fn a_server_that_is_open_to_others_needs_a_token() {
    let served = served("");
    let listener = || TcpListener::bind("0.0.0.0:0").expect("a port");
    let refused = served.server.serve_websocket(listener(), WebSocketOptions::default(), async {}).await;
    assert!(matches!(refused, Err(ServeError::Listen(ListenError::Open { .. }))));
    served.server.serve_websocket(listener(), with_token(), async {}).await.unwrap();
    let loopback = TcpListener::bind("127.0.0.1:0").expect("a port");
    served.server.serve_websocket(loopback, WebSocketOptions::default(), async {}).await.unwrap();
}

#[tokio::test]
async fn a_client_works_and_comes_back() {
    let door = door(with_token());
    let mut socket = door.connect().await;
    let session = socket.begin(None).await;
    let started = socket.call("process/start", script_of("p", "echo mine > note; echo done", json!({}))).await;
    assert_eq!(started["result"], json!({ "processId": "p" }));
    let closed = socket.note("process/closed").await;
    assert_eq!(closed["params"]["processId"], "p");
    // A ping is answered, and a binary frame is a message.
    socket.frame(9, b"there?").await;
    assert_eq!(socket.next().await, Some((10, b"there?".to_vec())));
    socket.frame(2, json!({ "id": 99, "method": "environment/status", "params": {} }).to_string().as_bytes()).await;
    assert_eq!(socket.message().await["result"], json!({ "status": "ready" }));
    socket.frame(8, &[]).await;
    assert_eq!(socket.next().await.map(|(kind, _)| kind), Some(8));
    drop(socket);
    door.served.closed().await;

    let mut socket = door.connect().await;
    assert_eq!(socket.begin(Some(&session)).await, session);
    socket.call("process/start", script_of("p", "cat note", json!({}))).await;
    assert_eq!(super::kit::text(&socket.note("process/output").await["params"]["chunk"]), "mine\n");
    drop(socket);
    assert_eq!(door.stop().await.kept(), [session]);
}

#[tokio::test]
async fn each_client_has_a_session_and_all_end_when_the_server_stops() {
    let door = door(with_token());
    let mut sockets = [door.connect().await, door.connect().await];
    let mut sessions = Vec::new();
    for socket in &mut sockets {
        sessions.push(socket.begin(None).await);
        socket.call("process/start", script_of("p", WAITS, json!({}))).await;
        socket.note("process/output").await;
    }
    assert_eq!(door.served.service.sessions(&door.served.owner).len(), 2);
    sessions.sort();
    assert_eq!(door.stop().await.kept(), sessions);
    for socket in &mut sockets {
        while socket.next().await.is_some_and(|(kind, _)| kind != 8) {}
    }
}

#[tokio::test]
async fn what_is_no_client_is_refused_and_a_giant_message_ends_the_connection() {
    let door = door(with_token());
    let mut stream = TcpStream::connect(door.address).await.expect("a server");
    stream.write_all(b"garbage\r\n\r\n").await.expect("it reads");
    assert_eq!(stream.read_to_end(&mut Vec::new()).await.expect("an end"), 0);

    let mut socket = door.connect().await;
    socket.begin(None).await;
    // Its length is enough.
    socket.stream.write_all(&[0x81, 0x80 | 127, 0, 0, 0, 0, 0x80, 0, 0, 0, 0, 0, 0, 0]).await.expect("it reads");
    let answer = socket.message().await;
    assert_eq!(answer["error"]["message"], "a message has at most 32 MiB", "{answer}");
    door.served.closed().await;
    let mut socket = door.connect().await;
    socket.begin(None).await;
    drop(socket);
    door.stop().await;
}

#[tokio::test]
async fn answers_to_pings_that_nobody_reads_are_not_all_kept() {
    // More than twice what may wait, and what sockets hold besides.
    const PINGS: usize = 800_000;
    const PONG: usize = 2 + 125;
    let door = door(with_token());
    let mut socket = door.connect().await;
    socket.begin(None).await;
    // Masked with zeros.
    let ping = [&[0x89, 0x80 | 125, 0, 0, 0, 0][..], &[b'x'; 125]].concat();
    let many = ping.repeat(1_000);
    for _ in 0..PINGS / 1_000 {
        socket.stream.write_all(&many).await.expect("it reads");
    }
    let mut pongs = vec![0; 300_000 * PONG];
    socket.stream.read_exact(&mut pongs).await.expect("it answers");
    assert!(pongs.chunks(PONG).all(|pong| pong[..2] == [0x8a, 125]));
    socket.write(&json!({ "id": 7, "method": "environment/status" })).await;
    let mut count = 300_000;
    let status = loop {
        match socket.next().await.expect("the server goes on") {
            (10, _) => count += 1,
            (_, message) => break message,
        }
    };
    assert_eq!(serde_json::from_slice::<Value>(&status).expect("JSON")["result"], json!({ "status": "ready" }));
    assert!(count < PINGS, "all {count} were kept");
    drop(socket);
    door.stop().await;
}
