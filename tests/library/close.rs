//! The end of a session by `close`, whoever holds its handles.

use std::time::Duration;

use wisp::{Command, End, ErrorCode, ExitStatus, Input, Output, RunError, Session, Signal, Stream, WaitFor};

use crate::commands::{closing, until};
use crate::kit::{output, session, sh};

/// The refusal of what starts in a closed session.
fn refused<T>(result: Result<T, RunError>, session: &Session) {
    let Err(error) = result else { panic!("it started in a closed session") };
    assert!(matches!(&error, RunError::Closed { session: id } if id == session.id()), "{error:?}");
    assert!(error.code() == ErrorCode::Ended && error.to_string().contains(session.id()), "{error}");
}

#[tokio::test]
async fn closing_ends_what_runs_and_keeps_what_it_left() {
    let session = session("").await;
    let ((detached, detached_closed), (left, left_closed)) = (closing(), closing());
    let running = session.start(sh("echo said > file; echo said; cat").stdin(Input::Piped)).await.unwrap();
    assert_eq!(until(&running, 0, "\n").await, "said\n");
    let id = session.start(sh("sleep 1000").stdout(detached)).await.unwrap().detach();
    session.run(sh("setsid sleep 1000 & echo started").stdout(left).wait_for(WaitFor::Direct)).await.unwrap();
    let detached = session.command(id).expect("it is listed");

    session.close().await;
    // All of it is over when the call returns.
    assert!(running.processes().is_empty() && detached.processes().is_empty());
    assert!(detached_closed.await.is_err() && left_closed.await.is_err());
    for ended in [&running, &detached, &session.command(id).expect("it is still listed")] {
        let outcome = ended.wait_timeout(Duration::ZERO).await.unwrap().expect("it has its outcome");
        assert_eq!((&outcome.end, ended.status()), (&End::Signal { signal: 9 }, Some(ExitStatus::Signaled(Signal::Kill))));
    }
    let chunk = running.output(Stream::Stdout, 0, 100);
    assert_eq!((&chunk.bytes[..], chunk.end), (&b"said\n"[..], true));
    assert_eq!(session.files().read("file").await.unwrap(), "said\n");
    assert!(running.write_stdin("x").await.is_err());
}

#[tokio::test]
async fn nothing_starts_in_a_closed_session_through_any_handle() {
    let session = session("").await;
    let mut shell = session.shell().await.unwrap();
    shell.eval("x=1").await.unwrap();
    let (other, running) = (session.clone(), session.start(Command::new("true")).await.unwrap());
    running.wait().await.unwrap();
    let (snapshot, template) = (shell.snapshot(), session.template());
    // Each of these works in a session that is open.
    assert!(!session.is_closed() && session.run(Command::new("true")).await.unwrap().success());
    other.close().await;
    assert!(session.is_closed());
    refused(session.run(Command::new("true")).await, &session);
    refused(running.session().start(Command::new("true")).await, &session);
    refused(shell.eval("true").await, &session);
    refused(session.shell().await, &session);
    refused(session.shell_from(shell.state().clone()).eval("true").await, &session);
    session.close().await;
    session.close().await;
    // Others that began as this one did are sessions of their own.
    assert_eq!(snapshot.fork().eval("echo $x").await.unwrap().stdout_text(), "1\n");
    assert_eq!(output(&template.start().unwrap(), "echo on").await, "on\n");
}

#[tokio::test]
async fn dropping_the_future_leaves_the_session_closed() {
    let session = session("").await;
    let (output, closed) = closing();
    let running = session.start(sh("sleep 1000 & echo started; wait").stdout(output)).await.unwrap();
    drop(session.close());
    refused(session.run(Command::new("true")).await, &session);
    assert!(closed.await.is_err());
    assert_eq!(running.wait().await.unwrap().exit_code(), 137);
}

#[tokio::test]
async fn a_reader_that_hangs_does_not_keep_a_session_that_is_closed() {
    let session = session("").await;
    let (stdout, hanging) = tokio::io::duplex(64);
    let command = Command::new("yes").stdout(Output::Stream { stream: Box::new(stdout), terminal: false });
    let running = session.start(command).await.unwrap();
    session.close().await;
    assert!(running.wait_timeout(Duration::ZERO).await.unwrap().is_some());
    drop(hanging);
}

#[tokio::test]
async fn a_deterministic_session_is_closed_too() {
    let session = session("[determinism]\nseed = 7\nclock = \"2026-01-01T00:00:00Z\"").await;
    let running = session.start(sh("read -r x").stdin(Input::Piped)).await.unwrap();
    session.run(sh("sleep 1000 & echo left").wait_for(WaitFor::Direct)).await.unwrap();
    let mut python = session.python().await.unwrap();
    let child = "import subprocess; child = subprocess.Popen(['sh', '-c', 'while :; do :; done'])";
    assert!(python.eval(child).await.unwrap().success());
    session.close().await;
    assert!(python.ended().is_some());
    assert_eq!(running.wait_timeout(Duration::ZERO).await.unwrap().expect("an outcome").exit_code(), 137);
    refused(session.run(Command::new("true")).await, &session);
}

#[tokio::test]
async fn snapshots_and_templates_keep_nothing_running_and_outlive_their_session() {
    let session = session("").await;
    let (stdout, closed) = closing();
    session.start(sh("sleep 1000").stdout(stdout)).await.unwrap().detach();
    let mut shell = session.shell().await.unwrap();
    shell.eval("x=1").await.unwrap();
    let mut python = session.python().await.unwrap();
    python.eval("x = 2").await.unwrap();
    let (of_shell, of_python, template) = (shell.snapshot(), python.snapshot().await.unwrap(), session.template());
    drop((session, shell, python));
    assert!(closed.await.is_err());
    assert_eq!(of_shell.fork().eval("echo $x").await.unwrap().stdout_text(), "1\n");
    assert_eq!(of_python.fork().await.unwrap().eval("x").await.unwrap().value.as_deref(), Some("2"));
    assert_eq!(output(&template.start().unwrap(), "echo on").await, "on\n");
}
