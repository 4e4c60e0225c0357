//! Files that a client reads and writes block by block.

use serde_json::{Value, json};

use super::kit::{Client, base64, bytes, served, text};

fn open(handle: &str, path: &str, mode: &str) -> Value {
    json!({ "handleId": handle, "path": format!("file://{path}"), "mode": mode, "sandbox": null })
}

fn block(handle: &str, offset: u64, len: u64) -> Value {
    json!({ "handleId": handle, "offset": offset, "len": len })
}

#[tokio::test]
async fn a_file_is_read_to_its_end() {
    let served = served("");
    let mut client = Client::connect(&served.server).await;
    client.run("p", "printf 1234567 > file").await;
    assert_eq!(client.refused("fs/open", open("h", "/home/user/none", "read")).await.0, -32004);
    assert_eq!(client.refused("fs/open", open("h", "/home/user", "read")).await.0, -32600);
    assert_eq!(client.call("fs/open", open("h", "/home/user/file", "read")).await, json!({ "handleId": "h" }));
    assert_eq!(client.refused("fs/open", open("h", "/home/user/file", "read")).await.0, -32603);
    let first = client.call("fs/readBlock", block("h", 0, 4)).await;
    assert_eq!((&*text(&first["chunk"]), &first["eof"]), ("1234", &json!(false)));
    assert_eq!(client.refused("fs/readBlock", block("h", 0, 0)).await.0, -32600);
    assert_eq!(client.refused("fs/readBlock", block("h", 0, (1 << 20) + 1)).await.0, -32600);
    assert_eq!(client.refused("fs/writeBlock", json!({ "handleId": "h", "offset": 0, "chunk": base64("x") })).await.0, -32600);
    let last = client.call("fs/readBlock", block("h", 4, 4)).await;
    assert_eq!((&*text(&last["chunk"]), &last["eof"]), ("567", &json!(true)));
    // At its end it is closed.
    assert_eq!(client.refused("fs/readBlock", block("h", 0, 4)).await.0, -32004);
    client.call("fs/close", json!({ "handleId": "h" })).await;
    client.close().await.unwrap();
}

#[tokio::test]
async fn a_file_is_replaced_in_blocks() {
    let served = served("");
    let mut client = Client::connect(&served.server).await;
    client.run("p", "echo longer than before > file").await;
    client.call("fs/open", open("h", "/home/user/file", "replace")).await;
    assert_eq!(client.run("q", "stat -c %s file").await.stdout, "0\n");
    let piece = vec![b'a'; 1 << 20];
    let write = |offset: usize, bytes: &[u8]| json!({ "handleId": "h", "offset": offset, "chunk": base64(bytes) });
    client.call("fs/writeBlock", write(0, &piece)).await;
    client.call("fs/writeBlock", write(piece.len(), b"end")).await;
    assert_eq!(client.refused("fs/writeBlock", write(0, b"")).await.0, -32600);
    assert_eq!(client.refused("fs/readBlock", block("h", 0, 1)).await.0, -32600);
    client.call("fs/close", json!({ "handleId": "h" })).await;
    assert_eq!(client.refused("fs/writeBlock", write(0, b"x")).await.0, -32004);
    let whole = bytes(&client.call("fs/readFile", json!({ "path": "file:///home/user/file" })).await["dataBase64"]);
    assert!(whole.len() == piece.len() + 3 && whole.starts_with(&piece) && whole.ends_with(b"end"));
    client.close().await.unwrap();
}

#[tokio::test]
async fn another_file_of_the_same_name_is_not_read_on() {
    let served = served("");
    let mut client = Client::connect(&served.server).await;
    client.run("p", "echo one > file; echo two > other").await;
    client.call("fs/open", open("h", "/home/user/file", "read")).await;
    client.run("q", "mv other file").await;
    let (code, message) = client.refused("fs/readBlock", block("h", 0, 4)).await;
    assert!(code == -32603 && message.contains("another file"), "{code} {message}");
    client.call("fs/open", open("h", "/home/user/file", "read")).await;
    assert_eq!(text(&client.call("fs/readBlock", block("h", 0, 4)).await["chunk"]), "two\n");
    client.close().await.unwrap();
}

#[tokio::test]
async fn only_so_many_files_are_open() {
    let served = served("");
    let mut client = Client::connect(&served.server).await;
    client.run("p", "touch file").await;
    for number in 0..128 {
        client.call("fs/open", open(&number.to_string(), "/home/user/file", "read")).await;
    }
    assert_eq!(client.refused("fs/open", open("more", "/home/user/file", "read")).await.0, -32600);
    client.call("fs/close", json!({ "handleId": "0" })).await;
    client.call("fs/open", open("more", "/home/user/file", "read")).await;
    client.close().await.unwrap();
}
