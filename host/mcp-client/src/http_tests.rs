//! Servers of every kind at a URL of this machine: what they get, what they may answer, and what a call comes to when they do not.

mod fake;

use std::sync::Arc;

use parking_lot::Mutex;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use wisp::policy::NoFiles;
use wisp::{HostFailure, HostFunction, HostValue, Policy};

use crate::connector::{Connector, call_at};
use crate::wire::MESSAGE;
use fake::{Does, Fake, Seen, message, response, result, stream};

/// What every server does: it greets with a session, and lists the tool `t`.
fn common(seen: &Seen, session: &str) -> Does {
    match seen.asks() {
        "initialize" => message(
            &format!("Mcp-Session-Id: {session}\r\n"),
            &result(seen, json!({ "protocolVersion": "2025-06-18", "capabilities": {} })),
        ),
        "tools/list" => message("", &result(seen, json!({ "tools": [{ "name": "t" }] }))),
        "tools/call" => message("", &result(seen, json!({ "structuredContent": seen.body["params"]["arguments"] }))),
        _ => Does::Send(response("202 Accepted", "", "")),
    }
}

/// A connector that has greeted the server of this policy, with its functions.
async fn connected(policy: &Policy) -> (Connector, Vec<HostFunction>) {
    let connector = Connector::new();
    let functions = connector.functions(policy).await.unwrap_or_else(|error| panic!("{error}"));
    (connector, functions)
}

/// Calls the tool `t`.
async fn call(connector: &Connector, policy: &Policy, arguments: Value) -> Result<Value, HostFailure> {
    let server = &policy.host().expect("it has functions").mcp[0];
    call_at(&connector.seat(server), server, "t", HostValue::from(arguments)).await.and_then(|found| found.read())
}

fn gone(why: &str) -> Result<Value, HostFailure> {
    Err(HostFailure::new("ServerGone", format!("the server of this tool {why}")))
}

#[tokio::test]
async fn a_message_and_a_stream_of_events_both_answer() {
    let mut fake = Fake::new(|seen| match (seen.asks(), seen.case()) {
        ("tools/list", _) => {
            let list = result(seen, json!({ "tools": [{ "name": "t" }] }));
            Does::Hold(stream(&format!(": hello\n\nevent: message\ndata: {list}\n\n")))
        }
        ("tools/call", "events") => {
            let ping = json!({ "jsonrpc": "2.0", "id": "p", "method": "ping" });
            let note = json!({ "jsonrpc": "2.0", "method": "notifications/progress", "params": {} });
            let other = json!({ "jsonrpc": "2.0", "id": 999, "result": {} });
            let answer = result(seen, json!({ "structuredContent": 7 })).to_string().replace("\"result\"", "\ndata: \"result\"");
            Does::Hold(stream(&format!("data: {ping}\r\n\r\ndata: {note}\n\ndata: {other}\n\ndata: no\n\ndata: {answer}\n\n")))
        }
        _ => common(seen, "s-1"),
    })
    .await;
    let policy = fake.policy("", &["t"]);
    let (connector, functions) = connected(&policy).await;
    assert_eq!(functions.iter().map(HostFunction::name).collect::<Vec<_>>(), ["demo_t"]);
    assert_eq!(call(&connector, &policy, json!({ "a": "\n" })).await, Ok(json!({ "a": "\n" })));
    assert_eq!(call(&connector, &policy, json!({ "case": "events" })).await, Ok(json!(7)));
    // What the server asked for was replied to.
    let reply = fake.next("POST").await;
    assert_eq!(reply.body, json!({ "jsonrpc": "2.0", "id": "p", "result": {} }));
    assert_eq!((reply.header("mcp-session-id"), reply.header("mcp-protocol-version")), (Some("s-1"), Some("2025-06-18")));
}

