//! Calls of functions of the host from outside the sandbox: what is listed, and that the policy decides as it does on a guest's.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use futures_util::{FutureExt, stream};
use parking_lot::Mutex;
use serde_json::{Value, json};
use tokio::sync::Notify;
use wisp::{
    ErrorCode, Fault, FunctionError, FunctionResult, HostFailure, HostFunction, HostReplay, HostValue, Receipt, ReceiptKind, ReceiptSink,
    Session, SessionBuilder, Verdict,
};

use crate::functions::File;
use crate::kit::{builder, printed, sh};

/// `double(n)`: fails for what is no number.
fn double() -> HostFunction {
    let double = HostFunction::new("double", |arguments: HostValue| async move {
        let arguments: Value = arguments.read()?;
        let number = arguments["n"].as_i64().ok_or_else(|| HostFailure::new("NotANumber", "`n` is no number"))?;
        Ok(json!(number * 2))
    });
    double
        .documentation("Doubles a number.")
        .parameters(&json!({ "type": "object", "properties": { "n": { "type": "integer" } }, "required": ["n"] }))
        .returns(&json!({ "type": "integer" }))
}

/// `count(to)`: the numbers up to `to`, and a failure after 3.
fn count() -> HostFunction {
    HostFunction::streaming("count", |arguments: HostValue| {
        let to = arguments.read::<Value>().map_or(0, |arguments| arguments["to"].as_u64().unwrap_or(0));
        let item = |number: u64| match number {
            4 => Err(HostFailure::new("TooFar", "4 is too far")),
            number => Ok(json!(number)),
        };
        stream::iter((1..=to).map(item).collect::<Vec<_>>())
    })
}

/// Its own argument, after it has waited once: bytes stay bytes.
fn echo() -> HostFunction {
    HostFunction::new("echo", |arguments: HostValue| async move {
        tokio::task::yield_now().await;
        Ok(arguments)
    })
}

fn with_functions(lines: &str) -> SessionBuilder {
    builder(lines).function(double()).function(count()).function(echo())
}

const ALL: &str = "[host]\nallow = [\"double\", \"count\", \"echo\"]";

async fn double_of(session: &Session, number: i64) -> Result<FunctionResult, FunctionError> {
    session.call_function("double", json!({ "n": number }).into()).await
}

fn value(value: impl Into<HostValue>) -> FunctionResult {
    FunctionResult::Value(value.into())
}

fn names(session: &Session) -> Vec<String> {
    session.functions().into_iter().map(|function| function.name).collect()
}

/// Keeps the receipts of calls: the process, what, whether it was allowed, and by which rule.
#[derive(Default)]
struct Log(Mutex<Vec<(u32, String, bool, String)>>);

impl ReceiptSink for Log {
    fn record(&self, receipt: &Receipt) {
        if receipt.kind == ReceiptKind::Function {
            let allowed = receipt.verdict == Verdict::Allowed;
            self.0.lock().push((receipt.process, receipt.subject.clone(), allowed, receipt.rule.clone()));
        }
    }
}

impl Log {
    fn take(&self) -> Vec<(u32, String, bool, String)> {
        std::mem::take(&mut *self.0.lock())
    }
}

/// The receipt of a call from outside.
fn receipt(subject: &str, allowed: bool, rule: &str) -> (u32, String, bool, String) {
    (0, subject.to_owned(), allowed, rule.to_owned())
}

#[tokio::test]
async fn what_a_session_has_is_listed_with_schemas_and_rules() {
    let session =
        with_functions("[host]\nallow = [\n  \"double\",\n  \"count\",\n  \"missing\",\n]\nforks = [\"count\"]").build().await.unwrap();
    let functions = session.functions();
    assert_eq!(names(&session), ["count", "double"], "`echo` is not allowed, and nobody has `missing`");
    let double = &functions[1];
    assert_eq!((double.documentation.as_str(), double.rule.as_str(), double.items), ("Doubles a number.", "test.toml:4", false));
    assert_eq!(double.parameters.as_ref().map(|schema| &schema["properties"]["n"]["type"]), Some(&json!("integer")));
    assert_eq!(double.returns, Some(json!({ "type": "integer" })));
    let count = &functions[0];
    assert_eq!((&count.parameters, &count.returns, count.items, count.documentation.as_str()), (&None, &None, true, ""));
    // A template's sessions have what it was given, and a fork has less.
    let template = session.template();
    assert_eq!(template.functions(), functions);
    let missing = HostFunction::new("missing", |_: HostValue| async { Ok(json!(1)) });
    assert_eq!(names(&template.function(missing).start().unwrap()), ["count", "double", "missing"]);
    let mut shell = session.shell().await.unwrap();
    let fork = shell.fork(1).pop().unwrap();
    assert_eq!(names(fork.session()), ["count"]);
    assert!(shell.eval("true").await.unwrap().success());
    // Without `[host]` there are none, whatever is registered.
    assert!(with_functions("").build().await.unwrap().functions().is_empty());
}

