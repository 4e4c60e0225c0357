//! Evaluations as notebooks need them: output while the code runs, forms and displays, questions, interrupts.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use wisp::{Code, Display, DisplayEvent, Evaluation, InputRequest, InterpreterError, Limit, Representation, Stream};

use crate::interpreter::kit::{cell, output, python};

/// A class whose objects have three forms.
const TABLE: &str = "class Table:
    def __init__(self, rows): self.rows = rows
    def __repr__(self): return f'{self.rows} rows'
    def _repr_html_(self): return f'<b>{self.rows}</b>'
    def _repr_png_(self): return b'\\x89PNG'";

fn forms(forms: &[Representation]) -> Vec<(&str, &[u8])> {
    forms.iter().map(|form| (form.media_type.as_str(), &form.data[..])).collect()
}

fn name(evaluation: &Evaluation) -> Option<&str> {
    evaluation.error.as_ref().map(|error| error.name.as_str())
}

#[tokio::test]
async fn output_arrives_while_the_code_runs() {
    let mut interpreter = python("").await;
    let pieces = Arc::new(Mutex::new(Vec::new()));
    let (written, seen) = (pieces.clone(), pieces.clone());
    let code = Code::new("import sys\nprint('first'); print('late', file=sys.stderr); input('now? '); print('second')")
        .on_output(move |stream, bytes| written.lock().push((stream, String::from_utf8_lossy(bytes).into_owned())))
        // The code waits for the answer: what has arrived was written before.
        .on_input_request(move |question| {
            assert_eq!((question.prompt.as_str(), question.hidden), ("now? ", false));
            assert_eq!(*seen.lock(), [(Stream::Stderr, "late\n".to_owned()), (Stream::Stdout, "first\n".to_owned())]);
            async { Some("yes\n".to_owned()) }
        });
    let answer = interpreter.eval(code).await.unwrap();
    assert!(answer.success(), "{:?}", answer.error);
    assert_eq!(pieces.lock().last(), Some(&(Stream::Stdout, "second\n".to_owned())));
    assert_eq!((&*answer.stdout_text(), &*answer.outcome.stderr_text()), ("first\nsecond\n", "late\n"));
    // The functions belong to that evaluation.
    output(&mut interpreter, "print('third')").await;
    assert_eq!(pieces.lock().len(), 3);
}

#[tokio::test]
async fn a_value_has_its_forms() {
    let mut interpreter = python("").await;
    output(&mut interpreter, TABLE).await;
    let answer = cell(&mut interpreter, "Table(3)").await;
    assert_eq!(answer.value.as_deref(), Some("3 rows"));
    assert_eq!(forms(&answer.representations), [("text/html", &b"<b>3</b>"[..]), ("image/png", b"\x89PNG")]);
    assert_eq!((answer.representations[0].text(), answer.representations[1].text()), (Some("<b>3</b>"), None));
    assert!(cell(&mut interpreter, "3").await.representations.is_empty());
    // A method that fails is reported, and the other forms are there.
    let answer = cell(&mut interpreter, "Table._repr_html_ = lambda self: 1 / 0\nTable(4)").await;
    assert_eq!(forms(&answer.representations), [("image/png", &b"\x89PNG"[..])]);
    assert!(answer.success() && answer.outcome.stderr_text().contains("ZeroDivisionError"));
}

#[tokio::test]
async fn displays_arrive_in_order_and_can_be_replaced() {
    let mut interpreter = python("").await;
    output(&mut interpreter, TABLE).await;
    let events = Arc::new(Mutex::new(Vec::new()));
    let seen = events.clone();
    let code =
        Code::new("handle = display(Table(1), display_id=True)\nprint('x')\nhandle.update(Table(2))\ndisplay(5)").on_display(move |show| {
            if let DisplayEvent::Display(display) = show {
                seen.lock().push(display.clone());
            }
        });
    let answer = interpreter.eval(code).await.unwrap();
    assert!(answer.success(), "{:?}", answer.error);
    assert_eq!(*events.lock(), answer.displays);
    let [first, second, third] = &answer.displays[..] else { panic!("{:?}", answer.displays) };
    assert_eq!(forms(&first.representations), [("text/plain", &b"1 rows"[..]), ("text/html", b"<b>1</b>"), ("image/png", b"\x89PNG")]);
    assert!(first.id.is_some() && !first.update);
    assert_eq!((&second.id, second.update, second.representations[1].text()), (&first.id, true, Some("<b>2</b>")));
    assert_eq!((&third.id, forms(&third.representations)), (&None, vec![("text/plain", &b"5"[..])]));
    let cleared = Arc::new(Mutex::new(Vec::new()));
    let seen = cleared.clone();
    let code = Code::new("import wisp\nwisp.clear_output()\nwisp.clear_output(wait=True)").on_display(move |show| {
        if let DisplayEvent::Clear { wait } = show {
            seen.lock().push(wait);
        }
    });
    assert!(interpreter.eval(code).await.unwrap().success());
    assert_eq!(*cleared.lock(), [false, true]);
}

