//! Callers that go away, readers that hang, children that stay: nothing outlives its command.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Wake, Waker};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::runtime::Handle;
use wisp::{Command, Input, Output, Session};

use crate::kit::{ENGINE, assert_works, counter, file, guest, policy, raw_guest, session};

/// A wait that takes longer is a hang.
const HANG: Duration = Duration::from_secs(120);

async fn until<F: Future<Output = bool>>(what: &str, mut done: impl FnMut() -> F) {
    let wait = async {
        while !done().await {
            tokio::task::yield_now().await;
        }
    };
    assert!(tokio::time::timeout(HANG, wait).await.is_ok(), "still not so: {what}");
}

/// `cat` between two streams of the test: it returns on one what it receives on the other.
fn talking_cat() -> (Command, tokio::io::DuplexStream, tokio::io::DuplexStream) {
    let (typed, stdin) = tokio::io::duplex(64);
    let (stdout, seen) = tokio::io::duplex(64);
    let command = Command::new("cat")
        .stdin(Input::Stream { stream: Box::new(stdin), terminal: false })
        .stdout(Output::Stream { stream: Box::new(stdout), terminal: false });
    (command, typed, seen)
}

async fn processes(session: &Session) -> u8 {
    session.run(Command::new("counter")).await.expect("the counter starts").exit_code()
}

#[tokio::test]
async fn dropping_a_run_ends_its_processes_and_tasks() {
    let session = session(&policy(&["coreutils"], ""), &[("counter", &counter())]).await;
    assert_eq!(processes(&session).await, 1);
    let before = Handle::current().metrics().num_alive_tasks();
    for _ in 0..10 {
        let (command, mut typed, mut seen) = talking_cat();
        let talk = async {
            let mut byte = [0];
            typed.write_all(b"!").await.unwrap();
            seen.read_exact(&mut byte).await.unwrap();
        };
        tokio::select! {
            _ = session.run(command) => panic!("cat ended"),
            () = talk => {}
        }
    }
    until("one process is left", || async { processes(&session).await == 1 }).await;
    until("no task is left", || async { Handle::current().metrics().num_alive_tasks() <= before }).await;
    assert_works(&session).await;
}

#[tokio::test]
async fn dropping_a_run_while_its_program_is_prepared_gives_its_place_back() {
    struct NoWake;
    impl Wake for NoWake {
        fn wake(self: Arc<Self>) {}
    }
    // Never compiled before: it contains unique bytes, so the first run has to wait.
    let nonce = std::process::id();
    let bytes = raw_guest("", &format!("(func (export \"run\") (result i32) (i32.mul (i32.const {nonce}) (i32.const 0)))"));
    let session = session(&policy(&[], "[limits]\nprocesses = 1\n"), &[("fresh", &bytes)]).await;
    {
        let run = pin!(session.run(Command::new("fresh")));
        let waker = Waker::from(Arc::new(NoWake));
        assert!(run.poll(&mut Context::from_waker(&waker)).is_pending(), "there was nothing to wait for");
    }
    let outcome = session.run(Command::new("fresh")).await.expect("its place is free");
    assert_eq!((outcome.exit_code(), outcome.limit), (0, None));
}

#[tokio::test]
async fn an_interrupt_ends_what_runs_and_keeps_what_it_wrote() {
    let session = session(&policy(&["coreutils"], ""), &[("counter", &counter())]).await;
    let (command, mut typed, mut seen) = talking_cat();
    let talk = async {
        let mut got = [0; 4];
        typed.write_all(b"kept").await.unwrap();
        seen.read_exact(&mut got).await.unwrap();
        session.interrupt();
        got
    };
    let (outcome, got) = tokio::join!(session.run(command), talk);
    assert_eq!((outcome.unwrap().exit_code(), &got), (130, b"kept"));
    assert_eq!(processes(&session).await, 1);
    assert_works(&session).await;
}

#[tokio::test]
async fn an_interrupt_reaches_a_command_whose_first_process_has_ended() {
    let session = session(&policy(&["coreutils"], ""), &[("parent", &parent(true))]).await;
    let (stdout, mut seen) = tokio::io::duplex(64);
    let command = Command::new("parent").stdout(Output::Stream { stream: Box::new(stdout), terminal: false });
    let talk = async {
        let mut got = [0; 2];
        seen.read_exact(&mut got).await.unwrap();
        session.interrupt();
        let mut rest = Vec::new();
        seen.read_to_end(&mut rest).await.unwrap();
        got
    };
    let (outcome, got) = tokio::join!(session.run(command), talk);
    assert_eq!((outcome.unwrap().exit_code(), &got), (130, b"y\n"));
}

