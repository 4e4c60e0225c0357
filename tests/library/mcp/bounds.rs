//! Clients that send what they should not, or too much of it.

use serde_json::json;
use wisp_mcp::{Options, ServeError};

use super::kit::{Client, at_once, served};

#[tokio::test]
async fn garbage_is_passed_over() {
    let served = served("", Options::default());
    let mut client = Client::connect(&served.server).await;
    for line in ["", "garbage", "{", "[]", "\u{0}\u{7f}", "null", "{\"jsonrpc\":\"2.0\"}", &"[".repeat(100_000)] {
        client.line(line).await;
    }
    client.line(r#"{"jsonrpc":"2.0","method":"notifications/none","params":7}"#).await;
    client.line(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"none"}}"#).await;
    client.line(r#"{"jsonrpc":"2.0","id":77,"result":{}}"#).await;
    // What is JSON and no message may be answered with an error that has no number; the call has its own answer.
    let id = client.send("tools/call", json!({ "name": "run_shell", "arguments": { "command": "echo fine" } })).await;
    let answer = loop {
        let message = client.next().await;
        match message["id"].as_i64() {
            Some(number) if number == id => break message,
            _ => assert_eq!(message["error"]["code"], -32600, "{message}"),
        }
    };
    assert_eq!(answer["result"]["content"][0]["text"], "fine\n");
    client.close().await.unwrap();
}

#[tokio::test]
async fn a_giant_message_is_skipped() {
    let served = served("", Options::default());
    let mut client = Client::connect(&served.server).await;
    let giant = json!({ "name": "write_file", "arguments": { "path": "giant", "content": "x".repeat(9 << 20) } });
    client.send("tools/call", giant).await;
    assert!(client.fails("read_file", json!({ "path": "giant" })).await.contains("giant"));
    // One that is large, and not too large, is not.
    client.text("write_file", json!({ "path": "large", "content": "x".repeat(7 << 20) })).await;
    assert_eq!(client.text("run_shell", json!({ "command": "stat -c %s large" })).await, format!("{}\n", 7 << 20));
}

#[tokio::test]
async fn a_thousand_calls_are_answered() {
    let served = served("", Options { calls: 4, ..Options::default() });
    let mut client = Client::connect(&served.server).await;
    let mut calls = Vec::new();
    for number in 0..1_000 {
        let (tool, arguments) = match number % 4 {
            0 => ("run_shell", json!({ "command": format!("echo {number}") })),
            1 => ("run_python", json!({ "code": format!("print({number})") })),
            2 => ("write_file", json!({ "path": "same", "content": number.to_string() })),
            _ => ("list_files", json!({ "path": "/tmp" })),
        };
        calls.push((number, client.send("tools/call", json!({ "name": tool, "arguments": arguments })).await));
    }
    for (number, call) in calls {
        let answer = client.answer(call).await;
        assert_ne!(answer["result"]["isError"], true, "{answer}");
        if number % 4 < 2 {
            assert_eq!(answer["result"]["content"][0]["text"], format!("{number}\n"));
        }
    }
    client.close().await.unwrap();
    assert!(served.service.sessions(&served.owner).is_empty());
}

#[tokio::test]
async fn only_so_many_calls_run_and_others_wait() {
    let served = served("", Options { calls: 2, ..at_once() });
    let mut client = Client::connect(&served.server).await;
    let mut run = Vec::new();
    for token in ["a", "b"] {
        run.push(client.begin("run_shell", json!({ "command": "mkfifo gate-$$; echo ready; cat gate-$$" }), token).await);
        client.progress(token, "ready").await;
    }
    let waits = client.begin("run_shell", json!({ "command": "echo now" }), "c").await;
    // Requests that run nothing are answered meanwhile, and the one that waits has begun nothing.
    assert!(client.request("tools/list", json!({})).await["result"].is_object());
    assert!(!client.has_answer(waits));
    assert_eq!(served.session("default").commands().unwrap().len(), 2);
    client.cancel(run[0]).await;
    assert_eq!(client.answer(waits).await["result"]["content"][0]["text"], "now\n");
}

#[tokio::test]
async fn a_client_that_does_not_begin_as_it_should_is_let_go() {
    let served = served("", Options::default());
    let mut client = Client::silent(&served.server);
    client.line(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#).await;
    assert_eq!(client.next().await["error"]["code"], -32602);
    client.line(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).await;
    assert!(matches!(client.close().await, Err(ServeError::Protocol { .. })));
    // One that says nothing at all has done nothing wrong.
    Client::silent(&served.server).close().await.unwrap();
    assert!(served.service.sessions(&served.owner).is_empty());
}
