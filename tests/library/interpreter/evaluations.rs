//! Evaluations: values, output, errors, limits.

use std::time::Duration;

use wisp::ExitStatus;
use wisp::policy::HostFiles;
use wisp::{Evaluation, Interpreter, InterpreterError, Policy, ReceiptKind, Session};

use crate::interpreter::kit::{ENGINE, cell, output, python, session};

#[tokio::test]
async fn a_cell_finds_what_the_previous_one_defined() {
    let mut interpreter = python("").await;
    assert_eq!(output(&mut interpreter, "x = 20\ndef double(n):\n    return 2 * n").await, "");
    let answer = cell(&mut interpreter, "print('so'); double(x) + 2").await;
    assert_eq!((answer.value.as_deref(), &*answer.stdout_text()), (Some("42"), "so\n"));
    assert_eq!(cell(&mut interpreter, "_ + 1").await.value.as_deref(), Some("43"));
    assert_eq!(cell(&mut interpreter, "None").await.value, None);
}

#[tokio::test]
async fn every_interpreter_is_its_own() {
    let session = session("").await;
    let (mut first, mut second) = (session.python().await.unwrap(), session.python().await.unwrap());
    output(&mut first, "import builtins; x = 1; builtins.leak = 1").await;
    let answer = cell(&mut second, "'x' in globals(), hasattr(__import__('builtins'), 'leak')").await;
    assert_eq!(answer.value.as_deref(), Some("(False, False)"));
    // Files are the session's.
    output(&mut first, "open('shared', 'w').write('here')").await;
    assert_eq!(cell(&mut second, "open('shared').read()").await.value.as_deref(), Some("'here'"));
    drop(first);
    assert_eq!(session.python().await.unwrap().eval("'x' in globals()").await.unwrap().value.as_deref(), Some("False"));
}

#[tokio::test]
async fn a_failure_is_reported_and_survived() {
    let mut interpreter = python("").await;
    let failed = cell(&mut interpreter, "def f():\n    return 1 / 0\nf()").await;
    let report = failed.error.unwrap().report;
    assert!(report.contains("line 3, in <module>") && report.contains("ZeroDivisionError") && report.contains("return 1 / 0"), "{report}");
    assert!(!report.contains("_wisp"), "none of our frames: {report}");
    assert_eq!(failed.outcome.exit_code(), 1);
    assert!(failed.outcome.stderr_text().contains("ZeroDivisionError"));
    assert!(cell(&mut interpreter, "x = (").await.error.unwrap().report.contains("SyntaxError"));
    let left = cell(&mut interpreter, "import sys; sys.exit(3)").await;
    assert_eq!((left.exit, left.outcome.exit_code(), left.error), (Some(3), 3, None));
    assert_eq!(cell(&mut interpreter, "f.__name__").await.value.as_deref(), Some("'f'"));
}

#[tokio::test]
async fn a_file_that_a_cell_writes_is_imported_before_the_librarys() {
    let session = session("").await;
    let mut interpreter = session.python().await.unwrap();
    output(&mut interpreter, "import asyncio\nfor name in ('app', 'queue', 'statistics'): open(name + '.py', 'w').write('MARK = 1')").await;
    let answer = cell(&mut interpreter, "import app, statistics, platform; (app.MARK, statistics.MARK, hasattr(platform, 'MARK'))").await;
    assert_eq!(answer.value.as_deref(), Some("(1, 1, False)"), "{:?}", answer.error);
    // A copy continues where the original was: with the modules that were imported, and without the others.
    let mut copy = interpreter.snapshot().await.unwrap().fork().await.unwrap();
    output(&mut copy, "open('platform.py', 'w').write('MARK = 2')\nopen('json.py', 'w').write('MARK = 3')").await;
    let answer = cell(&mut copy, "import platform, json; (hasattr(platform, 'MARK'), json.MARK, await asyncio.sleep(0, 4))").await;
    assert_eq!(answer.value.as_deref(), Some("(False, 3, 4)"), "{:?}", answer.error);
    let answer = cell(&mut copy, "import sys; [name for name in sys.modules if name.startswith(('_wisp', 'wit_', 'componentize'))]").await;
    assert_eq!(answer.value.as_deref(), Some("[]"));
}

#[tokio::test]
async fn a_missing_package_has_a_note() {
    let mut interpreter = python("").await;
    let failed = cell(&mut interpreter, "import numpy").await;
    let (error, shown) = (failed.error.unwrap().report, failed.outcome.stderr_text());
    assert!(error.contains("ModuleNotFoundError: No module named 'numpy'\nwisp: numpy is not here"), "{error}");
    assert!(shown.contains("wisp: numpy is not here"), "{shown}");
    let caught = cell(&mut interpreter, "try: import numpy\nexcept ImportError as error: print(error)").await;
    assert_eq!(caught.stdout_text(), "No module named 'numpy'\n");
}

