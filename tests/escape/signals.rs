//! Signals and `exec` used as no honest program does: floods, loops, and dispositions that a process cannot choose.
//! The process may end by a limit of its own session; the host must not grow, and other sessions must not notice.

use wisp::{Command, MemoryChoice, Outcome};
use wisp_tests::alone::{alone, resident};

use crate::escape::kit::{assert_works, guest, policy, python3, run, session};

const KILL: &str = r#"(import "wisp:sandbox/process@0.1.0" "kill" (func $kill (param i32 i32 i32)))
    (import "wisp:sandbox/process@0.1.0" "kill-group" (func $kill_group (param i32 i32 i32)))
    (import "wisp:sandbox/process@0.1.0" "pid" (func $pid (result i32)))
    (import "wisp:sandbox/process@0.1.0" "handle-signals" (func $handle (param i64)))
    (import "wisp:sandbox/process@0.1.0" "ignore-signals" (func $ignore (param i64)))
    (import "wisp:sandbox/process@0.1.0" "take-signals" (func $take (result i64)))
    (import "wisp:sandbox/process@0.1.0" "set-alarm" (func $alarm (param i64 i64 i32)))"#;

/// Executes itself again with the same arguments, forever.
const EXEC: &str = r#"(import "wisp:sandbox/process@0.1.0" "exec" (func $exec (param i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32) (result i32)))
    (import "wisp:sandbox/process@0.1.0" "pid" (func $pid (result i32)))"#;

