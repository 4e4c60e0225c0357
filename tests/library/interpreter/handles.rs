//! Evaluations that run on their own, and their handles.

use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use parking_lot::Mutex;
use wisp::{Code, End, ErrorCode, Evaluation, Interpreter, InterpreterError, OutputChunk, Stream};

use crate::interpreter::kit::{CHILD, Gate, begun, cell, has_room, output, python, session};

fn text(chunk: &OutputChunk) -> (u64, &str, bool) {
    (chunk.offset, std::str::from_utf8(&chunk.bytes).unwrap(), chunk.end)
}

/// Awaits an evaluation until the code asks, and drops its future then.
async fn dropped_at(gate: &Gate, interpreter: &mut Interpreter, code: Code) {
    let evaluating = interpreter.eval(code);
    tokio::select! {
        ended = evaluating => panic!("it has ended: {ended:?}"),
        () = gate.asked() => {}
    }
}

fn name(evaluation: &Evaluation) -> Option<&str> {
    evaluation.error.as_ref().map(|error| error.name.as_str())
}

#[tokio::test]
async fn output_is_read_while_the_code_runs_and_again_after_its_end() {
    let (mut interpreter, gate) = (python("").await, Gate::default());
    let code = gate.code("import sys\nprint('one'); print('late', file=sys.stderr)\ninput()\nprint('two')");
    let running = interpreter.start(code).unwrap();
    gate.asked().await;
    assert_eq!(text(&running.next_output(Stream::Stdout, 0, 2).await), (0, "on", false));
    assert_eq!(text(&running.output(Stream::Stdout, 0, 100)), (0, "one\n", false));
    assert_eq!(text(&running.output(Stream::Stdout, 100, 100)), (4, "", false));
    assert!(running.result().is_none());
    gate.go();
    assert_eq!(running.next_output(Stream::Stdout, 4, 100).await.bytes, "two\n");
    assert_eq!(text(&running.next_output(Stream::Stdout, 8, 100).await), (8, "", true));
    let result = running.wait().await.unwrap();
    assert_eq!((&*result.stdout_text(), &*result.outcome.stderr_text(), result.success()), ("one\ntwo\n", "late\n", true));
    // The next evaluation has output of its own.
    assert_eq!(output(&mut interpreter, "print('three')").await, "three\n");
    assert_eq!(text(&running.output(Stream::Stdout, 0, 100)), (0, "one\ntwo\n", true));
    assert_eq!(text(&running.next_output(Stream::Stdout, 2, 3).await), (2, "e\nt", false));
    assert_eq!(text(&running.output(Stream::Stderr, 0, 100)), (0, "late\n", true));
}

#[tokio::test]
async fn what_the_host_says_about_an_evaluation_is_on_its_standard_error() {
    let mut interpreter = python("[limits]\nmemory = \"128MiB\"").await;
    let running = interpreter.start("x = bytearray(200_000_000)").unwrap();
    let result = running.wait().await.unwrap();
    assert!(result.outcome.stderr_text().ends_with("(set by test.toml:3)\n"), "{}", result.outcome.stderr_text());
    let stderr = running.output(Stream::Stderr, 0, 1 << 20);
    assert_eq!((stderr.bytes, stderr.end), (result.outcome.stderr.clone().into(), true));
}

#[tokio::test]
async fn what_is_shown_is_read_while_the_code_runs_and_again_after_its_end() {
    let (mut interpreter, gate) = (python("").await, Gate::default());
    let running = interpreter.start(gate.code("display(1)\ninput()\ndisplay(2)\ndisplay(3)")).unwrap();
    let first = running.next_displays(0).await;
    assert_eq!((first.displays.len(), first.next, first.end), (1, 1, false));
    gate.asked().await;
    let none = running.displays(first.next);
    assert_eq!((none.displays.len(), none.next, none.end), (0, 1, false));
    gate.go();
    let (mut at, mut later) = (first.next, Vec::new());
    loop {
        let chunk = running.next_displays(at).await;
        at = chunk.next;
        later.extend(chunk.displays);
        if chunk.end {
            break;
        }
    }
    let result = running.wait().await.unwrap();
    assert_eq!((result.displays.len(), at), (3, 3));
    assert_eq!([first.displays, later].concat(), result.displays);
    let again = running.displays(1);
    assert_eq!((&again.displays[..], again.next, again.end), (&result.displays[1..], 3, true));
    assert!(running.next_displays(7).await.end);
}

