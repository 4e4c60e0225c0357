//! The same server over WebSocket: any number of clients at one address.

use std::io;
use std::net::TcpListener;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::task::{JoinError, JoinSet};
use tokio_tungstenite::tungstenite::handshake::server::{Callback, ErrorResponse, Request, Response};
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{WebSocketStream, accept_hdr_async_with_config};
use wisp_service::{Listener, Token};

use crate::bounds::MESSAGE;
use crate::connection;
use crate::error::ServeError;
use crate::lines::{Frame, Receive, Transmit};
use crate::sandbox::Core;
use crate::server::Server;
use crate::timer::at_most;

/// How long a client may take to begin: connections that say nothing must not use up all places.
const BEGINS: Duration = Duration::from_secs(10);

/// Bytes that are read at a time; each connection has them.
const READ: usize = 16 << 10;

/// Maximum bytes that wait for a client that does not read: a message, and the answers to its pings, which are made all the same.
const WAITING: usize = MESSAGE + (8 << 20);

/// Names of this machine that only its own programs use.
const OWN: [&str; 3] = ["localhost", "127.0.0.1", "::1"];

/// Who may connect over WebSocket. A page in a browser never may.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebSocketOptions {
    /// The token that each client must have. Without one, the listener must be on a loopback address, and every program and every user
    /// of the machine can connect.
    pub token: Option<Token>,
    /// Names that clients may use for this server (`Host`), besides `localhost`, `127.0.0.1` and `::1`. Others are refused.
    pub hosts: Vec<String>,
    /// Maximum clients at the same time; others wait (default: 16).
    pub connections: usize,
}

impl Default for WebSocketOptions {
    fn default() -> Self {
        Self { token: None, hosts: Vec::new(), connections: 16 }
    }
}

impl Server {
    /// Serves clients over WebSocket, with a message a frame, until `stop` is ready. Then nothing of them is left running, and their
    /// sessions are saved or closed, as [`serve`](Self::serve) does.
    ///
    /// # Errors
    /// If the listener cannot be used, or is open to other machines without a token; if a session cannot be saved when `stop` is ready.
    pub async fn serve_websocket(
        &self,
        listener: TcpListener,
        options: WebSocketOptions,
        stop: impl Future<Output = ()> + Send,
    ) -> Result<(), ServeError> {
        let mut listener = Listener::new(listener, options.token.as_ref(), options.connections)?;
        let (end, ends) = watch::channel(());
        let (mut clients, mut stop, options) = (JoinSet::new(), pin!(stop), Arc::new(options));
        let served = loop {
            let accepted = tokio::select! {
                biased;
                () = &mut stop => break Ok(()),
                accepted = listener.accept() => accepted,
                Some(ended) = clients.join_next() => {
                    if let Err(error) = outcome(ended) {
                        tracing::warn!(%error, "a client is gone");
                    }
                    continue;
                }
            };
            let (stream, place) = match accepted {
                Ok(accepted) => accepted,
                Err(error) => break Err(error.into()),
            };
            let (core, options, mut ends) = (self.0.clone(), options.clone(), ends.clone());
            let serve = async move {
                let ended = async {
                    // Nothing changes: it says that the other end is gone.
                    let _ = ends.changed().await;
                };
                let served = client(core, stream, &options, ended).await;
                drop(place);
                served
            };
            #[expect(clippy::disallowed_methods, reason = "the set ends it")]
            clients.spawn(serve);
        };
        drop(end);
        let mut all = served;
        while let Some(ended) = clients.join_next().await {
            all = all.and(outcome(ended));
        }
        all
    }
}

/// Reports what came of a client.
fn outcome(ended: Result<Result<(), ServeError>, JoinError>) -> Result<(), ServeError> {
    // A panic was reported by its hook; the others go on.
    ended.unwrap_or(Ok(()))
}

/// Serves one client.
async fn client(
    core: Arc<Core>,
    stream: TcpStream,
    options: &WebSocketOptions,
    ended: impl Future<Output = ()> + Send,
) -> Result<(), ServeError> {
    let mut ended = pin!(ended);
    let config = WebSocketConfig::default()
        .read_buffer_size(READ)
        .max_write_buffer_size(WAITING)
        .max_message_size(Some(MESSAGE))
        .max_frame_size(Some(MESSAGE));
    let begins = at_most(BEGINS, accept_hdr_async_with_config(stream, Door(options), Some(config)));
    let begun = tokio::select! {
        () = &mut ended => return Ok(()),
        begun = begins => begun,
    };
    // Who does not begin, or may not, is no client.
    let Some(Ok(socket)) = begun else { return Ok(()) };
    let (to, from) = socket.split();
    connection::serve(core, Frames { from, over: false }, FramesOut(to), ended).await
}

/// What each client goes through.
struct Door<'a>(&'a WebSocketOptions);

impl Callback for Door<'_> {
    fn on_request(self, request: &Request, response: Response) -> Result<Response, ErrorResponse> {
        match refusal(self.0, request.headers()) {
            None => Ok(response),
            Some((status, why)) => Err(refused(status, why)),
        }
    }
}