#[tokio::test]
async fn the_names_of_ipython_show_objects_in_the_same_way() {
    let mut interpreter = python("").await;
    let source = "from IPython.display import HTML, Image, JSON, Markdown, display\n\
        display(HTML('<b>x</b>'), Markdown('*y*'), JSON({'a': 1}), Image(url='https://x.example/?a&b', width=3))\n\
        open('/tmp/dot.png', 'wb').write(b'\\x89PNG\\r\\n\\x1a\\n')\nImage('/tmp/dot.png')";
    let answer = cell(&mut interpreter, source).await;
    assert!(answer.success(), "{:?}", answer.error);
    let shown: Vec<_> = answer.displays.iter().map(|display| forms(&display.representations)[1]).collect();
    let image = &b"<img src=\"https://x.example/?a&amp;b\" width=\"3\"/>"[..];
    let expected = [("text/html", &b"<b>x</b>"[..]), ("text/markdown", b"*y*"), ("application/json", b"{\"a\": 1}"), ("text/html", image)];
    assert_eq!(shown, expected);
    assert_eq!(answer.value.as_deref(), Some("<IPython.core.display.Image object>"));
    assert_eq!(forms(&answer.representations), [("image/png", &b"\x89PNG\r\n\x1a\n"[..])]);
    // The rest of IPython is not here, which a program finds out as where IPython is not installed.
    for source in ["from IPython import get_ipython", "from IPython.display import Audio", "import IPython.core"] {
        let error = cell(&mut interpreter, source).await.error.expect("an error");
        assert!(matches!(&*error.name, "ImportError" | "ModuleNotFoundError"), "{source}: {error}");
        assert!(error.message.contains("IPython"), "{source}: {error}");
    }
}

#[tokio::test]
async fn what_is_malformed_is_an_error_of_the_code() {
    let mut interpreter = python("").await;
    for (source, ok) in [
        ("display({'text/html': 'x'}, raw=True)", true),
        ("display({'no type': 'x'}, raw=True)", false),
        ("display({'text/html': b'\\xff'}, raw=True)", false),
        ("display({f'x/{n}': b'' for n in range(33)}, raw=True)", false),
        ("display({f'x/{n}': b'' for n in range(32)}, raw=True)", true),
        ("display(1, display_id='x' * 257)", false),
        ("display(1, display_id='x' * 256)", true),
    ] {
        let answer = cell(&mut interpreter, source).await;
        assert_eq!((answer.success(), answer.displays.len()), (ok, usize::from(ok)), "{source}");
        assert_eq!(name(&answer), (!ok).then_some("ValueError"), "{source}");
    }
}

#[tokio::test]
async fn displays_count_as_output() {
    let mut interpreter = python("[limits]\nstdout = \"100KiB\"").await;
    let within = cell(&mut interpreter, "for _ in range(9): display({'text/plain': 'x' * 10_000}, raw=True)").await;
    assert_eq!((within.displays.len(), within.success()), (9, true));
    let beyond = cell(&mut interpreter, "while True: display({'text/plain': 'x' * 10_000}, raw=True)").await;
    assert_eq!(beyond.outcome.limit.map(|hit| hit.limit), Some(Limit::Stdout));
    assert!(beyond.displays.len() <= 10 && interpreter.ended().is_some());
    // So do the forms of a value.
    let mut interpreter = python("[limits]\nstdout = \"100KiB\"").await;
    let big = "class Big:\n    def _repr_html_(self): return 'x' * 200_000\nBig()";
    assert_eq!(cell(&mut interpreter, big).await.outcome.limit.map(|hit| hit.limit), Some(Limit::Stdout));
}

#[tokio::test]
async fn a_failure_has_its_parts() {
    let mut interpreter = python("").await;
    output(&mut interpreter, "def half(x):\n    return x / 0").await;
    let error = cell(&mut interpreter, "half(1)").await.error.unwrap();
    assert_eq!((error.name.as_str(), error.message.as_str()), ("ZeroDivisionError", "division by zero"));
    let frames: Vec<_> = error.frames.iter().map(|frame| (&*frame.file, frame.line, &*frame.function, frame.text.as_deref())).collect();
    assert_eq!(frames, [("<cell 2>", Some(1), "<module>", Some("half(1)")), ("<cell 1>", Some(2), "half", Some("return x / 0"))]);
    assert!(error.report.starts_with("Traceback (most recent call last):") && error.to_string() == error.report);
}

