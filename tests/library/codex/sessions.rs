//! The session of a client: what is kept of it, and who may go on with it.

use serde_json::{Value, json};
use wisp_codex::{Options, Server};
use wisp_service::{Owner, Service, StoreError};

use super::kit::{Client, WAITS, base64, mount, served, with};
use crate::service::kit::{RUNTIME, policy};

async fn refusal(server: &Server, session: &str) -> Value {
    match Client::begin(server, Some(session)).await {
        Ok(_) => panic!("{session} was opened"),
        Err(error) => error,
    }
}

#[tokio::test]
async fn a_client_goes_on_with_its_session() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("file"), "host\n").unwrap();
    let served = served(&mount(folder.path(), "/mnt/a", "overlay"));
    let mut first = Client::connect(&served.server).await;
    let session = first.session.clone();
    first.run("p", "echo mine > note; echo sandbox > /mnt/a/file").await;
    first.close().await.unwrap();
    assert!(!served.is_open());
    assert_eq!(served.kept(), std::slice::from_ref(&session));

    let mut second = Client::resume(&served.server, &session).await;
    assert_eq!(second.session, session);
    assert_eq!(second.run("p", "cat note /mnt/a/file; echo more >> note").await.stdout, "mine\nsandbox\n");
    second.close().await.unwrap();
    let mut third = Client::resume(&served.server, &session).await;
    assert_eq!(third.run("p", "cat note").await.stdout, "mine\nmore\n");
    third.close().await.unwrap();
    assert_eq!(std::fs::read_to_string(folder.path().join("file")).unwrap(), "host\n");

    // Who does not name it has another one.
    let mut other = Client::connect(&served.server).await;
    assert_ne!(other.session, session);
    assert_eq!(other.run("p", "ls").await.stdout, "");
    other.close().await.unwrap();
}

#[tokio::test]
async fn a_session_is_had_by_one_client_at_a_time() {
    let served = served("");
    let mut first = Client::connect(&served.server).await;
    let session = first.session.clone();
    assert_eq!(refusal(&served.server, &session).await["code"], -32600, "it is not kept yet");
    first.run("p", "echo mine > note").await;
    first.close().await.unwrap();
    let first = Client::resume(&served.server, &session).await;
    let error = refusal(&served.server, &session).await;
    assert!(error["code"] == -32010 && error["message"].as_str().is_some_and(|text| text.contains(&session)), "{error}");
    first.close().await.unwrap();
    Client::resume(&served.server, &session).await.close().await.unwrap();
}

#[tokio::test]
async fn what_there_is_not_cannot_be_gone_on_with() {
    let served = served("");
    for name in ["none", "", "../x", "a b", &"x".repeat(1_000)] {
        let error = refusal(&served.server, name).await;
        assert!(error["code"] == -32600 && error["message"].as_str().is_some_and(|text| text.starts_with("unknown session id")), "{error}");
    }
    // After that, the same connection may begin anew.
    let mut client = Client::silent(&served.server);
    assert_eq!(client.refused("initialize", json!({ "resumeSessionId": "none" })).await.0, -32600);
    client.call("initialize", json!({ "resumeSessionId": null })).await;
    client.close().await.unwrap();
}

#[tokio::test]
async fn a_session_in_which_nothing_was_done_is_not_kept() {
    let served = served("");
    let mut client = Client::connect(&served.server).await;
    let session = client.session.clone();
    assert_eq!(client.run("p", "ls; cat /etc/passwd >/dev/null; exit 1").await.code, 1);
    client.close().await.unwrap();
    assert!(served.kept().is_empty() && !served.is_open());
    // Who comes back finds what it left.
    let mut client = Client::resume(&served.server, &session).await;
    assert_eq!(client.session, session);
    client.run("p", "touch now").await;
    client.close().await.unwrap();
    assert_eq!(served.kept(), [session]);
}

#[tokio::test]
async fn a_session_with_a_name_is_always_kept() {
    let served = with("", |options| Options { session: Some("work".to_owned()), ..options });
    let client = Client::connect(&served.server).await;
    assert_eq!(client.session, "work");
    assert!(matches!(served.store.open("work"), Err(StoreError::InUse { .. })));
    client.close().await.unwrap();
    assert_eq!(served.kept(), ["work"]);
    let mut client = Client::connect(&served.server).await;
    client.call("fs/writeFile", json!({ "path": "file:///home/user/note", "dataBase64": base64("x") })).await;
    client.close().await.unwrap();
    assert_eq!(Client::connect(&served.server).await.run("p", "cat note").await.stdout, "x");
}

#[tokio::test]
async fn a_session_has_the_policy_that_it_began_with() {
    let served = with("", |options| Options { session: Some("work".to_owned()), ..options });
    Client::connect(&served.server).await.close().await.unwrap();
    let service = Service::builder(RUNTIME.clone()).policy("other", policy("[limits]\nmemory = \"64MiB\"\n")).build();
    let options = Options { store: Some(served.store.clone()), session: Some("work".to_owned()), ..Options::default() };
    let other = Server::new(service, Owner::new("codex"), options).unwrap();
    let Err(error) = Client::begin(&other, None).await else { panic!("it was opened") };
    assert!(error["code"] == -32600 && error["message"].as_str().is_some_and(|text| text.contains("work")), "{error}");
    Client::connect(&served.server).await.close().await.unwrap();
}

#[tokio::test]
async fn without_a_store_nothing_is_kept() {
    let served = with("", |options| Options { store: None, ..options });
    let mut client = Client::connect(&served.server).await;
    let session = client.session.clone();
    client.run("p", "touch file").await;
    client.close().await.unwrap();
    assert!(!served.is_open());
    assert_eq!(refusal(&served.server, &session).await["code"], -32600);
}

#[tokio::test]
async fn whoever_goes_away_leaves_nothing_running() {
    let served = served("");
    for way in 0..4 {
        let mut client = Client::connect(&served.server).await;
        client.start("p", &format!("touch made; {WAITS}"), json!({})).await;
        client.start("q", &format!("trap '' INT TERM HUP; sleep 1000 & {WAITS}"), json!({ "tty": true })).await;
        client.until("p", "ready\n").await;
        client.until("q", "ready\r\n").await;
        client.send("process/read", json!({ "processId": "p", "afterSeq": 1_000, "waitMs": 600_000 })).await;
        match way {
            0 => client.close().await.unwrap(),
            1 => client.vanish().await.unwrap(),
            2 => client.stop().await.unwrap(),
            _ => {
                client.abort().await;
                served.closed().await;
            }
        }
        assert!(!served.is_open(), "{way}");
    }
    // Each has made a file, so each was kept.
    assert_eq!(served.kept().len(), 4);
}

#[tokio::test]
async fn what_was_asked_for_before_the_end_is_answered() {
    let served = served("");
    let mut client = Client::connect(&served.server).await;
    let id = client.send("fs/writeFile", json!({ "path": "file:///home/user/note", "dataBase64": base64("x") })).await;
    client.end().await;
    let rest = client.rest().await;
    assert!(rest.iter().any(|message| message["id"] == id && message.get("result").is_some()), "{rest:?}");
    let session = client.session.clone();
    client.close().await.unwrap();
    assert_eq!(Client::resume(&served.server, &session).await.run("p", "cat note").await.stdout, "x");
}
