//! Messages over HTTP ("streamable HTTP"): each is a request of its own, whose answer is one message, or a stream of events that ends
//! with the answer. A session is an id that the server gives and then gets with each request.

mod response;

use std::future::poll_fn;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_TYPE, USER_AGENT};
use http::{HeaderMap, HeaderName, HeaderValue};
use parking_lot::Mutex;
use serde::Serialize;
use tokio::sync::mpsc;
use wisp::policy::Target;
use wisp_net::{Code, Net, Request, RequestBody, Response, ResponseBody, Timeouts};

use crate::events::Events;
use crate::reach::Reach;
use crate::schema::tidy;
use crate::time::{pause, within};
use crate::wire::{self, AHEAD, Answer, Came, MESSAGE, Refusal};
use response::{CLOSED, Form, STRANGE, failed, refused, too_large, whole};

/// The headers of the protocol.
const SESSION: &str = "mcp-session-id";
const VERSION: &str = "mcp-protocol-version";
const LAST_EVENT: &str = "last-event-id";

/// Maximum bytes of the id of a session, and of the name of a version. Some ids are signed, and long.
const ID: usize = 8 << 10;

/// How long what no call waits for may take: a reply, a cancellation, the end of a session.
const MOMENT: Duration = Duration::from_secs(5);

/// A connection. When it is dropped, what was still to be said is said, and its session ends, if the runtime lives so long.
pub(crate) struct Http {
    shared: Arc<Shared>,
    last: AtomicU64,
    /// Replies and cancellations, for a task that ends with the last sender.
    aside: mpsc::Sender<String>,
}

struct Shared {
    net: Net,
    url: Target,
    token: Option<HeaderValue>,
    agreed: Mutex<Agreed>,
}

/// What the handshake came to.
#[derive(Default, Clone)]
struct Agreed {
    session: Option<HeaderValue>,
    version: Option<HeaderValue>,
    /// Whether each request says what the handshake said.
    stateless: bool,
    ended: bool,
}

impl Http {
    /// Creates a connection to the server at `url`. Call it in an async runtime.
    pub(crate) fn new(reach: Reach, url: &Target) -> Self {
        let Reach { net, token } = reach;
        let shared = Arc::new(Shared { net, url: url.clone(), token, agreed: Mutex::default() });
        let (aside, mut to_send) = mpsc::channel::<String>(AHEAD);
        let telling = shared.clone();
        #[expect(clippy::disallowed_methods, reason = "it ends a moment after the connection")]
        tokio::spawn(async move {
            while let Some(message) = to_send.recv().await {
                telling.tell(message).await;
            }
            telling.leave().await;
        });
        Self { shared, last: AtomicU64::new(0), aside }
    }

    /// Returns whether the session has not ended.
    pub(crate) fn is_open(&self) -> bool {
        !self.shared.agreed.lock().ended
    }

    /// Makes a request, about the tool `name` if it is about one, and waits for its answer. If it is given up, the server is told so.
    pub(crate) async fn request(&self, method: &str, name: Option<&str>, params: impl Serialize) -> Answer {
        let id = self.last.fetch_add(1, Ordering::Relaxed) + 1;
        let message = wire::message(Some(id), method, params);
        let mut pending = Pending { http: self, id, waits: true };
        let answer = self.exchange(method, name, id, message).await;
        pending.waits = false;
        answer
    }

    /// Tells the server something, and waits until it knows.
    pub(crate) async fn notify(&self, method: &str, params: impl Serialize) {
        // A server that did not take it fails the next request.
        let _ = self.shared.post(None, wire::message(None, method, params)).await;
    }

    /// Says from now on that messages are of this version.
    pub(crate) fn agree(&self, version: &str, stateless: bool) -> Result<(), Refusal> {
        let wrong = || Refusal::unanswered("names no version of the protocol that can be sent back", tidy(version, 100));
        let version = HeaderValue::from_str(version).ok().filter(|value| (1..=ID).contains(&value.len())).ok_or_else(wrong)?;
        let mut agreed = self.shared.agreed.lock();
        (agreed.version, agreed.stateless) = (Some(version), stateless);
        if stateless {
            agreed.session = None;
        }
        Ok(())
    }

    /// Ends the session.
    pub(crate) async fn close(&self) {
        self.shared.leave().await;
        self.shared.agreed.lock().end();
    }

    async fn exchange(&self, method: &str, name: Option<&str>, id: u64, message: String) -> Answer {
        let response = self.shared.post(Some((method, name)), message).await?;
        if method == "initialize" {
            self.shared.begin(&response.headers)?;
        }
        match Form::of(&response)? {
            Form::Events => self.listen(response.body, id).await,
            Form::Message => match wire::read(&whole(response.body).await?) {
                Came::Answer(of, answer) if of == id => answer,
                Came::Complaint(refusal) => Err(refusal),
                _ => Err(Refusal::unanswered(STRANGE, "")),
            },
        }
    }

    /// Waits for the answer among events.
    async fn listen(&self, mut body: ResponseBody, id: u64) -> Answer {
        let mut events = Events::new(MESSAGE);
        loop {
            match poll_fn(|cx| body.poll_next(cx)).await {
                Some(Ok(piece)) => {
                    for message in events.push(&piece).ok_or_else(too_large)? {
                        match wire::read(&message) {
                            Came::Answer(of, answer) if of == id => return answer,
                            // A server that does not take its replies gets no more.
                            Came::Asks(reply) => drop(self.aside.try_send(reply)),
                            _ => {}
                        }
                    }
                }
                Some(Err(failure)) if matches!(failure.code, Code::ResponseBodySize(_)) => return Err(failed(&failure)),
                Some(Err(_)) | None => body = self.shared.resume(&mut events).await?,
            }
        }
    }
}

