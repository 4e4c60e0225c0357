//! The client: one request, one connection, HTTP/1.1.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use http::{HeaderMap, Method};
use tokio::sync::OwnedSemaphorePermit;
use tokio::task::JoinHandle;

use super::connect::{Stream, Way};
use super::failure::{By, Code, Failure};
use super::gate::{self, Permit};
use super::mask::{Masker, Needles};
use super::net::{Inner, Net};
use super::receipt::Record;
use super::request_body::RequestBody;
use super::response_body::{Held, ResponseBody, response_too_large};
use super::time::by;
use super::unmasked::Unmasked;
use super::wire::{Asked, Coming, Driver, exchange};
use super::{headers, secret};
use wisp_policy::schema::Key;

/// A request as a program makes it.
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
    /// The longest times that the program wants to wait.
    pub timeouts: Timeouts,
}

/// Time limits that a program sets itself. They can only shorten the policy's.
#[derive(Debug, Clone, Copy, Default)]
pub struct Timeouts {
    /// Until the connection is established.
    pub connect: Option<Duration>,
    /// From then to the head of the response.
    pub first_byte: Option<Duration>,
    /// Between two pieces of the body.
    pub between_bytes: Option<Duration>,
}

/// A response whose head has arrived.
pub struct Response {
    /// The status.
    pub status: u16,
    /// Headers.
    pub headers: HeaderMap,
    /// Body.
    pub body: ResponseBody,
}

/// An active request. Dropping it ends the request and its connection.
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
    /// Sends a request for `process`. It fails here if the rules deny it; other failures are in the returned future.
    /// Must be called within a tokio runtime.
    pub fn send(&self, process: u32, request: Request) -> Result<Pending, Failure> {
        self.send_by(process, request, Way::Connect)
    }

    /// Does what [`Net::send`] does through the connection `stream`, instead of one to a checked address. For tests
    /// with responses that no server would send; everything else is as for a guest.
    #[doc(hidden)]
    pub fn send_through(&self, process: u32, request: Request, stream: Box<dyn Stream>) -> Result<Pending, Failure> {
        self.send_by(process, request, Way::Given(stream))
    }

    fn send_by(&self, process: u32, request: Request, way: Way) -> Result<Pending, Failure> {
        let net = self.clone();
        let inner = &self.inner;
        let Request { method, scheme, authority, path_and_query, .. } = &request;
        let denied = |failure: Failure| {
            let failure = failure.bounded();
            let mut record = Record::new(inner.observer.clone(), process, failure.request.clone().into(), failure.rule().to_owned());
            record.fail(&failure);
            failure
        };
        if let Some(withheld) = &self.withheld {
            return Err(denied(withheld.failure().about(&gate::shown(method, scheme, authority, path_and_query))));
        }
        let permit = gate::check(&inner.policy, method, scheme, authority, path_and_query).map_err(denied)?;
        let shown = permit.request.clone();
        let with_query = match &permit.target.query {
            Some(query) if inner.policy.receipt_query => format!("{shown}?{query}"),
            _ => shown.clone(),
        };
        let mut record = Record::new(inner.observer.clone(), process, with_query, permit.rule(&inner.policy).rule.to_string());
        if let Err(failure) = inner.limits.begin() {
            let failure = inner.for_guest(failure.into(), &shown, &self.needles());
            record.fail(&failure);
            return Err(failure);
        }
        // Joins the queue here, so that requests get their turns in the order in which they were made.
        let mut turn = inner.limits.turn();
        let turn = match (&mut turn).now_or_never() {
            Some(turn) => Turn::Had(turn),
            None => Turn::Waiting(turn),
        };
        #[expect(clippy::disallowed_methods, reason = "it is aborted when the request is dropped")]
        let task = tokio::spawn(async move {
            let start = Start { request, permit, turn, began: Instant::now(), way };
            match net.run(start, record).await {
                Ok(response) => Ok(response),
                Err((failure, mut record)) => {
                    let failure = net.inner.for_guest(failure, &shown, &net.needles());
                    record.fail(&failure);
                    Err(failure)
                }
            }
        });
        Ok(Pending(task))
    }
}

type Failed = (Unmasked<Failure>, Record);

/// A request that the gate allowed and that has not begun.
struct Start {
    request: Request,
    permit: Permit,
    turn: Turn,
    began: Instant,
    way: Way,
}