#[tokio::test]
async fn a_waiter_that_stops_waiting_ends_nothing() {
    let (mut interpreter, gate) = (python("").await, Gate::default());
    let running = interpreter.start(gate.code("input()\n6 * 7")).unwrap();
    gate.asked().await;
    assert!(running.wait_timeout(Duration::ZERO).await.unwrap().is_none());
    {
        let waiting = pin!(running.wait());
        assert!(waiting.poll(&mut Context::from_waker(Waker::noop())).is_pending());
    }
    // Nor does the last handle: the interpreter has another.
    drop(running);
    let running = interpreter.running().expect("it runs");
    gate.go();
    let result = running.wait_timeout(Duration::MAX).await.unwrap().expect("it has ended");
    assert_eq!(result.value.as_deref(), Some("42"));
    assert!(running.wait_timeout(Duration::ZERO).await.unwrap().is_some() && interpreter.running().is_none());
    assert!(Arc::ptr_eq(&running.wait().await.unwrap(), &result));
}

#[tokio::test]
async fn an_eval_that_is_no_longer_awaited_goes_on() {
    let (mut interpreter, gate) = (python("").await, Gate::default());
    let (pieces, shown) = (Arc::new(Mutex::new(String::new())), Arc::new(Mutex::new(0)));
    let (written, counted) = (pieces.clone(), shown.clone());
    let code = gate
        .code("x = 5\nprint('begun'); display(1); input()\nprint('on'); display(2)\nx + 1")
        .on_output(move |_, bytes| written.lock().push_str(&String::from_utf8_lossy(bytes)))
        .on_display(move |_| *counted.lock() += 1);
    dropped_at(&gate, &mut interpreter, code).await;
    assert!(interpreter.ended().is_none());
    let running = interpreter.running().expect("it runs");
    assert_eq!(text(&running.output(Stream::Stdout, 0, 100)), (0, "begun\n", false));
    gate.go();
    let result = running.wait().await.unwrap();
    assert_eq!((result.value.as_deref(), &*result.stdout_text(), result.displays.len()), (Some("6"), "begun\non\n", 2));
    assert_eq!((&**pieces.lock(), *shown.lock()), ("begun\non\n", 2), "its functions were still called");
    assert_eq!(cell(&mut interpreter, "x").await.value.as_deref(), Some("5"));
    assert_eq!(text(&running.output(Stream::Stdout, 6, 100)), (6, "on\n", true));
}

#[tokio::test]
async fn the_result_of_an_eval_that_nobody_awaits_is_there_until_the_next() {
    let (mut interpreter, gate) = (python("").await, Gate::default());
    assert!(interpreter.last().is_none());
    dropped_at(&gate, &mut interpreter, gate.code("input()\n6 * 7")).await;
    gate.go();
    while interpreter.running().is_some() {
        tokio::task::yield_now().await;
    }
    let last = interpreter.last().expect("it is kept");
    assert_eq!(last.wait().await.unwrap().value.as_deref(), Some("42"));
    assert_eq!(output(&mut interpreter, "print('next')").await, "next\n");
    assert!(interpreter.last().is_none() && last.result().is_some(), "an evaluation that was awaited has no handle");
}

