//! A network, and requests through it.

use std::future::poll_fn;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue};
use wisp::internal::Ticker;
use wisp::policy::{NoFiles, Policy};
use wisp_net::{Attempt, BodySender, Failure, Net, NetParts, Now, Observer, Request, RequestBody, Response, Roots, Secrets, Timeouts};
use wisp_tests::server::{Names, Server};

/// Keeps every attempt.
#[derive(Default)]
pub(crate) struct Attempts(Mutex<Vec<Attempt>>);

impl Observer for Attempts {
    fn attempt(&self, attempt: &Attempt) {
        self.0.lock().unwrap().push(attempt.clone());
    }
}

impl Attempts {
    pub(crate) fn all(&self) -> Vec<Attempt> {
        self.0.lock().unwrap().clone()
    }

    pub(crate) fn last(&self) -> Attempt {
        self.all().pop().expect("there was an attempt")
    }
}

/// A server, and a network with the rules of a policy. In the policy, `HTTP` and `HTTPS` stand for the server's
/// ports.
pub(crate) struct Kit {
    pub(crate) server: Server,
    pub(crate) net: Net,
    pub(crate) attempts: Arc<Attempts>,
}

/// The names that the server has a certificate for.
pub(crate) const NAMES: [&str; 5] = ["a.example", "b.example", "sub.a.example", "localhost", "127.0.0.1"];

/// Every name leads to the server.
pub(crate) fn names() -> Names {
    NAMES[..4].iter().fold(Names::new(), |names, name| names.with(name, &[&["127.0.0.1"]]))
}

impl Kit {
    pub(crate) async fn new(policy: &str) -> Self {
        Self::with(policy, names(), &[]).await
    }

    pub(crate) async fn with(policy: &str, names: Names, values: &[(&str, &str)]) -> Self {
        let server = Server::start(&NAMES).await;
        let (net, attempts) = Self::net(&server, policy, names, values);
        Self { server, net, attempts }
    }

    /// Another network to the same server, like that of another session.
    pub(crate) fn net(server: &Server, policy: &str, names: Names, values: &[(&str, &str)]) -> (Net, Arc<Attempts>) {
        Self::net_at(server, policy, names, values, Arc::new(|| Duration::ZERO))
    }

    /// As [`Kit::net`], with a clock of the test.
    pub(crate) fn net_at(server: &Server, policy: &str, names: Names, values: &[(&str, &str)], now: Now) -> (Net, Arc<Attempts>) {
        let policy = policy.replace("HTTPS", &server.https.to_string()).replace("HTTP", &server.http.to_string());
        let policy = Policy::parse(&NoFiles, "p.toml", &policy).unwrap_or_else(|errors| panic!("{errors}"));
        let mut secrets = Secrets::default();
        for rule in &policy.network().unwrap().secrets {
            let value = values.iter().find(|(name, _)| *name == rule.variable).expect("a value").1;
            secrets.add(rule.clone(), value.to_owned()).unwrap();
        }
        let attempts = Arc::new(Attempts::default());
        let (network, ticker) = (policy.network().unwrap().clone(), Ticker::default());
        let net = Net::new(NetParts {
            policy: network,
            rule_of: Arc::new(move |key| policy.rule(key).to_string()),
            resolver: Arc::new(names),
            roots: Roots::public().with_pem(server.ca.as_bytes()).unwrap(),
            secrets,
            observer: attempts.clone(),
            now,
            wait: Arc::new(move |until| Box::pin(ticker.sleep(until))),
        });
        (net, attempts)
    }

    /// The URL's server with its port: `https://a.example`.
    pub(crate) fn request(&self, url: &str) -> Request {
        request(&self.server, url)
    }

    pub(crate) async fn get(&self, url: &str) -> Result<(u16, Vec<u8>), Failure> {
        finish(send(&self.net, self.request(url)).await?).await
    }

    /// The failure of a `GET`.
    pub(crate) async fn fails(&self, url: &str) -> Failure {
        match self.get(url).await {
            Err(failure) => failure,
            Ok((status, _)) => panic!("`{url}` was answered with {status}"),
        }
    }
}

/// A `GET` of a URL. Without a port, it goes to the server's.
pub(crate) fn request(server: &Server, url: &str) -> Request {
    let (scheme, rest) = url.split_once("://").unwrap();
    let (authority, path) = rest.find(['/', '?']).map_or((rest, ""), |at| rest.split_at(at));
    let after = authority.rfind(']').unwrap_or(0);
    let authority = match (authority[after..].contains(':'), scheme) {
        (true, _) => authority.to_owned(),
        (false, "https") => format!("{authority}:{}", server.https),
        (false, _) => format!("{authority}:{}", server.http),
    };
    Request {
        method: "GET".to_owned(),
        scheme: scheme.to_owned(),
        authority,
        path_and_query: path.to_owned(),
        headers: HeaderMap::new(),
        body: RequestBody::empty(),
        timeouts: Timeouts::default(),
    }
}

pub(crate) fn header(request: &mut Request, name: &str, value: &str) {
    request.headers.append(HeaderName::from_bytes(name.as_bytes()).unwrap(), HeaderValue::from_str(value).unwrap());
}

/// Gives the request a body, which the returned sender writes.
pub(crate) fn body(request: &mut Request, method: &str) -> BodySender {
    request.method = method.to_owned();
    let (sender, body) = RequestBody::channel();
    request.body = body;
    sender
}

/// Writes a body piece by piece.
pub(crate) async fn write(sender: BodySender, pieces: &[&[u8]]) {
    for piece in pieces {
        sender.ready().await;
        if !sender.send(Bytes::copy_from_slice(piece)) {
            return;
        }
    }
    sender.finish();
}

pub(crate) async fn send(net: &Net, request: Request) -> Result<Response, Failure> {
    net.send(7, request)?.await
}

/// The next piece of a body.
pub(crate) async fn next(response: &mut Response) -> Option<Result<Bytes, Failure>> {
    poll_fn(|cx| response.body.poll_next(cx)).await
}

/// The status and the whole body.
pub(crate) async fn finish(mut response: Response) -> Result<(u16, Vec<u8>), Failure> {
    let mut whole = Vec::new();
    while let Some(piece) = next(&mut response).await {
        whole.extend_from_slice(&piece?);
    }
    Ok((response.status, whole))
}
