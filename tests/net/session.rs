//! The network in a session: what is checked before it starts, what its programs see, and what its receipts contain.

use std::sync::Arc;

use wisp::policy::HostFiles;
use wisp::policy::{NoFiles, Policy};
use wisp::{Command, Engine, Interpreter, Session, SessionError};
use wisp_policy::schema::Key;
use wisp_tests::server::{Names, Server};

use super::echoes::{STARS, VALUE, answer};

fn findings(policy: &str, build: impl FnOnce(wisp::SessionBuilder) -> wisp::SessionBuilder) -> Vec<String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let policy = Policy::parse(&HostFiles, "p.toml", policy).unwrap();
    let engine = Engine::new(wisp_built::components()).unwrap();
    match runtime.block_on(build(engine.session(&policy)).build()) {
        Ok(_) => Vec::new(),
        Err(SessionError::Policy(errors)) => errors.findings().iter().map(|finding| finding.message.clone()).collect(),
        Err(error) => panic!("{error}"),
    }
}

const SECRET: &str = "[[network.secret]]\nhost = \"a.example\"\nheader = \"Authorization\"\nvalue_from_env = \"WISP_NET_TEST\"\n";

#[test]
fn a_secret_without_a_value_and_a_file_without_certificates_are_found_before_anything_starts() {
    let folder = tempfile::tempdir().unwrap();
    let empty = folder.path().join("empty.pem");
    std::fs::write(&empty, "nothing\n").unwrap();
    let text = format!("[network]\nca = \"{}\"\n{SECRET}", empty.display());
    let found = findings(&text, |builder| builder);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found.iter().any(|message| message.contains("`WISP_NET_TEST` has no value")), "{found:?}");
    assert!(found.iter().any(|message| message.contains("has no certificate")), "{found:?}");
    let found = findings(SECRET, |builder| builder.secret("WISP_NET_TEST", "abc"));
    assert!(found[0].contains("shorter than 4 characters") && !found[0].contains("abc"), "{found:?}");
    assert!(findings(SECRET, |builder| builder.secret("WISP_NET_TEST", "long enough")).is_empty());
}

#[test]
fn chance_and_time_that_repeat_exclude_a_network() {
    let errors = Policy::parse(&NoFiles, "p.toml", "[network]\n[determinism]\nseed = 1\n").unwrap_err();
    assert_eq!(errors.findings()[0].message, "`[network]` and `[determinism]` exclude each other");
    assert!(Policy::parse(&NoFiles, "p.toml", "[network]\n").is_ok());
}

#[tokio::test(flavor = "multi_thread")]
async fn programs_see_placeholders_and_the_documents_see_neither() {
    let text = format!("extends = \"offline\"\n{SECRET}");
    let policy = Policy::parse(&NoFiles, "p.toml", &text).unwrap();
    let engine = Engine::new(wisp_built::components()).unwrap();
    let session = || engine.session(&policy).secret("WISP_NET_TEST", "hunter2-hunter2").resolver(Arc::new(Names::new()));
    let mut seen = Vec::new();
    for _ in 0..2 {
        let session = session().build().await.unwrap();
        let outcome = session.run(Command::new("sh").args(["-c", "echo $WISP_NET_TEST"])).await.unwrap();
        let text = String::from_utf8(outcome.stdout.clone()).unwrap();
        assert!(text.starts_with("wisp-secret-") && text.trim_end().len() == 44, "{text}");
        assert!(!format!("{:?} {:?} {:?}", outcome.receipts, session.policy(), session.worlds().collect::<Vec<_>>()).contains("hunter2"));
        seen.push(text);
    }
    assert_ne!(seen[0], seen[1]);
}

