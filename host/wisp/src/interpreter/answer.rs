//! What a call of an interpreter's `eval` returned, or how it ended instead, in terms of an evaluation.

use crate::exec::execution::{Ended, Execution};
use crate::exec::threads::Done;
use crate::outcome::receipt::text;
use crate::wasi::bindings::interpreter::exports::wisp::sandbox::evaluation::{Failure, Outcome as Answer};
use crate::wasi::check_representations;
use wisp_api::{Exception, Representation, TracebackFrame};
use wisp_process::{ExitStatus, Signal};

/// Maximum bytes of the lines that say what an interpreter lost: a program can have thousands of open files.
const MAX_LOST: usize = 64 << 10;

/// How a call ended.
pub(crate) struct Verdict {
    pub status: ExitStatus,
    pub answer: Option<Answer>,
    /// What to write about it to standard error.
    pub message: Option<String>,
    /// Whether the interpreter can be called again, if nothing has doomed it.
    pub callable: bool,
}

impl Verdict {
    /// Says how `execution` ended. `refused_memory` is whether its account was refused memory in it.
    pub(crate) fn of(ended: Ended<Done<Answer>>, execution: &Execution, refused_memory: bool) -> Self {
        let none = |status, message| Self { status, answer: None, message, callable: false };
        match ended {
            Ended::Doomed(status) => none(status, None),
            Ended::Returned(Done { value: answer, left: 0 }) => {
                Self { status: status_of(&answer), answer: Some(answer), message: None, callable: true }
            }
            Ended::Returned(Done { value: answer, left }) => {
                // Their stacks went with the call, and the store with them.
                let threads = if left == 1 { "a thread".to_owned() } else { format!("{left} threads") };
                let message = Some(format!("ended: {threads} would not end with the evaluation"));
                Self { status: ExitStatus::Signaled(Signal::Kill), answer: Some(answer), message, callable: false }
            }
            Ended::Failed(error) => {
                let (status, message) = execution.explain(&error, refused_memory);
                none(status, message)
            }
        }
    }
}

/// The parts of an evaluation that its interpreter said.
#[derive(Default)]
pub(crate) struct Said {
    pub number: Option<u64>,
    pub value: Option<String>,
    pub representations: Vec<Representation>,
    pub error: Option<Exception>,
    pub exit: Option<u8>,
    pub not_carried: Vec<String>,
    /// What to write about it to standard error.
    pub message: Option<&'static str>,
}

impl Said {
    /// Reads an answer. An interpreter may answer anything.
    pub(crate) fn of(answer: Answer) -> Self {
        let Answer { number, value, error, status, lost } = answer;
        let (value, forms) = value.map(|value| (value.text, value.forms)).unzip();
        let representations = forms.map_or(Some(Vec::new()), check_representations);
        let message = representations.is_none().then_some("the forms of the value are left out: one of them is malformed");
        Self {
            number: Some(number),
            value,
            representations: representations.unwrap_or_default(),
            error: error.map(uncaught),
            exit: status,
            not_carried: bounded(lost),
            message,
        }
    }
}

/// Returns what an interpreter says that it lost, as a person may read it: its program chooses names in it. What a snapshot keeps of it
/// belongs to no account while it lives.
pub(crate) fn bounded(lost: Vec<String>) -> Vec<String> {
    let (mut kept, mut room) = (Vec::new(), MAX_LOST);
    for line in lost.iter().map(|line| text(line)) {
        let Some(left) = room.checked_sub(lines_weight(std::slice::from_ref(&line))) else { break };
        room = left;
        kept.push(line);
    }
    let more = lost.len() - kept.len();
    if more > 0 {
        kept.push(format!("{more} more, whose names are left out"));
    }
    kept
}

/// Returns the bytes of an answer, which come in addition to the output: its rows as the host holds them, and their texts. A row counts
/// even if its texts are empty.
pub(crate) fn weight(answer: &Answer) -> u64 {
    let value = answer.value.iter().map(|value| {
        let forms = value.forms.iter().map(|(media_type, data)| media_type.len() + data.len());
        size_of_val(&*value.forms) + forms.sum::<usize>() + value.text.len()
    });
    let error = answer.error.iter().map(|error| {
        let frames = error.frames.iter().map(|frame| frame.file.len() + frame.function.len() + frame.text.as_ref().map_or(0, String::len));
        size_of_val(&*error.frames) + frames.sum::<usize>() + error.name.len() + error.message.len() + error.report.len()
    });
    (value.chain(error).sum::<usize>() + lines_weight(&answer.lost)) as u64
}

/// Returns the bytes of lines, as the host holds them.
fn lines_weight(lines: &[String]) -> usize {
    size_of_val(lines) + lines.iter().map(String::len).sum::<usize>()
}

fn status_of(answer: &Answer) -> ExitStatus {
    ExitStatus::Exited(answer.status.unwrap_or(u8::from(answer.error.is_some())))
}

fn uncaught(failure: Failure) -> Exception {
    let frames = failure.frames.into_iter().map(|frame| TracebackFrame {
        file: frame.file,
        line: (frame.line > 0).then_some(frame.line),
        function: frame.function,
        text: frame.text,
    });
    Exception { name: failure.name, message: failure.message, frames: frames.collect(), report: failure.report }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wasi::bindings::interpreter::exports::wisp::sandbox::evaluation::{Frame, Value};

    fn answer() -> Answer {
        Answer { number: 1, value: None, error: None, status: None, lost: Vec::new() }
    }

    #[test]
    fn rows_weigh_something_though_their_texts_are_empty() {
        assert_eq!(weight(&answer()), 0);
        let frame = || Frame { file: String::new(), line: 0, function: String::new(), text: None };
        let failure = |count| Failure {
            name: "E".to_owned(),
            message: String::new(),
            frames: (0..count).map(|_| frame()).collect(),
            report: String::new(),
        };
        let frames = |count| weight(&Answer { error: Some(failure(count)), ..answer() });
        assert_eq!(frames(0), 1);
        assert_eq!(frames(1000), 1 + 1000 * size_of::<Frame>() as u64);
        let lost = |count| weight(&Answer { lost: vec![String::new(); count], ..answer() });
        assert_eq!(lost(1000), 1000 * size_of::<String>() as u64);
        let forms = vec![(String::new(), Vec::new()); 1000];
        let value = weight(&Answer { value: Some(Value { text: "42".to_owned(), forms }), ..answer() });
        assert_eq!(value, 2 + 1000 * size_of::<(String, Vec<u8>)>() as u64);
    }

    #[test]
    fn the_names_that_a_snapshot_keeps_are_bounded() {
        let few = vec!["the open file a".to_owned(), String::new()];
        assert_eq!(bounded(few.clone()), few);
        let cut = bounded(vec![String::new(); 1_000_000]);
        assert!(lines_weight(&cut) <= MAX_LOST + 100 && cut.capacity() < 10_000, "{}", cut.len());
        let left_out = 1_000_001 - cut.len();
        assert_eq!(cut.last().map(String::as_str), Some(&*format!("{left_out} more, whose names are left out")));
        assert!(bounded(vec!["x".repeat(MAX_LOST)])[0].len() <= 512, "a line is cut");
    }
}
