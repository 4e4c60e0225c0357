//! Commands with handles: input and output while they run, what ends them, what they leave running, and how the session
//! lists them.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::oneshot;
use wisp::{Command, End, ExitStatus, Input, Output, OutputChunk, Running, Session, Signal, StdinError, Stream, WaitFor};

use crate::kit::{session, sh};

/// A shell script whose standard input is written through its handle.
async fn piped(session: &Session, script: &str) -> Running {
    session.start(sh(script).stdin(Input::Piped)).await.expect("a shell")
}

fn text(chunk: &OutputChunk) -> &str {
    std::str::from_utf8(&chunk.bytes).expect("text")
}

/// What follows on standard output at `offset`, until it ends in `end`.
pub(crate) async fn until(running: &Running, mut offset: u64, end: &str) -> String {
    let mut all = String::new();
    while !all.ends_with(end) {
        let chunk = running.next_output(Stream::Stdout, offset, 1 << 20).await;
        offset = chunk.next_offset();
        all.push_str(text(&chunk));
        assert!(!chunk.end || all.ends_with(end), "the output ended: {all:?}");
    }
    all
}

/// An output, and what is received when its last descriptor is closed.
pub(crate) fn closing() -> (Output, oneshot::Receiver<()>) {
    let (sender, closed) = oneshot::channel::<()>();
    let output = Output::Callback(Box::new(move |_| {
        let _kept = &sender;
    }));
    (output, closed)
}

const ECHO: &str = r#"while read -r line; do echo "got $line"; done; echo over"#;

#[tokio::test]
async fn input_is_written_and_output_is_read_while_it_runs() {
    let session = session("").await;
    let running = piped(&session, ECHO).await;
    running.write_stdin("one\n").await.unwrap();
    assert_eq!(until(&running, 0, "\n").await, "got one\n");
    assert_eq!((running.status(), running.wait_timeout(Duration::ZERO).await.unwrap().is_none()), (None, true));
    running.write_stdin("two\n").await.unwrap();
    assert_eq!(until(&running, 8, "\n").await, "got two\n");
    running.close_stdin();
    let outcome = running.wait().await.unwrap();
    assert_eq!((outcome.exit_code(), &*outcome.stdout_text()), (0, "got one\ngot two\nover\n"));
    // A reader that lost its connection goes on wherever it was.
    for (offset, most, expected) in [(0, 100, "got one\ngot two\nover\n"), (4, 3, "one"), (12, 100, "two\nover\n")] {
        assert_eq!(text(&running.output(Stream::Stdout, offset, most)), expected);
    }
    assert!(running.next_output(Stream::Stdout, 21, 1).await.end && running.next_output(Stream::Stderr, 0, 1).await.end);
}

#[tokio::test]
async fn input_that_cannot_be_written_says_why() {
    let session = session("").await;
    let running = piped(&session, "read -r line; exec 0<&-; echo $line; sleep 1000").await;
    running.write_stdin("x\n").await.unwrap();
    assert_eq!(until(&running, 0, "\n").await, "x\n");
    assert_eq!(running.write_stdin("y\n").await, Err(StdinError::Broken));
    running.close_stdin();
    assert_eq!(running.write_stdin("y\n").await, Err(StdinError::Closed));
    let running = session.start(Command::new("cat")).await.unwrap();
    assert_eq!(running.write_stdin("y\n").await, Err(StdinError::NotPiped));
    // Its standard input is empty, and a command without a handle has no writer.
    assert!(running.wait().await.unwrap().success());
    assert!(session.run(Command::new("cat").stdin(Input::Piped)).await.unwrap().success());
}

#[tokio::test]
async fn a_command_ends_with_its_first_process_or_with_its_output() {
    let session = session("").await;
    // The child reads the handle's input, and holds the output.
    let script = r#"exec 3<&0; { read -r word <&3; echo "late $word"; } & echo started"#;
    let running = piped(&session, script).await;
    assert_eq!(running.exited().await, ExitStatus::Exited(0));
    assert!(running.wait_timeout(Duration::ZERO).await.unwrap().is_none());
    running.write_stdin("x\n").await.unwrap();
    assert_eq!(running.wait().await.unwrap().stdout_text(), "started\nlate x\n");

    let running = session.start(sh(script).stdin(Input::Piped).wait_for(WaitFor::Direct)).await.unwrap();
    assert_eq!(running.wait().await.unwrap().stdout_text(), "started\n");
    assert_eq!(running.processes().len(), 1);
    running.write_stdin("x\n").await.unwrap();
    assert_eq!(until(&running, 8, "x\n").await, "late x\n");
    assert!(running.next_output(Stream::Stdout, 15, 1).await.end);

    let outcome = session.run(sh("sleep 1000 & echo started").wait_for(WaitFor::Direct)).await.unwrap();
    assert_eq!(outcome.stdout_text(), "started\n");
    let left = session.run(sh("ps -o comm= | grep -c sleep")).await.unwrap();
    assert_eq!(left.stdout_text(), "1\n");
}

