//! Start and end of a guest.

use crate::{environment, process};

/// Begin a guest's `main`: enter the working directory (libc starts at `/`).
pub fn start() {
    if let Some(directory) = environment::initial_cwd() {
        // A directory that is gone leaves the process at `/`; its own error for a relative path will name the path.
        let _ = std::env::set_current_dir(directory);
    }
}

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
