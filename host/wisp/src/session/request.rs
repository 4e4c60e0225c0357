//! Requests that the host program makes with a session's network: through the same gate as those of its processes.

use std::fmt;
use std::future::poll_fn;
use std::sync::Arc;

use bytes::Bytes;
use http::HeaderMap;

use crate::exec::commands::Commands;
use crate::session::handle::Session;
use wisp_api::{ErrorCode, ReceiptKind, shown};
use wisp_net::{By, Failure, Pending, Request, RequestBody, Response, ResponseBody, Timeouts, check_name, check_value};
use wisp_policy::schema::Key;

/// Maximum bytes of a URL, as for guests.
const URL: usize = 16 << 10;

/// A request that the host program makes with a session's network ([`Session::http`]).
#[derive(Clone, PartialEq, Eq)]
pub struct HttpRequest {
    /// The method, such as `GET`.
    pub method: String,
    /// The absolute URL, which begins with `http://` or `https://`. What follows a `#` is not sent.
    pub url: String,
    /// Headers, in order; a name may come several times. Those about the connection, such as `Host`, are wisp's own: a
    /// request's are left out.
    pub headers: Vec<(String, Vec<u8>)>,
    /// The body; nothing is sent if it is empty.
    pub body: Bytes,
}

/// The response to such a request: its head has arrived, its body arrives. Dropping it closes the connection.
pub struct HttpResponse {
    status: u16,
    headers: Vec<(String, Vec<u8>)>,
    body: ResponseBody,
    commands: Arc<Commands>,
}

/// Why such a request has no response, or the response no end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HttpError {
    /// It is no request that could be sent.
    #[error("the request to `{url}` cannot be sent: {reason}")]
    Invalid {
        /// The URL, as it was asked for.
        url: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// The policy or wisp refused it. The session has a receipt.
    #[error("denied by wisp: {message}")]
    Denied {
        /// The request, what refused it by which rule, and what would allow it.
        message: String,
        /// The rule: `policies/fetch.toml:3`, `built in`.
        rule: String,
    },
    /// The network or the server failed.
    #[error("{message}")]
    Failed {
        /// The request, and what went wrong.
        message: String,
    },
    /// The session was closed.
    #[error("no request is made in session {session} any more: it was closed; start another session")]
    Closed {
        /// The session's id.
        session: String,
    },
}

impl HttpError {
    /// Returns the code of this error.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Invalid { .. } => ErrorCode::InvalidArgument,
            Self::Denied { .. } => ErrorCode::PermissionDenied,
            Self::Failed { .. } => ErrorCode::IoError,
            Self::Closed { .. } => ErrorCode::Ended,
        }
    }

    fn of(failure: &Failure) -> Self {
        if failure.by == By::Nothing {
            return Self::Failed { message: failure.to_string() };
        }
        let help = failure.help.as_deref().map(|help| format!("; {help}")).unwrap_or_default();
        Self::Denied { message: format!("{failure}{help}"), rule: failure.rule().to_owned() }
    }
}

impl Session {
    /// Makes a request with the session's network, as a process of it could: the policy's rules decide, secrets replace their
    /// placeholders and echoes of them are masked, the limits of `[network]` count it, and it leaves a receipt, whose process is 0. No
    /// redirect is followed.
    ///
    /// The request is decided on and sent when this is called, in the caller's Tokio runtime; the future waits for the head of the
    /// response. Dropping the future or the response ends the request, and so does closing the session.
    ///
    /// # Errors
    /// If it is no request, the policy refuses it, or the server does not answer.
    pub fn http(&self, request: HttpRequest) -> impl Future<Output = Result<HttpResponse, HttpError>> + Send + use<> {
        let (sent, commands, id) = (self.send(request), self.state.commands.clone(), self.id().to_owned());
        async move {
            let pending = sent?;
            let Response { status, headers, body } = tokio::select! {
                biased;
                () = commands.wait_closed() => return Err(HttpError::Closed { session: id }),
                response = pending => response.map_err(|failure| HttpError::of(&failure))?,
            };
            let headers = headers.iter().map(|(name, value)| (name.as_str().to_owned(), value.as_bytes().to_vec())).collect();
            Ok(HttpResponse { status, headers, body, commands })
        }
    }

