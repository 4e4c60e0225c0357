//! Sessions that nobody uses, and those whose time is over, by a clock that the test sets.

use std::time::Duration;

use wisp_api::{CommandRequest, ErrorCode, SessionRequest};
use wisp_service::ServiceLimits;

use super::kit::{builder, code, keyed, owner, session, timed, until};

const MINUTE: Duration = Duration::from_secs(60);
const MOMENT: Duration = Duration::from_millis(1);

fn idle(time: Duration) -> ServiceLimits {
    ServiceLimits { idle: Some(time), ..ServiceLimits::default() }
}

#[tokio::test]
async fn a_session_without_calls_is_closed() {
    let (service, clock) = timed(idle(MINUTE));
    let session = service.open(&owner("one"), SessionRequest::default()).await.unwrap();
    let other = service.open(&owner("one"), SessionRequest::default()).await.unwrap();
    clock.pass(MINUTE - MOMENT);
    assert!(service.sweep().is_empty());
    // A call counts, whatever it does.
    session.touch().unwrap();
    // Looking does not.
    assert_eq!(service.sessions(&owner("one")).len(), 2);
    other.info().unwrap();
    clock.pass(MOMENT);
    assert_eq!(service.sweep(), [other.id().clone()]);
    assert_eq!(code(service.session(&owner("one"), other.id())), ErrorCode::NotFound);
    clock.pass(MINUTE - MOMENT - MOMENT);
    assert!(service.sweep().is_empty());
    let info = session.info().unwrap();
    assert_eq!((info.idle_ms, info.expires_ms), (Some(60_000), None));
    assert_eq!(info.used_ms - info.created_ms, 59_999);
    clock.pass(MOMENT);
    assert_eq!(service.sweep(), [session.id().clone()]);
}

#[tokio::test]
async fn a_session_whose_time_is_over_is_not_found_although_no_sweep_has_come() {
    let (service, clock) = timed(idle(MINUTE));
    let one = owner("one");
    let session = service.open(&one, keyed("k")).await.unwrap();
    clock.pass(MINUTE - MOMENT);
    // Each of these is a use.
    for _ in 0..2 {
        session.files().unwrap();
        clock.pass(MINUTE - MOMENT);
        service.session(&one, session.id()).unwrap();
        clock.pass(MINUTE - MOMENT);
        assert_eq!(service.open(&one, keyed("k")).await.unwrap().id(), session.id());
        clock.pass(MINUTE - MOMENT);
    }
    clock.pass(MOMENT);
    assert_eq!(code(session.files().map(drop)), ErrorCode::NotFound);
    assert_eq!(code(service.session_with_key(&one, "k")), ErrorCode::NotFound);
    assert!(service.sweep().is_empty() && service.sessions(&one).is_empty());
}

#[tokio::test]
async fn a_session_in_which_something_runs_is_used() {
    let (service, clock) = timed(idle(MINUTE));
    let session = service.open(&owner("one"), SessionRequest::default()).await.unwrap();
    let command = session.start(CommandRequest { pipe_stdin: true, ..CommandRequest::script("echo ready; read -r x") }).await.unwrap();
    until(&command, 0, "ready\n").await;
    clock.pass(MINUTE * 100);
    assert!(service.sweep().is_empty());
    assert_eq!(session.info().unwrap().running, 1);
    command.write_stdin("x\n").await.unwrap();
    assert!(command.wait(None).await.unwrap().is_some());
    clock.pass(MINUTE - MOMENT);
    assert!(service.sweep().is_empty());
    clock.pass(MOMENT);
    assert_eq!(service.sweep(), [session.id().clone()]);
}

#[tokio::test]
async fn a_session_that_expires_is_closed_whatever_runs_in_it() {
    let limits = ServiceLimits { idle: None, life: Some(MINUTE), ..ServiceLimits::default() };
    let (service, clock) = timed(limits);
    let session = service.open(&owner("one"), keyed("k")).await.unwrap();
    let command = session.start(CommandRequest::argv(["sleep", "1000"])).await.unwrap();
    let mut waiting = std::pin::pin!(command.wait(None));
    tokio::select! {
        biased;
        _ = &mut waiting => panic!("it sleeps"),
        () = std::future::ready(()) => {}
    }
    clock.pass(MINUTE - MOMENT);
    session.touch().unwrap();
    assert!(service.sweep().is_empty());
    clock.pass(MOMENT);
    // Nobody finds it any more, although no sweep has come yet; its key is free.
    assert_eq!(code(session.touch()), ErrorCode::NotFound);
    assert_eq!(waiting.await.unwrap().unwrap().exit_code(), 137);
    let next = service.open(&owner("one"), keyed("k")).await.unwrap();
    assert_ne!(next.id(), session.id());
    assert_eq!(next.info().unwrap().expires_ms.unwrap() - next.info().unwrap().created_ms, 60_000);
}

#[tokio::test]
async fn a_request_shortens_a_lifetime_and_does_not_lengthen_it() {
    let limits = ServiceLimits { idle: Some(MINUTE), life: Some(MINUTE * 2), ..ServiceLimits::default() };
    let (service, _) = timed(limits);
    for (asked, idle, life) in [(None, 60_000, 120_000), (Some(MINUTE / 2), 30_000, 30_000), (Some(MINUTE * 9), 60_000, 120_000)] {
        let request = SessionRequest { idle: asked, life: asked, ..SessionRequest::default() };
        let info = service.open(&owner("one"), request).await.unwrap().info().unwrap();
        assert_eq!((info.idle_ms, info.expires_ms.map(|expires| expires - info.created_ms)), (Some(idle), Some(life)));
    }
}

/// By the machine's time, and the task of the service.
#[tokio::test]
async fn nobody_needs_to_call_for_a_session_to_be_closed_in_time() {
    // So that its time is not spent on compiling.
    session().await.run(CommandRequest::argv(["sleep", "0"])).await.unwrap();
    let limits = ServiceLimits { idle: None, life: Some(Duration::from_secs(2)), ..ServiceLimits::default() };
    let service = builder(limits).build();
    let session = service.open(&owner("one"), SessionRequest::default()).await.unwrap();
    let command = session.start(CommandRequest::argv(["sleep", "1000"])).await.unwrap();
    let outcome = command.wait(None).await.unwrap().unwrap();
    assert_eq!(outcome.exit_code(), 137);
}
