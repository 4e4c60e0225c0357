//! Setting a file's times: the same call of libc inside wisp and natively.

use std::ffi::CString;
use std::io::{Error, ErrorKind, Result};
use std::path::Path;

/// Implements utimensat(2), in nanoseconds since 1970.
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
