//! Sessions by name; checkpoints, forks, differences, the policy; what is left when a client is gone.

use std::time::Duration;

use serde_json::json;
use wisp_mcp::{Keep, Options, Server};
use wisp_service::{ServiceLimits, Store};

use super::kit::{Client, at_once, served};
use crate::service::kit::{owner, timed};

#[tokio::test]
async fn two_sessions_have_nothing_in_common() {
    let served = served("", Options::default());
    let mut client = Client::connect(&served.server).await;
    client.text("run_python", json!({ "code": "x = 1; open('file', 'w').write('default') and None" })).await;
    let text = client.text("run_python", json!({ "code": "'x' in globals()", "session": "other" })).await;
    assert_eq!(text, "False\n[the session `other` is new and empty]");
    assert_eq!(client.text("list_files", json!({ "session": "other" })).await, "[there is nothing]");
    client.text("run_python", json!({ "code": "x = 2", "session": "other" })).await;
    assert_eq!(client.text("run_python", json!({ "code": "x", "session": "default" })).await, "1\n");
    assert_eq!(client.text("run_python", json!({ "code": "x", "session": "other" })).await, "2\n");
    // Another client has its own, and finds the named one.
    let mut second = Client::connect(&served.server).await;
    assert_eq!(second.text("run_python", json!({ "code": "'x' in globals()" })).await, "False\n");
    assert_eq!(second.text("run_python", json!({ "code": "x", "session": "other" })).await, "2\n");
    assert_eq!(served.service.sessions(&served.owner).len(), 3);
    // The first takes its own with it; the last takes all.
    client.close().await.unwrap();
    assert_eq!(served.service.sessions(&served.owner).len(), 2);
    assert_eq!(second.text("run_python", json!({ "code": "x", "session": "other" })).await, "2\n");
    second.close().await.unwrap();
    assert!(served.service.sessions(&served.owner).is_empty());
}

#[tokio::test]
async fn named_sessions_are_kept_if_the_options_say_so() {
    let served = served("", Options { keep: Keep::Open, ..Options::default() });
    let mut client = Client::connect(&served.server).await;
    client.text("run_python", json!({ "code": "x = 1" })).await;
    client.text("run_python", json!({ "code": "x = 2", "session": "kept" })).await;
    client.close().await.unwrap();
    assert_eq!(served.service.sessions(&served.owner).len(), 1);
    let mut client = Client::connect(&served.server).await;
    assert_eq!(client.text("run_python", json!({ "code": "x", "session": "kept" })).await, "2\n");
    client.close().await.unwrap();
    served.service.close_owner(&served.owner).await.unwrap();
}

#[tokio::test]
async fn named_sessions_go_on_in_another_server_if_a_store_keeps_them() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::at(folder.path().join("sessions"));
    let keep = || Options { keep: Keep::Saved(store.clone()), ..at_once() };
    let first = served("", keep());
    let mut client = Client::connect(&first.server).await;
    let set = json!({ "code": "x = 2; open('file', 'w').write('two') and None", "session": "kept" });
    assert_eq!(client.text("run_python", set).await, "[the session `kept` is new and empty]");
    client.text("run_python", json!({ "code": "x = 1" })).await;
    client.text("fork_session", json!({ "session": "kept", "name": "fork" })).await;
    // One that runs is ended, and what it had is kept.
    client.begin("run_python", json!({ "code": "y = 3\nprint('ready', flush=True)\nwhile True: pass", "session": "running" }), "t").await;
    client.progress("t", "ready").await;
    client.close().await.unwrap();
    assert!(first.service.sessions(&first.owner).is_empty());
    let names: Vec<String> = store.list().unwrap().into_iter().map(|kept| kept.name).collect();
    assert_eq!(names, ["kept", "running"]);

    let second = served("", keep());
    let mut client = Client::connect(&second.server).await;
    assert_eq!(client.text("run_python", json!({ "code": "x, open('file').read()", "session": "kept" })).await, "(2, 'two')\n");
    assert_eq!(client.text("run_python", json!({ "code": "'x' in globals()" })).await, "False\n");
    // Another server cannot have it at the same time, and a policy that differs is not given it later.
    let third = served("", keep());
    let mut other = Client::connect(&third.server).await;
    assert!(other.fails("run_python", json!({ "code": "x", "session": "kept" })).await.contains("`kept`"));
    client.close().await.unwrap();
    let fourth = served("[limits]\nstdout = \"1KiB\"", keep());
    let mut other = Client::connect(&fourth.server).await;
    assert!(other.fails("run_python", json!({ "code": "x", "session": "kept" })).await.contains("`kept`"));
}

