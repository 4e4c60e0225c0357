//! Why a snapshot cannot be written as an archive, or an archive cannot be read.

use std::io;

use wisp_api::ErrorCode;

use crate::FsError;

/// Why a snapshot cannot be written as an archive, or an archive cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArchiveError {
    /// Reading or writing the bytes failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The bytes do not begin with the magic number.
    #[error("this is not an archive of a filesystem")]
    NotArchive,
    /// The bytes end in the middle of the archive.
    #[error("the archive of the filesystem is cut off")]
    Truncated,
    /// The archive was written over another base.
    #[error("the archive was written for a filesystem that began with other files")]
    OtherBase,
    /// Its mounts are not those of the reader's base.
    #[error("the archive was written with other mounts: it has {found}, this session has {expected}")]
    OtherMounts {
        /// The archive's mounts.
        found: String,
        /// The base's mounts.
        expected: String,
    },
    /// The archive holds more than the quota allows.
    #[error("the archive holds more {what} than the quota allows ({limit})")]
    Quota {
        /// `bytes` or `files`.
        what: &'static str,
        /// The quota.
        limit: u64,
    },
    /// The content contradicts itself.
    #[error("the archive is malformed: {0}")]
    Malformed(&'static str),
    /// The snapshot holds something that exists only in its own process.
    #[error("an archive cannot hold {0}")]
    Unsupported(&'static str),
}

impl ArchiveError {
    /// Returns the code of this error.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Io(_) => ErrorCode::IoError,
            Self::NotArchive | Self::Truncated | Self::Malformed(_) => ErrorCode::InvalidData,
            Self::OtherBase | Self::OtherMounts { .. } => ErrorCode::SnapshotMismatch,
            Self::Quota { .. } => ErrorCode::FilesystemLimit,
            Self::Unsupported(_) => ErrorCode::SnapshotRefused,
        }
    }
}

wisp_api::wisp_error!(ArchiveError);

impl From<FsError> for ArchiveError {
    fn from(_: FsError) -> Self {
        Self::Malformed("a name without a file")
    }
}
