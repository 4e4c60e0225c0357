//! Functions of the host: calls beyond every limit, functions that break, hang or end what calls them, and rights that
//! go down. Each attack has its permitted twin.

use std::future::{Ready, pending, poll_fn};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::task::Poll;

use futures_util::{StreamExt, stream};
use parking_lot::Mutex;
use serde_json::{Value, json};
use tokio::sync::{Barrier, Notify};
use wisp::policy::HostFiles;
use wisp::{Command, HostFailure, HostFunction, HostValue, Outcome, Policy, Session, SessionBuilder, Verdict};

use crate::escape::kit::{ENGINE, assert_works, policy};

/// `echo`, `zeros(count)`, functions that panic at every place, one that hangs, and one without an end.
fn functions() -> Vec<HostFunction> {
    let zeros = |arguments: HostValue| async move {
        let count = arguments.read::<Value>()?["count"].as_u64().unwrap_or(0);
        Ok::<_, HostFailure>(vec![0_u8; usize::try_from(count).unwrap_or(0)])
    };
    let polled = |_: HostValue| poll_fn(|_| -> Poll<Result<Value, HostFailure>> { panic!("the service's own secret") });
    let broken = |number: u64| -> Result<Value, HostFailure> { if number == 0 { Ok(json!(0)) } else { panic!("in a stream") } };
    vec![
        HostFunction::new("echo", |arguments: HostValue| async move { Ok(arguments) }),
        HostFunction::new("zeros", zeros),
        HostFunction::new("panic", polled),
        HostFunction::new("early", |_: HostValue| -> Ready<Result<Value, HostFailure>> { panic!("before the future") }),
        HostFunction::blocking("blocked", |_: HostValue| -> Result<Value, HostFailure> { panic!("on a thread") }),
        HostFunction::new("hang", |_: HostValue| pending::<Result<Value, HostFailure>>()),
        HostFunction::streaming("broken", move |_: HostValue| stream::iter(0..2).map(broken)),
        HostFunction::streaming("endless", |_: HostValue| stream::iter(0..u64::MAX).map(|number| Ok(json!(number)))),
    ]
}

const ALLOW: &str = "[host]\nallow = [\"echo\", \"zeros\", \"panic\", \"early\", \"blocked\", \"hang\", \"broken\", \"endless\"]\n";

async fn session(lines: &str) -> Session {
    let mut builder = ENGINE.session(&policy(&["sh", "coreutils", "data"], &format!("{ALLOW}{lines}")));
    for function in functions() {
        builder = builder.function(function);
    }
    builder.build().await.unwrap_or_else(|error| panic!("{error}"))
}

#[tokio::test]
async fn a_guest_learns_the_file_and_the_line_of_a_rule_and_no_folder_of_the_host() {
    let text = "name = \"test\"\n[tools]\nallow = [\"sh\", \"coreutils\", \"data\"]\n[host]\nallow = [\"echo\"]\nmax_calls = 1";
    let policy = Policy::parse(&HostFiles, "/home/ann/jobs/test.toml", text).expect("a policy");
    let session = functions().into_iter().fold(ENGINE.session(&policy), SessionBuilder::function).build().await.expect("a session");
    let outcome = sh(&session, "host hang; host echo --a 1; host echo --a 1").await;
    let said = outcome.stderr_text();
    assert!(said.contains("test.toml:5") && said.contains("test.toml:6") && !said.contains("ann"), "{said}");
    let rules: Vec<_> = outcome.receipts.iter().map(|receipt| receipt.rule.as_str()).collect();
    assert!(rules.contains(&"/home/ann/jobs/test.toml:5") && rules.contains(&"/home/ann/jobs/test.toml:6"), "{rules:?}");
}

async fn sh(session: &Session, script: &str) -> Outcome {
    session.run(Command::new("sh").args(["-c", script])).await.expect("a shell")
}

/// The attack ends with this status and says this; the twin succeeds.
async fn attack_and_twin(lines: &str, attack: &str, status: u8, says: &str, twin: &str) {
    let first = session(lines).await;
    let outcome = sh(&first, attack).await;
    assert_eq!(outcome.exit_code(), status, "{attack}: {}", outcome.stderr_text());
    assert!(outcome.stderr_text().contains(says), "{attack}: {}", outcome.stderr_text());
    let outcome = sh(&session(lines).await, twin).await;
    assert_eq!(outcome.exit_code(), 0, "{twin}: {}", outcome.stderr_text());
    assert_works(&first).await;
}

