//! Reading a directory fails because it is a directory (EISDIR); libc would report a bad descriptor (EBADF). The linker puts our function
//! in front of libc's (`--wrap`, see `build.rs`), for uutils' tools and for ours.

use std::ffi::{c_int, c_void};

unsafe extern "C" {
    fn __real_read(descriptor: c_int, buffer: *mut c_void, length: usize) -> isize;
    fn __errno_location() -> *mut c_int;
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
