//! What one evaluation by a live interpreter returns.

use std::fmt;

use bytes::Bytes;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Outcome, content};

/// The result of one evaluation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "wisp evaluation")]
pub struct Evaluation {
    /// Its number among the evaluations of the interpreter, from 1: the traceback of number 3 names `<cell 3>`. A fork
    /// counts on. `None` if the interpreter was ended.
    pub number: Option<u64>,
    /// The value of the last expression, as the interpreter shows it; `None` if the source does not end in an
    /// expression with a value. A value longer than `limits.stdout` ends the interpreter by that limit, as output does.
    pub value: Option<String>,
    /// Other representations of that value: an object with `_repr_html_` has `text/html`. Bytes count as those of `value` do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub representations: Vec<Representation>,
    /// What the code showed with `display(…)`, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub displays: Vec<Display>,
    /// The uncaught exception that ended it. Its report was also written to standard error.
    pub error: Option<Exception>,
    /// The status that the source asked to exit with (`sys.exit(3)`); the interpreter stays alive.
    pub exit: Option<u8>,
    /// What could not be restored when the interpreter resumed from a snapshot before this evaluation, a line each; and the threads that
    /// it left running, which ended with it. A thread that would not end has ended the interpreter: standard error says so.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_carried: Vec<String>,
    /// Whether it was interrupted because its own time limit was over.
    pub timed_out: bool,
    /// Output, files, limits and usage. The exit code is 0 for an evaluation that ended normally, 1 for one that failed,
    /// and otherwise the status that the source asked to exit with, or how the interpreter was ended.
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// One representation of an object that an evaluation shows or returns, of those that make a MIME bundle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Representation {
    /// The media type, such as `text/html`.
    pub media_type: String,
    /// The bytes, which are UTF-8 if the type is a text type or JSON. In JSON: `text`, or `base64`.
    #[serde(flatten, with = "content")]
    #[schemars(with = "content::Content")]
    pub data: Bytes,
}

impl Representation {
    /// Returns it as text; `None` if it is not UTF-8, as an image is not.
    pub fn text(&self) -> Option<&str> {
        std::str::from_utf8(&self.data).ok()
    }
}

/// Something that an evaluation shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Display {
    /// Its representations; choose the one that you can show best. `text/plain` is among them if the program made it with `display`.
    pub representations: Vec<Representation>,
    /// A name by which a later display replaces it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Whether it replaces what was shown with the same `id`.
    #[serde(default)]
    pub update: bool,
}

/// Something that an evaluation asks (`input()`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InputRequest {
    /// What to ask. It was not printed: show it with the question.
    pub prompt: String,
    /// Whether the answer is a secret that must not be shown while it is typed.
    pub hidden: bool,
}

/// An exception that the evaluated code did not catch. Displayed, it is the interpreter's report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Exception {
    /// Its type, without the module: `ValueError`.
    pub name: String,
    /// What it says; empty if it says nothing.
    pub message: String,
    /// The calls that led to it, the outermost first.
    pub frames: Vec<TracebackFrame>,
    /// The report as the interpreter wrote it: a traceback, with causes and notes.
    pub report: String,
}

/// One call that led to an exception.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TracebackFrame {
    /// The file, or the evaluation: `<cell 3>`.
    pub file: String,
    /// The line, from 1, if it is known.
    pub line: Option<u32>,
    /// The function; `<module>` for code outside a function.
    pub function: String,
    /// The text of the line, if it is known.
    pub text: Option<String>,
}

impl fmt::Display for Exception {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.report)
    }
}

impl std::error::Error for Exception {}

impl Evaluation {
    /// Returns about how many bytes of memory it takes: its outcome, and what it returned, showed and raised.
    pub fn held_bytes(&self) -> usize {
        let forms = |forms: &[Representation]| {
            let bytes = forms.iter().map(|form| size_of::<Representation>() + form.media_type.len() + form.data.len());
            bytes.sum::<usize>()
        };
        let displays = self.displays.iter().map(|display| size_of::<Display>() + forms(&display.representations));
        let error = self.error.iter().map(|error| {
            let frames = error.frames.iter().map(|frame| size_of::<TracebackFrame>() + frame.file.len() + frame.function.len());
            error.name.len() + error.message.len() + error.report.len() + frames.sum::<usize>()
        });
        let lines = self.not_carried.iter().map(|line| size_of::<String>() + line.len());
        let value = self.value.as_ref().map_or(0, String::len) + forms(&self.representations);
        self.outcome.held_bytes() + value + displays.chain(error).chain(lines).sum::<usize>()
    }

    /// Returns whether it ended normally, without an exception.
    pub fn success(&self) -> bool {
        self.outcome.success()
    }

    /// Returns its standard output as text; bytes that are not UTF-8 become U+FFFD.
    pub fn stdout_text(&self) -> std::borrow::Cow<'_, str> {
        self.outcome.stdout_text()
    }
}
