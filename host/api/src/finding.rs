//! What is wrong with a policy.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One problem of a policy: what was asked, why it is refused, and what to write instead.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PolicyFinding {
    /// The name of the text in which it was found: `policies/offline.toml`, `command line`.
    pub file: String,
    /// The line, from 1; absent if it concerns the text as a whole, which cannot be read, for example.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The column, from 1, in characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    /// The problem, in lower case, with the policy's words in backticks.
    pub message: String,
    /// What is at that place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// What to write instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// Other places that it refers to, such as the other one of two overlapping mounts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<PolicyNote>,
}

/// Another place that a finding refers to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PolicyNote {
    /// The name of the text.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1, in characters.
    pub column: u32,
    /// What is there.
    pub label: String,
}
