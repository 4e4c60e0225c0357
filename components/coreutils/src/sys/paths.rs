//! Names that are not UTF-8. WASI's paths are text: libc would hand the host a string that is none, which ends the
//! process. Every path goes through one function of libc's; the linker puts ours before it (`--wrap`, see `build.rs`), and
//! what opens such a name gets an error, in uutils' tools and in ours (libc's callers make it "no such file").

use std::ffi::{CStr, c_char, c_int};

unsafe extern "C" {
    fn __real___wasilibc_find_relpath_alloc(
        path: *const c_char,
        prefix: *mut *const c_char,
        relative: *mut *mut c_char,
        length: *mut usize,
        can_realloc: c_int,
    ) -> c_int;
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