#[tokio::test]
async fn evaluations_are_numbered_and_a_fork_counts_on() {
    let mut interpreter = python("").await;
    assert_eq!((cell(&mut interpreter, "1").await.number, cell(&mut interpreter, "1 / 0").await.number), (Some(1), Some(2)));
    let mut fork = interpreter.fork(1).await.unwrap().remove(0);
    assert_eq!((cell(&mut fork, "1").await.number, cell(&mut interpreter, "1").await.number), (Some(3), Some(3)));
    interpreter.reset().await.unwrap();
    assert_eq!(cell(&mut interpreter, "1").await.number, Some(1));
}

#[tokio::test]
async fn questions_without_an_answer_are_an_end_of_file() {
    let mut interpreter = python("").await;
    for source in ["input('name? ')", "import getpass; getpass.getpass()"] {
        let unattended = cell(&mut interpreter, source).await;
        assert_eq!(name(&unattended), Some("EOFError"));
        assert!(unattended.error.unwrap().message.contains("the host program answers no questions"), "{source}");
        let ended = interpreter.eval(Code::new(source).on_input_request(|_| async { None })).await.unwrap();
        assert_eq!(ended.error.map(|error| error.message).as_deref(), Some("EOF when reading a line"), "{source}");
    }
    let secret = Code::new("getpass.getpass('key: ') + '!'").on_input_request(|question: InputRequest| async move {
        assert!(question.hidden && question.prompt == "key: ");
        Some("s3cret".to_owned())
    });
    assert_eq!(interpreter.eval(secret).await.unwrap().value.as_deref(), Some("'s3cret!'"));
    // A program's own standard input is asked first.
    let own = "import io, sys\nkept, sys.stdin = sys.stdin, io.StringIO('own\\n')\nanswer = input()\nsys.stdin = kept\nanswer";
    assert_eq!(cell(&mut interpreter, own).await.value.as_deref(), Some("'own'"));
}

#[tokio::test]
async fn an_answer_that_is_too_long_is_refused() {
    let mut interpreter = python("").await;
    for (length, ok) in [(64 << 10, true), ((64 << 10) + 1, false)] {
        let code = Code::new("len(input())").on_input_request(move |_| async move { Some("x".repeat(length)) });
        assert_eq!(interpreter.eval(code).await.unwrap().success(), ok, "{length}");
    }
}

#[tokio::test]
async fn an_interrupt_leaves_the_interpreter_alive() {
    let mut interpreter = python("").await;
    let interrupter = interpreter.interrupter();
    interrupter.interrupt(); // nothing runs: ignored
    output(&mut interpreter, "kept = 7").await;
    // The question is the moment at which the code certainly runs; it waits after it.
    let code = Code::new("import time\ninput()\ntime.sleep(1_000)").on_input_request(move |_| {
        let interrupter = interrupter.clone();
        async move {
            tokio::spawn(async move { interrupter.interrupt() });
            Some(String::new())
        }
    });
    let answer = interpreter.eval(code).await.unwrap();
    assert_eq!((name(&answer), answer.timed_out), (Some("KeyboardInterrupt"), false));
    assert_eq!(cell(&mut interpreter, "kept").await.value.as_deref(), Some("7"));
}

#[tokio::test]
async fn code_that_computes_is_interrupted_too() {
    let mut interpreter = python("").await;
    output(&mut interpreter, "kept = 7").await;
    for source in ["while True: pass", "def f(n): return f(n + 1) if n < 50 else 0\nwhile True: f(0)", "sum(1 for _ in iter(int, 1))"] {
        let answer = interpreter.eval(Code::new(source).timeout(Duration::from_millis(50))).await.unwrap();
        assert_eq!((name(&answer), answer.timed_out), (Some("KeyboardInterrupt"), true), "{source}");
        assert_eq!(cell(&mut interpreter, "kept").await.value.as_deref(), Some("7"), "{source}");
    }
    // A fork too, whose memory lies elsewhere.
    let mut fork = interpreter.fork(1).await.unwrap().remove(0);
    let answer = fork.eval(Code::new("while True: pass").timeout(Duration::from_millis(50))).await.unwrap();
    assert_eq!((name(&answer), cell(&mut fork, "kept").await.value.as_deref()), (Some("KeyboardInterrupt"), Some("7")));
    // Code may handle the interrupt as it likes.
    let handles = "import signal\nsignal.signal(signal.SIGINT, lambda *_: came.append(1))\ncame = []\nwhile not came: pass\nlen(came)";
    let answer = interpreter.eval(Code::new(handles).timeout(Duration::from_millis(50))).await.unwrap();
    assert_eq!((answer.value.as_deref(), answer.timed_out), (Some("1"), true));
}

