//! How a command ended: by itself, by a signal, a limit or a refusal. Failures of the host are in `faults`.

use wisp::{Command, End, Limit, Outcome, ReceiptKind, Session};

use crate::escape::kit::{component, policy, session};
use crate::kit;

/// A version of `wasi:sockets/network` that wisp does not know, as all of them denied: `ask` has an error for that, `peek` has none.
const PACKAGE: &str = "package wasi:sockets@0.2.99; interface network {
    enum error-code { unknown, access-denied }
    ask: func() -> result<u32, error-code>;
    peek: func() -> u32;
}";

/// A program that calls them.
fn guest(body: &str) -> Vec<u8> {
    let text = format!(
        r#"(module
            (import "wasi:sockets/network@0.2.99" "ask" (func $ask (param i32)))
            (import "wasi:sockets/network@0.2.99" "peek" (func $peek (result i32)))
            (memory (export "memory") 1)
            (func (export "wasi:cli/run@0.2.12#run") (result i32) {body}))"#
    );
    let module = wat::parse_str(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    component(module, PACKAGE, "import wasi:sockets/network@0.2.99;")
}

async fn with_guest(tools: &[&str], body: &str) -> Session {
    session(&policy(tools, ""), &[("guest", &guest(body))]).await
}

fn refused(outcome: &Outcome) -> Vec<(&str, &str)> {
    let imports = outcome.receipts.iter().filter(|receipt| receipt.kind == ReceiptKind::Import);
    imports.map(|receipt| (receipt.subject.as_str(), receipt.rule.as_str())).collect()
}

#[tokio::test]
async fn a_refused_call_without_an_error_is_the_end_of_a_command() {
    let session = with_guest(&[], "(drop (call $peek)) (i32.const 0)").await;
    let outcome = session.run(Command::new("guest")).await.unwrap();
    let End::Denied { subject, rule } = &outcome.end else { panic!("{outcome:?}") };
    assert_eq!(refused(&outcome), [(subject.as_str(), rule.as_str())], "as its receipt has it");
    assert!(subject.starts_with("wasi:sockets/network "), "{subject}");
    assert_eq!((outcome.exit_code(), outcome.end.signal()), (134, Some(6)), "{outcome:?}");
    assert!(outcome.stderr_text().contains("the policy denies wasi:sockets/network@0.2.99 peek"), "{}", outcome.stderr_text());
}

#[tokio::test]
async fn a_refused_call_with_an_error_is_no_end_whatever_the_program_does_then() {
    for (then, end) in [("(i32.const 0)", End::Exit { code: 0 }), ("unreachable", End::Signal { signal: 6 })] {
        let session = with_guest(&[], &format!("(call $ask (i32.const 16)) {then}")).await;
        let outcome = session.run(Command::new("guest")).await.unwrap();
        assert_eq!((&outcome.end, refused(&outcome).len()), (&end, 1), "{outcome:?}");
    }
}

#[tokio::test]
async fn what_a_refusal_does_to_a_child_is_its_parents() {
    let session = with_guest(&["sh"], "(drop (call $peek)) (i32.const 0)").await;
    let outcome = session.run(kit::sh("guest; echo status $?; exit 3")).await.unwrap();
    assert_eq!((&outcome.end, &*outcome.stdout_text()), (&End::Exit { code: 3 }, "status 134\n"), "{outcome:?}");
    assert_eq!(refused(&outcome).len(), 1);
}

#[tokio::test]
async fn programs_signals_and_limits_end_commands() {
    let session = kit::session("[limits]\nstdout = \"1KiB\"").await;
    let end = async |script: &str| session.run(kit::sh(script)).await.expect("a shell").end;
    assert_eq!(end("exit 3").await, End::Exit { code: 3 });
    assert_eq!(end("kill -TERM $$").await, End::Signal { signal: 15 });
    // A status that looks like one is a program's own.
    assert_eq!(end("exit 137").await, End::Exit { code: 137 });
    let End::Limit(hit) = end("while :; do echo more; done").await else { panic!("a limit") };
    assert_eq!((hit.limit, hit.value.as_str(), hit.rule.starts_with("test.toml:")), (Limit::Stdout, "1KiB", true), "{hit:?}");
}
