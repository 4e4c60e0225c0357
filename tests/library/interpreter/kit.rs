//! What the tests share.

use std::sync::Arc;

use tokio::sync::Notify;
use wisp::policy::HostFiles;
use wisp::{Code, Evaluation, Interpreter, InterpreterError, Policy, RunningEvaluation, Session, Stream};
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

/// A process beside the interpreter's own that runs until it is ended.
pub(crate) const CHILD: &str = "import subprocess; child = subprocess.Popen(['sleep', '1000'])";

/// The two ends of a question of the code: when it asks, it has certainly come so far, and it waits until it may go on.
#[derive(Clone, Default)]
pub(crate) struct Gate {
    asked: Arc<Notify>,
    go: Arc<Notify>,
}

impl Gate {
    /// Code that waits here at `input()`.
    pub(crate) fn code(&self, source: &str) -> Code {
        let gate = self.clone();
        Code::new(source).on_input_request(move |_| {
            let gate = gate.clone();
            async move {
                gate.asked.notify_one();
                gate.go.notified().await;
                Some(String::new())
            }
        })
    }

    pub(crate) async fn asked(&self) {
        self.asked.notified().await;
    }

    pub(crate) fn go(&self) {
        self.go.notify_one();
    }
}

/// Waits until the code has written something.
pub(crate) async fn begun(running: &RunningEvaluation) {
    let chunk = running.next_output(Stream::Stdout, 0, 1).await;
    assert!(!chunk.bytes.is_empty(), "it has ended: {:?}", running.result());
}

/// Whether the session has room for one more process.
pub(crate) async fn has_room(session: &Session) -> bool {
    match session.python().await {
        Ok(_) => true,
        Err(InterpreterError::NoRoom { .. }) => false,
        Err(error) => panic!("{error}"),
    }
}
