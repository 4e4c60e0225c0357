//! `wisp:sandbox/threads`: guests that make as many threads as they get, switch without end or to threads that are not
//! there, fill the stacks of many, and leave some behind; and who may have threads at all.

use wisp::{Command, MemoryChoice};

use crate::escape::kit::{THREADS, file, guest, policy, python3, run_python3 as run, threaded_guest};

/// Makes threads until it gets none, and exits with their number, less 100.
const MAKE_ALL: &str = r#"
    (func (export "run") (result i32)
        (local $made i32)
        (loop $again
            (call $make (i32.const 2048) (i32.const 1) (i32.const 0))
            (if (i32.eqz (i32.load8_u (i32.const 0))) (then
                (local.set $made (i32.add (local.get $made) (i32.const 1)))
                (br $again))))
        (call $exit (i32.sub (local.get $made) (i32.const 100)))
        unreachable)"#;

/// Makes one thread, and exits with 20 and the number of the refusal.
const MAKE_ONE: &str = r#"
    (func (export "run") (result i32)
        (call $make (i32.const 2048) (i32.const 1) (i32.const 0))
        (if (i32.eqz (i32.load8_u (i32.const 0))) (then (call $exit (i32.const 7))))
        (call $exit (i32.add (i32.load8_u (i32.const 4)) (i32.const 20)))
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
    assert_eq!(run(&threaded_guest("", &format!("{IDLE}{MAKE_ONE}")), "").await.exit_code(), 7);
    assert_eq!(run(&guest(THREADS, MAKE_ONE), "").await.exit_code(), 22);
}

#[tokio::test]
async fn where_memory_is_pooled_there_are_no_threads() {
    let session = python3(&threaded_guest("", &format!("{IDLE}{MAKE_ONE}")), "", MemoryChoice::Pooling).await;
    assert_eq!(session.run(Command::new("python3")).await.unwrap().exit_code(), 22);
}

#[tokio::test]
async fn a_tool_of_the_users_own_has_no_threads() {
    // With the entry or without it, and under any name: what it is decides, not what it is called.
    for guest in [threaded_guest("", &format!("{IDLE}{MAKE_ONE}")), guest(THREADS, MAKE_ONE)] {
        let file = file(&guest);
        let refused = crate::escape::kit::ENGINE.session(&policy(&[], "")).tool("evil", file.path()).build().await.unwrap_err();
        let text = refused.to_string();
        let said = ["imports `wisp:sandbox/threads@0.1.0`, which is refused", "threads are for wisp's own everyday python3"];
        assert!(said.iter().all(|part| text.contains(part)), "{text}");
    }
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
        let session = python3(&threaded_guest("", &format!("{PING}{}", pong(0))), &lines, MemoryChoice::Auto).await;
        for _ in 0..2 {
            let outcome = session.run(Command::new("python3")).await.unwrap();
            let hit = outcome.limit.as_ref().map(|hit| hit.limit.as_str());
            assert_eq!((outcome.exit_code(), hit), (code, Some(&*format!("limits.{limit}"))), "{outcome:?}");
        }
        let outcome = run(&threaded_guest("", &format!("{PING}{}", pong(1000))), &lines).await;
        assert_eq!((outcome.exit_code(), outcome.limit), (9, None), "{limit}");
    }
}

#[tokio::test]
async fn a_process_that_is_killed_ends_with_all_its_threads() {
    let session = python3(&threaded_guest("", &format!("{PING}{}", pong(0))), "", MemoryChoice::Auto).await;
    for _ in 0..3 {
        let running = session.start(Command::new("python3")).await.unwrap();
        tokio::task::yield_now().await;
        running.kill();
        assert_eq!(running.wait().await.unwrap().exit_code(), 137);
    }
}

/// A thread that waits for its turn for ever, in a call from within a call.
const WAITS: &str = r#"
    (func $deep (param i32) (if (local.get 0) (then (call $deep (i32.sub (local.get 0) (i32.const 1)))) (else (call $switch (i32.const 0)))))
    (func (export "enter") (param i32) (call $deep (i32.const 100)) unreachable)"#;

#[tokio::test]
async fn threads_that_wait_when_the_first_returns_are_unwound() {
    let returns = begin(40).replace("(call $exit (i32.const 9))\n            unreachable)", "(i32.const 0))");
    assert_eq!(run(&threaded_guest("", &format!("{WAITS}{returns}")), "").await.exit_code(), 0);
    assert_eq!(run(&threaded_guest("", &format!("{WAITS}{}", begin(40))), "").await.exit_code(), 9);
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
