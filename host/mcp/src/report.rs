//! The answer to a call that ran something: its output, how it ended and by which rule, what was refused, what it made.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::Value;
use wisp_api::{Artifact, Display, End, Evaluation, Limit, LimitHit, Outcome, Receipt, ReceiptKind, Representation, Verdict};

use crate::resources;
use crate::sessions::{Found, Place};
use crate::structured;
use crate::text::{Gap, shortened, with_newline};

/// Bytes of text of an answer that is an error: clients truncate those at 11,000 characters.
pub(crate) const ERROR: usize = 9_000;

/// Maximum bytes of a picture that is shown to the model.
pub(crate) const PICTURE: usize = 1_000_000;

/// Maximum pictures of one answer.
pub(crate) const PICTURES: usize = 8;

/// Maximum things that are displayed, and the bytes of text that each has at least.
pub(crate) const DISPLAYS: usize = 32;
const DISPLAY: usize = 256;

/// Maximum refusals that are named.
const REFUSALS: usize = 8;

/// Maximum files that are named.
const ARTIFACTS: usize = 20;

/// An answer that is being made.
#[derive(Default)]
pub(crate) struct Report {
    text: String,
    notes: Vec<String>,
    pictures: Vec<ContentBlock>,
    document: Option<Value>,
    failed: bool,
}

impl Report {
    /// Creates an answer that begins with what the client must know about the session.
    pub(crate) fn new(found: &Found) -> Self {
        Self { notes: found.note.clone().into_iter().collect(), ..Self::default() }
    }

    /// Adds text; it begins on a line of its own.
    pub(crate) fn text(&mut self, text: &str) {
        let before = std::mem::take(&mut self.text);
        self.text = with_newline(before) + text;
    }

    /// Adds a line about the call, which is shown after its text.
    pub(crate) fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }

    /// Makes it an error.
    pub(crate) fn fail(&mut self) {
        self.failed = true;
    }

    /// Adds a picture.
    pub(crate) fn picture(&mut self, media_type: &str, data: &[u8]) {
        self.pictures.push(ContentBlock::image(STANDARD.encode(data), media_type));
    }

    /// Returns the answer. It has the result as data only if the server is asked for it: some clients show a model that in place of the
    /// text and the pictures.
    pub(crate) fn done(self) -> CallToolResult {
        let mut text = with_newline(self.text);
        text.push_str(&self.notes.join("\n"));
        if text.is_empty() && self.pictures.is_empty() {
            text.push_str("[no output]");
        }
        let mut content: Vec<ContentBlock> = (!text.is_empty()).then(|| ContentBlock::text(text)).into_iter().collect();
        content.extend(self.pictures);
        let mut result = match self.failed {
            true => CallToolResult::error(content),
            false => CallToolResult::success(content),
        };
        result.structured_content = self.document;
        result
    }
}

/// What the client asked for, as far as the answer depends on it.
pub(crate) struct Asked {
    /// The id by which `read_output` finds it.
    pub(crate) id: String,
    /// Maximum bytes of output.
    pub(crate) limit: usize,
    pub(crate) timeout_ms: Option<u64>,
    /// Whether it has the result as data, too.
    pub(crate) structured: bool,
}

impl Asked {
    /// Returns the maximum bytes of output of an answer that is an error, or that is none.
    fn bytes(&self, failed: bool) -> usize {
        if failed { self.limit.min(ERROR) } else { self.limit }
    }
}

/// Returns the answer to `run_shell`.
pub(crate) fn command(found: &Found, asked: &Asked, outcome: &Outcome) -> CallToolResult {
    let mut report = Report::new(found);
    let failed = ended_by_sandbox(&outcome.end);
    let limit = asked.bytes(failed);
    report.text(&shortened(&outcome.stdout, limit, |gap| rest(&asked.id, None, gap)));
    if failed {
        report.fail();
    }
    end(&mut report, asked, &outcome.end);
    common(&mut report, &found.place, outcome);
    if asked.structured {
        report.document = structured::command(asked, outcome);
    }
    report.done()
}

