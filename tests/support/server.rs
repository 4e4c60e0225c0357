//! A local web server, unencrypted and over TLS with its own certificate authority, and a resolver that leads every
//! name to it. The path selects the response; requests are recorded.

use std::collections::BTreeMap;
use std::io;
use std::net::IpAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use rustls::ServerConfig;
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tokio_rustls::TlsAcceptor;

/// A request that arrived.
#[derive(Debug, Clone)]
pub struct Seen {
    /// `GET /a HTTP/1.1`.
    pub line: String,
    /// Lower-case names.
    pub headers: Vec<(String, String)>,
    /// Its body, chunks joined.
    pub body: Vec<u8>,
    /// A number for the connection on which it arrived.
    pub connection: usize,
}

impl Seen {
    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// A test's own whole response to a request, of which this many came with the same line before; None for the server's
/// response.
pub type Answer = fn(&Seen, usize) -> Option<Vec<u8>>;

#[derive(Debug, Default)]
struct State {
    own: Mutex<Option<Answer>>,
    seen: Mutex<Vec<Seen>>,
    connections: AtomicUsize,
    open: AtomicUsize,
    most: AtomicUsize,
    closed: Notify,
    released: Notify,
}

/// The server. Its tasks end with the runtime.
#[derive(Debug)]
pub struct Server {
    /// The unencrypted port.
    pub http: u16,
    /// The TLS port, for every name with which the server was started.
    pub https: u16,
    /// The certificate of its authority.
    pub ca: String,
    state: Arc<State>,
}

/// Bytes from a seed, for bodies.
pub fn pattern(len: usize) -> Vec<u8> {
    (0..len).map(|at| (at * 31 % 251) as u8).collect()
}

impl Server {
    /// A server on 127.0.0.1, with a certificate for these names and addresses.
    pub async fn start(names: &[&str]) -> Self {
        let key = KeyPair::generate().expect("a key");
        let mut params = CertificateParams::new(Vec::new()).expect("parameters");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let ca = params.self_signed(&key).expect("an authority");
        let issuer = Issuer::new(params, key);
        let own_key = KeyPair::generate().expect("a key");
        let own = CertificateParams::new(names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>()).expect("names");
        let own = own.signed_by(&own_key, &issuer).expect("a certificate");
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().expect("versions");
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(own_key.serialize_der()));
        let config = config.with_no_client_auth().with_single_cert(vec![own.der().clone()], key).expect("a certificate");
        let acceptor = TlsAcceptor::from(Arc::new(config));

        let state = Arc::new(State::default());
        let plain = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let tls = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = |listener: &TcpListener| listener.local_addr().expect("an address").port();
        let server = Self { http: port(&plain), https: port(&tls), ca: ca.pem(), state: state.clone() };
        tokio::spawn(accept(plain, None, state.clone()));
        tokio::spawn(accept(tls, Some(acceptor), state));
        server
    }

    /// The requests so far.
    pub fn seen(&self) -> Vec<Seen> {
        self.state.seen.lock().expect("no test panicked here").clone()
    }

    /// The number of connections made, and the maximum open at once.
    pub fn connections(&self) -> (usize, usize) {
        (self.state.connections.load(Ordering::SeqCst), self.state.most.load(Ordering::SeqCst))
    }

    /// Waits until no connection is open.
    pub async fn idle(&self) {
        loop {
            let closed = self.state.closed.notified();
            if self.state.open.load(Ordering::SeqCst) == 0 {
                return;
            }
            closed.await;
        }
    }

    /// Uses this first for responses.
    pub fn also(&self, own: Answer) {
        *self.state.own.lock().expect("no test panicked here") = Some(own);
    }

    /// Releases every `/hold` that waits now.
    pub fn release(&self) {
        self.state.released.notify_waiters();
    }
}

struct Open(Arc<State>);

impl Drop for Open {
    fn drop(&mut self) {
        self.0.open.fetch_sub(1, Ordering::SeqCst);
        self.0.closed.notify_waiters();
    }
}

