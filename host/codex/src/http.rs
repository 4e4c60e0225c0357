//! `http/request`: requests that Codex makes from the environment, such as to servers of MCP. They go through the gate of the session, as
//! those of its processes do.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use parking_lot::Mutex;
use wisp::{HttpRequest, HttpResponse};
use wisp_service::SessionHandle;

use crate::bounds::{BLOCK, BODY, ID};
use crate::error::RpcError;
use crate::outbox::{Outbox, Reply};
use crate::protocol::{Base64, BodyDelta, Header, HttpAnswer, HttpAsked, Redirects};
use crate::timer::at_most;
use crate::url;

/// Redirects that are followed, one after the other.
const REDIRECTS: usize = 10;

/// Maximum bodies that are streamed at a time.
const STREAMS: usize = 64;

/// Headers that another server must not see.
const CREDENTIALS: [&str; 3] = ["authorization", "cookie", "proxy-authorization"];

/// The ids of the bodies that are being streamed.
#[derive(Clone, Default)]
pub(crate) struct Streams(Arc<Mutex<BTreeSet<String>>>);

/// One of them, until this is dropped.
struct Stream {
    id: String,
    all: Streams,
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.all.0.lock().remove(&self.id);
    }
}

impl Streams {
    fn enter(&self, id: &str) -> Result<Stream, RpcError> {
        if id.len() > ID {
            return Err(RpcError::invalid_params(format!("a `requestId` has at most {ID} bytes")));
        }
        let mut ids = self.0.lock();
        if ids.len() >= STREAMS {
            return Err(RpcError::invalid_request(format!("{STREAMS} bodies are being streamed, which is as many as a client may have")));
        }
        match ids.insert(id.to_owned()) {
            true => Ok(Stream { id: id.to_owned(), all: self.clone() }),
            false => {
                let id = wisp_api::shown(id);
                Err(RpcError::invalid_params(format!("http/request streamResponse requestId `{id}` is already active")))
            }
        }
    }
}

/// The time that a client gives a request with its body.
#[derive(Clone, Copy)]
struct Allowed(Option<Instant>);

impl Allowed {
    fn new(milliseconds: Option<u64>) -> Self {
        // A time that the clock cannot represent never comes.
        Self(milliseconds.and_then(|time| Instant::now().checked_add(Duration::from_millis(time))))
    }

    /// Does `work` in what is left of it. `None` if that is not enough.
    async fn within<T>(self, work: impl Future<Output = T> + Send) -> Option<T> {
        match self.0 {
            Some(until) => at_most(until.saturating_duration_since(Instant::now()), work).await,
            None => Some(work.await),
        }
    }
}

/// What a request that takes too long is answered with.
const LATE: &str = "http/request failed: it took longer than its timeoutMs";

/// Handles `http/request`.
pub(crate) async fn request(session: &SessionHandle, streams: &Streams, asked: HttpAsked, outbox: &Outbox) -> Result<Reply, RpcError> {
    let allowed = Allowed::new(asked.timeout_ms);
    let stream = asked.stream_response.then(|| streams.enter(&asked.request_id)).transpose()?;
    let (redirects, request) = (asked.redirect_policy, sent(asked)?);
    let late = || RpcError::internal(LATE);
    let mut response = allowed.within(follow(session, request, redirects)).await.ok_or_else(late)??;
    let (status, headers) = (response.status(), headers(&response));
    if let Some(stream) = stream {
        let reply = Reply::of(&HttpAnswer { status, headers, body: Base64::default() })?;
        let outbox = outbox.clone();
        return Ok(reply.then(async move { body_in_pieces(response, &stream, allowed, &outbox).await }));
    }
    let held = outbox.reserve(length(&response)).await;
    let body = allowed.within(body(&mut response)).await.ok_or_else(late)??;
    Ok(Reply::of(&HttpAnswer { status, headers, body: Base64(body) })?.holding(held))
}

fn sent(asked: HttpAsked) -> Result<HttpRequest, RpcError> {
    let mut headers = Vec::with_capacity(asked.headers.len());
    for Header { name, value, value_env_var } in asked.headers {
        if value_env_var.is_some() {
            return Err(RpcError::invalid_params(
                "a header with `valueEnvVar`: wisp puts secrets into requests by its policy (`network.secret`)",
            ));
        }
        headers.push((name, value.into_bytes()));
    }
    Ok(HttpRequest { method: asked.method, url: asked.url, headers, body: asked.body.unwrap_or_default().0 })
}

/// Makes a request, and those that follow from redirects: the gate decides on each.
async fn follow(session: &SessionHandle, mut request: HttpRequest, redirects: Redirects) -> Result<HttpResponse, RpcError> {
    for _ in 0..=REDIRECTS {
        let response = session.http(request.clone()).await?;
        match redirected(&request, &response).filter(|_| redirects == Redirects::Follow) {
            Some(next) => request = next,
            None => return Ok(response),
        }
    }
    Err(RpcError::internal(format!("http/request failed: it was redirected more than {REDIRECTS} times")))
}

/// Returns the request that a redirect asks for.
fn redirected(request: &HttpRequest, response: &HttpResponse) -> Option<HttpRequest> {
    let found = response.headers().iter().find(|(name, _)| name.eq_ignore_ascii_case("location"))?;
    next(request, response.status(), std::str::from_utf8(&found.1).ok()?)
}

