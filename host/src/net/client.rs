//! The client: one request, one connection, HTTP/1.1.

use std::error::Error;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use http::header::{CONTENT_ENCODING, CONTENT_LENGTH, HOST};
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::sync::OwnedSemaphorePermit;
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout_at};

use super::body::{Driver, Held, RequestBody, ResponseBody, response_too_large};
use super::connect::connect;
use super::failure::{Code, Failure};
use super::gate::{self, Permit};
use super::mask::{Masker, Needles};
use super::receipt::Record;
use super::{Inner, Net, headers, secret};

/// Bytes of a response that the client holds at the most, its head included. Attack: a head without end. Large enough that
/// a download is not slowed down.
const BUFFER: usize = 256 << 10;

/// Headers of a response at the most.
const MAX_RESPONSE_HEADERS: usize = 256;

/// What a program asks for.
pub struct Request {
    /// The method, as the program wrote it.
    pub method: String,
    /// `http` or `https`.
    pub scheme: String,
    /// Host, or host and port.
    pub authority: String,
    /// Path and query.
    pub path_and_query: String,
    /// Headers.
    pub headers: HeaderMap,
    /// Body.
    pub body: RequestBody,
    /// Times the program wants to wait at the most.
    pub timeouts: Timeouts,
}

/// Times that a program sets itself; they can only be shorter than the policy's.
#[derive(Debug, Clone, Copy, Default)]
pub struct Timeouts {
    /// Until there is a connection.
    pub connect: Option<Duration>,
    /// From there to the head of the response.
    pub first_byte: Option<Duration>,
    /// Between two pieces of the body.
    pub between_bytes: Option<Duration>,
}

/// A response whose head is there.
pub struct Response {
    /// The status.
    pub status: u16,
    /// Headers.
    pub headers: HeaderMap,
    /// Body.
    pub body: ResponseBody,
}

/// A request under way. Dropping it ends it, with its connection.
pub struct Pending(JoinHandle<Result<Response, Failure>>);

impl Future for Pending {
    type Output = Result<Response, Failure>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.0).poll(cx).map(|ended| ended.unwrap_or_else(|_| Err(Failure::new(Code::Internal, "the request was ended"))))
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Net {
    /// Send a request for `process`. What the rules deny fails here; everything else where the response is waited for. Must
    /// be called within a tokio runtime.
    pub fn send(&self, process: u32, request: Request) -> Result<Pending, Failure> {
        let net = self.clone();
        let inner = &self.0;
        let Request { method, scheme, authority, path_and_query, .. } = &request;
        let denied = |failure: Failure| {
            let mut record = Record::new(inner.observer.clone(), process, failure.request.clone(), failure.rule.clone());
            record.fail(&failure);
            failure
        };
        let permit = gate::check(&inner.policy, &inner.absence, method, scheme, authority, path_and_query).map_err(denied)?;
        let shown = permit.request.clone();
        let with_query = match &permit.target.query {
            Some(query) if inner.policy.receipt_query => format!("{shown}?{query}"),
            _ => shown.clone(),
        };
        let mut record = Record::new(inner.observer.clone(), process, with_query, permit.rule(&inner.policy).rule.to_string());
        if !inner.limits.count(inner.policy.max_requests) {
            let most = inner.policy.max_requests;
            let reason = format!("the session made its {most} requests (`network.max_requests`)");
            let rule = (inner.rule_of)("network.max_requests");
            let failure = Failure::new(Code::Denied, reason).by(rule).help("raise `max_requests` of `[network]`").about(&shown);
            record.fail(&failure);
            return Err(failure);
        }
        // The queue is joined here, so that requests get their turn in the order they were made in.
        let mut turn = inner.limits.turn();
        let turn = match (&mut turn).now_or_never() {
            Some(turn) => Turn::Had(turn),
            None => Turn::Waiting(turn),
        };
        let task = tokio::spawn(async move {
            let began = Instant::now();
            match net.run(request, permit, turn, began, record).await {
                Ok(response) => Ok(response),
                Err((failure, mut record)) => {
                    // A limit's own line, where it is known by its key.
                    let failure = Failure { rule: net.0.line_of(&failure.rule), ..failure }.about(&shown);
                    if let Some(record) = &mut record {
                        record.fail(&failure);
                    }
                    Err(failure)
                }
            }
        });
        Ok(Pending(task))
    }
}

type Failed = (Failure, Option<Record>);