#[tokio::test]
async fn a_call_has_a_result_or_items_or_the_error_that_a_guest_gets() {
    let session = with_functions(ALL).build().await.unwrap();
    let call = async |name: &str, arguments: HostValue| session.call_function(name, arguments).await;
    assert_eq!(call("double", json!({ "n": 21 }).into()).await, Ok(value(json!(42))));
    assert_eq!(call("echo", HostValue::Json("{\"a\": 1.0}".to_owned())).await, Ok(value(HostValue::Json("{\"a\": 1.0}".to_owned()))));
    assert_eq!(call("echo", HostValue::Bytes(vec![0, 255])).await, Ok(value(vec![0_u8, 255])));
    let items = |numbers: &[u8]| FunctionResult::Items(numbers.iter().map(|number| json!(number).into()).collect());
    assert_eq!(call("count", json!({ "to": 3 }).into()).await, Ok(items(&[1, 2, 3])));
    assert_eq!(call("count", json!({ "to": 0 }).into()).await, Ok(items(&[])));
    for (name, arguments, code, said) in [
        ("double", json!({}), ErrorCode::FunctionFailed, "double: NotANumber: `n` is no number"),
        ("count", json!({ "to": 5 }), ErrorCode::FunctionFailed, "count: TooFar: 4 is too far"),
        (
            "sub",
            json!({}),
            ErrorCode::FunctionRefused,
            "sub: denied by wisp: `host.allow` does not list it (test.toml:3); add `sub` to `allow` in `[host]`",
        ),
    ] {
        let error = call(name, arguments.into()).await.unwrap_err();
        assert_eq!((error.code(), error.to_string().as_str()), (code, said));
        // A guest reads the same text.
        let outcome = session.run(sh(&format!("host {name} '{{\"to\": 5}}'"))).await.unwrap();
        assert!(outcome.stderr_text().contains(said), "{said}: {}", outcome.stderr_text());
    }
    // Allowed, and nobody has it; and no `[host]` at all.
    let none = builder(ALL).build().await.unwrap();
    let missing = none.call_function("double", json!({}).into()).await.unwrap_err();
    assert_eq!((missing.code(), missing.code().fault()), (ErrorCode::NotFound, Fault::Caller));
    let none = with_functions("").build().await.unwrap();
    let denied = none.call_function("double", json!({}).into()).await.unwrap_err();
    let said = "double: denied by wisp: the policy grants no function of the host (test.toml); add `double` to `allow` in `[host]`";
    assert_eq!((denied.code(), denied.to_string().as_str()), (ErrorCode::FunctionRefused, said));
}

#[tokio::test]
async fn calls_from_outside_and_of_guests_have_one_set_of_limits_and_receipts() {
    let log = Arc::new(Log::default());
    let lines = "[host]\nallow = [\"double\", \"echo\"]\nmax_calls = 3\nmax_arguments = \"1KiB\"\nmax_result = \"1KiB\"";
    let session = with_functions(lines).receipts(log.clone()).build().await.unwrap();
    let long = session.call_function("double", json!({ "n": "x".repeat(2000) }).into()).await.unwrap_err();
    assert_eq!(long.to_string(), "double: stopped by wisp: host.max_arguments = 1KiB (set by test.toml:5)");
    assert_eq!(double_of(&session, 1).await, Ok(value(json!(2))));
    assert_eq!(session.run(sh("host double --n 2")).await.unwrap().stdout_text(), "4\n");
    assert_eq!(double_of(&session, 3).await, Ok(value(json!(6))));
    let over = double_of(&session, 4).await.unwrap_err();
    assert_eq!((over.code(), over.code().fault()), (ErrorCode::FunctionLimit, Fault::Limit));
    let outcome = session.run(sh("host double --n 5")).await.unwrap();
    assert!(outcome.stderr_text().contains("host.max_calls = 3"), "{}", outcome.stderr_text());
    let told = log.take();
    let outside: Vec<_> = told.iter().filter(|(process, ..)| *process == 0).cloned().collect();
    let expected = [
        receipt("double: host.max_arguments = 1KiB", false, "test.toml:5"),
        receipt("double", true, "test.toml:3"),
        receipt("double", true, "test.toml:3"),
        receipt("double: host.max_calls = 3", false, "test.toml:4"),
    ];
    assert_eq!((outside.as_slice(), told.len()), (&expected[..], 6));
    // Without a sink they are found where the next command ends.
    let of_session = outcome.receipts.iter().filter(|receipt| receipt.kind == ReceiptKind::Function && receipt.process == 0);
    assert_eq!(of_session.map(|receipt| receipt.verdict).collect::<Vec<_>>(), [Verdict::Allowed, Verdict::Denied]);
}

