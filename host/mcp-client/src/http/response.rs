//! What a server's response is: a message, a stream of them, or neither.

use std::future::poll_fn;

use http::HeaderName;
use http::header::{CONTENT_ENCODING, CONTENT_TYPE, LOCATION};
use wisp_net::{Code, Failure, Response, ResponseBody};

use crate::schema::tidy;
use crate::wire::{self, Came, MESSAGE, Refusal};

/// Maximum bytes that are read of a response that is no success, for a message.
const SAID: usize = 16 << 10;

/// Why a request has no answer, if what came is none.
pub(super) const STRANGE: &str = "answers with something else than a message";

/// The same, if the end came first.
pub(super) const CLOSED: &str = "closed the connection before it answered";

/// What a body is.
pub(super) enum Form {
    Message,
    Events,
}

impl Form {
    /// Returns what the body of this response says that it is.
    pub(super) fn of(response: &Response) -> Result<Self, Refusal> {
        let text = |name: HeaderName| {
            let value = response.headers.get(name).map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
            value.unwrap_or_default().split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
        };
        let coding = text(CONTENT_ENCODING);
        if !matches!(coding.as_str(), "" | "identity") {
            return Err(Refusal::unanswered(STRANGE, format!("it is compressed (`{}`), which was not asked for", tidy(&coding, 100))));
        }
        match text(CONTENT_TYPE).as_str() {
            "application/json" => Ok(Self::Message),
            "text/event-stream" => Ok(Self::Events),
            media => {
                let detail = format!("its type is `{}`, with the status {}", tidy(media, 100), response.status);
                Err(Refusal::unanswered(STRANGE, detail))
            }
        }
    }
}

/// Returns the whole of a body that is one message.
pub(super) async fn whole(mut body: ResponseBody) -> Result<Vec<u8>, Refusal> {
    let mut text = Vec::new();
    while let Some(piece) = poll_fn(|cx| body.poll_next(cx)).await {
        let piece = piece.map_err(|failure| failed(&failure))?;
        if text.len() + piece.len() > MESSAGE {
            return Err(too_large());
        }
        text.extend_from_slice(&piece);
    }
    Ok(text)
}

/// Returns why a response is no success.
pub(super) async fn refused(response: Response) -> Refusal {
    let Response { status, headers, mut body } = response;
    if (300..400).contains(&status) {
        let to = headers.get(LOCATION).map(|to| String::from_utf8_lossy(to.as_bytes()).into_owned()).unwrap_or_default();
        return Refusal::unanswered("redirects, which is not followed", format!("to `{}`", tidy(&to, 200)));
    }
    let mut said = Vec::new();
    while said.len() < SAID
        && let Some(Ok(piece)) = poll_fn(|cx| body.poll_next(cx)).await
    {
        said.extend_from_slice(&piece);
    }
    // A server that wants another version, or does not know a method, says so in a message.
    if matches!(status, 400 | 404)
        && let Came::Answer(_, Err(refusal)) | Came::Complaint(refusal) = wire::read(&said)
    {
        return refusal;
    }
    let said = tidy(&String::from_utf8_lossy(&said), 200);
    Refusal::unanswered(format!("answers with the status {status}"), said.trim())
}

/// Returns the refusal of a message that is too large to be held.
pub(super) fn too_large() -> Refusal {
    Refusal::unanswered(format!("sent a message of more than {} MiB", MESSAGE >> 20), "")
}

/// Returns why a request failed.
pub(super) fn failed(failure: &Failure) -> Refusal {
    let reason = match failure.code {
        Code::ResponseBodySize(_) => return too_large(),
        Code::ResponseIncomplete | Code::ConnectionTerminated => CLOSED,
        Code::ResponseHeaderSize | Code::Protocol => "does not speak HTTP as it should",
        _ => "cannot be reached",
    };
    Refusal::unanswered(reason, failure.recorded.as_deref().unwrap_or(&failure.reason))
}
