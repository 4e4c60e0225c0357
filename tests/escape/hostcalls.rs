//! Host functions called as no honest program does: lengths of gigabytes, lists of millions, invalid handles,
//! violations of an interface's rules. The process may end; the host, its memory and its other sessions must not be
//! affected.

use wisp::Outcome;
use wisp_tests::alone::{alone, resident};

use crate::escape::kit::{assert_works, guest, policy, run, session};

const TIMER: &str = r#"(import "wasi:clocks/monotonic-clock@0.2.12" "subscribe-duration" (func $timer (param i64) (result i32)))"#;
const STDOUT: &str = r#"(import "wasi:cli/stdout@0.2.12" "get-stdout" (func $stdout (result i32)))"#;
const SPAWN: &str =
    r#"(import "wisp:sandbox/process@0.1.0" "spawn" (func $spawn (param i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32)))"#;

async fn attack(imports: &str, body: &str) -> Outcome {
    let bytes = guest(imports, &format!("(data (i32.const 1024) \"/usr/bin/guest\") (func (export \"run\") (result i32) {body})"));
    let outcome = run(&bytes, "[limits]\nmemory = \"512MiB\"\nwall = \"60s\"\n").await;
    assert_works(&session(&policy(&["coreutils"], ""), &[]).await).await;
    outcome
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_string_of_a_hundred_megabytes_is_not_copied() {
    let open = r#"(import "wisp:sandbox/files@0.1.0" "open" (func $open (param i32 i32 i32 i32 i32)))"#;
    let outcome = attack(
        open,
        "(drop (memory.grow (i32.const 1700)))
         (call $open (i32.const 65536) (i32.const 104857600) (i32.const 1) (i32.const 0) (i32.const 0)) (i32.const 0)",
    );
    let outcome = outcome.await;
    assert_eq!(outcome.exit_code(), 134, "{}", outcome.stderr_text());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lists_that_all_point_to_the_same_megabytes_do_not_multiply() {
    // 4,000 arguments, each the same 8 MiB of the guest's memory: 32 GB if the host copied them.
    let outcome = attack(
        SPAWN,
        "(local $at i32)
         (drop (memory.grow (i32.const 200)))
         (local.set $at (i32.const 65536))
         (loop $again
            (i32.store (local.get $at) (i32.const 1048576))
            (i32.store offset=4 (local.get $at) (i32.const 8388608))
            (local.set $at (i32.add (local.get $at) (i32.const 8)))
            (br_if $again (i32.lt_u (local.get $at) (i32.const 97536))))
         (call $spawn (i32.const 1024) (i32.const 14) (i32.const 65536) (i32.const 4000) (i32.const 0) (i32.const 0)
            (i32.const 1024) (i32.const 1) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0))
         (i32.const 0)",
    );
    let outcome = outcome.await;
    assert_eq!(outcome.exit_code(), 134, "{}", outcome.stderr_text());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_list_of_a_million_pollables_is_polled_or_refused() {
    let imports = format!(r#"{TIMER} (import "wasi:io/poll@0.2.12" "poll" (func $poll (param i32 i32 i32)))"#);
    let outcome = attack(
        &imports,
        "(local $at i32) (local $timer i32)
         (drop (memory.grow (i32.const 200)))
         (local.set $timer (call $timer (i64.const 0)))
         (local.set $at (i32.const 65536))
         (loop $again
            (i32.store (local.get $at) (local.get $timer))
            (local.set $at (i32.add (local.get $at) (i32.const 4)))
            (br_if $again (i32.lt_u (local.get $at) (i32.const 4259840))))
         (global.set $next (i32.const 4300000))
         (call $poll (i32.const 65536) (i32.const 1048576) (i32.const 0))
         (i32.ne (i32.load (i32.const 4)) (i32.const 1048576))",
    );
    let outcome = outcome.await;
    assert!([0, 134].contains(&outcome.exit_code()), "{}", outcome.stderr_text());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn handles_without_end_run_out() {
    let outcome = attack(TIMER, "(loop $again (drop (call $timer (i64.const 1000000000000))) (br $again)) unreachable").await;
    assert_eq!(outcome.exit_code(), 134, "{}", outcome.stderr_text());
    let outcome = attack(STDOUT, "(loop $again (drop (call $stdout)) (br $again)) unreachable").await;
    assert_eq!(outcome.exit_code(), 134, "{}", outcome.stderr_text());
    // Open files run out with an error, which this guest takes as its sign to end normally.
    let pipe = r#"(import "wisp:sandbox/process@0.1.0" "pipe" (func $pipe (param i32)))"#;
    let outcome =
        attack(pipe, "(loop $again (call $pipe (i32.const 0)) (br_if $again (i32.eqz (i32.load8_u (i32.const 0))))) (i32.const 0)").await;
    assert_eq!(outcome.exit_code(), 0, "{}", outcome.stderr_text());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn handles_that_are_none_trap() {
    let drop_file = r#"(import "wisp:sandbox/files@0.1.0" "[resource-drop]open-file" (func $drop_file (param i32)))
        (import "wasi:io/poll@0.2.12" "[method]pollable.block" (func $block (param i32)))"#;
    for body in [
        "(call $write (i32.const 12345) (i32.const 1024) (i32.const 1) (i32.const 0)) (i32.const 0)",
        "(call $write (i32.const -1) (i32.const 1024) (i32.const 1) (i32.const 0)) (i32.const 0)",
        "(call $drop_file (i32.const 77)) (i32.const 0)",
        "(call $block (i32.const 0)) (i32.const 0)",
        // a handle of another type
        "(call $inherited (i32.const 1) (i32.const 0)) (call $block (i32.load (i32.const 4))) (i32.const 0)",
        // used after it was dropped
        "(call $inherited (i32.const 1) (i32.const 0)) (call $drop_file (i32.load (i32.const 4)))
         (call $write (i32.load (i32.const 4)) (i32.const 1024) (i32.const 1) (i32.const 16)) (i32.const 0)",
        // bytes beyond the guest's memory
        "(call $inherited (i32.const 1) (i32.const 0)) (call $write (i32.load (i32.const 4)) (i32.const 0) (i32.const -16) (i32.const 16)) (i32.const 0)",
    ] {
        let outcome = attack(drop_file, body).await;
        assert_eq!(outcome.exit_code(), 134, "{body}: {}", outcome.stderr_text());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn spawn_with_descriptors_that_are_none_or_too_many_is_refused() {
    let call = |count: u32| {
        format!(
            "(i32.store (i32.const 2100) (i32.const 1024)) (i32.store (i32.const 2104) (i32.const 14))
             (call $spawn (i32.const 1024) (i32.const 14) (i32.const 2100) (i32.const 1) (i32.const 0) (i32.const 0)
                (i32.const 1024) (i32.const 1) (i32.const 65536) (i32.const {count}) (i32.const 0) (i32.const 0))
             (i32.add (i32.const 100) (i32.load8_u (i32.const 4)))
             (call $exit) unreachable"
        )
    };
    let outcome = attack(SPAWN, &format!("(i32.store (i32.const 65540) (i32.const 999)) {}", call(1))).await;
    assert_eq!(outcome.exit_code(), 134, "an unknown handle: {}", outcome.stderr_text());
    // Twice the same number: `invalid`.
    let own = "(call $inherited (i32.const 1) (i32.const 0)) (i32.store (i32.const 65540) (i32.load (i32.const 4)))";
    let twice = format!("{own} (i32.store (i32.const 65548) (i32.load (i32.const 4))) {}", call(2));
    assert_eq!(attack(SPAWN, &twice).await.exit_code(), 100 + 11, "`invalid`");
    // A thousand descriptors for one handle: `too-many-open-files`.
    let many = format!(
        "(local $at i32) {own} (drop (memory.grow (i32.const 32)))
         (loop $again
            (i32.store (i32.add (i32.const 65536) (i32.mul (local.get $at) (i32.const 8))) (local.get $at))
            (i32.store (i32.add (i32.const 65540) (i32.mul (local.get $at) (i32.const 8))) (i32.load (i32.const 4)))
            (local.set $at (i32.add (local.get $at) (i32.const 1)))
            (br_if $again (i32.lt_u (local.get $at) (i32.const 1000))))
         {}",
        call(1_000)
    );
    let outcome = attack(SPAWN, &many).await;
    assert_eq!(outcome.exit_code(), 100 + 15, "`too-many-open-files`: {}", outcome.stderr_text());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn absurd_lengths_are_refused() {
    let random = r#"(import "wasi:random/random@0.2.12" "get-random-bytes" (func $random (param i64 i32)))"#;
    for length in ["-1", "1099511627776", "1073741824"] {
        let outcome = attack(random, &format!("(call $random (i64.const {length}) (i32.const 0)) (i32.const 0)")).await;
        assert_eq!(outcome.exit_code(), 134, "{length}: {}", outcome.stderr_text());
    }
    let streams = format!(
        r#"{STDOUT} (import "wasi:io/streams@0.2.12" "[method]output-stream.write-zeroes" (func $zeroes (param i32 i64 i32)))
        (import "wasi:io/streams@0.2.12" "[method]output-stream.write" (func $put (param i32 i32 i32 i32)))
        (import "wasi:io/streams@0.2.12" "[method]output-stream.blocking-write-zeroes-and-flush" (func $blocking (param i32 i64 i32)))"#
    );
    for body in [
        "(call $zeroes (call $stdout) (i64.const -1) (i32.const 0)) (i32.const 0)",
        "(call $zeroes (call $stdout) (i64.const 1099511627776) (i32.const 0)) (i32.const 0)",
        "(call $blocking (call $stdout) (i64.const -1) (i32.const 0)) (i32.const 0)",
        // more than any permission to write
        "(drop (memory.grow (i32.const 200))) (call $put (call $stdout) (i32.const 65536) (i32.const 8388608) (i32.const 0)) (i32.const 0)",
    ] {
        let outcome = attack(&streams, body).await;
        assert_eq!(outcome.exit_code(), 134, "{body}: {}", outcome.stderr_text());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_waits_in_pipes_is_charged_and_holds_no_more_than_itself() {
    if !alone("escape::hostcalls::what_waits_in_pipes_is_charged_and_holds_no_more_than_itself") {
        return;
    }
    // Every pipe gets the start of 16 MiB; the host must keep 64 KiB of it and no more.
    let imports = r#"(import "wisp:sandbox/process@0.1.0" "pipe" (func $pipe (param i32)))
        (import "wisp:sandbox/files@0.1.0" "[method]open-file.write-some" (func $some (param i32 i32 i32 i32)))"#;
    let bytes = guest(
        imports,
        "(func (export \"run\") (result i32) (local $count i32)
            (drop (memory.grow (i32.const 300)))
            (loop $again
                (call $pipe (i32.const 0))
                (if (i32.eqz (i32.load8_u (i32.const 0)))
                    (then
                        (call $some (i32.load (i32.const 8)) (i32.const 65536) (i32.const 16777216) (i32.const 16))
                        (local.set $count (i32.add (local.get $count) (i32.const 1)))
                        (br $again))))
            ;; the error, and whether there were fewer than a hundred pipes
            (call $exit (i32.add (i32.load8_u (i32.const 4)) (i32.mul (i32.const 100) (i32.lt_u (local.get $count) (i32.const 100)))))
            unreachable)",
    );
    let before = resident();
    let outcome = run(&bytes, "[limits]\nmemory = \"32MiB\"\nopen_files = 60000\n").await;
    // 25 is `insufficient-memory`: 32 MiB minus the guest's 19 are enough for about a hundred pipes.
    assert!([25, 125].contains(&outcome.exit_code()), "{} {}", outcome.exit_code(), outcome.stderr_text());
    assert!(outcome.usage.peak_memory <= 32 << 20, "{}", outcome.usage.peak_memory);
    // A hundred times 16 MiB would be 1.6 GB.
    assert!(resident().saturating_sub(before) < 1 << 29);
}