#[tokio::test]
async fn every_limit_of_a_call_is_reached_and_named() {
    let large = "head -c 3000 /dev/zero | host --bytes echo | wc -c";
    for (lines, attack, says, twin) in [
        (
            "max_calls = 2",
            "host echo '{}'; host echo '{}'; host echo '{}'",
            "echo: stopped by wisp: host.max_calls = 2 (set by test.toml:6)",
            "host echo '{}'; host echo '{}'",
        ),
        (
            "max_arguments = \"1KiB\"",
            "head -c 1025 /dev/zero | host --bytes echo",
            "host.max_arguments = 1KiB",
            "head -c 1024 /dev/zero | host --bytes echo",
        ),
        ("max_result = \"1KiB\"", "host zeros --count 1025", "zeros: stopped by wisp: host.max_result = 1KiB", "host zeros --count 1024"),
        (
            "max_bytes = \"5KiB\"",
            "host zeros --count 3000 >/dev/null; host zeros --count 3000",
            "host.max_bytes = 5KiB",
            "host zeros --count 3000",
        ),
        ("max_bytes = 5999", large, "host.max_bytes", "host zeros --count 3000"),
        ("timeout = \"20ms\"", "host hang '{}'", "hang: stopped by wisp: host.timeout = 20ms", "host echo '{}'"),
        (
            "max_result = \"1KiB\"",
            "host endless '{}'",
            "endless: stopped by wisp: host.max_result = 1KiB",
            "host endless '{}' | head -n 3; true",
        ),
    ] {
        let attack = format!("set -o pipefail; {attack}");
        attack_and_twin(lines, &attack, 1, says, twin).await;
    }
}

#[tokio::test]
async fn calls_beyond_max_concurrent_wait_for_their_turn() {
    const SCRIPT: &str = "for i in 1 2 3 4; do host meet '{}' & done; wait";
    let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let counts = (now.clone(), most.clone());
    let alone = HostFunction::new("meet", move |_: HostValue| {
        let (now, most) = counts.clone();
        async move {
            most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            for _ in 0..100 {
                tokio::task::yield_now().await;
            }
            now.fetch_sub(1, Ordering::SeqCst);
            Ok(json!("met"))
        }
    });
    // The twin: no call returns before all four are there.
    let barrier = Arc::new(Barrier::new(4));
    let together = HostFunction::new("meet", move |_: HostValue| {
        let barrier = barrier.clone();
        async move {
            barrier.wait().await;
            Ok(json!("met"))
        }
    });
    for (most, function) in [(1, alone), (4, together)] {
        let lines = format!("[host]\nallow = [\"meet\"]\nmax_concurrent = {most}");
        let session = ENGINE.session(&policy(&["sh", "coreutils", "data"], &lines)).function(function).build().await.expect("a session");
        let outcome = sh(&session, SCRIPT).await;
        assert_eq!((outcome.exit_code(), outcome.stdout_text().as_ref()), (0, "\"met\"\n".repeat(4).as_str()), "{}", outcome.stderr_text());
    }
    assert_eq!((now.load(Ordering::SeqCst), most.load(Ordering::SeqCst)), (0, 1));
}

#[tokio::test]
async fn results_are_charged_before_they_are_copied() {
    let limits = "max_result = \"1GiB\"\n[limits]\nmemory = \"64MiB\"";
    attack_and_twin(
        limits,
        "host zeros --count 80000000 | wc -c; exit ${PIPESTATUS[0]}",
        1,
        "zeros: stopped by wisp: limits.memory = 64MiB",
        "host zeros --count 1000000 | wc -c",
    )
    .await;
    // Items that wait for a guest that does not read are few, and the function stops with them.
    let made = Arc::new(AtomicUsize::new(0));
    let count = made.clone();
    let items = HostFunction::streaming("echo", move |_: HostValue| {
        let count = count.clone();
        stream::iter(0..1_000_000).map(move |_| -> Result<Value, HostFailure> {
            count.fetch_add(1, Ordering::SeqCst);
            Ok(json!("x".repeat(1000)))
        })
    });
    let session = ENGINE.session(&policy(&["sh", "coreutils", "data"], ALLOW)).function(items).build().await.expect("a session");
    let outcome = sh(&session, "host echo '{}' | head -c 10; true").await;
    assert_eq!((outcome.exit_code(), outcome.stdout_text().len()), (0, 10), "{}", outcome.stderr_text());
    // A pipe's 64 KiB, the program's buffer, and what waits in the call.
    assert!(made.load(Ordering::SeqCst) < 1_000, "{made:?}");
}

#[tokio::test]
async fn what_is_recorded_of_a_call_is_charged_until_it_ends() {
    let limits = "max_result = \"1GiB\"\nmax_bytes = \"1GiB\"\n[limits]\nmemory = \"64MiB\"";
    let of = async |items: usize, recorded: bool| {
        let function = HostFunction::streaming("endless", move |_: HostValue| {
            stream::iter(0..items).map(|_| Ok::<Value, HostFailure>(json!("x".repeat(100_000))))
        });
        let builder = ENGINE.session(&policy(&["sh", "coreutils", "data"], &format!("{ALLOW}{limits}"))).function(function);
        let builder = if recorded { builder.record_functions(std::io::sink()) } else { builder };
        let session = builder.build().await.expect("a session");
        let outcome = sh(&session, "host endless '{}' | wc -c; exit ${PIPESTATUS[0]}").await;
        assert_works(&session).await;
        outcome
    };
    let attack = of(1000, true).await;
    let said = attack.stderr_text();
    assert!(attack.exit_code() == 1 && said.contains("endless: stopped by wisp: limits.memory = 64MiB"), "{} {said}", attack.exit_code());
    for (items, recorded) in [(100, true), (1000, false)] {
        let twin = of(items, recorded).await;
        assert!(twin.success(), "{items} {recorded}: {}", twin.stderr_text());
    }
}

