//! Why the cache cannot be used.

use std::io;
use std::path::PathBuf;

use wisp_api::ErrorCode;

/// Why the cache cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CacheError {
    /// Other users could read or write it.
    #[error(
        "the cache directory `{}` is not private: {reason}; run `chmod 700` on it, or name another with XDG_CACHE_HOME",
        path.display()
    )]
    NotPrivate {
        /// The directory.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// Other users could change a folder that leads to it.
    #[error(
        "the directory `{}` is not used: others can change `{}` ({reason}); run `chmod go-w` on that, or name another cache directory with XDG_CACHE_HOME",
        path.display(), folder.display()
    )]
    Changeable {
        /// The requested directory.
        path: PathBuf,
        /// The folder that other users can change: this directory, or one above it.
        folder: PathBuf,
        /// Why they can.
        reason: String,
    },
    /// The directory could not be created.
    #[error("the cache directory `{}` cannot be made: {source}; name another with XDG_CACHE_HOME", path.display())]
    Io {
        /// The directory.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
}

impl CacheError {
    /// Returns the code of this error: [`ErrorCode::CacheUnavailable`].
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::NotPrivate { .. } | Self::Changeable { .. } | Self::Io { .. } => ErrorCode::CacheUnavailable,
        }
    }
}
