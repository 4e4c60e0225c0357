//! The end of interpreters, of what they evaluate and of what they started: closed, dropped, replaced, or with their session.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use wisp::{Command, ErrorCode, Event, EventKind, EventSink, Interpreter, InterpreterError, Policy, RunningEvaluation};

use crate::interpreter::kit::{CHILD, ENGINE, begun, cell, has_room, output, session};

/// Code that has begun when it has written something, and never ends.
const ENDLESS: &str = "kept = 7\nprint('begun', flush=True)\nwhile True: pass";

#[tokio::test]
async fn closing_waits_until_the_interpreter_and_its_processes_are_gone() {
    let session = session("[limits]\nprocesses = 2").await;
    for evaluates in [false, true] {
        let mut interpreter = session.python().await.unwrap();
        output(&mut interpreter, CHILD).await;
        let running = if evaluates {
            let running = interpreter.start(ENDLESS).unwrap();
            begun(&running).await;
            Some(running)
        } else {
            None
        };
        assert!(!has_room(&session).await);
        interpreter.close().await;
        let both = (session.python().await, session.python().await);
        assert!(both.0.is_ok() && both.1.is_ok(), "both places are free: {both:?}");
        // It has its result when the interpreter is gone.
        assert_eq!(running.map(|running| running.result().expect("a result").outcome.exit_code()), evaluates.then_some(137));
    }
}

#[tokio::test]
async fn closing_waits_for_processes_in_lockstep_beside_another_interpreter() {
    let session = session("[determinism]\nseed = 7\nclock = \"2026-01-01T00:00:00Z\"\n[limits]\nprocesses = 3").await;
    let (mut first, mut other) = (session.python().await.unwrap(), session.python().await.unwrap());
    output(&mut first, "import subprocess; child = subprocess.Popen(['sh', '-c', 'while :; do :; done'])").await;
    assert!(!has_room(&session).await);
    first.close().await;
    assert!(has_room(&session).await);
    assert_eq!(output(&mut other, "print('on')").await, "on\n");
}

#[tokio::test]
async fn dropping_the_interpreter_ends_what_it_evaluates() {
    let session = session("[limits]\nprocesses = 2").await;
    let mut interpreter = session.python().await.unwrap();
    output(&mut interpreter, CHILD).await;
    let running = interpreter.start(ENDLESS).unwrap();
    begun(&running).await;
    drop(interpreter);
    let result = running.wait().await.unwrap();
    assert_eq!((result.outcome.exit_code(), &*result.stdout_text()), (137, "begun\n"));
    // The child's place is free when its task has noticed.
    let deadline = tokio::time::Instant::now() + Duration::from_secs(20);
    while !has_room(&session).await {
        assert!(tokio::time::Instant::now() < deadline, "the places are free again");
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_reset_ends_what_it_evaluates_and_frees_its_place() {
    let session = session("[limits]\nprocesses = 1").await;
    let mut interpreter = session.python().await.unwrap();
    let running = interpreter.start(ENDLESS).unwrap();
    begun(&running).await;
    interpreter.reset().await.unwrap();
    assert_eq!(running.result().expect("it has ended").outcome.exit_code(), 137);
    assert_eq!(cell(&mut interpreter, "kept").await.error.map(|error| error.name).as_deref(), Some("NameError"));
}

/// The refusal of an interpreter in a closed session.
fn refused<T>(result: Result<T, InterpreterError>) {
    let Err(error) = result else { panic!("it is not refused") };
    assert!(matches!(error, InterpreterError::Closed { .. }) && error.code() == ErrorCode::Ended, "{error:?}");
}

#[tokio::test]
async fn a_session_that_is_closed_ends_its_interpreters() {
    let session = session("").await;
    let (mut rests, mut evaluates) = (session.python().await.unwrap(), session.python().await.unwrap());
    output(&mut rests, "x = 5").await;
    output(&mut rests, CHILD).await;
    let snapshot = rests.snapshot().await.unwrap();
    let running = evaluates.start(ENDLESS).unwrap();
    begun(&running).await;
    assert!(rests.private_memory().is_some());
    session.close().await;
    assert_eq!(running.wait().await.unwrap().outcome.exit_code(), 137);
    for interpreter in [&mut rests, &mut evaluates] {
        assert!(interpreter.ended().is_some() && interpreter.private_memory().is_none(), "its memory is given back");
        refused(interpreter.eval("1").await);
        refused(interpreter.start("1"));
        refused(interpreter.snapshot().await);
        refused(interpreter.restore(&snapshot).await);
        refused(interpreter.reset().await);
    }
    refused(session.python().await);
    rests.close().await;
    // A fork begins in a session of its own.
    let mut fork: Interpreter = snapshot.fork().await.unwrap();
    assert_eq!(cell(&mut fork, "x").await.value.as_deref(), Some("5"));
}

#[tokio::test]
async fn a_kill_of_everything_in_a_session_ends_interpreters_at_rest_and_new_ones_start() {
    let session = session("[limits]\nprocesses = 1").await;
    let mut interpreter = session.python().await.unwrap();
    output(&mut interpreter, "x = 5").await;
    assert!(!has_room(&session).await);
    session.kill_all();
    assert!(interpreter.ended().is_some());
    assert!(matches!(interpreter.eval("x").await, Err(InterpreterError::Ended { .. })));
    assert!(session.run(Command::new("true")).await.unwrap().success(), "its place is free");
    interpreter.reset().await.unwrap();
    assert_eq!(output(&mut interpreter, "print('on')").await, "on\n");
}

/// Kills an evaluation when its code has ended, before its result is there.
#[derive(Default)]
struct Late(Mutex<Option<RunningEvaluation>>);

impl EventSink for Late {
    fn event(&self, event: &Event) {
        if let EventKind::End { .. } = event.kind
            && let Some(running) = self.0.lock().take()
        {
            running.kill();
        }
    }
}

#[tokio::test]
async fn a_kill_at_the_very_end_of_an_evaluation_ends_the_interpreter_too() {
    let late = Arc::new(Late::default());
    let session = ENGINE.session(&Policy::offline()).events(late.clone()).build().await.unwrap();
    let mut interpreter = session.python().await.unwrap();
    assert_eq!(output(&mut interpreter, "print('before')").await, "before\n");
    let running = interpreter.start("6 * 7").unwrap();
    *late.0.lock() = Some(running.clone());
    assert_eq!(running.wait().await.unwrap().value.as_deref(), Some("42"));
    assert_eq!(interpreter.ended().map(wisp::ExitStatus::code), Some(137));
    assert!(matches!(interpreter.eval("1").await, Err(InterpreterError::Ended { .. })));
}
