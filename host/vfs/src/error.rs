//! The one error type of the filesystem: the POSIX errors a guest can see, and why the rules of a mount refuse an operation.

use wisp_api::ErrorCode;

/// Why a filesystem operation failed. Each variant is one POSIX error; its message is that of `strerror`.
///
/// Exhaustive on purpose: the tables from here to the errors of WIT interfaces have a row for each, and the compiler
/// checks that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum FsError {
    /// ENOENT.
    #[error("no such file or directory")]
    NotFound,
    /// EEXIST.
    #[error("file exists")]
    Exists,
    /// ENOTDIR.
    #[error("not a directory")]
    NotDirectory,
    /// EISDIR.
    #[error("is a directory")]
    IsDirectory,
    /// ENOTEMPTY.
    #[error("directory not empty")]
    NotEmpty,
    /// ELOOP.
    #[error("too many levels of symbolic links")]
    Loop,
    /// ENAMETOOLONG.
    #[error("file name too long")]
    NameTooLong,
    /// EILSEQ: a name holds a NUL or is not UTF-8.
    #[error("illegal bytes in the file name")]
    IllegalBytes,
    /// EACCES: the mode bits forbid it.
    #[error("permission denied")]
    Access,
    /// EPERM: only the owner may do this, or the sandbox never allows it.
    #[error("operation not permitted")]
    NotPermitted,
    /// EPERM or EROFS: the rules of a mount forbid it. Only [`super::Mount`]s return this; [`super::Fs`] returns the
    /// plain error, and its witness receives the reason.
    #[error("{}", .0.error())]
    Refused(Refused),
    /// EROFS: the mount was granted read-only.
    #[error("read-only filesystem")]
    ReadOnly,
    /// ENOSPC: the quota of bytes or files is used up.
    #[error("no space left on device")]
    NoSpace,
    /// ENXIO: the device is there, but nothing is behind it.
    #[error("no such device or address")]
    NoDevice,
    /// EXDEV.
    #[error("cross-device link")]
    CrossDevice,
    /// EBADF: not open for this use, or a restore has removed the file.
    #[error("bad file descriptor")]
    BadDescriptor,
    /// EINVAL.
    #[error("invalid argument")]
    Invalid,
    /// EFBIG.
    #[error("file too large")]
    FileTooLarge,
    /// EMLINK.
    #[error("too many links")]
    TooManyLinks,
    /// ESPIPE.
    #[error("illegal seek")]
    IllegalSeek,
    /// EBUSY.
    #[error("device or resource busy")]
    Busy,
    /// ENOTSUP.
    #[error("operation not supported")]
    Unsupported,
    /// EIO.
    #[error("input/output error")]
    Io,
    /// ENOMEM.
    #[error("out of memory")]
    OutOfMemory,
}

impl FsError {
    /// Returns the code of this error. That of [`FsError::NoSpace`] means the quota; a caller that knows the file to be on a full disk of
    /// the machine says [`ErrorCode::IoError`] instead.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::NotFound => ErrorCode::FileNotFound,
            Self::Exists => ErrorCode::FileExists,
            Self::NotDirectory | Self::IsDirectory => ErrorCode::WrongFileType,
            Self::NotEmpty | Self::Busy | Self::BadDescriptor => ErrorCode::Conflict,
            Self::Loop | Self::NameTooLong | Self::IllegalBytes | Self::Invalid | Self::IllegalSeek => ErrorCode::InvalidArgument,
            Self::Access | Self::NotPermitted => ErrorCode::PermissionDenied,
            Self::Refused(_) | Self::ReadOnly => ErrorCode::MountRefused,
            Self::NoSpace => ErrorCode::FilesystemLimit,
            Self::NoDevice | Self::CrossDevice | Self::Unsupported => ErrorCode::Unsupported,
            Self::FileTooLarge | Self::TooManyLinks => ErrorCode::TooLarge,
            Self::Io => ErrorCode::IoError,
            // Of a mount: what guests need in memory is refused before it reaches a caller.
            Self::OutOfMemory => ErrorCode::HostMemory,
        }
    }

    /// Returns the error that a guest sees: for a refusal by a mount, the one that it stands for.
    #[must_use]
    pub fn plain(self) -> Self {
        match self {
            Self::Refused(why) => why.error(),
            error => error,
        }
    }
}

wisp_api::wisp_error!(FsError);

/// Why the rules of a mount refuse an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Refused {
    /// The path leads out of the mount, through a symbolic link.
    Outside,
    /// The mount is granted read-only.
    ReadOnly,
    /// The file is a pipe, a socket or a device.
    Special,
    /// The new file would lead out of the mount, or would give rights outside the sandbox.
    Trap,
}

impl Refused {
    /// Returns the error that the guest sees.
    pub fn error(self) -> FsError {
        match self {
            Self::ReadOnly => FsError::ReadOnly,
            Self::Outside | Self::Special | Self::Trap => FsError::NotPermitted,
        }
    }

    /// Returns the reason, for people.
    pub fn reason(self) -> &'static str {
        match self {
            Self::Outside => "leads out of the mount",
            Self::ReadOnly => "the mount is granted read-only",
            Self::Special => "a pipe, a socket or a device of the host",
            Self::Trap => {
                "a symbolic link of a write mount names a file beside it, without `/`: another could lead the host out of the mount"
            }
        }
    }
}
