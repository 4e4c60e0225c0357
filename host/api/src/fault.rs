//! Who can do something about an error.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Who can do something about an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Fault {
    /// The program that called wisp: it asked for something that makes no sense, does not exist, or is not possible now.
    Caller,
    /// The author of the policy: it is wrong, or it refuses what was asked.
    Policy,
    /// The code in the sandbox: what it did makes the call impossible.
    Guest,
    /// A limit of the policy: the code in the sandbox needs less, or the policy must allow more.
    Limit,
    /// The operator: the machine, wisp's installation or wisp itself failed. Nothing that the caller or the guest does
    /// differently helps.
    Host,
}

impl Fault {
    /// Returns the name, as JSON has it: `caller`, `policy`, `guest`, `limit` or `host`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Caller => "caller",
            Self::Policy => "policy",
            Self::Guest => "guest",
            Self::Limit => "limit",
            Self::Host => "host",
        }
    }
}