/// Has a child send SIGINT to the interpreter. It has come when the child has ended.
const INTERRUPTED: &str = "import os, subprocess\nsubprocess.run(['sh', '-c', f'kill -INT {os.getpid()}'])\ncame";

#[tokio::test]
async fn a_copy_treats_an_interrupt_as_its_original_had_decided() {
    // The host knows of a copy only what it knows of every new interpreter: that it handles SIGINT.
    for (decision, expected) in [("", Err("KeyboardInterrupt")), ("signal.SIG_IGN", Ok("[]")), ("lambda *_: came.append(1)", Ok("[1]"))] {
        let mut interpreter = python("").await;
        output(&mut interpreter, "import signal\ncame = []").await;
        if !decision.is_empty() {
            output(&mut interpreter, &format!("before = signal.signal(signal.SIGINT, {decision})")).await;
        }
        let mut copies = interpreter.fork(1).await.unwrap();
        let mut copy_of_copy = copies[0].fork(1).await.unwrap();
        for interpreter in [&mut copies[0], &mut copy_of_copy[0], &mut interpreter] {
            let answer = cell(interpreter, INTERRUPTED).await;
            assert_eq!(name(&answer).map_or(Ok(answer.value.as_deref().unwrap_or_default()), Err), expected, "{decision}");
        }
    }
    let mut interpreter = python("").await;
    output(&mut interpreter, "import signal\nbefore = signal.signal(signal.SIGINT, signal.SIG_DFL)").await;
    let mut copy = interpreter.fork(1).await.unwrap().remove(0);
    assert_eq!(cell(&mut copy, INTERRUPTED).await.outcome.exit_code(), 130);
    assert!(copy.ended().is_some() && interpreter.ended().is_none());
}

#[tokio::test]
async fn a_time_limit_interrupts_first_and_ends_later() {
    let mut interpreter = python("").await;
    let answer = interpreter.eval(Code::new("import time; kept = 7; time.sleep(1_000)").timeout(Duration::from_millis(50))).await.unwrap();
    assert_eq!((name(&answer), answer.timed_out), (Some("KeyboardInterrupt"), true));
    let within = interpreter.eval(Code::new("kept").timeout(Duration::from_secs(3_600))).await.unwrap();
    assert_eq!((within.value.as_deref(), within.timed_out), (Some("7"), false));
    // Code that goes on all the same is ended, and the limit is named.
    let stubborn = "while True:\n    try: time.sleep(1_000)\n    except KeyboardInterrupt: pass";
    let code = Code::new(stubborn).timeout(Duration::from_millis(20)).grace(Duration::from_millis(30));
    let ended = interpreter.eval(code).await.unwrap();
    let hit = ended.outcome.limit.expect("the limit is named");
    assert_eq!((hit.limit, &*hit.value, &*hit.rule, ended.timed_out), (Limit::Wall, "50ms", "host program", true));
    assert!(matches!(interpreter.eval("kept").await, Err(InterpreterError::Ended { .. })));
    interpreter.reset().await.unwrap();
    assert_eq!(name(&cell(&mut interpreter, "kept").await), Some("NameError"), "a fresh one");
    // Without time for that, it is not interrupted.
    let ended = interpreter.eval(Code::new("while True: pass").timeout(Duration::from_millis(20)).grace(Duration::ZERO)).await.unwrap();
    assert_eq!((ended.outcome.exit_code(), ended.timed_out, name(&ended)), (124, true, None));
    assert!(!ended.outcome.stderr_text().contains("KeyboardInterrupt"), "{}", ended.outcome.stderr_text());
}

#[tokio::test]
async fn a_program_that_nobody_evaluates_prints_what_it_displays() {
    let interpreter = python("").await;
    let command = wisp::Command::new("python3").arg("-c").arg("import wisp\nwisp.display([1, 2])\nprint(hasattr(__builtins__, 'display'))");
    let outcome = interpreter.session().run(command).await.unwrap();
    assert_eq!(outcome.stdout_text(), "[1, 2]\nFalse\n");
    let ended = interpreter.session().run(wisp::Command::new("python3").arg("-c").arg("input()")).await.unwrap();
    assert!(ended.stderr_text().ends_with("EOFError: EOF when reading a line\n"), "{}", ended.stderr_text());
}

#[test]
fn what_is_public_can_be_sent() {
    fn sendable<T: Send + Sync + 'static>() {}
    sendable::<Display>();
    sendable::<wisp::Interrupter>();
    sendable::<Evaluation>();
}
