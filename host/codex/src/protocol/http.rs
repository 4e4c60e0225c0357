//! `http/request`.

use serde::{Deserialize, Serialize};

use super::Base64;

/// `http/request`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct HttpAsked {
    pub(crate) method: String,
    pub(crate) url: String,
    #[serde(default)]
    pub(crate) headers: Vec<Header>,
    #[serde(rename = "bodyBase64")]
    pub(crate) body: Option<Base64>,
    pub(crate) timeout_ms: Option<u64>,
    #[serde(default)]
    pub(crate) redirect_policy: Redirects,
    /// Names the notifications with the body.
    pub(crate) request_id: String,
    /// Whether the body comes in notifications.
    #[serde(default)]
    pub(crate) stream_response: bool,
}

/// A header.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Header {
    pub(crate) name: String,
    pub(crate) value: String,
    /// A variable of the server's environment whose value follows. wisp does not say that it has these.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) value_env_var: Option<String>,
}

/// What happens with a redirect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Redirects {
    #[default]
    Follow,
    Stop,
}

/// The answer to `http/request`.
#[derive(Debug, Serialize)]
pub(crate) struct HttpAnswer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<Header>,
    /// Empty if the body comes in notifications.
    #[serde(rename = "bodyBase64")]
    pub(crate) body: Base64,
}

/// `http/request/bodyDelta`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BodyDelta<'a> {
    pub(crate) request_id: &'a str,
    /// From 1.
    pub(crate) seq: u64,
    #[serde(rename = "deltaBase64")]
    pub(crate) delta: Base64,
    /// Whether nothing follows.
    pub(crate) done: bool,
    /// Why the body is cut off, if it is.
    pub(crate) error: Option<String>,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_request_is_read_and_told() {
        let asked: HttpAsked =
            serde_json::from_value(json!({ "method": "GET", "url": "https://a.example", "requestId": "r" })).expect("it");
        assert_eq!((asked.timeout_ms, asked.redirect_policy, asked.stream_response), (None, Redirects::Follow, false));
        let asked: HttpAsked = serde_json::from_value(json!({
            "method": "POST", "url": "https://a.example", "headers": [{ "name": "A", "value": "b" }], "bodyBase64": "aGk=",
            "timeoutMs": 5, "redirectPolicy": "stop", "requestId": "r", "streamResponse": true,
        }))
        .expect("it");
        assert_eq!(asked.headers, [Header { name: "A".to_owned(), value: "b".to_owned(), value_env_var: None }]);
        assert_eq!((asked.timeout_ms, asked.redirect_policy, asked.body.map(|body| body.0.len())), (Some(5), Redirects::Stop, Some(2)));
        let delta = BodyDelta { request_id: "r", seq: 1, delta: Base64::default(), done: true, error: None };
        let told = json!({ "requestId": "r", "seq": 1, "deltaBase64": "", "done": true, "error": null });
        assert_eq!(serde_json::to_value(delta).expect("JSON"), told);
    }
}
