//! Code for an interpreter, and what the host program does while it runs.

use std::fmt;
use std::time::Duration;

use crate::wasi::Answer;
use wisp_api::{Display, InputRequest, Stream};

/// A function that receives output.
pub(crate) type OnOutput = Box<dyn FnMut(Stream, &[u8]) + Send>;

/// A function that receives what is shown.
pub(crate) type OnDisplay = Box<dyn FnMut(DisplayEvent<'_>) + Send>;

/// A function that answers questions.
pub(crate) type OnInputRequest = Box<dyn Fn(InputRequest) -> Answer + Send + Sync>;

/// Code to evaluate ([`Interpreter::eval`](crate::Interpreter::eval)), and what happens while it runs. Text is code:
/// `eval("1 + 1")`.
#[must_use = "code does nothing until `Interpreter::eval` has it"]
pub struct Code {
    pub(crate) source: String,
    pub(crate) timeout: Option<Duration>,
    pub(crate) grace: Duration,
    pub(crate) on_output: Option<OnOutput>,
    pub(crate) on_display: Option<OnDisplay>,
    pub(crate) on_input_request: Option<OnInputRequest>,
}

/// What code does to a front end's page.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum DisplayEvent<'a> {
    /// Something is shown, or replaces what was shown with the same id.
    Display(&'a Display),
    /// What the code printed and showed so far is to be removed.
    Clear {
        /// Whether only when something else is printed or shown.
        wait: bool,
    },
}

impl Code {
    /// How long code that a time limit interrupted may take to end, unless [`grace`](Self::grace) says otherwise.
    pub const GRACE: Duration = Duration::from_secs(2);

    /// Creates code without a time limit of its own, whose output and displays are in the [`Evaluation`](crate::Evaluation) only.
    pub fn new(source: impl Into<String>) -> Self {
        Self { source: source.into(), timeout: None, grace: Self::GRACE, on_output: None, on_display: None, on_input_request: None }
    }

    /// Interrupts the code after this time: Python raises `KeyboardInterrupt`, and the interpreter stays alive. If the
    /// code does not end within [`grace`](Self::grace), the interpreter is ended as by `limits.wall`. The policy's limit
    /// applies too.
    pub fn timeout(mut self, time: Duration) -> Self {
        self.timeout = Some(time);
        self
    }

    /// Sets how long code may go on after its time limit interrupted it; [`GRACE`](Self::GRACE) if it is not set. With zero it is not interrupted: it ends at
    /// once, with the interpreter, as by `limits.wall`.
    pub fn grace(mut self, time: Duration) -> Self {
        self.grace = time;
        self
    }

    /// Calls `receive` with each piece of output as it is written. It runs on the thread that runs the code, so it must
    /// return at once. The output is in the outcome too.
    pub fn on_output(mut self, receive: impl FnMut(Stream, &[u8]) + Send + 'static) -> Self {
        self.on_output = Some(Box::new(receive));
        self
    }

    /// Calls `receive` whenever the code shows something (`display(figure)`), under the condition of
    /// [`on_output`](Self::on_output). What is shown is in [`Evaluation::displays`](crate::Evaluation::displays) too.
    pub fn on_display(mut self, receive: impl FnMut(DisplayEvent<'_>) + Send + 'static) -> Self {
        self.on_display = Some(Box::new(receive));
        self
    }

    /// Answers what the code asks with `input()` or `getpass.getpass()`; `None` is an end of file. Without this, both
    /// raise an `EOFError` that says so. The time until the answer counts against `limits.wall`.
    pub fn on_input_request<F>(mut self, answer: impl Fn(InputRequest) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Option<String>> + Send + 'static,
    {
        self.on_input_request = Some(Box::new(move |question| Box::pin(answer(question))));
        self
    }
}

impl From<&str> for Code {
    fn from(source: &str) -> Self {
        Self::new(source)
    }
}

impl From<&String> for Code {
    fn from(source: &String) -> Self {
        Self::new(source.as_str())
    }
}

impl From<String> for Code {
    fn from(source: String) -> Self {
        Self::new(source)
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Code")
            .field("source", &self.source)
            .field("timeout", &self.timeout)
            .field("grace", &self.grace)
            .finish_non_exhaustive()
    }
}
