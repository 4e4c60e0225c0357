//! Why a snapshot is not saved or loaded.

use std::io;
use std::path::{Path, PathBuf};

use crate::program::SessionError;
use wisp_vfs::ArchiveError;

/// Why a snapshot cannot be written to a file, or be loaded from one. Nothing was made of it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SnapshotFileError {
    /// Reading or writing fails.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// What is wrong, with the file that it is wrong with.
    #[error("the snapshot `{}`: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: Box<SnapshotFileError>,
    },
    /// It does not begin as one.
    #[error("it is no snapshot of wisp's")]
    NotSnapshot,
    /// It was written in another format.
    #[error("it has the format {found}, and this wisp reads {expected}; save it again with this version")]
    OtherFormat {
        /// What it has.
        found: u32,
        /// What can be read.
        expected: u32,
    },
    /// Another version of wisp wrote it.
    #[error("wisp {found} wrote it, and this is wisp {expected}; save it again with this version")]
    OtherVersion {
        /// Which.
        found: String,
        /// This one.
        expected: String,
    },
    /// The session does not have its interpreter.
    #[error("it is of `{tool}`, which is not a tool of this session; add it to `tools.allow` of the policy")]
    NoTool {
        /// Its interpreter.
        tool: String,
    },
    /// It is of an interpreter that was built from something else.
    #[error("it is of another build of `{tool}`: of {found}, and here is {expected}; save it again with this build")]
    OtherBuild {
        /// The interpreter.
        tool: String,
        /// The digest of its component.
        found: String,
        /// The digest of this session's.
        expected: String,
    },
    /// It is of a session under another policy.
    #[error("it is of a session with other {what}: {found}, and this session has {expected}; load it in a session of the same policy")]
    OtherWorld {
        /// What is not the same.
        what: &'static str,
        /// What the file says.
        found: String,
        /// What the session has.
        expected: String,
    },
    /// It ends before its end.
    #[error("it is cut off: it ends after {at} bytes")]
    Truncated {
        /// How much of it there is.
        at: u64,
    },
    /// It is not what was written.
    #[error("it is damaged: the bytes before {at} do not match their checksum")]
    Damaged {
        /// Where the checksum is.
        at: u64,
    },
    /// Its checksums are right, but it says what no snapshot is.
    #[error("it is no snapshot that wisp wrote: {reason}")]
    Malformed {
        /// What is wrong.
        reason: String,
    },
    /// It holds more than the session may have.
    #[error("it needs {needed} bytes of memory, and limits.memory allows {limit}")]
    TooLarge {
        /// What it needs.
        needed: u64,
        /// What there may be.
        limit: u64,
    },
    /// Its files cannot be those of this session, or not be saved.
    #[error(transparent)]
    Files(ArchiveError),
    /// This machine or this component offers no snapshots.
    #[error("no snapshots here: memory is not copy on write ({reason}); `wisp doctor` says what is missing")]
    NoSnapshots {
        /// Why.
        reason: String,
    },
    /// The interpreter's machine code could not be had.
    #[error(transparent)]
    Session(#[from] SessionError),
}

impl SnapshotFileError {
    pub(crate) fn malformed(reason: impl Into<String>) -> SnapshotFileError {
        SnapshotFileError::Malformed { reason: reason.into() }
    }

    /// With the file it is about.
    pub(crate) fn at(self, path: &Path) -> SnapshotFileError {
        SnapshotFileError::File { path: path.to_owned(), source: Box::new(self) }
    }

    /// What an error of a reader that unpacks a part of the file comes from: one of ours that passed through it, or what it
    /// unpacks is no such thing.
    pub(crate) fn of_part(error: io::Error) -> SnapshotFileError {
        match error.downcast::<SnapshotFileError>() {
            Ok(ours) => ours,
            Err(theirs) => SnapshotFileError::malformed(format!("a part cannot be unpacked ({theirs})")),
        }
    }
}

impl From<ArchiveError> for SnapshotFileError {
    fn from(error: ArchiveError) -> SnapshotFileError {
        match error {
            ArchiveError::Io(error) => SnapshotFileError::of_part(error),
            other => SnapshotFileError::Files(other),
        }
    }
}
