//! Functions of the host, as data.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A function of the host that code in a session may call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FunctionInfo {
    /// Its name.
    pub name: String,
    /// What it does: a sentence, then paragraphs.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub documentation: String,
    /// The JSON Schema of its arguments, if it has one: of an object with a property for each parameter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameters: Option<Value>,
    /// The JSON Schema of its result, or of each item, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub returns: Option<Value>,
    /// Whether it returns items, one after the other, in place of one result.
    pub items: bool,
    /// The rule that allows it: `policies/research.toml:4`, `host program`.
    pub rule: String,
}
