//! Kept sessions that are live in a service: opened where they stopped, saved, parked, and what is lost.

use std::time::Duration;

use futures_util::FutureExt;
use wisp::Policy;
use wisp_api::{CodeRequest, CommandRequest, ErrorCode, SessionRequest};
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

/// A copy that is being made when a session's time is over is waited for. The session is kept, with its interpreter.
#[tokio::test]
async fn a_session_whose_time_is_over_while_it_is_copied_is_saved() {
    for keeps in [false, true] {
        let (_folder, store) = store();
        let (service, clock) = timed(ServiceLimits { life: Some(MINUTE), ..ServiceLimits::default() });
        let session = opened(&service, &store).await;
        eval(&session, "x = 1").await;
        // The first poll starts it.
        match keeps {
            false => assert!(session.checkpoint(None).now_or_never().is_none()),
            true => assert!(session.keep().now_or_never().is_none()),
        }
        clock.pass(MINUTE);
        assert_eq!(service.sweep(), [session.id().clone()]);
        let session = open(&service, freed(&store).await, None).await;
        assert_eq!(eval(&session, "x").await.value.as_deref(), Some("1"), "while it is kept: {keeps}");
    }
}

/// What a call was told that it did is in what is parked, or the call was refused.
#[tokio::test]
async fn nothing_is_done_between_saving_and_closing() {
    let (_folder, store) = store();
    let service = service();
    let mut session = opened(&service, &store).await;
    sh(&session, "main", "n=0").await;
    eval(&session, "x = 0").await;
    for turn in 1..=8 {
        let script = session.run(CommandRequest::in_shell("main", format!("n={turn}")));
        let code = async { session.evaluate(CodeRequest::new(format!("x = {turn}"))).await?.wait(None).await };
        let (parked, script, code) = tokio::join!(session.park(), script, code);
        if let Err(error) = parked {
            // One of them came first.
            assert_eq!(error.code(), ErrorCode::Conflict, "{error}");
            assert_eq!(session.park().await.expect("nothing runs any more"), Saved::default());
        }
        session = opened(&service, &store).await;
        if script.is_ok_and(|outcome| outcome.success()) {
            assert_eq!(sh(&session, "main", "echo $n").await, format!("{turn}\n"));
        }
        if code.is_ok_and(|result| result.is_some_and(|result| result.success())) {
            assert_eq!(eval(&session, "x").await.value, Some(turn.to_string()));
        }
    }
}

/// A caller that goes away while it closes several sessions leaves none of them half closed: their stores have them back.
#[tokio::test]
async fn sessions_are_closed_although_nobody_waits() {
    let (_folder, store) = store();
    let service = service();
    let mut sessions = Vec::new();
    for name in ["a", "b", "c"] {
        let kept = store.open(name).expect("it is free");
        sessions.push(open(&service, kept, Some(policy(""))).await);
    }
    drop(service.close_all().now_or_never());
    // The handles are still there.
    for (name, session) in ["a", "b", "c"].iter().zip(&sessions) {
        assert_eq!(code(session.info()), ErrorCode::NotFound);
        while matches!(store.open(name), Err(StoreError::InUse { .. })) {
            tokio::task::yield_now().await;
        }
    }
}

/// A session that is closed while it is kept has what was kept before, or now.
#[tokio::test]
async fn closing_while_it_is_kept_removes_nothing_that_was_kept() {
    let (_folder, store) = store();
    let service = service();
    let session = opened(&service, &store).await;
    eval(&session, "x = 1").await;
    assert_eq!(session.park().await.expect("it is parked"), Saved::default());
    for _ in 0..8 {
        let session = opened(&service, &store).await;
        let (kept, closed) = tokio::join!(session.keep(), session.close());
        closed.expect("it was open");
        drop((kept, session));
        let session = open(&service, freed(&store).await, None).await;
        assert_eq!(eval(&session, "x").await.value.as_deref(), Some("1"));
        assert_eq!(session.park().await.expect("it is parked"), Saved::default());
    }
}
