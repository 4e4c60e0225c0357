//! The tables of a validated policy, as its getters return them. `network` has that of requests.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use super::rule::Rule;

/// `[tools]`: the available programs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Tools {
    /// The shipped tools, in the order of the reference.
    pub allow: Vec<String>,
    /// The image that `python3` is in place of the shipped one: `data`.
    pub python: Option<String>,
    /// The custom components, by name.
    pub custom: BTreeMap<String, CustomTool>,
}

impl Tools {
    /// Returns the components of all of them: shipped, then custom.
    pub fn components(&self) -> impl Iterator<Item = &str> {
        self.allow.iter().flat_map(|tool| super::shipped_tools::components_of(tool)).chain(self.custom.keys().map(String::as_str))
    }

    /// Returns whether the session has a tool with this name.
    pub fn contains(&self, name: &str) -> bool {
        self.custom.contains_key(name) || self.allow.iter().any(|tool| tool == name)
    }
}

/// `[tools.custom.NAME]`: a component of the user.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CustomTool {
    /// Its file, absolute.
    pub path: PathBuf,
    /// The SHA-256 it must have, 64 lower-case hexadecimal digits.
    pub sha256: Option<String>,
    /// Whether it may use the session's network.
    pub network: bool,
    /// Whether it may call the session's functions of the host.
    pub host: bool,
    /// The rule that added it.
    pub rule: Rule,
    /// The rule that set `host`, if it is set.
    pub host_rule: Option<Rule>,
    /// The rule that set `network`, if it is set.
    pub network_rule: Option<Rule>,
    /// The rule that set `sha256`: the place of a finding about a wrong digest.
    pub sha256_rule: Option<Rule>,
}

impl CustomTool {
    /// Returns the rule that decided about `network`: its own line, or that of the tool.
    pub fn network_rule(&self) -> &Rule {
        self.network_rule.as_ref().unwrap_or(&self.rule)
    }

    /// Returns the rule that decided about `host`: its own line, or that of the tool.
    pub fn host_rule(&self) -> &Rule {
        self.host_rule.as_ref().unwrap_or(&self.rule)
    }
}

/// `[filesystem]`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Filesystem {
    /// Maximum bytes of the sandbox's own files.
    pub quota: u64,
    /// Maximum files, directories and links.
    pub max_files: u64,
    /// The mounted directories and files of the host, by guest path.
    pub mounts: Vec<Mount>,
}

/// `[[filesystem.mount]]`: a directory or a single file of the host.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mount {
    /// The directory or file, absolute, symbolic links followed once.
    pub host: PathBuf,
    /// Its path in the sandbox: absolute, normalised.
    pub guest: String,
    /// The allowed access.
    pub access: Access,
    /// The rule that added it.
    pub rule: Rule,
}

/// The access of a session to a mount.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Access {
    /// Read only.
    Read,
    /// Read and change the host's files.
    Write,
    /// Read; writes stay in the sandbox's memory.
    Overlay,
}

impl Access {
    /// All of them.
    pub(super) const ALL: [Self; 3] = [Self::Read, Self::Write, Self::Overlay];

    /// Returns the policy's word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Overlay => "overlay",
        }
    }

    /// Returns the access with that word.
    pub(super) fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|access| access.as_str() == word)
    }
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// `[output]`: the files that are returned.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Output {
    /// The directory: absolute, normalised.
    pub path: String,
    /// Maximum number of files returned.
    pub max_files: u64,
    /// Maximum bytes returned.
    pub max_bytes: u64,
}

/// `[limits]`. All of them apply; only `instructions` may be 0, which means no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Limits {
    /// Maximum time of a command.
    pub wall: Duration,
    /// Maximum processor time of a command.
    pub cpu: Duration,
    /// Maximum bytes of memory of all processes together.
    pub memory: u64,
    /// Maximum instructions of a command; 0 means no limit.
    pub instructions: u64,
    /// Maximum concurrent processes.
    pub processes: u32,
    /// Maximum bytes of standard output.
    pub stdout: u64,
    /// Maximum bytes of standard error.
    pub stderr: u64,
    /// Maximum open files of a process.
    pub open_files: u32,
    /// Maximum refused attempts of a command; the last one ends it.
    pub denials: u64,
}

/// `[determinism]`: reproducible randomness and time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Determinism {
    /// The seed of all randomness.
    pub seed: u64,
    /// Nanoseconds since 1970 at which the clocks start.
    pub clock: u64,
}
