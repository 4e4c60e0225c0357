//! Callers that go away, readers that hang, children that stay: nothing outlives its command.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Wake, Waker};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::runtime::Handle;
use wisp::{Command, Input, Output, RunError, Session};

use crate::escape::kit::{ENGINE, assert_works, component_of, counter, file, guest, policy, raw_guest, session};

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
async fn a_command_whose_program_is_prepared_when_its_session_is_closed_does_not_start() {
    // Never compiled before, as above.
    let body = format!("(i32.mul (i32.sub (i32.const 0) (i32.const {})) (i32.const 0))", std::process::id());
    let bytes = raw_guest("", &format!("(func (export \"run\") (result i32) {body})"));
    let session = session(&policy(&[], ""), &[("fresh", &bytes)]).await;
    let (ran, ()) = tokio::join!(session.run(Command::new("fresh")), async { session.close().await });
    assert!(matches!(ran, Err(RunError::Closed { .. })), "{ran:?}");
    let other = session.template().start().expect("a template of a closed session");
    assert_eq!(other.run(Command::new("fresh")).await.expect("it starts").exit_code(), 0);
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
async fn an_interrupt_and_a_kill_reach_a_command_whose_first_process_has_ended() {
    let session = session(&policy(&["coreutils"], ""), &[("parent", &parent(true))]).await;
    // Interrupted, it ends as its first process did; killed, it is ended as a whole.
    for (end, code) in [(Session::interrupt as fn(&Session), 0), (Session::kill_all, 137)] {
        let (stdout, mut seen) = tokio::io::duplex(64);
        let command = Command::new("parent").stdout(Output::Stream { stream: Box::new(stdout), terminal: false });
        let running = session.start(command).await.unwrap();
        assert_eq!(running.exited().await.code(), 0);
        let mut got = [0; 2];
        seen.read_exact(&mut got).await.unwrap();
        end(&session);
        let mut rest = Vec::new();
        seen.read_to_end(&mut rest).await.unwrap();
        assert_eq!((running.wait().await.unwrap().exit_code(), &got), (code, b"y\n"));
    }
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

/// Writes 64 KiB of newlines to each of these descriptors (`stdout`, `stderr`) as `wasi:io` lets it, without waiting for room, and
/// ends. They are more than a terminal takes.
fn hasty(descriptors: &[&str]) -> Vec<u8> {
    let write = |name: &&str| {
        format!(
            "(call $put (call ${name}) (i32.const 1024) (i32.const 65536) (i32.const 0))
             (if (i32.load8_u (i32.const 0)) (then (call $exit (i32.const 1))))"
        )
    };
    component_of(
        r#"(import "wasi:cli/stdout@0.2.12" "get-stdout" (func $stdout (result i32)))
           (import "wasi:cli/stderr@0.2.12" "get-stderr" (func $stderr (result i32)))
           (import "wasi:io/streams@0.2.12" "[method]output-stream.write" (func $put (param i32 i32 i32 i32)))"#,
        &format!(
            r#"(func (export "run") (result i32)
                (memory.fill (i32.const 1024) (i32.const 10) (i32.const 65536))
                {}
                (i32.const 0))"#,
            descriptors.iter().map(write).collect::<String>()
        ),
        "import wasi:cli/stderr@0.2.12;",
    )
}

/// Makes this many terminals, one after the other. Each time, `/usr/bin/hasty` has both ends as its outputs, and ends.
fn terminals(count: u32) -> Vec<u8> {
    component_of(
        r#"(import "wisp:sandbox/terminal@0.1.0" "make" (func $make (param i32 i32 i32 i32 i32)))
           (import "wisp:sandbox/process@0.1.0" "spawn" (func $spawn (param i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32)))
           (import "wisp:sandbox/process@0.1.0" "[method]child.wait" (func $wait (param i32 i32)))
           (import "wisp:sandbox/process@0.1.0" "[resource-drop]child" (func $forget (param i32)))
           (import "wisp:sandbox/files@0.1.0" "[resource-drop]open-file" (func $close (param i32)))"#,
        &format!(
            r#"(data (i32.const 1024) "/usr/bin/hasty/home/user")
            (func (export "run") (result i32)
                (local $left i32)
                (local.set $left (i32.const {count}))
                (i32.store (i32.const 2100) (i32.const 1024))
                (i32.store (i32.const 2104) (i32.const 14))
                (loop $again
                    (call $make (i32.const 24) (i32.const 80) (i32.const 0) (i32.const 0) (i32.const 0))
                    (if (i32.load8_u (i32.const 0)) (then (call $exit (i32.const 1))))
                    (i32.store (i32.const 2000) (i32.const 1)) (i32.store (i32.const 2004) (i32.load (i32.const 4)))
                    (i32.store (i32.const 2008) (i32.const 2)) (i32.store (i32.const 2012) (i32.load (i32.const 8)))
                    (call $spawn (i32.const 1024) (i32.const 14) (i32.const 2100) (i32.const 1) (i32.const 0) (i32.const 0)
                        (i32.const 1038) (i32.const 10) (i32.const 2000) (i32.const 2) (i32.const 0) (i32.const 40))
                    (if (i32.load8_u (i32.const 40)) (then (call $exit (i32.const 2))))
                    (call $wait (i32.load (i32.const 44)) (i32.const 48))
                    (if (i32.load8_u (i32.const 48)) (then (call $exit (i32.const 3))))
                    (call $forget (i32.load (i32.const 44)))
                    (call $close (i32.load (i32.const 4)))
                    (call $close (i32.load (i32.const 8)))
                    (local.set $left (i32.sub (local.get $left) (i32.const 1)))
                    (br_if $again (local.get $left)))
                (i32.const 0))"#
        ),
        "import wisp:sandbox/terminal@0.1.0;",
    )
}

/// Each end of such a terminal is held by bytes that wait for a reader, which only the other end's bytes keep there.
#[tokio::test]
async fn what_waits_for_a_reader_for_ever_ends_with_its_command() {
    let before = Handle::current().metrics().num_alive_tasks();
    let tools: [(&str, &[u8]); 2] = [("hasty", &hasty(&["stdout", "stderr"])), ("terminals", &terminals(90))];
    let session = session(&policy(&["coreutils"], "[limits]\nmemory = \"64MiB\"\n"), &tools).await;
    // Some 40 MiB of the session's memory each time: nothing is left of the first when the second begins.
    for _ in 0..2 {
        let outcome = session.run(Command::new("terminals")).await.unwrap();
        assert_eq!((outcome.exit_code(), outcome.usage.processes, outcome.limit), (0, 91, None));
        until("no task is left", || async { Handle::current().metrics().num_alive_tasks() <= before }).await;
    }
    assert_works(&session).await;
    // A caller that goes away leaves nothing either.
    let running = session.start(Command::new("terminals")).await.unwrap();
    running.exited().await;
    drop((running, session));
    until("no task is left", || async { Handle::current().metrics().num_alive_tasks() <= before }).await;
}

#[tokio::test]
async fn what_a_program_wrote_before_it_ended_reaches_a_slow_reader() {
    // The first write fills the pipe, the second waits.
    let session = session(&policy(&[], ""), &[("hasty", &hasty(&["stdout", "stdout"]))]).await;
    let (stdout, mut seen) = tokio::io::duplex(64);
    let command = Command::new("hasty").stdout(Output::Stream { stream: Box::new(stdout), terminal: false });
    let running = session.start(command).await.unwrap();
    assert_eq!(running.exited().await.code(), 0);
    let mut all = Vec::new();
    seen.read_to_end(&mut all).await.unwrap();
    assert_eq!((all.len(), all.iter().all(|byte| *byte == b'\n')), (128 << 10, true));
    assert_eq!(running.wait().await.unwrap().exit_code(), 0);
}
