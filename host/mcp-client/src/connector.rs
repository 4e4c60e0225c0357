//! The servers that run, shared by all sessions whose policies name them.

use std::collections::HashMap;
use std::fmt;
use std::mem::take;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::future::{join_all, try_join_all};
use parking_lot::Mutex;
use wisp::policy::{McpServer, McpTool, McpTransport};
use wisp::{FunctionSource, HostFailure, HostFunction, HostValue, Policy, SourceAnswer};

use crate::call::{object, outcome};
use crate::error::ConnectError;
use crate::http::Http;
use crate::process::{self, Started, Tied};
use crate::reach::Reach;
use crate::schema::{DOCUMENTATION, parameters, returns, tidy};
use crate::server::{Server, Tool};
use crate::time::within;
use crate::wire::Refusal;

/// How long a server may take to start and to list its tools: one that `npx` downloads first takes a while.
const START: Duration = Duration::from_secs(60);

/// How long a server that does not answer is listened to.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// How long the servers may take that are told of the end.
const END: Duration = Duration::from_secs(2);

/// How often calls may start a server again that has ended, within [`SPAN`]: a guest that makes a server break must not keep the machine
/// busy with starting it. The same holds for sessions that a server elsewhere ends.
const AGAIN: usize = 3;

/// See [`AGAIN`].
const SPAN: Duration = Duration::from_secs(60);

/// Starts the servers that policies name (`[[host.mcp]]`), or connects to them, and makes functions of the host of their tools.
///
/// Each server is started once, when a session is built whose policy names it, and serves all sessions that name it with the same command
/// and the same variables: what it remembers between calls, it remembers for all of them. A server that has ended is started again for the
/// next session, and for the next call, three times within a minute. It ends when neither this value nor a session needs it any more. Clones share the servers.
///
/// A server at a URL is not started: its connection and its session are what is shared, and what is begun again. Its token is read from the
/// environment whenever that happens.
///
/// Its futures need a runtime of tokio with input, output and time, and a server is served by the runtime in which the first session that
/// needs it was built: use one runtime for all of them, as `wisp_service::Runtime` is.
#[derive(Clone, Default)]
pub struct Connector(Arc<Mutex<HashMap<Identity, Seat>>>);

/// What makes two servers one: the name, which is in messages, and the way to it with its variables.
type Identity = (String, McpTransport);

/// The place of a server, which the connector and the functions of its tools share.
pub(crate) type Seat = Arc<tokio::sync::Mutex<Place>>;

#[derive(Default)]
pub(crate) struct Place {
    state: State,
    /// When calls have started it again.
    again: Vec<Instant>,
}

#[derive(Default)]
enum State {
    #[default]
    Empty,
    /// It was started ahead.
    Started(Started),
    Runs(Arc<Server>),
}

impl Connector {
    /// Returns a connector with no server.
    pub fn new() -> Self {
        Self::default()
    }

    /// Starts the servers of this policy now that are programs, without waiting for them: for a process that will be confined, and cannot
    /// start programs then. It makes no thread. Call it from the first thread: they end with the thread that calls it, since a process that
    /// is confined cannot end others.
    ///
    /// # Errors
    /// If a program cannot be started, or a variable is missing that a server needs.
    pub fn start(&self, policy: &Policy) -> Result<(), ConnectError> {
        for server in policy.host().into_iter().flat_map(|host| &host.mcp) {
            let state = match &server.transport {
                McpTransport::Command(command) => State::Started(process::start(server, command, Tied::ToThread)?),
                McpTransport::Http(http) => {
                    Reach::new(server, http)?;
                    State::Empty
                }
            };
            self.0.lock().insert(identity(server), Arc::new(tokio::sync::Mutex::new(Place { state, again: Vec::new() })));
        }
        Ok(())
    }

    /// Tells the servers at URLs that their sessions are over, and waits for up to two seconds until they know: for a process that ends, which
    /// is the end of the others. A session that still calls a tool connects again.
    pub async fn close(&self) {
        let seats: Vec<Seat> = self.0.lock().values().cloned().collect();
        let close = |seat: Seat| async move {
            if let State::Runs(running) = &seat.lock().await.state {
                running.close().await;
            }
        };
        // A server that does not take it finds out by itself.
        let _ = within(END, join_all(seats.into_iter().map(close))).await;
    }

    /// Returns a function for each tool that the policy allows.
    ///
    /// # Errors
    /// If a server cannot be started, does not answer, or lacks a tool that the policy names.
    pub async fn functions(&self, policy: &Policy) -> Result<Vec<HostFunction>, ConnectError> {
        let servers = policy.host().into_iter().flat_map(|host| &host.mcp);
        let functions = try_join_all(servers.map(|server| self.functions_of(server))).await?;
        Ok(functions.into_iter().flatten().collect())
    }

    async fn functions_of(&self, server: &McpServer) -> Result<Vec<HostFunction>, ConnectError> {
        let seat = self.seat(server);
        let running = seat.lock().await.running(server).await?;
        functions_of(&running, &seat, server).await
    }

    /// Returns the place of a server.
    pub(crate) fn seat(&self, server: &McpServer) -> Seat {
        self.0.lock().entry(identity(server)).or_default().clone()
    }
}

