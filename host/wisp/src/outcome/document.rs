//! The outcome as one JSON document, which `wisp run --json` prints. These types are the schema:
//! `host/wisp/schema/outcome.json` is made from them, and a test compares the two.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use schemars::JsonSchema;
use serde::Serialize;

use crate::outcome::artifact::Artifact;
use crate::outcome::receipt::{Receipt, Verdict};
use crate::outcome::result::{LimitHit, Outcome, Usage};

/// Maximum receipts in a document, which a person or a model reads. At 512 bytes for each of three texts, it is less
/// than 2 MB.
const MAX_RECEIPTS: usize = 1_000;

/// The result of a command, as JSON.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(title = "wisp outcome")]
#[non_exhaustive]
pub struct OutcomeDocument {
    /// The exit code: the guest's, or 124 (wall-clock limit), 137 (another limit), 128 + n (signal n).
    pub exit_code: u8,
    /// Standard output; absent when it is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stdout: Option<String>,
    /// Standard output in base64, in place of `stdout`, when it is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stdout_base64: Option<String>,
    /// Standard error; absent when it is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stderr: Option<String>,
    /// Standard error in base64, in place of `stderr`, when it is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stderr_base64: Option<String>,
    /// The files of the output directory, by path.
    pub files: Vec<FileDocument>,
    /// Files left out because `output.max_files` or `output.max_bytes` was reached, they cannot be read, or their names hold control characters or marks of writing direction.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files_left_out: Vec<String>,
    /// The time from start to end, in milliseconds.
    pub execution_time_ms: f64,
    /// The resources that the command used.
    pub usage: UsageDocument,
    /// The first limit that ended a process of the command; if none did, `limits.memory` if that refused memory;
    /// otherwise null.
    pub limit: Option<LimitDocument>,
    /// The decisions made while it ran, oldest first; repeated refusals are merged. At most 1,000.
    pub receipts: Vec<ReceiptDocument>,
    /// The number of decisions that were left out of `receipts`, because there were too many.
    pub receipts_left_out: u64,
    /// SHA-256 of the worlds of the session's components: what each could import.
    pub world: String,
}

/// A file of the output directory.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct FileDocument {
    /// The absolute path in the sandbox.
    pub path: String,
    /// The media type: as the program labelled it, or guessed from the name.
    pub mime_type: String,
    /// The length in bytes.
    pub size_bytes: u64,
    /// The SHA-256 of the contents, in lower-case hexadecimal.
    pub sha256: String,
    /// The title, if the program labelled the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The contents in base64, with `--inline`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<String>,
}

/// The resources that a command used.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct UsageDocument {
    /// Processor time of all processes, in milliseconds.
    pub cpu_ms: f64,
    /// The peak memory of all processes, in bytes.
    pub peak_memory_bytes: u64,
    /// The number of processes that were started.
    pub processes: u64,
}

/// A limit that was reached.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct LimitDocument {
    /// The policy's key: `limits.wall`, `limits.memory`, …
    pub limit: String,
    /// Its value, as a policy writes it: `30s`, `256MiB`.
    pub value: String,
    /// The rule that set it: `policies/offline.toml:12`, `command line`.
    pub rule: String,
    /// Whether it ended a process. If not, it refused memory, and the process continued.
    pub ended: bool,
}

/// A decision, or several refusals that are alike.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct ReceiptDocument {
    /// Nanoseconds since 1970; for several refusals, the time of the first.
    pub time_ns: u64,
    /// The process that it concerns; 0 for the session itself.
    pub process: u32,
    /// The kind of decision: `mount`, `spawn`, `exec`, `http`, `secret`, `function`, `file`, `import`, `limit`, …
    pub what: String,
    /// What was asked for: a path, a program, a function, a limit with its value.
    pub subject: String,
    /// `allowed` or `denied`.
    pub verdict: Verdict,
    /// The rule that decided: `policies/offline.toml:3`, `command line`, `built in`.
    pub rule: String,
    /// How many refusals it stands for; 1 if it was allowed.
    pub count: u64,
    /// For `http`: the status of the response.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// For `http`: how it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}