/// A request that waits.
struct Pending<'a> {
    http: &'a Http,
    id: u64,
    waits: bool,
}

impl Drop for Pending<'_> {
    fn drop(&mut self) {
        if !self.waits {
            return;
        }
        let Agreed { version, stateless, .. } = self.http.shared.agreed.lock().clone();
        // The handshake cannot be cancelled; without sessions, the end of the connection says it.
        if version.is_some() && !stateless {
            // A server that takes nothing is not told.
            let _ = self.http.aside.try_send(wire::cancelled(self.id));
        }
    }
}

impl Agreed {
    fn end(&mut self) {
        self.session = None;
        self.ended = true;
    }
}

impl Shared {
    /// Sends a message; of a request with its method, and the tool that it is about. Returns a response whose status is a success.
    async fn post(&self, about: Option<(&str, Option<&str>)>, message: String) -> Result<Response, Refusal> {
        let agreed = self.agreed.lock().clone();
        if agreed.ended {
            return Err(Refusal::Expired);
        }
        let mut headers = self.headers(&agreed, "application/json, text/event-stream");
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if let Some((method, name)) = about.filter(|_| agreed.stateless) {
            headers.extend(HeaderValue::from_str(method).ok().map(|method| (HeaderName::from_static("mcp-method"), method)));
            headers.extend(name.and_then(in_header).map(|name| (HeaderName::from_static("mcp-name"), name)));
        }
        let response = self.send("POST", headers, message).await?;
        match response.status {
            200..=299 => Ok(response),
            404 if agreed.session.is_some() => {
                self.agreed.lock().end();
                Err(Refusal::Expired)
            }
            _ => Err(refused(response).await),
        }
    }

    /// Sends what nobody waits for.
    async fn tell(&self, message: String) {
        // What the server does not take, it does not need.
        let _ = within(MOMENT, self.post(None, message)).await;
    }

    /// Ends the session, if there is one.
    async fn leave(&self) {
        let headers = {
            let mut agreed = self.agreed.lock();
            if agreed.session.is_none() {
                return;
            }
            let headers = self.headers(&agreed, "application/json");
            agreed.end();
            headers
        };
        // A server that does not let go of it by itself is not waited for.
        let _ = within(MOMENT, self.send("DELETE", headers, String::new())).await;
    }

    /// Keeps the id of the session that the handshake began.
    fn begin(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let Some(session) = headers.get(SESSION) else { return Ok(()) };
        let sound = (1..=ID).contains(&session.len()) && session.as_bytes().iter().all(|byte| (0x21..=0x7e).contains(byte));
        if !sound {
            return Err(Refusal::unanswered("gives its session an id that cannot be sent back", ""));
        }
        let mut session = session.clone();
        session.set_sensitive(true);
        self.agreed.lock().session = Some(session);
        Ok(())
    }

    /// Takes up a stream that has ended before the answer, after its last event.
    async fn resume(&self, events: &mut Events) -> Result<ResponseBody, Refusal> {
        let closed = || Refusal::unanswered(CLOSED, "");
        let agreed = self.agreed.lock().clone();
        let last = events.restart().filter(|_| !agreed.stateless).and_then(|id| HeaderValue::from_bytes(&id).ok());
        let last = last.ok_or_else(closed)?;
        pause(events.retry()).await;
        let mut headers = self.headers(&agreed, "text/event-stream");
        headers.insert(LAST_EVENT, last);
        let response = self.send("GET", headers, String::new()).await?;
        match response.status {
            200 if matches!(Form::of(&response), Ok(Form::Events)) => Ok(response.body),
            404 => {
                // It may have done what it was asked for: the request is not made again.
                self.agreed.lock().end();
                Err(Refusal::unanswered("has ended the session before it answered", ""))
            }
            _ => Err(closed()),
        }
    }

    /// Returns the headers of every request.
    fn headers(&self, agreed: &Agreed, accept: &'static str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static(accept));
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        headers.insert(USER_AGENT, HeaderValue::from_static(concat!("wisp/", env!("CARGO_PKG_VERSION"))));
        for (name, value) in [("authorization", &self.token), (SESSION, &agreed.session), (VERSION, &agreed.version)] {
            if let Some(value) = value {
                headers.insert(name, value.clone());
            }
        }
        headers
    }

    async fn send(&self, method: &str, headers: HeaderMap, body: String) -> Result<Response, Refusal> {
        let request = Request {
            method: method.to_owned(),
            scheme: self.url.scheme.as_str().to_owned(),
            authority: self.url.authority(),
            path_and_query: self.url.path_and_query(),
            headers,
            body: RequestBody::whole(body.into_bytes().into()),
            timeouts: Timeouts::default(),
        };
        // No process of a sandbox makes it.
        let pending = self.net.send(0, request).map_err(|failure| failed(&failure))?;
        pending.await.map_err(|failure| failed(&failure))
    }
}

/// Returns a name as a header has it: itself, or in base64 where a header would not keep it.
fn in_header(name: &str) -> Option<HeaderValue> {
    let plain = !name.is_empty() && name.trim() == name && name.bytes().all(|byte| (b' '..=b'~').contains(&byte));
    let encoded = name.starts_with("=?base64?") && name.ends_with("?=");
    let text = if plain && !encoded { name.to_owned() } else { format!("=?base64?{}?=", STANDARD.encode(name)) };
    HeaderValue::from_str(&text).ok()
}