#[tokio::test]
async fn what_a_command_left_running_has_its_limits() {
    let session = session("").await;
    let (output, closed) = closing();
    let command = sh("sleep 1000 & echo started").stdout(output).wait_for(WaitFor::Direct).timeout(Duration::from_millis(200));
    let running = session.start(command).await.unwrap();
    let outcome = running.wait().await.unwrap();
    assert_eq!((outcome.exit_code(), &outcome.limit), (0, &None));
    // `sleep` is ended by the time limit: then nothing holds the output.
    assert!(closed.await.is_err());
    let next = session.run(Command::new("true")).await.unwrap();
    assert!(next.receipts.iter().any(|receipt| receipt.subject.ends_with("wall = 200ms")), "{:?}", next.receipts);
}

#[tokio::test]
async fn dropping_the_first_handle_ends_a_command_that_is_not_detached() {
    let session = session("").await;
    let running = piped(&session, ECHO).await;
    let (second, third) = (running.clone(), session.command(running.id()).expect("it is listed"));
    drop(third);
    second.write_stdin("on\n").await.unwrap();
    assert_eq!(until(&second, 0, "\n").await, "got on\n");
    drop(running);
    assert_eq!(second.wait().await.unwrap().end, End::Signal { signal: 9 });
    assert!(session.commands().is_empty());

    let id = session.start(sh(ECHO).stdin(Input::Piped).tag("echo")).await.unwrap().detach();
    let found = session.commands().into_iter().find(|running| running.tag() == Some("echo")).expect("it is listed");
    assert_eq!((found.id(), found.command(), found.is_detached()), (id, &*format!("sh -c {ECHO}"), true));
    found.write_stdin("again\n").await.unwrap();
    found.close_stdin();
    assert_eq!(found.wait().await.unwrap().stdout_text(), "got again\nover\n");
    drop(found);
    // Its outcome can be read after its end, from any handle.
    let again = session.command(id).expect("it is kept");
    assert_eq!((again.wait().await.unwrap().exit_code(), text(&again.output(Stream::Stdout, 4, 5))), (0, "again"));
}

#[tokio::test]
async fn the_list_of_ended_commands_is_bounded() {
    let session = session("").await;
    for _ in 0..70 {
        let running = session.start(Command::new("true")).await.unwrap();
        let watch = running.clone();
        running.detach();
        assert!(watch.wait().await.unwrap().success());
    }
    let kept: Vec<u64> = session.commands().iter().map(Running::id).collect();
    assert_eq!(kept, (7..=70).collect::<Vec<_>>());
}

#[tokio::test]
async fn the_commands_that_ended_last_are_kept_whatever_their_numbers() {
    let session = session("").await;
    let first = piped(&session, ECHO).await;
    let watch = first.clone();
    let id = first.detach();
    for _ in 0..65 {
        let running = session.start(Command::new("true")).await.unwrap();
        let watch = running.clone();
        running.detach();
        assert!(watch.wait().await.unwrap().success());
    }
    watch.close_stdin();
    assert!(watch.wait().await.unwrap().success());
    // It began first and ended last.
    let kept: Vec<u64> = session.commands().iter().map(Running::id).collect();
    assert_eq!((kept[0], kept.len(), kept[1]), (id, 64, id + 3));
}

#[tokio::test]
async fn what_ended_commands_hold_is_bounded_in_bytes() {
    let session = session("").await;
    let run = async |script: &str| {
        let running = session.start(sh(script)).await.unwrap();
        let watch = running.clone();
        running.detach();
        assert!(watch.wait().await.unwrap().success());
        watch.id()
    };
    // Each holds 12 MB twice.
    let (small, mut large) = (run("true").await, Vec::new());
    for _ in 0..4 {
        large.push(run("head -c 12000000 /dev/zero").await);
    }
    assert!(session.command(small).is_none() && session.command(large[0]).is_none());
    let last = session.command(large[3]).expect("the last one stays").wait().await.unwrap();
    assert_eq!(last.stdout.len(), 12_000_000);
    // What is small takes no place of what is large.
    let small = run("true").await;
    assert!(session.command(large[3]).is_some() && session.command(small).is_some());
}

