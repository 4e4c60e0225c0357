//! What is taken over into the host's folders of what a session changed in overlays of them.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::FileDifference;

/// What would be written to the host or was written, and what stands against it. Paths are those of the sandbox.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ApplyDocument {
    /// Whether the changes were written.
    pub applied: bool,
    /// The changes, sorted by path within each mount.
    pub changes: Vec<ApplyFile>,
    /// Why nothing may be written. Empty if everything may.
    pub conflicts: Vec<ApplyConflict>,
    /// What the session has, but no host gets.
    pub left_out: Vec<ApplyLeftOut>,
    /// Paths that were asked for, and at which nothing was changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unchanged: Vec<String>,
}

/// A change that is to be made on the host.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ApplyFile {
    /// The file before and after: `before` is what the host has.
    #[serde(flatten)]
    pub difference: FileDifference,
    /// Whether it is a symbolic link through which a program on the host would leave the folder, or could once other files change.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub leads_out: bool,
}

/// A file that may not be written, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ApplyConflict {
    /// Its path.
    pub path: String,
    /// Why.
    #[serde(flatten)]
    pub reason: ApplyRefusal,
    /// The reason, for people.
    pub message: String,
}

impl ApplyConflict {
    /// Returns the conflict of a file; the message follows from the reason.
    pub fn new(path: impl Into<String>, reason: ApplyRefusal) -> Self {
        Self { path: path.into(), message: reason.to_string(), reason }
    }
}

/// Why a file may not be written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "reason", rename_all = "snake_case")]
#[non_exhaustive]
pub enum ApplyRefusal {
    /// The host's file is not what the session changed.
    Changed,
    /// The host has removed it.
    Removed,
    /// The host has made a file there.
    Added,
    /// A directory that is to go has a file that the session has not seen, or that stays.
    Holds {
        /// The name.
        name: String,
    },
    /// What was noted about the host is not enough to know.
    Unknown,
    /// A directory on the way to it is none on the host.
    NoDirectory {
        /// Its path in the sandbox.
        directory: String,
    },
    /// The next run trusts it.
    Protected {
        /// What it is.
        what: String,
    },
}

/// A change that no host gets, and why. It is not a conflict: the others may be taken over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ApplyLeftOut {
    /// Its path.
    pub path: String,
    /// Why.
    #[serde(flatten)]
    pub reason: ApplyReason,
    /// The reason, for people.
    pub message: String,
}

impl ApplyLeftOut {
    /// Returns a change that is left out; the message follows from the reason.
    pub fn new(path: impl Into<String>, reason: ApplyReason) -> Self {
        Self { path: path.into(), message: reason.to_string(), reason }
    }
}

/// Why a change is not taken over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "reason", rename_all = "snake_case")]
#[non_exhaustive]
pub enum ApplyReason {
    /// Named pipes, sockets and devices exist in the sandbox only.
    Special,
    /// A program on the host that follows it would leave the folder, or could once other files change: its target is absolute, has
    /// too many `..`, or a `..` after a name.
    LeadsOut {
        /// Its target.
        target: String,
    },
    /// The session has it as it found it.
    OnlyHost,
    /// The mode of the mount's own folder.
    Folder,
}

/// What was taken over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Applied {
    /// How many files were written, removed, or given another mode.
    pub changes: usize,
}

impl fmt::Display for ApplyRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Changed => f.write_str("the host's file has changed since the session changed it"),
            Self::Removed => f.write_str("the host has removed it since the session changed it"),
            Self::Added => f.write_str("the host has made a file there that the session has not seen"),
            Self::Holds { name } => write!(f, "the host's directory has `{name}`, which the session has not removed"),
            Self::Unknown => f.write_str(
                "wisp did not note what the host had when the session changed it: an earlier version kept this session, or it changed too many files",
            ),
            Self::NoDirectory { directory } => write!(f, "`{directory}` is no directory on the host any more"),
            Self::Protected { what } => write!(f, "it is, holds or replaces {what}, which decides about the next run"),
        }
    }
}

impl fmt::Display for ApplyReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Special => f.write_str("it is a pipe, a socket or a device of the sandbox"),
            Self::LeadsOut { target } => {
                write!(f, "it is a link that leads out of the folder, or could, to `{target}`; it is written if its own path is asked for")
            }
            Self::OnlyHost => f.write_str("only the host has changed it"),
            Self::Folder => f.write_str("the folder itself keeps its mode"),
        }
    }
}
