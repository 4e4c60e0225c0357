//! Changes of files: as they are made, and between two states.

use bytes::Bytes;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{FileType, content};

/// Something that changed, with its number in its watch. Numbers begin at 1 and have no gaps, but for those of lost changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Change {
    /// The number.
    pub number: u64,
    /// What changed.
    #[serde(flatten)]
    pub kind: Changed,
}

/// What changed. Paths are absolute.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "change", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Changed {
    /// A file of any type has this name now. Where another file had it, that one is gone.
    Created {
        /// The name.
        path: String,
    },
    /// The contents of a file changed. Changes in a row may be one event.
    Written {
        /// The file.
        path: String,
    },
    /// The mode or the times of a file changed. Changes in a row may be one event.
    Attributes {
        /// The file.
        path: String,
    },
    /// A name is gone.
    Removed {
        /// The name.
        path: String,
    },
    /// A file has another name. Where another file had that name, that one is gone.
    Renamed {
        /// The old name.
        from: String,
        /// The new name.
        to: String,
    },
    /// There were more changes than the watch holds, or a file changed that has more names than it follows. Anything may
    /// have changed.
    Lost {
        /// How many changes were lost.
        count: u64,
    },
    /// The files were set to another state (a snapshot, or what the host side laid out). Anything may have changed.
    Restored {
        /// How many changes after it were lost.
        lost: u64,
    },
}

/// What happened to a file between two states.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum DifferenceKind {
    /// It is new.
    Added,
    /// Its contents changed, or it became a file of another type; its mode may have changed too.
    Modified,
    /// It is gone.
    Deleted,
    /// Only its mode changed.
    Mode,
    /// A symbolic link has another target, became something else, or took the place of something else.
    Link,
}

impl DifferenceKind {
    /// Returns the name, as JSON has it: `added`, `modified`, `deleted`, `mode` or `link`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Modified => "modified",
            Self::Deleted => "deleted",
            Self::Mode => "mode",
            Self::Link => "link",
        }
    }
}

/// A file that differs between two states, without its contents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileDifference {
    /// Its absolute path.
    pub path: String,
    /// What happened to it.
    pub kind: DifferenceKind,
    /// Where the overlay is mounted that it is in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mount: Option<String>,
    /// What was there in the beginning.
    pub before: Option<FileVersion>,
    /// What is there now.
    pub after: Option<FileVersion>,
}

/// A file as it is in one of two states.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileVersion {
    /// Type of the file; `type` in JSON.
    #[serde(rename = "type")]
    pub kind: FileType,
    /// Permission bits. A number: 420 is 0o644.
    pub mode: u32,
    /// Length of a regular file in bytes.
    #[serde(default, rename = "size_bytes", skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// The target of a symbolic link.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
}

/// What a diff of one file shows of its contents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum DiffForm {
    /// The lines that changed, or none: a file that is no longer empty, another mode, another link.
    Lines,
    /// That they differ: a file has bytes that are no text.
    Binary,
    /// That they differ: a file has more than 4 MiB.
    TooLarge,
    /// Nothing, because the format has no way to say it: a directory, a named pipe, a socket. The text is a sentence, which
    /// programs that read diffs skip.
    Sentence,
}

/// The unified diff of one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileDiff {
    /// The section of a diff, its head and its hunks: in JSON `text`, or `base64` if it is not UTF-8.
    #[serde(flatten, with = "content")]
    #[schemars(with = "content::Content")]
    pub text: Bytes,
    /// How many lines were added.
    pub added: u64,
    /// How many lines were removed.
    pub removed: u64,
    /// What it shows of the contents.
    pub form: DiffForm,
}
