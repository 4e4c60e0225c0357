//! The server: what it is made of, and one connection of it.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use rmcp::transport::stdio_pipes;
use tokio::io::{AsyncRead, AsyncWrite};
use wisp_service::{Owner, Service, ServiceError, Store};

use crate::connection::Connection;
use crate::error::ServeError;
use crate::handler::Handler;
use crate::sessions::Core;
use crate::timer::sleep;
use crate::transport::Lines;

/// What a server does, and how much a client can ask of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// The policy of its sessions, by the name that the service offers it by; `None` for the service's default.
    pub policy: Option<String>,
    /// What becomes of the sessions that clients have named, when no client is connected any more (default: they are closed).
    pub keep: Keep,
    /// Bytes of text that an answer has if the client does not ask for another number (default: 40,000, which is less than the 25,000
    /// tokens that clients show a model).
    pub output: usize,
    /// Maximum calls that run at the same time, of all connections; others wait (default: 32).
    pub calls: usize,
    /// How long a list of the tools waits for servers of the policy that have not said which functions they have (default: 5 seconds).
    /// Then it lacks the functions, and the client is told when they are there.
    pub listing: Duration,
    /// How long a call may go on after it was cancelled and interrupted, until it is ended by force (default: 2 seconds).
    pub grace: Duration,
    /// Whether results of `run_python` and `run_shell` are data, too: the documents of `outcome.json` and `evaluation.json` (default:
    /// no, since some clients show a model data in place of text and pictures).
    pub structured: bool,
    /// How long the calls of a client that has closed its side may go on (default: 2 seconds): their answers are still written. At
    /// most 5 seconds.
    pub drain: Duration,
}

/// What becomes of the sessions that clients have named, when no client is connected any more. A connection's own is always closed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Keep {
    /// They are closed.
    #[default]
    Nothing,
    /// They stay open in the service.
    Open,
    /// They are saved in a store and closed. A client that names one later, also of another server, goes on where it stopped: with its
    /// files and its Python interpreter. Forks are closed.
    Saved(Store),
}

impl Default for Options {
    fn default() -> Self {
        let moment = Duration::from_secs(2);
        Self {
            policy: None,
            keep: Keep::Nothing,
            output: 40_000,
            calls: 32,
            listing: Duration::from_secs(5),
            grace: moment,
            structured: false,
            drain: moment,
        }
    }
}

/// A server of the Model Context Protocol. Cheap to clone; the clones share their sessions.
///
/// All its clients are one owner of sessions, and find each other's by name. Each connection has one of its own besides, which is
/// closed with it. When the last client is gone, the owner's sessions are closed ([`Options::keep`]).
#[derive(Clone)]
pub struct Server(pub(crate) Arc<Core>);

impl Server {
    /// Returns a server whose sessions are those of `owner`, which nothing else should use.
    ///
    /// # Errors
    /// If the service offers no such policy.
    pub fn new(service: Service, owner: Owner, options: Options) -> Result<Self, ServiceError> {
        Ok(Self(Core::new(service, owner, options)?))
    }

    /// Serves the client at standard input and output, until it closes them. What the process prints to standard output besides
    /// breaks the protocol.
    ///
    /// # Errors
    /// As [`serve`](Self::serve).
    pub async fn serve_stdio(&self) -> Result<(), ServeError> {
        let (read, write) = stdio_pipes();
        self.serve(read, write).await
    }

    /// Serves one client, until it closes its side. Then nothing of it is left running, and its sessions are closed, also if this
    /// future is dropped. It must be awaited in a Tokio runtime with timers; that of the service is one.
    ///
    /// # Errors
    /// If the client does not begin as the protocol says, or its sessions cannot be closed.
    pub async fn serve<R, W>(&self, read: R, write: W) -> Result<(), ServeError>
    where
        R: AsyncRead + Send + Unpin + 'static,
        W: AsyncWrite + Send + Unpin + 'static,
    {
        let connection = Arc::new(Connection::new(self.0.clone()));
        let served = self.lines(&connection, read, write).await;
        connection.close().await.map_err(|source| ServeError::Close { source })?;
        served
    }

    /// Ends what its clients have started, and closes their sessions, or saves them if the [options](Options::keep) say so.
    ///
    /// # Errors
    /// If one cannot be saved, or the service's runtime was shut down. All are closed then too.
    pub async fn close(&self) -> Result<(), ServeError> {
        self.0.close(None).await.map_err(|source| ServeError::Close { source })
    }

    async fn lines<R, W>(&self, connection: &Arc<Connection>, read: R, write: W) -> Result<(), ServeError>
    where
        R: AsyncRead + Send + Unpin + 'static,
        W: AsyncWrite + Send + Unpin + 'static,
    {
        let (lines, ended) = Lines::new(read, write);
        let running = match Handler::shared(connection.clone()).serve(lines).await {
            Ok(running) => running,
            // A client that only looks whether there is a server.
            Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
            Err(source) => return Err(ServeError::Protocol { source: Box::new(source) }),
        };
        let stop = running.cancellation_token();
        let mut quit = std::pin::pin!(running.waiting());
        let drained = async {
            ended.notified().await;
            sleep(self.0.options.drain).await;
        };
        let quit = tokio::select! {
            quit = &mut quit => quit,
            () = drained => {
                stop.cancel();
                // The calls that go on are interrupted now; ended is what they run.
                let closed = connection.close().await;
                let quit = quit.await;
                closed.map_err(|source| ServeError::Close { source })?;
                quit
            }
        };
        quit.map(drop).map_err(|failed| ServeError::Failed { message: failed.to_string() })
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server").field("owner", &self.0.owner).field("options", &self.0.options).finish_non_exhaustive()
    }
}
