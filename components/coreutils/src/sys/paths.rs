//! Names that are not UTF-8. Paths of WASI are text: libc would pass the host an invalid string, which ends the process.
//! Every path goes through one function of libc. The linker puts ours in front of it (`--wrap`, see `build.rs`), so that
//! opening such a name fails, in uutils' tools and in ours (the callers in libc report "no such file").
//!
//! In the same way, reading a directory fails because it is a directory (EISDIR); libc would report a bad descriptor (EBADF).

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

/// Calls libc's function for names that are text, and fails with EILSEQ for others.
///
/// # Safety
/// As for libc's function: `path` is a C string, and the other pointers are valid.
#[unsafe(no_mangle)]
unsafe extern "C" fn __wrap___wasilibc_find_relpath_alloc(
    path: *const c_char,
    prefix: *mut *const c_char,
    relative: *mut *mut c_char,
    length: *mut usize,
    can_realloc: c_int,
) -> c_int {
    // SAFETY: the caller guarantees valid pointers; errno belongs to this thread.
    unsafe {
        if CStr::from_ptr(path).to_str().is_err() {
            *__errno_location() = libc::EILSEQ;
            return -1;
        }
        __real___wasilibc_find_relpath_alloc(path, prefix, relative, length, can_realloc)
    }
}

/// Calls libc's function, with another error for directories.
///
/// # Safety
/// As for libc's function: `buffer` has room for `length` bytes.
#[unsafe(no_mangle)]
unsafe extern "C" fn __wrap_read(descriptor: c_int, buffer: *mut c_void, length: usize) -> isize {
    // SAFETY: the caller guarantees valid pointers; `stat` is plain data that fstat fills; errno belongs to this thread.
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
