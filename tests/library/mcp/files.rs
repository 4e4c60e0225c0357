//! Files of a session: reading, writing, editing, listing, searching and viewing.

use serde_json::json;
use wisp_mcp::Options;

use super::kit::{Client, served};

#[tokio::test]
async fn a_file_is_written_edited_and_read() {
    let served = served("", Options::default());
    let mut client = Client::connect(&served.server).await;
    let text = client.text("write_file", json!({ "path": "a/b.txt", "content": "one\ntwo\ntwo\nthree" })).await;
    assert_eq!(text, "[wrote 17 bytes to /home/user/a/b.txt]");
    assert_eq!(client.text("read_file", json!({ "path": "a/b.txt" })).await, "one\ntwo\ntwo\nthree\n");
    assert_eq!(
        client.text("read_file", json!({ "path": "a/b.txt", "offset": 2, "limit": 1 })).await,
        "two\n[the file goes on: \"offset\": 3 reads on]"
    );
    assert_eq!(client.text("read_file", json!({ "path": "a/b.txt", "offset": 9 })).await, "[the file has fewer than 9 lines]");

    let edit = |old: &str, new: &str| json!({ "path": "a/b.txt", "old_text": old, "new_text": new });
    assert_eq!(client.text("edit_file", edit("one\n", "1\n")).await, "[replaced it once in /home/user/a/b.txt, in line 1]");
    assert!(client.fails("edit_file", edit("four", "4")).await.contains("is not in `a/b.txt`"));
    let twice = client.fails("edit_file", edit("two", "2")).await;
    assert!(twice.contains("2 times, in lines 2, 3"), "{twice}");
    let all = json!({ "path": "a/b.txt", "old_text": "two", "new_text": "2", "replace_all": true });
    assert_eq!(client.text("edit_file", all).await, "[replaced it 2 times in /home/user/a/b.txt, in lines 2, 3]");
    assert_eq!(client.text("run_shell", json!({ "command": "cat a/b.txt" })).await, "1\n2\n2\nthree\n");
    assert!(client.fails("read_file", json!({ "path": "none" })).await.contains("/home/user/none"));

    client.text("run_shell", json!({ "command": "printf 'a\\0b' > binary; : > empty; chmod 700 a/b.txt" })).await;
    assert!(client.fails("read_file", json!({ "path": "binary" })).await.contains("is not text"));
    assert_eq!(client.text("read_file", json!({ "path": "empty" })).await, "[the file is empty]");
    // An edit keeps the mode.
    client.text("edit_file", edit("three", "3")).await;
    assert_eq!(client.text("run_shell", json!({ "command": "stat -c %a a/b.txt" })).await, "700\n");
}

#[tokio::test]
async fn a_long_file_is_read_in_pieces() {
    let served = served("", Options { output: 1_000, ..Options::default() });
    let mut client = Client::connect(&served.server).await;
    let lines: String = (0..500).map(|number| format!("line {number}\n")).collect();
    client.text("write_file", json!({ "path": "long", "content": lines })).await;
    let (mut all, mut offset) = (String::new(), 1);
    loop {
        let text = client.text("read_file", json!({ "path": "long", "offset": offset })).await;
        let (piece, note) = text.split_once('[').unwrap_or((&text, ""));
        assert!(piece.len() <= 1_000);
        all.push_str(piece);
        if note.is_empty() {
            break;
        }
        offset = all.lines().count() + 1;
        assert_eq!(note, format!("the file goes on: \"offset\": {offset} reads on]"));
    }
    assert_eq!(all, lines);
    client.text("write_file", json!({ "path": "wide", "content": "x".repeat(5_000) })).await;
    let text = client.text("read_file", json!({ "path": "wide" })).await;
    assert!(text.starts_with(&"x".repeat(1_000)) && text.contains("[line 1 is longer than an answer"), "{text}");
}

#[tokio::test]
async fn files_are_listed_and_searched() {
    let served = served("", Options::default());
    let mut client = Client::connect(&served.server).await;
    let script = "mkdir -p p/q; cd p; echo 'alpha beta' > one.py; echo 'ALPHA' > q/two.py; echo alpha > q/note.txt; ln -s one.py link";
    client.text("run_shell", json!({ "command": script })).await;
    let text = client.text("list_files", json!({ "path": "p" })).await;
    assert_eq!(text, "/home/user/p/link (symbolic link)\n/home/user/p/one.py (11 bytes)\n/home/user/p/q/\n");
    let text = client.text("list_files", json!({ "path": "p", "depth": 2 })).await;
    assert!(text.ends_with("/home/user/p/q/\n/home/user/p/q/note.txt (6 bytes)\n/home/user/p/q/two.py (6 bytes)\n"), "{text}");
    let text = client.text("list_files", json!({ "path": "p", "pattern": "**/*.py" })).await;
    assert_eq!(text, "/home/user/p/one.py (11 bytes)\n/home/user/p/q/two.py (6 bytes)\n");
    assert_eq!(client.text("list_files", json!({ "path": "/tmp" })).await, "[there is nothing]");
    assert!(client.fails("list_files", json!({ "path": "none" })).await.contains("none"));

    let search = async |client: &mut Client, arguments| client.text("search_files", arguments).await;
    let text = search(&mut client, json!({ "pattern": "^al.ha", "path": "p" })).await;
    assert_eq!(text, "/home/user/p/one.py:1: alpha beta\n/home/user/p/q/note.txt:1: alpha\n");
    let text = search(&mut client, json!({ "pattern": "alpha", "path": "p", "glob": "*.py", "ignore_case": true })).await;
    assert_eq!(text, "/home/user/p/one.py:1: alpha beta\n/home/user/p/q/two.py:1: ALPHA\n");
    assert!(search(&mut client, json!({ "pattern": "a.c", "literal": true })).await.contains("no line of"));
    assert!(search(&mut client, json!({ "pattern": "alpha", "limit": 1 })).await.contains("[there are more"));
    assert!(client.fails("search_files", json!({ "pattern": "(" })).await.contains("not valid"));
}

#[tokio::test]
async fn a_picture_is_viewed() {
    let served = served("", Options::default());
    let mut client = Client::connect(&served.server).await;
    let code = "from pathlib import Path\nhead = b'\\x89PNG\\r\\n\\x1a\\n'\nPath('p.png').write_bytes(head + b'x')\n\
                Path('j.jpg').write_bytes(b'\\xff\\xd8\\xff\\xe0')\nPath('big.png').write_bytes(head + bytes(1_000_000))\nNone";
    client.text("run_python", json!({ "code": code })).await;
    let result = client.call("view_image", json!({ "path": "p.png" })).await;
    assert_eq!(result["content"], json!([{ "type": "image", "mimeType": "image/png", "data": "iVBORw0KGgp4" }]));
    let result = client.call("view_image", json!({ "path": "j.jpg" })).await;
    assert_eq!(result["content"][0]["mimeType"], "image/jpeg");
    assert!(client.fails("view_image", json!({ "path": "big.png" })).await.contains("more than 1000000 bytes"));
    client.text("write_file", json!({ "path": "s.svg", "content": "<svg/>" })).await;
    assert!(client.fails("view_image", json!({ "path": "s.svg" })).await.contains("no PNG or JPEG"));
}
