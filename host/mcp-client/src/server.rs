//! A server that runs: the handshake, its tools, and what it writes to its standard error.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite};
use tokio::task::JoinHandle;
use wisp::policy::McpServer;

use crate::connection::Connection;
use crate::error::ConnectError;
use crate::http::Http;
use crate::lines::Lines;
use crate::process::{Process, Started};
use crate::schema::{self, tidy};
use crate::wire::{Answer, Refusal};

/// The version of the protocol that is asked for. A server may answer with an older one; tools are called in the same way in all of them.
const VERSION: &str = "2025-11-25";

/// The version in which there is no handshake: each request says what the handshake said.
const STATELESS: &str = "2026-07-28";

/// Maximum pages of a list of tools.
const PAGES: usize = 200;

/// Names of tools in a message.
const NAMED: usize = 40;

/// Bytes kept of what a server writes to its standard error: the last ones.
const SAID: usize = 2 << 10;

/// A server that runs.
pub(crate) struct Server {
    /// Before the process, which waits for the end of its input.
    connection: Connection,
    stateless: bool,
    said: Arc<Mutex<Vec<u8>>>,
    /// Until its standard error ends.
    listening: Option<JoinHandle<()>>,
    #[expect(dead_code, reason = "ends the program when it is dropped")]
    process: Option<Process>,
}

/// A tool, as its server describes it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Tool {
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) description: Option<String>,
    #[serde(default, deserialize_with = "schema::read")]
    pub(crate) input_schema: Value,
    #[serde(default, deserialize_with = "schema::read")]
    pub(crate) output_schema: Value,
}

/// The answer to `initialize`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Greeting<'a> {
    #[serde(borrow)]
    protocol_version: Cow<'a, str>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Page<'a> {
    #[serde(borrow)]
    tools: Vec<&'a RawValue>,
    #[serde(default)]
    next_cursor: Option<String>,
}

#[derive(Deserialize)]
struct Named<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
}

impl Server {
    /// Returns the server that this program is. Call it in an async runtime.
    ///
    /// # Errors
    /// If its streams cannot be used.
    pub(crate) fn of(started: Started) -> std::io::Result<Self> {
        use tokio::net::unix::pipe::{Receiver, Sender};
        let Started { stdin, stdout, stderr, process, .. } = started;
        let write = Sender::from_owned_fd(stdin.into())?;
        let (read, said) = (Receiver::from_owned_fd(stdout.into())?, Receiver::from_owned_fd(stderr.into())?);
        Ok(Self { process: Some(process), ..Self::over(read, write, said) })
    }

    /// Returns the server at the other end of these streams: what it writes, what it reads, and its standard error.
    pub(crate) fn over(
        read: impl AsyncRead + Send + Unpin + 'static,
        write: impl AsyncWrite + Send + Unpin + 'static,
        stderr: impl AsyncRead + Send + Unpin + 'static,
    ) -> Self {
        let said = Arc::new(Mutex::default());
        #[expect(clippy::disallowed_methods, reason = "it ends with the program's standard error")]
        let listening = Some(tokio::spawn(listen(stderr, said.clone())));
        let connection = Connection::Lines(Lines::new(read, write));
        Self { connection, stateless: false, said, listening, process: None }
    }

    /// Returns the server at the other end of this connection.
    pub(crate) fn elsewhere(http: Http) -> Self {
        Self { connection: Connection::Http(http), stateless: false, said: Arc::default(), listening: None, process: None }
    }

    /// Says which version of the protocol is meant. A server that knows no handshake is told with each request.
    pub(crate) async fn greet(&mut self) -> Result<(), Refusal> {
        let client = json!({ "name": "wisp", "version": env!("CARGO_PKG_VERSION") });
        let hello = json!({ "protocolVersion": VERSION, "capabilities": {}, "clientInfo": client });
        match self.connection.request("initialize", None, hello).await {
            Ok(answer) => {
                let greeting = serde_json::from_str::<Greeting<'_>>(answer.get());
                self.connection.agree(greeting.as_ref().map_or(VERSION, |greeting| &*greeting.protocol_version), false)?;
                self.connection.notify("notifications/initialized", json!({})).await;
                Ok(())
            }
            Err(Refusal::Error { .. }) => {
                self.stateless = true;
                self.connection.agree(STATELESS, true)?;
                self.request("server/discover", Asked::default()).await.map(drop)
            }
            Err(refusal) => Err(refusal),
        }
    }

