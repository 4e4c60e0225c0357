//! `wisp:sandbox/threads`: guests that make as many threads as they get, switch without end or to threads that are not
//! there, and fill the stacks of many.

use crate::kit::{THREADS, assert_works, guest, policy, run, session, threaded_guest};

/// Makes threads until it gets none, and exits with their number, less 100.
const MAKE_ALL: &str = r#"
    (func (export "run") (result i32)
        (local $made i32)
        (loop $again
            (call $make (i32.const 2048) (i32.const 1) (i32.const 0))
            (if (i32.load8_u (i32.const 0)) (then
                (local.set $made (i32.add (local.get $made) (i32.const 1)))
                (br $again))))
        (call $exit (i32.sub (local.get $made) (i32.const 100)))
        unreachable)"#;

/// A thread that ends at once.
const IDLE: &str = r#"(func (export "enter") (param i32))"#;

#[tokio::test]
async fn a_process_has_256_threads_or_what_its_memory_allows_and_none_without_an_entry() {
    let outcome = run(&threaded_guest("", &format!("{IDLE}{MAKE_ALL}")), "[limits]\nmemory = \"512MiB\"").await;
    assert_eq!((outcome.exit_code(), &outcome.limit), (156, &None), "{outcome:?}");
    let outcome = run(&threaded_guest("", &format!("{IDLE}{MAKE_ALL}")), "[limits]\nmemory = \"160MiB\"").await;
    assert!((1..=60).contains(&outcome.exit_code()), "{outcome:?}");
    assert_eq!(outcome.limit.map(|hit| (hit.limit.as_str().to_owned(), hit.ended)), Some(("limits.memory".to_owned(), false)));
    let without = MAKE_ALL.replace("(i32.const 100)", "(i32.const -7)");
    assert_eq!(run(&guest(THREADS, &without), "").await.exit_code(), 7);
}

/// The first thread makes one more, switches to it, says `back\n` and exits with 9.
const ONE_MORE: &str = r#"
    (data (i32.const 1024) "back\n")
    (func (export "run") (result i32)
        (call $make (i32.const 2048) (i32.const 1) (i32.const 0))
        (call $switch (i32.load (i32.const 4)))
        (call $say (i32.const 1024) (i32.const 5))
        (call $exit (i32.const 9))
        unreachable)"#;

#[tokio::test]
async fn a_trap_in_a_thread_ends_the_process_and_its_end_does_not() {
    let outcome = run(&threaded_guest("", &format!("{IDLE}{ONE_MORE}")), "").await;
    assert_eq!((outcome.exit_code(), &*outcome.stdout_text()), (9, "back\n"), "{outcome:?}");
    for (body, code) in [
        ("unreachable", 134),
        ("(call $exit (i32.const 5))", 5),
        ("(call $down (i32.const 0))", 139),
        ("(call $switch (i32.const 77))", 134), // there is no such thread
    ] {
        let enter = format!(
            r#"(func $down (param i32) (call $down (local.get 0)) (drop (i32.load (local.get 0)))) (func (export "enter") (param i32) {body})"#
        );
        let outcome = run(&threaded_guest("", &format!("{enter}{ONE_MORE}")), "").await;
        assert_eq!((outcome.exit_code(), &*outcome.stdout_text()), (code, ""), "{body}: {outcome:?}");
    }
}

/// The thread switches back without end.
const PING: &str = r#"(func (export "enter") (param i32) (loop $again (call $switch (i32.const 0)) (br $again)))"#;

/// The first thread switches to one more without end, or as often as `$rounds` says.
fn pong(rounds: i64) -> String {
    format!(
        r#"(func (export "run") (result i32)
            (local $left i64)
            (local.set $left (i64.const {rounds}))
            (call $make (i32.const 2048) (i32.const 1) (i32.const 0))
            (loop $again
                (call $switch (i32.load (i32.const 4)))
                (local.set $left (i64.sub (local.get $left) (i64.const 1)))
                (br_if $again (i64.ne (local.get $left) (i64.const 0))))
            (call $exit (i32.const 9))
            unreachable)"#
    )
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn switching_without_end_ends_at_each_limit_of_time() {
    for (limit, value, code) in [("wall", "\"300ms\"", 124), ("cpu", "\"100ms\"", 137), ("instructions", "1000000", 137)] {
        let lines = format!("[limits]\n{limit} = {value}");
        let session = session(&policy(&["coreutils"], &lines), &[("guest", &threaded_guest("", &format!("{PING}{}", pong(0))))]).await;
        let outcome = session.run(wisp::Command::new("guest")).await.unwrap();
        let hit = outcome.limit.as_ref().map(|hit| hit.limit.as_str());
        assert_eq!((outcome.exit_code(), hit), (code, Some(&*format!("limits.{limit}"))), "{outcome:?}");
        assert_works(&session).await;
        let outcome = run(&threaded_guest("", &format!("{PING}{}", pong(1000))), &lines).await;
        assert_eq!((outcome.exit_code(), outcome.limit), (9, None), "{limit}");
    }
}

/// Each thread recurses until some megabytes of its stack are used, and waits there.
const DEEP: &str = r#"
    (func $down (param $left i32) (result i32)
        (if (result i32) (local.get $left)
            (then (i32.add (call $down (i32.sub (local.get $left) (i32.const 1))) (i32.load (local.get $left))))
            (else (call $switch (i32.const 0)) (i32.const 1))))
    (func (export "enter") (param i32) (drop (call $down (i32.const 200000))))"#;

/// Lets `threads` begin, then exits with 9.
fn begin(threads: u32) -> String {
    format!(
        r#"(func (export "run") (result i32)
            (local $left i32)
            (local.set $left (i32.const {threads}))
            (loop $again
                (call $make (i32.const 2048) (i32.const 1) (i32.const 0))
                (call $switch (i32.load (i32.const 4)))
                (local.set $left (i32.sub (local.get $left) (i32.const 1)))
                (br_if $again (local.get $left)))
            (call $exit (i32.const 9))
            unreachable)"#
    )
}

#[tokio::test]
async fn deep_stacks_of_waiting_threads_are_charged() {
    let lines = "[limits]\nmemory = \"96MiB\"";
    let outcome = run(&threaded_guest("", &format!("{DEEP}{}", begin(2))), lines).await;
    assert_eq!((outcome.exit_code(), &outcome.limit), (9, &None), "{outcome:?}");
    // As many shallow ones would fit.
    let outcome = run(&threaded_guest("", &format!("{}{}", DEEP.replace("200000", "10"), begin(60))), lines).await;
    assert_eq!((outcome.exit_code(), &outcome.limit), (9, &None), "{outcome:?}");
    let outcome = run(&threaded_guest("", &format!("{DEEP}{}", begin(60))), lines).await;
    let hit = outcome.limit.as_ref().map(|hit| (hit.limit.as_str(), hit.ended));
    assert_eq!((outcome.exit_code(), hit), (137, Some(("limits.memory", true))), "{outcome:?}");
}
