//! Log messages: what the sandbox decides, told while a call runs.

use serde_json::{Value, json};
use wisp_mcp::Options;

use super::kit::{Client, Served, served};

const MESSAGE: &str = "notifications/message";
const WRITE: &str = "echo x > /mnt/a/file";

/// A server whose sessions have a folder for reading.
fn reading(folder: &tempfile::TempDir) -> Served {
    let lines = format!("[[filesystem.mount]]\nhost = {:?}\nguest = \"/mnt/a\"\naccess = \"read\"", folder.path());
    served(&lines, Options::default())
}

/// The messages that came before an answer.
async fn messages(client: &mut Client, id: i64) -> Vec<Value> {
    client.answer(id).await;
    client.took(MESSAGE)
}

fn level_and_text(message: &Value) -> (&str, &str) {
    let params = &message["params"];
    (params["level"].as_str().expect("a level"), params["data"]["message"].as_str().expect("a text"))
}

#[tokio::test]
async fn a_refusal_is_told_while_the_command_runs() {
    let folder = tempfile::tempdir().expect("a folder");
    let served = reading(&folder);
    let mut client = Client::connect(&served.server).await;
    let command = format!("{WRITE}; mkfifo gate; cat gate");
    let call = client.send("tools/call", json!({ "name": "run_shell", "arguments": { "command": command } })).await;
    let message = client.note(MESSAGE).await;
    assert!(!client.has_answer(call), "it still runs");
    let (level, text) = level_and_text(&message);
    assert_eq!((level, text), ("warning", "denied: file /mnt/a/file: the mount is granted read-only by test.toml:2"));
    let params = &message["params"];
    assert_eq!((&params["logger"], &params["data"]["session"]), (&json!("wisp"), &json!("default")));
    assert_eq!(params["data"]["receipt"]["kind"], "file");
    client.text("run_shell", json!({ "command": "echo over > gate" })).await;
    client.answer(call).await;
    assert_eq!(client.took(MESSAGE), [] as [Value; 0], "each decision is told once, also with two calls that run");
    // What is allowed is not worth a warning.
    client.text("run_shell", json!({ "command": "cat /mnt/a/* > x; ls /mnt/a" })).await;
    assert_eq!(client.took(MESSAGE), [] as [Value; 0]);
}

#[tokio::test]
async fn a_client_chooses_what_it_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let served = reading(&folder);
    let mut client = Client::connect(&served.server).await;
    for (level, program, refusal) in [("error", false, false), ("debug", true, true), ("warning", false, true)] {
        assert_eq!(client.request("logging/setLevel", json!({ "level": level })).await["result"], json!({}));
        let command = format!("seq 1; {WRITE}");
        let call = client.send("tools/call", json!({ "name": "run_shell", "arguments": { "command": command } })).await;
        let messages = messages(&mut client, call).await;
        let has = |level: &str, part: &str| messages.iter().map(level_and_text).any(|(of, text)| of == level && text.contains(part));
        assert_eq!((has("debug", "allowed: spawn"), has("warning", "denied: file")), (program, refusal), "{level}: {messages:?}");
    }
    let refused = client.request("logging/setLevel", json!({ "level": "loud" })).await;
    assert!(refused.get("error").is_some(), "{refused}");
}

#[tokio::test]
async fn clients_in_one_session_are_told_each_what_it_wants() {
    let folder = tempfile::tempdir().expect("a folder");
    let served = reading(&folder);
    let (mut one, mut other) = (Client::connect(&served.server).await, Client::connect(&served.server).await);
    one.request("logging/setLevel", json!({ "level": "error" })).await;
    // Its call has begun, and is the first to listen.
    let waits = json!({ "command": "mkfifo gate; echo ready; cat gate", "session": "shared" });
    let call = one.begin("run_shell", waits, "t").await;
    one.progress("t", "ready").await;
    other.text("run_shell", json!({ "command": WRITE, "session": "shared" })).await;
    assert_eq!(other.took(MESSAGE).len(), 1);
    other.text("run_shell", json!({ "command": "echo over > gate", "session": "shared" })).await;
    one.answer(call).await;
    assert_eq!(one.took(MESSAGE), [] as [Value; 0]);
}

#[tokio::test]
async fn a_request_that_stands_alone_asks_for_messages() {
    let folder = tempfile::tempdir().expect("a folder");
    let served = reading(&folder);
    let mut client = Client::stateless(&served.server);
    let code = "try: open('/mnt/a/file', 'w')\nexcept OSError: pass";
    for (meta, told) in [(json!({}), 0), (json!({ "io.modelcontextprotocol/logLevel": "warning" }), 1)] {
        let params = json!({ "name": "run_python", "arguments": { "code": code }, "_meta": meta });
        let call = client.send("tools/call", params).await;
        let messages = messages(&mut client, call).await;
        assert_eq!(messages.len(), told, "{messages:?}");
    }
}