#[tokio::test]
async fn the_environment_and_the_directory_are_the_sessions() {
    let mut interpreter = python("[env.vars]\nGREETING = \"hello\"").await;
    let answer = output(&mut interpreter, "import os; print(os.environ['GREETING'], os.environ['HOME'], os.getcwd())").await;
    assert_eq!(answer, "hello /home/user /home/user\n");
}

#[tokio::test]
async fn tools_can_be_started_and_their_output_keeps_its_place() {
    let mut interpreter = python("").await;
    let answer = output(&mut interpreter, "import subprocess\nprint('one')\nsubprocess.run(['echo', 'two'])\nprint('three')").await;
    assert_eq!(answer, "one\ntwo\nthree\n");
    assert_eq!(
        output(&mut interpreter, "print(subprocess.run('tr a-z A-Z', shell=True, input=b'x', capture_output=True).stdout)").await,
        "b'X'\n"
    );
}

#[tokio::test]
async fn artifacts_and_receipts_come_with_the_cell() {
    let mut interpreter = python("").await;
    let answer = cell(&mut interpreter, "open('/output/a.txt', 'w').write('result')").await;
    assert_eq!(answer.outcome.files.len(), 1);
    assert_eq!(answer.outcome.files[0].data.as_deref(), Some(&b"result"[..]));
    let kinds: Vec<&str> = answer.outcome.receipts.iter().map(|receipt| receipt.kind.as_str()).collect();
    assert_eq!(kinds, ["interpreter"]);
}

#[tokio::test]
async fn a_limit_that_is_hit_ends_the_interpreter() {
    for (lines, source, limit) in [
        ("[limits]\nwall = \"200ms\"", "while True: pass", "limits.wall"),
        ("[limits]\ncpu = \"200ms\"", "while True: pass", "limits.cpu"),
        ("[limits]\nstdout = \"1KiB\"", "while True: print('x' * 100)", "limits.stdout"),
        ("[limits]\ninstructions = 50_000_000", "while True: pass", "limits.instructions"),
    ] {
        let mut interpreter = python(lines).await;
        assert_eq!(output(&mut interpreter, "print('within')").await, "within\n", "{limit}");
        let ended = cell(&mut interpreter, source).await;
        assert_eq!(ended.outcome.limit.as_ref().map(|hit| hit.limit.as_str()), Some(limit), "{:?}", ended.error);
        assert!(!ended.success() && interpreter.ended().is_some(), "{limit}");
        let refused = interpreter.eval("1").await.unwrap_err();
        assert!(matches!(refused, InterpreterError::Ended { .. }), "{limit}: {refused}");
    }
}

#[tokio::test]
async fn memory_beyond_the_limit_is_an_error_of_the_cells() {
    let mut interpreter = python("[limits]\nmemory = \"128MiB\"").await;
    let answer = cell(&mut interpreter, "x = bytearray(200_000_000)").await;
    assert_eq!(answer.error.as_ref().map(|error| error.name.as_str()), Some("MemoryError"));
    let within = cell(&mut interpreter, "x = bytearray(20_000_000); print(len(x))").await;
    assert_eq!((&*within.stdout_text(), &within.outcome.limit), ("20000000\n", &None));
    // Whatever the program does about it, the limit is named, and nothing was ended.
    let survived = cell(&mut interpreter, "try:\n    bytearray(200_000_000)\nexcept MemoryError:\n    pass").await;
    for (refused, code) in [(&answer, 1), (&survived, 0)] {
        let outcome = &refused.outcome;
        let hit = outcome.limit.as_ref().expect("the limit is named");
        assert_eq!(
            (outcome.exit_code(), hit.limit.as_str(), &*hit.value, &*hit.rule, hit.ended),
            (code, "limits.memory", "128MiB", "test.toml:3", false)
        );
        let said = "wisp: limits.memory = 128MiB was reached: python3 was refused memory (set by test.toml:3)\n";
        assert!(outcome.stderr_text().ends_with(said), "{}", outcome.stderr_text());
        let limits = outcome.receipts.iter().filter(|receipt| receipt.kind == ReceiptKind::Limit).count();
        assert_eq!(limits, 1, "{:?}", outcome.receipts);
    }
}

#[tokio::test]
async fn recursion_without_end_is_an_exception() {
    let mut interpreter = python("").await;
    assert!(cell(&mut interpreter, "def f(): f()\nf()").await.error.unwrap().report.contains("RecursionError"));
    assert_eq!(output(&mut interpreter, "print('alive')").await, "alive\n");
}

