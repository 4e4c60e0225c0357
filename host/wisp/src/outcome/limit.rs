//! The limits that a command can reach.

use std::fmt;

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
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