#[tokio::test]
async fn commands_end_with_the_last_handle_of_their_session() {
    let session = session("").await;
    let ((detached, detached_closed), (left, left_closed)) = (closing(), closing());
    session.start(sh("sleep 1000").stdout(detached)).await.unwrap().detach();
    session.run(sh("sleep 1000 & echo started").stdout(left).wait_for(WaitFor::Direct)).await.unwrap();
    let handle = session.commands().remove(0);
    drop(session);
    // A handle of a command is one of its session.
    assert_eq!(handle.session().run(sh("ps -o comm= | grep -c sleep")).await.unwrap().stdout_text(), "2\n");
    drop(handle);
    assert!(detached_closed.await.is_err() && left_closed.await.is_err());
}

#[tokio::test]
async fn signals_reach_the_first_process_and_kill_reaches_all() {
    let session = session("").await;
    let script = "trap 'echo caught; exit 3' TERM; sleep 1000 & echo ready; wait";
    let running = session.start(sh(script).wait_for(WaitFor::Direct)).await.unwrap();
    assert_eq!(until(&running, 0, "\n").await, "ready\n");
    running.signal(Signal::Terminate);
    let outcome = running.wait().await.unwrap();
    assert_eq!((outcome.exit_code(), &*outcome.stdout_text(), running.processes().len()), (3, "ready\ncaught\n", 1));
    running.signal(Signal::Kill);
    assert_eq!(running.processes().len(), 1, "the first process has ended, and the signal was for it");
    running.kill();
    assert!(running.next_output(Stream::Stdout, 13, 1).await.end);

    // A process group of its own does not protect from `kill`.
    let running = session.start(sh("setsid sleep 1000 & echo ready; wait")).await.unwrap();
    assert_eq!(until(&running, 0, "\n").await, "ready\n");
    running.kill();
    assert_eq!(running.wait().await.unwrap().exit_code(), 137);
    assert!(running.processes().is_empty());

    let running = session.start(sh("echo ready; sleep 1000")).await.unwrap();
    assert_eq!(until(&running, 0, "\n").await, "ready\n");
    running.interrupt();
    assert_eq!(running.wait().await.unwrap().exit_code(), 130);
}

#[tokio::test]
async fn output_can_be_merged_bounded_or_handed_to_a_function() {
    let session = session("").await;
    let script = "echo a; echo b >&2; echo c";
    let merged = session.run(sh(script).merge_stderr()).await.unwrap();
    assert_eq!((&*merged.stdout_text(), &*merged.stderr_text()), ("a\nb\nc\n", ""));
    let apart = session.run(sh(script)).await.unwrap();
    assert_eq!((&*apart.stdout_text(), &*apart.stderr_text()), ("a\nc\n", "b\n"));

    let running = session.start(Command::new("seq").arg("100000").stdout(Output::Tail { bytes: 1000 })).await.unwrap();
    let outcome = running.wait().await.unwrap();
    assert!((1000..=2000).contains(&outcome.stdout.len()) && outcome.stdout_text().ends_with("\n99999\n100000\n"));
    let all = running.output(Stream::Stdout, 0, usize::MAX);
    assert_eq!((all.next_offset(), all.bytes.len()), (588_895, outcome.stdout.len()));

    let received = Arc::new(Mutex::new(Vec::new()));
    let sink = received.clone();
    let callback = Output::Callback(Box::new(move |piece| sink.lock().extend_from_slice(piece)));
    let outcome = session.run(Command::new("seq").arg("3").stdout(callback)).await.unwrap();
    assert_eq!((&*outcome.stdout, &**received.lock()), (&b""[..], &b"1\n2\n3\n"[..]));
}

#[tokio::test]
async fn output_limits_hold_for_what_is_not_kept() {
    let session = session("[limits]\nstdout = \"10KiB\"").await;
    for (count, status) in [("2000", 0), ("20000", 137)] {
        let running = session.start(Command::new("seq").arg(count).stdout(Output::Tail { bytes: 10 })).await.unwrap();
        assert_eq!(running.wait().await.unwrap().exit_code(), status);
    }
}

#[tokio::test]
async fn a_deterministic_session_has_handles_too() {
    let session = session("[determinism]\nseed = 7\nclock = \"2026-01-01T00:00:00Z\"").await;
    let running = piped(&session, "read -r x; echo $x; sleep 5; date -u +%T").await;
    running.write_stdin("on\n").await.unwrap();
    let outcome = running.wait().await.unwrap();
    assert!(outcome.stdout_text().starts_with("on\n00:00:0"), "{}", outcome.stdout_text());
    let outcome = session.run(sh("sleep 1000 & echo left").wait_for(WaitFor::Direct)).await.unwrap();
    assert_eq!(outcome.stdout_text(), "left\n");
}
