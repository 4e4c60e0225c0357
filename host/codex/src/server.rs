//! The server: what it is made of, and one client of it.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, stdin, stdout};
use wisp::fs::HOME;
use wisp_service::{Owner, Service, ServiceError, Store};

use crate::connection;
use crate::error::ServeError;
use crate::lines::{Lines, LinesOut};
use crate::sandbox::Core;

/// What a server does, and how much a client can ask of it.
#[derive(Debug, Clone)]
pub struct Options {
    /// The policy of its sessions, by the name that the service offers it by; `None` for the service's default.
    pub policy: Option<String>,
    /// Where sessions are kept: when a client is gone, its session is saved there under the id that the client was told, and a client that
    /// names the id goes on with it. Without a store (the default), sessions are closed.
    pub store: Option<Store>,
    /// The name of the session of each client that does not name one, which one client at a time can have; `None` for a new session with
    /// a name that nobody can guess. Such a session is saved only if something changed in it.
    pub session: Option<String>,
    /// The folder in the sandbox where clients begin (default: `/home/user`).
    pub project: String,
    /// Maximum calls of a client that run at the same time; more are refused (default: 256).
    pub calls: usize,
    /// How long the calls of a client that is gone may go on, and how long it may take to read what is left (default: 2 seconds).
    pub drain: Duration,
    /// Is told the name of each session that was saved.
    pub kept: Option<fn(&str)>,
}

impl Default for Options {
    fn default() -> Self {
        Self { policy: None, store: None, session: None, project: HOME.to_owned(), calls: 256, drain: Duration::from_secs(2), kept: None }
    }
}

/// A server of Codex's execution environment. Cheap to clone; the clones are one server.
///
/// Each client has a session of its own.
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

    /// Serves the client at standard input and output, as [`serve`](Self::serve) does. What the process prints to standard output
    /// besides breaks the protocol.
    ///
    /// # Errors
    /// As `serve`.
    pub async fn serve_stdio(&self, stop: impl Future<Output = ()> + Send) -> Result<(), ServeError> {
        self.serve(stdin(), stdout(), stop).await
    }

    /// Serves one client, with a message a line, until it closes its side or `stop` is ready. Then nothing of it is left running, and its
    /// session is saved or closed; so it is if this future is dropped. It must be awaited in a Tokio runtime with timers; that of the
    /// service is one.
    ///
    /// # Errors
    /// If its session cannot be saved or closed.
    pub async fn serve<R, W>(&self, read: R, write: W, stop: impl Future<Output = ()> + Send) -> Result<(), ServeError>
    where
        R: AsyncRead + Send + Unpin,
        W: AsyncWrite + Send + Unpin + 'static,
    {
        connection::serve(self.0.clone(), Lines::new(read), LinesOut(write), stop).await
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server").field("owner", &self.0.owner).field("options", &self.0.options).finish_non_exhaustive()
    }
}
