//! Functions of the host: which a policy's sessions have, and calls of them by their handles.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};
use tokio::sync::Notify;
use wisp::{FunctionResult, HostFailure, HostFunction, HostValue};
use wisp_api::{ErrorCode, SessionRequest};

use super::kit::{Servers, Source, code, keyed, owner, service, with_source};

/// A policy with a server, whose tools these are.
fn lines(tools: &[&str]) -> String {
    format!("[host]\nmax_calls = 2\n[[host.mcp]]\nname = \"demo\"\ncommand = [\"server\"]\nallow = {tools:?}")
}

fn same() -> HostFunction {
    HostFunction::new("demo_same", |arguments: HostValue| async move { Ok(arguments) }).documentation("Returns its arguments.")
}

fn other() -> HostFunction {
    HostFunction::new("demo_other", |_: HostValue| async { Ok(json!(1)) })
}

#[tokio::test]
async fn the_functions_of_a_policy_are_listed_without_a_session() {
    let source = Source::new(Servers::Ready, [same(), other()]);
    let service = with_source(&source, &lines(&["same"]));
    let functions = service.functions(None).await.unwrap();
    let found: Vec<_> = functions.iter().map(|one| (one.name.as_str(), one.documentation.as_str(), one.rule.as_str())).collect();
    assert_eq!(found, [("demo_same", "Returns its arguments.", "test.toml:7")], "`demo_other` is not in `allow`");
    assert!(service.sessions(&owner("one")).is_empty());
    let session = service.open(&owner("one"), SessionRequest::default()).await.unwrap();
    assert_eq!(session.functions().unwrap(), functions);
    assert_eq!(code(service.functions(Some("none")).await), ErrorCode::NotFound);
    // A policy without any needs no server.
    let none = with_source(&Source::new(Servers::Silent, []), "");
    assert!(none.functions(Some("test")).await.unwrap().is_empty());
}

#[tokio::test]
async fn servers_that_cannot_be_used_are_named_and_asked_again() {
    let source = Source::new(Servers::Broken, [same()]);
    let service = with_source(&source, &lines(&["same"]));
    let listed = service.functions(None).await.unwrap_err();
    let opened = service.open(&owner("one"), SessionRequest::default()).await.unwrap_err();
    assert_eq!((listed.code(), listed.to_string()), (ErrorCode::StartFailed, opened.to_string()));
    assert!(listed.to_string().contains("the server `demo` has ended"), "{listed}");
    source.set(Servers::Ready);
    assert_eq!(service.functions(None).await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_handle_calls_them_within_the_limits_of_its_session() {
    let service = with_source(&Source::new(Servers::Ready, [same()]), &lines(&["same"]));
    let one = owner("one");
    let (first, second) = (service.open(&one, keyed("a")).await.unwrap(), service.open(&one, keyed("b")).await.unwrap());
    let arguments = || HostValue::from(json!({ "a": [1] }));
    for _ in 0..2 {
        assert_eq!(first.call_function("demo_same", arguments()).await.unwrap(), FunctionResult::Value(arguments()));
    }
    let over = first.call_function("demo_same", arguments()).await.unwrap_err();
    assert_eq!(
        (over.code(), over.to_string().as_str()),
        (ErrorCode::FunctionLimit, "demo_same: stopped by wisp: host.max_calls = 2 (set by test.toml:3)")
    );
    // Those of another session count by themselves.
    assert!(second.call_function("demo_same", arguments()).await.is_ok());
    assert_eq!(code(second.call_function("demo_other", arguments()).await), ErrorCode::FunctionRefused);
    second.close().await.unwrap();
    assert_eq!(code(second.call_function("demo_same", arguments()).await), ErrorCode::NotFound);
    assert_eq!(code(second.functions()), ErrorCode::NotFound);
}

#[tokio::test]
async fn a_call_ends_when_the_caller_stops_waiting() {
    struct Gone(Arc<Notify>);
    impl Drop for Gone {
        fn drop(&mut self) {
            self.0.notify_one();
        }
    }
    let (began, gone, over) = (Arc::new(Notify::new()), Arc::new(Notify::new()), Arc::new(AtomicBool::new(false)));
    let (told, seen, ends) = (began.clone(), gone.clone(), over.clone());
    let hang = HostFunction::new("demo_hang", move |_: HostValue| {
        let (held, ends) = (Gone(seen.clone()), ends.clone());
        told.notify_one();
        async move {
            let _held = held;
            std::future::pending::<()>().await;
            ends.store(true, Ordering::SeqCst);
            Ok::<Value, HostFailure>(json!(null))
        }
    });
    let service = with_source(&Source::new(Servers::Ready, [hang, same()]), &lines(&["hang", "same"]));
    let session = service.open(&owner("one"), SessionRequest::default()).await.unwrap();
    tokio::select! {
        result = session.call_function("demo_hang", json!({}).into()) => panic!("{result:?}"),
        () = began.notified() => {}
    }
    gone.notified().await;
    assert!(!over.load(Ordering::SeqCst));
    // The session goes on.
    assert!(session.call_function("demo_same", json!({}).into()).await.is_ok());
}

#[test]
fn a_thread_without_a_runtime_calls_them() {
    let service = with_source(&Source::new(Servers::Ready, [same()]), &lines(&["same"])).blocking();
    let functions = service.functions(None).unwrap();
    let session = service.open(&owner("one"), SessionRequest::default()).unwrap();
    assert_eq!(session.functions().unwrap(), functions);
    let arguments = || HostValue::from(json!({ "b": 2 }));
    assert_eq!(session.call_function("demo_same", arguments()).unwrap(), FunctionResult::Value(arguments()));
}

#[tokio::test]
async fn a_program_registers_functions_of_its_own() {
    let (service, one) = (service(), owner("one"));
    let policy = super::kit::policy("[host]\nallow = [\"demo_same\"]");
    let session = service.open_with(&one, SessionRequest::default(), &policy, |builder| builder.function(same())).await.unwrap();
    assert_eq!(session.functions().unwrap().len(), 1);
    let returned = session.call_function("demo_same", HostValue::Bytes(vec![7])).await.unwrap();
    assert_eq!(returned, FunctionResult::Value(HostValue::Bytes(vec![7])));
}
