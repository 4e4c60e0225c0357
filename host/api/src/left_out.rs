//! Why a file of the output directory is not among the results.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Why a file of the output directory was left out of the results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum LeftOutReason {
    /// There are as many files as `output.max_files` allows without it.
    MaxFiles,
    /// It has more bytes than `output.max_bytes` allows beside the others.
    MaxBytes,
    /// Its name has control characters or marks of writing direction.
    Name,
    /// It is a symbolic link, and what it leads to is among the files by its own name, or is nothing that has contents.
    Link,
    /// It is a symbolic link to what is not among the files.
    LinkOut,
    /// It is neither a file nor a directory nor a symbolic link: a named pipe, a socket.
    Special,
    /// It is in too many directories, or its path is too long.
    TooDeep,
    /// It cannot be read.
    Unreadable,
}

impl LeftOutReason {
    /// Returns the name, as JSON has it: `max_bytes`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::MaxFiles => "max_files",
            Self::MaxBytes => "max_bytes",
            Self::Name => "name",
            Self::Link => "link",
            Self::LinkOut => "link_out",
            Self::Special => "special",
            Self::TooDeep => "too_deep",
            Self::Unreadable => "unreadable",
        }
    }

    /// Returns whether contents are lost with it, which the other files do not have.
    pub fn loses_data(self) -> bool {
        !matches!(self, Self::Link | Self::Special)
    }
}

/// The reason for people, and what to change.
impl fmt::Display for LeftOutReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::MaxFiles => "there are more files than output.max_files allows",
            Self::MaxBytes => "it has more bytes than output.max_bytes leaves for it",
            Self::Name => "its name has control characters or marks of writing direction; rename it in the sandbox",
            Self::Link => "it is a symbolic link",
            Self::LinkOut => "it is a symbolic link to what is not in the output directory; copy that there",
            Self::Special => "it is not a regular file",
            Self::TooDeep => "it is in too many directories, one in another",
            Self::Unreadable => "it cannot be read",
        })
    }
}
