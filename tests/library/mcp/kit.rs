//! A client that writes and reads JSON, without the SDK that the server is made with.

use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::task::JoinHandle;
use wisp_mcp::{Options, ServeError, Server};
use wisp_service::{Owner, Service, SessionHandle};

use crate::peer::Peer;
use crate::service::kit::{RUNTIME, policy};

/// The version of the protocol that begins with `initialize`, and the one in which each request stands alone.
pub(crate) const WITH_INITIALIZE: &str = "2025-11-25";
pub(crate) const STATELESS: &str = "2026-07-28";

/// A server, and the service and the owner that it uses.
pub(crate) struct Served {
    pub(crate) server: Server,
    pub(crate) service: Service,
    pub(crate) owner: Owner,
}

/// A server under the built-in policy `offline` with these lines added.
pub(crate) fn served(lines: &str, options: Options) -> Served {
    static OWNERS: AtomicUsize = AtomicUsize::new(0);
    let service = Service::builder(RUNTIME.clone()).policy("test", policy(lines)).build();
    let owner = Owner::new(format!("mcp-{}", OWNERS.fetch_add(1, Ordering::Relaxed)));
    let server = Server::new(service.clone(), owner.clone(), options).expect("a server");
    Served { server, service, owner }
}

/// Options with which nothing is waited for: what is cancelled is ended at once, and so is what a client leaves behind.
pub(crate) fn at_once() -> Options {
    Options { grace: Duration::ZERO, drain: Duration::ZERO, ..Options::default() }
}

impl Served {
    /// The session with this name.
    pub(crate) fn session(&self, name: &str) -> SessionHandle {
        self.service.session_with_key(&self.owner, name).expect("a session")
    }
}

/// A client that is connected.
pub(crate) struct Client {
    peer: Peer,
    served: JoinHandle<Result<(), ServeError>>,
    last: i64,
    /// Whether each request says what `initialize` would say.
    stateless: bool,
}

impl Deref for Client {
    type Target = Peer;

    fn deref(&self) -> &Peer {
        &self.peer
    }
}

impl DerefMut for Client {
    fn deref_mut(&mut self) -> &mut Peer {
        &mut self.peer
    }
}

impl Client {
    /// One that has written nothing yet.
    pub(crate) fn silent(server: &Server) -> Self {
        let (peer, read, write) = Peer::new();
        let server = server.clone();
        let served = tokio::spawn(async move { server.serve(read, write).await });
        Self { peer, served, last: 0, stateless: false }
    }

    /// One that has begun with `initialize`.
    pub(crate) async fn connect(server: &Server) -> Self {
        let mut client = Self::silent(server);
        let params = json!({ "protocolVersion": WITH_INITIALIZE, "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } });
        let answer = client.request("initialize", params).await;
        assert_eq!(answer["result"]["protocolVersion"], WITH_INITIALIZE, "{answer}");
        client.write(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
        client
    }

    /// One each of whose requests stands alone.
    pub(crate) fn stateless(server: &Server) -> Self {
        Self { stateless: true, ..Self::silent(server) }
    }

    /// Sends a request. Returns its number.
    pub(crate) async fn send(&mut self, method: &str, mut params: Value) -> i64 {
        self.last += 1;
        if self.stateless {
            let meta = params.as_object_mut().expect("an object").entry("_meta").or_insert_with(|| json!({}));
            meta["io.modelcontextprotocol/protocolVersion"] = json!(STATELESS);
            meta["io.modelcontextprotocol/clientCapabilities"] = json!({});
            meta["io.modelcontextprotocol/clientInfo"] = json!({ "name": "test", "version": "1" });
        }
        self.peer.write(&json!({ "jsonrpc": "2.0", "id": self.last, "method": method, "params": params })).await;
        self.last
    }

    /// Waits until the server has told of progress with this token and this message.
    pub(crate) async fn progress(&mut self, token: &str, message: &str) {
        let is = |note: &Value| note["params"]["progressToken"] == token && note["params"]["message"] == message;
        while !self.notes.iter().any(is) {
            self.take().await;
        }
    }

    /// Waits for a notification, and takes it.
    pub(crate) async fn note(&mut self, method: &str) -> Value {
        self.peer.note(|note| note["method"] == method).await
    }

    /// Takes the notifications of this method that have come.
    pub(crate) fn took(&mut self, method: &str) -> Vec<Value> {
        self.notes.extract_if(.., |note| note["method"] == method).collect()
    }

    /// Whether the server has told that this resource changed. It is asked for once.
    pub(crate) fn was_updated(&mut self, uri: &str) -> bool {
        let before = self.notes.len();
        self.notes.retain(|note| note["method"] != "notifications/resources/updated" || note["params"]["uri"] != uri);
        self.notes.len() < before
    }

    /// Waits until the server has told that this resource changed.
    pub(crate) async fn updated(&mut self, uri: &str) {
        while !self.was_updated(uri) {
            self.take().await;
        }
    }

    pub(crate) async fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params).await;
        self.answer(id).await
    }

    /// Begins a call, of whose progress the server tells with the token `token`.
    pub(crate) async fn begin(&mut self, tool: &str, arguments: Value, token: &str) -> i64 {
        self.send("tools/call", json!({ "name": tool, "arguments": arguments, "_meta": { "progressToken": token } })).await
    }

    /// Calls a tool. Returns the result.
    pub(crate) async fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.request("tools/call", json!({ "name": tool, "arguments": arguments })).await;
        assert!(answer.get("error").is_none(), "{tool}: {answer}");
        assert!(answer["result"].get("structuredContent").is_none(), "it would take the place of the content: {answer}");
        answer["result"].clone()
    }

    /// Calls a tool, which succeeds. Returns its text.
    pub(crate) async fn text(&mut self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments).await;
        assert_ne!(result["isError"], true, "{result}");
        text(&result)
    }

    /// Calls a tool, which fails. Returns its text.
    pub(crate) async fn fails(&mut self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments).await;
        assert_eq!(result["isError"], true, "{result}");
        text(&result)
    }

    /// Calls a tool with arguments that make no sense. Returns the message of the error.
    pub(crate) async fn refused(&mut self, tool: &str, arguments: Value) -> String {
        let answer = self.request("tools/call", json!({ "name": tool, "arguments": arguments })).await;
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
        answer["error"]["message"].as_str().expect("a message").to_owned()
    }

    /// Says that it does not want the answer to a request any more.
    pub(crate) async fn cancel(&mut self, id: i64) {
        self.write(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } })).await;
    }

    /// Drops the server in the middle.
    pub(crate) fn abort(self) {
        self.served.abort();
    }

    /// Closes its side, and waits until the server has ended.
    pub(crate) async fn close(self) -> Result<(), ServeError> {
        let Self { mut peer, served, .. } = self;
        peer.end().await;
        let ended = served.await.expect("no panic");
        drop(peer);
        ended
    }
}

/// The text of a result.
pub(crate) fn text(result: &Value) -> String {
    let texts = result["content"].as_array().expect("content").iter().filter_map(|block| block["text"].as_str());
    texts.collect()
}