/// Starts `/usr/bin/yes`, with its standard output if `handed`, and ends.
fn parent(handed: bool) -> Vec<u8> {
    guest(
        r#"(import "wisp:sandbox/process@0.1.0" "spawn" (func $spawn (param i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32)))
           (import "wisp:sandbox/process@0.1.0" "pipe" (func $pipe (param i32)))"#,
        &format!(
            r#"(data (i32.const 1024) "/usr/bin/yes/home/user")
            (func (export "run") (result i32)
                (i32.store (i32.const 2000) (i32.const 1))
                {}
                (i32.store (i32.const 2100) (i32.const 1024))
                (i32.store (i32.const 2104) (i32.const 12))
                (call $spawn (i32.const 1024) (i32.const 12) (i32.const 2100) (i32.const 1) (i32.const 0) (i32.const 0)
                    (i32.const 1036) (i32.const 10) (i32.const 2000) (i32.const {}) (i32.const 0) (i32.const 40))
                (i32.load8_u (i32.const 40)))"#,
            if handed {
                "(call $inherited (i32.const 1) (i32.const 0)) (i32.store (i32.const 2004) (i32.load (i32.const 4)))"
            } else {
                // Both ends of a pipe without a reader: the child waits forever in its first full write.
                "(call $pipe (i32.const 0))
                 (i32.store (i32.const 2000) (i32.const 0)) (i32.store (i32.const 2004) (i32.load (i32.const 4)))
                 (i32.store (i32.const 2008) (i32.const 1)) (i32.store (i32.const 2012) (i32.load (i32.const 8)))"
            },
            if handed { 1 } else { 2 },
        ),
    )
}

#[tokio::test]
async fn a_child_that_holds_none_of_the_output_ends_with_its_command() {
    let session = session(&policy(&["coreutils"], ""), &[("parent", &parent(false)), ("counter", &counter())]).await;
    let outcome = session.run(Command::new("parent")).await.unwrap();
    assert_eq!((outcome.exit_code(), outcome.usage.processes, outcome.limit), (0, 2, None));
    assert_eq!(processes(&session).await, 1);
}

#[tokio::test]
async fn a_reader_that_left_ends_the_writer_as_a_pipe_does() {
    let session = session(&policy(&["coreutils"], ""), &[]).await;
    let (stdout, seen) = tokio::io::duplex(64);
    drop(seen);
    let outcome = session.run(Command::new("yes").stdout(Output::Stream { stream: Box::new(stdout), terminal: false }));
    assert_eq!(outcome.await.unwrap().exit_code(), 141);
}

#[tokio::test]
async fn a_writer_that_does_not_mind_a_lost_reader_ends_at_a_limit() {
    let stubborn = guest(
        r#"(import "wisp:sandbox/process@0.1.0" "ignore-broken-pipe" (func $ignore (param i32)))"#,
        r#"(func (export "run") (result i32)
            (call $ignore (i32.const 1))
            (call $inherited (i32.const 1) (i32.const 0))
            (loop $again
                (call $write (i32.load (i32.const 4)) (i32.const 1024) (i32.const 4096) (i32.const 16))
                (br $again))
            unreachable)"#,
    );
    let session = session(&policy(&[], "[limits]\ncpu = \"100ms\"\n"), &[("stubborn", &stubborn)]).await;
    let (stdout, seen) = tokio::io::duplex(64);
    drop(seen);
    let command = Command::new("stubborn").stdout(Output::Stream { stream: Box::new(stdout), terminal: false });
    let outcome = session.run(command).await.unwrap();
    assert_eq!((outcome.exit_code(), outcome.limit.map(|hit| hit.limit.as_str())), (137, Some("limits.cpu")));
}

#[tokio::test]
async fn a_reader_that_hangs_does_not_keep_a_command_whose_time_is_over() {
    let session = session(&policy(&["coreutils"], "[limits]\nwall = \"300ms\"\n"), &[]).await;
    let before = Handle::current().metrics().num_alive_tasks();
    let (stdout, hanging) = tokio::io::duplex(64);
    let command = Command::new("yes").stdout(Output::Stream { stream: Box::new(stdout), terminal: false });
    let outcome = tokio::time::timeout(HANG, session.run(command)).await.expect("the run hangs").unwrap();
    assert_eq!((outcome.exit_code(), outcome.limit.map(|hit| hit.limit.as_str())), (124, Some("limits.wall")));
    until("no task is left", || async { Handle::current().metrics().num_alive_tasks() <= before }).await;
    drop(hanging);
}

#[tokio::test]
async fn a_session_that_is_dropped_while_it_is_built_or_runs_leaves_nothing() {
    let (counter, policy) = (file(&counter()), policy(&["coreutils"], ""));
    let before = Handle::current().metrics().num_alive_tasks();
    for _ in 0..5 {
        let build = ENGINE.session(&policy).tool("counter", counter.path()).build();
        tokio::select! {
            biased;
            () = std::future::ready(()) => {}
            _ = build => {}
        }
        let session = ENGINE.session(&policy).tool("counter", counter.path()).build().await.unwrap();
        let (command, mut typed, mut seen) = talking_cat();
        let run = tokio::spawn(async move { session.run(command).await.map(|outcome| outcome.exit_code()) });
        typed.write_all(b"!").await.unwrap();
        seen.read_exact(&mut [0]).await.unwrap();
        run.abort();
    }
    until("no task is left", || async { Handle::current().metrics().num_alive_tasks() <= before }).await;
}