    fn send(&self, request: HttpRequest) -> Result<Pending, HttpError> {
        if self.is_closed() {
            return Err(HttpError::Closed { session: self.id().to_owned() });
        }
        let HttpRequest { method, url, headers: given, body } = request;
        let invalid = |reason| HttpError::Invalid { url: shown(&url), reason };
        let (scheme, authority, path_and_query) = parts(&url).ok_or_else(|| invalid("a URL is `http://` or `https://` and a host"))?;
        let mut headers = HeaderMap::new();
        for (name, value) in given {
            let name = check_name(&name).ok_or_else(|| invalid("the name of a header is not valid"))?;
            let value = check_value(&value).ok_or_else(|| invalid("the value of a header is not valid"))?;
            headers.try_append(name, value).map_err(|_| invalid("it has too many headers"))?;
        }
        let Some(net) = &self.state.net else {
            let rule = self.policy().rule(Key::AllowUrl).to_string();
            let asked = format!("{} {}://{}", shown(&method), shown(&scheme), shown(authority.rsplit('@').next().unwrap_or_default()));
            self.state.receipts.denied(0, ReceiptKind::Http, &asked, &rule);
            return Err(HttpError::Denied { message: format!("{asked}: the policy grants no network ({rule})"), rule });
        };
        let sent = Request {
            method,
            scheme,
            authority: authority.to_owned(),
            path_and_query: path_and_query.to_owned(),
            headers,
            body: if body.is_empty() { RequestBody::empty() } else { RequestBody::whole(body) },
            timeouts: Timeouts::default(),
        };
        net.send(0, sent).map_err(|failure| HttpError::of(&failure))
    }
}

impl HttpResponse {
    /// Returns the status.
    pub fn status(&self) -> u16 {
        self.status
    }

    /// Returns the headers, in order.
    pub fn headers(&self) -> &[(String, Vec<u8>)] {
        &self.headers
    }

    /// Returns the next bytes of the body; `None` at its end. Nothing is lost if the future is dropped.
    ///
    /// # Errors
    /// If the body is cut off, a limit of `[network]` is reached, or the session is closed. Nothing follows.
    pub async fn chunk(&mut self) -> Result<Option<Bytes>, HttpError> {
        let Self { body, commands, .. } = self;
        tokio::select! {
            biased;
            () = commands.wait_closed() => Err(HttpError::Failed { message: "the session was closed".to_owned() }),
            piece = poll_fn(|cx| body.poll_next(cx)) => piece.transpose().map_err(|failure| HttpError::of(&failure)),
        }
    }
}

/// Without the values of its headers and its body, which may be secrets.
impl fmt::Debug for HttpRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let url = self.url.split(['?', '#']).next().unwrap_or_default();
        f.debug_struct("HttpRequest").field("method", &self.method).field("url", &url).finish_non_exhaustive()
    }
}

impl fmt::Debug for HttpResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpResponse").field("status", &self.status).finish_non_exhaustive()
    }
}

/// Returns the scheme of a URL in lower case, its host with the port, and its path with the query.
fn parts(url: &str) -> Option<(String, &str, &str)> {
    let (scheme, rest) = url.split_once("://").filter(|_| url.len() <= URL)?;
    let scheme = scheme.to_ascii_lowercase();
    let rest = rest.split('#').next().unwrap_or_default();
    let (authority, path) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
    (matches!(&*scheme, "http" | "https") && !authority.is_empty()).then_some((scheme, authority, path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_has_three_parts_that_are_sent() {
        for (url, scheme, authority, path) in [
            ("http://a.example", "http", "a.example", ""),
            ("HTTPS://a.example:8/b/c?d=/e#f?g", "https", "a.example:8", "/b/c?d=/e"),
            ("http://[::1]:1?q", "http", "[::1]:1", "?q"),
        ] {
            assert_eq!(parts(url), Some((scheme.to_owned(), authority, path)), "{url}");
        }
        for none in ["", "a.example", "file:///etc/passwd", "http:///a", "http://", "http://#", "ftp://a.example/"] {
            assert_eq!(parts(none), None, "{none}");
        }
        assert_eq!(parts(&format!("http://a.example/{}", "x".repeat(URL))), None);
    }
}