async fn accept(listener: TcpListener, tls: Option<TlsAcceptor>, state: Arc<State>) {
    while let Ok((stream, _)) = listener.accept().await {
        let number = state.connections.fetch_add(1, Ordering::SeqCst);
        let open = state.open.fetch_add(1, Ordering::SeqCst) + 1;
        state.most.fetch_max(open, Ordering::SeqCst);
        let (tls, state) = (tls.clone(), state.clone());
        tokio::spawn(async move {
            let _open = Open(state.clone());
            let _ = stream.set_nodelay(true);
            match tls {
                None => serve(stream, number, &state).await,
                Some(tls) => {
                    if let Ok(stream) = tls.accept(stream).await {
                        serve(stream, number, &state).await;
                    }
                }
            }
        });
    }
}

/// Serves one connection until it ends.
async fn serve<S: AsyncRead + AsyncWrite + Unpin>(mut stream: S, connection: usize, state: &Arc<State>) {
    let mut buffer = Vec::new();
    while let Some(seen) = read_request(&mut stream, &mut buffer, connection).await {
        let path = seen.line.split(' ').nth(1).unwrap_or_default().to_owned();
        let head = seen.line.starts_with("HEAD ");
        let before = {
            let mut all = state.seen.lock().expect("no test panicked here");
            all.push(seen.clone());
            all.iter().filter(|other| other.line == seen.line).count() - 1
        };
        let own = *state.own.lock().expect("no test panicked here");
        if let Some(response) = own.and_then(|own| own(&seen, before)) {
            match write(&mut stream, &response).await {
                Some(()) => continue,
                None => return,
            }
        }
        if answer(&mut stream, &path, head, &seen, state).await.is_none() {
            return;
        }
    }
}

async fn fill<S: AsyncRead + Unpin>(stream: &mut S, buffer: &mut Vec<u8>) -> Option<()> {
    let mut piece = [0; 16 << 10];
    let count = stream.read(&mut piece).await.ok().filter(|count| *count > 0)?;
    buffer.extend_from_slice(&piece[..count]);
    Some(())
}

async fn read_request<S: AsyncRead + Unpin>(stream: &mut S, buffer: &mut Vec<u8>, connection: usize) -> Option<Seen> {
    let end = loop {
        if let Some(at) = buffer.windows(4).position(|window| window == b"\r\n\r\n") {
            break at;
        }
        fill(stream, buffer).await?;
    };
    let head = String::from_utf8_lossy(&buffer[..end]).into_owned();
    buffer.drain(..end + 4);
    let mut lines = head.split("\r\n");
    let line = lines.next()?.to_owned();
    let header = |line: &str| line.split_once(':').map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()));
    let headers: Vec<(String, String)> = lines.filter_map(header).collect();
    let mut seen = Seen { line, headers, body: Vec::new(), connection };
    if let Some(length) = seen.header("content-length").and_then(|length| length.parse::<usize>().ok()) {
        while buffer.len() < length {
            fill(stream, buffer).await?;
        }
        seen.body = buffer.drain(..length).collect();
    } else if seen.header("transfer-encoding") == Some("chunked") {
        loop {
            let at = loop {
                if let Some(at) = buffer.windows(2).position(|window| window == b"\r\n") {
                    break at;
                }
                fill(stream, buffer).await?;
            };
            let size = usize::from_str_radix(std::str::from_utf8(&buffer[..at]).ok()?, 16).ok()?;
            while buffer.len() < at + 2 + size + 2 {
                fill(stream, buffer).await?;
            }
            seen.body.extend_from_slice(&buffer[at + 2..at + 2 + size]);
            buffer.drain(..at + 2 + size + 2);
            if size == 0 {
                break;
            }
        }
    }
    Some(seen)
}

