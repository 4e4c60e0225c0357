//! Receipts and events as a program that uses the library receives them.

use std::sync::{Arc, Mutex};

use wisp::policy::HostFiles;
use wisp::{Command, Event, EventSink, Outcome, Policy, Receipt, ReceiptKind, ReceiptSink, Verdict};

use crate::escape::kit::{ENGINE, component, file};

/// Keeps everything it receives.
#[derive(Default)]
struct Kept {
    receipts: Mutex<Vec<Receipt>>,
    events: Mutex<Vec<serde_json::Value>>,
}

impl ReceiptSink for Kept {
    fn record(&self, receipt: &Receipt) {
        self.receipts.lock().unwrap().push(receipt.clone());
    }
}

impl EventSink for Kept {
    fn event(&self, event: &Event) {
        self.events.lock().unwrap().push(serde_json::to_value(event).unwrap());
    }
}

async fn run(policy: &str, command: Command) -> (Outcome, Arc<Kept>) {
    let policy = Policy::parse(&HostFiles, "test.toml", &format!("extends = \"offline\"\n{policy}")).unwrap();
    let kept = Arc::new(Kept::default());
    let session = ENGINE.session(&policy).receipts(kept.clone()).events(kept.clone()).build().await.unwrap();
    let outcome = session.run(command).await.unwrap();
    (outcome, kept)
}

fn python(source: &str) -> Command {
    Command::new("python3").args(["-c", source])
}

#[tokio::test]
async fn a_thousand_equal_attempts_are_one_receipt_and_few_calls() {
    let source = "
import socket
for _ in range(1000):
    try:
        socket.create_connection(('10.0.0.1', 80))
    except OSError:
        pass
";
    let (outcome, kept) = run("", python(source)).await;
    assert_eq!(outcome.exit_code(), 0, "{}", outcome.stderr_text());
    let refused =
        |receipts: &[Receipt]| -> Vec<Receipt> { receipts.iter().filter(|receipt| receipt.verdict == Verdict::Denied).cloned().collect() };
    let (own, reported) = (refused(&outcome.receipts), refused(&kept.receipts.lock().unwrap()));
    assert_eq!(own.len(), 1, "{own:#?}");
    assert_eq!(
        (own[0].kind, &*own[0].subject, own[0].count),
        (ReceiptKind::Import, "wasi:sockets/tcp-create-socket create-tcp-socket", 1000)
    );
    assert!(reported.len() < 20 && reported[0].count == 1, "{reported:#?}");
    assert_eq!(reported.iter().map(|receipt| receipt.count).sum::<u64>(), 1000);
    // The twin: what is done is reported one by one, and nothing of it is refused.
    let (outcome, kept) = run("", Command::new("sh").args(["-c", "cat /dev/null; cat /dev/null; ls >/dev/null"])).await;
    assert!(refused(&outcome.receipts).is_empty() && refused(&kept.receipts.lock().unwrap()).is_empty());
    // The last command of a shell replaces it.
    let started: Vec<&str> = outcome.receipts.iter().map(|receipt| receipt.kind.as_str()).filter(|what| *what != "mount").collect();
    assert_eq!(started, ["spawn", "spawn", "spawn", "exec"], "{:#?}", outcome.receipts);
}

#[tokio::test]
async fn a_path_without_end_does_not_fill_the_outcome() {
    let source = "
for number in range(3000):
    try:
        open(f'/mnt/input/{number:0200}/../' + 'x/../' * 600 + 'new', 'w')
    except OSError:
        pass
    try:
        open('/mnt/input/\\x1b[31m' + str(number), 'w')
    except OSError:
        pass
";
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("x")).unwrap();
    let mount = format!("[[filesystem.mount]]\nhost = {:?}\nguest = \"/mnt/input\"\n", folder.path());
    let (outcome, _) = run(&mount, python(source)).await;
    assert_eq!((outcome.exit_code(), outcome.limit), (0, None));
    let refused: Vec<_> = outcome.receipts.iter().filter(|receipt| receipt.kind == ReceiptKind::File).collect();
    assert!(refused.iter().any(|receipt| receipt.subject.contains(r"/mnt/input/\u{1b}[31m7")), "{:?}", refused.first());
    for receipt in &refused {
        assert!(receipt.subject.len() <= 512 && !receipt.subject.contains(char::is_control), "{}", receipt.subject);
    }
}

#[tokio::test]
async fn events_tell_a_command_from_start_to_end() {
    let (outcome, kept) = run("[limits]\nstdout = \"1KiB\"", Command::new("sh").args(["-c", "echo hi | cat; exit 3"])).await;
    assert_eq!(outcome.exit_code(), 3);
    let events = kept.events.lock().unwrap().clone();
    let named = |name: &str| events.iter().filter(|event| event["event"] == name).collect::<Vec<_>>();
    assert_eq!(named("start")[0]["command"], "sh -c echo hi | cat; exit 3");
    assert_eq!(events.last().unwrap()["event"], "end");
    assert_eq!((&named("end")[0]["exit_code"], &named("end")[0]["limit"]), (&3.into(), &serde_json::Value::Null));
    let (started, ended) = (named("process-start"), named("process-end"));
    assert_eq!(started.len() as u64, outcome.usage.processes);
    let pids = |events: &[&serde_json::Value]| {
        let mut pids: Vec<u64> = events.iter().map(|event| event["process"].as_u64().unwrap()).collect();
        pids.sort_unstable();
        pids
    };
    assert_eq!(pids(&started), pids(&ended));
    assert_eq!(started[0]["program"], "/usr/bin/sh");
    let written: String =
        named("output").iter().filter(|event| event["stream"] == "stdout").filter_map(|event| event["text"].as_str()).collect();
    assert_eq!(written.as_bytes(), outcome.stdout);
    assert!(named("limit").is_empty());
    let (outcome, kept) = run("[limits]\nstdout = \"1KiB\"", Command::new("sh").args(["-c", "while :; do echo hi; done"])).await;
    assert_eq!(outcome.exit_code(), 137);
    let limit = kept.events.lock().unwrap().iter().find(|event| event["event"] == "limit").cloned().unwrap();
    assert_eq!((&limit["limit"]["limit"], &limit["limit"]["ended"]), (&"limits.stdout".into(), &true.into()));
}

#[tokio::test]
async fn only_the_deny_provider_may_report() {
    let module = wat::parse_str(
        r#"(module (import "wisp:deny/report@0.1.0" "denied" (func $denied (param i32)))
            (func (export "wasi:cli/run@0.2.12#run") (result i32) (call $denied (i32.const 1)) (i32.const 0)))"#,
    )
    .unwrap();
    let packages = "package wisp:deny@0.1.0; interface report { denied: func(function: u32); }";
    let component = component(module, packages, "import wisp:deny/report@0.1.0;");
    let tool = file(&component);
    let refused = ENGINE.session(&Policy::offline()).tool("forger", tool.path()).build().await;
    let error = refused.expect_err("it is refused").to_string();
    assert!(error.contains("wisp:deny/report"), "{error}");
}
