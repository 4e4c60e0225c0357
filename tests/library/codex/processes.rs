//! Processes: how they start, what is told of them, and what is read again.

use serde_json::{Value, json};

use super::kit::{Client, WAITS, script_of, served, text};

fn read(id: &str, more: Value) -> Value {
    let mut params = json!({ "processId": id, "afterSeq": null, "maxBytes": null, "waitMs": null });
    let Value::Object(more) = more else { panic!("{more}") };
    params.as_object_mut().expect("an object").extend(more);
    params
}

#[tokio::test]
async fn what_a_process_does_is_told_in_one_sequence() {
    let served = served("");
    let mut client = Client::connect(&served.server).await;
    client.start("p", "echo out; echo err >&2; exit 3", json!({})).await;
    let ended = client.ended("p").await;
    assert_eq!((&*ended.stdout, &*ended.stderr, ended.code, ended.denied), ("out\n", "err\n", 3, false));
    let expected: Vec<u64> = (1..=ended.seqs.len() as u64).collect();
    assert_eq!(ended.seqs, expected);
    // The same is read again.
    let all = client.call("process/read", read("p", json!({}))).await;
    let chunks = all["chunks"].as_array().expect("chunks");
    let of = |stream: &str| chunks.iter().filter(|chunk| chunk["stream"] == stream).map(|chunk| text(&chunk["chunk"])).collect::<String>();
    assert_eq!((of("stdout"), of("stderr")), ("out\n".to_owned(), "err\n".to_owned()));
    let state = ["exited", "exitCode", "closed", "failure", "sandboxDenied"].map(|name| all[name].clone());
    assert_eq!(state, [json!(true), json!(3), json!(true), Value::Null, json!(false)]);
    assert_eq!(all["nextSeq"], json!(expected.len() + 1));
    client.close().await.unwrap();
}

#[tokio::test]
async fn output_is_read_after_a_number_in_pieces_and_when_it_comes() {
    let served = served("");
    let mut client = Client::connect(&served.server).await;
    client.start("p", WAITS, json!({})).await;
    client.until("p", "ready\n").await;
    let first = client.call("process/read", read("p", json!({ "maxBytes": 1 }))).await;
    assert_eq!((first["chunks"].as_array().expect("chunks").len(), &first["exited"]), (1, &json!(false)));
    let after = first["nextSeq"].as_u64().expect("a number") - 1;
    let nothing = client.call("process/read", read("p", json!({ "afterSeq": after }))).await;
    assert_eq!((&nothing["chunks"], &nothing["closed"]), (&json!([]), &json!(false)));
    // One that waits is answered when there is something.
    let waits = client.send("process/read", read("p", json!({ "afterSeq": after, "waitMs": 300_000 }))).await;
    assert!(!client.has_answer(waits));
    client.run("q", "echo more > gate").await;
    let more = client.answer(waits).await["result"].clone();
    assert_eq!(text(&more["chunks"][0]["chunk"]), "more\n");
    client.ended("p").await;
    // Of what is closed nothing more comes.
    let over = client.call("process/read", read("p", json!({ "afterSeq": 1_000, "waitMs": 300_000 }))).await;
    assert_eq!((&over["chunks"], &over["closed"], &over["exitCode"]), (&json!([]), &json!(true), &json!(0)));
    assert_eq!(client.refused("process/read", read("none", json!({}))).await, (-32600, "unknown process id none".to_owned()));
}