/// Answers one request; `None` ends the connection.
async fn answer<S: AsyncRead + AsyncWrite + Unpin>(stream: &mut S, path: &str, head: bool, seen: &Seen, state: &Arc<State>) -> Option<()> {
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    let mut parts = path.trim_start_matches('/').splitn(2, '/');
    let (what, rest) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    match what {
        // This many bytes.
        "bytes" => reply(stream, 200, "", head, &pattern(rest.parse().ok()?)).await,
        // This status.
        "status" => reply(stream, rest.parse().ok()?, "", head, b"as you wish\n").await,
        // A redirect to the URL in the query, which is not escaped.
        "redirect" => reply(stream, 302, &format!("Location: {query}\r\n"), head, b"over there\n").await,
        // The request as it arrived: line, headers, body.
        "echo" => {
            let mut text = format!("{}\n", seen.line);
            for (name, value) in &seen.headers {
                text.push_str(&format!("{name}: {value}\n"));
            }
            let mut body = format!("{text}\n").into_bytes();
            body.extend_from_slice(&seen.body);
            let token = seen.header("authorization").unwrap_or("none").to_owned();
            reply(stream, 200, &format!("X-Authorization: {token}\r\nContent-Type: text/plain\r\n"), head, &body).await
        }
        // A header of this many bytes.
        "header" => reply(stream, 200, &format!("X-Large: {}\r\n", "x".repeat(rest.parse().ok()?)), head, b"ok\n").await,
        // Decoding gzip is the client's task; here: bytes that claim to be compressed.
        "gzip" => reply(stream, 200, "Content-Encoding: gzip\r\n", head, &BOMB).await,
        // Endless chunks, until the reader stops.
        "endless" => {
            write(stream, b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n").await?;
            let chunk = pattern(16 << 10);
            loop {
                write(stream, format!("{:x}\r\n", chunk.len()).as_bytes()).await?;
                write(stream, &chunk).await?;
                write(stream, b"\r\n").await?;
            }
        }
        // The rest of the path in chunks of one byte.
        "chunks" => {
            write(stream, b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n").await?;
            for byte in &seen.body {
                write(stream, &[b"1\r\n", &[*byte][..], b"\r\n"].concat()).await?;
            }
            write(stream, b"0\r\n\r\n").await
        }
        // Fewer bytes than announced.
        "short" => {
            write(stream, b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nless").await?;
            None
        }
        // Chunks without a last one.
        "cut" => {
            write(stream, b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n").await?;
            None
        }
        // A body that ends with the connection.
        "unframed" => {
            write(stream, b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nall there is").await?;
            None
        }
        // Not HTTP.
        "garbage" => {
            write(stream, b"220 smtp.example ESMTP\r\n").await?;
            None
        }
        // Another protocol.
        "upgrade" => write(stream, b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n").await,
        // The connection ends without a response.
        "close" => None,
        // No response, until the other side closes.
        "silent" => {
            let _ = stream.read(&mut [0]).await;
            None
        }
        // The head and one byte, then nothing until the other side closes.
        "stuck" => {
            write(stream, b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nx").await?;
            let _ = stream.read(&mut [0]).await;
            None
        }
        // A response when the test releases it.
        "hold" => {
            let released = state.released.notified();
            tokio::pin!(released);
            released.as_mut().enable();
            released.await;
            reply(stream, 200, "", head, b"held\n").await
        }
        _ => reply(stream, 200, "Content-Type: text/plain\r\n", head, b"ok\n").await,
    }
}

/// 10 MB of zeros are 10 KB in gzip; this is only the head, with that length.
const BOMB: [u8; 20] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0];

async fn write<S: AsyncWrite + Unpin>(stream: &mut S, bytes: &[u8]) -> Option<()> {
    stream.write_all(bytes).await.ok()?;
    stream.flush().await.ok()
}

async fn reply<S: AsyncWrite + Unpin>(stream: &mut S, status: u16, headers: &str, head: bool, body: &[u8]) -> Option<()> {
    let text = format!("HTTP/1.1 {status} Whatever\r\nContent-Length: {}\r\n{headers}\r\n", body.len());
    write(stream, text.as_bytes()).await?;
    if head { Some(()) } else { write(stream, body).await }
}

/// Answers name lookups: each name with its answers in turn, the last one repeatedly.
#[derive(Debug, Default)]
pub struct Names(Mutex<BTreeMap<String, Vec<Vec<IpAddr>>>>);

impl Names {
    /// No names.
    pub fn new() -> Self {
        Self::default()
    }

    /// With a name, and the addresses of each of its answers.
    #[must_use]
    pub fn with(self, name: &str, answers: &[&[&str]]) -> Self {
        let answers = answers.iter().map(|answer| answer.iter().map(|address| address.parse().expect("an address")).collect()).collect();
        self.0.lock().expect("no test panicked here").insert(name.to_owned(), answers);
        self
    }
}

#[async_trait::async_trait]
impl wisp::Resolve for Names {
    async fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        let mut names = self.0.lock().expect("no test panicked here");
        let answers = names.get_mut(name).ok_or(io::ErrorKind::NotFound)?;
        Ok(if answers.len() > 1 { answers.remove(0) } else { answers[0].clone() })
    }
}
