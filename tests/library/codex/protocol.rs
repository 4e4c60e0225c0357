//! How a client begins, and what is no call.

use serde_json::{Value, json};

use super::kit::{Client, script_of, served, with};

#[tokio::test]
async fn a_client_is_told_what_there_is() {
    let served = with("", |options| wisp_codex::Options { project: "/projects/a project".to_owned(), ..options });
    let mut client = Client::silent(&served.server);
    let answer = client.request("initialize", json!({ "clientName": "codex-environment", "resumeSessionId": null })).await;
    assert!(answer.get("jsonrpc").is_none(), "{answer}");
    let result = &answer["result"];
    assert!(result["sessionId"].as_str().is_some_and(|id| id.starts_with("codex-")), "{answer}");
    let info = &result["environmentInfo"];
    assert_eq!(info["shell"], json!({ "name": "bash", "path": "/bin/bash" }));
    let folders = ["cwd", "userHomeDir", "tempDir"].map(|name| info[name].as_str().expect("a folder"));
    assert_eq!(folders, ["file:///projects/a%20project", "file:///home/user", "file:///tmp"]);
    assert_eq!((&info["platformOs"], &info["temporaryDirectories"]), (&json!("linux"), &json!(["file:///tmp"])));
    client.write(&json!({ "method": "initialized", "params": {} })).await;
    assert_eq!(client.call("environment/info", Value::Null).await, *info);
    assert_eq!(client.call("environment/status", json!({})).await, json!({ "status": "ready" }));
    // What it is told is true.
    assert_eq!(client.run("p", "[ -x /bin/bash ] && [ -d /tmp ] && echo $HOME").await.stdout, "/home/user\n");
    client.close().await.unwrap();
}

#[tokio::test]
async fn a_client_begins_in_order() {
    let served = served("");
    let mut client = Client::silent(&served.server);
    let info = || json!({});
    let (code, message) = client.refused("environment/info", info()).await;
    assert_eq!((code, &*message), (-32600, "client must call initialize before using environment methods"));
    let (code, message) = client.refused("fs/readFile", json!({ "path": "file:///a" })).await;
    assert_eq!((code, &*message), (-32600, "client must call initialize before using filesystem methods"));
    client.write(&json!({ "method": "initialized" })).await;
    assert_eq!(client.next().await["error"]["code"], -32600);
    // What is wrong with one attempt does not spoil the next.
    assert_eq!(client.refused("initialize", json!({ "clientName": "x", "resumeSessionId": 7 })).await.0, -32602);
    client.call("initialize", json!({ "clientName": "x" })).await;
    let (code, message) = client.refused("process/start", script_of("p", "true", json!({}))).await;
    assert_eq!((code, &*message), (-32600, "client must send initialized before using exec methods"));
    client.write(&json!({ "method": "initialized" })).await;
    client.call("environment/info", info()).await;
    assert_eq!(client.refused("initialize", json!({ "clientName": "x" })).await.0, -32600);
    client.close().await.unwrap();
}

#[tokio::test]
async fn a_client_need_not_wait_for_answers() {
    let served = served("");
    let mut client = Client::silent(&served.server);
    let begins = client.send("initialize", json!({ "clientName": "x" })).await;
    client.write(&json!({ "method": "initialized", "params": {} })).await;
    let starts = client.send("process/start", script_of("p", "read -r line; echo \"got $line\"", json!({ "pipeStdin": true }))).await;
    assert!(client.answer(begins).await.get("result").is_some());
    assert!(client.answer(starts).await.get("result").is_some());
    assert_eq!(client.types("p", "it\n").await, "accepted");
    assert_eq!(client.ended("p").await.stdout, "got it\n");
}

#[tokio::test]
async fn what_there_is_not_is_refused_by_its_code() {
    let served = served("");
    let mut client = Client::connect(&served.server).await;
    for method in ["", "process/resize", "fs/watchMissing", "environmentConfig/read", "network/policyRequest"] {
        assert_eq!(client.refused(method, json!({})).await.0, -32601, "{method}");
    }
    for (method, params) in [
        ("process/start", json!({ "processId": "p" })),
        ("process/signal", json!({ "processId": "p", "signal": "kill" })),
        ("fs/readFile", json!({ "path": "/native" })),
        ("fs/readFile", Value::Null),
        ("fs/walk", json!({ "path": "file:///" })),
        ("http/request", json!({ "method": "GET" })),
    ] {
        assert_eq!(client.refused(method, params.clone()).await.0, -32602, "{method} {params}");
    }
    client.write(&json!({ "method": "process/start", "params": {} })).await;
    let answer = client.next().await;
    assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(-1), &json!(-32600)));
    client.close().await.unwrap();
}
