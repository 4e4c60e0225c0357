//! What a client does to a process that runs: input, a terminal, signals, its end.

use serde_json::json;

use super::kit::{Client, WAITS, base64, served};

#[tokio::test]
async fn input_is_written_once_and_in_order() {
    let served = served("");
    let mut client = Client::connect(&served.server).await;
    client.start("p", "while read -r line; do echo \"got $line\"; [ \"$line\" != end ] || exit; done", json!({ "pipeStdin": true })).await;
    let write = |id: &str, text: &str| json!({ "processId": "p", "chunk": base64(text), "writeId": id });
    let mut sent = Vec::new();
    for (id, line) in [("1", "one\n"), ("2", "two\n"), ("2", "two\n"), ("3", "three\n"), ("4", "end\n")] {
        sent.push(client.send("process/write", write(id, line)).await);
    }
    for id in sent {
        assert_eq!(client.answer(id).await["result"], json!({ "status": "accepted" }));
    }
    assert_eq!(client.ended("p").await.stdout, "got one\ngot two\ngot three\ngot end\n");
    assert_eq!(client.types("p", "late\n").await, "stdinClosed");
    assert_eq!(client.types("none", "x").await, "unknownProcess");
    assert_eq!(client.refused("process/write", write("", "x")).await.0, -32602);
    // One that was started without input has none.
    client.start("q", "cat; echo over", json!({})).await;
    assert_eq!(client.types("q", "x").await, "stdinClosed");
    assert_eq!(client.ended("q").await.stdout, "over\n");
    client.close().await.unwrap();
}

#[tokio::test]
async fn input_that_nobody_reads_is_bounded() {
    let served = served("");
    let mut client = Client::connect(&served.server).await;
    client.start("p", WAITS, json!({ "pipeStdin": true })).await;
    client.until("p", "ready\n").await;
    let piece = "x".repeat(1 << 20);
    let mut refused = None;
    for number in 0..8 {
        let params = json!({ "processId": "p", "chunk": base64(&piece), "writeId": number.to_string() });
        let answer = client.request("process/write", params).await;
        if let Some(error) = answer.get("error") {
            refused = Some(error.clone());
            break;
        }
    }
    let error = refused.expect("not all of it is taken");
    assert!(error["code"] == -32600 && error["message"].as_str().is_some_and(|text| text.contains("reads no input")), "{error}");
    client.close().await.unwrap();
}

#[tokio::test]
async fn input_of_all_processes_is_bounded_together() {
    let served = served("");
    let mut client = Client::connect(&served.server).await;
    let large = base64("x".repeat(20 << 20));
    let write = |id: &str| json!({ "processId": id, "chunk": large, "writeId": "1" });
    for id in ["a", "b", "c", "d"] {
        client.start(id, WAITS, json!({ "pipeStdin": true })).await;
        client.until(id, "ready\n").await;
    }
    for id in ["a", "b", "c"] {
        assert_eq!(client.call("process/write", write(id)).await, json!({ "status": "accepted" }));
    }
    let (code, message) = client.refused("process/write", write("d")).await;
    assert!(code == -32600 && message.contains("as much waits already"), "{code} {message}");
    // What a process that ends has not read makes room, soon after its end.
    client.call("process/terminate", json!({ "processId": "a" })).await;
    client.ended("a").await;
    while client.request("process/write", write("d")).await.get("error").is_some() {}
    client.close().await.unwrap();
}

#[tokio::test]
async fn a_terminal_shows_what_is_typed_and_has_keys() {
    let served = served("");
    let mut client = Client::connect(&served.server).await;
    client.start("p", "test -t 0 && test -t 1 && tty; read -r line; echo \"got $line\"; stty size; cat", json!({ "tty": true })).await;
    client.until("p", "/dev/tty\r\n").await;
    client.types("p", "keys\r").await;
    assert_eq!(client.until("p", "24 80\r\n").await, "/dev/tty\r\nkeys\r\ngot keys\r\n24 80\r\n");
    // Ctrl-C is a key.
    client.types("p", "\x03").await;
    let ended = client.ended("p").await;
    assert_eq!(ended.code, 130);
    assert!(ended.stdout.is_empty() && ended.stderr.is_empty() && ended.pty.contains("got keys"), "{}", ended.pty);
    client.close().await.unwrap();
}

#[tokio::test]
async fn an_interrupt_reaches_what_runs_in_the_foreground() {
    let served = served("");
    let mut client = Client::connect(&served.server).await;
    let interrupt = |id: &str| json!({ "processId": id, "signal": "interrupt" });
    for (id, tty) in [("pipe", false), ("tty", true)] {
        client.start(id, WAITS, json!({ "tty": tty })).await;
        client.until(id, if tty { "ready\r\n" } else { "ready\n" }).await;
        assert_eq!(client.call("process/signal", interrupt(id)).await, json!({}));
        assert_eq!(client.ended(id).await.code, 130, "{id}");
    }
    // One that handles it goes on.
    let handles = "trap 'echo caught; exit 3' INT; sleep 1000 >/dev/null 2>&1 & echo ready; wait";
    client.start("p", handles, json!({})).await;
    client.until("p", "ready\n").await;
    client.call("process/signal", interrupt("p")).await;
    let ended = client.ended("p").await;
    assert_eq!((&*ended.stdout, ended.code), ("ready\ncaught\n", 3));
    // What has ended is not interrupted, and what there is not is refused.
    assert_eq!(client.call("process/signal", interrupt("p")).await, json!({}));
    assert_eq!(client.refused("process/signal", interrupt("none")).await, (-32600, "unknown process id none".to_owned()));
    client.close().await.unwrap();
}

#[tokio::test]
async fn a_process_is_ended_with_all_that_it_started() {
    let served = served("");
    let mut client = Client::connect(&served.server).await;
    let named = |id: &str| json!({ "processId": id });
    client.start("p", &format!("trap '' INT TERM; sleep 1000 & {WAITS}"), json!({})).await;
    client.until("p", "ready\n").await;
    assert_eq!(client.call("process/terminate", named("p")).await, json!({ "running": true }));
    assert_eq!(client.ended("p").await.code, 137);
    assert_eq!(client.call("process/terminate", named("p")).await, json!({ "running": false }));
    assert_eq!(client.call("process/terminate", named("none")).await, json!({ "running": false }));
    assert_eq!(client.run("q", "echo fine").await.stdout, "fine\n");
    client.close().await.unwrap();
}
