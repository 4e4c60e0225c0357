//! Evaluations of a session: interpreters by name, output while they run, what ends them.

use std::time::Duration;

use wisp::Stream;
use wisp_api::{CodeRequest, CommandRequest, ErrorCode, OutputRequest};
use wisp_service::{EvaluationHandle, SessionHandle};

use super::kit::{LONG, code, eval, session};

/// Code that says `ready`, and goes on until the file `go` exists.
const UNTIL_GO: &str = "import os, time\nprint('ready', flush=True)\nwhile not os.path.exists('go'): time.sleep(0.001)\nprint('gone')";

fn in_interpreter(name: &str, source: &str) -> CodeRequest {
    CodeRequest { interpreter: name.to_owned(), ..CodeRequest::new(source) }
}

/// Starts code, and waits until it has said `ready`.
async fn ready(session: &SessionHandle, source: &str) -> EvaluationHandle {
    let evaluation = session.evaluate(CodeRequest::new(source)).await.unwrap();
    let mut said = Vec::new();
    while !said.ends_with(b"ready\n") {
        let request = OutputRequest::new(Stream::Stdout, said.len() as u64).waiting(LONG);
        let piece = evaluation.output(request).await.unwrap();
        assert!(!piece.end, "{:?}", evaluation.wait(None).await);
        said.extend_from_slice(&piece.bytes);
    }
    evaluation
}

async fn value(session: &SessionHandle, source: &str) -> Option<String> {
    eval(session, source).await.value.clone()
}

