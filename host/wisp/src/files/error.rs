//! Why an operation on a session's files failed.

use std::fmt;
use std::io;

use wisp_api::{ErrorCode, PatchReject, shown};
use wisp_vfs::FsError;

/// What was asked of [`Files`](crate::files::Files).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FilesOperation {
    /// Reading a file.
    Read,
    /// Writing to a file.
    Write,
    /// Creating a file that must not exist.
    Create,
    /// Replacing a file.
    Replace,
    /// Reading facts about a file.
    Stat,
    /// Listing a directory, with or without what is below it.
    List,
    /// Finding files by pattern.
    Glob,
    /// Searching files.
    Grep,
    /// Making a directory.
    MakeDirectory,
    /// Renaming.
    Rename,
    /// Copying.
    Copy,
    /// Removing.
    Remove,
    /// Setting the mode.
    SetMode,
    /// Making a symbolic link.
    Symlink,
    /// Reading a symbolic link.
    ReadLink,
    /// Writing a tar archive.
    Pack,
    /// Reading a tar archive.
    Unpack,
    /// Applying a diff.
    Patch,
    /// Making a digest.
    Digest,
    /// Comparing with the beginning.
    Compare,
}

impl fmt::Display for FilesOperation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Read => "read",
            Self::Write => "write to",
            Self::Create => "create",
            Self::Replace => "replace",
            Self::Stat => "look at",
            Self::List => "list",
            Self::Glob => "find files by",
            Self::Grep => "search",
            Self::MakeDirectory => "make the directory",
            Self::Rename => "rename",
            Self::Copy => "copy",
            Self::Remove => "remove",
            Self::SetMode => "set the mode of",
            Self::Symlink => "make the symbolic link",
            Self::ReadLink => "read the symbolic link",
            Self::Pack => "pack",
            Self::Unpack => "unpack into",
            Self::Patch => "patch",
            Self::Digest => "digest",
            Self::Compare => "compare",
        })
    }
}

/// Why an operation on a session's files failed: what was asked, of which file, and what refused it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[error("cannot {operation} `{}`: {source}", shown(path))]
pub struct FilesError {
    /// What was asked.
    pub operation: FilesOperation,
    /// The file, as an absolute path of the sandbox; for [`FilesOperation::Glob`], the pattern.
    pub path: String,
    /// What refused it.
    pub source: FilesReason,
}

impl FilesError {
    /// Returns the code of this error: that of its reason.
    pub fn code(&self) -> ErrorCode {
        self.source.code()
    }

    /// Returns the filesystem's error, if that is the cause.
    pub fn fs(&self) -> Option<FsError> {
        match &self.source {
            FilesReason::Fs(error) => Some(*error),
            FilesReason::Mount { error, .. } => Some(*error),
            FilesReason::Quota { .. } => Some(FsError::NoSpace),
            _ => None,
        }
    }

    /// Returns whether the file does not exist.
    pub fn is_not_found(&self) -> bool {
        self.fs() == Some(FsError::NotFound)
    }
}

/// What refused an operation on a session's files.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FilesReason {
    /// The filesystem, as it would have refused a guest.
    #[error(transparent)]
    Fs(#[from] FsError),
    /// The rules of a mount.
    #[error("the mount `{mount}` ({rule}) refuses it: {reason}")]
    Mount {
        /// Where it is mounted.
        mount: String,
        /// The rule of the policy that grants it.
        rule: String,
        /// Why.
        reason: String,
        /// The error that a guest would see.
        error: FsError,
    },
    /// The session may store no more.
    #[error("it does not fit into `{limit}` = {value} (set by {rule})")]
    Quota {
        /// The key of the policy.
        limit: &'static str,
        /// Its value.
        value: u64,
        /// The rule that set it.
        rule: String,
    },
    /// The file is larger than the caller accepts.
    #[error("it has more than {limit} bytes; read a range of it (`read_range`), or read it as a stream (`read_stream`)")]
    TooLarge {
        /// Bytes that the caller accepts.
        limit: u64,
    },
    /// The operation covers more than it may.
    #[error("there are more {what} than the {limit} that this call may handle")]
    Bound {
        /// What is counted.
        what: &'static str,
        /// How many there may be.
        limit: u64,
    },
    /// A pattern that means nothing.
    #[error("the pattern `{}` is not valid: {reason}", shown(pattern))]
    Pattern {
        /// The pattern.
        pattern: String,
        /// What is wrong with it.
        reason: String,
    },
    /// An entry of an archive.
    #[error("the entry `{}` of the archive {reason}", shown(entry))]
    Entry {
        /// The entry's name.
        entry: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A diff that does not apply. Nothing was changed.
    #[error(transparent)]
    Patch(#[from] PatchReject),
    /// The caller's reader or writer.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl FilesReason {
    /// Returns the code of this reason.
    pub fn code(&self) -> ErrorCode {
        match self {
            // A quota that is used up is `Quota`; what is left is a full disk below a mount.
            Self::Fs(FsError::NoSpace) => ErrorCode::IoError,
            Self::Fs(error) => error.code(),
            Self::Mount { .. } => ErrorCode::MountRefused,
            Self::Quota { .. } => ErrorCode::FilesystemLimit,
            Self::TooLarge { .. } | Self::Bound { .. } => ErrorCode::TooLarge,
            Self::Pattern { .. } => ErrorCode::InvalidArgument,
            Self::Entry { .. } => ErrorCode::InvalidData,
            Self::Patch(error) => error.code(),
            Self::Io(_) => ErrorCode::IoError,
        }
    }
}

/// What refused an operation, and the file if it is not the one that was asked for.
#[derive(Debug)]
pub(super) struct Failed {
    pub(super) path: Option<String>,
    pub(super) reason: FilesReason,
}

/// The result of a step of an operation.
pub(super) type Done<T> = Result<T, Failed>;

impl<E: Into<FilesReason>> From<E> for Failed {
    fn from(reason: E) -> Self {
        Self { path: None, reason: reason.into() }
    }
}

/// Names the file that an error concerns.
pub(super) trait At<T> {
    /// Returns the error with that file.
    fn at(self, path: &str) -> Done<T>;
}

impl<T, E: Into<Failed>> At<T> for Result<T, E> {
    fn at(self, path: &str) -> Done<T> {
        self.map_err(|error| {
            let Failed { path: inner, reason } = error.into();
            Failed { path: Some(inner.unwrap_or_else(|| path.to_owned())), reason }
        })
    }
}