#[tokio::test]
async fn a_panic_is_a_failure_without_the_services_text() {
    let session = session("").await;
    for name in ["panic", "early", "blocked", "broken"] {
        let outcome = sh(&session, &format!("host {name} '{{}}'")).await;
        assert_eq!(outcome.exit_code(), 1, "{name}: {}", outcome.stderr_text());
        assert!(outcome.stderr_text().contains(&format!("host: {name}: Panic: the function broke")), "{}", outcome.stderr_text());
        assert!(!outcome.stderr_text().contains("secret"), "{}", outcome.stderr_text());
    }
    let outcome = sh(&session, "host echo '{\"a\": 1}'").await;
    assert_eq!(outcome.stdout_text(), "{\"a\":1}\n");
    assert_works(&session).await;
}

/// Says when it is dropped.
struct Gone(Arc<AtomicBool>);

impl Drop for Gone {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

/// Waits until it was dropped; a test that waits for ever has failed.
async fn is_gone(gone: &AtomicBool) {
    while !gone.load(Ordering::SeqCst) {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_hanging_call_ends_with_its_command() {
    let gone = Arc::new(AtomicBool::new(false));
    let seen = gone.clone();
    let hang = HostFunction::new("hang", move |_: HostValue| {
        let gone = Gone(seen.clone());
        async move {
            let _gone = gone;
            pending::<Result<Value, HostFailure>>().await
        }
    });
    let lines = format!("{ALLOW}[limits]\nwall = \"300ms\"");
    let session = ENGINE.session(&policy(&["sh", "coreutils", "data"], &lines)).function(hang).build().await.expect("a session");
    let outcome = sh(&session, "host hang '{}'").await;
    assert_eq!(outcome.exit_code(), 124, "{}", outcome.stderr_text());
    is_gone(&gone).await;
    assert_works(&session).await;
}

#[tokio::test]
async fn a_function_that_drops_its_session_ends_what_runs_there_and_nothing_else() {
    let (kept, handed, gone) = (Arc::<Mutex<Option<Session>>>::default(), Arc::new(Notify::new()), Arc::new(AtomicBool::new(false)));
    let all = (kept.clone(), handed.clone(), gone.clone());
    let end = HostFunction::new("end", move |_: HostValue| {
        let (kept, handed, gone) = all.clone();
        async move {
            let _gone = Gone(gone);
            handed.notified().await;
            // The last handle of the session: the call that this is ends with it.
            drop(kept.lock().take());
            pending::<Result<Value, HostFailure>>().await
        }
    });
    let lines = "[host]\nallow = [\"end\"]";
    let session = ENGINE.session(&policy(&["sh", "coreutils", "data"], lines)).function(end).build().await.expect("a session");
    session.start(Command::new("sh").args(["-c", "host end '{}'"])).await.expect("a shell").detach();
    *kept.lock() = Some(session);
    handed.notify_one();
    is_gone(&gone).await;
    assert!(kept.lock().is_none());
    assert_works(&self::session("").await).await;
}

#[tokio::test]
async fn refused_calls_count_against_the_limit_of_denials() {
    let lines = "[limits]\ndenials = 5";
    let session = session(lines).await;
    let outcome = sh(&session, "for i in 1 2 3 4 5 6 7 8; do host other '{}'; done; echo never").await;
    assert_eq!((outcome.exit_code(), outcome.stdout_text().as_ref()), (137, ""), "{}", outcome.stderr_text());
    let denied = outcome.receipts.iter().filter(|receipt| receipt.verdict == Verdict::Denied && receipt.subject == "other");
    assert_eq!(denied.map(|receipt| receipt.count).sum::<u64>(), 5);
    let outcome = sh(&session, "for i in 1 2 3 4 5 6 7 8; do host echo '{}'; done; echo always").await;
    assert!(outcome.success() && outcome.stdout_text().ends_with("always\n"), "{}", outcome.stderr_text());
}

#[tokio::test]
async fn names_and_arguments_of_every_kind_break_nothing() {
    let session = session("").await;
    let script = "for name in '' ../echo 'a b' \"$(head -c 100000 /dev/zero | tr '\\0' x)\" $'\\x1b[2J'; do host -- \"$name\" '{}'; host \"$name\" '{}'; done 2>/dev/null; \
        for arguments in '{' '[' 'null' '{\"a\":1e999}' \"$(printf '[%.0s' $(seq 5000))\"; do printf '%s' \"$arguments\" | host --bytes echo; done | wc -c";
    let outcome = sh(&session, script).await;
    assert!(outcome.success(), "{}", outcome.stderr_text());
    assert!(outcome.receipts.iter().all(|receipt| !receipt.subject.contains('\u{1b}') && receipt.subject.len() <= 512));
    assert_works(&session).await;
}
