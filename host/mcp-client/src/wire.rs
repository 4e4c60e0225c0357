//! The messages of the protocol, however they travel: what is sent, and what comes, with bounds on what a server can make wisp hold.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// Maximum bytes of a message. Longer ones are not held, so that what they answer is not known. The default of `host.max_result` is
/// 10 MiB, and JSON in JSON needs more bytes.
pub(crate) const MESSAGE: usize = 32 << 20;

/// Messages that wait to be sent. One more request waits for its turn, and one more reply is left out.
pub(crate) const AHEAD: usize = 64;

/// Maximum bytes of the number of a server's request, which is sent back with the reply.
const ID: usize = 1 << 10;

/// An answer to a request.
pub(crate) type Answer = Result<Box<RawValue>, Refusal>;

/// Why a request has no result. A guest may see each but `detail`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The server's error.
    Error { code: i64, message: String },
    /// The connection has ended; why, as the end of a sentence: `has ended`.
    Gone(String),
    /// This request alone has no answer; why, as the end of a sentence, and what only the host may know.
    Unanswered { reason: String, detail: String },
    /// The session was over, so that the server has done nothing with this request.
    Expired,
}

impl Refusal {
    /// Returns a request without an answer.
    pub(crate) fn unanswered(reason: impl Into<String>, detail: impl Into<String>) -> Self {
        Self::Unanswered { reason: reason.into(), detail: detail.into() }
    }
}

/// What a message is.
pub(crate) enum Came {
    /// The answer to the request with this number.
    Answer(u64, Answer),
    /// A request of the server's, with the reply to it.
    Asks(String),
    /// An error about a message that the server could not read.
    Complaint(Refusal),
    /// Progress, logs, changed lists: nothing here depends on them.
    Notice,
    /// No message.
    Strange,
}

/// What is sent.
#[derive(Serialize)]
struct Sent<'a, P> {
    jsonrpc: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<u64>,
    method: &'a str,
    params: P,
}

/// What came.
#[derive(Deserialize)]
struct Received<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    method: Option<String>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    error: Option<RpcError>,
}

#[derive(Deserialize)]
struct RpcError {
    #[serde(default)]
    code: i64,
    #[serde(default)]
    message: String,
}

impl From<RpcError> for Refusal {
    fn from(error: RpcError) -> Self {
        Self::Error { code: error.code, message: error.message }
    }
}

/// Returns a message without line breaks, a notification if it has no number. What is serialized here has none: text of others is in
/// strings, and arguments are made so.
pub(crate) fn message(id: Option<u64>, method: &str, params: impl Serialize) -> String {
    // Strings, numbers and JSON that was read before: this cannot fail.
    serde_json::to_string(&Sent { jsonrpc: "2.0", id, method, params }).unwrap_or_default()
}

/// Returns the message that the request with this number was given up.
pub(crate) fn cancelled(id: u64) -> String {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Cancelled {
        request_id: u64,
        reason: &'static str,
    }
    message(None, "notifications/cancelled", Cancelled { request_id: id, reason: "the caller has given it up" })
}

/// Reads a message.
pub(crate) fn read(text: &[u8]) -> Came {
    let Ok(message) = serde_json::from_slice::<Received<'_>>(text) else { return Came::Strange };
    match (message.method, message.id) {
        (Some(method), Some(id)) if id.get().len() <= ID => Came::Asks(reply(&method, id)),
        (Some(_), _) => Came::Notice,
        (None, Some(id)) => {
            let Ok(id) = id.get().parse::<u64>() else { return Came::Strange };
            match (message.error, message.result) {
                (Some(error), _) => Came::Answer(id, Err(error.into())),
                (None, Some(result)) => Came::Answer(id, Ok(result.to_owned())),
                (None, None) => Came::Strange,
            }
        }
        (None, None) => message.error.map_or(Came::Strange, |error| Came::Complaint(error.into())),
    }
}

/// Returns the reply to a request of the server's: it may ask whether it is heard. Models, people and folders are not for it.
fn reply(method: &str, id: &RawValue) -> String {
    #[derive(Serialize)]
    struct Reply<'a> {
        jsonrpc: &'static str,
        id: &'a RawValue,
        #[serde(skip_serializing_if = "Option::is_none")]
        result: Option<Empty>,
        #[serde(skip_serializing_if = "Option::is_none")]
        error: Option<Error>,
    }
    #[derive(Serialize)]
    struct Empty {}
    #[derive(Serialize)]
    struct Error {
        code: i64,
        message: &'static str,
    }
    let pings = method == "ping";
    let error = (!pings).then_some(Error { code: -32601, message: "this client only calls tools" });
    serde_json::to_string(&Reply { jsonrpc: "2.0", id, result: pings.then_some(Empty {}), error }).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_with_a_long_number_gets_no_reply() {
        let came = |id: &str| read(format!(r#"{{"jsonrpc":"2.0","id":"{id}","method":"ping"}}"#).as_bytes());
        assert!(matches!(came("7"), Came::Asks(reply) if reply == r#"{"jsonrpc":"2.0","id":"7","result":{}}"#));
        assert!(matches!(came(&"x".repeat(ID)), Came::Notice));
    }
}