async fn signals(body: &str, lines: &str) -> Outcome {
    let bytes = guest(KILL, &format!("(func (export \"run\") (result i32) {body} (i32.const 0))"));
    let outcome = run(&bytes, lines).await;
    assert_works(&session(&policy(&["coreutils"], ""), &[]).await).await;
    outcome
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_million_signals_that_are_not_taken_are_one() {
    if !alone("escape::signals::a_million_signals_that_are_not_taken_are_one") {
        return;
    }
    signals("", "").await; // what the engine needs once
    let before = resident();
    let outcome = signals(
        "(local $at i32)
         (call $handle (i64.const -1))
         (loop $again
            (call $kill (call $pid) (i32.const 10) (i32.const 0))
            (call $kill_group (i32.const 0) (i32.const 15) (i32.const 0))
            (local.set $at (i32.add (local.get $at) (i32.const 1)))
            (br_if $again (i32.lt_u (local.get $at) (i32.const 500000))))
         (if (i64.ne (call $take) (i64.const 0x4200)) (then unreachable))
         (if (i64.ne (call $take) (i64.const 0)) (then unreachable))",
        "[limits]\nwall = \"60s\"\n",
    );
    let outcome = outcome.await;
    assert_eq!(outcome.exit_code(), 0, "{}", outcome.stderr_text());
    assert!(resident().saturating_sub(before) < 64 << 20, "the host grew by what was sent");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn kill_cannot_be_handled_or_ignored() {
    for refused in ["handle", "ignore"] {
        let body = format!("(call ${refused} (i64.const -1)) (call $kill (call $pid) (i32.const 9) (i32.const 0)) unreachable");
        assert_eq!(signals(&body, "").await.exit_code(), 137, "{refused}");
        // Its allowed twin.
        let body = format!("(call ${refused} (i64.const -1)) (call $kill (call $pid) (i32.const 15) (i32.const 0))");
        assert_eq!(signals(&body, "").await.exit_code(), 0, "{refused}");
    }
    assert_eq!(signals("(call $kill (call $pid) (i32.const 15) (i32.const 0)) unreachable", "").await.exit_code(), 143);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_that_stops_itself_ends_by_the_limit() {
    let stopped = "(call $handle (i64.const -1)) (call $kill (call $pid) (i32.const 19) (i32.const 0)) unreachable";
    let outcome = signals(stopped, "[limits]\nwall = \"300ms\"\n").await;
    assert_eq!((outcome.exit_code(), outcome.limit.map(|hit| hit.limit.as_str())), (124, Some("limits.wall")));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_timer_at_every_nanosecond_is_one_timer() {
    if !alone("escape::signals::a_timer_at_every_nanosecond_is_one_timer") {
        return;
    }
    signals("", "").await; // what the engine needs once
    // A million timers, of which the last stays: the signals that come are one.
    let before = resident();
    let body = "(local $at i32)
         (call $handle (i64.const -1))
         (loop $again
            (call $alarm (i64.const 1) (i64.const 1) (i32.const 0))
            (local.set $at (i32.add (local.get $at) (i32.const 1)))
            (br_if $again (i32.lt_u (local.get $at) (i32.const 1000000))))
         (loop $until (br_if $until (i64.ne (call $take) (i64.const 0x2000))))";
    let outcome = signals(body, "[limits]\nwall = \"60s\"\n").await;
    assert_eq!(outcome.exit_code(), 0, "{}", outcome.stderr_text());
    assert!(resident().saturating_sub(before) < 64 << 20, "the host grew by timers");
    // Without a handler the first signal ends the process, which computes.
    let outcome = signals("(call $alarm (i64.const 1000000) (i64.const 0) (i32.const 0)) (loop $for_ever (br $for_ever))", "").await;
    assert_eq!(outcome.exit_code(), 142);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn numbers_that_are_no_signals_are_refused() {
    // Real-time signals are `unsupported` (26), numbers beyond them `invalid` (11), a missing process is
    // `no-process`.
    let body = "(call $kill (call $pid) (i32.const 40) (i32.const 0))
         (if (i32.ne (i32.load8_u (i32.const 1)) (i32.const 26)) (then unreachable))
         (call $kill (call $pid) (i32.const 65) (i32.const 0))
         (if (i32.ne (i32.load8_u (i32.const 1)) (i32.const 11)) (then unreachable))
         (call $kill (i32.const 999) (i32.const 15) (i32.const 0))
         (if (i32.ne (i32.load8_u (i32.const 1)) (i32.const 22)) (then unreachable))
         (call $kill_group (i32.const 999) (i32.const 15) (i32.const 0))
         (if (i32.ne (i32.load8_u (i32.const 1)) (i32.const 22)) (then unreachable))";
    let outcome = signals(body, "").await;
    assert_eq!(outcome.exit_code(), 0, "{}", outcome.stderr_text());
}

/// A guest that writes a dot and executes itself with `more` arguments of 1,000 bytes.
fn becoming(count: u32) -> Vec<u8> {
    let body = format!(
        r#"(data (i32.const 1024) "/usr/bin/guest.")
        (func (export "run") (result i32)
            (local $at i32)
            (call $say (i32.const 1038) (i32.const 1))
            (local.set $at (i32.const 4096))
            (loop $again
                (i32.store (local.get $at) (i32.const 8192))
                (i32.store offset=4 (local.get $at) (i32.const 1000))
                (local.set $at (i32.add (local.get $at) (i32.const 8)))
                (br_if $again (i32.lt_u (local.get $at) (i32.const {end}))))
            (memory.fill (i32.const 8192) (i32.const 97) (i32.const 1000))
            (call $inherited (i32.const 1) (i32.const 0))
            (i32.store (i32.const 2000) (i32.const 1))
            (i32.store (i32.const 2004) (i32.load (i32.const 4)))
            (call $exec (i32.const 1024) (i32.const 14) (i32.const 4096) (i32.const {count}) (i32.const 0) (i32.const 0)
                (i32.const 1024) (i32.const 1) (i32.const 2000) (i32.const 1) (i32.const 0)))"#,
        end = 4096 + 8 * count,
    );
    guest(EXEC, &body)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_loop_of_exec_ends_by_a_limit_and_keeps_nothing() {
    if !alone("escape::signals::a_loop_of_exec_ends_by_a_limit_and_keeps_nothing") {
        return;
    }
    signals("", "").await; // what the engine needs once
    let bytes = becoming(100);
    let session = session(&policy(&[], "[limits]\nwall = \"2s\"\nmemory = \"32MiB\"\n"), &[("guest", &bytes)]).await;
    let before = resident();
    let outcome = session.run(Command::new("guest")).await.expect("the guest starts");
    assert_eq!((outcome.exit_code(), outcome.limit.map(|hit| hit.limit.as_str())), (124, Some("limits.wall")));
    assert!(outcome.stdout.len() > 100, "it became itself {} times only", outcome.stdout.len());
    assert_eq!(outcome.usage.processes, 1, "it is one process all the time");
    assert!(resident().saturating_sub(before) < 64 << 20, "what the programs before it held is gone");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn exec_reaches_no_further_than_spawn() {
    // A program that the policy does not allow, and a missing one: the process continues and sees the reason.
    let bytes = guest(
        EXEC,
        r#"(data (i32.const 1024) "/usr/bin/nothing/etc/passwd")
        (func $become (param $at i32) (param $len i32) (result i32)
            (i32.store (i32.const 4096) (i32.const 1024))
            (i32.store (i32.const 4100) (i32.const 1))
            (call $exec (local.get $at) (local.get $len) (i32.const 4096) (i32.const 1) (i32.const 0) (i32.const 0)
                (i32.const 1024) (i32.const 1) (i32.const 0) (i32.const 0) (i32.const 0)))
        (func (export "run") (result i32)
            (if (i32.ne (call $become (i32.const 1024) (i32.const 16)) (i32.const 2)) (then unreachable))
            (if (i32.ne (call $become (i32.const 1040) (i32.const 11)) (i32.const 0)) (then unreachable))
            (i32.const 0))"#,
    );
    let outcome = run(&bytes, "").await;
    assert_eq!(outcome.exit_code(), 0, "{}", outcome.stderr_text());
}

/// A guest that interrupts itself and computes until a bit of the word at 4096 is set, or through some turns of the host. It exits
/// with the word, and 100 more if the host says that it sets flags. Its section names that word, and two that are outside of its memory.
fn flagged() -> Vec<u8> {
    let has = r#"(import "wisp:sandbox/process@0.1.0" "has-signal-flags" (func $has (result i32)))"#;
    // Data, so that its memory has an image.
    let body = r#"(data (i32.const 1024) "x") (func (export "run") (result i32)
        (local $left i32)
        (call $handle (i64.const 2))
        (call $kill (call $pid) (i32.const 2) (i32.const 0))
        (local.set $left (i32.const 200000000))
        (loop $again
            (local.set $left (i32.sub (local.get $left) (i32.const 1)))
            (br_if $again (i32.and (i32.eqz (i32.load (i32.const 4096))) (i32.ne (local.get $left) (i32.const 0)))))
        (call $exit (i32.add (i32.mul (call $has) (i32.const 100)) (i32.load (i32.const 4096))))
        unreachable)"#;
    let mut component = guest(&format!("{KILL}{has}"), body);
    let name = "wisp:signal-flags";
    component.extend([0, 42, 17]);
    component.extend(name.as_bytes());
    component.extend([u32::MAX - 1, 1, 4 * 65536 - 2, 1, 4096, 6].into_iter().flat_map(u32::to_le_bytes));
    component
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_a_shipped_component_is_told_about_signals_in_its_memory_and_only_there() {
    let of = async |memory| python3(&flagged(), "", memory).await.run(Command::new("python3")).await.unwrap();
    let outcome = of(MemoryChoice::Auto).await;
    assert_eq!(outcome.exit_code(), 106, "{outcome:?}");
    // Where the host does not make the memory itself, and in a tool of the user's own, nothing is written.
    let outcome = of(MemoryChoice::Pooling).await;
    assert_eq!(outcome.exit_code(), 0, "{outcome:?}");
    let outcome = run(&flagged(), "").await;
    assert_eq!(outcome.exit_code(), 0, "{outcome:?}");
}
