//! Why a snapshot cannot be saved or loaded.

use std::io;
use std::path::{Path, PathBuf};

use crate::program::SessionError;
use wisp_api::ErrorCode;
use wisp_vfs::ArchiveError;

/// Why a snapshot cannot be written to a file, or loaded from one. Nothing was built from it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SnapshotFileError {
    /// Reading or writing fails.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// An error, with the file that it concerns.
    #[error("the snapshot `{}`: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: Box<Self>,
    },
    /// The file does not begin like a snapshot.
    #[error("it is not a snapshot file of wisp")]
    NotSnapshot,
    /// The file has another format.
    #[error("it has the format {found}, and this wisp reads {expected}; save it again with this version")]
    OtherFormat {
        /// Its format.
        found: u32,
        /// The format that this build reads.
        expected: u32,
    },
    /// Another version of wisp wrote it.
    #[error("wisp {found} wrote it, and this is wisp {expected}; save it again with this version")]
    OtherVersion {
        /// That version.
        found: String,
        /// This version.
        expected: String,
    },
    /// The session does not have the snapshot's interpreter.
    #[error("it is of `{tool}`, which is not a tool of this session; add it to `tools.allow` of the policy")]
    NoTool {
        /// The snapshot's interpreter.
        tool: String,
    },
    /// The snapshot is of an interpreter that was built from other sources.
    #[error("it is of another build of `{tool}`: {found}, and this one is {expected}; save it again with this build")]
    OtherBuild {
        /// The interpreter.
        tool: String,
        /// The digest of its component.
        found: String,
        /// The digest of this session's component.
        expected: String,
    },
    /// The snapshot is of a session under another policy.
    #[error("it is of a session with other {what}: {found}, and this session has {expected}; load it in a session of the same policy")]
    OtherWorld {
        /// What differs.
        what: &'static str,
        /// What the file says.
        found: String,
        /// What the session has.
        expected: String,
    },
    /// The file is truncated.
    #[error("it is cut off: it ends after {at} bytes")]
    Truncated {
        /// How many bytes there are.
        at: u64,
    },
    /// The file's contents have changed since it was written.
    #[error("it is damaged: the bytes before {at} do not match their checksum")]
    Damaged {
        /// The position of the checksum.
        at: u64,
    },
    /// The checksums are right, but the contents are not those of a snapshot.
    #[error("it is not a snapshot that wisp wrote: {reason}")]
    Malformed {
        /// What is wrong.
        reason: String,
    },
    /// The snapshot holds more than the session may have.
    #[error("it needs {needed} bytes of memory, and limits.memory allows {limit}")]
    TooLarge {
        /// What it needs.
        needed: u64,
        /// The limit.
        limit: u64,
    },
    /// This session cannot have its files, or they cannot be saved.
    #[error(transparent)]
    Files(ArchiveError),
    /// This machine or this component offers no snapshots.
    #[error("no snapshots here: memory is not copy on write ({reason}); `wisp doctor` says what is missing")]
    NoSnapshots {
        /// Why.
        reason: String,
    },
    /// The interpreter's machine code could not be loaded or compiled.
    #[error(transparent)]
    Session(#[from] SessionError),
}

impl SnapshotFileError {
    /// Returns the code of this error.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Io(_) => ErrorCode::IoError,
            Self::File { source, .. } => source.code(),
            Self::NotSnapshot | Self::Truncated { .. } | Self::Damaged { .. } | Self::Malformed { .. } => ErrorCode::InvalidData,
            Self::OtherFormat { .. }
            | Self::OtherVersion { .. }
            | Self::OtherBuild { .. }
            | Self::OtherWorld { .. }
            | Self::NoTool { .. } => ErrorCode::SnapshotMismatch,
            Self::TooLarge { .. } => ErrorCode::MemoryLimit,
            Self::Files(error) => error.code(),
            Self::NoSnapshots { .. } => ErrorCode::SnapshotsUnavailable,
            Self::Session(error) => error.code(),
        }
    }

    pub(crate) fn malformed(reason: impl Into<String>) -> Self {
        Self::Malformed { reason: reason.into() }
    }

    /// Adds the file that the error concerns.
    pub(crate) fn at(self, path: &Path) -> Self {
        Self::File { path: path.to_owned(), source: Box::new(self) }
    }

    /// Returns the cause of an error from a reader that unpacks a part of the file: an error of our own that passed through it,
    /// or data that cannot be unpacked.
    pub(crate) fn of_part(error: io::Error) -> Self {
        match error.downcast::<Self>() {
            Ok(ours) => ours,
            Err(theirs) => Self::malformed(format!("a part cannot be unpacked ({theirs})")),
        }
    }
}

impl From<ArchiveError> for SnapshotFileError {
    fn from(error: ArchiveError) -> Self {
        match error {
            ArchiveError::Io(error) => Self::of_part(error),
            other => Self::Files(other),
        }
    }
}
