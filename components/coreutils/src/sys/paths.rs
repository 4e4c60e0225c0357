//! Names that are not UTF-8. WASI's paths are text: libc would hand the host a string that is none, which ends the
//! process. Every path goes through one function of libc's; the linker puts ours before it (`--wrap`, see `build.rs`), and
//! what opens such a name gets an error, in uutils' tools and in ours (libc's callers make it "no such file").
//!
//! In the same way: a directory that is read is one (EISDIR), where libc says that its descriptor is bad (EBADF).

use std::ffi::{CStr, c_char, c_int, c_void};

unsafe extern "C" {
    fn __real___wasilibc_find_relpath_alloc(
        path: *const c_char,
        prefix: *mut *const c_char,
        relative: *mut *mut c_char,
        length: *mut usize,
        can_realloc: c_int,
    ) -> c_int;
    fn __real_read(descriptor: c_int, buffer: *mut c_void, length: usize) -> isize;
    fn __errno_location() -> *mut c_int;
}

/// Libc's own, for names that are text; EILSEQ for others.
///
/// # Safety
/// As for libc's: `path` is a C string, the others are valid.
#[unsafe(no_mangle)]
unsafe extern "C" fn __wrap___wasilibc_find_relpath_alloc(
    path: *const c_char,
    prefix: *mut *const c_char,
    relative: *mut *mut c_char,
    length: *mut usize,
    can_realloc: c_int,
) -> c_int {
    // SAFETY: the caller's promise; errno is this thread's own.
    unsafe {
        if CStr::from_ptr(path).to_str().is_err() {
            *__errno_location() = libc::EILSEQ;
            return -1;
        }
        __real___wasilibc_find_relpath_alloc(path, prefix, relative, length, can_realloc)
    }
}

/// Libc's own, with another error for directories.
///
/// # Safety
/// As for libc's: `buffer` has room for `length` bytes.
#[unsafe(no_mangle)]
unsafe extern "C" fn __wrap_read(descriptor: c_int, buffer: *mut c_void, length: usize) -> isize {
    // SAFETY: the caller's promise; `stat` is plain data that fstat fills; errno is this thread's own.
    unsafe {
        let read = __real_read(descriptor, buffer, length);
        if read < 0 && *__errno_location() == libc::EBADF {
            let mut stat: libc::stat = std::mem::zeroed();
            let directory = libc::fstat(descriptor, &mut stat) == 0 && stat.st_mode & libc::S_IFMT == libc::S_IFDIR;
            *__errno_location() = if directory { libc::EISDIR } else { libc::EBADF };
        }
        read
    }
}
