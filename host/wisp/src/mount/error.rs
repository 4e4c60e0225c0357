//! Host errors as guests see them.

use std::io;

use rustix::io::Errno;

use wisp_vfs::{FsError, Refused};

/// Returns the POSIX error for an I/O error of the host. `cap-std` refuses a path that leads out with an error that has no
/// number.
pub(super) fn host_error(error: io::Error) -> FsError {
    let Some(errno) = Errno::from_io_error(&error) else {
        return match error.kind() {
            io::ErrorKind::PermissionDenied => FsError::Refused(Refused::Outside),
            io::ErrorKind::NotFound => FsError::NotFound,
            io::ErrorKind::InvalidInput => FsError::Invalid,
            _ => FsError::Io,
        };
    };
    match errno {
        Errno::NOENT => FsError::NotFound,
        Errno::EXIST => FsError::Exists,
        Errno::NOTDIR => FsError::NotDirectory,
        Errno::ISDIR => FsError::IsDirectory,
        Errno::NOTEMPTY => FsError::NotEmpty,
        Errno::LOOP => FsError::Loop,
        Errno::NAMETOOLONG => FsError::NameTooLong,
        Errno::ILSEQ => FsError::IllegalBytes,
        Errno::ACCESS => FsError::Access,
        Errno::PERM | Errno::NXIO => FsError::NotPermitted,
        Errno::ROFS => FsError::ReadOnly,
        Errno::NOSPC | Errno::DQUOT => FsError::NoSpace,
        Errno::XDEV => FsError::CrossDevice,
        Errno::BADF => FsError::BadDescriptor,
        Errno::INVAL => FsError::Invalid,
        Errno::FBIG | Errno::OVERFLOW => FsError::FileTooLarge,
        Errno::MLINK => FsError::TooManyLinks,
        Errno::SPIPE => FsError::IllegalSeek,
        Errno::BUSY | Errno::TXTBSY => FsError::Busy,
        Errno::NOTSUP | Errno::NOSYS => FsError::Unsupported,
        Errno::NOMEM => FsError::OutOfMemory,
        _ => FsError::Io,
    }
}
