//! Requests that Codex makes from the sandbox: through the same gate as those of processes.

use std::time::Duration;

use serde_json::{Value, json};
use wisp_codex::Options;
use wisp_tests::server::Server;

use super::kit::{Client, Served, base64, bytes, served, text, with};

/// A server that may be asked for what is below `/echo`, `/bytes`, `/redirect`, `/silent` and `/cut`.
async fn online() -> (Server, Served) {
    let server = Server::start(&["localhost"]).await;
    let rule = |path: &str| format!("{{ url = \"http://127.0.0.1:{}/{path}\", methods = [\"GET\", \"POST\"] }}", server.http);
    let rules: Vec<String> = ["echo", "bytes", "redirect", "silent", "cut"].into_iter().map(rule).collect();
    let lines = format!("[network]\nallow = [{}]\n", rules.join(", "));
    let served = with(&lines, |options| Options { drain: Duration::ZERO, ..options });
    (server, served)
}

fn get(server: &Server, path: &str) -> Value {
    json!({ "method": "GET", "url": format!("http://127.0.0.1:{}/{path}", server.http), "requestId": "r" })
}

fn more(mut asked: Value, more: Value) -> Value {
    let Value::Object(more) = more else { panic!("{more}") };
    asked.as_object_mut().expect("an object").extend(more);
    asked
}

/// The body that comes in notifications, and why it is cut off.
async fn streamed(client: &mut Client, id: &str) -> (Vec<u8>, Value) {
    let (mut body, mut seq) = (Vec::new(), 0);
    loop {
        let note = client.note(|note| note["method"] == "http/request/bodyDelta" && note["params"]["requestId"] == id).await;
        let params = &note["params"];
        seq += 1;
        assert_eq!(params["seq"], seq, "{note}");
        body.extend(bytes(&params["deltaBase64"]));
        if params["done"] == true {
            return (body, params["error"].clone());
        }
    }
}

#[tokio::test]
async fn without_a_network_a_request_is_refused() {
    let served = served("");
    let mut client = Client::connect(&served.server).await;
    let (code, message) = client.refused("http/request", json!({ "method": "GET", "url": "https://a.example/", "requestId": "r" })).await;
    assert!(code == -32600 && message.contains("the policy grants no network"), "{code} {message}");
    let denied = served.receipts.denied();
    assert!(denied.iter().any(|(process, subject)| *process == 0 && subject.contains("a.example")), "{denied:?}");
    client.close().await.unwrap();
}

#[tokio::test]
async fn what_the_policy_allows_is_answered_and_nothing_else() {
    let (server, served) = online().await;
    let mut client = Client::connect(&served.server).await;
    let asked = json!({ "method": "POST", "headers": [{ "name": "X-Own", "value": "yes" }], "bodyBase64": base64("sent") });
    let answer = client.call("http/request", more(get(&server, "echo"), asked)).await;
    assert_eq!(answer["status"], 200, "{answer}");
    let body = text(&answer["bodyBase64"]);
    assert!(body.starts_with("POST /echo HTTP/1.1\n") && body.contains("\nx-own: yes\n") && body.ends_with("\n\nsent"), "{body}");
    let headers = answer["headers"].as_array().expect("headers");
    assert!(headers.contains(&json!({ "name": "content-type", "value": "text/plain" })), "{answer}");
    let (code, message) = client.refused("http/request", get(&server, "other")).await;
    assert!(code == -32600 && message.contains("denied by wisp"), "{code} {message}");
    assert_eq!(served.receipts.denied().len(), 1);
    assert_eq!(server.seen().len(), 1);
    for wrong in [json!({ "url": "ftp://127.0.0.1/" }), json!({ "headers": [{ "name": "a b", "value": "" }] })] {
        assert_eq!(client.refused("http/request", more(get(&server, "echo"), wrong.clone())).await.0, -32600, "{wrong}");
    }
    let variable = json!({ "headers": [{ "name": "A", "value": "", "valueEnvVar": "HOME" }] });
    assert_eq!(client.refused("http/request", more(get(&server, "echo"), variable)).await.0, -32602);
    client.close().await.unwrap();
}

#[tokio::test]
async fn a_body_comes_in_pieces_if_it_is_asked_for() {
    let (server, served) = online().await;
    let mut client = Client::connect(&served.server).await;
    let whole = client.call("http/request", get(&server, "bytes/100000")).await;
    assert_eq!(bytes(&whole["bodyBase64"]), wisp_tests::server::pattern(100_000));
    let length = 9 << 20;
    let large = || get(&server, &format!("bytes/{length}"));
    let (code, message) = client.refused("http/request", large()).await;
    assert!(code == -32603 && message.contains("streamResponse"), "{code} {message}");
    let answer = client.call("http/request", more(large(), json!({ "streamResponse": true }))).await;
    assert_eq!((&answer["status"], &answer["bodyBase64"]), (&json!(200), &json!("")));
    let (body, error) = streamed(&mut client, "r").await;
    assert!(body == wisp_tests::server::pattern(length) && error.is_null(), "{} {error}", body.len());
    // One that is cut off says so.
    client.call("http/request", more(get(&server, "cut"), json!({ "streamResponse": true, "requestId": "s" }))).await;
    let (body, error) = streamed(&mut client, "s").await;
    assert!(body == b"abc" && error.is_string(), "{error}");
    client.close().await.unwrap();
}

#[tokio::test]
async fn each_redirect_is_decided_on() {
    let (server, served) = online().await;
    let mut client = Client::connect(&served.server).await;
    let to = |path: &str| get(&server, &format!("redirect?http://127.0.0.1:{}/{path}", server.http));
    let answer = client.call("http/request", to("echo")).await;
    assert_eq!(answer["status"], 200);
    assert!(text(&answer["bodyBase64"]).starts_with("GET /echo"));
    let stopped = client.call("http/request", more(to("echo"), json!({ "redirectPolicy": "stop" }))).await;
    assert_eq!((&stopped["status"], &*text(&stopped["bodyBase64"])), (&json!(302), "over there\n"));
    let (code, message) = client.refused("http/request", to("other")).await;
    assert!(code == -32600 && message.contains("denied by wisp"), "{code} {message}");
    // One that leads to itself ends.
    let (code, message) = client.refused("http/request", get(&server, "redirect")).await;
    assert!(code == -32603 && message.contains("redirected more than"), "{code} {message}");
    client.close().await.unwrap();
}

#[tokio::test]
async fn a_request_takes_no_longer_than_it_may() {
    let (server, served) = online().await;
    let mut client = Client::connect(&served.server).await;
    let (code, message) = client.refused("http/request", more(get(&server, "silent"), json!({ "timeoutMs": 1 }))).await;
    assert!(code == -32603 && message.contains("timeoutMs"), "{code} {message}");
    server.idle().await;
    assert_eq!(client.call("http/request", more(get(&server, "echo"), json!({ "timeoutMs": 600_000 }))).await["status"], 200);
    // Nothing of one that goes on is left when the client is gone.
    client.send("http/request", more(get(&server, "silent/last"), json!({ "requestId": "s" }))).await;
    while !server.seen().iter().any(|seen| seen.line.contains("/last")) {
        tokio::task::yield_now().await;
    }
    client.vanish().await.unwrap();
    server.idle().await;
}