    /// Returns those of these tools that it has, by name.
    ///
    /// # Errors
    /// If the list cannot be read, or lacks one of them.
    pub(crate) async fn tools(&self, server: &McpServer) -> Result<BTreeMap<String, Tool>, ConnectError> {
        let wants = |name: &str| server.tools.iter().any(|tool| tool.name == name);
        let (mut found, mut has, mut cursor) = (BTreeMap::new(), Names::default(), None);
        for _ in 0..PAGES {
            let asked = Asked { cursor: cursor.take(), ..Asked::default() };
            let page = self.request("tools/list", asked).await.map_err(|refusal| self.failed(server, &refusal))?;
            let page: Page<'_> = serde_json::from_str(page.get()).map_err(|_| self.broken(server, "gives no list of its tools"))?;
            for tool in &page.tools {
                let Ok(Named { name }) = serde_json::from_str(tool.get()) else { continue };
                has.add(&name);
                // One that is described in no valid form is one that it does not have.
                if wants(&name)
                    && let Ok(tool) = serde_json::from_str::<Tool>(tool.get())
                {
                    found.entry(tool.name.clone()).or_insert(tool);
                }
            }
            cursor = page.next_cursor;
            if cursor.is_none() || server.tools.iter().all(|tool| found.contains_key(&tool.name)) {
                break;
            }
        }
        match server.tools.iter().find(|tool| !found.contains_key(&tool.name)) {
            None => Ok(found),
            Some(tool) => Err(ConnectError::NoTool {
                server: server.name.clone(),
                tool: tool.name.clone(),
                has: has.text(),
                rule: tool.rule.to_string(),
            }),
        }
    }

    /// Calls a tool with these arguments, which are an object.
    pub(crate) async fn call(&self, tool: &str, arguments: &RawValue) -> Answer {
        self.request("tools/call", Asked { name: Some(tool), arguments: Some(arguments), ..Asked::default() }).await
    }

    async fn request(&self, method: &str, mut asked: Asked<'_>) -> Answer {
        asked.meta = self.stateless.then(|| {
            json!({
                "io.modelcontextprotocol/protocolVersion": STATELESS,
                "io.modelcontextprotocol/clientInfo": { "name": "wisp", "version": env!("CARGO_PKG_VERSION") },
                "io.modelcontextprotocol/clientCapabilities": {},
            })
        });
        self.connection.request(method, asked.name, asked).await
    }

    /// Tells a server elsewhere that this is the end.
    pub(crate) async fn close(&self) {
        self.connection.close().await;
    }

    /// Returns whether it may still answer.
    pub(crate) fn is_open(&self) -> bool {
        self.connection.is_open()
    }

    /// Waits until it has said all that it says to its standard error.
    pub(crate) async fn last_words(&mut self) {
        if let Some(listening) = self.listening.take() {
            let _ = listening.await;
        }
    }

    /// Returns why it is of no use.
    pub(crate) fn failed(&self, server: &McpServer, refusal: &Refusal) -> ConnectError {
        match refusal {
            Refusal::Gone(reason) => self.broken(server, reason),
            Refusal::Unanswered { reason, detail } if detail.is_empty() => self.broken(server, reason),
            Refusal::Unanswered { reason, detail } => self.broken(server, &format!("{reason}: {detail}")),
            Refusal::Expired => self.broken(server, "has ended the session"),
            Refusal::Error { code, message } => self.broken(server, &format!("answers with error {code}: {}", tidy(message, 200))),
        }
    }

    /// Returns the error of a server that did `reason` instead of what it should.
    pub(crate) fn broken(&self, server: &McpServer, reason: &str) -> ConnectError {
        let said = self.said.lock().clone();
        let said = tidy(&String::from_utf8_lossy(&said), SAID);
        ConnectError::Protocol {
            server: server.name.clone(),
            at: server.transport.to_string(),
            reason: reason.to_owned(),
            said: said.trim().to_owned(),
            rule: server.rule.to_string(),
        }
    }
}

/// What a request asks for.
#[derive(Default, Serialize)]
struct Asked<'a> {
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cursor: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    arguments: Option<&'a RawValue>,
}

/// The names of a server's tools, for a message.
#[derive(Default)]
struct Names {
    first: Vec<String>,
    count: usize,
}

impl Names {
    fn add(&mut self, name: &str) {
        self.count += 1;
        if self.first.len() < NAMED {
            self.first.push(format!("`{}`", tidy(name, 64)));
        }
    }

    fn text(&self) -> String {
        let more = self.count - self.first.len();
        match (self.first.is_empty(), more) {
            (true, _) => "none".to_owned(),
            (false, 0) => self.first.join(", "),
            (false, more) => format!("{} and {more} more", self.first.join(", ")),
        }
    }
}

/// Keeps the end of what a server writes to its standard error.
async fn listen(mut from: impl AsyncRead + Unpin, said: Arc<Mutex<Vec<u8>>>) {
    let mut piece = [0; 1024];
    while let Ok(size @ 1..) = from.read(&mut piece).await {
        let mut said = said.lock();
        said.extend_from_slice(&piece[..size]);
        let over = said.len().saturating_sub(SAID);
        said.drain(..over);
    }
}
