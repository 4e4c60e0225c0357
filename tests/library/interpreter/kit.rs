//! What the tests share.

use wisp::policy::HostFiles;
use wisp::{Evaluation, Interpreter, Policy, Session};
pub(crate) use wisp_tests::engine::ENGINE;

/// A session under the built-in policy `offline` with these lines added.
pub(crate) async fn session(lines: &str) -> Session {
    let text = format!("extends = \"offline\"\n{lines}");
    let policy = Policy::parse(&HostFiles, "test.toml", &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    ENGINE.session(&policy).build().await.expect("a session")
}

/// A Python interpreter in such a session.
pub(crate) async fn python(lines: &str) -> Interpreter {
    session(lines).await.python().await.expect("an interpreter")
}

/// Evaluates a cell that must succeed; returns its output.
pub(crate) async fn output(interpreter: &mut Interpreter, source: &str) -> String {
    let cell = cell(interpreter, source).await;
    assert!(cell.success(), "{source}\n{:?}\n{}", cell.error, cell.outcome.stderr_text());
    cell.stdout_text().into_owned()
}

/// Evaluates a cell.
pub(crate) async fn cell(interpreter: &mut Interpreter, source: &str) -> Evaluation {
    interpreter.eval(source).await.unwrap_or_else(|error| panic!("{source}\n{error}"))
}
