//! Kept sessions that are live in a service: opened where they stopped, saved, parked, and what is lost.

use std::time::Duration;

use wisp::Policy;
use wisp_api::{CommandRequest, ErrorCode, SessionRequest};
use wisp_service::{KeptSession, Saved, Service, ServiceLimits, SessionHandle, Store, StoreError};

use super::kit::{code, eval, keyed, owner, policy, service, timed};

const MINUTE: Duration = Duration::from_secs(60);

fn store() -> (tempfile::TempDir, Store) {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let store = Store::at(folder.path().join("sessions"));
    (folder, store)
}

async fn open(service: &Service, kept: KeptSession, policy: Option<Policy>) -> SessionHandle {
    service.open_kept(&owner("one"), SessionRequest::default(), kept, policy, |builder| builder).await.expect("it is opened")
}

/// Opens the session `s`, begun earlier or not.
async fn opened(service: &Service, store: &Store) -> SessionHandle {
    let kept = store.open("s").expect("it is free");
    let policy = (!kept.begun()).then(|| policy(""));
    open(service, kept, policy).await
}

/// Runs a script in a shell of the session; it must succeed.
async fn sh(session: &SessionHandle, shell: &str, script: &str) -> String {
    let outcome = session.run(CommandRequest::in_shell(shell, script)).await.expect("a shell");
    assert!(outcome.success(), "{script}\n{}", outcome.stderr_text());
    outcome.stdout_text().into_owned()
}

/// Waits until nobody has the session `s`: the service closes in the background what it closes by itself.
async fn freed(store: &Store) -> KeptSession {
    loop {
        match store.open("s") {
            Ok(kept) => return kept,
            Err(StoreError::InUse { .. }) => tokio::task::yield_now().await,
            Err(other) => panic!("{other}"),
        }
    }
}

#[tokio::test]
async fn a_parked_session_goes_on_in_another_service() {
    let (_folder, store) = store();
    let first = service();
    let session = opened(&first, &store).await;
    sh(&session, "main", "cd /tmp; n=41; echo kept > note").await;
    eval(&session, "x = 41").await;
    assert!(matches!(store.open("s"), Err(StoreError::InUse { .. })), "the live session has it");
    assert_eq!(session.park().await.expect("it is parked"), Saved::default());
    assert_eq!(code(session.info()), ErrorCode::NotFound);

    let second = service();
    let session = opened(&second, &store).await;
    assert_eq!(sh(&session, "main", "pwd; echo $((n + 1)); cat note").await, "/tmp\n42\nkept\n");
    assert_eq!(eval(&session, "x + 1").await.value.as_deref(), Some("42"));
    // An interpreter that was closed is not there the next time.
    session.close_interpreter("python").await.expect("it is there");
    assert_eq!(session.park().await.expect("it is parked"), Saved::default());
    assert!(!store.list().expect("a list")[0].python);
}

#[tokio::test]
async fn a_saved_session_goes_on_and_what_is_not_kept_is_named() {
    let (_folder, store) = store();
    let service = service();
    let session = opened(&service, &store).await;
    for shell in ["main", "build"] {
        sh(&session, shell, "echo once > once").await;
    }
    eval(&session, "x = 1").await;
    let lost = session.keep().await.expect("it is kept").not_carried;
    assert_eq!(lost, ["the shell build"]);
    // What changes after that is lost if a caller closes it.
    sh(&session, "main", "echo later > later").await;
    assert_eq!(eval(&session, "x += 1; x").await.value.as_deref(), Some("2"));
    session.close().await.expect("it is open");
    let session = opened(&service, &store).await;
    assert_eq!(sh(&session, "main", "echo once* later*").await, "once later*\n");
    assert_eq!(eval(&session, "x").await.value.as_deref(), Some("1"));
}

#[tokio::test]
async fn a_session_whose_time_is_over_is_saved_before_it_is_closed() {
    let (_folder, store) = store();
    let (service, clock) = timed(ServiceLimits { idle: Some(MINUTE), ..ServiceLimits::default() });
    let session = opened(&service, &store).await;
    sh(&session, "main", "echo kept > note").await;
    eval(&session, "x = 1").await;
    clock.pass(MINUTE);
    assert_eq!(service.sweep(), [session.id().clone()]);
    assert_eq!(code(session.keep().await), ErrorCode::NotFound, "nobody finds it any more");
    let session = open(&service, freed(&store).await, None).await;
    assert_eq!(sh(&session, "main", "cat note").await, "kept\n");
    assert_eq!(eval(&session, "x").await.value.as_deref(), Some("1"));
}

#[tokio::test]
async fn what_cannot_be_kept_or_opened_says_why() {
    let (_folder, store) = store();
    let service = service();
    let plain = service.open(&owner("one"), keyed("k")).await.expect("a session");
    assert_eq!(code(plain.keep().await), ErrorCode::Conflict, "no store keeps it");
    let open = async |request: SessionRequest, policy: Option<Policy>| {
        let kept = store.open("s").expect("it is free");
        service.open_kept(&owner("one"), request, kept, policy, |builder| builder).await
    };
    let with_env = SessionRequest { env: [("A".to_owned(), "1".to_owned())].into(), ..SessionRequest::default() };
    for (request, given, expected) in [
        (SessionRequest::default(), None, ErrorCode::Conflict),
        (keyed("k"), Some(policy("")), ErrorCode::Conflict),
        (keyed(""), Some(policy("")), ErrorCode::InvalidArgument),
        (with_env, Some(policy("")), ErrorCode::InvalidArgument),
    ] {
        assert_eq!(code(open(request, given).await), expected);
        assert!(!store.folder().join("s").exists(), "nothing was begun");
    }
    // The twin, and another policy than it began with.
    let session = open(keyed("other"), Some(policy(""))).await.expect("it is opened");
    assert_eq!(session.park().await.expect("it is parked"), Saved::default());
    let refused = open(SessionRequest::default(), Some(policy("[limits]\nstdout = \"1KiB\""))).await;
    assert_eq!(code(refused), ErrorCode::SnapshotMismatch);
    assert!(open(SessionRequest::default(), None).await.is_ok());
}

#[tokio::test]
async fn a_session_in_which_something_runs_is_not_saved_until_it_has_ended() {
    let (_folder, store) = store();
    let service = service();
    let session = opened(&service, &store).await;
    let script = CommandRequest { pipe_stdin: true, ..CommandRequest::in_shell("main", "read -r x; echo $x > note") };
    let running = session.start(script).await.expect("it starts");
    assert_eq!(code(session.park().await), ErrorCode::Conflict, "its shell has no state yet");
    assert!(session.info().is_ok(), "it stays open");
    running.write_stdin("typed\n").await.expect("it reads");
    assert!(running.wait(None).await.expect("an outcome").is_some());
    assert_eq!(session.park().await.expect("it is parked"), Saved::default());
    let session = opened(&service, &store).await;
    assert_eq!(sh(&session, "main", "cat note; echo $x").await, "typed\ntyped\n");
}
