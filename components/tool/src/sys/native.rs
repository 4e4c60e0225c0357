//! The system natively, for tests only: nothing here is in a component.

use super::{Kind, Stat};
use std::ffi::{CString, OsString};
use std::io::{Error, ErrorKind, Result};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::path::Path;

/// Returns facts about a file; about the link itself unless `follow`.
pub fn stat(path: &Path, follow: bool) -> Result<Stat> {
    let m = if follow { std::fs::metadata(path)? } else { std::fs::symlink_metadata(path)? };
    let t = m.file_type();
    let kind = match () {
        () if t.is_dir() => Kind::Dir,
        () if t.is_symlink() => Kind::Link,
        () if t.is_char_device() => Kind::Char,
        () if t.is_block_device() => Kind::Block,
        () if t.is_fifo() => Kind::Fifo,
        () if t.is_socket() => Kind::Socket,
        () => Kind::File,
    };
    let ns = |s: i64, n: i64| i128::from(s) * 1_000_000_000 + i128::from(n);
    Ok(Stat {
        dev: m.dev(),
        ino: m.ino(),
        kind,
        mode: m.mode() & 0o7777,
        nlink: m.nlink(),
        uid: m.uid(),
        gid: m.gid(),
        size: m.size(),
        blocks: m.blocks(),
        atime: ns(m.atime(), m.atime_nsec()),
        mtime: ns(m.mtime(), m.mtime_nsec()),
        ctime: ns(m.ctime(), m.ctime_nsec()),
    })
}

/// Implements chmod(2).
pub fn set_mode(path: &Path, mode: u32) -> Result<()> {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode))
}

/// Implements mkfifo(3): the bits of the umask are cleared.
pub fn mkfifo(path: &Path, mode: u32) -> Result<()> {
    let path = CString::new(path.as_os_str().as_encoded_bytes()).map_err(|_| Error::from(ErrorKind::InvalidInput))?;
    // SAFETY: it is NUL-terminated.
    match unsafe { libc::mkfifo(path.as_ptr(), mode as libc::mode_t) } {
        0 => Ok(()),
        _ => Err(Error::last_os_error()),
    }
}

/// Implements symlink(2).
pub fn symlink(target: &Path, link: &Path) -> Result<()> {
    std::os::unix::fs::symlink(target, link)
}

/// Returns bytes as a name.
pub fn os_string(bytes: Vec<u8>) -> OsString {
    OsString::from_vec(bytes)
}

/// Returns the arguments.
pub fn args() -> Vec<OsString> {
    std::env::args_os().collect()
}

/// Returns the environment, `NAME=value` each.
pub fn environment() -> Vec<Vec<u8>> {
    std::env::vars_os()
        .map(|(k, v)| {
            let mut line = k.into_vec();
            line.push(b'=');
            line.extend(v.into_vec());
            line
        })
        .collect()
}

/// Returns whether a descriptor is a terminal.
pub fn is_terminal(number: u32) -> bool {
    // SAFETY: no memory is involved.
    unsafe { libc::isatty(number as i32) == 1 }
}

/// Returns this process's id.
pub fn pid() -> u32 {
    std::process::id()
}

/// Returns the parent's id.
pub fn parent() -> u32 {
    std::os::unix::process::parent_id()
}

/// Returns the user's number.
pub fn uid() -> u32 {
    // SAFETY: cannot fail.
    unsafe { libc::getuid() }
}

/// Returns the permission bits that new files lack.
pub fn umask() -> u32 {
    // SAFETY: no memory is involved; there is one thread, so the mask in between has no effect.
    unsafe {
        let mask = libc::umask(0o022);
        libc::umask(mask);
        mask
    }
}

/// Ends with a status.
pub fn exit(status: u8) -> ! {
    std::process::exit(i32::from(status))
}

/// Sets whether writing to a pipe without a reader is an error (true) or the end of the process (false).
pub fn ignore_broken_pipe(ignore: bool) {
    // SAFETY: both dispositions are safe to set at any time.
    unsafe { libc::signal(libc::SIGPIPE, if ignore { libc::SIG_IGN } else { libc::SIG_DFL }) };
}

/// Returns the last bytes read to standard input, if it is a file.
pub fn unread_input(bytes: u64) {
    // SAFETY: no memory is involved; on a pipe it fails, and returning bytes is impossible there.
    unsafe { libc::lseek(0, -(bytes as libc::off_t), libc::SEEK_CUR) };
}