/// Evaluates a loop without end, and calls `interrupt` once it runs.
async fn loop_until(interpreter: &mut Interpreter, interrupt: impl FnOnce(&Session)) -> Evaluation {
    let session = interpreter.session().clone();
    let interrupt = async move {
        // Until the cell has written something, it may not have begun.
        while session.files().stat("/tmp/begun").await.is_err() {
            tokio::task::yield_now().await;
        }
        interrupt(&session);
    };
    let (answer, ()) = tokio::join!(interpreter.eval("open('/tmp/begun', 'w').close()\nwhile True: pass"), interrupt);
    answer.unwrap()
}

#[tokio::test]
async fn an_interrupt_of_the_session_ends_only_the_cell_and_a_kill_the_interpreter() {
    let mut interpreter = python("").await;
    let ended = loop_until(&mut interpreter, Session::kill_all).await;
    assert_eq!((ended.outcome.exit_code(), interpreter.ended().map(ExitStatus::code)), (137, Some(137)));
    let mut interpreter = python("").await;
    let interrupted = loop_until(&mut interpreter, Session::interrupt).await;
    assert_eq!(interrupted.error.map(|error| error.name).as_deref(), Some("KeyboardInterrupt"));
    assert_eq!(interpreter.eval("1").await.unwrap().value.as_deref(), Some("1"), "it stays alive");
}

#[tokio::test]
async fn a_timer_interrupts_a_loop_goes_on_between_cells_and_is_not_copied() {
    let mut interpreter = python("").await;
    let handler = "import signal, sys\nclass Late(Exception): pass\ndef late(*_): raise Late\nsignal.signal(signal.SIGALRM, late)";
    output(&mut interpreter, handler).await;
    let late = cell(&mut interpreter, "signal.setitimer(signal.ITIMER_REAL, 0.01)\nwhile True: pass").await;
    assert_eq!(late.error.map(|error| error.name).as_deref(), Some("Late"));
    output(&mut interpreter, "before = signal.setitimer(signal.ITIMER_REAL, 1000, 5)").await;
    let mut copy = interpreter.snapshot().await.unwrap().fork().await.unwrap();
    assert_eq!(cell(&mut copy, "signal.getitimer(signal.ITIMER_REAL)").await.value.as_deref(), Some("(0.0, 0.0)"));
    let kept = "left, again = signal.setitimer(signal.ITIMER_REAL, 0)\nbefore, 0 < left < 1000, again, sys.monitoring.get_tool(4)";
    assert_eq!(cell(&mut interpreter, kept).await.value.as_deref(), Some("((0.0, 0.0), True, 5.0, None)"));
}

#[tokio::test]
async fn a_tool_that_is_not_an_interpreter_is_refused_with_the_reason() {
    let session = session("").await;
    let refused = session.interpreter("coreutils").await.unwrap_err().to_string();
    assert!(refused.contains("coreutils") && refused.contains("wisp:sandbox/evaluation"), "{refused}");
    let refused = session.interpreter("ruby").await.unwrap_err().to_string();
    assert!(refused.contains("ruby") && refused.contains("tools.allow"), "{refused}");
    let shell_only = Policy::parse(&HostFiles, "t.toml", "name = \"t\"\n[tools]\nallow = [\"sh\"]").unwrap();
    let refused = ENGINE.session(&shell_only).build().await.unwrap().python().await.unwrap_err();
    assert!(matches!(refused, InterpreterError::NotFound { .. }), "{refused}");
}

#[tokio::test]
async fn processes_of_an_interpreter_count_and_end_with_it() {
    let session = session("[limits]\nprocesses = 2").await;
    let mut interpreter = session.python().await.unwrap();
    output(&mut interpreter, "import subprocess; child = subprocess.Popen(['sleep', '1000'])").await;
    let refused = session.python().await.unwrap_err().to_string();
    assert!(refused.contains("limits.processes"), "{refused}");
    drop(interpreter);
    // The child ends with the interpreter; its row disappears when its task notices.
    let deadline = tokio::time::Instant::now() + Duration::from_secs(20);
    while session.python().await.is_err() {
        assert!(tokio::time::Instant::now() < deadline, "the places are free again");
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_value_is_no_longer_than_output_may_be() {
    let mut interpreter = python("[limits]\nstdout = \"100KiB\"").await;
    assert_eq!(cell(&mut interpreter, "'x' * 90_000").await.value.map(|value| value.len()), Some(90_002));
    let too_long = cell(&mut interpreter, "print('said'); 'x' * 110_000").await;
    assert_eq!((too_long.value, too_long.outcome.stdout_text().as_ref()), (None, "said\n"));
    let hit = too_long.outcome.limit.as_ref().expect("the limit is named");
    assert_eq!((hit.limit.as_str(), hit.value.as_str(), too_long.outcome.exit_code()), ("limits.stdout", "100KiB", 137));
    assert!(matches!(interpreter.eval("1").await, Err(InterpreterError::Ended { .. })));
}