#[tokio::test]
async fn an_interpreter_that_evaluates_refuses_other_work_until_then() {
    let (mut interpreter, gate) = (python("").await, Gate::default());
    let snapshot = interpreter.snapshot().await.unwrap();
    let running = interpreter.start(gate.code("input()")).unwrap();
    gate.asked().await;
    let refused = [
        interpreter.eval("1").await.err(),
        interpreter.start("1").err(),
        interpreter.snapshot().await.err(),
        interpreter.fork(1).await.err(),
        interpreter.restore(&snapshot).await.err(),
    ];
    for error in refused {
        let error = error.expect("it is refused");
        assert!(matches!(&error, InterpreterError::Busy { evaluation } if *evaluation == running.id()), "{error:?}");
        assert_eq!((error.code(), error.to_string().contains("evaluation 1;")), (ErrorCode::Conflict, true), "{error}");
    }
    assert!(running.result().is_none(), "a refusal ends nothing");
    gate.go();
    assert!(running.wait().await.unwrap().success());
    assert!(interpreter.eval("1").await.is_ok());
    assert_eq!(interpreter.start("1").unwrap().wait().await.unwrap().value.as_deref(), Some("1"));
    assert!(interpreter.snapshot().await.is_ok() && interpreter.fork(1).await.is_ok() && interpreter.restore(&snapshot).await.is_ok());
}

#[tokio::test]
async fn evaluations_are_numbered_and_a_handle_is_as_good_as_another() {
    let (mut interpreter, gate) = (python("").await, Gate::default());
    output(&mut interpreter, "x = 1").await;
    let running = interpreter.start(gate.code("print('x'); input()\nprint('y')")).unwrap();
    gate.asked().await;
    let (copy, found) = (running.clone(), interpreter.running().expect("it runs"));
    assert_eq!([running.id(), copy.id(), found.id()], [2; 3]);
    let (one, other) = tokio::join!(copy.wait(), async {
        gate.go();
        found.wait().await
    });
    assert!(Arc::ptr_eq(&one.unwrap(), &other.unwrap()));
    for handle in [&running, &copy, &found] {
        assert_eq!(text(&handle.output(Stream::Stdout, 0, 100)), (0, "x\ny\n", true));
    }
    interpreter.reset().await.unwrap();
    let fresh = interpreter.start("1").unwrap();
    assert_eq!((fresh.id(), fresh.wait().await.unwrap().number), (3, Some(1)), "a reset counts on");
}

#[tokio::test]
async fn an_interrupt_through_a_handle_is_for_its_evaluation_only() {
    let (mut interpreter, gate) = (python("").await, Gate::default());
    let endless = "print('begun', flush=True)\nwhile True: pass";
    let first = interpreter.start(endless).unwrap();
    begun(&first).await;
    first.interrupt();
    assert_eq!(name(&first.wait().await.unwrap()), Some("KeyboardInterrupt"));
    let second = interpreter.start(gate.code("input()\n'whole'")).unwrap();
    gate.asked().await;
    first.interrupt();
    first.kill();
    gate.go();
    assert_eq!(second.wait().await.unwrap().value.as_deref(), Some("'whole'"));
    // The interpreter's own handle means whatever runs.
    let third = interpreter.start(endless).unwrap();
    begun(&third).await;
    interpreter.interrupter().interrupt();
    assert_eq!(name(&third.wait().await.unwrap()), Some("KeyboardInterrupt"));
    // One that comes before the code has begun is not lost.
    let fourth = interpreter.start("while True: pass").unwrap();
    fourth.interrupt();
    let fourth = fourth.wait().await.unwrap();
    assert_eq!(name(&fourth), Some("KeyboardInterrupt"), "{fourth:?}");
    assert_eq!(cell(&mut interpreter, "1").await.value.as_deref(), Some("1"), "it is alive");
}

#[tokio::test]
async fn a_kill_ends_the_interpreter_with_its_processes() {
    let session = session("[limits]\nprocesses = 2").await;
    let mut interpreter = session.python().await.unwrap();
    output(&mut interpreter, CHILD).await;
    let running = interpreter.start("print('begun', flush=True)\nwhile True: pass").unwrap();
    begun(&running).await;
    assert!(!has_room(&session).await);
    running.kill();
    let result = running.wait().await.unwrap();
    assert_eq!(
        (&result.outcome.end, result.number, interpreter.ended().map(wisp::ExitStatus::code)),
        (&End::Signal { signal: 9 }, None, Some(137))
    );
    assert!(matches!(interpreter.eval("1").await, Err(InterpreterError::Ended { .. })));
    interpreter.close().await;
    assert!(has_room(&session).await);
}