#[test]
fn explain_says_what_may_leave_and_names_secrets_without_values() {
    let text = format!("extends = \"offline\"\n[[network.allow]]\nurl = \"https://a.example/x\"\n{SECRET}");
    let policy = Policy::parse(&NoFiles, "p.toml", &text).unwrap().with_allow("https://b.example/").unwrap();
    let grants = policy.grants().join("\n");
    assert!(grants.contains("network.allow https://a.example/x GET,HEAD\nnetwork.allow https://b.example/ GET,HEAD"), "{grants}");
    assert!(grants.contains("network.secret WISP_NET_TEST a.example header authorization"), "{grants}");
    assert_eq!(policy.rule_of(Key::AllowUrl, "https://b.example/").to_string(), "host program");
    assert_eq!(policy.rule_of(Key::AllowUrl, "https://a.example/x").to_string(), "p.toml:2");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fork_of_a_living_interpreter_sees_only_what_forks_have() {
    let engine = Engine::new(wisp_built::components()).unwrap();
    if engine.memory_fallback().is_some() {
        return;
    }
    for (forks, same) in [("", false), ("forks = true\n", true)] {
        let policy = Policy::parse(&NoFiles, "p.toml", &format!("extends = \"offline\"\n{SECRET}{forks}")).unwrap();
        let session = engine.session(&policy).secret("WISP_NET_TEST", "hunter2-hunter2").build().await.unwrap();
        let mut parent = session.python().await.unwrap();
        let ask = "import os\nprint(os.environ.get('WISP_NET_TEST'))";
        let known = parent.eval(ask).await.unwrap().stdout_text().into_owned();
        assert!(known.starts_with("wisp-secret-"), "{known}");
        let mut child = parent.fork(1).await.unwrap().remove(0);
        let answer = child.eval(ask).await.unwrap().stdout_text().into_owned();
        assert_eq!(answer == known, same, "{answer}");
        let spawned = child.session().run(Command::new("sh").args(["-c", "echo $WISP_NET_TEST"])).await.unwrap();
        assert_eq!(spawned.stdout == known.as_bytes(), same);
    }
}

/// A session that may send requests to the server, and has a secret with this value.
async fn online(engine: &Engine, server: &Server, folder: &std::path::Path, value: &str) -> Session {
    let ca = folder.join("ca.pem");
    std::fs::write(&ca, &server.ca).unwrap();
    let text = format!(
        "extends = \"offline\"\n[env.vars]\nURL = \"https://a.example:{https}/stored\"\n[network]\nca = \"{ca}\"\n\
         allow = [{{ url = \"https://a.example:{https}/\", allow_private = true }}]\n{SECRET}",
        https = server.https,
        ca = ca.display(),
    );
    let policy = Policy::parse(&HostFiles, "p.toml", &text).unwrap();
    let names = Names::new().with("a.example", &[&["127.0.0.1"]]);
    engine.session(&policy).resolver(Arc::new(names)).secret("WISP_NET_TEST", value).build().await.unwrap()
}

/// What the interpreter reads of the text stored at the server.
async fn reads(interpreter: &mut Interpreter) -> String {
    let ask = "import os, urllib.request as u\nprint(u.urlopen(os.environ['URL']).read().decode(), end='')";
    let cell = interpreter.eval(ask).await.unwrap();
    assert!(cell.success(), "{}", cell.outcome.stderr_text());
    cell.stdout_text().into_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_continues_another_sees_no_more_of_its_secrets() {
    let engine = Engine::new(wisp_built::components()).unwrap();
    if engine.memory_fallback().is_some() {
        return;
    }
    let server = Server::start(&["a.example"]).await;
    server.also(answer);
    let folder = tempfile::tempdir().unwrap();
    let (masked, plain) = (format!("token={STARS}"), format!("token={VALUE}"));
    let session = online(&engine, &server, folder.path(), VALUE).await;
    let mut parent = session.python().await.unwrap();
    assert_eq!(reads(&mut parent).await, masked);
    // Interpreters, from snapshot to snapshot, and shells.
    let snapshot = parent.snapshot().await.unwrap();
    let mut fork = snapshot.fork().await.unwrap();
    let mut fork_of_fork = fork.fork(1).await.unwrap().remove(0);
    assert_eq!((reads(&mut fork).await, reads(&mut fork_of_fork).await), (masked.clone(), masked.clone()));
    let mut shell = session.shell().await.unwrap().fork(1).remove(0).snapshot().fork();
    assert_eq!(shell.eval("curl -sS $URL").await.unwrap().stdout_text(), masked);
    // A session that never had that secret receives what the server sends, until it continues from one that had it.
    let other = online(&engine, &server, folder.path(), "another value").await;
    let mut interpreter = other.python().await.unwrap();
    assert_eq!(reads(&mut interpreter).await, plain);
    interpreter.restore(&fork_of_fork.snapshot().await.unwrap()).await.unwrap();
    assert_eq!(reads(&mut interpreter).await, masked);
    assert_eq!(reads(&mut interpreter.fork(1).await.unwrap()[0]).await, masked);
}