/// Returns why a client may not connect, if it may not.
fn refusal(options: &WebSocketOptions, headers: &HeaderMap) -> Option<(StatusCode, &'static str)> {
    let sent = headers.get(header::AUTHORIZATION).map_or(&[][..], HeaderValue::as_bytes);
    if options.token.as_ref().is_some_and(|token| !token.is_sent_by(sent)) {
        return Some((StatusCode::UNAUTHORIZED, "the token is missing or wrong: send `Authorization: Bearer TOKEN`"));
    }
    // Programs send no such header; browsers do, for each page.
    if headers.contains_key(header::ORIGIN) {
        return Some((StatusCode::FORBIDDEN, "a page in a browser may not connect"));
    }
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).map(name).unwrap_or_default();
    let mut names = OWN.into_iter().chain(options.hosts.iter().map(String::as_str));
    match names.any(|name| name.eq_ignore_ascii_case(host)) {
        true => None,
        false => Some((StatusCode::FORBIDDEN, "this name of the server is not known: `--host NAME` allows one")),
    }
}

/// Returns the name of a host without its port.
fn name(host: &str) -> &str {
    if let Some(address) = host.strip_prefix('[') {
        return address.split(']').next().unwrap_or_default();
    }
    host.split(':').next().unwrap_or_default()
}

fn refused(status: StatusCode, why: &str) -> ErrorResponse {
    let mut response = ErrorResponse::new(Some(format!("{why}\n")));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    if status == StatusCode::UNAUTHORIZED {
        response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    response
}

/// Frames that are read.
struct Frames {
    from: SplitStream<WebSocketStream<TcpStream>>,
    over: bool,
}

impl Receive for Frames {
    async fn receive(&mut self) -> Option<Frame> {
        while !self.over {
            match self.from.next().await {
                Some(Ok(Message::Text(text))) => return Some(Frame::Text(text.as_str().to_owned())),
                // As Codex does.
                Some(Ok(Message::Binary(bytes))) => {
                    return Some(String::from_utf8(bytes.into()).map_or(Frame::Refused("a message is UTF-8"), Frame::Text));
                }
                // It is answered by the crate.
                Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_))) => {}
                // What follows cannot be read.
                Some(Err(Error::Capacity(_))) => {
                    self.over = true;
                    return Some(Frame::Refused("a message has at most 32 MiB"));
                }
                Some(Ok(Message::Close(_)) | Err(_)) | None => self.over = true,
            }
        }
        None
    }
}

/// Frames that are written.
struct FramesOut(SplitSink<WebSocketStream<TcpStream>, Message>);

impl Transmit for FramesOut {
    async fn transmit(&mut self, text: String) -> io::Result<()> {
        self.0.send(Message::text(text)).await.map_err(io::Error::other)
    }

    async fn finish(&mut self) -> io::Result<()> {
        self.0.close().await.map_err(io::Error::other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let pair =
            |(name, value): &(&'static str, &str)| (header::HeaderName::from_static(name), HeaderValue::from_str(value).expect("a value"));
        pairs.iter().map(pair).collect()
    }

    fn status(options: &WebSocketOptions, pairs: &[(&'static str, &str)]) -> Option<u16> {
        refusal(options, &headers(pairs)).map(|(status, _)| status.as_u16())
    }

    #[test]
    fn a_client_has_the_token_and_a_name_of_the_server() {
        let token = Token::new("0123456789abcdef");
        let options = WebSocketOptions { token, hosts: vec!["box.example".to_owned()], ..WebSocketOptions::default() };
        let bearer = ("authorization", "Bearer 0123456789abcdef");
        for host in ["localhost", "127.0.0.1:8080", "[::1]:8080", "LOCALHOST:1", "box.example:8080"] {
            assert_eq!(status(&options, &[bearer, ("host", host)]), None, "{host}");
        }
        for host in ["", "evil.example", "127.0.0.1.evil.example", "localhost.evil.example:8080", "[::2]:8080"] {
            assert_eq!(status(&options, &[bearer, ("host", host)]), Some(403), "{host}");
        }
        assert_eq!(status(&options, &[("host", "localhost")]), Some(401));
        assert_eq!(status(&options, &[("authorization", "Bearer x"), ("host", "localhost")]), Some(401));
        assert_eq!(status(&options, &[bearer]), Some(403));
    }

    #[test]
    fn a_page_in_a_browser_may_not_connect() {
        let options = WebSocketOptions::default();
        assert_eq!(status(&options, &[("host", "localhost")]), None);
        for origin in ["null", "http://localhost", "https://evil.example"] {
            assert_eq!(status(&options, &[("host", "localhost"), ("origin", origin)]), Some(403), "{origin}");
        }
    }

    #[test]
    fn a_refusal_says_why() {
        let response = refused(StatusCode::UNAUTHORIZED, "no token");
        assert_eq!((response.status(), response.body().as_deref()), (StatusCode::UNAUTHORIZED, Some("no token\n")));
        assert!(response.headers().contains_key(header::WWW_AUTHENTICATE));
        assert!(!refused(StatusCode::FORBIDDEN, "no").headers().contains_key(header::WWW_AUTHENTICATE));
    }
}