impl Outcome {
    /// Makes a document of this outcome; with the files' contents if `inline`.
    pub fn document(&self, inline: bool) -> OutcomeDocument {
        let (stdout, stdout_base64) = text_or_base64(&self.stdout);
        let (stderr, stderr_base64) = text_or_base64(&self.stderr);
        OutcomeDocument {
            exit_code: self.exit_code(),
            stdout,
            stdout_base64,
            stderr,
            stderr_base64,
            files: self.files.iter().map(|file| file_document(file, inline)).collect(),
            files_left_out: self.files_left_out.clone(),
            execution_time_ms: milliseconds(self.execution_time),
            usage: UsageDocument::of(&self.usage),
            limit: self.limit.as_ref().map(LimitDocument::of),
            receipts: self.receipts.iter().take(MAX_RECEIPTS).map(ReceiptDocument::of).collect(),
            receipts_left_out: self.receipts_left_out + self.receipts.len().saturating_sub(MAX_RECEIPTS) as u64,
            world: self.world.clone(),
        }
    }
}

impl ReceiptDocument {
    pub(crate) fn of(receipt: &Receipt) -> Self {
        Self {
            time_ns: receipt.time_ns,
            process: receipt.process,
            what: receipt.what.to_string(),
            subject: receipt.subject.clone(),
            verdict: receipt.verdict,
            rule: receipt.rule.clone(),
            count: receipt.count,
            status: receipt.http.as_ref().and_then(|http| http.status),
            failure: receipt.http.as_ref().and_then(|http| http.failure.clone()),
        }
    }
}

impl LimitDocument {
    pub(crate) fn of(hit: &LimitHit) -> Self {
        Self { limit: hit.limit.to_string(), value: hit.value.clone(), rule: hit.rule.clone(), ended: hit.ended }
    }
}

impl UsageDocument {
    pub(crate) fn of(usage: &Usage) -> Self {
        Self { cpu_ms: milliseconds(usage.cpu), peak_memory_bytes: usage.peak_memory, processes: usage.processes }
    }
}

fn file_document(file: &Artifact, inline: bool) -> FileDocument {
    FileDocument {
        path: file.path.clone(),
        mime_type: file.mime_type.clone(),
        size_bytes: file.size(),
        sha256: file.sha256(),
        title: file.title.clone(),
        data: inline.then(|| STANDARD.encode(&file.data)),
    }
}

fn text_or_base64(bytes: &[u8]) -> (Option<String>, Option<String>) {
    match std::str::from_utf8(bytes) {
        Ok(text) => (Some(text.to_owned()), None),
        Err(_) => (None, Some(STANDARD.encode(bytes))),
    }
}

/// Milliseconds, with microsecond precision.
pub(crate) fn milliseconds(duration: std::time::Duration) -> f64 {
    (duration.as_secs_f64() * 1e6).round() / 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_in_the_repository_is_the_struct() {
        let made = serde_json::to_string_pretty(&schemars::schema_for!(OutcomeDocument)).unwrap() + "\n";
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/schema/outcome.json");
        if std::env::var_os("WISP_BLESS").is_some() {
            std::fs::write(path, &made).unwrap();
        }
        let kept = std::fs::read_to_string(path).unwrap_or_default();
        assert!(made == kept, "host/wisp/schema/outcome.json does not match the struct; `toolchain/just bless` rewrites it");
    }

    #[test]
    fn bytes_that_are_not_text_are_base64() {
        assert_eq!(text_or_base64(b"caf\xc3\xa9"), (Some("café".to_owned()), None));
        assert_eq!(text_or_base64(b"\xff\x00"), (None, Some("/wA=".to_owned())));
    }
}