/// Returns the answer to `run_python`.
pub(crate) fn evaluation(found: &Found, asked: &Asked, evaluation: &Evaluation) -> CallToolResult {
    let (mut report, outcome) = (Report::new(found), &evaluation.outcome);
    let failed = evaluation.error.is_some() || ended_by_sandbox(&outcome.end);
    let limit = asked.bytes(failed);
    // What is left of one is for the other; the report of an exception is on standard error.
    let stderr = outcome.stderr.len().min(limit / 2);
    report.text(&shortened(&outcome.stdout, limit - stderr, |gap| rest(&asked.id, None, gap)));
    report.text(&shortened(&outcome.stderr, limit - outcome.stdout.len().min(limit - stderr), |gap| rest(&asked.id, Some("stderr"), gap)));
    let displays = latest(&evaluation.displays);
    for display in displays.iter().take(DISPLAYS) {
        shown(&mut report, &display.representations, None, limit);
    }
    if displays.len() > DISPLAYS {
        report.note(format!("[and {} more were displayed]", displays.len() - DISPLAYS));
    }
    shown(&mut report, &evaluation.representations, evaluation.value.as_deref(), limit);
    if failed {
        report.fail();
    }
    if evaluation.timed_out {
        let time = asked.timeout_ms.map(|time| format!(" = {time}")).unwrap_or_default();
        report.note(format!("[interrupted by timeout_ms{time}]"));
    } else if evaluation.error.is_none() {
        end(&mut report, asked, &outcome.end);
    }
    if evaluation.number.is_none() {
        report.note("[the interpreter was ended, and its variables are gone: the next `run_python` starts another]");
    }
    evaluation.not_carried.iter().for_each(|line| report.note(format!("[{line}]")));
    common(&mut report, &found.place, outcome);
    if asked.structured {
        report.document = structured::evaluation(asked, evaluation);
    }
    report.done()
}

/// Returns whether the sandbox ended it, so that it ended neither by itself nor by a signal.
fn ended_by_sandbox(end: &End) -> bool {
    !matches!(end, End::Exit { .. } | End::Signal { .. })
}

