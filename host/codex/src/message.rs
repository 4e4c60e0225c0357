//! Messages: JSON-RPC without its member `jsonrpc`, as Codex's own exec-server has them.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::bounds::ID;
use crate::error::RpcError;

/// The number of a request: an integer, or a text. What cannot be read is answered with the number -1.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub(crate) struct Id(Value);

impl Id {
    /// Returns the number of what has none.
    pub(crate) fn none() -> Self {
        Self(Value::from(-1))
    }

    fn of(raw: &RawValue) -> Option<Self> {
        // Six bytes can write one. What is longer is not read: as a value it could take a hundred times its bytes.
        if raw.get().len() > 6 * ID + 2 {
            return None;
        }
        let value: Value = serde_json::from_str(raw.get()).ok()?;
        let plain = match &value {
            Value::Number(number) => number.is_i64() || number.is_u64(),
            Value::String(text) => text.len() <= ID,
            _ => false,
        };
        plain.then_some(Self(value))
    }
}

/// What a client sent.
#[derive(Debug)]
pub(crate) enum Incoming {
    Request(Request),
    /// A notification, by its method.
    Note(String),
    /// An answer, although nothing was asked.
    Answer,
}

/// A request.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) id: Id,
    pub(crate) method: String,
    pub(crate) params: Params,
}

/// The parameters of a request, not read yet.
#[derive(Debug)]
pub(crate) struct Params(Option<Box<RawValue>>);

#[derive(Deserialize)]
struct Wire {
    id: Option<Box<RawValue>>,
    method: Option<String>,
    params: Option<Box<RawValue>>,
}

impl Incoming {
    /// Reads a message. Members that it does not know are passed over.
    pub(crate) fn parse(text: &str) -> Result<Self, RpcError> {
        let wire: Wire = serde_json::from_str(text).map_err(|error| RpcError::invalid_request(format!("this is no message: {error}")))?;
        match (wire.method, wire.id) {
            (Some(method), Some(id)) => {
                let id = Id::of(&id).ok_or_else(|| RpcError::invalid_request("the `id` of a request is an integer or a short text"))?;
                Ok(Self::Request(Request { id, method, params: Params(wire.params) }))
            }
            (Some(method), None) => Ok(Self::Note(method)),
            (None, Some(_)) => Ok(Self::Answer),
            (None, None) => Err(RpcError::invalid_request("this is no message: it has no `method`")),
        }
    }
}

impl Params {
    /// Reads the parameters.
    pub(crate) fn read<P: DeserializeOwned>(&self) -> Result<P, RpcError> {
        let text = self.0.as_deref().map_or("null", RawValue::get);
        serde_json::from_str(text).map_err(|error| RpcError::invalid_params(error.to_string()))
    }
}

/// A message of the server.
#[derive(Serialize)]
#[serde(untagged)]
enum Outgoing<'a, T> {
    Result { id: &'a Id, result: T },
    Error { id: &'a Id, error: &'a RpcError },
    Note { method: &'a str, params: T },
}

/// Returns the answer with a result, which is JSON already.
pub(crate) fn result(id: &Id, result: &RawValue) -> String {
    written(&Outgoing::Result { id, result })
}

/// Returns the answer with an error.
pub(crate) fn refusal(id: &Id, error: &RpcError) -> String {
    let message: Outgoing<'_, ()> = Outgoing::Error { id, error };
    written(&message)
}

/// Returns the answer to a client's first message where it cannot be served, with the reason, which Codex shows to the model; it shows nothing
/// else of a server. `None` if the message asks for nothing.
pub fn unserved(first: &str, reason: &str) -> Option<String> {
    match Incoming::parse(first) {
        Ok(Incoming::Request(request)) => Some(refusal(&request.id, &RpcError::internal(reason))),
        _ => None,
    }
}

/// Returns a notification.
pub(crate) fn note(method: &str, params: &impl Serialize) -> String {
    written(&Outgoing::Note { method, params })
}

fn written<T: Serialize>(message: &Outgoing<'_, T>) -> String {
    // Only maps whose keys are no texts cannot be written, and no message has one.
    serde_json::to_string(message).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_a_message_is_read() {
        let Ok(Incoming::Request(request)) = Incoming::parse(r#"{"id":7,"method":"fs/close","params":{"handleId":"h"},"trace":null}"#)
        else {
            panic!("a request");
        };
        assert_eq!((request.id, &*request.method), (Id(json!(7)), "fs/close"));
        assert_eq!(request.params.read::<Value>().expect("JSON"), json!({ "handleId": "h" }));
        let without = Incoming::parse(r#"{"id":"a","method":"environment/info"}"#);
        assert!(matches!(without, Ok(Incoming::Request(request)) if request.params.read::<Option<Value>>() == Ok(None)));
        assert!(
            matches!(Incoming::parse(r#"{"method":"initialized","params":{}}"#), Ok(Incoming::Note(method)) if method == "initialized")
        );
        assert!(matches!(Incoming::parse(r#"{"id":1,"result":{}}"#), Ok(Incoming::Answer)));
    }

    #[test]
    fn what_is_none_is_an_invalid_request() {
        let deep = "[".repeat(100_000);
        for none in ["", "garbage", "{", "[]", "null", "7", "{}", r#"{"id":1.5,"method":"m"}"#, r#"{"id":[],"method":"m"}"#, &deep] {
            let error = Incoming::parse(none).expect_err("no message");
            assert!(serde_json::to_string(&error).expect("JSON").contains("-32600"), "{none}: {error:?}");
        }
    }

    #[test]
    fn the_number_of_a_request_is_short() {
        let id = |id: &str| match Incoming::parse(&format!(r#"{{"id":{id},"method":"m"}}"#)) {
            Ok(Incoming::Request(request)) => Some(request.id),
            _ => None,
        };
        let escaped = |count: usize| format!("\"{}\"", "\\u0001".repeat(count));
        assert_eq!(id(&escaped(ID)), Some(Id(Value::from("\u{1}".repeat(ID)))));
        for long in [escaped(ID + 1), format!("\"{}\"", "x".repeat(ID + 1)), format!("[{}1]", "{\"\":0},".repeat(1_000))] {
            assert_eq!(id(&long), None, "{long}");
        }
    }

    #[test]
    fn a_client_that_cannot_be_served_is_told_why() {
        let answer = unserved(r#"{"id":1,"method":"initialize","params":{"clientName":"me"}}"#, "the policy is gone");
        assert_eq!(answer.as_deref(), Some(r#"{"id":1,"error":{"code":-32603,"message":"the policy is gone"}}"#));
        assert_eq!((unserved("{}", "x"), unserved("", "x"), unserved(r#"{"method":"initialized"}"#, "x")), (None, None, None));
    }

    #[test]
    fn messages_have_no_version() {
        let raw = RawValue::from_string("{\"running\":true}".to_owned()).expect("JSON");
        assert_eq!(result(&Id(json!(7)), &raw), r#"{"id":7,"result":{"running":true}}"#);
        assert_eq!(refusal(&Id::none(), &RpcError::not_found("no")), r#"{"id":-1,"error":{"code":-32004,"message":"no"}}"#);
        assert_eq!(note("process/closed", &json!({ "seq": 3 })), r#"{"method":"process/closed","params":{"seq":3}}"#);
    }
}
