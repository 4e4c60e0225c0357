//! What a service says about what it holds, as data.

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{FileDiff, FileDifference};

/// Makes the type of an id: an unguessable text that a service chose.
macro_rules! id {
    ($(#[$doc:meta])+ $name:ident) => {
        $(#[$doc])+
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// Returns the id of these random bytes: 32 hexadecimal digits.
            pub fn of(random: u128) -> Self {
                Self(format!("{random:032x}"))
            }

            /// Returns the text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        /// Any text: a service has nothing by an id that it did not choose.
        impl<T: Into<String>> From<T> for $name {
            fn from(text: T) -> Self {
                Self(text.into())
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

id! {
    /// The id of a session of a service.
    SessionId
}

id! {
    /// The id of a checkpoint of a session.
    CheckpointId
}

/// A session of a service.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SessionInfo {
    /// Its id.
    pub id: SessionId,
    /// Its owner.
    pub owner: String,
    /// The key that its owner chose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The name of its policy.
    pub policy: String,
    /// The session's id in receipts and events.
    pub receipts_id: String,
    /// When it was opened, in milliseconds since 1970.
    pub created_ms: u64,
    /// When it was last used, in milliseconds since 1970.
    pub used_ms: u64,
    /// When it will be closed, in milliseconds since 1970; absent if only by its owner, or for idleness.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_ms: Option<u64>,
    /// After how many milliseconds without a call, in which nothing runs, it is closed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idle_ms: Option<u64>,
    /// What runs in it: the number of commands, evaluations and other calls.
    pub running: u64,
    /// Its interpreters, by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub interpreters: Vec<InterpreterInfo>,
    /// The names of its shells.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shells: Vec<String>,
    /// What its owner wanted to remember.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub labels: BTreeMap<String, String>,
}

/// A live interpreter of a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InterpreterInfo {
    /// Its name.
    pub name: String,
    /// The tool that it runs.
    pub tool: String,
    /// The evaluation that runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evaluation: Option<u64>,
    /// Whether it has ended, and evaluates only after a reset.
    pub ended: bool,
}

/// A command of a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CommandInfo {
    /// Its number, unique in its session.
    pub id: u64,
    /// The name that the caller chose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tag: Option<String>,
    /// The program and its arguments, separated by spaces. At most 512 bytes.
    pub command: String,
    /// The exit code of its first process, once that has ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<u8>,
    /// The ids of its processes that run.
    pub processes: Vec<u32>,
}

/// An evaluation of a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EvaluationInfo {
    /// Its number, unique among the evaluations of its session.
    pub id: u64,
    /// The name of the interpreter.
    pub interpreter: String,
    /// Whether it runs.
    pub running: bool,
}

/// A checkpoint of a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CheckpointInfo {
    /// Its id.
    pub id: CheckpointId,
    /// What the caller wanted to remember.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// When it was taken, in milliseconds since 1970.
    pub created_ms: u64,
    /// The names of the interpreters in it.
    pub interpreters: Vec<String>,
    /// The names of the shells in it.
    pub shells: Vec<String>,
    /// What it could not carry, a line each: running child processes, pipes, open files that were removed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_carried: Vec<String>,
    /// Bytes of the interpreters' memory.
    pub memory_bytes: u64,
}

/// What changed in a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SessionDiff {
    /// The path that was compared.
    pub path: String,
    /// The files, sorted by name; what is in a directory comes after it.
    pub files: Vec<FileChange>,
    /// Whether there are more than the call may return.
    pub truncated: bool,
}

/// A file that differs from what its session began with. In JSON, its diff stands beside the difference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileChange {
    /// What differs.
    #[serde(flatten)]
    pub difference: FileDifference,
    /// Its unified diff, if the call asked for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diff: Option<FileDiff>,
}
