//! Clients that send what they should not, or too much of it, or do not read.

use serde_json::json;
use wisp_codex::Options;

use super::kit::{Client, WAITS, base64, mount, script_of, served, with};

#[tokio::test]
async fn garbage_is_answered_and_passed_over() {
    let served = served("");
    let mut client = Client::connect(&served.server).await;
    for line in ["garbage", "{", "[]", "\u{0}\u{7f}", "null", "{}", "{\"id\":1.5,\"method\":\"m\"}", &"[".repeat(100_000)] {
        client.line(line).await;
        let answer = client.next().await;
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(-1), &json!(-32600)), "{answer}");
    }
    for line in ["", "  ", r#"{"id":77,"result":{}}"#, r#"{"id":77,"error":{"code":1,"message":""}}"#] {
        client.line(line).await;
    }
    assert_eq!(client.run("p", "echo fine").await.stdout, "fine\n");
    client.close().await.unwrap();
}

#[tokio::test]
async fn a_giant_message_is_skipped_and_a_large_one_is_not() {
    let served = served("");
    let mut client = Client::connect(&served.server).await;
    client.line(&"x".repeat((32 << 20) + 1)).await;
    let answer = client.next().await;
    assert_eq!((&answer["id"], &answer["error"]["message"]), (&json!(-1), &json!("a message has at most 32 MiB")));
    let size = 23 << 20;
    let large = json!({ "path": "file:///home/user/large", "dataBase64": base64(vec![b'x'; size]) });
    client.call("fs/writeFile", large).await;
    assert_eq!(client.run("p", "stat -c %s large").await.stdout, format!("{size}\n"));
    let read = client.call("fs/readFile", json!({ "path": "file:///home/user/large" })).await;
    assert_eq!(read["dataBase64"].as_str().map(str::len), Some(size.div_ceil(3) * 4));
    client.run("q", "echo >> large").await;
    let (code, message) = client.refused("fs/readFile", json!({ "path": "file:///home/user/large" })).await;
    assert!(code == -32600 && message.contains("block by block"), "{code} {message}");
    client.close().await.unwrap();
}

#[tokio::test]
async fn a_directory_is_listed_unless_its_names_are_too_long_for_an_answer() {
    let folder = tempfile::tempdir().expect("a folder");
    // Each byte takes six in JSON.
    let long = "\u{1}".repeat(244);
    for (name, count) in [("many", 3_000), ("large", 12_000)] {
        let directory = folder.path().join(name);
        std::fs::create_dir(&directory).expect("a directory");
        for number in 0..count {
            std::fs::write(directory.join(format!("{long}{number:06}")), "").expect("a file");
        }
    }
    let served = served(&mount(folder.path(), "/mnt/a", "read"));
    let mut client = Client::connect(&served.server).await;
    let many = client.call("fs/readDirectory", json!({ "path": "file:///mnt/a/many" })).await;
    let names: Vec<String> = (0..3_000).map(|number| format!("{long}{number:06}")).collect();
    assert!(many["entries"].as_array().expect("entries").iter().map(|entry| &entry["fileName"]).eq(&names));
    let (code, message) = client.refused("fs/readDirectory", json!({ "path": "file:///mnt/a/large" })).await;
    assert!(code == -32600 && message.contains("bytes of them"), "{code} {message}");
    client.close().await.unwrap();
}

#[tokio::test]
async fn only_so_many_calls_run() {
    let served = with("", |options| Options { calls: 2, ..options });
    let mut client = Client::connect(&served.server).await;
    client.start("p", WAITS, json!({})).await;
    client.until("p", "ready\n").await;
    let wait = || json!({ "processId": "p", "afterSeq": 1_000, "waitMs": 600_000 });
    let waits = [client.send("process/read", wait()).await, client.send("process/read", wait()).await];
    let (code, message) = client.refused("process/read", wait()).await;
    assert!(code == -32600 && message.contains("2 calls run"), "{code} {message}");
    assert_eq!(client.refused("process/start", script_of("q", "true", json!({}))).await.0, -32600);
    assert!(waits.iter().all(|id| !client.has_answer(*id)));
    client.close().await.unwrap();

    // Those that end make room.
    let mut client = Client::connect(&served.server).await;
    for number in 0..20 {
        assert_eq!(client.run(&number.to_string(), "echo").await.stdout, "\n");
    }
    client.close().await.unwrap();
}

#[tokio::test]
async fn five_hundred_processes_are_told_of_and_the_oldest_are_forgotten() {
    let served = served("");
    let mut client = Client::connect(&served.server).await;
    for number in 0..500 {
        let id = number.to_string();
        assert_eq!(client.run(&id, "").await.code, 0);
    }
    assert_eq!(client.refused("process/read", json!({ "processId": "0" })).await.0, -32600);
    client.call("process/read", json!({ "processId": "499" })).await;
    client.close().await.unwrap();
}

#[tokio::test]
async fn a_client_that_does_not_read_ends_with_its_connection() {
    let served = served("");
    let mut client = Client::connect(&served.server).await;
    client.start("p", "yes 0123456789012345678901234567890123456789", json!({})).await;
    client.note(|note| note["method"] == "process/output").await;
    // Nothing is read from here on, and more is written than any pipe holds.
    client.vanish().await.unwrap();
    assert!(!served.is_open());
}

#[tokio::test]
async fn output_is_kept_in_bounds() {
    let served = served("");
    let mut client = Client::connect(&served.server).await;
    let ended = client.run("p", "head -c 3000000 /dev/zero | tr '\\0' x; echo end").await;
    assert_eq!(ended.stdout.len(), 3_000_004);
    let read = client.call("process/read", json!({ "processId": "p" })).await;
    let chunks = read["chunks"].as_array().expect("chunks");
    let bytes: usize = chunks.iter().map(|chunk| super::kit::bytes(&chunk["chunk"]).len()).sum();
    assert!(bytes <= 1 << 20 && bytes > 1 << 19, "{bytes}");
    assert!(super::kit::text(&chunks.last().expect("the last")["chunk"]).ends_with("end\n"));
    client.close().await.unwrap();
}

#[tokio::test]
async fn a_connection_without_a_word_is_nothing() {
    let served = served("");
    Client::silent(&served.server).close().await.unwrap();
    let mut client = Client::silent(&served.server);
    client.line("GET / HTTP/1.1").await;
    client.vanish().await.unwrap();
    assert!(served.kept().is_empty() && !served.is_open());
}