#[tokio::test]
async fn requests_have_the_headers_of_the_protocol_and_of_the_session() {
    let mut fake = Fake::new(|seen| common(seen, "s-1")).await;
    let policy = fake.policy("", &["t"]);
    let (connector, functions) = connected(&policy).await;
    assert_eq!(call(&connector, &policy, json!({})).await, Ok(json!({})));
    let first = fake.next("initialize").await;
    assert_eq!((first.method.as_str(), first.body["params"]["protocolVersion"].as_str()), ("POST", Some("2025-11-25")));
    assert_eq!((first.header("mcp-session-id"), first.header("mcp-protocol-version")), (None, None));
    assert_eq!(first.header("host"), Some(format!("127.0.0.1:{}", fake.port).as_str()));
    for asks in ["notifications/initialized", "tools/list", "tools/call"] {
        let seen = fake.next(asks).await;
        let has = |name| seen.header(name);
        assert_eq!((has("mcp-session-id"), has("mcp-protocol-version")), (Some("s-1"), Some("2025-06-18")), "{asks}");
        assert_eq!((has("accept"), has("content-type")), (Some("application/json, text/event-stream"), Some("application/json")), "{asks}");
        assert_eq!((has("authorization"), has("mcp-method"), has("accept-encoding")), (None, None, Some("identity")), "{asks}");
    }
    // With the last that needs it, the session ends.
    drop(functions);
    drop(connector);
    let last = fake.next("DELETE").await;
    assert_eq!((last.header("mcp-session-id"), last.header("mcp-protocol-version")), (Some("s-1"), Some("2025-06-18")));
}

#[tokio::test]
async fn a_session_ends_when_the_connector_is_closed_and_is_begun_again() {
    let mut fake = Fake::new(|seen| common(seen, "s-1")).await;
    let policy = fake.policy("", &["t"]);
    let (connector, _functions) = connected(&policy).await;
    connector.close().await;
    assert_eq!(fake.asked(), ["initialize", "notifications/initialized", "tools/list", "DELETE"]);
    connector.close().await;
    assert_eq!(call(&connector, &policy, json!({ "a": 1 })).await, Ok(json!({ "a": 1 })));
    assert_eq!(fake.asked(), ["initialize", "notifications/initialized", "tools/call"]);
    // A server that gives no session is told nothing.
    let mut fake = Fake::new(|seen| match seen.asks() {
        "initialize" => message("", &result(seen, json!({ "protocolVersion": "2025-06-18" }))),
        _ => common(seen, ""),
    })
    .await;
    let policy = fake.policy("", &["t"]);
    let (connector, _functions) = connected(&policy).await;
    connector.close().await;
    assert_eq!(fake.asked(), ["initialize", "notifications/initialized", "tools/list"]);
}

#[tokio::test]
async fn a_session_that_is_over_is_begun_again_and_the_call_is_made_in_it() {
    let mut sessions = 0;
    let mut fake = Fake::new(move |seen| {
        let session = seen.header("mcp-session-id");
        sessions += usize::from(seen.asks() == "initialize");
        match (seen.asks(), session) {
            ("initialize", None) => common(seen, &format!("s-{sessions}")),
            (_, None) => Does::Send(response("400 Bad Request", "", "a session is needed")),
            // The first ends with its first call, which is not heard.
            ("tools/call", Some("s-1")) => Does::Send(response("404 Not Found", "", "")),
            _ => common(seen, ""),
        }
    })
    .await;
    let policy = fake.policy("", &["t"]);
    let (connector, _functions) = connected(&policy).await;
    assert_eq!(call(&connector, &policy, json!({ "n": 1 })).await, Ok(json!({ "n": 1 })));
    assert_eq!(call(&connector, &policy, json!({ "n": 2 })).await, Ok(json!({ "n": 2 })));
    let greets = ["initialize", "notifications/initialized"];
    let expected = [&greets[..], &["tools/list", "tools/call"], &greets, &["tools/call", "tools/call"]].concat();
    assert_eq!(fake.asked(), expected);
}

#[tokio::test]
async fn a_guest_cannot_keep_sessions_beginning() {
    let mut fake = Fake::new(|seen| match seen.asks() {
        "tools/call" => Does::Send(response("404 Not Found", "", "")),
        _ => common(seen, "s"),
    })
    .await;
    let policy = fake.policy("", &["t"]);
    let (connector, _functions) = connected(&policy).await;
    for _ in 0..2 {
        assert_eq!(call(&connector, &policy, json!({})).await, gone("has ended the session"));
    }
    let often = gone("has ended, and was started again too often within a minute");
    for _ in 0..2 {
        assert_eq!(call(&connector, &policy, json!({})).await, often);
    }
    assert_eq!(fake.asked().iter().filter(|asks| *asks == "initialize").count(), 4, "the first, and three more");
    // A session of wisp is the program's to make.
    connector.functions(&policy).await.unwrap_or_else(|error| panic!("{error}"));
}