#[tokio::test]
async fn an_interpreter_of_each_name_keeps_what_was_defined() {
    let session = session().await;
    eval(&session, "x = 1").await;
    assert_eq!(value(&session, "x").await.as_deref(), Some("1"));
    let other = session.evaluate(in_interpreter("other", "x = 2; x")).await.unwrap();
    assert_eq!(other.wait(None).await.unwrap().unwrap().error.as_ref().map(|error| error.name.clone()), None);
    assert_eq!(value(&session, "x").await.as_deref(), Some("1"));
    let info = session.info().unwrap();
    let names: Vec<_> = info.interpreters.iter().map(|one| (one.name.as_str(), one.tool.as_str(), one.evaluation, one.ended)).collect();
    assert_eq!(names, [("other", "python3", None, false), ("python", "python3", None, false)]);
    let ids: Vec<_> = session.evaluations().unwrap().iter().map(|one| (one.id, one.interpreter.clone(), one.running)).collect();
    assert_eq!(ids.iter().map(|one| one.0).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert_eq!(ids[2], (3, "other".to_owned(), false));

    let sh = CodeRequest { tool: Some("sh".to_owned()), ..CodeRequest::new("1") };
    assert_eq!(code(session.evaluate(sh.clone()).await), ErrorCode::Conflict);
    assert_eq!(code(session.evaluate(CodeRequest { interpreter: "sh".to_owned(), ..sh }).await), ErrorCode::Unsupported);
    assert_eq!(session.info().unwrap().interpreters.len(), 2);
}

#[tokio::test]
async fn a_running_evaluation_is_read_found_and_waited_for() {
    let session = session().await;
    let id = ready(&session, UNTIL_GO).await.id();
    // Nothing that lists or looks waits for it, and another name is free.
    let info = session.info().unwrap();
    assert_eq!((info.running, info.interpreters[0].evaluation), (1, Some(id)));
    assert_eq!(code(session.evaluate(CodeRequest::new("1")).await), ErrorCode::Conflict);
    let other = session.evaluate(in_interpreter("other", "6 * 7")).await.unwrap();
    assert_eq!(other.wait(None).await.unwrap().unwrap().value.as_deref(), Some("42"));
    let evaluation = session.evaluation(id).unwrap();
    assert!(evaluation.info().running && evaluation.wait(Some(Duration::ZERO)).await.unwrap().is_none());
    session.run(CommandRequest::argv(["touch", "go"])).await.unwrap();
    let result = evaluation.wait(Some(LONG)).await.unwrap().unwrap();
    assert_eq!(result.stdout_text(), "ready\ngone\n");
    // It can be read again, from any offset.
    let piece = session.evaluation(id).unwrap().output(OutputRequest::new(Stream::Stdout, 6).waiting(LONG)).await.unwrap();
    assert_eq!((&*piece.bytes, piece.next_offset(), piece.end), (&b"gone\n"[..], 11, true));
    let both = evaluation.outputs(11, 0, 100, LONG).await.unwrap();
    assert!(both.stdout.end && both.stderr.end);
    assert_eq!(value(&session, "1 + 1").await.as_deref(), Some("2"));
    assert_eq!(code(session.evaluation(99)), ErrorCode::NotFound);
}

#[tokio::test]
async fn an_interrupt_leaves_the_interpreter_and_a_kill_does_not() {
    let session = session().await;
    eval(&session, "x = 1").await;
    let evaluation = ready(&session, UNTIL_GO).await;
    evaluation.interrupt().unwrap();
    let result = evaluation.wait(None).await.unwrap().unwrap();
    assert_eq!(result.error.as_ref().map(|error| error.name.as_str()), Some("KeyboardInterrupt"));
    assert_eq!(value(&session, "x").await.as_deref(), Some("1"));

    let evaluation = ready(&session, UNTIL_GO).await;
    evaluation.kill().unwrap();
    assert_eq!(evaluation.wait(None).await.unwrap().unwrap().outcome.exit_code(), 137);
    // Nothing is lost unnoticed: it stays ended until someone says so.
    assert!(session.info().unwrap().interpreters[0].ended);
    assert_eq!(code(session.evaluate(CodeRequest::new("x")).await), ErrorCode::Ended);
    session.reset_interpreter("python").await.unwrap();
    assert_eq!(value(&session, "'x' in globals()").await.as_deref(), Some("False"));
    assert_eq!(code(session.reset_interpreter("other").await), ErrorCode::NotFound);
}

#[tokio::test]
async fn a_reset_and_a_close_end_what_runs() {
    let session = session().await;
    let evaluation = ready(&session, UNTIL_GO).await;
    session.reset_interpreter("python").await.unwrap();
    assert_eq!(evaluation.wait(None).await.unwrap().unwrap().outcome.exit_code(), 137);
    let evaluation = ready(&session, UNTIL_GO).await;
    session.close_interpreter("python").await.unwrap();
    assert_eq!(evaluation.wait(None).await.unwrap().unwrap().outcome.exit_code(), 137);
    assert!(session.info().unwrap().interpreters.is_empty());
    assert_eq!(code(session.close_interpreter("python").await), ErrorCode::NotFound);
    // The next of this name is another.
    assert_eq!(value(&session, "2 + 2").await.as_deref(), Some("4"));
}

#[tokio::test]
async fn a_time_limit_of_its_own_interrupts_it() {
    let session = session().await;
    let request = CodeRequest { timeout: Some(Duration::from_millis(50)), ..CodeRequest::new("x = 1\nwhile True: pass") };
    let result = session.evaluate(request).await.unwrap().wait(None).await.unwrap().unwrap();
    assert!(result.timed_out);
    assert_eq!(value(&session, "x").await.as_deref(), Some("1"));
}

#[tokio::test]
async fn what_is_shown_is_read_from_any_number() {
    let session = session().await;
    let source = "class P:\n def __init__(self, text): self.text = text\n def _repr_html_(self): return self.text\n\
                  for text in 'abc': display(P(text))";
    let evaluation = session.evaluate(CodeRequest::new(source)).await.unwrap();
    evaluation.wait(None).await.unwrap();
    for (from, expected) in [(0, 3), (2, 1), (9, 0)] {
        let shown = evaluation.displays(from, LONG).await.unwrap();
        assert_eq!((shown.displays.len(), shown.next, shown.end), (expected, 3, true));
    }
    let set = evaluation.displays(1, Duration::ZERO).await.unwrap();
    let html = set.displays[0].representations.iter().find(|one| one.media_type == "text/html").and_then(|one| one.text());
    assert_eq!(html, Some("b"));
}

#[tokio::test]
async fn what_ended_last_is_kept_whatever_its_number() {
    let session = session().await;
    let first = ready(&session, UNTIL_GO).await;
    let run = async |source: &str| {
        let evaluation = session.evaluate(in_interpreter("other", source)).await.unwrap();
        assert!(evaluation.wait(None).await.unwrap().unwrap().success());
        evaluation.id()
    };
    for _ in 0..65 {
        run("1").await;
    }
    session.files().unwrap().write("go", "").await.unwrap();
    first.wait(None).await.unwrap();
    let last = run("1").await;
    // It began first, and is among the last that ended.
    let ids: Vec<_> = session.evaluations().unwrap().iter().map(|one| one.id).collect();
    assert!(ids.contains(&first.id()) && ids.contains(&last) && !ids.contains(&(first.id() + 1)), "{ids:?}");
}

#[tokio::test]
async fn what_ended_evaluations_hold_is_bounded_in_bytes() {
    let session = session().await;
    let mut ids = Vec::new();
    // Each holds 12 MB twice, the small one next to nothing.
    for count in [1, 12_000_000, 12_000_000, 12_000_000, 12_000_000] {
        ids.push(session.evaluate(CodeRequest::new(format!("print('x' * {count})"))).await.unwrap().id());
        session.evaluation(ids[ids.len() - 1]).unwrap().wait(None).await.unwrap();
    }
    eval(&session, "1").await;
    assert_eq!(code(session.evaluation(ids[0])), ErrorCode::NotFound);
    assert_eq!(code(session.evaluation(ids[1])), ErrorCode::NotFound);
    let last = session.evaluation(ids[4]).unwrap().wait(None).await.unwrap().unwrap();
    assert_eq!(last.outcome.stdout.len(), 12_000_001);
}

/// A function of the program that panics takes its evaluation with it, and nothing else: the session does not think that it runs.
#[tokio::test]
async fn an_evaluation_without_a_result_does_not_run_for_ever() {
    let session = session().await;
    let panics = |code: wisp::Code| code.on_output(|_, _| panic!("on purpose"));
    let evaluation = session.evaluate_with(CodeRequest::new("print(1)"), panics).await.unwrap();
    assert_eq!(code(evaluation.wait(None).await), ErrorCode::Abandoned);
    let info = session.info().unwrap();
    assert_eq!((info.running, info.interpreters[0].ended, evaluation.info().running), (0, true, false));
    session.checkpoint(None).await.unwrap();
    session.reset_interpreter("python").await.unwrap();
    eval(&session, "print(1)").await;
}
