//! The start and end of a guest.

use std::ffi::OsStr;

use crate::{environment, process, spelling};

/// Begins a guest's `main`: enters the working directory (libc starts at `/`).
pub fn start() {
    let Some(directory) = environment::initial_cwd() else { return };
    let directory = spelling::read(&directory);
    // SAFETY: std's OsStr is a byte string without invariants on WASI and Unix (`sys/os_str/bytes.rs`), its encoding the identity.
    let path = unsafe { OsStr::from_encoded_bytes_unchecked(&directory) };
    if std::env::set_current_dir(path).is_err() {
        stay_nowhere(directory.into_owned());
    }
}

/// Handles a working directory that no longer exists: relative paths must not exist either. Otherwise libc would use
/// `/` instead, and `rm *` would affect another directory.
#[cfg(target_family = "wasm")]
fn stay_nowhere(directory: Vec<u8>) {
    unsafe extern "C" {
        static mut __wasilibc_cwd: *const std::ffi::c_char;
    }
    if let Ok(directory) = std::ffi::CString::new(directory) {
        // SAFETY: libc's own variable, a path that it frees only if it allocated it; no other code runs yet.
        unsafe { __wasilibc_cwd = directory.into_raw() };
    }
}

/// Does nothing: a native build is a test, which stays in its directory.
#[cfg(not(target_family = "wasm"))]
fn stay_nowhere(_: Vec<u8>) {}

/// Ends the process with `status`, after flushing Rust's standard output.
pub fn exit(status: u8) -> ! {
    use std::io::Write;
    let _ = std::io::stdout().flush();
    process::exit(status);
    unreachable!("process.exit does not return")
}

/// Ends the process; libc calls it last in `exit()`: WASI 0.2's own exit keeps only success or failure, ours keeps the
/// code. It replaces libc's `_Exit`, so it catches every early exit: clap's usage errors, `std::process::exit`, C
/// `exit()`.
#[cfg(target_family = "wasm")]
#[unsafe(no_mangle)]
extern "C" fn _Exit(status: i32) -> ! {
    process::exit((status & 0xff) as u8);
    unreachable!("process.exit does not return")
}
