//! How a command or an evaluation ended.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{ErrorCode, Limit, LimitHit};

/// The exit code of a command that a fault of the host ended, as `docker run` and timeout(1) have it for faults of their own.
const INFRA: u8 = 125;

/// The number of SIGKILL.
const KILL: u8 = 9;

/// The number of SIGABRT.
const ABORT: u8 = 6;

/// How a command or an evaluation ended, and thus whose doing the end was.
///
/// `Exit` and `Signal` are the guest's own. A command that a limit or a refusal ended is no result of the guest's, and [`End::Infra`]
/// says nothing about the guest at all: a trainer gives no reward for it, and a caller tries again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum End {
    /// Its first process exited.
    Exit {
        /// The exit code.
        code: u8,
    },
    /// A signal ended its first process: one that the guest or the caller sent, or that stands for what the program did
    /// (SIGSEGV, SIGABRT).
    Signal {
        /// The signal's number on Linux.
        signal: u8,
    },
    /// A limit ended it.
    Limit(LimitHit),
    /// Its first process called what the policy refuses, and has no way to be told: that ended it.
    Denied {
        /// What was refused: the function of an interface, as its receipt has it.
        subject: String,
        /// The rule that refused it: `policies/offline.toml:3`, `built in`.
        rule: String,
    },
    /// wisp or the machine failed while it ran: compiling, mapping or starting a program, memory of the host, a disk. What the
    /// guest made of that says nothing about the guest.
    Infra {
        /// The code of the first failure.
        code: ErrorCode,
        /// What failed, for people.
        message: String,
    },
    /// Nothing was run: there is no such program, or the policy or an option is wrong. Only the document of `wisp run --json` has this end;
    /// elsewhere it is an error.
    NotStarted {
        /// The exit code of `wisp run`: 127 for a missing program, 126 for one that cannot be run, 2 for a wrong policy or option.
        exit_code: u8,
        /// The code of the error.
        code: ErrorCode,
        /// What is wrong, for people.
        message: String,
    },
}

impl End {
    /// Returns the exit code that a shell would see: the guest's, 124 for `limits.wall`, 137 for another limit, 128 + n for signal
    /// n, 134 for a refusal; 125 for a fault of the host; and what the end itself says if nothing was run.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Exit { code } => *code,
            Self::Signal { signal } => 128 | signal,
            Self::Limit(LimitHit { limit: Limit::Wall, .. }) => 124,
            Self::Limit(_) => 128 + KILL,
            Self::Denied { .. } => 128 + ABORT,
            Self::Infra { .. } => INFRA,
            Self::NotStarted { exit_code, .. } => *exit_code,
        }
    }

    /// Returns whether the command reported success: it exited with 0.
    pub fn success(&self) -> bool {
        *self == Self::Exit { code: 0 }
    }

    /// Returns the number of the signal that ended it, as a shell sees it: SIGKILL for most limits.
    pub fn signal(&self) -> Option<u8> {
        match self {
            Self::Signal { signal } => Some(*signal),
            Self::Limit(LimitHit { limit, .. }) => (*limit != Limit::Wall).then_some(KILL),
            Self::Denied { .. } => Some(ABORT),
            Self::Exit { .. } | Self::Infra { .. } | Self::NotStarted { .. } => None,
        }
    }
}

/// An end as two fields of its owner: `exit_code`, which follows from it, and `end`.
pub(crate) mod fields {
    use serde::{Deserializer, Serializer};

    use super::*;

    #[derive(Serialize, Deserialize, JsonSchema)]
    pub(crate) struct Fields {
        /// The exit code that follows from `end`: the guest's, or 124 (wall-clock limit), 137 (another limit), 128 + n (signal n),
        /// 134 (refused), 125 (a fault of the host), 127, 126 or 2 (nothing was run). Ignored by readers.
        #[serde(default)]
        exit_code: u8,
        /// How it ended.
        end: End,
    }

    pub(crate) fn serialize<S: Serializer>(end: &End, to: S) -> Result<S::Ok, S::Error> {
        Fields { exit_code: end.exit_code(), end: end.clone() }.serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<End, D::Error> {
        Ok(Fields::deserialize(from)?.end)
    }
}