fn next(request: &HttpRequest, status: u16, location: &str) -> Option<HttpRequest> {
    let url = url::join(&request.url, location)?;
    let mut next = HttpRequest { url, ..request.clone() };
    match status {
        301 | 302 if request.method != "POST" => {}
        301..=303 => {
            if request.method != "HEAD" {
                "GET".clone_into(&mut next.method);
            }
            next.body = Bytes::new();
            next.headers.retain(|(name, _)| !name.to_ascii_lowercase().starts_with("content-"));
        }
        307 | 308 => {}
        _ => return None,
    }
    if !url::same_server(&request.url, &next.url) {
        next.headers.retain(|(name, _)| !CREDENTIALS.iter().any(|hidden| name.eq_ignore_ascii_case(hidden)));
    }
    Some(next)
}

/// Returns the headers whose values are text.
fn headers(response: &HttpResponse) -> Vec<Header> {
    let text = |(name, value): &(String, Vec<u8>)| {
        let value = std::str::from_utf8(value).ok()?.to_owned();
        Some(Header { name: name.clone(), value, value_env_var: None })
    };
    response.headers().iter().filter_map(text).collect()
}

/// Returns the bytes that a body may have.
fn length(response: &HttpResponse) -> u64 {
    let said = response.headers().iter().find(|(name, _)| name.eq_ignore_ascii_case("content-length"));
    let said = said.and_then(|(_, value)| std::str::from_utf8(value).ok()?.parse().ok());
    said.unwrap_or(BODY).min(BODY)
}

async fn body(response: &mut HttpResponse) -> Result<Bytes, RpcError> {
    let mut whole = Vec::new();
    while let Some(piece) = chunk(response).await? {
        if (whole.len() + piece.len()) as u64 > BODY {
            return Err(RpcError::internal(format!("the body has more than {BODY} bytes: ask for it with streamResponse")));
        }
        whole.extend_from_slice(&piece);
    }
    Ok(whole.into())
}

async fn chunk(response: &mut HttpResponse) -> Result<Option<Bytes>, RpcError> {
    response.chunk().await.map_err(|error| RpcError::internal(format!("failed to read http/request response body: {error}")))
}

/// Tells the client the body piece by piece, and how it ended.
async fn body_in_pieces(mut response: HttpResponse, stream: &Stream, allowed: Allowed, outbox: &Outbox) {
    let mut seq = 0;
    let pieces = async {
        loop {
            let mut piece = match response.chunk().await {
                Ok(Some(piece)) => piece,
                Ok(None) => return None,
                Err(error) => return Some(error.to_string()),
            };
            while !piece.is_empty() {
                seq += 1;
                let delta = Base64(piece.split_to(piece.len().min(BLOCK)));
                let delta = BodyDelta { request_id: &stream.id, seq, delta, done: false, error: None };
                outbox.note("http/request/bodyDelta", &delta).await;
            }
        }
    };
    let error = allowed.within(pieces).await.unwrap_or_else(|| Some(LATE.to_owned()));
    let last = BodyDelta { request_id: &stream.id, seq: seq + 1, delta: Base64::default(), done: true, error };
    outbox.note("http/request/bodyDelta", &last).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(method: &str) -> HttpRequest {
        let header = |name: &str| (name.to_owned(), b"x".to_vec());
        let headers = vec![header("Authorization"), header("Content-Type"), header("Accept")];
        HttpRequest { method: method.to_owned(), url: "https://a.example/one".to_owned(), headers, body: Bytes::from_static(b"body") }
    }

    fn names(request: &HttpRequest) -> Vec<&str> {
        request.headers.iter().map(|(name, _)| &**name).collect()
    }

    #[test]
    fn a_redirect_to_another_server_takes_no_credentials() {
        let same = next(&request("GET"), 302, "/two").expect("a redirect");
        assert_eq!((&*same.url, names(&same)), ("https://a.example/two", vec!["Authorization", "Content-Type", "Accept"]));
        let other = next(&request("GET"), 307, "https://b.example/").expect("a redirect");
        assert_eq!((&*other.url, names(&other), &other.body[..]), ("https://b.example/", vec!["Content-Type", "Accept"], &b"body"[..]));
        assert_eq!(next(&request("GET"), 200, "/two").map(|it| it.url), None);
    }

    #[test]
    fn what_was_posted_is_not_posted_elsewhere_unless_the_server_says_so() {
        for status in [301, 302, 303] {
            let next = next(&request("POST"), status, "/two").expect("a redirect");
            assert_eq!((&*next.method, names(&next), next.body.len()), ("GET", vec!["Authorization", "Accept"], 0), "{status}");
        }
        for status in [307, 308] {
            let next = next(&request("POST"), status, "/two").expect("a redirect");
            assert_eq!((&*next.method, next.body.len()), ("POST", 4), "{status}");
        }
        assert_eq!(next(&request("HEAD"), 303, "/two").expect("a redirect").method, "HEAD");
    }

    #[test]
    fn the_id_of_a_body_is_free_when_it_has_ended() {
        let streams = Streams::default();
        let first = streams.enter("r").expect("it is free");
        assert!(streams.enter("r").is_err() && streams.enter("s").is_ok());
        drop(first);
        assert!(streams.enter("r").is_ok());
        let all: Vec<_> = (0..STREAMS).map(|number| streams.enter(&number.to_string())).collect();
        assert!(all.iter().all(Result::is_ok) && streams.enter("more").is_err());
    }
}
