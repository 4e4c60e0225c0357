//! The limits that a command can reach.

use std::fmt;

use wisp_api::ErrorCode;
use wisp_policy::schema::Key;

/// A limit of a policy that a command can reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Limit {
    /// `limits.wall`: time from start to end.
    Wall,
    /// `limits.cpu`: processor time.
    Cpu,
    /// `limits.memory`: memory of all processes of the session.
    Memory,
    /// `limits.instructions`: instructions of WebAssembly.
    Instructions,
    /// `limits.processes`: processes at the same time.
    Processes,
    /// `limits.stdout`: bytes of standard output.
    Stdout,
    /// `limits.stderr`: bytes of standard error.
    Stderr,
    /// `limits.denials`: refused attempts.
    Denials,
}

impl Limit {
    /// The policy's key.
    pub fn as_str(self) -> &'static str {
        let key = match self {
            Self::Wall => Key::Wall,
            Self::Cpu => Key::Cpu,
            Self::Memory => Key::Memory,
            Self::Instructions => Key::Instructions,
            Self::Processes => Key::Processes,
            Self::Stdout => Key::Stdout,
            Self::Stderr => Key::Stderr,
            Self::Denials => Key::Denials,
        };
        key.path()
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