#[tokio::test]
async fn a_failure_is_one_calls_and_the_next_is_answered() {
    let json_type = "Content-Type: application/json\r\n";
    let cases: &[(&str, String, &str)] = &[
        ("redirect", response("307 Temporary Redirect", "Location: http://10.0.0.1/\r\n", ""), "redirects, which is not followed"),
        ("failure", response("500 Internal Server Error", "", "a trace"), "answers with the status 500"),
        ("refusal", response("401 Unauthorized", json_type, "{\"error\":\"invalid_token\"}"), "answers with the status 401"),
        ("type", response("200 OK", "Content-Type: text/html\r\n", "<p>"), "answers with something else than a message"),
        ("nothing", response("202 Accepted", "", ""), "answers with something else than a message"),
        ("text", response("200 OK", json_type, "hello"), "answers with something else than a message"),
        ("list", response("200 OK", json_type, "[]"), "answers with something else than a message"),
        ("other", response("200 OK", json_type, "{\"id\":999,\"result\":{}}"), "answers with something else than a message"),
        (
            "packed",
            response("200 OK", &format!("{json_type}Content-Encoding: gzip\r\n"), "x"),
            "answers with something else than a message",
        ),
        ("cut", response("200 OK", json_type, "{}").replace("Length: 2", "Length: 20"), "closed the connection before it answered"),
        ("cut stream", stream("data: {\"id\":"), "closed the connection before it answered"),
        ("empty stream", stream(""), "closed the connection before it answered"),
        ("end", String::new(), "closed the connection before it answered"),
        ("garbage", "220 smtp.example ESMTP\r\n\r\n".to_owned(), "does not speak HTTP as it should"),
        ("head", response("200 OK", &format!("X: {}\r\n", "x".repeat(1 << 20)), ""), "does not speak HTTP as it should"),
        ("announced", response("200 OK", json_type, "{}").replace("Length: 2", "Length: 2000000000"), "sent a message of more than 32 MiB"),
    ];
    let answers: Vec<(String, String)> = cases.iter().map(|(case, answer, _)| ((*case).to_owned(), answer.clone())).collect();
    let mut fake = Fake::new(move |seen| {
        let own = answers.iter().find(|(case, _)| *case == seen.case());
        own.map_or_else(|| common(seen, "s"), |(_, answer)| Does::Send(answer.clone()))
    })
    .await;
    let policy = fake.policy("", &["t"]);
    let (connector, _functions) = connected(&policy).await;
    for (case, _, why) in cases {
        assert_eq!(call(&connector, &policy, json!({ "case": case })).await, gone(why), "{case}");
        assert_eq!(call(&connector, &policy, json!({ "n": 1 })).await, Ok(json!({ "n": 1 })), "after {case}");
    }
    let asked = fake.asked();
    assert_eq!(asked.iter().filter(|asks| *asks == "initialize").count(), 1, "one session for all");
    assert_eq!(asked.iter().filter(|asks| *asks == "tools/call").count(), 2 * cases.len(), "nothing is asked twice");
}

#[tokio::test]
async fn a_message_that_is_too_large_is_not_held() {
    let fake = Fake::new(|seen| {
        let most = |size: usize| result(seen, json!({ "structuredContent": "x".repeat(size) }));
        match seen.case() {
            "message" => message("", &most(MESSAGE)),
            "event" => Does::Send(stream(&format!("data: {}\n\n", most(MESSAGE)))),
            "large message" => message("", &most(MESSAGE - 1000)),
            "large event" => Does::Send(stream(&format!("data: {}\n\n", most(MESSAGE - 1000)))),
            _ => common(seen, "s"),
        }
    })
    .await;
    let policy = fake.policy("", &["t"]);
    let (connector, _functions) = connected(&policy).await;
    for case in ["message", "event"] {
        assert_eq!(call(&connector, &policy, json!({ "case": case })).await, gone("sent a message of more than 32 MiB"), "{case}");
        let found = call(&connector, &policy, json!({ "case": format!("large {case}") })).await.expect("it fits");
        assert_eq!(found.as_str().map(str::len), Some(MESSAGE - 1000), "{case}");
    }
}

