//! What a policy needs from outside: texts by path, and whether the paths that it names exist.
//! `wisp::policy_files::HostFiles` implements this for the real filesystem; this module does no I/O.

use std::path::{Path, PathBuf};

use wisp_api::ErrorCode;

/// Reads what policies name. Relative paths are relative to the caller's working directory.
pub trait Source {
    /// Reads the text of the policy at `path`.
    fn read(&self, path: &Path) -> Result<PolicyText, SourceError>;
    /// Returns the absolute, resolved name (all symbolic links followed) of a directory or regular file to mount.
    fn mountable(&self, path: &Path) -> Result<PathBuf, SourceError>;
    /// Returns the absolute, resolved name of a file, a component.
    fn file(&self, path: &Path) -> Result<PathBuf, SourceError>;
    /// Returns whether `path` is `holder` or is below it, by whatever names and mounts of the host either is reached. False
    /// for a `holder` that does not exist; a `path` that does not exist may be made below `holder`.
    fn holds(&self, holder: &Path, path: &Path) -> bool;
    /// Returns the symbolic links through which `path` is reached: the places of the links themselves. To replace one of
    /// them is to change what `path` is.
    fn links(&self, _path: &Path) -> Vec<PathBuf> {
        Vec::new()
    }
}

/// A policy's text, as a [`Source`] found it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolicyText {
    /// A name that is the same for every path to this file, to detect cycles of `extends`.
    pub identity: PathBuf,
    /// The text.
    pub text: String,
}

/// Why a path could not be used. Prints as the end of a sentence: "`./data` …".
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SourceError {
    /// The name does not exist.
    #[error("does not exist")]
    NotFound,
    /// A component of the path is not a directory.
    #[error("goes through a file as if it were a directory")]
    NotADirectory,
    /// The name exists, but is neither a directory nor a regular file: a pipe, a socket, a device.
    #[error("is neither a directory nor a regular file")]
    NotMountable,
    /// It belongs to a filesystem through which the kernel exposes itself, such as `proc`.
    #[error("belongs to the kernel's filesystem `{0}`, through which a guest would see or change the machine itself")]
    Kernel(&'static str),
    /// The name exists, but is not a regular file.
    #[error("is not a file")]
    NotAFile,
    /// The text is not UTF-8.
    #[error("is not UTF-8 text")]
    NotText,
    /// The text is larger than a policy may be.
    #[error("is larger than {0} bytes, the maximum for a policy")]
    TooLarge(u64),
    /// This program does not give files to policies.
    #[error("cannot be reached: this program gives policies no files")]
    NoFiles,
    /// The system's error.
    #[error("cannot be used: {0}")]
    Other(String),
}

impl SourceError {
    /// Returns the code of this error.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::NotFound
            | Self::NotADirectory
            | Self::NotMountable
            | Self::Kernel(_)
            | Self::NotAFile
            | Self::NotText
            | Self::TooLarge(_)
            | Self::NoFiles => ErrorCode::PolicyInvalid,
            Self::Other(_) => ErrorCode::HostPathUnavailable,
        }
    }
}

wisp_api::wisp_error!(SourceError);

/// A [`Source`] without files: only shipped policies and texts in memory.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoFiles;

impl Source for NoFiles {
    fn read(&self, _: &Path) -> Result<PolicyText, SourceError> {
        Err(SourceError::NoFiles)
    }

    fn mountable(&self, _: &Path) -> Result<PathBuf, SourceError> {
        Err(SourceError::NoFiles)
    }

    fn file(&self, _: &Path) -> Result<PathBuf, SourceError> {
        Err(SourceError::NoFiles)
    }

    fn holds(&self, _: &Path, _: &Path) -> bool {
        false
    }
}
