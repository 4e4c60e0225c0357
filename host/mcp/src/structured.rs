//! Results as data, for clients that are programs: the documents of `outcome.json` and `evaluation.json`, as long as an answer may be.

use std::sync::Arc;

use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use wisp_api::{Evaluation, Outcome, Representation};

use crate::report::{Asked, DISPLAYS};
use crate::text::incomplete;

/// Maximum receipts of a document.
const RECEIPTS: usize = 100;

/// The result of a command.
#[derive(Serialize, JsonSchema)]
pub(crate) struct CommandDocument {
    #[serde(flatten)]
    left_out: LeftOut,
    #[serde(flatten)]
    outcome: Outcome,
}

/// The result of an evaluation.
#[derive(Serialize, JsonSchema)]
pub(crate) struct EvaluationDocument {
    #[serde(flatten)]
    left_out: LeftOut,
    #[serde(flatten)]
    evaluation: Evaluation,
}

/// What a document lacks, and how to read it.
#[derive(Serialize, JsonSchema)]
struct LeftOut {
    /// The id by which `read_output` finds the output.
    output_id: String,
    /// Bytes of standard output that are missing at its end. A command has both outputs in it.
    stdout_left_out: u64,
    /// Bytes of standard error that are missing at its end.
    stderr_left_out: u64,
    /// Representations that are missing: pictures, which the content of the result has, and those that are too long.
    representations_left_out: u64,
}

/// Returns the schema of a document, as a tool declares it.
pub(crate) fn schema<T: JsonSchema>() -> Arc<JsonObject> {
    let schema = schemars::generate::SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>();
    match schema.to_value() {
        Value::Object(schema) => Arc::new(schema),
        _ => Arc::default(),
    }
}

/// Returns the document of a command.
pub(crate) fn command(asked: &Asked, outcome: &Outcome) -> Option<Value> {
    let (mut left_out, outcome) = (LeftOut::of(asked), outcome.clone());
    let outcome = bounded(outcome, asked.limit, &mut left_out);
    serde_json::to_value(CommandDocument { left_out, outcome }).ok()
}

/// Returns the document of an evaluation.
pub(crate) fn evaluation(asked: &Asked, evaluation: &Evaluation) -> Option<Value> {
    let (mut left_out, mut evaluation) = (LeftOut::of(asked), evaluation.clone());
    // What output leaves is for the value, and what that leaves, for what was shown last.
    evaluation.outcome = bounded(evaluation.outcome, asked.limit, &mut left_out);
    let mut room = asked.limit;
    if evaluation.value.as_ref().is_some_and(|value| !takes(&mut room, value.len())) {
        evaluation.value = None;
        left_out.representations_left_out += 1;
    }
    left_out.keep(&mut evaluation.representations, &mut room);
    let many = evaluation.displays.len().saturating_sub(DISPLAYS);
    left_out.representations_left_out += evaluation.displays.drain(..many).map(|one| one.representations.len() as u64).sum::<u64>();
    for display in evaluation.displays.iter_mut().rev() {
        left_out.keep(&mut display.representations, &mut room);
    }
    serde_json::to_value(EvaluationDocument { left_out, evaluation }).ok()
}

impl LeftOut {
    fn of(asked: &Asked) -> Self {
        Self { output_id: asked.id.clone(), stdout_left_out: 0, stderr_left_out: 0, representations_left_out: 0 }
    }

    /// Keeps the representations that are text, as far as there is room.
    fn keep(&mut self, all: &mut Vec<Representation>, room: &mut usize) {
        let before = all.len();
        all.retain(|one| one.text().is_some() && takes(room, one.data.len()));
        self.representations_left_out += (before - all.len()) as u64;
    }
}

/// Takes so many bytes of the room, if it has them.
fn takes(room: &mut usize, bytes: usize) -> bool {
    let left = room.checked_sub(bytes);
    *room = left.unwrap_or(*room);
    left.is_some()
}

/// Returns the outcome without contents of files, and with at most so many bytes of both outputs.
fn bounded(outcome: Outcome, limit: usize, left_out: &mut LeftOut) -> Outcome {
    let mut outcome = outcome.without_contents().with_receipts(RECEIPTS);
    let stderr = outcome.stderr.len().min(limit / 2);
    left_out.stdout_left_out = cut(&mut outcome.stdout, limit - stderr);
    left_out.stderr_left_out = cut(&mut outcome.stderr, limit - outcome.stdout.len());
    outcome
}

/// Cuts output after so many bytes, and not within a character. Returns how many bytes are gone.
fn cut(output: &mut Vec<u8>, limit: usize) -> u64 {
    let before = output.len();
    if before > limit {
        output.truncate(limit);
        output.truncate(limit - incomplete(output));
    }
    (before - output.len()) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_is_cut_between_characters() {
        for (text, limit, kept) in [("äöü", 6, "äöü"), ("äöü", 5, "äö"), ("äöü", 1, ""), ("abc", 2, "ab"), ("", 0, "")] {
            let mut output = text.as_bytes().to_vec();
            let gone = cut(&mut output, limit);
            assert_eq!((output.as_slice(), gone), (kept.as_bytes(), (text.len() - kept.len()) as u64), "{text} {limit}");
        }
    }

    #[test]
    fn a_schema_names_the_fields_of_both_parts() {
        for schema in [schema::<CommandDocument>(), schema::<EvaluationDocument>()] {
            assert_eq!(schema["type"], "object");
            for field in ["output_id", "stdout_left_out", "end", "stdout", "receipts", "usage"] {
                assert!(schema["properties"].get(field).is_some(), "{field}");
            }
        }
    }
}
