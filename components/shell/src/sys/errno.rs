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
    /// The message a shell prints for it.
    pub fn message(self) -> &'static str {
        match self {
            Errno::Access => "Permission denied",
            Errno::NotPermitted => "Operation not permitted",
            Errno::NoEntry => "No such file or directory",
            Errno::Exist => "File exists",
            Errno::IsDirectory => "Is a directory",
            Errno::NotDirectory => "Not a directory",
            Errno::NotEmpty => "Directory not empty",
            Errno::Loop => "Too many levels of symbolic links",
            Errno::NameTooLong => "File name too long",
            Errno::IllegalBytes => "Invalid or incomplete multibyte or wide character",
            Errno::BadDescriptor => "Bad file descriptor",
            Errno::Invalid => "Invalid argument",
            Errno::FileTooLarge => "File too large",
            Errno::NoSpace => "No space left on device",
            Errno::TooManyOpenFiles => "Too many open files",
            Errno::ReadOnly => "Read-only file system",
            Errno::CrossDevice => "Invalid cross-device link",
            Errno::BrokenPipe => "Broken pipe",
            Errno::IllegalSeek => "Illegal seek",
            Errno::Busy => "Device or resource busy",
            Errno::WouldBlock => "Resource temporarily unavailable",
            Errno::NoProcess => "No such process",
            Errno::NotExecutable => "Exec format error",
            Errno::ArgumentsTooLong => "Argument list too long",
            Errno::NoMemory => "Cannot allocate memory",
            Errno::Unsupported => "Operation not supported",
            Errno::Io => "Input/output error",
        }
    }
}

impl From<std::io::Error> for Errno {
    fn from(error: std::io::Error) -> Errno {
        use std::io::ErrorKind as K;
        match error.kind() {
            K::NotFound => Errno::NoEntry,
            K::PermissionDenied => Errno::Access,
            K::AlreadyExists => Errno::Exist,
            K::NotADirectory => Errno::NotDirectory,
            K::IsADirectory => Errno::IsDirectory,
            K::DirectoryNotEmpty => Errno::NotEmpty,
            K::InvalidInput => Errno::Invalid,
            K::BrokenPipe => Errno::BrokenPipe,
            K::OutOfMemory => Errno::NoMemory,
            K::Unsupported => Errno::Unsupported,
            _ => Errno::Io,
        }
    }
}