#[tokio::test]
async fn the_limits_of_a_policy_and_a_time_of_its_own_end_what_was_started() {
    let mut interpreter = python("[limits]\nwall = \"200ms\"").await;
    let timed = interpreter.start(Code::new("while True: pass").timeout(Duration::from_millis(20))).unwrap().wait().await.unwrap();
    assert_eq!((name(&timed), timed.timed_out), (Some("KeyboardInterrupt"), true));
    let ended = interpreter.start("while True: pass").unwrap().wait().await.unwrap();
    assert_eq!(ended.outcome.limit.as_ref().map(|hit| hit.limit.as_str()), Some("limits.wall"));
    assert!(interpreter.ended().is_some() && interpreter.running().is_none());
}

#[tokio::test]
async fn in_a_deterministic_session_what_is_started_does_what_is_awaited_does() {
    let lines = "[determinism]\nseed = 7\nclock = \"2026-01-01T00:00:00Z\"";
    let source = "import random, subprocess, time\n\
        children = [subprocess.Popen(f'echo {n} $RANDOM; sleep 0.01; date +%N', shell=True) for n in range(3)]\n\
        print([child.wait() for child in children], random.random(), time.time())";
    let awaited = output(&mut python(lines).await, source).await;
    let started = python(lines).await.start(source).unwrap().wait().await.unwrap();
    assert_eq!((&*started.stdout_text(), started.success()), (&*awaited, true));
}

#[tokio::test]
async fn the_end_of_the_runtime_is_the_end_of_what_it_runs() {
    let (mut interpreter, gate) = (python("").await, Gate::default());
    let other = tokio::runtime::Builder::new_multi_thread().worker_threads(1).build().unwrap();
    let code = gate.code("print('begun', flush=True)\ninput()");
    let running = {
        let _within = other.enter();
        interpreter.start(code).unwrap()
    };
    gate.asked().await;
    other.shutdown_background();
    let abandoned = running.wait().await.unwrap_err();
    assert!(matches!(abandoned, InterpreterError::Abandoned) && abandoned.code() == ErrorCode::Abandoned, "{abandoned}");
    assert_eq!(text(&running.next_output(Stream::Stdout, 0, 100).await), (0, "begun\n", true));
    assert!(running.next_displays(0).await.end);
    assert_eq!(interpreter.ended().map(wisp::ExitStatus::code), Some(137));
    interpreter.reset().await.unwrap();
    assert!(interpreter.start("1").unwrap().wait().await.unwrap().success());
}

/// Polls a future once.
fn polled<T>(future: impl Future<Output = T>) -> Poll<T> {
    pin!(future).poll(&mut Context::from_waker(Waker::noop()))
}

#[tokio::test]
async fn a_thread_without_a_runtime_starts_evaluations_in_the_interpreter_s() {
    let session = session("").await;
    let mut interpreter = session.python().await.unwrap();
    let (running, refused, ended) = std::thread::spawn(move || {
        let running = interpreter.start("6 * 7").map(|running| (running, interpreter));
        // One that was made here knows no runtime.
        let Poll::Ready(Ok(mut other)) = polled(session.python()) else { panic!("it waits") };
        let refused = other.start("1").err();
        assert!(polled(other.eval("while True: pass")).is_pending());
        (running, refused, other.ended())
    })
    .join()
    .unwrap();
    let (running, _interpreter) = running.unwrap();
    assert_eq!(running.wait().await.unwrap().value.as_deref(), Some("42"));
    assert!(matches!(refused, Some(InterpreterError::NoRuntime)), "{refused:?}");
    assert_eq!(ended.map(wisp::ExitStatus::code), Some(137), "nothing can go on with an evaluation that is no longer awaited");
}
