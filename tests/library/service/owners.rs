//! An owner finds its own sessions, and no others.

use futures_util::future::join_all;
use wisp_api::{CodeRequest, CommandRequest, ErrorCode, SessionId, SessionRequest};
use wisp_service::{ServiceError, ServiceLimits};

use super::kit::{builder, code, keyed, owner, policy, service};

#[tokio::test]
async fn the_id_of_another_owner_is_no_id() {
    let (service, one, other) = (service(), owner("one"), owner("other"));
    let id = service.open(&one, keyed("k")).await.unwrap().id().clone();
    let wrong = SessionId::from("00000000000000000000000000000000");
    // The same words for an id that nobody has.
    let text = |error: ServiceError, id: &str| (error.code(), error.to_string().replace(id, "ID"));
    let foreign = text(service.session(&other, &id).unwrap_err(), id.as_str());
    assert_eq!(foreign, text(service.session(&one, &wrong).unwrap_err(), wrong.as_str()));
    assert_eq!(foreign, (ErrorCode::NotFound, "there is no session `ID`".to_owned()));
    let foreign = text(service.close(&other, &id).await.unwrap_err(), id.as_str());
    assert_eq!(foreign, text(service.close(&one, &wrong).await.unwrap_err(), wrong.as_str()));
    let foreign = text(service.session_with_key(&other, "k").unwrap_err(), "k");
    assert_eq!(foreign, text(service.session_with_key(&one, "j").unwrap_err(), "j"));
    assert!(service.sessions(&other).is_empty());
    assert_eq!(service.close_owner(&other).await.unwrap(), 0);

    // Each of them works for its owner.
    assert_eq!(service.session(&one, &id).unwrap().id(), &id);
    assert_eq!(service.session_with_key(&one, "k").unwrap().id(), &id);
    assert_eq!(service.sessions(&one).len(), 1);
    service.close(&one, &id).await.unwrap();
    assert_eq!(code(service.session(&one, &id)), ErrorCode::NotFound);
}

#[tokio::test]
async fn ids_are_random_and_the_list_tells_everything() {
    let (service, one) = (service(), owner("one"));
    let request = SessionRequest { labels: [("run".to_owned(), "7".to_owned())].into(), ..keyed("k") };
    let first = service.open(&one, request).await.unwrap();
    let second = service.open(&one, SessionRequest::default()).await.unwrap();
    for session in [&first, &second] {
        assert!(session.id().as_str().len() == 32 && session.id().as_str().bytes().all(|byte| byte.is_ascii_hexdigit()));
    }
    assert_ne!(first.id(), second.id());
    let all = service.sessions(&one);
    let info = all.iter().find(|info| info.id == *first.id()).unwrap();
    assert_eq!((info.owner.as_str(), info.key.as_deref(), info.policy.as_str()), ("one", Some("k"), "test"));
    assert_eq!((info.labels["run"].as_str(), info.running, all.len()), ("7", 0, 2));
    assert_eq!(first.info().unwrap(), *info);
}

#[tokio::test]
async fn a_key_finds_the_session_that_has_it() {
    let (service, one) = (service(), owner("one"));
    let first = service.open(&one, keyed("k")).await.unwrap();
    assert_eq!(service.open(&one, keyed("k")).await.unwrap().id(), first.id());
    // Another owner's key is another key.
    let foreign = service.open(&owner("other"), keyed("k")).await.unwrap();
    assert_ne!(foreign.id(), first.id());
    assert_ne!(service.open(&one, keyed("j")).await.unwrap().id(), first.id());
    // Without a key, each is a new one.
    let none = SessionRequest::default;
    assert_ne!(service.open(&one, none()).await.unwrap().id(), service.open(&one, none()).await.unwrap().id());

    first.close().await.unwrap();
    let next = service.open(&one, keyed("k")).await.unwrap();
    assert_ne!(next.id(), first.id());
    assert_eq!(service.session_with_key(&owner("other"), "k").unwrap().id(), foreign.id());
    for (key, allowed) in [("", false), (&*"k".repeat(256), true), (&*"k".repeat(257), false)] {
        let opened = service.open(&one, keyed(key)).await;
        assert_eq!(opened.map(|_| ()).map_err(|error| error.code()), if allowed { Ok(()) } else { Err(ErrorCode::InvalidArgument) });
    }
}

