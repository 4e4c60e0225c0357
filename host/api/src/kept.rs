//! What is known about a session that is kept in a folder.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A session that is kept from one program to the next, as the folder has it: telling this does not open it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct KeptSessionInfo {
    /// Its name.
    pub name: String,
    /// The name of its policy; `?` if that cannot be read.
    pub policy: String,
    /// When it was last used, in seconds since 1970.
    pub last_used: i64,
    /// How much its folder holds.
    pub size_bytes: u64,
    /// Whether it has an interpreter.
    pub python: bool,
    /// Whether it can be continued: its first use was not killed before it had kept everything.
    pub complete: bool,
}