/// A request's turn: immediately, or when others have ended.
enum Turn {
    Had(Option<OwnedSemaphorePermit>),
    Waiting(BoxFuture<'static, Option<OwnedSemaphorePermit>>),
}

impl Turn {
    async fn wait(self) -> Option<OwnedSemaphorePermit> {
        match self {
            Self::Had(turn) => turn,
            Self::Waiting(turn) => turn.await,
        }
    }
}

impl Net {
    async fn run(&self, start: Start, mut record: Record) -> Result<Response, Failed> {
        let inner = &self.inner;
        let deadline = start.began + inner.policy.timeout;
        let needles = self.needles();
        let answered = by(&inner.wait, deadline, inner.answer(start, deadline, &mut record, &needles)).await;
        let answered = answered.unwrap_or_else(|| {
            let reason = "the request took longer than `network.timeout` allows";
            Err(Failure::new(Code::ResponseTimeout, reason).by(Key::NetworkTimeout).into())
        });
        match answered {
            Ok(Answer { status, headers, coming, driver, turn, sent, between, request }) => {
                let held = Held { _driver: driver, _turn: turn, record, sent };
                let body = ResponseBody::new(self.clone(), coming, held, request, Masker::new(needles), deadline, between);
                Ok(Response { status, headers, body })
            }
            Err(failure) => Err((failure, record)),
        }
    }
}

impl Inner {
    /// Prepares a failure for a guest and a receipt: masked, with its request, and with the rule of a limit instead of
    /// its key.
    pub(super) fn for_guest(&self, failure: Unmasked<Failure>, request: &str, needles: &Needles) -> Failure {
        let failure = failure.masked(needles);
        let by = match failure.by {
            By::Limit(key) => By::Rule((self.rule_of)(key)),
            other => other,
        };
        Failure { by, ..failure }.about(request).bounded()
    }

    async fn answer(&self, start: Start, deadline: Instant, record: &mut Record, needles: &Needles) -> Result<Answer, Unmasked<Failure>> {
        let Start { request, mut permit, turn, began, way } = start;
        let Request { method, authority, headers: mut fields, body, timeouts, .. } = request;
        let method = Method::from_bytes(method.as_bytes()).map_err(|_| Failure::new(Code::MethodInvalid, "this is no method"))?;
        headers::check(&mut fields)?;
        let length = headers::take_length(&mut fields)?;
        let mut body = body.bounded(self.policy.max_request, &self.limits.bytes, length)?;

        let connected_by = (began + timeouts.connect.unwrap_or(Duration::MAX).min(self.policy.connect_timeout)).min(deadline);
        let turn = by(&self.wait, connected_by, turn.wait()).await.flatten().ok_or_else(|| {
            let most = self.policy.max_concurrent;
            let reason = format!("the session has {most} requests under way (`network.max_concurrent`), and none ended in time");
            Failure::new(Code::TooManyAtOnce, reason).by(Key::MaxConcurrent)
        })?;
        let connected = by(&self.wait, connected_by, way.go(self, &permit)).await;
        let (connection, address) =
            connected.ok_or_else(|| Failure::new(Code::ConnectionTimeout, format!("no connection to `{authority}` in time")))??;
        record.attempt.address = address;

        let first_byte_by = Instant::now() + timeouts.first_byte.unwrap_or(Duration::MAX).min(self.policy.first_byte_timeout);
        let answered = by(&self.wait, first_byte_by, async {
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
            let (head, coming, driver) = exchange(connection, &permit, method.clone(), fields, body).await?;
            Ok::<_, Unmasked<Failure>>((head, coming, driver, sent, !used.is_empty()))
        });
        let (head, coming, driver, sent, secret) = answered.await.unwrap_or_else(|| {
            Err(Failure::new(Code::ResponseTimeout, "the server did not answer in time (`network.first_byte_timeout`)").into())
        })?;
        let status = head.status.as_u16();
        record.attempt.status = Some(status);
        let asked = Asked { method: &method, secret, room: &|length| self.room(length) };
        let headers = head.admit(&asked, needles)?;
        Ok(Answer { status, headers, coming, driver, turn, sent, between: timeouts.between_bytes, request: permit.request })
    }

    /// Checks whether a response may have so many bytes.
    fn room(&self, length: u64) -> Result<(), Failure> {
        if length > self.policy.max_response {
            return Err(response_too_large(self.policy.max_response));
        }
        if length > self.limits.bytes.left() {
            return Err(self.limits.bytes.exceeded());
        }
        Ok(())
    }
}

struct Answer {
    status: u16,
    headers: HeaderMap,
    coming: Coming,
    driver: Driver,
    turn: OwnedSemaphorePermit,
    sent: std::sync::Arc<std::sync::atomic::AtomicU64>,
    between: Option<Duration>,
    request: String,
}
