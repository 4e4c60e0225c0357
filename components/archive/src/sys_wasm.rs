//! The system inside wisp.

use super::{Kind, Stat};
use std::ffi::{CString, OsString};
use std::io::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};
use wisp_guest::{files, process};

/// WASI's number for an error, so that libc's words come out.
fn error(code: files::ErrorCode) -> Error {
    use files::ErrorCode as E;
    Error::from_raw_os_error(match code {
        E::Access => libc::EACCES,
        E::NotPermitted => libc::EPERM,
        E::NoEntry => libc::ENOENT,
        E::Exist => libc::EEXIST,
        E::IsDirectory => libc::EISDIR,
        E::NotDirectory => libc::ENOTDIR,
        E::NotEmpty => libc::ENOTEMPTY,
        E::Loop => libc::ELOOP,
        E::NameTooLong => libc::ENAMETOOLONG,
        E::IllegalByteSequence => libc::EILSEQ,
        E::Invalid => libc::EINVAL,
        E::InsufficientSpace => libc::ENOSPC,
        E::ReadOnly => libc::EROFS,
        _ => libc::EIO,
    })
}

fn text(path: &Path) -> Result<String> {
    let absolute = if path.is_absolute() { path.to_path_buf() } else { std::env::current_dir()?.join(path) };
    absolute.into_os_string().into_string().map_err(|_| Error::from_raw_os_error(libc::EILSEQ))
}

/// The arguments, bytes unchanged.
pub fn args() -> Vec<OsString> {
    process::arguments().into_iter().map(os).collect()
}

fn os(bytes: Vec<u8>) -> OsString {
    // SAFETY: std's OsStr on WASI is a byte string without invariants, its encoding the identity.
    unsafe { OsString::from_encoded_bytes_unchecked(bytes) }
}

/// Facts about a file; about the link itself unless `follow`.
pub fn stat(path: &Path, follow: bool) -> Result<Stat> {
    if path.as_os_str().is_empty() {
        return Err(Error::from_raw_os_error(libc::ENOENT));
    }
    let s = files::stat_at(&text(path)?, follow).map_err(error)?;
    Ok(Stat {
        dev: s.device,
        ino: s.inode,
        kind: match s.kind {
            files::FileType::Regular => Kind::File,
            files::FileType::Directory => Kind::Dir,
            files::FileType::SymbolicLink => Kind::Link,
            files::FileType::Fifo => Kind::Fifo,
            files::FileType::CharacterDevice => Kind::Other,
        },
        mode: s.mode,
        links: s.links,
        uid: s.uid,
        gid: s.gid,
        size: s.size,
        atime: i128::from(s.accessed),
        mtime: i128::from(s.modified),
    })
}

/// chmod(2).
pub fn set_mode(path: &Path, mode: u32) -> Result<()> {
    files::set_mode(&text(path)?, mode).map_err(error)
}

/// utimensat(2), in nanoseconds since 1970.
pub fn set_times(path: &Path, atime: i128, mtime: i128, follow: bool) -> Result<()> {
    let path = CString::new(path.as_os_str().as_encoded_bytes()).map_err(|_| Error::from(ErrorKind::InvalidInput))?;
    let spec = |t: i128| {
        // SAFETY: timespec is plain data; zeroed because wasi libc's has padding fields.
        let mut s: libc::timespec = unsafe { std::mem::zeroed() };
        s.tv_sec = t.div_euclid(1_000_000_000) as libc::time_t;
        s.tv_nsec = t.rem_euclid(1_000_000_000) as libc::c_long;
        s
    };
    let times = [spec(atime), spec(mtime)];
    let flags = if follow { 0 } else { libc::AT_SYMLINK_NOFOLLOW };
    // SAFETY: `path` is NUL-terminated and `times` has the two elements the call reads.
    match unsafe { libc::utimensat(libc::AT_FDCWD, path.as_ptr(), times.as_ptr(), flags) } {
        0 => Ok(()),
        _ => Err(Error::last_os_error()),
    }
}

/// symlink(2).
pub fn symlink(target: &Path, link: &Path) -> Result<()> {
    let to_c = |p: &Path| CString::new(p.as_os_str().as_encoded_bytes()).map_err(|_| Error::from(ErrorKind::InvalidInput));
    let (target, link) = (to_c(target)?, to_c(link)?);
    // SAFETY: both are NUL-terminated.
    match unsafe { libc::symlink(target.as_ptr(), link.as_ptr()) } {
        0 => Ok(()),
        _ => Err(Error::last_os_error()),
    }
}

/// Bytes as a file name.
pub fn path_from_bytes(bytes: &[u8]) -> PathBuf {
    PathBuf::from(os(bytes.to_vec()))
}

/// Whether a descriptor is the terminal.
pub fn is_terminal(number: u32) -> bool {
    process::inherited(number).is_ok_and(|f| f.is_terminal())
}

/// End with a status.
pub fn exit(status: u8) -> ! {
    wisp_guest::exit(status)
}
