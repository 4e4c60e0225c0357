//! The system natively, for tests only.

use super::{Kind, Stat};
use std::ffi::{CString, OsStr, OsString};
use std::io::{Error, IsTerminal, Result};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// The arguments.
pub fn args() -> Vec<OsString> {
    std::env::args_os().collect()
}

/// Facts about a file; about the link itself unless `follow`.
pub fn stat(path: &Path, follow: bool) -> Result<Stat> {
    let m = if follow { std::fs::metadata(path)? } else { std::fs::symlink_metadata(path)? };
    let t = m.file_type();
    let kind = match () {
        () if t.is_dir() => Kind::Dir,
        () if t.is_symlink() => Kind::Link,
        () if t.is_fifo() => Kind::Fifo,
        () if t.is_file() => Kind::File,
        () => Kind::Other,
    };
    let ns = |s: i64, n: i64| i128::from(s) * 1_000_000_000 + i128::from(n);
    Ok(Stat {
        dev: m.dev(),
        ino: m.ino(),
        kind,
        mode: m.mode() & 0o7777,
        links: m.nlink(),
        uid: m.uid(),
        gid: m.gid(),
        size: m.size(),
        atime: ns(m.atime(), m.atime_nsec()),
        mtime: ns(m.mtime(), m.mtime_nsec()),
    })
}

/// chmod(2).
pub fn set_mode(path: &Path, mode: u32) -> Result<()> {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode))
}

/// utimensat(2).
pub fn set_times(path: &Path, atime: i128, mtime: i128, follow: bool) -> Result<()> {
    let path = CString::new(path.as_os_str().as_bytes())?;
    let spec = |t: i128| libc::timespec { tv_sec: t.div_euclid(1_000_000_000) as i64, tv_nsec: t.rem_euclid(1_000_000_000) as i64 };
    let times = [spec(atime), spec(mtime)];
    let flags = if follow { 0 } else { libc::AT_SYMLINK_NOFOLLOW };
    // SAFETY: `path` is NUL-terminated, `times` has the two elements the call reads.
    match unsafe { libc::utimensat(libc::AT_FDCWD, path.as_ptr(), times.as_ptr(), flags) } {
        0 => Ok(()),
        _ => Err(Error::last_os_error()),
    }
}

/// symlink(2).
pub fn symlink(target: &Path, link: &Path) -> Result<()> {
    std::os::unix::fs::symlink(target, link)
}

/// Bytes as a file name.
pub fn path_from_bytes(bytes: &[u8]) -> PathBuf {
    PathBuf::from(OsStr::from_bytes(bytes))
}

/// Whether a descriptor is a terminal.
pub fn is_terminal(number: u32) -> bool {
    if number == 0 { std::io::stdin().is_terminal() } else { std::io::stdout().is_terminal() }
}

/// End with a status.
pub fn exit(status: u8) -> ! {
    std::process::exit(i32::from(status))
}
