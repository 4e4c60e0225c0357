//! The result of a command.

use std::time::Duration;

use crate::outcome::artifact::Artifact;
use crate::outcome::limit::Limit;
use crate::outcome::receipt::Receipt;
use wisp_process::ExitStatus;

/// A limit that a command reached.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct LimitHit {
    /// The limit.
    pub limit: Limit,
    /// Its value as a policy would write it: `30s`, `256MiB`, `64`.
    pub value: String,
    /// The rule that set it: `policies/offline.toml:12`, `command line`.
    pub rule: String,
    /// Whether it ended a process. Only `limits.memory` can be reached without that: a process was refused memory, and
    /// its program continued.
    pub ended: bool,
}

/// The resources that a command used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Usage {
    /// Processor time of all its processes.
    pub cpu: Duration,
    /// The peak memory of the session's processes while it ran, in bytes.
    pub peak_memory: u64,
    /// The number of processes that it started.
    pub processes: u64,
}

/// The result of a command.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Outcome {
    /// How its first process ended.
    pub status: ExitStatus,
    /// Standard output, if it was captured.
    pub stdout: Vec<u8>,
    /// Standard error, if it was captured.
    pub stderr: Vec<u8>,
    /// The files of the output directory, as they are now, by path.
    pub files: Vec<Artifact>,
    /// Files left out of `files`, by path: `output.max_files` or `output.max_bytes` was reached, they cannot be read,
    /// or their names hold control characters or marks of writing direction (see [`is_plain`](super::is_plain)). A
    /// directory with such a name is listed once, instead of its files.
    pub files_left_out: Vec<String>,
    /// The time from start to end.
    pub execution_time: Duration,
    /// The resources that it used.
    pub usage: Usage,
    /// The first limit that ended one of its processes; if none did, `limits.memory` if that refused memory.
    pub limit: Option<LimitHit>,
    /// The decisions made while it ran, oldest first; repeated refusals are merged. At most 10,000 receipts and 4 MiB:
    /// a [`ReceiptSink`](super::ReceiptSink) gets all.
    pub receipts: Vec<Receipt>,
    /// The number of decisions that were left out of `receipts`, because there were too many.
    pub receipts_left_out: u64,
    /// The digest of the session's worlds: what each component could import.
    pub world: String,
}

impl Outcome {
    /// The exit code that a shell would see.
    pub fn exit_code(&self) -> u8 {
        self.status.code()
    }

    /// Whether the command reported success.
    pub fn success(&self) -> bool {
        self.status.success()
    }

    /// Standard output as text; bytes that are not UTF-8 become U+FFFD.
    pub fn stdout_text(&self) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(&self.stdout)
    }

    /// Standard error as text; bytes that are not UTF-8 become U+FFFD.
    pub fn stderr_text(&self) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(&self.stderr)
    }
}