#[tokio::test]
async fn a_key_with_another_policy_is_refused() {
    let (service, one) = (service(), owner("one"));
    let small = SessionRequest { policy: Some("small".to_owned()), ..keyed("k") };
    let first = service.open(&one, small.clone()).await.unwrap();
    assert_eq!(service.open(&one, small).await.unwrap().id(), first.id());
    assert_eq!(code(service.open(&one, keyed("k")).await), ErrorCode::Conflict);
    // Variables of the environment are part of it.
    let with = |value: &str| SessionRequest { env: [("A".to_owned(), value.to_owned())].into(), ..keyed("env") };
    let first = service.open(&one, with("1")).await.unwrap();
    assert_eq!(service.open(&one, with("1")).await.unwrap().id(), first.id());
    assert_eq!(code(service.open(&one, with("2")).await), ErrorCode::Conflict);
    assert_eq!(first.run(CommandRequest::script("echo $A")).await.unwrap().stdout_text(), "1\n");
}

#[tokio::test]
async fn calls_at_the_same_time_open_one_session() {
    let (service, one) = (service(), owner("one"));
    let all = join_all((0..8).map(|_| service.open(&one, keyed("k")))).await;
    let ids: Vec<_> = all.into_iter().map(|session| session.unwrap().id().clone()).collect();
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
    assert_eq!(service.sessions(&one).len(), 1);
}

#[tokio::test]
async fn a_policy_is_one_that_the_service_offers_or_the_programs_own() {
    let (service, one) = (service(), owner("one"));
    let named = |name: &str| SessionRequest { policy: Some(name.to_owned()), ..SessionRequest::default() };
    let error = service.open(&one, named("open")).await.unwrap_err();
    assert_eq!((error.code(), error.to_string().contains("offline, small")), (ErrorCode::NotFound, true), "{error}");
    let small = service.open(&one, named("small")).await.unwrap();
    let outcome = small.run(CommandRequest::script("head -c 2000 /dev/zero")).await.unwrap();
    assert_eq!(outcome.limit.as_ref().map(|hit| hit.value.as_str()), Some("1KiB"));

    let own = policy("[env.vars]\nB = \"own\"");
    assert_eq!(code(service.open_with(&one, named("small"), &own, |builder| builder).await), ErrorCode::InvalidArgument);
    let session = service.open_with(&one, SessionRequest::default(), &own, |builder| builder.env("C", "set")).await.unwrap();
    assert_eq!(session.run(CommandRequest::script("echo $B $C")).await.unwrap().stdout_text(), "own set\n");
}

#[tokio::test]
async fn there_are_only_so_many_sessions() {
    let limits = ServiceLimits { sessions: 3, sessions_per_owner: 2, ..ServiceLimits::default() };
    let service = builder(limits).build();
    let (one, other) = (owner("one"), owner("other"));
    let first = service.open(&one, keyed("k")).await.unwrap();
    service.open(&one, SessionRequest::default()).await.unwrap();
    assert_eq!(code(service.open(&one, SessionRequest::default()).await), ErrorCode::ServiceLimit);
    // One that exists needs no place, and another owner has its own.
    service.open(&one, keyed("k")).await.unwrap();
    service.open(&other, SessionRequest::default()).await.unwrap();
    let full = service.open(&other, SessionRequest::default()).await.unwrap_err();
    assert_eq!((full.code(), full.code().retryable()), (ErrorCode::NoRoom, true));
    first.close().await.unwrap();
    service.open(&other, SessionRequest::default()).await.unwrap();
    assert_eq!(service.close_all().await.unwrap(), 3);
    assert!(service.sessions(&one).is_empty() && service.sessions(&other).is_empty());
}

