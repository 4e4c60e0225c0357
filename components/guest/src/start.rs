//! Start and end of a guest.

use crate::{environment, process};

/// Begin a guest's `main`: enter the working directory (libc starts at `/`).
pub fn start() {
    if let Some(directory) = environment::initial_cwd()
        && std::env::set_current_dir(&directory).is_err()
    {
        stay_nowhere(directory);
    }
}

/// The directory is gone: what is relative to it is not there either. Left alone, libc would take `/` for it, and
/// `rm *` would mean another directory.
#[cfg(target_family = "wasm")]
fn stay_nowhere(directory: String) {
    unsafe extern "C" {
        static mut __wasilibc_cwd: *const std::ffi::c_char;
    }
    if let Ok(directory) = std::ffi::CString::new(directory) {
        // SAFETY: libc's own variable, a path it never frees unless it allocated it; nothing else runs yet.
        unsafe { __wasilibc_cwd = directory.into_raw() };
    }
}

/// A native build is a test; it stays where it is.
#[cfg(not(target_family = "wasm"))]
fn stay_nowhere(_: String) {}

/// End the process with `status`, flushing Rust's standard output first.
pub fn exit(status: u8) -> ! {
    use std::io::Write;
    let _ = std::io::stdout().flush();
    process::exit(status);
    unreachable!("process.exit does not return")
}

/// What libc calls last in `exit()`: WASI 0.2's own exit keeps only success or failure, ours keeps the code.
/// Standing in for libc's `_Exit` catches every early exit: clap's usage errors, `std::process::exit`, C `exit()`.
#[cfg(target_family = "wasm")]
#[unsafe(no_mangle)]
extern "C" fn _Exit(status: i32) -> ! {
    process::exit((status & 0xff) as u8);
    unreachable!("process.exit does not return")
}
