//! What a unified diff did to files, or why it was refused.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{ErrorCode, shown};

/// The files that a diff changed, in its order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Patched {
    /// The files.
    pub files: Vec<PatchedFile>,
}

/// A file that a diff changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PatchedFile {
    /// Its absolute path.
    pub path: String,
    /// What happened to it.
    #[serde(flatten)]
    pub change: PatchChange,
    /// How many hunks were applied.
    pub hunks: usize,
    /// By how many lines the hunk that is furthest from the place that the diff says is away from it.
    pub offset: u64,
}

/// What a diff did to one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "change", rename_all = "snake_case")]
#[non_exhaustive]
pub enum PatchChange {
    /// It is new.
    Created,
    /// Its contents or its mode changed.
    Modified,
    /// It is gone.
    Deleted,
    /// It had this path before.
    Renamed {
        /// The path, absolute.
        from: String,
    },
    /// It is a copy of the file with this path.
    Copied {
        /// The path, absolute.
        from: String,
    },
}

/// Why a diff was refused. Nothing was changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, thiserror::Error)]
#[error("line {line} of the diff{}: {reason}", place(file, *hunk))]
pub struct PatchReject {
    /// The file that the diff names, if it is known.
    pub file: Option<String>,
    /// The number of the hunk in that file, from 1, if it is in one.
    pub hunk: Option<usize>,
    /// The line of the diff, from 1.
    pub line: usize,
    /// What is wrong.
    pub reason: String,
}

impl PatchReject {
    /// Returns the code of this error: [`ErrorCode::PatchRejected`].
    pub fn code(&self) -> ErrorCode {
        ErrorCode::PatchRejected
    }
}

fn place(file: &Option<String>, hunk: Option<usize>) -> String {
    match (file, hunk) {
        (Some(file), Some(hunk)) => format!(" (hunk {hunk} of `{}`)", shown(file)),
        (Some(file), None) => format!(" (`{}`)", shown(file)),
        (None, _) => String::new(),
    }
}
