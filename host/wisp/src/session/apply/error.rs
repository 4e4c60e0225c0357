//! Why a session's changes were not taken over.

use std::io;
use std::path::PathBuf;

use crate::files::{FilesError, FilesOperation};
use wisp_api::ErrorCode;
use wisp_vfs::FsError;

/// Why a session's changes were not taken over into the host's folders.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ApplyError {
    /// A command of the session runs.
    #[error("a command of the session is running: wait until it has ended, or end it")]
    Running,
    /// A path that is in no mount with overlay access.
    #[error("`{path}` is in no mount with `access = \"overlay\"`: only what was changed in one can be taken over")]
    NoOverlay {
        /// The path.
        path: String,
    },
    /// More changes than can be taken over at once.
    #[error("the session changed more than {limit} files in `{mount}`")]
    TooMany {
        /// Where the folder is mounted.
        mount: String,
        /// How many there may be.
        limit: usize,
    },
    /// Files whose length is far beyond what the session may store: they have holes.
    #[error("the changed files have more than {limit} bytes, with their holes, up to `{path}`: name others, or make it shorter")]
    TooLarge {
        /// The file at which it was too much.
        path: String,
        /// How many there may be.
        limit: u64,
    },
    /// A part of the changes would tear a renamed directory of the host's apart.
    #[error(
        "the host's directory `{directory}` has another name in the session: take over all changes of the mount `{mount}` at once, or give \
         it back its name"
    )]
    Renamed {
        /// Where the folder is mounted.
        mount: String,
        /// The directory's path on the host, below the folder.
        directory: String,
    },
    /// A file could not be compared.
    #[error(transparent)]
    Files(#[from] FilesError),
    /// The plan has conflicts.
    #[error("{count} of the changes conflict with the host's files, `{first}` for one")]
    Conflicts {
        /// How many.
        count: usize,
        /// The path of one.
        first: String,
    },
    /// The session changed after the plan was made.
    #[error("the session has changed since the plan was made: make another one")]
    Outdated,
    /// The folder or file of a mount cannot be opened for writing.
    #[error("cannot write to {}: {source}", path.display())]
    Folder {
        /// The folder or file on the host.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It was to stop, before anything was written.
    #[error("stopped: nothing was written")]
    Stopped,
    /// The host's file changed after the plan was made.
    #[error("the host's `{path}` has just changed; {done} changes were made before: take over the rest again")]
    Raced {
        /// Its path in the sandbox.
        path: String,
        /// How many changes were made.
        done: usize,
    },
    /// The host refused to write.
    #[error("cannot write the host's `{path}`: {source}; {done} changes were made before: take over the rest again")]
    Write {
        /// Its path in the sandbox.
        path: String,
        /// How many changes were made.
        done: usize,
        /// Why.
        source: FsError,
    },
}

impl ApplyError {
    /// Returns the code of this error.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Running | Self::Renamed { .. } | Self::Conflicts { .. } | Self::Outdated | Self::Stopped | Self::Raced { .. } => {
                ErrorCode::Conflict
            }
            Self::NoOverlay { .. } => ErrorCode::InvalidArgument,
            Self::TooMany { .. } | Self::TooLarge { .. } => ErrorCode::TooLarge,
            Self::Files(error) => error.code(),
            Self::Folder { .. } => ErrorCode::HostPathUnavailable,
            Self::Write { .. } => ErrorCode::IoError,
        }
    }

    /// Reads a file that could not be compared.
    pub(super) fn read(path: String, error: FsError) -> Self {
        Self::Files(FilesError { operation: FilesOperation::Compare, path, source: error.plain().into() })
    }
}
