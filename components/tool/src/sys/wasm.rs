//! The system inside wisp.

use super::{Kind, Stat};
use std::ffi::{CString, OsStr, OsString};
use std::io::{Error, ErrorKind, Result};
use std::path::Path;
use wisp_guest::{files, process, spelling};

/// Returns WASI's number for an error, so that libc's text is printed.
pub fn error(code: files::ErrorCode) -> Error {
    use files::ErrorCode as E;
    Error::from_raw_os_error(match code {
        E::Access => libc::EACCES,
        E::NotPermitted => libc::EPERM,
        E::NoEntry => libc::ENOENT,
        E::NoSuchDevice => libc::ENXIO,
        E::Exist => libc::EEXIST,
        E::IsDirectory => libc::EISDIR,
        E::NotDirectory => libc::ENOTDIR,
        E::NotEmpty => libc::ENOTEMPTY,
        E::Loop => libc::ELOOP,
        E::NameTooLong => libc::ENAMETOOLONG,
        E::IllegalByteSequence => libc::EILSEQ,
        E::BadDescriptor => libc::EBADF,
        E::Invalid => libc::EINVAL,
        E::FileTooLarge => libc::EFBIG,
        E::InsufficientSpace => libc::ENOSPC,
        E::TooManyOpenFiles => libc::EMFILE,
        E::ReadOnly => libc::EROFS,
        E::CrossDevice => libc::EXDEV,
        E::BrokenPipe => libc::EPIPE,
        E::IllegalSeek => libc::ESPIPE,
        E::Busy => libc::EBUSY,
        E::WouldBlock => libc::EAGAIN,
        E::NoProcess => libc::ESRCH,
        E::NotExecutable => libc::ENOEXEC,
        E::ArgumentsTooLong => libc::E2BIG,
        E::InsufficientMemory => libc::ENOMEM,
        E::Unsupported => libc::ENOTSUP,
        E::Io => libc::EIO,
        E::ConnectionRefused => libc::ECONNREFUSED,
        E::ConnectionReset => libc::ECONNRESET,
        E::NotConnected => libc::ENOTCONN,
        E::NotSocket => libc::ENOTSOCK,
        E::AddressInUse => libc::EADDRINUSE,
        E::AddressNotAvailable => libc::EADDRNOTAVAIL,
        E::NoBufferSpace => libc::ENOBUFS,
    })
}

/// Returns a path in the form that `wisp:sandbox` takes: absolute, and spelled in UTF-8.
pub fn full(path: &Path) -> String {
    spelled(super::absolute(path).as_os_str())
}

/// Returns a name in the form that `wisp:sandbox` takes.
pub fn spelled(name: &OsStr) -> String {
    spelling::spell(name.as_encoded_bytes()).into_owned()
}

/// Returns facts about a file; about the link itself unless `follow`.
pub fn stat(path: &Path, follow: bool) -> Result<Stat> {
    if path.as_os_str().is_empty() {
        return Err(Error::from_raw_os_error(libc::ENOENT));
    }
    files::stat_at(&full(path), follow).map(facts).map_err(error)
}

/// Converts facts to the form that the tools use.
pub fn facts(s: files::Stat) -> Stat {
    Stat {
        dev: s.device,
        ino: s.inode,
        kind: match s.kind {
            files::FileType::Regular => Kind::File,
            files::FileType::Directory => Kind::Dir,
            files::FileType::SymbolicLink => Kind::Link,
            files::FileType::CharacterDevice => Kind::Char,
            files::FileType::Fifo => Kind::Fifo,
            files::FileType::Socket => Kind::Socket,
        },
        mode: s.mode,
        nlink: s.links,
        uid: s.uid,
        gid: s.gid,
        size: s.size,
        blocks: s.blocks,
        atime: i128::from(s.accessed),
        mtime: i128::from(s.modified),
        ctime: i128::from(s.changed),
    }
}

/// Implements chmod(2).
pub fn set_mode(path: &Path, mode: u32) -> Result<()> {
    files::set_mode(&full(path), mode).map_err(error)
}

/// Implements mkfifo(3): the bits of the umask are cleared.
pub fn mkfifo(path: &Path, mode: u32) -> Result<()> {
    if path.as_os_str().is_empty() {
        return Err(Error::from_raw_os_error(libc::ENOENT));
    }
    files::make_fifo(&full(path), mode).map_err(error)
}

/// Implements symlink(2).
pub fn symlink(target: &Path, link: &Path) -> Result<()> {
    let to_c = |p: &Path| CString::new(p.as_os_str().as_encoded_bytes()).map_err(|_| Error::from(ErrorKind::InvalidInput));
    let (target, link) = (to_c(target)?, to_c(link)?);
    // SAFETY: both are NUL-terminated.
    match unsafe { libc::symlink(target.as_ptr(), link.as_ptr()) } {
        0 => Ok(()),
        _ => Err(Error::last_os_error()),
    }
}

/// Returns bytes as a name. WASI's `OsStr` is any bytes, as on Unix; only the safe constructor is unstable.
pub fn os_string(bytes: Vec<u8>) -> OsString {
    // SAFETY: std's OsStr on WASI is a byte string without invariants (`sys/os_str/bytes.rs`), its encoding the identity.
    unsafe { OsString::from_encoded_bytes_unchecked(bytes) }
}

/// Returns the arguments, bytes unchanged.
pub fn args() -> Vec<OsString> {
    process::arguments().into_iter().map(os_string).collect()
}

/// Returns the environment, `NAME=value` each.
pub fn environment() -> Vec<Vec<u8>> {
    process::environment()
}

/// Returns whether an initial descriptor is the terminal.
pub fn is_terminal(number: u32) -> bool {
    process::inherited(number).is_ok_and(|f| f.is_terminal())
}

/// Returns this process's id.
pub fn pid() -> u32 {
    process::pid()
}

/// Returns the parent's id.
pub fn parent() -> u32 {
    process::parent()
}

/// Returns the user's number: the sandbox has only one user.
pub fn uid() -> u32 {
    1000
}

/// Returns the permission bits that new files lack.
pub fn umask() -> u32 {
    process::umask(None)
}

/// Ends with a status.
pub fn exit(status: u8) -> ! {
    wisp_guest::exit(status)
}

/// Sets whether writing to a pipe without a reader is an error (true) or the end of the process (false).
pub fn ignore_broken_pipe(ignore: bool) {
    process::ignore_broken_pipe(ignore);
}

/// Returns the last bytes read to standard input, if it is a file.
pub fn unread_input(bytes: u64) {
    if let (Ok(file), Ok(back)) = (process::inherited(0), i64::try_from(bytes)) {
        // On a pipe it fails, and returning bytes is impossible there.
        let _ = file.seek(files::Whence::Current, -back);
    }
}