#[tokio::test]
async fn a_session_that_was_closed_for_idleness_is_said_to_be_gone() {
    let minute = Duration::from_secs(60);
    let (service, clock) = timed(ServiceLimits { idle: Some(minute), ..ServiceLimits::default() });
    let server = Server::new(service, owner("idle"), Options::default()).unwrap();
    let mut client = Client::connect(&server).await;
    client.text("run_python", json!({ "code": "x = 1" })).await;
    clock.pass(minute / 2);
    assert_eq!(client.text("run_python", json!({ "code": "x" })).await, "1\n");
    clock.pass(minute);
    let text = client.text("run_python", json!({ "code": "'x' in globals()" })).await;
    assert!(text.starts_with("False\n[the session `default` was closed, because it was not used for long"), "{text}");
    assert_eq!(client.text("run_python", json!({ "code": "1" })).await, "1\n");
}

#[tokio::test]
async fn a_checkpoint_is_gone_back_to_and_forked() {
    let served = served("", Options::default());
    let mut client = Client::connect(&served.server).await;
    let set = |value: u32| json!({ "code": format!("x = {value}; open('file', 'w').write('{value}') and None") });
    let state = |session: &str| json!({ "code": "x, open('file').read()", "session": session });
    client.text("run_python", set(1)).await;
    let text = client.text("checkpoint", json!({ "label": "one" })).await;
    assert!(text.starts_with("checkpoint ") && text.contains("of the session `default`: its files and the Python interpreter"), "{text}");
    let id = text.split(' ').nth(1).expect("an id").to_owned();
    client.text("run_python", set(2)).await;
    assert_eq!(
        client.text("fork_session", json!({ "checkpoint": id, "name": "before" })).await,
        "the session `before` has what `default` had\n"
    );
    let text = client.text("fork_session", json!({})).await;
    assert_eq!(text, "the session `default-fork-1` has what `default` had\n");
    client.text("run_python", set(3)).await;
    assert_eq!(client.text("run_python", state("before")).await, "(1, '1')\n");
    assert_eq!(client.text("run_python", state("default-fork-1")).await, "(2, '2')\n");
    assert_eq!(client.text("run_python", state("default")).await, "(3, '3')\n");
    client.text("restore_session", json!({ "checkpoint": id })).await;
    assert_eq!(client.text("run_python", state("default")).await, "(1, '1')\n");
    // A fork without a checkpoint leaves none behind.
    assert_eq!(served.session("default").checkpoints().unwrap().len(), 1);
    assert!(client.fails("restore_session", json!({ "checkpoint": "none" })).await.contains("no checkpoint `none`"));
    assert!(client.fails("fork_session", json!({ "checkpoint": id, "name": "before" })).await.contains("`before`"));
}

#[tokio::test]
async fn what_changed_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("kept.txt"), "one\ntwo\n").unwrap();
    let lines = format!("[[filesystem.mount]]\nhost = {:?}\nguest = \"/mnt/p\"\naccess = \"overlay\"", folder.path());
    let served = served(&lines, Options::default());
    let mut client = Client::connect(&served.server).await;
    assert!(client.text("session_diff", json!({})).await.starts_with("[nothing below / differs"));
    client.text("edit_file", json!({ "path": "/mnt/p/kept.txt", "old_text": "two", "new_text": "2" })).await;
    client.text("write_file", json!({ "path": "new", "content": "n\n" })).await;
    let text = client.text("session_diff", json!({ "path": "/mnt/p" })).await;
    assert!(text.starts_with("/mnt/p/kept.txt: modified, 6 bytes, in a mounted folder\n") && text.contains("-two\n+2\n"), "{text}");
    let names = client.text("session_diff", json!({ "names_only": true })).await;
    assert!(names.contains("/home/user/new: added, 2 bytes\n") && names.contains("kept.txt: modified") && !names.contains("+2"), "{names}");
    assert_eq!(std::fs::read_to_string(folder.path().join("kept.txt")).unwrap(), "one\ntwo\n");
}

#[tokio::test]
async fn the_policy_is_explained() {
    let served = served("", Options::default());
    let mut client = Client::connect(&served.server).await;
    let text = client.text("explain_policy", json!({})).await;
    assert!(text.contains("There is no network.") && text.contains("/output"), "{text}");
    assert!(text.ends_with("this session is `default`]"), "{text}");
}
