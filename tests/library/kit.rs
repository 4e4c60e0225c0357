//! What the tests share.

use wisp::policy::HostFiles;
use wisp::{Command, Outcome, Policy, Session, SessionBuilder};
use wisp_tests::engine::ENGINE;

/// A builder of sessions under the built-in policy `offline` with these lines added.
pub(crate) fn builder(lines: &str) -> SessionBuilder {
    let text = format!("extends = \"offline\"\n{lines}");
    let policy = Policy::parse(&HostFiles, "test.toml", &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    ENGINE.session(&policy)
}

/// A session of `builder`.
pub(crate) async fn session(lines: &str) -> Session {
    builder(lines).build().await.expect("a session")
}

/// A script of the shell.
pub(crate) fn sh(script: &str) -> Command {
    Command::new("sh").args(["-c", script])
}

/// Runs a script of the shell, which must succeed; returns its output.
pub(crate) async fn output(session: &Session, script: &str) -> String {
    let outcome: Outcome = session.run(sh(script)).await.expect("a shell");
    assert!(outcome.success(), "{script}\n{}", outcome.stderr_text());
    outcome.stdout_text().into_owned()
}

/// Runs a program of Python.
pub(crate) async fn python(session: &Session, program: &str) -> Outcome {
    session.run(Command::new("python3").args(["-c", program])).await.expect("python3 starts")
}

/// Runs a program of Python, which must succeed; returns its output.
pub(crate) async fn printed(session: &Session, program: &str) -> String {
    let outcome = python(session, program).await;
    assert!(outcome.success(), "{}", outcome.stderr_text());
    outcome.stdout_text().into_owned()
}