impl Place {
    /// Returns the server, which is started if it does not run.
    async fn running(&mut self, server: &McpServer) -> Result<Arc<Server>, ConnectError> {
        let running = match take(&mut self.state) {
            State::Runs(running) if running.is_open() => running,
            State::Started(started) => greet(of(started, server)?, server).await?,
            State::Runs(_) | State::Empty => greet(begin(server)?, server).await?,
        };
        self.state = State::Runs(running.clone());
        Ok(running)
    }

    /// Returns the server for a call, which may start it again.
    async fn for_call(&mut self, server: &McpServer) -> Result<Arc<Server>, HostFailure> {
        if let State::Runs(running) = &self.state
            && running.is_open()
        {
            return Ok(running.clone());
        }
        // The caller is a guest: it learns nothing of commands and folders.
        let gone = |why: &str| HostFailure::new("ServerGone", format!("the server of this tool has ended, and {why}"));
        self.again.retain(|then| then.elapsed() < SPAN);
        if self.again.len() >= AGAIN {
            return Err(gone("was started again too often within a minute"));
        }
        self.again.push(Instant::now());
        self.running(server).await.map_err(|error| {
            tracing::warn!(%error, "a server cannot be started again");
            gone("cannot be started again")
        })
    }
}

/// Calls a tool of the server that has this place.
pub(crate) async fn call_at(seat: &Seat, server: &McpServer, tool: &str, arguments: HostValue) -> Result<HostValue, HostFailure> {
    let arguments = object(arguments)?;
    let running = seat.lock().await.for_call(server).await?;
    let mut answer = running.call(tool, &arguments).await;
    // The server has not heard of it: it may be said once more, in a session that has begun since.
    if matches!(answer, Err(Refusal::Expired)) {
        let running = seat.lock().await.for_call(server).await?;
        answer = running.call(tool, &arguments).await;
    }
    if let Err(Refusal::Unanswered { reason, detail }) = &answer {
        tracing::debug!(server = %server.name, %tool, %detail, "the server {reason}");
    }
    outcome(answer)
}

/// Returns the server, before the handshake.
fn begin(server: &McpServer) -> Result<Server, ConnectError> {
    match &server.transport {
        McpTransport::Command(command) => of(process::start(server, command, Tied::No)?, server),
        McpTransport::Http(http) => Ok(Server::elsewhere(Http::new(Reach::new(server, http)?, &http.url))),
    }
}

/// Returns the server that this program is.
fn of(started: Started, server: &McpServer) -> Result<Server, ConnectError> {
    let program = started.program.clone();
    Server::of(started).map_err(|source| process::failed(server, &program, source))
}

/// Performs the handshake, within its time.
pub(crate) async fn greet(mut running: Server, server: &McpServer) -> Result<Arc<Server>, ConnectError> {
    match within(START, running.greet()).await {
        Some(Ok(())) => Ok(Arc::new(running)),
        Some(Err(refusal)) => {
            // What it wrote says more than that it has ended, and may come after it.
            let _ = within(LAST_WORDS, running.last_words()).await;
            Err(running.failed(server, &refusal))
        }
        None => Err(running.broken(server, &late())),
    }
}

/// Returns the functions of a server that runs.
pub(crate) async fn functions_of(running: &Server, seat: &Seat, server: &McpServer) -> Result<Vec<HostFunction>, ConnectError> {
    let tools = within(START, running.tools(server)).await.unwrap_or_else(|| Err(running.broken(server, &late())))?;
    let allowed = server.tools.iter().filter_map(|allowed| Some((allowed, tools.get(&allowed.name)?)));
    let shared = Arc::new(server.clone());
    Ok(allowed.map(|(allowed, tool)| function(seat, &shared, allowed, tool)).collect())
}

fn late() -> String {
    format!("has not answered within {} seconds", START.as_secs())
}

fn identity(server: &McpServer) -> Identity {
    (server.name.clone(), server.transport.clone())
}

/// Returns the function that calls a tool. What it says of the tool is the server's, and so is whose tool it is not.
fn function(seat: &Seat, server: &Arc<McpServer>, allowed: &McpTool, tool: &Tool) -> HostFunction {
    let at = (seat.clone(), server.clone(), Arc::<str>::from(allowed.name.as_str()));
    let function = HostFunction::new(&allowed.function, move |arguments| {
        let (seat, server, name) = at.clone();
        async move { call_at(&seat, &server, &name, arguments).await }
    });
    let said = tidy(tool.description.as_deref().unwrap_or_default(), DOCUMENTATION);
    let whose = format!("The tool `{}` of the server `{}`.", allowed.name, server.name);
    let function = function.documentation(format!("{}\n\n{whose}", said.trim()).trim());
    let function = match parameters(&tool.input_schema) {
        Some(schema) => function.parameters(&schema),
        None => function,
    };
    match returns(&tool.output_schema) {
        Some(schema) => function.returns(&schema),
        None => function,
    }
}

impl FunctionSource for Connector {
    fn functions<'a>(&'a self, policy: &'a Policy) -> SourceAnswer<'a> {
        Box::pin(async move { self.functions(policy).await.map_err(Into::into) })
    }
}

impl fmt::Debug for Connector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = self.0.lock().keys().map(|(name, ..)| name.clone()).collect();
        f.debug_struct("Connector").field("servers", &names).finish()
    }
}
