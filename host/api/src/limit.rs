//! The limits that a command can reach.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ErrorCode;

/// A limit of a policy that a command can reach. In JSON it is the policy's key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub enum Limit {
    /// Time from start to end.
    #[serde(rename = "limits.wall")]
    Wall,
    /// Processor time.
    #[serde(rename = "limits.cpu")]
    Cpu,
    /// Memory of all processes of the session.
    #[serde(rename = "limits.memory")]
    Memory,
    /// Instructions of WebAssembly.
    #[serde(rename = "limits.instructions")]
    Instructions,
    /// Processes at the same time.
    #[serde(rename = "limits.processes")]
    Processes,
    /// Bytes of standard output.
    #[serde(rename = "limits.stdout")]
    Stdout,
    /// Bytes of standard error.
    #[serde(rename = "limits.stderr")]
    Stderr,
    /// Refused attempts.
    #[serde(rename = "limits.denials")]
    Denials,
}

impl Limit {
    /// Every limit.
    pub const ALL: [Self; 8] =
        [Self::Wall, Self::Cpu, Self::Memory, Self::Instructions, Self::Processes, Self::Stdout, Self::Stderr, Self::Denials];

    /// Returns the policy's key.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Wall => "limits.wall",
            Self::Cpu => "limits.cpu",
            Self::Memory => "limits.memory",
            Self::Instructions => "limits.instructions",
            Self::Processes => "limits.processes",
            Self::Stdout => "limits.stdout",
            Self::Stderr => "limits.stderr",
            Self::Denials => "limits.denials",
        }
    }

    /// Returns the code of an error that this limit causes.
    pub fn code(self) -> ErrorCode {
        match self {
            Self::Wall => ErrorCode::WallLimit,
            Self::Cpu => ErrorCode::CpuLimit,
            Self::Memory => ErrorCode::MemoryLimit,
            Self::Instructions => ErrorCode::InstructionLimit,
            Self::Processes => ErrorCode::ProcessLimit,
            Self::Stdout | Self::Stderr => ErrorCode::OutputLimit,
            Self::Denials => ErrorCode::DenialLimit,
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A limit that a command reached.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LimitHit {
    /// The limit: `limits.wall`, `limits.memory`, …
    pub limit: Limit,
    /// Its value, as a policy writes it: `30s`, `256MiB`, `64`.
    pub value: String,
    /// The rule that set it: `policies/offline.toml:12`, `command line`.
    pub rule: String,
    /// Whether it ended a process. Only `limits.memory` can be reached without that: a process was refused memory, and
    /// its program continued.
    pub ended: bool,
}