/// Returns the line in place of output that is left out.
fn rest(id: &str, stream: Option<&str>, gap: Gap) -> String {
    let stream = stream.map(|stream| format!(r#", "stream": "{stream}""#)).unwrap_or_default();
    format!(
        r#"[{} bytes are left out here: `read_output` with {{"id": "{id}"{stream}, "offset": {}}} reads them]"#,
        gap.to - gap.from,
        gap.from
    )
}

/// Writes how it ended, if not as it should.
fn end(report: &mut Report, asked: &Asked, end: &End) {
    match end {
        End::Exit { code: 0 } => {}
        other => report.note(format!("[{}]", ended(other, asked.timeout_ms))),
    }
}

/// Returns how something ended, by which rule, and what to change.
pub(crate) fn ended(end: &End, timeout_ms: Option<u64>) -> String {
    match (end, timeout_ms) {
        (End::Exit { code }, _) => format!("exit code {code}"),
        (End::Signal { signal }, _) => format!("ended by signal {signal}"),
        // Only a limit of the caller has this rule.
        (End::Limit(LimitHit { limit: Limit::Wall, rule, .. }), Some(time)) if rule == "host program" => {
            format!("ended by timeout_ms = {time}: ask for more time, or for less work")
        }
        (End::Limit(hit), _) => format!("ended by {}: do less at a time, or have the policy changed there", limit(hit)),
        (End::Denied { subject, rule }, _) => {
            format!("ended because it called {subject}, which {rule} refuses: `explain_policy` says what is allowed")
        }
        (End::Infra { code, message }, _) => format!("the sandbox failed, not the program: {message} ({code}); try again"),
        (other, _) => format!("ended: exit code {}", other.exit_code()),
    }
}

fn limit(hit: &LimitHit) -> String {
    format!("{} = {} ({})", hit.limit, hit.value, hit.rule)
}

/// Writes what is said about commands and evaluations alike.
fn common(report: &mut Report, place: &Place, outcome: &Outcome) {
    if let Some(hit) = outcome.limit.as_ref().filter(|_| !matches!(outcome.end, End::Limit(_))) {
        let what = if hit.ended { "ended a process" } else { "was reached, and a process got no more" };
        report.note(format!("[{} {what}]", limit(hit)));
    }
    refusals(report, &outcome.receipts);
    artifacts(report, place, &outcome.files);
    // A link to what is a resource itself is nothing to tell with every answer.
    let lost: Vec<_> = outcome.left_out().filter(|(_, reason)| reason.loses_data()).collect();
    for (path, reason) in lost.iter().take(ARTIFACTS) {
        report.note(format!("[{} is no resource: {reason}]", path.escape_debug()));
    }
    if lost.len() > ARTIFACTS {
        report.note(format!("[and {} more files are no resources]", lost.len() - ARTIFACTS));
    }
}

/// Writes what was refused, and by which rule.
fn refusals(report: &mut Report, receipts: &[Receipt]) {
    // A client's own call of a function is no doing of what ran here: its answer has said it.
    let own = |receipt: &Receipt| (receipt.process, receipt.kind) == (0, ReceiptKind::Function);
    let refused: Vec<&Receipt> = receipts.iter().filter(|receipt| receipt.verdict == Verdict::Denied && !own(receipt)).collect();
    for receipt in refused.iter().take(REFUSALS) {
        let times = if receipt.count > 1 { format!(" ({} times)", receipt.count) } else { String::new() };
        report.note(format!("[denied{times}: {} {} by {}]", receipt.kind, receipt.subject, receipt.rule));
    }
    if refused.len() > REFUSALS {
        report.note(format!("[and {} more were denied]", refused.len() - REFUSALS));
    }
    if !refused.is_empty() {
        report.note("[the policy refuses these, and only its author can change that: `explain_policy` says what is allowed]");
    }
}

/// Writes the files of the output directory that the client does not know yet.
fn artifacts(report: &mut Report, place: &Place, files: &[Artifact]) {
    let mut shown = place.shown.lock();
    let new: Vec<&Artifact> = files.iter().filter(|file| shown.get(&file.path) != Some(&file.sha256)).collect();
    for file in new.iter().take(ARTIFACTS) {
        report.note(format!("{} ({}, {} bytes)", resources::uri(&place.name, &file.path), file.mime_type, file.size));
    }
    if new.len() > ARTIFACTS {
        report.note(format!("[and {} more files: `list_files` names them]", new.len() - ARTIFACTS));
    }
    *shown = files.iter().map(|file| (file.path.clone(), file.sha256.clone())).collect();
}

/// Returns what is shown in the end: a later display with the same id takes the place of an earlier one.
fn latest(displays: &[Display]) -> Vec<&Display> {
    let mut latest: Vec<&Display> = Vec::new();
    for display in displays {
        let same = |other: &&mut &Display| display.id.is_some() && other.id == display.id && display.update;
        match latest.iter_mut().find(same) {
            Some(place) => *place = display,
            None => latest.push(display),
        }
    }
    latest
}

/// Adds the representation that the model sees best: a picture, or text.
fn shown(report: &mut Report, representations: &[Representation], value: Option<&str>, limit: usize) {
    let of = |media_type: &str| representations.iter().find(|one| one.media_type == media_type);
    if let Some(picture) = of("image/png").or_else(|| of("image/jpeg")) {
        match (picture.data.len(), report.pictures.len()) {
            (..=PICTURE, ..PICTURES) => return report.picture(&picture.media_type, &picture.data),
            (size, _) => report.note(format!(
                "[a picture of {size} bytes is not shown: an answer has at most {PICTURES} of at most {PICTURE} bytes; save it in the \
                 output directory, or make it smaller]"
            )),
        }
    }
    let text = value.or_else(|| ["text/markdown", "text/plain", "application/json"].into_iter().find_map(|kind| of(kind)?.text()));
    match (text, representations.first()) {
        (Some(text), _) => {
            let note = |gap: Gap| format!("[{} bytes of the value are left out here]", gap.to - gap.from);
            let left = limit.saturating_sub(report.text.len()).max(DISPLAY);
            report.text(&shortened(text.as_bytes(), left, note));
        }
        (None, Some(other)) => report.note(format!("[{} of {} bytes is not shown]", other.media_type, other.data.len())),
        (None, None) => {}
    }
}