#[tokio::test]
async fn a_token_goes_to_the_server_and_does_not_come_back() {
    // Cargo sets it for tests.
    const TOKEN: &str = "wisp-mcp-client";
    let mut fake = Fake::new(|seen| match seen.case() {
        "echo" => message("", &result(seen, json!({ "structuredContent": seen.header("authorization") }))),
        "error" => message("", &json!({ "id": seen.body["id"], "error": { "code": 1, "message": format!("no {TOKEN}") } })),
        _ => common(seen, "s"),
    })
    .await;
    let policy = fake.policy("bearer_env = \"CARGO_PKG_NAME\"", &["t"]);
    let (connector, functions) = connected(&policy).await;
    let stars = "*".repeat(TOKEN.len());
    assert_eq!(call(&connector, &policy, json!({ "case": "echo" })).await, Ok(json!(format!("Bearer {stars}"))));
    let failed = call(&connector, &policy, json!({ "case": "error" })).await;
    assert_eq!(failed, Err(HostFailure::new("Refused", format!("no {stars}"))));
    assert!(!format!("{connector:?} {policy:?} {functions:?}").contains(TOKEN));
    drop((connector, functions));
    for asks in ["initialize", "notifications/initialized", "tools/list", "tools/call", "DELETE"] {
        assert_eq!(fake.next(asks).await.header("authorization"), Some(format!("Bearer {TOKEN}").as_str()), "{asks}");
    }
    // Without the key, there is none (`requests_have_the_headers…`), and one that is not there is said before anything is sent.
    let missing = fake.policy("bearer_env = \"WISP_NO_SUCH_VARIABLE\"", &["t"]);
    let expected =
        "the server `demo` needs the variable `WISP_NO_SUCH_VARIABLE`, which is not set (p.toml:1): set it, or take it out of `bearer_env`";
    assert_eq!(Connector::new().start(&missing).expect_err("it is not set").to_string(), expected);
    assert_eq!(Connector::new().functions(&missing).await.map(drop).expect_err("it is not set").to_string(), expected);
    Connector::new().start(&policy).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(fake.asked(), Vec::<String>::new());
}

#[tokio::test]
async fn a_call_that_is_given_up_is_cancelled() {
    let mut fake = Fake::new(|seen| match seen.case() {
        "wait" => Does::Hold(stream(": wait\n\n")),
        _ => common(seen, "s"),
    })
    .await;
    let policy = fake.policy("", &["t"]);
    let (connector, _functions) = connected(&policy).await;
    let id = {
        let mut waits = std::pin::pin!(call(&connector, &policy, json!({ "case": "wait" })));
        // It is seen when it is held.
        loop {
            tokio::select! {
                seen = fake.seen.recv() => match seen.expect("the server runs") {
                    seen if seen.case() == "wait" => break seen.body["id"].clone(),
                    _ => {}
                },
                answer = &mut waits => panic!("{answer:?}"),
            }
        }
    };
    let told = fake.next("notifications/cancelled").await;
    assert_eq!((&told.body["params"]["requestId"], told.body.get("id")), (&id, None));
    assert_eq!(call(&connector, &policy, json!({ "n": 1 })).await, Ok(json!({ "n": 1 })));
}

#[tokio::test]
async fn a_stream_that_ends_early_is_taken_up_after_its_last_event() {
    let (case, id) = (Arc::new(Mutex::new(String::new())), Arc::new(Mutex::new(Value::Null)));
    let mut fake = Fake::new(move |seen| match (seen.asks(), seen.header("last-event-id")) {
        ("tools/call", None) if !seen.case().is_empty() => {
            *case.lock() = seen.case().to_owned();
            *id.lock() = seen.body["id"].clone();
            Does::Send(stream("id: e-1\nretry: 1\ndata:\n\ndata: {\"id\""))
        }
        ("GET", Some("e-1")) => match case.lock().as_str() {
            "again" => Does::Send(stream("id: e-2\ndata: {\"method\":\"notifications/progress\"}\n\n")),
            "refused" => Does::Send(response("405 Method Not Allowed", "", "")),
            _ => Does::Send(response("404 Not Found", "", "")),
        },
        ("GET", Some("e-2")) => {
            let answer = json!({ "jsonrpc": "2.0", "id": *id.lock(), "result": { "structuredContent": 7 } });
            Does::Send(stream(&format!("id: e-3\ndata: {answer}\n\n")))
        }
        _ => common(seen, "s"),
    })
    .await;
    let policy = fake.policy("", &["t"]);
    let (connector, _functions) = connected(&policy).await;
    assert_eq!(call(&connector, &policy, json!({ "case": "again" })).await, Ok(json!(7)));
    let again = fake.next("GET").await;
    assert_eq!((again.header("accept"), again.header("mcp-session-id")), (Some("text/event-stream"), Some("s")));
    assert_eq!(call(&connector, &policy, json!({ "case": "refused" })).await, gone("closed the connection before it answered"));
    fake.asked();
    // The server may have done it: a call that was heard is not made again.
    assert_eq!(call(&connector, &policy, json!({ "case": "over" })).await, gone("has ended the session before it answered"));
    assert_eq!(fake.asked(), ["tools/call", "GET"]);
    assert_eq!(call(&connector, &policy, json!({})).await, Ok(json!({})));
    assert_eq!(fake.asked(), ["initialize", "notifications/initialized", "tools/call"]);
}

