//! What the policy refuses: Codex is told of it, and there is a receipt.

use serde_json::{Value, json};

use super::kit::{Client, base64, mount, script_of, served};

/// A sandbox of Codex 0.171.0 that lets the project be read or written.
fn sandbox(access: &str) -> Value {
    let root = json!({ "path": { "type": "special", "value": { "kind": "root" } }, "access": "read" });
    let project = json!({ "path": { "type": "special", "value": { "kind": "project_roots" } }, "access": access });
    json!({ "permissions": { "type": "managed", "network": "restricted", "file_system": { "type": "restricted", "entries": [root, project] } } })
}

#[tokio::test]
async fn a_process_that_fails_by_a_denial_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let served = served(&mount(folder.path(), "/mnt/a", "read"));
    let mut client = Client::connect(&served.server).await;
    let ended = client.run("denied", "touch /mnt/a/file").await;
    assert!(ended.code != 0 && ended.denied, "{} {}", ended.code, ended.stderr);
    let denied = served.receipts.denied();
    assert!(denied.iter().any(|(process, subject)| *process > 0 && subject.contains("/mnt/a/file")), "{denied:?}");
    let read = client.call("process/read", json!({ "processId": "denied" })).await;
    assert_eq!(read["sandboxDenied"], true, "{read}");
    // Where it may, nothing is said, and neither where the program fails by itself, or gets on.
    for (id, script, code) in [("allowed", "touch file", 0), ("fails", "exit 1", 1), ("gets-on", "touch /mnt/a/file; exit 0", 0)] {
        let ended = client.run(id, script).await;
        assert_eq!((ended.code, ended.denied), (code, false), "{script}");
    }
    client.close().await.unwrap();
    assert!(!folder.path().join("file").exists());
}

#[tokio::test]
async fn a_denial_is_that_of_its_own_process() {
    let folder = tempfile::tempdir().unwrap();
    let served = served(&mount(folder.path(), "/mnt/a", "read"));
    let mut client = Client::connect(&served.server).await;
    client.start("waits", "mkfifo gate; echo ready; cat gate; exit 1", json!({})).await;
    client.until("waits", "ready\n").await;
    assert!(client.run("denied", "touch /mnt/a/file").await.denied);
    client.run("opens", "echo > gate").await;
    let ended = client.ended("waits").await;
    assert_eq!((ended.code, ended.denied), (1, false));
    client.close().await.unwrap();
}

#[tokio::test]
async fn files_of_a_mount_that_is_read_only_are_not_written() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("file"), "host\n").unwrap();
    let served = served(&mount(folder.path(), "/mnt/a", "read"));
    let mut client = Client::connect(&served.server).await;
    let write = |path: &str| json!({ "path": path, "dataBase64": base64("new\n") });
    let (code, message) = client.refused("fs/writeFile", write("file:///mnt/a/file")).await;
    assert!(code == -32600 && message.contains("/mnt/a"), "{code} {message}");
    assert_eq!(client.refused("fs/remove", json!({ "path": "file:///mnt/a/file" })).await.0, -32600);
    client.call("fs/writeFile", write("file:///home/user/file")).await;
    client.call("fs/remove", json!({ "path": "file:///home/user/file" })).await;
    client.close().await.unwrap();
    assert_eq!(std::fs::read_to_string(folder.path().join("file")).unwrap(), "host\n");
}

#[tokio::test]
async fn a_sandbox_of_codex_that_is_read_only_counts_where_the_host_would_change() {
    let folder = tempfile::tempdir().unwrap();
    let served_with = |access| served(&mount(folder.path(), "/mnt/a", access));
    let write = |access| json!({ "path": "file:///mnt/a/file", "dataBase64": base64("x"), "sandbox": sandbox(access) });

    let written = served_with("write");
    let mut client = Client::connect(&written.server).await;
    let start = script_of("p", "touch /mnt/a/file", json!({ "sandbox": sandbox("read") }));
    let (code, message) = client.refused("process/start", start).await;
    assert!(code == -32600 && message.contains("the project is an overlay then"), "{code} {message}");
    assert_eq!(client.refused("fs/writeFile", write("read")).await.0, -32600);
    assert_eq!(client.refused("fs/createDirectory", json!({ "path": "file:///mnt/a/d", "sandbox": sandbox("read") })).await.0, -32600);
    assert!(std::fs::read_dir(folder.path()).unwrap().next().is_none());
    client.call("fs/writeFile", write("write")).await;
    assert_eq!(std::fs::read_to_string(folder.path().join("file")).unwrap(), "x");
    client.close().await.unwrap();

    // An overlay keeps the host as it is, so there everything may be tried.
    let overlay = served_with("overlay");
    let mut client = Client::connect(&overlay.server).await;
    client.call("fs/writeFile", write("read")).await;
    client.start("p", "echo more >> /mnt/a/file; cat /mnt/a/file", json!({ "sandbox": sandbox("read") })).await;
    assert_eq!(client.ended("p").await.stdout, "xmore\n");
    client.close().await.unwrap();
    assert_eq!(std::fs::read_to_string(folder.path().join("file")).unwrap(), "x");
}

#[tokio::test]
async fn a_network_that_codex_manages_is_refused() {
    let served = served("");
    let mut client = Client::connect(&served.server).await;
    for more in [json!({ "enforceManagedNetwork": true }), json!({ "networkProxy": { "port": 1 } })] {
        let (code, message) = client.refused("process/start", script_of("p", "true", more.clone())).await;
        assert!(code == -32600 && message.contains("[network]"), "{more}: {message}");
    }
    assert_eq!(client.run("p", "true").await.code, 0);
    client.close().await.unwrap();
}