#[tokio::test]
async fn a_result_that_is_too_large_is_refused() {
    let session = with_functions("[host]\nallow = [\"echo\"]\nmax_result = \"1KiB\"").build().await.unwrap();
    let call = async |size: usize| session.call_function("echo", HostValue::Bytes(vec![0; size])).await;
    assert_eq!(call(1024).await, Ok(value(vec![0_u8; 1024])));
    assert_eq!(call(1025).await.unwrap_err().to_string(), "echo: stopped by wisp: host.max_result = 1KiB (set by test.toml:4)");
}

#[tokio::test]
async fn what_is_held_for_a_call_is_charged_to_the_session() {
    let session =
        with_functions("[host]\nallow = [\"echo\"]\nmax_arguments = \"8MiB\"\n[limits]\nmemory = \"4MiB\"").build().await.unwrap();
    let call = async |size: usize| session.call_function("echo", HostValue::Bytes(vec![0; size])).await;
    let full = call(5 << 20).await.unwrap_err();
    assert_eq!((full.code(), full.to_string().contains("limits.memory = 4MiB")), (ErrorCode::MemoryLimit, true), "{full}");
    // What is held is given back: many calls that fit, one after the other.
    for _ in 0..20 {
        assert!(call(1 << 20).await.is_ok());
    }
}

#[tokio::test]
async fn a_fork_is_refused_what_its_policy_does_not_list() {
    let session = with_functions(&format!("{ALL}\nforks = [\"echo\"]")).build().await.unwrap();
    let mut shell = session.shell().await.unwrap();
    assert!(shell.eval("true").await.unwrap().success());
    let fork = shell.fork(1).pop().unwrap();
    assert_eq!(fork.session().call_function("echo", HostValue::Bytes(vec![1])).await, Ok(value(vec![1_u8])));
    let denied = double_of(fork.session(), 1).await.unwrap_err().to_string();
    assert!(denied.contains("this session is a fork, and `host.forks` does not list it (test.toml:4)"), "{denied}");
    assert_eq!(double_of(&session, 1).await, Ok(value(json!(2))));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_one_side_recorded_is_replayed_to_the_other() {
    /// Another number for each call.
    fn draw(calls: Arc<AtomicUsize>) -> HostFunction {
        HostFunction::new("draw", move |_: HostValue| {
            let number = calls.fetch_add(1, Ordering::SeqCst);
            async move { Ok(json!(number)) }
        })
    }
    const LINES: &str = "[host]\nallow = [\"draw\"]\n[determinism]\nseed = 7";
    const PROGRAM: &str = "from host import draw; print(draw())";
    let (file, calls) = (File::default(), Arc::new(AtomicUsize::new(10)));
    let session = builder(LINES).function(draw(calls.clone())).record_functions(file.clone()).build().await.unwrap();
    let outside = async |session: &Session| session.call_function("draw", json!({}).into()).await;
    assert_eq!(outside(&session).await, Ok(value(json!(10))));
    assert_eq!(printed(&session, PROGRAM).await, "11\n");
    let replay = HostReplay::read(file.0.lock().as_slice()).unwrap();
    let again = builder(LINES).function(draw(calls.clone())).replay_functions(replay).build().await.unwrap();
    assert_eq!(printed(&again, PROGRAM).await, "10\n");
    assert_eq!(outside(&again).await, Ok(value(json!(11))));
    let more = outside(&again).await.unwrap_err().to_string();
    assert_eq!(more, "draw: NotRecorded: the recorded run did not make this call, or not as often");
    assert_eq!(calls.load(Ordering::SeqCst), 12, "nothing was called for the replay");
}

#[tokio::test]
async fn a_call_ends_with_its_future_and_with_its_session() {
    struct Gone(Arc<AtomicBool>);
    impl Drop for Gone {
        fn drop(&mut self) {
            self.0.store(true, Ordering::SeqCst);
        }
    }
    let (gone, began) = (Arc::new(AtomicBool::new(false)), Arc::new(Notify::new()));
    let (seen, told) = (gone.clone(), began.clone());
    let hang = HostFunction::new("hang", move |_: HostValue| {
        let held = Gone(seen.clone());
        told.notify_one();
        async move {
            let _held = held;
            std::future::pending::<Result<Value, HostFailure>>().await
        }
    });
    let session = with_functions(ALL).function(hang).allow_function("hang").build().await.unwrap();
    let mut call = Box::pin(session.call_function("hang", json!({}).into()));
    assert!(call.as_mut().now_or_never().is_none());
    began.notified().await;
    assert!(!gone.load(Ordering::SeqCst));
    drop(call);
    assert!(gone.swap(false, Ordering::SeqCst));
    // The twin that nobody drops ends when the session is closed.
    let call = session.call_function("hang", json!({}).into());
    let close = async {
        began.notified().await;
        session.close().await;
    };
    let (ended, ()) = tokio::join!(call, close);
    assert_eq!(ended.unwrap_err().code(), ErrorCode::Ended);
    assert!(gone.load(Ordering::SeqCst));
    assert_eq!(double_of(&session, 1).await.unwrap_err().code(), ErrorCode::Ended, "nothing is called any more");
}