#[tokio::test]
async fn a_server_without_a_handshake_is_told_in_headers_too() {
    let mut fake = Fake::new(|seen| {
        if seen.header("mcp-protocol-version") != Some("2026-07-28") {
            let error = json!({ "jsonrpc": "2.0", "error": { "code": -32022, "message": "unsupported version" } });
            return Does::Send(response("400 Bad Request", "Content-Type: application/json\r\n", &error.to_string()));
        }
        match seen.asks() {
            "tools/list" => message("", &result(seen, json!({ "tools": [{ "name": "t" }, { "name": "größe" }] }))),
            _ => message("Mcp-Session-Id: none\r\n", &result(seen, json!({ "resultType": "complete", "structuredContent": 7 }))),
        }
    })
    .await;
    let policy = fake.policy("", &["t", "größe"]);
    let (connector, functions) = connected(&policy).await;
    assert_eq!(call(&connector, &policy, json!({})).await, Ok(json!(7)));
    let server = &policy.host().expect("it has functions").mcp[0];
    let found = call_at(&connector.seat(server), server, "größe", HostValue::from(json!({}))).await;
    assert_eq!(found, Ok(HostValue::Json("7".to_owned())));
    drop((connector, functions));
    for (asks, name) in
        [("server/discover", None), ("tools/list", None), ("tools/call", Some("t")), ("tools/call", Some("=?base64?Z3LDtsOfZQ==?="))]
    {
        let seen = fake.next(asks).await;
        assert_eq!((seen.header("mcp-method"), seen.header("mcp-name")), (Some(asks), name));
        assert_eq!(seen.header("mcp-session-id"), None);
        assert_eq!(seen.body["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"], "2026-07-28");
    }
}

#[tokio::test]
async fn a_server_that_cannot_serve_says_why() {
    let error = |policy: Policy| async move { Connector::new().functions(&policy).await.map(drop).expect_err("it cannot").to_string() };
    let mut answer = response("401 Unauthorized", "", "no\u{1b}[2J token");
    let fake = Fake::new(move |_| Does::Send(std::mem::take(&mut answer))).await;
    let at = format!("the server `demo` (`http://127.0.0.1:{}/mcp`)", fake.port);
    assert_eq!(error(fake.policy("", &["t"])).await, format!("{at} answers with the status 401: no[2J token (p.toml:1)"));
    let said = error(fake.policy("", &["t"])).await;
    assert!(said.starts_with(&format!("{at} closed the connection before it answered: ")), "{said}");
    let policy = {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let text = format!("[[host.mcp]]\nname = \"demo\"\nurl = \"http://localhost:{port}/\"\nallow = [\"t\"]\n");
        Policy::parse(&NoFiles, "p.toml", &text).unwrap_or_else(|error| panic!("{error}"))
    };
    let said = error(policy).await;
    assert!(
        said.starts_with("the server `demo` (`http://localhost:") && said.contains("/`) cannot be reached: no connection to "),
        "{said}"
    );
    let fake = Fake::new(|seen| match seen.asks() {
        "initialize" => Does::Send(response("308 Permanent Redirect", "Location: https://mcp.example/\r\n", "")),
        _ => common(seen, "s"),
    })
    .await;
    let said = error(fake.policy("", &["t"])).await;
    assert!(said.ends_with(" redirects, which is not followed: to `https://mcp.example/` (p.toml:1)"), "{said}");
    let fake = Fake::new(|seen| common(seen, &"x".repeat(9 << 10))).await;
    let said = error(fake.policy("", &["t"])).await;
    assert!(said.ends_with(" gives its session an id that cannot be sent back (p.toml:1)"), "{said}");
    let fake = Fake::new(|seen| common(seen, "s")).await;
    let said = error(fake.policy("", &["t", "none"])).await;
    assert!(said.contains("has no tool `none`") && said.contains("it has `t`"), "{said}");
}
