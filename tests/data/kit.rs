//! What the tests share.

use std::sync::LazyLock;

use wisp::policy::HostFiles;
use wisp::{Engine, Evaluation, Interpreter, Policy, Session};

/// Shared by all tests, as by all sessions of a service.
pub(crate) static ENGINE: LazyLock<Engine> = LazyLock::new(engine);

/// An engine that compiles the image if `wisp prepare` has not.
pub(crate) fn engine() -> Engine {
    Engine::builder(wisp_built::components()).compile_images(true).build().expect("an engine")
}

/// The shipped policy `data` with these lines added.
pub(crate) fn policy(lines: &str) -> Policy {
    let text = format!("extends = \"data\"\n{lines}");
    Policy::parse(&HostFiles, "test.toml", &text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// A session under that policy.
pub(crate) async fn session(lines: &str) -> Session {
    ENGINE.session(&policy(lines)).build().await.expect("a session; is the image built? `toolchain/just test-data`")
}

/// A Python interpreter in such a session.
pub(crate) async fn python(lines: &str) -> Interpreter {
    session(lines).await.python().await.expect("an interpreter")
}

/// An interpreter in which this cell has been evaluated.
pub(crate) async fn begun(setup: &str) -> Interpreter {
    let mut interpreter = python("").await;
    output(&mut interpreter, setup).await;
    interpreter
}

/// Evaluates a cell that must succeed; returns its output.
pub(crate) async fn output(interpreter: &mut Interpreter, source: &str) -> String {
    let cell = cell(interpreter, source).await;
    assert!(cell.success(), "{source}\n{:?}\n{}", cell.error, cell.outcome.stderr_text());
    assert_eq!(cell.not_carried, &[] as &[String], "{source}");
    cell.stdout_text().into_owned()
}

/// Evaluates a cell.
pub(crate) async fn cell(interpreter: &mut Interpreter, source: &str) -> Evaluation {
    interpreter.eval(source).await.unwrap_or_else(|error| panic!("{source}\n{error}"))
}
