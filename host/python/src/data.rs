//! Requests and results as they cross to Python: JSON as `wisp-api` has it, without what crosses as bytes.

use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use wisp::Artifacts;
use wisp_api::{Artifact, ErrorCode, Evaluation, Outcome};

use crate::failure::Failure;

/// Reads a request.
///
/// # Errors
/// If it is none: a value has the wrong type, or a time is no time.
pub(crate) fn read<T: DeserializeOwned>(text: &str) -> Result<T, Failure> {
    serde_json::from_str(text).map_err(|error| Failure::new(ErrorCode::InvalidArgument, format!("the request is not valid: {error}")))
}

/// Writes a result.
pub(crate) fn written(value: &impl Serialize) -> Result<String, Failure> {
    serde_json::to_string(value).map_err(|error| Failure::new(ErrorCode::Internal, format!("the result cannot be written: {error}")))
}

/// Writes an outcome without its outputs and the contents of its files.
pub(crate) fn outcome(outcome: &Outcome) -> Result<String, Failure> {
    written(&bare(outcome))
}

/// Writes an evaluation, likewise.
pub(crate) fn evaluation(evaluation: &Evaluation) -> Result<String, Failure> {
    written(&Evaluation {
        number: evaluation.number,
        value: evaluation.value.clone(),
        representations: evaluation.representations.clone(),
        displays: evaluation.displays.clone(),
        error: evaluation.error.clone(),
        exit: evaluation.exit,
        not_carried: evaluation.not_carried.clone(),
        timed_out: evaluation.timed_out,
        outcome: bare(&evaluation.outcome),
    })
}

/// Writes the files of the output directory without their contents, and what was left out.
pub(crate) fn artifacts(found: &Artifacts) -> Result<String, Failure> {
    written(&serde_json::json!({ "files": without_contents(&found.files), "left_out": found.left_out, "reasons": found.reasons }))
}

fn without_contents(files: &[Artifact]) -> Vec<Artifact> {
    files.iter().map(|file| Artifact { data: None, ..file.clone() }).collect()
}

fn bare(outcome: &Outcome) -> Outcome {
    Outcome {
        end: outcome.end.clone(),
        stdout: Vec::new(),
        stderr: Vec::new(),
        files: without_contents(&outcome.files),
        files_left_out: outcome.files_left_out.clone(),
        files_left_out_reasons: outcome.files_left_out_reasons.clone(),
        execution_time: outcome.execution_time,
        usage: outcome.usage,
        limit: outcome.limit.clone(),
        receipts: outcome.receipts.clone(),
        receipts_left_out: outcome.receipts_left_out,
        world: outcome.world.clone(),
    }
}

/// Returns a time in seconds as a time.
///
/// # Errors
/// If it is negative, or no number.
pub(crate) fn seconds(time: f64) -> Result<Duration, Failure> {
    let wrong = |_| Failure::new(ErrorCode::InvalidArgument, format!("{time} is no time: write a number of seconds, such as 2.5"));
    Duration::try_from_secs_f64(time).map_err(wrong)
}
