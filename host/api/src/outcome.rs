//! The result of a command.

use std::borrow::Cow;
use std::time::Duration;

use bytes::Bytes;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{End, LeftOutReason, LimitHit, Receipt, content};

/// The result of a command. In JSON, `exit_code` follows `end`; a reader takes `end`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "wisp outcome")]
pub struct Outcome {
    /// How it ended.
    #[serde(flatten, with = "crate::end::fields")]
    #[schemars(with = "crate::end::fields::Fields")]
    pub end: End,
    /// Standard output, if it was captured.
    #[serde(flatten, with = "content::stdout")]
    #[schemars(with = "content::stdout::Fields")]
    pub stdout: Vec<u8>,
    /// Standard error, if it was captured.
    #[serde(flatten, with = "content::stderr")]
    #[schemars(with = "content::stderr::Fields")]
    pub stderr: Vec<u8>,
    /// The files of the output directory, as they are now, by path.
    pub files: Vec<Artifact>,
    /// What the output directory has beside `files`, by path, at most a thousand: `files_left_out_reasons` says why. A directory that is
    /// left out is listed once, instead of its files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files_left_out: Vec<String>,
    /// Why each of `files_left_out` is left out, in the same order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files_left_out_reasons: Vec<LeftOutReason>,
    /// The time from start to end, in milliseconds in JSON.
    #[serde(rename = "execution_time_ms", with = "content::milliseconds")]
    #[schemars(with = "f64")]
    pub execution_time: Duration,
    /// The resources that it used.
    pub usage: Usage,
    /// The first limit that ended one of its processes; if none did, `limits.memory` if that refused memory.
    pub limit: Option<LimitHit>,
    /// The decisions made while it ran, oldest first; repeated refusals are merged.
    pub receipts: Vec<Receipt>,
    /// The number of decisions that were left out of `receipts`, because there were too many.
    pub receipts_left_out: u64,
    /// SHA-256 of the worlds of the session's components: what each could import.
    pub world: String,
}

/// The resources that a command used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Usage {
    /// Processor time of all its processes, in milliseconds in JSON.
    #[serde(rename = "cpu_ms", with = "content::milliseconds")]
    #[schemars(with = "f64")]
    pub cpu: Duration,
    /// The peak memory of the session's processes while it ran, in bytes.
    #[serde(rename = "peak_memory_bytes")]
    pub peak_memory: u64,
    /// The number of processes that it started.
    pub processes: u64,
}

/// A file of the output directory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Artifact {
    /// The absolute path in the sandbox.
    pub path: String,
    /// The media type: as the program labelled it, or guessed from the name.
    pub mime_type: String,
    /// The length in bytes.
    #[serde(rename = "size_bytes")]
    pub size: u64,
    /// The SHA-256 of the contents, in lower-case hexadecimal.
    pub sha256: String,
    /// Permission bits, at most 0o7777. A number: 420 is 0o644.
    pub mode: u32,
    /// Last change of the contents, in nanoseconds since 1970.
    #[serde(rename = "mtime_ns")]
    pub mtime: u64,
    /// The title, if the program labelled the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The contents, in base64 in JSON; `None` in an outcome [without contents](Outcome::without_contents).
    #[serde(default, skip_serializing_if = "Option::is_none", with = "content::base64_option")]
    #[schemars(with = "Option<String>")]
    pub data: Option<Bytes>,
}

impl Outcome {
    /// Returns about how many bytes of memory it takes: its output, its files and what it lists.
    pub fn held_bytes(&self) -> usize {
        let files = self.files.iter().map(|file| size_of::<Artifact>() + file.path.len() + file.data.as_ref().map_or(0, Bytes::len));
        let left_out = self.files_left_out.iter().map(|path| size_of::<String>() + path.len());
        let receipts = self.receipts.iter().map(|receipt| size_of::<Receipt>() + receipt.subject.len() + receipt.rule.len());
        let reasons = self.files_left_out_reasons.len() * size_of::<LeftOutReason>();
        self.stdout.capacity() + self.stderr.capacity() + reasons + files.chain(left_out).chain(receipts).sum::<usize>()
    }

    /// Returns what was left out of its files, with the reason for each.
    pub fn left_out(&self) -> impl Iterator<Item = (&str, LeftOutReason)> {
        self.files_left_out.iter().map(String::as_str).zip(self.files_left_out_reasons.iter().copied())
    }

    /// Returns the exit code that a shell would see; 125 for a fault of the host.
    pub fn exit_code(&self) -> u8 {
        self.end.exit_code()
    }

    /// Returns whether the command reported success.
    pub fn success(&self) -> bool {
        self.end.success()
    }

    /// Returns standard output as text; bytes that are not UTF-8 become U+FFFD.
    pub fn stdout_text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.stdout)
    }

    /// Returns standard error as text; bytes that are not UTF-8 become U+FFFD.
    pub fn stderr_text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.stderr)
    }

    /// Removes the contents of its files, whose paths, lengths and digests stay.
    #[must_use]
    pub fn without_contents(mut self) -> Self {
        self.files.iter_mut().for_each(|file| file.data = None);
        self
    }

    /// Keeps the first `limit` receipts, and counts the others as left out.
    #[must_use]
    pub fn with_receipts(mut self, limit: usize) -> Self {
        self.receipts_left_out += self.receipts.len().saturating_sub(limit) as u64;
        self.receipts.truncate(limit);
        self
    }
}