#[tokio::test]
async fn what_was_closed_is_gone_for_every_handle() {
    let (service, one) = (service(), owner("one"));
    let session = service.open(&one, SessionRequest::default()).await.unwrap();
    let handle = service.session(&one, session.id()).unwrap();
    let command = session.start(CommandRequest::argv(["sleep", "1000"])).await.unwrap();
    let mut waiting = std::pin::pin!(command.wait(None));
    // It waits already when the session is closed, and has the outcome.
    tokio::select! {
        biased;
        _ = &mut waiting => panic!("it sleeps"),
        () = std::future::ready(()) => {}
    }
    session.close().await.unwrap();
    assert_eq!(waiting.await.unwrap().unwrap().exit_code(), 137);
    assert_eq!(code(handle.close().await), ErrorCode::NotFound);
    assert_eq!(code(handle.info()), ErrorCode::NotFound);
    assert_eq!(code(handle.files().map(drop)), ErrorCode::NotFound);
    assert_eq!(code(handle.start(CommandRequest::argv(["true"])).await), ErrorCode::NotFound);
    assert_eq!(code(command.kill()), ErrorCode::NotFound);
}

/// A caller that goes away, and whose surface then closes everything of it, leaves no session that is opened afterwards.
#[tokio::test]
async fn a_session_that_is_being_opened_is_closed_with_the_others() {
    let service = service();
    for (closed, opens) in [("one", false), ("other", true)] {
        let (go, wait) = std::sync::mpsc::channel::<()>();
        let (policy, one) = (policy(""), owner("one"));
        let wait = move |builder| {
            let _ = wait.recv();
            builder
        };
        let mut opening = std::pin::pin!(service.open_with(&one, SessionRequest::default(), &policy, wait));
        tokio::select! {
            biased;
            _ = &mut opening => panic!("it waits"),
            () = std::future::ready(()) => {}
        }
        assert_eq!(service.close_owner(&owner(closed)).await.unwrap(), 0);
        go.send(()).unwrap();
        let opened = opening.await.map(|_| ()).map_err(|error| error.code());
        assert_eq!(opened, if opens { Ok(()) } else { Err(ErrorCode::NotFound) });
        assert_eq!(service.sessions(&one).len(), usize::from(opens));
    }
}

#[tokio::test]
async fn names_are_neither_empty_nor_long() {
    let (service, one) = (service(), owner("one"));
    let session = service.open(&one, SessionRequest::default()).await.unwrap();
    let longest = "n".repeat(256);
    for (name, allowed) in [(String::new(), false), (longest.clone(), true), (longest + "n", false)] {
        let expected = if allowed { Ok(()) } else { Err(ErrorCode::InvalidArgument) };
        let code = CodeRequest { interpreter: name.clone(), ..CodeRequest::new("1") };
        let tagged = CommandRequest { tag: Some(name.clone()), ..CommandRequest::argv(["true"]) };
        let results = [
            session.evaluate(code).await.map(drop),
            session.start(tagged).await.map(drop),
            session.start(CommandRequest::in_shell(name.as_str(), "true")).await.map(drop),
        ];
        assert_eq!(results.map(|result| result.map_err(|error| error.code())), [expected; 3], "{} bytes", name.len());
        let labelled = SessionRequest { labels: [(name.clone(), "v".repeat(16 << 10))].into(), ..SessionRequest::default() };
        assert_eq!(service.open(&one, labelled).await.is_ok(), name.is_empty(), "the name counts");
    }
    let session = service.open(&one, SessionRequest::default()).await.unwrap();
    for (label, allowed) in [("", false), ("a", true)] {
        assert_eq!(session.checkpoint(Some(label.to_owned())).await.is_ok(), allowed);
    }
}