/// A request's turn: at once, or when others have ended.
enum Turn {
    Had(Option<OwnedSemaphorePermit>),
    Waiting(BoxFuture<'static, Option<OwnedSemaphorePermit>>),
}

impl Turn {
    async fn wait(self) -> Option<OwnedSemaphorePermit> {
        match self {
            Turn::Had(turn) => turn,
            Turn::Waiting(turn) => turn.await,
        }
    }
}

impl Net {
    async fn run(&self, request: Request, permit: Permit, turn: Turn, began: Instant, mut record: Record) -> Result<Response, Failed> {
        let inner = &self.0;
        let deadline = began + inner.policy.timeout;
        let answered = timeout_at(deadline, inner.answer(request, permit, turn, began, deadline, &mut record)).await;
        let answered = answered.unwrap_or_else(|_| {
            let reason = "the request took longer than `network.timeout` allows";
            Err(Failure::new(Code::ResponseTimeout, reason).by("network.timeout"))
        });
        match answered {
            Ok(Answer { status, headers, incoming, driver, turn, sent, between, request }) => {
                let held = Held { _driver: driver, _turn: turn, record, sent };
                let masker = Masker::new(inner.secrets.needles());
                let body = ResponseBody::new(self.clone(), incoming, held, request, masker, deadline, between);
                Ok(Response { status, headers, body })
            }
            Err(failure) => Err((failure, Some(record))),
        }
    }
}

impl Inner {
    /// The rule behind a key of `[network]`; anything else is a rule already.
    pub(super) fn line_of(&self, rule: &str) -> String {
        if rule.starts_with("network.") { (self.rule_of)(rule) } else { rule.to_owned() }
    }

    async fn answer(
        &self,
        request: Request,
        mut permit: Permit,
        turn: Turn,
        began: Instant,
        deadline: Instant,
        record: &mut Record,
    ) -> Result<Answer, Failure> {
        let Request { method, authority, headers: mut fields, body, timeouts, .. } = request;
        let method = Method::from_bytes(method.as_bytes()).map_err(|_| Failure::new(Code::MethodInvalid, "this is no method"))?;
        headers::check(&mut fields)?;
        let length = headers::take_length(&mut fields)?;
        let mut body = body.bounded(self.policy.max_request, length)?;

        let connected_by = (began + timeouts.connect.unwrap_or(Duration::MAX).min(self.policy.connect_timeout)).min(deadline);
        let turn = timeout_at(connected_by, turn.wait()).await.ok().flatten().ok_or_else(|| {
            let most = self.policy.max_concurrent;
            let reason = format!("the session has {most} requests under way (`network.max_concurrent`), and none ended in time");
            Failure::new(Code::TooManyAtOnce, reason).by("network.max_concurrent")
        })?;
        let connected = timeout_at(connected_by, connect(self, &permit)).await;
        let (connection, address) =
            connected.map_err(|_| Failure::new(Code::ConnectionTimeout, format!("no connection to `{authority}` in time")))??;
        record.attempt.address = Some(address);

        let first_byte_by = Instant::now() + timeouts.first_byte.unwrap_or(Duration::MAX).min(self.policy.first_byte_timeout);
        let answered = timeout_at(first_byte_by, async {
            let mut used = self.secrets.put(&mut permit.target, &mut fields)?;
            if self.secrets.in_body(&permit.target) {
                let (whole, in_body) = self.secrets.put_body(&permit.target, &mut fields, body.collect(secret::MAX_BODY).await?)?;
                used.extend(in_body);
                body = RequestBody::whole(whole.into());
            } else {
                body.settle().await;
            }
            record.attempt.secrets.clone_from(&used);
            let sent = body.sent();
            let (response, driver) = exchange(connection, &permit, method.clone(), fields, body).await?;
            Ok::<_, Failure>((response, driver, sent, !used.is_empty()))
        });
        let (response, driver, sent, secret) = answered.await.unwrap_or_else(|_| {
            Err(Failure::new(Code::ResponseTimeout, "the server did not answer in time (`network.first_byte_timeout`)"))
        })?;
        let (mut head, incoming) = response.into_parts();
        record.attempt.status = Some(head.status.as_u16());
        self.check_head(&method, head.status, &mut head.headers, secret)?;
        Ok(Answer {
            status: head.status.as_u16(),
            headers: head.headers,
            incoming,
            driver,
            turn,
            sent,
            between: timeouts.between_bytes,
            request: permit.request,
        })
    }

