//! Errors of the platform, in the words of strerror(3).

/// Why an operation of the platform failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Errno {
    Access,
    NotPermitted,
    NoEntry,
    Exist,
    IsDirectory,
    NotDirectory,
    NotEmpty,
    Loop,
    NameTooLong,
    IllegalBytes,
    BadDescriptor,
    Invalid,
    FileTooLarge,
    NoSpace,
    NoDevice,
    TooManyOpenFiles,
    ReadOnly,
    CrossDevice,
    BrokenPipe,
    IllegalSeek,
    Busy,
    WouldBlock,
    NoProcess,
    NotExecutable,
    ArgumentsTooLong,
    NoMemory,
    Unsupported,
    Io,
}

impl Errno {
    /// Returns the message a shell prints for it.
    pub fn message(self) -> &'static str {
        match self {
            Self::Access => "Permission denied",
            Self::NotPermitted => "Operation not permitted",
            Self::NoEntry => "No such file or directory",
            Self::Exist => "File exists",
            Self::IsDirectory => "Is a directory",
            Self::NotDirectory => "Not a directory",
            Self::NotEmpty => "Directory not empty",
            Self::Loop => "Too many levels of symbolic links",
            Self::NameTooLong => "File name too long",
            Self::IllegalBytes => "Invalid or incomplete multibyte or wide character",
            Self::BadDescriptor => "Bad file descriptor",
            Self::Invalid => "Invalid argument",
            Self::FileTooLarge => "File too large",
            Self::NoSpace => "No space left on device",
            Self::NoDevice => "No such device or address",
            Self::TooManyOpenFiles => "Too many open files",
            Self::ReadOnly => "Read-only file system",
            Self::CrossDevice => "Invalid cross-device link",
            Self::BrokenPipe => "Broken pipe",
            Self::IllegalSeek => "Illegal seek",
            Self::Busy => "Device or resource busy",
            Self::WouldBlock => "Resource temporarily unavailable",
            Self::NoProcess => "No such process",
            Self::NotExecutable => "Exec format error",
            Self::ArgumentsTooLong => "Argument list too long",
            Self::NoMemory => "Cannot allocate memory",
            Self::Unsupported => "Operation not supported",
            Self::Io => "Input/output error",
        }
    }
}

impl From<std::io::Error> for Errno {
    fn from(error: std::io::Error) -> Self {
        use std::io::ErrorKind as K;
        match error.kind() {
            K::NotFound => Self::NoEntry,
            K::PermissionDenied => Self::Access,
            K::AlreadyExists => Self::Exist,
            K::NotADirectory => Self::NotDirectory,
            K::IsADirectory => Self::IsDirectory,
            K::DirectoryNotEmpty => Self::NotEmpty,
            K::InvalidInput => Self::Invalid,
            K::BrokenPipe => Self::BrokenPipe,
            K::OutOfMemory => Self::NoMemory,
            K::Unsupported => Self::Unsupported,
            _ => Self::Io,
        }
    }
}
