//! The functions of the C library that move the bytes of files. It is CPython's, so paths and descriptors are too.

use core::ffi::{CStr, c_char, c_int, c_void};

/// `O_RDONLY` of wasi-libc.
pub(crate) const READ: c_int = 0x0400_0000;
/// `O_RDWR`.
pub(crate) const READ_WRITE: c_int = 0x1400_0000;
/// `O_CREAT`.
pub(crate) const CREATE: c_int = 0x1000;
/// `O_EXCL`.
pub(crate) const EXCLUSIVE: c_int = 0x4000;

const SEEK_END: c_int = 2;

/// `struct timeval`.
#[repr(C)]
struct Time {
    seconds: i64,
    microseconds: i64,
}

unsafe extern "C" {
    #[link_name = "open"]
    fn c_open(path: *const c_char, flags: c_int, ...) -> c_int;
    #[link_name = "close"]
    fn c_close(file: c_int) -> c_int;
    #[link_name = "pread"]
    fn c_pread(file: c_int, data: *mut c_void, size: usize, at: i64) -> isize;
    #[link_name = "pwrite"]
    fn c_pwrite(file: c_int, data: *const c_void, size: usize, at: i64) -> isize;
    #[link_name = "ftruncate"]
    fn c_ftruncate(file: c_int, size: i64) -> c_int;
    #[link_name = "fsync"]
    fn c_fsync(file: c_int) -> c_int;
    #[link_name = "lseek"]
    fn c_lseek(file: c_int, offset: i64, whence: c_int) -> i64;
    #[link_name = "unlink"]
    fn c_unlink(path: *const c_char) -> c_int;
    #[link_name = "readlink"]
    fn c_readlink(path: *const c_char, data: *mut c_char, size: usize) -> isize;
    #[link_name = "getcwd"]
    fn c_getcwd(data: *mut c_char, size: usize) -> *mut c_char;
    #[link_name = "getenv"]
    fn c_getenv(name: *const c_char) -> *const c_char;
    #[link_name = "getentropy"]
    fn c_getentropy(data: *mut c_void, size: usize) -> c_int;
    #[link_name = "usleep"]
    fn c_usleep(microseconds: u32) -> c_int;
    fn gettimeofday(time: *mut Time, zone: *mut c_void) -> c_int;
}

/// An open file, closed on drop.
pub(crate) struct File(c_int);

impl Drop for File {
    fn drop(&mut self) {
        // SAFETY: the descriptor is open, and nothing else has it.
        unsafe { c_close(self.0) };
    }
}

impl File {
    /// Opens a file.
    pub(crate) fn open(path: &CStr, flags: c_int) -> Option<Self> {
        // SAFETY: the path ends in NUL; the mode is that of a file that `flags` creates.
        let file = unsafe { c_open(path.as_ptr(), flags, 0o644) };
        (file >= 0).then_some(Self(file))
    }

    /// Reads at an offset until `into` is full or the file ends; returns the number of bytes, `None` for an error.
    pub(crate) fn read(&self, into: &mut [u8], at: i64) -> Option<usize> {
        let mut done = 0;
        while done < into.len() {
            let rest = &mut into[done..];
            // SAFETY: there is room for `rest.len()` bytes.
            let count = unsafe { c_pread(self.0, rest.as_mut_ptr().cast(), rest.len(), at + done as i64) };
            match usize::try_from(count) {
                Ok(0) => break,
                Ok(count) => done += count,
                Err(_) => return None,
            }
        }
        Some(done)
    }

    /// Writes all bytes at an offset; returns whether it could.
    pub(crate) fn write(&self, bytes: &[u8], at: i64) -> bool {
        let mut done = 0;
        while done < bytes.len() {
            let rest = &bytes[done..];
            // SAFETY: there are `rest.len()` bytes.
            let count = unsafe { c_pwrite(self.0, rest.as_ptr().cast(), rest.len(), at + done as i64) };
            match usize::try_from(count) {
                Ok(count) if count > 0 => done += count,
                _ => return false,
            }
        }
        true
    }

    /// Truncates or extends the file; returns whether it could.
    pub(crate) fn set_size(&self, size: i64) -> bool {
        // SAFETY: the descriptor is open.
        unsafe { c_ftruncate(self.0, size) == 0 }
    }

    /// Writes what the host keeps back; returns whether it could.
    pub(crate) fn sync(&self) -> bool {
        // SAFETY: as above.
        unsafe { c_fsync(self.0) == 0 }
    }

    /// Returns the file's length in bytes.
    pub(crate) fn size(&self) -> Option<i64> {
        // SAFETY: as above.
        let size = unsafe { c_lseek(self.0, 0, SEEK_END) };
        (size >= 0).then_some(size)
    }
}

/// Removes a file; returns whether it could.
pub(crate) fn remove(path: &CStr) -> bool {
    // SAFETY: the path ends in NUL.
    unsafe { c_unlink(path.as_ptr()) == 0 }
}

/// Reads where a symbolic link leads into `target`; returns the number of bytes, `None` if the path is no link.
pub(crate) fn link_target(path: &CStr, target: &mut [u8]) -> Option<usize> {
    // SAFETY: the path ends in NUL, and there is room for that many bytes.
    usize::try_from(unsafe { c_readlink(path.as_ptr(), target.as_mut_ptr().cast(), target.len()) }).ok()
}

/// Writes the working directory into `into`, which ends in NUL then.
pub(crate) fn working_directory(into: &mut [u8]) -> Option<&CStr> {
    // SAFETY: there is room for that many bytes.
    let found = unsafe { c_getcwd(into.as_mut_ptr().cast(), into.len()) };
    if found.is_null() { None } else { CStr::from_bytes_until_nul(into).ok() }
}

/// Returns a variable of the environment. It stays as it is until a program changes the environment.
pub(crate) fn variable(name: &CStr) -> Option<&'static CStr> {
    // SAFETY: the name ends in NUL, and so does what is found.
    unsafe {
        let found = c_getenv(name.as_ptr());
        if found.is_null() { None } else { Some(CStr::from_ptr(found)) }
    }
}

/// Fills `into` with random bytes of the host; returns how many.
pub(crate) fn random(into: &mut [u8]) -> usize {
    let mut done = 0;
    for part in into.chunks_mut(256) {
        // SAFETY: there is room, and it is no more than the function gives at a time.
        if unsafe { c_getentropy(part.as_mut_ptr().cast(), part.len()) } != 0 {
            break;
        }
        done += part.len();
    }
    done
}

/// Waits.
pub(crate) fn sleep(microseconds: u32) {
    // SAFETY: any number will do.
    unsafe { c_usleep(microseconds) };
}

/// Returns the time in milliseconds since 1970.
pub(crate) fn now() -> Option<i64> {
    let mut time = Time { seconds: 0, microseconds: 0 };
    // SAFETY: there is room for the time.
    let done = unsafe { gettimeofday(&raw mut time, core::ptr::null_mut()) };
    (done == 0).then_some(time.seconds * 1000 + time.microseconds / 1000)
}
