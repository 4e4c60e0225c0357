//! The server over HTTP: who may connect, and both versions of the protocol.

use std::net::{SocketAddr, TcpListener};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use wisp_mcp::{HttpOptions, Options, ServeError};
use wisp_service::{ListenError, Token};

use crate::peer;

use super::kit::{STATELESS, Served, WITH_INITIALIZE, at_once, served, text};

const TOKEN: &str = "the-token-of-a-test";

/// A server that listens.
struct Door {
    served: Served,
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    ended: JoinHandle<Result<(), ServeError>>,
}

fn door(options: Options) -> Door {
    let served = served("", options);
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    let (stop, stopped) = oneshot::channel();
    let (server, http) = (served.server.clone(), HttpOptions { token: Token::new(TOKEN), ..HttpOptions::default() });
    let ended = tokio::spawn(async move { server.serve_http(listener, http, async { drop(stopped.await) }).await });
    Door { served, address, stop, ended }
}

/// An answer: its status, its headers, and its messages.
struct Answer {
    status: u16,
    head: String,
    messages: Vec<Value>,
}

impl Answer {
    fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }
}

impl Door {
    /// Sends a request with these headers besides the usual ones, of which each can be replaced.
    async fn send(&self, method: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let (token, host) = (format!("Bearer {TOKEN}"), self.address.to_string());
        let usual = [
            ("host", host.as_str()),
            ("authorization", token.as_str()),
            ("accept", "application/json, text/event-stream"),
            ("content-type", "application/json"),
            ("connection", "close"),
        ];
        let lines = peer::headers(&usual, headers);
        let request = format!("{method} /mcp HTTP/1.1\r\n{lines}content-length: {}\r\n\r\n{body}", body.len());
        let mut stream = TcpStream::connect(self.address).await.expect("a server");
        stream.write_all(request.as_bytes()).await.expect("it reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.expect("it answers");
        let (head, body) = answer.split_once("\r\n\r\n").expect("headers");
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        // Of a stream of events, or the body itself.
        let lines = body.lines().map(|line| line.strip_prefix("data:").unwrap_or(line).trim());
        let messages = lines.filter_map(|line| serde_json::from_str::<Value>(line).ok()).filter(Value::is_object).collect();
        Answer { status, head: head.to_owned(), messages }
    }

    async fn post(&self, headers: &[(&str, &str)], body: &Value) -> Answer {
        self.send("POST", headers, &body.to_string()).await
    }

    /// Stops the server, and waits until it has ended.
    async fn stop(self) {
        drop(self.stop);
        self.ended.await.expect("no panic").expect("it ends");
        assert!(self.served.service.sessions(&self.served.owner).is_empty());
    }
}

fn initialize() -> Value {
    let params = json!({ "protocolVersion": WITH_INITIALIZE, "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } });
    json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params })
}

fn python(code: &str, params: &Value) -> Value {
    let mut params = params.clone();
    params["name"] = json!("run_python");
    params["arguments"] = json!({ "code": code });
    json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params })
}

#[tokio::test]
async fn only_who_has_the_token_and_comes_from_no_page_may_connect() {
    let door = door(Options::default());
    assert_eq!(door.post(&[], &initialize()).await.status, 200);
    for (headers, status) in [
        (&[("authorization", "")][..], 401),
        (&[("authorization", "Bearer another-token-of-a-test")], 401),
        (&[("host", "example.com")], 403),
        (&[("origin", "https://example.com")], 403),
        (&[("origin", "http://localhost")], 403),
    ] {
        let answer = door.post(headers, &initialize()).await;
        assert_eq!(answer.status, status, "{headers:?}: {}", answer.head);
    }
    assert_eq!(door.post(&[("host", &format!("localhost:{}", door.address.port()))], &initialize()).await.status, 200);
    door.stop().await;
}

#[tokio::test]
async fn a_server_that_is_open_to_others_needs_a_token() {
    let served = served("", Options::default());
    let listener = || TcpListener::bind("0.0.0.0:0").expect("a port");
    let refused = served.server.serve_http(listener(), HttpOptions::default(), async {}).await;
    assert!(matches!(refused, Err(ServeError::Listen(ListenError::Open { .. }))));
    let with = HttpOptions { token: Some(Token::random().unwrap()), ..HttpOptions::default() };
    served.server.serve_http(listener(), with, async {}).await.unwrap();
    let loopback = TcpListener::bind("127.0.0.1:0").expect("a port");
    served.server.serve_http(loopback, HttpOptions::default(), async {}).await.unwrap();
}

#[tokio::test]
async fn clients_that_begin_with_initialize_have_a_sandbox_each() {
    let door = door(at_once());
    let mut sessions = Vec::new();
    for value in [1, 2] {
        let begun = door.post(&[], &initialize()).await;
        assert_eq!(begun.messages.last().expect("a message")["result"]["protocolVersion"], WITH_INITIALIZE);
        let id = begun.header("mcp-session-id").expect("a session").to_owned();
        let with = [("mcp-session-id", id.as_str()), ("mcp-protocol-version", WITH_INITIALIZE)];
        assert_eq!(door.post(&with, &json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await.status, 202);
        door.post(&with, &python(&format!("x = {value}"), &json!({}))).await;
        sessions.push(id);
    }
    for (id, value) in sessions.iter().zip(["1\n", "2\n"]) {
        let with = [("mcp-session-id", id.as_str()), ("mcp-protocol-version", WITH_INITIALIZE)];
        let answer = door.post(&with, &python("x", &json!({}))).await;
        assert_eq!(text(&answer.messages.last().expect("a message")["result"]), value);
    }
    assert_eq!(door.served.service.sessions(&door.served.owner).len(), 2);
    // One that leaves takes its sandbox with it.
    let with = [("mcp-session-id", sessions[0].as_str()), ("mcp-protocol-version", WITH_INITIALIZE)];
    assert!(door.send("DELETE", &with, "").await.status < 300);
    while door.served.service.sessions(&door.served.owner).len() > 1 {
        tokio::task::yield_now().await;
    }
    assert_eq!(door.post(&with, &python("x", &json!({}))).await.status, 404);
    door.stop().await;
}

#[tokio::test]
async fn requests_that_stand_alone_share_a_sandbox() {
    let door = door(at_once());
    let meta = json!({ "_meta": {
        "io.modelcontextprotocol/protocolVersion": STATELESS,
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
    } });
    let with = [("mcp-protocol-version", STATELESS), ("mcp-method", "tools/call"), ("mcp-name", "run_python")];
    door.post(&with, &python("x = 1", &meta)).await;
    let answer = door.post(&with, &python("x", &meta)).await;
    assert_eq!((answer.status, answer.header("mcp-session-id")), (200, None), "{}", answer.head);
    assert_eq!(text(&answer.messages.last().expect("a message")["result"]), "1\n");
    assert_eq!(door.served.service.sessions(&door.served.owner).len(), 1);
    door.stop().await;
}