#[tokio::test]
async fn arguments_environment_and_directory_are_the_client_s() {
    let served = served("");
    let mut client = Client::connect(&served.server).await;
    client.call("fs/createDirectory", json!({ "path": "file:///home/user/a%20b", "recursive": true })).await;
    client.start("argv", "", json!({ "argv": ["ls", "-d", "a b", "$HOME", "*"] })).await;
    let ended = client.ended("argv").await;
    assert!(ended.stdout == "a b\n" && ended.stderr.contains("$HOME") && ended.stderr.contains('*'), "{}{}", ended.stdout, ended.stderr);
    let policy = json!({ "inherit": "all", "ignoreDefaultExcludes": true, "exclude": [], "set": { "A": "policy", "B": "policy" }, "includeOnly": [] });
    let more = json!({ "cwd": "file:///home/user/a%20b", "env": { "A": "own" }, "envPolicy": policy });
    client.start("env", "pwd; echo $A $B; echo $PATH | grep -q /bin && echo path", more).await;
    assert_eq!(client.ended("env").await.stdout, "/home/user/a b\nown policy\npath\n");
    client.close().await.unwrap();
}

#[tokio::test]
async fn the_shell_of_another_machine_is_the_sandbox_s() {
    let served = served("");
    let mut client = Client::connect(&served.server).await;
    for (number, shell) in
        ["/bin/bash", "/bin/zsh", "/usr/bin/fish/bash", "/opt/homebrew/bin/bash", "bash", "zsh", "/bin/sh"].iter().enumerate()
    {
        let id = number.to_string();
        client.start(&id, "", json!({ "argv": [shell, "-lc", "echo $((40 + 2))"] })).await;
        assert_eq!(client.ended(&id).await.stdout, "42\n", "{shell}");
    }
    // Not every program is a shell.
    let (code, message) = client.refused("process/start", script_of("p", "", json!({ "argv": ["/bin/fish", "-c", "true"] }))).await;
    assert_eq!(code, -32603);
    assert!(message.contains("/bin/fish"), "{message}");
    client.close().await.unwrap();
}

#[tokio::test]
async fn what_cannot_start_says_why_and_leaves_its_id_free() {
    let served = served("");
    let mut client = Client::connect(&served.server).await;
    let (code, message) = client.refused("process/start", script_of("p", "true", json!({ "cwd": "file:///nowhere" }))).await;
    assert_eq!(code, -32603);
    assert!(message.contains("no folder of the host: start wisp for the folder"), "{message}");
    assert_eq!(
        client.refused("process/start", script_of("p", "", json!({ "argv": [] }))).await,
        (-32602, "argv must not be empty".to_owned())
    );
    for wrong in [json!({ "processId": "" }), json!({ "processId": "x".repeat(300) }), json!({ "arg0": "other" })] {
        assert_eq!(client.refused("process/start", script_of("p", "true", wrong.clone())).await.0, -32602, "{wrong}");
    }
    assert_eq!(client.run("p", "echo now").await.stdout, "now\n");
    // Its id is used.
    assert_eq!(client.refused("process/start", script_of("p", "true", json!({}))).await, (-32600, "process p already exists".to_owned()));
    client.close().await.unwrap();
}

#[tokio::test]
async fn what_a_process_leaves_running_goes_on() {
    let served = served("");
    let mut client = Client::connect(&served.server).await;
    client.start("p", &format!("{{ {WAITS}; }} & read -r line; echo over"), json!({ "pipeStdin": true })).await;
    client.until("p", "ready\n").await;
    client.types("p", "\n").await;
    let exited = client.note(|note| note["method"] == "process/exited").await;
    assert_eq!((&exited["params"]["processId"], &exited["params"]["exitCode"]), (&json!("p"), &json!(0)));
    assert_eq!(client.run("q", "echo late > gate").await.code, 0);
    assert_eq!(client.ended("p").await.stdout, "ready\nover\nlate\n");
    client.close().await.unwrap();
}

#[tokio::test]
async fn a_limit_that_ends_a_process_is_said() {
    let served = served("[limits]\nwall = \"2s\"\n");
    let mut client = Client::connect(&served.server).await;
    let ended = client.run("p", "while :; do :; done").await;
    assert!(ended.code != 0 && !ended.denied, "{}", ended.code);
    assert!(ended.stderr.contains("wisp: ended by limits.wall = 2s (set by test.toml:3)"), "{}", ended.stderr);
    assert_eq!(client.run("q", "echo fine").await.stdout, "fine\n");
    client.close().await.unwrap();
}
