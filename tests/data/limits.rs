//! Limits that C code reaches, each with what is permitted.

use wisp::{Command, Engine, InterpreterError, MemoryChoice, Outcome, Session};

use crate::kit::{output, policy, session};

async fn run(session: &Session, code: &str) -> Outcome {
    session.run(Command::new("python3").args(["-c", code])).await.expect("python3 starts")
}

/// The limit that was reached.
fn limit(outcome: &Outcome) -> Option<&'static str> {
    outcome.limit.as_ref().map(|hit| hit.limit.as_str())
}

#[tokio::test]
async fn memory_that_numpy_asks_for() {
    let session = session("[limits]\nmemory = \"512MiB\"").await;
    let outcome = run(&session, "import numpy; numpy.ones(1 << 27)").await;
    assert_eq!((outcome.exit_code(), limit(&outcome)), (1, Some("limits.memory")), "{}", outcome.stderr_text());
    assert!(outcome.stderr_text().contains("MemoryError: Unable to allocate 1.00 GiB"), "{}", outcome.stderr_text());
    // A program that handles it goes on, and the limit is named still.
    let code = "import numpy\ntry: numpy.ones(1 << 27)\nexcept MemoryError: print('refused', int(numpy.ones(1_000).sum()))";
    let outcome = run(&session, code).await;
    assert_eq!((outcome.exit_code(), limit(&outcome)), (0, Some("limits.memory")), "{}", outcome.stderr_text());
    assert_eq!(outcome.stdout_text(), "refused 1000\n");
    // The twin.
    let outcome = run(&session, "import numpy; print(numpy.ones(1 << 24).nbytes >> 20)").await;
    assert_eq!((outcome.exit_code(), outcome.stdout_text().as_ref(), limit(&outcome)), (0, "128\n", None), "{}", outcome.stderr_text());
}

#[tokio::test]
async fn time_within_one_call_of_c_code_and_in_many() {
    let session = session("[limits]\nwall = \"5s\"").await;
    for endless in [
        // One call that takes minutes.
        "a = numpy.ones((4_000, 4_000)); a @ a",
        "a = numpy.ones((200, 200))\nwhile True: a = (a @ a) * 0",
        "import pandas\nwhile True: pandas.Series(range(99_999)).sample(frac=1).sort_values()",
    ] {
        let outcome = run(&session, &format!("import numpy\nprint('begun', flush=True)\n{endless}")).await;
        assert_eq!((outcome.exit_code(), limit(&outcome)), (124, Some("limits.wall")), "{endless}");
        assert_eq!(outcome.stdout_text(), "begun\n", "{endless}");
    }
    let outcome = run(&session, "import numpy; a = numpy.ones((200, 200)); print(int((a @ a).sum()))").await;
    assert_eq!((outcome.exit_code(), outcome.stdout_text().as_ref()), (0, "8000000\n"), "{}", outcome.stderr_text());
}

#[tokio::test]
async fn recursion_in_c_code_is_an_exception() {
    let session = session("").await;
    let deep = "import json\ntry: json.loads('[' * 10**6)\nexcept RecursionError: print('RecursionError')";
    let outcome = run(&session, deep).await;
    assert_eq!((outcome.exit_code(), outcome.stdout_text().as_ref()), (0, "RecursionError\n"), "{}", outcome.stderr_text());
    let outcome = run(&session, "import json; print(len(str(json.loads('[' * 500 + ']' * 500))))").await;
    assert_eq!((outcome.exit_code(), outcome.stdout_text().as_ref()), (0, "1000\n"), "{}", outcome.stderr_text());
}

/// Each throw makes an object on the engine's heap, which is given back.
#[tokio::test]
async fn exceptions_of_c_plus_plus_without_end_take_no_memory() {
    let session = session("[limits]\nmemory = \"512MiB\"").await;
    let code = "
import scipy.spatial
count = 0
for _ in range(3_000):
    try: scipy.spatial.ConvexHull([[0, 0], [0, 0]])
    except Exception: count += 1
print(count)";
    let outcome = run(&session, code).await;
    assert_eq!((outcome.exit_code(), outcome.stdout_text().as_ref(), limit(&outcome)), (0, "3000\n", None), "{}", outcome.stderr_text());
}

/// What the host answers is put into memory that stays for the next answer, also where that must grow piece by piece; and what
/// Python hands to the host does not stay.
#[tokio::test]
async fn what_passes_to_and_from_the_host_takes_no_memory() {
    let session = session("[limits]\nmemory = \"512MiB\"").await;
    let code = "
import os
environment, piece = os.write.__globals__['process'].environment, bytes(1 << 16)
for _ in range(1_000):
    size = sum(map(len, environment()))
print(size > 2_000_000)
reading, writing = os.pipe()
print(sum(len(os.read(reading, os.write(writing, piece))) for _ in range(1 << 15)))";
    let mut command = Command::new("python3").args(["-c", code]);
    for number in 0..20 {
        command = command.env(format!("V{number}"), "x".repeat(100_000));
    }
    let outcome = session.run(command).await.expect("python3 starts");
    let all = "True\n2147483648\n";
    assert_eq!((outcome.exit_code(), outcome.stdout_text().as_ref(), limit(&outcome)), (0, all, None), "{}", outcome.stderr_text());
}

/// Where memory is not copied on write, the image runs, and says that it cannot be frozen.
#[tokio::test]
async fn without_copy_on_write_there_are_no_snapshots() {
    let engine = Engine::builder(wisp_built::components()).memory(MemoryChoice::Pooling).compile_images(true).build().unwrap();
    let session = engine.session(&policy("")).build().await.unwrap();
    let mut interpreter = session.python().await.unwrap();
    assert_eq!(output(&mut interpreter, "import numpy; print(int(numpy.arange(10).sum()))").await, "45\n");
    let error = interpreter.snapshot().await.unwrap_err();
    assert!(matches!(error, InterpreterError::NoSnapshots { .. }), "{error}");
    let outcome = run(&session, "import pandas; print(pandas.Series([1, 2]).sum())").await;
    assert_eq!((outcome.exit_code(), outcome.stdout_text().as_ref()), (0, "3\n"), "{}", outcome.stderr_text());
}