    /// The head of a response: what the limits say of it, and secrets masked.
    fn check_head(&self, method: &Method, status: StatusCode, fields: &mut HeaderMap, secret: bool) -> Result<(), Failure> {
        if status == StatusCode::SWITCHING_PROTOCOLS {
            return Err(Failure::new(Code::Protocol, "the server wants to speak another protocol"));
        }
        let limit = self.policy.max_response;
        let length = fields.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()).and_then(|length| length.parse::<u64>().ok());
        if *method != Method::HEAD && status != StatusCode::NOT_MODIFIED && length.is_some_and(|length| length > limit) {
            return Err(response_too_large(limit));
        }
        let coding = fields.get(CONTENT_ENCODING).and_then(|coding| coding.to_str().ok()).unwrap_or("identity");
        if secret && *method != Method::HEAD && !coding.eq_ignore_ascii_case("identity") {
            let reason =
                format!("the response to a request with a secret is compressed (`{coding}`), so that an echo of it could not be masked");
            return Err(Failure::new(Code::ResponseContentCoding(coding.to_owned()), reason).by("built in"));
        }
        headers::drop_hosts_own(fields);
        mask_headers(&self.secrets.needles(), fields);
        Ok(())
    }
}

struct Answer {
    status: u16,
    headers: HeaderMap,
    incoming: hyper::body::Incoming,
    driver: Driver,
    turn: OwnedSemaphorePermit,
    sent: std::sync::Arc<std::sync::atomic::AtomicU64>,
    between: Option<Duration>,
    request: String,
}

/// Send the request; answers the response's head and what drives the connection.
async fn exchange(
    connection: super::connect::Connection,
    permit: &Permit,
    method: Method,
    fields: HeaderMap,
    body: RequestBody,
) -> Result<(http::Response<hyper::body::Incoming>, Driver), Failure> {
    let mut builder = http1::Builder::new();
    builder.max_buf_size(BUFFER).max_headers(MAX_RESPONSE_HEADERS);
    let (mut sender, driver) = builder.handshake(TokioIo::new(connection)).await.map_err(|error| failure(&error))?;
    let driver = Driver(tokio::spawn(driver).abort_handle());
    let mut request = http::Request::new(body);
    *request.method_mut() = method;
    let invalid = |_| Failure::new(Code::UriInvalid, "this is no path").by("built in");
    *request.uri_mut() = permit.target.path_and_query().parse().map_err(invalid)?;
    let headers = request.headers_mut();
    // A host that was read as a host has nothing that a header may not have.
    let host = HeaderValue::from_str(&permit.target.authority()).map_err(|_| Failure::new(Code::UriInvalid, "this is no host"))?;
    headers.insert(HOST, host);
    headers.extend(fields);
    let response = sender.send_request(request).await.map_err(|error| failure(&error))?;
    Ok((response, driver))
}

fn mask_headers(needles: &Needles, fields: &mut HeaderMap) {
    if needles.is_empty() {
        return;
    }
    for value in fields.values_mut() {
        if let Some(masked) = needles.mask(value.as_bytes()).and_then(|masked| HeaderValue::from_bytes(&masked).ok()) {
            *value = masked;
        }
    }
}

/// What an error of the client means.
pub(super) fn failure(error: &hyper::Error) -> Failure {
    let mut source = error.source();
    let mut incomplete = error.is_incomplete_message();
    while let Some(inner) = source {
        if let Some(failure) = inner.downcast_ref::<Failure>() {
            return failure.clone();
        }
        if let Some(io) = inner.downcast_ref::<std::io::Error>() {
            if io.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>()).is_some() {
                return super::tls::failure(io);
            }
            incomplete |= io.kind() == std::io::ErrorKind::UnexpectedEof;
        }
        source = inner.source();
    }
    // hyper tells a client of it by its words alone.
    if error.is_parse() && error.to_string().contains("too large") {
        Failure::new(Code::ResponseHeaderSize, format!("the head of the response is larger than {} KiB", BUFFER >> 10))
    } else if error.is_parse() {
        Failure::new(Code::Protocol, format!("the server does not speak HTTP: {error}"))
    } else if incomplete {
        Failure::new(Code::ResponseIncomplete, "the connection ended before the response was complete")
    } else {
        let cause = error.source().map_or_else(String::new, |cause| format!(": {cause}"));
        Failure::new(Code::ConnectionTerminated, format!("the connection broke: {error}{cause}"))
    }
}
