//! What is said when a command has ended, and where its results go: the one place that hands them over.

use std::time::Duration;

use wisp::{End, ErrorCode, LeftOutReason, Outcome, Usage};

use crate::output::OutputDirectory;
use crate::{Failure, args, code, confine, json, one_line, print, say};

/// Maximum receipts in a document. At 512 bytes for each of three texts, it is less than 2 MB.
const MAX_RECEIPTS: usize = 1_000;

/// Maximum lines about results that are not copied. A policy may allow a hundred thousand files.
const MAX_LINES: usize = 20;

/// Reports what came of the command, and copies its results, which are below `root` in the sandbox. Returns the exit code, which is `code`
/// if nothing was lost.
pub(crate) fn deliver(asked: &args::Run, outcome: &Outcome, output: Option<&OutputDirectory>, root: &str, code: u8) -> Result<u8, Failure> {
    let reported = report(asked, outcome);
    // The results are copied also where the report cannot be written.
    let code = match output {
        Some(output) => copied(outcome, output, root, code),
        // The document has them, or names them.
        None if asked.json => inline(asked, outcome, code),
        // They stay in the session.
        None if asked.session.is_some() => code,
        None => unasked(outcome, root, code),
    };
    reported.map(|()| code)
}

/// Copies the results, and says which of them are not there.
fn copied(outcome: &Outcome, output: &OutputDirectory, root: &str, code: u8) -> u8 {
    let mut lines = Lines::default();
    for file in &outcome.files {
        if let Err(problem) = output.copy(root, file) {
            lines.lost(&problem);
        }
    }
    left_out(outcome, &mut lines);
    if lines.end() { 125 } else { code }
}

/// Says which results the document has not, if it was to have their contents.
fn inline(asked: &args::Run, outcome: &Outcome, code: u8) -> u8 {
    let mut lines = Lines::default();
    if asked.inline {
        left_out(outcome, &mut lines);
    }
    if lines.end() { 125 } else { code }
}

/// Says which results are gone because nothing was to become of them. A command that failed has an exit code that says so.
fn unasked(outcome: &Outcome, root: &str, code: u8) -> u8 {
    let (mut lines, files) = (Lines::default(), outcome.files.iter().map(|file| (file.path.as_str(), true)));
    for (path, lost) in files.chain(outcome.left_out().map(|(path, reason)| (path, reason.loses_data()))) {
        let line = format!("{path:?} was not copied, and is gone: `--output DIR` copies what a command leaves in {root}");
        if lost {
            lines.lost(&line);
        } else {
            lines.add(&line);
        }
    }
    if lines.end() && code == 0 { 125 } else { code }
}

/// Says what else is in the output directory.
fn left_out(outcome: &Outcome, lines: &mut Lines) {
    for (path, reason) in outcome.left_out() {
        let more = match reason {
            LeftOutReason::MaxFiles => "; `--set output.max_files=NUMBER` allows more",
            LeftOutReason::MaxBytes => "; `--set output.max_bytes=SIZE` allows more",
            _ => "",
        };
        let line = format!("{path:?} was not copied: {reason}{more}");
        if reason.loses_data() {
            lines.lost(&line);
        } else {
            lines.add(&line);
        }
    }
}

/// Lines about results that are not copied.
#[derive(Default)]
struct Lines {
    count: usize,
    lost: bool,
}

impl Lines {
    /// Says a line, of a result that is lost.
    fn lost(&mut self, line: &str) {
        self.lost = true;
        self.add(line);
    }

    /// Says a line, unless there were too many.
    fn add(&mut self, line: &str) {
        self.count += 1;
        if self.count <= MAX_LINES {
            say(line);
        }
    }

    /// Says how many others there are. Returns whether a result is lost.
    fn end(self) -> bool {
        if self.count > MAX_LINES {
            say(&format!("nor were {} more; `--json` names them", self.count - MAX_LINES));
        }
        self.lost
    }
}

/// Returns the outcome as `--json` prints it: for a person or a model to read. With the contents of its files if `inline`.
fn document(outcome: &Outcome, inline: bool) -> Outcome {
    let outcome = outcome.clone().with_receipts(MAX_RECEIPTS);
    if inline { outcome } else { outcome.without_contents() }
}

/// Prints the document of a command that has no outcome: it was not started, or wisp failed.
pub(crate) fn failed(failure: &Failure) {
    if failure.is_unwritten() {
        return;
    }
    let message = one_line(&failure.error);
    let code = code(&failure.error).unwrap_or(match failure.code {
        127 => ErrorCode::ProgramNotFound,
        126 => ErrorCode::NotExecutable,
        125 => ErrorCode::Internal,
        // A signal came before the command began.
        129.. => ErrorCode::Ended,
        _ => ErrorCode::InvalidArgument,
    });
    let end = match failure.code {
        125 => End::Infra { code, message },
        exit_code => End::NotStarted { exit_code, code, message },
    };
    let nothing = Outcome {
        end,
        stdout: Vec::new(),
        stderr: Vec::new(),
        files: Vec::new(),
        files_left_out: Vec::new(),
        files_left_out_reasons: Vec::new(),
        execution_time: Duration::ZERO,
        usage: Usage::default(),
        limit: None,
        receipts: Vec::new(),
        receipts_left_out: 0,
        world: String::new(),
    };
    // What cannot be written is said in the end, beside the failure.
    let _ = json::pretty(&confine::beside(nothing)).map_err(Failure::internal).and_then(|text| print(&text));
}

/// Prints the document, or what else than the command itself ended it.
fn report(asked: &args::Run, outcome: &Outcome) -> Result<(), Failure> {
    if asked.json {
        return print(&json::pretty(&confine::beside(document(outcome, asked.inline))).map_err(Failure::internal)?);
    }
    match &outcome.end {
        End::Infra { code, message } => {
            let again = if code.retryable() { "; try again later" } else { "" };
            say(&format!("wisp itself failed, so this is no result of the command: {message} ({code}){again}"));
        }
        End::Denied { subject, rule } => say(&format!("ended by a call that is refused: {subject} (set by {rule})")),
        _ => {}
    }
    // Limits that only refused something were reported on the standard error of that process.
    if let Some(hit) = outcome.limit.as_ref().filter(|hit| hit.ended) {
        say(&format!("ended by {} = {} (set by {})", hit.limit, hit.value, hit.rule));
    }
    Ok(())
}
