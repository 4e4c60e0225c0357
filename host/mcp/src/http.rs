//! The same server over HTTP: any number of clients at one address (`/mcp`, the transport that MCP calls streamable HTTP).

use std::convert::Infallible;
use std::future::Future;
use std::net::TcpListener;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{Method, Request, Response, StatusCode, header};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::task::JoinSet;
use wisp_service::{Listener, Token};

use crate::connection::Connection;
use crate::error::ServeError;
use crate::handler::Handler;
use crate::server::Server;
use crate::transport::LINE;

/// Where the server is.
const PATH: &str = "/mcp";

/// How long a client may take for the headers of a request: connections that say nothing must not use up all places.
const HEADERS: Duration = Duration::from_secs(10);

/// Maximum clients that have begun with `initialize`.
const CLIENTS: usize = 1_000;

/// How long such a client may say nothing if the service closes sessions never.
const IDLE: Duration = Duration::from_secs(30 * 60);

/// Who may connect over HTTP.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpOptions {
    /// The token that each request must have. Without one, the listener must be on a loopback address, and every program and every
    /// user of the machine can connect.
    pub token: Option<Token>,
    /// Names that requests may use for this server (`Host`), besides `localhost`, `127.0.0.1` and `::1`. Others are refused, so that a
    /// page in a browser cannot reach it by a name of its own.
    pub hosts: Vec<String>,
    /// Pages that may connect (`Origin`), such as `https://app.example.com:443`. Without any, no page may.
    pub origins: Vec<String>,
    /// Maximum connections at the same time; others wait (default: 256).
    pub connections: usize,
}

impl Default for HttpOptions {
    fn default() -> Self {
        Self { token: None, hosts: Vec::new(), origins: Vec::new(), connections: 256 }
    }
}

type Service = StreamableHttpService<Handler, LocalSessionManager>;

/// What each request goes through.
struct Door {
    token: Option<Token>,
    service: Service,
    clients: Arc<LocalSessionManager>,
}

impl Server {
    /// Serves clients over HTTP until `stop` is ready. Then nothing of them is left running, and their sessions are closed.
    ///
    /// A client that begins with `initialize` has a session of its own, as over standard streams. Requests that stand alone (protocol
    /// 2026-07-28) have one session together, `default`, unless they name another.
    ///
    /// # Errors
    /// If the listener cannot be used, or is open to other machines without a token.
    pub async fn serve_http(
        &self,
        listener: TcpListener,
        options: HttpOptions,
        stop: impl Future<Output = ()> + Send,
    ) -> Result<(), ServeError> {
        let mut listener = Listener::new(listener, options.token.as_ref(), options.connections)?;
        let connection = Arc::new(Connection::new(self.0.clone()));
        let (door, config) = self.door(&connection, &options);
        // Also if this future is dropped, everything ends.
        let end = config.cancellation_token.clone().drop_guard();
        let (mut clients, mut stop) = (JoinSet::new(), pin!(stop));
        let served = loop {
            let accepted = tokio::select! {
                biased;
                () = &mut stop => break Ok(()),
                accepted = listener.accept() => accepted,
                Some(_) = clients.join_next() => continue,
            };
            let (stream, place) = match accepted {
                Ok(accepted) => accepted,
                Err(error) => break Err(error.into()),
            };
            let door = door.clone();
            let serve = async move {
                let service = service_fn(move |request| {
                    let door = door.clone();
                    async move { Ok::<_, Infallible>(door.answer(request).await) }
                });
                let mut server = http1::Builder::new();
                server.timer(TokioTimer::new()).header_read_timeout(HEADERS);
                // What goes wrong with a connection concerns the client alone.
                let _ = server.serve_connection(TokioIo::new(stream), service).await;
                drop(place);
            };
            #[expect(clippy::disallowed_methods, reason = "the set ends it")]
            clients.spawn(serve);
        };
        drop(end);
        clients.shutdown().await;
        let closed = connection.close().await.map_err(|source| ServeError::Close { source });
        served.and(closed)
    }

    fn door(&self, connection: &Arc<Connection>, options: &HttpOptions) -> (Arc<Door>, StreamableHttpServerConfig) {
        let hosts = ["localhost", "127.0.0.1", "::1"].into_iter().map(str::to_owned).chain(options.hosts.iter().cloned());
        let config = StreamableHttpServerConfig::default()
            .with_allowed_hosts(hosts)
            .with_allowed_origins(options.origins.clone())
            .enforce_origin_validation()
            .with_max_request_body_bytes(LINE);
        let mut clients = LocalSessionManager::default();
        // A person thinks for longer than the five minutes that this has by default, and its sandbox goes with it.
        clients.session_config.keep_alive = Some(self.0.service.limits().idle.unwrap_or(IDLE));
        let (clients, shared) = (Arc::new(clients), connection.clone());
        let service = StreamableHttpService::new(move || Ok(Handler::own(shared.clone())), clients.clone(), config.clone());
        (Arc::new(Door { token: options.token.clone(), service, clients }), config)
    }
}

impl Door {
    async fn answer(&self, request: Request<Incoming>) -> Response<BoxBody<Bytes, Infallible>> {
        let authorization = request.headers().get(header::AUTHORIZATION).map_or(&[][..], |value| value.as_bytes());
        if self.token.as_ref().is_some_and(|token| !token.is_sent_by(authorization)) {
            let mut refused = refused(StatusCode::UNAUTHORIZED, "the token is missing or wrong: send `Authorization: Bearer TOKEN`");
            refused.headers_mut().insert(header::WWW_AUTHENTICATE, header::HeaderValue::from_static("Bearer"));
            return refused;
        }
        if request.uri().path() != PATH {
            return refused(StatusCode::NOT_FOUND, "the server is at /mcp");
        }
        let begins = request.method() == Method::POST && !request.headers().contains_key("mcp-session-id");
        if begins && self.clients.sessions.read().await.len() >= CLIENTS {
            return refused(StatusCode::SERVICE_UNAVAILABLE, "there are as many clients as the server takes");
        }
        let ends = request.method() == Method::DELETE;
        let mut response = self.service.handle(request).await;
        // The SDK says 202; clients take 200 and 204 as the end of their session, and warn of others.
        if ends && response.status() == StatusCode::ACCEPTED {
            *response.status_mut() = StatusCode::NO_CONTENT;
        }
        response
    }
}

fn refused(status: StatusCode, text: &'static str) -> Response<BoxBody<Bytes, Infallible>> {
    let mut response = Response::new(Full::new(Bytes::from_static(text.as_bytes())).boxed());
    *response.status_mut() = status;
    response
}
